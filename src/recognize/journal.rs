//! What the last run into a folder found, so that a photo whose content and settings are unchanged
//! is not read again. A cache: whatever of it cannot be read is done again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::doubt::Doubt;
use super::record::{Record, Status};

/// What a run made of one photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Entry {
    /// Its rows.
    pub records: Vec<Record>,
    /// For each row, the cells that a person should look at first.
    pub doubts: Vec<Vec<Doubt>>,
    /// The small picture of the photo below the output folder, if it could be opened.
    pub thumbnail: Option<String>,
    /// The small picture of the cells of its boards, below one another, if there are any.
    pub cells: Option<String>,
    /// Stem of the files made from the photo.
    pub artifact: String,
    /// Whether an overlay was written.
    pub overlay: bool,
    /// Where crops were written: for each board of the sheet, its contrast in gray values.
    pub sheet: Option<Vec<f32>>,
}

/// Entries by the hash of the photo's content, all of one settings hash.
#[derive(Debug, Default)]
pub struct Journal {
    entries: HashMap<String, Entry>,
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    content: Cow<'a, str>,
    settings: Cow<'a, str>,
    #[serde(flatten)]
    entry: Cow<'a, Entry>,
}

/// An entry as files have it: its rows as those of `results.csv`.
#[derive(Serialize, Deserialize)]
struct Plain {
    artifact: String,
    overlay: bool,
    sheet: Option<Vec<f32>>,
    rows: Vec<Vec<String>>,
    doubts: Vec<Vec<Doubt>>,
    thumbnail: Option<String>,
    cells: Option<String>,
}

impl From<Entry> for Plain {
    fn from(entry: Entry) -> Plain {
        let rows = entry.records.iter();
        Plain {
            rows: rows.map(|record| record.to_fields().to_vec()).collect(),
            artifact: entry.artifact,
            overlay: entry.overlay,
            sheet: entry.sheet,
            doubts: entry.doubts,
            thumbnail: entry.thumbnail,
            cells: entry.cells,
        }
    }
}

impl TryFrom<Plain> for Entry {
    type Error = &'static str;

    fn try_from(plain: Plain) -> Result<Entry, &'static str> {
        let rows = plain.rows.iter();
        let records: Option<Vec<Record>> = rows.map(|row| Record::from_fields(row)).collect();
        let records = records.ok_or("a row is damaged")?;
        if records.is_empty() || records.len() != plain.doubts.len() {
            return Err("rows are missing");
        }
        Ok(Entry {
            records,
            doubts: plain.doubts,
            thumbnail: plain.thumbnail,
            cells: plain.cells,
            artifact: plain.artifact,
            overlay: plain.overlay,
            sheet: plain.sheet,
        })
    }
}

impl Journal {
    /// Reads the entries of these settings; those of others, and damaged ones, are left out. A file
    /// that is missing or cannot be read is an empty journal.
    pub fn load(path: &Path, settings: &str) -> Journal {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let entries = text.lines().filter_map(|line| {
            let line: Line<'_> = serde_json::from_str(line).ok()?;
            let usable = line.settings == settings;
            usable.then(|| (line.content.into_owned(), line.entry.into_owned()))
        });
        Journal {
            entries: entries.collect(),
        }
    }

    /// The entry of the photo with this content hash.
    pub fn entry(&self, content: &str) -> Option<&Entry> {
        self.entries.get(content)
    }

    /// Takes an entry in, in the place of an older one. A timeout is not remembered: it depends on
    /// what else the machine was doing.
    pub fn insert(&mut self, content: String, entry: Entry) {
        let timed_out = |record: &Record| record.status == Status::Timeout;
        if !entry.records.iter().any(timed_out) {
            self.entries.insert(content, entry);
        }
    }

    /// Takes in the entries of another journal for photos that this one does not know.
    pub fn keep(&mut self, older: Journal) {
        for (content, entry) in older.entries {
            self.entries.entry(content).or_insert(entry);
        }
    }

    /// Writes the entries, a line each, in the order of the hashes.
    ///
    /// # Errors
    /// What stops the writer.
    pub fn write(&self, writer: &mut dyn Write, settings: &str) -> io::Result<()> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_by_key(|(content, _)| *content);
        for (content, entry) in sorted {
            let line = Line {
                content: content.into(),
                settings: settings.into(),
                entry: Cow::Borrowed(entry),
            };
            serde_json::to_writer(&mut *writer, &line)?;
            writer.write_all(b"\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::Posterior;
    use crate::grid::Cell;
    use crate::recognize::record::StageMs;

    fn entry(status: Status) -> Entry {
        Entry {
            records: vec![Record {
                photo: "x\n\"y\".jpg".to_owned(),
                puzzle: 0,
                status,
                reading: None,
                error: Some("no board".to_owned()),
                stages: StageMs::default(),
            }],
            doubts: vec![vec![Doubt::of(
                Cell::all().next().unwrap(),
                &Posterior::blank(1.0),
            )]],
            thumbnail: Some("thumbnails/x.jpg".to_owned()),
            cells: Some("cells/x.jpg".to_owned()),
            artifact: "x".to_owned(),
            overlay: true,
            sheet: Some(vec![101.5]),
        }
    }

    #[test]
    fn entries_come_back_for_the_same_settings_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::default();
        journal.insert("c1".to_owned(), entry(Status::NoGrid));
        journal.insert("c2".to_owned(), entry(Status::Timeout));
        let mut bytes = Vec::new();
        journal.write(&mut bytes, "s").unwrap();
        std::fs::write(&path, bytes).unwrap();

        let same = Journal::load(&path, "s");
        assert_eq!(same.entry("c1"), Some(&entry(Status::NoGrid)));
        assert_eq!(same.entry("c2"), None);
        assert_eq!(Journal::load(&path, "other").entry("c1"), None);
    }

    #[test]
    fn damage_costs_only_the_damaged_entries() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::default();
        journal.insert("c1".to_owned(), entry(Status::NoGrid));
        let mut bytes = Vec::new();
        journal.write(&mut bytes, "s").unwrap();
        let line = String::from_utf8(bytes).unwrap();
        std::fs::write(
            &path,
            format!("{{not json\n{line}{}", &line[..line.len() / 2]),
        )
        .unwrap();
        assert!(Journal::load(&path, "s").entry("c1").is_some());
        assert!(
            Journal::load(&folder.path().join("missing"), "s")
                .entry("c1")
                .is_none()
        );
    }
}
