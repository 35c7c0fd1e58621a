//! Common parts of all pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of all pages.
const STYLE: &str = include_str!("style.css");
/// The style of pages with tables and charts.
pub(super) const TABLES_STYLE: &str = include_str!("assets/tables.css");
/// The script for sorting, filtering, and values under the pointer; all numbers are visible without
/// it.
pub(super) const TABLES_SCRIPT: &str = include_str!("assets/tables.js");

/// Returns a whole page. The styles are added to that of all pages; `body` is the body element.
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

/// Returns the name of a file, which is never wrapped inside its extension.
pub(super) fn file_name(name: &str) -> Markup {
    let ending = name
        .rfind('.')
        .filter(|dot| (2..=6).contains(&(name.len() - dot)));
    let (stem, ending) = name.split_at(ending.unwrap_or(name.len()));
    html! { (stem) @if !ending.is_empty() { span.ending { (ending) } } }
}

/// Returns a hash shortened; the whole of it is its title.
pub(super) fn hash(hash: &str) -> Markup {
    html! { code title=(hash) { (short_hash(hash)) } }
}

/// Returns the first characters of a hash: enough to distinguish those of a page.
fn short_hash(hash: &str) -> &str {
    hash.get(..10).unwrap_or(hash)
}

/// Returns a path below the page as a link, with special characters escaped.
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
