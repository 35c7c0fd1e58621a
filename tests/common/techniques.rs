//! Lists of techniques that several test suites use.
#![allow(dead_code, missing_docs, unreachable_pub)]

use sudoku_batch::logic::{
    AlsChain, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, ForcingNet, HiddenSingle,
    HiddenSubset, LinkKind, Locked, LockedCandidates, MultiColors, NakedSingle, NakedSubset,
    RefutingChain, RemotePair, SimpleColors, SubsetSize, SueDeCoq, Technique, Templates, WWing,
    XyzWing,
};

/// Singles, locked candidates, subsets.
pub const BASIC: [&dyn Technique; 10] = [
    &NakedSingle,
    &HiddenSingle,
    &LockedCandidates(Locked::Pointing),
    &LockedCandidates(Locked::Claiming),
    &NakedSubset(SubsetSize::Two),
    &NakedSubset(SubsetSize::Three),
    &NakedSubset(SubsetSize::Four),
    &HiddenSubset(SubsetSize::Two),
    &HiddenSubset(SubsetSize::Three),
    &HiddenSubset(SubsetSize::Four),
];

/// Techniques outside the native profile that assume nothing, without fish.
pub fn beyond_native() -> Vec<Box<dyn Technique>> {
    let mut all: Vec<Box<dyn Technique>> = vec![
        Box::new(XyzWing),
        Box::new(WWing),
        Box::new(EmptyRectangle),
        Box::new(DualTwoStringKite),
        Box::new(SimpleColors),
        Box::new(MultiColors),
        Box::new(SueDeCoq),
        Box::new(AlsChain),
        Box::new(RemotePair),
        Box::new(DeathBlossom),
        Box::new(Templates::Set),
        Box::new(Templates::Delete),
        Box::new(ForcingNet::Contradiction { rounds: usize::MAX }),
        Box::new(ForcingNet::Verity),
    ];
    for links in [
        LinkKind::OneDigit,
        LinkKind::Bivalue,
        LinkKind::Candidates,
        LinkKind::Groups,
        LinkKind::GroupsAndSets,
    ] {
        all.push(Box::new(Chain(links)));
        all.push(Box::new(RefutingChain(links)));
    }
    all
}
