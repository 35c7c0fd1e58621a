//! Choice of branches, and their children, in all lanes at once.

use super::group::Cells;
use crate::simd::{Isa, Kernel, MAX_LANES};

/// The configurations of a digit in a band: the block that it takes in each of the three lines.
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

/// A branch for every lane: a digit that has two configurations left in a band.
#[derive(Clone, Copy)]
pub(super) struct Branch<V> {
    /// Bands are 0 to 2, stacks 3 to 5.
    band: V,
    /// The digits that the first child removes from the triads (`3 i + k`) of the band, and the
    /// second.
    first: [V; 9],
    second: [V; 9],
}

/// Chooses a branch for every lane. Also returns the set of the lanes without one.
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
        let mut digits = zero;
        let mut best = [zero; 6];
        for candidate in 0..6 {
            let mut any = [[zero; 3]; 3];
            for i in 0..3 {
                for k in 0..3 {
                    let [x, y, z] = triad(candidate, i, k);
                    any[i][k] = isa.or3(self.cells[x], self.cells[y], self.cells[z]);
                }
            }
            // The digits that have each configuration, then those with at least one, two, three.
            let mut here = [zero; 6];
            let (mut one, mut two, mut three, mut total) = (zero, zero, zero, zero);
            for c in 0..6 {
                let [x, y, z] = CONFIGURATIONS[c];
                here[c] = isa.and3(any[0][x], any[1][y], any[2][z]);
                three = isa.and_or(two, here[c], three);
                two = isa.and_or(one, here[c], two);
                one = isa.or(one, here[c]);
                total = isa.add(total, isa.count_ones(here[c]));
            }
            let pairs = isa.and_not(two, three);
            let none = isa.disjoint(pairs, pairs);
            let total = isa.select(none, isa.splat(u16::MAX), total);
            let better = isa.less(total, fewest);
            fewest = isa.min(fewest, total);
            digits = isa.select(better, pairs, digits);
            band = isa.select(better, isa.splat(candidate as u16), band);
            for c in 0..6 {
                best[c] = isa.select(better, here[c], best[c]);
            }
        }
        // The lowest of the digits, and the lower of its two configurations.
        let digit = isa.and_not(digits, isa.add(digits, isa.splat(u16::MAX)));
        let (mut first, mut second) = ([zero; 6], [zero; 6]);
        let mut untaken = digit;
        for c in 0..6 {
            let has = isa.and(best[c], digit);
            first[c] = isa.and(has, untaken);
            second[c] = isa.and_not(has, untaken);
            untaken = isa.and_not(untaken, has);
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

/// Finds the first of the cells with the fewest candidates but more than one, and those candidates:
/// the branch where no digit has two configurations.
pub(super) struct FewestCandidates<'a, I: Isa> {
    pub(super) cells: &'a Cells<I>,
    pub(super) lane: usize,
}

impl<I: Isa> Kernel<I> for FewestCandidates<'_, I> {
    type Output = Option<(usize, u16)>;

    #[inline(always)]
    fn run(self, isa: I) -> Option<(usize, u16)> {
        let mut best = None;
        let mut fewest = u32::MAX;
        for (cell, vector) in self.cells.iter().enumerate() {
            let candidates = isa.lanes(*vector)[self.lane];
            let count = candidates.count_ones();
            if count > 1 && count < fewest {
                best = Some((cell, candidates));
                fewest = count;
            }
        }
        best
    }
}
