//! Progress bars on stderr.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::args::{Common, ProgressWhen};

/// Columns of a line where there is no terminal.
const COLUMNS: u16 = 100;

/// A bar over `length` units (`"photos"`), hidden where it would be noise. Where it is wanted and there is no
/// terminal, it is a line now and then.
pub(crate) fn bar(common: &Common, length: u64, unit: &str) -> ProgressBar {
    let is_terminal = io::stderr().is_terminal();
    let shown = match common.progress {
        ProgressWhen::Always => true,
        ProgressWhen::Never => false,
        ProgressWhen::Auto => !common.quiet && is_terminal,
    };
    if !shown {
        return ProgressBar::hidden();
    }
    let template = format!(
        "{{bar:32.cyan/blue}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  ETA {{eta}}  {{msg}}"
    );
    let style =
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let target = match is_terminal {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::term_like_with_hz(Box::new(Lines::default()), 1),
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    bar.set_style(style);
    bar
}

/// Draws into a file or a pipe: each state of the bar is a line.
#[derive(Debug, Default)]
struct Lines {
    /// The line that is being drawn, and the last one that was.
    drawn: Mutex<(String, String)>,
}

impl TermLike for Lines {
    fn width(&self) -> u16 {
        COLUMNS
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.0.push_str(text);
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let line = std::mem::take(&mut drawn.0);
        let line = line.trim_end();
        if line.is_empty() || line == drawn.1 {
            return Ok(());
        }
        drawn.1 = line.to_owned();
        writeln!(anstream::stderr(), "{line}")
    }
}
