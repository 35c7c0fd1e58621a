//! Sums of cells: the cages, and what the cages leave of houses ("innies") or have outside of them
//! ("outies"), since the sum of a house is known.

use super::super::combinations::combinations;
use super::super::layout::{HouseKind, Layout};
use super::super::mask::{Mask, bits};
use super::super::value::MOST_SIDE;

/// The most cells of a sum that was derived from cages.
const MOST_DERIVED: usize = 5;
/// The most rows or columns that are taken together for innies and outies.
const MOST_LINES: usize = 4;
/// Sums of different values with more sets than that are filtered by bounds only.
const MOST_COMBINATIONS: usize = 300;
/// Assignments of cells are tried one by one up to this number of open cells.
const MOST_OPEN: usize = 5;
/// The most assignments tried for a sum of values that need not differ.
const MOST_TRIALS: u32 = 2_000;

/// Houses whose sum is known: one, or several rows or columns beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines {
    /// What they are.
    pub kind: HouseKind,
    /// The number of the first among those of its kind, from 0.
    pub first: usize,
    /// How many there are.
    pub count: usize,
}

/// Where a sum comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumOrigin {
    /// It is that of a cage.
    Cage,
    /// The cages that lie in these houses leave it for their other cells.
    Innies {
        /// The houses.
        lines: Lines,
        /// The sum of the cages.
        cages: i32,
    },
    /// The cages that cover these houses have it outside of them.
    Outies {
        /// The houses.
        lines: Lines,
        /// The sum of the cages.
        cages: i32,
    },
}

/// Cells whose values, numbered from 0, add up to a total.
#[derive(Clone, Debug)]
pub(in super::super) struct Sum {
    pub(in super::super) origin: SumOrigin,
    pub(in super::super) cells: Vec<u16>,
    total: i32,
    /// For each cell, the cells before it in this sum that must have other values.
    differ: Vec<Mask>,
    /// All sets of values with this sum, where the values must differ and the sets are few.
    sets: Option<Vec<Mask>>,
}

/// A sum cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Unmet;

/// All sums that hold on a layout with cages, and which of its cells share a house.
pub(super) fn sums_of(layout: &Layout, share_house: impl Fn(usize, usize) -> bool) -> Vec<Sum> {
    let mut cage_of = vec![None; layout.cells()];
    for (number, cage) in layout.cages().iter().enumerate() {
        for &cell in &cage.cells {
            cage_of[cell] = Some(number);
        }
    }
    let differ =
        |a: usize, b: usize| cage_of[a].is_some() && cage_of[a] == cage_of[b] || share_house(a, b);
    let sum = |origin: SumOrigin, cells: &[usize], total: i32| {
        Sum::new(layout.side(), origin, cells, total, differ)
    };
    let mut sums: Vec<Sum> = layout
        .cages()
        .iter()
        .map(|cage| sum(SumOrigin::Cage, &cage.cells, cage.sum as i32))
        .collect();
    for (lines, area) in areas(layout) {
        for (origin, cells, total) in derived(layout, &cage_of, lines, &area) {
            let known = sums.iter().any(|sum| {
                let same = sum
                    .cells
                    .iter()
                    .zip(&cells)
                    .all(|(a, b)| usize::from(*a) == *b);
                sum.cells.len() == cells.len() && same && sum.total == total - cells.len() as i32
            });
            if !known {
                sums.push(sum(origin, &cells, total));
            }
        }
    }
    sums
}

/// Houses, and neighbouring rows and columns: all with a known sum.
fn areas(layout: &Layout) -> Vec<(Lines, Vec<usize>)> {
    let lines = |kind, first, count| Lines { kind, first, count };
    let houses = layout.houses();
    let mut areas: Vec<_> = houses
        .iter()
        .map(|house| (lines(house.kind, house.number, 1), house.cells.clone()))
        .collect();
    for kind in [HouseKind::Row, HouseKind::Column] {
        let alike: Vec<&Vec<usize>> = houses
            .iter()
            .filter(|house| house.kind == kind)
            .map(|house| &house.cells)
            .collect();
        for count in 2..=MOST_LINES.min(layout.side() - 1) {
            let groups = alike.windows(count).enumerate();
            areas.extend(groups.map(|(first, group)| {
                let cells = group.iter().copied().flatten().copied().collect();
                (lines(kind, first, count), cells)
            }));
        }
    }
    areas
}

