//! Generates streams of puzzles from seeds.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pipeline::{End, StreamError};
use crate::generate::{
    Distribution, GenerateConfig, Generator, Kind, Made, NoPuzzleOfPattern, Request,
};
use crate::parallel::map_in_order;
use crate::solve::Deadline;
use crate::variant::{
    GenerateError, VariantGenerator, VariantKind, VariantPuzzle, VariantSolution,
};

/// Number of trials that a thread makes at a time, of a kind that takes microseconds.
const BATCH: u64 = 64;
/// The same where puzzles are rated.
const RATED_BATCH: u64 = 16;
/// The same of small boards that are not classic.
const VARIANT_BATCH: u64 = 8;

/// Result of generating puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// How the stream ended.
    pub end: End,
    /// Number of trials: more than puzzles where some failed or were not kept.
    pub trials: u64,
    /// Whether a limit was reached before there were enough puzzles.
    pub gave_up: bool,
}

/// What ends a run before there are as many puzzles as were asked for.
#[derive(Clone, Copy, Debug)]
pub struct DrawLimits<'a> {
    /// Set by whoever wants it to stop.
    pub stop: &'a AtomicBool,
    /// The most trials.
    pub trials: Option<u64>,
    /// When no further ones are begun.
    pub deadline: Deadline,
}

impl DrawLimits<'_> {
    /// No limits but to be stopped.
    pub fn only(stop: &AtomicBool) -> DrawLimits<'_> {
        DrawLimits {
            stop,
            trials: None,
            deadline: Deadline::NONE,
        }
    }
}

/// Generates the first `count` puzzles of a request and seed on all threads and passes them to
/// `write` in order, several at a time or none, with the number of trials so far. Runs in the
/// current rayon pool; past a limit it begins no further ones.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn generate_all(
    request: &Request,
    seed: u64,
    count: u64,
    limits: DrawLimits<'_>,
    write: &mut (dyn FnMut(Vec<Made>, u64) -> io::Result<()> + Send),
) -> Result<Drawn, StreamError> {
    let controlled = request.distribution() == Distribution::Controlled;
    let one_each = request.filter.is_open() && !(controlled && request.kind == Kind::Minimal);
    let batch = match request.filter {
        _ if controlled || !request.patterns.is_empty() => 1,
        filter if filter.er.is_some() || filter.level.is_some() => RATED_BATCH,
        _ => BATCH,
    };
    let most = limits.trials.unwrap_or(u64::MAX);
    let last = if one_each { count.min(most) } else { most };
    let is_stopped = || limits.stop.load(Ordering::Relaxed);
    let wanted =
        |start: &u64| *start < last && count > 0 && !is_stopped() && !limits.deadline.is_over();
    let starts = (0..).step_by(batch as usize).take_while(wanted);
    let make = |start: u64| -> Result<(u64, Vec<Made>), NoPuzzleOfPattern> {
        let mut generator = Generator::new(GenerateConfig::default());
        let end = last.min(start.saturating_add(batch));
        let mut made = Vec::new();
        for number in start..end {
            made.extend(generator.trial(request, seed, number)?);
        }
        Ok((end - start, made))
    };
    let (mut puzzles, mut trials) = (0, 0);
    let drawn = map_in_order(starts, make, |made| {
        let (tried, mut made) = made.map_err(|error| Ending::Error(error.into()))?;
        trials += tried;
        made.truncate(usize::try_from(count - puzzles).unwrap_or(usize::MAX));
        puzzles += made.len() as u64;
        write(made, trials).map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ending::Closed,
            _ => Ending::Error(error.into()),
        })?;
        if puzzles < count {
            Ok(())
        } else {
            Err(Ending::Enough)
        }
    });
    let end = match drawn {
        Err(Ending::Error(error)) => return Err(error),
        Err(Ending::Closed) => End::Closed,
        Err(Ending::Enough) => End::Complete,
        Ok(()) if puzzles < count && is_stopped() => End::Interrupted,
        Ok(()) => End::Complete,
    };
    Ok(Drawn {
        end,
        trials,
        gave_up: end == End::Complete && puzzles < count,
    })
}

/// Why no further trials are made.
enum Ending {
    /// There are as many puzzles as were asked for.
    Enough,
    /// The output was closed.
    Closed,
    Error(StreamError),
}

/// A puzzle of any layout and its solution, or why it cannot be made.
pub type VariantMade = Result<(VariantPuzzle, VariantSolution), GenerateError>;

/// Generates the first `count` puzzles of other sizes and shapes, as [`generate_all`] does classic
/// ones.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn generate_variants(
    kind: VariantKind,
    seed: u64,
    count: u64,
    stop: &AtomicBool,
    write: &mut (dyn FnMut(Vec<VariantMade>) -> io::Result<()> + Send),
) -> Result<End, StreamError> {
    let batch = match kind.layout.regions.side() {
        ..=9 => VARIANT_BATCH,
        _ => 1,
    };
    let make = |numbers: Range<u64>| {
        let mut generator = VariantGenerator::new();
        numbers
            .map(|number| generator.puzzle(kind, seed, number))
            .collect()
    };
    numbered(count, batch, stop, make, write)
}

/// Makes the items of the numbers below `count`, `batch` of them at a time, on all threads.
fn numbered<P: Send>(
    count: u64,
    batch: u64,
    stop: &AtomicBool,
    make: impl Fn(Range<u64>) -> Vec<P> + Send + Sync,
    write: &mut (dyn FnMut(Vec<P>) -> io::Result<()> + Send),
) -> Result<End, StreamError> {
    let starts = (0..count).step_by(batch as usize);
    let starts = starts.take_while(|_| !stop.load(Ordering::Relaxed));
    let make = |start: u64| make(start..count.min(start + batch));
    let mut made = 0;
    let written = map_in_order(starts, make, |puzzles: Vec<P>| {
        made += puzzles.len() as u64;
        write(puzzles)
    });
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::Closed),
        Err(error) => Err(match error.downcast::<GenerateError>() {
            Ok(error) => error.into(),
            Err(error) => error.into(),
        }),
        Ok(()) if made < count => Ok(End::Interrupted),
        Ok(()) => Ok(End::Complete),
    }
}
