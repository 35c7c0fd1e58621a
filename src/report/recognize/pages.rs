//! The pages of a recognition run: one page for all photos where they fit, else a page with the
//! most important ones and further pages with all. The page of a review is made of the same parts.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::gallery::{self, Board, Place, gallery};
use super::html::{headline, inputs, numbers};
use crate::dataset::Review;
use crate::recognize::{PhotoResult, Summary};
use crate::report::number::counted;
use crate::report::page::document;

/// Bytes of boards on a page: pages stay under 10 MB.
const BYTES: usize = 9_000_000;

/// A page, and its path below the folder of the run.
#[derive(Debug)]
pub struct Page {
    /// `report.html`, or `pages/0001.html` and so on.
    pub path: String,
    /// The page.
    pub html: String,
}

/// A page with a part of the photos, not yet as HTML.
#[derive(Debug)]
pub struct FullPage {
    boards: Vec<Board>,
    /// The folder that the names of all boards begin with, and were without.
    folder: String,
    settings: String,
    /// Its place among its kind, from 1.
    number: usize,
    is_last: bool,
}

impl FullPage {
    /// Returns the page.
    pub fn render(&self) -> Page {
        let number = self.number;
        let title = format!("photos, page {number}");
        let place = place(&self.folder, &self.settings, "../");
        let body = html! {
            body {
                header {
                    h1 { "Photos, page " (number) }
                    p.quiet {
                        a href="../report.html" { "The whole run" }
                        @if number > 1 { " · " a href=(name_of(number - 1)) { "previous page" } }
                        @if !self.is_last { " · " a href=(name_of(number + 1)) { "next page" } }
                    }
                }
                (gallery(&self.boards, place))
            }
        };
        Page {
            path: path_of(number),
            html: document(&title, &[gallery::STYLE], &body),
        }
    }
}

/// Makes the pages of a run from its photos, one after the other. Keeps at most two pages in
/// memory, however many photos there are.
#[derive(Debug)]
pub struct Pages {
    bytes: usize,
    /// Hash of the settings that affect the rows.
    settings: String,
    /// Boards of the current page of all photos.
    filling: Vec<Board>,
    filled_bytes: usize,
    /// The most urgent boards, by urgency and place in the run, with their sizes in bytes.
    urgent: BTreeMap<((u8, u64), usize), (Board, usize)>,
    urgent_bytes: usize,
    boards: usize,
    /// Names of the first photo of each complete page.
    firsts: Vec<String>,
}

impl Default for Pages {
    fn default() -> Pages {
        Pages::of(BYTES)
    }
}

impl Pages {
    /// Returns an empty set of pages with this many bytes of boards each.
    pub(super) fn of(bytes: usize) -> Pages {
        Pages {
            bytes,
            settings: String::new(),
            filling: Vec::new(),
            filled_bytes: 0,
            urgent: BTreeMap::new(),
            urgent_bytes: 0,
            boards: 0,
            firsts: Vec::new(),
        }
    }

    /// Adds the next photo. Returns a page with a part of the photos when one is full: it takes a while to render, which
    /// another thread may do.
    pub fn add(&mut self, photo: &PhotoResult) -> Option<FullPage> {
        if self.settings.is_empty() {
            self.settings.clone_from(&photo.settings);
        }
        let boards = Board::all_of(photo);
        let sizes: Vec<usize> = boards.iter().map(Board::bytes).collect();
        let bytes: usize = sizes.iter().sum();
        let full = self.filled_bytes + bytes > self.bytes && !self.filling.is_empty();
        let page = full.then(|| self.turn(false));
        for (board, bytes) in boards.iter().zip(sizes) {
            self.urge(board, bytes);
        }
        self.filled_bytes += bytes;
        self.filling.extend(boards);
        page
    }

    /// Keeps a board of this size if it is among the most urgent ones.
    fn urge(&mut self, board: &Board, bytes: usize) {
        let key = (board.urgency(), self.boards);
        self.boards += 1;
        let is_room = self.urgent_bytes + bytes <= self.bytes;
        let is_more = |(last, _): (&_, &_)| key < *last;
        if !is_room && !self.urgent.last_key_value().is_none_or(is_more) {
            return;
        }
        self.urgent.insert(key, (board.clone(), bytes));
        self.urgent_bytes += bytes;
        while self.urgent_bytes > self.bytes && self.urgent.len() > 1 {
            let last = self.urgent.pop_last();
            self.urgent_bytes -= last.map_or(0, |(_, (_, bytes))| bytes);
        }
    }

