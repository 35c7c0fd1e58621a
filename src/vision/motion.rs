//! Estimates the motion of a board between two frames where that is farther than its lines can be
//! followed: template matching of a small picture of it in a small copy of the frame, by the sum of
//! absolute differences.

use image::GrayImage;

use super::photo::Photo;
use super::quad::{Point, Quad};

/// Longest side of a small frame, in pixels.
const SIDE: u32 = 96;
/// Largest motion, in pixels of a small frame: a quarter of a frame.
const REACH: i32 = 24;
/// Number of the best shifts that are refined.
const LOOKED_INTO: usize = 8;
/// Least share of the small picture that must still be in the frame.
const INSIDE: f32 = 0.6;

/// A small copy of a frame.
#[derive(Clone, Debug)]
pub struct SmallFrame {
    luma: GrayImage,
    /// Its pixels per pixel of the reading copy.
    scale: f32,
}

/// The part of a small frame that shows a board.
#[derive(Clone, Debug)]
pub struct SmallPicture {
    luma: GrayImage,
    left: i32,
    top: i32,
}

impl SmallFrame {
    /// Shrinks a frame.
    pub fn of(photo: &Photo) -> SmallFrame {
        let luma = photo.thumbnail(SIDE);
        SmallFrame {
            scale: luma.width() as f32 / photo.luma().width() as f32,
            luma,
        }
    }

    /// Cuts out the part with a board, as far as it is inside the frame; `None` where nothing of it
    /// is.
    pub fn cut(&self, board: &Quad) -> Option<SmallPicture> {
        let range = |value: fn(&Point) -> f32, side: u32| {
            let values = board.corners().map(|p| value(&p) * self.scale);
            let first = values.into_iter().fold(f32::INFINITY, f32::min).floor();
            let last = values.into_iter().fold(0.0, f32::max).ceil();
            let (first, last) = (first.max(0.0) as u32, (last as u32).min(side));
            (first < last).then(|| (first, last - first))
        };
        let (left, width) = range(|p| p.x, self.luma.width())?;
        let (top, height) = range(|p| p.y, self.luma.height())?;
        let view = image::imageops::crop_imm(&self.luma, left, top, width, height);
        Some(SmallPicture {
            luma: view.to_image(),
            left: left as i32,
            top: top as i32,
        })
    }
}

impl SmallPicture {
    /// Returns the motion of the board to this frame, in pixels of the reading copy; `None` where
    /// too little of it would be inside.
    pub fn motion_in(&self, frame: &SmallFrame) -> Option<Point> {
        // Every other shift by a quarter of the rows, then those around the best: a lattice moved by whole
        // cells can fit a shift between pixels better than its own does.
        let around = |x: i32, y: i32, reach: i32, step: usize| {
            let range = move |middle: i32| (middle - reach..=middle + reach).step_by(step);
            let shifts = range(y).flat_map(move |y| range(x).map(move |x| (x, y)));
            shifts.filter_map(move |(x, y)| Some((self.difference(frame, x, y, 2 * step)?, x, y)))
        };
        // Of shifts that fit equally, as on blank paper, the shortest.
        let order = |a: &(f32, i32, i32), b: &(f32, i32, i32)| {
            let length = |at: &(f32, i32, i32)| at.1.abs() + at.2.abs();
            a.0.total_cmp(&b.0).then_with(|| length(a).cmp(&length(b)))
        };
        let mut shifts: Vec<_> = around(0, 0, REACH, 2).collect();
        shifts.sort_by(order);
        let best = shifts.iter().take(LOOKED_INTO);
        let near_best = best.flat_map(|&(_, x, y)| around(x, y, 1, 1));
        let (least, x, y) = near_best.min_by(order)?;
        let at = |x: i32, y: i32| self.difference(frame, x, y, 2);
        // Between pixels: the lowest point of the parabola through the neighbours.
        let between = |before: Option<f32>, after: Option<f32>| {
            let (Some(before), Some(after)) = (before, after) else {
                return 0.0;
            };
            let curve = before + after - 2.0 * least;
            match curve > 0.0 {
                true => (0.5 * (before - after) / curve).clamp(-0.5, 0.5),
                false => 0.0,
            }
        };
        Some(Point {
            x: (x as f32 + between(at(x - 1, y), at(x + 1, y))) / frame.scale,
            y: (y as f32 + between(at(x, y - 1), at(x, y + 1))) / frame.scale,
        })
    }

