//! Solves streams of puzzles of any layout.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::answers::{Ask, Problem, Tally};
use super::pipeline::{End, StreamError, ended};
use crate::corpus::Place;
use crate::parallel::map_in_order;
use crate::solve::Goal;
use crate::variant::{
    Alphabet, Value, VariantCorpusError, VariantEntry, VariantLine, VariantPuzzle, VariantSolution,
    VariantSolver, VariantSolverSpec, VariantVerdict, fastest, is_quick, pretty, write_cells,
};

/// Number of quick puzzles that a thread takes at a time; of others it takes one.
const BATCH: usize = 256;

/// Format of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerStyle {
    /// One line each.
    Lines,
    /// As drawn boards, with an empty line after each.
    Drawn,
}

/// Answers every puzzle with one line as in [`answer_all`](super::answer_all), or with a drawing.
/// Without a solver each puzzle gets the one that is fastest on its layout. Contradictory givens
/// are reported as problems.
///
/// Answers are written as soon as those before them are; runs in the current rayon pool, and takes
/// no further puzzle once it is asked to stop. A search that `ask.limits.stop` has ended gives no
/// answer.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn answer_variants(
    lines: impl Iterator<Item = Result<VariantLine, VariantCorpusError>> + Send,
    solver: Option<&VariantSolverSpec>,
    ask: Ask,
    style: AnswerStyle,
    stop: &AtomicBool,
    out: &mut (dyn Write + Send),
    on_problem: &mut (dyn FnMut(&Problem) + Send),
) -> Result<(Tally, End), StreamError> {
    let mut out = BufWriter::with_capacity(64 * 1024, out);
    let mut lines = lines.peekable();
    let batches = std::iter::from_fn(|| {
        let mut batch: Vec<_> = Vec::new();
        while !stop.load(Ordering::Relaxed)
            && batch.len() < BATCH
            && !batch.last().is_some_and(is_slow)
            && let Some(line) = lines.next_if(|line| batch.is_empty() || !is_slow(line))
        {
            batch.push(line);
        }
        (!batch.is_empty()).then_some(batch)
    });
    let mut tally = Tally::default();
    let (mut has_zeros, mut is_cut) = (false, false);
    let write = |answers: Answers| -> io::Result<()> {
        if is_cut {
            return Ok(());
        }
        is_cut = answers.is_cut;
        tally += answers.tally;
        for problem in &answers.problems {
            let is_said =
                matches!(problem, Problem::Zeros { .. }) && std::mem::replace(&mut has_zeros, true);
            if !is_said {
                on_problem(problem);
            }
        }
        out.write_all(answers.text.as_bytes())?;
        out.flush()
    };
    let idle = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |batch: Vec<_>| {
        let known = lock().pop();
        let mut solvers = known.unwrap_or_else(|| Solvers::new(solver));
        let mut answers = Answers::default();
        for line in batch {
            if answers.is_cut {
                break;
            }
            match line {
                Ok(line) => answers.answer(&mut solvers, line, ask, style, stop),
                Err(error) => answers.error(error),
            }
        }
        lock().push(solvers);
        answers
    };
    let end = ended(map_in_order(batches, work, write), stop)?;
    Ok((tally, end))
}

/// Returns whether a puzzle may take long, so that it must not hold up others.
fn is_slow(line: &Result<VariantLine, VariantCorpusError>) -> bool {
    line.as_ref()
        .is_ok_and(|line| !is_quick(line.entry.puzzle.layout()))
}

/// The solvers of a thread, which keep data on a layout.
struct Solvers<'a> {
    asked: Option<&'a VariantSolverSpec>,
    built: Vec<(&'static str, Box<dyn VariantSolver>)>,
}

impl<'a> Solvers<'a> {
    fn new(asked: Option<&'a VariantSolverSpec>) -> Solvers<'a> {
        Solvers {
            asked,
            built: Vec::new(),
        }
    }

    /// Returns the verdict on the puzzle; the name of the solver, if it does not support the rules.
    fn solve(&mut self, puzzle: &VariantPuzzle, ask: Ask) -> Result<VariantVerdict, &'static str> {
        let spec = self.asked.unwrap_or_else(|| fastest(puzzle.layout()));
        if !(spec.supports)(puzzle.layout()) {
            return Err(spec.name);
        }
        let known = self.built.iter().position(|(name, _)| *name == spec.name);
        let place = known.unwrap_or_else(|| {
            self.built.push((spec.name, (spec.build)()));
            self.built.len() - 1
        });
        let solver = &mut self.built[place].1;
        Ok(solver.solve(puzzle, ask.goal, ask.limits).verdict)
    }
}

/// The answers of a batch.
#[derive(Default)]
struct Answers {
    text: String,
    tally: Tally,
    problems: Vec<Problem>,
    /// Whether the flag has ended a search. Later answers would stand on the wrong lines.
    is_cut: bool,
}

