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
    free: Vec<usize>,
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
        let number = self.free_layer();
        self.before[number] = self.last;
        lanes(parents).for_each(|lane| self.last[lane] = number as u32);
        self.isa.run(SplitAside {
            cells,
            aside: &mut self.layers[number],
            branch,
            parents,
        });
    }

    /// Returns whether a state is set aside for this lane.
    pub(super) fn holds(&self, lane: usize) -> bool {
        self.last[lane] != NONE
    }

    /// Puts the last state set aside for this lane, which must hold one, back into it.
    pub(super) fn take_back(&mut self, cells: &mut Cells<I>, lane: usize) {
        let number = self.last[lane] as usize;
        self.isa.run(Take {
            from: &self.layers[number],
            to: cells,
            lanes: 1 << lane,
        });
        self.last[lane] = self.before[number][lane];
    }

    /// Drops what is set aside for these lanes.
    pub(super) fn drop(&mut self, set: u32) {
        lanes(set).for_each(|lane| self.last[lane] = NONE);
    }

    pub(super) fn clear(&mut self) {
        self.last = [NONE; MAX_LANES];
    }

    /// Returns the number of a layer that no lane goes back to. Where none is known, all such are looked for; if they are at
    /// most half of the layers, as many are added as there are.
    fn free_layer(&mut self) -> usize {
        if let Some(number) = self.free.pop() {
            return number;
        }
        let mut is_used = vec![false; self.layers.len()];
        for lane in 0..I::LANES {
            let mut number = self.last[lane];
            while number != NONE {
                is_used[number as usize] = true;
                number = self.before[number as usize][lane];
            }
        }
        let layers = self.layers.len();
        self.free.extend((0..layers).filter(|&it| !is_used[it]));
        if self.free.len() <= layers / 2 {
            let more = layers..2 * layers + 1;
            self.layers.resize(more.end, [self.isa.splat(0); ROW]);
            self.before.resize(more.end, [NONE; MAX_LANES]);
            self.free.extend(more);
        }
        self.free
            .pop()
            .expect("layers were added if there was none")
    }
}
