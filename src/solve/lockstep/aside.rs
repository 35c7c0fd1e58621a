//! Second children that stay in the lanes of their parents, for a search in depth.

use super::branch::{Branch, SplitAside};
use super::group::{Cells, Take, lanes};
use crate::simd::{Isa, MAX_LANES, ROW};

/// Marks the end of a lane's states.
const NONE: u32 = u32::MAX;

/// For each lane, the states that it goes back to, the last one first.
///
/// Those of all lanes that branch at the same time make up a layer, each in its own lane: none is moved to be set aside.
pub(super) struct Aside<I: Isa> {
    isa: I,
    layers: Vec<Cells<I>>,
    /// For each layer and each lane, the number of the layer before it.
    before: Vec<[u32; MAX_LANES]>,
    /// Numbers of layers that hold nothing.
    free: Vec<u32>,
    /// Number of the last layer of each lane.
    last: [u32; MAX_LANES],
}

impl<I: Isa> Aside<I> {
    pub(super) fn new(isa: I) -> Aside<I> {
        Aside {
            isa,
            layers: Vec::new(),
            before: Vec::new(),
            free: Vec::new(),
            last: [NONE; MAX_LANES],
        }
    }

    /// Turns some lanes into their own first child, and sets the second one aside.
    pub(super) fn split(&mut self, cells: &mut Cells<I>, branch: &Branch<I::Vector>, parents: u32) {
        if parents == 0 {
            return;
        }
        if self.free.is_empty() {
            self.find_free();
        }
        let Some(number) = self.free.pop() else {
            return;
        };
        self.before[number as usize] = self.last;
        lanes(parents).for_each(|lane| self.last[lane] = number);
        self.isa.run(SplitAside {
            cells,
            aside: &mut self.layers[number as usize],
            branch,
            parents,
        });
    }

    /// Returns whether a state is set aside for this lane.
    pub(super) fn holds(&self, lane: usize) -> bool {
        self.last[lane] != NONE
    }

    /// Puts the last state set aside for this lane back into it.
    pub(super) fn take_back(&mut self, cells: &mut Cells<I>, lane: usize) {
        let number = self.last[lane] as usize;
        if let Some(from) = self.layers.get(number) {
            self.isa.run(Take {
                from,
                to: cells,
                lanes: 1 << lane,
            });
            self.last[lane] = self.before[number][lane];
        }
    }

    /// Drops what is set aside for these lanes.
    pub(super) fn drop(&mut self, set: u32) {
        lanes(set).for_each(|lane| self.last[lane] = NONE);
    }

    pub(super) fn clear(&mut self) {
        self.last = [NONE; MAX_LANES];
    }

    /// Finds the layers that no lane goes back to; if these are less than half, adds as many as there are.
    fn find_free(&mut self) {
        let mut is_used = vec![false; self.layers.len()];
        for lane in 0..I::LANES {
            let mut number = self.last[lane];
            while let Some(is_used) = is_used.get_mut(number as usize) {
                *is_used = true;
                number = self.before[number as usize][lane];
            }
        }
        let unused = (0..).zip(&is_used).filter(|(_, is_used)| !**is_used);
        self.free.extend(unused.map(|(number, _)| number));
        if self.free.len() <= self.layers.len() / 2 {
            let (old, new) = (self.layers.len(), 2 * self.layers.len() + 1);
            self.layers.resize(new, [self.isa.splat(0); ROW]);
            self.before.resize(new, [NONE; MAX_LANES]);
            self.free.extend((old..new).map(|number| number as u32));
        }
    }
}
