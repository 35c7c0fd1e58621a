//! Traces grid lines on a flattened board: each line over nine segments, one per cell, by dynamic
//! programming (Amini, Weymouth and Jain 1990) with a penalty on bends.

use super::flat::Ridges;

/// Position of a line in each of its nine segments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Trace {
    /// Canvas pixels from the expected position.
    pub(super) offset: [f32; 9],
    /// The share of ridge there, 0 to 1.
    pub(super) strength: [f32; 9],
}

/// Constraints and costs of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceLimits {
    /// Largest offset, in canvas pixels.
    pub(super) reach: i32,
    /// Largest offset in the first and the last segment.
    pub(super) end_reach: i32,
    /// Largest change of the offset from one segment to the next.
    pub(super) bend: i32,
    /// Cost of a pixel of change, in shares of a segment's ridge.
    pub(super) bend_cost: f32,
    /// Cost of a pixel of offset.
    pub(super) offset_cost: f32,
}

impl Ridges {
    /// Returns the mean share at `offset` from the lines `lines` in one segment; lines that would
    /// leave the canvas are ignored.
    fn mean_share(&self, lines: &[usize], segment: usize, offset: i32) -> f32 {
        let mut sum = 0.0;
        let mut count = 0.0;
        for &line in lines {
            if let Some(row) = self.at(line as f32, offset) {
                sum += row[segment];
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Returns the trace along which the given lines, moving together, have the most ridge.
    pub(super) fn follow(&self, lines: &[usize], limits: &TraceLimits) -> Trace {
        let reach = limits.reach;
        let states = (2 * reach + 1) as usize;
        let mut shares = vec![[0f32; 9]; states];
        for (state, shares) in shares.iter_mut().enumerate() {
            for (segment, share) in shares.iter_mut().enumerate() {
                *share = self.mean_share(lines, segment, state as i32 - reach);
            }
        }
        let gain = |state: usize, segment: usize| {
            let offset = (state as i32 - reach).abs();
            let end = segment == 0 || segment == 8;
            if end && offset > limits.end_reach {
                return f32::NEG_INFINITY;
            }
            shares[state][segment] - limits.offset_cost * offset as f32
        };
        let mut value: Vec<f32> = (0..states).map(|state| gain(state, 0)).collect();
        let mut from = vec![[0usize; 9]; states];
        #[allow(
            clippy::needless_range_loop,
            reason = "a column of the table, not a row"
        )]
        for segment in 1..9 {
            let previous = value.clone();
            for state in 0..states {
                let low = state.saturating_sub(limits.bend as usize);
                let high = (state + limits.bend as usize).min(states - 1);
                let mut best = (f32::NEG_INFINITY, state);
                for (before, &gained) in previous.iter().enumerate().take(high + 1).skip(low) {
                    let total = gained - limits.bend_cost * before.abs_diff(state) as f32;
                    if total > best.0 {
                        best = (total, before);
                    }
                }
                value[state] = best.0 + gain(state, segment);
                from[state][segment] = best.1;
            }
        }
        let mut state = (0..states)
            .max_by(|&a, &b| value[a].total_cmp(&value[b]))
            .unwrap_or(reach as usize);
        let mut trace = Trace::default();
        for segment in (0..9).rev() {
            // The centre of the ridge around the pixel that was chosen.
            let (low, high) = (state.saturating_sub(2), (state + 2).min(states - 1));
            let (mut sum, mut moment) = (1e-3, 1e-3 * state as f32);
            for (near, shares) in shares.iter().enumerate().take(high + 1).skip(low) {
                let share = shares[segment];
                sum += share;
                moment += share * near as f32;
            }
            trace.offset[segment] = moment / sum - reach as f32;
            trace.strength[segment] = shares[state][segment];
            state = from[state][segment];
        }
        trace
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::detect::Polarity;
    use crate::vision::drawn::{DrawnBoard, PAPER, on_line, printed};
    use crate::vision::flat::{Flat, Grain};
    use crate::vision::sample::Source;

    const CELL: f32 = 24.0;
    const GRAIN: Grain = Grain {
        cell: 24,
        rim: 12,
        beside: &[2, 4, 7],
    };
    const LIMITS: TraceLimits = TraceLimits {
        reach: 8,
        end_reach: 8,
        bend: 4,
        bend_cost: 0.08,
        offset_cost: 0.015,
    };
    const SIZE: (u32, u32) = (300, 300);

    /// The horizontal ridges of a picture, flattened along this board.
    fn ridges(gray: impl Fn(f64, f64) -> f64) -> Ridges {
        let board = DrawnBoard::square(30.0, 30.0, CELL);
        let picture = board.draw(SIZE, gray);
        let source = Source::whole(&picture);
        Flat::of(&source, &board.lattice(), Polarity::DarkOnLight, GRAIN).horizontal
    }

    /// A board whose horizontal lines are shifted down by this many cells, as a function of the position from the left.
    fn bent(by: impl Fn(f64) -> f64) -> Ridges {
        ridges(move |u, v| printed(u, v - by(u)))
    }

    /// The mean of a bend over a segment, in canvas pixels.
    fn over_segment(by: impl Fn(f64) -> f64, segment: usize) -> f32 {
        let mean = (0..100)
            .map(|k| by(segment as f64 + f64::from(k) / 100.0))
            .sum::<f64>()
            / 100.0;
        mean as f32 * CELL
    }

    #[test]
    fn a_bent_line_is_followed_to_less_than_a_pixel() {
        let bends: [fn(f64) -> f64; 5] = [
            |_| 0.0,
            |_| 0.21,
            |u| 0.05 * (u - 4.5),
            |u| -0.25 * (std::f64::consts::PI * u / 9.0).sin(),
            |u| 0.12 * (u / 1.5).sin(),
        ];
        for (number, bend) in bends.into_iter().enumerate() {
            let ridges = bent(bend);
            for line in 0..10 {
                let trace = ridges.follow(&[line], &LIMITS);
                // On the plateau of a thick line the cost of offsets favours the nearer edge, which
                // is 1.2 pixels from the middle.
                let tolerance = if line % 3 == 0 { 1.25 } else { 0.75 };
                for segment in 0..9 {
                    let (found, expected) = (trace.offset[segment], over_segment(bend, segment));
                    assert!(
                        (found - expected).abs() < tolerance,
                        "bend {number}, line {line}, segment {segment}: {found}, not {expected}"
                    );
                    assert!(trace.strength[segment] > 0.4, "{trace:?}");
                }
            }
        }
    }

    #[test]
    fn lines_that_move_together_are_followed_together() {
        let bend = |u: f64| 0.6 * (std::f64::consts::PI * u / 9.0).sin();
        let ridges = bent(bend);
        let limits = TraceLimits {
            reach: 18,
            bend: 8,
            bend_cost: 0.015,
            offset_cost: 0.004,
            ..LIMITS
        };
        let trace = ridges.follow(&[3, 4, 5, 6], &limits);
        for segment in 0..9 {
            let expected = over_segment(bend, segment);
            assert!(
                (trace.offset[segment] - expected).abs() < 1.0,
                "{segment}: {trace:?}"
            );
        }
    }

    #[test]
    fn a_gap_in_a_line_is_bridged() {
        let ridges = ridges(|u, v| {
            let gap = (4.0..6.0).contains(&u) && (u - u.round()).abs() > 0.04;
            if gap { PAPER } else { printed(u, v - 0.15) }
        });
        let trace = ridges.follow(&[5], &LIMITS);
        for segment in 0..9 {
            assert!(
                (trace.offset[segment] - 0.15 * CELL).abs() < 0.8,
                "{segment}: {trace:?}"
            );
            assert_eq!(
                trace.strength[segment] < 0.2,
                segment == 4 || segment == 5,
                "{trace:?}"
            );
        }
    }

    #[test]
    fn without_a_line_nothing_is_followed() {
        let trace = ridges(|_, _| PAPER).follow(&[4], &LIMITS);
        for segment in 0..9 {
            assert!(trace.offset[segment].abs() < 1e-3, "{trace:?}");
            assert!(trace.strength[segment] < 1e-3, "{trace:?}");
        }
    }

    #[test]
    fn the_nearest_line_within_reach_is_chosen() {
        // Lines 12 pixels off, where the search radius is 8.
        let trace = bent(|_| 0.5).follow(&[4], &LIMITS);
        assert!(
            trace.strength.iter().all(|&strength| strength < 0.2),
            "{trace:?}"
        );
        // One line 2 pixels above its expected position, one 6 below.
        let two = ridges(|u, v| {
            if on_line(u, v + 2.0 / 24.0) {
                printed(u, v + 2.0 / 24.0)
            } else {
                printed(u, v - 6.0 / 24.0)
            }
        });
        let trace = two.follow(&[4], &LIMITS);
        for segment in 0..9 {
            assert!((trace.offset[segment] + 2.0).abs() < 0.8, "{trace:?}");
        }
    }

    #[test]
    fn ends_stay_within_reach_and_neighbours_within_the_bend() {
        let limits = TraceLimits {
            end_reach: 2,
            bend: 1,
            bend_cost: 0.0,
            offset_cost: 0.0,
            ..LIMITS
        };
        for by in [-0.2, -0.1, 0.1, 0.2] {
            let trace = bent(|_| by).follow(&[3], &limits);
            // The result is the centre of the ridge within two pixels of the state.
            for end in [0, 8] {
                assert!(trace.offset[end].abs() <= 4.0, "{by}: {trace:?}");
            }
            for pair in trace.offset.windows(2) {
                assert!((pair[0] - pair[1]).abs() <= 5.0, "{by}: {trace:?}");
            }
            let expected = by as f32 * CELL;
            assert!((trace.offset[4] - expected).abs() < 2.0, "{by}: {trace:?}");
        }
    }
}
