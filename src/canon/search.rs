//! Search for the least image of any board: contradictory, blank, or as symmetric as can be.
//!
//! Depth first, row by row, and within a row stack by stack. A branch ends as soon as its prefix is greater than that
//! of the best image so far. Where an image equals the best, the two differ by an automorphism: the search goes back to
//! where their ways parted, since what is left of the branch is an image of what was searched already, and counts the
//! automorphism there (B. McKay, "Practical graph isomorphism", 1981). So the time does not grow with the number of
//! automorphisms.

use super::board::Board;
use super::least::Least;
use super::state::{State, Triple};

/// Triples of a line.
const TRIPLES: usize = 27;
/// Greater than every triple.
const NOTHING: u16 = u16::MAX;
/// Choices on the way to an image at most: nine rows, and a new label for each of nine digits.
const LEVELS: usize = 18;

/// Returns the least image of a board.
pub(super) fn least_image(board: &Board) -> Least {
    let mut search = Search::new(board);
    search.run();
    search.least()
}

struct Search<'a> {
    board: &'a Board,
    /// The best image so far; behind a prefix that is better than all before, [`NOTHING`].
    best: [u16; TRIPLES],
    /// Whether an image with the whole of `best` is known.
    is_known: bool,
    best_state: State,
    best_path: [u8; LEVELS],
    /// For each choice on the way to the best image, how many branches lead to that image.
    branches: [u64; LEVELS],
    path: [u8; LEVELS],
    /// For each choice at hand, how many lead to the same image, since what they choose looks the same.
    weights: [u64; LEVELS],
    /// The level to go back to, while the search does.
    back_to: Option<usize>,
}

impl<'a> Search<'a> {
    fn new(board: &'a Board) -> Search<'a> {
        Search {
            board,
            best: [NOTHING; TRIPLES],
            is_known: false,
            best_state: State::new(false),
            best_path: [0; LEVELS],
            branches: [1; LEVELS],
            path: [0; LEVELS],
            weights: [1; LEVELS],
            back_to: None,
        }
    }

    fn least(&self) -> Least {
        let row = |place: usize| {
            let triple = |stack: usize| u64::from(self.best[3 * place + stack]);
            triple(0) << 24 | triple(1) << 12 | triple(2)
        };
        Least {
            lines: std::array::from_fn(row),
            way: self.best_state.way(),
            ways: self.branches.iter().product::<u64>() * self.best_state.arrangements(),
        }
    }

    fn run(&mut self) {
        for transposed in [false, true] {
            self.rows(&State::new(transposed), 0, 0);
        }
    }

    /// Whether the search goes back to a level before this one.
    fn is_over(&mut self, level: usize) -> bool {
        match self.back_to {
            Some(back_to) if back_to < level => true,
            _ => {
                self.back_to = None;
                false
            }
        }
    }

    /// Tries every row at this place. Of rows that cannot be told from each other it tries one.
    fn rows(&mut self, state: &State, place: usize, level: usize) {
        if place == 9 {
            self.image(state, level);
            return;
        }
        let board = self.board;
        let side = usize::from(state.transposed);
        let is_band_free = place.is_multiple_of(3);
        let mut choices: [(u8, u64); 9] = [(0, 0); 9];
        let mut count = 0;
        for row in (0..9).filter(|&row| state.can_be_next(row, place)) {
            let is_twin = |(other, _): &(u8, u64)| board.are_twins(side, row, *other, is_band_free);
            match choices[..count].iter().position(is_twin) {
                Some(twin) => choices[twin].1 += 1,
                None => {
                    choices[count] = (row, 1);
                    count += 1;
                }
            }
        }
        for &(row, weight) in &choices[..count] {
            // The first choice is one of 18, of rows and of columns.
            self.path[level] = if level == 0 {
                9 * side as u8 + row
            } else {
                row
            };
            self.weights[level] = weight;
            let mut state = *state;
            state.rows[place] = row;
            self.stacks(state, place, 0, level + 1);
            if self.is_over(level) {
                return;
            }
        }
    }

    /// Settles the stacks from this one on as the row at this place, the last that is placed, asks for it.
    fn stacks(&mut self, mut state: State, place: usize, mut stack: usize, level: usize) {
        let board = self.board;
        let row = board.row(state.transposed, state.rows[place].into());
        while stack < 3 {
            let end = state.end_of_tie(stack);
            let mut least = NOTHING;
            let mut options: [(usize, Triple); 18] = [(0, Triple::default()); 18];
            let mut count = 0;
            for other in stack..end {
                for triple in state.triples(row, other).as_slice() {
                    if triple.value < least {
                        least = triple.value;
                        count = 0;
                    }
                    if triple.value == least {
                        options[count] = (other, *triple);
                        count += 1;
                    }
                }
            }
            if !self.is_good(3 * place + stack, least) {
                return;
            }
            let options = &options[..count];
            if count > 1 && options[0].1.is_new {
                for (choice, (other, triple)) in options.iter().enumerate() {
                    self.path[level] = choice as u8;
                    self.weights[level] = 1;
                    let mut state = state;
                    state.bring_forward(*other, stack);
                    state.settle(stack, triple);
                    if end > stack + 1 {
                        state.cut_before(stack + 1);
                    }
                    self.stacks(state, place, stack + 1, level + 1);
                    if self.is_over(level) {
                        return;
                    }
                }
                return;
            }
            // Stacks that show the same known labels stay tied.
            for (i, (other, triple)) in options.iter().enumerate() {
                if i > 0 && !self.is_good(3 * place + stack + i, least) {
                    return;
                }
                state.bring_forward(*other, stack + i);
                state.settle(stack + i, triple);
            }
            stack += count;
            if stack < end {
                state.cut_before(stack);
            }
        }
        self.rows(&state, place + 1, level);
    }

    /// Whether a triple at this place of the line keeps up with the best image.
    fn is_good(&mut self, at: usize, triple: u16) -> bool {
        if triple < self.best[at] {
            self.best[at] = triple;
            self.best[at + 1..].fill(NOTHING);
            self.is_known = false;
        }
        triple == self.best[at]
    }

    /// Looks at an image that is as good as the best, or better.
    fn image(&mut self, state: &State, level: usize) {
        if !self.is_known {
            self.is_known = true;
            self.best_state = *state;
            self.best_path = self.path;
            self.branches = [1; LEVELS];
            self.branches[..level].copy_from_slice(&self.weights[..level]);
        } else {
            let ways = self.path.iter().zip(&self.best_path);
            let parting = ways.take(level).position(|(a, b)| a != b);
            let parting = parting.expect("two images differ in a choice");
            self.branches[parting] += self.weights[parting];
            self.back_to = Some(parting);
        }
    }
}
