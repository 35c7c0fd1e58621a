//! Choice of branches, and their children, in all lanes at once.

use super::group::{ALL, Cells};
use crate::simd::{Isa, Kernel, MAX_LANES};

/// The configurations of a digit in a band: the block that it takes in each of the three lines. The first three and the
/// last three take the same blocks in the first line.
const CONFIGURATIONS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
];

/// The two configurations that put the digit into a triad (`3 i + k`).
const HOLDING: [[usize; 2]; 9] = {
    let mut holding = [[usize::MAX; 2]; 9];
    let mut configuration = 0;
    while configuration < 6 {
        let mut i = 0;
        while i < 3 {
            let triad = 3 * i + CONFIGURATIONS[configuration][i];
            let place = (holding[triad][0] != usize::MAX) as usize;
            holding[triad][place] = configuration;
            i += 1;
        }
        configuration += 1;
    }
    holding
};

/// Marks the absence of a band or stack.
const NONE: u16 = u16::MAX;

/// A branch for every lane: a digit that has two or more configurations left in a band.
#[derive(Clone, Copy)]
pub(super) struct Branch<V> {
    /// Bands are 0 to 2, stacks 3 to 5.
    band: V,
    /// The digits that the first child removes from the triads (`3 i + k`) of the band, and the
    /// second.
    first: [V; 9],
    second: [V; 9],
}

/// Chooses a branch for every lane: a digit with two configurations in a band, or, if there is none, with more. Also returns
/// the set of the lanes without a branch, in which no digit has two.
pub(super) struct Choose<'a, I: Isa> {
    pub(super) cells: &'a Cells<I>,
}

impl<I: Isa> Kernel<I> for Choose<'_, I> {
    type Output = (Branch<I::Vector>, u32);

    // Indexed loops here and below: closures and iterators would not be compiled for the lanes'
    // instructions.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run(self, isa: I) -> Self::Output {
        let zero = isa.splat(0);
        let mut fewest = isa.splat(u16::MAX);
        let mut band = isa.splat(NONE);
        let (mut digits, mut several) = (zero, zero);
        let mut best = [zero; 6];
        for candidate in 0..6 {
            let here = configured(isa, self.cells, candidate);
            // The digits that have at least one, two, three configurations.
            let (mut one, mut two, mut three, mut total) = (zero, zero, zero, zero);
            for c in 0..6 {
                three = isa.and_or(two, here[c], three);
                two = isa.and_or(one, here[c], two);
                one = isa.or(one, here[c]);
                total = isa.add(total, isa.count_ones(here[c]));
            }
            let pairs = isa.and_not(two, three);
            let no_pair = isa.disjoint(pairs, pairs);
            // Digits with more configurations count where no band has such a pair.
            let open = isa.select(no_pair, two, pairs);
            let total = isa.select(no_pair, isa.add(total, isa.splat(ALL)), total);
            let total = isa.select(isa.disjoint(open, open), isa.splat(u16::MAX), total);
            let better = isa.less(total, fewest);
            fewest = isa.min(fewest, total);
            digits = isa.select(better, open, digits);
            several = isa.select(better, isa.keep(no_pair, open), several);
            band = isa.select(better, isa.splat(candidate as u16), band);
            for c in 0..6 {
                best[c] = isa.select(better, here[c], best[c]);
            }
        }
        // The lowest of the digits, and its lowest configuration, with the other one that takes the same block in the first
        // line if there are more than two.
        let digit = isa.and_not(digits, isa.add(digits, isa.splat(u16::MAX)));
        let (mut first, mut second) = ([zero; 6], [zero; 6]);
        let mut untaken = digit;
        for c in 0..6 {
            let has = isa.and(best[c], digit);
            first[c] = isa.and(has, untaken);
            second[c] = isa.and_not(has, untaken);
            untaken = isa.and_not(untaken, has);
        }
        for c in 0..3 {
            let beside = isa.and3(first[c], second[c + 3], several);
            first[c + 3] = isa.or(first[c + 3], beside);
            second[c + 3] = isa.and_not(second[c + 3], beside);
        }
        let without = isa.bits(isa.equal(band, isa.splat(NONE)));
        let branch = Branch {
            band,
            first: struck(isa, digit, &first),
            second: struck(isa, digit, &second),
        };
        (branch, without)
    }
}

