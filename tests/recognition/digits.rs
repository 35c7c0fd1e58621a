//! The digit network: data and inference, from labeled crops to posteriors.

use crate::common::data;
use crate::common::toy;
use data::data_folder;
use image::GrayImage;
use sudoku_batch::digits::{
    Compute, DigitClassifier, InferenceError, LabeledCrop, NetClassifier, Posterior, TrainingConfig,
};
use sudoku_batch::grid::Digit;
use sudoku_batch::training::{CropFolder, DataFolder, DatasetError, Split};
use sudoku_batch::vision::{CROP_SIDE, CellCrop};
use toy::toy_crop;

#[test]
fn a_device_missing_from_the_build_names_the_feature() {
    if cfg!(any(feature = "wgpu", feature = "cuda")) {
        return;
    }
    let error = Compute::Cuda.is_built_in().unwrap_err();
    assert!(error.to_string().contains("--features cuda"), "{error}");
}

/// Crops of every kind: digits, blanks, noise, extremes.
fn assorted_crops(count: usize) -> Vec<CellCrop> {
    let crop = |i: usize| match i % 4 {
        0 | 1 => toy_crop(i % 10, i),
        2 => CellCrop {
            pixels: Box::new(std::array::from_fn(|at| (at * (i + 31) / 7 % 251) as u8)),
            board_contrast: (i % 256) as f32,
        },
        _ => CellCrop {
            pixels: Box::new([(i % 256) as u8; CROP_SIDE * CROP_SIDE]),
            board_contrast: 0.0,
        },
    };
    (0..count).map(crop).collect()
}

#[test]
fn every_crop_gets_one_posterior_in_order_for_any_batch_size() {
    let classifier = NetClassifier::built_in().unwrap();
    assert!(classifier.classify(&[]).unwrap().is_empty());
    let crops = assorted_crops(500);
    let one_by_one: Result<Vec<Vec<Posterior>>, InferenceError> = crops
        .iter()
        .map(|crop| classifier.classify(std::slice::from_ref(crop)))
        .collect();
    let one_by_one: Vec<Posterior> = one_by_one.unwrap().concat();
    assert_eq!(one_by_one.len(), crops.len());
    for size in [31, 32, 33, 500] {
        let posteriors = classifier.classify(&crops[..size]).unwrap();
        assert_eq!(posteriors.len(), size);
        for (posterior, alone) in posteriors.iter().zip(&one_by_one) {
            let sum: f32 = posterior.as_array().iter().sum();
            assert!((sum - 1.0).abs() < 1e-5);
            for (a, b) in posterior.as_array().iter().zip(alone.as_array()) {
                assert!(*a > 0.0 && (a - b).abs() < 1e-5, "{a} against {b}");
            }
        }
    }
}

#[test]
fn threads_share_a_classifier_and_read_the_same() {
    let classifier = NetClassifier::built_in().unwrap();
    let crops = assorted_crops(96);
    let expected = classifier.classify(&crops).unwrap();
    std::thread::scope(|scope| {
        let read = || classifier.classify(&crops).unwrap();
        let readers = [scope.spawn(read), scope.spawn(read), scope.spawn(read)];
        for reader in readers {
            assert_eq!(reader.join().unwrap(), expected);
        }
    });
}

/// A folder with a sheet of four 8x8 crops and this manifest.
fn manifest_folder(rows: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let sheet = GrayImage::from_fn(32, 8, |x, y| {
        image::Luma([if (x + y) % 5 == 0 { 30 } else { 220 }])
    });
    sheet.save(folder.path().join("sheet.png")).unwrap();
    std::fs::write(folder.path().join("broken.png"), b"no picture").unwrap();
    std::fs::write(folder.path().join("manifest.csv"), rows).unwrap();
    folder
}

const HEADER: &str = "file,x,y,width,height,label,photo,source\n";

#[test]
fn a_manifest_gives_its_crops_in_order_with_their_labels() {
    let rows = "sheet.png,0,0,8,8,0,p/1,a\nsheet.png,8,0,8,8,7,p/1,a\nsheet.png,24,0,8,8,9,,b\n";
    let folder = CropFolder::read(manifest_folder(&format!("{HEADER}{rows}")).path()).unwrap();
    let labels: Vec<Option<u8>> = folder
        .crops
        .iter()
        .map(|crop| crop.label.map(Digit::value))
        .collect();
    assert_eq!(labels, [None, Some(7), Some(9)]);
    assert_eq!(folder.crops[1].photo, "p/1");
    assert_eq!(folder.crops[2].source, "b");
    assert_eq!(
        folder.crops[0].crop.board_contrast,
        folder.crops[1].crop.board_contrast
    );
}

#[test]
fn rows_without_a_label_are_left_out_and_counted() {
    let rows = "file,x,y,width,height,label,solution,photo,puzzle,source\n\
        sheet.png,0,0,8,8,,5,a,p,\nsheet.png,8,0,8,8,7,7,a,p,\nsheet.png,16,0,8,8,,,a,p,\n";
    let folder = CropFolder::read(manifest_folder(rows).path()).unwrap();
    assert_eq!((folder.crops.len(), folder.sizes.len()), (1, 1));
    assert_eq!(folder.unlabeled, 2);
    assert_eq!(folder.crops[0].label, Digit::new(7));
    assert_eq!(folder.crops[0].puzzle, "p");
}

