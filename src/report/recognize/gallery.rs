//! The photos of a recognition run as a gallery in which boards can be corrected.
//!
//! The page holds the boards as compact JSON and `assets/gallery.js` makes the cards as they come
//! into view, so that ten thousand photos are a page of a few megabytes. Without scripts a plain
//! table remains.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::dialog::board_dialog;
use crate::grid::Digit;
use crate::reader::{Doubt, Status};
use crate::recognize::{Judgement, PhotoResult, Record, SURE, StatusCounts, Trouble, VideoResult};
use crate::report::page::{file_name, link};

/// The style of the gallery.
pub(super) const STYLE: &str = include_str!("../assets/gallery.css");

/// Counts the solutions of a board.
const SOLVER: &str = include_str!("../assets/solver.js");
/// Shows doubtful cells, and whether the rules confirm them.
const DOUBTS: &str = include_str!("../assets/doubts.js");
/// Stores, reads and writes corrections.
const CORRECTIONS: &str = include_str!("../assets/corrections.js");
/// Outlines a board by its corners.
const CORNERS: &str = include_str!("../assets/corners.js");
/// Opens a board for correction.
const BOARD: &str = include_str!("../assets/board.js");
/// Makes cards, and connects the other scripts.
const SCRIPT: &str = include_str!("../assets/gallery.js");

/// Location of a gallery.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// Common prefix of the names of all photos.
    pub(super) folder: &'a str,
    /// Hash of the settings of the run, which together with the folder of the page identifies it.
    pub(super) settings: &'a str,
    /// Relative path from the page to that folder.
    pub(super) root: &'a str,
    /// The folder of the run, if the page is not in it.
    pub(super) run: Option<&'a str>,
}

/// The data for the script.
#[derive(Serialize)]
struct Gallery<'a> {
    folder: &'a str,
    settings: &'a str,
    root: &'a str,
    /// Confidence below which boards are doubtful.
    sure: f32,
    /// Names of the statuses, by index.
    statuses: [&'static str; Status::ALL.len()],
    boards: &'a [Board],
}

/// A row of the run, as in the page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Board {
    /// Name of the photo, without the common folder once it is in a gallery.
    pub(super) name: String,
    /// Number of the puzzle in the photo, 0 where there is none.
    puzzle: usize,
    /// Index of its status.
    status: usize,
    /// Severity, 0 is worst; `None` where nothing went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// What went wrong, or else a remark.
    #[serde(skip_serializing_if = "str::is_empty")]
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    givens: Option<String>,
    /// The decoded board, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded: Option<String>,
    /// Its doubts, as written by [`compact`].
    #[serde(skip_serializing_if = "String::is_empty")]
    doubts: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overlay: Option<String>,
    /// The large picture, and the size of the photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    large: Option<(String, u32, u32)>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_video: bool,
    /// The picture of the cells, the index of this board in it, and the number of its boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<(String, usize, usize)>,
}

impl Board {
    /// Returns the boards of a photo.
    pub(super) fn all_of(photo: &PhotoResult) -> Vec<Board> {
        let read = photo.records.iter().filter(|it| it.reading.is_some());
        let count = read.count();
        let mut place = 0..count;
        let board = |record: &Record| {
            let trouble = photo.trouble_of(record);
            let reading = record.reading.as_ref();
            let givens = reading.map(|reading| reading.read.to_line());
            let decoded = reading.map(|reading| reading.decoded.to_line());
            let cells = reading.and_then(|_| Some((photo.cells.clone()?, place.next()?, count)));
            Board {
                name: photo.photo.clone(),
                puzzle: record.puzzle,
                status: record.status as usize,
                rank: trouble.as_ref().map(|trouble| trouble.rank),
                confidence: reading.map(|it| (f64::from(it.confidence) * 1e4).round() / 1e4),
                note: match photo.video.as_ref().and_then(|video| when(video, record)) {
                    Some(when) if trouble.is_none() => when,
                    _ => note(record, trouble.as_ref(), photo.judgement.as_ref()),
                },
                decoded: decoded.filter(|decoded| Some(decoded) != givens.as_ref()),
                givens,
                doubts: reading.map_or_else(String::new, |it| compact(&it.doubts)),
                thumbnail: photo.thumbnail.clone(),
                is_video: photo.video.is_some(),
                overlay: photo.overlay_file().map(|file| link(&file)),
                large: photo
                    .large
                    .as_ref()
                    .map(|large| (large.file.clone(), large.width, large.height)),
                cells,
            }
        };
        photo.records.iter().map(board).collect()
    }

