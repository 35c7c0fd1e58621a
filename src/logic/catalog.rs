//! Every profile and every technique by name.

use std::ops::ControlFlow;

use super::chaining::{NetKind, RatedLoops, RatedNets};
use super::compat::{AlignedExclusion, Bug, EXPLAINER, HODOKU, UniqueLoop};
use super::deduction::Deduction;
use super::links::LinkKind;
use super::native::NATIVE;
use super::profile::{Entry, Profile, fewest_candidates};
use super::scale::rank;
use super::state::State;
use super::technique::Technique;
use super::technique_id::FishShape::{self, Basic, Franken, Mutant};
use super::technique_id::SubsetSize::{Four, Three, Two};
use super::techniques::{
    AlsChain, BasicFish, BugPlusOne, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, Fish,
    ForcingNet, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates, LockedSubset,
    MultiColors, NakedSingle, NakedSubset, Rectangles, RemotePair, SimpleColors, SueDeCoq,
    Templates, TurbotFish, WWing, XyWing, XyzWing,
};

/// All profiles, the default first.
pub const PROFILES: &[&Profile] = &[&NATIVE, &HODOKU, &EXPLAINER, &ALL];

/// Every technique that there is, from the easiest on, those among them that assume that there is
/// only one solution. It is slower than `native`: it looks for all before it tries forcing nets.
pub const ALL: Profile = Profile {
    name: "all",
    techniques: &entries(TECHNIQUES),
    scale: rank,
    guess: fewest_candidates,
    history: None,
};

/// A technique, and the names that its steps may have.
type Named = (&'static dyn Technique, &'static [&'static str]);

const fn entries<const N: usize>(named: [Named; N]) -> [Entry; N] {
    let mut entries = [Entry::first(named[0].0); N];
    let mut at = 1;
    while at < N {
        entries[at] = Entry::first(named[at].0);
        at += 1;
    }
    entries
}

const fn fish(size: u8, shape: FishShape) -> Fish {
    Fish { size, shape }
}

/// In the order in which people look for them.
#[rustfmt::skip]
const TECHNIQUES: [Named; 55] = [
    (&FullHouse, &["full house"]),
    (&NakedSingle, &["naked single"]),
    (&HiddenSingle, &["hidden single"]),
    (&LockedCandidates(Locked::Pointing), &["pointing"]),
    (&LockedCandidates(Locked::Claiming), &["claiming"]),
    (&LockedSubset(Two), &["locked pair"]),
    (&LockedSubset(Three), &["locked triple"]),
    (&NakedSubset(Two), &["naked pair"]),
    (&HiddenSubset(Two), &["hidden pair"]),
    (&NakedSubset(Three), &["naked triple"]),
    (&HiddenSubset(Three), &["hidden triple"]),
    (&BasicFish(Two), &["X-wing"]),
    (&BasicFish(Three), &["swordfish"]),
    (&XyWing, &["XY-wing"]),
    (&TurbotFish, &["skyscraper", "2-string kite", "turbot fish"]),
    (&EmptyRectangle, &["empty rectangle", "dual empty rectangle"]),
    (&DualTwoStringKite, &["dual 2-string kite"]),
    (&XyzWing, &["XYZ-wing"]),
    (&WWing, &["W-wing"]),
    (&NakedSubset(Four), &["naked quad"]),
    (&HiddenSubset(Four), &["hidden quad"]),
    (&BasicFish(Four), &["jellyfish"]),
    (&RemotePair, &["remote pair"]),
    (&SimpleColors, &["simple colors trap", "simple colors wrap"]),
    (&MultiColors, &["multi-colors 1", "multi-colors 2"]),
    (&Rectangles::Unique, UNIQUE_RECTANGLES),
    (&Rectangles::Avoidable, &["avoidable rectangle 1", "avoidable rectangle 2"]),
    (&BugPlusOne, &["BUG+1"]),
    (&UniqueLoop, &["unique loop 1", "unique loop 2", "unique loop 3", "unique loop 4"]),
    (&Bug, &["BUG 1", "BUG 2", "BUG 3", "BUG 4"]),
    (&fish(2, Basic),
     &["finned X-wing", "sashimi X-wing", "Siamese finned X-wing", "Siamese sashimi X-wing"]),
    (&fish(3, Basic),
     &["finned swordfish", "sashimi swordfish", "Siamese finned swordfish",
       "Siamese sashimi swordfish"]),
    (&Chain(LinkKind::OneDigit), &["X-chain"]),
    (&Chain(LinkKind::Bivalue), &["XY-chain"]),
    (&SueDeCoq, &["Sue de Coq"]),
    (&Chain(LinkKind::Candidates), &["discontinuous nice loop", "continuous nice loop", "AIC"]),
    (&fish(4, Basic),
     &["finned jellyfish", "sashimi jellyfish", "Siamese finned jellyfish",
       "Siamese sashimi jellyfish"]),
    (&AlsChain, &["ALS-XZ", "ALS-XY-wing", "ALS chain"]),
    (&AlignedExclusion(2), &["aligned pair exclusion"]),
    (&Chain(LinkKind::GroupsAndSets),
     &["grouped discontinuous nice loop", "grouped continuous nice loop", "grouped AIC"]),
    (&DeathBlossom, &["death blossom"]),
    (&AlignedExclusion(3), &["aligned triple exclusion"]),
    (&fish(2, Franken),
     &["Franken X-wing", "finned Franken X-wing", "Siamese finned Franken X-wing"]),
    (&fish(3, Franken),
     &["Franken swordfish", "finned Franken swordfish", "Siamese finned Franken swordfish"]),
    (&RatedLoops,
     &["Bidirectional X-Cycle", "Bidirectional Y-Cycle", "Bidirectional Cycle", "Forcing X-Chain",
       "Forcing Chain"]),
    (&ForcingNet::Contradiction { rounds: 4 }, &[]),
    (&ForcingNet::Contradiction { rounds: usize::MAX }, &["forcing net contradiction"]),
    (&ForcingNet::Verity, &["forcing net verity"]),
    (&Templates::Set, &["template set"]),
    (&Templates::Delete, &["template delete"]),
    (&RatedNets(NetKind::Nishio), &["Nishio Forcing Chains"]),
    (&RatedNets(NetKind::Multiple), &["Cell Forcing Chains", "Region Forcing Chains"]),
    (&RatedNets(NetKind::Dynamic(1)), &[]),
    (&RatedNets(NetKind::Dynamic(2)), &[]),
    (&RatedNets(NetKind::Dynamic(3)), &[]),
];

/// Fish that hardly anybody sees, and that take long to look for.
#[rustfmt::skip]
const LARGE_FISH: [Named; 10] = [
    (&fish(4, Franken),
     &["Franken jellyfish", "finned Franken jellyfish", "Siamese finned Franken jellyfish"]),
    (&fish(5, Franken),
     &["Franken squirmbag", "finned Franken squirmbag", "Siamese finned Franken squirmbag"]),
    (&fish(6, Franken), &["Franken whale", "finned Franken whale", "Siamese finned Franken whale"]),
    (&fish(7, Franken),
     &["Franken leviathan", "finned Franken leviathan", "Siamese finned Franken leviathan"]),
    (&fish(2, Mutant), &["mutant X-wing", "finned mutant X-wing", "Siamese finned mutant X-wing"]),
    (&fish(3, Mutant),
     &["mutant swordfish", "finned mutant swordfish", "Siamese finned mutant swordfish"]),
    (&fish(4, Mutant),
     &["mutant jellyfish", "finned mutant jellyfish", "Siamese finned mutant jellyfish"]),
    (&fish(5, Mutant),
     &["mutant squirmbag", "finned mutant squirmbag", "Siamese finned mutant squirmbag"]),
    (&fish(6, Mutant), &["mutant whale", "finned mutant whale", "Siamese finned mutant whale"]),
    (&fish(7, Mutant),
     &["mutant leviathan", "finned mutant leviathan", "Siamese finned mutant leviathan"]),
];

const UNIQUE_RECTANGLES: &[&str] = &[
    "unique rectangle 1",
    "unique rectangle 2",
    "unique rectangle 3",
    "unique rectangle 4",
    "unique rectangle 5",
    "unique rectangle 6",
    "hidden rectangle",
];

fn all() -> impl Iterator<Item = &'static Named> {
    TECHNIQUES.iter().chain(&LARGE_FISH)
}

/// The names that [`find_all`] knows, the easiest first.
pub fn technique_names() -> impl Iterator<Item = &'static str> {
    all().flat_map(|(_, names)| names.iter().copied())
}

