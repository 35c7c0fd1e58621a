//! Batch engine: loads puzzles into SIMD lanes, propagates, branches, and collects solutions.

use std::num::NonZeroU32;
use std::time::Duration;

use web_time::Instant;

use super::aside::Aside;
use super::branch::{Branch, Choose, Settle, Split};
use super::group::{Group, Read, Write, all_lanes, lanes};
use super::sweep::Sweep;
use super::waiting::Waiting;
use crate::grid::{PuzzleLine, Solution};
use crate::simd::{Isa, MAX_LANES, ROW};
use crate::solve::solver::{Effort, Limits};

/// The 81 cells as text.
pub(super) type Line = [u8; ROW];

/// Steps between two checks of the clock.
const CLOCK: u64 = 32;

/// The outcome of one puzzle.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Number of solutions found.
    pub(super) found: usize,
    /// The first of them.
    pub(super) first: Line,
    pub(super) effort: Effort,
    /// Whether a limit of nodes, guesses or time was reached.
    pub(super) out_of_budget: bool,
    /// Whether the puzzle is out of budget or has as many solutions as were asked for: its states
    /// are dropped.
    ended: bool,
    /// The number of the last of its further solutions.
    last: Option<NonZeroU32>,
}

impl Record {
    /// The record of a puzzle whose first state is entered.
    const ENTERED: Record = Record {
        found: 0,
        first: [0; ROW],
        effort: Effort {
            guesses: 0,
            nodes: 1,
        },
        out_of_budget: false,
        ended: false,
        last: None,
    };
}

/// The outcomes of the puzzles of a batch, in their order.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) puzzles: Vec<Record>,
    /// All solutions but the first of each puzzle, with the number of the one found before it.
    further: Vec<(Line, Option<NonZeroU32>)>,
}

impl Records {
    /// Returns the solutions of a puzzle, in the order in which they were found.
    pub(super) fn solutions(&self, record: &Record) -> Vec<Solution> {
        let mut solutions = Vec::with_capacity(record.found);
        let mut next = record.last;
        while let Some(number) = next {
            let (line, before) = &self.further[number.get() as usize - 1];
            solutions.push(Solution::of_checked_ascii(line));
            next = *before;
        }
        solutions.push(Solution::of_checked_ascii(&record.first));
        solutions.reverse();
        solutions
    }

    /// Adds a solution.
    fn add(&mut self, puzzle: u32, line: &Line) {
        let record = &mut self.puzzles[puzzle as usize];
        if record.found == 0 {
            record.first = *line;
        } else {
            self.further.push((*line, record.last));
            record.last = NonZeroU32::new(self.further.len() as u32);
        }
        record.found += 1;
    }
}

/// An engine on the instructions that this CPU has.
pub(super) trait Batch: Send {
    /// Searches for up to `limit` solutions of each of these puzzles.
    fn solve(&mut self, lines: &[PuzzleLine], limit: usize, limits: Limits) -> &Records;
}

/// The engine; see the module.
pub(super) struct Engine<I: Isa> {
    isa: I,
    /// New puzzles: takes one per lane, all at once.
    fresh: Group<I>,
    /// States under way: takes them one by one, so that its lanes are always filled.
    work: Group<I>,
    /// Lanes of `work` in use.
    active: u32,
    waiting: Waiting<I>,
    /// States of lanes whose puzzles are searched in depth.
    aside: Aside<I>,
    /// Guesses in this batch, and states that turned out dead or solved but did not end their puzzle: each leads back to
    /// a second child. Where they are few, puzzles are searched in depth.
    guesses: u64,
    returns: u64,
    /// Those of the last batch, kept for their memory.
    records: Records,
}

/// The task and its progress.
struct Task {
    limit: usize,
    limits: Limits,
    records: Records,
    /// Time of the last check of the clock.
    looked: Instant,
    /// Time that each puzzle has used, if there is a limit: that of the lanes, shared evenly.
    spent: Vec<Duration>,
}

impl<I: Isa> Batch for Engine<I>
where
    I::Vector: Send,
{
    fn solve(&mut self, lines: &[PuzzleLine], limit: usize, limits: Limits) -> &Records {
        self.active = 0;
        self.waiting.clear();
        self.aside.clear();
        (self.guesses, self.returns) = (0, 0);
        let mut records = std::mem::take(&mut self.records);
        records.puzzles.clear();
        records.puzzles.resize(lines.len(), Record::ENTERED);
        records.further.clear();
        let mut task = Task {
            limit,
            limits,
            records,
            looked: Instant::now(),
            spent: Vec::new(),
        };
        if limits.time.is_some() {
            task.spent.resize(lines.len(), Duration::ZERO);
        }
        for (group, lines) in lines.chunks(I::LANES).enumerate() {
            self.begin(group * I::LANES, lines, &mut task);
            if self.waiting.len() >= I::LANES {
                self.work(false, &mut task);
            }
        }
        self.work(true, &mut task);
        self.records = task.records;
        &self.records
    }
}

