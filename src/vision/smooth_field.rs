//! Robust smoothing of measurements over the board.

/// Measurements of one coordinate on an `N` x `N` grid: offsets in cells, with weights.
#[derive(Clone, Debug)]
pub(super) struct SmoothField<const N: usize> {
    /// Row by row.
    pub(super) offset: [[f32; N]; N],
    /// 0 for not seen, 1 for clearly visible.
    pub(super) weight: [[f32; N]; N],
}

/// Number of rounds of reweighting outliers.
const ROUNDS: usize = 4;
/// Number of sweeps of relaxation per round.
const SWEEPS: usize = 12;
/// Distance from the neighbours' estimate, in cells, at which a measurement has lost half its
/// weight.
const DOUBT: f32 = 0.12;

impl<const N: usize> SmoothField<N> {
    /// Returns the smooth field: each value a compromise between its measurement and its
    /// neighbours, which have the weight `stiffness`. Solved by relaxation (Gauss and Seidel), with
    /// the robust weights of Geman and McClure (1987).
    #[allow(
        clippy::needless_range_loop,
        reason = "a stencil reads several fields at one place"
    )]
    pub(super) fn at_rest(&self, stiffness: f32) -> [[f32; N]; N] {
        let mut weight = self.weight;
        let mut field = self.offset;
        for i in 0..N {
            for j in 0..N {
                field[i][j] *= self.weight[i][j].min(1.0);
            }
        }
        for round in 0..ROUNDS {
            for _ in 0..SWEEPS {
                for i in 0..N {
                    for j in 0..N {
                        let seen = weight[i][j];
                        field[i][j] = (seen * self.offset[i][j] + stiffness * near(&field, i, j))
                            / (seen + stiffness);
                    }
                }
            }
            if round + 1 < ROUNDS {
                for i in 0..N {
                    for j in 0..N {
                        let off = (self.offset[i][j] - near(&field, i, j)) / DOUBT;
                        weight[i][j] = self.weight[i][j] / (1.0 + off * off);
                    }
                }
            }
        }
        field
    }
}

/// Returns the estimate of one value from its neighbours.
fn near<const N: usize>(field: &[[f32; N]; N], i: usize, j: usize) -> f32 {
    0.5 * (between(|k| field[k][j], i, N) + between(|k| field[i][k], j, N))
}

/// Returns the estimate of one value from its neighbours on a line: their mean, or the line through
/// the next two at an end.
fn between(value: impl Fn(usize) -> f32, at: usize, count: usize) -> f32 {
    if at == 0 {
        2.0 * value(1) - value(2)
    } else if at + 1 == count {
        2.0 * value(count - 2) - value(count - 3)
    } else {
        0.5 * (value(at - 1) + value(at + 1))
    }
}

/// Returns the ten borders of nine cells in a row; the outer two are extrapolated.
pub(super) fn borders(cells: &[f32; 9]) -> [f32; 10] {
    std::array::from_fn(|border| match border {
        0 => 1.5 * cells[0] - 0.5 * cells[1],
        9 => 1.5 * cells[8] - 0.5 * cells[7],
        _ => 0.5 * (cells[border - 1] + cells[border]),
    })
}
