//! Search for the least image of a puzzle whose rows and columns hold no digit twice: the fast way for most puzzles.
//!
//! Breadth first, row by row: of all ways to place the next row of the image only those are kept that give the least
//! row so far, so all nodes share the lines above (the idea of M. Dobrichev's `gridchecker`). Since they have given the
//! same number of labels, rows compare as they should without new labels in place. Columns that have shown the same in
//! all rows placed so far stay tied, as in [`super::state`]. Where more nodes are tied than fit, the search gives up,
//! and [`super::search`], which knows how to skip what is symmetric, takes over.

use super::least::Least;
use super::node::{
    ALL_THE_SAME, Arranged, NO_LABELS, Node, labels_of, new_labels, variants, with_new_labels,
};
use super::rows::{FIRST, Rows};
use crate::grid::PuzzleLine;
use crate::simd::{Isa, Kernel, run_with_best};

/// Nodes of a level at most.
const CAPACITY: usize = 2048;

/// A way to place the next row.
#[derive(Debug, Clone, Copy)]
struct Step {
    arranged: Arranged,
    node: u32,
    row: u32,
}

/// The search, with buffers for the nodes of two levels.
#[derive(Debug, Default, Clone)]
pub(super) struct SparseSearch {
    nodes: Vec<Node>,
    next: Vec<Node>,
    steps: Vec<Step>,
    variants: Vec<Arranged>,
}

impl SparseSearch {
    /// Returns the least image of a puzzle, or nothing if a row or a column holds a digit twice, or too many images are
    /// tied on the way.
    pub(super) fn least_image(&mut self, puzzle: &PuzzleLine) -> Option<Least> {
        self.run(puzzle, NO_LABELS)
    }

    /// Returns the least image of the pattern of givens, with 1 for each, or nothing if too many images are tied on the
    /// way.
    pub(super) fn least_pattern(&mut self, puzzle: &PuzzleLine) -> Option<Least> {
        self.run(puzzle, ALL_THE_SAME)
    }

    /// Searches with the best instructions of this CPU: with those of AVX2 a shift by a variable is one
    /// micro-operation, where it is three on Intel without (A. Fog, "Instruction tables").
    fn run(&mut self, puzzle: &PuzzleLine, labels: u64) -> Option<Least> {
        run_with_best(RowByRow {
            search: self,
            puzzle,
            labels,
        })
    }

    #[inline(always)]
    fn search(&mut self, rows: &Rows, labels: u64) -> Option<Least> {
        let mut lines = [0; 9];
        self.nodes.clear();
        let nodes = [false, true].map(|is_transposed| Node::new(is_transposed, labels));
        self.nodes.extend(nodes);
        let mut given = 0;
        for (place, line) in lines.iter_mut().enumerate() {
            let least = match place {
                0 => self.first_steps(rows),
                _ => self.steps(rows, place),
            };
            self.next.clear();
            for i in 0..self.steps.len() {
                self.take(rows, i, least, given)?;
            }
            (*line, given) = with_new_labels(least, given);
            std::mem::swap(&mut self.nodes, &mut self.next);
        }
        let node = self.nodes.first()?;
        Some(Least {
            lines,
            way: node.way(),
            ways: self.nodes.len() as u64 * node.arrangements(),
        })
    }

    /// Finds the least first rows; returns their labels.
    #[inline(always)]
    fn first_steps(&mut self, rows: &Rows) -> u64 {
        self.steps.clear();
        let mut least = u16::MAX;
        for side in &rows.givens {
            for &givens in side {
                least = least.min(FIRST[usize::from(givens)]);
            }
        }
        for (side, node) in self.nodes.iter().enumerate() {
            for (row, &givens) in rows.givens[side].iter().enumerate() {
                if FIRST[usize::from(givens)] == least {
                    self.steps.push(Step {
                        arranged: node.arrange(rows.rows[side][row]),
                        node: side as u32,
                        row: row as u32,
                    });
                }
            }
        }
        labels_of(&self.steps[0].arranged)
    }

