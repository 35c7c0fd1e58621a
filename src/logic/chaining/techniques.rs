//! Chains by length, as Sudoku Explainer looks for them.

use std::ops::ControlFlow;

use super::conclusion::NetKind;
use super::evidence::{loop_step, net_step};
use crate::logic::rated_chain::{DynamicName, RatedChain, RatedName};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::TechniqueId;

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
pub struct RatedNets {
    /// Which.
    pub kind: NetKind,
}

impl Technique for RatedNets {
    fn id(&self) -> TechniqueId {
        let (name, tenths) = match self.kind {
            NetKind::Nishio => (RatedName::Nishio, 75),
            NetKind::Multiple => (RatedName::Cell, 80),
            NetKind::Dynamic(level) => {
                let name = RatedName::Dynamic(DynamicName::Cell, level);
                (name, 85 + 5 * u16::from(level))
            }
        };
        TechniqueId::RatedChain(RatedChain { name, tenths })
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        net_step(grid, self.kind).map_or(ControlFlow::Continue(()), sink)
    }
}
