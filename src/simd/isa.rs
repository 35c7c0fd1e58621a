//! What a vector instruction set offers, as methods on a token that proves it is there.
//!
//! A token can only be had where the CPU has the instructions, so its methods are safe. Code is
//! written once over [`Isa`]; [`Portable`](super::Portable) says what every operation means.

/// A number of 16-bit lanes, and what can be done to all of them at once.
///
/// Every operation works on each lane by itself, but for [`permute`](Isa::permute) and the two
/// that turn rows into columns.
pub trait Isa: Copy + Send + Sync + 'static {
    /// [`LANES`](Isa::LANES) numbers of 16 bits.
    type Vector: Copy;
    /// A flag for each lane.
    type Mask: Copy;

    /// How many lanes a vector has; at most [`MAX_LANES`].
    const LANES: usize;

    /// Runs a kernel as code that uses these instructions.
    ///
    /// Operations are one instruction each only inside of this: elsewhere they are calls.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// The same number in every lane.
    fn splat(self, value: u16) -> Self::Vector;
    /// The first [`LANES`](Isa::LANES) of these numbers.
    fn load(self, lanes: &[u16; MAX_LANES]) -> Self::Vector;
    /// The lanes as numbers; 0 behind the last lane.
    fn lanes(self, vector: Self::Vector) -> [u16; MAX_LANES];

    /// `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & !b`.
    fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a & b & c`.
    fn and3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `a | b | c`.
    fn or3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// The bits that are set in two of the three, or in all.
    fn majority(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `a & !(b | c)`.
    fn and_neither(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// `(a & b) | c`.
    fn and_or(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// `a + b`, wrapping around.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The smaller of the two.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The larger of the two.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// How many bits are set.
    fn count_ones(self, a: Self::Vector) -> Self::Vector;

    /// Where the two share no bit.
    fn disjoint(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// Where the two are equal.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// Where `a < b`.
    fn less(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// `a` where the flag is set, else 0.
    fn keep(self, mask: Self::Mask, a: Self::Vector) -> Self::Vector;
    /// `yes` where the flag is set, else `no`.
    fn select(self, mask: Self::Mask, yes: Self::Vector, no: Self::Vector) -> Self::Vector;
    /// The flags as bits, lane 0 lowest.
    fn bits(self, mask: Self::Mask) -> u32;
    /// Bits as flags.
    fn mask(self, bits: u32) -> Self::Mask;

    /// Lane `l` of the result is lane `from[l]` of `a`; each of `from` is below the number of lanes.
    fn permute(self, a: Self::Vector, from: Self::Vector) -> Self::Vector;
    /// In each lane the entry of a table whose place the lowest five bits of the index say.
    fn look_up(self, table: &[u16; MAX_LANES], index: Self::Vector) -> Self::Vector;
    /// Columns of a table of bytes: lane `l` of vector `c` is `rows[l][at + c]`.
    ///
    /// # Panics
    /// Where there is not a row for each lane, or columns stand behind the end of the rows.
    fn columns(self, rows: &[&[u8; ROW]], at: usize) -> [Self::Vector; COLUMNS];
    /// The way back: `rows[l][at + c]` becomes the low byte of lane `l` of vector `c`.
    ///
    /// # Panics
    /// Where columns stand behind the end of the rows.
    fn rows(self, columns: &[Self::Vector; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize);
}

/// The most lanes that any instruction set has.
pub const MAX_LANES: usize = 32;
/// Bytes of a row of [`Isa::columns`].
pub const ROW: usize = 81;
/// Columns that are turned at once.
pub const COLUMNS: usize = 16;

/// The bytes of a row that [`Isa::columns`] turns. Panics where the row ends before them.
#[inline(always)]
pub(super) fn part(row: &[u8; ROW], at: usize) -> &[u8; COLUMNS] {
    let part = row[at..].first_chunk();
    part.expect("no column stands behind the end of a row")
}

/// The bytes of a row that [`Isa::rows`] writes. Panics where the row ends before them.
#[inline(always)]
pub(super) fn part_mut(row: &mut [u8; ROW], at: usize) -> &mut [u8; COLUMNS] {
    let part = row[at..].first_chunk_mut();
    part.expect("no column stands behind the end of a row")
}

/// A computation that is written once for all instruction sets.
pub trait Kernel<I: Isa> {
    /// What it computes.
    type Output;

    /// Computes it; implementations are `#[inline(always)]`, or the instructions are lost.
    fn run(self, isa: I) -> Self::Output;
}