/// The innies and outies of an area, if they are few: cells in ascending order, and their sum.
fn derived(
    layout: &Layout,
    cage_of: &[Option<usize>],
    lines: Lines,
    area: &[usize],
) -> impl Iterator<Item = (SumOrigin, Vec<usize>, i32)> {
    let side = layout.side() as i32;
    let area_total = area.len() as i32 * (side + 1) / 2;
    let mut inside = vec![false; layout.cells()];
    for &cell in area {
        inside[cell] = true;
    }
    let mut innies: Vec<usize> = area
        .iter()
        .copied()
        .filter(|cell| cage_of[*cell].is_none())
        .collect();
    let uncaged = !innies.is_empty();
    let mut outies = Vec::new();
    let (mut within, mut touching) = (0, 0);
    for cage in layout.cages() {
        let count = cage.cells.iter().filter(|cell| inside[**cell]).count();
        if count == cage.cells.len() {
            within += cage.sum as i32;
        }
        if count > 0 {
            touching += cage.sum as i32;
        }
        if count > 0 && count < cage.cells.len() {
            let (of, out): (Vec<usize>, Vec<usize>) =
                cage.cells.iter().partition(|cell| inside[**cell]);
            innies.extend(of);
            outies.extend(out);
        }
    }
    innies.sort_unstable();
    outies.sort_unstable();
    let inside = SumOrigin::Innies {
        lines,
        cages: within,
    };
    let outside = SumOrigin::Outies {
        lines,
        cages: touching,
    };
    let sums = [
        Some((inside, innies, area_total - within)),
        (!uncaged).then_some((outside, outies, touching - area_total)),
    ];
    let useful = |(_, cells, total): &(SumOrigin, Vec<usize>, i32)| {
        cells.len() <= MOST_DERIVED && (!cells.is_empty() || *total != 0)
    };
    sums.into_iter().flatten().filter(useful)
}

impl Sum {
    /// These cells, in ascending order, add up to this total of values from 1.
    fn new(
        side: usize,
        origin: SumOrigin,
        cells: &[usize],
        total: i32,
        differ: impl Fn(usize, usize) -> bool,
    ) -> Sum {
        let total = total - cells.len() as i32;
        let before = |at: usize| {
            let earlier = (0..at).filter(|other| differ(cells[*other], cells[at]));
            earlier.fold(0, |all, other| all | 1 << other)
        };
        let differ: Vec<Mask> = (0..cells.len()).map(before).collect();
        let all_differ = differ
            .iter()
            .enumerate()
            .all(|(at, set)| *set == (1 << at) - 1);
        let sets = if all_differ {
            combinations(side, cells.len(), total, MOST_COMBINATIONS)
        } else {
            None
        };
        Sum {
            origin,
            cells: cells.iter().map(|cell| *cell as u16).collect(),
            total,
            differ,
            sets,
        }
    }

    /// What the values add up to, numbered from 1.
    pub(in super::super) fn total(&self) -> i32 {
        self.total + self.cells.len() as i32
    }

    /// The sets of values that the cells can have; `None` where they are too many to be listed.
    pub(in super::super) fn ways(&self, values: &[Mask]) -> Option<Vec<Mask>> {
        let is_open = |values: &&Mask| !values.is_power_of_two();
        let few = values.iter().filter(is_open).count() <= MOST_OPEN;
        let fixed = values.iter().filter(|values| !is_open(values));
        let fixed = fixed.fold(0, |all, values| all | values);
        let fits = |set: &&Mask| {
            fixed & !**set == 0 && permute(values, **set & !fixed, &mut [0; MOST_SIDE])
        };
        let sets = self.sets.as_ref().filter(|_| few)?;
        Some(sets.iter().filter(fits).copied().collect())
    }

    /// Strikes from the values of each cell those with which the sum cannot be met, and returns the values
    /// that one of the cells must have.
    pub(in super::super) fn filter(&self, values: &mut [Mask]) -> Result<Mask, Unmet> {
        self.filter_by_bounds(values)?;
        match &self.sets {
            Some(sets) => filter_by_sets(sets, values),
            None => {
                let count = values.iter().map(|values| values.count_ones());
                let most = count.clone().max().unwrap_or(1).max(1);
                let trials = count.fold(1_u32, |all, count| all.saturating_mul(count)) / most;
                if trials <= MOST_TRIALS {
                    self.filter_by_trial(values)?;
                }
                Ok(0)
            }
        }
    }

