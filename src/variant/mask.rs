//! Sets of values, or of places in a house, as bits.

/// A set of numbers below 64.
pub(super) type Mask = u64;

/// The numbers of a set, lowest first.
#[inline]
pub(super) fn bits(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}
