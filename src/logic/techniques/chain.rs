//! Chains and loops of every kind: claims that are false and true in turn.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateGrid, CandidateSet, Digit};
use crate::logic::deduction::{Deduction, Effect, Node, Pattern};
use crate::logic::links::{LinkKind, Links, Trace};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, eliminate};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// Every chain: strong and weak links in turn, with a strong one at both ends. The first claim or the
/// last one is true, so what both exclude is eliminated. If the last one is the first it is true. If
/// the ends exclude each other it is a loop, and of any two that a weak link joins one is true.
///
/// The links decide the name: X-chain, XY-chain, discontinuous and continuous nice loop, alternating
/// inference chain (AIC), and their grouped forms. Nice loops were described by Jeff on the players'
/// forum, AIC by Myth Jellies.
#[derive(Clone, Copy, Debug)]
pub struct Chain(
    /// What it is made of.
    pub LinkKind,
);

/// For each candidate the shortest chain that refutes it: from its truth, through claims that are
/// false and true in turn, to its falsehood. One search a candidate finds what [`Chain`] finds by one a
/// pair of ends: every chain is such a way from each candidate that it eliminates.
#[derive(Clone, Copy, Debug)]
pub struct RefutingChain(
    /// What it is made of.
    pub LinkKind,
);

