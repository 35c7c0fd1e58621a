//! Sums the evidence of several observations of one board, cell by cell.

use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet};

/// Weights of several observations.
#[derive(Clone, Debug, PartialEq)]
pub struct FusionConfig {
    /// Weight of a sharp observation, as a share of one that would be independent of all others.
    /// The frames of a video are not: what makes the network err in one makes it err in the next.
    pub weight: f32,
    /// Sharpness (see [`sharpness`]) from which on an observation counts at all; it counts in full
    /// at 1.
    pub blurred: f32,
    /// Largest lead of one content of a cell over another, in nats: limits how much old
    /// observations count.
    pub memory: f32,
    /// Weight of an observation that sees a blank where a digit was: a hand or a highlight hides a
    /// digit more often than somebody erases one.
    pub hidden: f32,
    /// Least probability that one observation gives to any content.
    pub floor: f32,
}

impl Default for FusionConfig {
    fn default() -> FusionConfig {
        FusionConfig {
            weight: 0.3,
            blurred: 0.6,
            memory: 1000.0,
            hidden: 0.2,
            floor: 1e-4,
        }
    }
}

/// Returns the sharpness of an observation: the mean probability of the best content of its cells,
/// 0 to 1; 0 without cells.
pub fn sharpness<'a>(cells: impl Iterator<Item = &'a Posterior>) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for posterior in cells {
        sum += posterior.of(posterior.best());
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The evidence about the 81 cells of one board: for each the weighted sum of the log-probabilities
/// of the observations (a product of experts; Hinton, 2002).
#[derive(Clone, Debug)]
pub struct Fusion {
    /// Nats by content, the best one at 0.
    log: CellMap<[f32; 10]>,
    /// Sum of the weights of the observations.
    weight: CellMap<f32>,
}

impl Default for Fusion {
    fn default() -> Fusion {
        Fusion {
            log: CellMap::from_fn(|_| [0.0; 10]),
            weight: CellMap::from_fn(|_| 0.0),
        }
    }
}

impl Fusion {
    /// Adds an observation of some of the cells with this sharpness, and returns the cells whose
    /// most probable content has changed.
    pub fn add(
        &mut self,
        look: &[(Cell, Posterior)],
        sharpness: f32,
        config: &FusionConfig,
    ) -> CellSet {
        let sharp = (sharpness - config.blurred) / (1.0 - config.blurred);
        let weight = config.weight * sharp.clamp(0.0, 1.0).powi(2);
        let mut changed = CellSet::EMPTY;
        for (cell, posterior) in look {
            let before = self.posterior(*cell).best();
            let hides = before.is_some() && posterior.best().is_none();
            let weight = if hides {
                weight * config.hidden
            } else {
                weight
            };
            let log = &mut self.log[*cell];
            for (sum, &probability) in log.iter_mut().zip(posterior.as_array()) {
                *sum += weight * probability.max(config.floor).ln();
            }
            let best = log.iter().copied().fold(f32::MIN, f32::max);
            for sum in log.iter_mut() {
                *sum = (*sum - best).max(-config.memory);
            }
            self.weight[*cell] += weight;
            if self.posterior(*cell).best() != before {
                changed = changed.with(*cell);
            }
        }
        changed
    }

    /// Forgets everything about a cell.
    pub fn forget(&mut self, cell: Cell) {
        self.log[cell] = [0.0; 10];
    }

    /// Returns the posterior of a cell; uniform before it was seen.
    pub fn posterior(&self, cell: Cell) -> Posterior {
        let weights = self.log[cell].map(f32::exp);
        Posterior::from_weights(weights).expect("invariant: the best content has weight 1")
    }

    /// Returns the posterior of each cell.
    pub fn posteriors(&self) -> CellMap<Posterior> {
        CellMap::from_fn(|cell| self.posterior(cell))
    }

    /// Returns the smallest sum of weights of any cell.
    pub fn least_weight(&self) -> f32 {
        let weights = self.weight.as_array().iter().copied();
        weights.fold(f32::INFINITY, f32::min)
    }

    /// Returns the cells whose best content has at least this probability, so that they need no
    /// further look.
    pub fn settled(&self, probability: f32) -> CellSet {
        let is_settled = |cell: &Cell| {
            let posterior = self.posterior(*cell);
            posterior.of(posterior.best()) >= probability
        };
        Cell::all().filter(is_settled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;
    use proptest::prelude::*;

    fn digit(value: u8, probability: f32) -> Posterior {
        let mut weights = [(1.0 - probability) / 9.0; 10];
        weights[usize::from(value)] = probability;
        Posterior::from_weights(weights).unwrap()
    }

    fn first() -> Cell {
        Cell::new(0).unwrap()
    }

    #[test]
    fn weak_observations_that_agree_become_sure_and_blurred_ones_count_nothing() {
        let config = FusionConfig::default();
        let mut fusion = Fusion::default();
        fusion.add(&[(first(), digit(8, 0.9))], 0.5, &config);
        assert_eq!(fusion.posterior(first()).best(), None, "it was too blurred");
        for _ in 0..20 {
            fusion.add(&[(first(), digit(8, 0.6))], 0.95, &config);
        }
        let posterior = fusion.posterior(first());
        assert!(posterior.of(Digit::new(8)) > 0.999, "{posterior:?}");
    }

    #[test]
    fn a_hand_in_front_of_a_digit_does_not_erase_it() {
        let config = FusionConfig::default();
        let mut fusion = Fusion::default();
        for _ in 0..5 {
            fusion.add(&[(first(), digit(4, 0.99))], 1.0, &config);
        }
        for _ in 0..15 {
            fusion.add(&[(first(), digit(0, 0.99))], 1.0, &config);
        }
        assert_eq!(fusion.posterior(first()).best(), Digit::new(4));
    }

    #[test]
    fn sharpness_is_the_mean_of_the_best() {
        assert_eq!(sharpness([].into_iter()), 0.0);
        let cells = [digit(3, 0.9), digit(0, 0.5), digit(7, 0.4)];
        assert!((sharpness(cells.iter()) - 0.6).abs() < 1e-6);
    }

    #[test]
    fn an_observation_counts_by_its_weight_and_less_where_it_hides_a_digit() {
        let config = FusionConfig::default();
        let mut fusion = Fusion::default();
        let look = |value: u8| [(first(), digit(value, 0.9))];
        // A sharpness halfway between blurred and sharp counts a quarter.
        assert_eq!(
            fusion.add(&look(4), 0.8, &config),
            CellSet::EMPTY.with(first())
        );
        let odds = |fusion: &Fusion| {
            let posterior = fusion.posterior(first());
            (posterior.of(Digit::new(4)) / posterior.of(Digit::new(5))).ln()
        };
        let once = (0.9_f32 / (0.1 / 9.0)).ln();
        assert!((odds(&fusion) - 0.25 * config.weight * once).abs() < 1e-4);
        assert_eq!(fusion.add(&look(4), 1.0, &config), CellSet::EMPTY);
        assert!((odds(&fusion) - 1.25 * config.weight * once).abs() < 1e-4);
        assert_eq!(fusion.add(&look(0), 1.0, &config), CellSet::EMPTY);
        let posterior = fusion.posterior(first());
        let blank = (posterior.of(None) / posterior.of(Digit::new(5))).ln();
        assert!((blank - config.hidden * config.weight * once).abs() < 1e-4);
    }

    #[test]
    fn what_is_settled_has_been_seen_and_may_be_forgotten() {
        let config = FusionConfig::default();
        let mut fusion = Fusion::default();
        let all = |probability: f32| -> Vec<(Cell, Posterior)> {
            Cell::all()
                .map(|cell| (cell, digit(6, probability)))
                .collect()
        };
        assert_eq!(fusion.least_weight(), 0.0);
        assert_eq!(fusion.settled(0.5), CellSet::EMPTY);
        for _ in 0..10 {
            fusion.add(&all(0.99), 1.0, &config);
        }
        assert!((fusion.least_weight() - 10.0 * config.weight).abs() < 1e-4);
        assert_eq!(fusion.settled(0.9), CellSet::ALL);
        fusion.forget(first());
        assert_eq!(
            fusion.settled(0.9),
            CellSet::ALL.difference(CellSet::EMPTY.with(first()))
        );
        fusion.add(&all(0.99)[1..], 1.0, &config);
        assert!((fusion.least_weight() - 10.0 * config.weight).abs() < 1e-4);
    }

    proptest! {
        #[test]
        fn the_order_of_observations_does_not_matter_within_the_memory_limit(
            looks in proptest::collection::vec((1u8..10, 0.2f32..0.95), 1..12),
        ) {
            let config = FusionConfig { memory: 1e6, ..FusionConfig::default() };
            let sum = |looks: &mut dyn Iterator<Item = &(u8, f32)>| {
                let mut fusion = Fusion::default();
                for &(value, probability) in looks {
                    fusion.add(&[(first(), digit(value, probability))], 1.0, &config);
                }
                fusion.posterior(first())
            };
            let (forward, backward) = (sum(&mut looks.iter()), sum(&mut looks.iter().rev()));
            for (a, b) in forward.as_array().iter().zip(backward.as_array()) {
                prop_assert!((a - b).abs() < 1e-3, "{forward:?} {backward:?}");
            }
        }
    }
}
