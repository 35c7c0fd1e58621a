//! `sudoku-batch explain`.

use std::io::Write;
use std::time::Duration;

use sudoku_batch::corpus::{CorpusError, Entry};
use sudoku_batch::files::write_bytes;
use sudoku_batch::grid::Contradiction;
use sudoku_batch::logic::{
    Explanation, LogicSearch, Position, Step, find_all, technique_name, technique_names,
};
use sudoku_batch::report::{
    end_text, explain_json, explain_svg, explain_text, hint_json, instances_json, instances_text,
    refusal_json,
};
use sudoku_batch::roster::{fastest_complete, nearest};
use sudoku_batch::solve::{Deadline, Goal, Limits, Verdict};
use sudoku_batch::stream::{End, each_at_once};

use super::args::{Common, ExplainArgs, LIST};
use super::error::{CliError, print_error, print_hint, print_warning};
use super::explain_variant;
use super::interrupt::stop_flag;
use super::position::{Puzzles, open};
use super::status::Status;
use super::stdout::print;
use super::threads::pool;

const REFUSED: &str = "this profile has steps that assume that there is only one solution; \
                       --assume-unique takes them nevertheless, --profile native has none";

pub(crate) fn run(common: &Common, args: &ExplainArgs) -> Result<Status, CliError> {
    if let Some(name) = &args.find {
        check_name(name)?;
    }
    let (Some(puzzle), false) = (&args.puzzle, args.lists_names()) else {
        return list_names(args);
    };
    let reading = args.layout.is_given().then(|| args.layout.reading());
    match open(puzzle, reading.transpose()?, args.table.column())? {
        Puzzles::Other(lines) => explain_variant::run(common, args, *lines),
        Puzzles::One(position) => one(common, args, &position),
        Puzzles::Many(_) if args.svg.is_some() => Err(CliError::with_hint(
            format!("{puzzle} contains more than one puzzle"),
            "--svg draws a step of a single puzzle: head -n 1 FILE | sudoku-batch explain --svg FILE -",
        )),
        Puzzles::Many(entries) => many(common, args, entries),
    }
}

/// Whether this is the name of a technique, or asks for the names.
fn check_name(name: &str) -> Result<(), CliError> {
    if name == LIST || technique_name(name).is_some() {
        return Ok(());
    }
    let meant = nearest(name, technique_names());
    let meant = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant:?}?)"));
    Err(CliError::with_hint(
        format!("unknown technique {name:?}{meant}"),
        "use --find list for a list of the names",
    ))
}

fn list_names(args: &ExplainArgs) -> Result<Status, CliError> {
    if !args.lists_names() {
        return Err(CliError::with_hint(
            "no puzzle given",
            "give a puzzle, a file, or - for stdin",
        ));
    }
    let names: Vec<&str> = technique_names().collect();
    print(&(names.join("\n") + "\n"));
    Ok(Status::Clean)
}

fn one(common: &Common, args: &ExplainArgs, position: &Position) -> Result<Status, CliError> {
    let without_marks = without_partial_marks(position);
    if without_marks.is_some() {
        print_warning(
            "the pencil marks contradict each other, so they are partial ones: the givens are explained, with all their \
             candidates",
        );
    }
    let position = without_marks.as_ref().unwrap_or(position);
    if let Some(name) = &args.find {
        let instances = Instances::new(args, name, position);
        if let Some(complaint) = &instances.complaint {
            print_error(complaint);
        }
        print(&instances.text(common, position));
        return Ok(instances.status());
    }
    let verdict = solutions(position);
    if let Some(complaint) = position.complaint(&verdict) {
        print_error(complaint);
    }
    let path = Walked::new(args, position, verdict);
    if path.is_refused() {
        print_hint(REFUSED);
    }
    if let Some(file) = &args.svg {
        let steps = path.steps();
        let (number, step) = step_to_draw(steps, args.step.map(usize::from))?;
        let picture = explain_svg(position, step, number);
        write_bytes(file, picture.as_bytes()).map_err(|error| {
            let message = format!("cannot write {}: {error}", file.display());
            CliError::with_hint(message, "give a writable file with --svg")
        })?;
        if !common.quiet {
            anstream::eprintln!("step {number} drawn in {}", file.display());
        }
    }
    print(&path.text(common, args, position));
    Ok(path.status(args))
}

