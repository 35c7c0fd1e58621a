//! Terminal report of labeled crops.

use std::fmt::Write;

use crate::dataset::{CropStats, LeakCount};

/// Largest number of pairs of sources in the table.
const NAMED: usize = 8;

/// Result of the leak check of a split.
#[derive(Clone, Copy, Debug)]
pub struct Leaks<'a> {
    /// Number of crops trained on.
    pub training: usize,
    /// Number of crops held out before the check.
    pub held_out: usize,
    /// Near-duplicates among the held-out crops, by their sources.
    pub counts: &'a [LeakCount],
}

/// Returns a table with a row for all crops, each source, size and contrast, then balance, leaks
/// and notes.
pub fn crop_table(stats: &CropStats, leaks: &Leaks<'_>) -> String {
    let names = stats
        .tallies
        .iter()
        .map(|tally| tally.value.chars().count());
    let width = names.max().unwrap_or(0).max(8);
    let mut text = format!("{:<9}{:<width$}{:>9}{:>8}", "", "", "crops", "blank");
    for digit in 1..=9 {
        let _ = write!(text, "{digit:>7}");
    }
    text.push_str("  contrast\n");
    let mut last = "";
    for tally in &stats.tallies {
        let by = if tally.by == last { "" } else { tally.by };
        last = tally.by;
        let _ = write!(text, "{by:<9}{:<width$}{:>9}", tally.value, tally.crops);
        for (class, count) in tally.labels.iter().enumerate() {
            let column = if class == 0 { 8 } else { 7 };
            let _ = write!(text, "{count:>column$}");
        }
        let _ = writeln!(text, "{:>10.0}", tally.contrast);
    }
    let _ = write!(text, "{:<9}{:<width$}{:>9}", "contrast", "median", "");
    for (class, contrast) in stats.label_contrasts.iter().enumerate() {
        let column = if class == 0 { 8 } else { 7 };
        let _ = write!(text, "{contrast:>column$.0}");
    }
    let _ = writeln!(
        text,
        "\n\nbalance  {:.2} (rarest digit over most frequent)\nbias     {:.2} (Cramér's V of source and digit, 0 is none)",
        stats.balance, stats.source_bias,
    );
    let leaked: usize = leaks
        .counts
        .iter()
        .map(|count| count.crops)
        .fold(0, usize::saturating_add);
    let _ = writeln!(
        text,
        "split    {} to train on, {} held out, {leaked} of these left out: near-duplicates of crops trained on",
        leaks.training, leaks.held_out,
    );
    for count in leaks.counts.iter().take(NAMED) {
        let (held_out, training) = (&count.held_out, &count.training);
        let _ = write!(
            text,
            "         {:>6} of {held_out} like {training}",
            count.crops
        );
        if count.contradicting > 0 {
            let _ = write!(text, ", {} with another label", count.contradicting);
        }
        text.push('\n');
    }
    if leaks.counts.len() > NAMED {
        let more = leaks.counts.len() - NAMED;
        let _ = writeln!(text, "         and {more} more pairs of sources");
    }
    for note in &stats.notes {
        let _ = writeln!(text, "note     {note}");
    }
    text
}
