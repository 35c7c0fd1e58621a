//! Saved runs: which command wrote a folder, and what it found.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use sudoku_batch::bench::BenchSummary;
use sudoku_batch::files::{ReadError, read_bytes, read_json, show};
use sudoku_batch::recognize::{PhotoResult, SavedRun};
use sudoku_batch::training::TrainingSummary;

use super::args::Common;
use super::error::CliError;
use super::threads::pool;

/// What a run found.
pub(super) enum Saved {
    Bench(Box<BenchSummary>),
    Recognize(Box<SavedRun>),
    /// With the picture of its worst crops.
    Train(Box<TrainingSummary>, Vec<u8>),
}

/// A run that was read.
pub(super) struct Opened {
    /// The folder with its files.
    pub(super) folder: PathBuf,
    pub(super) saved: Saved,
}

const GIVE: &str = "give folders written by `bench`, `recognize` or `train`";

/// Largest number with a fraction in a summary: thirty years in microseconds.
const MEASURABLE: f64 = 1e15;

/// What every summary begins with.
#[derive(Deserialize)]
#[serde(expecting = "the summary of a run")]
struct Head {
    command: Option<String>,
    version: Option<String>,
}

/// Reads a run: its folder, or the summary in it.
pub(super) fn open(path: &Path) -> Result<Opened, CliError> {
    let summary = if path.is_dir() {
        path.join("summary.json")
    } else {
        path.to_owned()
    };
    if !summary.exists() {
        let message = match path.exists() {
            true => format!("{} is not a run: it has no summary.json", show(path)),
            false => format!("no such file or folder: {}", show(path)),
        };
        return Err(CliError::with_hint(message, GIVE));
    }
    let head: Head = read_json(&summary).map_err(|error| {
        let hint = format!("{GIVE}; if it is damaged, repeat the run");
        CliError::with_hint(error, hint)
    })?;
    let whole: serde_json::Value = read_json(&summary).map_err(CliError::new)?;
    if !is_measured(&whole) {
        let message = format!("{}: a number in it is out of range", show(&summary));
        return Err(CliError::with_hint(message, "repeat the run"));
    }
    let unreadable = |error: ReadError| unreadable(&error, &head);
    let saved = match head.command.as_deref() {
        Some("bench") => Saved::Bench(Box::new(BenchSummary::load(&summary).map_err(unreadable)?)),
        Some("recognize") => {
            Saved::Recognize(Box::new(SavedRun::load(&summary).map_err(unreadable)?))
        }
        Some("train") => {
            let run = TrainingSummary::load(&summary).map_err(unreadable)?;
            let worst = read_bytes(&summary.with_file_name("worst.png")).map_err(unreadable)?;
            Saved::Train(Box::new(run), worst)
        }
        other => {
            let what = match other {
                Some(command) => format!("a summary of `{command}`"),
                None => "not the summary of a run".to_owned(),
            };
            let message = format!("{}: {what}, which has no page", show(&summary));
            return Err(CliError::with_hint(message, GIVE));
        }
    };
    let folder = match summary.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    Ok(Opened { folder, saved })
}

/// Whether all fractions are such as can be measured: a forged one would make scales without end.
fn is_measured(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().is_some_and(|it| it.abs() <= MEASURABLE)
        }
        Value::Array(values) => values.iter().all(is_measured),
        Value::Object(fields) => fields.values().all(is_measured),
        _ => true,
    }
}

/// Hands on the photos of a run of `recognize`.
pub(super) fn each_photo(
    common: &Common,
    run: &SavedRun,
    use_photo: impl FnMut(PhotoResult) + Send,
) -> Result<(), CliError> {
    let head = Head {
        command: Some(run.summary.command.to_string()),
        version: Some(run.summary.version.to_string()),
    };
    let read = || run.each_photo(use_photo);
    pool(common)?
        .install(read)
        .map_err(|error| unreadable(&error, &head))
}

/// A run of which this version cannot make a page.
fn unreadable(error: &ReadError, head: &Head) -> CliError {
    let own = env!("CARGO_PKG_VERSION");
    let hint = match head.version.as_deref() {
        Some(version) if version != own => format!(
            "version {version} wrote it and this is {own}: make the run again, or render it with \
             that version"
        ),
        _ if head.command.as_deref() == Some("recognize") => {
            "repeat the run into the same folder: unchanged photos are not read again".to_owned()
        }
        _ => "it is damaged or from an older version: repeat the run".to_owned(),
    };
    CliError::with_hint(error, hint)
}
