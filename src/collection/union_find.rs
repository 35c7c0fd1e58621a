//! Components of a graph whose edges come one by one: union by size, paths halved (Tarjan, 1975).

/// Numbers from 0, in sets that can be joined.
#[derive(Debug, Default)]
pub(super) struct UnionFind {
    parents: Vec<u32>,
    sizes: Vec<u32>,
}

impl UnionFind {
    /// Adds the next number, in a set of its own.
    pub(super) fn push(&mut self) -> u32 {
        let number = self.parents.len() as u32;
        self.parents.push(number);
        self.sizes.push(1);
        number
    }

    /// Returns the number that stands for the set of this one.
    pub(super) fn find(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let parent = self.parents[number as usize];
            self.parents[number as usize] = self.parents[parent as usize];
            number = self.parents[number as usize];
        }
        number
    }

    /// Joins the sets of two numbers.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (small, large) = if self.sizes[a as usize] < self.sizes[b as usize] {
            (a, b)
        } else {
            (b, a)
        };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
    }
}
