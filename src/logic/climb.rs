//! How a profile is climbed: one step, and again from its foot.

use super::deduction::Deduction;
use super::profile::{Rung, step};
use super::state::State;
use crate::solve::{Clock, Halt};

/// Applies the first deduction of the lowest rung that has one, until none has; each is shown, with
/// the state it was found on, before it is applied.
///
/// # Errors
/// [`Halt`], if there is no solution, or the clock says so.
pub(super) fn climb(
    rungs: &[Rung],
    state: &mut State,
    clock: Clock,
    mut show: impl FnMut(&State, &Deduction),
) -> Result<(), Halt> {
    state.set_deadline(clock);
    while !state.blanks().is_empty() {
        let step = step(rungs, state);
        clock.check()?;
        let Some((_, deduction)) = step else {
            break;
        };
        show(state, &deduction);
        state.take(&deduction)?;
    }
    Ok(())
}
