//! Another program as a row: puzzles into its stdin, answers out of its stdout, then the same checks.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::verify::{Reference, Wrong, check};
use crate::grid::{CandidateGrid, Cell, Puzzle, Solution};
use crate::solve::{Goal, Verdict};

/// Between two looks at a program that runs.
const LOOK: Duration = Duration::from_millis(2);
/// Time for the pipes of a program to close after it has ended or was killed.
const CLOSING: Duration = Duration::from_secs(2);
/// Starts of which the shortest counts as the start-up.
const STARTS: usize = 3;
/// A start-up that takes longer is none.
const LONGEST_START: Duration = Duration::from_secs(5);
/// The longest line of an answer, in bytes.
const LONGEST_ANSWER: u64 = 64 * 1024;
/// Bytes of stderr that are kept, from its end.
const TAIL: usize = 2048;

/// A program that reads puzzles, a line each, and writes an answer line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// What its row is called.
    pub name: String,
    program: String,
    arguments: Vec<String>,
}

/// Why a text is not `NAME=CMD`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExternalError {
    /// There is no name.
    #[error("expected NAME=CMD, such as other='./other --quiet'")]
    NoName,
    /// There is no command.
    #[error("there is no command after {0}=")]
    NoCommand(String),
    /// A quote is open.
    #[error("a quote in the command of {0} is not closed")]
    OpenQuote(String),
}

impl FromStr for External {
    type Err = ExternalError;

    /// Reads `NAME=CMD`; the command is split as a shell does, but no shell runs it.
    fn from_str(text: &str) -> Result<External, ExternalError> {
        let (name, command) = text.split_once('=').ok_or(ExternalError::NoName)?;
        if name.trim().is_empty() {
            return Err(ExternalError::NoName);
        }
        let name = name.trim().to_owned();
        let words = shell_words::split(command);
        let words = words.map_err(|_| ExternalError::OpenQuote(name.clone()))?;
        let mut words = words.into_iter();
        match words.next() {
            Some(program) => Ok(External {
                name,
                program,
                arguments: words.collect(),
            }),
            None => Err(ExternalError::NoCommand(name)),
        }
    }
}

/// How a program ended.
#[derive(Debug)]
pub(super) struct Finish {
    /// From its start to the end of its answers.
    pub(super) wall: Duration,
    /// Whether it was killed because its time was up.
    pub(super) cut: bool,
    /// What else went wrong.
    pub(super) failure: Option<String>,
}

impl External {
    /// How long it takes to start and to find that there is nothing to do; nothing for a program that
    /// does not end then.
    pub(super) fn startup(&self, stop: &AtomicBool) -> io::Result<Duration> {
        let mut shortest = LONGEST_START;
        for _ in 0..STARTS {
            let finish = self.run(io::empty(), io::sink(), LONGEST_START, stop)?;
            if finish.cut {
                return Ok(Duration::ZERO);
            }
            shortest = shortest.min(finish.wall);
        }
        Ok(shortest)
    }

    /// Runs it once. However it buffers, nothing can block: its stdin, stdout and stderr have a
    /// thread each.
    pub(super) fn run(
        &self,
        mut puzzles: impl Read + Send + 'static,
        mut answers: impl io::Write + Send + 'static,
        limit: Duration,
        stop: &AtomicBool,
    ) -> io::Result<Finish> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            // A group of its own, so that it can be killed with all that it has started.
            command.process_group(0);
        }
        let start = Instant::now();
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        // A program that has seen enough closes its stdin: what it answers decides.
        let writer = thread::spawn(move || {
            let _ = stdin.map(|mut stdin| io::copy(&mut puzzles, &mut stdin));
        });
        let reader = thread::spawn(move || {
            let copied = stdout.map_or(Ok(0), |mut stdout| io::copy(&mut stdout, &mut answers));
            (Instant::now(), copied.and_then(|_| answers.flush()))
        });
        let complaints = thread::spawn(move || stderr.map_or_else(Vec::new, tail));

        let mut cut = false;
        let mut status = None;
        while !(reader.is_finished() && status.is_some()) {
            status = child.try_wait()?;
            let stopped = stop.load(Ordering::Relaxed);
            if !cut && (start.elapsed() > limit || stopped) {
                cut = true;
                kill(&mut child);
                status = Some(child.wait()?);
                wait_for(&reader);
                break;
            }
            thread::sleep(LOOK);
        }
        wait_for(&writer);
        wait_for(&complaints);
        let ended = reader.is_finished().then(|| reader.join().ok()).flatten();
        let told = complaints.is_finished().then(|| complaints.join().ok());
        let wall = match &ended {
            Some((end, _)) if !cut => *end - start,
            _ => start.elapsed().min(limit),
        };
        let failure = match (ended, status) {
            (Some((_, Err(error))), _) => Some(format!("its answers cannot be kept: {error}")),
            _ if cut => None,
            (_, Some(status)) if !status.success() => {
                Some(died(status, &told.flatten().unwrap_or_default()))
            }
            _ => None,
        };
        Ok(Finish { wall, cut, failure })
    }
}

fn wait_for<T>(thread: &JoinHandle<T>) {
    let start = Instant::now();
    while !thread.is_finished() && start.elapsed() < CLOSING {
        thread::sleep(LOOK);
    }
}

/// Ends a program and all that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Ok(id) = i32::try_from(child.id()) {
            // A group that is gone needs no killing.
            let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
        }
    }
    // One that has ended needs no killing either.
    let _ = child.kill();
}

