//! Hall subsets, the kernel of subsets and fish: as many sets as they have members together.
//!
//! Cells and their candidates, digits and their places in a house, parallel lines and the lines
//! across that hold a digit's places: each is nine sets over nine things. Where `n` of the sets have
//! just `n` members together, these go to those sets and to no other: the marriage theorem (P. Hall,
//! "On representatives of subsets", 1935).

use std::ops::ControlFlow;

use super::technique_id::SubsetSize;

/// Some of nine things, by number: what they are is up to the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Nine(u16);

impl Nine {
    pub(super) const fn from_bits(bits: u16) -> Nine {
        Nine(bits & 0x1ff)
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0 |= 1 << number;
    }

    /// The things of this choice out of nine or fewer.
    pub(super) fn choose<T>(self, things: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let numbered = things.into_iter().enumerate();
        numbered.filter_map(move |(number, thing)| (self.0 >> number & 1 == 1).then_some(thing))
    }

    const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    const fn union(self, other: Nine) -> Nine {
        Nine(self.0 | other.0)
    }
}

/// Goes through the choices of `size` sets, none of them empty, that have exactly `size` members
/// together, until `visit`, called with the sets and the members, breaks.
pub(super) fn each_hall_subset(
    sets: &[Nine; 9],
    size: SubsetSize,
    mut visit: impl FnMut(Nine, Nine) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let size = size.get();
    let mut few = [(0, Nine::default()); 9];
    let mut count = 0;
    for (number, &set) in sets.iter().enumerate() {
        if (1..=size).contains(&set.len()) {
            few[count] = (number, set);
            count += 1;
        }
    }
    extend(&few[..count], size, Nine(0), Nine(0), &mut visit)
}

/// Chooses so many more out of these.
fn extend(
    few: &[(usize, Nine)],
    missing: usize,
    chosen: Nine,
    members: Nine,
    visit: &mut impl FnMut(Nine, Nine) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let size = chosen.len() + missing;
    if missing == 0 {
        return if members.len() == size {
            visit(chosen, members)
        } else {
            ControlFlow::Continue(())
        };
    }
    for at in 0..(few.len() + 1).saturating_sub(missing) {
        let (number, set) = few[at];
        let members = members.union(set);
        if members.len() <= size {
            let mut chosen = chosen;
            chosen.insert(number);
            extend(&few[at + 1..], missing - 1, chosen, members, visit)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_hall_subset_is_found_once(
            sets in prop::array::uniform9((any::<u16>(), any::<u16>())),
            size in 0..3_usize,
        ) {
            let sets = sets.map(|(a, b)| Nine::from_bits(a & b));
            let size = SubsetSize::ALL[size];
            let mut expected = Vec::new();
            for choice in 0..1 << 9_u16 {
                let choice = Nine::from_bits(choice);
                let chosen: Vec<Nine> = choice.choose(sets).collect();
                let members = chosen.iter().fold(Nine(0), |all, &set| all.union(set));
                let none_empty = chosen.iter().all(|set| set.0 != 0);
                if chosen.len() == size.get() && members.len() == size.get() && none_empty {
                    expected.push((choice.0, members.0));
                }
            }
            let mut shown = Vec::new();
            let shown_all = each_hall_subset(&sets, size, |chosen, members| {
                shown.push((chosen.0, members.0));
                ControlFlow::Continue(())
            });
            prop_assert!(shown_all.is_continue());
            shown.sort_unstable();
            prop_assert_eq!(&shown, &expected);
            let first = each_hall_subset(&sets, size, |_, _| ControlFlow::Break(()));
            prop_assert_eq!(first.is_break(), !shown.is_empty());
        }
    }
}
