//! The row of an external program: the same rounds on the same core, with all answers checked.
//!
//! A block of puzzles is timed from the first byte into stdin to the last byte out of stdout,
//! including pipes and wake-ups of threads. A program that answers each line as it comes is started
//! once, before the clock, and gets block after block. One that answers only at the end of its
//! input is started for every round, and then its start is timed too.

use std::io;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use core_affinity::CoreId;

use super::clock::{CalibrationLoop, nanoseconds};
use super::config::{Repeat, goal_name};
use super::contender::Contender;
use super::event::{Sample, WrongAnswer};
use super::external::{External, excerpt};
use super::guard::Guard;
use super::measurement::SolverMeasurement;
use super::process::{Ended, Process, Reply};
use super::rounds::Round;
use super::work::{Context, FIRST_WARM_UP, ROUND_NS, Turn, WARM_UP, Work};
use crate::solve::Goal;
use crate::statistics::median;

/// Least time limit for answers to the warm-up.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a program that has answered must be silent before it gets further lines.
const SILENCE: Duration = Duration::from_millis(20);
/// Number of starts, of which the median is the start-up time.
const STARTS: usize = 5;

/// How a program is run.
enum Mode {
    /// Not started yet.
    New,
    /// One process for all rounds, and whether it has answered a round already.
    Lasting(Process, bool),
    /// A process for each round.
    EachRound,
}

/// A program and its results on this corpus so far.
pub(super) struct Program<'a, C> {
    external: &'a External,
    goal: Goal,
    pub(super) referee: &'static str,
    contender: PhantomData<C>,
    /// The core for the threads that serve its pipes.
    others: Option<CoreId>,
    mode: Mode,
    /// Must be dropped after the process that it watches.
    guard: Guard,
    /// Nanoseconds per puzzle, if known.
    pace_ns: Option<f64>,
    calibration: CalibrationLoop,
    pub(super) measurement: SolverMeasurement,
    /// Every answered puzzle of the chunk.
    pub(super) samples: Vec<Sample>,
    /// Wrong answers since the last report.
    pub(super) wrong: Vec<WrongAnswer>,
}

