//! Keeps the hardest puzzles of a corpus while it is measured.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::feed::Chunk;
use super::hard_puzzle::{HardAnswer, HardPuzzle};
use super::latency::{Lane, Sample};
use super::tally::Kind;

/// Puzzles that are kept of each solver.
const OF_EACH: usize = 3;

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
                    Some(answer(lane.name(), &lane.samples[place]))
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
                puzzle.answers.push(answer(solver, &sample));
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

fn answer(solver: &str, sample: &Sample) -> HardAnswer {
    HardAnswer {
        solver: solver.to_owned(),
        verdict: sample.kind.name().into(),
        guesses: sample.cost.map(|(effort, _)| effort.guesses),
        nodes: sample.cost.map(|(effort, _)| effort.nodes),
        us: sample.cost.map(|(_, nanoseconds)| nanoseconds as f64 / 1e3),
    }
}
