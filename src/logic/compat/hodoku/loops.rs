//! Nice loops and alternating inference chains, with groups and without, as HoDoKu picks them.

use super::board::{Board, Collected, eliminate};
use super::tables::{Claim, Links, Table, candidate, claim, holds};
use crate::grid::{Candidate, Cell, CellSet, Digit};
use crate::logic::deduction::{Deduction, Node, Pattern};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// What follows at once makes no loop.
const AT_ONCE: usize = 2;

struct Search<'a> {
    board: Board<'a>,
    links: Links,
    found: Collected,
}

/// The loop or chain that comes first.
pub(super) fn nice_loop(board: Board<'_>, with_groups: bool) -> Option<Deduction> {
    let mut search = Search {
        board,
        links: Links::new(board, with_groups),
        found: Collected::default(),
    };
    let candidates = board.candidates();
    for &start in &candidates {
        if board.is_late() {
            return None;
        }
        let table = search.links.table(claim(start, true));
        search.loops(start, &table);
    }
    let tables = candidates
        .iter()
        .take_while(|_| !board.is_late())
        .map(|&start| search.links.table(claim(start, false)));
    let tables: Vec<Table> = tables.collect();
    for (&start, table) in candidates.iter().zip(&tables) {
        if board.is_late() {
            return None;
        }
        search.loops(start, table);
    }
    for (&start, table) in candidates.iter().zip(&tables) {
        if board.is_late() {
            return None;
        }
        search.chains(start, table);
    }
    search.found.least()
}

