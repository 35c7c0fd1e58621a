//! A solver of clauses: conflict-driven clause learning (J. Marques-Silva and K. Sakallah, GRASP, 1996) with two
//! watched literals (M. Moskewicz and others, Chaff, 2001), in the manner of MiniSat (N. Eén and N. Sörensson),
//! Glucose (G. Audemard and L. Simon) and CaDiCaL (A. Biere and others). A clause is searched for another watch
//! from where the last one was found (I. Gent, "Optimal implementation of watched literals", 2013).
//!
//! It is made for boards. Most of their clauses are binary, so these have lists of their own, which are
//! propagated first. Branches always set a variable to true: that fills a cell, while false excludes one value
//! of many. Everything is deterministic.

use std::mem::take;

use super::encoding::Literal;
use super::order::Order;
use super::scratch::Scratch;
use super::store::Store;
use super::trail::{Assignment, BINARY, Clause, Conflict, Lit, NONE, Reason};

const TRUE: i8 = 1;
const FALSE: i8 = -1;

/// Conflicts until the learnt clauses are first reduced; later as many times the root of the reductions.
const REDUCTION: f64 = 300.0;
/// The search restarts when the mean LBD of the last clauses exceeds that of many by this factor.
const MARGIN: f64 = 1.1;
/// Conflicts of the short mean, and of the long one.
const WINDOWS: [f64; 2] = [33.0, 10_000.0];
/// Conflicts between two restarts, at least.
const RESTART: u64 = 2;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// All variables have values that satisfy all clauses.
    Satisfied,
    Unsatisfiable,
    /// Stopped by the caller.
    Stopped,
}

/// A clause that is visited when the literal becomes false that has this watch.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: Clause,
    /// Another literal of the clause: while it is true, the clause is not visited.
    blocker: Lit,
}

/// A mean in which old values fade.
#[derive(Clone, Copy, Debug)]
struct Mean {
    value: f64,
    weight: f64,
    least: f64,
}

impl Mean {
    fn new(window: f64) -> Mean {
        Mean {
            value: 0.0,
            weight: 1.0,
            least: 1.0 / window,
        }
    }

    fn add(&mut self, value: f64) {
        self.weight = (self.weight / 2.0).max(self.least);
        self.value += self.weight * (value - self.value);
    }
}

/// Clauses, and a search among the values of their variables.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    /// For each literal.
    value: Vec<i8>,
    /// For each variable.
    pub(super) assignments: Vec<Assignment>,
    pub(super) trail: Vec<Lit>,
    /// Where each level starts on the trail.
    levels: Vec<usize>,
    /// How far binary clauses were propagated, and long ones.
    heads: [usize; 2],
    /// For each literal, those that follow from it by a binary clause.
    pub(super) implied: Vec<Vec<Lit>>,
    watches: Vec<Vec<Watch>>,
    pub(super) store: Store,
    pub(super) order: Order,
    pub(super) scratch: Scratch,
    means: [Mean; 2],
    conflicts: u64,
    reductions: u64,
    next_reduction: u64,
    next_restart: u64,
    is_unsatisfiable: bool,
    #[cfg(test)]
    pub(super) learnt: Vec<Vec<Lit>>,
}

impl Engine {
    /// No variables, no clauses.
    pub(super) fn new() -> Engine {
        Engine {
            value: Vec::new(),
            assignments: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            heads: [0; 2],
            implied: Vec::new(),
            watches: Vec::new(),
            store: Store::default(),
            order: Order::new(),
            scratch: Scratch::default(),
            means: WINDOWS.map(Mean::new),
            conflicts: 0,
            reductions: 0,
            next_reduction: REDUCTION as u64,
            next_restart: 0,
            is_unsatisfiable: false,
            #[cfg(test)]
            learnt: Vec::new(),
        }
    }

    /// Adds a clause, and the variables it names; an earlier answer is undone.
    pub(super) fn add(&mut self, literals: &[Literal]) {
        self.backtrack(0);
        let mut clause: Vec<Lit> = Vec::with_capacity(literals.len());
        for literal in literals {
            let variable = literal.unsigned_abs() - 1;
            while self.assignments.len() <= variable as usize {
                self.grow();
            }
            clause.push(2 * variable + u32::from(*literal < 0));
        }
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if is_tautology || clause.iter().any(|&one| self.is(one, TRUE)) {
            return;
        }
        clause.retain(|&one| !self.is(one, FALSE));
        match clause[..] {
            [] => self.is_unsatisfiable = true,
            [fact] => self.assign(fact, NONE),
            [one, other] => self.add_binary(one, other),
            _ => {
                self.attach(&clause, None);
            }
        }
    }

