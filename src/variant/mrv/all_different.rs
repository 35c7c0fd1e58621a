//! All-different over as many values as cells: strikes every value that no full assignment of the house has.
//!
//! J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs" (1994): with a perfect matching
//! of cells and values, a value is possible in a cell if it lies in one strongly connected component with the
//! cell's matched value, in the graph that leads from each value to all values of its cell. That covers naked
//! and hidden subsets of every size. The components are found along a path of them that are merged where an
//! edge leads back (Gabow, "Path-based depth-first search", 2000), each a few operations on masks.

use super::super::mask::{Mask, bits};
use super::super::value::MOST_SIDE;

/// No full assignment is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overfull;

/// A component on the path.
#[derive(Clone, Copy, Default)]
struct Component {
    members: Mask,
    /// The values to which edges lead.
    out: Mask,
    /// The members of all components before it.
    before: Mask,
}

/// Strikes from the values of each cell those that no full assignment has.
///
/// `matched` holds a value for each cell, right or wrong: an earlier matching is mended, which is quick, and
/// left there for the next time.
pub(super) fn filter(cells: &mut [Mask], matched: &mut [u8]) -> Result<(), Overfull> {
    let owner = complete(cells, matched)?;
    let mut out = [0; MOST_SIDE];
    let mut done: Mask = 0;
    for (cell, &value) in matched.iter().enumerate() {
        out[usize::from(value)] = cells[cell];
        if cells[cell].is_power_of_two() {
            done |= cells[cell];
        }
    }
    let mut path = [Component::default(); MOST_SIDE];
    for start in 0..cells.len() {
        if done >> start & 1 == 1 {
            continue;
        }
        let mut depth = 0;
        path[0] = Component {
            members: 1 << start,
            out: out[start],
            before: 0,
        };
        loop {
            let top = path[depth];
            let next = top.out & !done & !top.members;
            if next & top.before != 0 {
                depth -= 1;
                path[depth].members |= top.members;
                path[depth].out |= top.out;
            } else if next != 0 {
                let value = next.trailing_zeros() as usize;
                depth += 1;
                path[depth] = Component {
                    members: 1 << value,
                    out: out[value],
                    before: top.before | top.members,
                };
            } else {
                for value in bits(top.members) {
                    cells[usize::from(owner[value])] &= top.members;
                }
                done |= top.members;
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
        }
    }
    Ok(())
}

/// Makes the matching perfect, by augmenting paths; returns the cell of each value.
fn complete(cells: &[Mask], matched: &mut [u8]) -> Result<[u8; MOST_SIDE], Overfull> {
    const NONE: u8 = u8::MAX;
    let mut owner = [NONE; MOST_SIDE];
    let mut free: Mask = 0;
    for (cell, &value) in matched.iter().enumerate() {
        let value = usize::from(value);
        if cells[cell] >> value & 1 == 1 && owner[value] == NONE {
            owner[value] = cell as u8;
        } else {
            free |= 1 << cell;
        }
    }
    let mut unowned: Mask = (0..cells.len())
        .filter(|value| owner[*value] == NONE)
        .fold(0, |all, value| all | 1 << value);
    for cell in bits(free) {
        // Breadth first: cells whose value another cell wants, and the cell that wants it.
        let mut queue = [cell as u8; MOST_SIDE];
        let mut wanted_by = [NONE; MOST_SIDE];
        let (mut head, mut tail) = (0, 1);
        let mut seen: Mask = 0;
        let mut end = None;
        while head < tail {
            let from = queue[head];
            head += 1;
            let values = cells[usize::from(from)] & !seen;
            seen |= values;
            if values & unowned != 0 {
                end = Some((from, (values & unowned).trailing_zeros() as usize));
                break;
            }
            for value in bits(values) {
                wanted_by[value] = from;
                queue[tail] = owner[value];
                tail += 1;
            }
        }
        let Some((mut from, mut value)) = end else {
            return Err(Overfull);
        };
        unowned &= !(1 << value);
        loop {
            let old = usize::from(matched[usize::from(from)]);
            owner[value] = from;
            matched[usize::from(from)] = value as u8;
            if usize::from(from) == cell {
                break;
            }
            (value, from) = (old, wanted_by[old]);
        }
    }
    Ok(owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The values of each cell over all complete assignments, by brute force.
    fn by_trial(cells: &[Mask]) -> Option<Vec<Mask>> {
        fn walk(cells: &[Mask], used: Mask, chosen: &mut Vec<usize>, found: &mut [Mask]) {
            let Some(values) = cells.get(chosen.len()) else {
                for (found, value) in found.iter_mut().zip(chosen) {
                    *found |= 1 << *value;
                }
                return;
            };
            for value in bits(values & !used) {
                chosen.push(value);
                walk(cells, used | 1 << value, chosen, found);
                chosen.pop();
            }
        }
        let mut found = vec![0; cells.len()];
        walk(cells, 0, &mut Vec::new(), &mut found);
        found.iter().all(|values| *values != 0).then_some(found)
    }

    proptest! {
        #[test]
        fn remaining_values_are_those_of_complete_assignments(
            cells in (4..7_usize).prop_flat_map(|side| prop::collection::vec(1..1_u64 << side, side)),
            matched in prop::collection::vec(0..4_u8, 7),
        ) {
            let mut left = cells.clone();
            let result = filter(&mut left, &mut matched[..cells.len()].to_vec());
            match by_trial(&cells) {
                Some(truth) => {
                    prop_assert_eq!(result, Ok(()));
                    prop_assert_eq!(left, truth);
                }
                None => prop_assert_eq!(result, Err(Overfull)),
            }
        }
    }
}
