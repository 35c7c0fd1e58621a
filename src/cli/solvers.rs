//! Solvers by the name that the user gives.

use sudoku_batch::roster::{ROSTER, SolverSpec, find};

use super::error::CliError;

/// The solver of this name, or the default one.
pub(crate) fn solver(name: Option<&str>) -> Result<&'static SolverSpec, CliError> {
    match name {
        None => Ok(&ROSTER[0]),
        Some(name) => find(name).map_err(|error| {
            let names: Vec<&str> = ROSTER.iter().map(|spec| spec.name).collect();
            CliError::with_hint(error, format!("solvers: {}", names.join(", ")))
        }),
    }
}