/// Returns the digits that have each configuration in a band or stack.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn configured<I: Isa>(isa: I, cells: &Cells<I>, band: usize) -> [I::Vector; 6] {
    let mut any = [[isa.splat(0); 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            let [x, y, z] = triad(band, i, k);
            any[i][k] = isa.or3(cells[x], cells[y], cells[z]);
        }
    }
    let mut here = [isa.splat(0); 6];
    for c in 0..6 {
        let [x, y, z] = CONFIGURATIONS[c];
        here[c] = isa.and3(any[0][x], any[1][y], any[2][z]);
    }
    here
}

/// Returns the cells of a triad of a band or stack.
#[inline(always)]
fn triad(band: usize, i: usize, k: usize) -> [usize; 3] {
    if band < 3 {
        let first = 9 * (3 * band + i) + 3 * k;
        [first, first + 1, first + 2]
    } else {
        let first = 27 * k + 3 * (band - 3) + i;
        [first, first + 9, first + 18]
    }
}

/// Returns the digit, for every triad that its configuration does not put it into.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn struck<I: Isa>(isa: I, digit: I::Vector, configuration: &[I::Vector; 6]) -> [I::Vector; 9] {
    let mut struck = [digit; 9];
    for triad in 0..9 {
        let [a, b] = HOLDING[triad];
        struck[triad] = isa.and_neither(digit, configuration[a], configuration[b]);
    }
    struck
}

/// Turns some lanes into their own first child, and writes second children to other lanes.
pub(super) struct Split<'a, I: Isa> {
    pub(super) cells: &'a mut Cells<I>,
    pub(super) branch: &'a Branch<I::Vector>,
    /// Lanes that become their own first child.
    pub(super) parents: u32,
    /// Lanes that become a second child.
    pub(super) children: u32,
    /// For each of those the lane of its parent; for all others themselves.
    pub(super) sources: &'a [u16; MAX_LANES],
}

impl<I: Isa> Kernel<I> for Split<'_, I> {
    type Output = ();

    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run(self, isa: I) {
        let sources = isa.load(self.sources);
        let (parents, children) = (isa.mask(self.parents), isa.mask(self.children));
        let mut struck = self.branch.first;
        for triad in 0..9 {
            let second = isa.permute(self.branch.second[triad], sources);
            struck[triad] = isa.select(children, second, isa.keep(parents, struck[triad]));
        }
        let branched = isa.permute(self.branch.band, sources);
        let stacks = in_stacks(isa, branched, &struck);
        for band in 0..3 {
            let lines = in_band(isa, branched, band, &struck);
            for i in 0..3 {
                let line = children_of_line(isa, self.cells, sources, [band, i], &lines, &stacks);
                let first = 9 * (3 * band + i);
                self.cells[first..first + 9].copy_from_slice(&line);
            }
        }
    }
}

/// Turns some lanes into their own first child, and writes the second one to the same lane aside; what is written to other
/// lanes aside is meaningless.
pub(super) struct SplitAside<'a, I: Isa> {
    pub(super) cells: &'a mut Cells<I>,
    pub(super) aside: &'a mut Cells<I>,
    pub(super) branch: &'a Branch<I::Vector>,
    pub(super) parents: u32,
}

impl<I: Isa> Kernel<I> for SplitAside<'_, I> {
    type Output = ();

    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run(self, isa: I) {
        let parents = isa.mask(self.parents);
        let branched = self.branch.band;
        let (mut first, second) = (self.branch.first, &self.branch.second);
        for triad in 0..9 {
            first[triad] = isa.keep(parents, first[triad]);
        }
        let stacks = [
            in_stacks(isa, branched, &first),
            in_stacks(isa, branched, second),
        ];
        for band in 0..3 {
            let lines = [
                in_band(isa, branched, band, &first),
                in_band(isa, branched, band, second),
            ];
            for i in 0..3 {
                for j in 0..9 {
                    let (in_line, k, in_stack) = (3 * i + j / 3, j / 3, 3 * (j % 3) + band);
                    let at = 9 * (3 * band + i) + j;
                    let cell = self.cells[at];
                    self.cells[at] =
                        isa.and_neither(cell, lines[0][in_line], stacks[0][k][in_stack]);
                    self.aside[at] =
                        isa.and_neither(cell, lines[1][in_line], stacks[1][k][in_stack]);
                }
            }
        }
    }
}

