//! Clauses of three literals and more in one array, and which learnt ones are kept.
//!
//! The fewer levels of the search a learnt clause spans (its LBD), the longer it is kept (G. Audemard and
//! L. Simon, "Predicting learnt clauses quality in modern SAT solvers", 2009; three tiers after C. Oh, 2015).

use super::trail::{Clause, Lit};

/// Words before the literals of a clause: its length, its flags and LBD, and where its last watch was found.
const HEAD: usize = 3;
const LEARNT: u32 = 1;
const REMOVED: u32 = 2;
const KEPT: u32 = 4;
/// Set when a clause takes part in a conflict, and counted down at each reduction.
const USED: u32 = 0b11 << 3;
const USED_ONCE: u32 = 1 << 3;
const USED_LATELY: u32 = 2 << 3;
const LBD: u32 = 5;

/// Learnt clauses of at most this LBD are kept forever.
const CORE: u32 = 2;
/// Learnt clauses of at most this LBD are kept while they are used.
const MIDDLE: u32 = 6;

/// All clauses but the binary ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    words: Vec<u32>,
}

impl Store {
    /// Adds a clause; a learnt one has its LBD.
    pub(super) fn push(&mut self, literals: &[Lit], lbd: Option<u32>) -> Clause {
        let clause = self.words.len() as Clause;
        self.words.push(literals.len() as u32);
        self.words
            .push(lbd.map_or(0, |lbd| lbd << LBD | USED_LATELY | LEARNT));
        self.words.push(2);
        self.words.extend_from_slice(literals);
        clause
    }

    #[inline]
    pub(super) fn literals(&self, clause: Clause) -> &[Lit] {
        let start = clause as usize + HEAD;
        &self.words[start..start + self.words[clause as usize] as usize]
    }

    /// Where the last watch of a clause was found among its literals, and those.
    #[inline]
    pub(super) fn searched(&mut self, clause: Clause) -> (&mut u32, &mut [Lit]) {
        let (head, rest) = self.words[clause as usize..].split_at_mut(HEAD);
        let length = head[0] as usize;
        (&mut head[HEAD - 1], &mut rest[..length])
    }

    /// Notes that a clause took part in a conflict; `lbd` counts its levels, which may have become fewer.
    pub(super) fn used(&mut self, clause: Clause, lbd: impl FnOnce(&[Lit]) -> u32) {
        let flags = self.words[clause as usize + 1];
        if flags & LEARNT == 0 {
            return;
        }
        let mut least = flags >> LBD;
        if least > CORE {
            least = least.min(lbd(self.literals(clause)));
        }
        self.words[clause as usize + 1] = least << LBD | USED_LATELY | LEARNT;
    }

    /// Marks three quarters of the learnt clauses for removal, those of the highest LBD, except those that
    /// are reasons, were used since the last reduction, or are in a tier that is kept.
    pub(super) fn reduce(&mut self, reasons: &[Clause]) {
        for &reason in reasons {
            self.words[reason as usize + 1] |= KEPT;
        }
        let mut pool = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let flags = &mut self.words[at + 1];
            let (used, lbd) = (*flags & USED, *flags >> LBD);
            if used != 0 {
                *flags -= USED_ONCE;
            }
            let is_kept = *flags & LEARNT == 0
                || *flags & KEPT != 0
                || lbd <= CORE
                || (lbd <= MIDDLE && used != 0)
                || used == USED_LATELY;
            *flags &= !KEPT;
            if !is_kept {
                pool.push((lbd, self.words[at], at));
            }
            at += HEAD + self.words[at] as usize;
        }
        pool.sort_unstable();
        for &(_, _, at) in &pool[pool.len() / 4..] {
            self.words[at + 1] |= REMOVED;
        }
    }

    /// Drops the clauses marked, and those that `is_true` says hold for good.
    ///
    /// Calls `moved` with the old and the new number of each clause that stays.
    pub(super) fn compact(
        &mut self,
        is_true: impl Fn(Lit) -> bool,
        mut moved: impl FnMut(Clause, Clause, &[Lit]),
    ) {
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let length = HEAD + self.words[from] as usize;
            let literals = &self.words[from + HEAD..from + length];
            if self.words[from + 1] & REMOVED == 0 && !literals.iter().any(|&one| is_true(one)) {
                moved(from as Clause, to as Clause, literals);
                self.words.copy_within(from..from + length, to);
                to += length;
            }
            from += length;
        }
        self.words.truncate(to);
    }
}
