//! Training: runs that learn, resume, stop early, start from another model, and fail with clear errors.

use crate::common::toy;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use sudoku_batch::digits::{
    Artifact, ArtifactError, Augment, Compute, DigitClassifier, NetClassifier, NetConfig,
    TrainingConfig,
};
use sudoku_batch::grid::Digit;
use sudoku_batch::training::{TrainingError, TrainingEvent, TrainingRun, fine_tune, train};
use sudoku_batch::vision::CellCrop;
use toy::{on_threads, run, run_until, toy_config, toy_crop, toy_split};

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
    let fresh = NetClassifier::new(run.artifact).unwrap();
    let loaded = NetClassifier::load(&model).unwrap();
    let crops: Vec<CellCrop> = (0..10).map(|label| toy_crop(label, 4)).collect();
    let posteriors = loaded.classify(&crops).unwrap();
    assert_eq!(posteriors, fresh.classify(&crops).unwrap());
    for (label, posterior) in posteriors.iter().enumerate() {
        assert_eq!(posterior.best(), Digit::new(label as u8));
    }
}

#[test]
fn a_run_records_the_share_of_blanks_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let trained = run(&toy_config(1), &folder.path().join("even")).unwrap();
    assert!((trained.artifact.card.trained_blanks - 0.1).abs() < 1e-6);

    // Blanks that are drawn three times as often, and weighted twice as much in the loss.
    let mut split = toy_split();
    let blanks = split.training.iter().zip(&mut split.weights);
    let blanks = blanks.filter(|(crop, _)| crop.label.is_none());
    blanks.for_each(|(_, weight)| *weight = 3.0);
    let mut config = toy_config(1);
    config.class_weights[0] = 2.0;
    let (model, stop) = (folder.path().join("more"), AtomicBool::new(false));
    let trained = train(&config, &split, Compute::Cpu, &model, &stop, &mut |_| {}).unwrap();
    trained.artifact.write(&model).unwrap();
    let classifier = NetClassifier::load(&model).unwrap();
    let share = classifier.card().trained_blanks;
    assert!((share - 6.0 / 15.0).abs() < 1e-6, "{share}");
    let mut wrong = trained.artifact;
    for share in [0.0, 1.0, f32::NAN] {
        wrong.card.trained_blanks = share;
        let refused = NetClassifier::new(wrong.clone()).unwrap_err();
        assert!(refused.to_string().contains("share of blanks"), "{refused}");
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

    // Stopped once in the middle of epoch 3 by the flag, then resumed.
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
fn divergence_missing_validation_and_bad_settings_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let wild = TrainingConfig {
        learning_rate: 1e30,
        warmup: 0.0,
        ..toy_config(30)
    };
    let error = run(&wild, &folder.path().join("wild")).unwrap_err();
    assert!(matches!(error, TrainingError::Diverged { .. }), "{error}");

    let mut blind = toy_split();
    blind.validation.clear();
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

    for widths in [vec![8; 2], vec![8; 7], vec![8, 0, 8], vec![8, 8, 5000]] {
        let mut config = toy_config(1);
        config.net.widths = widths;
        let error = run(&config, &path).unwrap_err();
        assert!(matches!(error, TrainingError::Config(_)), "{error}");
    }
}

#[test]
fn networks_of_three_to_six_convolutions_train_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let crops: Vec<CellCrop> = (0..10).map(|label| toy_crop(label, 4)).collect();
    for depth in 3..=6 {
        let mut config = toy_config(30);
        config.net.widths = vec![8; depth];
        let path = folder.path().join(depth.to_string());
        let artifact = run(&config, &path).unwrap().artifact;
        assert!(artifact.card.validation.accuracy > 0.8, "{depth}");
        artifact.write(&path).unwrap();
        let loaded = NetClassifier::load(&path).unwrap();
        let posteriors = loaded.classify(&crops).unwrap();
        let read = posteriors.iter().zip(0..);
        let right = read.filter(|(posterior, label)| posterior.best() == Digit::new(*label));
        assert!(right.count() >= 8, "{depth}");
    }
}

#[test]
fn a_mismatched_model_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let artifact = run(&toy_config(1), folder.path()).unwrap().artifact;
    let refusal = |change: fn(&mut Artifact)| {
        let mut changed = artifact.clone();
        change(&mut changed);
        NetClassifier::new(changed).unwrap_err().to_string()
    };
    type Change = fn(&mut Artifact);
    let cases: [(&str, Change); 7] = [
        ("normalization", |a| {
            a.card.normalization = "other".to_owned()
        }),
        ("crop side", |a| a.card.crop_side = 28),
        ("list of classes", |a| a.card.classes.reverse()),
        ("temperature", |a| a.card.temperature = f32::NAN),
        ("3 to 6 numbers, not 2", |a| {
            a.card.config.net.widths.truncate(2)
        }),
        ("hash of the weights", |a| a.weights[100] ^= 1),
        ("weights do not fit", |a| a.card.config.net.hidden = 17),
    ];
    for (expected, change) in cases {
        let message = refusal(change);
        assert!(message.contains(expected), "{expected}: {message}");
    }
    let missing = NetClassifier::load(&folder.path().join("none")).unwrap_err();
    assert!(
        matches!(missing, ArtifactError::Unreadable { .. }),
        "{missing}"
    );
}

