//! Statistics of labeled crops: counts, balance, bias, and samples of each class.

use std::collections::BTreeMap;
use std::path::Path;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::contact_sheet::{SheetRow, write_contact_sheet};
use crate::digits::{CLASSES, LabeledCrop, class_names};
use crate::files::{WriteError, spreadsheet_text};
use crate::statistics;
use crate::training::{CropFolder, Leak};

/// Upper bounds of the classes of sizes (the shorter side) and of contrasts.
const SIZES: [u32; 5] = [16, 24, 32, 48, 64];
const CONTRASTS: [u32; 4] = [16, 32, 64, 128];

/// Share of the mean count of all digits below which a digit is called rare.
const RARE: f64 = 0.7;

/// Ratio of the median contrast of a digit to that of all digits that is worth a note.
const OTHER_CONTRAST: f32 = 1.25;

/// Cramér's V above which the label can be guessed from the source.
const BIASED: f64 = 0.1;

/// Counts of crops with a common property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tally {
    /// The property: `all`, `source`, `size` (the shorter side in pixels) or `contrast` (of the
    /// cell's own ink, in gray values).
    pub by: &'static str,
    /// Its value.
    pub value: String,
    /// Number of crops.
    pub crops: usize,
    /// Number of crops of each label, the blank first.
    pub labels: [usize; CLASSES],
    /// Median contrast of their ink, in gray values.
    pub contrast: f32,
}

/// Number of near-duplicates of two sources across the split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeakCount {
    /// Source of the crops that are removed from the held-out side.
    pub held_out: String,
    /// Source of the crops trained on.
    pub training: String,
    /// Number of near-duplicates.
    pub crops: usize,
    /// Number of these with another label than their twin.
    pub contradicting: usize,
}

/// Statistics of labeled crops.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CropStats {
    /// All crops first, then by source, size and contrast.
    pub tallies: Vec<Tally>,
    /// Median contrast of the ink of each label, the blank first.
    pub label_contrasts: [f32; CLASSES],
    /// Ratio of the rarest digit to the most frequent one: 1 is balanced.
    pub balance: f64,
    /// Cramér's V between source and digit, 0 to 1: how well the digit can be predicted from the
    /// source.
    pub source_bias: f64,
    /// Remarks on what may need attention.
    pub notes: Vec<String>,
}

/// Class and contrast of crops, by the index and name of their group.
type Groups = BTreeMap<(usize, String), Vec<(usize, f32)>>;

impl CropStats {
    /// Counts the crops of these folders.
    pub fn new(folders: &[&CropFolder]) -> CropStats {
        let mut all = Vec::new();
        let mut by: [Groups; 3] = Default::default();
        let mut of_labels = [const { Vec::new() }; CLASSES];
        for folder in folders {
            for (crop, &(width, height)) in folder.crops.iter().zip(&folder.sizes) {
                let contrast = crop.crop.tone().contrast;
                let one = (crop.class(), contrast);
                all.push(one);
                of_labels[crop.class()].push(contrast);
                let keys = [
                    (0, crop.source_group().to_owned()),
                    bin(width.min(height), &SIZES),
                    bin(contrast as u32, &CONTRASTS),
                ];
                for (tallies, key) in by.iter_mut().zip(keys) {
                    tallies.entry(key).or_default().push(one);
                }
            }
        }
        let mut tallies = vec![tally("all", String::new(), all)];
        for (name, groups) in ["source", "size", "contrast"].into_iter().zip(by) {
            let groups = groups.into_iter();
            tallies.extend(groups.map(|((_, value), crops)| tally(name, value, crops)));
        }
        let digits = &tallies[0].labels[1..];
        let (least, most) = (digits.iter().min(), digits.iter().max());
        let balance = match (least, most) {
            (Some(&least), Some(&most)) if most > 0 => least as f64 / most as f64,
            _ => 0.0,
        };
        let mut stats = CropStats {
            balance,
            source_bias: cramers_v(&tallies),
            label_contrasts: of_labels.map(median),
            tallies,
            notes: Vec::new(),
        };
        stats.notes = stats.look();
        stats
    }

