//! HoDoKu's searches as techniques.

use std::ops::ControlFlow;

use super::als::Sets;
use super::board::Board;
use super::chains::{ChainKind, chain};
use super::fish::{Wanted, fish};
use super::forcing::{forcing_chain, forcing_net};
use super::loops::nice_loop;
use super::patterns::{empty_rectangle, skyscraper, two_string_kite};
use super::rectangles::{avoidable, unique};
use super::simple;
use crate::logic::deduction::Deduction;
use crate::logic::fish_shape::{FishKind, FishShape};
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::{ChainName, ForcingName, SubsetSize, TechniqueId};

/// A technique of HoDoKu whose step cannot be picked by a key over our own engines. It shows one step
/// at most: the one that HoDoKu takes.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "named as the techniques, which are documented")]
pub enum HodokuSearch {
    LockedSubset(SubsetSize),
    NakedSubset(SubsetSize),
    /// Of lines alone.
    Fish(SubsetSize, FishKind),
    /// With blocks as well.
    FrankenFish(SubsetSize, FishKind),
    RemotePair,
    Skyscraper,
    TwoStringKite,
    TurbotFish,
    EmptyRectangle,
    /// Unique rectangles by their types, then hidden rectangles.
    UniqueRectangle,
    AvoidableRectangle,
    XChain,
    XyChain,
    /// And chains with two ends.
    NiceLoop,
    GroupedNiceLoop,
    /// Two almost locked sets, or three, or a chain of them.
    AlmostLockedSets,
    ForcingChain,
    ForcingNet,
}

impl HodokuSearch {
    fn step(self, board: Board<'_>) -> Option<Deduction> {
        match self {
            HodokuSearch::LockedSubset(size) => simple::locked_subset(board, size),
            HodokuSearch::NakedSubset(size) => simple::naked_subset(board, size),
            HodokuSearch::Fish(size, kind) => fish(board, wanted(size, kind, false)),
            HodokuSearch::FrankenFish(size, kind) => fish(board, wanted(size, kind, true)),
            HodokuSearch::RemotePair => chain(board, ChainKind::RemotePair),
            HodokuSearch::Skyscraper => skyscraper(board),
            HodokuSearch::TwoStringKite => two_string_kite(board),
            HodokuSearch::TurbotFish => chain(board, ChainKind::Turbot),
            HodokuSearch::EmptyRectangle => empty_rectangle(board),
            HodokuSearch::UniqueRectangle => least_type(unique(board)),
            HodokuSearch::AvoidableRectangle => least_type(avoidable(board)),
            HodokuSearch::XChain => chain(board, ChainKind::X),
            HodokuSearch::XyChain => chain(board, ChainKind::Xy),
            HodokuSearch::NiceLoop => nice_loop(board, false),
            HodokuSearch::GroupedNiceLoop => nice_loop(board, true),
            HodokuSearch::AlmostLockedSets => {
                let sets = Sets::new(board);
                let few = sets.xz().or_else(|| sets.xy_wing());
                few.or_else(|| sets.chain())
            }
            HodokuSearch::ForcingChain => forcing_chain(board),
            HodokuSearch::ForcingNet => forcing_net(board),
        }
    }
}

fn wanted(size: SubsetSize, kind: FishKind, franken: bool) -> Wanted {
    Wanted {
        size: size.get(),
        franken,
        kind,
    }
}

/// The first one of the first type.
fn least_type(found: Vec<Deduction>) -> Option<Deduction> {
    found.into_iter().min_by_key(|step| match step.technique {
        TechniqueId::UniqueRectangle(kind) | TechniqueId::AvoidableRectangle(kind) => kind,
        _ => u8::MAX,
    })
}

impl Technique for HodokuSearch {
    fn id(&self) -> TechniqueId {
        match *self {
            HodokuSearch::LockedSubset(size) => TechniqueId::LockedSubset(size),
            HodokuSearch::NakedSubset(size) => TechniqueId::NakedSubset(size),
            HodokuSearch::Fish(size, FishKind::Plain) => TechniqueId::BasicFish(size),
            HodokuSearch::Fish(size, kind) => fish_id(size, FishShape::Basic, kind),
            HodokuSearch::FrankenFish(size, kind) => fish_id(size, FishShape::Franken, kind),
            HodokuSearch::RemotePair => TechniqueId::RemotePair,
            HodokuSearch::Skyscraper => TechniqueId::Skyscraper,
            HodokuSearch::TwoStringKite => TechniqueId::TwoStringKite,
            HodokuSearch::TurbotFish => TechniqueId::TurbotFish,
            HodokuSearch::EmptyRectangle => TechniqueId::EmptyRectangle,
            HodokuSearch::UniqueRectangle => TechniqueId::UniqueRectangle(1),
            HodokuSearch::AvoidableRectangle => TechniqueId::AvoidableRectangle(1),
            HodokuSearch::XChain => TechniqueId::Chain(ChainName::XChain),
            HodokuSearch::XyChain => TechniqueId::Chain(ChainName::XyChain),
            HodokuSearch::NiceLoop => TechniqueId::Chain(ChainName::DiscontinuousLoop),
            HodokuSearch::GroupedNiceLoop => {
                TechniqueId::Chain(ChainName::GroupedDiscontinuousLoop)
            }
            HodokuSearch::AlmostLockedSets => TechniqueId::Chain(ChainName::AlsXz),
            HodokuSearch::ForcingChain => TechniqueId::Forcing(ForcingName::ChainContradiction),
            HodokuSearch::ForcingNet => TechniqueId::Forcing(ForcingName::NetContradiction),
        }
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        match self.step(Board::of(grid)) {
            Some(step) => sink(step),
            None => ControlFlow::Continue(()),
        }
    }
}

fn fish_id(size: SubsetSize, shape: FishShape, kind: FishKind) -> TechniqueId {
    TechniqueId::Fish {
        size: size.get() as u8,
        shape,
        kind,
        siamese: false,
    }
}
