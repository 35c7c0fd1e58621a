//! The way of HoDoKu through a puzzle.

use super::als::Sets;
use super::board::Board;
use super::chains::{Kind, chain};
use super::colors::{multi_colors, simple_colors};
use super::fish::{Wanted, fish};
use super::forcing::{forcing_chain, forcing_net};
use super::found::Found;
use super::loops::nice_loop;
use super::one_digit::{empty_rectangle, skyscraper, two_string_kite};
use super::rectangles::{avoidable, unique};
use super::scores;
use super::simple;
use super::sue_de_coq::sue_de_coq;
use super::wings::{bug_plus_one, w_wing, xy_wing, xyz_wing};
use crate::grid::{Candidate, Contradiction, Puzzle, Solution};
use crate::logic::deduction::{Deduction, TechniqueId};
use crate::logic::fish_shape::FishKind;
use crate::logic::profile::Level;
use crate::logic::size::Size;
use crate::solve::{Budget, Goal, Mrv, Solver, Verdict};

/// What is done where a technique has a step, and where none has.
#[derive(Clone, Debug)]
pub enum HodokuMove {
    /// The step that is taken.
    Deduced(Deduction),
    /// The digit of the solution that is placed.
    Guessed(Candidate),
}

/// A step, and what it counts for.
#[derive(Clone, Debug)]
pub struct HodokuStep {
    /// What is done.
    pub made: HodokuMove,
    /// The level of the technique it was looked for by.
    pub level: Level,
    /// Its score.
    pub score: u32,
}

/// All steps of a puzzle.
#[derive(Clone, Debug)]
pub struct HodokuPath {
    /// The steps.
    pub steps: Vec<HodokuStep>,
    /// Whether they fill the board.
    pub solved: bool,
    /// The level of the puzzle.
    pub level: Level,
    /// The sum of all scores.
    pub score: u32,
    /// The spelling of the first technique of the highest level and score.
    pub hardest: &'static str,
}

/// What is looked at once a state.
#[derive(Default)]
struct Memo {
    unique: Option<Vec<Found>>,
    avoidable: Option<Vec<Found>>,
    sets: Option<Sets>,
}

#[derive(Clone, Copy)]
enum Search {
    Single(fn(&mut Board) -> Option<Found>),
    Of(fn(&Board) -> Option<Found>),
    Sized(fn(&Board, Size) -> Option<Found>, Size),
    Chain(Kind),
    Fish(usize, bool, FishKind),
    Unique(TechniqueId),
    Avoidable(u8),
    Loops(bool),
    Sets(fn(&Sets) -> Option<Found>),
}

use Search::{Avoidable, Chain, Fish, Loops, Of, Sets as OfSets, Single, Sized, Unique};

/// What a digit counts for that is guessed.
const GUESS: (Level, u32) = (Level::Extreme, 10_000);

const RUNGS: &[(Search, Level, u32)] = &[
    (Single(simple::full_house), Level::Easy, 4),
    (Single(simple::naked_single), Level::Easy, 4),
    (Single(simple::hidden_single), Level::Easy, 14),
    (Sized(simple::locked_subset, Size::Two), Level::Medium, 40),
    (Sized(simple::locked_subset, Size::Three), Level::Medium, 60),
    (Of(simple::pointing), Level::Medium, 50),
    (Of(simple::claiming), Level::Medium, 50),
    (Sized(simple::naked_subset, Size::Two), Level::Medium, 60),
    (Sized(simple::naked_subset, Size::Three), Level::Medium, 80),
    (Sized(simple::hidden_subset, Size::Two), Level::Medium, 70),
    (
        Sized(simple::hidden_subset, Size::Three),
        Level::Medium,
        100,
    ),
    (Sized(simple::naked_subset, Size::Four), Level::Hard, 120),
    (Sized(simple::hidden_subset, Size::Four), Level::Hard, 150),
    (Fish(2, false, FishKind::Plain), Level::Hard, 140),
    (Fish(3, false, FishKind::Plain), Level::Hard, 150),
    (Fish(4, false, FishKind::Plain), Level::Hard, 160),
    (Chain(Kind::RemotePair), Level::Hard, 110),
    (Of(bug_plus_one), Level::Hard, 100),
    (Of(skyscraper), Level::Hard, 130),
    (Of(two_string_kite), Level::Hard, 150),
    (Chain(Kind::Turbot), Level::Hard, 120),
    (Of(empty_rectangle), Level::Hard, 120),
    (Of(w_wing), Level::Hard, 150),
    (Of(xy_wing), Level::Hard, 160),
    (Of(xyz_wing), Level::Hard, 180),
    (Unique(TechniqueId::UniqueRectangle(1)), Level::Hard, 100),
    (Unique(TechniqueId::UniqueRectangle(2)), Level::Hard, 100),
    (Unique(TechniqueId::UniqueRectangle(3)), Level::Hard, 100),
    (Unique(TechniqueId::UniqueRectangle(4)), Level::Hard, 100),
    (Unique(TechniqueId::UniqueRectangle(5)), Level::Hard, 100),
    (Unique(TechniqueId::UniqueRectangle(6)), Level::Hard, 100),
    (Unique(TechniqueId::HiddenRectangle), Level::Hard, 100),
    (Avoidable(1), Level::Hard, 100),
    (Avoidable(2), Level::Hard, 100),
    (Fish(2, false, FishKind::Finned), Level::Hard, 130),
    (Fish(2, false, FishKind::Sashimi), Level::Hard, 150),
    (Fish(3, false, FishKind::Finned), Level::Unfair, 200),
    (Fish(3, false, FishKind::Sashimi), Level::Unfair, 240),
    (Fish(4, false, FishKind::Finned), Level::Unfair, 250),
    (Fish(4, false, FishKind::Sashimi), Level::Unfair, 260),
    (Of(sue_de_coq), Level::Unfair, 250),
    (Of(simple_colors), Level::Hard, 150),
    (Of(multi_colors), Level::Hard, 200),
    (Chain(Kind::X), Level::Unfair, 260),
    (Chain(Kind::Xy), Level::Unfair, 260),
    (Loops(false), Level::Unfair, 280),
    (Loops(true), Level::Unfair, 300),
    (OfSets(Sets::xz), Level::Unfair, 300),
    (OfSets(Sets::xy_wing), Level::Unfair, 320),
    (OfSets(Sets::chain), Level::Unfair, 340),
    (Fish(2, true, FishKind::Plain), Level::Unfair, 300),
    (Fish(3, true, FishKind::Plain), Level::Unfair, 350),
    (Fish(2, true, FishKind::Finned), Level::Unfair, 390),
    (Fish(3, true, FishKind::Finned), Level::Unfair, 410),
    (Of(forcing_chain), Level::Extreme, 500),
    (Of(forcing_net), Level::Extreme, 700),
];

