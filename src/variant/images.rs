//! Random images of a puzzle on a board of any size: more puzzles of the same kind.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::arrange::{LineMoves, arrangement};
use super::layout::{HouseKind, Layout};
use super::puzzle::VariantPuzzle;
use super::symmetry::VariantSymmetry;
use super::value::Value;
use crate::canon::Moves;

/// An image of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantImage {
    /// The image.
    pub puzzle: VariantPuzzle,
    /// The symmetry that leads to it.
    pub symmetry: VariantSymmetry,
}

/// Draws different images of a puzzle, uniformly and without repetition, until there are no more.
///
/// An image has boxes of the same size, diagonals and windows as the puzzle. A board that has nothing but these is
/// permuted as far as they stay in their places. The regions of a jigsaw and cages are rotated and reflected as they are.
/// Values are relabeled where no cage has a sum. The puzzle itself is one of its images.
///
/// Images end after a run of draws without a new one that is 20 times as long as their number, and 64 more: that one is
/// left out happens less than once in 10⁸. They are told apart by a hash of 64 bits.
#[derive(Debug)]
pub struct VariantImages<'a> {
    puzzle: &'a VariantPuzzle,
    turns: Turns,
    /// Vertices of the layout's graph that are rows, columns and diagonals.
    lines: Vec<u32>,
    relabels: bool,
    seen: HashSet<u64>,
    random: ChaCha8Rng,
}

/// How rows and columns may be permuted.
#[derive(Debug)]
enum Turns {
    /// In all ways that keep the rules where they are.
    Lines {
        moves: [LineMoves; 2],
        is_transposed: bool,
    },
    /// In one of these ways, to one of these layouts.
    Board(Vec<(VariantSymmetry, Arc<Layout>)>),
}

