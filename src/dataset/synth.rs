//! Rendered crops in sheets.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::sheets::{CropSheets, PER_SHEET};
use crate::digits::LabeledCrop;
use crate::files::WriteError;
use crate::render::CropRenderer;

/// Result of rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SynthSummary {
    /// Number of items written.
    pub made: usize,
    /// Whether it was stopped before all were written.
    pub stopped: bool,
}

/// Renders the first `count` crops of the sequence of `seed` into a folder, on all threads of the
/// current rayon pool; the files do not depend on their number. `on_crops` is called for every
/// batch; setting `stop` ends the run after the current batch.
///
/// # Errors
///
/// [`WriteError`] for a file that cannot be written.
pub fn synth_crops(
    renderer: &CropRenderer,
    count: usize,
    seed: u64,
    folder: &Path,
    stop: &AtomicBool,
    mut on_crops: impl FnMut(usize),
) -> Result<SynthSummary, WriteError> {
    let mut sheets = CropSheets::new(folder);
    let mut made = 0;
    while made < count && !stop.load(Ordering::Relaxed) {
        let end = count.min(made + PER_SHEET);
        let crops: Vec<LabeledCrop> = (made..end)
            .into_par_iter()
            .map(|index| renderer.render(seed, index as u64).into())
            .collect();
        sheets.extend(crops)?;
        on_crops(end - made);
        made = end;
    }
    Ok(SynthSummary {
        made: sheets.finish()?,
        stopped: made < count,
    })
}
