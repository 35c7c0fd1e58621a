//! The techniques: of each kind the first chain, with its evidence.

use std::ops::ControlFlow;

use super::board::{Board, Frame, HOMES};
use super::conclusion::{Conclusion, NetKind};
use super::extras::TECHNIQUES;
use super::implication_graph::{Branched, Cause};
use super::inside::chain_branch;
use super::loops::{Found, Turn, search};
use super::nets::Nets;
use super::walk::{Shape, Step, Walk};
use crate::grid::{Candidate, CandidateSet, Cell, CellSet, DigitSet, House};
use crate::logic::deduction::{
    Branch, Claim, Deduction, Effect, ForcingKind, Implication, Node, Pattern, Reason,
};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::{DynamicName, RatedChain, RatedName, TechniqueId};
use crate::solve::Deadline;

/// Cycles, and claims that come to their contrary, each claim following from one: only the one of
/// the lowest rating is shown.
#[derive(Clone, Copy, Debug)]
pub struct RatedLoops;

impl Technique for RatedLoops {
    fn id(&self) -> TechniqueId {
        let name = RatedName::ForcingChain;
        TechniqueId::RatedChain(RatedChain { name, tenths: 70 })
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        loop_step(grid).map_or(ControlFlow::Continue(()), sink)
    }
}

/// Forcing chains from several assumptions, and contradictions: only the one of the lowest rating is
/// shown.
#[derive(Clone, Copy, Debug)]
pub struct RatedNets(
    /// Which.
    pub NetKind,
);

impl Technique for RatedNets {
    fn id(&self) -> TechniqueId {
        let name = match self.0 {
            NetKind::Nishio => RatedName::Nishio,
            NetKind::Multiple => RatedName::Cell,
            NetKind::Dynamic(level) => RatedName::Dynamic(DynamicName::Cell, level),
        };
        let tenths = self.0.base();
        TechniqueId::RatedChain(RatedChain { name, tenths })
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        net_step(grid, self.0).map_or(ControlFlow::Continue(()), sink)
    }
}

/// With so many candidates a grid has many solutions: chains inside chains would be looked for in
/// vain, and for hours.
const MANY: usize = 450;

/// Buffers of the searches of chains, and what is known of the marks that they saw last.
#[derive(Default)]
struct Searches {
    walk: Walk,
    nets: Nets,
}

/// The chain of the lowest rating among cycles and chains in which each claim follows from one.
fn loop_step(grid: &State) -> Option<Deduction> {
    let (frame, board) = (Frame::new(grid), Board::new(grid));
    let mut least: Option<Found> = None;
    grid.with_scratch(|searches: &mut Searches| {
        search(&mut searches.walk, &frame, &board, |found| {
            if least.as_ref().is_none_or(|least| found.rank < least.rank) {
                least = Some(found);
            }
            least.as_ref().map(|least| least.rank)
        });
    });
    let found = least?;
    let evidence = Evidence { frame: &frame };
    let mut cells: Vec<u8> = Vec::new();
    for &(claim, _) in &found.path {
        cells.push(evidence.claim(claim).candidate.cell.index() as u8);
    }
    cells.sort_unstable();
    cells.dedup();
    let name = match (found.turn, found.shape) {
        (Turn::Cycle, Shape::Digit) if cells.len() == 4 => RatedName::GeneralizedXWing,
        (Turn::Cycle, Shape::Digit) => RatedName::XCycle,
        (Turn::Cycle, Shape::Bivalue) => RatedName::YCycle,
        (Turn::Cycle, Shape::Both) => RatedName::Cycle,
        (_, Shape::Both) => RatedName::ForcingChain,
        _ if found.rank.length() == 6 => RatedName::TurbotFish,
        _ => RatedName::ForcingXChain,
    };
    let pattern = match found.turn {
        Turn::Cycle => Pattern::Chain {
            nodes: evidence.cycle(&found.path),
            sets: Vec::new(),
            closed: true,
        },
        _ => Pattern::Forcing {
            kind: ForcingKind::Contradiction,
            branches: vec![evidence.branch(&chain_branch(&found.path), &[])],
        },
    };
    let effect = match (found.turn, found.path.last()) {
        (Turn::True, Some(&(claim, _))) => Effect::Place(evidence.claim(claim).candidate),
        _ => Effect::Eliminate(eliminated(&found.eliminated)),
    };
    let technique = TechniqueId::RatedChain(RatedChain {
        name,
        tenths: found.rank.tenths(),
    });
    Some(Deduction {
        technique,
        effect,
        pattern,
    })
}

/// The shortest forcing chains of a kind.
fn net_step(grid: &State, kind: NetKind) -> Option<Deduction> {
    grid.with_scratch(|searches: &mut Searches| net_step_with(&mut searches.nets, grid, kind))
}

