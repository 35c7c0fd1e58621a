//! Confusion matrix of labels and readings.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::digits::logits::{CLASSES, class_names};

/// Number of crops of each label that were read as each class. In JSON: one list per label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConfusionMatrix {
    counts: [[usize; CLASSES]; CLASSES],
}

impl ConfusionMatrix {
    /// Counts one crop.
    pub fn add(&mut self, label: usize, read: usize) {
        self.counts[label][read] += 1;
    }

    /// Adds the counts of another matrix.
    pub fn merge(&mut self, other: &ConfusionMatrix) {
        let pairs = self.counts.as_flattened_mut().iter_mut();
        let pairs = pairs.zip(other.counts.as_flattened());
        pairs.for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
    }

    /// Returns the number of crops of this label that were read as this class.
    pub fn count(&self, label: usize, read: usize) -> usize {
        self.counts[label][read]
    }

    /// Returns the number of crops of this label.
    pub fn labeled(&self, label: usize) -> usize {
        sum(self.counts[label])
    }

    /// Returns the number of crops read as this class.
    pub fn read_as(&self, read: usize) -> usize {
        sum(self.counts.map(|row| row[read]))
    }

    /// Returns the number of all crops.
    pub fn total(&self) -> usize {
        sum(self.counts.as_flattened().iter().copied())
    }

    /// Returns the number of crops read correctly.
    pub fn correct(&self) -> usize {
        sum((0..CLASSES).map(|class| self.counts[class][class]))
    }

    /// Returns the share of this label's crops that were read correctly; `None` where there are
    /// none.
    pub fn recall(&self, label: usize) -> Option<f32> {
        let all = self.labeled(label);
        (all > 0).then(|| self.counts[label][label] as f32 / all as f32)
    }

    /// Returns the share of the crops read as this class that show it; `None` where none was read
    /// as it.
    pub fn precision(&self, read: usize) -> Option<f32> {
        let all = self.read_as(read);
        (all > 0).then(|| self.counts[read][read] as f32 / all as f32)
    }

    /// Returns the matrix as CSV: a row per label, a column per class.
    pub fn to_csv(&self) -> String {
        let names = class_names();
        let mut csv = format!("label,{}\n", names.join(","));
        for (name, row) in names.iter().zip(&self.counts) {
            let row: Vec<String> = row.iter().map(usize::to_string).collect();
            // Writing into a string cannot fail.
            let _ = writeln!(csv, "{name},{}", row.join(","));
        }
        csv
    }
}

/// Returns the sum of counts without overflow: in a forged file they may be of any size.
fn sum(counts: impl IntoIterator<Item = usize>) -> usize {
    counts.into_iter().fold(0, usize::saturating_add)
}