    /// Returns the mean difference from the frame at a shift, over one in `every` rows, where
    /// enough of the picture is inside; the less of it is inside, the better it must fit.
    fn difference(&self, frame: &SmallFrame, x: i32, y: i32, every: usize) -> Option<f32> {
        let overlap = |first: i32, length: u32, side: u32| {
            let (from, to) = ((-first).max(0), (side as i32 - first).min(length as i32));
            (from < to).then_some(from as usize..to as usize)
        };
        let (left, top) = (self.left + x, self.top + y);
        let columns = overlap(left, self.luma.width(), frame.luma.width())?;
        let rows = overlap(top, self.luma.height(), frame.luma.height())?;
        let (width, wide) = (self.luma.width() as usize, frame.luma.width() as usize);
        let area = (width * self.luma.height() as usize) as f32;
        let inside = (columns.len() * rows.len()) as f32 / area;
        if inside < INSIDE {
            return None;
        }
        let mut sum = 0;
        for row in rows.clone().step_by(every) {
            let mine = &self.luma.as_raw()[row * width..][columns.clone()];
            let there = (top + row as i32) as usize * wide + (left + columns.start as i32) as usize;
            let theirs = &frame.luma.as_raw()[there..][..columns.len()];
            let pairs = mine.iter().zip(theirs);
            sum += pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>();
        }
        let mean = sum as f32 / (columns.len() * rows.len().div_ceil(every)) as f32;
        Some(mean / inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::PhotoConfig;
    use crate::vision::drawn::{DrawnBoard, INK, printed};
    use proptest::prelude::*;

    fn frame(x: f32, y: f32) -> (Photo, Quad) {
        let corners = [
            (200.0, 130.0),
            (430.0, 120.0),
            (440.0, 350.0),
            (190.0, 340.0),
        ];
        let board = DrawnBoard::new(corners.map(|(u, v)| (u + x, v + y)), 0.1);
        // About every third cell has content.
        let is_filled = |u: f64, v: f64| (13 * u as usize + 7 * (v as usize).pow(2)) % 10 < 3;
        let is_inside = |at: f64| (0.0..9.0).contains(&at) && (at.fract() - 0.5).abs() < 0.25;
        let shown = |u: f64, v: f64| match is_inside(u) && is_inside(v) && is_filled(u, v) {
            true => INK,
            false => printed(u, v),
        };
        let photo = Photo::from_luma(board.draw((640, 480), shown), &PhotoConfig::default());
        (photo, board.lattice().corners())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_moved_board_is_found(x in -150f32..150.0, y in -100f32..100.0) {
            let ((before, quad), (after, _)) = (frame(0.0, 0.0), frame(x, y));
            let picture = SmallFrame::of(&before).cut(&quad).unwrap();
            let motion = picture.motion_in(&SmallFrame::of(&after)).unwrap();
            // A fifth of a cell: close enough to follow its lines.
            prop_assert!((motion.x - x).hypot(motion.y - y) < 5.0, "{motion:?} for {x}, {y}");
        }

        #[test]
        fn any_position_is_accepted(corners in proptest::array::uniform8(-900f32..1500.0)) {
            let [ax, ay, bx, by, cx, cy, dx, dy] = corners;
            let corners = [(ax, ay), (bx, by), (cx, cy), (dx, dy)].map(|(x, y)| Point { x, y });
            if let Some(quad) = Quad::new(corners) {
                let small = SmallFrame::of(&frame(0.0, 0.0).0);
                let motion = small.cut(&quad).and_then(|picture| picture.motion_in(&small));
                // Half a pixel of a small frame, the limit of resolution.
                let near = |motion: Point| motion.x.abs() < 3.4 && motion.y.abs() < 3.4;
                prop_assert!(motion.is_none_or(near), "{motion:?}");
            }
        }
    }
}