/// The technique that is called so, in any case of letters, with hyphens or with spaces.
pub fn technique_name(asked: &str) -> Option<&'static str> {
    let plain = |name: &str| name.replace('-', " ").to_ascii_lowercase();
    let asked = plain(asked);
    technique_names().find(|known| plain(known) == asked)
}

/// Every instance of the technique of this name on these marks, the name as in [`technique_name`]; `None`
/// if there is no such name. Of forcing chains, as Sudoku Explainer rates them, only the shortest is
/// looked for. Once the deadline of the state is over, those that were found until then.
pub fn find_all(name: &str, state: &State) -> Option<Vec<Deduction>> {
    let name = technique_name(name)?;
    let (technique, _) = all().find(|(_, names)| names.contains(&name))?;
    let mut found = Vec::new();
    let _ = technique.search(state, &mut |step| {
        if step.technique.name() == name && !found.contains(&step) {
            found.push(step);
        }
        ControlFlow::Continue(())
    });
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_first_ids_have_one() {
        let names: Vec<&str> = technique_names().collect();
        let unique: HashSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len());
        for name in &names {
            // No two names are equal after normalization.
            assert_eq!(
                technique_name(&name.to_uppercase().replace(' ', "-")),
                Some(*name)
            );
        }
        for (technique, names) in all().filter(|(_, names)| !names.is_empty()) {
            let id = technique.id().name();
            // An engine for many kinds of fish or chains is named after one of them.
            assert!(names.contains(&id), "{id}: {names:?}");
        }
    }
}