impl<'a> VariantImages<'a> {
    /// Images made by these moves. The same seed gives the same images on every machine.
    ///
    /// Bands and stacks are those of the boxes. What flips a board permutes both bands and rows, or both stacks and columns.
    /// Rows become columns only if boxes are square.
    pub fn new(puzzle: &'a VariantPuzzle, moves: Moves, seed: u64) -> VariantImages<'a> {
        let layout = puzzle.layout();
        let is_square = layout.boxes().is_none_or(|it| it.rows == it.columns);
        let is_transposed = moves.transpose && is_square;
        let rows = LineMoves {
            bands: moves.bands || is_transposed && moves.stacks,
            lines: moves.rows || is_transposed && moves.columns,
        };
        let columns = LineMoves {
            bands: moves.stacks || is_transposed && moves.bands,
            lines: moves.columns || is_transposed && moves.rows,
        };
        let has_cages = !layout.cages().is_empty();
        let turns = if layout.boxes().is_some() && !has_cages {
            Turns::Lines {
                moves: [rows, columns],
                is_transposed,
            }
        } else {
            let flips = [rows, columns].map(|moves| moves.bands && moves.lines);
            Turns::Board(turned(layout, flips, is_transposed))
        };
        let houses = layout.houses().iter().enumerate();
        let lines = houses.filter(|(_, house)| {
            matches!(
                house.kind,
                HouseKind::Row | HouseKind::Column | HouseKind::Diagonal
            )
        });
        VariantImages {
            puzzle,
            turns,
            lines: lines.map(|(at, _)| (layout.cells() + at) as u32).collect(),
            relabels: moves.digits && !has_cages,
            seen: HashSet::new(),
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Leaves out images on another layout.
    #[must_use]
    pub fn on_the_same_layout(mut self) -> VariantImages<'a> {
        if let Turns::Board(turned) = &mut self.turns {
            turned.retain(|(_, layout)| layout == self.puzzle.layout());
        }
        self
    }

    fn draw(&mut self) -> Option<VariantImage> {
        let (mut symmetry, layout) = match &self.turns {
            Turns::Lines {
                moves,
                is_transposed,
            } => {
                self.lines.shuffle(&mut self.random);
                let side = self.puzzle.layout().side();
                let first_column = (self.puzzle.layout().cells() + side) as u32;
                if !is_transposed {
                    self.lines.sort_by_key(|line| *line >= first_column);
                }
                let symmetry = arrangement(self.puzzle.layout(), &self.lines, *moves)?;
                (symmetry, Arc::clone(self.puzzle.layout()))
            }
            Turns::Board(turned) => turned[self.random.random_range(..turned.len())].clone(),
        };
        if self.relabels {
            symmetry.labels.shuffle(&mut self.random);
        }
        let puzzle = VariantPuzzle::new(layout, symmetry.givens(self.puzzle)).ok()?;
        Some(VariantImage { puzzle, symmetry })
    }
}

impl Iterator for VariantImages<'_> {
    type Item = VariantImage;

    fn next(&mut self) -> Option<VariantImage> {
        for _ in 0..64 + 20 * self.seen.len() {
            let image = self.draw()?;
            let mut hasher = DefaultHasher::new();
            image.puzzle.hash(&mut hasher);
            if self.seen.insert(hasher.finish()) {
                return Some(image);
            }
        }
        None
    }
}

/// The rotations and reflections of a board: with these of its two flips, and perhaps transposed.
fn turned(
    layout: &Layout,
    [flips_rows, flips_columns]: [bool; 2],
    transposes: bool,
) -> Vec<(VariantSymmetry, Arc<Layout>)> {
    let side = layout.side();
    let values: Vec<Value> = layout.values().collect();
    let order = |is_flipped: bool| -> Vec<usize> {
        if is_flipped {
            (0..side).rev().collect()
        } else {
            (0..side).collect()
        }
    };
    let choices = |is_allowed: bool| [false, true].into_iter().take(1 + usize::from(is_allowed));
    let mut turned = Vec::new();
    for is_transposed in choices(transposes) {
        for flips_rows in choices(flips_rows) {
            for flips_columns in choices(flips_columns) {
                let symmetry = VariantSymmetry {
                    is_transposed,
                    rows: order(flips_rows),
                    columns: order(flips_columns),
                    labels: values.clone(),
                };
                if let Ok(layout) = symmetry.layout(layout) {
                    turned.push((symmetry, Arc::new(layout)));
                }
            }
        }
    }
    turned
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashMap;

    use super::super::layout::{Boxes, Cage};
    use super::super::puzzle::VariantSolution;
    use super::*;

    const SILENT: Moves = Moves {
        digits: false,
        ..Moves::ALL
    };

    fn boxes(rows: usize, columns: usize) -> Layout {
        Layout::with_boxes(Boxes { rows, columns }).unwrap()
    }

    fn puzzle(layout: Layout, cells: &[u8]) -> VariantPuzzle {
        let givens = cells.iter().map(|cell| Value::new(*cell)).collect();
        VariantPuzzle::new(Arc::new(layout), givens).unwrap()
    }

    /// Random givens in all cells, which no symmetry keeps.
    fn lopsided(layout: Layout) -> VariantPuzzle {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let side = layout.side() as u8;
        let cells = (0..layout.cells()).map(|_| random.random_range(1..=side));
        let cells: Vec<u8> = cells.collect();
        puzzle(layout, &cells)
    }

    fn orders(side: usize) -> Vec<Vec<usize>> {
        if side == 0 {
            return vec![Vec::new()];
        }
        let shorter = orders(side - 1).into_iter();
        let longer = shorter.flat_map(|order| {
            (0..side).map(move |at| {
                let mut order = order.clone();
                order.insert(at, side - 1);
                order
            })
        });
        longer.collect()
    }

    /// All images under the same rules, or, of regions and cages that are moved along, all rotations and reflections.
    fn all_images(
        puzzle: &VariantPuzzle,
        may_move_rules: bool,
        relabels: bool,
    ) -> HashSet<VariantPuzzle> {
        let layout = puzzle.layout();
        let side = layout.side();
        let values: Vec<Value> = layout.values().collect();
        let turns = [(0..side).collect(), (0..side).rev().collect()];
        let lines = if may_move_rules {
            turns.to_vec()
        } else {
            orders(side)
        };
        let labels: Vec<Vec<Value>> = match relabels {
            false => vec![values.clone()],
            true => orders(side)
                .iter()
                .map(|order| order.iter().map(|at| values[*at]).collect())
                .collect(),
        };
        let mut images = HashSet::new();
        for rows in &lines {
            for columns in &lines {
                for is_transposed in [false, true] {
                    let mut symmetry = VariantSymmetry {
                        is_transposed,
                        rows: rows.clone(),
                        columns: columns.clone(),
                        labels: values.clone(),
                    };
                    let houses_of = |layout: &Layout| -> HashSet<Vec<usize>> {
                        layout
                            .houses()
                            .iter()
                            .map(|house| house.cells.clone())
                            .collect()
                    };
                    // The cells of each house, as they are after the symmetry.
                    let sources = symmetry.sources();
                    let after = |house: &Vec<usize>| {
                        let mut cells: Vec<usize> = (0..sources.len())
                            .filter(|cell| house.contains(&sources[*cell]))
                            .collect();
                        cells.sort_unstable();
                        cells
                    };
                    let moved: HashSet<Vec<usize>> = houses_of(layout).iter().map(after).collect();
                    let Ok(image) = symmetry.layout(layout) else {
                        continue;
                    };
                    if moved != houses_of(&image) || !may_move_rules && image != **layout {
                        continue;
                    }
                    let image = Arc::new(image);
                    for labels in &labels {
                        symmetry.labels.clone_from(labels);
                        let givens = symmetry.givens(puzzle);
                        images.insert(VariantPuzzle::new(Arc::clone(&image), givens).unwrap());
                    }
                }
            }
        }
        images
    }

    #[test]
    fn all_images_of_small_boards_come_once_each() {
        let jigsaw = Layout::jigsaw(&[0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]).unwrap();
        let cages = vec![
            Cage {
                sum: 5,
                cells: vec![0, 1],
            },
            Cage {
                sum: 6,
                cells: vec![5, 6, 7],
            },
        ];
        let caged = boxes(2, 2).and_cages(cages).unwrap();
        let cases = [
            (boxes(2, 2), false, true),
            (boxes(2, 2).and_diagonals(), false, true),
            (boxes(2, 2).and_windows().unwrap(), false, true),
            (boxes(1, 4), false, true),
            (jigsaw.clone(), true, true),
            (jigsaw.and_diagonals(), true, true),
            (caged, true, false),
        ];
        for (layout, may_move_rules, relabels) in cases {
            let puzzle = lopsided(layout);
            let mut expected = all_images(&puzzle, may_move_rules, relabels);
            // Boxes that are not square stay as they are, with their own regions.
            expected.retain(|image| image.layout().boxes() == puzzle.layout().boxes());
            let images: Vec<VariantImage> = VariantImages::new(&puzzle, Moves::ALL, 1).collect();
            let found: HashSet<VariantPuzzle> = images.iter().map(|it| it.puzzle.clone()).collect();
            assert_eq!(found.len(), images.len());
            assert_eq!(found, expected, "{}", puzzle.layout().describe());
            for image in &images {
                assert_eq!(image.symmetry.givens(&puzzle), image.puzzle.givens());
                assert_eq!(image.puzzle.canonical_form(), puzzle.canonical_form());
            }
            let same = VariantImages::new(&puzzle, Moves::ALL, 1).on_the_same_layout();
            expected.retain(|image| image.layout() == puzzle.layout());
            assert_eq!(same.map(|it| it.puzzle).collect::<HashSet<_>>(), expected);
        }
    }

    /// The graph of an empty board has its symmetries, which another module counts.
    #[test]
    fn a_puzzle_has_as_many_images_as_its_board_has_symmetries() {
        let nine = || boxes(3, 3);
        for layout in [
            boxes(2, 3),
            boxes(2, 3).and_diagonals(),
            nine().and_diagonals(),
            nine().and_windows().unwrap(),
            nine().and_windows().unwrap().and_diagonals(),
            boxes(4, 4).and_windows().unwrap().and_diagonals(),
        ] {
            let empty = VariantPuzzle::empty(Arc::new(layout.clone())).canonical_pattern();
            let puzzle = lopsided(layout);
            let count = VariantImages::new(&puzzle, SILENT, 3).count();
            let name = puzzle.layout().describe();
            assert_eq!(Some(count as u64), empty.automorphisms, "{name}");
        }
    }

    #[test]
    fn images_are_drawn_uniformly() {
        for layout in [
            boxes(3, 3).and_windows().unwrap(),
            boxes(3, 3).and_diagonals(),
        ] {
            let puzzle = lopsided(layout);
            let all = VariantImages::new(&puzzle, SILENT, 3).count();
            let draws = 30 * all;
            let mut images = VariantImages::new(&puzzle, SILENT, 7);
            let mut counts: HashMap<VariantPuzzle, usize> = HashMap::new();
            for _ in 0..draws {
                *counts.entry(images.draw().unwrap().puzzle).or_default() += 1;
            }
            assert_eq!(counts.len(), all);
            let squares = counts
                .values()
                .map(|count| (*count as f64 - 30.0).powi(2) / 30.0);
            let (chi, freedom) = (squares.sum::<f64>(), (all - 1) as f64);
            // Five standard deviations of chi-squared.
            let bound = 5.0 * (2.0 * freedom).sqrt();
            assert!((chi - freedom).abs() < bound, "{chi} for {freedom}");
        }
    }

    #[test]
    fn moves_restrict_what_is_permuted() {
        let count = |boxes: Layout, names: &str| {
            let moves = Moves {
                digits: names.contains("digits"),
                bands: names.contains("bands"),
                rows: names.contains("rows"),
                stacks: names.contains("stacks"),
                columns: names.contains("columns"),
                transpose: names.contains("transpose"),
            };
            VariantImages::new(&lopsided(boxes), moves, 1).count()
        };
        for (names, expected) in [
            ("", 1),
            ("bands", 6),
            ("rows", 8),
            ("stacks", 2),
            ("columns", 36),
            ("transpose", 1),
            ("digits", 720),
        ] {
            assert_eq!(count(boxes(2, 3), names), expected, "{names}");
        }
        // With square boxes, bands are permuted where stacks are.
        assert_eq!(count(boxes(2, 2), "transpose"), 2);
        assert_eq!(count(boxes(2, 2), "transpose bands"), 8);
    }

    #[test]
    fn an_image_of_the_solution_solves_the_image() {
        let cells: Vec<u8> = "1234341221434320".bytes().map(|it| it - b'0').collect();
        let puzzle = puzzle(boxes(2, 2), &cells);
        let values = "1234341221434321"
            .bytes()
            .map(|it| Value::new(it - b'0').unwrap());
        let solution = VariantSolution::new(&puzzle, values.collect()).unwrap();
        for image in VariantImages::new(&puzzle, Moves::ALL, 5).take(200) {
            let values = image.symmetry.values(&solution);
            assert!(VariantSolution::new(&image.puzzle, values).is_some());
        }
    }

    #[test]
    fn a_symmetry_is_written_with_commas_if_numbers_have_two_digits() {
        let values: Vec<Value> = boxes(2, 2).values().collect();
        let text = VariantSymmetry::transpose(values).to_string();
        assert_eq!(text, "t r=0123 c=0123 d=1234");
        let values: Vec<Value> = boxes(2, 5).values().collect();
        let text = VariantSymmetry::transpose(values).to_string();
        assert!(text.starts_with("t r=0,1,2,3,4,5,6,7,8,9 c=0,"), "{text}");
    }
}
