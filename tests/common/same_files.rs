//! Compares folders of results byte by byte, except for times.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    dead_code,
    unreachable_pub
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sudoku_batch::folder_lock::MARKER;

/// The content of files, by their paths.
pub type Files = BTreeMap<String, Vec<u8>>;

/// All files below a folder, by path, except the marker of the command that wrote there.
pub fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name() != Some(MARKER.as_ref()) {
                let name = path.strip_prefix(folder).unwrap();
                files.insert(name.to_str().unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// A file without its times.
pub fn timeless(name: &str, bytes: &[u8]) -> Vec<u8> {
    let text = || String::from_utf8(bytes.to_vec()).unwrap();
    match name {
        "results.csv" => {
            let mut table = csv::Reader::from_reader(bytes);
            let head = table.headers().unwrap().clone();
            let timed: Vec<bool> = head.iter().map(|name| name.ends_with("_ms")).collect();
            assert_eq!(timed.iter().filter(|timed| **timed).count(), 4);
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(&head).unwrap();
            for row in table.records() {
                let row = row.unwrap();
                let cells = row.iter().zip(&timed);
                let cells = cells.map(|(cell, timed)| if *timed { "" } else { cell });
                writer.write_record(cells).unwrap();
            }
            writer.into_inner().unwrap()
        }
        "photos.jsonl" => {
            let lines = text();
            let lines = lines.lines().map(|line| {
                let mut photo: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(
                    photo
                        .as_object_mut()
                        .unwrap()
                        .remove("pictures_ms")
                        .is_some()
                );
                for record in photo["records"].as_array_mut().unwrap() {
                    let record = record.as_object_mut().unwrap();
                    let before = record.len();
                    record.retain(|name, _| !name.ends_with("_ms"));
                    assert_eq!(record.len() + 4, before);
                }
                format!("{photo}\n")
            });
            lines.collect::<String>().into_bytes()
        }
        "summary.json" => {
            let mut text = text();
            for key in ["throughput", "stages_ms"] {
                let start = text.find(&format!("\n  \"{key}\": {{")).unwrap();
                let end = start + text[start..].find("\n  }").unwrap();
                text.replace_range(start..end, "");
            }
            text.into_bytes()
        }
        // Numbers with a fraction are times, or confidences, which are also in the other files.
        name if name.ends_with(".html") => {
            let text = text();
            let mut masked = String::new();
            let mut rest = text.as_str();
            while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
                let number: &str = {
                    let tail = &rest[start..];
                    let end = tail.find(|c: char| !c.is_ascii_digit() && c != '.');
                    &tail[..end.unwrap_or(tail.len())]
                };
                masked.push_str(&rest[..start]);
                masked.push_str(if number.contains('.') { "#" } else { number });
                rest = &rest[start + number.len()..];
            }
            masked.push_str(rest);
            masked.into_bytes()
        }
        _ => bytes.to_vec(),
    }
}

/// Panics if two folders of `recognize` differ, except for times.
pub fn assert_same_files(one: &Path, other: &Path) {
    let difference = difference(&files(one), &files(other), timeless);
    assert!(difference.is_none(), "{}", difference.unwrap_or_default());
}

/// The first difference between files from which `timeless` removed the times.
pub fn difference(
    expected: &Files,
    found: &Files,
    timeless: impl Fn(&str, &[u8]) -> Vec<u8>,
) -> Option<String> {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    if names(expected) != names(found) {
        return Some(format!(
            "other files:\n{:?}\n---\n{:?}",
            names(expected),
            names(found)
        ));
    }
    expected.iter().find_map(|(name, bytes)| {
        let (expected, found) = (timeless(name, bytes), timeless(name, &found[name]));
        if expected == found {
            return None;
        }
        let place = expected.iter().zip(&found).position(|(a, b)| a != b);
        let near = place.unwrap_or(0).saturating_sub(200);
        let show = |bytes: &[u8]| {
            let end = bytes.len().min(near + 400);
            String::from_utf8_lossy(&bytes[near.min(end)..end]).into_owned()
        };
        Some(format!(
            "{name} differs:\n{}\n---\n{}",
            show(&expected),
            show(&found)
        ))
    })
}
