//! Puzzles as bytes, for finding equal and equivalent ones.

use std::sync::Arc;

use super::arrange::arranged;
use super::canon::{Graph, canonical_labelling};
use super::layout::Layout;
use super::puzzle::{VariantPuzzle, VariantSolution};
use super::value::{MOST_SIDE, Value};

/// What the bytes of a form begin with, so that forms of different kinds differ.
const WRITTEN: u8 = 0;
const CANONICAL: u8 = 1;

/// The puzzle that stands for all equivalent ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalPuzzle {
    /// The puzzle: rows and columns in canonical order, values numbered in the order in which they come if there are no
    /// cages. `None` if no such board is found.
    pub puzzle: Option<VariantPuzzle>,
    /// See [`VariantPuzzle::canonical_form`].
    pub form: Vec<u8>,
    /// Number of symmetries of the board, with their relabeling of values, that map the puzzle to itself. As in
    /// [`Canonical::automorphisms`](crate::canon::Canonical), relabeling values that are not given counts. `None` if there
    /// are too many to count.
    pub automorphisms: Option<u64>,
}

impl VariantPuzzle {
    /// Returns bytes that two puzzles share exactly if they have the same rules and the same givens, however these are
    /// written.
    pub fn exact_form(&self) -> Vec<u8> {
        written(self.layout(), self.givens().iter().copied())
    }

    /// Returns bytes that two puzzles share exactly if they have the same rules, and the same givens after relabeling
    /// values. Sums of cages distinguish the values, so that puzzles with cages must have the same givens.
    pub fn relabeled_form(&self) -> Vec<u8> {
        written(self.layout(), self.first_labels())
    }

    /// Returns bytes that two puzzles share exactly if one can be mapped to the other by a symmetry of the board:
    /// permuting rows and columns, so that houses and cages stay houses and cages, transposing, and relabeling values if
    /// there are no cages. On very large boards with hardly any givens, where this takes too long, it is
    /// [`VariantPuzzle::relabeled_form`].
    pub fn canonical_form(&self) -> Vec<u8> {
        match canonical_labelling(&Graph::of(self)) {
            Some(labelling) => canonical_bytes(labelling.form),
            None => self.relabeled_form(),
        }
    }

    /// Returns the equivalent puzzle that stands for all of them, with what the search for it finds.
    pub fn canonical(&self) -> CanonicalPuzzle {
        self.canonical_with(self.relabelings_of_unused())
    }

    /// [`VariantPuzzle::canonical`] of the pattern of givens, which are all written as 1. Its automorphisms are counted
    /// without relabeling.
    pub fn canonical_pattern(&self) -> CanonicalPuzzle {
        let given = |value: &Option<Value>| value.and(Value::new(1));
        let givens = self.givens().iter().map(given).collect();
        let pattern = VariantPuzzle::new(Arc::clone(self.layout()), givens);
        let pattern = pattern.expect("1 is a value of every board");
        pattern.canonical_with(Some(1))
    }

    fn canonical_with(&self, relabelings: Option<u64>) -> CanonicalPuzzle {
        let labelling = canonical_labelling(&Graph::of(self));
        let Some(labelling) = labelling else {
            return CanonicalPuzzle {
                puzzle: Some(self.with_first_labels()),
                form: self.relabeled_form(),
                automorphisms: None,
            };
        };
        let puzzle = arranged(self, &labelling.order);
        let automorphisms = labelling.automorphisms.zip(relabelings);
        CanonicalPuzzle {
            puzzle: puzzle.map(|puzzle| puzzle.with_first_labels()),
            automorphisms: automorphisms.and_then(|(moves, labels)| moves.checked_mul(labels)),
            form: canonical_bytes(labelling.form),
        }
    }

    /// The givens with values numbered in the order in which they come; as they are where there are cages, since sums
    /// distinguish values.
    fn first_labels(&self) -> impl Iterator<Item = Option<Value>> {
        let has_cages = !self.layout().cages().is_empty();
        let mut labels = [None; MOST_SIDE];
        let mut last = 0;
        self.givens().iter().map(move |given| {
            if has_cages {
                return *given;
            }
            let label = &mut labels[given.as_ref()?.index()];
            if label.is_none() {
                last += 1;
                *label = Value::new(last);
            }
            *label
        })
    }

    /// In how many ways the values that are not given can be relabeled; `None` if there are too many to count.
    fn relabelings_of_unused(&self) -> Option<u64> {
        if !self.layout().cages().is_empty() {
            return Some(1);
        }
        let is_unused = |value: &Value| !self.givens().contains(&Some(*value));
        let unused = self.layout().values().filter(is_unused);
        (1..=unused.count() as u64).try_fold(1_u64, |ways, factor| ways.checked_mul(factor))
    }

    fn with_first_labels(&self) -> VariantPuzzle {
        let givens = self.first_labels().collect();
        VariantPuzzle::new(Arc::clone(self.layout()), givens).expect("no label is new to the board")
    }

    /// Returns the full board of a solution as a puzzle with the same rules, except for cages, which are a kind of
    /// givens.
    pub fn solved(&self, solution: &VariantSolution) -> VariantPuzzle {
        let layout = if self.layout().cages().is_empty() {
            Arc::clone(self.layout())
        } else {
            Arc::new(Layout::clone(self.layout()).without_cages())
        };
        let values = solution.values().iter().copied().map(Some).collect();
        VariantPuzzle::new(layout, values).expect("a solution fits its layout")
    }
}

fn canonical_bytes(form: Vec<u32>) -> Vec<u8> {
    let mut bytes = vec![CANONICAL];
    bytes.extend(form.into_iter().flat_map(u32::to_be_bytes));
    bytes
}

/// Rules and givens.
fn written(layout: &Layout, givens: impl Iterator<Item = Option<Value>>) -> Vec<u8> {
    let mut bytes = vec![
        WRITTEN,
        layout.side() as u8,
        u8::from(layout.has_diagonals()),
        u8::from(layout.has_windows()),
    ];
    bytes.extend((0..layout.cells()).map(|cell| layout.region(cell) as u8));
    bytes.extend(givens.map(|given| given.map_or(0, Value::get)));
    for cage in layout.cages() {
        bytes.extend(cage.sum.to_be_bytes());
        bytes.extend((cage.cells.len() as u32).to_be_bytes());
        for cell in &cage.cells {
            bytes.extend((*cell as u32).to_be_bytes());
        }
    }
    bytes
}
