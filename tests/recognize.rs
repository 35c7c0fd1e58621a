//! The batch on drawn photos, with a reader that needs no network.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{PUZZLES, Templates, board, board_png, encoded};
use image::{ImageFormat, Rgb, RgbImage, imageops};
use sudoku_batch::digits::{DigitClassifier, InferenceError, ManifestRow, Posterior};
use sudoku_batch::recognize::{
    Batch, COLUMNS, Journal, Outputs, PhotoResult, RecognizeConfig, Record, StageMs, Status, Tools,
    list, recognize, write_manifest,
};
use sudoku_batch::roster::fastest_complete;
use sudoku_batch::vision::{Backend, CellCrop};

/// A run over a folder of photos into another folder.
struct Run<'a> {
    photos: &'a Path,
    out: &'a Path,
    config: RecognizeConfig,
    classifier: &'a dyn DigitClassifier,
    overlays: bool,
    crops: bool,
    resume: bool,
    /// Stops after this many photos.
    stop_after: usize,
}

impl<'a> Run<'a> {
    fn new(photos: &'a Path, out: &'a Path, classifier: &'a dyn DigitClassifier) -> Run<'a> {
        Run {
            photos,
            out,
            config: RecognizeConfig::default(),
            classifier,
            overlays: false,
            crops: false,
            resume: false,
            stop_after: usize::MAX,
        }
    }

    fn run(&self) -> Batch {
        let config = &self.config;
        let settings = config.fingerprint("test");
        let outputs = Outputs::create(self.out, self.overlays, self.crops, settings).unwrap();
        let detector = Backend::BuiltIn.detector(&config.detect).unwrap();
        let tools = Tools {
            detector: &*detector,
            classifier: self.classifier,
            solver: &|| (fastest_complete().build)(),
        };
        let stop = AtomicBool::new(false);
        let mut done = 0;
        let on_result = |_: &PhotoResult| {
            done += 1;
            stop.store(done >= self.stop_after, Ordering::SeqCst);
        };
        let last = if self.resume {
            outputs.last_run()
        } else {
            Journal::default()
        };
        let photos = list(&[self.photos.to_path_buf()], Some(self.out)).photos;
        let batch = recognize(photos, tools, config, &outputs, last, &stop, on_result).unwrap();
        outputs.save_journal(&batch.journal).unwrap();
        batch
    }
}

/// Photos of every outcome that does not depend on time.
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
    batch.results.iter().flat_map(|photo| &photo.entry.records)
}

/// All rows as they are written, without the times.
fn rows(batch: &Batch) -> Vec<[String; COLUMNS.len()]> {
    let timeless = |record: &Record| Record {
        stages: StageMs::default(),
        ..record.clone()
    };
    records(batch)
        .map(|record| timeless(record).to_fields())
        .collect()
}

#[test]
fn boards_are_read_right_way_up_or_turned_and_the_rest_is_told_apart() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let classifier = Templates::new();
    let batch = Run::new(photos.path(), out.path(), &classifier).run();
    assert_eq!(records(&batch).count(), 9);
    for row in records(&batch) {
        let name = Path::new(&row.photo).file_stem().unwrap().to_str().unwrap();
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
                assert_eq!(reading.rotation.degrees(), if turned { 90 } else { 0 });
                let first = reading.corners[0];
                let expected = if turned { 552.0 - 60.0 } else { 60.0 };
                assert!((first.x - expected).abs() < 4.0, "{name}: {first:?}");
                assert!((first.y - 60.0).abs() < 4.0, "{name}: {first:?}");
            }
        }
    }
}

#[test]
fn rows_do_not_depend_on_threads_or_chunks() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let classifier = Templates::new();
    let mut run = Run::new(photos.path(), out.path(), &classifier);
    let reference = rows(&run.run());
    for (threads, chunk, boards_a_call) in [(1, 32, 1), (3, 2, 3), (2, 1, 100)] {
        run.config.chunk = chunk;
        run.config.boards_a_call = boards_a_call;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let batch = pool.build().unwrap().install(|| run.run());
        assert_eq!(
            rows(&batch),
            reference,
            "{threads} threads, chunks of {chunk}"
        );
    }
}

