//! The hardest puzzles of a corpus, with the effort of each solver.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::event::Sample;
use super::reader::Chunk;

/// Number of puzzles that are kept per solver.
const OF_EACH: usize = 3;

/// One of the hardest puzzles for some solver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardPuzzle {
    /// Its line in the file.
    pub line: u64,
    /// The puzzle, as a line of text.
    pub puzzle: String,
    /// The solvers for which it was among the hardest.
    pub hardest_for: Vec<String>,
    /// The results of each solver that reached it.
    pub answers: Vec<HardAnswer>,
}

/// The result of a solver on a hard puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardAnswer {
    /// The solver.
    pub solver: String,
    /// Its answer, named as in tables.
    pub verdict: Cow<'static, str>,
    /// Number of guesses; unknown for an external program.
    pub guesses: Option<u64>,
    /// Number of nodes; unknown for an external program.
    pub nodes: Option<u64>,
    /// Microseconds, the median of its repeats; unknown for an external program.
    pub us: Option<f64>,
}

impl HardAnswer {
    /// Returns how hard the puzzle was: nodes first, since they are the same in every run, then
    /// time.
    fn hardness(&self) -> Option<(u64, f64)> {
        Some((self.nodes?, self.us?))
    }
}

/// Returns the hardest puzzles of a chunk, from the answers of the solvers, ordered by index in the
/// chunk.
pub(super) fn of_chunk<P>(
    chunk: &Chunk<P>,
    text: fn(&P) -> String,
    solvers: &[(&str, &[Sample])],
) -> Vec<HardPuzzle> {
    let mut kept = BTreeSet::new();
    for (_, samples) in solvers {
        let cost = |sample: &&Sample| sample.cost.map(|(effort, ns)| (effort.nodes, ns));
        let mut hard: Vec<&Sample> = samples.iter().filter(|it| it.cost.is_some()).collect();
        let key = |sample: &&Sample| (Reverse(cost(sample)), sample.index);
        if hard.len() > OF_EACH {
            hard.select_nth_unstable_by_key(OF_EACH, key);
        }
        kept.extend(hard.iter().take(OF_EACH).map(|sample| sample.index));
    }
    let puzzle = |index: usize| {
        let answers = solvers.iter().filter_map(|(solver, samples)| {
            let place = samples.binary_search_by_key(&index, |it| it.index).ok()?;
            let Sample { kind, cost, .. } = samples[place];
            Some(HardAnswer {
                solver: (*solver).to_owned(),
                verdict: kind.name().into(),
                guesses: cost.map(|(effort, _)| effort.guesses),
                nodes: cost.map(|(effort, _)| effort.nodes),
                us: cost.map(|(_, ns)| ns as f64 / 1e3),
            })
        });
        HardPuzzle {
            line: chunk.lines[index],
            puzzle: text(&chunk.puzzles[index]),
            hardest_for: Vec::new(),
            answers: answers.collect(),
        }
    };
    merge(kept.into_iter().map(puzzle).collect(), Vec::new())
}

/// Returns the hardest puzzles of two parts of a corpus, in the order of their lines.
pub(super) fn merge(mut puzzles: Vec<HardPuzzle>, others: Vec<HardPuzzle>) -> Vec<HardPuzzle> {
    puzzles.extend(others);
    let mut ranks: BTreeMap<String, Vec<(u64, f64, usize)>> = BTreeMap::new();
    for (place, puzzle) in puzzles.iter_mut().enumerate() {
        puzzle.hardest_for.clear();
        for answer in &puzzle.answers {
            if let Some((nodes, us)) = answer.hardness() {
                let rank = ranks.entry(answer.solver.clone()).or_default();
                rank.push((nodes, us, place));
            }
        }
    }
    for (solver, mut rank) in ranks {
        rank.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        for (.., place) in rank.into_iter().take(OF_EACH) {
            puzzles[place].hardest_for.push(solver.clone());
        }
    }
    puzzles.retain(|puzzle| !puzzle.hardest_for.is_empty());
    puzzles.sort_by_key(|puzzle| puzzle.line);
    puzzles
}
