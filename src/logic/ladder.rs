//! The cheap techniques in the order they are tried.

use super::profile::Rung;
use super::profiles::NATIVE;

/// The rungs of the native profile up to the turbot fish: singles, locked candidates, pairs, triples,
/// X-wing, swordfish, XY-wing.
const CHEAP: usize = 12;

/// Techniques that take microseconds, the simplest first. None of them assumes that there is only
/// one solution, so what they solve is proven to be unique.
pub const LADDER: &[Rung] = NATIVE.rungs.split_at(CHEAP).0;
