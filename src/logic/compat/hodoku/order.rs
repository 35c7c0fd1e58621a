//! How HoDoKu ranks steps that it has collected: most eliminations, then early ones.

use std::collections::HashMap;

use crate::grid::Candidate;
use crate::logic::deduction::Deduction;
use crate::logic::technique_id::TechniqueId;

/// Collected steps. Of those of a kind that eliminate the same, the first of the least length is kept,
/// in the place of the first.
#[derive(Default)]
pub(super) struct Collected {
    places: HashMap<(TechniqueId, Vec<Candidate>), usize>,
    found: Vec<(usize, Entry)>,
}

struct Entry {
    technique: TechniqueId,
    eliminated: Vec<Candidate>,
    make: Box<dyn FnOnce() -> Option<Deduction>>,
}

impl Collected {
    /// Keeps a step of this length, if it is shorter than those that eliminate the same.
    pub(super) fn offer(
        &mut self,
        technique: TechniqueId,
        mut eliminated: Vec<Candidate>,
        length: usize,
        make: impl FnOnce(Vec<Candidate>) -> Option<Deduction> + 'static,
    ) {
        sort(&mut eliminated);
        if eliminated.is_empty() {
            return;
        }
        let key = (technique, eliminated.clone());
        let place = self.places.get(&key).copied();
        if place.is_some_and(|place| self.found[place].0 <= length) {
            return;
        }
        let copy = eliminated.clone();
        let entry = Entry {
            technique,
            eliminated,
            make: Box::new(move || make(copy)),
        };
        match place {
            Some(place) => self.found[place] = (length, entry),
            None => {
                self.places.insert(key, self.found.len());
                self.found.push((length, entry));
            }
        }
    }

    /// The step that comes first.
    pub(super) fn least(self) -> Option<Deduction> {
        let rank = |(_, entry): &(usize, Entry)| {
            let most = usize::MAX - entry.eliminated.len();
            (most, weight(&entry.eliminated))
        };
        let least = self.found.into_iter().min_by_key(rank)?;
        debug_assert!(!least.1.eliminated.is_empty(), "{:?}", least.1.technique);
        (least.1.make)()
    }
}

/// By digits, then by cells, each once.
pub(super) fn sort(eliminated: &mut Vec<Candidate>) {
    eliminated.sort_unstable_by_key(|candidate| (candidate.digit, candidate.cell));
    eliminated.dedup();
}

/// The sum by which steps that eliminate as many are ranked: later ones count more.
pub(super) fn weight(eliminated: &[Candidate]) -> usize {
    let weights = (0..).map(|at| 1 + 80 * at);
    let each = eliminated.iter().zip(weights).map(|(candidate, weight)| {
        candidate.cell.index() * weight + usize::from(candidate.digit.value())
    });
    each.sum()
}