/// Writes second children to the lanes of another group.
pub(super) struct WriteChildren<'a, I: Isa> {
    pub(super) from: &'a Cells<I>,
    pub(super) branch: &'a Branch<I::Vector>,
    pub(super) to: &'a mut Cells<I>,
    /// Lanes of `to` that become a child.
    pub(super) children: u32,
    /// For each of those the lane of its parent in `from`.
    pub(super) sources: &'a [u16; MAX_LANES],
}

impl<I: Isa> Kernel<I> for WriteChildren<'_, I> {
    type Output = ();

    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run(self, isa: I) {
        let sources = isa.load(self.sources);
        let children = isa.mask(self.children);
        let mut struck = self.branch.second;
        for triad in 0..9 {
            struck[triad] = isa.permute(struck[triad], sources);
        }
        let branched = isa.permute(self.branch.band, sources);
        let stacks = in_stacks(isa, branched, &struck);
        for band in 0..3 {
            let lines = in_band(isa, branched, band, &struck);
            for i in 0..3 {
                let born = children_of_line(isa, self.from, sources, [band, i], &lines, &stacks);
                for j in 0..9 {
                    let cell = &mut self.to[9 * (3 * band + i) + j];
                    *cell = isa.select(children, born[j], *cell);
                }
            }
        }
    }
}

/// Returns the cells of line `i` of a band in each lane: those of the lane's parent, less what is
/// removed from their triads.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn children_of_line<I: Isa>(
    isa: I,
    parents: &Cells<I>,
    sources: I::Vector,
    [band, i]: [usize; 2],
    lines: &[I::Vector; 9],
    stacks: &[[I::Vector; 9]; 3],
) -> [I::Vector; 9] {
    let mut children = [sources; 9];
    for j in 0..9 {
        let parent = isa.permute(parents[9 * (3 * band + i) + j], sources);
        let (by_band, by_stack) = (lines[3 * i + j / 3], stacks[j / 3][3 * (j % 3) + band]);
        children[j] = isa.and_neither(parent, by_band, by_stack);
    }
    children
}

/// Returns what is removed from the triads of this band or stack: nothing in lanes that branch on
/// another.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn in_band<I: Isa>(
    isa: I,
    branched: I::Vector,
    band: usize,
    struck: &[I::Vector; 9],
) -> [I::Vector; 9] {
    let here = isa.equal(branched, isa.splat(band as u16));
    let mut struck = *struck;
    for triad in 0..9 {
        struck[triad] = isa.keep(here, struck[triad]);
    }
    struck
}

/// Returns what is removed from the triads of each stack.
#[inline(always)]
fn in_stacks<I: Isa>(isa: I, branched: I::Vector, struck: &[I::Vector; 9]) -> [[I::Vector; 9]; 3] {
    [
        in_band(isa, branched, 3, struck),
        in_band(isa, branched, 4, struck),
        in_band(isa, branched, 5, struck),
    ]
}

/// Removes every digit from the triads that none of its configurations puts it into.
pub(super) struct Settle<'a, I: Isa> {
    pub(super) cells: &'a mut Cells<I>,
}

impl<I: Isa> Kernel<I> for Settle<'_, I> {
    type Output = ();

    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn run(self, isa: I) {
        for band in 0..6 {
            let here = configured(isa, self.cells, band);
            for i in 0..3 {
                for k in 0..3 {
                    let [a, b] = HOLDING[3 * i + k];
                    let held = isa.or(here[a], here[b]);
                    for cell in triad(band, i, k) {
                        self.cells[cell] = isa.and(self.cells[cell], held);
                    }
                }
            }
        }
    }
}