    /// Returns `report.html`, and the last of the other pages if there are any.
    pub fn finish(mut self, summary: &Summary) -> Vec<Page> {
        let mut pages = Vec::new();
        if !self.firsts.is_empty() {
            pages.push(self.turn(true).render());
        }
        let mut boards: Vec<(usize, Board)> = std::mem::take(&mut self.urgent)
            .into_iter()
            .map(|((_, place), (board, _))| (place, board))
            .collect();
        boards.sort_by_key(|(place, _)| *place);
        let mut boards: Vec<Board> = boards.into_iter().map(|(_, board)| board).collect();
        let folder = strip_folder(&mut boards);
        let links = (!self.firsts.is_empty()).then(|| self.links(boards.len()));
        let place = place(&folder, &self.settings, "./");
        let body = html! {
            body {
                (headline(summary))
                @if let Some(links) = links { (links) }
                (gallery(&boards, place))
                (numbers(summary))
            }
        };
        let title = inputs(summary);
        let html = document(&title, &[gallery::STYLE], &body);
        pages.push(Page {
            path: "report.html".to_owned(),
            html,
        });
        pages
    }

    /// Returns the current page.
    fn turn(&mut self, is_last: bool) -> FullPage {
        let mut boards = std::mem::take(&mut self.filling);
        boards.iter_mut().for_each(Board::lift);
        self.filled_bytes = 0;
        let folder = strip_folder(&mut boards);
        let first = boards.first().map_or("", |board| &board.name);
        self.firsts.push(format!("{folder}{first}"));
        FullPage {
            boards,
            folder,
            settings: self.settings.clone(),
            number: self.firsts.len(),
            is_last,
        }
    }

    /// Returns what is shown here, and the links to the rest.
    fn links(&self, shown: usize) -> Markup {
        html! {
            section #pages aria-labelledby="pages-title" {
                h2 #pages-title { "All photos" }
                p {
                    "Shown here: " (shown) " of " (self.boards)
                    " boards, first what went wrong, then what is doubtful, then a sample of the rest. "
                    "Everything, page by page:"
                }
                ol.pages {
                    @for (number, first) in (1..).zip(&self.firsts) {
                        li { a href=(path_of(number)) { "from " (first) } }
                    }
                }
            }
        }
    }
}

/// Returns the page of a review of the run in this folder: the photos that a person should look at.
pub fn review_page(review: &Review, run: &str) -> String {
    let mut boards: Vec<Board> = review.photos.iter().flat_map(Board::all_of).collect();
    let folder = strip_folder(&mut boards);
    let settings = review.photos.first().map_or("", |photo| &*photo.settings);
    let place = Place {
        folder: &folder,
        settings,
        root: "./",
        run: Some(run),
    };
    let summary = &review.summary;
    let title = format!("{} to look at", counted(summary.photos as u64, "photo"));
    let body = html! {
        body {
            header {
                h1 { (title) }
                p.quiet {
                    "Of the run " (run) ": " (summary.contradicted)
                    " with a cell that the rules or the ground truth contradict, " (summary.uncertain)
                    " with a doubtful cell, " (summary.without_board) " without a board."
                    @if summary.lost > 0 {
                        " " (counted(summary.lost as u64, "photo")) " gone or exchanged since the run."
                    }
                }
            }
            (gallery(&boards, place))
        }
    };
    document(&title, &[gallery::STYLE], &body)
}

/// Where the boards of a page of the run lie.
fn place<'a>(folder: &'a str, settings: &'a str, root: &'a str) -> Place<'a> {
    Place {
        folder,
        settings,
        root,
        run: None,
    }
}

fn path_of(number: usize) -> String {
    format!("pages/{}", name_of(number))
}

fn name_of(number: usize) -> String {
    format!("{number:04}.html")
}

/// Removes the common folder from the names of all boards, and returns it.
fn strip_folder(boards: &mut [Board]) -> String {
    let folder = shared_folder(boards.iter().map(|board| &*board.name)).to_owned();
    for board in boards {
        board.name.drain(..folder.len());
    }
    folder
}

/// Returns the longest common prefix of all names that ends with a slash.
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

#[cfg(test)]
mod tests {
    use super::*;

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