impl Search<'_> {
    /// What comes back to the cell it started from.
    fn loops(&mut self, start: Candidate, table: &Table) {
        for (&end, &distance) in table.claims.iter().zip(&table.distances).skip(1) {
            let back = candidate(end).filter(|end| end.cell == start.cell);
            if let (Some(last), true) = (back, distance > AT_ONCE) {
                let chain = table.chain(end);
                let leaves = |one: Claim| self.first_cell(one) != Some(start.cell);
                let straight = leaves(chain[1]) && leaves(chain[chain.len() - 2]);
                if straight && !self.is_lasso(&chain, false) {
                    self.close(start, last, chain);
                }
            }
        }
    }

    /// A loop, or a candidate that contradicts itself.
    fn close(&mut self, start: Candidate, last: Candidate, chain: Vec<Claim>) {
        let others = |but: [Digit; 2]| {
            let digits = self.board.marks(start.cell);
            Candidate::in_cell(start.cell, digits.difference(but.into_iter().collect()))
        };
        let same = start.digit == last.digit;
        let [first_holds, last_holds] = [holds(chain[0]), holds(chain[chain.len() - 1])];
        let length = chain.len();
        let inner = |from: usize, to: usize| self.nodes(&chain[from..to]);
        let (name, eliminated, nodes, closed) = match (first_holds, last_holds) {
            (true, false) if same => {
                let nodes = inner(1, length - 1);
                (ChainName::DiscontinuousLoop, vec![start], nodes, false)
            }
            (true, true) if !same => {
                let nodes = inner(1, length);
                (ChainName::DiscontinuousLoop, vec![start], nodes, false)
            }
            (false, true) if same => {
                let eliminated = others([start.digit; 2]).collect();
                let nodes = inner(0, length);
                (ChainName::DiscontinuousLoop, eliminated, nodes, true)
            }
            (false, false) if !same => {
                let nodes = inner(0, length - 1);
                (ChainName::DiscontinuousLoop, vec![last], nodes, false)
            }
            (false, true) => {
                let mut eliminated: Vec<Candidate> = others([start.digit, last.digit]).collect();
                eliminated.extend(self.around(start.cell, &chain));
                let nodes = inner(0, length);
                (ChainName::ContinuousLoop, eliminated, nodes, true)
            }
            _ => return,
        };
        self.offer(name, eliminated, length, (nodes, closed), &chain);
    }

    /// What a closed loop eliminates between its cells and inside of them.
    fn around(&self, start: Cell, chain: &[Claim]) -> Vec<Candidate> {
        let mut eliminated = Vec::new();
        let on_way = chain[..chain.len() - 1].iter();
        let on_way = on_way.map(|&one| self.links.digit_and_cells(one).1);
        let on_way = on_way.fold(CellSet::EMPTY, CellSet::union).with(start);
        for at in 1..chain.len() {
            let [before, here] = [at - 1, at].map(|at| self.first_cell(chain[at]));
            if before == here {
                continue;
            }
            let (digit, cells) = self.links.digit_and_cells(chain[at]);
            if holds(chain[at]) {
                let through = chain.get(at..at + 3).filter(|next| {
                    let [_, inside, out] = [next[0], next[1], next[2]];
                    self.first_cell(inside) == here && self.first_cell(out) != here
                });
                if let (Some(next), Some(cell)) = (through, here) {
                    let out = self.links.digit_and_cells(next[2]).0;
                    let others = self.board.marks(cell).without(digit).without(out);
                    eliminated.extend(Candidate::in_cell(cell, others));
                }
            } else {
                let (_, others) = self.links.digit_and_cells(chain[at - 1]);
                let seen = cells.common_peers().intersection(others.common_peers());
                let seen = seen.intersection(self.board.places(digit));
                eliminated.extend(Candidate::in_cells(digit, seen.difference(on_way)));
            }
        }
        eliminated
    }

    /// Chains whose ends eliminate two candidates at least.
    fn chains(&mut self, start: Candidate, table: &Table) {
        for (&end, &distance) in table.claims.iter().zip(&table.distances).skip(1) {
            let end_holds = holds(end) && distance > AT_ONCE;
            let Some(last) = candidate(end).filter(|end| end_holds && end.cell != start.cell)
            else {
                continue;
            };
            let eliminated: Vec<Candidate> = if start.digit == last.digit {
                let seen = start.cell.peers().intersection(last.cell.peers());
                let seen = seen.intersection(self.board.places(start.digit));
                Candidate::in_cells(start.digit, seen).collect()
            } else if start.cell.sees(last.cell) {
                let crossed = [(start.cell, last.digit), (last.cell, start.digit)];
                let there = crossed.into_iter();
                let there = there.filter(|&(cell, digit)| self.board.marks(cell).contains(digit));
                there
                    .map(|(cell, digit)| Candidate { cell, digit })
                    .collect()
            } else {
                continue;
            };
            if eliminated.len() < 2 {
                continue;
            }
            let chain = table.chain(end);
            if !self.is_lasso(&chain, true) {
                let nodes = self.nodes(&chain);
                let length = chain.len();
                self.offer(ChainName::Aic, eliminated, length, (nodes, false), &chain);
            }
        }
    }

    fn offer(
        &mut self,
        name: ChainName,
        eliminated: Vec<Candidate>,
        length: usize,
        (nodes, closed): (Vec<Node>, bool),
        chain: &[Claim],
    ) {
        let grouped = chain.iter().any(|&one| candidate(one).is_none());
        let name = match name {
            ChainName::DiscontinuousLoop if grouped => ChainName::GroupedDiscontinuousLoop,
            ChainName::ContinuousLoop if grouped => ChainName::GroupedContinuousLoop,
            ChainName::Aic if grouped => ChainName::GroupedAic,
            name => name,
        };
        let technique = TechniqueId::Chain(name);
        self.found
            .offer(technique, eliminated, length, move |eliminated| {
                eliminate(technique, eliminated, || Pattern::Chain {
                    nodes,
                    sets: Vec::new(),
                    closed,
                })
            });
    }

    /// Whether the chain comes back to a cell of its middle; for an open one, to its first as well.
    fn is_lasso(&self, chain: &[Claim], open: bool) -> bool {
        let start = self.first_cell(chain[0]);
        let mut passed = CellSet::EMPTY;
        for at in 0..chain.len() {
            let here = self.first_cell(chain[at]);
            if here.is_some_and(|cell| passed.contains(cell)) {
                return true;
            }
            if at > 0 && (open || self.first_cell(chain[at - 1]) != start) {
                passed = passed.union(self.links.digit_and_cells(chain[at - 1]).1);
            }
        }
        false
    }

    fn first_cell(&self, claim: Claim) -> Option<Cell> {
        let (_, cells) = self.links.digit_and_cells(claim);
        cells.first()
    }

    fn nodes(&self, chain: &[Claim]) -> Vec<Node> {
        let nodes = chain.iter().map(|&one| {
            let (digit, cells) = self.links.digit_and_cells(one);
            Node { digit, cells }
        });
        nodes.collect()
    }
}
