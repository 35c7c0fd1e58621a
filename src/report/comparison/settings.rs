//! Settings that differ, as a table.

use maud::{Markup, html};

use crate::settings::Setting;

/// The settings that are not the same in all of these runs.
pub(super) fn settings(runs: &[String], settings: &[Setting]) -> Markup {
    html! {
        @if runs.len() > 1 {
            h3 { "Settings that differ" }
            @if settings.is_empty() {
                p.quiet { "None." }
            } @else {
                div.wide {
                    table {
                        caption.unseen { "Settings that are not the same in all runs" }
                        thead { tr {
                            th scope="col" { "setting" }
                            @for run in runs { th scope="col" { (run) } }
                        } }
                        tbody {
                            @for setting in settings {
                                tr {
                                    th scope="row" { code { (setting.name) } }
                                    @for value in &setting.values {
                                        td.any { (value.as_deref().unwrap_or("not there")) }
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
