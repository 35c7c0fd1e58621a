//! Builds the copy, and says which changes an error comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub enum Built {
    /// The programs of the tests.
    Binaries(Vec<PathBuf>),
    /// What has to go: changes that do not compile, and functions that are called in constants.
    Errors {
        mutants: BTreeSet<usize>,
        functions: BTreeSet<String>,
    },
}

pub fn build(copy: &Path, tests: &[String]) -> Result<Built, String> {
    let tests = tests.iter().flat_map(|test| ["--test", test]);
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--message-format", "json", "--lib"])
        .args(tests)
        .current_dir(copy)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let (mut binaries, mut mutants, mut functions) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for message in messages {
        if let Some(path) = message["executable"].as_str() {
            binaries.push(PathBuf::from(path));
        }
        let error = &message["message"];
        if error["level"] != "error" || error["spans"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let mut found = BTreeSet::new();
        for span in error["spans"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|span| span["is_primary"] == true)
        {
            let path = copy.join(span["file_name"].as_str().unwrap_or_default());
            let text = files
                .entry(path)
                .or_insert_with_key(|path| fs::read_to_string(path).unwrap_or_default());
            let place = |end: &str| span[end].as_u64().unwrap_or_default() as usize;
            found.extend(changes_at(text, place("byte_start"), place("byte_end")));
        }
        let text = error["message"].as_str().unwrap_or_default();
        if text.contains("cannot call non-const") {
            let path = text.split('`').nth(1).unwrap_or_default();
            let name = path.rsplit("::").next().unwrap_or_default();
            let name = name.split('<').next().unwrap_or_default().to_owned();
            match name.as_str() {
                "is_on" => mutants.extend(found),
                _ => drop(functions.insert(name)),
            }
        } else if found.is_empty() {
            unexplained.push(error["rendered"].as_str().unwrap_or_default().to_owned());
        } else {
            mutants.extend(found);
        }
    }
    if output.status.success() {
        return Ok(Built::Binaries(binaries));
    }
    if mutants.is_empty() && functions.is_empty() {
        return Err(unexplained.concat());
    }
    Ok(Built::Errors { mutants, functions })
}

/// The change whose value stands here, else all changes of the innermost switch around it.
fn changes_at(text: &str, start: usize, end: usize) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::new();
    let mut switches: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut innermost: Option<(usize, Vec<usize>)> = None;
    let mut rest = 0;
    while let Some(at) = text[rest..].find("/*").map(|at| at + rest) {
        let Some(close) = text[at..].find("*/").map(|close| close + at) else {
            break;
        };
        let mark = &text[at + 2..close];
        rest = close + 2;
        if let Some(id) = mark.strip_prefix('<').and_then(|id| id.parse().ok()) {
            let value_end = text[close..]
                .find(&format!("/*{id}>*/"))
                .map_or(close, |at| at + close);
            if close <= start && end <= value_end {
                values.push(id);
            }
        } else if let Some(ids) = mark.strip_prefix('[') {
            switches.push((
                at,
                ids.split(' ').filter_map(|id| id.parse().ok()).collect(),
            ));
        } else if mark == "]"
            && let Some((begin, ids)) = switches.pop()
            && begin <= end
            && start <= close
            && innermost.as_ref().is_none_or(|&(inner, _)| inner < begin)
        {
            innermost = Some((begin, ids));
        }
    }
    match values.last() {
        Some(&id) => vec![id],
        None => innermost.map_or_else(Vec::new, |(_, ids)| ids),
    }
}
