//! Boards are found, followed, fused and distinguished.

use std::collections::BTreeSet;
use std::path::Path;

use image::RgbImage;
use sudoku_batch::grid::{Cell, Digit, Puzzle};
use sudoku_batch::reader::{FollowConfig, Follower, Reader, ReaderConfig, Sight};
use sudoku_batch::render::{Chance, DigitInk, RenderedPhoto, Span, VideoConfig, draw_digit};
use sudoku_batch::vision::{Homography, Photo, PhotoConfig, Point, Quad};

use super::{Run, calm, filmed, message, page, program, y4m};

#[test]
fn a_board_is_followed_read_and_scored_beside_photos() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let truth = page.boards[0].0.to_line();
    let photo =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/001-book.jpg"));
    let run = Run::new(&[
        ("a.y4m", &video),
        ("a.txt", truth.as_bytes()),
        ("b.jpg", &photo.unwrap()),
    ]);
    let output = run.recognize(&["in", "--frames"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let boards = run.boards();
    assert_eq!(boards.len(), 1);
    let row = &boards[0];
    assert_eq!(
        (&*row["video"], &*row["board"], &*row["status"]),
        ("in/a.y4m", "1", "solved")
    );
    assert_eq!(row["decoded"], truth);
    assert_eq!((&*row["givens"], &*row["read"]), (&*truth, &*truth));
    assert_eq!(row["filled"], ".".repeat(81));
    assert_eq!(row["frames_read"], "30");
    assert!(row["sure_frame"].parse::<u64>().unwrap() <= 4, "{row:?}");
    let best: u64 = row["best_frame"].parse().unwrap();
    let seen: u64 = row["frames_seen"].parse().unwrap();
    assert!(best < 30 && seen >= 27, "{row:?}");
    let results = std::fs::read_to_string(run.path("results.csv")).unwrap();
    assert_eq!(results.lines().count(), 2, "the photo only: {results}");
    let summary = run.summary();
    assert_eq!(
        summary["accuracy"]["decoded_exact"], 1,
        "{}",
        summary["accuracy"]
    );
    for line in run.frames() {
        assert_eq!(line["board"], 1);
        assert!(line["visible"].as_u64().unwrap() > 60, "{line}");
    }
    // A second run reuses the results of the first.
    let again = run.recognize(&["in"]);
    assert_eq!(again.status.code(), Some(0), "{}", message(&again));
    let summary = run.summary();
    assert_eq!(summary["resumed"], 2);
    assert_eq!(summary["videos"]["count"], 1);
    assert_eq!(run.boards(), boards);
    assert!(!run.path("frames.jsonl").exists(), "an earlier run's");
}

#[test]
fn lattices_match_the_rendered_board() {
    let page = page("000-newspaper");
    let config = calm();
    let frames = filmed(&config, std::slice::from_ref(&page), 5);
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let mut follower = Follower::new(FollowConfig::default());
    let mut corners = Vec::new();
    for frame in &frames {
        let photo = Photo::from_luma(image::imageops::grayscale(frame), &PhotoConfig::default());
        let seen = follower.see(&reader, &photo).unwrap();
        if let Some(sighting) = seen.iter().find(|it| it.sight == Sight::Followed) {
            corners.push((photo, sighting.place.clone()));
        }
    }
    assert!(corners.len() > 20);
    // Cut along the followed lattice, each cell reads as in the photo: nothing has slipped.
    for (photo, place) in corners.iter().step_by(5) {
        let again = reader.read(photo);
        let board = again.first().unwrap();
        let (a, b) = (place.corners(photo), board.place.corners(photo));
        for (a, b) in a.iter().zip(&b) {
            assert!((a.x - b.x).hypot(a.y - b.y) < 6.0, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_turned_page_is_another_board_and_the_first_is_recognized_again() {
    let (first, second) = (page("000-newspaper"), page("001-book"));
    let config = VideoConfig {
        seconds: 4.5,
        ..calm()
    };
    let pages = [first.clone(), second.clone(), first.clone()];
    let run = Run::new(&[("turned.y4m", &y4m(&filmed(&config, &pages, 3)))]);
    let output = run.recognize(&["in/turned.y4m"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let boards: Vec<String> = run
        .boards()
        .iter()
        .map(|row| row["decoded"].clone())
        .collect();
    let lines = [&first, &second].map(|page| page.boards[0].0.to_line());
    assert_eq!(boards, lines);
}

/// A page, and the page with the digit of the solution written into its first blank cell.
fn written() -> (RenderedPhoto, RenderedPhoto, Cell, Digit) {
    let blank = page("000-newspaper");
    let (puzzle, quad) = blank.boards[0];
    let solution = sudoku_batch::solve::Solver::solve(
        &mut sudoku_batch::solve::Mrv::new(),
        &puzzle,
        sudoku_batch::solve::Goal::ProveUnique,
        sudoku_batch::solve::Limits::NONE,
    );
    let solution = *solution.verdict.solution().unwrap();
    let cell = Cell::all().find(|it| puzzle.given(*it).is_none()).unwrap();
    // The solution's digit, drawn into the first blank cell of the page.
    let mut written = blank.clone();
    let board =
        Quad::new([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)].map(|(x, y)| Point { x, y }));
    let map = Homography::between(&board.unwrap(), &quad).unwrap();
    let (row, column) = (cell.row() as f32, cell.column() as f32);
    let place = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| {
        map.apply(Point {
            x: column + x,
            y: row + y,
        })
    });
    let ink = DigitInk {
        color: [30, 30, 60],
        halo: None,
        ..DigitInk::default()
    };
    draw_digit(
        &mut written.image,
        solution.digit(cell),
        &Quad::new(place).unwrap(),
        &ink,
    );
    (blank, written, cell, solution.digit(cell))
}

#[test]
fn a_digit_being_written_is_reported_with_its_frame() {
    let (blank, written, cell, digit) = written();
    let puzzle = blank.boards[0].0;
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let config = VideoConfig {
        seconds: 4.0,
        ..calm()
    };
    let frames = filmed(&config, &[blank, written], 11);
    let mut follower = Follower::new(FollowConfig::default());
    let mut message = None;
    for (number, frame) in frames.iter().enumerate() {
        let photo = Photo::from_luma(image::imageops::grayscale(frame), &PhotoConfig::default());
        for sighting in follower.see(&reader, &photo).unwrap() {
            if number > 20 && sighting.changed.contains(cell) {
                message = message.or(Some(number));
            }
        }
    }
    let message = message.unwrap();
    assert!(
        (30..50).contains(&message),
        "written with frame 30, reported with {message}"
    );
    assert_eq!(follower.boards().len(), 1, "it is the same board");
    let mut expected: Puzzle = puzzle;
    expected.set(cell, Some(digit));
    assert_eq!(follower.boards()[0].reading().unwrap().decoded, expected);
}

#[test]
fn boards_side_by_side_are_distinguished() {
    let (left, right) = (page("000-newspaper"), page("001-book"));
    let [wide, high] = [
        left.image.width(),
        left.image.height().max(right.image.height()),
    ];
    let mut both = RgbImage::from_pixel(wide + right.image.width(), high, image::Rgb([230; 3]));
    image::imageops::replace(&mut both, &left.image, 0, 0);
    image::imageops::replace(&mut both, &right.image, i64::from(wide), 0);
    let [a, _, _, d] = left.boards[0].1.corners();
    let [_, b, c, _] = right.boards[0].1.corners().map(|p| Point {
        x: p.x + wide as f32,
        y: p.y,
    });
    // The camera shows something that looks like a board.
    let both_boards = Quad::new([a, b, c, d]).unwrap();
    let spread = RenderedPhoto {
        image: both,
        boards: vec![(left.boards[0].0, both_boards)],
        jpeg_quality: 90,
    };
    let config = VideoConfig {
        size: [1280, 720],
        ..calm()
    };
    let video = y4m(&filmed(&config, std::slice::from_ref(&spread), 4));
    let run = Run::new(&[("both.y4m", &video)]);
    let output = run.recognize(&["in/both.y4m"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let mut seen: Vec<String> = run
        .boards()
        .iter()
        .map(|it| it["decoded"].clone())
        .collect();
    let mut shown = [&left, &right].map(|it| it.boards[0].0.to_line());
    seen.sort();
    shown.sort();
    assert_eq!(seen, shown);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.starts_with("videos") && text.contains("frames/s"),
        "{text}"
    );
}

/// Prints how well the evidence of frames is calibrated at several weights: run with
/// `cargo test --release --test recognition -- --ignored --nocapture weights`. The figures are in reports/video.md.
#[test]
#[ignore = "takes minutes, and prints a table"]
fn weights_of_frames() {
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let names = [
        "000-newspaper",
        "001-book",
        "002-dark-screen",
        "003-tilt",
        "004-shadow",
        "005-filled",
    ];
    let pages = names.map(page);
    let hard = VideoConfig {
        seconds: 2.0,
        rate: 15,
        zoom: Span::new(0.35, 0.6),
        defocus: Span::new(2.0, 4.0),
        unfocused: Chance(0.8),
        noise: Span::new(4.0, 14.0),
        leaving: Chance(0.0),
        turned_page: Chance(0.0),
        ..VideoConfig::default()
    };
    let videos: Vec<(Puzzle, Vec<Photo>)> = (0..36)
        .map(|seed| {
            let page = &pages[seed % pages.len()];
            let frames = filmed(&hard, std::slice::from_ref(page), seed as u64);
            let gray = |frame: &RgbImage| {
                Photo::from_luma(image::imageops::grayscale(frame), &PhotoConfig::default())
            };
            (page.boards[0].0, frames.iter().map(gray).collect())
        })
        .collect();
    println!("weight  nats a cell  cells wrong  sure  wrong and sure");
    for weight in [0.05, 0.1, 0.2, 0.3, 0.5, 1.0] {
        let mut config = FollowConfig::default();
        config.fusion.weight = weight;
        let (mut loss, mut cells, mut wrong, mut sure, mut wrong_sure) = (0.0, 0u32, 0u32, 0, 0);
        for (truth, photos) in &videos {
            let mut follower = Follower::new(config.clone());
            for (number, photo) in photos.iter().enumerate() {
                follower.see(&reader, photo).unwrap();
                let Some(board) = follower.boards().first() else {
                    continue;
                };
                if number % 10 == 4 {
                    for cell in Cell::all() {
                        let posterior = board.posterior(cell);
                        loss -= f64::from(posterior.of(truth.given(cell)).max(1e-6)).ln();
                        wrong += u32::from(posterior.best() != truth.given(cell));
                        cells += 1;
                    }
                }
            }
            for board in follower.boards() {
                if board.sure_since.is_some() {
                    sure += 1;
                    wrong_sure += usize::from(board.reading().unwrap().decoded != *truth);
                }
            }
        }
        let loss = loss / f64::from(cells.max(1));
        println!("{weight:6}  {loss:11.5}  {wrong:6}/{cells}  {sure:4}  {wrong_sure}");
    }
}

#[test]
fn every_nth_frame_and_a_stream_on_stdin() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[]);
    let mut command = run.command(&["-", "--every", "3", "--frames"]);
    let output = program::fed(&mut command, &video);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let row = &run.boards()[0];
    assert_eq!(row["decoded"], page.boards[0].0.to_line());
    // Of 30 frames every third was read; numbers and times are those of the video.
    assert_eq!(row["frames_read"], "10");
    assert!(row["frames_seen"].parse::<u64>().unwrap() <= 10, "{row:?}");
    let last: f64 = row["last_frame"].parse().unwrap();
    assert!(last > 15.0 && last % 3.0 == 0.0, "{row:?}");
    assert_eq!(row["last_s"], format!("{:.3}", last / 15.0));
    assert!(
        run.frames()
            .iter()
            .all(|line| line["frame"].as_u64().unwrap() % 3 == 0)
    );
}

#[test]
fn one_frame_is_a_photo() {
    let page = page("000-newspaper");
    let frames = filmed(&calm(), std::slice::from_ref(&page), 1);
    let run = Run::new(&[("one.y4m", &y4m(&frames[..1]))]);
    let output = run.recognize(&["in/one.y4m"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", &*page.boards[0].0.to_line())
    );
}

#[test]
fn the_reference_documents_every_key_and_column() {
    // A digit is written, then the board is removed.
    let (blank, written, ..) = written();
    let config = VideoConfig {
        seconds: 4.0,
        ..calm()
    };
    let mut frames = filmed(&config, &[blank, written], 11);
    frames.extend(vec![
        RgbImage::from_pixel(480, 360, image::Rgb([128; 3]));
        5
    ]);
    let run = Run::new(&[("a.y4m", &y4m(&frames))]);
    run.recognize(&["in/a.y4m", "--frames"]);
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/reference/files.md");
    let reference = std::fs::read_to_string(reference).unwrap();
    let (_, videos) = reference.split_once("\n## Videos\n").unwrap();
    let (videos, _) = videos.split_once("\n## ").unwrap();
    let (boards, frames) = videos.split_once("`frames.jsonl`").unwrap();
    // The names in the first cell of each row.
    let names = |text: &str| -> BTreeSet<String> {
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        let cells = rows.map(|row| row.split('|').nth(1).unwrap());
        let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
        names.map(str::to_owned).collect()
    };
    let lines = run.frames();
    let objects = lines.iter().map(|line| line.as_object().unwrap());
    let written: BTreeSet<String> = objects.flat_map(|it| it.keys().cloned()).collect();
    assert_eq!(names(frames), written);
    for sight in ["found", "followed", "lost"] {
        assert!(lines.iter().any(|line| line["sight"] == sight), "{sight}");
        assert!(frames.contains(&format!("`{sight}`")), "{sight}");
    }
    let columns: BTreeSet<String> = run.boards()[0].keys().cloned().collect();
    let results = [
        "status",
        "givens",
        "decoded",
        "solution",
        "confidence",
        "margin",
        "overruled",
        "filled",
        "read",
    ];
    let known = names(boards).into_iter();
    let known = known.chain(results.map(str::to_owned)).collect();
    assert_eq!(columns, known);
}
