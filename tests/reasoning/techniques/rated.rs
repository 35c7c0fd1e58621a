//! Chains as rated by Sudoku Explainer: the premises of each claim, and the conclusions of the branches.

use sudoku_batch::grid::CandidateGrid;
use sudoku_batch::logic::{
    Branch, Claim, Deduction, Effect, ForcingKind, NetKind, Pattern, RatedLoops, RatedNets, Reason,
    Technique,
};

use super::chains::{holds_together, is_strong, is_weak, positions};

fn contrary(claim: Claim) -> Claim {
    Claim {
        holds: !claim.holds,
        ..claim
    }
}

/// Where a branch starts and where it ends.
fn ends(branch: &Branch) -> [Claim; 2] {
    [branch[0].claim, branch[branch.len() - 1].claim]
}

/// The claim of the step about a candidate.
fn shown(step: &Deduction) -> Claim {
    match step.effect {
        Effect::Place(candidate) => Claim {
            candidate,
            holds: true,
        },
        Effect::Eliminate(struck) => Claim {
            candidate: struck.iter().next().unwrap(),
            holds: false,
        },
    }
}

pub(crate) fn is_proven(grid: &CandidateGrid, step: &Deduction) -> bool {
    match &step.pattern {
        Pattern::Chain { nodes, .. } => {
            let pairs = nodes.windows(2).enumerate();
            let mut linked = pairs.map(|(at, pair)| match at % 2 {
                0 => is_strong(grid, &pair[0], &pair[1]),
                _ => is_weak(&pair[0], &pair[1]),
            });
            linked.all(|linked| linked) && is_weak(&nodes[nodes.len() - 1], &nodes[0])
        }
        Pattern::Forcing { kind, branches } => {
            let all: Vec<[Claim; 2]> = branches.iter().map(ends).collect();
            let all_show = all.iter().all(|[_, end]| *end == shown(step));
            let starts_hold = all.iter().all(|[start, _]| start.holds);
            let follows = branches.iter().all(|branch| holds_together(grid, branch));
            follows
                && match (kind, all.as_slice()) {
                    (ForcingKind::Contradiction, [[start, end]]) => {
                        *end == contrary(*start) && all_show
                    }
                    (ForcingKind::Contradiction, [[one, end], [other, against]]) => {
                        one == other && *end == contrary(*against) && shown(step) == contrary(*one)
                    }
                    (ForcingKind::Double, [[one, _], [other, _]]) => {
                        *one == contrary(*other) && all_show
                    }
                    (ForcingKind::Cell(cell), all) => {
                        let digits = all.iter().map(|[start, _]| start.candidate.digit);
                        let of_cell = all.iter().all(|[start, _]| start.candidate.cell == *cell);
                        let all_digits = digits.eq(grid.candidates(*cell));
                        of_cell && all_digits && starts_hold && all_show
                    }
                    (ForcingKind::House(house), all) => {
                        let digit = all[0][0].candidate.digit;
                        let places = grid.places(digit).intersection(house.cells());
                        let one_digit = all.iter().all(|[start, _]| start.candidate.digit == digit);
                        let cells = all.iter().map(|[start, _]| start.candidate.cell);
                        one_digit && cells.eq(places) && starts_hold && all_show
                    }
                    _ => false,
                }
        }
        _ => false,
    }
}

/// Whether a claim of the step follows by chains of its own.
fn is_nested(step: &Deduction) -> bool {
    let Pattern::Forcing { branches, .. } = &step.pattern else {
        return false;
    };
    let mut claims = branches.iter().flatten();
    claims.any(|implication| matches!(implication.reason, Reason::Nested(_)))
}

#[test]
fn every_rated_chain_is_valid() {
    let nets = [
        NetKind::Nishio,
        NetKind::Multiple,
        NetKind::Dynamic(0),
        NetKind::Dynamic(1),
        NetKind::Dynamic(2),
        NetKind::Dynamic(3),
    ];
    let nets = nets.map(RatedNets);
    let mut techniques: Vec<&dyn Technique> = vec![&RatedLoops];
    techniques.extend(nets.iter().map(|net| net as &dyn Technique));
    let mut counts = vec![0; techniques.len()];
    let mut nested = 0;
    for grid in positions() {
        for (technique, count) in techniques.iter().zip(&mut counts) {
            if let Some(step) = technique.find(&grid) {
                assert!(is_proven(&grid, &step), "{step:?} {grid:?}");
                *count += 1;
                nested += usize::from(is_nested(&step));
            }
        }
    }
    assert!(nested > 10, "{nested}");
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}
