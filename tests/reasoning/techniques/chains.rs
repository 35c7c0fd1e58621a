//! Refuting chains and nets: the premises of each claim are valid, and no chain is missed.

use crate::common::puzzles::data_folder;

use sudoku_batch::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, Contradiction, House, Puzzle,
};
use sudoku_batch::logic::{
    BasicFish, Branch, CHEAP_TECHNIQUES, Chain, Claim, Effect, ForcingKind, ForcingNet,
    HiddenSubset, Implication, LinkKind, Locked, LockedCandidates, LogicSolver, NakedSubset, Node,
    Pattern, Reason, RefutingChain, State, SubsetSize, Technique, TechniqueId,
};
use sudoku_batch::solve::{Goal, Limits, Solver};

use crate::common::puzzles::{own, puzzles_in};

/// The grids where the cheap techniques get stuck, on puzzles that need more.
pub(crate) fn positions() -> Vec<CandidateGrid> {
    let made = puzzles_in(&own("hard.txt")).into_iter().take(40);
    let famous = puzzles_in(&own("hardest.txt"));
    let positions = made.chain(famous).map(|puzzle: Puzzle| {
        let mut state = State::of_puzzle(&puzzle).unwrap();
        while let Some(step) = CHEAP_TECHNIQUES.iter().find_map(|entry| entry.step(&state)) {
            state.apply(&step.effect).unwrap();
        }
        state.grid().clone()
    });
    let open: Vec<CandidateGrid> = positions.filter(|grid| grid.solution().is_none()).collect();
    assert!(open.len() > 20, "{}", open.len());
    open
}

fn struck(technique: &dyn Technique, grid: &CandidateGrid) -> CandidateSet {
    let steps = technique.find_all(grid).into_iter();
    steps.fold(CandidateSet::EMPTY, |all, step| match step.effect {
        Effect::Eliminate(struck) => all.union(&struck),
        // Equivalent to eliminating the others.
        Effect::Place(right) => {
            let others = grid.candidates(right.cell).without(right.digit);
            let seen = grid.places(right.digit).intersection(right.cell.peers());
            others
                .into_iter()
                .map(|digit| CandidateSet::of(digit, [right.cell].into_iter().collect()))
                .fold(
                    all.union(&CandidateSet::of(right.digit, seen)),
                    |all, one| all.union(&one),
                )
        }
    })
}

