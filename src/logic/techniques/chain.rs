//! Chains and loops of every kind: what follows if a claim is false.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateGrid, CandidateSet};
use crate::logic::deduction::Pattern;
use crate::logic::links::{LinkKind, Links, common_peers};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique, strike};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// Strong and weak links in turn, with a strong one at both ends: the first claim or the last one is
/// true, so what both exclude is struck. If the last one is the first it is true. If the ends exclude
/// each other it is a loop, and of any two that a weak link joins one is true.
///
/// The links decide the name: X-chain, XY-chain, discontinuous and continuous nice loop, alternating
/// inference chain (AIC), and their grouped forms. Nice loops were described by Jeff on the players'
/// forum, AIC by Myth Jellies.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// What it is made of.
    pub links: LinkKind,
}

impl Technique for Chain {
    fn id(&self) -> TechniqueId {
        TechniqueId::Chain(self.links.chain_name())
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let links = grid.links(self.links);
        for start in 0..links.starts {
            grid.check_deadline()?;
            self.open(links, start, sink)?;
            self.closed(grid, links, start, sink)?;
            if !matches!(self.links, LinkKind::OneDigit | LinkKind::Bivalue) {
                self.alone(links, start, sink)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// What a chain is called: open, with one candidate struck, and closed.
struct Names {
    chain: ChainName,
    alone: ChainName,
    closed: ChainName,
}

impl Chain {
    fn names(&self, links: &Links, path: &[usize]) -> Names {
        let grouped = path.windows(2).step_by(2).any(|link| {
            let several = |&node: &usize| links.nodes[node].cells.len() > 1;
            link.iter().any(several) || links.set_between(link[0], link[1]).is_some()
        });
        let chain = match self.links {
            LinkKind::OneDigit | LinkKind::Bivalue => self.links.chain_name(),
            _ if grouped => ChainName::GroupedAic,
            _ => ChainName::Aic,
        };
        if grouped {
            Names {
                chain,
                alone: ChainName::GroupedDiscontinuousLoop,
                closed: ChainName::GroupedContinuousLoop,
            }
        } else {
            Names {
                chain,
                alone: ChainName::DiscontinuousLoop,
                closed: ChainName::ContinuousLoop,
            }
        }
    }

    /// The first claim or the last one is true.
    fn open(&self, links: &Links, start: usize, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let reached = links.reach(start, None);
        for end in (0..links.nodes.len()).filter(|&end| end != start) {
            let struck = links.excluded[start].intersection(&links.excluded[end]);
            if struck.is_empty() || reached.on[end].is_none_or(|before| before == start) {
                continue;
            }
            let path = links.path(&reached, end);
            let name = TechniqueId::Chain(self.names(links, &path).chain);
            strike(name, struck, sink, || pattern(links, &path, false))?;
        }
        ControlFlow::Continue(())
    }

    /// The last claim excludes the first: a loop, looked for through each of the strong links.
    fn closed(
        &self,
        grid: &State,
        links: &Links,
        start: usize,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        for &(first, _) in &links.strong[start] {
            grid.check_deadline()?;
            let reached = links.reach(start, Some(first));
            for &end in &links.weak[start] {
                if reached.on[end].is_none_or(|before| before == start) {
                    continue;
                }
                let path = links.path(&reached, end);
                let struck = around(grid, links, &path);
                let name = TechniqueId::Chain(self.names(links, &path).closed);
                strike(name, struck, sink, || pattern(links, &path, true))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// A claim that follows from its opposite: a true one strikes what else its cell holds, and a
    /// false one is struck.
    fn alone(&self, links: &Links, start: usize, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let node = links.nodes[start];
        let mut cells = node.cells.into_iter();
        let (Some(cell), None) = (cells.next(), cells.next()) else {
            return ControlFlow::Continue(());
        };
        let reached = links.reach(start, None);
        if reached.on[start].is_some() {
            let path = links.path(&reached, start);
            let others = links.excluded[start]
                .iter()
                .filter(|other| other.cell == cell);
            let name = TechniqueId::Chain(self.names(links, &path).alone);
            strike(name, others.collect(), sink, || pattern(links, &path, true))?;
        }
        let reached = links.reach_from_true(start);
        let ends = links.weak[start]
            .iter()
            .filter(|&&end| reached.on[end].is_some());
        let paths = ends.map(|&end| links.path(&reached, end));
        let shortest = paths.filter(|path| path.len() > 2).min_by_key(Vec::len);
        if let Some(path) = shortest {
            let digit = node.digit;
            let struck = CandidateSet::only(Candidate { cell, digit });
            let name = TechniqueId::Chain(self.names(links, &path).alone);
            strike(name, struck, sink, || pattern(links, &path, false))?;
        }
        ControlFlow::Continue(())
    }
}

fn pattern(links: &Links, path: &[usize], closed: bool) -> Pattern {
    let joints = path.windows(2).step_by(2);
    Pattern::Chain {
        nodes: path.iter().map(|&node| links.nodes[node]).collect(),
        sets: joints
            .filter_map(|link| links.set_between(link[0], link[1]))
            .collect(),
        closed,
    }
}

/// What a loop strikes: what two neighbours exclude that a weak link joins, and for an almost locked
/// set, which loses one of two digits for sure, what its other digits exclude.
fn around(grid: &CandidateGrid, links: &Links, path: &[usize]) -> CandidateSet {
    let mut struck = CandidateSet::EMPTY;
    for (at, &from) in path.iter().enumerate().skip(1).step_by(2) {
        let to = path[(at + 1) % path.len()];
        let both = links.excluded[from].intersection(&links.excluded[to]);
        struck = struck.union(&both);
    }
    for link in path.windows(2).step_by(2) {
        let Some(set) = links.set_between(link[0], link[1]) else {
            continue;
        };
        let ends = [links.nodes[link[0]].digit, links.nodes[link[1]].digit];
        for digit in set.digits.into_iter().filter(|digit| !ends.contains(digit)) {
            let seen = common_peers(set.places(digit, grid));
            let seen = grid.places(digit).intersection(seen);
            struck = struck.union(&CandidateSet::of(digit, seen));
        }
    }
    struck
}
