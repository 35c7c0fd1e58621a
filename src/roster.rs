//! Every solver by name, one row each.

use crate::solve::{Mrv, Solver};

/// A row of the [`ROSTER`].
#[derive(Clone, Copy, Debug)]
pub struct SolverSpec {
    /// What users type.
    pub name: &'static str,
    /// What it does, in half a sentence.
    pub about: &'static str,
    /// Whether it gives a true verdict for every puzzle.
    pub complete: bool,
    /// Makes one, ready for its first puzzle.
    pub build: fn() -> Box<dyn Solver>,
}

/// All solvers. The first row is the default of every command.
pub const ROSTER: &[SolverSpec] = &[SolverSpec {
    name: "mrv",
    about: "fewest candidates first, with forward checking and singles",
    complete: true,
    build: || Box::new(Mrv::new()),
}];

/// No solver has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver {name:?}; did you mean {nearest:?}?")]
pub struct UnknownSolver {
    /// The name that was asked for.
    pub name: String,
    /// The name in the [`ROSTER`] that is spelled most like it.
    pub nearest: &'static str,
}

/// The row of this name.
///
/// # Errors
/// [`UnknownSolver`], with the name that is spelled most like this one.
pub fn find(name: &str) -> Result<&'static SolverSpec, UnknownSolver> {
    if let Some(spec) = ROSTER.iter().find(|spec| spec.name == name) {
        return Ok(spec);
    }
    let nearest = ROSTER
        .iter()
        .map(|spec| spec.name)
        .min_by_key(|candidate| edit_distance(&name.to_lowercase(), candidate))
        .expect("the roster is not empty");
    Err(UnknownSolver {
        name: name.to_owned(),
        nearest,
    })
}

/// Insertions, deletions and replacements that turn one word into the other (Levenshtein).
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name_and_names_differ() {
        for (place, spec) in ROSTER.iter().enumerate() {
            assert_eq!(find(spec.name).unwrap().name, spec.name);
            assert!(ROSTER[..place].iter().all(|other| other.name != spec.name));
        }
    }

    #[test]
    fn a_misspelled_name_is_answered_with_the_nearest() {
        assert_eq!(find("MVR").unwrap_err().nearest, "mrv");
    }

    #[test]
    fn edit_distance_counts_single_letter_changes() {
        for (from, to, distance) in [
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("mrv", "mrv", 0),
        ] {
            assert_eq!(edit_distance(from, to), distance, "{from} {to}");
        }
    }
}
