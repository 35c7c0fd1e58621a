//! The continuous-time dynamics whose fixed points are the solutions.

use super::formula::Formula;

/// The velocity of a state. A state is a vector: first a soft truth value in `[-1, 1]` for each variable, then a
/// weight, above zero, for each clause. A clause that stays violated gains weight exponentially, so no state
/// but a solution is at rest.
///
/// With `s` the truth values, `a` the weights, and `K_m = 2^-k prod (1 - c_mj s_j)` how far clause `m` of `k` literals
/// is from being satisfied:
///
/// ```text
/// ds_i/dt = sum_m 2 a_m c_mi K_mi K_m        K_mi = K_m / (1 - c_mi s_i)
/// da_m/dt = a_m K_m
/// ```
///
/// Two clauses that are the same have the same weight at all times; they are one here, and count twice.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    variables: usize,
    /// For each variable, where its pairs with higher variables begin; one entry more than variables.
    starts: Vec<u32>,
    /// The higher variable of each pair.
    partners: Vec<u16>,
    /// How many clauses a pair is.
    counts: Vec<f64>,
    /// "At least one of these", one after the other, and where each begins.
    literals: Vec<u16>,
    bounds: Vec<u32>,
}

impl Flow {
    pub(super) fn new(formula: &Formula) -> Flow {
        let variables = formula.variables().len();
        let pairs = formula.pairs();
        let start = |variable| pairs.partition_point(|&(first, ..)| usize::from(first) < variable);
        let mut bounds = vec![0];
        let mut literals = Vec::new();
        for group in formula.groups() {
            literals.extend_from_slice(group);
            bounds.push(literals.len() as u32);
        }
        Flow {
            variables,
            starts: (0..=variables).map(|it| start(it) as u32).collect(),
            partners: pairs.iter().map(|pair| pair.1).collect(),
            counts: pairs.iter().map(|pair| f64::from(pair.2)).collect(),
            literals,
            bounds,
        }
    }

    /// How many numbers a state has.
    pub(super) fn len(&self) -> usize {
        self.variables + self.partners.len() + self.bounds.len() - 1
    }

    /// How many of them, from the first, are truth values.
    pub(super) fn variables(&self) -> usize {
        self.variables
    }

    /// Writes the velocity of a state.
    pub(super) fn velocity(&self, state: &[f64], velocity: &mut [f64]) {
        let (truths, weights) = state.split_at(self.variables);
        let (of_truths, of_weights) = velocity.split_at_mut(self.variables);
        of_truths.fill(0.0);
        let (pair_weights, group_weights) = weights.split_at(self.partners.len());
        let (of_pairs, of_groups) = of_weights.split_at_mut(self.partners.len());
        self.push_apart(truths, pair_weights, of_truths, of_pairs);
        self.pull_up(truths, group_weights, of_truths, of_groups);
    }

    /// The part of the pairs: "not both".
    fn push_apart(
        &self,
        truths: &[f64],
        weights: &[f64],
        of_truths: &mut [f64],
        of_weights: &mut [f64],
    ) {
        for (first, bounds) in self.starts.windows(2).enumerate() {
            let pairs = bounds[0] as usize..bounds[1] as usize;
            let left = 1.0 + truths[first];
            let mut push = 0.0;
            let partners = self.partners[pairs.clone()].iter();
            let weights = weights[pairs.clone()].iter();
            let counts = self.counts[pairs.clone()].iter();
            let of_weights = of_weights[pairs].iter_mut();
            for (((&second, &weight), &count), of_weight) in
                partners.zip(weights).zip(counts).zip(of_weights)
            {
                let second = usize::from(second);
                let right = 1.0 + truths[second];
                let product = left * right;
                *of_weight = 0.25 * weight * product;
                let force = 0.125 * count * weight * product;
                push += force * right;
                of_truths[second] -= force * left;
            }
            of_truths[first] -= push;
        }
    }

