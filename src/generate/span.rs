//! Ranges of ratings, levels and counts as they are written on the command line.

use std::fmt;
use std::str::FromStr;

/// A range with both ends, each of which may be left open: `A..B`, `A..`, `..B`, or a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span<T> {
    /// The least value in it.
    pub least: Option<T>,
    /// The greatest value in it.
    pub most: Option<T>,
}

impl<T: Ord + Copy> Span<T> {
    /// Whether a value is in it.
    pub fn contains(&self, value: T) -> bool {
        self.least.is_none_or(|least| least <= value) && self.most.is_none_or(|most| value <= most)
    }
}

/// A rating of Sudoku Explainer in tenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenths(pub u16);

/// Reads `8`, `8.3`.
impl FromStr for Tenths {
    type Err = String;

    fn from_str(text: &str) -> Result<Tenths, String> {
        let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let value = match (whole.len(), tenth.len()) {
            (1..=2, 1) if digits(whole) && digits(tenth) => format!("{whole}{tenth}").parse().ok(),
            _ => None,
        };
        value
            .map(Tenths)
            .ok_or_else(|| format!("`{text}` is no rating such as 8.3"))
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

impl<T: FromStr<Err: fmt::Display> + Ord> FromStr for Span<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Span<T>, String> {
        let value = |text: &str| match text {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|why: T::Err| why.to_string()),
        };
        let (least, most) = match text.split_once("..") {
            Some((least, most)) => (value(least)?, value(most)?),
            None => (value(text)?, value(text)?),
        };
        match (&least, &most) {
            (None, None) => Err("expected a value or a range such as A..B, A.. or ..B".to_owned()),
            (Some(least), Some(most)) if least > most => {
                Err(format!("`{text}` is empty: it ends before it begins"))
            }
            _ => Ok(Span { least, most }),
        }
    }
}

impl<T: fmt::Display + PartialEq> fmt::Display for Span<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(least), Some(most)) = (&self.least, &self.most)
            && least == most
        {
            return least.fmt(f);
        }
        if let Some(least) = &self.least {
            least.fmt(f)?;
        }
        f.write_str("..")?;
        match &self.most {
            Some(most) => most.fmt(f),
            None => Ok(()),
        }
    }
}
