//! Techniques on positions of real puzzles: every step found there is correct.

use crate::common::puzzles::data_folder;
use std::collections::{HashMap, HashSet};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, Puzzle, Solution, Symmetry,
};
use sudoku_batch::logic::{
    AlignedExclusion, Bug, BugPlusOne, ChainName, DirectHiddenSubset, DirectLocked, Effect,
    Explanation, Fish, FishShape, Locked, NATIVE, NetKind, RatedLoops, RatedNets, Rectangles,
    State, SubsetSize, Technique, TechniqueId, UniqueLoop,
};
use sudoku_batch::solve::{Deadline, Goal, Limits, Mrv, Solver, random_symmetry};

use super::all_techniques;
use super::random::is_right;
use crate::common::techniques::beyond_native;

/// Techniques that no oracle checks.
fn others() -> Vec<Box<dyn Technique>> {
    let mut others = beyond_native();
    others.push(Box::new(BugPlusOne));
    others.push(Box::new(Rectangles::Unique));
    others.push(Box::new(Rectangles::Avoidable));
    for size in 2..=4 {
        let shape = FishShape::Basic;
        others.push(Box::new(Fish { size, shape }));
    }
    for size in 2..=3 {
        let shape = FishShape::Franken;
        others.push(Box::new(Fish { size, shape }));
    }
    let (size, shape) = (2, FishShape::Mutant);
    others.push(Box::new(Fish { size, shape }));
    others.extend(of_the_explainer());
    others
}

/// Techniques that exist only in Sudoku Explainer.
fn of_the_explainer() -> Vec<Box<dyn Technique>> {
    let mut all: Vec<Box<dyn Technique>> = vec![
        Box::new(UniqueLoop),
        Box::new(Bug),
        Box::new(AlignedExclusion(2)),
        Box::new(AlignedExclusion(3)),
        Box::new(RatedLoops),
    ];
    for kind in [Locked::Pointing, Locked::Claiming] {
        all.push(Box::new(DirectLocked(kind)));
    }
    for size in [SubsetSize::Two, SubsetSize::Three] {
        all.push(Box::new(DirectHiddenSubset(size)));
    }
    for kind in [
        NetKind::Nishio,
        NetKind::Multiple,
        NetKind::Dynamic(0),
        NetKind::Dynamic(1),
    ] {
        all.push(Box::new(RatedNets(kind)));
    }
    all
}

/// How often each name was found.
type Counts = HashMap<TechniqueId, usize>;

/// Every step of every technique on each `stride`-th grid on the way to the solution.
fn check(puzzle: &Puzzle, stride: usize, counts: &mut Counts) {
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
    let solution: Solution = *outcome.verdict.solution().unwrap();
    let givens: CellSet = puzzle.givens().map(|(cell, _)| cell).collect();
    let techniques = others();
    let mut grid = CandidateGrid::new(puzzle).unwrap();
    let path = Explanation::new(&NATIVE, &(*puzzle).into(), Deadline::NONE).steps;
    for (at, step) in path.iter().map(Some).chain([None]).enumerate() {
        if at % stride == 0 || step.is_none() {
            for technique in all_techniques().iter().chain(&techniques) {
                for found in technique.all(&State::with_givens(grid.clone(), givens)) {
                    assert!(is_right(&found.effect, &solution), "{puzzle}: {found:?}");
                    let mut after = grid.clone();
                    found.effect.apply(&mut after).unwrap();
                    assert_ne!(after, grid, "{puzzle}: {found:?}");
                    *counts.entry(found.technique).or_default() += 1;
                }
            }
        }
        if let Some(step) = step {
            step.deduction.effect.apply(&mut grid).unwrap();
        }
    }
}

/// The image of a candidate.
fn moved(symmetry: &Symmetry, Candidate { cell, digit }: Candidate) -> Candidate {
    let mut single = Puzzle::empty();
    single.set(cell, Some(digit));
    let (cell, digit) = symmetry.puzzle(&single).givens().next().unwrap();
    Candidate { cell, digit }
}