    /// The part of the groups: "at least one".
    fn pull_up(
        &self,
        truths: &[f64],
        weights: &[f64],
        of_truths: &mut [f64],
        of_weights: &mut [f64],
    ) {
        let groups = self.bounds.windows(2).zip(weights).zip(of_weights);
        for ((bounds, &weight), of_weight) in groups {
            let group = &self.literals[bounds[0] as usize..bounds[1] as usize];
            // At most nine literals; the products of those before and behind each avoid a division by zero.
            let mut before = [1.0; 10];
            for (at, &literal) in group.iter().enumerate() {
                before[at + 1] = before[at] * 0.5 * (1.0 - truths[usize::from(literal)]);
            }
            let open = before[group.len()];
            *of_weight = weight * open;
            let force = weight * open;
            let mut behind = 1.0;
            for (&literal, before) in group.iter().zip(before).rev() {
                let literal = usize::from(literal);
                // 2 a K_mi K_m, where K_mi has half a factor less than the product of the others.
                of_truths[literal] += force * before * behind;
                behind *= 0.5 * (1.0 - truths[literal]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Puzzle;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// A direct implementation of the equations, clause by clause, with duplicates.
    fn by_definition(formula: &Formula, truths: &[f64]) -> Vec<f64> {
        let mut clauses: Vec<(f64, Vec<usize>)> = Vec::new();
        for group in formula.groups() {
            let group: Vec<usize> = group.iter().map(|&it| usize::from(it)).collect();
            for (at, &first) in group.iter().enumerate() {
                for &second in &group[at + 1..] {
                    clauses.push((-1.0, vec![first, second]));
                }
            }
            clauses.push((1.0, group));
        }
        assert_eq!(clauses.len(), formula.clause_count());
        let mut velocity = vec![0.0; truths.len()];
        for (sign, clause) in clauses {
            let term = |literal: usize| 1.0 - sign * truths[literal];
            let scale = 0.5_f64.powi(clause.len() as i32);
            let open = scale * clause.iter().map(|&it| term(it)).product::<f64>();
            for &literal in &clause {
                let others = clause.iter().filter(|&&it| it != literal);
                let without = scale * others.map(|&it| term(it)).product::<f64>();
                velocity[literal] += 2.0 * sign * without * open;
            }
        }
        velocity
    }

    #[test]
    fn the_velocity_matches_the_equations() {
        let formula = Formula::new(&PUZZLE.parse().unwrap());
        let flow = Flow::new(&formula);
        let truth = |at: usize| ((at * 37 + 11) % 101) as f64 / 50.5 - 1.0;
        let mut state = vec![1.0; flow.len()];
        for (at, value) in state[..flow.variables()].iter_mut().enumerate() {
            *value = truth(at);
        }
        let mut velocity = vec![f64::NAN; flow.len()];
        flow.velocity(&state, &mut velocity);
        let expected = by_definition(&formula, &state[..flow.variables()]);
        for (found, expected) in velocity.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        // A weight grows at its own rate, however large it is.
        let mut doubled = state.clone();
        doubled[flow.variables()..].fill(2.0);
        let mut of_doubled = velocity.clone();
        flow.velocity(&doubled, &mut of_doubled);
        for (once, twice) in velocity.iter().zip(&of_doubled) {
            assert!((2.0 * once - twice).abs() < 1e-12);
        }
    }

    #[test]
    fn a_solution_is_at_rest() {
        let solution =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let formula = Formula::new(&PUZZLE.parse().unwrap());
        let solution: Puzzle = solution.parse().unwrap();
        let flow = Flow::new(&formula);
        let mut state = vec![3.0; flow.len()];
        for (value, candidate) in state.iter_mut().zip(formula.variables()) {
            let held = solution.given(candidate.cell) == Some(candidate.digit);
            *value = if held { 1.0 } else { -1.0 };
        }
        let mut velocity = vec![f64::NAN; flow.len()];
        flow.velocity(&state, &mut velocity);
        assert!(velocity.iter().all(|&it| it == 0.0));
    }
}
