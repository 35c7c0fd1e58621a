//! Events of a measurement: problems, single puzzles, progress.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::answer::AnswerKind;
use super::check::Wrong;
use super::problem::Problem;
use super::reader::Chunk;
use crate::corpus::Place;
use crate::solve::Effort;

/// Number of wrong answers of a row that are reported one by one.
const REPORTED: u64 = 5;

/// The result of one solver on one puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Index of the puzzle in its chunk.
    pub index: usize,
    /// How it was answered.
    pub kind: AnswerKind,
    /// The effort, and the nanoseconds; unknown for an external program.
    pub cost: Option<(Effort, u64)>,
}

/// A wrong answer: the index of the puzzle in its chunk, and what is wrong.
pub(super) type WrongAnswer = (usize, Wrong);

/// An event of a measurement.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something is wrong.
    Problem(&'a Problem),
    /// A puzzle was timed; only if asked for.
    Sample {
        /// The corpus.
        corpus: &'a str,
        /// Line of the puzzle in its file.
        line: u64,
        /// The puzzle, as a line of text.
        puzzle: &'a str,
        /// The solver.
        solver: &'a str,
        /// The result.
        sample: Sample,
    },
    /// This many puzzles of the corpus have been read and measured.
    Progress(u64),
}

/// Reports the events of a corpus.
pub(super) struct Reporter<'a> {
    corpus: &'a str,
    file: Arc<str>,
    /// Whether single puzzles are reported.
    per_puzzle: bool,
    /// Number of wrong answers by solver.
    wrong: BTreeMap<String, u64>,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

impl<'a> Reporter<'a> {
    pub(super) fn new(
        corpus: &'a str,
        file: &str,
        per_puzzle: bool,
        on_event: &'a mut dyn FnMut(Event<'_>),
    ) -> Reporter<'a> {
        Reporter {
            corpus,
            file: file.into(),
            per_puzzle,
            wrong: BTreeMap::new(),
            on_event,
        }
    }

    pub(super) fn problem(&mut self, problem: &Problem) {
        (self.on_event)(Event::Problem(problem));
    }

    pub(super) fn progress(&mut self, puzzles: u64) {
        (self.on_event)(Event::Progress(puzzles));
    }

    pub(super) fn samples<P>(
        &mut self,
        solver: &str,
        samples: &[Sample],
        chunk: &Chunk<P>,
        text: fn(&P) -> String,
    ) {
        for &sample in samples.iter().filter(|_| self.per_puzzle) {
            (self.on_event)(Event::Sample {
                corpus: self.corpus,
                line: chunk.lines[sample.index],
                puzzle: &text(&chunk.puzzles[sample.index]),
                solver,
                sample,
            });
        }
    }

    /// Reports the first wrong answers of a solver one by one, and counts the others.
    pub(super) fn wrong(&mut self, solver: &str, wrong: &[WrongAnswer], lines: &[u64]) {
        for &(index, why) in wrong {
            let count = self.wrong.entry(solver.to_owned()).or_default();
            *count += 1;
            if *count <= REPORTED {
                let place = Place {
                    file: Arc::clone(&self.file),
                    line: lines[index],
                };
                let solver = solver.to_owned();
                self.problem(&Problem::Answer { place, solver, why });
            }
        }
    }

    /// Reports that a row is invalid.
    pub(super) fn row(&mut self, solver: &str, why: &str) {
        self.problem(&Problem::Row {
            corpus: self.corpus.to_owned(),
            solver: solver.to_owned(),
            why: why.to_owned(),
        });
    }

    pub(super) fn finish(mut self) {
        for (solver, wrong) in std::mem::take(&mut self.wrong) {
            if wrong > REPORTED {
                self.problem(&Problem::MoreAnswers {
                    corpus: self.corpus.to_owned(),
                    solver,
                    more: wrong - REPORTED,
                });
            }
        }
    }
}
