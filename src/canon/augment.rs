//! Random images of puzzles: more puzzles of the same kind, at the speed of writing them down.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::vec;

use super::least::Way;
use super::orders::{OF_LINES, OF_SIX, THREE_OF_NINE, WITHIN};
use super::random::{SplitMix, hash_of_line};
use crate::grid::{PuzzleLine, Symmetry};

/// Which symmetries images are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moves {
    /// Digits are relabeled.
    pub digits: bool,
    /// Bands are permuted.
    pub bands: bool,
    /// Rows are permuted within their bands.
    pub rows: bool,
    /// Stacks are permuted.
    pub stacks: bool,
    /// Columns are permuted within their stacks.
    pub columns: bool,
    /// Rows become columns. With this, bands are permuted where stacks are and rows where columns are, and the other
    /// way around: the one follows from the other.
    pub transpose: bool,
}

impl Moves {
    /// All of them.
    pub const ALL: Moves = Moves {
        digits: true,
        bands: true,
        rows: true,
        stacks: true,
        columns: true,
        transpose: true,
    };

    /// None: a puzzle has itself as its only image.
    pub const NONE: Moves = Moves {
        digits: false,
        bands: false,
        rows: false,
        stacks: false,
        columns: false,
        transpose: false,
    };

    /// How many choices each of these makes; see [`drawn`].
    fn radices(self) -> [u64; 7] {
        let bands = self.bands || self.transpose && self.stacks;
        let rows = self.rows || self.transpose && self.columns;
        let stacks = self.stacks || self.transpose && self.bands;
        let columns = self.columns || self.transpose && self.rows;
        let if_on = |is_on, choices| if is_on { choices } else { 1 };
        [
            if_on(self.digits, THREE_OF_NINE.len() as u64),
            if_on(self.digits, OF_SIX.len() as u64),
            if_on(bands, 6),
            if_on(rows, WITHIN as u64),
            if_on(stacks, 6),
            if_on(columns, WITHIN as u64),
            if_on(self.transpose, 2),
        ]
    }

    /// A few symmetries that all others are made of: swaps of neighbours.
    fn generators(self) -> Vec<Symmetry> {
        let identity = way([0; 7]);
        let mut ways = Vec::new();
        let [three, _, bands, rows, stacks, columns, transpose] =
            self.radices().map(|radix| radix > 1);
        if three {
            ways.extend((1..9).map(|digit| {
                let mut way = identity;
                way.labels.swap(digit, digit + 1);
                way
            }));
        }
        ways.extend(swaps(bands, rows).map(|rows| Way { rows, ..identity }));
        ways.extend(swaps(stacks, columns).map(|columns| Way {
            columns,
            ..identity
        }));
        if transpose {
            ways.push(Way {
                transposed: true,
                ..identity
            });
        }
        ways.iter().map(Way::symmetry).collect()
    }
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::ALL
    }
}

/// The orders that swap two neighbouring thirds, and two neighbouring lines of a third.
fn swaps(thirds: bool, lines: bool) -> impl Iterator<Item = [u8; 9]> {
    let thirds = (0..2).filter(move |_| thirds).map(|third| (3 * third, 3));
    let lines = (0..9).filter(move |line| lines && line % 3 < 2);
    thirds
        .chain(lines.map(|line| (line, 1)))
        .map(|(at, length)| {
            let mut order = OF_LINES[0];
            order[at..at + 2 * length].rotate_left(length);
            order
        })
}

/// Draws a symmetry with a single random number: the number, as a fraction of 2⁶⁴, times a radix has the choice before
/// the point and what the next one is drawn with behind it. All 2 · 6⁸ · 9! symmetries are equally likely but for
/// 2⁻²³ of their probability.
fn drawn(radices: &[u64; 7], random: u64) -> Way {
    let mut fraction = random;
    way(radices.map(|radix| {
        let product = u128::from(fraction) * u128::from(radix);
        fraction = product as u64;
        (product >> 64) as usize
    }))
}

/// The symmetry of these choices: the labels of three digits, of the other six, orders of bands, of the rows in them,
/// of stacks, of the columns in them, and whether rows become columns.
fn way([three, six, bands, rows, stacks, columns, transposed]: [usize; 7]) -> Way {
    let three = &THREE_OF_NINE[three];
    let six = &OF_SIX[six];
    let mut labels = [0; 10];
    for (i, label) in labels[1..].iter_mut().enumerate() {
        *label = 1 + if i < 3 {
            three[i]
        } else {
            three[3 + usize::from(six[i - 3]) % 6]
        };
    }
    Way {
        transposed: transposed == 1,
        rows: OF_LINES[WITHIN * bands + rows],
        columns: OF_LINES[WITHIN * stacks + columns],
        labels,
    }
}

/// An image of a puzzle.
#[derive(Debug, Clone, Copy)]
pub struct Image {
    /// The image; blanks are `.`.
    pub line: PuzzleLine,
    way: Way,
}

impl Image {
    /// Returns the symmetry that leads from the puzzle to the image.
    pub fn symmetry(&self) -> Symmetry {
        self.way.symmetry()
    }
}