#[test]
fn a_second_run_takes_over_what_is_unchanged() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let classifier = Templates::new();
    let mut run = Run::new(photos.path(), out.path(), &classifier);
    let fresh = run.run();
    run.resume = true;
    let again = run.run();
    assert_eq!(rows(&again), rows(&fresh));
    // The empty file is a row as well, and its (empty) content is unchanged.
    assert!(again.results.iter().all(|photo| photo.resumed));

    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[1])).unwrap();
    std::fs::rename(
        photos.path().join("2.png"),
        photos.path().join("renamed.png"),
    )
    .unwrap();
    let changed = run.run();
    let photo = |name: &str| {
        let ends = |photo: &&PhotoResult| photo.file.name.ends_with(name);
        changed.results.iter().find(ends).unwrap()
    };
    assert!(photo("renamed.png").resumed);
    assert!(
        photo("renamed.png").entry.records[0]
            .photo
            .ends_with("renamed.png")
    );
    let reading = photo("/0.png").entry.records[0].reading.as_ref().unwrap();
    assert_eq!(reading.decoded.to_line(), PUZZLES[1]);

    run.config.trust.confidence = 0.4;
    assert!(run.run().results.iter().all(|photo| !photo.resumed));
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    let classifier = Templates::new();
    let whole = Run::new(photos.path(), elsewhere.path(), &classifier).run();

    let mut run = Run::new(photos.path(), out.path(), &classifier);
    run.config.chunk = 2;
    run.stop_after = 3;
    let first = run.run();
    assert!(first.interrupted);
    assert_eq!(first.results.len(), 4);
    run.resume = true;
    run.stop_after = 6;
    let second = run.run();
    assert!(second.interrupted);
    run.stop_after = usize::MAX;
    let third = run.run();
    assert!(!third.interrupted);
    assert_eq!(rows(&third), rows(&whole));
    let resumed = third.results.iter().filter(|photo| photo.resumed).count();
    assert_eq!(resumed, second.results.len());
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
    let classifier = Templates::new();
    let batch = Run::new(photos.path(), out.path(), &classifier).run();
    let read: Vec<_> = records(&batch)
        .map(|row| (row.puzzle, row.reading.as_ref().unwrap().decoded.to_line()))
        .collect();
    let expected = [(1, PUZZLES[0].to_owned()), (2, PUZZLES[1].to_owned())];
    assert_eq!(read, expected);
}

#[test]
fn what_is_asked_for_later_is_made_later() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let classifier = Templates::new();
    let mut run = Run::new(photos.path(), out.path(), &classifier);
    run.run();
    run.resume = true;
    run.overlays = true;
    run.crops = true;
    let made = run.run();
    for photo in &made.results {
        let read = photo.entry.records[0].status.is_read();
        assert!(!photo.resumed);
        assert_eq!(photo.entry.overlay_file().is_some(), read);
        for file in photo
            .entry
            .overlay_file()
            .iter()
            .chain(&photo.entry.sheet_file())
        {
            assert!(out.path().join(file).is_file(), "{file}");
        }
    }
    assert!(run.run().results.iter().all(|photo| photo.resumed));
    let lost = made.results[0].entry.overlay_file().unwrap();
    std::fs::remove_file(out.path().join(lost)).unwrap();
    let again = run.run();
    assert!(!again.results[0].resumed);
    assert!(again.results[1..].iter().all(|photo| photo.resumed));
}

