//! Pencil marks and handwritten entries: read from pictures, written to tables, drawn into overlays.

use crate::common;
use crate::common::toy;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{PUZZLES, board, encoded, program, say};
use image::ImageFormat;
use serde_json::Value;
use sudoku_batch::digits::{CellKind, Compute, DigitClassifier, LabeledCrop, NetClassifier};
use sudoku_batch::grid::{CandidateGrid, Cell, DigitSet, PencilMarks, Puzzle};
use sudoku_batch::render::{DigitInk, draw_upright};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};
use sudoku_batch::training::{TrainingEvent, fine_tune, train};
use toy::{run, toy_config, toy_split};

/// The board of a puzzle as shown by an app: candidates in a three by three layout in each cell.
fn marked_board(line: &str, marks: impl Fn(Cell) -> DigitSet) -> Vec<u8> {
    let mut image = board(line);
    let ink = DigitInk {
        color: [70; 3],
        opacity: 1.0,
        ..DigitInk::default()
    };
    for cell in Cell::all() {
        for digit in marks(cell) {
            let (column, row) = (digit.index() % 3, digit.index() / 3);
            let x = 60 + 48 * cell.column() + 1 + 15 * column;
            let y = 60 + 48 * cell.row() + 1 + 15 * row;
            draw_upright(&mut image, digit, (x as f32, y as f32), 16.0, &ink);
        }
    }
    encoded(image, ImageFormat::Png)
}

fn rows(arguments: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    let said = say(&mut program(arguments));
    let rows = said
        .stdout
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>();
    (
        said.code,
        rows.unwrap_or_default(),
        said.stdout + &said.stderr,
    )
}

fn out(folder: &Path) -> String {
    folder.join("out").to_str().unwrap().to_owned()
}

