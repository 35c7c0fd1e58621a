//! The solvers by name.

use thiserror::Error;

use crate::logic::{EXPLAINER, HODOKU, LogicSearch, LogicSolver};
use crate::solve::{
    Backtracking, BacktrackingScan, Bands, DancingLinks, Goal, Lockstep, Mrv, MrvLcv, Regions,
    Solver,
};

/// A solver, as a row of [`ROSTER`].
#[derive(Clone, Copy, Debug)]
pub struct SolverSpec {
    /// Its name on the command line.
    pub name: &'static str,
    /// How it works, in one line.
    pub about: &'static str,
    /// Whether it answers every puzzle, given the budget. A solver that is not complete never
    /// guesses: it returns [`Verdict::Stuck`](crate::solve::Verdict::Stuck) where its rules
    /// eliminate nothing more, with all true solutions, if there are any, among the candidates
    /// left. Its other verdicts are true, but it never finds
    /// [`Verdict::Multiple`](crate::solve::Verdict::Multiple).
    pub complete: bool,
    /// Makes a solver; solvers are not shared between threads.
    pub build: fn() -> Box<dyn Solver>,
    /// Number of puzzles to hand it per call ([`Solver::solve_lines`]); 1 if that makes no
    /// difference.
    pub batch: usize,
}

impl SolverSpec {
    /// Returns the goal that its answers are checked against when it is asked for `goal`: a solver
    /// that is not complete may assume that there is only one solution, and say that it found one.
    pub fn checked_goal(&self, goal: Goal) -> Goal {
        if self.complete {
            goal
        } else {
            Goal::FirstSolution
        }
    }
}

/// All solvers, the fastest first.
pub const ROSTER: &[SolverSpec] = &[
    SolverSpec {
        name: "lockstep",
        about: "one puzzle per SIMD lane, up to 32 at a time; single puzzles as bands",
        complete: true,
        build: || Box::new(Lockstep::new()),
        batch: 1024,
    },
    SolverSpec {
        name: "bands",
        about: "one puzzle, with its nine blocks in SIMD lanes: the lowest latency",
        complete: true,
        build: || Box::new(Bands::new()),
        batch: 1,
    },
    SolverSpec {
        name: "mrv-lcv",
        about: "like mrv, with the most constraining cell and the least constraining digit",
        complete: true,
        build: || Box::new(MrvLcv::new()),
        batch: 1,
    },
    SolverSpec {
        name: "mrv",
        about: "singles, then a guess in the cell with the fewest candidates",
        complete: true,
        build: || Box::new(Mrv::new()),
        batch: 1,
    },
    SolverSpec {
        name: "regions",
        about: "no guesses: all-different propagation per house, and locked candidates",
        complete: false,
        build: || Box::new(Regions::new()),
        batch: 1,
    },
    SolverSpec {
        name: "logic",
        about: "no guesses: human techniques from singles to chains and nets, with explanations",
        complete: false,
        build: || Box::new(LogicSolver::new()),
        batch: 1,
    },
    SolverSpec {
        name: "logic-hodoku",
        about: "no guesses: the techniques of HoDoKu 2.2 in its order",
        complete: false,
        build: || Box::new(LogicSolver::with(&HODOKU)),
        batch: 1,
    },
    SolverSpec {
        name: "logic-se",
        about: "no guesses: the techniques of Sudoku Explainer 1.2.1 in its order",
        complete: false,
        build: || Box::new(LogicSolver::with(&EXPLAINER)),
        batch: 1,
    },
    SolverSpec {
        name: "logic+search",
        about: "the cheap techniques of logic, with guesses where they get stuck",
        complete: true,
        build: || Box::new(LogicSearch::new()),
        batch: 1,
    },
    SolverSpec {
        name: "dlx",
        about: "Knuth's dancing links on 324 constraints, the smallest first",
        complete: true,
        build: || Box::new(DancingLinks::new()),
        batch: 1,
    },
    SolverSpec {
        name: "backtracking",
        about: "cells in reading order, legal digits by bit sets",
        complete: true,
        build: || Box::new(Backtracking::new()),
        batch: 1,
    },
    SolverSpec {
        name: "backtracking-scan",
        about: "the same search, scanning each house at each try",
        complete: true,
        build: || Box::new(BacktrackingScan::new()),
        batch: 1,
    },
];

/// Error of a solver name that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no solver is named {name:?}{}; known: {}", did_you_mean(*nearest), known.join(", "))]
pub struct UnknownSolver {
    /// The name that was asked for.
    pub name: String,
    /// The most similar known name, if there is one.
    pub nearest: Option<&'static str>,
    /// All known names.
    pub known: Vec<&'static str>,
}

impl UnknownSolver {
    /// Returns the error for a name that is none of the known ones.
    pub fn among(name: &str, known: impl Iterator<Item = &'static str>) -> UnknownSolver {
        let known: Vec<&'static str> = known.collect();
        UnknownSolver {
            name: name.to_owned(),
            nearest: nearest(name, known.iter().copied()),
            known,
        }
    }
}

/// Returns the solver of this name.
///
/// # Errors
/// [`UnknownSolver`], which lists the known names and the nearest one.
pub fn find(name: &str) -> Result<&'static SolverSpec, UnknownSolver> {
    let known = ROSTER.iter().find(|spec| spec.name == name);
    known.ok_or_else(|| UnknownSolver::among(name, ROSTER.iter().map(|spec| spec.name)))
}

/// Returns the fastest solver that answers every puzzle, be it one or many.
pub fn fastest_complete() -> &'static SolverSpec {
    let complete = ROSTER.iter().find(|spec| spec.complete);
    complete.expect("the roster has a complete solver")
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// Returns the known name at the smallest edit distance, if that is small.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let edits = |known: &str| strsim::levenshtein(&name, &known.to_lowercase());
    let (edits, nearest) = known
        .map(|known| (edits(known), known))
        .min_by_key(|pair| pair.0)?;
    let few = nearest.chars().count().div_ceil(2);
    (edits <= few).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for spec in ROSTER {
            assert_eq!(find(spec.name).unwrap().about, spec.about);
            let same = ROSTER.iter().filter(|other| other.name == spec.name);
            assert_eq!(same.count(), 1);
        }
        assert!(fastest_complete().complete);
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = find("mvr").unwrap_err().to_string();
        assert!(error.contains("did you mean mrv?"), "{error}");
        let error = find("dancing").unwrap_err().to_string();
        assert!(!error.contains("did you mean"), "{error}");
        assert!(
            ROSTER.iter().all(|spec| error.contains(spec.name)),
            "{error}"
        );
    }
}
