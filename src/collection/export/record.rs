//! A row of a data set, and its columns.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::super::part::Part;
use super::example::Example;

/// What is known of a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name, which no other row has.
    pub id: String,
    /// The puzzle with its solution.
    pub example: Example,
    /// The canonical form of the puzzle.
    pub canon: Option<String>,
    /// What names the class of its solution: the same for all grids that differ only in how they are written.
    pub grid_id: Option<String>,
    /// How many symmetries leave the puzzle as it is, up to its digits.
    pub automorphisms: Option<u64>,
    /// Whether it has several solutions without any one of its givens.
    pub minimal: Option<bool>,
    /// Sudoku Explainer's rating of the hardest step, in tenths.
    pub er: Option<u16>,
    /// The same of the hardest step up to the first placement.
    pub ep: Option<u16>,
    /// The same of the first step.
    pub ed: Option<u16>,
    /// Median of the guesses over symmetric copies.
    pub guesses_median: Option<f64>,
    /// Where it is from.
    pub source: Option<String>,
    /// What it belongs to: rows of a group are not torn apart.
    pub group: Option<String>,
    /// Which part of the data set it is in.
    pub split: Option<Part>,
    /// How often it should be drawn, relative to others.
    pub weight: Option<f64>,
}

impl Record {
    /// A row of which only this is known.
    pub fn new(id: impl Into<String>, example: Example) -> Record {
        Record {
            id: id.into(),
            example,
            canon: None,
            grid_id: None,
            automorphisms: None,
            minimal: None,
            er: None,
            ep: None,
            ed: None,
            guesses_median: None,
            source: None,
            group: None,
            split: None,
            weight: None,
        }
    }

    /// The value in a column.
    pub fn value(&self, column: Column) -> Value<'_> {
        let text = |text: &'_ Option<String>| -> Value<'_> {
            match text {
                Some(text) => Value::Text(Cow::Owned(text.clone())),
                None => Value::Missing,
            }
        };
        match column {
            Column::Id => Value::Text(Cow::Borrowed(&self.id)),
            Column::Puzzle => Value::Text(Cow::Owned(self.example.line())),
            Column::Solution => match self.example.solution_line() {
                Some(solution) => Value::Text(Cow::Owned(solution)),
                None => Value::Missing,
            },
            Column::Canon => text(&self.canon),
            Column::GridId => text(&self.grid_id),
            Column::Givens => Value::Count(self.example.given_count() as u64),
            Column::Automorphisms => self.automorphisms.map_or(Value::Missing, Value::Count),
            Column::Minimal => self.minimal.map_or(Value::Missing, Value::Flag),
            Column::Er => self.er.map_or(Value::Missing, Value::Tenths),
            Column::Ep => self.ep.map_or(Value::Missing, Value::Tenths),
            Column::Ed => self.ed.map_or(Value::Missing, Value::Tenths),
            Column::GuessesMedian => self.guesses_median.map_or(Value::Missing, Value::Real),
            Column::Source => text(&self.source),
            Column::Group => text(&self.group),
            Column::Split => match self.split {
                Some(split) => Value::Text(Cow::Borrowed(split.name())),
                None => Value::Missing,
            },
            Column::Weight => self.weight.map_or(Value::Missing, Value::Real),
        }
    }
}

/// What a cell of a data set holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing is known.
    Missing,
    /// Text.
    Text(Cow<'a, str>),
    /// A number from 0.
    Count(u64),
    /// A number.
    Real(f64),
    /// A number of tenths.
    Tenths(u16),
    /// Yes or no.
    Flag(bool),
}

/// The type of a column, where a format has types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text.
    Text,
    /// A number from 0.
    Count,
    /// A number.
    Real,
    /// Yes or no.
    Flag,
}

/// A column of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the fields of `Record` say what they are")]
pub enum Column {
    Id,
    Puzzle,
    Solution,
    Canon,
    GridId,
    Givens,
    Automorphisms,
    Minimal,
    Er,
    Ep,
    Ed,
    GuessesMedian,
    Source,
    Group,
    Split,
    Weight,
}

impl Column {
    /// All columns, in their usual order.
    pub const ALL: [Column; 16] = [
        Column::Id,
        Column::Puzzle,
        Column::Solution,
        Column::Canon,
        Column::GridId,
        Column::Givens,
        Column::Automorphisms,
        Column::Minimal,
        Column::Er,
        Column::Ep,
        Column::Ed,
        Column::GuessesMedian,
        Column::Source,
        Column::Group,
        Column::Split,
        Column::Weight,
    ];

    /// The name at its head.
    pub const fn name(self) -> &'static str {
        self.described().0
    }

    /// Its type.
    pub const fn kind(self) -> ColumnKind {
        self.described().1
    }

    /// What it holds, in a sentence without its end.
    pub const fn meaning(self) -> &'static str {
        self.described().2
    }

    const fn described(self) -> (&'static str, ColumnKind, &'static str) {
        use ColumnKind::{Count, Flag, Real, Text};
        match self {
            Column::Id => ("id", Text, "name of the row, which no other has"),
            Column::Puzzle => (
                "puzzle",
                Text,
                "cells in reading order, `.` for a blank; after tabs, the rules of a board of another size or shape",
            ),
            Column::Solution => ("solution", Text, "values in reading order"),
            Column::Canon => ("canon", Text, "canonical form of the puzzle"),
            Column::GridId => (
                "grid_id",
                Text,
                "class of the solution: the same for all grids that differ only in how they are written",
            ),
            Column::Givens => ("givens", Count, "number of givens"),
            Column::Automorphisms => (
                "automorphisms",
                Count,
                "symmetries that leave the puzzle as it is, up to its digits",
            ),
            Column::Minimal => ("minimal", Flag, "whether every given is needed"),
            Column::Er => (
                "er",
                Real,
                "Sudoku Explainer 1.2.1: rating of the hardest step",
            ),
            Column::Ep => (
                "ep",
                Real,
                "the same of the hardest step up to the first placement",
            ),
            Column::Ed => ("ed", Real, "the same of the first step"),
            Column::GuessesMedian => (
                "guesses_median",
                Real,
                "median of the guesses of the solver `mrv` over symmetric copies",
            ),
            Column::Source => ("source", Text, "where the puzzle is from"),
            Column::Group => (
                "group",
                Text,
                "what it belongs to: no group is in two splits",
            ),
            Column::Split => ("split", Text, "train, validation or test"),
            Column::Weight => (
                "weight",
                Real,
                "how often it should be drawn, relative to others",
            ),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Column {
    type Err = String;

    fn from_str(name: &str) -> Result<Column, String> {
        let known = Column::ALL.into_iter().find(|column| column.name() == name);
        known.ok_or_else(|| {
            let names = Column::ALL.map(Column::name).join(", ");
            format!("{name:?} is no column; expected one of {names}")
        })
    }
}
