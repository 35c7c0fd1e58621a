//! The solver `lockstep`: batches in lanes, single puzzles on bit boards.

use std::fmt;

use super::engine::{Batch, Engine, Line, Record};
use crate::grid::{Puzzle, Solution};
use crate::simd;
use crate::solve::bands::Bands;
use crate::solve::solver::{Budget, Effort, Goal, Limits, Outcome, Solver, Verdict};

/// Vector instructions that [`Lockstep`] can be built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 32 lanes: AVX-512 F, BW, VL, VBMI and BITALG (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// 16 lanes.
    Avx2,
    /// 16 lanes in plain Rust.
    Portable,
}

impl InstructionSet {
    /// All of them, the fastest first; a CPU need not have them.
    pub const ALL: [InstructionSet; 3] = [
        InstructionSet::Avx512,
        InstructionSet::Avx2,
        InstructionSet::Portable,
    ];
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Portable => "portable",
        })
    }
}

/// Many puzzles at a time; see the module for how.
///
/// A single puzzle is answered by [`Bands`], which is done before lanes are filled.
///
/// ```
/// use sudoku_batch::solve::{Goal, Limits, Lockstep, Solver, Verdict};
///
/// let puzzle = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
/// let puzzles = [puzzle.parse().expect("81 cells"); 100];
/// let outcomes = Lockstep::new().solve_all(&puzzles, Goal::ProveUnique, Limits::NONE);
/// assert!(outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Unique(_))));
/// ```
pub struct Lockstep {
    instructions: InstructionSet,
    batch: Box<dyn Batch>,
    single: Bands,
}

impl Default for Lockstep {
    fn default() -> Lockstep {
        Lockstep::new()
    }
}

impl fmt::Debug for Lockstep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lockstep({})", self.instructions)
    }
}

impl Lockstep {
    /// A solver on the widest vectors that this CPU has.
    pub fn new() -> Lockstep {
        let best = InstructionSet::ALL.into_iter().find_map(Lockstep::on);
        best.expect("every CPU runs the portable instructions")
    }

    /// A solver on these instructions, if this CPU has them.
    pub fn on(instructions: InstructionSet) -> Option<Lockstep> {
        let batch: Box<dyn Batch> = match instructions {
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => Box::new(Engine::new(simd::Avx512::detect()?)),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => Box::new(Engine::new(simd::Avx2::detect()?)),
            InstructionSet::Portable => Box::new(Engine::new(simd::Portable)),
            #[cfg(not(target_arch = "x86_64"))]
            _ => return None,
        };
        Some(Lockstep {
            instructions,
            batch,
            single: Bands::new(),
        })
    }

    /// The instructions that it runs on.
    pub fn instructions(&self) -> InstructionSet {
        self.instructions
    }

    /// Answers puzzles that are lines of text, in their order. In a line, `1` to `9` are givens and
    /// any other byte a blank: check it before ([`Puzzle::is_cell`]).
    ///
    /// The answers depend on each puzzle alone. Which of several solutions are found first, and the
    /// effort by a few per cent, depend on the other puzzles too: a lane that waits for its turn is
    /// swept once more.
    pub fn solve_lines(&mut self, lines: &[&[u8; 81]], goal: Goal, limits: Limits) -> Replies {
        let records = self.batch.solve(lines, goal.limit(), limits);
        Replies {
            goal,
            more: records.more_by_puzzle(),
            records: records.puzzles,
        }
    }
}

/// The answers to a batch of lines.
#[derive(Clone, Debug)]
pub struct Replies {
    goal: Goal,
    records: Vec<Record>,
    /// Solutions but the first, puzzle by puzzle.
    more: Vec<Line>,
}

/// The answer to one line: a [`Verdict`] whose solutions are lines as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// There is no solution.
    Unsolvable,
    /// A solution; whether there is another was not asked.
    Solved(&'a [u8; 81]),
    /// The only solution, proven.
    Unique(&'a [u8; 81]),
    /// Two or more different solutions: the first that was found, and the others.
    Multiple(&'a [u8; 81], &'a [[u8; 81]]),
    /// The budget ran out first; nothing is known.
    OutOfBudget,
}

impl Replies {
    /// The answers, in the order of the lines.
    pub fn iter(&self) -> impl Iterator<Item = (Reply<'_>, Effort)> {
        let mut more = &self.more[..];
        self.records.iter().map(move |record| {
            let (mine, rest) = more.split_at(record.more());
            more = rest;
            (reply(record, mine, self.goal), record.effort)
        })
    }

    /// The answers as those of any other solver.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        self.iter().map(|(reply, effort)| Outcome {
            verdict: verdict(reply),
            effort,
        })
    }
}

fn reply<'a>(record: &'a Record, more: &'a [Line], goal: Goal) -> Reply<'a> {
    match record.found {
        _ if record.out_of_budget => Reply::OutOfBudget,
        0 => Reply::Unsolvable,
        1 if goal.limit() == 1 => Reply::Solved(&record.first),
        1 => Reply::Unique(&record.first),
        _ => Reply::Multiple(&record.first, more),
    }
}

impl Solver for Lockstep {
    fn solve(&mut self, puzzle: &Puzzle, goal: Goal, budget: Budget) -> Outcome {
        self.single.solve(puzzle, goal, budget)
    }

    fn solve_all(&mut self, puzzles: &[Puzzle], goal: Goal, limits: Limits) -> Vec<Outcome> {
        let lines: Vec<Line> = puzzles.iter().map(Puzzle::to_bytes).collect();
        let lines: Vec<&Line> = lines.iter().collect();
        self.solve_lines(&lines, goal, limits).outcomes().collect()
    }
}

fn verdict(reply: Reply<'_>) -> Verdict {
    let solution = |line: &Line| {
        Solution::from_ascii(line).expect("solved lanes hold every digit in every house")
    };
    match reply {
        Reply::Unsolvable => Verdict::Unsolvable,
        Reply::Solved(line) => Verdict::Solved(solution(line)),
        Reply::Unique(line) => Verdict::Unique(solution(line)),
        Reply::Multiple(first, more) => {
            Verdict::Multiple(std::iter::once(first).chain(more).map(solution).collect())
        }
        Reply::OutOfBudget => Verdict::OutOfBudget,
    }
}
