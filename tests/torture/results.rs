//! Invariants of result files at any moment, and which parts of them depend on times.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sudoku_batch::digits::Artifact;
use sudoku_batch::files::TEMPORARY;
use sudoku_batch::training::SavedRun;

use super::common::same_files::{self, Files};

/// Whether this is the path of a temporary file.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.split('/')
        .any(|part| part.starts_with(TEMPORARY) || part.starts_with(".shard-"))
}

/// The problem with the first incomplete file that has its final name.
pub(crate) fn first_broken(files: &Files, folder: &Path) -> Option<String> {
    let seen = files.iter().filter(|(name, _)| !is_temporary(name));
    let broken = seen.filter_map(|(name, bytes)| {
        let problem = problem(name, bytes)?;
        Some(format!("{name} ({} bytes): {problem}", bytes.len()))
    });
    broken.chain(broken_model(folder)).next()
}

fn problem(name: &str, bytes: &[u8]) -> Option<String> {
    let file = name.rsplit('/').next().unwrap_or(name);
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = || std::str::from_utf8(bytes).map_err(|error| error.to_string());
    let ends = |end: &[u8]| bytes.ends_with(end).then_some(()).ok_or("it is cut off");
    let outcome = match (file, ending) {
        // Lines are appended as photos are read; a truncated last line is ignored when they are read again.
        ("photos.partial.jsonl" | "photos.earlier.jsonl", _) => Ok(()),
        ("results.csv", _) if bytes.is_empty() => Ok(()),
        (_, "json") => parsed(bytes),
        (_, "jsonl") => text().and_then(|text| {
            let mut lines = text.lines();
            lines.try_for_each(|line| parsed(line.as_bytes()))?;
            Ok(ends(b"\n")?)
        }),
        (_, "csv") => rows(bytes).and_then(|()| Ok(ends(b"\n")?)),
        (_, "txt" | "md") if bytes.is_empty() => Ok(()),
        (_, "txt" | "md") => text().and_then(|_| Ok(ends(b"\n")?)),
        (_, "html") => text().and_then(|text| {
            let is_whole = text.trim_end().ends_with("</html>");
            is_whole.then_some(()).ok_or("it is cut off".to_owned())
        }),
        (_, "parquet") => ends(b"PAR1").map_err(str::to_owned),
        (_, "png" | "jpg") => image::load_from_memory(bytes)
            .map(drop)
            .map_err(|error| error.to_string()),
        // Checked together, by their hashes.
        ("weights" | "best" | "optimizer", "") => Ok(()),
        _ => Err("nobody knows what it is".to_owned()),
    };
    outcome.err()
}

fn parsed(bytes: &[u8]) -> Result<(), String> {
    let value: Result<Value, _> = serde_json::from_slice(bytes);
    value.map(drop).map_err(|error| error.to_string())
}

fn rows(bytes: &[u8]) -> Result<(), String> {
    let mut reader = csv::Reader::from_reader(bytes);
    let mut rows = reader.records();
    let rows = rows.try_for_each(|row| row.map(drop));
    rows.map_err(|error| error.to_string())
}

/// The problem with the checkpoints or the model of a run.
fn broken_model(folder: &Path) -> Option<String> {
    let out = folder.join("results/out");
    if let Err(error) = SavedRun::open(&out) {
        return Some(error.to_string());
    }
    let is_there = out.join("card.json").is_file() && out.join("weights").is_file();
    match Artifact::read(&out) {
        Err(error) if is_there => Some(error.to_string()),
        _ => None,
    }
}

/// A file without its times, and without the number of photos reused from an earlier run.
pub(crate) fn timeless(name: &str, bytes: &[u8]) -> Vec<u8> {
    let file = name.rsplit('/').next().unwrap_or(name);
    match file {
        "metrics.csv" => columns(bytes, |column| column != "seconds"),
        // Columns of times among others; it is made of `photos.jsonl`.
        "results.parquet" => Vec::new(),
        // Burn writes the moments in the order of a hash map. Their values show in the weights of the next epoch.
        "optimizer" => Vec::new(),
        _ if name.contains("plan.json") => bytes.to_vec(),
        // The hashes are those of files with times; `merge` has compared them.
        "part.json" => {
            let mut value: Value = serde_json::from_slice(bytes).unwrap();
            let files = value["files"].as_object_mut().unwrap();
            assert!(!files.is_empty());
            files.values_mut().for_each(|state| *state = Value::Null);
            value.to_string().into_bytes()
        }
        _ if file.ends_with(".json") => {
            let mut value: Value = serde_json::from_slice(bytes).unwrap();
            without(&mut value, &|key| {
                key.ends_with("seconds")
                    || matches!(key, "throughput" | "stages_ms" | "resumed" | "optimizer")
            });
            value.to_string().into_bytes()
        }
        "report.html" => without_speed(&same_files::timeless(file, bytes)),
        _ => same_files::timeless(file, bytes),
    }
}

/// A page without its speed tile: if everything was reused and the previous speed is unknown,
/// there is none.
pub(crate) fn without_speed(page: &[u8]) -> Vec<u8> {
    let mut text = String::from_utf8(page.to_vec()).unwrap();
    let end = "</b><span>photos per second</span></div>";
    if let Some(place) = text.find(end) {
        let start = text[..place].rfind("<div ").unwrap();
        text.replace_range(start..place + end.len(), "");
    }
    text.into_bytes()
}

/// The counts in the output of `bench`.
pub(crate) fn timeless_of_bench(name: &str, bytes: &[u8]) -> Vec<u8> {
    const COUNTS: [&str; 11] = [
        "corpus",
        "solver",
        "goal",
        "threads",
        "puzzles",
        "unique",
        "multiple",
        "unsolvable",
        "stuck",
        "timeout",
        "wrong",
    ];
    match name {
        "out/bench.csv" => columns(bytes, |column| COUNTS.contains(&column)),
        "out/puzzles.csv" => {
            const FACTS: [&str; 5] = ["corpus", "line", "puzzle", "solver", "outcome"];
            columns(bytes, |column| FACTS.contains(&column))
        }
        "out/summary.json" | "out/baselines/kept.json" => {
            let value: Value = serde_json::from_slice(bytes).unwrap();
            let rows = value["rows"].as_array().unwrap();
            assert!(!rows.is_empty());
            let count = |row: &Value| COUNTS.map(|key| row[key].to_string()).join(",");
            rows.iter().map(count).collect::<String>().into_bytes()
        }
        _ => Vec::new(),
    }
}

fn without(value: &mut Value, is_timed: &dyn Fn(&str) -> bool) {
    match value {
        Value::Object(map) => {
            map.retain(|key, _| !is_timed(key));
            map.values_mut().for_each(|value| without(value, is_timed));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| without(value, is_timed)),
        _ => {}
    }
}

fn columns(bytes: &[u8], is_kept: impl Fn(&str) -> bool) -> Vec<u8> {
    let mut table = csv::Reader::from_reader(bytes);
    let head = table.headers().unwrap().clone();
    let kept: Vec<bool> = head.iter().map(is_kept).collect();
    assert!(kept.contains(&true), "{head:?}");
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in std::iter::once(head).chain(table.records().map(|row| row.unwrap())) {
        let cells = row.iter().zip(&kept).filter(|(_, kept)| **kept);
        writer.write_record(cells.map(|(cell, _)| cell)).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Restores the result files.
pub(crate) fn restore(files: &Files, results: &Path) {
    for (name, bytes) in files {
        let path = results.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