/// The same position under a symmetry.
fn image(symmetry: &Symmetry, grid: &CandidateGrid) -> CandidateGrid {
    let (mut image, mut struck) = (CandidateGrid::empty(), CandidateSet::EMPTY);
    for cell in Cell::all() {
        for digit in Digit::ALL {
            let candidate = moved(symmetry, Candidate { cell, digit });
            if !grid.candidates(cell).contains(digit) {
                struck = struck.with(candidate);
            } else if grid.placed().contains(cell) {
                image.place(candidate).unwrap();
            }
        }
    }
    image.eliminate_all(&struck).unwrap();
    image
}

/// What a technique finds, as names and candidates.
fn seen(technique: &dyn Technique, grid: &CandidateGrid) -> HashSet<(TechniqueId, CandidateSet)> {
    let state = State::with_givens(grid.clone(), CellSet::EMPTY);
    let found = technique.all(&state).into_iter();
    let changed = found.map(|step| match step.effect {
        Effect::Place(candidate) => (step.technique, CandidateSet::only(candidate)),
        Effect::Eliminate(struck) => (step.technique, struck),
    });
    changed.collect()
}

/// Only one of several equally long chains, or petals with the same eliminations, is shown; these may differ. Where
/// Sudoku Explainer looks for loops and triples depends on the order of the cells.
fn depends_on_order(technique: TechniqueId) -> bool {
    match technique {
        TechniqueId::Chain(name) => name != ChainName::AlsChain,
        TechniqueId::RatedChain(_)
        | TechniqueId::UniqueLoop(_)
        | TechniqueId::AlignedExclusion(3) => true,
        other => other == TechniqueId::DeathBlossom,
    }
}

#[test]
fn techniques_are_invariant_under_symmetries() {
    for n in 0..12 {
        let puzzle = Generator::default().puzzle(Kind::Minimal, 6, n);
        let symmetry = random_symmetry(&mut ChaCha8Rng::seed_from_u64(n));
        let mut grid = CandidateGrid::new(&puzzle).unwrap();
        let steps = Explanation::new(&NATIVE, &puzzle.into(), Deadline::NONE).steps;
        for step in &steps[..steps.len() / 2] {
            step.deduction.effect.apply(&mut grid).unwrap();
        }
        let other = image(&symmetry, &grid);
        let mut techniques = others();
        techniques.extend(all_techniques());
        techniques.retain(|technique| !depends_on_order(technique.id()));
        for technique in &techniques {
            let here = seen(technique.as_ref(), &grid).into_iter();
            let here: HashSet<(TechniqueId, CandidateSet)> = here
                .map(|(name, set)| {
                    (
                        name,
                        set.iter().map(|mark| moved(&symmetry, mark)).collect(),
                    )
                })
                .collect();
            let name = technique.id();
            assert_eq!(here, seen(technique.as_ref(), &other), "{name}: {puzzle}");
        }
    }
}

#[test]
fn every_step_on_generated_puzzles_is_correct() {
    let mut counts = Counts::new();
    for n in 0..40 {
        check(
            &Generator::default().puzzle(Kind::Minimal, 5, n),
            5,
            &mut counts,
        );
    }
    for technique in others() {
        let name = technique.id();
        // Rare ones: see the corpora.
        let rare = [
            TechniqueId::BugPlusOne,
            TechniqueId::AvoidableRectangle(1),
            TechniqueId::DualTwoStringKite,
        ];
        let mut found = counts.keys();
        let seen = found.any(|found| found.name() == name.name());
        assert!(seen || rare.contains(&name), "{name}");
    }
}

#[test]
fn every_step_on_known_corpora_is_correct() {
    let Some(data) = data_folder("puzzles") else {
        return;
    };
    let mut counts = Counts::new();
    for (file, every) in [
        ("17_clue.txt", 1400),
        ("magictour_top1465.txt", 30),
        ("forum_hardest_1905_11plus.txt", 2500),
    ] {
        let text = std::fs::read_to_string(data.join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines.step_by(every) {
            check(&line[..81].parse().unwrap(), 9, &mut counts);
        }
    }
    println!("{counts:?}");
}
