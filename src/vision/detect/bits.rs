//! Binary pictures, one bit per pixel: ink is 1, paper is 0.

/// A binary picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BitPlane {
    width: usize,
    height: usize,
    /// 64-bit words per row; the bits past `width` in the last one are 0.
    stride: usize,
    words: Vec<u64>,
}

impl BitPlane {
    /// Returns an empty picture.
    pub(super) fn new(width: usize, height: usize) -> BitPlane {
        let stride = width.div_ceil(64);
        BitPlane {
            width,
            height,
            stride,
            words: vec![0; stride * height],
        }
    }

    pub(super) const fn width(&self) -> usize {
        self.width
    }

    pub(super) const fn height(&self) -> usize {
        self.height
    }

    /// Returns the words of one row, pixel `x` in bit `x % 64` of word `x / 64`.
    pub(super) fn row(&self, y: usize) -> &[u64] {
        &self.words[y * self.stride..(y + 1) * self.stride]
    }

    /// Sets one row from one byte per pixel, each 0 or 1.
    pub(super) fn set_row(&mut self, y: usize, flags: &[u8]) {
        let row = &mut self.words[y * self.stride..(y + 1) * self.stride];
        for (word, flags) in row.iter_mut().zip(flags.chunks(64)) {
            let mut bits = 0;
            for (i, eight) in flags.chunks(8).enumerate() {
                let mut bytes = [0u8; 8];
                bytes[..eight.len()].copy_from_slice(eight);
                // Gathers the lowest bit of each byte into the highest byte.
                let gathered = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                bits |= gathered << (8 * i);
            }
            *word = bits;
        }
    }

    /// Returns whether the pixel at `(x, y)` is ink; pixels outside are paper.
    #[cfg(test)]
    pub(super) fn get(&self, x: i32, y: i32) -> bool {
        let (x, y) = (x as usize, y as usize);
        // Negative coordinates are huge as `usize`.
        x < self.width
            && y < self.height
            && self.words[y * self.stride + x / 64] >> (x % 64) & 1 == 1
    }

    /// Returns the complement: ink and paper swapped.
    pub(super) fn inverted(&self) -> BitPlane {
        let mut plane = self.clone();
        for word in &mut plane.words {
            *word = !*word;
        }
        let rest = self.width % 64;
        if rest > 0 {
            for row in plane.words.chunks_exact_mut(self.stride) {
                if let Some(last) = row.last_mut() {
                    *last &= (1 << rest) - 1;
                }
            }
        }
        plane
    }

    /// Returns the union of the ink.
    pub(super) fn or(mut self, other: &BitPlane) -> BitPlane {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
        self
    }

    /// Returns the ink dilated by one pixel in all eight directions.
    pub(super) fn dilated(&self) -> BitPlane {
        let mut wide = self.clone();
        for y in 0..self.height {
            let row = self.row(y);
            for i in 0..self.stride {
                let left = if i > 0 { row[i - 1] >> 63 } else { 0 };
                let right = row.get(i + 1).map_or(0, |next| next << 63);
                wide.words[y * self.stride + i] |= row[i] << 1 | left | row[i] >> 1 | right;
            }
        }
        let rest = self.width % 64;
        let mask = if rest > 0 { (1 << rest) - 1 } else { u64::MAX };
        let mut grown = wide.clone();
        for y in 0..self.height {
            for i in 0..self.stride {
                let at = y * self.stride + i;
                let above = if y > 0 {
                    wide.words[at - self.stride]
                } else {
                    0
                };
                let below = wide.words.get(at + self.stride).copied().unwrap_or(0);
                grown.words[at] |= above | below;
                if i + 1 == self.stride {
                    grown.words[at] &= mask;
                }
            }
        }
        grown
    }

    /// Returns the ink closed: gaps of up to two pixels are filled.
    pub(super) fn closed(&self) -> BitPlane {
        self.dilated().inverted().dilated().inverted()
    }

    /// Calls `run(start, end)` for each run of ink in a row, `end` exclusive.
    pub(super) fn runs(&self, y: usize, mut run: impl FnMut(usize, usize)) {
        let mut open = None;
        for (i, &word) in self.row(y).iter().enumerate() {
            let mut bits = word;
            let mut at = 0;
            loop {
                let skip = match open {
                    None => bits.trailing_zeros(),
                    Some(_) => bits.trailing_ones(),
                };
                at += skip;
                if at >= 64 {
                    break;
                }
                bits >>= skip;
                let x = i * 64 + at as usize;
                match open.take() {
                    None => open = Some(x),
                    Some(start) => run(start, x),
                }
            }
        }
        if let Some(start) = open {
            run(start, self.width);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_get_and_dilation_agree_with_a_plain_picture(
            width in 1usize..150,
            flags in prop::collection::vec(prop::bool::weighted(0.3), 450),
        ) {
            let height = 450 / width;
            let at = |x: i32, y: i32| {
                x >= 0 && y >= 0 && (x as usize) < width && (y as usize) < height
                    && flags[y as usize * width + x as usize]
            };
            let mut plane = BitPlane::new(width, height);
            for y in 0..height {
                let row: Vec<u8> = (0..width).map(|x| u8::from(at(x as i32, y as i32))).collect();
                plane.set_row(y, &row);
                let mut seen = vec![0u8; width];
                plane.runs(y, |start, end| seen[start..end].fill(1));
                prop_assert_eq!(row, seen);
            }
            let (grown, inverted) = (plane.dilated(), plane.inverted());
            for y in -1..=height as i32 {
                for x in -1..=width as i32 {
                    prop_assert_eq!(plane.get(x, y), at(x, y));
                    let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
                    prop_assert_eq!(inverted.get(x, y), inside && !at(x, y));
                    let near = (-1..=1).any(|dy| (-1..=1).any(|dx| at(x + dx, y + dy)));
                    prop_assert_eq!(grown.get(x, y), inside && near);
                }
            }
        }
    }
}