    /// Returns `stats.csv`: one row per tally, `by,value,crops,share,blank,1,…,9,contrast`.
    pub fn to_csv(&self) -> String {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let mut header = vec!["by", "value", "crops", "share"];
        let names = class_names();
        header.extend(names.iter().map(String::as_str));
        header.push("contrast");
        rows.write_record(header).expect("a row fits into memory");
        for tally in &self.tallies {
            let value = spreadsheet_text(&tally.value).into_owned();
            let mut row = vec![tally.by.to_owned(), value];
            row.push(tally.crops.to_string());
            row.push(format!("{:.4}", self.share(tally.crops)));
            row.extend(tally.labels.iter().map(ToString::to_string));
            row.push(format!("{:.1}", tally.contrast));
            rows.write_record(row).expect("a row fits into memory");
        }
        let bytes = rows.into_inner().expect("rows fit into memory");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn share(&self, crops: usize) -> f64 {
        crops as f64 / self.tallies[0].crops.max(1) as f64
    }

    fn look(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let labels = &self.tallies[0].labels;
        let mean = labels[1..].iter().sum::<usize>() as f64 / 9.0;
        let typical = median(self.label_contrasts[1..].to_vec());
        for ((name, &count), contrast) in class_names().iter().zip(labels).zip(self.label_contrasts)
        {
            if count == 0 {
                notes.push(format!("no crop shows {name}"));
            } else if name != "blank" && (count as f64) < RARE * mean {
                let share = 100.0 * count as f64 / mean;
                notes.push(format!(
                    "{name} is rare: {share:.0} % of the mean of all digits"
                ));
            }
            let factor = contrast / typical;
            let is_usual = (1.0 / OTHER_CONTRAST..OTHER_CONTRAST).contains(&factor);
            if name != "blank" && count > 0 && !is_usual {
                notes.push(format!(
                    "the ink of {name} has {:.0} % of the contrast of other digits",
                    100.0 * factor
                ));
            }
        }
        if self.source_bias > BIASED {
            notes.push(format!(
                "the source is associated with the digit (Cramér's V {:.2})",
                self.source_bias
            ));
        }
        notes
    }
}

/// Returns the number of leaks by their two sources, the most frequent first.
pub fn count_leaks(leaks: &[Leak]) -> Vec<LeakCount> {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for leak in leaks {
        let groups = (leak.held_out.source_group(), leak.training.source_group());
        let count = counts.entry(groups).or_default();
        count.0 += 1;
        count.1 += usize::from(leak.contradicts());
    }
    let count = |((held_out, training), (crops, contradicting)): ((&str, &str), _)| LeakCount {
        held_out: held_out.to_owned(),
        training: training.to_owned(),
        crops,
        contradicting,
    };
    let mut counts: Vec<LeakCount> = counts.into_iter().map(count).collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.crops));
    counts
}

