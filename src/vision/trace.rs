//! Follows grid lines on a flattened picture of the board.
//!
//! A line is a ridge: darker than the paper on both of its sides, so that the edge of a shadow or
//! of a coloured cell is none. Each line is followed over nine segments, one a cell, by dynamic
//! programming (Amini, Weymouth and Jain 1990) with a penalty on bends.

/// Canvas pixels a cell.
pub(super) const CELL: usize = 24;
/// Canvas pixels beyond the outer lines.
pub(super) const RIM: usize = 12;
/// Canvas pixels a side.
pub(super) const SIDE: usize = 9 * CELL + 2 * RIM;

/// Distances from a line's middle to the paper beside it, in canvas pixels: thin and thick lines.
const BESIDE: [usize; 3] = [2, 3, 5];

/// The share of ridge along each cell-long piece of each canvas row, 0 to 1.
pub(super) struct Ridges(Vec<[f32; 9]>);

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
    /// The horizontal ridges of a canvas with dark ink, and how deep a ridge must be to count in
    /// full, in gray values: a third of the deep ones, but clearly above the noise of the paper.
    pub(super) fn of(canvas: &[u8]) -> Ridges {
        let mut depths = vec![0u8; SIDE * SIDE];
        for y in 0..SIDE {
            let row = |y: usize| &canvas[y * SIDE..(y + 1) * SIDE];
            let depth = &mut depths[y * SIDE..(y + 1) * SIDE];
            for beside in BESIDE {
                let above = row(y.saturating_sub(beside));
                let below = row((y + beside).min(SIDE - 1));
                for (((depth, &a), &b), &here) in depth.iter_mut().zip(above).zip(below).zip(row(y))
                {
                    *depth = (*depth).max(a.min(b).saturating_sub(here));
                }
            }
        }
        let mut histogram = [0u32; 256];
        for row in depths.chunks_exact(SIDE).step_by(3) {
            for &depth in row {
                histogram[depth as usize] += 1;
            }
        }
        let total: u32 = histogram.iter().sum();
        let quantile = |share: f32| {
            let mut left = (total as f32 * share) as u32;
            histogram
                .iter()
                .position(|&count| {
                    let reached = count > left;
                    left = left.saturating_sub(count);
                    reached
                })
                .unwrap_or(255) as f32
        };
        let full = (0.35 * quantile(0.95)).max(2.0 * quantile(0.6) + 3.0);
        let full = full.clamp(5.0, 48.0) as u8;
        let scale = 1.0 / (CELL as f32 * f32::from(full));
        let shares = |row: &[u8]| {
            let mut shares = [0f32; 9];
            for (share, piece) in shares.iter_mut().zip(row[RIM..].chunks_exact(CELL)) {
                let sum: u32 = piece.iter().map(|&depth| u32::from(depth.min(full))).sum();
                *share = sum as f32 * scale;
            }
            shares
        };
        Ridges(depths.chunks_exact(SIDE).map(shares).collect())
    }

    /// Mean share at `offset` from the lines `lines` in one segment; lines that would leave the
    /// canvas do not count.
    fn share(&self, lines: &[usize], segment: usize, offset: i32) -> f32 {
        let mut sum = 0.0;
        let mut count = 0.0;
        for &line in lines {
            let y = (RIM + line * CELL) as i32 + offset;
            if let Some(row) = usize::try_from(y).ok().and_then(|y| self.0.get(y)) {
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
                *share = self.share(lines, segment, state as i32 - reach);
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
