//! The law of leftovers, by Bob Harris: as many rows as regions hold every value equally often, so the cells of the
//! rows outside the regions hold the same values as the cells of the regions outside the rows.

use super::super::super::super::layout::{HouseKind, Layout};
use super::cell_set::{Cells, MOST_SIDE, cells_of};

/// The most cells on each side. With more, hardly a value is missing on one.
const MOST_LEFT: usize = 6;

/// Two sets of cells with the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leftover {
    pub(super) one: Cells,
    pub(super) other: Cells,
}

/// For neighbouring rows or columns, two or more, and as many regions that have most of their cells in them. (A single
/// row is left to locked candidates.)
pub(super) fn leftovers(layout: &Layout) -> Vec<Leftover> {
    let side = layout.side();
    let regions = houses(layout, HouseKind::Region);
    let mut leftovers = Vec::new();
    for kind in [HouseKind::Row, HouseKind::Column] {
        let lines = houses(layout, kind);
        // For each line and region, how many cells they share.
        let mut shared = vec![[0; MOST_SIDE]; side];
        for (cell, region) in (0..layout.cells()).map(|cell| (cell, layout.region(cell))) {
            let line = match kind {
                HouseKind::Row => cell / side,
                _ => cell % side,
            };
            shared[line][region] += 1;
        }
        for from in 0..side {
            let (mut band, mut inside) = (lines[from], shared[from]);
            for to in from + 1..side {
                band |= lines[to];
                let (mut union, mut count, mut outside) = (0, 0, 0);
                for (region, cells) in regions.iter().enumerate() {
                    inside[region] += shared[to][region];
                    if 2 * inside[region] > side {
                        union |= cells;
                        count += 1;
                        outside += side - inside[region];
                    }
                }
                if count == to + 1 - from && (1..=MOST_LEFT).contains(&outside) {
                    leftovers.push(Leftover {
                        one: band & !union,
                        other: union & !band,
                    });
                }
            }
        }
    }
    leftovers
}

fn houses(layout: &Layout, kind: HouseKind) -> Vec<Cells> {
    let houses = layout.houses().iter().filter(|house| house.kind == kind);
    houses.map(|house| cells_of(&house.cells)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::super::super::super::generate::{LayoutKind, VariantGenerator, VariantKind};
    use super::super::super::super::super::layout::Boxes;
    use super::*;

    #[test]
    fn leftovers_have_the_same_values_on_both_sides() {
        let kind = VariantKind {
            layout: LayoutKind::jigsaw(9),
            minimal: false,
        };
        for seed in 0..20 {
            let (puzzle, solution) = VariantGenerator::new().puzzle(kind, seed, 0).unwrap();
            let leftovers = leftovers(puzzle.layout());
            assert!(!leftovers.is_empty());
            for Leftover { one, other } in leftovers {
                let values = |cells: Cells| {
                    let cells = (0..81).filter(|cell| cells >> cell & 1 == 1);
                    let mut values: Vec<_> = cells.map(|cell| solution.values()[cell]).collect();
                    values.sort_unstable();
                    values
                };
                assert_eq!(one & other, 0);
                assert_eq!(values(one), values(other));
            }
        }
    }

    #[test]
    fn boxes_have_none_as_small() {
        let boxes = Layout::with_boxes(Boxes {
            rows: 3,
            columns: 3,
        });
        assert_eq!(leftovers(&boxes.unwrap()), []);
    }
}
