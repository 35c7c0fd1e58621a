//! Puzzles side by side: 81 vectors, one per cell, with a puzzle in each lane.

use crate::simd::{COLUMNS, Isa, Kernel, MAX_LANES, ROW};

/// The candidates of an empty cell.
pub(super) const ALL: u16 = 0x1FF;

/// Candidates of every cell, a puzzle in each lane.
pub(super) type Cells<I> = [<I as Isa>::Vector; ROW];

/// Up to one puzzle per lane, with the index of each.
pub(super) struct Group<I: Isa> {
    pub(super) cells: Cells<I>,
    /// Index of each lane's puzzle in the batch.
    pub(super) puzzles: [u32; MAX_LANES],
}

impl<I: Isa> Group<I> {
    pub(super) fn new(isa: I) -> Group<I> {
        Group {
            cells: [isa.splat(ALL); ROW],
            puzzles: [0; MAX_LANES],
        }
    }
}

/// Returns the lanes of a set, lowest first.
pub(super) fn lanes(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// Returns all lanes of an instruction set.
pub(super) const fn all_lanes<I: Isa>() -> u32 {
    u32::MAX >> (MAX_LANES - I::LANES)
}

/// Reads lines of text into lanes: the bytes are those of a
/// [`PuzzleLine`](crate::grid::PuzzleLine).
pub(super) struct Read<'a, I: Isa> {
    pub(super) cells: &'a mut Cells<I>,
    /// One for each lane.
    pub(super) lines: &'a [&'a [u8; ROW]],
}

/// The candidates of a byte, by its lowest five bits: enough to distinguish the digits from each
/// other and from the five blanks.
static CANDIDATES: [u16; MAX_LANES] = {
    let mut table = [ALL; MAX_LANES];
    let mut digit = 1;
    while digit <= 9 {
        table[b'0' as usize % MAX_LANES + digit] = 1 << (digit - 1);
        digit += 1;
    }
    table
};

impl<I: Isa> Kernel<I> for Read<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        for at in BLOCKS {
            let columns = isa.columns(self.lines, at);
            for (column, bytes) in columns.iter().enumerate() {
                self.cells[at + column] = isa.look_up(&CANDIDATES, *bytes);
            }
        }
    }
}

/// Writes solved lanes as lines of text; the lines of other lanes are meaningless.
pub(super) struct Write<'a, I: Isa> {
    pub(super) cells: &'a Cells<I>,
    pub(super) lines: &'a mut [[u8; ROW]; MAX_LANES],
}

impl<I: Isa> Kernel<I> for Write<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let one = isa.splat(u16::from(b'1'));
        let less_one = isa.splat(u16::MAX);
        for at in BLOCKS {
            let mut columns = [one; COLUMNS];
            for (column, digit) in columns.iter_mut().enumerate() {
                // The bits below a single one are as many as its digit, less one.
                let below = isa.add(self.cells[at + column], less_one);
                *digit = isa.add(one, isa.count_ones(below));
            }
            isa.rows(&columns, self.lines, at);
        }
    }
}

/// First columns of the blocks that are transposed at once; the last two overlap.
const BLOCKS: [usize; 6] = [0, 16, 32, 48, 64, ROW - COLUMNS];

/// Copies lanes from one group to another.
pub(super) struct Move<'a, I: Isa> {
    pub(super) from: &'a Cells<I>,
    pub(super) to: &'a mut Cells<I>,
    /// For each lane of `to`, the lane of `from` that is copied to it.
    pub(super) sources: &'a [u16; MAX_LANES],
    /// The lanes of `to` that are written.
    pub(super) taking: u32,
}

impl<I: Isa> Kernel<I> for Move<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let sources = isa.load(self.sources);
        let taking = isa.mask(self.taking);
        for (to, from) in self.to.iter_mut().zip(self.from) {
            *to = isa.select(taking, isa.permute(*from, sources), *to);
        }
    }
}

/// Copies lanes from one group to the same lanes of another.
pub(super) struct Take<'a, I: Isa> {
    pub(super) from: &'a Cells<I>,
    pub(super) to: &'a mut Cells<I>,
    pub(super) lanes: u32,
}

impl<I: Isa> Kernel<I> for Take<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: I) {
        let lanes = isa.mask(self.lanes);
        for (to, from) in self.to.iter_mut().zip(self.from) {
            *to = isa.select(lanes, *from, *to);
        }
    }
}
