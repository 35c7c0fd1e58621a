//! Corrections of videos become training data.

use std::process::Command;

use sudoku_batch::digits::{DigitClassifier, NetClassifier};
use sudoku_batch::render::VideoConfig;
use sudoku_batch::training::CropFolder;

use super::{Run, calm, filmed, message, page, y4m};

#[test]
fn corrections_of_a_video_are_cut_from_its_best_frames() {
    let (first, second) = (page("000-newspaper"), page("001-book"));
    let config = VideoConfig {
        seconds: 3.0,
        ..calm()
    };
    let video = y4m(&filmed(&config, &[first, second.clone()], 3));
    let run = Run::new(&[("turned.y4m", &video)]);
    assert_eq!(run.recognize(&["in/turned.y4m"]).status.code(), Some(0));
    let truth = second.boards[0].0;
    let corrections = format!("photo,puzzle,givens\nin/turned.y4m,2,{truth}\n");
    std::fs::write(run.folder.path().join("corrections.csv"), corrections).unwrap();
    let apply = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        let command = command.current_dir(run.folder.path());
        command.args([
            "dataset",
            "apply",
            "corrections.csv",
            "--run",
            "out",
            "-o",
            "crops",
        ]);
        command.output().unwrap()
    };
    let output = apply();
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    // The network reads the crops like their labels, so they are from the right frame.
    let labeled = CropFolder::read(&run.folder.path().join("crops"))
        .unwrap()
        .crops;
    assert_eq!(labeled.len(), 81);
    let crops: Vec<_> = labeled.iter().map(|it| it.crop.clone()).collect();
    let read = NetClassifier::built_in().unwrap().classify(&crops).unwrap();
    let right = read
        .iter()
        .zip(&labeled)
        .filter(|(read, it)| read.best() == it.label);
    assert!(right.count() >= 78);
    let mut review = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let review = review.current_dir(run.folder.path());
    let review = review
        .args(["dataset", "review", "out", "-o", "review"])
        .output();
    let said = message(&review.unwrap());
    assert!(!said.contains("left out"), "{said}");

    std::fs::write(
        run.folder.path().join("in/turned.y4m"),
        &video[..video.len() / 2],
    )
    .unwrap();
    let said = message(&apply());
    assert!(said.contains("exchanged"), "{said}");
}
