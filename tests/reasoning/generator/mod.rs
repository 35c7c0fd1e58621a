//! The generator, and the puzzle files made with it.

mod distributions;
mod files;
mod requests;

use crate::common::puzzles;
use sudoku_batch::generate::{Distribution, Filter, Generator, Kind, Made, Request};
use sudoku_batch::grid::{CellSet, Puzzle};
use sudoku_batch::solve::{Goal, Limits, Mrv, Outcome, Solver, Verdict};

fn prove(puzzle: &Puzzle) -> Outcome {
    Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE)
}

fn is_unique(puzzle: &Puzzle) -> bool {
    matches!(prove(puzzle).verdict, Verdict::Unique(_))
}

fn givens(puzzle: &Puzzle) -> CellSet {
    puzzle.givens().map(|(cell, _)| cell).collect()
}

fn without(puzzle: &Puzzle, cells: CellSet) -> Puzzle {
    let mut without = *puzzle;
    cells.into_iter().for_each(|cell| without.set(cell, None));
    without
}

fn drawn(distribution: Distribution) -> Request {
    Request {
        distribution: Some(distribution),
        ..Request::from(Kind::Minimal)
    }
}

fn kept(filter: Filter) -> Request {
    Request {
        filter,
        ..Request::from(Kind::Minimal)
    }
}

/// The first puzzles of a request, and the trials that they took.
fn made(request: &Request, seed: u64, count: usize) -> (Vec<Made>, u64) {
    request.check().unwrap();
    let mut generator = Generator::default();
    let mut made = Vec::new();
    let mut trials = 0;
    while made.len() < count {
        made.extend(generator.trial(request, seed, trials).unwrap());
        trials += 1;
    }
    made.truncate(count);
    (made, trials)
}
