//! Solvers by the name that the user gives.

use sudoku_batch::roster::{ROSTER, SolverSpec, find};

use super::error::CliError;

/// The solver of this name, or the fastest complete one.
pub(crate) fn solver(name: Option<&str>) -> Result<&'static SolverSpec, CliError> {
    let Some(name) = name else {
        return ROSTER
            .iter()
            .find(|spec| spec.complete)
            .ok_or_else(|| CliError::new("this build has no complete solver"));
    };
    find(name).ok_or_else(|| {
        let names: Vec<&str> = ROSTER.iter().map(|spec| spec.name).collect();
        let list = format!("solvers: {}", names.join(", "));
        let nearest = names.into_iter().min_by_key(|known| distance(known, name));
        let hint = match nearest {
            Some(near) if distance(near, name) <= name.len() / 2 => {
                format!("did you mean {near}? {list}")
            }
            _ => list,
        };
        CliError::with_hint(format!("no solver is named {name}"), hint)
    })
}

/// Levenshtein's distance: characters to insert, delete or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_textbook() {
        for (a, b, expected) in [("kitten", "sitting", 3), ("", "abc", 3), ("mrv", "mrv", 0)] {
            assert_eq!(distance(a, b), expected);
            assert_eq!(distance(b, a), expected);
        }
    }
}
