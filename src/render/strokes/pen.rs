//! A pen with a round tip that draws lines into a coverage mask, anti-aliased.

use crate::vision::Point;

/// Coverage of each pixel by ink, 0 to 1, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    width: usize,
    height: usize,
    shares: Vec<f32>,
}

impl Coverage {
    /// Returns an empty mask of this size.
    pub fn new(width: usize, height: usize) -> Coverage {
        Coverage {
            width,
            height,
            shares: vec![0.0; width * height],
        }
    }

    /// Returns the width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the coverage of every pixel, row by row.
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    /// Returns the coverage of every pixel, row by row.
    pub fn shares_mut(&mut self) -> &mut [f32] {
        &mut self.shares
    }

    /// Draws a line through points with a round tip of one radius per point, in pixels; ink of this
    /// strength (0 to 1) is laid where it is stronger than the ink already there.
    pub fn draw_line(&mut self, points: &[Point], radii: &[f32], strength: f32) {
        let tips: Vec<(Point, f32)> = points.iter().copied().zip(radii.iter().copied()).collect();
        if let [only] = tips[..] {
            self.draw_piece(only, only, strength);
        }
        for pair in tips.windows(2) {
            self.draw_piece(pair[0], pair[1], strength);
        }
    }

    /// Draws one straight piece between two round tips.
    fn draw_piece(&mut self, (a, ra): (Point, f32), (b, rb): (Point, f32), strength: f32) {
        let reach = ra.max(rb) + 0.5;
        let range = |low: f32, high: f32, size: usize| {
            let first = (low - reach).floor().max(0.0) as usize;
            let end = (high + reach).ceil().clamp(0.0, size as f32) as usize;
            first..end.max(first)
        };
        let columns = range(a.x.min(b.x), a.x.max(b.x), self.width);
        // Whole fours, as far as there are any: what is beyond the reach gets no ink.
        let columns =
            columns.start..(columns.start + columns.len().next_multiple_of(4)).min(self.width);
        if columns.is_empty() || !(a.x + a.y + b.x + b.y + reach).is_finite() {
            return;
        }
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let per_length = 1.0 / (dx * dx + dy * dy).max(1e-12);
        for row in range(a.y.min(b.y), a.y.max(b.y), self.height) {
            let y = row as f32 + 0.5 - a.y;
            let start = row * self.width;
            let line = &mut self.shares[start + columns.start..start + columns.end];
            let lay = |share: &mut f32, column: i32| {
                let x = column as f32 + 0.5 - a.x;
                let t = ((x * dx + y * dy) * per_length).clamp(0.0, 1.0);
                let (x, y) = (x - t * dx, y - t * dy);
                let inside = ra + t * (rb - ra) - (x * x + y * y).sqrt();
                *share = share.max((inside + 0.5).clamp(0.0, 1.0) * strength);
            };
            // Four pixels side by side: a piece is often only a few wide.
            let (fours, rest) = line.as_chunks_mut::<4>();
            let mut column = columns.start as i32;
            for four in fours {
                (0..4).for_each(|k| lay(&mut four[k], column + k as i32));
                column += 4;
            }
            for (share, column) in rest.iter_mut().zip(column..) {
                lay(share, column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_covers_its_area() {
        let mut ink = Coverage::new(60, 40);
        let points = [Point { x: 10.0, y: 20.0 }, Point { x: 50.0, y: 20.0 }];
        ink.draw_line(&points, &[4.0, 4.0], 1.0);
        let area: f32 = ink.shares().iter().sum();
        let expected = 40.0 * 8.0 + std::f32::consts::PI * 16.0;
        assert!(
            (area - expected).abs() < 0.02 * expected,
            "{area} {expected}"
        );
    }

    #[test]
    fn ink_outside_the_mask_is_ignored() {
        let mut ink = Coverage::new(8, 8);
        for (x, y) in [
            (-1e9, 4.0),
            (f32::NAN, 0.0),
            (100.0, 100.0),
            (4.0, f32::INFINITY),
        ] {
            ink.draw_line(&[Point { x, y }, Point { x: -50.0, y }], &[2.0, 2.0], 1.0);
        }
        assert!(
            ink.shares()
                .iter()
                .all(|&share| (0.0..=1.0).contains(&share))
        );
    }
}