impl<I: Isa> Engine<I> {
    /// Threshold of lanes that still change below which new puzzles are moved on: an idle lane
    /// costs as much as one that works.
    const FEW: u32 = I::LANES as u32 / 3;

    pub(super) fn new(isa: I) -> Engine<I> {
        Engine {
            isa,
            fresh: Group::new(isa),
            work: Group::new(isa),
            active: 0,
            waiting: Waiting::new(isa),
            aside: Aside::new(isa),
            guesses: 0,
            returns: 0,
            records: Records::default(),
        }
    }

    /// Sweeps new puzzles; those that are neither solved nor contradictory wait for a lane.
    fn begin(&mut self, first: usize, lines: &[PuzzleLine], task: &mut Task) {
        // Lanes without a puzzle get a copy of the last one.
        let last = lines.len() - 1;
        let all: [&Line; MAX_LANES] = std::array::from_fn(|lane| lines[lane.min(last)].as_bytes());
        self.isa.run(Read {
            cells: &mut self.fresh.cells,
            lines: &all[..I::LANES],
        });
        let mut live = u32::MAX >> (MAX_LANES - lines.len());
        if task.limits.nodes == 0 {
            lanes(live).for_each(|lane| task.give_up((first + lane) as u32));
            return;
        }
        let mut solved = 0;
        loop {
            let swept = self.isa.run(Sweep::<_, 1> {
                cells: &mut self.fresh.cells,
            });
            live &= !swept.dead;
            solved |= live & swept.solved;
            live &= !swept.solved;
            if (live & !swept.still).count_ones() <= Self::FEW {
                break;
            }
        }
        for lane in 0..lines.len() {
            self.fresh.puzzles[lane] = (first + lane) as u32;
        }
        task.record(self.isa, &self.fresh, solved);
        self.waiting.push(&self.fresh, live);
    }

    /// Works on waiting states: to the end, or for as long as they fill the lanes.
    fn work(&mut self, to_the_end: bool, task: &mut Task) {
        let mut steps = 0;
        task.looked = Instant::now();
        loop {
            let idle = all_lanes::<I>() & !self.active;
            if idle != 0 {
                let enter = |puzzle, child| task.enter(puzzle, child);
                self.active |= self.waiting.pop(&mut self.work, idle, enter);
                if self.active == 0 || (!to_the_end && self.active != all_lanes::<I>()) {
                    return;
                }
            }
            steps += 1;
            if steps % CLOCK == 0
                && let Some(limit) = task.limits.time
            {
                self.share_time(limit, task);
            }
            let swept = self.isa.run(Sweep::<_, 2> {
                cells: &mut self.work.cells,
            });
            let solved = self.active & swept.solved;
            let over = self.active & swept.dead | solved;
            self.active &= !over;
            let ended = task.record(self.isa, &self.work, solved);
            if ended != 0 {
                self.drop_ended(task);
            }
            self.returns += u64::from((over & !ended).count_ones());
            self.go_back(over, task);
            let stuck = self.active & swept.still & !over;
            if stuck != 0 {
                let is_last = to_the_end && self.waiting.len() == 0;
                // Where many solutions are wanted, most second children are needed.
                let in_depth = task.limit <= 2 && 2 * self.returns < self.guesses && !is_last;
                self.branch(stuck, in_depth, task);
            }
        }
    }

    /// Goes on with what is set aside for lanes whose states are dead or solved.
    fn go_back(&mut self, over: u32, task: &mut Task) {
        for lane in lanes(over) {
            if !self.aside.holds(lane) {
                continue;
            }
            if task.enter(self.work.puzzles[lane], true) {
                self.aside.take_back(&mut self.work.cells, lane);
                self.active |= 1 << lane;
            } else {
                self.aside.drop(1 << lane);
            }
        }
    }