#[test]
fn early_stopping_remembers_its_patience_after_resuming() {
    let folder = tempfile::tempdir().unwrap();
    // A network that hardly learns: noise decides when the held-out loss falls.
    let config = TrainingConfig {
        learning_rate: 1e-9,
        patience: 2,
        ..toy_config(30)
    };
    let whole = run(&config, &folder.path().join("whole")).unwrap();
    let losses: Vec<f32> = whole
        .history
        .iter()
        .map(|epoch| epoch.validation_loss)
        .collect();
    assert!(whole.stopped_early && !whole.interrupted, "{losses:?}");
    assert_eq!(losses.len(), whole.artifact.card.epoch + 2, "{losses:?}");

    // Interrupted in its last epoch, which is worse than the best: the patience counter continues.
    let last = losses.len();
    let stop = AtomicBool::new(false);
    let mut stop_in_last = |event: TrainingEvent<'_>| {
        if matches!(event, TrainingEvent::Batch { epoch, .. } if epoch == last) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let stopped = folder.path().join("stopped");
    let interrupted = run_until(&config, &stopped, &stop, &mut stop_in_last).unwrap();
    assert!(interrupted.interrupted && !interrupted.stopped_early);
    assert_eq!(interrupted.history.len(), last - 1);
    let resumed = run(&config, &stopped).unwrap();
    assert_eq!(resumed.history.len(), last);
    assert!(resumed.stopped_early);
    assert_eq!(resumed.artifact.weights, whole.artifact.weights);

    // Changing the patience does not make it a different run.
    let patient = TrainingConfig {
        patience: 0,
        epochs: last + 1,
        ..config
    };
    let longer = run(&patient, &stopped).unwrap();
    assert_eq!(longer.history.len(), last + 1);
    assert!(!longer.stopped_early);
}

#[test]
fn a_run_that_diverges_late_keeps_the_epochs_before() {
    let folder = tempfile::tempdir().unwrap();
    let wild = TrainingConfig {
        learning_rate: 1e4,
        warmup: 4.0,
        ..toy_config(30)
    };
    let error = run(&wild, folder.path()).unwrap_err();
    let TrainingError::Diverged { epoch, batch } = error else {
        panic!("{error}");
    };
    assert!(epoch > 1 && (1..=3).contains(&batch), "{epoch}, {batch}");
    let message = error.to_string();
    assert!(
        message.contains(&format!("epoch {epoch}, batch {batch}")),
        "{message}"
    );

    let shorter = TrainingConfig {
        epochs: epoch - 1,
        ..wild
    };
    let kept = run(&shorter, folder.path()).unwrap();
    assert_eq!(kept.history.len(), epoch - 1);
    let classifier = NetClassifier::new(kept.artifact).unwrap();
    assert!(classifier.classify(&[toy_crop(3, 1)]).is_ok());
}

#[test]
fn a_truncated_checkpoint_is_named_and_the_previous_one_used() {
    let folder = tempfile::tempdir().unwrap();
    let config = toy_config(3);
    let expected = run(&config, folder.path()).unwrap();
    let cut = |epoch: usize, name: &str| {
        let file = folder
            .path()
            .join(format!("checkpoints/epoch-000{epoch}/{name}"));
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
        file
    };
    for name in ["weights", "best", "optimizer", "state.json"] {
        let file = cut(3, name);
        let (mut reported, mut epochs) = (Vec::new(), 0);
        let mut on_event = |event: TrainingEvent<'_>| match event {
            TrainingEvent::Damaged(error) => reported.push(error.to_string()),
            TrainingEvent::Epoch(_) => epochs += 1,
            TrainingEvent::Batch { .. } => {}
        };
        let stop = AtomicBool::new(false);
        let resumed = run_until(&config, folder.path(), &stop, &mut on_event).unwrap();
        assert_eq!(reported.len(), 1);
        assert!(
            reported[0].contains(&file.display().to_string()),
            "{}",
            reported[0]
        );
        // The third epoch was repeated with the same weights and saved again.
        assert_eq!(epochs, 1);
        assert_eq!(resumed.artifact.weights, expected.artifact.weights);
    }
    let newest = cut(3, "optimizer");
    std::fs::remove_file(folder.path().join("checkpoints/epoch-0002/best")).unwrap();
    let message = run(&config, folder.path()).unwrap_err().to_string();
    assert!(message.contains(&newest.display().to_string()), "{message}");
    assert!(message.contains("damaged"), "{message}");
}

