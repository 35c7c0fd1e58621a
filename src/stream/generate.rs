//! Seeds in, puzzles out.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pump::{End, StreamError};
use crate::grid::Puzzle;
use crate::parallel::map_in_order;
use crate::solve::{GenerateConfig, Generator, Kind};

/// Puzzles that a thread makes at a time, of a kind that takes microseconds.
const BATCH: u64 = 64;

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
    let starts = (0..count).step_by(batch as usize);
    let starts = starts.take_while(|_| !stop.load(Ordering::Relaxed));
    let make = |start: u64| {
        let mut generator = Generator::new(GenerateConfig::default());
        let numbers = start..count.min(start + batch);
        numbers
            .map(|number| generator.puzzle(kind, seed, number))
            .collect()
    };
    let mut made = 0;
    let written = map_in_order(starts, make, |puzzles: Vec<Puzzle>| {
        made += puzzles.len() as u64;
        write(puzzles)
    });
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::Closed),
        Err(error) => Err(error.into()),
        Ok(()) if made < count => Ok(End::Interrupted),
        Ok(()) => Ok(End::Complete),
    }
}
