//! Puzzles as bytes, for finding equal and equivalent ones.

use std::sync::Arc;

use super::canon::{Graph, canonical_form};
use super::layout::Layout;
use super::puzzle::{VariantPuzzle, VariantSolution};
use super::value::{MOST_SIDE, Value};

/// What the bytes of a form begin with, so that forms of different kinds differ.
const WRITTEN: u8 = 0;
const CANONICAL: u8 = 1;

impl VariantPuzzle {
    /// Returns bytes that two puzzles share exactly if they have the same rules and the same givens, however these are
    /// written.
    pub fn exact_form(&self) -> Vec<u8> {
        written(self.layout(), self.givens().iter().copied())
    }

    /// Returns bytes that two puzzles share exactly if they have the same rules, and the same givens after relabeling
    /// values. Sums of cages distinguish the values, so that puzzles with cages must have the same givens.
    pub fn relabeled_form(&self) -> Vec<u8> {
        if !self.layout().cages().is_empty() {
            return self.exact_form();
        }
        let mut labels = [None; MOST_SIDE];
        let mut last = 0;
        let givens = self.givens().iter().map(|given| {
            let label = &mut labels[given.as_ref()?.index()];
            if label.is_none() {
                last += 1;
                *label = Value::new(last);
            }
            *label
        });
        written(self.layout(), givens)
    }

    /// Returns bytes that two puzzles share exactly if one can be mapped to the other by a symmetry of the board:
    /// permuting rows and columns, so that houses and cages stay houses and cages, transposing, and relabeling values if
    /// there are no cages. On very large boards with hardly any givens, where this takes too long, it is
    /// [`VariantPuzzle::relabeled_form`].
    pub fn canonical_form(&self) -> Vec<u8> {
        match canonical_form(&Graph::of(self)) {
            Some(form) => {
                let mut bytes = vec![CANONICAL];
                bytes.extend(form.into_iter().flat_map(u32::to_be_bytes));
                bytes
            }
            None => self.relabeled_form(),
        }
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
