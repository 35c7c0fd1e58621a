//! Variables by how often conflicts met them lately: a heap with the highest score first (EVSIDS, N. Eén and
//! N. Sörensson, MiniSat, after M. Moskewicz and others, Chaff, 2001).

use super::trail::NONE;

/// A score is multiplied by this for each conflict since.
const DECAY: f64 = 0.97;
/// Scores are scaled down where one exceeds this.
const MOST_SCORE: f64 = 1e150;

/// Decides on which variable the search branches.
#[derive(Clone, Debug)]
pub(super) struct Order {
    heap: Vec<u32>,
    /// Where each variable is in the heap, or [`NONE`].
    place: Vec<u32>,
    score: Vec<f64>,
    increment: f64,
}

impl Order {
    pub(super) fn new() -> Order {
        Order {
            heap: Vec::new(),
            place: Vec::new(),
            score: Vec::new(),
            increment: 1.0,
        }
    }

    /// Adds a variable, which comes after all others of its score.
    pub(super) fn grow(&mut self) {
        let variable = self.place.len() as u32;
        self.place.push(NONE);
        self.score.push(0.0);
        self.insert(variable);
    }

    pub(super) fn insert(&mut self, variable: u32) {
        if self.place[variable as usize] == NONE {
            self.heap.push(variable);
            self.up(self.heap.len() - 1);
        }
    }

    /// The variable with the highest score.
    pub(super) fn first(&self) -> Option<u32> {
        self.heap.first().copied()
    }

    /// Removes the variable with the highest score.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let first = self.first()?;
        let last = self.heap.pop()?;
        self.place[first as usize] = NONE;
        if last != first {
            self.heap[0] = last;
            self.down(0);
        }
        Some(first)
    }

    pub(super) fn score(&self, variable: u32) -> f64 {
        self.score[variable as usize]
    }

    /// Raises the score of a variable that took part in a conflict.
    pub(super) fn bump(&mut self, variable: u32) {
        let score = &mut self.score[variable as usize];
        *score += self.increment;
        if *score > MOST_SCORE {
            for score in &mut self.score {
                *score /= MOST_SCORE;
            }
            self.increment /= MOST_SCORE;
        }
        let at = self.place[variable as usize];
        if at != NONE {
            self.up(at as usize);
        }
    }

    /// Lets all scores decay.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn put(&mut self, at: usize, variable: u32) {
        self.heap[at] = variable;
        self.place[variable as usize] = at as u32;
    }

    fn up(&mut self, mut at: usize) {
        let variable = self.heap[at];
        let score = self.score(variable);
        while at > 0 {
            let parent = self.heap[(at - 1) / 2];
            if self.score(parent) >= score {
                break;
            }
            self.put(at, parent);
            at = (at - 1) / 2;
        }
        self.put(at, variable);
    }

    fn down(&mut self, mut at: usize) {
        let variable = self.heap[at];
        let score = self.score(variable);
        while let Some(&left) = self.heap.get(2 * at + 1) {
            let (mut child, mut next) = (left, 2 * at + 1);
            if let Some(&right) = self.heap.get(next + 1)
                && self.score(right) > self.score(left)
            {
                (child, next) = (right, next + 1);
            }
            if self.score(child) <= score {
                break;
            }
            self.put(at, child);
            at = next;
        }
        self.put(at, variable);
    }
}
