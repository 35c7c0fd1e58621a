//! Marks of blank cells as HoDoKu looks at them, and how it ranks the steps that its searches return.

use std::collections::HashMap;

use crate::grid::{Candidate, Cell, CellSet, Digit, DigitSet, House};
use crate::logic::deduction::{Deduction, Effect, Pattern};
use crate::logic::state::State;
use crate::logic::technique_id::TechniqueId;

/// The marks of the blank cells.
#[derive(Clone, Copy)]
pub(super) struct Board<'a> {
    state: &'a State,
}

impl<'a> Board<'a> {
    pub(super) fn of(state: &'a State) -> Board<'a> {
        Board { state }
    }

    /// The same marks for all other techniques.
    pub(super) fn state(&self) -> &'a State {
        self.state
    }

    /// Whether the search must give up.
    pub(super) fn is_late(&self) -> bool {
        self.state.deadline().is_over()
    }

    /// The blank cells that may hold this digit.
    pub(super) fn places(&self, digit: Digit) -> CellSet {
        self.state.places(digit).difference(self.state.placed())
    }

    /// The blank cells of the house that may hold this digit.
    pub(super) fn places_in(&self, digit: Digit, house: House) -> CellSet {
        self.places(digit).intersection(house.cells())
    }

    /// The candidates of a blank cell; none, once it is placed.
    pub(super) fn marks(&self, cell: Cell) -> DigitSet {
        if self.state.placed().contains(cell) {
            DigitSet::EMPTY
        } else {
            self.state.candidates(cell)
        }
    }

    /// The candidates of all these cells together.
    pub(super) fn marks_of(&self, cells: CellSet) -> DigitSet {
        self.state.candidates_of(cells.intersection(self.blanks()))
    }

    /// The blank cells.
    pub(super) fn blanks(&self) -> CellSet {
        self.state.blanks()
    }

    /// The blank cells with just so many candidates.
    pub(super) fn with_count(&self, count: usize) -> CellSet {
        let fewer = self.state.with_at_most(count.saturating_sub(1));
        let cells = self.state.with_at_most(count).difference(fewer);
        cells.intersection(self.blanks())
    }

    /// The cells where no placed digit forbids this one; marks that logic eliminated count as allowed.
    pub(super) fn allowed(&self, digit: Digit) -> CellSet {
        let placed = self.state.places(digit).intersection(self.state.placed());
        let seen = placed.into_iter().map(Cell::peers);
        let seen = seen.fold(CellSet::EMPTY, CellSet::union);
        self.blanks().difference(seen)
    }

    /// All candidates, cell by cell.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let cells = self.blanks().into_iter();
        let candidates = cells.flat_map(|cell| Candidate::in_cell(cell, self.marks(cell)));
        candidates.collect()
    }
}

/// A step that eliminates these, if there are any.
pub(super) fn eliminate(
    technique: TechniqueId,
    eliminated: Vec<Candidate>,
    pattern: impl FnOnce() -> Pattern,
) -> Option<Deduction> {
    if eliminated.is_empty() {
        return None;
    }
    Some(Deduction {
        technique,
        effect: Effect::Eliminate(eliminated.into_iter().collect()),
        pattern: pattern(),
    })
}

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
