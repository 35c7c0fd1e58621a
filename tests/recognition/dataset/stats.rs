//! `dataset stats`, samples, and near-duplicates.

use std::collections::BTreeMap;
use std::path::Path;

use sudoku_batch::dataset::CropStats;
use sudoku_batch::digits::{LabeledCrop, TrainingConfig};
use sudoku_batch::grid::Digit;
use sudoku_batch::render::{CropConfig, CropRenderer, FontSet};
use sudoku_batch::training::{CropFolder, DataFolder, Leak, Split};
use sudoku_batch::vision::CellCrop;

use super::common::{program, say};
use super::{HEADER, dataset, json, write};

/// Rendered crops, each of its own puzzle.
fn rendered(count: u64) -> Vec<LabeledCrop> {
    let renderer = CropRenderer::new(CropConfig::default(), FontSet::default());
    let crop = |index| LabeledCrop {
        photo: format!("photo{index}"),
        puzzle: format!("puzzle{index}"),
        source: format!("rendered-{}", index % 2),
        ..renderer.render(7, index).into()
    };
    (0..count).map(crop).collect()
}

#[test]
fn stats_count_every_crop_once_in_each_breakdown() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let crops = rendered(300);
    write(&crops, folder.path());
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(0), "{said:?}");
    for word in ["blank", "source", "rendered", "balance", "bias", "held out"] {
        assert!(said.stdout.contains(word), "{word}: {}", said.stdout);
    }
    let mut expected = [0usize; 10];
    for crop in &crops {
        expected[crop.label.map_or(0, Digit::value) as usize] += 1;
    }
    let mut sums: BTreeMap<String, [usize; 10]> = BTreeMap::new();
    let mut table = csv::Reader::from_path(out.path().join("stats.csv")).unwrap();
    for row in table.records() {
        let row = row.unwrap();
        let labels: Vec<usize> = (4..14).map(|at| row[at].parse().unwrap()).collect();
        assert_eq!(row[2].parse(), Ok(labels.iter().sum::<usize>()));
        let sum = sums.entry(row[0].to_owned()).or_default();
        sum.iter_mut().zip(labels).for_each(|(sum, n)| *sum += n);
    }
    let kinds: Vec<&str> = sums.keys().map(String::as_str).collect();
    assert_eq!(kinds, ["all", "contrast", "size", "source"]);
    assert!(sums.values().all(|sum| *sum == expected), "{sums:?}");

    let said = dataset(&["stats", "--json"], &[folder.path()], out.path());
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary, json(&out.path().join("summary.json")));
    assert_eq!(summary["crops"], 300);
    let mut leaks = csv::Reader::from_path(out.path().join("leaks.csv")).unwrap();
    let counted = summary["leaks"].as_array().unwrap().iter();
    let counted: u64 = counted.map(|pair| pair["crops"].as_u64().unwrap()).sum();
    assert_eq!(leaks.records().count() as u64, counted);
}

#[test]
fn samples_show_a_row_for_each_class_and_depend_on_the_seed_only() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&rendered(300), folder.path());
    let samples = |seed: &str| {
        let arguments = ["stats", "--samples", "5", "--seed", seed];
        let said = dataset(&arguments, &[folder.path()], out.path());
        assert_eq!(said.code, Some(0), "{said:?}");
        image::open(out.path().join("samples.png"))
            .unwrap()
            .into_rgb8()
    };
    let one = samples("1");
    assert_eq!(one.height() % 72, 8, "ten rows of 64 pixels and gaps of 8");
    assert_eq!((one.height() / 72, (one.width() - 56) / 72), (10, 5));
    assert_eq!(one, samples("1"));
    assert_ne!(one, samples("2"));
}

#[test]
fn stats_note_missing_rare_and_source_biased_classes() {
    let mut crops = rendered(400);
    crops.retain(|crop| crop.label != Digit::new(3));
    for crop in &mut crops {
        let is_low = crop.label.is_some_and(|digit| digit.value() < 5);
        crop.source = if is_low { "low-1" } else { "high-1" }.to_owned();
    }
    let sizes = vec![(32, 32); crops.len()];
    let folder = CropFolder {
        crops,
        sizes,
        ..CropFolder::default()
    };
    let stats = CropStats::new(&[&folder]);
    let notes = stats.notes.join("\n");
    assert!(notes.contains("no crop shows 3"), "{notes}");
    assert!(notes.contains("the source is associated"), "{notes}");
    assert!(stats.source_bias > 0.9 && stats.balance == 0.0);
}