    /// Looks for values of all variables that satisfy all clauses.
    ///
    /// `stop` is asked after every conflict and at every decision, with the conflicts of this search.
    pub(super) fn solve(&mut self, mut stop: impl FnMut(u64) -> bool) -> Answer {
        self.backtrack(0);
        let start = self.conflicts;
        while !self.is_unsatisfiable {
            if let Some(conflict) = self.propagate() {
                if self.levels.is_empty() {
                    break;
                }
                self.conflicts += 1;
                self.learn(conflict);
                if stop(self.conflicts - start) {
                    return Answer::Stopped;
                }
                continue;
            }
            if self.conflicts >= self.next_reduction {
                self.reduce();
            }
            if self.conflicts >= self.next_restart
                && self.means[0].value > MARGIN * self.means[1].value
            {
                self.restart();
            }
            if stop(self.conflicts - start) {
                return Answer::Stopped;
            }
            match self.branch() {
                Some(variable) => {
                    self.levels.push(self.trail.len());
                    self.assign(2 * variable, NONE);
                }
                None => return Answer::Satisfied,
            }
        }
        self.is_unsatisfiable = true;
        Answer::Unsatisfiable
    }

    /// Whether a literal is true, after an answer.
    pub(super) fn is_true(&self, literal: Literal) -> bool {
        let lit = 2 * (literal.unsigned_abs() - 1) + u32::from(literal < 0);
        self.is(lit, TRUE)
    }

    pub(super) fn is_assigned_true(&self, lit: Lit) -> bool {
        self.is(lit, TRUE)
    }

    /// How many decisions are open.
    pub(super) fn level(&self) -> u32 {
        self.levels.len() as u32
    }

    fn is(&self, lit: Lit, value: i8) -> bool {
        self.value[lit as usize] == value
    }

    fn grow(&mut self) {
        self.order.grow();
        self.assignments.push(Assignment {
            level: 0,
            place: 0,
            reason: NONE,
        });
        self.scratch.grow();
        for _ in 0..2 {
            self.value.push(0);
            self.implied.push(Vec::new());
            self.watches.push(Vec::new());
        }
    }

    fn add_binary(&mut self, one: Lit, other: Lit) {
        self.implied[one as usize ^ 1].push(other);
        self.implied[other as usize ^ 1].push(one);
    }

    /// Adds a clause whose first two literals are the last to become false.
    fn attach(&mut self, clause: &[Lit], lbd: Option<u32>) -> Clause {
        let number = self.store.push(clause, lbd);
        self.watch(number, clause[0], clause[1]);
        number
    }

    fn watch(&mut self, clause: Clause, one: Lit, other: Lit) {
        for (lit, blocker) in [(one, other), (other, one)] {
            self.watches[lit as usize].push(Watch { clause, blocker });
        }
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: u32) {
        self.value[lit as usize] = TRUE;
        self.value[lit as usize ^ 1] = FALSE;
        self.assignments[lit as usize >> 1] = Assignment {
            level: self.levels.len() as u32,
            place: self.trail.len() as u32,
            reason,
        };
        self.trail.push(lit);
    }

    fn propagate(&mut self) -> Option<Conflict> {
        loop {
            while let Some(&lit) = self.trail.get(self.heads[0]) {
                self.heads[0] += 1;
                for at in 0..self.implied[lit as usize].len() {
                    let other = self.implied[lit as usize][at];
                    match self.value[other as usize] {
                        TRUE => {}
                        FALSE => return Some(Conflict::Binary(other, lit ^ 1)),
                        _ => self.assign(other, BINARY | (lit ^ 1)),
                    }
                }
            }
            let lit = *self.trail.get(self.heads[1])? ^ 1;
            self.heads[1] += 1;
            let mut watches = take(&mut self.watches[lit as usize]);
            let conflict = self.visit(lit, &mut watches);
            self.watches[lit as usize] = watches;
            if conflict.is_some() {
                return conflict.map(Conflict::Long);
            }
        }
    }