#[test]
fn eliminations_of_chains_are_refuted() {
    let mut counts = [0; 4];
    for grid in positions().iter().step_by(2) {
        let kinds = [
            LinkKind::OneDigit,
            LinkKind::Bivalue,
            LinkKind::Candidates,
            LinkKind::Groups,
        ];
        for (links, count) in kinds.into_iter().zip(&mut counts) {
            let refuted = struck(&RefutingChain(links), grid);
            let missed = struck(&Chain(links), grid).difference(&refuted);
            assert!(missed.is_empty(), "{links:?} {missed:?} {grid:?}");
            *count += refuted.iter().count();
        }
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Whether at least one of the two is true.
pub(crate) fn is_strong(grid: &CandidateGrid, one: &Node, other: &Node) -> bool {
    let both = one.cells.union(other.cells);
    let in_house = |house: House| grid.places(one.digit).intersection(house.cells()) == both;
    let in_cell = |cell: Cell| grid.candidates(cell).len() == 2;
    if one.digit == other.digit {
        House::all().any(in_house)
    } else {
        one.cells == other.cells && one.cells.len() == 1 && one.cells.into_iter().all(in_cell)
    }
}

/// Whether at most one of the two is true.
pub(crate) fn is_weak(one: &Node, other: &Node) -> bool {
    if one.digit == other.digit {
        let both = one.cells.union(other.cells);
        let apart = one.cells.intersection(other.cells).is_empty();
        apart && House::all().any(|house| both.difference(house.cells()).is_empty())
    } else {
        one.cells == other.cells && one.cells.len() == 1
    }
}

#[test]
fn links_of_refuting_chains_are_on_the_grid() {
    let mut seen = 0;
    for grid in positions() {
        for links in [LinkKind::OneDigit, LinkKind::Bivalue, LinkKind::Groups] {
            let mut last = 0;
            for step in (RefutingChain(links)).find_all(&grid) {
                let Pattern::Chain { nodes, closed, .. } = &step.pattern else {
                    panic!("{step:?}");
                };
                assert!(nodes.len() >= last, "the shortest come first");
                last = nodes.len();
                let pairs = nodes.windows(2).enumerate();
                for (at, pair) in pairs {
                    let holds = if at % 2 == 0 {
                        is_strong(&grid, &pair[0], &pair[1])
                    } else {
                        is_weak(&pair[0], &pair[1])
                    };
                    assert!(holds, "{step:?} {grid:?}");
                }
                let [first, last] = [&nodes[0], &nodes[nodes.len() - 1]];
                if *closed && first != last {
                    assert!(is_weak(last, first), "{step:?}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

/// The techniques that chains use.
fn inside_chains(technique: TechniqueId) -> &'static dyn Technique {
    match technique {
        TechniqueId::Pointing => &LockedCandidates(Locked::Pointing),
        TechniqueId::Claiming => &LockedCandidates(Locked::Claiming),
        TechniqueId::HiddenSubset(_) => &HiddenSubset(SubsetSize::Two),
        TechniqueId::NakedSubset(_) => &NakedSubset(SubsetSize::Two),
        TechniqueId::BasicFish(_) => &BasicFish(SubsetSize::Two),
        other => panic!("{other}"),
    }
}

/// Applies a claim to the marks.
fn assume(grid: &mut CandidateGrid, claim: Claim) -> Result<(), Contradiction> {
    if claim.holds {
        grid.place(claim.candidate)
    } else {
        grid.eliminate_all(&CandidateSet::only(claim.candidate))
    }
}

/// Whether one claim is the other, or a digit that excludes its candidate.
fn entails(one: Claim, other: Claim) -> bool {
    let (by, out) = (one.candidate, other.candidate);
    let excludes = if by.cell == out.cell {
        by.digit != out.digit
    } else {
        by.digit == out.digit && by.cell.sees(out.cell)
    };
    one == other || one.holds && !other.holds && excludes
}

/// Whether a chain that returns to its start proves the claim. All of its claims are true, or none
/// is; so of a true claim and the next one, whose candidate it excludes, one candidate is
/// true, and both exclude the candidate of the claim.
fn loop_shows(branch: &Branch, claim: Claim) -> bool {
    let single = branch[1..]
        .iter()
        .all(|implication| implication.causes.len() == 1);
    let is_loop = branch[0].claim == branch[branch.len() - 1].claim;
    let right = |claim: Claim| Claim {
        holds: true,
        ..claim
    };
    single
        && is_loop
        && branch.windows(2).any(|pair| {
            let [one, other] = [pair[0].claim, pair[1].claim];
            one.holds && !other.holds && entails(one, claim) && entails(right(other), claim)
        })
}

/// Whether these branches, each of which must follow from the marks, prove the claim or something that implies
/// it: its contrary contradicts itself, or it follows from each candidate of a cell, each place of a
/// digit in a house, or a claim and its contrary.
fn shows(grid: &CandidateGrid, claim: Claim, branches: &[Branch]) -> bool {
    let contrary = |claim: Claim| Claim {
        holds: !claim.holds,
        ..claim
    };
    let ends = |branch: &Branch| [branch[0].claim, branch[branch.len() - 1].claim];
    let all: Vec<[Claim; 2]> = branches.iter().map(ends).collect();
    let shown = match all[..] {
        [] => return false,
        [[start, end]] => (end == contrary(start)).then_some(end),
        [[one, end], [other, against]] if one == other => {
            (end == contrary(against)).then_some(contrary(one))
        }
        [[one, end], [other, same]] if one == contrary(other) => (end == same).then_some(end),
        [[_, end], ..] => {
            let starts: CandidateSet = all.iter().map(|[start, _]| start.candidate).collect();
            let first = all[0][0].candidate;
            let of_cell = grid
                .candidates(first.cell)
                .into_iter()
                .map(|digit| Candidate {
                    cell: first.cell,
                    digit,
                });
            let in_house = |house: House| {
                let places = grid.places(first.digit).intersection(house.cells());
                starts == CandidateSet::of(first.digit, places)
            };
            let covers = starts == of_cell.collect() || House::all().any(in_house);
            let agree = all
                .iter()
                .all(|[start, other]| start.holds && *other == end);
            (covers && agree).then_some(end)
        }
    };
    let by_ends = shown.is_some_and(|shown| entails(shown, claim))
        || matches!(branches, [branch] if loop_shows(branch, claim));
    by_ends && branches.iter().all(|branch| holds_together(grid, branch))
}

/// Whether each claim of a branch follows from its premises.
pub(crate) fn holds_together(grid: &CandidateGrid, branch: &Branch) -> bool {
    branch.iter().enumerate().all(|(at, implication)| {
        let Implication {
            claim,
            causes,
            reason,
        } = implication;
        let candidate = claim.candidate;
        let earlier = causes.iter().all(|&cause| cause < at);
        let causes: Vec<_> = causes.iter().map(|&cause| branch[cause].claim).collect();
        let fallen = |cell: Cell, digit| {
            let fell = |cause: &&Claim| {
                !cause.holds && cause.candidate.cell == cell && cause.candidate.digit == digit
            };
            causes.iter().any(|cause| fell(&cause))
        };
        earlier
            && match reason {
                Reason::Assumed => at == 0,
                Reason::SameCell => {
                    let [cause] = causes[..] else { return false };
                    let other = cause.candidate;
                    !claim.holds
                        && cause.holds
                        && other.cell == candidate.cell
                        && other.digit != candidate.digit
                }
                Reason::SameHouse(house) => {
                    let [cause] = causes[..] else { return false };
                    let other = cause.candidate;
                    let cells = house.cells();
                    !claim.holds
                        && cause.holds
                        && other.digit == candidate.digit
                        && other.cell != candidate.cell
                        && cells.contains(other.cell)
                        && cells.contains(candidate.cell)
                }
                Reason::LastCandidate(cell) => {
                    let others = grid.candidates(*cell).without(candidate.digit);
                    claim.holds
                        && *cell == candidate.cell
                        && others.into_iter().all(|digit| fallen(*cell, digit))
                }
                Reason::LastPlace(house) => {
                    let places = grid.places(candidate.digit).intersection(house.cells());
                    let others = places.without(candidate.cell);
                    claim.holds
                        && house.cells().contains(candidate.cell)
                        && others.into_iter().all(|cell| fallen(cell, candidate.digit))
                }
                Reason::Technique(technique) => {
                    let struck = causes.iter().map(|cause| cause.candidate).collect();
                    let mut after = grid.clone();
                    // A contradiction implies anything.
                    after.eliminate_all(&struck).is_err()
                        || inside_chains(*technique).find_all(&after).iter().any(|step| {
                            matches!(step.effect, Effect::Eliminate(all) if all.contains(candidate))
                        })
                }
                Reason::Nested(branches) => {
                    let mut after = grid.clone();
                    // A contradiction implies anything.
                    !causes.is_empty()
                        && (causes
                            .iter()
                            .any(|&cause| assume(&mut after, cause).is_err())
                            || shows(&after, *claim, branches))
                }
            }
    })
}

#[test]
fn every_claim_of_a_net_follows_and_its_conclusion_holds() {
    let (mut contradictions, mut verities) = (0, 0);
    for grid in positions() {
        for step in (ForcingNet::Contradiction { rounds: usize::MAX }).find_all(&grid) {
            let Pattern::Forcing { branches, .. } = &step.pattern else {
                panic!("{step:?}");
            };
            let branch = &branches[0];
            assert!(holds_together(&grid, branch), "{step:?} {grid:?}");
            let start = branch[0].claim;
            assert_eq!(
                step.effect,
                Effect::Eliminate(CandidateSet::only(start.candidate))
            );
            let last = branch[branch.len() - 1].claim;
            let contrary = |claim: &Implication| {
                claim.claim.candidate == last.candidate && claim.claim.holds != last.holds
            };
            assert!(start.holds && branch.iter().any(contrary), "{step:?}");
            contradictions += 1;
        }
        for step in ForcingNet::Verity.find_all(&grid) {
            let Pattern::Forcing { kind, branches } = &step.pattern else {
                panic!("{step:?}");
            };
            let starts: CandidateSet = branches.iter().map(|b| b[0].claim.candidate).collect();
            let digit = branches[0][0].claim.candidate.digit;
            let all = match kind {
                ForcingKind::Cell(cell) => {
                    let digits = grid.candidates(*cell).into_iter();
                    let cell = [*cell].into_iter().collect();
                    digits.fold(CandidateSet::EMPTY, |all, digit| {
                        all.union(&CandidateSet::of(digit, cell))
                    })
                }
                ForcingKind::House(house) => {
                    CandidateSet::of(digit, grid.places(digit).intersection(house.cells()))
                }
                other => panic!("{other:?}"),
            };
            assert_eq!(starts, all, "{step:?}");
            for branch in branches {
                assert!(holds_together(&grid, branch), "{step:?} {grid:?}");
                let end = branch[branch.len() - 1].claim;
                let struck = Effect::Eliminate(CandidateSet::only(end.candidate));
                assert!(!end.holds && step.effect == struck, "{step:?}");
            }
            verities += 1;
        }
    }
    assert!(
        contradictions > 100 && verities > 100,
        "{contradictions} {verities}"
    );
}

/// The native profile solves a well-known list of hard puzzles without a guess.
#[test]
fn chains_and_nets_solve_hard_puzzles_without_guessing() {
    let Some(path) = data_folder("puzzles/magictour_top1465.txt") else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let puzzles = text.lines().filter_map(|line| line.get(..81)?.parse().ok());
    let puzzles: Vec<Puzzle> = puzzles.step_by(15).collect();
    assert!(puzzles.len() > 90, "{} puzzles", puzzles.len());
    let solved = puzzles.iter().filter(|puzzle| {
        let outcome = LogicSolver::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
        outcome.verdict.solution().is_some()
    });
    assert_eq!(solved.count(), puzzles.len());
}
