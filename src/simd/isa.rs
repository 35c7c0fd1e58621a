//! Vector instruction sets, as methods on a token that proves that the CPU has them.
//!
//! A token exists only where the CPU has the instructions, so its methods are safe. Code is written
//! once over [`Isa`]; [`Portable`](super::Portable) defines every operation.

/// An instruction set for vectors of 16-bit lanes.
///
/// Every operation works on each lane by itself, except [`permute`](Isa::permute) and the two that
/// transpose.
pub trait Isa: Copy + Send + Sync + 'static {
    /// [`LANES`](Isa::LANES) numbers of 16 bits.
    type Vector: Copy;
    /// A flag for each lane.
    type Mask: Copy;

    /// Number of lanes of a vector; at most [`MAX_LANES`].
    const LANES: usize;

    /// Runs a kernel as code compiled for these instructions.
    ///
    /// Operations are one instruction each only inside of this: elsewhere they are calls.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// Returns the same number in every lane.
    fn splat(self, value: u16) -> Self::Vector;
    /// Returns the first [`LANES`](Isa::LANES) of these numbers.
    fn load(self, lanes: &[u16; MAX_LANES]) -> Self::Vector;
    /// Returns the lanes as numbers; 0 behind the last lane.
    fn lanes(self, vector: Self::Vector) -> [u16; MAX_LANES];

    /// Returns `a & b`.
    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `a | b`.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `a & !b`.
    fn and_not(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns `a & b & c`.
    fn and3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns `a | b | c`.
    fn or3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns the bits that are set in at least two of the three.
    fn majority(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns `a & !(b | c)`.
    fn and_neither(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// Returns `(a & b) | c`.
    fn and_or(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// Returns `a + b`, wrapping around.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the smaller of the two.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the larger of the two.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Returns the number of bits set in each lane.
    fn count_ones(self, a: Self::Vector) -> Self::Vector;

    /// Returns the lanes in which the two share no bit.
    fn disjoint(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// Returns the lanes in which the two are equal.
    fn equal(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// Returns the lanes in which `a < b`.
    fn less(self, a: Self::Vector, b: Self::Vector) -> Self::Mask;
    /// Returns `a` where the flag is set, else 0.
    fn keep(self, mask: Self::Mask, a: Self::Vector) -> Self::Vector;
    /// Returns `yes` where the flag is set, else `no`.
    fn select(self, mask: Self::Mask, yes: Self::Vector, no: Self::Vector) -> Self::Vector;
    /// Returns the flags as bits, lane 0 lowest.
    fn bits(self, mask: Self::Mask) -> u32;
    /// Returns bits as flags, the reverse of [`bits`](Isa::bits).
    fn mask(self, bits: u32) -> Self::Mask;

    /// Returns a vector whose lane `l` is lane `from[l]` of `a`; each of `from` is below the number
    /// of lanes.
    fn permute(self, a: Self::Vector, from: Self::Vector) -> Self::Vector;
    /// Returns, in each lane, the entry of a table at the lowest five bits of the index.
    fn look_up(self, table: &[u16; MAX_LANES], index: Self::Vector) -> Self::Vector;
    /// Returns columns of a table of bytes: lane `l` of vector `c` is `rows[l][at + c]`.
    ///
    /// # Panics
    ///
    /// If there are fewer rows than lanes, or columns are beyond the end of the rows.
    fn columns(self, rows: &[&[u8; ROW]], at: usize) -> [Self::Vector; COLUMNS];
    /// Writes columns back, the reverse of [`columns`](Isa::columns): `rows[l][at + c]` becomes the
    /// low byte of lane `l` of vector `c`.
    ///
    /// # Panics
    ///
    /// If columns are beyond the end of the rows.
    fn rows(self, columns: &[Self::Vector; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize);
}

/// The largest number of lanes of any instruction set.
pub const MAX_LANES: usize = 32;
/// Bytes of a row of [`Isa::columns`].
pub const ROW: usize = 81;
/// Number of columns that are transposed at once.
pub const COLUMNS: usize = 16;

/// Returns the bytes of a row that [`Isa::columns`] transposes. Panics if the row ends before them.
#[inline(always)]
pub(super) fn part(row: &[u8; ROW], at: usize) -> &[u8; COLUMNS] {
    let part = row[at..].first_chunk();
    part.expect("no column stands behind the end of a row")
}

/// Returns the bytes of a row that [`Isa::rows`] writes. Panics if the row ends before them.
#[inline(always)]
pub(super) fn part_mut(row: &mut [u8; ROW], at: usize) -> &mut [u8; COLUMNS] {
    let part = row[at..].first_chunk_mut();
    part.expect("no column stands behind the end of a row")
}

/// A computation that is written once for all instruction sets.
pub trait Kernel<I: Isa> {
    /// The result.
    type Output;

    /// Computes the result; implementations are `#[inline(always)]`, or they are not compiled for
    /// the instructions.
    fn run(self, isa: I) -> Self::Output;
}
