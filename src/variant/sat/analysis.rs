//! What a conflict teaches: the clause of its first unique implication point, made short.
//!
//! The literals of each level are replaced by a single one that implies them all where there is one (M. Fleury
//! and A. Biere, "Efficient all-UIP learned clause minimization", 2021); elsewhere those go that the others
//! imply (N. Sörensson and A. Biere, "Minimizing learned clauses", 2009). That halves the length of the clauses
//! of a hard 25x25 board, and the time with it.

use std::mem::take;

use super::engine::Engine;
use super::scratch::{BLOCK, IMPLIED, NEEDED, SEEN, levels};
use super::trail::{Conflict, Lit, Reason};

/// How deep implications are followed.
const MOST_DEPTH: u32 = 500;
/// Longer clauses are not shortened by binary ones.
const MOST_LENGTH: usize = 60;

impl Engine {
    /// Derives a clause from a conflict: returns its LBD, and the level to go back to.
    pub(super) fn analyze(&mut self, conflict: Conflict) -> (u32, u32) {
        let uip = self.resolve(conflict);
        self.scratch.clause[0] = uip ^ 1;
        self.shrink();
        self.drop_by_binary();
        let mut back = 0;
        for place in 1..self.scratch.clause.len() {
            let level = self.level_of(self.scratch.clause[place]);
            if level > back {
                back = level;
                self.scratch.clause.swap(1, place);
            }
        }
        let clause = take(&mut self.scratch.clause);
        let lbd = self.count_levels(&clause);
        self.scratch.clause = clause;
        for &variable in &self.scratch.met {
            self.order.bump(variable);
            self.scratch.marks[variable as usize] = 0;
        }
        self.order.decay();
        for variable in self.scratch.marked.drain(..) {
            self.scratch.marks[variable as usize] = 0;
        }
        self.scratch.met.clear();
        (lbd, back)
    }

