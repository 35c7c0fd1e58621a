//! Styles of text on a terminal.

use anstyle::{AnsiColor, Color, Style};

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = color(AnsiColor::Green);
pub(super) const BAD: Style = color(AnsiColor::Red);
pub(super) const HINT: Style = color(AnsiColor::Cyan);

const fn color(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}
