//! Arguments of logic: they name exactly the cells and houses they use.

use crate::common::puzzles;
use crate::common::techniques;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use proptest::prelude::*;
use puzzles::{own, puzzles_in};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{CandidateGrid, CandidateSet, CellSet, House, Puzzle};
use sudoku_batch::logic::{
    Argument, BasicFish, BugPlusOne, Deduction, EXPLAINER, Effect, Explanation, Fish, FishShape,
    FullHouse, HintLevel, LockedSubset, NATIVE, Rectangles, State, SubsetSize, Technique,
    TurbotFish, XyWing,
};
use sudoku_batch::solve::{Deadline, random_symmetry};
use techniques::{BASIC, beyond_native};

/// A puzzle of any difficulty under a random symmetry.
fn any_puzzle(n: u64, seed: u64) -> Puzzle {
    let kind = if n.is_multiple_of(8) {
        Kind::Easy
    } else {
        Kind::Minimal
    };
    let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed));
    symmetry.puzzle(&Generator::default().puzzle(kind, 5, n))
}

/// The cells that a text names as `r4c7`.
fn cells_named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_cell = |word: &&str| {
        let bytes = word.as_bytes();
        bytes.len() == 4 && bytes[0] == b'r' && bytes[2] == b'c'
    };
    words.filter(is_cell).map(str::to_owned).collect()
}

/// The houses that a text names: `row 4`, `columns 1, 2 and 5`.
fn houses_named(text: &str) -> BTreeSet<String> {
    let mut houses = BTreeSet::new();
    let mut kind = None;
    for word in text.split([' ', '\n']) {
        let bare = word
            .trim_matches(|c: char| !c.is_ascii_alphanumeric())
            .to_lowercase();
        let singular = bare.strip_suffix('s').unwrap_or(&bare);
        if ["row", "column", "block"].contains(&singular) {
            kind = Some((singular.to_owned(), bare.ends_with('s')));
        } else if let Some((name, is_plural)) = &kind {
            if bare.parse::<u8>().is_ok() {
                houses.insert(format!("{name} {bare}"));
                let goes_on = *is_plural && (word.ends_with(',') || word == bare);
                kind = goes_on.then(|| kind.unwrap());
            } else if bare != "and" {
                kind = None;
            }
        }
    }
    houses
}

fn names<T: ToString>(items: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    items.into_iter().map(|item| item.to_string()).collect()
}

fn cells(candidates: &CandidateSet) -> CellSet {
    candidates.iter().map(|candidate| candidate.cell).collect()
}

