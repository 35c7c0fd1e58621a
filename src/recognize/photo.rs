//! The result for one photo: a line of `photos.jsonl`.

use serde::{Deserialize, Serialize};

use super::record::{Record, ResultRow};
use super::score::Judgement;
use super::video::VideoResult;

/// The result for one photo: all that the report and later commands need of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhotoResult {
    /// Path of the photo as text: bytes that are not UTF-8 are written `\xNN`.
    pub photo: String,
    /// Hash of its bytes, where they could be read; of a page, that of its file and its number.
    pub content: Option<String>,
    /// The document that it is a page of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page: Option<PageResult>,
    /// Hash of everything that shapes the rows: settings and build of the program.
    pub settings: String,
    /// Whether the rows were taken from an earlier run.
    #[serde(skip)]
    pub resumed: bool,
    /// A row a board, or one that says why there is none.
    pub records: Vec<Record>,
    /// How it did against its ground truth, where it has one.
    pub judgement: Option<Judgement>,
    /// When its boards were seen, if it is a video.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub video: Option<VideoResult>,
    /// Stem of the files made from the photo.
    pub artifact: String,
    /// The small picture of the photo below the output folder, if it could be opened.
    pub thumbnail: Option<String>,
    /// The small picture of the cells of its boards, below one another, if there are any.
    pub cells: Option<String>,
    /// The large picture of the photo, if a person should look at it and there is no overlay.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub large: Option<LargePhoto>,
    /// Whether an overlay was asked for.
    pub overlay: bool,
    /// Where crops were written: for each board of the sheet, its contrast in gray values.
    pub sheet: Option<Vec<f32>>,
    /// Wall-clock time that its pictures took, in milliseconds.
    pub pictures_ms: f32,
}

/// Which page of which document a photo is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageResult {
    /// Path of the document as text.
    pub file: String,
    /// Number of the page, from 1.
    pub number: usize,
    /// Hash of the bytes of the document.
    pub content: String,
}

/// Boards of a smaller confidence are doubtful: of those just above it about one in fifty is wrong.
pub const SURE: f32 = 0.97;

/// The large picture of a photo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LargePhoto {
    /// Below the output folder.
    pub file: String,
    /// Pixels of the upright photo, of which the picture may have fewer, from left to right.
    pub width: u32,
    /// Pixels of the upright photo from top to bottom.
    pub height: u32,
}

/// How a photo came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Read, and right where the ground truth is known.
    Fine,
    /// Read, and some cells are not as the ground truth has them.
    WrongCells,
    /// No puzzle, or one that cannot be solved, where a puzzle could be.
    NotRead,
    /// A board is `solved` that is wrong, or that is none: a silent error.
    Silent,
}

/// What went wrong with a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// How bad it is: 0 is worst.
    pub rank: u8,
    /// What it is, in a sentence.
    pub text: String,
}

impl PhotoResult {
    /// Returns how the photo came out.
    pub fn standing(&self) -> Standing {
        let judgement = self.judgement.unwrap_or_default();
        if judgement.silent {
            Standing::Silent
        } else if judgement.refused_rightly {
            Standing::Fine
        } else if !self.records.iter().all(|record| record.status.is_read()) {
            Standing::NotRead
        } else if judgement.wrong_cells > 0 {
            Standing::WrongCells
        } else {
            Standing::Fine
        }
    }

    /// Returns the hash of the bytes of its file, where they could be read.
    pub fn file_content(&self) -> Option<&str> {
        match &self.page {
            Some(page) => Some(&page.content),
            None => self.content.as_deref(),
        }
    }

    /// Whether it is the first that was read of its file: a file has one photo, or several pages.
    pub fn is_first_of_file(&self) -> bool {
        self.page.as_ref().is_none_or(|page| page.number == 1)
    }

    /// Returns what went wrong with the photo, if anything did.
    pub fn trouble(&self) -> Option<Trouble> {
        let judgement = self.judgement.unwrap_or_default();
        let (rank, text) = match self.standing() {
            Standing::Silent => (0, judgement.silent_text()),
            Standing::NotRead => (1, self.failed_row()?),
            Standing::WrongCells => {
                let cells = judgement.wrong_cells;
                (2, format!("{cells} cells differ from the ground truth"))
            }
            Standing::Fine => return None,
        };
        Some(Trouble { rank, text })
    }

    /// Returns whether a person should look at the photo: something went wrong, or a board is doubtful.
    pub fn is_doubtful(&self) -> bool {
        let unsure = |record: &Record| {
            record
                .reading
                .as_ref()
                .is_some_and(|it| it.confidence < SURE)
        };
        self.standing() != Standing::Fine || self.records.iter().any(unsure)
    }

    /// Returns what went wrong with a board of the photo, but not with another one.
    pub fn trouble_of(&self, record: &Record) -> Option<Trouble> {
        let mut trouble = self.trouble()?;
        if self.standing() == Standing::NotRead {
            trouble.text = record.failure()?;
        }
        Some(trouble)
    }

    fn failed_row(&self) -> Option<String> {
        let failure = |record: &Record| Some((record.puzzle, record.failure()?));
        let (puzzle, why) = self.records.iter().find_map(failure)?;
        Some(match self.records.len() {
            0 | 1 => why,
            _ => format!("board {puzzle}: {why}"),
        })
    }

    /// The records that are rows of `results.csv`; a video has rows in `boards.csv` instead.
    pub(super) fn result_records(&self) -> impl Iterator<Item = &Record> {
        let photo = self.video.is_none().then_some(&self.records);
        photo.into_iter().flatten()
    }

    /// The rows of `results.csv`, with the pencil marks where they are asked for.
    pub(super) fn rows(&self, with_marks: bool) -> impl Iterator<Item = ResultRow<'_>> {
        let records = self.result_records();
        records.map(move |record| record.row(&self.photo, with_marks))
    }

    /// Returns the overlay below the output folder, if there is one.
    pub fn overlay_file(&self) -> Option<String> {
        let drawn = self.records.iter().any(|record| record.status.is_read());
        let name = match self.video {
            Some(_) => self.video_overlay(),
            None => format!("overlays/{}.jpg", self.artifact),
        };
        (self.overlay && drawn).then_some(name)
    }

    /// The overlay of a video below the output folder.
    pub(super) fn video_overlay(&self) -> String {
        format!("overlays/{}.mp4", self.artifact)
    }

    /// Returns the sheet of crops below the output folder, if there is one.
    pub fn sheet_file(&self) -> Option<String> {
        let boards = self.sheet.as_ref().is_some_and(|sheet| !sheet.is_empty());
        boards.then(|| format!("crops/{}.png", self.artifact))
    }
}
