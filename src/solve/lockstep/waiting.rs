//! Stack of states that wait for a lane: last in, first out, so that the search is depth first and
//! few states wait.

use super::branch::{Branch, WriteChildren};
use super::group::{Group, Move};
use crate::simd::{Isa, MAX_LANES};

/// A stack of states, packed into groups.
pub(super) struct Waiting<I: Isa> {
    isa: I,
    /// All full but the last one in use; those behind it are kept for reuse.
    layers: Vec<Layer<I>>,
    len: usize,
}

struct Layer<I: Isa> {
    group: Group<I>,
    /// Lanes that hold a second child, a state that the search has not entered yet.
    children: u32,
}

/// Lanes of the top group that were filled.
struct Filled<'a, I: Isa> {
    group: &'a mut Group<I>,
    lanes: u32,
    sources: [u16; MAX_LANES],
}

impl<I: Isa> Waiting<I> {
    pub(super) fn new(isa: I) -> Waiting<I> {
        Waiting {
            isa,
            layers: Vec::new(),
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Pushes these lanes of a group.
    pub(super) fn push(&mut self, from: &Group<I>, mut lanes: u32) {
        while lanes != 0 {
            let isa = self.isa;
            let filled = self.fill(&from.puzzles, &mut lanes, false);
            isa.run(Move {
                from: &from.cells,
                to: &mut filled.group.cells,
                sources: &filled.sources,
                taking: filled.lanes,
            });
        }
    }

    /// Pushes the second child of these lanes of a group.
    pub(super) fn push_children(
        &mut self,
        from: &Group<I>,
        mut parents: u32,
        branch: &Branch<I::Vector>,
    ) {
        while parents != 0 {
            let isa = self.isa;
            let filled = self.fill(&from.puzzles, &mut parents, true);
            isa.run(WriteChildren {
                from: &from.cells,
                branch,
                to: &mut filled.group.cells,
                children: filled.lanes,
                sources: &filled.sources,
            });
        }
    }

    /// Moves as many of these lanes as fit into free lanes of the top group, and removes them from
    /// the set.
    fn fill(
        &mut self,
        puzzles: &[u32; MAX_LANES],
        lanes: &mut u32,
        children: bool,
    ) -> Filled<'_, I> {
        let (top, mut next) = (self.len / I::LANES, self.len % I::LANES);
        if top == self.layers.len() {
            self.layers.push(Layer {
                group: Group::new(self.isa),
                children: 0,
            });
        }
        let Layer {
            group,
            children: marks,
        } = &mut self.layers[top];
        let mut filled = 0;
        let mut sources = [0; MAX_LANES];
        while *lanes != 0 && next < I::LANES {
            let lane = lanes.trailing_zeros();
            *lanes &= *lanes - 1;
            group.puzzles[next] = puzzles[lane as usize];
            sources[next] = lane as u16;
            filled |= 1 << next;
            next += 1;
        }
        self.len = top * I::LANES + next;
        *marks = if children {
            *marks | filled
        } else {
            *marks & !filled
        };
        Filled {
            group,
            lanes: filled,
            sources,
        }
    }

    /// Pops states into the idle lanes of a group, for as long as there are both. `enter` is called
    /// with the puzzle and whether the state is a second child; a state for which it returns false
    /// is dropped. Returns the lanes that were filled.
    pub(super) fn pop(
        &mut self,
        to: &mut Group<I>,
        mut idle: u32,
        mut enter: impl FnMut(u32, bool) -> bool,
    ) -> u32 {
        let mut filled = 0;
        while idle != 0 && self.len > 0 {
            let top = (self.len - 1) / I::LANES;
            let Layer { group, children } = &self.layers[top];
            let mut left = self.len - top * I::LANES;
            let mut taking = 0;
            let mut sources = [0; MAX_LANES];
            while idle != 0 && left > 0 {
                left -= 1;
                let puzzle = group.puzzles[left];
                if !enter(puzzle, children >> left & 1 == 1) {
                    continue;
                }
                let lane = idle.trailing_zeros() as usize;
                idle &= idle - 1;
                sources[lane] = left as u16;
                to.puzzles[lane] = puzzle;
                taking |= 1 << lane;
            }
            self.len = top * I::LANES + left;
            if taking != 0 {
                self.isa.run(Move {
                    from: &group.cells,
                    to: &mut to.cells,
                    sources: &sources,
                    taking,
                });
            }
            filled |= taking;
        }
        filled
    }
}
