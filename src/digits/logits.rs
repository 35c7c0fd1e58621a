//! The ten outputs of the network for the content of a cell.

/// Number of classes: the blank, then the nine digits.
pub const CLASSES: usize = 10;

/// Output of the network for one crop: a logit per class.
pub(crate) type Logits = [f32; CLASSES];

/// Returns the names of the classes, in the order of the network's outputs.
pub(crate) fn class_names() -> Vec<String> {
    let digits = (1..CLASSES).map(|digit| digit.to_string());
    std::iter::once("blank".to_owned()).chain(digits).collect()
}

/// Returns the class of the largest logit.
pub(crate) fn best(logits: &Logits) -> usize {
    let better = |best, class: usize| {
        if logits[class] > logits[best] {
            class
        } else {
            best
        }
    };
    (1..CLASSES).fold(0, better)
}

/// Returns the probabilities of logits divided by a temperature.
pub(crate) fn softmax<const COUNT: usize>(logits: &[f32; COUNT], temperature: f32) -> [f32; COUNT] {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = logits.map(|logit| ((logit - most) / temperature).exp());
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}
