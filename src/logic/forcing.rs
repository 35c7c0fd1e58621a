//! Evidence of forcing chains and nets: what follows from an assumption, claim by claim.

use super::technique_id::TechniqueId;
use crate::grid::{Candidate, Cell, House};

/// That a candidate is right, or that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The candidate.
    pub candidate: Candidate,
    /// Whether it is claimed to be right.
    pub holds: bool,
}

/// Why a claim follows from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not: it is what the branch assumes.
    Assumed,
    /// Another candidate of its cell holds.
    SameCell,
    /// Its digit stands in this house already.
    SameHouse(House),
    /// No other candidate of its cell is left.
    LastCandidate(Cell),
    /// No other place of its digit is left in this house.
    LastPlace(House),
    /// This technique strikes it, once the causes are struck.
    Technique(TechniqueId),
    /// It leads to a contradiction, or all that is left leads to it, as these branches show.
    Nested(Vec<Branch>),
}

/// A claim that follows from earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// What follows.
    pub claim: Claim,
    /// From what: the numbers of earlier implications of the branch. What the marks say already is
    /// not among them.
    pub causes: Vec<usize>,
    /// Why.
    pub reason: Reason,
}

/// What follows from one assumption, which comes first; each after its causes, and the last is what
/// the branch was followed for.
pub type Branch = Vec<Implication>;

/// What branches show together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcingKind {
    /// The claim that the branches start from comes to a claim and its contrary, so it is false: a
    /// single branch ends in the contrary of an earlier claim of its own, two end in claims that
    /// contradict each other.
    Contradiction,
    /// One branch from a claim and one from its contrary come to the same.
    Double,
    /// A branch from each candidate of this cell comes to the same.
    Cell(Cell),
    /// A branch from each place of a digit in this house comes to the same.
    House(House),
}
