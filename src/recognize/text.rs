//! Boards and cells in JSON: as their text, as their numbers.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

pub(super) fn serialize<T: Display, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

/// As text, or null.
pub(super) mod optional {
    use super::*;

    pub(in crate::recognize) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    pub(in crate::recognize) fn deserialize<'de, T, D>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = Option::<String>::deserialize(deserializer)?;
        let value = text.map(|text| text.parse().map_err(de::Error::custom));
        value.transpose()
    }
}

/// Cells by their numbers, from 0.
pub(super) mod cells {
    use crate::grid::{Cell, CellSet};

    use super::*;

    pub(in crate::recognize) fn is_empty(cells: &CellSet) -> bool {
        cells.is_empty()
    }

    pub(in crate::recognize) fn serialize<S: Serializer>(
        cells: &CellSet,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(cells.into_iter().map(Cell::index))
    }

    pub(in crate::recognize) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<CellSet, D::Error> {
        let numbers = Vec::<usize>::deserialize(deserializer)?;
        let cell = |number| Cell::all().nth(number);
        let cells: Option<CellSet> = numbers.into_iter().map(cell).collect();
        cells.ok_or_else(|| de::Error::custom("a cell is numbered 0 to 80"))
    }
}
