//! The tables of a training run.

use std::fmt::Write;

use crate::digits::{ConfusionMatrix, Evaluation, Reliability, class_names};
use crate::files::spreadsheet_text;
use crate::grid::Digit;
use crate::training::{EpochMetrics, WorstCrop};

/// Returns `metrics.csv`: two rows per epoch, for the crops trained on and those held out.
pub fn metrics_csv(history: &[EpochMetrics]) -> String {
    let mut csv = "epoch,split,loss,accuracy,seconds\n".to_owned();
    for epoch in history {
        let EpochMetrics {
            epoch,
            training_loss,
            training_accuracy,
            training_seconds,
            validation_loss,
            validation_accuracy,
            validation_seconds,
        } = epoch;
        // Writing into a string cannot fail.
        let _ = writeln!(
            csv,
            "{epoch},training,{training_loss},{training_accuracy},{training_seconds:.3}\n\
             {epoch},validation,{validation_loss},{validation_accuracy},{validation_seconds:.3}"
        );
    }
    csv
}

/// Returns `classes.csv`: one row per class. Undefined shares are empty.
pub fn classes_csv(confusion: &ConfusionMatrix) -> String {
    let mut csv = "class,crops,read,right,precision,recall\n".to_owned();
    for (class, name) in class_names().iter().enumerate() {
        let _ = writeln!(
            csv,
            "{name},{},{},{},{},{}",
            confusion.labeled(class),
            confusion.read_as(class),
            confusion.count(class, class),
            or_empty(confusion.precision(class)),
            or_empty(confusion.recall(class)),
        );
    }
    csv
}

/// Returns `sources.csv`: one row per source of held-out crops.
pub fn sources_csv(evaluation: &Evaluation) -> String {
    let sources = evaluation.sources.iter();
    let rows = sources.map(|(source, (accuracy, crops))| {
        [
            spreadsheet_text(source).into_owned(),
            crops.to_string(),
            accuracy.to_string(),
        ]
    });
    table(["source", "crops", "accuracy"], rows)
}

/// Returns `reliability.csv`: one row per table and bin of confidence. The means of an empty bin
/// are empty.
pub fn reliability_csv(tables: &[Reliability]) -> String {
    let mut csv = "temperature,from,to,crops,confidence,accuracy\n".to_owned();
    for table in tables {
        for (range, bin) in table.bins() {
            let _ = writeln!(
                csv,
                "{},{:.4},{:.4},{},{},{}",
                table.temperature,
                range.start,
                range.end,
                bin.crops,
                or_empty(bin.confidence()),
                or_empty(bin.accuracy()),
            );
        }
    }
    csv
}

/// Returns `worst.csv`: the crops of [`worst_picture`](super::picture::worst_picture), in its
/// order.
pub fn worst_csv(worst: &[WorstCrop]) -> String {
    let rows = worst.iter().map(|crop| {
        [
            crop.rank.to_string(),
            class_name(crop.label).to_string(),
            class_name(crop.read).to_string(),
            crop.confidence.to_string(),
            crop.loss.to_string(),
            crop.photo.clone(),
            crop.source.clone(),
        ]
    });
    let header = [
        "rank",
        "label",
        "read",
        "confidence",
        "loss",
        "photo",
        "source",
    ];
    table(header, rows)
}

/// Returns the class as in a manifest: 0 is a blank.
fn class_name(content: Option<Digit>) -> u8 {
    content.map_or(0, Digit::value)
}

fn or_empty(share: Option<f32>) -> String {
    share.map_or_else(String::new, |share| share.to_string())
}

fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let in_memory = "memory takes every row";
    csv.write_record(header).expect(in_memory);
    for row in rows {
        let fields = row.iter().map(|field| spreadsheet_text(field).into_owned());
        csv.write_record(fields).expect(in_memory);
    }
    let bytes = csv.into_inner().expect(in_memory);
    String::from_utf8(bytes).expect("the fields are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_without_crops_has_empty_shares() {
        let mut confusion = ConfusionMatrix::default();
        for (label, read) in [(1, 1), (1, 1), (1, 7), (7, 7)] {
            confusion.add(label, read);
        }
        let csv = classes_csv(&confusion);
        let rows: Vec<&str> = csv.lines().collect();
        assert_eq!(rows.len(), 11);
        assert_eq!(rows[1], "blank,0,0,0,,");
        assert_eq!(rows[2], "1,3,2,2,1,0.6666667");
        assert_eq!(rows[8], "7,1,2,1,0.5,1");
    }

    #[test]
    fn a_source_is_one_csv_field_whatever_its_name() {
        let mut evaluation = Evaluation::default();
        evaluation.sources.insert("=a,\"b\"".to_owned(), (0.5, 4));
        let csv = sources_csv(&evaluation);
        let mut rows = csv::Reader::from_reader(csv.as_bytes());
        let row = rows.records().next().unwrap().unwrap();
        assert_eq!(row, vec!["'=a,\"b\"", "4", "0.5"]);
    }
}