#[test]
fn a_class_without_crops_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut split = toy_split();
    let shows = |crop: &sudoku_batch::digits::LabeledCrop| crop.label.map(Digit::value);
    split.training.retain(|crop| shows(crop).is_some());
    split.weights.truncate(split.training.len());
    // Crops that are never drawn teach nothing.
    for (crop, weight) in split.training.iter().zip(&mut split.weights) {
        if shows(crop) == Some(7) {
            *weight = 0.0;
        }
    }
    let (config, stop) = (toy_config(1), AtomicBool::new(false));
    let result = train(
        &config,
        &split,
        Compute::Cpu,
        folder.path(),
        &stop,
        &mut |_| {},
    );
    let message = result.unwrap_err().to_string();
    assert!(message.contains("for blank, 7:"), "{message}");
}

fn tune(
    model: &Artifact,
    config: &TrainingConfig,
    to: &Path,
) -> Result<TrainingRun, TrainingError> {
    let (split, stop) = (toy_split(), AtomicBool::new(false));
    fine_tune(model, config, &split, Compute::Cpu, to, &stop, &mut |_| {})
}

#[test]
fn fine_tuning_starts_from_the_model_and_records_it_on_the_card() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let model = run(&toy_config(12), &at("first")).unwrap();
    let fresh = run(&toy_config(1), &at("fresh")).unwrap();
    let tuned = tune(&model.artifact, &toy_config(1), &at("tuned")).unwrap();
    let loss = |run: &TrainingRun| run.history[0].training_loss;
    assert!(
        loss(&tuned) < 0.5 * loss(&fresh),
        "{} of {}",
        loss(&tuned),
        loss(&fresh)
    );
    assert_eq!(fresh.artifact.card.init, None);
    let init = Some(model.artifact.card.weights.clone());
    assert_eq!(tuned.artifact.card.init, init);

    // For resuming, the start model may be missing, but a different one is refused.
    let resumed = run(&toy_config(2), &at("tuned")).unwrap();
    assert_eq!(resumed.history.len(), 2);
    assert_eq!(resumed.artifact.card.init, init);
    let other = tune(&fresh.artifact, &toy_config(2), &at("tuned")).unwrap_err();
    assert!(other.to_string().contains("another model"), "{other}");
}

/// The numbers of a weights file, which end it.
fn numbers(artifact: &Artifact) -> Vec<f32> {
    let numbers = artifact.weights.rchunks_exact(4);
    let numbers = numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()));
    numbers.take(artifact.card.parameters).collect()
}

#[test]
fn a_result_keeps_its_share_of_the_model_it_started_from_even_if_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let keeping = |keep| TrainingConfig {
        keep,
        ..toy_config(2)
    };
    let model = run(&toy_config(3), &at("first")).unwrap().artifact;
    let trained = tune(&model, &keeping(0.0), &at("none")).unwrap().artifact;
    let mean = tune(&model, &keeping(0.75), &at("most")).unwrap().artifact;
    let [start, trained, kept] = [&model, &trained, &mean].map(numbers);
    assert!(
        start
            .iter()
            .zip(&trained)
            .any(|(a, b)| (a - b).abs() > 1e-2)
    );
    for ((start, trained), kept) in start.iter().zip(trained).zip(kept) {
        assert!((kept - (0.75 * start + 0.25 * trained)).abs() < 1e-5);
    }

    let stop = AtomicBool::new(false);
    let mut stop_in_second = |event: TrainingEvent<'_>| {
        if matches!(event, TrainingEvent::Batch { epoch: 2, .. }) {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let (config, split, to) = (keeping(0.75), toy_split(), at("stopped"));
    let cpu = Compute::Cpu;
    let stopped = fine_tune(
        &model,
        &config,
        &split,
        cpu,
        &to,
        &stop,
        &mut stop_in_second,
    );
    assert_eq!(stopped.unwrap().history.len(), 1);
    let resumed = run(&config, &to).unwrap().artifact;
    assert_eq!(resumed.weights, mean.weights);
}

#[test]
fn a_mismatched_model_is_no_start() {
    let folder = tempfile::tempdir().unwrap();
    let model = run(&toy_config(1), &folder.path().join("first"))
        .unwrap()
        .artifact;
    let to = folder.path().join("tuned");
    let wider = TrainingConfig {
        net: NetConfig {
            hidden: 17,
            ..toy_config(1).net
        },
        ..toy_config(1)
    };
    let message = tune(&model, &wider, &to).unwrap_err().to_string();
    assert!(message.contains("hidden 16"), "{message}");
    assert!(message.contains("hidden 17"), "{message}");
    type Change = fn(&mut Artifact);
    let cases: [(&str, Change); 4] = [
        ("list of classes", |a| a.card.classes.reverse()),
        ("crop side", |a| a.card.crop_side = 28),
        ("normalization", |a| {
            a.card.normalization = "other".to_owned()
        }),
        ("hash of the weights", |a| a.weights[100] ^= 1),
    ];
    for (expected, change) in cases {
        let mut changed = model.clone();
        change(&mut changed);
        let message = tune(&changed, &toy_config(1), &to).unwrap_err().to_string();
        assert!(message.contains(expected), "{expected}: {message}");
    }
    assert!(!to.join("checkpoints").exists());
}
