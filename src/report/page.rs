//! What all pages share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
const STYLE: &str = include_str!("style.css");
/// The style of pages with tables and charts.
pub(super) const TABLES_STYLE: &str = include_str!("assets/tables.css");
/// Sorting, filtering, and values under the pointer; all numbers are there without it.
pub(super) const TABLES_SCRIPT: &str = include_str!("assets/tables.js");

/// A whole page. The styles come after that of all pages; `body` is the element of this name.
pub(super) fn document(title: &str, styles: &[&str], body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "sudoku-batch: " (title) }
                style { (PreEscaped(STYLE)) @for style in styles { (PreEscaped(style)) } }
            }
            (body)
        }
    };
    page.into_string()
}

/// The name of a file, which is never broken inside its ending.
pub(super) fn file_name(name: &str) -> Markup {
    let ending = name
        .rfind('.')
        .filter(|dot| (2..=6).contains(&(name.len() - dot)));
    let (stem, ending) = name.split_at(ending.unwrap_or(name.len()));
    html! { (stem) @if !ending.is_empty() { span.ending { (ending) } } }
}

/// A hash in few characters; all of it is its title.
pub(super) fn hash(hash: &str) -> Markup {
    html! { code title=(hash) { (short_hash(hash)) } }
}

/// The first characters of a hash: enough to tell those of a page apart.
fn short_hash(hash: &str) -> &str {
    hash.get(..10).unwrap_or(hash)
}

/// A path below the page as a link: what has a meaning in links is escaped.
pub(super) fn link(path: &str) -> String {
    let mut link = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                link.push(byte as char);
            }
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}