    /// Resolves the violated clause with reasons until one literal of the last level is left, and returns that
    /// literal's negation, which is true.
    fn resolve(&mut self, conflict: Conflict) -> Lit {
        self.scratch.clause.clear();
        self.scratch.clause.push(0);
        let mut open = 0;
        let mut reason = match conflict {
            Conflict::Long(clause) => Reason::Long(clause),
            Conflict::Binary(one, other) => {
                open += self.meet(one);
                Reason::Binary(other)
            }
        };
        let mut place = self.trail.len();
        loop {
            match reason {
                Reason::None => {}
                Reason::Binary(other) => open += self.meet(other),
                Reason::Long(clause) => {
                    let (assignments, scratch) = (&self.assignments, &mut self.scratch);
                    self.store.used(clause, |literals| {
                        levels(
                            literals
                                .iter()
                                .map(|lit| assignments[*lit as usize >> 1].level),
                            scratch,
                        )
                    });
                    for at in 0..self.store.literals(clause).len() {
                        open += self.meet(self.store.literals(clause)[at]);
                    }
                }
            }
            let lit = loop {
                place -= 1;
                let lit = self.trail[place];
                if self.scratch.marks[lit as usize >> 1] & SEEN != 0 {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                return lit;
            }
            reason = self.assignments[lit as usize >> 1].reason();
        }
    }

    /// Takes a literal into the conflict unless it is there; returns 1 if that adds one of the last level.
    #[inline]
    fn meet(&mut self, lit: Lit) -> u32 {
        let variable = lit >> 1;
        let level = self.assignments[variable as usize].level;
        let mark = &mut self.scratch.marks[variable as usize];
        if *mark != 0 || level == 0 {
            return 0;
        }
        *mark = SEEN;
        self.scratch.met.push(variable);
        if level == self.level() {
            return 1;
        }
        self.scratch.clause.push(lit);
        0
    }

    fn level_of(&self, lit: Lit) -> u32 {
        self.assignments[lit as usize >> 1].level
    }

    fn count_levels(&mut self, literals: &[Lit]) -> u32 {
        let assignments = &self.assignments;
        levels(
            literals
                .iter()
                .map(|lit| assignments[*lit as usize >> 1].level),
            &mut self.scratch,
        )
    }

    /// Shortens the clause level by level, highest first.
    fn shrink(&mut self) {
        let mut clause = take(&mut self.scratch.clause);
        self.count_levels(&clause);
        clause[1..].sort_unstable_by_key(|lit| {
            std::cmp::Reverse(self.assignments[*lit as usize >> 1].place)
        });
        let (mut start, mut kept) = (1, 1);
        while start < clause.len() {
            let level = self.level_of(clause[start]);
            let end = start + clause[start..].partition_point(|lit| self.level_of(*lit) == level);
            let single = match &clause[start..end] {
                [_] => None,
                block => self.single(block, level),
            };
            if let Some(lit) = single {
                let mark = &mut self.scratch.marks[lit as usize >> 1];
                if *mark & SEEN == 0 {
                    *mark |= SEEN;
                    self.scratch.marked.push(lit >> 1);
                }
                clause[kept] = lit;
                kept += 1;
            } else {
                for at in start..end {
                    let lit = clause[at];
                    if !self.follows_from_others(lit) {
                        clause[kept] = lit;
                        kept += 1;
                    }
                }
            }
            start = end;
        }
        clause.truncate(kept);
        self.scratch.clause = clause;
    }

    /// A literal that can stand for all these of one level, which are in the order of the trail, last first.
    fn single(&mut self, block: &[Lit], level: u32) -> Option<Lit> {
        let mut members: Vec<u32> = block.iter().map(|lit| lit >> 1).collect();
        for &variable in &members {
            self.scratch.marks[variable as usize] |= BLOCK;
        }
        let mut open = members.len();
        let mut place = self.assignments[members[0] as usize].place as usize;
        let single = loop {
            let lit = self.trail[place];
            if self.scratch.marks[lit as usize >> 1] & BLOCK != 0 {
                if open == 1 {
                    break Some(lit ^ 1);
                }
                let added = self.antecedents_in_block(lit, level, &mut members);
                let Some(added) = added else {
                    break None;
                };
                open = open + added - 1;
            }
            place -= 1;
        };
        for variable in members {
            self.scratch.marks[variable as usize] &= !BLOCK;
        }
        single
    }

    /// Adds the literals of a reason to the block, if all others of it follow from the clause; returns how
    /// many are new.
    fn antecedents_in_block(
        &mut self,
        lit: Lit,
        level: u32,
        members: &mut Vec<u32>,
    ) -> Option<usize> {
        let before = members.len();
        let reason = self.assignments[lit as usize >> 1].reason();
        let length = match reason {
            Reason::None => return None,
            Reason::Binary(_) => 1,
            Reason::Long(clause) => self.store.literals(clause).len(),
        };
        for at in 0..length {
            let other = match reason {
                Reason::Long(clause) => self.store.literals(clause)[at],
                Reason::Binary(other) => other,
                Reason::None => return None,
            };
            if other == lit {
                continue;
            }
            if self.level_of(other) == level {
                let mark = &mut self.scratch.marks[other as usize >> 1];
                if *mark & BLOCK == 0 {
                    *mark |= BLOCK;
                    members.push(other >> 1);
                }
            } else if !self.follows(other, 1) {
                return None;
            }
        }
        Some(members.len() - before)
    }

    /// Whether a literal of the clause is false if the others are.
    fn follows_from_others(&mut self, lit: Lit) -> bool {
        self.follows(lit, 0)
    }

    /// Whether a literal is false if those of the clause are: depth 0 asks for one of the clause itself.
    fn follows(&mut self, lit: Lit, depth: u32) -> bool {
        let variable = lit as usize >> 1;
        let assignment = self.assignments[variable];
        let mark = self.scratch.marks[variable];
        if assignment.level == 0 || mark & IMPLIED != 0 {
            return true;
        }
        if depth > 0 && mark & SEEN != 0 && assignment.level < self.level() {
            return true;
        }
        if mark & NEEDED != 0
            || depth > MOST_DEPTH
            || self.scratch.stamps[assignment.level as usize] != self.scratch.stamp
        {
            return false;
        }
        let follows = match assignment.reason() {
            Reason::None => return false,
            Reason::Binary(other) => self.follows(other, depth + 1),
            Reason::Long(clause) => (0..self.store.literals(clause).len()).all(|at| {
                let other = self.store.literals(clause)[at];
                other >> 1 == lit >> 1 || self.follows(other, depth + 1)
            }),
        };
        if depth > 0 {
            self.scratch.marks[variable] |= if follows { IMPLIED } else { NEEDED };
            self.scratch.marked.push(variable as u32);
        }
        follows
    }

    /// Drops literals that a binary clause with the first literal makes superfluous.
    fn drop_by_binary(&mut self) {
        let first = self.scratch.clause[0];
        if self.scratch.clause.len() > MOST_LENGTH {
            return;
        }
        let implied = &self.implied[first as usize ^ 1];
        let is_superfluous: Vec<Lit> = (implied.iter())
            .filter(|lit| self.is_assigned_true(**lit))
            .filter(|lit| self.scratch.marks[**lit as usize >> 1] & SEEN != 0)
            .map(|lit| lit ^ 1)
            .collect();
        if !is_superfluous.is_empty() {
            let clause = &mut self.scratch.clause;
            clause.retain(|lit| *lit == first || !is_superfluous.contains(lit));
        }
    }
}
