//! Techniques on the positions of real puzzles: every step that is found there is right.

use std::collections::HashMap;
use std::path::Path;

use sudoku_batch::grid::{CandidateGrid, CellSet, Puzzle, Solution};
use sudoku_batch::logic::{
    AlsChain, BugPlusOne, Chain, DeathBlossom, DualTwoStringKite, EmptyRectangle, Fish, FishShape,
    LinkKind, LogicSolver, MultiColors, Rectangles, RemotePair, SimpleColors, SueDeCoq, Technique,
    TechniqueId, Templates, WWing, XyzWing,
};
use sudoku_batch::solve::{Budget, Generator, Goal, Kind, Mrv, Solver};

use crate::all_techniques;
use crate::random::is_right;

/// Techniques that no oracle checks.
fn others(givens: CellSet) -> Vec<Box<dyn Technique>> {
    let mut others: Vec<Box<dyn Technique>> = vec![
        Box::new(XyzWing),
        Box::new(WWing),
        Box::new(EmptyRectangle),
        Box::new(DualTwoStringKite),
        Box::new(SimpleColors),
        Box::new(MultiColors),
        Box::new(BugPlusOne),
        Box::new(Rectangles::Unique),
        Box::new(Rectangles::Avoidable(givens)),
        Box::new(SueDeCoq),
        Box::new(RemotePair),
        Box::new(AlsChain),
        Box::new(DeathBlossom),
        Box::new(Templates::Set),
        Box::new(Templates::Delete),
    ];
    for size in 2..=4 {
        let shape = FishShape::Basic;
        others.push(Box::new(Fish { size, shape }));
    }
    for size in 2..=3 {
        let shape = FishShape::Franken;
        others.push(Box::new(Fish { size, shape }));
    }
    for links in [
        LinkKind::OneDigit,
        LinkKind::Bivalue,
        LinkKind::Candidates,
        LinkKind::Groups,
        LinkKind::GroupsAndSets,
    ] {
        others.push(Box::new(Chain { links }));
    }
    let (size, shape) = (2, FishShape::Mutant);
    others.push(Box::new(Fish { size, shape }));
    others
}

/// How often each name was found.
type Counts = HashMap<TechniqueId, usize>;

/// Every step of every technique on each `stride`-th grid on the way to the solution.
fn check(puzzle: &Puzzle, stride: usize, counts: &mut Counts) {
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Budget::UNLIMITED);
    let solution: Solution = *outcome.verdict.solution().unwrap();
    let givens: CellSet = puzzle.givens().map(|(cell, _)| cell).collect();
    let techniques = others(givens);
    let mut grid = CandidateGrid::new(puzzle).unwrap();
    let path = LogicSolver::new().path(puzzle).deductions;
    for (at, step) in path.iter().map(Some).chain([None]).enumerate() {
        if at % stride == 0 || step.is_none() {
            for technique in all_techniques().iter().chain(&techniques) {
                for found in technique.find_all(&grid) {
                    assert!(is_right(&found.effect, &solution), "{puzzle}: {found:?}");
                    let mut after = grid.clone();
                    found.effect.apply(&mut after).unwrap();
                    assert_ne!(after, grid, "{puzzle}: {found:?}");
                    *counts.entry(found.technique).or_default() += 1;
                }
            }
        }
        if let Some(step) = step {
            step.effect.apply(&mut grid).unwrap();
        }
    }
}

#[test]
fn every_step_on_generated_puzzles_is_right() {
    let mut counts = Counts::new();
    for n in 0..40 {
        check(
            &Generator::default().puzzle(Kind::Minimal, 5, n),
            5,
            &mut counts,
        );
    }
    for technique in others(CellSet::EMPTY) {
        let name = technique.id();
        // Rare ones: see the corpora.
        let rare = [
            TechniqueId::BugPlusOne,
            TechniqueId::AvoidableRectangle(1),
            TechniqueId::DualTwoStringKite,
        ];
        assert!(counts.contains_key(&name) || rare.contains(&name), "{name}");
    }
}

#[test]
fn every_step_on_known_corpora_is_right() {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return;
    };
    let mut counts = Counts::new();
    for (file, every) in [
        ("17_clue.txt", 1400),
        ("magictour_top1465.txt", 30),
        ("forum_hardest_1905_11plus.txt", 2500),
    ] {
        let text = std::fs::read_to_string(Path::new(&data).join("puzzles").join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines.step_by(every) {
            check(&line[..81].parse().unwrap(), 9, &mut counts);
        }
    }
    println!("{counts:?}");
}
