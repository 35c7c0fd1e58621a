//! HoDoKu's searches: the premises of their chains, and marks without a history.

use sudoku_batch::grid::{CandidateGrid, PencilMarks};
use sudoku_batch::logic::{
    ChainName, Deduction, ForcingName, HODOKU, HodokuSearch, Pattern, Position, Run, Technique,
    TechniqueId,
};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver};

use super::chains::{is_strong, is_weak, positions};
use super::rated::is_proven;
use crate::common::puzzles::{own, puzzles_in};

fn is_linked(grid: &CandidateGrid, step: &Deduction) -> bool {
    let Pattern::Chain { nodes, closed, .. } = &step.pattern else {
        return false;
    };
    let mut pairs = nodes.windows(2).enumerate();
    let [first, last] = [&nodes[0], &nodes[nodes.len() - 1]];
    (!closed || first == last || is_weak(last, first))
        && pairs.all(|(at, pair)| match at % 2 {
            0 => is_strong(grid, &pair[0], &pair[1]),
            _ => is_weak(&pair[0], &pair[1]),
        })
}

#[test]
fn chains_are_linked_and_forcing_chains_and_nets_are_valid() {
    let chains = [
        ChainName::XChain,
        ChainName::XyChain,
        ChainName::DiscontinuousLoop,
        ChainName::GroupedDiscontinuousLoop,
    ];
    let chains = chains.map(|name| HodokuSearch(TechniqueId::Chain(name)));
    let forcing = [
        ForcingName::ChainContradiction,
        ForcingName::NetContradiction,
    ];
    let forcing = forcing.map(|name| HodokuSearch(TechniqueId::Forcing(name)));
    let mut counts = [0; 6];
    for grid in positions() {
        let steps = chains.iter().chain(&forcing);
        let steps = steps.map(|technique| technique.find(&grid));
        for (at, step) in steps.enumerate() {
            let Some(step) = step else { continue };
            let holds = if at < chains.len() {
                is_linked(&grid, &step)
            } else {
                is_proven(&grid, &step)
            };
            assert!(holds, "{step:?} {grid:?}");
            counts[at] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// For pencil marks, singles are queued cell by cell; the steps are still correct.
#[test]
fn pencil_marks_without_a_history_are_solved() {
    let mut solved = 0;
    for puzzle in puzzles_in(&own("hard.txt")).into_iter().take(30) {
        let outcome = Mrv::new().solve(&puzzle, Goal::ProveUnique, Limits::NONE);
        let solution = outcome.verdict.solution().unwrap();
        let marks = PencilMarks::of(&CandidateGrid::new(&puzzle).unwrap());
        for position in [Position::Puzzle(puzzle), Position::Marks(marks)] {
            let mut run = Run::new(&HODOKU, &position).unwrap();
            while let Some((_, step)) = run.next_step().unwrap() {
                let checked = step.check(run.state(), solution);
                assert_eq!(checked, Ok(()), "{puzzle} {step:?}");
                run.take(&step).unwrap();
            }
            solved += usize::from(run.state().blanks().is_empty());
        }
    }
    assert!(solved >= 57, "{solved}");
}
