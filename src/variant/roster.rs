//! Every solver of variants by name, one row each.

use super::dlx::VariantDancingLinks;
use super::layout::Layout;
use super::mrv::{VariantMrv, is_quick};
use super::mrv_sat::VariantMrvSat;
use super::sat::VariantSat;
use super::solver::VariantSolver;
use crate::roster::UnknownSolver;

/// A solver as a row of [`VARIANT_SOLVERS`]. All of them are complete.
#[derive(Clone, Copy, Debug)]
pub struct VariantSolverSpec {
    /// What the user calls it.
    pub name: &'static str,
    /// How it works, in one line.
    pub about: &'static str,
    /// Whether it can answer puzzles of this layout.
    pub supports: fn(&Layout) -> bool,
    /// Makes one; solvers are not shared between threads.
    pub build: fn() -> Box<dyn VariantSolver>,
}

/// All solvers of boards of any size and shape.
pub const VARIANT_SOLVERS: &[VariantSolverSpec] = &[
    VariantSolverSpec {
        name: "mrv",
        about: "singles, Hall sets and sums of cages, then a guess where the fewest values are left",
        supports: |_| true,
        build: || Box::new(VariantMrv::new()),
    },
    VariantSolverSpec {
        name: "sat",
        about: "what singles and Hall sets leave, as clauses, by conflict-driven clause learning",
        supports: |_| true,
        build: || Box::new(VariantSat::new()),
    },
    VariantSolverSpec {
        name: "mrv-sat",
        about: "mrv, and sat where that needs more than 500 nodes for each solution asked for",
        supports: |_| true,
        build: || Box::new(VariantMrvSat::new()),
    },
    VariantSolverSpec {
        name: "dlx",
        about: "Knuth's dancing links, the smallest constraint first; no cages",
        supports: VariantDancingLinks::supports,
        build: || Box::new(VariantDancingLinks::new()),
    },
];

/// The solver of this name.
///
/// # Errors
/// [`UnknownSolver`], which lists the known names and the nearest one.
pub fn find_variant(name: &str) -> Result<&'static VariantSolverSpec, UnknownSolver> {
    let known = VARIANT_SOLVERS.iter().find(|spec| spec.name == name);
    known.ok_or_else(|| UnknownSolver::among(name, VARIANT_SOLVERS.iter().map(|spec| spec.name)))
}

/// Boards of this side and more, without cages, are best answered by clause learning: on hard ones it is faster
/// than `mrv`, on easy ones hardly slower.
const LEAST_LEARNT_SIDE: usize = 20;

/// The solver that is fastest on hard puzzles of this layout.
pub fn fastest(layout: &Layout) -> &'static VariantSolverSpec {
    let name = if is_quick(layout) {
        "mrv"
    } else if layout.side() >= LEAST_LEARNT_SIDE && layout.cages().is_empty() {
        "sat"
    } else {
        "mrv-sat"
    };
    let known = VARIANT_SOLVERS.iter().find(|spec| spec.name == name);
    known.expect("the table has them")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::layout::Boxes;
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for spec in VARIANT_SOLVERS {
            assert_eq!(find_variant(spec.name).unwrap().about, spec.about);
            let same = VARIANT_SOLVERS
                .iter()
                .filter(|other| other.name == spec.name);
            assert_eq!(same.count(), 1);
        }
        let error = find_variant("mvr").unwrap_err().to_string();
        assert!(error.contains("did you mean mrv?"), "{error}");
        assert!(!error.contains("lockstep"), "{error}");
    }

    #[test]
    fn the_fastest_solver_supports_the_layout() {
        for rows in 2..=6 {
            let layout = Layout::with_boxes(Boxes { rows, columns: 6 }).unwrap();
            assert!((fastest(&layout).supports)(&layout));
        }
    }
}
