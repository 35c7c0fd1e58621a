//! A set of places in each house.

use super::super::super::super::mask::bits;

/// The most houses of a board.
pub(super) const LANES: usize = 32;

/// For each house, its places as bits: 64 bytes, a line of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [u16; LANES]);

impl Lanes {
    pub(super) const NONE: Lanes = Lanes([0; LANES]);

    #[inline]
    fn zip(self, other: Lanes, of: impl Fn(u16, u16) -> u16) -> Lanes {
        let mut lanes = self;
        for (lane, other) in lanes.0.iter_mut().zip(other.0) {
            *lane = of(*lane, other);
        }
        lanes
    }

    #[inline]
    pub(super) fn and(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a & b)
    }

    #[inline]
    pub(super) fn or(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    pub(super) fn without(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a & !b)
    }

    /// All other places.
    #[inline]
    pub(super) fn but(self) -> Lanes {
        self.zip(self, |places, _| !places)
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.into_iter().fold(0, |any, lane| any | lane) == 0
    }

    /// Whether some house has no place.
    #[inline]
    pub(super) fn has_empty(self) -> bool {
        let empty = |any, lane| any | u16::from(lane == 0);
        self.0.into_iter().fold(0, empty) != 0
    }

    /// Each house without its first place.
    #[inline]
    pub(super) fn rest(self) -> Lanes {
        self.zip(self, |places, _| rest(places))
    }

    /// The houses where this set has no place, as they are in the other.
    #[inline]
    pub(super) fn where_empty(self, other: Lanes) -> Lanes {
        self.zip(other, |here, there| if here == 0 { there } else { 0 })
    }

    /// Houses and places, in order.
    #[inline]
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        // Four houses at a time: most often hardly any has a place.
        let fours = self.0.as_chunks::<4>().0.iter().enumerate();
        fours.flat_map(|(four, lanes)| {
            let joined = lanes
                .iter()
                .rev()
                .fold(0, |all, lane| all << 16 | u64::from(*lane));
            bits(joined).map(move |bit| (4 * four + bit / 16, bit % 16))
        })
    }
}

/// The first place of a house that has one.
#[inline]
pub(super) const fn first(places: u16) -> usize {
    places.trailing_zeros() as usize % u16::BITS as usize
}

/// The places but the first.
#[inline]
pub(super) const fn rest(places: u16) -> u16 {
    places & places.wrapping_sub(1)
}
