//! From crops to posteriors: the digit network, its training and its artifact. Sole home of Burn.

mod classifier;
mod posterior;

pub use classifier::{DigitClassifier, InferenceError};
pub use posterior::Posterior;
