//! Explains forcing chains and nets.

use super::wording::{PatternText, and, part, sentence};
use crate::grid::{CandidateSet, HouseSet};
use crate::logic::deduction::{Branch, Claim, ForcingKind, Implication, Reason};

/// `r1c1 is 3`, `r1c1 is not 3`.
fn says(claim: Claim) -> String {
    let not = if claim.holds { "" } else { "not " };
    format!("{} is {not}{}", claim.candidate.cell, claim.candidate.digit)
}

/// `r1c1=3`, `r1c1<>3`.
fn in_short(claim: Claim) -> String {
    let is = if claim.holds { "=" } else { "<>" };
    format!("{}{is}{}", claim.candidate.cell, claim.candidate.digit)
}

/// Whether a reason is but that one candidate excludes another.
fn is_plain(reason: &Reason) -> bool {
    matches!(reason, Reason::SameCell | Reason::SameHouse(_))
}

/// What an implication follows from, each once; what is excluded stands for what excludes it.
fn causes(branch: &Branch, implication: &Implication) -> Vec<Claim> {
    let mut claims = Vec::new();
    for cause in implication.causes.iter().filter_map(|&at| branch.get(at)) {
        let behind = if !cause.claim.holds && is_plain(&cause.reason) {
            cause.causes.iter().filter_map(|&at| branch.get(at))
        } else {
            claims.push(cause.claim);
            continue;
        };
        claims.extend(behind.map(|cause| cause.claim));
    }
    let mut seen = Vec::new();
    claims.retain(|claim| {
        let is_new = !seen.contains(claim);
        seen.push(*claim);
        is_new
    });
    claims
}

/// Collects what the sentences name.
struct BranchWriter {
    houses: HouseSet,
    on: CandidateSet,
    off: CandidateSet,
}

impl BranchWriter {
    /// One sentence for each claim that something is right, and for the last one. What is excluded
    /// between them is named by what excludes it.
    fn branch(&mut self, branch: &Branch) -> String {
        let mut text = String::new();
        for (at, implication) in branch.iter().enumerate() {
            let claim = implication.claim;
            if !claim.holds && is_plain(&implication.reason) && at + 1 < branch.len() {
                continue;
            }
            let side = if claim.holds {
                &mut self.on
            } else {
                &mut self.off
            };
            *side = side.with(claim.candidate);
            if implication.reason == Reason::Assumed {
                text.push_str(&format!("Suppose that {}.", says(claim)));
                continue;
            }
            let causes = and(causes(branch, implication).into_iter().map(says));
            let why = self.why(&implication.reason);
            if causes.is_empty() {
                text.push_str(&format!(" {}{why}.", sentence(&says(claim))));
            } else {
                text.push_str(&format!(" As {causes}, {}{why}.", says(claim)));
            }
        }
        text
    }

    fn why(&mut self, reason: &Reason) -> String {
        match reason {
            Reason::Assumed | Reason::SameCell => String::new(),
            Reason::SameHouse(house) => {
                self.houses = self.houses.with(*house);
                format!(" (both in {house})")
            }
            Reason::LastCandidate(_) => " (no other candidate there)".to_owned(),
            Reason::LastPlace(house) => {
                self.houses = self.houses.with(*house);
                format!(" (no other place in {house})")
            }
            Reason::Technique(technique) => format!(" ({technique})"),
            Reason::Nested(branches) => {
                let inner = branches.iter().map(|branch| self.branch(branch));
                format!(" (for: {})", inner.collect::<Vec<_>>().join(" "))
            }
        }
    }
}

pub(super) fn forcing(kind: ForcingKind, branches: &[Branch]) -> PatternText {
    let mut writer = BranchWriter {
        houses: HouseSet::EMPTY,
        on: CandidateSet::EMPTY,
        off: CandidateSet::EMPTY,
    };
    let mut sentences: Vec<String> = Vec::new();
    for branch in branches {
        sentences.push(writer.branch(branch));
    }
    let ends = |branch: &Branch| Some((branch.first()?.claim, branch.last()?.claim));
    let short = branches.iter().filter_map(ends);
    let short: Vec<String> = short
        .map(|(start, end)| format!("{} → {}", in_short(start), in_short(end)))
        .collect();
    let (look, conclusion) = match kind {
        ForcingKind::Contradiction => (
            first_cell(branches),
            match branches {
                [_] => "That contradicts what came before.".to_owned(),
                _ => "Both cannot be.".to_owned(),
            },
        ),
        ForcingKind::Double => (
            first_cell(branches),
            "One of the two is true, and both come to the same.".to_owned(),
        ),
        ForcingKind::Cell(cell) => (
            cell.to_string(),
            "One of the candidates of the cell is right, and all come to the same.".to_owned(),
        ),
        ForcingKind::House(house) => {
            writer.houses = writer.houses.with(house);
            (
                house.to_string(),
                format!("One of the places in {house} is right, and all come to the same."),
            )
        }
    };
    sentences.push(conclusion);
    PatternText {
        look,
        short: short.join(", "),
        reason: sentences.join(" "),
        houses: writer.houses,
        parts: vec![part("on", writer.on), part("off", writer.off)],
    }
}

fn first_cell(branches: &[Branch]) -> String {
    let first = branches.first().and_then(|branch| branch.first());
    first.map_or_else(String::new, |start| start.claim.candidate.cell.to_string())
}
