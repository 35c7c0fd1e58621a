//! What can be measured: named solvers, generic over the kind of board.

use std::hash::Hash;

use rand_chacha::ChaCha8Rng;

use super::answer::AnswerKind;
use super::check::{Reference, Wrong};
use crate::corpus::Place;
use crate::solve::{Effort, Goal, Limits};

/// A solver that can be measured. All rows of a measurement are for one kind of board, which
/// determines the types of puzzles, answers and references.
pub trait Contender: Copy + Send + Sync + 'static {
    /// A puzzle as a corpus gives it.
    type Puzzle: Clone + Send + Sync;
    /// A puzzle as passed to a solver.
    type Line: Clone + Send + Sync;
    /// A solver.
    type Solver: Send;
    /// The result of a solver.
    type Outcome;
    /// The part of the result that is stored while the clock runs.
    type Answer: Answered<Self::Outcome>;
    /// A full board.
    type Solution: Eq + Hash + Send + Sync;

    /// Returns the name on the command line.
    fn name(&self) -> &'static str;

    /// Makes a solver.
    fn build(&self) -> Self::Solver;

    /// Returns the goal that its answers are checked against when it is asked for `goal`.
    fn checked_goal(&self, goal: Goal) -> Goal;

    /// Returns whether it supports the rules of this puzzle.
    fn supports(&self, _puzzle: &Self::Puzzle) -> bool {
        true
    }

    /// Returns the reference solver for the row of this name: one that shares no search with it.
    fn referee(solver: &str) -> &'static str;

    /// Returns the verdict of a reference solver on a puzzle: all solutions up to as many as the
    /// goal asks for, but at least two.
    fn reference(referee: &str, puzzle: &Self::Puzzle, goal: Goal) -> Reference<Self::Solution>;

    /// Returns the puzzle as passed to a solver.
    fn line(puzzle: &Self::Puzzle) -> Self::Line;

    /// Returns the puzzle as a line of text; equal puzzles have equal lines.
    fn text(puzzle: &Self::Puzzle) -> String;

    /// Returns a random equivalent puzzle, equally hard, for the warm-up.
    fn disguised(puzzle: &Self::Puzzle, random: &mut ChaCha8Rng) -> Self::Line;

    /// Solves each of these puzzles, in their order.
    fn solve_lines(
        solver: &mut Self::Solver,
        lines: &[Self::Line],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Self::Outcome),
    );

    /// Checks an answer against the reference. Where that is unknown, the answer must at least be
    /// consistent. Giving up and getting stuck are no wrong answers.
    ///
    /// # Errors
    ///
    /// What is wrong with the answer.
    fn check(
        puzzle: &Self::Puzzle,
        goal: Goal,
        answer: &Self::Answer,
        reference: &Reference<Self::Solution>,
    ) -> Result<AnswerKind, Wrong>;

    /// Appends a puzzle in the format for external programs, without an end of line.
    fn write_line(line: &Self::Line, text: &mut Vec<u8>);

    /// Parses the answer line of an external program to a puzzle. A solution claims what was asked
    /// for: that it is the only one, where that is the goal. Further solutions may follow it on the
    /// line.
    fn read_answer(line: &Self::Line, answer: &[u8], goal: Goal) -> Option<Self::Answer>;
}

/// An answer as stored while the clock runs.
pub trait Answered<Outcome>: Clone + Send {
    /// No answer yet.
    const NONE: Self;

    /// Stores an outcome.
    fn set(&mut self, outcome: Outcome);

    /// Returns the claim; never [`AnswerKind::Wrong`], which is decided later.
    fn kind(&self) -> AnswerKind;

    /// Returns the effort.
    fn effort(&self) -> Effort;
}

/// An entry of a corpus.
#[derive(Clone, Debug)]
pub struct BenchEntry<P> {
    /// The puzzle.
    pub puzzle: P,
    /// Its place in the corpus.
    pub place: Place,
    /// Whether the corpus gives a solution that does not solve it.
    pub has_wrong_solution: bool,
}
