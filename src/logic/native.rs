//! The profile `native`: our own order, by what a step costs to find and to follow.
//!
//! Patterns that people see at a glance come first, then chains, the shortest of a kind before the
//! longer ones, then nets of singles, and at last nets with locked candidates and subsets inside.

use super::chaining::{NetKind, RatedNets};
use super::links::LinkKind;
use super::profile::{Entry, Profile, fewest_candidates};
use super::scale::rank;
use super::technique_id::SubsetSize::{Four, Three, Two};
use super::techniques::{
    BasicFish, EmptyRectangle, ForcingNet, HiddenSingle, HiddenSubset, Locked, LockedCandidates,
    NakedSingle, NakedSubset, RefutingChain, TurbotFish, WWing, XyWing, XyzWing,
};

/// No step assumes that there is only one solution, so what it solves is proven to be unique.
pub const NATIVE: Profile = Profile {
    name: "native",
    techniques: TECHNIQUES,
    scale: rank,
    guess: fewest_candidates,
    history: None,
};

/// The techniques that take microseconds. What they solve is proven to be unique.
pub const CHEAP_TECHNIQUES: &[Entry] = cheap(TECHNIQUES);

/// The cheap entries, which come first.
const fn cheap(entries: &'static [Entry]) -> &'static [Entry] {
    let mut count = 0;
    while count < entries.len() && entries[count].is_cheap {
        count += 1;
    }
    let (cheap, others) = entries.split_at(count);
    let mut at = 0;
    while at < others.len() {
        assert!(!others[at].is_cheap, "cheap techniques come first");
        at += 1;
    }
    cheap
}

const TECHNIQUES: &[Entry] = &[
    Entry::first(&NakedSingle).cheap(),
    Entry::first(&HiddenSingle).cheap(),
    Entry::first(&LockedCandidates(Locked::Pointing)).cheap(),
    Entry::first(&LockedCandidates(Locked::Claiming)).cheap(),
    Entry::first(&NakedSubset(Two)).cheap(),
    Entry::first(&HiddenSubset(Two)).cheap(),
    Entry::first(&NakedSubset(Three)).cheap(),
    Entry::first(&HiddenSubset(Three)).cheap(),
    Entry::first(&BasicFish(Two)).cheap(),
    Entry::first(&BasicFish(Three)).cheap(),
    Entry::first(&XyWing).cheap(),
    Entry::first(&TurbotFish).cheap(),
    Entry::first(&XyzWing),
    Entry::first(&WWing),
    Entry::first(&NakedSubset(Four)),
    Entry::first(&HiddenSubset(Four)),
    Entry::first(&BasicFish(Four)),
    Entry::first(&EmptyRectangle),
    Entry::first(&RefutingChain(LinkKind::OneDigit)),
    Entry::first(&RefutingChain(LinkKind::Bivalue)),
    Entry::first(&RefutingChain(LinkKind::Candidates)),
    Entry::first(&RefutingChain(LinkKind::Groups)),
    Entry::first(&ForcingNet::Contradiction { rounds: 4 }),
    Entry::first(&ForcingNet::Contradiction { rounds: usize::MAX }),
    Entry::first(&ForcingNet::Verity),
    Entry::first(&RatedNets(NetKind::Dynamic(1))),
];
