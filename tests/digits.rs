//! The digit network from labeled crops to posteriors: data, training, artifact, inference.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use image::GrayImage;
use sudoku_batch::digits::{
    Artifact, ArtifactError, Augment, Compute, CropFolder, DatasetError, DigitClassifier,
    InferenceError, LabeledCrop, NetClassifier, NetConfig, Posterior, RowProblem, Split,
    TrainingConfig, TrainingError, TrainingEvent, TrainingRun, train,
};
use sudoku_batch::grid::Digit;
use sudoku_batch::vision::{CROP_SIDE, CellCrop};

/// Seven segments of each digit, as on a pocket calculator: top, top left, top right, middle,
/// bottom left, bottom right, bottom.
const SEGMENTS: [[u8; 7]; 10] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

/// A crop that shows this label (0 = blank), a little displaced and toned by `variant`.
fn toy_crop(label: usize, variant: usize) -> CellCrop {
    let (left, top) = (10 + variant % 3, 6 + variant / 3 % 3);
    let (ground, ink) = (
        200 + (variant * 7 % 40) as u8,
        40 + (variant * 5 % 50) as u8,
    );
    let mut pixels = Box::new([ground; CROP_SIDE * CROP_SIDE]);
    let mut fill = |x: usize, y: usize, width: usize, height: usize| {
        for row in y..y + height {
            for column in x..x + width {
                pixels[row * CROP_SIDE + column] = ink;
            }
        }
    };
    let places = [
        (0, 0, 12, 3),
        (0, 0, 3, 10),
        (9, 0, 3, 10),
        (0, 8, 12, 3),
        (0, 9, 3, 10),
        (9, 9, 3, 10),
        (0, 17, 12, 3),
    ];
    for (on, (x, y, width, height)) in SEGMENTS[label].into_iter().zip(places) {
        if on == 1 {
            fill(left + x, top + y, width, height);
        }
    }
    CellCrop {
        pixels,
        board_contrast: 150.0,
    }
}

fn toy_split() -> Split {
    let labeled = |label: usize, variant: usize| LabeledCrop {
        crop: toy_crop(label, variant),
        label: Digit::new(label as u8),
        photo: String::new(),
        source: "toy-1".to_owned(),
    };
    let of = |variants: std::ops::Range<usize>| -> Vec<LabeledCrop> {
        let labels = (0..10).flat_map(|label| variants.clone().map(move |v| (label, v)));
        labels
            .map(|(label, variant)| labeled(label, variant))
            .collect()
    };
    let training = of(0..9);
    Split {
        weights: vec![1.0; training.len()],
        training,
        validation: of(9..11),
        cards: Vec::new(),
    }
}

fn toy_config(epochs: usize) -> TrainingConfig {
    TrainingConfig {
        epochs,
        batch_size: 30,
        learning_rate: 5e-3,
        dropout: 0.1,
        augment: Augment::None,
        net: NetConfig {
            widths: [4, 8, 12, 12],
            hidden: 16,
        },
        ..TrainingConfig::default()
    }
}

fn run(config: &TrainingConfig, folder: &Path) -> Result<TrainingRun, TrainingError> {
    run_until(config, folder, &AtomicBool::new(false), &mut |_| {})
}

fn run_until(
    config: &TrainingConfig,
    folder: &Path,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<TrainingRun, TrainingError> {
    train(config, &toy_split(), Compute::Cpu, folder, stop, on_event)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

#[test]
fn a_tiny_run_learns_rendered_digits_and_its_model_survives_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(&toy_config(40), folder.path()).unwrap();
    let card = &run.artifact.card;
    assert_eq!(card.validation.accuracy, 1.0, "{:?}", run.history.last());
    assert_eq!(run.confusion.correct(), run.confusion.total());
    assert!(!run.interrupted);

    let model = folder.path().join("model");
    run.artifact.write(&model).unwrap();
    let back = Artifact::read(&model).unwrap();
    assert_eq!(back.card, run.artifact.card);
    let fresh = NetClassifier::new(run.artifact, Compute::Cpu).unwrap();
    let loaded = NetClassifier::load(&model, Compute::Cpu).unwrap();
    let crops: Vec<CellCrop> = (0..10).map(|label| toy_crop(label, 4)).collect();
    let posteriors = loaded.classify(&crops).unwrap();
    assert_eq!(posteriors, fresh.classify(&crops).unwrap());
    for (label, posterior) in posteriors.iter().enumerate() {
        assert_eq!(posterior.best(), Digit::new(label as u8));
    }
}

#[test]
fn a_resumed_run_is_bit_equal_to_an_uninterrupted_one_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, other_seed, stopped] =
        ["whole", "other_seed", "stopped"].map(|name| folder.path().join(name));
    let config = TrainingConfig {
        augment: Augment::Full,
        ..toy_config(4)
    };
    let expected = on_threads(2, || run(&config, &whole)).unwrap();

    // Stopped in the middle of epoch 3, once by the flag, then gone on with.
    let stop = AtomicBool::new(false);
    let mut stop_in_third = |event: TrainingEvent<'_>| {
        if matches!(event, TrainingEvent::Batch { epoch: 3, .. }) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let interrupted = run_until(&config, &stopped, &stop, &mut stop_in_third).unwrap();
    assert!(interrupted.interrupted);
    assert_eq!(interrupted.history.len(), 2);
    let resumed = on_threads(1, || run(&config, &stopped)).unwrap();
    assert_eq!(resumed.artifact.weights, expected.artifact.weights);
    let numbers = |run: &TrainingRun| -> Vec<(f32, f32)> {
        let history = run.history.iter();
        history
            .map(|epoch| (epoch.training_loss, epoch.validation_loss))
            .collect()
    };
    assert_eq!(numbers(&resumed), numbers(&expected));

    let other = TrainingConfig {
        seed: 1,
        ..config.clone()
    };
    let refused = run(&other, &stopped).unwrap_err();
    assert!(refused.to_string().contains("other settings"), "{refused}");
    let different = run(&other, &other_seed).unwrap();
    assert_ne!(different.artifact.weights, expected.artifact.weights);
}