    /// Finds the least next rows; returns their labels.
    #[inline(always)]
    fn steps(&mut self, rows: &Rows, place: usize) -> u64 {
        self.steps.clear();
        let mut least = u64::MAX;
        for (index, node) in self.nodes.iter().enumerate() {
            let side = usize::from(node.is_transposed);
            let mut left = node.left;
            if !place.is_multiple_of(3) {
                left &= 7 << (3 * ((node.order & 15) / 3));
            }
            left = node.most_blank(left, &rows.blank[side]);
            let rows = &rows.rows[side];
            while left != 0 {
                let row = left.trailing_zeros();
                left &= left - 1;
                let arranged = node.arrange(rows[row as usize]);
                let labels = labels_of(&arranged);
                if labels < least {
                    least = labels;
                    self.steps.clear();
                }
                if labels == least {
                    self.steps.push(Step {
                        arranged,
                        node: index as u32,
                        row,
                    });
                }
            }
        }
        least
    }

    /// Makes the nodes that a step leads to; nothing if they are too many.
    #[inline(always)]
    fn take(&mut self, rows: &Rows, step: usize, labels: u64, given: u64) -> Option<()> {
        let step = self.steps[step];
        let mut node = self.nodes[step.node as usize];
        node.order = node.order << 4 | u64::from(step.row);
        node.left &= !(1 << step.row);
        if labels == 0 {
            self.next.push(node);
            return (self.next.len() <= CAPACITY).then_some(());
        }
        let row = rows.rows[usize::from(node.is_transposed)][step.row as usize];
        if new_labels(labels).count_ones() < 2 {
            self.next
                .push(node.settled(row, &step.arranged, labels, given));
        } else {
            variants(&step.arranged, &mut self.variants);
            // Not by an iterator: its closure would not be compiled for these instructions.
            for arranged in &self.variants {
                self.next.push(node.settled(row, arranged, labels, given));
            }
        }
        (self.next.len() <= CAPACITY).then_some(())
    }
}

/// The search for one puzzle.
struct RowByRow<'a> {
    search: &'a mut SparseSearch,
    puzzle: &'a PuzzleLine,
    labels: u64,
}

impl<I: Isa> Kernel<I> for RowByRow<'_> {
    type Output = Option<Least>;

    #[inline(always)]
    fn run(self, _: I) -> Option<Least> {
        let rows = Rows::new(self.puzzle);
        if self.labels == NO_LABELS && !rows.are_consistent() {
            return None;
        }
        self.search.search(&rows, self.labels)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::random::SplitMix;
    use super::super::search::least_image;
    use super::*;

    /// Two grids, the second of which has 648 automorphisms.
    const GRIDS: [&[u8; 81]; 2] = [
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179",
        b"123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    ];

    /// Grids without some cells: at random, or by a pattern that leaves symmetries.
    fn puzzles() -> impl Iterator<Item = PuzzleLine> {
        let mut random = SplitMix::new(5);
        (0..600).map(move |n| {
            let mut bytes = *GRIDS[n % 2];
            let share = random.below(78);
            let is_random = n % 3 > 0;
            let step = 2 + random.below(7);
            for (place, byte) in bytes.iter_mut().enumerate() {
                if is_random && random.below(81) > share || !is_random && place % step != 0 {
                    *byte = b'.';
                }
            }
            PuzzleLine::new(bytes).unwrap()
        })
    }

    fn assert_same(fast: &Least, board: &Board) {
        let least = least_image(board);
        assert_eq!((fast.line(), fast.ways), (least.line(), least.ways));
    }

    #[test]
    fn both_searches_agree() {
        let mut search = SparseSearch::default();
        let (mut puzzles_found, mut patterns_found) = (0, 0);
        for puzzle in puzzles() {
            if let Some(least) = search.least_image(&puzzle) {
                assert_same(&least, &Board::of_line(&puzzle));
                assert_eq!(least.way.symmetry().line(&puzzle), least.line());
                puzzles_found += 1;
            }
            if let Some(least) = search.least_pattern(&puzzle) {
                assert_same(&least, &Board::of_pattern(&puzzle));
                patterns_found += 1;
            }
        }
        assert!(puzzles_found > 500, "{puzzles_found}");
        assert!(patterns_found > 500, "{patterns_found}");
    }

    #[test]
    fn the_search_gives_up_on_too_many_ties() {
        let blank = PuzzleLine::new([b'.'; 81]).unwrap();
        assert!(SparseSearch::default().least_image(&blank).is_none());
    }
}