    /// Returns the sort key for review, the most urgent first: what went wrong, then what is
    /// doubtful; the others in a pseudo-random order.
    pub(super) fn urgency(&self) -> (u8, u64) {
        match (self.rank, self.confidence) {
            (Some(rank), _) => (rank, 0),
            (None, Some(confidence)) if confidence < f64::from(SURE) => {
                (u8::MAX - 1, (confidence * 1e4) as u64)
            }
            (None, _) => {
                let hash = blake3::hash(self.name.as_bytes());
                let first = hash.as_bytes().first_chunk::<8>();
                (
                    u8::MAX,
                    u64::from_le_bytes(*first.expect("a hash has 32 bytes")),
                )
            }
        }
    }

    /// Returns whether a person should look at it.
    fn is_doubtful(&self) -> bool {
        let is_unsure = |confidence| confidence < f64::from(SURE);
        self.rank.is_some() || self.confidence.is_some_and(is_unsure)
    }

    /// Changes the links to pictures for a page one folder deeper.
    pub(super) fn lift(&mut self) {
        let cells = self.cells.iter_mut().map(|(file, ..)| file);
        let large = self.large.iter_mut().map(|(file, ..)| file);
        for file in self
            .thumbnail
            .iter_mut()
            .chain(&mut self.overlay)
            .chain(cells)
            .chain(large)
        {
            file.insert_str(0, "../");
        }
    }

    /// Returns an upper bound of the bytes that the board takes in a page, as data and in the plain
    /// table.
    pub(super) fn bytes(&self) -> usize {
        let json = serde_json::to_string(self).unwrap_or_default();
        // As data `<` is written in six characters, in the table what is markup in up to six.
        let text = self.name.bytes().chain(self.note.bytes());
        let escaped = text.clone().filter(|byte| b"<>&\"".contains(byte)).count();
        json.len() + 5 * json.matches('<').count() + text.count() + 5 * escaped + ROW
    }
}

/// Bytes of the markup of a row of the plain table, without name and note.
const ROW: usize = 150;

/// Returns the gallery of these boards.
pub(super) fn gallery(boards: &[Board], place: Place<'_>) -> Markup {
    let wrong = boards.iter().filter(|board| board.rank.is_some()).count();
    let doubtful = boards.iter().filter(|board| board.is_doubtful()).count();
    let gallery = Gallery {
        folder: place.folder,
        settings: place.settings,
        root: place.root,
        sure: SURE,
        statuses: Status::ALL.map(Status::name),
        boards,
    };
    let mut status = StatusCounts::default();
    boards
        .iter()
        .for_each(|it| status.add(Status::ALL[it.status]));
    html! {
        section #gallery aria-labelledby="gallery-title" hidden {
            h2 #gallery-title { "Photos" }
            (tools(&status, boards.len(), wrong, doubtful))
            (load_line())
            ul #cards .cards {}
            div #end { button #more type="button" { "Show more" } }
            (save_bar(place.run))
        }
        (board_dialog())
        noscript { (plain_table(boards)) }
        script #gallery-data type="application/json" { (PreEscaped(as_script(&gallery))) }
        script {
            (PreEscaped(SOLVER)) (PreEscaped(DOUBTS)) (PreEscaped(CORRECTIONS)) (PreEscaped(CORNERS))
        }
        script { (PreEscaped(BOARD)) (PreEscaped(SCRIPT)) }
    }
}