/// Returns `leaks.csv`: one row per leak, with source, photo and label of the crop that is left out
/// and of the one trained on.
pub fn leaks_csv(leaks: &[Leak]) -> String {
    let mut rows = csv::Writer::from_writer(Vec::new());
    let header = "source,photo,label,training_source,training_photo,training_label";
    rows.write_record(header.split(','))
        .expect("a row fits into memory");
    for leak in leaks {
        let fields = |crop: &LabeledCrop| {
            [
                spreadsheet_text(&crop.source).into_owned(),
                spreadsheet_text(&crop.photo).into_owned(),
                crop.class().to_string(),
            ]
        };
        let row = [fields(&leak.held_out), fields(&leak.training)].concat();
        rows.write_record(row).expect("a row fits into memory");
    }
    let bytes = rows.into_inner().expect("rows fit into memory");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes a PNG with one row per class, 0 for blanks, and up to this many samples in each.
///
/// # Errors
///
/// [`WriteError`] if it cannot be written.
pub fn write_class_samples(
    path: &Path,
    folders: &[&CropFolder],
    columns: usize,
    seed: u64,
) -> Result<(), WriteError> {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let row = |class: usize| {
        let crops = folders.iter().flat_map(|folder| &folder.crops);
        let mut crops: Vec<_> = crops.filter(|crop| crop.class() == class).collect();
        let (samples, _) = crops.partial_shuffle(rng, columns);
        SheetRow {
            heading: class.to_string(),
            crops: samples.iter().map(|crop| &crop.crop).collect(),
        }
    };
    let rows: Vec<SheetRow<'_>> = (0..CLASSES).map(row).collect();
    write_contact_sheet(path, &rows)
}

fn tally(by: &'static str, value: String, crops: Vec<(usize, f32)>) -> Tally {
    let mut labels = [0; CLASSES];
    for &(class, _) in &crops {
        labels[class] += 1;
    }
    Tally {
        by,
        value,
        crops: crops.len(),
        labels,
        contrast: median(crops.into_iter().map(|(_, contrast)| contrast).collect()),
    }
}

/// Returns the index and the name of the class of a value: `24-31`.
fn bin(value: u32, ends: &[u32]) -> (usize, String) {
    let number = ends.partition_point(|&end| end <= value);
    let name = match (
        number.checked_sub(1).map(|below| ends[below]),
        ends.get(number),
    ) {
        (low, Some(end)) => format!("{}-{}", low.unwrap_or(0), end - 1),
        (low, None) => format!("{}+", low.unwrap_or(0)),
    };
    (number, name)
}

fn median(values: Vec<f32>) -> f32 {
    let mut values: Vec<f64> = values.into_iter().map(f64::from).collect();
    statistics::median(&mut values) as f32
}

/// Returns Cramér's V (Cramér, "Mathematical Methods of Statistics", 1946) between source and
/// digit; blanks are not counted, since sources naturally differ in them.
fn cramers_v(tallies: &[Tally]) -> f64 {
    let sources = tallies.iter().filter(|tally| tally.by == "source");
    let table: Vec<&[usize]> = sources
        .map(|tally| &tally.labels[1..])
        .filter(|row| row.iter().any(|&count| count > 0))
        .collect();
    let column = |j: usize| table.iter().map(|row| row[j]).sum::<usize>() as f64;
    let columns: Vec<f64> = (0..CLASSES - 1).map(column).collect();
    let total: f64 = columns.iter().sum();
    let kinds = columns.iter().filter(|&&count| count > 0.0).count();
    let degrees = table.len().min(kinds).saturating_sub(1);
    if degrees == 0 {
        return 0.0;
    }
    let mut chi_square = 0.0;
    for row in &table {
        let whole = row.iter().sum::<usize>() as f64;
        for (&count, column) in row.iter().zip(&columns) {
            let expected = whole * column / total;
            if expected > 0.0 {
                chi_square += (count as f64 - expected).powi(2) / expected;
            }
        }
    }
    (chi_square / (total * degrees as f64)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, labels: [usize; CLASSES]) -> Tally {
        Tally {
            by: "source",
            value: source.to_owned(),
            crops: labels.iter().sum(),
            labels,
            contrast: 0.0,
        }
    }

    #[test]
    fn a_source_that_reveals_the_digit_has_the_largest_bias_and_an_even_one_none() {
        let even = [9, 4, 4, 4, 4, 4, 4, 4, 4, 4];
        let twice = [0, 8, 8, 8, 8, 8, 8, 8, 8, 8];
        assert!(cramers_v(&[of("a", even), of("b", twice)]) < 1e-9);
        let (ones, twos) = (
            [0, 7, 0, 0, 0, 0, 0, 0, 0, 0],
            [3, 0, 5, 0, 0, 0, 0, 0, 0, 0],
        );
        assert!((cramers_v(&[of("a", ones), of("b", twos)]) - 1.0).abs() < 1e-9);
        assert_eq!(cramers_v(&[of("a", even)]), 0.0);
        assert_eq!(cramers_v(&[]), 0.0);
    }

    #[test]
    fn size_classes_are_named_by_their_bounds() {
        let name = |size| bin(size, &SIZES).1;
        assert_eq!(
            [0, 15, 16, 31, 32, 63, 64, 900].map(name),
            [
                "0-15", "0-15", "16-23", "24-31", "32-47", "48-63", "64+", "64+"
            ]
        );
    }
}
