//! `sudoku-batch convert`.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::Ordering;

use sudoku_batch::report::counted;
use sudoku_batch::variant::{Reading, VariantCorpusError, VariantLine};

use super::args::{Common, ConvertArgs};
use super::corpora::{advice, open, paths};
use super::error::{CliError, print_error, print_hint};
use super::interrupt::stop_flag;
use super::status::Status;

pub(crate) fn run(common: &Common, args: &ConvertArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "convert does not support --json: puzzles go to stdout",
            "omit it",
        ));
    }
    let paths = paths(&args.corpora, "convert")?;
    let lines = open(paths, &args.layout, &args.table)?.into_lines();
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut written, mut failed) = (0_u64, 0_u64);
    for line in lines {
        if stop_flag().load(Ordering::Relaxed) {
            return Ok(Status::Interrupted);
        }
        match converted(args, line) {
            Ok(line) => {
                written += 1;
                match writeln!(out, "{line}") {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                        return Ok(Status::Clean);
                    }
                    result => result.map_err(cannot_write)?,
                }
            }
            Err(error) => {
                failed += 1;
                print_error(error);
            }
        }
    }
    out.flush().map_err(cannot_write)?;
    if !common.quiet {
        let failed = match failed {
            0 => String::new(),
            failed => format!(", {} not", counted(failed, "line")),
        };
        anstream::eprintln!("converted {}{failed}", counted(written, "puzzle"));
    }
    if written == 0 {
        let formats = "see `convert --help` for the formats";
        print_hint(advice(&args.corpora, &args.table, formats));
        return Ok(Status::Failed);
    }
    Ok(if failed == 0 {
        Status::Clean
    } else {
        Status::Partial
    })
}

fn cannot_write(error: io::Error) -> CliError {
    CliError::new(format!("cannot write the puzzles: {error}"))
}

/// The line of a puzzle, or why there is none.
fn converted(
    args: &ConvertArgs,
    line: Result<VariantLine, VariantCorpusError>,
) -> Result<String, String> {
    let VariantLine { place, entry } = line.map_err(|error| error.to_string())?;
    let alphabet = args.to_symbols.unwrap_or(entry.alphabet);
    let solution = entry.expected.as_deref();
    let told = Reading::default();
    let written = args.to.write(&entry.puzzle, alphabet, solution, &told);
    written.map_err(|error| format!("{place}: {error}"))
}
