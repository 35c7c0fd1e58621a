//! Label placement beside the curves of a chart: no label covers another one or, where there is
//! room, a curve.

use std::ops::Range;

/// Cost of covering a piece of a curve, relative to a unit of a label's area.
const CURVE: i32 = 40;
/// Distance of the points of a curve that are kept clear, in units of the picture.
const STEP: i32 = 4;

/// Distance from the clear part of a picture up to which points are distinguished: a curve in a
/// file may lead anywhere.
const FAR: i32 = 1000;

/// The area for labels, the curves to keep clear, and the labels placed so far.
pub(super) struct Labels {
    /// Height of a label, and width of a character, in units of the picture.
    height: i32,
    character: i32,
    across: Range<i32>,
    down: Range<i32>,
    curves: Vec<(i32, i32)>,
    taken: Vec<(Range<i32>, Range<i32>)>,
}

impl Labels {
    /// Returns a clear part of a picture, for labels of this size.
    pub(super) fn new(size: i32, (across, down): (Range<i32>, Range<i32>)) -> Labels {
        Labels {
            height: size + size / 10,
            character: size / 2 + 1,
            across,
            down,
            curves: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Keeps a curve through these points clear.
    pub(super) fn keep_clear(&mut self, points: &[(i32, i32)]) {
        for ends in points.windows(2) {
            let ((ax, ay), (bx, by)) = (self.near(ends[0]), self.near(ends[1]));
            let steps = ((bx - ax).abs().max((by - ay).abs()) / STEP).max(1);
            let at = |step: i32| (ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps);
            self.curves.extend((0..=steps).map(at));
        }
    }

    /// Places a label beside one of these points, at the first where it covers least; returns the
    /// middle of its left side.
    pub(super) fn place(
        &mut self,
        name: &str,
        beside: impl IntoIterator<Item = (i32, i32)>,
    ) -> (i32, i32) {
        let width = self.character * name.chars().count() as i32;
        let both = |(x, y)| [(x + 8, y), (x - 8 - width, y)];
        let beside = beside.into_iter().map(|point| self.near(point));
        let places = beside.flat_map(both);
        let best = places.min_by_key(|place| self.cost(*place, width));
        let best = best.unwrap_or((self.across.start, self.down.start));
        let taken = self.area(best, width);
        self.taken.push(taken);
        best
    }

    /// Returns the nearest point that is not far beyond the clear part of the picture.
    fn near(&self, (x, y): (i32, i32)) -> (i32, i32) {
        let near = |at: i32, clear: &Range<i32>| at.clamp(clear.start - FAR, clear.end + FAR);
        (near(x, &self.across), near(y, &self.down))
    }

    fn cost(&self, place: (i32, i32), width: i32) -> i32 {
        let (across, down) = self.area(place, width);
        let hidden = |(x, y): &&(i32, i32)| across.contains(x) && down.contains(y);
        let curves = self.curves.iter().filter(hidden).count() as i32;
        let names = self.taken.iter().map(|(other_across, other_down)| {
            100 * shared(&across, other_across) * shared(&down, other_down)
        });
        let outside = (across.len() as i32 - shared(&across, &self.across)) * self.height
            + (down.len() as i32 - shared(&down, &self.down)) * width;
        CURVE * curves + names.sum::<i32>() + 100 * outside
    }

    fn area(&self, (left, middle): (i32, i32), width: i32) -> (Range<i32>, Range<i32>) {
        let half = self.height / 2;
        (left..left + width, middle - half..middle + half)
    }
}

/// Returns the length that two ranges have in common.
fn shared(a: &Range<i32>, b: &Range<i32>) -> i32 {
    (a.end.min(b.end) - a.start.max(b.start)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_close_curves_are_separated_and_stay_inside() {
        let mut labels = Labels::new(19, (0..700, 0..400));
        let curve = |shift: i32| -> Vec<(i32, i32)> {
            (0..=20)
                .map(|i| (200 + shift + 5 * i, 400 - 20 * i))
                .collect()
        };
        let curves: Vec<_> = (0..12).map(|number| curve(3 * number)).collect();
        for curve in &curves {
            labels.keep_clear(curve);
        }
        for curve in &curves {
            labels.place("backtracking", curve.iter().copied());
        }
        for (number, (across, down)) in labels.taken.iter().enumerate() {
            assert!(across.start >= 0 && across.end <= 700, "{across:?}");
            assert!(down.start >= 0 && down.end <= 400, "{down:?}");
            for (other_across, other_down) in &labels.taken[..number] {
                let common = shared(across, other_across) * shared(down, other_down);
                assert_eq!(common, 0, "name {number}");
            }
        }
    }

    #[test]
    fn an_extreme_curve_takes_no_longer_than_another() {
        let mut labels = Labels::new(19, (0..700, 0..400));
        let far = [(i32::MIN, i32::MAX), (350, 200), (i32::MAX, i32::MIN)];
        labels.keep_clear(&far);
        assert!(labels.curves.len() < 1000, "{}", labels.curves.len());
        labels.place("mrv", far);
        assert!(labels.taken[0].0.start >= 0 && labels.taken[0].0.end <= 700);
    }

    #[test]
    fn labels_avoid_other_curves_where_there_is_room() {
        let mut labels = Labels::new(19, (0..700, 0..400));
        labels.keep_clear(&[(150, 300), (250, 300)]);
        let place = labels.place("mrv", [(140, 300), (140, 200)]);
        assert_eq!(place, (102, 300));
        let place = labels.place("dlx", [(140, 300), (140, 200)]);
        assert_eq!(place, (148, 200));
    }
}
