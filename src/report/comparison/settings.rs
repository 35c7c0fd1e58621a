//! Settings that differ, as a table.

use maud::{Markup, html};

use crate::report::page::hash;
use crate::settings::Setting;

/// Returns the table of settings that differ between these runs.
pub(super) fn settings(runs: &[String], settings: &[Setting]) -> Markup {
    html! {
        @if runs.len() > 1 {
            h3 { "Settings that differ" }
            @if settings.is_empty() {
                p.quiet { "None." }
            } @else {
                div.wide {
                    table {
                        caption.unseen { "Settings that differ between runs" }
                        thead { tr {
                            th scope="col" { "setting" }
                            @for run in runs { th scope="col" { (run) } }
                        } }
                        tbody {
                            @for setting in settings {
                                tr {
                                    th scope="row" { code { (setting.name) } }
                                    @for value in &setting.values {
                                        td.any { (shown(value.as_deref())) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns a value of a setting; hashes are shortened.
fn shown(value: Option<&str>) -> Markup {
    let is_hash =
        |value: &&str| value.len() >= 32 && value.bytes().all(|it| it.is_ascii_hexdigit());
    match value {
        Some(value) if is_hash(&value) => hash(value),
        value => html! { (value.unwrap_or("not there")) },
    }
}
