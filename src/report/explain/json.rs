//! An explanation as one JSON object.
//!
//! ```json
//! {
//!   "puzzle": "81 characters, or 729 of pencil marks",
//!   "solutions": "0, 1 or 2+",
//!   "complaint": "what is wrong if that is not 1, else null",
//!   "profile": "native, hodoku-2.2, se-1.2.1 or all",
//!   "steps": [{
//!     "step": 1,
//!     "technique": "naked pair",
//!     "placements": [{"cell": "r3c2", "digit": 1}],
//!     "eliminations": [{"cell": "r5c4", "digit": 8}],
//!     "evidence": {
//!       "houses": ["row 5"],
//!       "parts": [{"role": "subset", "candidates": [{"cell": "r5c2", "digit": 8}]}],
//!       "chain": [{"cells": ["r5c2"], "digit": 8}],
//!       "branches": [[{"cell": "r5c2", "digit": 8, "holds": true, "causes": [], "why": "assumed"}]]
//!     },
//!     "notation": "Naked pair: 8,9 in r5c25 => r5c4<>8",
//!     "text": "the whole argument"
//!   }],
//!   "end": {
//!     "status": "unique, solved, stuck, late, unsolvable, or refused",
//!     "solution": "81 digits if unique or solved, else null",
//!     "candidates": "729 characters if stuck, else null"
//!   }
//! }
//! ```
//!
//! A path is refused, and has no steps, if its profile assumes that there is only one solution and
//! there are more. A step makes either placements or eliminations; `evidence` holds candidates of the grid that the
//! steps before it left, by the part that they play in the pattern. Chains have their claims in order,
//! false and true in turn; forcing chains and nets have a branch for each assumption, each claim with
//! the numbers of those it follows from. To follow the path, remove a
//! placed digit from all cells that see it, and the eliminations from theirs.

use serde::Serialize;

use super::evidence::{CandidateJson, EvidenceJson, candidate_json, candidates_json};
use crate::grid::PencilMarks;
use crate::logic::{Effect, Explanation, HintLevel, Position, Step};
use crate::solve::{Halt, Verdict};

#[derive(Serialize)]
struct ExplanationJson {
    puzzle: String,
    solutions: &'static str,
    complaint: Option<String>,
    profile: &'static str,
    steps: Vec<StepJson>,
    end: EndJson,
}

#[derive(Serialize)]
struct StepJson {
    step: usize,
    technique: &'static str,
    placements: Vec<CandidateJson>,
    eliminations: Vec<CandidateJson>,
    evidence: EvidenceJson,
    notation: String,
    text: String,
}

#[derive(Serialize)]
struct EndJson {
    status: &'static str,
    solution: Option<String>,
    candidates: Option<String>,
}

#[derive(Serialize)]
struct InstancesJson<'a> {
    puzzle: String,
    technique: &'a str,
    steps: Vec<StepJson>,
}

#[derive(Serialize)]
struct HintJson {
    puzzle: String,
    solutions: &'static str,
    complaint: Option<String>,
    level: u8,
    hint: Option<String>,
}

/// Returns the explanation as the object described above.
pub fn explain_json(position: &Position, verdict: &Verdict, explanation: &Explanation) -> String {
    let end = match &explanation.end {
        Ok(grid) => match grid.solution() {
            Some(solution) => EndJson {
                // What assumes that there is one solution does not prove it.
                status: if explanation.assumes_uniqueness() {
                    "solved"
                } else {
                    "unique"
                },
                solution: Some(solution.to_line()),
                candidates: None,
            },
            None => EndJson {
                status: "stuck",
                solution: None,
                candidates: Some(PencilMarks::of(grid).to_string()),
            },
        },
        Err(halt) => EndJson {
            status: match halt {
                Halt::Late => "late",
                Halt::Contradiction => "unsolvable",
            },
            solution: None,
            candidates: None,
        },
    };
    let steps = explanation.steps.iter().zip(1..);
    written(&ExplanationJson {
        puzzle: position.to_string(),
        solutions: solutions(verdict),
        complaint: position.complaint(verdict),
        profile: explanation.profile,
        steps: steps
            .map(|(step, number)| step_json(step, number))
            .collect(),
        end,
    })
}

/// Returns the object for a path that is refused.
pub fn refusal_json(position: &Position, verdict: &Verdict, profile: &'static str) -> String {
    written(&ExplanationJson {
        puzzle: position.to_string(),
        solutions: solutions(verdict),
        complaint: position.complaint(verdict),
        profile,
        steps: Vec::new(),
        end: EndJson {
            status: "refused",
            solution: None,
            candidates: None,
        },
    })
}

/// Returns every instance of a technique on the board: `{"puzzle", "technique", "steps"}`.
pub fn instances_json(position: &Position, name: &str, found: &[Step]) -> String {
    let steps = found.iter().zip(1..);
    written(&InstancesJson {
        puzzle: position.to_string(),
        technique: name,
        steps: steps
            .map(|(step, number)| step_json(step, number))
            .collect(),
    })
}

/// Returns a hint: `{"puzzle", "solutions", "complaint", "level": 1, "hint"}`; the hint is null
/// where there is no step.
pub fn hint_json(
    position: &Position,
    verdict: &Verdict,
    step: Option<&Step>,
    level: HintLevel,
) -> String {
    written(&HintJson {
        puzzle: position.to_string(),
        solutions: solutions(verdict),
        complaint: position.complaint(verdict),
        level: level as u8 + 1,
        hint: step.map(|step| step.argument().hint(level)),
    })
}

fn written(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.expect("strings and numbers are JSON") + "\n"
}

fn solutions(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unsolvable => "0",
        Verdict::Unique(_) => "1",
        Verdict::Multiple(_) => "2+",
        Verdict::Solved(_) => "1+",
        Verdict::Stuck(_) | Verdict::OutOfBudget => "unknown",
    }
}

fn step_json(step: &Step, number: usize) -> StepJson {
    let argument = step.argument();
    let (placements, eliminations) = match &argument.effect {
        Effect::Place(candidate) => (vec![candidate_json(*candidate)], vec![]),
        Effect::Eliminate(struck) => (vec![], candidates_json(struck)),
    };
    StepJson {
        step: number,
        technique: argument.technique.name(),
        placements,
        eliminations,
        evidence: EvidenceJson::of(step),
        notation: argument.notation(),
        text: argument.text(),
    }
}