#[test]
fn an_overlay_has_ink_in_the_blanks_and_leaves_the_givens_alone() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[0])).unwrap();
    let classifier = Templates::new();
    let mut run = Run::new(photos.path(), out.path(), &classifier);
    run.overlays = true;
    run.run();
    let overlay = image::open(out.path().join("overlays/0.jpg"))
        .unwrap()
        .into_rgb8();
    let photo = board(PUZZLES[0]);
    assert_eq!(overlay.dimensions(), photo.dimensions());
    for (index, given) in PUZZLES[0].chars().enumerate() {
        let (x, y) = (60 + 48 * (index as u32 % 9), 60 + 48 * (index as u32 / 9));
        let inside = (6..42).flat_map(|dx| (6..42).map(move |dy| (x + dx, y + dy)));
        let changed = inside.filter(|&(x, y)| {
            let (a, b) = (overlay.get_pixel(x, y).0, photo.get_pixel(x, y).0);
            a.into_iter().zip(b).any(|(a, b)| a.abs_diff(b) > 90)
        });
        let changed = changed.count();
        let blank = given == '.';
        assert_eq!(changed > 30, blank, "cell {index}: {changed} pixels");
    }
}

#[test]
fn saved_crops_come_with_the_labels_of_their_cells() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    let classifier = Templates::new();
    let mut run = Run::new(photos.path(), out.path(), &classifier);
    run.crops = true;
    let batch = run.run();
    let truth = [PUZZLES[0].parse().unwrap()];
    let mut manifest = Vec::new();
    let with_truth = batch.results.iter().map(|photo| {
        let known = photo.file.name.ends_with("/0.png");
        (photo, if known { &truth[..] } else { &[] })
    });
    write_manifest(&mut manifest, with_truth).unwrap();
    let mut sources = Vec::new();
    for (_, row) in ManifestRow::read_all(&manifest).unwrap() {
        let sheet = image::open(out.path().join("crops").join(&row.file)).unwrap();
        let crop = sheet.crop_imm(row.x, row.y, row.width, row.height);
        let crop = CellCrop {
            pixels: Box::new(crop.into_luma8().into_raw().try_into().unwrap()),
            board_contrast: row.contrast.unwrap(),
        };
        let read = classifier.classify(&[crop]).unwrap()[0].best();
        assert_eq!(row.label, Some(read));
        assert_eq!(row.puzzle.len(), 12);
        sources.push(row.source);
    }
    assert_eq!(sources.len(), 6 * 81);
    assert_eq!(
        sources.iter().filter(|source| *source == "truth").count(),
        81
    );
}

/// Fails, or takes its time.
enum Unwilling {
    Panics,
    Fails,
    Sleeps(Templates),
}

impl DigitClassifier for Unwilling {
    fn classify(&self, crops: &[CellCrop]) -> Result<Vec<Posterior>, InferenceError> {
        match self {
            Unwilling::Panics => panic!("a bug"),
            Unwilling::Fails => Err(InferenceError::Device("gone".to_owned())),
            Unwilling::Sleeps(templates) => {
                std::thread::sleep(Duration::from_millis(30));
                templates.classify(crops)
            }
        }
    }
}

#[test]
fn a_reader_that_fails_or_crashes_costs_rows_and_not_the_run() {
    let (photos, out) = (folder(), tempfile::tempdir().unwrap());
    for unwilling in [Unwilling::Panics, Unwilling::Fails] {
        let batch = Run::new(photos.path(), out.path(), &unwilling).run();
        assert_eq!(records(&batch).count(), 9);
        let unread = records(&batch).filter(|row| row.status == Status::Unreadable);
        assert_eq!(unread.filter(|row| row.error.is_some()).count(), 8);
    }
}

#[test]
fn a_photo_past_its_time_is_a_timeout_and_is_tried_again() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[0])).unwrap();
    let slow = Unwilling::Sleeps(Templates::new());
    let mut run = Run::new(photos.path(), out.path(), &slow);
    run.config.time_limit_ms = Some(25);
    run.resume = true;
    for _ in 0..2 {
        let batch = run.run();
        assert!(!batch.results[0].resumed);
        assert!(records(&batch).all(|row| row.status == Status::Timeout));
    }
}
