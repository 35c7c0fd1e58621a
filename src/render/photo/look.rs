//! Scene styles of rendered photos.

use std::fmt;
use std::ops::RangeInclusive;

/// A scene style: a kind of photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// A newspaper page: columns, headlines, other puzzles around the board.
    Newspaper,
    /// A book that bends towards its spine.
    Book,
    /// An app on a screen, light on dark.
    DarkScreen,
    /// An app on a screen, dark on light.
    LightScreen,
    /// A board seen from the side.
    Tilt,
    /// The edge of a hard shadow across the board.
    Shadow,
    /// A board rotated by a quarter or a half turn.
    Turned,
    /// Two boards on one page.
    TwoBoards,
    /// A page of a puzzle book: rows of boards, a title each.
    PuzzlePage,
    /// A newspaper page with a small second board: yesterday's solution.
    Yesterday,
    /// Partly filled in by hand, with a few pencil candidates.
    Filled,
    /// Cells with colored backgrounds.
    Colored,
    /// Thin or dotted lines.
    ThinLines,
    /// A small board, somewhere in a room.
    Small,
    /// Low resolution, noise, strong compression.
    Poor,
    /// Folded paper.
    Folded,
    /// No board: a crossword.
    Crossword,
    /// No board: a month of a calendar.
    Calendar,
    /// No board: a chess diagram.
    Chess,
    /// No board: a page of text.
    Text,
    /// A pocket game whose digits are made of seven segments.
    Display,
    /// An app on a screen, with pencil marks in the blanks: small or large, bold, colored, in
    /// corners or in the middle.
    AppMarks,
    /// No board: a crossword with letters in it.
    FilledCrossword,
    /// No board: a crossword with a number in each cell.
    Codeword,
    /// No board: a Kakuro.
    Kakuro,
    /// No board: a nonogram.
    Nonogram,
    /// No board: a table of numbers.
    NumberTable,
    /// No board: a card of numbers.
    Bingo,
    /// No board: the keys of a telephone or calculator.
    Keypad,
}

impl Look {
    /// All styles: the usual ones, the display and the app with marks, and further ones without a
    /// board.
    pub const ALL: [Look; 29] = [
        Look::Newspaper,
        Look::Book,
        Look::DarkScreen,
        Look::Tilt,
        Look::Shadow,
        Look::Filled,
        Look::Turned,
        Look::TwoBoards,
        Look::PuzzlePage,
        Look::Yesterday,
        Look::LightScreen,
        Look::Colored,
        Look::ThinLines,
        Look::Small,
        Look::Poor,
        Look::Folded,
        Look::Crossword,
        Look::Calendar,
        Look::Chess,
        Look::Text,
        Look::Display,
        Look::AppMarks,
        Look::FilledCrossword,
        Look::Codeword,
        Look::Kakuro,
        Look::Nonogram,
        Look::NumberTable,
        Look::Bingo,
        Look::Keypad,
    ];

    /// The styles that are rendered by default. The display is not among them, because the built-in
    /// network was never trained on such digits. Nor are the app with marks and the further ones
    /// without a board, which are meant to be rendered by the thousand.
    pub const USUAL: &'static [Look] = Look::ALL.split_at(20).0;

    /// The styles with a grid of numbers or letters that is no Sudoku, besides the usual ones.
    pub const OTHER_GRIDS: &'static [Look] = Look::ALL.split_at(22).1;

    /// Returns the number of boards of such a photo: the fewest and the most.
    pub const fn boards(self) -> RangeInclusive<usize> {
        match self {
            Look::Crossword | Look::Calendar | Look::Chess | Look::Text => 0..=0,
            Look::FilledCrossword | Look::Codeword | Look::Kakuro | Look::Nonogram => 0..=0,
            Look::NumberTable | Look::Bingo | Look::Keypad => 0..=0,
            Look::TwoBoards | Look::Yesterday => 2..=2,
            Look::PuzzlePage => 3..=24,
            _ => 1..=1,
        }
    }

    /// Returns whether it is an app on a screen.
    pub const fn is_screen(self) -> bool {
        matches!(self, Look::DarkScreen | Look::LightScreen | Look::AppMarks)
    }

    /// Returns the name used in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Look::Newspaper => "newspaper",
            Look::Book => "book",
            Look::DarkScreen => "dark-screen",
            Look::LightScreen => "light-screen",
            Look::Tilt => "tilt",
            Look::Shadow => "shadow",
            Look::Turned => "turned",
            Look::TwoBoards => "two-boards",
            Look::PuzzlePage => "puzzle-page",
            Look::Yesterday => "yesterday",
            Look::Filled => "filled",
            Look::Colored => "colored",
            Look::ThinLines => "thin-lines",
            Look::Small => "small",
            Look::Poor => "poor",
            Look::Folded => "folded",
            Look::Crossword => "crossword",
            Look::Calendar => "calendar",
            Look::Chess => "chess",
            Look::Text => "text",
            Look::Display => "display",
            Look::AppMarks => "app-marks",
            Look::FilledCrossword => "filled-crossword",
            Look::Codeword => "codeword",
            Look::Kakuro => "kakuro",
            Look::Nonogram => "nonogram",
            Look::NumberTable => "number-table",
            Look::Bingo => "bingo",
            Look::Keypad => "keypad",
        }
    }
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
