//! HoDoKu's searches as techniques.

use std::ops::ControlFlow;

use super::als::Sets;
use super::board::Board;
use super::chains::{ChainKind, chain};
use super::fish::fish;
use super::forcing::{forcing_chain, forcing_net};
use super::loops::nice_loop;
use super::rectangles::{avoidable, unique};
use super::simple::{empty_rectangle, locked_subset, naked_subset, skyscraper, two_string_kite};
use crate::logic::deduction::Deduction;
use crate::logic::state::State;
use crate::logic::technique::{Sink, Technique};
use crate::logic::technique_id::{ChainName, FishKind, FishShape, ForcingName, TechniqueId};

/// A technique of HoDoKu whose step cannot be picked by a key over our own engines. It shows one step
/// at most: the one that HoDoKu takes. Of rectangles it takes all types, of nice loops also chains with
/// two ends, of almost locked sets two, three or a chain of them, of fish and chains those of the name.
#[derive(Clone, Copy, Debug)]
pub struct HodokuSearch(
    /// Which one; of those that HoDoKu has no search for there is never a step.
    pub TechniqueId,
);

impl Technique for HodokuSearch {
    fn id(&self) -> TechniqueId {
        self.0
    }

    fn search(&self, grid: &State, sink: &mut Sink<'_>) -> ControlFlow<()> {
        step(self.0, Board::of(grid)).map_or(ControlFlow::Continue(()), sink)
    }
}

fn step(technique: TechniqueId, board: Board<'_>) -> Option<Deduction> {
    use TechniqueId as Id;
    match technique {
        Id::LockedSubset(size) => locked_subset(board, size),
        Id::NakedSubset(size) => naked_subset(board, size),
        Id::BasicFish(size) => fish(board, size.get(), FishShape::Basic, FishKind::Plain),
        Id::Fish {
            size, shape, kind, ..
        } => fish(board, usize::from(size), shape, kind),
        Id::RemotePair => chain(board, ChainKind::RemotePair),
        Id::Skyscraper => skyscraper(board),
        Id::TwoStringKite => two_string_kite(board),
        Id::TurbotFish => chain(board, ChainKind::Turbot),
        Id::EmptyRectangle => empty_rectangle(board),
        Id::UniqueRectangle(_) => least_type(unique(board)),
        Id::AvoidableRectangle(_) => least_type(avoidable(board)),
        Id::Chain(ChainName::XChain) => chain(board, ChainKind::X),
        Id::Chain(ChainName::XyChain) => chain(board, ChainKind::Xy),
        Id::Chain(ChainName::DiscontinuousLoop) => nice_loop(board, false),
        Id::Chain(ChainName::GroupedDiscontinuousLoop) => nice_loop(board, true),
        Id::Chain(ChainName::AlsXz) => {
            let sets = Sets::new(board);
            let few = sets.xz().or_else(|| sets.xy_wing());
            few.or_else(|| sets.chain())
        }
        Id::Forcing(ForcingName::ChainContradiction) => forcing_chain(board),
        Id::Forcing(ForcingName::NetContradiction) => forcing_net(board),
        _ => None,
    }
}

/// The first one of the first type.
fn least_type(found: Vec<Deduction>) -> Option<Deduction> {
    found.into_iter().min_by_key(|step| match step.technique {
        TechniqueId::UniqueRectangle(kind) | TechniqueId::AvoidableRectangle(kind) => kind,
        _ => u8::MAX,
    })
}