    /// Visits the clauses that watch a literal that has become false: each gets another watch, or becomes the
    /// reason of its last literal, or is violated.
    #[inline]
    fn visit(&mut self, lit: Lit, watches: &mut Vec<Watch>) -> Option<Clause> {
        let (mut at, mut kept) = (0, 0);
        let mut conflict = None;
        while let Some(&watch) = watches.get(at) {
            at += 1;
            if self.is(watch.blocker, TRUE) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let (last, clause) = self.store.searched(watch.clause);
            let other = clause[0] ^ clause[1] ^ lit;
            let next = Watch {
                clause: watch.clause,
                blocker: other,
            };
            let value = self.value[other as usize];
            if value != TRUE {
                let start = *last as usize;
                let mut places = (start..clause.len()).chain(2..start);
                if let Some(place) = places.find(|at| self.value[clause[*at] as usize] != FALSE) {
                    let new = clause[place];
                    (clause[0], clause[1], clause[place]) = (other, new, lit);
                    *last = place as u32;
                    self.watches[new as usize].push(next);
                    continue;
                }
            }
            watches[kept] = next;
            kept += 1;
            if value == FALSE {
                conflict = Some(watch.clause);
                break;
            }
            if value != TRUE {
                (clause[0], clause[1]) = (other, lit);
                self.assign(other, watch.clause);
            }
        }
        watches.drain(kept..at);
        conflict
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&start) = self.levels.get(level) else {
            return;
        };
        for &lit in &self.trail[start..] {
            self.value[lit as usize] = 0;
            self.value[lit as usize ^ 1] = 0;
            self.order.insert(lit >> 1);
        }
        self.trail.truncate(start);
        self.levels.truncate(level);
        self.heads = [start; 2];
    }

    /// The variable without a value that has the highest score.
    fn branch(&mut self) -> Option<u32> {
        loop {
            let variable = self.order.pop()?;
            if self.is(2 * variable, 0) {
                return Some(variable);
            }
        }
    }

    /// Learns a clause from a conflict, and goes back to where it leaves one literal.
    fn learn(&mut self, conflict: Conflict) {
        let (lbd, back) = self.analyze(conflict);
        for mean in &mut self.means {
            mean.add(f64::from(lbd));
        }
        self.backtrack(back as usize);
        let clause = take(&mut self.scratch.clause);
        #[cfg(test)]
        self.learnt.push(clause.clone());
        match clause[..] {
            [fact] => self.assign(fact, NONE),
            [one, other] => {
                self.add_binary(one, other);
                self.assign(one, BINARY | other);
            }
            _ => {
                let number = self.attach(&clause, Some(lbd));
                self.assign(clause[0], number);
            }
        }
        self.scratch.clause = clause;
    }

    /// Goes back to the decisions that would be made again.
    fn restart(&mut self) {
        self.next_restart = self.conflicts + RESTART;
        while let Some(variable) = self.order.first()
            && !self.is(2 * variable, 0)
        {
            self.order.pop();
        }
        let Some(next) = self.order.first() else {
            return;
        };
        let score = self.order.score(next);
        let kept = (self.levels.iter())
            .take_while(|start| self.order.score(self.trail[**start] >> 1) >= score)
            .count();
        self.backtrack(kept);
    }

    /// Forgets learnt clauses of little use.
    fn reduce(&mut self) {
        self.reductions += 1;
        let interval = REDUCTION * ((self.reductions + 1) as f64).sqrt();
        self.next_reduction = self.conflicts + interval as u64;
        let facts = self.levels.first().copied().unwrap_or(self.trail.len());
        for &lit in &self.trail[..facts] {
            self.assignments[lit as usize >> 1].reason = NONE;
        }
        let mut reasons: Vec<(Clause, Lit)> = Vec::new();
        for &lit in &self.trail {
            if let Reason::Long(clause) = self.assignments[lit as usize >> 1].reason() {
                reasons.push((clause, lit));
            }
        }
        reasons.sort_unstable();
        let clauses: Vec<Clause> = reasons.iter().map(|(clause, _)| *clause).collect();
        self.store.reduce(&clauses);
        for watches in &mut self.watches {
            watches.clear();
        }
        let mut reasons = reasons.into_iter().peekable();
        let Engine {
            store,
            value,
            assignments,
            watches,
            ..
        } = self;
        let mut new_reasons = Vec::new();
        store.compact(
            |lit| value[lit as usize] == TRUE && assignments[lit as usize >> 1].level == 0,
            |old, new, literals| {
                if let Some((_, lit)) = reasons.next_if(|(clause, _)| *clause == old) {
                    new_reasons.push((lit, new));
                }
                for (lit, blocker) in [(literals[0], literals[1]), (literals[1], literals[0])] {
                    let clause = new;
                    watches[lit as usize].push(Watch { clause, blocker });
                }
            },
        );
        for (lit, clause) in new_reasons {
            assignments[lit as usize >> 1].reason = clause;
        }
    }
}
