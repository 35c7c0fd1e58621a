//! Random symmetries of the board.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::grid::{Digit, Symmetry};

/// Returns a symmetry of the board, drawn uniformly.
pub fn random_symmetry(rng: &mut ChaCha8Rng) -> Symmetry {
    let mut labels = Digit::ALL;
    labels.shuffle(rng);
    let relabel = Symmetry::relabel(labels).expect("a shuffle repeats nothing");
    let rows = Symmetry::permute_rows(line_order(rng)).expect("bands stay together");
    let columns = Symmetry::permute_columns(line_order(rng)).expect("stacks stay together");
    let symmetry = relabel.then(&rows).then(&columns);
    if rng.random() {
        symmetry.then(&Symmetry::transpose())
    } else {
        symmetry
    }
}

/// Returns the nine rows or columns, shuffled within their thirds, and the thirds among themselves.
fn line_order(rng: &mut ChaCha8Rng) -> [usize; 9] {
    let mut thirds = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
    thirds.shuffle(rng);
    for third in &mut thirds {
        third.shuffle(rng);
    }
    std::array::from_fn(|place| thirds[place / 3][place % 3])
}
