//! Evidence of a step as JSON: the parts of its pattern, the claims of a chain in order, and the
//! branches of a forcing chain with the reason of each claim.

use serde::Serialize;

use crate::grid::{Candidate, CandidateSet};
use crate::logic::{Branch, Implication, Node, Pattern, Reason, Step};

#[derive(Serialize)]
pub(super) struct EvidenceJson {
    houses: Vec<String>,
    parts: Vec<PartJson>,
    /// Claims of a chain, alternately false and true.
    #[serde(skip_serializing_if = "Option::is_none")]
    chain: Option<Vec<NodeJson>>,
    /// Consequences of each assumption of forcing chains.
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<Vec<Vec<ImplicationJson>>>,
}

#[derive(Serialize)]
struct PartJson {
    role: &'static str,
    candidates: Vec<CandidateJson>,
}

#[derive(Serialize)]
pub(super) struct CandidateJson {
    cell: String,
    digit: u8,
}

#[derive(Serialize)]
struct NodeJson {
    cells: Vec<String>,
    digit: u8,
}

#[derive(Serialize)]
struct ImplicationJson {
    cell: String,
    digit: u8,
    holds: bool,
    /// Indices of the earlier claims of the branch that it follows from, from 0.
    causes: Vec<usize>,
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<Vec<Vec<ImplicationJson>>>,
}

impl EvidenceJson {
    pub(super) fn of(step: &Step) -> EvidenceJson {
        let argument = step.argument();
        let parts = argument.parts().iter().map(|part| PartJson {
            role: part.role,
            candidates: candidates_json(&part.candidates),
        });
        let (chain, branches) = match &step.deduction.pattern {
            Pattern::Chain { nodes, .. } => (Some(nodes.iter().map(node_json).collect()), None),
            Pattern::Forcing { branches, .. } => (None, Some(branches_json(branches))),
            _ => (None, None),
        };
        EvidenceJson {
            houses: argument.houses().iter().map(|h| h.to_string()).collect(),
            parts: parts.collect(),
            chain,
            branches,
        }
    }
}

pub(super) fn candidates_json(candidates: &CandidateSet) -> Vec<CandidateJson> {
    candidates.iter().map(candidate_json).collect()
}

pub(super) fn candidate_json(candidate: Candidate) -> CandidateJson {
    CandidateJson {
        cell: candidate.cell.to_string(),
        digit: candidate.digit.value(),
    }
}

fn node_json(node: &Node) -> NodeJson {
    NodeJson {
        cells: node
            .cells
            .into_iter()
            .map(|cell| cell.to_string())
            .collect(),
        digit: node.digit.value(),
    }
}

fn branches_json(branches: &[Branch]) -> Vec<Vec<ImplicationJson>> {
    let branch = |branch: &Branch| branch.iter().map(implication_json).collect();
    branches.iter().map(branch).collect()
}

fn implication_json(implication: &Implication) -> ImplicationJson {
    let (why, branches) = match &implication.reason {
        Reason::Assumed => ("assumed".to_owned(), None),
        Reason::SameCell => ("same cell".to_owned(), None),
        Reason::SameHouse(house) => (format!("same {house}"), None),
        Reason::LastCandidate(cell) => (format!("last candidate in {cell}"), None),
        Reason::LastPlace(house) => (format!("last place in {house}"), None),
        Reason::Technique(technique) => (technique.to_string(), None),
        Reason::Nested(branches) => ("nested".to_owned(), Some(branches_json(branches))),
    };
    let candidate = implication.claim.candidate;
    ImplicationJson {
        cell: candidate.cell.to_string(),
        digit: candidate.digit.value(),
        holds: implication.claim.holds,
        causes: implication.causes.clone(),
        why,
        branches,
    }
}
