//! The network, a board at a time.

use super::refusal::Refusal;
use crate::digits::{DigitClassifier, Posterior};
use crate::grid::{Cell, CellMap};
use crate::vision::CellCrop;

/// Reads the cells of a board.
pub(super) struct CellReader(pub(super) Box<dyn DigitClassifier>);

impl CellReader {
    /// What the network believes of each cell. An error of one board says nothing of others.
    pub(super) fn classify(
        &self,
        crops: &CellMap<CellCrop>,
    ) -> Result<CellMap<Posterior>, Refusal> {
        let posteriors = self.0.classify(crops.as_array())?;
        if posteriors.len() != Cell::COUNT {
            let count = posteriors.len();
            return Err(Refusal::Network(format!(
                "the digit network answered for {count} of 81 cells"
            )));
        }
        Ok(CellMap::from_fn(|cell| posteriors[cell.index()]))
    }
}
