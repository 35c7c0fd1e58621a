//! `sudoku-batch explain` on boards of other sizes and shapes.

use std::io::Write;

use sudoku_batch::files::write_bytes;
use sudoku_batch::report::{explain_variant_json, explain_variant_text};
use sudoku_batch::solve::{Goal, Limits, Stop};
use sudoku_batch::stream::{End, each_at_once};
use sudoku_batch::variant::{
    VariantCorpus, VariantEntry, VariantExplanation, VariantLine, VariantPuzzle, VariantVerdict,
    fastest, svg,
};

use super::args::{Common, ExplainArgs};
use super::error::{CliError, print_error};
use super::interrupt::stop_flag;
use super::status::Status;
use super::threads::pool;

/// What is printed of a puzzle.
struct Answer {
    text: String,
    complaint: Option<String>,
    is_solved: bool,
}

pub(crate) fn run(
    common: &Common,
    args: &ExplainArgs,
    mut lines: VariantCorpus,
) -> Result<Status, CliError> {
    if args.hint.is_some() || args.find.is_some() || args.profile.is_given() {
        return Err(CliError::with_hint(
            "boards of other sizes and shapes are explained by singles, subsets and sums only",
            "omit --hint, --find, --profile and --assume-unique",
        ));
    }
    let first = lines.next();
    let first = first.ok_or_else(|| CliError::new("no puzzle found"))?;
    let second = lines.next();
    let is_only = second.is_none();
    match &first {
        Err(error) if is_only => {
            let hint = "see `convert --help` for the formats of boards of any size";
            return Err(CliError::with_hint(error, hint));
        }
        Ok(line) if is_only => draw(common, args, &line.entry)?,
        _ if args.svg.is_some() => {
            return Err(CliError::with_hint(
                "there is more than one puzzle",
                "--svg draws a single puzzle: head -n 1 FILE | sudoku-batch explain --svg FILE -",
            ));
        }
        _ => {}
    }
    let lines = [first].into_iter().chain(second).chain(lines);
    let work = |VariantLine { place, entry }| {
        let answer = explained(common, args, &entry);
        let at = |text: String| {
            if is_only {
                text
            } else {
                format!("{place}: {text}")
            }
        };
        Answer {
            text: match (is_only, common.json) {
                (true, _) | (_, true) => answer.text,
                (false, false) => format!("{place}\n{}\n", answer.text),
            },
            complaint: answer.complaint.map(at),
            ..answer
        }
    };
    let mut stdout = anstream::stdout();
    let mut worst = Status::Clean;
    let mut write = |answer: Result<Answer, _>| match answer {
        Ok(answer) => {
            if let Some(complaint) = answer.complaint {
                print_error(complaint);
            }
            if !answer.is_solved {
                worst = worst.max(Status::Partial);
            }
            stdout.write_all(answer.text.as_bytes())
        }
        Err(error) => {
            print_error(error);
            worst = worst.max(Status::Partial);
            Ok(())
        }
    };
    let end = pool(common)?.install(|| each_at_once(lines, stop_flag(), work, &mut write));
    Ok(match end.map_err(CliError::new)? {
        End::Interrupted => Status::Interrupted,
        End::Closed => Status::Clean,
        End::Complete => worst,
    })
}

fn explained(common: &Common, args: &ExplainArgs, entry: &VariantEntry) -> Answer {
    let VariantEntry {
        puzzle, alphabet, ..
    } = entry;
    let explanation = VariantExplanation::new(puzzle);
    let complaint = complaint(args, entry);
    let text = if common.json {
        explain_variant_json(puzzle, *alphabet, &explanation)
    } else {
        explain_variant_text(puzzle, *alphabet, &explanation)
    };
    Answer {
        text,
        is_solved: explanation.is_solved() && complaint.is_none(),
        complaint,
    }
}

/// What is wrong with a puzzle that does not have one solution.
fn complaint(args: &ExplainArgs, entry: &VariantEntry) -> Option<String> {
    let puzzle = &entry.puzzle;
    if let Some(clash) = puzzle.clash() {
        let clash = clash.describe(puzzle.layout(), entry.alphabet);
        return Some(format!("no solution: {clash}"));
    }
    let limits = Limits {
        time: args.time_limit,
        stop: Some(Stop(stop_flag())),
        ..Limits::NONE
    };
    let mut solver = (fastest(puzzle.layout()).build)();
    match solver.solve(puzzle, Goal::ProveUnique, limits).verdict {
        VariantVerdict::Unsolvable => Some("no solution".to_owned()),
        VariantVerdict::Multiple(_) => Some("it has more than one solution".to_owned()),
        VariantVerdict::OutOfBudget => Some("the number of solutions is unknown".to_owned()),
        VariantVerdict::Solved(_) | VariantVerdict::Unique(_) => None,
    }
}

/// Draws the board as it is after a step, or as far as steps lead, if that is asked for.
fn draw(common: &Common, args: &ExplainArgs, entry: &VariantEntry) -> Result<(), CliError> {
    let Some(file) = &args.svg else {
        return Ok(());
    };
    let puzzle: &VariantPuzzle = &entry.puzzle;
    let explanation = VariantExplanation::new(puzzle);
    let steps = explanation.steps.len();
    let asked = args.step.map_or(steps, usize::from);
    if asked > steps {
        return Err(CliError::new(format!(
            "there is no step {asked}: the last one is step {steps}"
        )));
    }
    let cells = explanation.after(puzzle, asked);
    // Only a step that was asked for is shown as one.
    let shown = args
        .step
        .and_then(|_| explanation.steps.get(asked.checked_sub(1)?));
    let picture = svg(puzzle, &cells, entry.alphabet, shown);
    write_bytes(file, picture.as_bytes()).map_err(|error| {
        let message = format!("cannot write {}: {error}", file.display());
        CliError::with_hint(message, "give a writable file with --svg")
    })?;
    if !common.quiet {
        anstream::eprintln!("the board after step {asked} drawn in {}", file.display());
    }
    Ok(())
}