fn check(grid: &CandidateGrid, argument: &Argument) {
    let text = argument.text();
    let pattern = argument.parts().iter().map(|part| {
        assert!(part.candidates.iter().all(|c| grid.contains(c)), "{text}");
        cells(&part.candidates)
    });
    let pattern = pattern.fold(CellSet::EMPTY, CellSet::union);
    let changed = match argument.effect {
        Effect::Place(candidate) => CellSet::only(candidate.cell),
        Effect::Eliminate(struck) => cells(&struck),
    };
    assert!(!pattern.is_empty());
    assert_eq!(cells_named(&text), names(pattern.union(changed)), "{text}");
    assert_eq!(
        houses_named(&text),
        names(argument.houses().iter()),
        "{text}"
    );
    assert_eq!(
        text.contains("if the puzzle has only one"),
        argument.technique.assumes_uniqueness(),
        "{text}"
    );
    let hint = argument.hint(HintLevel::Argument);
    assert!(hint.contains(&text) && hint.contains(&argument.notation()));
    let where_to_look = argument.hint(HintLevel::Where);
    assert!(where_to_look.len() < 70, "{where_to_look}");
    assert!(!where_to_look.contains(argument.technique.name()));
    let name = argument.hint(HintLevel::Technique).to_lowercase();
    assert!(name.starts_with(&argument.technique.name().to_lowercase()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn arguments_name_the_pattern_and_what_it_changes(n in 0_u64..400, seed in any::<u64>()) {
        let explanation = Explanation::new(&NATIVE, &any_puzzle(n, seed).into(), Deadline::NONE);
        for step in &explanation.steps {
            check(&step.before, &step.argument());
        }
    }
}

/// Singles to turbot fish.
fn techniques() -> Vec<&'static dyn Technique> {
    let mut all = BASIC.to_vec();
    let rest: [&dyn Technique; 4] = [
        &BasicFish(SubsetSize::Two),
        &BasicFish(SubsetSize::Three),
        &XyWing,
        &TurbotFish,
    ];
    all.extend(rest);
    all
}

/// The first argument of each technique on grids where singles and locked candidates find nothing more.
#[test]
fn every_technique_is_explained_in_three_levels() {
    let techniques = techniques();
    let mut found = vec![None; techniques.len()];
    for n in 0..3000 {
        if found.iter().all(Option::is_some) {
            break;
        }
        let Ok(mut grid) = CandidateGrid::new(&any_puzzle(n, 0)) else {
            continue;
        };
        let mut easy = |grid: &CandidateGrid| {
            let mut easy = techniques[..4].iter().zip(&mut found[..4]);
            easy.find_map(|(technique, found)| {
                let step = technique.find(grid)?;
                found.get_or_insert_with(|| (grid.clone(), step.clone()));
                Some(step)
            })
        };
        while let Some(step) = easy(&grid) {
            step.effect.apply(&mut grid).unwrap();
        }
        for (technique, found) in techniques.iter().zip(&mut found).skip(4) {
            if found.is_none() {
                *found = technique.find(&grid).map(|step| (grid.clone(), step));
            }
        }
    }
    let explained = found.iter().map(|found| {
        let (grid, step) = found.as_ref().unwrap();
        let argument = Argument::new(grid, step);
        check(grid, &argument);
        let levels = [HintLevel::Where, HintLevel::Technique, HintLevel::Argument];
        levels.map(|level| argument.hint(level)).join("\n") + "\n"
    });
    insta::assert_snapshot!(explained.collect::<Vec<_>>().join("\n"));
}

/// Largest number of steps of a technique that are checked on one grid.
const CAP: usize = 60;

/// The techniques that the native profile does not use.
fn further_techniques() -> Vec<Box<dyn Technique>> {
    let mut all = beyond_native();
    all.push(Box::new(FullHouse));
    all.push(Box::new(LockedSubset(SubsetSize::Two)));
    all.push(Box::new(LockedSubset(SubsetSize::Three)));
    for size in 2..4 {
        for shape in [FishShape::Basic, FishShape::Franken, FishShape::Mutant] {
            all.push(Box::new(Fish { size, shape }));
        }
    }
    all
}

/// The first argument of each name.
type Shown = BTreeMap<&'static str, String>;

/// Checks the steps of these techniques on a grid, up to the cap for each.
fn read(grid: &State, techniques: &[Box<dyn Technique>], shown: &mut Shown) {
    for technique in techniques {
        let mut count = 0;
        let _ = technique.search(grid, &mut |step: Deduction| {
            let argument = Argument::new(grid, &step);
            check(grid, &argument);
            let first = shown.entry(step.technique.name());
            first.or_insert_with(|| argument.hint(HintLevel::Argument) + "\n");
            count += 1;
            if count < CAP {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
}

/// The grids before the harder steps of a puzzle, and the last one.
fn positions(puzzle: &Puzzle) -> Vec<State> {
    let givens = puzzle.givens().map(|(cell, _)| cell).collect();
    let Explanation { steps, end, .. } =
        Explanation::new(&NATIVE, &(*puzzle).into(), Deadline::NONE);
    let hard = steps.into_iter().filter(|step| !step.is_single());
    let grids = hard.map(|step| step.before).chain(end);
    grids.map(|grid| State::with_givens(grid, givens)).collect()
}

/// On positions of real puzzles, every step of every technique names what it uses. Those that are
/// rare are searched for in more puzzles.
#[test]
fn further_techniques_name_their_patterns() {
    let mut shown = Shown::new();
    let [minimal, hard] = ["minimal.txt", "hard.txt"].map(|file| puzzles_in(&own(file)));
    for puzzle in minimal.iter().take(40).chain(hard.iter().take(15)) {
        let techniques = further_techniques();
        for grid in positions(puzzle).iter().step_by(5) {
            read(grid, &techniques, &mut shown);
        }
    }
    for puzzle in minimal.iter().chain(&hard) {
        let rare: [Box<dyn Technique>; 4] = [
            Box::new(FullHouse),
            Box::new(BugPlusOne),
            Box::new(Rectangles::Unique),
            Box::new(Rectangles::Avoidable),
        ];
        for grid in positions(puzzle) {
            read(&grid, &rare, &mut shown);
        }
    }
    let texts: Vec<String> = shown.into_values().collect();
    insta::assert_snapshot!(texts.join("\n"));
}

/// The first argument of each name along the way of Sudoku Explainer.
#[test]
fn steps_of_the_explainer_name_their_patterns() {
    let mut shown = Shown::new();
    let [minimal, hard] = ["minimal.txt", "hard.txt"].map(|file| puzzles_in(&own(file)));
    for puzzle in minimal.iter().chain(&hard) {
        for step in Explanation::new(&EXPLAINER, &(*puzzle).into(), Deadline::NONE).steps {
            let argument = step.argument();
            check(&step.before, &argument);
            let first = shown.entry(argument.technique.name());
            first.or_insert_with(|| argument.hint(HintLevel::Argument) + "\n");
        }
    }
    let texts: Vec<String> = shown.into_values().collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn cells_and_houses_named_in_text_are_found() {
    let text =
        "In row 4, r4c1 and r4c2 lie in columns 1 and 2; 3 in block 1. Rows 5, 6 and 7 not 8.";
    assert_eq!(cells_named(text), names(["r4c1", "r4c2"]));
    let houses = [
        "row 4", "column 1", "column 2", "block 1", "row 5", "row 6", "row 7",
    ];
    assert_eq!(houses_named(text), names(houses));
    assert!(House::all().all(|house| houses_named(&house.to_string()) == names([house])));
}