    fn filter_by_bounds(&self, values: &mut [Mask]) -> Result<(), Unmet> {
        let least = |values: Mask| values.trailing_zeros() as i32;
        let most = |values: Mask| 63 - values.leading_zeros() as i32;
        let least_sum: i32 = values.iter().map(|values| least(*values)).sum();
        let most_sum: i32 = values.iter().map(|values| most(*values)).sum();
        if self.total < least_sum || self.total > most_sum {
            return Err(Unmet);
        }
        for values in values {
            let from = (self.total - (most_sum - most(*values))).max(0);
            let to = (self.total - (least_sum - least(*values))).min(62);
            *values &= (2 << to) - (1 << from);
            if *values == 0 {
                return Err(Unmet);
            }
        }
        Ok(())
    }

    fn filter_by_trial(&self, values: &mut [Mask]) -> Result<(), Unmet> {
        let mut trial = Trial {
            sum: self,
            values,
            rest: [(0, 0); MOST_SIDE + 1],
            chosen: [0; MOST_SIDE],
            supported: [0; MOST_SIDE],
        };
        for at in (0..values.len()).rev() {
            let (least, most) = trial.rest[at + 1];
            trial.rest[at] = (
                least + values[at].trailing_zeros() as i32,
                most + 63 - values[at].leading_zeros() as i32,
            );
        }
        if !trial.walk(0, self.total) {
            return Err(Unmet);
        }
        let supported = trial.supported;
        values.copy_from_slice(&supported[..values.len()]);
        Ok(())
    }
}

/// Tries all assignments of a sum whose values need not all differ.
struct Trial<'a> {
    sum: &'a Sum,
    values: &'a [Mask],
    /// For each cell, the least and the most that it and those after it can add.
    rest: [(i32, i32); MOST_SIDE + 1],
    chosen: [Mask; MOST_SIDE],
    supported: [Mask; MOST_SIDE],
}

impl Trial<'_> {
    /// Whether the cells from this one on can add this much; enters every way into the support.
    fn walk(&mut self, at: usize, total: i32) -> bool {
        if at == self.values.len() {
            return total == 0;
        }
        if total < self.rest[at].0 || total > self.rest[at].1 {
            return false;
        }
        let taken = bits(self.sum.differ[at]).fold(0, |all, other| all | self.chosen[other]);
        let mut any = false;
        for value in bits(self.values[at] & !taken) {
            self.chosen[at] = 1 << value;
            if self.walk(at + 1, total - value as i32) {
                self.supported[at] |= 1 << value;
                any = true;
            }
        }
        any
    }
}

/// Strikes what no set of values allows, and returns the values that all sets have.
fn filter_by_sets(sets: &[Mask], values: &mut [Mask]) -> Result<Mask, Unmet> {
    let (mut fixed, mut all): (Mask, Mask) = (0, 0);
    let mut open = 0;
    for values in values.iter() {
        all |= values;
        if values.is_power_of_two() {
            if fixed & values != 0 {
                return Err(Unmet);
            }
            fixed |= values;
        } else {
            open += 1;
        }
    }
    let mut supported = [0; 64];
    let mut required = Mask::MAX;
    for &set in sets {
        if fixed & !set != 0 || set & !all != 0 {
            continue;
        }
        let rest = set & !fixed;
        let is_open = |values: &Mask| !values.is_power_of_two();
        let news = (values.iter().zip(&supported))
            .any(|(values, supported)| is_open(values) && values & rest & !supported != 0);
        let empty = (values.iter()).any(|values| is_open(values) && values & rest == 0);
        if empty || !news && required & !set == 0 {
            continue;
        }
        let met = if open <= MOST_OPEN {
            permute(values, rest, &mut supported)
        } else {
            for (values, supported) in values.iter().zip(&mut supported) {
                *supported |= values & rest;
            }
            true
        };
        if met {
            required &= set;
        }
    }
    if required == Mask::MAX {
        return Err(Unmet);
    }
    for (values, supported) in values.iter_mut().zip(&supported) {
        if !values.is_power_of_two() {
            *values &= supported;
        }
    }
    Ok(required & !fixed)
}

/// Whether the open cells can have these values, one each; enters every way into the support.
fn permute(values: &[Mask], rest: Mask, supported: &mut [Mask]) -> bool {
    let Some((first, others)) = values.split_first() else {
        return true;
    };
    if first.is_power_of_two() {
        return permute(others, rest, &mut supported[1..]);
    }
    let mut any = false;
    for value in bits(first & rest) {
        if permute(others, rest & !(1 << value), &mut supported[1..]) {
            supported[0] |= 1 << value;
            any = true;
        }
    }
    any
}
