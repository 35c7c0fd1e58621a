//! Literals, clauses, and why a variable has its value.

/// No clause and no place.
pub(super) const NONE: u32 = u32::MAX;
/// Marks a reason that is the other literal of a binary clause.
pub(super) const BINARY: u32 = 1 << 31;

/// A literal: twice the variable, from 0, and one more if negated.
pub(super) type Lit = u32;

/// Why a variable has its value, or which clause is violated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    /// A decision, or a fact.
    None,
    /// A binary clause with this false literal.
    Binary(Lit),
    Long(Clause),
}

/// The number of a clause: where it begins in the store.
pub(super) type Clause = u32;

/// A violated clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    Binary(Lit, Lit),
    Long(Clause),
}

/// What is known of a variable with a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assignment {
    pub(super) level: u32,
    /// Where on the trail.
    pub(super) place: u32,
    /// See [`Assignment::reason`].
    pub(super) reason: u32,
}

impl Assignment {
    #[inline]
    pub(super) fn reason(self) -> Reason {
        match self.reason {
            NONE => Reason::None,
            reason if reason & BINARY != 0 => Reason::Binary(reason & !BINARY),
            clause => Reason::Long(clause),
        }
    }
}
