//! What can be measured: a solver by name, and the kind of board it is for.

use std::hash::Hash;

use rand_chacha::ChaCha8Rng;

use super::answer::AnswerKind;
use super::check::{Reference, Wrong};
use crate::corpus::Place;
use crate::solve::{Effort, Goal, Limits};

/// A solver that can be measured. All rows of a measurement are for one kind of board, which says what puzzles,
/// answers and references are.
pub trait Contender: Copy + Send + Sync + 'static {
    /// A puzzle as a corpus gives it.
    type Puzzle: Clone + Send + Sync;
    /// A puzzle as a solver takes it.
    type Line: Clone + Send + Sync;
    /// A solver.
    type Solver: Send;
    /// What a solver hands over.
    type Outcome;
    /// What of it is kept while the clock runs.
    type Answer: Answered<Self::Outcome>;
    /// A full board.
    type Solution: Eq + Hash + Send + Sync;

    /// What the user calls it.
    fn name(&self) -> &'static str;

    /// Makes a solver.
    fn build(&self) -> Self::Solver;

    /// What its answers are checked as answers to, where this goal is asked.
    fn held_to(&self, goal: Goal) -> Goal;

    /// Whether it knows the rules of this puzzle.
    fn supports(&self, _puzzle: &Self::Puzzle) -> bool {
        true
    }

    /// The solver whose verdicts the row of this name is checked against: one that shares no search with it.
    fn referee(solver: &str) -> &'static str;

    /// What a referee says of a puzzle: all solutions up to as many as the goal asks for, two at least.
    fn reference(referee: &str, puzzle: &Self::Puzzle, goal: Goal) -> Reference<Self::Solution>;

    /// The puzzle as a solver takes it.
    fn line(puzzle: &Self::Puzzle) -> Self::Line;

    /// The puzzle as a line of text; equal puzzles have equal lines.
    fn text(puzzle: &Self::Puzzle) -> String;

    /// The same puzzle in another guise, as hard: what is warmed up on.
    fn disguised(puzzle: &Self::Puzzle, random: &mut ChaCha8Rng) -> Self::Line;

    /// Answers the goal for each of these puzzles, in their order.
    fn solve_lines(
        solver: &mut Self::Solver,
        lines: &[Self::Line],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Self::Outcome),
    );

    /// Checks an answer against what is known. Where nothing is known, the answer must at least not
    /// contradict itself. Giving up and getting stuck are no wrong answers.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(
        puzzle: &Self::Puzzle,
        goal: Goal,
        answer: &Self::Answer,
        reference: &Reference<Self::Solution>,
    ) -> Result<AnswerKind, Wrong>;

    /// Appends a puzzle as another program reads it, without an end of line.
    fn write_line(line: &Self::Line, text: &mut Vec<u8>);

    /// Reads the line that another program answers to a puzzle. A solution is a claim of just what was asked
    /// for: that it is the only one, where that is the goal. More solutions may follow it on the line.
    fn read_answer(line: &Self::Line, answer: &[u8], goal: Goal) -> Option<Self::Answer>;
}

/// An answer as it is written down on the clock.
pub trait Answered<Outcome>: Clone + Send {
    /// Nothing is known yet.
    const NONE: Self;

    /// Writes the outcome down.
    fn set(&mut self, outcome: Outcome);

    /// What is claimed; never [`AnswerKind::Wrong`], which is found out later.
    fn kind(&self) -> AnswerKind;

    /// The work it took.
    fn effort(&self) -> Effort;
}

/// An entry of a corpus, to be measured.
#[derive(Clone, Debug)]
pub struct BenchEntry<P> {
    /// The puzzle.
    pub puzzle: P,
    /// Where it stands.
    pub place: Place,
    /// Whether the corpus gives a solution with it that is none.
    pub has_wrong_solution: bool,
}
