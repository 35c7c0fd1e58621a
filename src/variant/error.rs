//! Why a text is no puzzle of any size.

use thiserror::Error;

use super::alphabet::Alphabet;
use super::layout::{Boxes, LEAST_SIDE, LayoutError};
use super::puzzle::PuzzleError;
use super::value::MOST_SIDE;

/// Why a line is not a puzzle: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    /// Nothing but white space.
    #[error("the line is empty")]
    Empty,
    /// A character that is neither a symbol nor a blank.
    #[error(
        "character {column}: {character:?} is neither a digit, a letter nor a blank (one of . 0 * _ -)"
    )]
    Character {
        /// Place on the line, in characters from 1.
        column: usize,
        /// What stands there.
        character: char,
    },
    /// As many cells as no square board has.
    #[error(
        "found {found} cells: a board has as many rows as columns, from {LEAST_SIDE} x {LEAST_SIDE} = {} \
         to {MOST_SIDE} x {MOST_SIDE} = {} cells", LEAST_SIDE * LEAST_SIDE, MOST_SIDE * MOST_SIDE
    )]
    Cells {
        /// Cells on the line.
        found: usize,
    },
    /// The boxes could be several.
    #[error(
        "a {side}x{side} board may have boxes {}: say which with --boxes",
        listed(fits)
    )]
    Boxes {
        /// Cells of a row.
        side: usize,
        /// What fits.
        fits: Vec<Boxes>,
    },
    /// Five boards that overlap, in a square of which they leave parts blank.
    #[error(
        "441 cells, blank outside of five 9x9 boards: a samurai is no single board, and is not supported; if it is a \
         21x21 board, say its boxes with --boxes"
    )]
    Samurai,
    /// A board that cannot have boxes.
    #[error(
        "a {side}x{side} board has no boxes: give its regions, as a field of {} symbols after the cells or \
         with --regions", side * side
    )]
    Regions {
        /// Cells of a row.
        side: usize,
    },
    /// Boxes or regions for a board of another size.
    #[error("the {rules} are for a {expected}x{expected} board, and this one is {side}x{side}")]
    OtherSide {
        /// What is for another board.
        rules: &'static str,
        /// The side they are for.
        expected: usize,
        /// Cells of a row.
        side: usize,
    },
    /// The line says one thing of its regions, and the options another.
    #[error("the line has {line} of its own: leave out --boxes and --regions")]
    OtherRegions {
        /// What the line has.
        line: &'static str,
    },
    /// Something that can stand only once stands twice.
    #[error("the line has {what} twice")]
    Twice {
        /// What it has.
        what: &'static str,
    },
    /// A symbol that stands for no value of the board.
    #[error(
        "row {row}, column {column}: {symbol} is no value of a {side}x{side} board written as {alphabet}: \
         correct it, or say with --symbols how values are written"
    )]
    Value {
        /// From 1.
        row: usize,
        /// From 1.
        column: usize,
        /// What stands there.
        symbol: String,
        /// How the board is written.
        alphabet: Alphabet,
        /// Cells of a row.
        side: usize,
    },
    /// 0 would have to be a blank and a value.
    #[error(
        "0 stands for a blank or for a value of this {side}x{side} board: say --symbols 1-9A-Z if it is a \
         blank, or --symbols 0-9A-Z if it is a value (for numbers: numbers or 0-numbers)"
    )]
    Zero {
        /// Cells of a row.
        side: usize,
    },
    /// Numbers where one character a cell is asked for, or the other way.
    #[error("the cells are not written as {alphabet}: leave out --symbols, or name the right ones")]
    OtherSymbols {
        /// What is asked for.
        alphabet: Alphabet,
    },
    /// A part of a line that has a form of its own.
    #[error("{what}: character {column}: expected {expected}")]
    Part {
        /// What the part is.
        what: &'static str,
        /// Place in the line, in characters from 1.
        column: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A part of a line that is too long or too short, or says what cannot be.
    #[error("{what}: {why}")]
    Whole {
        /// What the part is.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The rules make no board.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The givens do not fit the rules.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
}

fn listed(fits: &[Boxes]) -> String {
    let names: Vec<String> = fits.iter().map(Boxes::to_string).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Why a format cannot hold a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CannotHold {
    /// There is no room for a rule.
    #[error("{format} has no room for {what}: use --to {instead}")]
    Rule {
        /// The format.
        format: &'static str,
        /// What it has no room for.
        what: String,
        /// What has room.
        instead: &'static str,
    },
    /// The alphabet has too few symbols.
    #[error(
        "{alphabet} has no symbols for all values of a {side}x{side} board: use --symbols {instead}"
    )]
    Symbols {
        /// The alphabet.
        alphabet: Alphabet,
        /// Cells of a row.
        side: usize,
        /// What has enough.
        instead: Alphabet,
    },
}