/// The end of what a program says.
fn tail(mut source: impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = [0; TAIL];
    while let Ok(length) = source.read(&mut buffer) {
        if length == 0 {
            break;
        }
        kept.extend_from_slice(&buffer[..length]);
        let old = kept.len().saturating_sub(TAIL);
        kept.drain(..old);
    }
    kept
}

/// How it ended, and the last thing it said.
fn died(status: ExitStatus, told: &[u8]) -> String {
    let told = String::from_utf8_lossy(told);
    let last = told.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map_or_else(String::new, |line| format!(": {}", line.trim()));
    format!("it ended with {status}{last}")
}

/// What a line of an external program says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A solution; more may follow it on the line.
    Board(Box<Puzzle>),
    Unsolvable,
    Multiple,
    Stuck,
    Timeout,
}

impl Answer {
    /// Reads a line.
    pub(super) fn parse(line: &[u8]) -> Option<Answer> {
        let line = line.trim_ascii();
        match line {
            b"unsolvable" => return Some(Answer::Unsolvable),
            b"multiple" => return Some(Answer::Multiple),
            b"stuck" => return Some(Answer::Stuck),
            b"timeout" => return Some(Answer::Timeout),
            _ => {}
        }
        let digits = line.get(..Cell::COUNT)?;
        let full = digits.iter().all(|byte| matches!(byte, b'1'..=b'9'));
        let ends = line
            .get(Cell::COUNT)
            .is_none_or(|byte| !byte.is_ascii_digit());
        let text = std::str::from_utf8(digits).ok().filter(|_| full && ends)?;
        text.parse()
            .ok()
            .map(|board| Answer::Board(Box::new(board)))
    }

    /// The answer as a verdict, if it is right. A solution is a claim of just what was asked for:
    /// that it is the only one, where that is the goal.
    pub(super) fn check(
        &self,
        puzzle: &Puzzle,
        goal: Goal,
        reference: &Reference,
    ) -> Result<Verdict, Wrong> {
        let verdict = match self {
            Answer::Board(board) => {
                let solution = Solution::of_board(board).ok_or(Wrong::Rules)?;
                match goal {
                    Goal::FirstSolution => Verdict::Solved(solution),
                    Goal::ProveUnique | Goal::Count(_) => Verdict::Unique(solution),
                }
            }
            Answer::Unsolvable => Verdict::Unsolvable,
            // It shows none, so only the reference can tell.
            Answer::Multiple => {
                return match reference {
                    Reference::Multiple(two) => Ok(Verdict::Multiple(two.to_vec())),
                    Reference::Unknown => Ok(Verdict::Multiple(Vec::new())),
                    Reference::Unique(_) | Reference::Unsolvable => Err(Wrong::NotMultiple),
                };
            }
            Answer::Stuck => Verdict::Stuck(Box::new(CandidateGrid::empty())),
            Answer::Timeout => Verdict::OutOfBudget,
        };
        check(puzzle, goal, &verdict, reference).map(|()| verdict)
    }
}

/// The answer lines of a program, from the file they were kept in.
pub(super) struct AnswerLines {
    source: BufReader<File>,
    number: u64,
    /// Whether the program was killed, so that its last line may be a part of one.
    cut: bool,
}

impl AnswerLines {
    pub(super) fn new(file: File, cut: bool) -> AnswerLines {
        AnswerLines {
            source: BufReader::with_capacity(64 * 1024, file),
            number: 0,
            cut,
        }
    }

    /// The next line; nothing at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        let mut source = self.source.by_ref().take(LONGEST_ANSWER);
        source.read_until(b'\n', &mut line)?;
        let is_whole = line.last() == Some(&b'\n') || !self.cut;
        self.number += 1;
        Ok((is_whole && !line.is_empty()).then_some(line))
    }

    /// Number of the line that was given last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}

/// The start of a line, for a message.
pub(super) fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii());
    let mut start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("{start:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let external: External = "mine=./a 'b c' \"d\"".parse().unwrap();
        assert_eq!(external.name, "mine");
        assert_eq!(external.program, "./a");
        assert_eq!(external.arguments, ["b c", "d"]);
        let error = |text: &str| text.parse::<External>().unwrap_err();
        assert_eq!(error("no name"), ExternalError::NoName);
        assert_eq!(error("=x"), ExternalError::NoName);
        assert_eq!(error("a= "), ExternalError::NoCommand("a".to_owned()));
        assert_eq!(error("a='x"), ExternalError::OpenQuote("a".to_owned()));
    }

    #[test]
    fn lines_are_answers_or_they_are_not() {
        let digits = "123456789".repeat(9);
        let board = Answer::Board(Box::new(digits.parse().unwrap()));
        for line in [
            digits.clone(),
            format!(" {digits}\r\n"),
            format!("{digits},{digits}"),
        ] {
            assert_eq!(Answer::parse(line.as_bytes()), Some(board.clone()));
        }
        assert_eq!(Answer::parse(b"unsolvable\n"), Some(Answer::Unsolvable));
        for line in [
            "",
            "no",
            &digits[1..],
            &digits.replace('1', "."),
            &format!("{digits}1"),
        ] {
            assert_eq!(Answer::parse(line.as_bytes()), None, "{line}");
        }
        // A board that breaks the rules is read, and is wrong.
        let puzzle = Puzzle::empty();
        let wrong = board.check(&puzzle, Goal::FirstSolution, &Reference::Unknown);
        assert_eq!(wrong, Err(Wrong::Rules));
    }
}