impl Search {
    fn find(self, board: &mut Board, memo: &mut Memo) -> Option<Found> {
        let of_kind = |all: &[Found], technique: TechniqueId| {
            let mut all = all.iter();
            all.find(|found| found.deduction.technique == technique)
                .cloned()
        };
        match self {
            Single(search) => search(board),
            Of(search) => search(board),
            Sized(search, size) => search(board, size),
            Chain(kind) => chain(board, kind),
            Fish(size, franken, kind) => fish(
                board,
                Wanted {
                    size,
                    franken,
                    kind,
                },
            ),
            Unique(technique) => {
                let all = memo.unique.get_or_insert_with(|| unique(board));
                of_kind(all, technique)
            }
            Avoidable(kind) => {
                let all = memo.avoidable.get_or_insert_with(|| avoidable(board));
                of_kind(all, TechniqueId::AvoidableRectangle(kind))
            }
            Loops(with_groups) => nice_loop(board, with_groups),
            OfSets(search) => search(memo.sets.get_or_insert_with(|| Sets::new(board))),
        }
    }
}

/// The solution's digit for the blank cell in the middle of all blank ones.
fn guess(board: &Board, puzzle: &Puzzle) -> Option<Candidate> {
    let blanks = board.blanks();
    let cell = blanks.into_iter().nth(blanks.len() / 2)?;
    let solution = unique_solution(puzzle)?;
    let digit = solution.digit(cell);
    Some(Candidate { cell, digit })
}

fn unique_solution(puzzle: &Puzzle) -> Option<Solution> {
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Budget::UNLIMITED);
    match outcome.verdict {
        Verdict::Unique(solution) => Some(solution),
        _ => None,
    }
}

/// The steps that HoDoKu takes, and where it has none the digits that it guesses.
///
/// # Errors
/// [`Contradiction`], where there is no solution.
pub fn hodoku_path(puzzle: &Puzzle) -> Result<HodokuPath, Contradiction> {
    let mut board = Board::new(puzzle)?;
    let mut steps = Vec::new();
    while !board.blanks().is_empty() {
        let mut memo = Memo::default();
        let next = RUNGS.iter().find_map(|&(search, level, score)| {
            let found = search.find(&mut board, &mut memo)?;
            Some((found, level, score))
        });
        let (made, level, score) = match next {
            Some((found, level, score)) => {
                board.apply(&found)?;
                (HodokuMove::Deduced(found.deduction), level, score)
            }
            None => {
                let Some(guess) = guess(&board, puzzle) else {
                    break;
                };
                board.place(guess)?;
                (HodokuMove::Guessed(guess), GUESS.0, GUESS.1)
            }
        };
        steps.push(HodokuStep { made, level, score });
    }
    let score = steps.iter().map(|step| step.score).sum();
    let mut hardest: Option<&HodokuStep> = None;
    for step in &steps {
        if hardest.is_none_or(|held| (step.level, step.score) > (held.level, held.score)) {
            hardest = Some(step);
        }
    }
    let hardest = hardest.map_or("", |step| match &step.made {
        HodokuMove::Deduced(step) => scores::spelling(step.technique),
        HodokuMove::Guessed(_) => scores::GUESS,
    });
    Ok(HodokuPath {
        level: scores::level(&steps, score),
        score,
        hardest,
        solved: board.blanks().is_empty(),
        steps,
    })
}
