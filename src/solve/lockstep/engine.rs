//! Batch engine: loads puzzles into SIMD lanes, propagates, branches, and collects solutions.

use std::time::Duration;

use web_time::Instant;

use super::branch::{Choose, FewestCandidates, Split};
use super::group::{Group, Read, Set, Write, all_lanes, lanes};
use super::sweep::Sweep;
use super::waiting::Waiting;
use crate::grid::PuzzleLine;
use crate::simd::{Isa, MAX_LANES, ROW};
use crate::solve::solver::{Effort, Limits};

/// The 81 cells as text.
pub(super) type Line = [u8; ROW];

/// Sweeps between two checks of the clock.
const CLOCK: u64 = 64;

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
    };
}

/// The outcomes of the puzzles of a batch, in their order.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) puzzles: Vec<Record>,
    /// All solutions but the first, with their puzzle, in the order in which they were found.
    more: Vec<(u32, Line)>,
}

impl Record {
    /// Returns the number of solutions found, the first of each puzzle not counted.
    pub(super) fn more(&self) -> usize {
        self.found.saturating_sub(1)
    }
}

impl Records {
    /// Returns all solutions but the first, puzzle by puzzle, each in the order in which they were
    /// found.
    pub(super) fn more_by_puzzle(&self) -> Vec<Line> {
        let mut lines = vec![[0; ROW]; self.more.len()];
        if lines.is_empty() {
            return lines;
        }
        let mut next = 0;
        let mut places: Vec<usize> = Vec::with_capacity(self.puzzles.len());
        for record in &self.puzzles {
            places.push(next);
            next += record.more();
        }
        for (puzzle, line) in &self.more {
            let place = &mut places[*puzzle as usize];
            lines[*place] = *line;
            *place += 1;
        }
        lines
    }
}

/// An engine on the instructions that this CPU has.
pub(super) trait Batch: Send {
    /// Searches for up to `limit` solutions of each of these puzzles.
    fn solve(&mut self, lines: &[PuzzleLine], limit: usize, limits: Limits) -> Records;
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
    fn solve(&mut self, lines: &[PuzzleLine], limit: usize, limits: Limits) -> Records {
        self.active = 0;
        self.waiting.clear();
        let mut task = Task {
            limit,
            limits,
            records: Records {
                puzzles: vec![Record::ENTERED; lines.len()],
                more: Vec::new(),
            },
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
        task.records
    }
}

impl<I: Isa> Engine<I> {
    /// Threshold of lanes that still change below which new puzzles are moved on: an idle lane
    /// costs as much as one that works.
    const FEW: u32 = I::LANES as u32 / 2;
    /// Lanes that may be idle, or stuck without a free lane for the second child, before states are
    /// moved: a lane's share of a sweep is cheaper than a move.
    const PATIENCE: u32 = if I::LANES < 20 {
        1
    } else {
        I::LANES as u32 / 10
    };

