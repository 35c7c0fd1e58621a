//! Working memory of the analysis of conflicts.

use super::trail::Lit;

/// In the conflict, and at the conflict's level or in the clause.
pub(super) const SEEN: u8 = 1;
/// Implied by the clause's other literals.
pub(super) const IMPLIED: u8 = 2;
/// Not implied by them.
pub(super) const NEEDED: u8 = 4;
/// Of the level that is being shortened.
pub(super) const BLOCK: u8 = 8;

/// See the file's head.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The learnt clause: first the literal that it sets, then one of the level to go back to.
    pub(super) clause: Vec<Lit>,
    pub(super) marks: Vec<u8>,
    /// Variables of the conflict.
    pub(super) met: Vec<u32>,
    /// Other variables with marks.
    pub(super) marked: Vec<u32>,
    /// For each level, when it was last counted.
    pub(super) stamps: Vec<u64>,
    pub(super) stamp: u64,
}

impl Scratch {
    pub(super) fn grow(&mut self) {
        self.marks.push(0);
        self.stamps.resize(self.marks.len() + 1, 0);
    }
}

/// Counts different levels, and stamps them.
pub(super) fn levels(levels: impl Iterator<Item = u32>, scratch: &mut Scratch) -> u32 {
    scratch.stamp += 1;
    let mut count = 0;
    for level in levels {
        let stamp = &mut scratch.stamps[level as usize];
        if *stamp != scratch.stamp {
            *stamp = scratch.stamp;
            count += 1;
        }
    }
    count
}
