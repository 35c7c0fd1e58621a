//! Every technique gives up soon after its deadline, on any board.

use crate::common::{puzzles, techniques};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use puzzles::{own, puzzles_in};
use sudoku_batch::grid::CandidateGrid;
use sudoku_batch::logic::{
    CHEAP_TECHNIQUES, Fish, FishShape, PROFILES, Rectangles, State, Technique,
};
use sudoku_batch::solve::{Deadline, Goal, Limits, Stop};
use sudoku_batch::variant::{Boxes, Layout, VARIANT_SOLVERS, VariantPuzzle, VariantVerdict};

/// The hardest puzzles, where the cheap techniques find nothing more, and the empty board.
fn boards() -> Vec<State> {
    let lines = puzzles_in(&own("hardest.txt")).into_iter().take(8);
    let hard = lines.map(|puzzle| {
        let mut state = State::of_puzzle(&puzzle).unwrap();
        while let Some(step) = CHEAP_TECHNIQUES.iter().find_map(|entry| entry.step(&state)) {
            state.apply(&step.effect).unwrap();
        }
        state
    });
    let mut boards: Vec<State> = hard.collect();
    boards.push(State::new(CandidateGrid::empty()));
    boards
}

fn all_techniques() -> Vec<(String, Box<dyn Technique>)> {
    let mut all = techniques::beyond_native();
    all.push(Box::new(Rectangles::Unique));
    for shape in [FishShape::Basic, FishShape::Franken, FishShape::Mutant] {
        for size in 2..=7 {
            all.push(Box::new(Fish { size, shape }));
        }
    }
    let name = |technique: &dyn Technique| format!("{:?}", technique.id());
    all.into_iter().map(|one| (name(&*one), one)).collect()
}

/// Returns how late after a deadline of a few milliseconds a search for all steps returns. Another program may occupy
/// the processor, so the best of several tries counts.
fn overrun(technique: &dyn Technique, board: &State) -> Duration {
    let given = Duration::from_millis(3);
    let mut least = Duration::MAX;
    for _ in 0..12 {
        let mut state = board.clone();
        let start = Instant::now();
        state.set_deadline(Deadline::after(Some(given)));
        let _ = technique.search(&state, &mut |_| ControlFlow::Continue(()));
        least = least.min(start.elapsed().saturating_sub(given));
        if least <= MOST {
            break;
        }
    }
    least
}

const MOST: Duration = Duration::from_millis(50);

#[test]
fn techniques_give_up_within_50_ms_of_their_deadline() {
    let all = all_techniques();
    let own = all
        .iter()
        .map(|(name, technique)| (name.clone(), &**technique));
    let of_profiles = PROFILES.iter().flat_map(|profile| {
        let entries = profile.techniques.iter();
        entries.map(|entry| {
            (
                format!("{} {:?}", profile.name, entry.technique.id()),
                entry.technique,
            )
        })
    });
    let techniques: Vec<(String, &dyn Technique)> = own.chain(of_profiles).collect();
    assert!(techniques.len() > 120, "{}", techniques.len());
    let mut late = Vec::new();
    for board in boards() {
        for (name, technique) in &techniques {
            let overrun = overrun(*technique, &board);
            if overrun > MOST {
                late.push(format!(
                    "{name}: {overrun:?} with {} blanks",
                    board.blanks().len()
                ));
            }
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

/// Without the flag, this search would practically never end.
#[test]
fn a_flag_ends_every_search_on_a_large_board() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let boxes = Boxes {
        rows: 5,
        columns: 5,
    };
    let puzzle = VariantPuzzle::empty(Arc::new(Layout::with_boxes(boxes).unwrap()));
    let limits = Limits {
        stop: Some(Stop(&STOP)),
        ..Limits::NONE
    };
    for spec in VARIANT_SOLVERS {
        let mut solver = (spec.build)();
        let goal = Goal::Count(NonZeroUsize::MAX);
        let outcome = solver.solve(&puzzle, goal, limits);
        assert_eq!(
            outcome.verdict,
            VariantVerdict::OutOfBudget,
            "{}",
            spec.name
        );
        assert!(outcome.effort.nodes < 1_000, "{}", spec.name);
    }
}