/// The givens, where marks have no solution and the givens among them have one.
fn without_partial_marks(position: &Position) -> Option<Position> {
    let Position::Marks(marks) = position else {
        return None;
    };
    let givens = Position::Puzzle(marks.givens());
    let is_partial = solutions(position) == Verdict::Unsolvable
        && matches!(solutions(&givens), Verdict::Unique(_));
    is_partial.then_some(givens)
}

/// All instances of a technique on a board.
struct Instances<'a> {
    name: &'a str,
    found: Vec<Step>,
    complaint: Option<String>,
}

impl Instances<'_> {
    fn new<'a>(args: &ExplainArgs, name: &'a str, position: &Position) -> Instances<'a> {
        let deadline = args.deadline();
        let (found, complaint) = match position.state() {
            Ok(mut state) => {
                state.set_deadline(deadline);
                let found = find_all(name, &state).unwrap_or_default().into_iter();
                let before = state.grid();
                let steps = found.map(|deduction| Step {
                    before: before.clone(),
                    deduction,
                });
                let late = deadline
                    .is_over()
                    .then(|| "the time limit ended the search".to_owned());
                (steps.collect(), late)
            }
            Err(Contradiction) => (Vec::new(), position.complaint(&Verdict::Unsolvable)),
        };
        Instances {
            name,
            found,
            complaint,
        }
    }

    fn text(&self, common: &Common, position: &Position) -> String {
        if common.json {
            instances_json(position, self.name, &self.found)
        } else {
            instances_text(position, self.name, &self.found)
        }
    }

    fn status(&self) -> Status {
        if self.found.is_empty() || self.complaint.is_some() {
            Status::Partial
        } else {
            Status::Clean
        }
    }
}

/// What is printed of one puzzle of many.
struct Answer {
    text: String,
    complaint: Option<String>,
    status: Status,
    is_refused: bool,
}

/// Each puzzle under the place it comes from, or as one line of JSON.
fn many(
    common: &Common,
    args: &ExplainArgs,
    entries: impl Iterator<Item = Result<Entry, CorpusError>> + Send,
) -> Result<Status, CliError> {
    let work = |Entry { puzzle, place, .. }| {
        let position = Position::Puzzle(puzzle);
        let (text, complaint, status, is_refused) = match &args.find {
            Some(name) => {
                let found = Instances::new(args, name, &position);
                let text = found.text(common, &position);
                let status = found.status();
                (text, found.complaint, status, false)
            }
            None => {
                let path = Walked::new(args, &position, solutions(&position));
                let complaint = position.complaint(&path.verdict);
                let text = path.text(common, args, &position);
                (text, complaint, path.status(args), path.is_refused())
            }
        };
        Answer {
            text: if common.json {
                text.lines().map(str::trim_start).collect::<String>() + "\n"
            } else if args.hint.is_some() {
                format!("{place}: {text}")
            } else {
                format!("{place}\n{text}\n")
            },
            complaint: complaint.map(|complaint| format!("{place}: {complaint}")),
            status,
            is_refused,
        }
    };
    let mut stdout = anstream::stdout();
    let (mut worst, mut refused) = (Status::Clean, false);
    let mut write = |answer: Result<Answer, CorpusError>| match answer {
        Ok(answer) => {
            if let Some(complaint) = answer.complaint {
                print_error(complaint);
            }
            worst = worst.max(answer.status);
            refused |= answer.is_refused;
            stdout.write_all(answer.text.as_bytes())
        }
        Err(error) => {
            print_error(error);
            worst = worst.max(Status::Partial);
            Ok(())
        }
    };
    let end = pool(common)?.install(|| each_at_once(entries, stop_flag(), work, &mut write));
    let end = end.map_err(CliError::new)?;
    if refused {
        print_hint(REFUSED);
    }
    Ok(match end {
        End::Interrupted => Status::Interrupted,
        End::Closed => Status::Clean,
        End::Complete => worst,
    })
}

