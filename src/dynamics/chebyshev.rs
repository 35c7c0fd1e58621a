//! An integrator of stiff ordinary differential equations that needs nothing but the velocity.
//!
//! The Runge-Kutta-Chebyshev method of second order by Sommeijer, Shampine and Verwer, "RKC: an explicit solver for
//! parabolic PDEs", Journal of Computational and Applied Mathematics 88, 1998. Where the eigenvalues of a problem
//! are negative numbers down to `-r`, as those of a gradient flow are, a method of `k` stages is stable for steps of up to
//! `0.65 k^2 / r`: for long steps that is far less work than the `k / r` of a method of fixed order.

/// Steps through an autonomous equation; keeps its working memory between steps.
#[derive(Clone, Debug)]
pub(super) struct Chebyshev {
    /// The first so many numbers of a state are the stiff ones.
    stiff: usize,
    /// The length of the next step.
    step: f64,
    /// The velocity of the state, once it is known.
    first_slope: Vec<f64>,
    is_known: bool,
    slope: Vec<f64>,
    /// The three latest stages.
    stages: [Vec<f64>; 3],
    /// The direction in which the velocity changes fastest, of length 1, and how fast.
    direction: Vec<f64>,
    radius: f64,
    /// Steps since that was looked at.
    age: u32,
}

/// No step is longer than so many of the one before it, and none is shortened further than so at once.
const GROWTH: f64 = 2.0;
const SHRINKAGE: f64 = 0.2;
/// Below its estimate, so that most steps succeed.
const SAFETY: f64 = 0.8;
/// A step has at most so many stages.
const MOST_STAGES: usize = 64;
/// Distance at which the change of the velocity is measured.
const NUDGE: f64 = 1e-6;
/// Steps between two looks at it, and rounds of each look.
const LOOK_EVERY: u32 = 4;
const ROUNDS: usize = 2;
/// The estimate comes from below; the stages are enough for so many times of it.
const RADIUS_SAFETY: f64 = 1.2;

impl Chebyshev {
    /// For states of so many numbers, the first of which are the stiff ones: within these, the change of the velocity is
    /// symmetric.
    pub(super) fn new(len: usize, stiff: usize) -> Chebyshev {
        Chebyshev {
            stiff,
            step: 0.0,
            first_slope: vec![0.0; len],
            is_known: false,
            slope: vec![0.0; len],
            stages: std::array::from_fn(|_| vec![0.0; len]),
            direction: vec![0.0; stiff],
            radius: 0.0,
            age: 0,
        }
    }

    /// Begins with another state, and a step of this length.
    pub(super) fn restart(&mut self, step: f64) {
        self.step = step;
        self.is_known = false;
        self.age = 0;
        self.radius = 0.0;
        // Any direction that is not special will do.
        let scale = 1.0 / (self.stiff.max(1) as f64).sqrt();
        for (at, value) in self.direction.iter_mut().enumerate() {
            *value = if at * at % 7 < 3 { scale } else { -scale };
        }
    }

    /// Tries one step. If it is accurate enough, moves the state on and returns its length; otherwise the
    /// next one will be shorter. `error` gets the estimated error and the new state, number by number; up to 1 is
    /// accurate enough.
    pub(super) fn try_step(
        &mut self,
        state: &mut Vec<f64>,
        velocity: impl Fn(&[f64], &mut [f64]),
        error: impl Fn(&[f64], &[f64]) -> f64,
    ) -> Option<f64> {
        if !self.is_known {
            velocity(state, &mut self.first_slope);
            self.is_known = true;
        }
        if self.age == 0 {
            self.look(state, &velocity);
        }
        self.age = (self.age + 1) % LOOK_EVERY;
        let stiffness = RADIUS_SAFETY * self.radius;
        let longest = 0.65 * (MOST_STAGES * MOST_STAGES - 1) as f64 / stiffness;
        let step = self.step.min(longest);
        let stages = 1 + (1.0 + 1.54 * step * stiffness).sqrt() as usize;
        self.run_stages(state, &velocity, step, stages.clamp(2, MOST_STAGES));
        let [_, end, free] = &mut self.stages;
        velocity(end, &mut self.slope);
        let slopes = self.first_slope.iter().zip(&self.slope);
        let ends = state.iter().zip(end.iter());
        for ((free, (first, last)), (begin, end)) in free.iter_mut().zip(slopes).zip(ends) {
            *free = 0.8 * (begin - end) + 0.4 * step * (first + last);
        }
        let error = error(free, end);
        if error <= 1.0 {
            self.step = step * (SAFETY * error.powf(-1.0 / 3.0)).clamp(SHRINKAGE, GROWTH);
            std::mem::swap(state, end);
            std::mem::swap(&mut self.first_slope, &mut self.slope);
            Some(step)
        } else {
            // Also where a number has become infinite, or none at all.
            self.step = step * (SAFETY * error.powf(-1.0 / 3.0)).max(SHRINKAGE);
            self.age = 0;
            None
        }
    }

