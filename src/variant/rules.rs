//! The rules that a line tells, and the layout that they make with those a reader is told.

use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;

use super::cages::{self, PlacedCage};
use super::error::FormatError;
use super::layout::{Boxes, LEAST_SIDE, Layout, LayoutError};
use super::reading::Reading;
use super::value::MOST_SIDE;
use super::written::Written;

/// The rules that stand on a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    /// Cells of a row, where that is known.
    pub(super) side: Option<usize>,
    pub(super) regions: Option<Vec<u32>>,
    pub(super) boxes: Option<Boxes>,
    pub(super) diagonals: bool,
    pub(super) windows: bool,
    pub(super) cages: Option<Vec<PlacedCage>>,
}

impl Rules {
    /// Whether it has more than the side.
    pub(super) fn are_any(&self) -> bool {
        let side_alone = Rules {
            side: self.side,
            ..Rules::default()
        };
        *self != side_alone
    }

    /// The layout of these rules and of those that are told.
    pub(super) fn layout(&self, reading: &Reading) -> Result<Layout, FormatError> {
        let own = match (&self.regions, self.boxes) {
            (Some(_), Some(_)) => return Err(FormatError::Twice { what: "regions" }),
            (Some(regions), None) => Some(("regions", Layout::jigsaw(regions)?)),
            (None, Some(boxes)) => Some(("boxes", Layout::with_boxes(boxes)?)),
            (None, None) => None,
        };
        let told = match (&reading.regions, reading.boxes) {
            (Some(regions), _) => {
                let names: Vec<u32> = (0..regions.cells())
                    .map(|cell| regions.region(cell) as u32)
                    .collect();
                Some(("regions", Layout::jigsaw(&names)?))
            }
            (None, Some(boxes)) => Some(("boxes", Layout::with_boxes(boxes)?)),
            (None, None) => None,
        };
        let told_side = told.as_ref().map(|(_, told)| told.side());
        let least_side = || self.cages.as_deref().map_or(0, cages::least_side);
        let side = self.side.or(told_side).unwrap_or_else(least_side);
        let layout = match (own, told) {
            (Some((line, own)), Some((_, told))) if own != told => {
                return Err(FormatError::OtherRegions { line });
            }
            (Some((rules, layout)), _) | (None, Some((rules, layout))) => {
                if layout.side() != side {
                    return Err(FormatError::OtherSide {
                        rules,
                        expected: layout.side(),
                        side,
                    });
                }
                layout
            }
            (None, None) => Layout::with_boxes(usual_boxes(side)?)?,
        };
        let layout = if self.diagonals || reading.diagonals {
            layout.and_diagonals()
        } else {
            layout
        };
        let layout = if self.windows || reading.windows {
            layout.and_windows()?
        } else {
            layout
        };
        match &self.cages {
            Some(cages) => {
                let cages: Result<_, _> = cages.iter().map(|cage| cage.on(side)).collect();
                Ok(layout.and_cages(cages?)?)
            }
            None => Ok(layout),
        }
    }
}

/// The layouts of lines that are read under one [`Reading`]: lines with the rules of the one before share its layout.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    last: Option<(Rules, Arc<Layout>)>,
}

impl Layouts {
    pub(super) fn get(
        &mut self,
        rules: Rules,
        reading: &Reading,
    ) -> Result<Arc<Layout>, FormatError> {
        if let Some((last, layout)) = &self.last
            && *last == rules
        {
            return Ok(Arc::clone(layout));
        }
        let layout = Arc::new(rules.layout(reading)?);
        self.last = Some((rules, Arc::clone(&layout)));
        Ok(layout)
    }
}

/// The boxes of a board of which no more is known than its side.
fn usual_boxes(side: usize) -> Result<Boxes, FormatError> {
    if let Some(boxes) = Boxes::square(side) {
        return Ok(boxes);
    }
    let fits: Vec<Boxes> = (2..side)
        .filter(|rows| side.is_multiple_of(*rows))
        .map(|rows| Boxes {
            rows,
            columns: side / rows,
        })
        .collect();
    if !(LEAST_SIDE..=MOST_SIDE).contains(&side) {
        Err(LayoutError::Side(side).into())
    } else if fits.is_empty() {
        Err(FormatError::Regions { side })
    } else {
        Err(FormatError::Boxes { side, fits })
    }
}

/// The regions that a text names, a symbol or a number for each cell: equal ones for the cells of a region. White space
/// means nothing where each cell has one symbol, so that it may be drawn row by row.
///
/// # Errors
/// [`FormatError::Cells`] where the cells are no square, and [`FormatError::Layout`] where regions have more or fewer
/// cells than a row.
pub fn parse_regions(text: &str) -> Result<Layout, FormatError> {
    let packed: String = text.split_whitespace().collect();
    let listed = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let board = Written::new(&packed).or_else(|| Written::new(&listed));
    let names = board.and_then(|board| board.names());
    let names = names.ok_or(FormatError::Cells {
        found: packed.chars().count(),
    })?;
    Ok(Layout::jigsaw(&names)?)
}

/// A text that names no boxes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} names no boxes: give the rows and the columns of one, as in 2x3")]
pub struct UnknownBoxes(String);

/// Reads rows and columns of a box: `2x3`.
impl FromStr for Boxes {
    type Err = UnknownBoxes;

    fn from_str(name: &str) -> Result<Boxes, UnknownBoxes> {
        let number = |text: &str| {
            let is_number = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| is_number && *number > 0)
        };
        let parts = name.split_once(['x', 'X']);
        let boxes = parts.and_then(|(rows, columns)| {
            Some(Boxes {
                rows: number(rows)?,
                columns: number(columns)?,
            })
        });
        boxes.ok_or_else(|| UnknownBoxes(name.to_owned()))
    }
}
