//! Batches of drawn photos, with a reader that needs no network.

mod overlays;

use crate::common;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::{PUZZLES, Templates, board, board_png, encoded, program};
use image::{ImageFormat, Rgb, RgbImage, imageops};
use sudoku_batch::digits::{DigitClassifier, InferenceError, Posterior};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::reader::{Reader, StageMs, Status};
use sudoku_batch::recognize::{
    Job, NameFilter, Outputs, PHOTOS, PhotoResult, RecognizeConfig, Record, Summary, list,
    recognize, saved_photos,
};
use sudoku_batch::truth::TruthSource;
use sudoku_batch::vision::CellCrop;

/// A run over a folder of photos into another folder.
struct Run<'a> {
    photos: &'a Path,
    out: &'a Path,
    config: RecognizeConfig,
    classifier: fn() -> Box<dyn DigitClassifier>,
    overlays: bool,
    crops: bool,
    resume: bool,
    /// Stops after this many photos.
    stop_after: usize,
}

fn json(photo: &PhotoResult) -> String {
    serde_json::to_string(photo).unwrap()
}

/// The result of a run.
struct Batch {
    results: Vec<PhotoResult>,
    summary: Summary,
}

impl<'a> Run<'a> {
    fn new(photos: &'a Path, out: &'a Path) -> Run<'a> {
        Run {
            photos,
            out,
            config: RecognizeConfig::default(),
            classifier: || Box::new(Templates::new()),
            overlays: false,
            crops: false,
            resume: false,
            stop_after: usize::MAX,
        }
    }

    fn run(&self) -> Batch {
        let config = &self.config;
        let model = "templates".to_owned();
        let classifier = (self.classifier)();
        let reader = Reader::with_classifier(config.reader.clone(), classifier, model).unwrap();
        let summary = Summary::new(config, &reader, rayon::current_num_threads());
        let settings = summary.fingerprint("test");
        let outputs = Outputs::create(self.out, self.overlays, self.crops, settings).unwrap();
        let job = Job {
            reader: &reader,
            config,
            truth: &TruthSource::Beside,
            outputs: &outputs,
            fresh: !self.resume,
        };
        let stop = AtomicBool::new(false);
        let results = Mutex::new(Vec::new());
        let on_photo = |photo: &PhotoResult| {
            let mut results = results.lock().unwrap();
            results.push(photo.clone());
            stop.store(results.len() >= self.stop_after, Ordering::SeqCst);
        };
        let listing = list(
            &[self.photos.to_path_buf()],
            Some(self.out),
            &NameFilter::default(),
        )
        .unwrap();
        let photos = listing.photos().unwrap();
        let summary = recognize(photos, job, summary, &stop, on_photo).unwrap();
        let results = results.into_inner().unwrap();
        assert_eq!(summary.photos, results.len());
        // The saved run equals the results, as far as they are stored.
        let saved = saved_photos(&self.out.join(PHOTOS)).unwrap();
        let saved: Vec<String> = saved.map(|photo| json(&photo.unwrap())).collect();
        assert!(saved == results.iter().map(json).collect::<Vec<_>>());
        Batch { results, summary }
    }
}

/// Photos with every outcome that does not depend on time.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    for (number, line) in PUZZLES.into_iter().enumerate() {
        write(&format!("{number}.png"), &board_png(line));
        let turned = imageops::rotate90(&board(line));
        write(
            &format!("{number}-turned.png"),
            &encoded(turned, ImageFormat::Png),
        );
    }
    write("empty.jpg", b"");
    write("text.jpg", b"this is no picture");
    let paper = RgbImage::from_pixel(300, 200, Rgb([240; 3]));
    write("paper.png", &encoded(paper, ImageFormat::Png));
    folder
}

fn records(batch: &Batch) -> impl Iterator<Item = &Record> {
    batch.results.iter().flat_map(|photo| &photo.records)
}

