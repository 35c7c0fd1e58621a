//! 16 lanes in plain Rust: runs everywhere, and defines every operation.

use super::isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW, part, part_mut};

/// 16 lanes that any CPU has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

const LANES: usize = 16;
type Lanes = [u16; LANES];

/// Applies `operation` in each lane.
#[inline(always)]
fn each(operation: impl Fn(usize) -> u16) -> Lanes {
    let mut lanes = [0; LANES];
    for (l, lane) in lanes.iter_mut().enumerate() {
        *lane = operation(l);
    }
    lanes
}

#[inline(always)]
fn flag(set: bool) -> u16 {
    if set { u16::MAX } else { 0 }
}

impl Isa for Portable {
    type Vector = Lanes;
    /// All bits of a lane, or none.
    type Mask = Lanes;
    const LANES: usize = LANES;

    #[inline(always)]
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(always)]
    fn splat(self, value: u16) -> Lanes {
        [value; LANES]
    }

    #[inline(always)]
    fn load(self, lanes: &[u16; MAX_LANES]) -> Lanes {
        each(|l| lanes[l])
    }

    #[inline(always)]
    fn lanes(self, vector: Lanes) -> [u16; MAX_LANES] {
        let mut lanes = [0; MAX_LANES];
        lanes[..LANES].copy_from_slice(&vector);
        lanes
    }

    #[inline(always)]
    fn and(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l] & b[l])
    }

    #[inline(always)]
    fn or(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l] | b[l])
    }

    #[inline(always)]
    fn and_not(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l] & !b[l])
    }

    #[inline(always)]
    fn and3(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        each(|l| a[l] & b[l] & c[l])
    }

    #[inline(always)]
    fn or3(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        each(|l| a[l] | b[l] | c[l])
    }

    #[inline(always)]
    fn majority(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        each(|l| (a[l] & b[l]) | (c[l] & (a[l] | b[l])))
    }

    #[inline(always)]
    fn and_neither(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        each(|l| a[l] & !(b[l] | c[l]))
    }

    #[inline(always)]
    fn and_or(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        each(|l| (a[l] & b[l]) | c[l])
    }

    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l].wrapping_add(b[l]))
    }

    #[inline(always)]
    fn min(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l].min(b[l]))
    }

    #[inline(always)]
    fn max(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| a[l].max(b[l]))
    }

    #[inline(always)]
    fn count_ones(self, a: Lanes) -> Lanes {
        each(|l| a[l].count_ones() as u16)
    }

    #[inline(always)]
    fn disjoint(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| flag(a[l] & b[l] == 0))
    }

    #[inline(always)]
    fn equal(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| flag(a[l] == b[l]))
    }

    #[inline(always)]
    fn less(self, a: Lanes, b: Lanes) -> Lanes {
        each(|l| flag(a[l] < b[l]))
    }

    #[inline(always)]
    fn keep(self, mask: Lanes, a: Lanes) -> Lanes {
        each(|l| mask[l] & a[l])
    }

    #[inline(always)]
    fn select(self, mask: Lanes, yes: Lanes, no: Lanes) -> Lanes {
        each(|l| (mask[l] & yes[l]) | (!mask[l] & no[l]))
    }

    #[inline(always)]
    fn bits(self, mask: Lanes) -> u32 {
        (0..LANES).fold(0, |bits, l| bits | u32::from(mask[l] & 1) << l)
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> Lanes {
        each(|l| flag(bits >> l & 1 == 1))
    }

    #[inline(always)]
    fn permute(self, a: Lanes, from: Lanes) -> Lanes {
        each(|l| a[usize::from(from[l]) % LANES])
    }

    #[inline(always)]
    fn look_up(self, table: &[u16; MAX_LANES], index: Lanes) -> Lanes {
        each(|l| table[usize::from(index[l]) % MAX_LANES])
    }

    #[inline(always)]
    fn columns(self, rows: &[&[u8; ROW]], at: usize) -> [Lanes; COLUMNS] {
        assert_eq!(rows.len(), LANES, "a row for each lane");
        core::array::from_fn(|column| each(|l| u16::from(part(rows[l], at)[column])))
    }

    #[inline(always)]
    fn rows(self, columns: &[Lanes; COLUMNS], rows: &mut [[u8; ROW]; MAX_LANES], at: usize) {
        for (lane, row) in rows.iter_mut().take(LANES).enumerate() {
            for (byte, column) in part_mut(row, at).iter_mut().zip(columns) {
                *byte = column[lane] as u8;
            }
        }
    }
}