/// Makes random images of puzzles; keeps its buffers between puzzles.
///
/// ```
/// use sudoku_batch::canon::{Augmenter, Moves};
/// use sudoku_batch::grid::PuzzleLine;
///
/// let line = b"..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
/// let puzzle = PuzzleLine::new(*line).unwrap();
/// let mut augmenter = Augmenter::new(Moves::ALL);
/// for image in augmenter.images(&puzzle, 1000, 42) {
///     assert_eq!(image.symmetry().line(&puzzle), image.line);
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Augmenter {
    moves: Moves,
    radices: [u64; 7],
    /// Hashes of the images of the puzzle at hand.
    seen: Hashes,
}

type Hashes = HashSet<u64, BuildHasherDefault<AsItIs>>;

impl Augmenter {
    /// Returns an augmenter that uses these moves.
    pub fn new(moves: Moves) -> Augmenter {
        Augmenter {
            moves,
            radices: moves.radices(),
            seen: Hashes::default(),
        }
    }

    /// Returns the moves it uses.
    pub fn moves(&self) -> Moves {
        self.moves
    }

    /// Draws this many different images of a puzzle, uniformly and without repetition; if fewer exist, all of them.
    ///
    /// The same seed gives the same images on every machine, and the first images do not depend on how many are asked
    /// for. The puzzle itself is one of its images, and may be drawn. Images are told apart by a hash of 64 bits: that
    /// one is left out because its hash is that of another happens about once in 2⁶⁴/n draws after n images.
    pub fn images(&mut self, puzzle: &PuzzleLine, count: usize, seed: u64) -> Images<'_> {
        self.seen.clear();
        Images {
            source: Source::new(puzzle),
            puzzle: *puzzle,
            augmenter: self,
            random: SplitMix::new(seed),
            left: count,
            rest: None,
        }
    }
}

/// The images that [`Augmenter::images`] draws.
#[derive(Debug)]
pub struct Images<'a> {
    augmenter: &'a mut Augmenter,
    puzzle: PuzzleLine,
    source: Source,
    random: SplitMix,
    left: usize,
    /// Once nearly all images are drawn: those that are left.
    rest: Option<vec::IntoIter<Image>>,
}

/// So many draws in a row without a new image mean that few are left.
const MISSES: usize = 64;

impl Iterator for Images<'_> {
    type Item = Image;

    fn next(&mut self) -> Option<Image> {
        self.left = self.left.checked_sub(1)?;
        if self.rest.is_none() {
            for _ in 0..MISSES {
                let way = drawn(&self.augmenter.radices, self.random.next());
                let line = self.source.image(&way);
                if self.augmenter.seen.insert(hash_of_line(&line)) {
                    return Some(Image { line, way });
                }
            }
        }
        let rest = match &mut self.rest {
            Some(rest) => rest,
            None => {
                let rest = self.all_left();
                self.rest.insert(rest.into_iter())
            }
        };
        rest.next()
    }
}

impl Images<'_> {
    /// All images that are not drawn yet, shuffled: the orbit of the puzzle, image by image.
    fn all_left(&mut self) -> Vec<Image> {
        let generators = self.augmenter.moves.generators();
        let mut found = HashSet::from([self.puzzle_as_image().line]);
        let mut images = vec![self.puzzle_as_image()];
        let mut next = 0;
        while let Some(image) = images.get(next).copied() {
            next += 1;
            for generator in &generators {
                let line = generator.line(&image.line);
                if found.insert(line) {
                    let way = Way::of_symmetry(&image.symmetry().then(generator));
                    images.push(Image { line, way });
                }
            }
        }
        let seen = &self.augmenter.seen;
        images.retain(|image| !seen.contains(&hash_of_line(&image.line)));
        for end in (1..images.len()).rev() {
            images.swap(self.random.below(end + 1), end);
        }
        images
    }

    fn puzzle_as_image(&self) -> Image {
        let way = way([0; 7]);
        let line = way.symmetry().line(&self.puzzle);
        Image { line, way }
    }
}

/// The digits of a puzzle, in rows and columns with a place for each index of four bits.
#[derive(Debug)]
struct Source {
    rows: [[[u8; 16]; 16]; 2],
}

impl Source {
    fn new(puzzle: &PuzzleLine) -> Source {
        let mut rows = [[[0; 16]; 16]; 2];
        for (place, &byte) in puzzle.as_bytes().iter().enumerate() {
            let digit = if byte.is_ascii_digit() { byte & 15 } else { 0 };
            rows[0][place / 9][place % 9] = digit;
            rows[1][place % 9][place / 9] = digit;
        }
        Source { rows }
    }

    /// Writes the image.
    fn image(&self, way: &Way) -> PuzzleLine {
        let mut text = [b'.'; 16];
        for (byte, label) in text[1..10].iter_mut().zip(&way.labels[1..]) {
            *byte = b'0' + label;
        }
        let rows = &self.rows[usize::from(way.transposed)];
        let mut bytes = [b'.'; 81];
        for (image, &row) in bytes.as_chunks_mut::<9>().0.iter_mut().zip(&way.rows) {
            let row = &rows[usize::from(row & 15)];
            for (byte, &column) in image.iter_mut().zip(&way.columns) {
                *byte = text[usize::from(row[usize::from(column & 15)] & 15)];
            }
        }
        PuzzleLine::new(bytes).expect("labels are 1 to 9")
    }
}

/// Takes a number that is a hash already.
#[derive(Debug, Default, Clone, Copy)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}
