//! A model whose card or weights are forged.

use sudoku_batch::digits::{Artifact, DigitClassifier, ModelCard, NetClassifier};
use sudoku_batch::vision::{CROP_SIDE, CellCrop};

/// Opens the built-in model with this card, or with weights into which these bytes are written, and reads a cell.
pub fn model_card(data: &[u8]) {
    let mut model = Artifact::built_in().expect("the built-in model is a model");
    match serde_json::from_slice::<ModelCard>(data) {
        Ok(card) => model.card = card,
        Err(_) => {
            let Some((place, bytes)) = data.split_first_chunk::<4>() else {
                return;
            };
            let at = u32::from_le_bytes(*place) as usize % model.weights.len();
            let end = model.weights.len().min(at + bytes.len());
            model.weights[at..end].copy_from_slice(&bytes[..end - at]);
        }
    }
    // The hash detects damage, but an attacker can compute it.
    model.card.weights = blake3::hash(&model.weights).to_string();
    if let Ok(net) = NetClassifier::new(model) {
        let crop = CellCrop {
            pixels: Box::new([90; CROP_SIDE * CROP_SIDE]),
            board_contrast: 100.0,
        };
        let _ = net.classify(&[crop]);
    }
}