#[test]
fn pencil_marks_of_an_app_are_a_position_for_explain() {
    let folder = tempfile::tempdir().unwrap();
    let puzzle: Puzzle = PUZZLES[0].parse().unwrap();
    let grid = CandidateGrid::new(&puzzle).unwrap();
    let left = |cell: Cell| match puzzle.given(cell) {
        Some(_) => DigitSet::EMPTY,
        None => grid.candidates(cell),
    };
    let photo = folder.path().join("app.png");
    std::fs::write(&photo, marked_board(PUZZLES[0], left)).unwrap();
    let photo = photo.to_str().unwrap();
    let (code, rows, said) = rows(&[
        "recognize",
        photo,
        "--marks",
        "--jsonl",
        "-o",
        &out(folder.path()),
    ]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(rows[0]["decoded"], PUZZLES[0], "{said}");
    let marks = rows[0]["marks"].as_str().unwrap();
    let read: PencilMarks = marks.parse().unwrap();
    let blanks = Cell::all().filter(|cell| puzzle.given(*cell).is_none());
    let right = blanks
        .clone()
        .filter(|cell| read.candidates(*cell) == left(*cell));
    let (right, all) = (right.count(), blanks.count());
    assert!(10 * right >= 8 * all, "{right} of {all} cells");
    for (cell, digit) in puzzle.givens() {
        assert_eq!(read.candidates(cell), DigitSet::only(digit));
    }
    let said = say(&mut program(&["explain", marks]));
    assert!(said.code.is_some_and(|code| code < 2), "{}", said.stderr);
}

#[test]
fn a_board_without_marks_has_none_and_the_column_is_optional() {
    let folder = tempfile::tempdir().unwrap();
    let photo = folder.path().join("plain.png");
    std::fs::write(&photo, encoded(board(PUZZLES[1]), ImageFormat::Png)).unwrap();
    let photo = photo.to_str().unwrap();
    let out = out(folder.path());
    for (flags, expected) in [(&["--marks"][..], Some(&Value::Null)), (&[], None)] {
        let arguments = [&["recognize", photo, "--jsonl", "-o", &out][..], flags].concat();
        let (_, rows, said) = rows(&arguments);
        assert_eq!(rows[0].get("marks"), expected, "{said}");
        let table = std::fs::read_to_string(folder.path().join("out/results.csv")).unwrap();
        let header = table.lines().next().unwrap();
        assert_eq!(header.ends_with(",filled,read,marks"), expected.is_some());
        assert_eq!(header.ends_with(",filled,read"), expected.is_none());
    }
}

#[test]
fn entries_are_distinguished_from_givens_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let out = out(folder.path());
    let photo = "datasets/photos/005-filled.jpg";
    let (code, rows, said) = rows(&["recognize", photo, "--check", "--jsonl", "-o", &out]);
    assert_eq!(code, Some(0), "{said}");
    let board = |name: &str| -> Puzzle { rows[0][name].as_str().unwrap().parse().unwrap() };
    let (givens, filled, decoded) = (board("givens"), board("filled"), board("decoded"));
    assert!(filled.given_count() > 5, "{said}");
    for cell in Cell::all() {
        assert!(givens.given(cell).is_none() || filled.given(cell).is_none());
        assert_eq!(
            givens.given(cell).or(filled.given(cell)),
            decoded.given(cell)
        );
    }
    let verdict = Mrv::new()
        .solve(&givens, Goal::ProveUnique, Limits::NONE)
        .verdict;
    assert!(
        matches!(verdict, Verdict::Unique(_)),
        "{}",
        givens.to_line()
    );
    let summary = std::fs::read_to_string(folder.path().join("out/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let counts = ["boards", "right", "wrong"].map(|name| summary["filled"][name].as_u64().unwrap());
    assert_eq!(counts, [1, filled.given_count() as u64, 0]);
    // Only the background of entries is green.
    let overlay = image::open(folder.path().join("out/overlays/005-filled.jpg")).unwrap();
    let green = |it: &&image::Rgb<u8>| {
        it.0[1] > it.0[0].saturating_add(25) && it.0[1] > it.0[2].saturating_add(10)
    };
    let green = overlay.into_rgb8().pixels().filter(green).count();
    assert!(green > 3_000, "{green}");
    let said = say(&mut program(&["recognize", photo, "--check", "-o", &out]));
    let line = said
        .stdout
        .lines()
        .find(|line| line.starts_with("filled"))
        .unwrap();
    let expected = format!("{} right, 0 wrong on 1 board", filled.given_count());
    assert!(line.contains(&expected), "{line}");
}

#[test]
fn a_model_without_kinds_reads_and_reports_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let old = run(&toy_config(1), folder.path()).unwrap().artifact;
    let model = folder.path().join("old");
    old.write(&model).unwrap();
    let mut card: Value =
        serde_json::from_slice(&std::fs::read(model.join("card.json")).unwrap()).unwrap();
    card["config"]["net"]
        .as_object_mut()
        .unwrap()
        .remove("kind_units");
    std::fs::write(model.join("card.json"), card.to_string()).unwrap();
    let reader = NetClassifier::load(&model).unwrap();
    assert!(!reader.classifies_kinds());
    let crops: Vec<_> = toy_split()
        .validation
        .into_iter()
        .map(|it| it.crop)
        .collect();
    let posteriors = reader.classify(&crops).unwrap();
    assert!(posteriors.iter().all(|it| it.kind().is_none()));
    let model = model.to_str().unwrap();
    for flag in ["--marks", "--check"] {
        let out = out(folder.path());
        let said = say(&mut program(&[
            "recognize",
            "datasets/photos",
            flag,
            "--model",
            model,
            "-o",
            &out,
        ]));
        assert_eq!(said.code, Some(2), "{}", said.stderr);
        let why = "the model neither reads pencil marks nor distinguishes print from handwriting";
        assert!(
            said.stderr.contains(why) && said.stderr.contains(flag),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn adding_a_second_head_does_not_change_readings() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let old = run(&toy_config(2), first.path()).unwrap().artifact;
    let mut config = toy_config(12);
    config.net.kind_units = 16;
    config.frozen = true;
    let mut split = toy_split();
    let with_kinds = |crops: &mut Vec<LabeledCrop>| {
        for crop in crops {
            // Toy digits up to 4 are printed, the others handwritten; the kind of some is unknown.
            crop.kind = match crop.label.map(|digit| digit.value()) {
                None => Some(CellKind::Blank),
                Some(4) => None,
                Some(1..4) => Some(CellKind::Printed),
                Some(_) => Some(CellKind::Written),
            };
        }
    };
    with_kinds(&mut split.training);
    with_kinds(&mut split.validation);
    let stop = AtomicBool::new(false);
    let refused = train(
        &config,
        &split,
        Compute::Cpu,
        second.path(),
        &stop,
        &mut |_| {},
    );
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("frozen needs a model")
    );
    // Interrupted in its second epoch, and resumed without naming the model again.
    let mut stop_in_second = |event: TrainingEvent<'_>| {
        if matches!(event, TrainingEvent::Batch { epoch: 2, .. }) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let (cpu, to) = (Compute::Cpu, second.path());
    let run = fine_tune(&old, &config, &split, cpu, to, &stop, &mut stop_in_second);
    assert!(run.unwrap().interrupted);
    let stop = AtomicBool::new(false);
    let run = train(&config, &split, cpu, to, &stop, &mut |_| {});
    let new = run.unwrap().artifact;
    assert_eq!(new.card.temperature, old.card.temperature);
    assert_eq!(new.card.trained_blanks, old.card.trained_blanks);
    assert_eq!(new.card.init.as_ref(), Some(&old.card.weights));
    let kinds = new.card.validation.kinds.clone().unwrap();
    assert_eq!(kinds.crops, 18);
    assert!(kinds.accuracy > 0.6, "{kinds:?}");
    let crops: Vec<_> = split.validation.into_iter().map(|it| it.crop).collect();
    let read = |artifact| {
        let reader = NetClassifier::new(artifact).unwrap();
        reader.classify(&crops).unwrap()
    };
    for (old, new) in read(old).iter().zip(read(new)) {
        let kind = new.kind().unwrap();
        // No toy crop has marks, so no probability moves from digits to the blank.
        assert!(kind.of(CellKind::Marks) < 0.5);
        assert_eq!(old.as_array(), new.as_array());
    }
}