#[test]
fn a_run_that_diverges_or_cannot_be_judged_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let wild = TrainingConfig {
        learning_rate: 1e30,
        warmup: 0.0,
        ..toy_config(30)
    };
    let error = run(&wild, &folder.path().join("wild")).unwrap_err();
    assert!(matches!(error, TrainingError::Diverged { .. }), "{error}");

    let blind = Split {
        validation: Vec::new(),
        ..toy_split()
    };
    let stop = AtomicBool::new(false);
    let path = folder.path().join("blind");
    let (config, device) = (toy_config(1), Compute::Cpu);
    let error = train(&config, &blind, device, &path, &stop, &mut |_| {}).unwrap_err();
    assert!(matches!(error, TrainingError::NoValidation), "{error}");

    let impossible = TrainingConfig {
        dropout: 1.0,
        ..toy_config(1)
    };
    let error = run(&impossible, &path).unwrap_err();
    assert!(matches!(error, TrainingError::Config(_)), "{error}");
}

#[test]
fn a_model_that_does_not_fit_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = run(&toy_config(1), folder.path()).unwrap().artifact;
    let refusal = |change: fn(&mut Artifact)| {
        let mut changed = artifact.clone();
        change(&mut changed);
        NetClassifier::new(changed, Compute::Cpu)
            .unwrap_err()
            .to_string()
    };
    type Change = fn(&mut Artifact);
    let cases: [(&str, Change); 6] = [
        ("normalization", |a| {
            a.card.normalization = "other".to_owned()
        }),
        ("crop side", |a| a.card.crop_side = 28),
        ("list of classes", |a| a.card.classes.reverse()),
        ("temperature", |a| a.card.temperature = f32::NAN),
        ("hash of the weights", |a| a.weights[100] ^= 1),
        ("weights do not fit", |a| a.card.config.net.hidden = 17),
    ];
    for (expected, change) in cases {
        let message = refusal(change);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let missing = NetClassifier::load(&folder.path().join("none"), Compute::Cpu).unwrap_err();
    assert!(
        matches!(missing, ArtifactError::Unreadable { .. }),
        "{missing}"
    );
}

#[test]
fn a_device_that_the_build_lacks_names_the_feature() {
    if cfg!(any(feature = "wgpu", feature = "cuda")) {
        return;
    }
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/digits/model");
    let error = NetClassifier::load(&model, Compute::Cuda).unwrap_err();
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
fn every_crop_gets_one_posterior_in_order_whatever_its_batch() {
    let classifier = NetClassifier::embedded().unwrap();
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
    let classifier = NetClassifier::embedded().unwrap();
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
fn the_contrast_column_is_taken_as_it_is() {
    let rows = "file,x,y,width,height,label,photo,source,contrast\nsheet.png,0,0,8,8,0,,,77.5\nsheet.png,0,0,8,8,3,,,\n";
    let folder = CropFolder::read(manifest_folder(rows).path()).unwrap();
    assert_eq!(folder.crops[0].crop.board_contrast, 77.5);
    let derived = &folder.crops[1].crop;
    assert_eq!(derived.board_contrast, derived.tone().contrast);
}

#[test]
fn a_wrong_row_is_named_by_file_and_line() {
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
    let missing = matches!(
        &error,
        DatasetError::Row { line: 2, problem: RowProblem::Fields(text), .. } if text.contains("width")
    );
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
        photo: format!("puzzle{puzzle}/photo{photo}"),
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
    let mut split = Split::default();
    for source in ["real", "bad-1", "test-1"] {
        let folder = CropFolder {
            crops: crops(source),
            ..CropFolder::default()
        };
        split.add(source, folder, 1.0, &config);
    }
    assert_eq!(split.training.len() + split.validation.len(), 800);
    assert_eq!(split.cards[2].validation, 400);
    assert!(split.training.iter().all(|crop| crop.source == "real"));
    let puzzles = |crops: &[LabeledCrop]| -> std::collections::BTreeSet<String> {
        let real = crops.iter().filter(|crop| crop.source == "real");
        real.map(|crop| crop.photo.split('/').next().unwrap().to_owned())
            .collect()
    };
    let (training, held_out) = (puzzles(&split.training), puzzles(&split.validation));
    assert!(training.is_disjoint(&held_out));
    assert!((6..=18).contains(&held_out.len()), "{}", held_out.len());
}

#[test]
fn the_built_in_model_reads_handwritten_crops_it_was_not_trained_on() {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return;
    };
    let folder = CropFolder::read(&Path::new(&data).join("crops/kubiesa")).unwrap();
    let mut unseen = folder.crops;
    unseen.retain(|crop| crop.source.starts_with("kubiesa-val"));
    let crops: Vec<CellCrop> = unseen.iter().map(|labeled| labeled.crop.clone()).collect();
    let posteriors = NetClassifier::embedded().unwrap().classify(&crops).unwrap();
    let read = posteriors.iter().zip(&unseen);
    let right = read.filter(|(posterior, labeled)| posterior.best() == labeled.label);
    let (right, all) = (right.count(), unseen.len());
    assert!(right * 100 >= all * 97, "{right} of {all}");
}