impl<'a, C: Contender> Program<'a, C> {
    pub(super) fn new(
        external: &'a External,
        goal: Goal,
        others: Option<CoreId>,
    ) -> Program<'a, C> {
        let referee = C::referee(&external.name);
        Program {
            external,
            goal,
            referee,
            contender: PhantomData,
            others,
            mode: Mode::New,
            guard: Guard::start(),
            pace_ns: None,
            calibration: CalibrationLoop::new(),
            measurement: SolverMeasurement {
                solver: external.name.clone(),
                goal: goal_name(goal),
                referee: referee.to_owned(),
                is_external: true,
                ..SolverMeasurement::default()
            },
            samples: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Returns the nanoseconds per puzzle, as far as they are known.
    pub(super) fn pace_ns(&self) -> f64 {
        self.pace_ns.unwrap_or(0.0)
    }

    /// Returns whether it takes no part in further rounds.
    pub(super) fn is_out(&self) -> bool {
        self.measurement.cut || self.measurement.failure.is_some()
    }

    /// Returns whether there are enough rounds.
    pub(super) fn has_enough(&self, repeat: Repeat) -> bool {
        let spent = Duration::from_nanos(self.measurement.rounds.spent_ns());
        let rounds = self.measurement.rounds.count();
        spent >= repeat.enough || rounds >= repeat.rounds && spent >= repeat.least
    }

    /// Times the puzzles of a round. A failure of the program invalidates the row.
    pub(super) fn round(&mut self, turn: &Turn, work: &Work<'_, C>, context: Context<'_>) {
        if self.is_out() || context.is_stopped() {
            return;
        }
        if let Err(error) = self.try_round(turn, work, context) {
            self.measurement.failure = Some(format!("it cannot be run: {error}"));
        }
    }

    fn try_round(
        &mut self,
        turn: &Turn,
        work: &Work<'_, C>,
        context: Context<'_>,
    ) -> io::Result<()> {
        if matches!(self.mode, Mode::New) {
            self.begin(work, context)?;
        }
        let calibration_ns = self.calibration.time();
        self.warm_up(WARM_UP, work, context)?;
        let count = turn.places.len();
        let fit = self
            .pace_ns
            .map_or(1.0, |pace| ROUND_NS / (pace * count as f64));
        let passes = (fit as usize).clamp(1, (context.config.block / count).max(1));
        let order = turn.passes(passes, context.config.seed);
        let text = text::<C>(&work.lines_at(&order));
        let spent = Duration::from_nanos(self.measurement.rounds.spent_ns());
        let limit = context.config.budget.saturating_sub(spent);

        let (reply, start) = match &mut self.mode {
            Mode::Lasting(process, is_proven) => {
                let start = Instant::now();
                let reply = process.ask(text, false, limit, context);
                let is_good = reply.ended == Ended::Answered
                    && (*is_proven || !process.writes_unasked(SILENCE));
                let is_cut = reply.ended == Ended::TimeUp && !reply.text.is_empty();
                if !(is_good || is_cut || *is_proven) {
                    // It may do better with a process for itself.
                    self.start_each_round(work, context)?;
                    return self.try_round(turn, work, context);
                }
                *is_proven = true;
                (reply, start)
            }
            Mode::New | Mode::EachRound => {
                let start = Instant::now();
                let mut process = Process::start(self.external, self.others, &mut self.guard)?;
                let reply = process.ask(text, true, limit, context);
                let is_over = matches!(reply.ended, Ended::Closed | Ended::Answered);
                self.measurement.failure = process.finish().filter(|_| is_over);
                (reply, start)
            }
        };
        let round = (start, calibration_ns);
        self.settle(turn, &order, &reply, round, work, context);
        Ok(())
    }

    /// Starts the program and determines its mode.
    fn begin(&mut self, work: &Work<'_, C>, context: Context<'_>) -> io::Result<()> {
        let mut process = Process::start(self.external, self.others, &mut self.guard)?;
        let reply = process.ask(text::<C>(&work.warm_up[..1]), false, PATIENCE, context);
        if reply.ended == Ended::Answered && !process.writes_unasked(SILENCE) {
            self.mode = Mode::Lasting(process, false);
            self.warm_up(FIRST_WARM_UP, work, context)
        } else {
            self.start_each_round(work, context)
        }
    }

    /// Switches to a start for each round. Measures the start-up, and the pace on the warm-up.
    fn start_each_round(&mut self, work: &Work<'_, C>, context: Context<'_>) -> io::Result<()> {
        self.mode = Mode::EachRound;
        self.pace_ns = None;
        let mut startups = Vec::new();
        for _ in 0..STARTS {
            let start = Instant::now();
            let mut process = Process::start(self.external, self.others, &mut self.guard)?;
            let reply = process.ask(Vec::new(), true, PATIENCE, context);
            if reply.ended == Ended::TimeUp {
                break;
            }
            startups.push(start.elapsed().as_secs_f64());
        }
        self.measurement.startup_s = (!startups.is_empty()).then(|| median(&mut startups));
        let start = Instant::now();
        let mut process = Process::start(self.external, self.others, &mut self.guard)?;
        let reply = process.ask(text::<C>(&work.warm_up), true, PATIENCE, context);
        self.set_pace(start, &reply, work.warm_up.len());
        Ok(())
    }

    /// Warms up a lasting process with puzzles that are not timed, for as long as all rows.
    fn warm_up(
        &mut self,
        time: Duration,
        work: &Work<'_, C>,
        context: Context<'_>,
    ) -> io::Result<()> {
        let end = Instant::now() + time;
        for lines in work.warm_up_calls() {
            let Mode::Lasting(process, is_proven) = &mut self.mode else {
                return Ok(());
            };
            if Instant::now() >= end || context.is_stopped() {
                break;
            }
            let start = Instant::now();
            let reply = process.ask(text::<C>(lines), false, PATIENCE, context);
            if reply.ended != Ended::Answered && !context.is_stopped() {
                if *is_proven {
                    return Err(io::Error::other("it stopped answering"));
                }
                return self.start_each_round(work, context);
            }
            self.set_pace(start, &reply, lines.len());
        }
        Ok(())
    }

    fn set_pace(&mut self, start: Instant, reply: &Reply, count: usize) {
        let is_whole = memchr::memchr_iter(b'\n', &reply.text).count() == count;
        if is_whole && reply.ended != Ended::TimeUp {
            let ns = nanoseconds(reply.end - start).max(1);
            self.pace_ns = Some(ns as f64 / count as f64);
        }
    }

    /// Checks the answers of a round, and adds it.
    fn settle(
        &mut self,
        turn: &Turn,
        order: &[usize],
        reply: &Reply,
        (start, calibration_ns): (Instant, u64),
        work: &Work<'_, C>,
        context: Context<'_>,
    ) {
        let wanted = order.len();
        let is_cut = reply.ended == Ended::TimeUp;
        let mut answers: Vec<C::Answer> = Vec::with_capacity(wanted);
        let mut unreadable = None;
        for line in reply.text.split_inclusive(|&byte| byte == b'\n') {
            // Of a program that was killed the last line may be a part of one.
            if is_cut && !line.ends_with(b"\n") || answers.len() == wanted {
                break;
            }
            let asked = &work.lines[order[answers.len()]];
            let Some(answer) = C::read_answer(asked, line, self.goal) else {
                let (number, shown) = (answers.len() + 1, excerpt(line));
                unreadable = Some(format!("its line {number} is no answer: {shown}"));
                break;
            };
            answers.push(answer);
        }
        let done = answers.len();
        let asked = (self.goal, self.referee);
        let kinds = work.check(&order[..done], &answers, asked, &mut self.wrong);
        let counted = done.min(turn.places.len());
        if done > 0 {
            let round = Round {
                number: turn.number,
                puzzles: counted as u64,
                solves: done as u64,
                ns: nanoseconds(reply.end - start).max(1),
                calibration_ns,
            };
            let measurement = &mut self.measurement;
            measurement.add_round(round, turn.is_first, &kinds, &answers);
        }
        if turn.is_first {
            let answered = order[..counted].iter().zip(&kinds);
            self.samples.extend(answered.map(|(&index, &kind)| Sample {
                index,
                kind,
                cost: None,
            }));
        }
        let found = memchr::memchr_iter(b'\n', &reply.text).count();
        let failure = if unreadable.is_some() {
            unreadable
        } else if reply.ended == Ended::TooMuch || found > wanted {
            Some(format!(
                "it gave more answers than there are puzzles ({wanted})"
            ))
        } else if is_cut && done == 0 && !context.is_stopped() {
            Some("it gave no answer within its budget".to_owned())
        } else if !is_cut && done < wanted {
            Some(format!("it gave {done} answers to {wanted} puzzles"))
        } else {
            None
        };
        let own = self.measurement.failure.take();
        self.measurement.failure = own.or(failure);
        self.measurement.cut |= is_cut;
        if self.is_out() {
            self.mode = Mode::New;
        } else {
            self.set_pace(start, reply, done);
        }
    }
}

/// Returns the puzzles in the format for external programs, one per line.
fn text<C: Contender>(lines: &[C::Line]) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        C::write_line(line, &mut text);
        text.push(b'\n');
    }
    text
}