    /// Branches in stuck lanes. In depth second children are set aside, and dropped when the puzzle ends; otherwise they are
    /// searched at the same time.
    fn branch(&mut self, stuck: u32, in_depth: bool, task: &mut Task) {
        let (branch, without) = self.isa.run(Choose {
            cells: &self.work.cells,
        });
        let mut parents = 0_u32;
        for lane in lanes(stuck & !without) {
            if task.guess(self.work.puzzles[lane]) {
                parents |= 1 << lane;
            }
        }
        self.guesses += u64::from(parents.count_ones());
        let mut all_entered = parents == stuck & !without;
        if in_depth {
            self.aside.split(&mut self.work.cells, &branch, parents);
        } else {
            all_entered &= self.spread(parents, &branch, task);
        }
        if stuck & without != 0 {
            // Solves their boards, or shows that they are contradictory: the triads of a digit in a band and in a
            // stack have one cell of a block in common.
            self.isa.run(Settle {
                cells: &mut self.work.cells,
            });
        }
        if !all_entered {
            self.drop_ended(task);
        }
    }

    /// Turns lanes into their first child. Second children take idle lanes, or wait where there are too few. Returns whether
    /// none exceeds the limit of its puzzle.
    fn spread(&mut self, parents: u32, branch: &Branch<I::Vector>, task: &mut Task) -> bool {
        let mut sources: [u16; MAX_LANES] = std::array::from_fn(|lane| lane as u16);
        let (mut children, mut sown) = (0, 0);
        let mut all_entered = true;
        let mut free = lanes(all_lanes::<I>() & !self.active);
        for lane in lanes(parents) {
            let puzzle = self.work.puzzles[lane];
            match free.next() {
                None => sown |= 1 << lane,
                Some(child) if task.enter(puzzle, true) => {
                    sources[child] = lane as u16;
                    self.work.puzzles[child] = puzzle;
                    children |= 1 << child;
                }
                Some(_) => all_entered = false,
            }
        }
        self.waiting.push_children(&self.work, sown, branch);
        self.isa.run(Split {
            cells: &mut self.work.cells,
            branch,
            parents,
            children,
            sources: &sources,
        });
        self.active |= children;
        all_entered
    }

    /// Drops the states of puzzles that have ended.
    fn drop_ended(&mut self, task: &Task) {
        let ended = |lane: &usize| task.records.puzzles[self.work.puzzles[*lane] as usize].ended;
        let ended = lanes(self.active).filter(ended);
        let ended = ended.fold(0, |set, lane| set | 1 << lane);
        self.aside.drop(ended);
        self.active &= !ended;
    }

    /// Charges the puzzles in the lanes for the time since the last check of the clock, and gives
    /// up those that are out of time.
    fn share_time(&mut self, limit: Duration, task: &mut Task) {
        let now = Instant::now();
        let share = (now - task.looked) / self.active.count_ones().max(1);
        task.looked = now;
        for lane in lanes(self.active) {
            let puzzle = self.work.puzzles[lane];
            let spent = &mut task.spent[puzzle as usize];
            *spent += share;
            if *spent >= limit {
                task.give_up(puzzle);
            }
        }
        self.drop_ended(task);
    }
}

impl Task {
    fn give_up(&mut self, puzzle: u32) {
        let record = &mut self.records.puzzles[puzzle as usize];
        record.ended = true;
        record.out_of_budget = true;
    }

    /// Returns whether a waiting or new state is to be worked on; counts it if it is new.
    fn enter(&mut self, puzzle: u32, is_new: bool) -> bool {
        let record = &mut self.records.puzzles[puzzle as usize];
        if record.ended || !is_new {
            return !record.ended;
        }
        if record.effort.nodes >= self.limits.nodes {
            self.give_up(puzzle);
            return false;
        }
        record.effort.nodes += 1;
        true
    }

    /// Returns whether a puzzle may be branched on; counts the guess, and its first child as a
    /// node.
    fn guess(&mut self, puzzle: u32) -> bool {
        let record = &mut self.records.puzzles[puzzle as usize];
        if record.ended {
            return false;
        }
        let Effort { guesses, nodes } = &mut record.effort;
        if *guesses >= self.limits.guesses || *nodes >= self.limits.nodes {
            self.give_up(puzzle);
            return false;
        }
        *guesses += 1;
        *nodes += 1;
        true
    }

    /// Records the solutions in these lanes. Returns those whose puzzles have ended.
    fn record<I: Isa>(&mut self, isa: I, group: &Group<I>, solved: u32) -> u32 {
        if solved == 0 {
            return 0;
        }
        let mut ended = 0;
        let mut lines = [[0; ROW]; MAX_LANES];
        isa.run(Write {
            cells: &group.cells,
            lines: &mut lines,
        });
        for lane in lanes(solved) {
            let puzzle = group.puzzles[lane];
            if !self.records.puzzles[puzzle as usize].ended {
                self.records.add(puzzle, &lines[lane]);
            }
            let record = &mut self.records.puzzles[puzzle as usize];
            record.ended |= record.found >= self.limit;
            ended |= u32::from(record.ended) << lane;
        }
        ended
    }
}
