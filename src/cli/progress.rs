//! Progress bars on stderr.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{Common, ProgressWhen};

/// A bar over `length` units (`"photos"`), hidden where it would be noise.
pub(crate) fn bar(common: &Common, length: u64, unit: &str) -> ProgressBar {
    let shown = match common.progress {
        ProgressWhen::Always => true,
        ProgressWhen::Never => false,
        ProgressWhen::Auto => !common.quiet && std::io::stderr().is_terminal(),
    };
    if !shown {
        return ProgressBar::hidden();
    }
    let template = format!(
        "{{bar:32.cyan/blue}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  ETA {{eta}}  {{msg}}"
    );
    let style =
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar
}
