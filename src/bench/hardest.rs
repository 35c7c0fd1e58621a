//! The hardest puzzles of a corpus, and what each solver needed for them.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::feed::Chunk;
use super::latency::{Lane, Sample};
use super::tally::Kind;
use crate::grid::Puzzle;

/// Puzzles that are kept of each solver.
const OF_EACH: usize = 3;

/// A puzzle that was harder for some solver than nearly all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardPuzzle {
    /// Its line in the file.
    pub line: u64,
    /// The puzzle.
    #[serde(serialize_with = "as_line", deserialize_with = "from_line")]
    pub puzzle: Puzzle,
    /// The solvers that it was among the hardest for.
    pub hardest_for: Vec<String>,
    /// What each solver that came to it needed.
    pub answers: Vec<HardAnswer>,
}

/// What a solver needed for a puzzle, the first time it was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardAnswer {
    /// The solver.
    pub solver: String,
    /// How it answered, as the tables spell it.
    pub verdict: Cow<'static, str>,
    /// Guesses; not known of an external program.
    pub guesses: Option<u64>,
    /// Nodes, likewise.
    pub nodes: Option<u64>,
    /// Microseconds, likewise; for a solver that gets many puzzles at once, an equal share.
    pub us: Option<f64>,
}

impl HardAnswer {
    fn new(solver: &str, sample: &Sample) -> HardAnswer {
        HardAnswer {
            solver: solver.to_owned(),
            verdict: sample.kind.name().into(),
            guesses: sample.cost.map(|(effort, _)| effort.guesses),
            nodes: sample.cost.map(|(effort, _)| effort.nodes),
            us: sample.cost.map(|(_, nanoseconds)| nanoseconds as f64 / 1e3),
        }
    }
}

fn as_line<S: Serializer>(puzzle: &Puzzle, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&puzzle.to_line())
}

fn from_line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Puzzle, D::Error> {
    let line = Cow::<str>::deserialize(deserializer)?;
    line.parse().map_err(de::Error::custom)
}

/// How hard a puzzle was: nodes first, since they are the same in every run, then nanoseconds.
type Hardness = (u64, u64);

/// Keeps the hardest puzzles of each solver while chunks go by.
#[derive(Default)]
pub(super) struct Hardest {
    /// By solver, the hardest puzzle first.
    ranks: BTreeMap<&'static str, Vec<(Hardness, u64)>>,
    /// By line.
    puzzles: BTreeMap<u64, HardPuzzle>,
}

impl Hardest {
    /// Looks at what the lanes have just answered for the first time.
    pub(super) fn add(&mut self, lanes: &[Lane], chunk: &Chunk) {
        let mut news = BTreeMap::new();
        for lane in lanes {
            let rank = self.ranks.entry(lane.name()).or_default();
            for sample in &lane.samples {
                let Some((effort, nanoseconds)) = sample.cost else {
                    continue;
                };
                let hardness = (effort.nodes, nanoseconds);
                if rank.len() == OF_EACH && hardness <= rank[OF_EACH - 1].0 {
                    continue;
                }
                let line = chunk.lines[sample.index];
                news.insert(line, sample.index);
                rank.push((hardness, line));
                rank.sort_by_key(|&(hardness, line)| (Reverse(hardness), line));
                rank.truncate(OF_EACH);
            }
        }
        let ranked = self.ranks.values().flatten();
        let kept: BTreeSet<u64> = ranked.map(|&(_, line)| line).collect();
        self.puzzles.retain(|line, _| kept.contains(line));
        for (line, index) in news {
            if kept.contains(&line) {
                let answers = lanes.iter().filter_map(|lane| {
                    let place = lane
                        .samples
                        .binary_search_by_key(&index, |s| s.index)
                        .ok()?;
                    Some(HardAnswer::new(lane.name(), &lane.samples[place]))
                });
                let puzzle = HardPuzzle {
                    line,
                    puzzle: chunk.puzzles[index],
                    hardest_for: Vec::new(),
                    answers: answers.collect(),
                };
                self.puzzles.insert(line, puzzle);
            }
        }
    }

    /// Adds how an external program answered.
    pub(super) fn add_external(&mut self, solver: &str, chunk: &Chunk, kinds: &[Kind]) {
        for (index, (line, &kind)) in chunk.lines.iter().zip(kinds).enumerate() {
            if let Some(puzzle) = self.puzzles.get_mut(line) {
                let cost = None;
                let sample = Sample { index, kind, cost };
                puzzle.answers.push(HardAnswer::new(solver, &sample));
            }
        }
    }

    /// The puzzles in the order of their lines.
    pub(super) fn finish(mut self) -> Vec<HardPuzzle> {
        for (solver, rank) in &self.ranks {
            for (_, line) in rank {
                if let Some(puzzle) = self.puzzles.get_mut(line) {
                    puzzle.hardest_for.push((*solver).to_owned());
                }
            }
        }
        self.puzzles.into_values().collect()
    }
}