fn net_step_with(nets: &mut Nets, grid: &State, kind: NetKind) -> Option<Deduction> {
    let (mut frame, board) = (Frame::new(grid), Board::new(grid));
    if kind.is_nested() && frame.len() > MANY {
        return None;
    }
    frame.clock = grid.deadline();
    nets.explaining = false;
    let mut least = None;
    nets.search(&frame, &board, kind, |rank, conclusion| {
        least = Some((rank, conclusion));
        Some(rank)
    });
    let (rank, conclusion) = least.filter(|_| !frame.clock.is_over())?;
    // The evidence is made in full, whatever the time.
    frame.clock = Deadline::NONE;
    nets.explaining = true;
    nets.begin(&frame);
    for claim in conclusion.assumed(&frame, &board) {
        nets.follow((&frame, &board), claim, kind, None);
    }
    let evidence = Evidence { frame: &frame };
    let branches = nets.ends(&frame, &board, conclusion).into_iter();
    let branches = branches.filter_map(|(claim, at)| {
        let graph = nets.graphs[claim].as_ref()?;
        let nested: Vec<Vec<Branch>> = graph
            .nested
            .iter()
            .map(|nested| {
                let branches = nested.branches.iter();
                branches
                    .map(|branch| evidence.branch(branch, &[]))
                    .collect()
            })
            .collect();
        Some(evidence.branch(&graph.branch(at), &nested))
    });
    let target = evidence.claim(conclusion.target(frame.len()) as u16);
    Some(Deduction {
        technique: TechniqueId::RatedChain(RatedChain {
            name: name(kind, conclusion),
            tenths: rank.tenths(),
        }),
        effect: if target.holds {
            Effect::Place(target.candidate)
        } else {
            Effect::Eliminate(CandidateSet::only(target.candidate))
        },
        pattern: Pattern::Forcing {
            kind: match conclusion {
                Conclusion::Absurd(_) => ForcingKind::Contradiction,
                Conclusion::Double(..) => ForcingKind::Double,
                Conclusion::Cell(cell, _) => ForcingKind::Cell(cell_of(cell)),
                Conclusion::House(house, ..) => ForcingKind::House(house_of(house)),
            },
            branches: branches.collect(),
        },
    })
}

fn name(kind: NetKind, conclusion: Conclusion) -> RatedName {
    let dynamic = match conclusion {
        Conclusion::Absurd(_) => DynamicName::Contradiction,
        Conclusion::Double(..) => DynamicName::Double,
        Conclusion::Cell(..) => DynamicName::Cell,
        Conclusion::House(..) => DynamicName::Region,
    };
    match (kind, dynamic) {
        (NetKind::Nishio, _) => RatedName::Nishio,
        (NetKind::Multiple, DynamicName::Cell) => RatedName::Cell,
        (NetKind::Multiple, _) => RatedName::Region,
        (NetKind::Dynamic(level), dynamic) => RatedName::Dynamic(dynamic, level),
    }
}

fn cell_of(cell: usize) -> Cell {
    Cell::new(cell).expect("cells are numbered below 81")
}

fn house_of(house: usize) -> House {
    House::new(house).expect("houses are numbered below 27")
}

fn eliminated(eliminated: &[(usize, u16)]) -> CandidateSet {
    let digits = |&(cell, digits): &(usize, u16)| {
        Candidate::in_cell(cell_of(cell), DigitSet::from_bits(digits))
    };
    eliminated.iter().flat_map(digits).collect()
}

/// Gives the claims their candidates back.
struct Evidence<'a> {
    frame: &'a Frame,
}

impl Evidence<'_> {
    fn claim(&self, claim: u16) -> Claim {
        let claim = claim as usize;
        let holds = claim < self.frame.len();
        let number = if holds {
            claim
        } else {
            claim - self.frame.len()
        };
        Claim {
            candidate: self.frame.candidates[number].candidate(),
            holds,
        }
    }

    fn branch(&self, branch: &[Branched], nested: &[Vec<Branch>]) -> Branch {
        let step = |(claim, parents, cause): &Branched| {
            let claim = self.claim(*claim);
            Implication {
                claim,
                causes: parents.iter().map(|&parent| parent as usize).collect(),
                reason: self.reason(claim, *cause, nested),
            }
        };
        branch.iter().map(step).collect()
    }

    fn reason(&self, claim: Claim, cause: Cause, nested: &[Vec<Branch>]) -> Reason {
        let cell = claim.candidate.cell;
        match (cause, claim.holds) {
            (Cause::Assumed, _) => Reason::Assumed,
            (Cause::Cell, true) => Reason::LastCandidate(cell),
            (Cause::Cell, false) => Reason::SameCell,
            (Cause::House(kind), holds) => {
                let house = house_of(HOMES[cell.index()][kind as usize].0 as usize);
                if holds {
                    Reason::LastPlace(house)
                } else {
                    Reason::SameHouse(house)
                }
            }
            (Cause::Extra(technique), _) => Reason::Technique(TECHNIQUES[technique as usize]),
            (Cause::Nested(number), _) => {
                let branches = nested.get(number as usize);
                Reason::Nested(branches.cloned().unwrap_or_default())
            }
        }
    }

    /// The claims of a cycle, beginning with the first false one.
    fn cycle(&self, path: &[Step]) -> Vec<Node> {
        let node = |&(claim, _): &Step| {
            let Candidate { cell, digit } = self.claim(claim).candidate;
            let cells = CellSet::only(cell);
            Node { digit, cells }
        };
        path[1..].iter().map(node).collect()
    }
}
