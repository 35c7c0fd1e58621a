//! Boards of any layout drawn with box-drawing characters.

use super::alphabet::Alphabet;
use super::describe::symbol;
use super::layout::{HouseKind, Layout};
use super::value::Value;

/// How heavy an arm of a junction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Within a cage and a region.
    Dotted,
    /// Between cells of a region, and of different cages where there are any.
    Light,
    /// Between regions, within a cage.
    Dashed,
    /// Between regions.
    Heavy,
}

impl Line {
    /// 1 for light, 2 for heavy.
    const fn weight(self) -> usize {
        match self {
            Line::Dotted | Line::Light => 1,
            Line::Dashed | Line::Heavy => 2,
        }
    }

    const fn across(self) -> char {
        match self {
            Line::Dotted => '┈',
            Line::Light => '─',
            Line::Dashed => '╍',
            Line::Heavy => '━',
        }
    }

    const fn down(self) -> char {
        match self {
            Line::Dotted => '┊',
            Line::Light => '│',
            Line::Dashed => '╏',
            Line::Heavy => '┃',
        }
    }
}

/// Every junction of Unicode: by the weights of the arms up and right (the line of the table) and down and left (the
/// character in it), each 0 for none, 1 for light and 2 for heavy.
const JUNCTIONS: [&str; 9] = [
    " ╴╸╷┐┑╻┒┓",
    "╶─╾┌┬┭┎┰┱",
    "╺╼━┍┮┯┏┲┳",
    "╵┘┙│┤┥╽┧┪",
    "└┴┵├┼┽┟╁╅",
    "┕┶┷┝┾┿┢╆╈",
    "╹┚┛╿┦┩┃┨┫",
    "┖┸┹┞╀╃┠╂╉",
    "┗┺┻┡╄╇┣╊╋",
];

fn junction(up: usize, right: usize, down: usize, left: usize) -> char {
    let row = JUNCTIONS.get(3 * up + right);
    row.and_then(|row| row.chars().nth(3 * down + left))
        .unwrap_or(' ')
}

/// What fills the cells of windows and of diagonals beside their values.
const SHADE: char = '░';

/// Draws a board: heavy lines between regions and light ones between cells; with cages, light lines between these
/// and dotted ones within them, heavy and broken where a cage goes on in another region, and each cage's sum in its
/// first cell. Cells of diagonals and windows are shaded. Ends with a line end.
///
/// Cells that `cells` does not have are blank.
pub fn pretty(layout: &Layout, cells: &[Option<Value>], alphabet: Alphabet) -> String {
    Drawing::new(layout, cells, alphabet).draw()
}

struct Drawing<'a> {
    layout: &'a Layout,
    cells: &'a [Option<Value>],
    alphabet: Alphabet,
    /// Characters of the longest symbol, and of a cell.
    symbol: usize,
    width: usize,
    /// The cage of each cell.
    cages: Vec<Option<usize>>,
    shaded: Vec<bool>,
}

impl Drawing<'_> {
    fn new<'a>(layout: &'a Layout, cells: &'a [Option<Value>], alphabet: Alphabet) -> Drawing<'a> {
        let mut cages = vec![None; layout.cells()];
        for (name, cage) in layout.cages().iter().enumerate() {
            for cell in &cage.cells {
                cages[*cell] = Some(name);
            }
        }
        let mut shaded = vec![false; layout.cells()];
        let is_extra = |kind| matches!(kind, HouseKind::Diagonal | HouseKind::Window);
        for house in layout.houses().iter().filter(|house| is_extra(house.kind)) {
            for cell in &house.cells {
                shaded[*cell] = true;
            }
        }
        let sums = layout.cages().iter().map(|cage| cage.sum.to_string().len());
        let symbol = alphabet.width(layout.side());
        Drawing {
            layout,
            cells,
            alphabet,
            symbol,
            width: (symbol + 2).max(sums.max().map_or(0, |digits| digits + 1)),
            cages,
            shaded,
        }
    }

    fn draw(&self) -> String {
        let side = self.layout.side();
        let mut text = String::new();
        for row in 0..side {
            self.border(row, &mut text);
            if !self.layout.cages().is_empty() {
                self.row(row, &mut text, |cell| self.sum(cell));
            }
            self.row(row, &mut text, |cell| self.value(cell));
        }
        self.border(side, &mut text);
        text
    }

    /// The line above a row.
    fn border(&self, row: usize, text: &mut String) {
        let side = self.layout.side();
        let weight = |line: Option<Line>| line.map_or(0, Line::weight);
        for column in 0..=side {
            text.push(junction(
                weight(row.checked_sub(1).and_then(|row| self.left_of(row, column))),
                weight(self.above(row, column)),
                weight(self.left_of(row, column)),
                weight(
                    column
                        .checked_sub(1)
                        .and_then(|column| self.above(row, column)),
                ),
            ));
            if let Some(line) = self.above(row, column) {
                text.extend(std::iter::repeat_n(line.across(), self.width));
            }
        }
        text.push('\n');
    }

    fn row(&self, row: usize, text: &mut String, content: impl Fn(usize) -> String) {
        let side = self.layout.side();
        for column in 0..=side {
            if let Some(line) = self.left_of(row, column) {
                text.push(line.down());
            }
            if column < side {
                *text += &content(row * side + column);
            }
        }
        text.push('\n');
    }

    fn sum(&self, cell: usize) -> String {
        let cage = self.cages[cell].map(|name| &self.layout.cages()[name]);
        let sum = cage.filter(|cage| cage.cells.first() == Some(&cell));
        let sum = sum.map_or(String::new(), |cage| cage.sum.to_string());
        self.filled(cell, format!("{sum:<width$}", width = self.width))
    }

    fn value(&self, cell: usize) -> String {
        let value = self.cells.get(cell).copied().flatten();
        let symbol = value.map_or(String::new(), |value| symbol(value, self.alphabet));
        let right = (self.width - self.symbol) / 2;
        let left = self.width - right;
        let text = format!("{symbol:>left$}{:right$}", "");
        self.filled(cell, text)
    }

    /// A line of a cell, its spaces shaded where the cell is.
    fn filled(&self, cell: usize, text: String) -> String {
        if self.shaded[cell] {
            text.replace(' ', &SHADE.to_string())
        } else {
            text
        }
    }

    /// The line above a cell, if there is such a column; below the last row for the row after it.
    fn above(&self, row: usize, column: usize) -> Option<Line> {
        let side = self.layout.side();
        if column >= side {
            return None;
        }
        let cell = (row < side).then_some(row * side + column);
        let other = row.checked_sub(1).map(|row| row * side + column);
        Some(self.between(cell, other))
    }

    /// The line to the left of a cell, if there is such a row; right of the last column for the one after it.
    fn left_of(&self, row: usize, column: usize) -> Option<Line> {
        let side = self.layout.side();
        if row >= side {
            return None;
        }
        let cell = (column < side).then_some(row * side + column);
        let other = column.checked_sub(1).map(|column| row * side + column);
        Some(self.between(cell, other))
    }

    fn between(&self, one: Option<usize>, other: Option<usize>) -> Line {
        let (Some(one), Some(other)) = (one, other) else {
            return Line::Heavy;
        };
        let shares_cage = self.cages[one].is_some() && self.cages[one] == self.cages[other];
        let shares_region = self.layout.region(one) == self.layout.region(other);
        match (shares_region, shares_cage) {
            (true, true) => Line::Dotted,
            (true, false) => Line::Light,
            (false, true) => Line::Dashed,
            (false, false) => Line::Heavy,
        }
    }
}