#[test]
fn the_contrast_column_is_used_unchanged() {
    let rows = "file,x,y,width,height,label,photo,source,contrast\nsheet.png,0,0,8,8,0,,,77.5\nsheet.png,0,0,8,8,3,,,\n";
    let folder = CropFolder::read(manifest_folder(rows).path()).unwrap();
    assert_eq!(folder.crops[0].crop.board_contrast, 77.5);
    let derived = &folder.crops[1].crop;
    assert_eq!(derived.board_contrast, derived.tone().contrast);
}

#[test]
fn a_bad_row_is_named_by_file_and_line() {
    let good = "sheet.png,0,0,8,8,1,,\n";
    let cases = [
        ("sheet.png,0,0,8,8,10,,", "label `10`"),
        ("sheet.png,0,0,8,8,x,,", "label `x`"),
        (
            "missing.png,0,0,8,8,1,,",
            "sheet `missing.png` cannot be read",
        ),
        (
            "broken.png,0,0,8,8,1,,",
            "sheet `broken.png` cannot be read",
        ),
        (
            "sheet.png,25,0,8,8,1,,",
            "rectangle 8x8 at 25,0 does not fit in the 32x8 sheet",
        ),
        ("sheet.png,0,0,0,8,1,,", "rectangle 0x8"),
        ("sheet.png,4294967295,0,8,8,1,,", "rectangle"),
        ("../sheet.png,0,0,8,8,1,,", "outside the folder"),
        ("/etc/passwd,0,0,8,8,1,,", "outside the folder"),
        ("sheet.png,-1,0,8,8,1,,", "invalid digit"),
        ("sheet.png,0,0,8", "fields"),
    ];
    for (row, expected) in cases {
        let folder = manifest_folder(&format!(
            "{HEADER}{good}\"sheet.png\",0,0,8,8,2,\"two\nlines\",\n{row}\n"
        ));
        let error = CropFolder::read(folder.path()).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("manifest.csv:5: "), "{row}: {message}");
        assert!(message.contains(expected), "{row}: {message}");
        assert!(matches!(error, DatasetError::Row { .. }));
    }
    let folder = manifest_folder("file,x,y\nsheet.png,0,0\n");
    let error = CropFolder::read(folder.path()).unwrap_err();
    let message = error.to_string();
    let missing = message.contains("manifest.csv:1: ") && message.contains("`width`");
    assert!(missing, "{error}");
}

#[test]
fn folders_named_by_label_are_read_and_an_empty_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = CropFolder::read(folder.path()).unwrap_err();
    assert!(matches!(error, DatasetError::Empty { .. }), "{error}");
    for label in ["0", "5"] {
        std::fs::create_dir(folder.path().join(label)).unwrap();
        let picture = GrayImage::from_pixel(40, 40, image::Luma([200]));
        picture
            .save(folder.path().join(label).join("a.png"))
            .unwrap();
    }
    let crops = CropFolder::read(folder.path()).unwrap().crops;
    assert_eq!(crops.len(), 2);
    assert_eq!(crops[1].label, Digit::new(5));
    std::fs::write(folder.path().join("5/b.png"), b"no picture").unwrap();
    let error = CropFolder::read(folder.path()).unwrap_err();
    assert!(error.to_string().contains("b.png"), "{error}");
}

#[test]
fn a_puzzle_is_trained_on_or_held_out_as_a_whole() {
    let crop = |puzzle: usize, photo: usize, source: &str| LabeledCrop {
        crop: toy_crop(1, 0),
        label: Digit::new(1),
        kind: None,
        marks: None,
        photo: format!("photo{photo}-of-{puzzle}"),
        puzzle: format!("puzzle{puzzle}"),
        source: source.to_owned(),
    };
    let crops = |source: &str| -> Vec<LabeledCrop> {
        (0..400).map(|i| crop(i % 40, i / 40, source)).collect()
    };
    let config = TrainingConfig {
        validation: 0.3,
        exclude_sources: vec!["bad".to_owned()],
        validation_sources: vec!["test".to_owned()],
        ..TrainingConfig::default()
    };
    let folder = |source: &str| DataFolder {
        name: source.to_owned(),
        folder: CropFolder {
            crops: crops(source),
            ..CropFolder::default()
        },
        weight: 1.0,
    };
    let split = Split::new(["real", "bad-1", "test-1"].map(folder).into(), &config);
    assert_eq!(split.training.len() + split.validation.len(), 800);
    assert_eq!(split.cards[2].validation, 400);
    assert!(split.training.iter().all(|crop| crop.source == "real"));
    let puzzles = |crops: &[LabeledCrop]| -> std::collections::BTreeSet<String> {
        let real = crops.iter().filter(|crop| crop.source == "real");
        real.map(|crop| crop.puzzle.clone()).collect()
    };
    let (training, held_out) = (puzzles(&split.training), puzzles(&split.validation));
    assert!(training.is_disjoint(&held_out));
    assert!((6..=18).contains(&held_out.len()), "{}", held_out.len());
}

#[test]
fn the_built_in_model_reads_handwritten_crops_it_was_not_trained_on() {
    let Some(crops) = data_folder("crops/kubiesa") else {
        return;
    };
    let folder = CropFolder::read(&crops).unwrap();
    let mut unseen = folder.crops;
    unseen.retain(|crop| crop.source.starts_with("kubiesa-val"));
    let crops: Vec<CellCrop> = unseen.iter().map(|labeled| labeled.crop.clone()).collect();
    let posteriors = NetClassifier::built_in().unwrap().classify(&crops).unwrap();
    let read = posteriors.iter().zip(&unseen);
    let right = read.filter(|(posterior, labeled)| posterior.best() == labeled.label);
    let (right, all) = (right.count(), unseen.len());
    assert!(right * 100 >= all * 97, "{right} of {all}");
}