#[test]
fn near_duplicates_of_training_crops_are_left_out_and_blanks_stay() {
    let config = TrainingConfig {
        validation_sources: vec!["held".to_owned()],
        validation: 0.0,
        ..TrainingConfig::default()
    };
    let training = rendered(200);
    // Other crops, and a darker copy of each training crop that is not too faint for it.
    let mut held_out: Vec<LabeledCrop> = rendered(400).split_off(200);
    let is_clear = |crop: &&LabeledCrop| {
        let contrast = crop.crop.tone().contrast;
        crop.label.is_some() && contrast > 40.0 && contrast > 0.6 * crop.crop.board_contrast
    };
    let copies = training.iter().filter(is_clear).map(|crop| LabeledCrop {
        crop: CellCrop {
            pixels: Box::new(crop.crop.pixels.map(|value| (f32::from(value) * 0.8) as u8)),
            board_contrast: 0.8 * crop.crop.board_contrast,
        },
        ..crop.clone()
    });
    let copied = copies.clone().count();
    assert!(copied > 30, "{copied}");
    held_out.extend(copies);
    for crop in &mut held_out {
        crop.source = "held-1".to_owned();
    }
    let is_blank = |crop: &&LabeledCrop| crop.label.is_none();
    let blanks = held_out.iter().filter(is_blank).count();
    let folder = |crops| DataFolder {
        name: "a".to_owned(),
        folder: CropFolder {
            crops,
            ..CropFolder::default()
        },
        weight: 2.0,
    };
    let mut split = Split::new([training, held_out].map(folder).into(), &config);
    assert!(split.weights.iter().all(|&weight| weight == 2.0));
    let before = split.validation.len();
    let leaks = split.leave_out_leaks();
    assert_eq!(split.validation.len() + leaks.len(), before);
    assert_eq!(split.cards[1].validation, split.validation.len());
    assert_eq!((split.cards[0].training, split.training.len()), (200, 200));
    // All copies, and few of the others.
    let found = copied..copied + 10;
    assert!(found.contains(&leaks.len()), "{} of {copied}", leaks.len());
    let expected = |leak: &Leak| {
        let (held_out, training) = (&leak.held_out, &leak.training);
        held_out.source == "held-1" && training.source.starts_with("rendered")
    };
    assert!(leaks.iter().all(expected));
    let kept = split.validation.iter().filter(is_blank).count();
    assert!(kept + 5 > blanks, "{kept} of {blanks}");
    assert_eq!(split.leave_out_leaks(), []);
}

#[test]
fn folders_without_crops_and_classes_without_crops_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    std::fs::write(folder.path().join("manifest.csv"), HEADER).unwrap();
    for (path, error) in [
        (folder.path(), "no labeled crops"),
        (Path::new("nowhere"), "no such folder: nowhere"),
    ] {
        let said = dataset(&["stats"], &[path], &out);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(error), "{said:?}");
        assert!(said.stderr.contains("hint: "), "{said:?}");
    }
    let mut crops = rendered(300);
    crops.retain(|crop| ![None, Digit::new(2), Digit::new(7)].contains(&crop.label));
    write(&crops, folder.path());
    let said = say(program(&["train"]).arg(folder.path()).arg("-o").arg(&out));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("train on for 2, 7: "), "{said:?}");
    assert!(said.stderr.contains("rendered ones are added"), "{said:?}");
}

#[test]
fn rows_without_a_label_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&rendered(100), folder.path());
    let manifest = std::fs::read_to_string(path("manifest.csv")).unwrap();
    let more = format!("{manifest}sheet000.png,0,0,32,32,,5,,,,,,\n");
    std::fs::write(path("manifest.csv"), more).unwrap();
    let said = dataset(&["stats", "--json"], &[folder.path()], &path("out"));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("1 row without a label"), "{said:?}");
    let summary = json(&path("out/summary.json"));
    assert_eq!(
        (&summary["crops"], &summary["unlabeled"]),
        (&100.into(), &1.into())
    );
}

#[test]
fn source_names_are_escaped_in_tables_and_limited_in_length() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut crops = rendered(60);
    crops
        .iter_mut()
        .for_each(|crop| crop.source = "=cmd()".to_owned());
    write(&crops, folder.path());
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(0), "{said:?}");
    let table = std::fs::read_to_string(out.path().join("stats.csv")).unwrap();
    assert!(
        table.contains(",'=cmd()") && !table.contains(",=cmd()"),
        "{table}"
    );
    let manifest = folder.path().join("manifest.csv");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replacen("=cmd()", &"x".repeat(65_536), 1)).unwrap();
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(2), "{said:?}");
    let why = "manifest.csv:2: `source` is longer than 4096 bytes";
    assert!(said.stderr.contains(why), "{said:?}");
}
