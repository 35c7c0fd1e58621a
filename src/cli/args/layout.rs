//! Flags for boards of other sizes and shapes.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use sudoku_batch::variant::{Alphabet, Boxes, Layout, Reading, parse_regions};

use crate::cli::error::CliError;

#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Boards of other sizes and shapes")]
pub(crate) struct LayoutArgs {
    /// Boxes, rows x columns, such as 2x3; not needed where they are square
    #[arg(long, value_name = "RxC")]
    pub(crate) boxes: Option<Boxes>,
    /// Both diagonals are houses (Sudoku X)
    #[arg(long)]
    pub(crate) diagonals: bool,
    /// The extra boxes of a windoku are houses
    #[arg(long)]
    pub(crate) windows: bool,
    /// Regions of a jigsaw, where the lines do not contain them: a string with a symbol for each
    /// cell, or a file with it
    #[arg(long, value_name = "FILE|STRING", conflicts_with = "boxes")]
    pub(crate) regions: Option<String>,
    /// How values are written: 1-9A-Z, 0-9A-Z, A-Z, numbers or 0-numbers [default: detected from
    /// the lines]
    #[arg(long, value_name = "SYMBOLS")]
    pub(crate) symbols: Option<Alphabet>,
}

impl LayoutArgs {
    /// Returns whether any of them is given, so that the boards are not classic ones.
    pub(crate) fn is_given(&self) -> bool {
        self.boxes.is_some()
            || self.diagonals
            || self.windows
            || self.regions.is_some()
            || self.symbols.is_some()
    }

    /// Returns how lines are to be read, if any of them is given.
    pub(crate) fn reading_if_given(&self) -> Result<Option<Reading>, CliError> {
        self.is_given().then(|| self.reading()).transpose()
    }

    /// Returns how lines are to be read.
    pub(crate) fn reading(&self) -> Result<Reading, CliError> {
        Ok(Reading {
            boxes: self.boxes,
            regions: self.regions.as_deref().map(regions).transpose()?,
            diagonals: self.diagonals,
            windows: self.windows,
            symbols: self.symbols,
        })
    }
}

/// Reads regions from a string, or from a file.
fn regions(text: &str) -> Result<Arc<Layout>, CliError> {
    let (place, regions) = if Path::new(text).is_file() {
        let read = std::fs::read_to_string(text);
        let read = read.map_err(|error| CliError::new(format!("cannot read {text}: {error}")))?;
        let lines = read.lines().filter(|line| !line.starts_with('#'));
        (text, lines.collect::<Vec<&str>>().join("\n"))
    } else {
        ("--regions", text.to_owned())
    };
    let layout = parse_regions(&regions).map_err(|error| {
        CliError::with_hint(
            format!("{place}: {error}"),
            "regions are a symbol for each cell, the same for cells of one region, or a file of that",
        )
    })?;
    Ok(Arc::new(layout))
}