    /// Estimates how fast the velocity changes, by the power method.
    fn look(&mut self, state: &[f64], velocity: &impl Fn(&[f64], &mut [f64])) {
        for _ in 0..ROUNDS {
            let nudged = &mut self.stages[0];
            nudged.copy_from_slice(state);
            for (value, direction) in nudged.iter_mut().zip(&self.direction) {
                *value += NUDGE * direction;
            }
            velocity(nudged, &mut self.slope);
            let change = self.slope.iter().zip(&self.first_slope);
            for (direction, (there, here)) in self.direction.iter_mut().zip(change) {
                *direction = (there - here) / NUDGE;
            }
            let length = self.direction.iter().map(|it| it * it).sum::<f64>().sqrt();
            // At rest everywhere around, or out of the numbers: the direction stays what it was.
            if !(length > 0.0 && length.is_finite()) {
                self.restart(self.step);
                self.is_known = true;
                return;
            }
            self.radius = length;
            for direction in &mut self.direction {
                *direction /= length;
            }
        }
    }

    /// Leaves the state at the end of a step in the second of the stages.
    fn run_stages(
        &mut self,
        state: &[f64],
        velocity: &impl Fn(&[f64], &mut [f64]),
        step: f64,
        count: usize,
    ) {
        let (at, scale) = damping(count);
        // Polynomials of Chebyshev and their derivatives, of the two latest degrees.
        let mut before = [1.0, 0.0, 0.0];
        let mut latest = [at, 1.0, 0.0];
        // Of degree 2, which stands for those below it, too.
        let second = 4.0 / (4.0 * at * (4.0 * at));
        let (mut weight_before, mut weight) = (second, second);
        let mut offset = 1.0 - weight * at;
        let [older, old, new] = &mut self.stages;
        older.copy_from_slice(state);
        for ((old, state), slope) in old.iter_mut().zip(state).zip(&self.first_slope) {
            *old = state + weight * scale * step * slope;
        }
        for _ in 2..=count {
            let next = [
                2.0 * at * latest[0] - before[0],
                2.0 * (latest[0] + at * latest[1]) - before[1],
                2.0 * (2.0 * latest[1] + at * latest[2]) - before[2],
            ];
            let next_weight = next[2] / (next[1] * next[1]);
            let of_old = 2.0 * next_weight * at / weight;
            let of_older = -next_weight / weight_before;
            let of_state = 1.0 - of_old - of_older;
            let of_slope = 2.0 * next_weight * scale / weight * step;
            let of_first = -offset * of_slope;
            velocity(old, &mut self.slope);
            let slopes = self.slope.iter().zip(&self.first_slope);
            let stages = old.iter().zip(older.iter()).zip(state);
            for ((new, (slope, first)), ((old, older), state)) in
                new.iter_mut().zip(slopes).zip(stages)
            {
                *new = of_state * state
                    + of_old * old
                    + of_older * older
                    + of_slope * slope
                    + of_first * first;
            }
            (weight_before, weight) = (weight, next_weight);
            offset = 1.0 - weight * next[0];
            (before, latest) = (latest, next);
            std::mem::swap(older, old);
            std::mem::swap(old, new);
        }
    }
}