impl Technique for Chain {
    fn id(&self) -> TechniqueId {
        TechniqueId::Chain(self.0.chain_name())
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let links = Links::new(grid, self.0);
        let mut search = Every {
            grid,
            kind: self.0,
            excluded: links.all().map(|claim| links.excluded(claim)).collect(),
            links: &links,
            trace: Trace::default(),
        };
        for start in links.starts() {
            grid.check_deadline()?;
            search.open(start, sink)?;
            search.closed(start, sink)?;
            if !matches!(self.0, LinkKind::OneDigit | LinkKind::Bivalue) {
                search.alone(start, sink)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Technique for RefutingChain {
    fn id(&self) -> TechniqueId {
        TechniqueId::Chain(self.0.chain_name())
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let links = Links::new(grid, self.0);
        let mut refuted = self.refuted(grid, &links, false);
        refuted.sort_by_key(|(_, path)| path.len());
        for (target, path) in refuted {
            sink(self.step(grid, &links, target, &path))?;
        }
        ControlFlow::Continue(())
    }

    fn first(&self, grid: &State) -> Option<Deduction> {
        let links = Links::new(grid, self.0);
        let (target, path) = self.refuted(grid, &links, true).pop()?;
        Some(self.step(grid, &links, target, &path))
    }
}

impl RefutingChain {
    /// Returns the candidates that chains of at most so many claims refute, without the chains.
    pub(crate) fn targets(&self, grid: &State, claims: usize) -> CandidateSet {
        Links::new(grid, self.0).refuted(claims)
    }

    /// The candidates that are refuted, with the claims that lead there; if `falling`, only those whose
    /// chain is shorter than all before.
    fn refuted(&self, grid: &State, links: &Links, falling: bool) -> Vec<(Node, Vec<u16>)> {
        let mut trace = Trace::default();
        let mut most = usize::MAX;
        let mut refuted = Vec::new();
        for target in links.candidates() {
            if grid.check_deadline().is_break() {
                break;
            }
            if let Some(end) = trace.refute(links, target, most) {
                let path = trace.path(end);
                if falling {
                    most = path.len() - 1;
                }
                refuted.push((links.node(target), path));
            }
        }
        refuted
    }

    fn step(&self, grid: &State, links: &Links, target: Node, path: &[u16]) -> Deduction {
        let ends = [path[0], path[path.len() - 1]];
        let [first, last] = ends.map(|end| links.node(end));
        let [by_first, by_last] = ends.map(|end| links.excluded(end));
        let is_loop = first != last
            && CandidateSet::of(first.digit, first.cells)
                .difference(&by_last)
                .is_empty();
        let eliminated = if is_loop {
            around(grid, links, path)
        } else {
            by_first.intersection(&by_last)
        };
        // Ends that eliminate their own digit need not be seen as a loop through its cell.
        let of_one_digit = first.digit == target.digit && last.digit == target.digit;
        let shape = if is_loop {
            Shape::Loop
        } else if first == last || eliminated.len() == 1 && !of_one_digit {
            Shape::Alone
        } else {
            Shape::Open
        };
        let mut cells = first.cells.into_iter();
        let effect = match (cells.next(), cells.next()) {
            // It follows from its own falsehood.
            (Some(cell), None) if first == last => Effect::Place(Candidate {
                cell,
                digit: first.digit,
            }),
            _ => Effect::Eliminate(eliminated),
        };
        Deduction {
            technique: match self.0 {
                LinkKind::OneDigit | LinkKind::Bivalue => self.id(),
                _ => name(self.0, links, path, shape),
            },
            effect,
            pattern: pattern(links, path, shape),
        }
    }
}

/// How a chain ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// With two ends.
    Open,
    /// In a single candidate, which it shows to be true or false.
    Alone,
    /// Where it began.
    Loop,
}

/// A search for every chain.
struct Every<'a> {
    grid: &'a State,
    kind: LinkKind,
    links: &'a Links,
    /// By claim, the candidates that are false if it is true.
    excluded: Vec<CandidateSet>,
    trace: Trace,
}

impl Every<'_> {
    fn show(
        &self,
        path: &[u16],
        shape: Shape,
        eliminated: CandidateSet,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let name = name(self.kind, self.links, path, shape);
        eliminate(name, eliminated, sink, || pattern(self.links, path, shape))
    }

    /// The first claim or the last one is true.
    fn open(&mut self, start: u16, sink: &mut Sink<'_>) -> ControlFlow<()> {
        self.trace.assume_false(self.links, start, None);
        let by_start = self.excluded[usize::from(start)];
        for end in self.links.all().filter(|&end| end != start) {
            let eliminated = by_start.intersection(&self.excluded[usize::from(end)]);
            let before = self.trace.before(end);
            if !eliminated.is_empty() && before.is_some_and(|before| before != start) {
                self.show(&self.trace.path(end), Shape::Open, eliminated, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The last claim excludes the first: a loop, looked for through each of the strong links.
    fn closed(&mut self, start: u16, sink: &mut Sink<'_>) -> ControlFlow<()> {
        for first in self.links.partners(start) {
            self.grid.check_deadline()?;
            self.trace.assume_false(self.links, start, Some(first));
            for &end in self.links.weak(start) {
                if self.trace.before(end).is_some_and(|before| before != start) {
                    let path = self.trace.path(end);
                    let eliminated = around(self.grid, self.links, &path);
                    self.show(&path, Shape::Loop, eliminated, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A claim that follows from its opposite: a true one eliminates what else its cell holds, and a
    /// false one is eliminated.
    fn alone(&mut self, start: u16, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let Node { digit, cells } = self.links.node(start);
        if cells.len() > 1 {
            return ControlFlow::Continue(());
        }
        self.trace.assume_false(self.links, start, None);
        if self.trace.before(start).is_some() {
            let excluded = self.excluded[usize::from(start)].iter();
            let others = excluded
                .filter(|other| cells.contains(other.cell))
                .collect();
            self.show(&self.trace.path(start), Shape::Alone, others, sink)?;
        }
        self.trace.assume_true(self.links, start);
        let ends = self.links.weak(start).iter();
        let ends = ends.filter(|&&end| self.trace.before(end).is_some());
        let paths = ends.map(|&end| self.trace.path(end));
        let shortest = paths.filter(|path| path.len() > 2).min_by_key(Vec::len);
        match shortest {
            Some(path) => self.show(&path, Shape::Alone, CandidateSet::of(digit, cells), sink),
            None => ControlFlow::Continue(()),
        }
    }
}

fn name(kind: LinkKind, links: &Links, path: &[u16], shape: Shape) -> TechniqueId {
    let is_grouped = path.chunks_exact(2).any(|link| {
        let several = |&claim: &u16| links.node(claim).cells.len() > 1;
        link.iter().any(several) || links.set_between(link[0], link[1]).is_some()
    });
    TechniqueId::Chain(match (kind, is_grouped, shape) {
        (LinkKind::OneDigit | LinkKind::Bivalue, _, Shape::Open) => kind.chain_name(),
        (_, false, Shape::Open) => ChainName::Aic,
        (_, false, Shape::Alone) => ChainName::DiscontinuousLoop,
        (_, false, Shape::Loop) => ChainName::ContinuousLoop,
        (_, true, Shape::Open) => ChainName::GroupedAic,
        (_, true, Shape::Alone) => ChainName::GroupedDiscontinuousLoop,
        (_, true, Shape::Loop) => ChainName::GroupedContinuousLoop,
    })
}

fn pattern(links: &Links, path: &[u16], shape: Shape) -> Pattern {
    let joints = path.chunks_exact(2);
    Pattern::Chain {
        nodes: path.iter().map(|&claim| links.node(claim)).collect(),
        sets: joints
            .filter_map(|link| links.set_between(link[0], link[1]))
            .collect(),
        closed: shape == Shape::Loop || path.first() == path.last(),
    }
}

/// What a loop eliminates: what two neighbours exclude that a weak link joins, and for an almost locked
/// set, which loses one of two digits for sure, what its other digits exclude.
fn around(grid: &CandidateGrid, links: &Links, path: &[u16]) -> CandidateSet {
    let mut eliminated = CandidateSet::EMPTY;
    for (at, &from) in path.iter().enumerate().skip(1).step_by(2) {
        let to = path[(at + 1) % path.len()];
        let both = links.excluded(from).intersection(&links.excluded(to));
        eliminated = eliminated.union(&both);
    }
    for link in path.chunks_exact(2) {
        let Some(set) = links.set_between(link[0], link[1]) else {
            continue;
        };
        let ends = [link[0], link[1]].map(|claim| links.node(claim).digit);
        for digit in set
            .digits
            .into_iter()
            .filter(|digit: &Digit| !ends.contains(digit))
        {
            let seen = set.places(digit, grid).common_peers();
            let seen = grid.places(digit).intersection(seen);
            eliminated = eliminated.union(&CandidateSet::of(digit, seen));
        }
    }
    eliminated
}
