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
#[derive(Clone, Debug, PartialEq)]
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
    artifact: Cow<'a, str>,
    overlay: bool,
    sheet: Option<Cow<'a, [f32]>>,
    rows: Vec<Vec<String>>,
    doubts: Vec<Vec<Doubt>>,
    thumbnail: Option<Cow<'a, str>>,
    cells: Option<Cow<'a, str>>,
}

impl Journal {
    /// Reads the entries of these settings; those of others, and damaged ones, are left out. A file
    /// that is missing or cannot be read is an empty journal.
    pub fn load(path: &Path, settings: &str) -> Journal {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let entries = text.lines().filter_map(|line| {
            let line: Line<'_> = serde_json::from_str(line).ok()?;
            let records = line.rows.iter().map(|fields| Record::from_fields(fields));
            let entry = Entry {
                records: records.collect::<Option<_>>()?,
                doubts: line.doubts,
                thumbnail: line.thumbnail.map(Cow::into_owned),
                cells: line.cells.map(Cow::into_owned),
                artifact: line.artifact.into_owned(),
                overlay: line.overlay,
                sheet: line.sheet.map(|sheet| sheet.into_owned()),
            };
            let whole = !entry.records.is_empty() && entry.records.len() == entry.doubts.len();
            let usable = line.settings == settings && whole;
            usable.then(|| (line.content.into_owned(), entry))
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
                artifact: entry.artifact.as_str().into(),
                overlay: entry.overlay,
                sheet: entry.sheet.as_deref().map(Into::into),
                rows: entry
                    .records
                    .iter()
                    .map(|record| record.to_fields().to_vec())
                    .collect(),
                doubts: entry.doubts.clone(),
                thumbnail: entry.thumbnail.as_deref().map(Into::into),
                cells: entry.cells.as_deref().map(Into::into),
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