    pub(super) fn new(isa: I) -> Engine<I> {
        Engine {
            isa,
            fresh: Group::new(isa),
            work: Group::new(isa),
            active: 0,
            waiting: Waiting::new(isa),
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
            let swept = self.isa.run(Sweep {
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
        let mut sweeps = 0;
        task.looked = Instant::now();
        loop {
            let idle = all_lanes::<I>() & !self.active;
            if idle.count_ones() >= Self::PATIENCE {
                let enter = |puzzle, child| task.enter(puzzle, child);
                self.active |= self.waiting.pop(&mut self.work, idle, enter);
                let still_idle = (all_lanes::<I>() & !self.active).count_ones();
                if self.active == 0 || (!to_the_end && still_idle >= Self::PATIENCE) {
                    return;
                }
            }
            sweeps += 1;
            if sweeps % CLOCK == 0
                && let Some(limit) = task.limits.time
            {
                self.share_time(limit, task);
            }
            let swept = self.isa.run(Sweep {
                cells: &mut self.work.cells,
            });
            let solved = self.active & swept.solved;
            self.active &= !(swept.dead | swept.solved);
            if task.record(self.isa, &self.work, solved) {
                self.active &= !self.ended(task);
            }
            let stuck = self.active & swept.still;
            if stuck != 0 {
                self.branch(stuck, task);
            }
        }
    }

    /// Branches in stuck lanes: their second children take idle lanes, or wait where there are too
    /// few.
    fn branch(&mut self, stuck: u32, task: &mut Task) {
        let idle = all_lanes::<I>() & !self.active;
        let may_wait = stuck.count_ones() > idle.count_ones() + Self::PATIENCE;
        if idle == 0 && !may_wait {
            return;
        }
        let (branch, without) = self.isa.run(Choose {
            cells: &self.work.cells,
        });
        let mut sources: [u16; MAX_LANES] = std::array::from_fn(|lane| lane as u16);
        let (mut parents, mut children, mut sown) = (0, 0, 0);
        let mut refused = false;
        let mut free = lanes(idle);
        for lane in lanes(stuck) {
            let puzzle = self.work.puzzles[lane];
            if without >> lane & 1 == 1 {
                if task.guess(puzzle) {
                    self.branch_on_cell(lane);
                } else {
                    refused = true;
                }
                continue;
            }
            let place = free.next();
            if place.is_none() && !may_wait {
                break;
            }
            if !task.guess(puzzle) {
                refused = true;
                continue;
            }
            parents |= 1 << lane;
            match place {
                Some(child) => {
                    if task.enter(puzzle, true) {
                        sources[child] = lane as u16;
                        self.work.puzzles[child] = puzzle;
                        children |= 1 << child;
                    } else {
                        refused = true;
                    }
                }
                None => sown |= 1 << lane,
            }
        }
        self.waiting.push_children(&self.work, sown, &branch);
        self.isa.run(Split {
            cells: &mut self.work.cells,
            branch: &branch,
            parents,
            children,
            sources: &sources,
        });
        self.active |= children;
        if refused {
            self.active &= !self.ended(task);
        }
    }

    /// Branches on a cell: one candidate of it, or all others.
    fn branch_on_cell(&mut self, lane: usize) {
        let fewest = self.isa.run(FewestCandidates {
            cells: &self.work.cells,
            lane,
        });
        let Some((cell, candidates)) = fewest else {
            // Solved or dead, as the next sweep will say.
            return;
        };
        let first = candidates & candidates.wrapping_neg();
        self.waiting
            .push_cell_child(&self.work, lane, cell, candidates & !first);
        self.isa.run(Set {
            cell: &mut self.work.cells[cell],
            lane,
            candidates: first,
        });
    }

    /// Returns the active lanes whose puzzles have ended.
    fn ended(&self, task: &Task) -> u32 {
        let ended = |lane: &usize| task.records.puzzles[self.work.puzzles[*lane] as usize].ended;
        lanes(self.active)
            .filter(ended)
            .fold(0, |set, lane| set | 1 << lane)
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
        self.active &= !self.ended(task);
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

    /// Records the solutions in these lanes. Returns whether a puzzle has ended with that.
    fn record<I: Isa>(&mut self, isa: I, group: &Group<I>, solved: u32) -> bool {
        if solved == 0 {
            return false;
        }
        let mut ended = false;
        let mut lines = [[0; ROW]; MAX_LANES];
        isa.run(Write {
            cells: &group.cells,
            lines: &mut lines,
        });
        for lane in lanes(solved) {
            let puzzle = group.puzzles[lane];
            let record = &mut self.records.puzzles[puzzle as usize];
            if record.ended {
                continue;
            }
            if record.found == 0 {
                record.first = lines[lane];
            } else {
                self.records.more.push((puzzle, lines[lane]));
            }
            record.found += 1;
            record.ended = record.found >= self.limit;
            ended |= record.ended;
        }
        ended
    }
}
