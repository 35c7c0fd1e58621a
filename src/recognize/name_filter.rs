//! Which files of a folder are taken, by patterns of names as shells know them.

use std::path::Path;

use glob::{MatchOptions, Pattern};
use thiserror::Error;

use crate::files::show;

/// Which files of a folder are taken. A pattern is compared with the end of the path below the folder, whole
/// names at a time: `*.jpg` is any such file, `raw/*.jpg` one in any folder `raw`. A file that is given by itself is
/// compared by its name.
#[derive(Clone, Debug, Default)]
pub struct NameFilter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

/// What is no pattern.
#[derive(Debug, Error)]
#[error("{pattern:?} is no pattern: {source}")]
pub struct NotAPattern {
    pattern: String,
    source: glob::PatternError,
}

impl NameFilter {
    /// Takes files that one of `include` matches, or all where there are none; never those that one of
    /// `exclude` matches, nor what is in folders that one matches.
    ///
    /// # Errors
    /// The first pattern that is none.
    pub fn new(include: &[String], exclude: &[String]) -> Result<NameFilter, NotAPattern> {
        let patterns = |given: &[String]| -> Result<Vec<Pattern>, NotAPattern> {
            given.iter().map(|it| pattern(it)).collect()
        };
        Ok(NameFilter {
            include: patterns(include)?,
            exclude: patterns(exclude)?,
        })
    }

    /// Whether a file is taken, by its path below the folder that was asked for.
    pub(super) fn takes(&self, below: &Path) -> bool {
        let is_included = self.include.is_empty() || is_match(&self.include, below);
        is_included && !self.leaves_out(below)
    }

    /// Whether a file or folder is left out, by itself or with one that it is in.
    pub(super) fn leaves_out(&self, below: &Path) -> bool {
        let is_left_out = |path: &Path| is_match(&self.exclude, path);
        !self.exclude.is_empty() && below.ancestors().any(is_left_out)
    }
}

fn is_match(patterns: &[Pattern], path: &Path) -> bool {
    let whole_names = MatchOptions {
        require_literal_separator: true,
        ..MatchOptions::default()
    };
    let text = show(path);
    let mut patterns = patterns.iter();
    patterns.any(|pattern| pattern.matches_with(&text, whole_names))
}

fn pattern(given: &str) -> Result<Pattern, NotAPattern> {
    let anywhere = format!("**/{}", given.trim_matches('/'));
    Pattern::new(&anywhere).map_err(|source| NotAPattern {
        pattern: given.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(include: &[&str], exclude: &[&str]) -> NameFilter {
        let owned = |patterns: &[&str]| -> Vec<String> {
            patterns.iter().map(|&pattern| pattern.to_owned()).collect()
        };
        NameFilter::new(&owned(include), &owned(exclude)).unwrap()
    }

    #[test]
    fn patterns_match_whole_names_at_the_end_of_a_path() {
        let taken = |filter: &NameFilter, path: &str| filter.takes(Path::new(path));
        let all = NameFilter::default();
        assert!(taken(&all, "a.jpg") && taken(&all, "raw/b.png"));
        let some = filter(&["*.jpg", "raw/[0-9]*"], &["*_small.jpg", "drafts/"]);
        for path in ["a.jpg", "x/y/a.jpg", "raw/7.png", "x/raw/7.png"] {
            assert!(taken(&some, path), "{path}");
        }
        for path in [
            "a.png",
            "raw/x/7.png",
            "a_small.jpg",
            "drafts/a.jpg",
            "x/drafts/y/a.jpg",
        ] {
            assert!(!taken(&some, path), "{path}");
        }
    }

    #[test]
    fn an_invalid_pattern_is_an_error() {
        let error = NameFilter::new(&["[a".to_owned()], &[]).unwrap_err();
        assert!(
            error.to_string().starts_with("\"[a\" is no pattern"),
            "{error}"
        );
    }
}