/// The photos in saved form, without times.
fn timeless(batch: &Batch) -> Vec<String> {
    let photos = batch.results.iter().map(|photo| {
        let mut photo = photo.clone();
        photo.pictures_ms = 0.0;
        let stages = photo.records.iter_mut().map(|record| &mut record.stages);
        stages.for_each(|stages| *stages = StageMs::default());
        json(&photo)
    });
    photos.collect()
}

#[test]
fn boards_are_read_in_any_orientation_and_other_photos_refused() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let batch = Run::new(photos.path(), out.path()).run();
    assert_eq!(records(&batch).count(), 9);
    let photos = batch.results.iter();
    for (photo, row) in photos.flat_map(|it| it.records.iter().map(move |row| (it, row))) {
        let name = Path::new(&photo.photo).file_stem().unwrap();
        let name = name.to_str().unwrap();
        match name {
            "empty" | "text" => assert_eq!(row.status, Status::Unreadable, "{name}"),
            "paper" => assert_eq!(row.status, Status::NoGrid),
            _ => {
                assert_eq!(row.status, Status::Solved, "{name}: {:?}", row.error);
                let reading = row.reading.as_ref().unwrap();
                let number: usize = name[..1].parse().unwrap();
                assert_eq!(reading.decoded.to_line(), PUZZLES[number], "{name}");
                assert!(reading.solution.unwrap().solves(&reading.decoded));
                let turned = name.ends_with("turned");
                assert_eq!(
                    reading.place.rotation.degrees(),
                    if turned { 90 } else { 0 }
                );
                let first = reading.corners[0];
                let expected = if turned { 552.0 - 60.0 } else { 60.0 };
                assert!((first.x - expected).abs() < 4.0, "{name}: {first:?}");
                assert!((first.y - 60.0).abs() < 4.0, "{name}: {first:?}");
            }
        }
    }
}

#[test]
fn rows_and_files_do_not_depend_on_threads() {
    let photos = folder();
    let run = |threads| {
        let out = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let batch = pool.install(|| Run::new(photos.path(), out.path()).run());
        let table = std::fs::read_to_string(out.path().join("results.csv")).unwrap();
        // The four times are followed by `filled` and `read`.
        let untimed = |line: &str| {
            let parts: Vec<&str> = line.rsplitn(7, ',').collect();
            [parts[6], parts[1], parts[0]].join(",")
        };
        let table: Vec<String> = table.lines().map(untimed).collect();
        (timeless(&batch), table)
    };
    let reference = run(1);
    assert_eq!(reference.1.len(), 10);
    for threads in [2, 3, 8] {
        assert!(run(threads) == reference, "{threads} threads");
    }
}

#[test]
fn a_second_run_reuses_unchanged_photos() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let mut run = Run::new(photos.path(), out.path());
    let fresh = run.run();
    run.resume = true;
    let again = run.run();
    assert!(timeless(&again) == timeless(&fresh));
    // The empty file also has a row, and its (empty) content is unchanged.
    assert!(again.results.iter().all(|photo| photo.resumed));

    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[1])).unwrap();
    std::fs::rename(
        photos.path().join("2.png"),
        photos.path().join("renamed.png"),
    )
    .unwrap();
    let changed = run.run();
    let photo = |name: &str| {
        let ends = |photo: &&PhotoResult| photo.photo.ends_with(name);
        changed.results.iter().find(ends).unwrap()
    };
    assert!(photo("renamed.png").resumed);
    assert!(photo("renamed.png").photo.ends_with("renamed.png"));
    let reading = photo("/0.png").records[0].reading.as_ref().unwrap();
    assert_eq!(reading.decoded.to_line(), PUZZLES[1]);

    run.config.reader.trust.max_risk = 0.4;
    assert!(run.run().results.iter().all(|photo| !photo.resumed));
}

