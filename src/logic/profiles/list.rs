//! Every profile by name.

use super::explainer::EXPLAINER;
use super::hodoku::HODOKU;
use super::native::NATIVE;
use crate::logic::profile::Profile;

/// All profiles, the default first.
pub const PROFILES: &[&Profile] = &[&NATIVE, &HODOKU, &EXPLAINER];