/// Where the polynomials of a method of so many stages are taken, a little beyond 1 so that errors fade, and the scale
/// that makes it of second order.
fn damping(stages: usize) -> (f64, f64) {
    let at = 1.0 + 2.0 / 13.0 / (stages * stages) as f64;
    let root = (at * at - 1.0).sqrt();
    let angle = stages as f64 * (at + root).ln();
    let (sinh, cosh) = (angle.sinh(), angle.cosh());
    let scale = sinh * root * root / (cosh * stages as f64 * root - at * sinh);
    (at, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that falls to `2 + sin` of a phase, very fast, and the phase as a point on a circle.
    fn driven(state: &[f64], velocity: &mut [f64]) {
        let fast = 2000.0;
        velocity[0] = -fast * (state[0] - 2.0 - state[1]) + state[2];
        velocity[1] = state[2];
        velocity[2] = -state[1];
    }

    /// The state at time 3, and the number of evaluations of the velocity.
    fn run(tolerance: f64) -> (Vec<f64>, usize) {
        let mut state = vec![2.0, 0.0, 1.0];
        let mut integrator = Chebyshev::new(3, 1);
        integrator.restart(1e-3);
        let asked = std::cell::Cell::new(0);
        let velocity = |state: &[f64], velocity: &mut [f64]| {
            asked.set(asked.get() + 1);
            driven(state, velocity);
        };
        let error = |error: &[f64], _: &[f64]| {
            error.iter().fold(0.0, |most: f64, it| most.max(it.abs())) / tolerance
        };
        let mut time = 0.0;
        while time < 3.0 {
            integrator.step = integrator.step.min(3.0 - time);
            if let Some(step) = integrator.try_step(&mut state, velocity, error) {
                time += step;
            }
        }
        (state, asked.get())
    }

    #[test]
    fn stiff_equations_are_solved_accurately_with_long_steps() {
        let off = |state: &[f64]| {
            let truth = [2.0 + 3.0_f64.sin(), 3.0_f64.sin(), 3.0_f64.cos()];
            let pairs = state.iter().zip(truth);
            pairs.fold(0.0, |most: f64, (found, truth)| {
                most.max((found - truth).abs())
            })
        };
        let (coarse, few) = run(1e-4);
        let (fine, many) = run(1e-7);
        assert!(off(&coarse) < 3e-3, "{coarse:?}");
        assert!(
            off(&fine) < 3e-5 && off(&fine) < off(&coarse) / 20.0,
            "{fine:?}"
        );
        // The method of Euler is stable for steps of 2 / 2000, which is 3,000 of them.
        assert!(few < 1000 && few < many, "{few} {many}");
    }

    #[test]
    fn a_failed_step_restores_the_state_and_is_retried_shorter() {
        let mut state = vec![2.0, 0.0, 1.0];
        let mut integrator = Chebyshev::new(3, 1);
        integrator.restart(0.1);
        let nothing_is_good_enough = |_: &[f64], _: &[f64]| f64::NAN;
        assert_eq!(
            integrator.try_step(&mut state, driven, nothing_is_good_enough),
            None
        );
        assert_eq!(state, [2.0, 0.0, 1.0]);
        let step = integrator.try_step(&mut state, driven, |_, _| 0.5).unwrap();
        assert!((step - 0.1 * SHRINKAGE).abs() < 1e-12);
        assert_ne!(state, [2.0, 0.0, 1.0]);
    }

    #[test]
    fn the_scale_is_the_quotient_of_the_derivatives() {
        for stages in [2, 3, 10, 64] {
            let (at, scale) = damping(stages);
            let (mut before, mut latest) = ([1.0, 0.0, 0.0], [at, 1.0, 0.0]);
            for _ in 2..=stages {
                let next = [
                    2.0 * at * latest[0] - before[0],
                    2.0 * (latest[0] + at * latest[1]) - before[1],
                    2.0 * (2.0 * latest[1] + at * latest[2]) - before[2],
                ];
                (before, latest) = (latest, next);
            }
            let expected: f64 = latest[1] / latest[2];
            assert!((scale - expected).abs() < 1e-6 * expected, "{stages}");
        }
    }
}
