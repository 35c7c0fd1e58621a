//! The pipeline of all streams: reads, works and writes at the same time, in input order, in
//! constant memory.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use crate::generate::NoPuzzleOfPattern;
use crate::parallel::map_in_order;
use crate::variant::GenerateError;

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The corpus was read to its end.
    Complete,
    /// It was stopped; all that was begun is answered.
    Interrupted,
    /// The output was closed.
    Closed,
}

/// Why a stream ended early.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The answers cannot be written.
    #[error("cannot write the answers: {0}")]
    Write(#[from] io::Error),
    /// A puzzle cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A puzzle with these givens cannot be found.
    #[error(transparent)]
    Pattern(#[from] NoPuzzleOfPattern),
}

/// Works on chunks, each while the next one is read and the results of the last one are written. An
/// empty chunk is the end.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub(super) fn run_pipeline<B: Send, A: Send>(
    read: &mut (dyn FnMut() -> Vec<B> + Send),
    work: impl Fn(Vec<B>) -> Vec<A> + Send + Sync,
    write: &mut (dyn FnMut(Vec<A>) -> io::Result<()> + Send),
    stop: &AtomicBool,
) -> Result<End, StreamError> {
    let mut chunk = read();
    let mut results = Vec::new();
    let written = loop {
        if chunk.is_empty() {
            break write(results);
        }
        let (worked, next) = rayon::join(|| work(chunk), || write(results).map(|()| read()));
        results = worked;
        match next {
            Ok(next) => chunk = next,
            Err(error) => break Err(error),
        }
    };
    ended(written, stop)
}

/// Number of puzzles that are worked on while the next ones are read.
const CHUNK: usize = 512;

/// Works on each puzzle by itself, on all threads, and passes the results on in input order. Runs
/// in the current rayon pool; once `stop` is set, it begins no further puzzle.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn each_in_order<E: Send, F: Send, T: Send>(
    mut entries: impl Iterator<Item = Result<E, F>> + Send,
    stop: &AtomicBool,
    work: impl Fn(E) -> T + Send + Sync,
    write: &mut (dyn FnMut(Result<T, F>) -> io::Result<()> + Send),
) -> Result<End, StreamError> {
    let mut read = || {
        let count = if stop.load(Ordering::Relaxed) {
            0
        } else {
            CHUNK
        };
        entries.by_ref().take(count).collect()
    };
    let work = |chunk: Vec<Result<E, F>>| {
        let worked = chunk.into_par_iter().with_max_len(1);
        let is_stopped = || stop.load(Ordering::Relaxed);
        let worked: Vec<Option<Result<T, F>>> = worked
            .map(|entry| (!is_stopped()).then(|| entry.map(&work)))
            .collect();
        worked.into_iter().map_while(|result| result).collect()
    };
    let mut write_all = |results: Vec<Result<T, F>>| results.into_iter().try_for_each(&mut *write);
    run_pipeline(&mut read, work, &mut write_all, stop)
}

/// Works like [`each_in_order`], for puzzles that may take long: results are written at once, and
/// puzzles not done when `stop` is set are dropped.
///
/// # Errors
///
/// [`StreamError`]. A pipe closed by its reader is no error.
pub fn each_at_once<E: Send, F: Send, T: Send>(
    entries: impl Iterator<Item = Result<E, F>> + Send,
    stop: &AtomicBool,
    work: impl Fn(E) -> T + Send + Sync,
    write: &mut (dyn FnMut(Result<T, F>) -> io::Result<()> + Send),
) -> Result<End, StreamError> {
    let is_stopped = || stop.load(Ordering::Relaxed);
    let work = |entry: Result<E, F>| {
        let done = entry.map(&work);
        (!is_stopped()).then_some(done)
    };
    let mut is_cut = false;
    let write = |done: Option<Result<T, F>>| match done {
        Some(done) if !is_cut => write(done),
        _ => {
            is_cut = true;
            Ok(())
        }
    };
    ended(
        map_in_order(entries.take_while(|_| !is_stopped()), work, write),
        stop,
    )
}

/// Returns how a stream ended, from the result of writing.
pub(super) fn ended(written: io::Result<()>, stop: &AtomicBool) -> Result<End, StreamError> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::Closed),
        Err(error) => Err(error.into()),
        Ok(()) if stop.load(Ordering::Relaxed) => Ok(End::Interrupted),
        Ok(()) => Ok(End::Complete),
    }
}