impl Answers {
    fn error(&mut self, error: VariantCorpusError) {
        if error.is_of_line() {
            self.tally.bad_lines += 1;
        } else {
            self.tally.broken_files += 1;
        }
        self.problems.push(match error {
            VariantCorpusError::Corpus(error) => Problem::Corpus(error),
            error => Problem::Variant(error),
        });
    }

    fn answer(
        &mut self,
        solvers: &mut Solvers<'_>,
        line: VariantLine,
        ask: Ask,
        style: AnswerStyle,
        stop: &AtomicBool,
    ) {
        let VariantLine { place, entry } = line;
        let (puzzle, alphabet) = (&entry.puzzle, entry.alphabet);
        let board = |solution: &VariantSolution| shown(puzzle, alphabet, solution, style);
        let verdict = match solvers.solve(puzzle, ask) {
            Ok(verdict) => verdict,
            Err(solver) => {
                self.tally.stuck += 1;
                self.text += "stuck\n";
                self.problems.push(Problem::Unsupported { place, solver });
                return;
            }
        };
        if verdict == VariantVerdict::OutOfBudget && stop.load(Ordering::Relaxed) {
            self.is_cut = true;
            return;
        }
        if let Some(expected) = &entry.expected
            && !agrees(&verdict, puzzle, expected)
        {
            self.tally.disagreements += 1;
            let place = place.clone();
            self.problems.push(Problem::Disagreement { place });
        }
        match &verdict {
            VariantVerdict::Unsolvable => {
                self.tally.unsolvable += 1;
                self.text += "unsolvable";
                if let Some(clash) = puzzle.clash() {
                    let why = clash.describe(puzzle.layout(), alphabet);
                    self.problems.push(Problem::Clash { place, why });
                }
            }
            VariantVerdict::Solved(only) | VariantVerdict::Unique(only) => {
                self.tally.solved += 1;
                self.text += &board(only);
            }
            VariantVerdict::Multiple(several) => {
                self.tally.multiple += 1;
                self.problems.extend(doubtful_zeros(&entry, place));
                if let Goal::Count(_) = ask.goal {
                    let between = match style {
                        // Numbers have commas within a board.
                        AnswerStyle::Lines if alphabet.is_single() => ",",
                        AnswerStyle::Lines => ";",
                        AnswerStyle::Drawn => "",
                    };
                    let several: Vec<String> = several.iter().map(board).collect();
                    self.text += &several.join(between);
                } else {
                    self.text += "multiple";
                }
            }
            VariantVerdict::OutOfBudget => {
                self.tally.timeout += 1;
                self.text += "timeout";
            }
        }
        self.text.push('\n');
    }
}

/// Returns a solution as a line, or drawn.
fn shown(
    puzzle: &VariantPuzzle,
    alphabet: Alphabet,
    solution: &VariantSolution,
    style: AnswerStyle,
) -> String {
    let cells: Vec<Option<Value>> = solution.values().iter().copied().map(Some).collect();
    match style {
        AnswerStyle::Lines => {
            let written = write_cells(&cells, alphabet);
            written
                .or_else(|_| write_cells(&cells, Alphabet::Numbers))
                .unwrap_or_default()
        }
        AnswerStyle::Drawn => pretty(puzzle.layout(), &cells, alphabet),
    }
}

/// Returns a warning about a puzzle with several solutions where 0 may be a value: it was taken for
/// a blank, and the largest value occurs nowhere.
fn doubtful_zeros(entry: &VariantEntry, place: Place) -> Option<Problem> {
    let side = entry.puzzle.layout().side();
    let largest = u8::try_from(side).ok().and_then(Value::new)?;
    let has_largest = entry.puzzle.givens().contains(&Some(largest));
    let instead = match entry.alphabet {
        Alphabet::OneBased => Alphabet::ZeroBased,
        Alphabet::Numbers => Alphabet::NumbersFromZero,
        _ => return None,
    };
    let is_doubtful = side > 9 && entry.has_blank_zeros && !has_largest;
    is_doubtful.then_some(Problem::Zeros {
        place,
        largest: entry.alphabet.symbol(largest)?,
        instead,
    })
}

/// Returns whether a verdict agrees with the solution in the corpus; where it is inconclusive,
/// whether that is a solution at all.
fn agrees(verdict: &VariantVerdict, puzzle: &VariantPuzzle, expected: &[Value]) -> bool {
    match verdict {
        VariantVerdict::Unsolvable => false,
        VariantVerdict::Unique(solution) => solution.values() == expected,
        VariantVerdict::Solved(_) | VariantVerdict::Multiple(_) | VariantVerdict::OutOfBudget => {
            VariantSolution::new(puzzle, expected.to_vec()).is_some()
        }
    }
}
