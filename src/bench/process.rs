//! A running external program: puzzles to its stdin, answers from its stdout.

use std::io::{self, Read, Write};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use core_affinity::CoreId;

use super::external::External;
use super::guard::Guard;
use super::work::Context;

/// Interval of checking whether the run was stopped.
const LOOK: Duration = Duration::from_millis(50);
/// Time for a program to end, and for its pipes to close.
const CLOSING: Duration = Duration::from_secs(2);
/// Longest line of an answer, in bytes.
const LONGEST_ANSWER: usize = 64 * 1024;
/// Bytes of stderr that are kept, from its end.
const TAIL: usize = 2048;

/// A running program. Whatever its buffering, nothing can block: its stdin, stdout and stderr have
/// a thread each, which do not run on its core.
pub(super) struct Process {
    child: Child,
    /// Channel to the thread that writes to its stdin; `None` after that was closed.
    input: Option<Sender<Vec<u8>>>,
    /// Chunks of its stdout, with times.
    output: Receiver<(Instant, Vec<u8>)>,
    complaints: JoinHandle<Vec<u8>>,
}

/// Answers of a program.
pub(super) struct Reply {
    /// The lines, the last one possibly incomplete.
    pub(super) text: Vec<u8>,
    /// Time of the last chunk, or of the end of waiting.
    pub(super) end: Instant,
    pub(super) ended: Ended,
}

/// Why reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is a line for each puzzle.
    Answered,
    /// There is more than that.
    TooMuch,
    /// The program has closed its stdout.
    Closed,
    /// The time was up, or the run was stopped.
    TimeUp,
}

impl Process {
    /// Starts the program on the core of this thread, with a guard.
    pub(super) fn start(
        external: &External,
        others: Option<CoreId>,
        guard: &mut Guard,
    ) -> io::Result<Process> {
        let mut child = external.command().spawn()?;
        guard.watch(child.id());
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, lines) = channel::<Vec<u8>>();
        let (sender, output) = channel();
        let away = move || others.map(core_affinity::set_for_current);
        thread::spawn(move || {
            away();
            let Some(mut stdin) = stdin else { return };
            // A program that has seen enough closes its stdin: what it answers decides.
            while let Ok(text) = lines.recv() {
                if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        thread::spawn(move || {
            away();
            let Some(mut stdout) = stdout else { return };
            let mut buffer = vec![0; LONGEST_ANSWER];
            while let Ok(length @ 1..) = stdout.read(&mut buffer) {
                let text = buffer[..length].to_vec();
                if sender.send((Instant::now(), text)).is_err() {
                    break;
                }
            }
        });
        let complaints = thread::spawn(move || {
            away();
            stderr.map_or_else(Vec::new, tail)
        });
        Ok(Process {
            child,
            input: Some(input),
            output,
            complaints,
        })
    }

    /// Sends lines, and waits for as many answers. After the last lines its stdin is closed, and
    /// everything up to the end of its stdout belongs to the answer.
    pub(super) fn ask(
        &mut self,
        lines: Vec<u8>,
        is_last: bool,
        limit: Duration,
        context: Context<'_>,
    ) -> Reply {
        let start = Instant::now();
        let wanted = newlines(&lines);
        if let Some(input) = &self.input {
            // Where the thread is gone the program has closed its stdin.
            let _ = input.send(lines);
        }
        if is_last {
            self.input = None;
        }
        let (mut text, mut end) = (Vec::new(), start);
        let (mut found, mut unfinished) = (0, 0);
        let ended = loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok((time, more)) => {
                    found += newlines(&more);
                    let tail = more.iter().rev().position(|&byte| byte == b'\n');
                    unfinished = tail.unwrap_or(unfinished + more.len());
                    text.extend(more);
                    end = time;
                    if found > wanted || unfinished > LONGEST_ANSWER {
                        break Ended::TooMuch;
                    } else if found == wanted && !is_last {
                        let is_more = unfinished > 0;
                        break if is_more {
                            Ended::TooMuch
                        } else {
                            Ended::Answered
                        };
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break Ended::Closed,
                Err(RecvTimeoutError::Timeout) => {
                    if start.elapsed() >= limit || context.is_stopped() {
                        end = Instant::now();
                        break Ended::TimeUp;
                    }
                }
            }
        };
        Reply { text, end, ended }
    }

    /// Returns whether unrequested output comes within this time, or stdout closes.
    pub(super) fn writes_unasked(&self, time: Duration) -> bool {
        self.output.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
    }

    /// Waits for the program to end; returns what went wrong with it, if anything.
    pub(super) fn finish(mut self) -> Option<String> {
        self.input = None;
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) if start.elapsed() < CLOSING => thread::sleep(Duration::from_millis(1)),
                // It has said all that it was asked for.
                _ => return None,
            }
        };
        while !self.complaints.is_finished() && start.elapsed() < CLOSING {
            thread::sleep(Duration::from_millis(1));
        }
        (!status.success()).then(|| {
            let is_done = self.complaints.is_finished();
            let complaints = std::mem::replace(&mut self.complaints, thread::spawn(Vec::new));
            let said = is_done.then(|| complaints.join().ok()).flatten();
            died(status, &said.unwrap_or_default())
        })
    }
}

impl Drop for Process {
    /// Kills the program and all that it has started.
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, killpg};
            use nix::unistd::Pid;
            if let Ok(id) = i32::try_from(self.child.id()) {
                // A group that is gone needs no killing.
                let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
            }
        }
        // One that has ended needs no killing either.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn newlines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Returns the last part of a stream.
fn tail(mut source: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; TAIL];
    while let Ok(length @ 1..) = source.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        let old = kept.len().saturating_sub(TAIL);
        kept.drain(..old);
    }
    kept
}

/// Returns how the program ended, and its last message.
fn died(status: ExitStatus, said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map_or_else(String::new, |line| format!(": {}", line.trim()));
    format!("it ended with {status}{last}")
}
