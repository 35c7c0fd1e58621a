//! The copy of a large photo that small boards are read from, as a whole or in parts.

use std::sync::OnceLock;

use image::imageops::crop_imm;
use image::math::Rect;
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage};

use super::shrink::{shrink_part, shrunk_size};

/// A copy of a photo that is larger than its reading copy, made when a small board first needs it.
#[derive(Clone, Debug)]
pub(super) struct Finer {
    /// The photo as it was decoded.
    decoded: GrayImage,
    orientation: Orientation,
    /// Width and height of the copy before it is turned.
    size: (u32, u32),
    copy: OnceLock<GrayImage>,
}

impl Finer {
    /// Returns the copy of a photo with a longest side of at most `side` pixels; it is not made yet.
    pub(super) fn new(decoded: GrayImage, orientation: Orientation, side: u32) -> Finer {
        Finer {
            size: shrunk_size(decoded.dimensions(), side),
            decoded,
            orientation,
            copy: OnceLock::new(),
        }
    }

    /// Returns the width and height of the copy.
    pub(super) fn size(&self) -> (u32, u32) {
        match is_on_its_side(self.orientation) {
            true => (self.size.1, self.size.0),
            false => self.size,
        }
    }

    /// Returns the whole copy.
    pub(super) fn copy(&self) -> &GrayImage {
        self.copy.get_or_init(|| {
            let (width, height) = self.size();
            self.part_of_photo(Rect {
                x: 0,
                y: 0,
                width,
                height,
            })
        })
    }

    /// Returns a part of the copy, without making the rest of it.
    pub(super) fn part(&self, part: Rect) -> GrayImage {
        match self.copy.get() {
            Some(copy) => crop_imm(copy, part.x, part.y, part.width, part.height).to_image(),
            None => self.part_of_photo(part),
        }
    }

    fn part_of_photo(&self, part: Rect) -> GrayImage {
        let decoded = as_decoded(part, self.size, self.orientation);
        upright(
            shrink_part(&self.decoded, self.size, decoded),
            self.orientation,
        )
    }
}

/// Turns and mirrors a picture by its orientation.
pub(super) fn upright(luma: GrayImage, orientation: Orientation) -> GrayImage {
    let mut picture = DynamicImage::ImageLuma8(luma);
    picture.apply_orientation(orientation);
    picture.into_luma8()
}

/// Returns whether a picture must be turned by a quarter to be upright.
pub(super) fn is_on_its_side(orientation: Orientation) -> bool {
    match orientation {
        Orientation::NoTransforms
        | Orientation::Rotate180
        | Orientation::FlipHorizontal
        | Orientation::FlipVertical => false,
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => true,
    }
}

/// Returns where a part of an upright picture lies in the picture of this size before it is turned.
fn as_decoded(part: Rect, (width, height): (u32, u32), orientation: Orientation) -> Rect {
    let Rect {
        x,
        y,
        width: across,
        height: down,
    } = part;
    let from_right = |at: u32, length: u32| width - at - length;
    let from_bottom = |at: u32, length: u32| height - at - length;
    let (x, y) = match orientation {
        Orientation::NoTransforms => (x, y),
        Orientation::Rotate180 => (from_right(x, across), from_bottom(y, down)),
        Orientation::FlipHorizontal => (from_right(x, across), y),
        Orientation::FlipVertical => (x, from_bottom(y, down)),
        Orientation::Rotate90 => (y, from_bottom(x, across)),
        Orientation::Rotate270 => (from_right(y, down), x),
        Orientation::Rotate90FlipH => (y, x),
        Orientation::Rotate270FlipH => (from_right(y, down), from_bottom(x, across)),
    };
    let (width, height) = match is_on_its_side(orientation) {
        true => (down, across),
        false => (across, down),
    };
    Rect {
        x,
        y,
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn parts_are_those_of_the_whole_copy_in_every_orientation() {
        let noise = |x: u32, y: u32| Luma([((x * 7919) ^ (y * 104_729) ^ ((x * y) >> 3)) as u8]);
        let decoded = GrayImage::from_fn(501, 333, noise);
        for exif in 1..=8 {
            let orientation = Orientation::from_exif(exif).unwrap();
            for side in [250, 377, 500, 501, 900] {
                let finer = Finer::new(decoded.clone(), orientation, side);
                let whole = Finer::new(decoded.clone(), orientation, side);
                assert_eq!(whole.copy().dimensions(), finer.size());
                let (width, height) = finer.size();
                for (x, y) in [(0, 0), (13, 40), (width - 60, height - 90)] {
                    let part = Rect {
                        x,
                        y,
                        width: 60,
                        height: 90,
                    };
                    let (alone, of_whole) = (finer.part(part), whole.part(part));
                    assert_eq!(alone.dimensions(), (60, 90));
                    let most = alone.iter().zip(of_whole.iter());
                    let most = most.map(|(a, b)| a.abs_diff(*b)).max();
                    // The library rounds in another place.
                    assert!(most.unwrap() <= 1, "EXIF {exif}, {side}: {part:?} {most:?}");
                }
            }
        }
    }
}
