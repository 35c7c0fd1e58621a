//! The data card: what a data set is, how it was made, and how to check that it is still that.
//!
//! After Gebru et al., "Datasheets for datasets", Communications of the ACM 64, 2021; in the form that dataset hubs show.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::super::part::Part;
use super::error::ExportError;
use super::record::Column;
use super::writer::Format;
use crate::files::{ReadError, show, write_bytes};

/// What the card says beside the files.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// What the data set is called.
    pub title: String,
    /// The command line that made it, as it can be typed again.
    pub command: String,
    /// The seed of all that was random.
    pub seed: u64,
    /// How it is written.
    pub format: Format,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Rows in all, without symmetric copies.
    pub rows: u64,
    /// Rows of each split, where rows have one.
    pub splits: BTreeMap<Part, u64>,
    /// Symmetric copies of each puzzle of the training split.
    pub copies: u32,
}

/// The file of hashes, in the form that `b3sum --check` reads.
pub const SUMS: &str = "BLAKE3SUMS";

/// Writes the card, `README.md`, and the hashes of the files, below the folder of a data set. The card comes last, so where it is,
/// everything is.
///
/// # Errors
/// [`ExportError::Read`], [`ExportError::Write`].
pub fn write_card(folder: &Path, card: &Card, files: &[PathBuf]) -> Result<(), ExportError> {
    let mut sums = String::new();
    let mut table = String::new();
    let mut files: Vec<&PathBuf> = files.iter().collect();
    files.sort();
    for path in files {
        let below = path.strip_prefix(folder).unwrap_or(path);
        let name = show(below).replace('\\', "/");
        let (hash, bytes) = hash(path)?;
        let _ = writeln!(sums, "{hash}  {name}");
        let _ = writeln!(table, "| `{name}` | {bytes} | `{hash}` |");
    }
    let path = folder.join(SUMS);
    write_bytes(&path, sums.as_bytes()).map_err(ExportError::of(&path))?;
    let path = folder.join("README.md");
    write_bytes(&path, text(card, &table).as_bytes()).map_err(ExportError::of(&path))
}

/// The whole BLAKE3 hash of a file, and its size.
fn hash(path: &Path) -> Result<(String, u64), ExportError> {
    let unreadable = |source| ReadError::Unreadable {
        path: path.to_owned(),
        source,
    };
    let mut hasher = blake3::Hasher::new();
    let file = File::open(path).map_err(unreadable)?;
    hasher.update_reader(file).map_err(unreadable)?;
    Ok((hasher.finalize().to_hex().to_string(), hasher.count()))
}

fn text(card: &Card, files: &str) -> String {
    let mut text = String::new();
    let Card { title, command, .. } = card;
    // What follows is all into a string, which cannot fail.
    let _ = writeln!(text, "# {title}\n");
    let _ = writeln!(
        text,
        "{} Sudoku puzzles, written by sudoku-batch {} as `{}`.\n",
        card.rows,
        env!("CARGO_PKG_VERSION"),
        card.format.name()
    );
    let _ = writeln!(text, "## To be stated by whoever publishes it\n");
    for open in [
        "Licence: TODO. State under which licence the puzzles may be used. Puzzles of others keep theirs.",
        "Sources: TODO. Name the collections that the puzzles come from, with their versions or dates, and their licences.",
        "Purpose: TODO. Say what the data set is for, and what it is not for.",
        "Contact: TODO.",
    ] {
        let _ = writeln!(text, "- {open}");
    }
    let _ = writeln!(text, "\n## How it was made\n\n```sh\n{command}\n```\n");
    let _ = writeln!(
        text,
        "Seed {}. The same version, seed and input give the same files, byte by byte.\n",
        card.seed
    );
    if card.copies > 0 {
        let _ = writeln!(
            text,
            "Each puzzle of the training split stands beside {} random symmetric copies of it, in its group; a board with fewer, beside all of them.\n",
            card.copies
        );
    }
    if !card.splits.is_empty() {
        let _ = writeln!(text, "## Splits\n\n| split | rows |\n| --- | ---: |");
        for (split, rows) in &card.splits {
            let _ = writeln!(text, "| {} | {rows} |", split.name());
        }
        text.push('\n');
    }
    describe(&mut text, card);
    let _ = writeln!(
        text,
        "## Files\n\n| file | bytes | BLAKE3 |\n| --- | ---: | --- |\n{files}"
    );
    let _ = writeln!(
        text,
        "To verify them: `b3sum --check {SUMS}` in this folder (`cargo install b3sum`)."
    );
    text
}

/// The columns, or the layout where that is given.
fn describe(text: &mut String, card: &Card) {
    if card.format == Format::Hrm {
        let _ = writeln!(
            text,
            "## Layout\n\nThat of HRM (github.com/sapientinc/HRM) and TRM \
             (github.com/SamsungSAILMontreal/TinyRecursiveModels): for each split `all__inputs.npy` and `all__labels.npy` \
             (uint8, N x cells), `all__puzzle_identifiers.npy`, `all__puzzle_indices.npy` and `all__group_indices.npy` (int32), and \
             `dataset.json`. A token is a cell's value plus one: 1 is a blank, values follow from 2 on, and 0 is the pad, \
             which no cell is.\n"
        );
        return;
    }
    let _ = writeln!(
        text,
        "## Columns\n\n| column | what it holds |\n| --- | --- |"
    );
    for column in &card.columns {
        let _ = writeln!(text, "| `{column}` | {} |", column.meaning());
    }
    text.push('\n');
    if card.format == Format::Npy {
        let _ = writeln!(
            text,
            "`puzzle` is `puzzles.npy` and `solution` is `solutions.npy`: uint8, N x cells, 0 for a blank and for the cells of a \
             solution that is not known. The other columns are in `table.csv`, row by row.\n"
        );
    }
}
