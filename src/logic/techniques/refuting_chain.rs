//! Chains that are looked for by what they strike.

use std::ops::ControlFlow;

use crate::grid::{Candidate, CandidateSet};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::implications::{Implications, Trace};
use crate::logic::links::{LinkKind, Node};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::{ChainName, TechniqueId};

/// For each candidate the shortest chain that refutes it: from its truth, through claims that are
/// false and true in turn, to its falsehood. Between the ends of the chain, one of which is true, lies
/// whatever else both exclude. Every alternating chain is such a way from each candidate it strikes,
/// so nothing that [`Chain`](super::chain::Chain) strikes without almost locked sets is missed.
#[derive(Clone, Copy, Debug)]
pub struct RefutingChain {
    /// What it is made of; almost locked sets are not looked at.
    pub links: LinkKind,
}

impl Technique for RefutingChain {
    fn id(&self) -> TechniqueId {
        TechniqueId::Chain(self.links.chain_name())
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let implications = grid.implications(self.links);
        let mut trace = Trace::default();
        let mut refuted: Vec<(u16, Vec<u16>)> = implications
            .candidates()
            .take_while(|_| grid.check_deadline().is_continue())
            .filter_map(|target| Some((target, implications.refute(target, &mut trace)?)))
            .collect();
        refuted.sort_by_key(|(_, way)| way.len());
        for (target, way) in refuted {
            let target = implications.node(target);
            let nodes: Vec<Node> = way.iter().map(|&at| implications.node(at)).collect();
            sink(self.step(implications, target, nodes))?;
        }
        ControlFlow::Continue(())
    }
}

impl RefutingChain {
    fn step(&self, implications: &Implications, target: Node, nodes: Vec<Node>) -> Deduction {
        let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
        let excluded = |node| implications.excluded(node);
        let is_loop = last != first
            && first.cells.into_iter().all(|cell| {
                let digit = first.digit;
                excluded(last).contains(Candidate { cell, digit })
            });
        let mut struck = excluded(first).intersection(&excluded(last));
        if is_loop {
            for pair in nodes[1..].chunks_exact(2) {
                let both = excluded(pair[0]).intersection(&excluded(pair[1]));
                struck = struck.union(&both);
            }
        }
        let grouped = nodes.iter().any(|node| node.cells.len() > 1);
        let alone = struck.iter().count() == 1 && !self.is_of_one_kind(target, first, last);
        let name = match self.links {
            LinkKind::OneDigit | LinkKind::Bivalue => self.links.chain_name(),
            _ => named(grouped, is_loop, alone || first == last),
        };
        Deduction {
            technique: TechniqueId::Chain(name),
            effect: effect(first, last, struck),
            pattern: Pattern::Chain {
                nodes,
                sets: Vec::new(),
                closed: is_loop,
            },
        }
    }

    /// Whether the ends strike the target as their own digit, so that the chain need not be seen as
    /// a loop through its cell.
    fn is_of_one_kind(&self, target: Node, first: Node, last: Node) -> bool {
        first.digit == target.digit && last.digit == target.digit
    }
}

fn named(grouped: bool, closed: bool, alone: bool) -> ChainName {
    match (grouped, closed, alone) {
        (false, true, _) => ChainName::ContinuousLoop,
        (false, false, true) => ChainName::DiscontinuousLoop,
        (false, false, false) => ChainName::Aic,
        (true, true, _) => ChainName::GroupedContinuousLoop,
        (true, false, true) => ChainName::GroupedDiscontinuousLoop,
        (true, false, false) => ChainName::GroupedAic,
    }
}

/// A claim that follows from its own falsehood is true.
fn effect(first: Node, last: Node, struck: CandidateSet) -> Effect {
    let mut cells = first.cells.into_iter();
    match (cells.next(), cells.next()) {
        (Some(cell), None) if first == last => Effect::Place(Candidate {
            cell,
            digit: first.digit,
        }),
        _ => Effect::Eliminate(struck),
    }
}
