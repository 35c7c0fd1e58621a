//! The photos of a recognition run as a gallery in which boards can be mended.
//!
//! The page holds the boards as compact JSON and `assets/gallery.js` makes the cards as they come
//! into view, so that ten thousand photos are a page of a few megabytes. Without scripts a plain
//! table remains.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::run::{Run, Trouble, trouble};
use crate::grid::Digit;
use crate::recognize::{Doubt, Judgement, PhotoResult, Record, Status};
use crate::report::page::link;

/// The style of the gallery.
pub(super) const STYLE: &str = include_str!("../assets/gallery.css");

/// Counts the solutions of a board.
const SOLVER: &str = include_str!("../assets/solver.js");
/// Shows doubtful cells, and what the rules say to them.
const DOUBTS: &str = include_str!("../assets/doubts.js");
/// Makes cards, opens boards, writes corrections.
const SCRIPT: &str = include_str!("../assets/gallery.js");

/// What the script reads.
#[derive(Serialize)]
struct Gallery<'a> {
    /// What the names of all photos begin with.
    folder: &'a str,
    /// Names of the statuses, by number.
    statuses: [&'static str; Status::ALL.len()],
    boards: Vec<Board<'a>>,
}

/// A row of the run.
#[derive(Serialize)]
struct Board<'a> {
    /// Name of the photo below the folder.
    name: &'a str,
    /// Number of the puzzle in the photo, 0 where there is none.
    puzzle: usize,
    /// Number of its status.
    status: usize,
    /// How bad it is, 0 is worst; `None` where nothing went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// What went wrong, or else what is to be said.
    #[serde(skip_serializing_if = "str::is_empty")]
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    givens: Option<String>,
    /// After the rules, where that is something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded: Option<String>,
    /// As [`compact`] writes them.
    #[serde(skip_serializing_if = "String::is_empty")]
    doubts: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overlay: Option<String>,
    /// The picture of the cells, which of its boards this is, and how many it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<(&'a str, usize, usize)>,
}

/// The gallery of a run.
pub(super) fn gallery(run: &Run<'_>) -> Markup {
    let names = run.photos.iter().map(|photo| &*photo.file.name);
    let folder = shared_folder(names);
    let photos = run.photos.iter().zip(run.judgements);
    let boards: Vec<Board<'_>> = photos
        .flat_map(|(photo, judgement)| boards(photo, judgement.as_ref(), folder))
        .collect();
    let wrong = boards.iter().filter(|board| board.rank.is_some()).count();
    let plain = plain_table(&boards);
    let gallery = Gallery {
        folder,
        statuses: Status::ALL.map(Status::name),
        boards,
    };
    html! {
        section #gallery aria-labelledby="gallery-title" hidden {
            h2 #gallery-title { "Photos" }
            (tools(run, gallery.boards.len(), wrong))
            ul #cards .cards {}
            div #end { button #more type="button" { "Show more" } }
            (save_bar())
        }
        (board_dialog())
        noscript { (plain) }
        script #gallery-data type="application/json" { (PreEscaped(as_script(&gallery))) }
        script { (PreEscaped(SOLVER)) (PreEscaped(DOUBTS)) }
        script { (PreEscaped(SCRIPT)) }
    }
}

/// The longest beginning of all names that ends with a slash.
pub(in crate::report) fn shared_folder<'a>(mut names: impl Iterator<Item = &'a str>) -> &'a str {
    let first = names.next().unwrap_or_default();
    let shared = names.fold(first, |shared, name| {
        let same = shared.char_indices().zip(name.chars());
        let end = same
            .take_while(|((_, a), b)| a == b)
            .last()
            .map_or(0, |((at, a), _)| at + a.len_utf8());
        &shared[..end]
    });
    &shared[..shared.rfind('/').map_or(0, |slash| slash + 1)]
}

fn boards<'a>(
    photo: &'a PhotoResult,
    judgement: Option<&Judgement>,
    folder: &str,
) -> Vec<Board<'a>> {
    let entry = &photo.entry;
    let trouble = trouble(photo, judgement);
    let read = entry.records.iter().filter(|it| it.reading.is_some());
    let count = read.count();
    let mut place = 0..count;
    let rows = entry.records.iter().zip(&entry.doubts);
    let board = |(record, doubts): (&'a Record, &'a Vec<Doubt>)| {
        let reading = record.reading.as_ref();
        let givens = reading.map(|reading| reading.givens.to_line());
        let decoded = reading.map(|reading| reading.decoded.to_line());
        let cells = reading.and_then(|_| Some((entry.cells.as_deref()?, place.next()?, count)));
        Board {
            name: photo.file.name.strip_prefix(folder).unwrap_or_default(),
            puzzle: record.puzzle,
            status: record.status as usize,
            rank: trouble.as_ref().map(|trouble| trouble.rank),
            confidence: reading.map(|it| (f64::from(it.confidence) * 1e4).round() / 1e4),
            note: note(record, trouble.as_ref(), judgement),
            decoded: decoded.filter(|decoded| Some(decoded) != givens.as_ref()),
            givens,
            doubts: compact(doubts),
            thumbnail: entry.thumbnail.as_deref(),
            overlay: entry.overlay_file().map(|file| link(&file)),
            cells,
        }
    };
    rows.map(board).collect()
}