#[test]
fn a_stopped_run_resumes_where_it_was() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    let whole = Run::new(photos.path(), elsewhere.path()).run();

    let mut run = Run::new(photos.path(), out.path());
    // One thread, so no photo is started before the one that stops the run.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let pool = pool.build().unwrap();
    let mut interrupted_after = |count: usize| {
        run.stop_after = count;
        let batch = pool.install(|| run.run());
        run.resume = true;
        let resumed = batch.results.iter().filter(|photo| photo.resumed).count();
        (batch, resumed)
    };
    let (first, _) = interrupted_after(3);
    assert!(first.summary.interrupted);
    assert_eq!(first.results.len(), 3);
    let (second, resumed) = interrupted_after(6);
    assert!(second.summary.interrupted);
    assert_eq!((second.results.len(), resumed), (6, 3));
    let (third, resumed) = interrupted_after(usize::MAX);
    assert!(!third.summary.interrupted);
    assert_eq!(resumed, 6);
    assert!(timeless(&third) == timeless(&whole));
}

#[test]
fn summaries_of_the_parts_of_a_run_add_up() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.txt"), PUZZLES[0]).unwrap();
    std::fs::write(photos.path().join("1.txt"), PUZZLES[2]).unwrap();
    std::fs::write(photos.path().join("paper.txt"), "none").unwrap();
    let run = Run::new(photos.path(), out.path());
    let whole = run.run();
    for (number, photo) in whole.results.iter().enumerate() {
        let path = out.path().join(format!("part-{}/{number}.png", number % 3));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        for (from, to) in [("", "png"), ("txt", "txt")] {
            let from = match from {
                "" => photo.photo.clone().into(),
                other => Path::new(&photo.photo).with_extension(other),
            };
            if from.is_file() {
                std::fs::copy(from, path.with_extension(to)).unwrap();
            }
        }
    }
    let mut sum: Option<Summary> = None;
    for number in 0..3 {
        let part = out.path().join(format!("part-{number}"));
        let elsewhere = tempfile::tempdir().unwrap();
        let summary = Run::new(&part, elsewhere.path()).run().summary;
        match &mut sum {
            None => sum = Some(summary),
            Some(sum) => sum.merge(summary),
        }
    }
    let sum = sum.unwrap();
    let counted = |summary: &Summary| {
        let mut json = serde_json::to_value(summary).unwrap();
        for timed in ["throughput", "stages_ms", "folder", "environment"] {
            json.as_object_mut().unwrap().remove(timed);
        }
        json
    };
    assert_eq!(counted(&sum), counted(&whole.summary));
    let accuracy = sum.accuracy.unwrap();
    assert_eq!((accuracy.photos, accuracy.boardless), (2, 1));
    assert_eq!((accuracy.decoded_exact, accuracy.silent_wrong), (1, 1));
}

#[test]
fn two_boards_in_one_photo_are_two_rows_the_larger_first() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (large, small) = (board(PUZZLES[0]), board(PUZZLES[1]));
    let small = imageops::resize(&small, 420, 420, imageops::FilterType::Triangle);
    let mut page = RgbImage::from_pixel(1000, 560, Rgb([245; 3]));
    imageops::replace(&mut page, &small, 0, 60);
    imageops::replace(&mut page, &large, 440, 4);
    let bytes = encoded(page, ImageFormat::Png);
    std::fs::write(photos.path().join("page.png"), bytes).unwrap();
    let batch = Run::new(photos.path(), out.path()).run();
    let read: Vec<_> = records(&batch)
        .map(|row| (row.puzzle, row.reading.as_ref().unwrap().decoded.to_line()))
        .collect();
    let expected = [(1, PUZZLES[0].to_owned()), (2, PUZZLES[1].to_owned())];
    assert_eq!(read, expected);
}

