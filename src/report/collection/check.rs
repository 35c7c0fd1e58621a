//! What checks of a collection came to, as a page.

use std::path::PathBuf;

use maud::html;

use crate::files::show;
use crate::report::number::grouped;
use crate::report::page::{TABLES_STYLE, document};

/// Returns a page with counts and what they count, and a table with rows of bad puzzles under these columns.
pub fn check_page<const N: usize>(
    paths: &[PathBuf],
    counts: &[(u64, &str)],
    columns: [&str; N],
    bad: &[[String; N]],
) -> String {
    let names: Vec<String> = paths.iter().map(|path| show(path)).collect();
    let body = html! {
        body.bench {
            header {
                h1 { "A collection checked" }
                p.quiet { (names.join(", ")) }
            }
            main {
                div.tiles {
                    @for (count, words) in counts {
                        div.tile { b { (grouped(*count)) } span { (words) } }
                    }
                }
                @if !bad.is_empty() {
                    section {
                        h2 { "Bad puzzles" }
                        p.quiet { "The first that were found." }
                        div.wide { table {
                            thead { tr { @for column in columns { th scope="col" { (column) } } } }
                            tbody {
                                @for row in bad {
                                    tr { @for cell in row { td { (cell) } } }
                                }
                            }
                        } }
                    }
                }
            }
        }
    };
    document("check", &[TABLES_STYLE], &body)
}
