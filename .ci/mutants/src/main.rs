//! Mutation tests of whole modules in minutes: `mutants COPY MUTANTS.json REPORT.csv TEST...`.
//!
//! cargo-mutants changes a source file in one place, builds, runs the tests, and goes on to the next: hours for a
//! module. Here all its changes are built into one program at once, each behind a switch ("mutant schemata": Untch,
//! Offutt and Harrold, 1993). A first run of each test shows which changes it passes through; after that a change is
//! tried with the tests that reach it, the fastest first, until one fails.

mod build;
mod rewrite;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use serde_json::Value;

/// One change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// As cargo-mutants calls it.
    pub name: String,
    pub file: String,
    pub genre: String,
    pub replacement: String,
    /// Line and column, counted from 1, where the changed text begins.
    pub place: (usize, usize),
}

fn main() -> ExitCode {
    match trial() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn trial() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [copy, list, report, tests @ ..] = arguments.as_slice() else {
        return Err("usage: mutants COPY MUTANTS.json REPORT.csv TEST...".to_owned());
    };
    let copy = Path::new(copy);
    let list = fs::read_to_string(list).map_err(|error| format!("{list}: {error}"))?;
    let mutants = mutants(&list)?;
    let originals = originals(copy, &mutants)?;

    let mut left_out: BTreeMap<usize, &'static str> = BTreeMap::new();
    let mut constant = BTreeSet::new();
    let binaries = loop {
        left_out.extend(rewrite::write(
            copy, &originals, &mutants, &left_out, &constant,
        )?);
        match build::build(copy, tests)? {
            build::Built::Binaries(binaries) => break binaries,
            build::Built::Errors { mutants, functions } => {
                eprintln!(
                    "{} changes do not compile, {} functions stay constant",
                    mutants.len(),
                    functions.len()
                );
                if mutants.iter().all(|id| left_out.contains_key(id))
                    && functions.is_subset(&constant)
                {
                    return Err("the copy does not compile".to_owned());
                }
                left_out.extend(mutants.into_iter().map(|id| (id, "does not compile")));
                constant.extend(functions);
            }
        }
    };
    let tried: Vec<usize> = (0..mutants.len())
        .filter(|id| !left_out.contains_key(id))
        .collect();
    eprintln!("{} of {} changes are built in", tried.len(), mutants.len());
    let mut outcomes = run::run(copy, &binaries, &tried)?;
    let unbuilt = left_out
        .iter()
        .map(|(&id, &why)| (id, (why.to_owned(), String::new())));
    outcomes.extend(unbuilt);
    write_report(report, &mutants, &outcomes)
}

fn mutants(list: &str) -> Result<Vec<Mutant>, String> {
    let list: Vec<Value> = serde_json::from_str(list).map_err(|error| error.to_string())?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| value.as_u64().unwrap_or_default() as usize;
    let mutant = |value: &Value| {
        let start = &value["span"]["start"];
        Mutant {
            name: text(&value["name"]),
            file: text(&value["file"]),
            genre: text(&value["genre"]),
            replacement: text(&value["replacement"]),
            place: (number(&start["line"]), number(&start["column"])),
        }
    };
    Ok(list.iter().map(mutant).collect())
}

/// The text of each file that changes.
fn originals(copy: &Path, mutants: &[Mutant]) -> Result<BTreeMap<String, String>, String> {
    let files: BTreeSet<&String> = mutants.iter().map(|mutant| &mutant.file).collect();
    let read = |file: &String| {
        let path: PathBuf = copy.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok((file.clone(), text))
    };
    files.into_iter().map(read).collect()
}

/// Writes a row for each change, and prints how many of each module had which outcome.
fn write_report(
    path: &str,
    mutants: &[Mutant],
    outcomes: &BTreeMap<usize, (String, String)>,
) -> Result<(), String> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut rows = "change,outcome,test\n".to_owned();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (id, (outcome, test)) in outcomes {
        let mutant = &mutants[*id];
        rows += &format!("{},{outcome},{}\n", quoted(&mutant.name), quoted(test));
        let module = mutant.file.split('/').nth(1).unwrap_or_default();
        *counts.entry((module, outcome)).or_default() += 1;
    }
    for ((module, outcome), count) in counts {
        println!("{module}: {count} {outcome}");
    }
    fs::write(path, rows).map_err(|error| format!("{path}: {error}"))
}