#[test]
fn output_requested_later_is_added_later() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let mut run = Run::new(photos.path(), out.path());
    run.run();
    run.resume = true;
    run.overlays = true;
    run.crops = true;
    let made = run.run();
    for photo in &made.results {
        let read = photo.records[0].status.is_read();
        assert!(!photo.resumed);
        assert_eq!(photo.overlay_file().is_some(), read);
        for file in photo.overlay_file().iter().chain(&photo.sheet_file()) {
            assert!(out.path().join(file).is_file(), "{file}");
        }
    }
    assert!(run.run().results.iter().all(|photo| photo.resumed));
    let lost = made.results[0].overlay_file().unwrap();
    std::fs::remove_file(out.path().join(lost)).unwrap();
    let again = run.run();
    assert!(!again.results[0].resumed);
    assert!(again.results[1..].iter().all(|photo| photo.resumed));
    // A power loss may truncate pictures, which are synced when the run ends.
    for file in [
        again.results[0].thumbnail.clone(),
        again.results[0].cells.clone(),
        again.results[0].overlay_file(),
        again.results[0].sheet_file(),
    ] {
        let path = out.path().join(file.unwrap());
        let whole = std::fs::read(&path).unwrap();
        for length in [0, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let again = run.run();
            assert!(!again.results[0].resumed, "{path:?}");
            assert!(again.results[1..].iter().all(|photo| photo.resumed));
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
    }
}

#[test]
fn saved_crops_come_with_the_labels_of_their_cells_and_the_identity_of_their_puzzle() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.txt"), PUZZLES[0]).unwrap();
    let mut run = Run::new(photos.path(), out.path());
    run.crops = true;
    run.run();
    let classifier = Templates::new();
    let mut sources = Vec::new();
    let mut puzzles = std::collections::BTreeMap::new();
    let mut reader = csv::Reader::from_path(out.path().join("crops/manifest.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|it| it == name).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let number = |name: &str| row[column(name)].parse::<u32>().unwrap();
        let sheet = image::open(out.path().join("crops").join(&row[0])).unwrap();
        let crop = sheet.crop_imm(number("x"), number("y"), number("width"), number("height"));
        let crop = CellCrop {
            pixels: Box::new(crop.into_luma8().into_raw().try_into().unwrap()),
            board_contrast: row[column("contrast")].parse().unwrap(),
        };
        let read = classifier.classify(&[crop]).unwrap()[0].best();
        assert_eq!(read.map_or(0, |digit| digit.value()), number("label") as u8);
        assert!((1..=9).contains(&number("solution")));
        sources.push(row[column("source")].to_owned());
        let name = Path::new(&row[column("photo")]).file_name().unwrap();
        let puzzle = row[column("puzzle")].to_owned();
        let known = puzzles.insert(name.to_str().unwrap().to_owned(), puzzle.clone());
        assert!(known.is_none_or(|known| known == puzzle));
    }
    assert_eq!(sources.len(), 6 * 81);
    assert_eq!(
        sources.iter().filter(|source| *source == "truth").count(),
        81
    );
    // A photo and its turned copy show one puzzle.
    for number in 0..3 {
        let turned = &puzzles[&format!("{number}-turned.png")];
        assert_eq!(&puzzles[&format!("{number}.png")], turned);
    }
    let distinct: std::collections::BTreeSet<_> = puzzles.values().collect();
    assert_eq!(distinct.len(), 3);
}

/// A classifier that fails, sleeps, or gives invalid answers.
enum FaultyClassifier {
    Panics,
    Fails,
    IsShort,
    Sleeps,
}

impl DigitClassifier for FaultyClassifier {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        let mut posteriors = Templates::new().classify(crops)?;
        match self {
            FaultyClassifier::Panics => panic!("a bug"),
            FaultyClassifier::Fails => return Err(InferenceError::Device("gone".to_owned())),
            FaultyClassifier::IsShort => posteriors.truncate(80),
            FaultyClassifier::Sleeps => std::thread::sleep(Duration::from_millis(30)),
        }
        Ok(posteriors)
    }
}

