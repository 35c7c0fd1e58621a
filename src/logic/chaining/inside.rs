//! What techniques and chains eliminate inside a chain, on the board that it has come to.

use std::collections::{HashMap, HashSet};

use super::board::{Board, CELLS, Frame, HOMES, bits};
use super::implication_graph::{Branched, Cause, ImplicationGraph, NONE, Nested};
use super::loops::{Found, Turn, search};
use super::walk::{Step, Walk};

/// The board of a chain with what it was before.
pub(super) struct Inside<'a> {
    pub(super) frame: &'a Frame,
    pub(super) source: &'a Board,
    pub(super) board: &'a Board,
    pub(super) explaining: bool,
}

impl Inside<'_> {
    /// Adds what chains in which each claim follows from one eliminate on the board.
    pub(super) fn loops(
        &self,
        graph: &mut ImplicationGraph,
        walk: &mut Walk,
        known: &mut HashMap<[u16; 81], Vec<Found>>,
    ) {
        let found = known.entry(self.board.cells).or_insert_with(|| {
            let mut found = Vec::new();
            search(walk, self.frame, self.board, |chain| {
                found.push(chain);
                None
            });
            found.sort_by_key(|chain: &Found| chain.rank);
            let mut shown = Shown::default();
            found.retain(|chain| shown.is_new(&chain.eliminated));
            found
        });
        for chain in found {
            self.nested_loop(chain, graph);
        }
    }

    /// Adds what a chain eliminates.
    fn nested_loop(&self, chain: &Found, graph: &mut ImplicationGraph) {
        let count = self.frame.len();
        let mut causes = Causes::default();
        let cycle = chain.turn == Turn::Cycle;
        let mut signature = Signature::new(if cycle { 2 } else { 1 });
        let from = usize::from(cycle);
        for &(claim, cause) in chain.path[from..].iter().rev() {
            signature.add(claim as usize);
            if (claim as usize) < count {
                causes.of(self, claim as usize, cause);
            }
        }
        if cycle {
            // Backwards a claim that was false is true, for the same reason.
            for &(claim, cause) in &chain.path {
                if claim as usize >= count {
                    causes.of(self, claim as usize - count, cause);
                }
            }
        }
        signature.end();
        let branches = if self.explaining {
            vec![chain_branch(&chain.path)]
        } else {
            Vec::new()
        };
        let nested = Nested {
            length: chain.rank.length(),
            signature: signature.value,
            branches,
        };
        self.eliminate(&chain.eliminated, &causes.claims, nested, graph);
    }

    /// Adds that these are false because those claims are, unless there are none.
    pub(super) fn eliminate(
        &self,
        eliminated: &[(usize, u16)],
        causes: &[usize],
        nested: Nested,
        graph: &mut ImplicationGraph,
    ) {
        if causes.is_empty() {
            return;
        }
        let number = graph.nested.len() as u16;
        let mut used = false;
        for &(cell, digits) in eliminated {
            for digit in bits(digits) {
                let claim = self.frame.number(cell, digit) + self.frame.len();
                if graph.add_new(claim, Cause::Nested(number)) {
                    used = true;
                    for &cause in causes {
                        graph.add_parent(cause);
                    }
                }
            }
        }
        if used {
            graph.nested.push(nested);
        }
    }
}

/// A path as a branch in which each claim follows from the one before.
pub(super) fn chain_branch(path: &[Step]) -> Vec<Branched> {
    let numbered = path.iter().enumerate();
    numbered
        .map(|(at, &(claim, cause))| {
            (
                claim,
                at.checked_sub(1).map(|at| at as u16).into_iter().collect(),
                cause,
            )
        })
        .collect()
}

/// What has been eliminated already: of chains that eliminate the same only the first counts.
#[derive(Default)]
pub(super) struct Shown {
    seen: HashSet<Vec<(usize, u16)>>,
}

impl Shown {
    pub(super) fn is_new(&mut self, eliminated: &[(usize, u16)]) -> bool {
        self.seen.insert(eliminated.to_vec())
    }
}

/// The claims outside a chain that it rests on.
#[derive(Default)]
pub(super) struct Causes {
    pub(super) claims: Vec<usize>,
}

impl Causes {
    /// Adds what was eliminated before for a true claim to follow.
    pub(super) fn of(&mut self, inside: &Inside<'_>, on: usize, cause: Cause) {
        let (frame, source, board) = (inside.frame, inside.source, inside.board);
        let (cell, digit) = frame.mark(on);
        match cause {
            Cause::Cell => {
                for digit in bits(source.cells[cell] & !board.cells[cell]) {
                    self.add(frame.number(cell, digit) + frame.len());
                }
            }
            Cause::House(kind) => {
                let house = HOMES[cell][kind as usize].0 as usize;
                let gone = source.places[house][digit] & !board.places[house][digit];
                for place in bits(gone) {
                    let cell = CELLS[house][place] as usize;
                    self.add(frame.number(cell, digit) + frame.len());
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, claim: usize) {
        if !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }
}

/// Distinguishes chains by their claims: 64 bits are enough for the few that meet in one.
pub(super) struct Signature {
    pub(super) value: u64,
}

impl Signature {
    pub(super) fn new(branches: usize) -> Signature {
        Signature {
            value: branches as u64 ^ 0x9e37_79b9_7f4a_7c15,
        }
    }

    pub(super) fn add(&mut self, claim: usize) {
        self.value = (self.value ^ claim as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.value ^= self.value >> 32;
    }

    pub(super) fn end(&mut self) {
        self.add(NONE as usize);
    }
}
