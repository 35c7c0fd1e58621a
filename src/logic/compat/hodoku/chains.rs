//! Turbot fish, X-chains, XY-chains and remote pairs, in HoDoKu's order: all chains from every
//! candidate on, depth first, of which the best is taken.

use std::rc::Rc;

use super::board::{Board, Collected, eliminate};
use crate::grid::{Candidate, Cell, CellSet, Digit};
use crate::logic::deduction::{Deduction, Node, Pattern};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// Links of a chain, at most.
const LONGEST: usize = 20;

/// What a chain is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainKind {
    /// Candidates of a digit, three links.
    Turbot,
    /// Candidates of a digit.
    X,
    /// Cells of two candidates.
    Xy,
    /// Cells of the same two candidates.
    RemotePair,
}

#[derive(Clone, Copy)]
struct Link {
    to: Candidate,
    strong: bool,
}

struct Search<'a> {
    board: Board<'a>,
    kind: ChainKind,
    /// By cell, then by digit.
    links: Vec<[Vec<Link>; 9]>,
    chain: Vec<Candidate>,
    /// All cells of the chain but the last.
    cells: CellSet,
    found: Collected,
}

pub(super) fn chain(board: Board<'_>, kind: ChainKind) -> Option<Deduction> {
    let mut search = Search {
        board,
        kind,
        links: Cell::all()
            .map(|cell| Digit::ALL.map(|digit| links(board, kind, cell, digit)))
            .collect(),
        chain: Vec::new(),
        cells: CellSet::EMPTY,
        found: Collected::default(),
    };
    let single = matches!(kind, ChainKind::Turbot | ChainKind::X);
    for cell in board.blanks() {
        for digit in board.marks(cell) {
            let start = Candidate { cell, digit };
            for link in search.links[cell.index()][digit.index()].clone() {
                if link.strong && (single || link.to.cell == cell) {
                    search.chain = vec![start, link.to];
                    search.cells = CellSet::only(cell);
                    search.extend();
                }
            }
        }
    }
    search.found.least()
}

/// The links of a candidate: inside its cell first, then by its row, column and block.
fn links(board: Board<'_>, kind: ChainKind, cell: Cell, digit: Digit) -> Vec<Link> {
    let held = board.marks(cell);
    let single = matches!(kind, ChainKind::Turbot | ChainKind::X);
    let mut links = Vec::new();
    if !held.contains(digit) || !single && held.len() != 2 {
        return links;
    }
    if let (false, Some(other)) = (single, held.without(digit).single()) {
        links.push(Link {
            to: Candidate { cell, digit: other },
            strong: true,
        });
    }
    let [row, column, block] = cell.houses();
    let lines = row.cells().union(column.cells());
    for house in [row, column, block] {
        let places = board.places_in(digit, house);
        let strong = single && places.len() == 2;
        for other in places.without(cell) {
            let fits = match kind {
                ChainKind::Turbot | ChainKind::X => true,
                ChainKind::Xy => board.marks(other).len() == 2,
                ChainKind::RemotePair => board.marks(other) == held,
            };
            if fits && (house != block || !lines.contains(other)) {
                links.push(Link {
                    to: Candidate { cell: other, digit },
                    strong,
                });
            }
        }
    }
    links
}

impl Search<'_> {
    /// Goes on from the last candidate: by a strong link after an even number of links.
    fn extend(&mut self) {
        let most = if self.kind == ChainKind::Turbot {
            3
        } else {
            LONGEST
        };
        if self.chain.len() > most || self.board.is_late() {
            return;
        }
        let last = self.chain[self.chain.len() - 1];
        let start = self.chain[0];
        let must = self.chain.len() % 2 == 1;
        let count = self.links[last.cell.index()][last.digit.index()].len();
        for at in 0..count {
            let link = self.links[last.cell.index()][last.digit.index()][at];
            let inside = link.to.cell == last.cell;
            let xy = matches!(self.kind, ChainKind::Xy | ChainKind::RemotePair);
            if must && !link.strong || must && xy && !inside {
                continue;
            }
            let back = self.cells.contains(link.to.cell);
            if back && link.to.cell != start.cell {
                continue;
            }
            let added = !self.cells.contains(last.cell);
            self.cells = self.cells.with(last.cell);
            self.chain.push(link.to);
            if must && link.to.digit == start.digit {
                self.check();
            }
            if !back {
                self.extend();
            }
            self.chain.pop();
            if added {
                self.cells = self.cells.without(last.cell);
            }
        }
    }

    fn check(&mut self) {
        let (first, last) = (self.chain[0], self.chain[self.chain.len() - 1]);
        let seen = first.cell.peers().intersection(last.cell.peers());
        let eliminated = self.board.places(first.digit).intersection(seen);
        let length = self.chain.len();
        let least = match self.kind {
            ChainKind::Turbot => 4,
            ChainKind::X | ChainKind::Xy => 3,
            ChainKind::RemotePair => 8,
        };
        if eliminated.is_empty() || length < least {
            return;
        }
        if self.kind == ChainKind::RemotePair {
            self.remote_pair();
            return;
        }
        let technique = match self.kind {
            ChainKind::Turbot => TechniqueId::TurbotFish,
            ChainKind::X => TechniqueId::Chain(ChainName::XChain),
            _ => TechniqueId::Chain(ChainName::XyChain),
        };
        let eliminated = Candidate::in_cells(first.digit, eliminated).collect();
        let chain: Rc<[Candidate]> = self.chain.as_slice().into();
        self.found
            .offer(technique, eliminated, length, move |eliminated| {
                let pattern = pattern(technique, &chain);
                eliminate(technique, eliminated, || pattern)
            });
    }

    /// Each cell is in the chain with both candidates; two at odd distance eliminate together.
    fn remote_pair(&mut self) {
        let cells: Vec<Cell> = self.chain.iter().step_by(2).map(|one| one.cell).collect();
        let digits = self.board.marks(cells[0]);
        let mut seen = CellSet::EMPTY;
        for (at, one) in cells.iter().enumerate() {
            for other in cells.iter().skip(at + 3).step_by(2) {
                seen = seen.union(one.peers().intersection(other.peers()));
            }
        }
        let eliminated = digits.into_iter().flat_map(|digit| {
            Candidate::in_cells(digit, self.board.places(digit).intersection(seen))
        });
        let eliminated = eliminated.collect();
        let technique = TechniqueId::RemotePair;
        let length = self.chain.len();
        self.found
            .offer(technique, eliminated, length, move |eliminated| {
                eliminate(technique, eliminated, || Pattern::RemotePair {
                    digits,
                    cells,
                })
            });
    }
}

fn pattern(technique: TechniqueId, chain: &[Candidate]) -> Pattern {
    if let (TechniqueId::TurbotFish, &[a, b, c, d]) = (technique, chain) {
        return Pattern::TurbotFish {
            digit: a.digit,
            cells: [a, b, c, d].map(|one| one.cell),
        };
    }
    let nodes = chain.iter().map(|one| Node {
        digit: one.digit,
        cells: CellSet::only(one.cell),
    });
    Pattern::Chain {
        nodes: nodes.collect(),
        sets: Vec::new(),
        closed: false,
    }
}