#[test]
fn a_failing_network_affects_rows_but_not_the_run() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let unwilling: [fn() -> Box<dyn DigitClassifier>; 3] = [
        || Box::new(FaultyClassifier::Panics),
        || Box::new(FaultyClassifier::Fails),
        || Box::new(FaultyClassifier::IsShort),
    ];
    for classifier in unwilling {
        let mut run = Run::new(photos.path(), out.path());
        run.classifier = classifier;
        let batch = run.run();
        assert_eq!(records(&batch).count(), 9);
        let unread = records(&batch).filter(|row| row.status == Status::Unreadable);
        assert_eq!(unread.filter(|row| row.error.is_some()).count(), 8);
    }
}

/// Answers NaN for boards that start with a 5, and panics on those that start with a 2.
struct SelectivelyFaulty;

impl DigitClassifier for SelectivelyFaulty {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        let posteriors = Templates::new().classify(crops)?;
        match posteriors[0].best().map(|digit| digit.value()) {
            Some(5) => Err(InferenceError::NotFinite { crop: 0 }),
            Some(2) => panic!("a bug"),
            _ => Ok(posteriors),
        }
    }
}

#[test]
fn an_unreadable_board_does_not_affect_others() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (number, line) in PUZZLES.into_iter().enumerate() {
        let path = photos.path().join(format!("{number}.png"));
        std::fs::write(path, board_png(line)).unwrap();
    }
    let mut run = Run::new(photos.path(), out.path());
    run.classifier = || Box::new(SelectivelyFaulty);
    let batch = run.run();
    let statuses: Vec<Status> = records(&batch).map(|row| row.status).collect();
    let unreadable = Status::Unreadable;
    assert_eq!(statuses, [unreadable, Status::Solved, unreadable]);
    let errors: Vec<_> = records(&batch)
        .filter_map(|row| row.error.clone())
        .collect();
    assert!(errors[0].contains("not finite"), "{errors:?}");
    assert!(errors[1].contains("internal error"), "{errors:?}");
    let read = batch.results[1].records[0].reading.as_ref().unwrap();
    assert_eq!(read.decoded, PUZZLES[1].parse::<Puzzle>().unwrap());
}

#[test]
fn a_photo_past_its_time_limit_is_a_timeout_and_is_retried() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[0])).unwrap();
    let mut run = Run::new(photos.path(), out.path());
    run.classifier = || Box::new(FaultyClassifier::Sleeps);
    run.config.time_limit_ms = Some(25);
    run.resume = true;
    for _ in 0..2 {
        let batch = run.run();
        assert!(!batch.results[0].resumed);
        assert!(records(&batch).all(|row| row.status == Status::Timeout));
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_loses_no_photo_that_was_read() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for number in 0..400 {
        let path = photos.path().join(format!("{number}.png"));
        let mut picture = board(PUZZLES[number % 3]);
        picture.put_pixel(number as u32, 0, Rgb([0; 3]));
        std::fs::write(path, encoded(picture, ImageFormat::Png)).unwrap();
    }
    let mut recognize = program(&["recognize", "--quiet", "--json", "-j", "1", "--out"]);
    recognize.arg(out.path()).arg(photos.path());
    recognize.stdout(std::process::Stdio::piped());
    let begun = out.path().join("photos.partial.jsonl");
    let lines = || std::fs::read_to_string(&begun).map_or(0, |text| text.lines().count());
    let mut killed = 0;
    for round in 1..=2 {
        let mut run = recognize.spawn().unwrap();
        let start = Instant::now();
        while lines() < killed + 20 {
            assert!(start.elapsed() < Duration::from_secs(60), "round {round}");
            std::thread::sleep(Duration::from_millis(5));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        killed = lines() - 1;
    }
    let output = recognize.output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["photos"], 400);
    assert!(summary["resumed"].as_u64().unwrap() >= killed as u64);
    assert!(!begun.exists());
}