/// Doubts in few characters, for pages of ten thousand photos: each is its cell in two digits, then
/// each content in one, 0 for a blank, and its probability in thousandths, in three. A space between.
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

fn note(record: &Record, trouble: Option<&Trouble>, judgement: Option<&Judgement>) -> String {
    match (trouble, &record.error, judgement) {
        (Some(trouble), _, _) => trouble.text.clone(),
        (None, Some(error), _) => error.clone(),
        (None, None, Some(judgement)) if judgement.wrong_cells == 0 => {
            "as the truth has it".to_owned()
        }
        (None, None, _) => String::new(),
    }
}

/// JSON that can stand in a page: no `<` that could end the script.
fn as_script(gallery: &Gallery<'_>) -> String {
    let json = serde_json::to_string(gallery).expect("a gallery is plain data");
    json.replace('<', "\\u003c")
}

fn tools(run: &Run<'_>, boards: usize, wrong: usize) -> Markup {
    html! {
        div.tools role="search" {
            label {
                "Show"
                select #show autocomplete="off" {
                    option value="all" { "all (" (boards) ")" }
                    @if wrong > 0 { option value="wrong" { "what went wrong (" (wrong) ")" } }
                    @for status in Status::ALL {
                        @let count = run.summary.status.of(status);
                        @if count > 0 {
                            option value=(status.name()) { (status.name()) " (" (count) ")" }
                        }
                    }
                    option value="mended" { "mended here" }
                }
            }
            label {
                "Sort by"
                select #sort autocomplete="off" {
                    option value="worst" { "what went wrong first" }
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

fn save_bar() -> Markup {
    html! {
        div #save role="status" hidden {
            b #changed {}
            button #download type="button" { "Download corrections.csv" }
            span.quiet {
                "then " code { "sudoku-batch dataset apply corrections.csv --run DIR" }
                " makes truth and labeled crops of it; DIR is the folder of this page"
            }
        }
    }
}

fn board_dialog() -> Markup {
    html! {
        dialog #board aria-labelledby="board-title" {
            header {
                h2 #board-title {}
                button #previous type="button" title="Page Up" { "Previous" }
                button #next type="button" title="Page Down" { "Next" }
                button #close type="button" title="Escape" { "Close" }
            }
            p #board-facts {}
            div.sides {
                div #pictures {
                    div #cells role="img" aria-label="the cells as they were cut" {
                        div #marker {}
                    }
                    div #photo-side {
                        a #photo-link { img #photo alt="the photo with its solution"; }
                        p.legend #larger { code { "recognize --overlay" } " shows a larger photo here." }
                    }
                }
                div #mending {
                    table #grid role="grid" aria-label="the board" {}
                    p #verdict role="status" {}
                    p #cell-facts {}
                    div #keys role="group" aria-label="digits" {}
                    div.choices {
                        button #confirm type="button" { "Right as it is" }
                        button #reset type="button" { "Take back" }
                    }
                    p.legend {
                        "Click a cell or move with the arrow keys; type a digit, or 0 or space for a blank. "
                        "Framed: the rules overruled what was read, which stands small in the corner. "
                        "Underlined: doubtful, with the second best. Filled: mended by you."
                    }
                    section #evidence aria-labelledby="evidence-title" {
                        h3 #evidence-title { "Cells to look at" }
                        p.legend {
                            "What the reader thinks each may hold, and what would become of the board with it."
                        }
                        ul #doubts {}
                    }
                }
                p #no-board { "No board was read here, so there is none to mend." }
            }
        }
    }
}

/// What remains without scripts.
fn plain_table(boards: &[Board<'_>]) -> Markup {
    html! {
        h2 { "Photos" }
        table.photos {
            caption { "Every board; with scripts allowed, a gallery with pictures stands here" }
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
                            (board.name)
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

    #[test]
    fn names_are_cut_after_the_last_folder_that_all_share() {
        let shared = |names: &[&'static str]| shared_folder(names.iter().copied());
        assert_eq!(shared(&["a/b/c.jpg", "a/b/d.jpg", "a/bc/d.jpg"]), "a/");
        assert_eq!(shared(&["a/ä.jpg", "a/ö.jpg"]), "a/");
        assert_eq!(shared(&["a/b.jpg"]), "a/");
        assert_eq!(shared(&["b.jpg", "a/b.jpg"]), "");
        assert_eq!(shared(&[]), "");
    }
}
