//! `sudoku-batch explain`.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use sudoku_batch::corpus::Corpus;
use sudoku_batch::files::write_bytes;
use sudoku_batch::grid::{ParsePencilMarksError, PencilMarks, Puzzle};
use sudoku_batch::logic::{Explanation, LogicSearch, NATIVE, Position, Step};
use sudoku_batch::report::{
    end_text, explain_complaint, explain_json, explain_svg, explain_text, hint_json,
};
use sudoku_batch::roster::fastest_complete;
use sudoku_batch::solve::{Budget, Goal, Verdict};

use super::args::{Common, ExplainArgs};
use super::error::{CliError, print_error};
use super::status::Status;
use super::stdout::print;

const FORMATS: &str = "PUZZLE is 81 characters (blanks . 0 * _ or -), 729 characters of pencil \
                       marks, a file that holds one puzzle, or - for stdin";

/// No file with one puzzle is longer.
const LONGEST_TEXT: u64 = 1 << 20;

pub(crate) fn run(common: &Common, args: &ExplainArgs) -> Result<Status, CliError> {
    let position = read(&args.puzzle)?;
    let verdict = solutions(&position);
    let explanation = Explanation::new(&NATIVE, position.start());
    if let Some(complaint) = explain_complaint(&position, &verdict) {
        print_error(complaint);
    }
    if let Some(path) = &args.svg {
        let (number, step) = step_to_draw(&explanation, args.step.map(usize::from))?;
        let picture = explain_svg(&position, step, number);
        write_bytes(path, picture.as_bytes())
            .map_err(|error| CliError::new(format!("cannot write {}: {error}", path.display())))?;
        if !common.quiet {
            anstream::eprintln!("step {number} is drawn in {}", path.display());
        }
    }
    let is_solvable = verdict.solution().is_some();
    if let Some(level) = args.hint {
        // Steps on the way to no solution are no help.
        let step = explanation.steps.first().filter(|_| is_solvable);
        if common.json {
            print(&hint_json(&position, &verdict, step, level));
        } else if let Some(step) = step {
            print(&(step.argument().hint(level) + "\n"));
        } else if is_solvable {
            print(&end_text(&explanation));
        }
    } else if common.json {
        print(&explain_json(&position, &verdict, &explanation));
    } else {
        print(&explain_text(&position, &explanation));
    }
    let is_solved = matches!(&explanation.end, Ok(grid) if grid.solution().is_some());
    let is_helped = args.hint.is_some() && !explanation.steps.is_empty();
    let is_unique = matches!(verdict, Verdict::Unique(_));
    Ok(if is_unique && (is_solved || is_helped) {
        Status::Clean
    } else {
        Status::Partial
    })
}

/// Whether the position has one solution: logic alone may not come so far.
fn solutions(position: &Position) -> Verdict {
    let (goal, budget) = (Goal::ProveUnique, Budget::UNLIMITED);
    match position {
        Position::Puzzle(puzzle) => {
            let mut solver = (fastest_complete().build)();
            solver.solve(puzzle, goal, budget).verdict
        }
        Position::Marks(marks) => match marks.grid() {
            Ok(grid) => LogicSearch::solve_marks(&grid, goal, budget).verdict,
            Err(_) => Verdict::Unsolvable,
        },
    }
}

/// The step that was asked for, and its number; else the first that is not a single, or the first.
fn step_to_draw(
    explanation: &Explanation,
    asked: Option<usize>,
) -> Result<(usize, &Step), CliError> {
    let steps = &explanation.steps;
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

/// The puzzle that this argument is or names.
fn read(argument: &str) -> Result<Position, CliError> {
    let path = Path::new(argument);
    let (name, text) = if argument == "-" {
        ("<stdin>", text(io::stdin().lock()))
    } else if path.exists() {
        (argument, File::open(path).and_then(text))
    } else {
        ("<argument>", Ok(argument.as_bytes().to_owned()))
    };
    let text = text.map_err(|error| CliError::new(format!("cannot read {name}: {error}")))?;
    if let Ok(marks) = std::str::from_utf8(&text).map(str::parse::<PencilMarks>) {
        match marks {
            Ok(marks) => return Ok(Position::Marks(marks)),
            // Nine puzzles of 81 characters are as long.
            Err(error @ ParsePencilMarksError::Character { .. })
                if !text.trim_ascii().contains(&b'\n') =>
            {
                return Err(CliError::with_hint(format!("{name}: {error}"), FORMATS));
            }
            Err(_) => {}
        }
    }
    one_puzzle(name, text).map(Position::Puzzle)
}

fn text(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    reader.take(LONGEST_TEXT).read_to_end(&mut text)?;
    Ok(text)
}

/// The only puzzle of a text.
fn one_puzzle(name: &str, text: Vec<u8>) -> Result<Puzzle, CliError> {
    let wrong = |error| CliError::with_hint(error, FORMATS);
    let mut corpus = Corpus::from_reader(name, Cursor::new(text)).map_err(CliError::new)?;
    let first = corpus.next();
    let entry = first.ok_or_else(|| wrong(format!("no puzzle in {name}")))?;
    let entry = entry.map_err(|error| wrong(error.to_string()))?;
    match corpus.next() {
        None => Ok(entry.puzzle),
        Some(_) => Err(CliError::with_hint(
            format!("{name} holds more than one puzzle"),
            "explain takes one at a time: head -n 1 FILE | sudoku-batch explain -",
        )),
    }
}
