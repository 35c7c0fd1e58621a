//! Scene styles of rendered photos.

use std::fmt;
use std::ops::RangeInclusive;

/// A scene style: a kind of photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SceneStyle {
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
    /// A sheet with Arabic-Indic digits.
    Arabic,
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

impl SceneStyle {
    /// All styles: the usual ones, the display, the app with marks and the sheet with Arabic-Indic
    /// digits, and further ones without a board.
    pub const ALL: [SceneStyle; 30] = [
        SceneStyle::Newspaper,
        SceneStyle::Book,
        SceneStyle::DarkScreen,
        SceneStyle::Tilt,
        SceneStyle::Shadow,
        SceneStyle::Filled,
        SceneStyle::Turned,
        SceneStyle::TwoBoards,
        SceneStyle::PuzzlePage,
        SceneStyle::Yesterday,
        SceneStyle::LightScreen,
        SceneStyle::Colored,
        SceneStyle::ThinLines,
        SceneStyle::Small,
        SceneStyle::Poor,
        SceneStyle::Folded,
        SceneStyle::Crossword,
        SceneStyle::Calendar,
        SceneStyle::Chess,
        SceneStyle::Text,
        SceneStyle::Display,
        SceneStyle::AppMarks,
        SceneStyle::Arabic,
        SceneStyle::FilledCrossword,
        SceneStyle::Codeword,
        SceneStyle::Kakuro,
        SceneStyle::Nonogram,
        SceneStyle::NumberTable,
        SceneStyle::Bingo,
        SceneStyle::Keypad,
    ];

    /// The styles that are rendered by default. The display and the sheet with Arabic-Indic digits are
    /// not among them, because the built-in network was never trained on such digits. Nor are the app
    /// with marks and the further ones without a board, which are meant to be rendered by the thousand.
    pub const USUAL: &'static [SceneStyle] = SceneStyle::ALL.split_at(20).0;

    /// The styles with a grid of numbers or letters that is no Sudoku, besides the usual ones.
    pub const OTHER_GRIDS: &'static [SceneStyle] = SceneStyle::ALL.split_at(23).1;

    /// Returns the number of boards of such a photo: the fewest and the most.
    pub const fn boards(self) -> RangeInclusive<usize> {
        match self {
            SceneStyle::Crossword | SceneStyle::Calendar | SceneStyle::Chess | SceneStyle::Text => {
                0..=0
            }
            SceneStyle::FilledCrossword
            | SceneStyle::Codeword
            | SceneStyle::Kakuro
            | SceneStyle::Nonogram => 0..=0,
            SceneStyle::NumberTable | SceneStyle::Bingo | SceneStyle::Keypad => 0..=0,
            SceneStyle::TwoBoards | SceneStyle::Yesterday => 2..=2,
            SceneStyle::PuzzlePage => 3..=24,
            _ => 1..=1,
        }
    }

    /// Returns whether it is an app on a screen.
    pub const fn is_screen(self) -> bool {
        matches!(
            self,
            SceneStyle::DarkScreen | SceneStyle::LightScreen | SceneStyle::AppMarks
        )
    }

    /// Returns the name used in file names.
    pub const fn name(self) -> &'static str {
        match self {
            SceneStyle::Newspaper => "newspaper",
            SceneStyle::Book => "book",
            SceneStyle::DarkScreen => "dark-screen",
            SceneStyle::LightScreen => "light-screen",
            SceneStyle::Tilt => "tilt",
            SceneStyle::Shadow => "shadow",
            SceneStyle::Turned => "turned",
            SceneStyle::TwoBoards => "two-boards",
            SceneStyle::PuzzlePage => "puzzle-page",
            SceneStyle::Yesterday => "yesterday",
            SceneStyle::Filled => "filled",
            SceneStyle::Colored => "colored",
            SceneStyle::ThinLines => "thin-lines",
            SceneStyle::Small => "small",
            SceneStyle::Poor => "poor",
            SceneStyle::Folded => "folded",
            SceneStyle::Crossword => "crossword",
            SceneStyle::Calendar => "calendar",
            SceneStyle::Chess => "chess",
            SceneStyle::Text => "text",
            SceneStyle::Display => "display",
            SceneStyle::AppMarks => "app-marks",
            SceneStyle::Arabic => "arabic",
            SceneStyle::FilledCrossword => "filled-crossword",
            SceneStyle::Codeword => "codeword",
            SceneStyle::Kakuro => "kakuro",
            SceneStyle::Nonogram => "nonogram",
            SceneStyle::NumberTable => "number-table",
            SceneStyle::Bingo => "bingo",
            SceneStyle::Keypad => "keypad",
        }
    }
}

impl fmt::Display for SceneStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
