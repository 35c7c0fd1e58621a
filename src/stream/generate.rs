//! Seeds in, puzzles out.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pump::{End, StreamError};
use crate::grid::Puzzle;
use crate::parallel::map_in_order;
use crate::solve::{GenerateConfig, Generator, Kind};
use crate::variant::{
    GenerateError, VariantGenerator, VariantKind, VariantPuzzle, VariantSolution,
};

/// Puzzles that a thread makes at a time, of a kind that takes microseconds.
const BATCH: u64 = 64;
/// The same of small boards that are not classic.
const VARIANT_BATCH: u64 = 8;

/// Makes the first `count` puzzles of a kind and seed on all threads and hands them to `write` in their
/// order, some at a time. Runs in the current rayon pool; once it is asked to stop, it begins no further ones.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
pub fn generate_all(
    kind: Kind,
    seed: u64,
    count: u64,
    stop: &AtomicBool,
    write: &mut (dyn FnMut(Vec<Puzzle>) -> io::Result<()> + Send),
) -> Result<End, StreamError> {
    let batch = match kind {
        Kind::Hard => 1,
        Kind::Easy | Kind::Minimal => BATCH,
    };
    let make = |numbers: Range<u64>| {
        let mut generator = Generator::new(GenerateConfig::default());
        numbers
            .map(|number| generator.puzzle(kind, seed, number))
            .collect()
    };
    numbered(count, batch, stop, make, write)
}

/// A puzzle of any layout and its solution, or why it cannot be made.
pub type VariantMade = Result<(VariantPuzzle, VariantSolution), GenerateError>;

/// [`generate_all`] for boards of other sizes and shapes.
///
/// # Errors
/// See [`StreamError`]. A pipe that was closed at its other end is no error.
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

/// Makes what belongs to the numbers below `count`, `batch` of them at a time, on all threads.
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
