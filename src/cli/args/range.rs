//! Ranges as people write them: `8..9`, `8..`, `..9`, or one number.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// A range of numbers, ends included.
pub(crate) fn numbers(text: &str) -> Result<RangeInclusive<f64>, String> {
    range(text, f64::NEG_INFINITY, f64::INFINITY)
        .filter(|range| range.start() <= range.end())
        .ok_or_else(|| "expected a range such as 8..9.5, 8.. or ..9".to_owned())
}

/// A range of counts, ends included.
pub(crate) fn counts(text: &str) -> Result<RangeInclusive<usize>, String> {
    range(text, 0, usize::MAX)
        .filter(|range| range.start() <= range.end())
        .ok_or_else(|| "expected a range such as 22..24, 22.. or 24".to_owned())
}

fn range<T: FromStr + Copy>(text: &str, least: T, greatest: T) -> Option<RangeInclusive<T>> {
    let end = |text: &str, open: T| match text.trim() {
        "" => Some(open),
        text => text.parse().ok(),
    };
    match text.split_once("..") {
        Some((from, to)) => Some(end(from, least)?..=end(to, greatest)?),
        None => {
            let number = text.trim().parse().ok()?;
            Some(number..=number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_may_be_open_and_are_included() {
        assert_eq!(numbers("8..9.5"), Ok(8.0..=9.5));
        assert_eq!(numbers("..3.4"), Ok(f64::NEG_INFINITY..=3.4));
        assert_eq!(counts("22.."), Ok(22..=usize::MAX));
        assert_eq!(counts("24"), Ok(24..=24));
        for text in ["", "a..b", "9..8", "nan", "1..2..3"] {
            assert!(numbers(text).is_err(), "{text}");
            assert!(counts(text).is_err(), "{text}");
        }
    }
}