/// Returns doubts in few characters, for pages of ten thousand photos: each is its cell in two
/// digits, then each content in one, 0 for a blank, and its probability in thousandths, in three,
/// separated by spaces.
fn compact(doubts: &[Doubt]) -> String {
    let one = |doubt: &Doubt| {
        let guesses = doubt.guesses.iter().map(|(content, share)| {
            let thousandths = (share * 1000.0).round().clamp(0.0, 999.0);
            format!("{}{thousandths:03}", content.map_or(0, Digit::value))
        });
        format!("{:02}{}", doubt.cell.index(), guesses.collect::<String>())
    };
    doubts.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Returns when a board of a video was seen, and when its reading became sure.
fn when(video: &VideoResult, record: &Record) -> Option<String> {
    let times = video.boards.get(record.puzzle.checked_sub(1)?)?;
    let seen = format!(
        "{:.1} to {:.1} s, in {} of {} frames",
        times.first.1, times.last.1, times.seen, video.frames
    );
    Some(match times.sure {
        Some((frame, s)) => format!("{seen}; sure at {s:.1} s (frame {frame})"),
        None => seen,
    })
}

fn note(record: &Record, trouble: Option<&Trouble>, judgement: Option<&Judgement>) -> String {
    match (trouble, &record.error, judgement) {
        (Some(trouble), _, _) => trouble.text.clone(),
        (None, Some(error), _) => error.clone(),
        (None, None, Some(judgement)) if judgement.wrong_cells == 0 => {
            "as the ground truth has it".to_owned()
        }
        (None, None, _) => String::new(),
    }
}

/// Returns JSON that can be embedded in a page: no `<` that could end the script.
fn as_script(gallery: &Gallery<'_>) -> String {
    let json = serde_json::to_string(gallery).expect("a gallery is plain data");
    json.replace('<', "\\u003c")
}

fn tools(status_counts: &StatusCounts, boards: usize, wrong: usize, doubtful: usize) -> Markup {
    html! {
        div.tools role="search" {
            label {
                "Show"
                select #show autocomplete="off" {
                    option value="all" { "all (" (boards) ")" }
                    @if doubtful > 0 { option value="doubtful" { "doubtful (" (doubtful) ")" } }
                    @if wrong > 0 { option value="wrong" { "with errors (" (wrong) ")" } }
                    @for status in Status::ALL {
                        @let count = status_counts.of(status);
                        @if count > 0 {
                            option value=(status.name()) { (status.name()) " (" (count) ")" }
                        }
                    }
                    option value="corrected" { "corrected or confirmed here" }
                }
            }
            label {
                "Sort by"
                select #sort autocomplete="off" {
                    option value="worst" { "errors first" }
                    option value="lowest" { "confidence, lowest first" }
                    option value="highest" { "confidence, highest first" }
                    option value="name" { "name" }
                }
            }
            label { "Name has" input #find type="search" autocomplete="off"; }
            output #count aria-live="polite" {}
        }
    }
}

fn load_line() -> Markup {
    html! {
        div.load {
            label { "Load a corrections.csv " input #load type="file" accept=".csv,text/csv"; }
            span.quiet { "or drop it here. Your corrections are stored in this browser." }
            div #loaded role="status" {}
        }
    }
}

fn save_bar(run: Option<&str>) -> Markup {
    html! {
        div #save role="status" hidden {
            b #changed {}
            span #left {}
            button #download type="button" { "Download corrections.csv" }
            button #start-over type="button" { "Start over" }
            p #not-kept.bad { "This browser stores nothing: download the file before you leave." }
            span.quiet {
                "then "
                code { "sudoku-batch dataset apply corrections.csv --run " (run.unwrap_or("DIR")) }
                " makes ground truth and labeled crops of it"
                @if run.is_none() { "; DIR is the folder of this run" }
            }
        }
    }
}

/// Returns the table that is shown without scripts.
fn plain_table(boards: &[Board]) -> Markup {
    html! {
        h2 { "Photos" }
        table.photos {
            caption { "All boards; with scripts enabled, this is a gallery with pictures" }
            thead {
                tr {
                    th scope="col" { "photo" }
                    th scope="col" { "status" }
                    th.number scope="col" { "confidence" }
                    th scope="col" { "note" }
                }
            }
            tbody {
                @for board in boards {
                    @let status = Status::ALL[board.status].name();
                    tr {
                        td {
                            (file_name(&board.name))
                            @if board.puzzle > 1 { " #" (board.puzzle) }
                        }
                        td { span.status.(status) { (status) } }
                        td.number {
                            @if let Some(confidence) = board.confidence {
                                (format!("{confidence:.3}"))
                            }
                        }
                        td { (board.note) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    #[test]
    fn doubts_are_compact() {
        let doubt = |cell, guesses: &[(u8, f32)]| Doubt {
            cell: Cell::all().nth(cell).unwrap(),
            guesses: guesses
                .iter()
                .map(|&(value, share)| (Digit::new(value), share))
                .collect(),
        };
        let doubts = [
            doubt(4, &[(8, 0.6254), (0, 0.0051)]),
            doubt(80, &[(1, 0.9999), (7, 0.0)]),
        ];
        assert_eq!(compact(&doubts), "0486250005 8019997000");
        assert_eq!(compact(&[]), "");
    }
}
