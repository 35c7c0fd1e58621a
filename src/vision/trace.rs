//! Follows grid lines on a flattened board: each line over nine segments, one a cell, by dynamic
//! programming (Amini, Weymouth and Jain 1990) with a penalty on bends.

use super::flat::Ridges;

/// A line's place in each of its nine segments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Trace {
    /// Canvas pixels from where the line was expected.
    pub(super) offset: [f32; 9],
    /// The share of ridge there, 0 to 1.
    pub(super) strength: [f32; 9],
}

/// How a line may run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leash {
    /// Farthest offset, in canvas pixels.
    pub(super) reach: i32,
    /// Farthest offset in the first and the last segment.
    pub(super) end_reach: i32,
    /// Most change of the offset from one segment to the next.
    pub(super) bend: i32,
    /// What a pixel of change costs, in shares of a segment's ridge.
    pub(super) bend_cost: f32,
    /// What a pixel of offset costs.
    pub(super) offset_cost: f32,
}

impl Ridges {
    /// Mean share at `offset` from the lines `lines` in one segment; lines that would leave the
    /// canvas do not count.
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

    /// The way along which the given lines, moving together, have the most ridge.
    pub(super) fn follow(&self, lines: &[usize], leash: &Leash) -> Trace {
        let reach = leash.reach;
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
            if end && offset > leash.end_reach {
                return f32::NEG_INFINITY;
            }
            shares[state][segment] - leash.offset_cost * offset as f32
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
                let low = state.saturating_sub(leash.bend as usize);
                let high = (state + leash.bend as usize).min(states - 1);
                let mut best = (f32::NEG_INFINITY, state);
                for (before, &gained) in previous.iter().enumerate().take(high + 1).skip(low) {
                    let total = gained - leash.bend_cost * before.abs_diff(state) as f32;
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