/// Time for the steps of a board without one solution, where no other is given.
const UNSOUND: Duration = Duration::from_secs(10);

/// The path of a position, with the number of its solutions.
struct Walked {
    verdict: Verdict,
    /// None, if the profile assumes that there is one solution where there are more.
    explanation: Option<Explanation>,
}

impl Walked {
    fn new(args: &ExplainArgs, position: &Position, verdict: Verdict) -> Walked {
        let profile = args.profile.profile;
        let is_refused = matches!(verdict, Verdict::Multiple(_))
            && profile.assumes_uniqueness()
            && !args.profile.assume_unique;
        // Steps of a board without one solution prove nothing: they are shown as far as they come soon.
        let deadline = match verdict {
            Verdict::Unique(_) => args.deadline(),
            _ => Deadline::after(args.time_limit.or(Some(UNSOUND))),
        };
        Walked {
            explanation: (!is_refused).then(|| {
                // A hint needs no more than the first step; a picture may be of any.
                if args.hint.is_some() && args.svg.is_none() {
                    Explanation::first(profile, position, deadline)
                } else {
                    Explanation::new(profile, position, deadline)
                }
            }),
            verdict,
        }
    }

    fn is_refused(&self) -> bool {
        self.explanation.is_none()
    }

    fn steps(&self) -> &[Step] {
        let explanation = self.explanation.as_ref();
        explanation.map_or(&[], |explanation| &explanation.steps)
    }

    fn text(&self, common: &Common, args: &ExplainArgs, position: &Position) -> String {
        let verdict = &self.verdict;
        let is_solvable = verdict.solution().is_some();
        // Steps on the way to no solution are no help.
        let step = self.steps().first().filter(|_| is_solvable);
        match (&self.explanation, args.hint, step) {
            (_, Some(level), step) if common.json => hint_json(position, verdict, step, level),
            (_, Some(level), Some(step)) => step.argument().hint(level) + "\n",
            (Some(explanation), Some(_), None) if is_solvable => end_text(explanation),
            (_, Some(_), None) => String::new(),
            (Some(explanation), None, _) if common.json => {
                explain_json(position, verdict, explanation)
            }
            (Some(explanation), None, _) => explain_text(position, explanation),
            (None, None, _) if common.json => {
                refusal_json(position, verdict, args.profile.profile.name)
            }
            (None, None, _) => String::new(),
        }
    }

    fn status(&self, args: &ExplainArgs) -> Status {
        let end = self.explanation.as_ref().map(|path| &path.end);
        let is_solved = matches!(end, Some(Ok(grid)) if grid.solution().is_some());
        let is_helped = args.hint.is_some() && !self.steps().is_empty();
        let is_unique = matches!(self.verdict, Verdict::Unique(_));
        if is_unique && (is_solved || is_helped) {
            Status::Clean
        } else {
            Status::Partial
        }
    }
}

/// Whether the position has one solution: logic alone may not come so far.
fn solutions(position: &Position) -> Verdict {
    let (goal, limits) = (Goal::ProveUnique, Limits::NONE);
    match position {
        Position::Puzzle(puzzle) => {
            let mut solver = (fastest_complete().build)();
            solver.solve(puzzle, goal, limits).verdict
        }
        Position::Marks(marks) => match marks.grid() {
            Ok(grid) => LogicSearch::solve_marks(&grid, goal, limits).verdict,
            Err(_) => Verdict::Unsolvable,
        },
    }
}

/// The step that was asked for, and its number; else the first that is not a single, or the first.
fn step_to_draw(steps: &[Step], asked: Option<usize>) -> Result<(usize, &Step), CliError> {
    let number = asked.unwrap_or_else(|| {
        let first = steps.iter().position(|step| !step.is_single());
        first.map_or(1, |index| index + 1)
    });
    match steps.get(number - 1) {
        Some(step) => Ok((number, step)),
        None if steps.is_empty() => Err(CliError::new("there is no step to draw")),
        None => Err(CliError::new(format!(
            "there is no step {number}: the last one is step {}",
            steps.len()
        ))),
    }
}
