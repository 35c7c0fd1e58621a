//! Videos: followed, fused, told apart; and everything that may be wrong with one.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "common/program.rs"]
mod program;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::RgbImage;
use sudoku_batch::digits::{DigitClassifier, NetClassifier};
use sudoku_batch::grid::Puzzle;
use sudoku_batch::reader::{FollowConfig, Follower, Reader, ReaderConfig, Sight};
use sudoku_batch::render::{
    Chance, DigitInk, RenderedPhoto, RenderedVideo, Span, VideoConfig, draw_digit,
};
use sudoku_batch::training::CropFolder;
use sudoku_batch::truth::read_sidecar;
use sudoku_batch::vision::{Homography, Photo, PhotoConfig, Point, Quad};

/// A photo of the repository as a page that is filmed.
fn page(name: &str) -> RenderedPhoto {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    let path = folder.join(format!("{name}.jpg"));
    let truth = read_sidecar(&path).unwrap().unwrap();
    let corners = std::fs::read_to_string(folder.join("corners.csv")).unwrap();
    let line = corners.lines().find(|line| line.starts_with(name)).unwrap();
    let numbers: Vec<f32> = line
        .split(',')
        .skip(2)
        .map(|it| it.parse().unwrap())
        .collect();
    let corner = |i: usize| Point {
        x: numbers[2 * i],
        y: numbers[2 * i + 1],
    };
    RenderedPhoto {
        image: image::open(path).unwrap().into_rgb8(),
        boards: vec![(
            truth.boards[0],
            Quad::new([0, 1, 2, 3].map(corner)).unwrap(),
        )],
        jpeg_quality: 90,
    }
}

/// A calm video of two seconds.
fn calm() -> VideoConfig {
    let never = Chance(0.0);
    VideoConfig {
        size: [480, 360],
        rate: 15,
        seconds: 2.0,
        zoom: Span::new(0.8, 0.85),
        unfocused: never,
        flickering: never,
        leaving: never,
        hand: never,
        turned_page: never,
        ..VideoConfig::default()
    }
}

fn filmed(config: &VideoConfig, pages: &[RenderedPhoto], seed: u64) -> Vec<RgbImage> {
    RenderedVideo::new(config, pages, seed).collect()
}

/// The frames as gray YUV4MPEG2.
fn y4m(frames: &[RgbImage]) -> Vec<u8> {
    let (width, height) = frames[0].dimensions();
    let mut bytes = format!("YUV4MPEG2 W{width} H{height} F15:1 Ip A1:1 Cmono\n").into_bytes();
    for frame in frames {
        bytes.extend(b"FRAME\n");
        bytes.extend(image::imageops::grayscale(frame).into_raw());
    }
    bytes
}

/// A run of `recognize` on files of its own.
struct Run {
    folder: tempfile::TempDir,
}

impl Run {
    fn new(files: &[(&str, &[u8])]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join("in").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Run { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.current_dir(self.folder.path());
        command
            .arg("recognize")
            .args(arguments)
            .args(["--out", "out"]);
        command
    }

    fn recognize(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The rows of `boards.csv` by their columns.
    fn boards(&self) -> Vec<std::collections::HashMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path("boards.csv")).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    fn frames(&self) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.path("frames.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

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
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let boards = run.boards();
    assert_eq!(boards.len(), 1);
    let row = &boards[0];
    assert_eq!(
        (&*row["video"], &*row["board"], &*row["status"]),
        ("in/a.y4m", "1", "solved")
    );
    assert_eq!(row["decoded"], truth);
    assert_eq!(row["frames_read"], "30");
    assert!(row["sure_frame"].parse::<u64>().unwrap() <= 4, "{row:?}");
    let best: u64 = row["best_frame"].parse().unwrap();
    let seen: u64 = row["frames_seen"].parse().unwrap();
    assert!(best < 30 && seen >= 27, "{row:?}");
    let results = std::fs::read_to_string(run.path("results.csv")).unwrap();
    assert_eq!(results.lines().count(), 2, "the photo only: {results}");
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.path("summary.json")).unwrap()).unwrap();
    assert_eq!(
        summary["accuracy"]["decoded_exact"], 1,
        "{}",
        summary["accuracy"]
    );
    for line in run.frames() {
        assert_eq!(line["board"], 1);
        assert!(line["visible"].as_u64().unwrap() > 60, "{line}");
    }
    // A second run takes what the first one read.
    let again = run.recognize(&["in"]);
    assert_eq!(again.status.code(), Some(0), "{}", told(&again));
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(run.path("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["resumed"], 2);
    assert_eq!(summary["videos"]["count"], 1);
    assert_eq!(run.boards(), boards);
    assert!(!run.path("frames.jsonl").exists(), "an earlier run's");
}

#[test]
fn lattices_lie_where_the_board_was_rendered() {
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
    // Cut along the lattice that was followed, each cell reads as it does in the photo: nothing has slipped.
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
fn a_turned_page_is_another_board_and_the_first_one_is_known_again() {
    let (first, second) = (page("000-newspaper"), page("001-book"));
    let config = VideoConfig {
        seconds: 4.5,
        ..calm()
    };
    let pages = [first.clone(), second.clone(), first.clone()];
    let run = Run::new(&[("turned.y4m", &y4m(&filmed(&config, &pages, 3)))]);
    let output = run.recognize(&["in/turned.y4m"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let boards: Vec<String> = run
        .boards()
        .iter()
        .map(|row| row["decoded"].clone())
        .collect();
    let lines = [&first, &second].map(|page| page.boards[0].0.to_line());
    assert_eq!(boards, lines);
}

#[test]
fn a_digit_that_is_written_is_told_with_its_frame() {
    let blank = page("000-newspaper");
    let (puzzle, quad) = blank.boards[0];
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let solution = sudoku_batch::solve::Solver::solve(
        &mut sudoku_batch::solve::Mrv::new(),
        &puzzle,
        sudoku_batch::solve::Goal::ProveUnique,
        sudoku_batch::solve::Limits::NONE,
    );
    let solution = *solution.verdict.solution().unwrap();
    let cell = sudoku_batch::grid::Cell::all()
        .find(|it| puzzle.given(*it).is_none())
        .unwrap();
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
    let config = VideoConfig {
        seconds: 4.0,
        ..calm()
    };
    let frames = filmed(&config, &[blank, written], 11);
    let mut follower = Follower::new(FollowConfig::default());
    let mut told = None;
    for (number, frame) in frames.iter().enumerate() {
        let photo = Photo::from_luma(image::imageops::grayscale(frame), &PhotoConfig::default());
        for sighting in follower.see(&reader, &photo).unwrap() {
            if number > 20 && sighting.changed.contains(cell) {
                told = told.or(Some(number));
            }
        }
    }
    let told = told.unwrap();
    assert!(
        (30..50).contains(&told),
        "written with frame 30, told with {told}"
    );
    assert_eq!(follower.boards().len(), 1, "it is the same board");
    let mut expected: Puzzle = puzzle;
    expected.set(cell, Some(solution.digit(cell)));
    assert_eq!(follower.boards()[0].reading().unwrap().decoded, expected);
}

#[test]
fn boards_side_by_side_are_told_apart() {
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
    // The camera looks at what is taken for a board.
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
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
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
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // The network that read the board reads the crops as they are labeled: they are of the right frame.
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
    let said = told(&review.unwrap());
    assert!(!said.contains("left out"), "{said}");

    std::fs::write(
        run.folder.path().join("in/turned.y4m"),
        &video[..video.len() / 2],
    )
    .unwrap();
    let said = told(&apply());
    assert!(said.contains("exchanged"), "{said}");
}

#[test]
fn every_nth_frame_and_a_stream_on_stdin() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[]);
    let mut command = run.command(&["-", "--every", "3", "--frames"]);
    let output = program::fed(&mut command, &video);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let row = &run.boards()[0];
    assert_eq!(row["decoded"], page.boards[0].0.to_line());
    assert!(
        run.frames()
            .iter()
            .all(|line| line["frame"].as_u64().unwrap() % 3 == 0)
    );
}

#[test]
fn what_is_wrong_with_a_video_is_told_and_nothing_else_is_lost() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let cut = &video[..video.len() - 1000];
    let empty = b"YUV4MPEG2 W480 H360 F15:1 Cmono\n";
    let huge = b"YUV4MPEG2 W99999 H99999 F15:1 Cmono\n";
    let run = Run::new(&[
        ("a-whole.y4m", &video),
        ("b-cut.y4m", cut),
        ("c-empty.y4m", empty),
        ("d-huge.y4m", huge),
        ("e-text.mp4", b"this is no video"),
        ("f-nothing.y4m", b""),
    ]);
    let output = run.recognize(&["in", "--ffmpeg", "/no/such/ffmpeg"]);
    assert_eq!(output.status.code(), Some(1));
    let errors: Vec<(String, String)> = run
        .boards()
        .iter()
        .map(|row| (row["status"].clone(), row["error"].clone()))
        .collect();
    let photos = std::fs::read_to_string(run.path("results.csv")).unwrap();
    assert_eq!(errors[0], ("solved".to_owned(), String::new()));
    assert_eq!(
        errors[1].0, "solved",
        "what was seen before the cut: {errors:?}"
    );
    assert!(
        told(&output).contains("b-cut.y4m: the video is damaged or cut off"),
        "{}",
        told(&output)
    );
    assert_eq!(errors[2].0, "no-grid", "{errors:?}");
    for (name, why) in [
        ("d-huge", "megapixels"),
        ("e-text", "install ffmpeg"),
        ("f-nothing", "no end"),
    ] {
        let line = photos.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains(why), "{line}");
    }
}

#[test]
fn one_frame_is_a_photo() {
    let page = page("000-newspaper");
    let frames = filmed(&calm(), std::slice::from_ref(&page), 1);
    let run = Run::new(&[("one.y4m", &y4m(&frames[..1]))]);
    let output = run.recognize(&["in/one.y4m"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", &*page.boards[0].0.to_line())
    );
}

/// Whether there is an ffmpeg; under CI there has to be one.
fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "CI has ffmpeg");
    if !found {
        println!("skipped: there is no ffmpeg");
    }
    found
}

#[test]
fn rendered_videos_are_read_by_ffmpeg_and_get_their_solutions_drawn_in() {
    if !has_ffmpeg() {
        return;
    }
    let run = Run::new(&[(
        "effects.json",
        br#"{"seconds":1.5,"rate":20,"size":[480,360],"leaving":0.0,"hand":0.0,"turned_page":0.0}"#,
    )]);
    let output = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"))
        .current_dir(run.folder.path())
        .args(["dataset", "synth", "videos", "-n", "2", "--out", "videos"])
        .args(["--fonts", "no-fonts", "--config", "in/effects.json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let output = run.recognize(&["videos", "--overlay", "--frames"]);
    assert!(output.status.code() < Some(2), "{}", told(&output));
    let boards = run.boards();
    for row in &boards {
        // Digits drawn as handwriting may be refused, but what is solved is right.
        let truth = Path::new(&row["video"]).with_extension("txt");
        let truth = std::fs::read_to_string(run.folder.path().join(truth)).unwrap();
        let truth: String = truth.split_whitespace().collect();
        assert!(
            row["status"] != "solved" || truth.contains(&row["decoded"]),
            "{row:?}"
        );
    }
    let solved = boards.iter().find(|row| row["status"] == "solved").unwrap();
    let name = Path::new(&solved["video"]).file_stem().unwrap();
    let overlay = run.path("overlays").join(name).with_extension("mp4");
    // The overlay is a video in which the board is read again, filled in.
    let again = run
        .command(&[])
        .arg(&overlay)
        .args(["--fresh"])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", told(&again));
    let filled = &run.boards()[0];
    assert_eq!(filled["frames_read"], "30");
    assert_eq!(filled["solution"], solved["solution"]);
    assert!(
        filled["decoded"].bytes().filter(|&it| it == b'.').count() < 20,
        "{filled:?}"
    );
}

#[test]
fn the_video_of_the_repository_is_read_as_the_readme_shows() {
    if !has_ffmpeg() {
        return;
    }
    let run = Run::new(&[]);
    let videos = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/videos");
    let output = run.command(&["--overlay"]).arg(&videos).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let truth = std::fs::read_to_string(videos.join("book.txt")).unwrap();
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", truth.trim())
    );
    assert!(row["sure_frame"].parse::<u64>().unwrap() < 5, "{row:?}");
    assert!(row["frames_seen"].parse::<u64>().unwrap() > 85, "{row:?}");
    assert!(run.path("overlays/book.mp4").is_file());
}

#[test]
fn a_stopped_decoder_costs_what_came_after_it() {
    if !has_ffmpeg() {
        return;
    }
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[("a.y4m", &video)]);
    // Stands in for an ffmpeg that is killed: its first frames, then nothing.
    let script = format!(
        "#!/bin/sh\nhead -c {} '{}'\nkill -9 $$\n",
        video.len() * 2 / 3,
        run.folder.path().join("in/a.y4m").display()
    );
    let program = run.folder.path().join("dying");
    std::fs::write(&program, script).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::rename(
        run.folder.path().join("in/a.y4m"),
        run.folder.path().join("a.raw"),
    )
    .unwrap();
    std::fs::write(run.folder.path().join("in/b.mp4"), b"0000ftyp").unwrap();
    let script = std::fs::read_to_string(&program)
        .unwrap()
        .replace("in/a.y4m", "a.raw");
    std::fs::write(&program, script).unwrap();
    let output = run
        .command(&["in"])
        .arg("--ffmpeg")
        .arg(&program)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", &*page.boards[0].0.to_line())
    );
    assert!(
        told(&output).contains("killed by signal 9"),
        "{}",
        told(&output)
    );
}

/// A program that does not outlive a test that fails.
struct Stopped(std::process::Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
    }
}

#[cfg(unix)]
#[test]
fn photos_that_arrive_are_read_until_the_run_is_stopped() {
    use std::io::{BufRead, BufReader};
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    let run = Run::new(&[]);
    std::fs::create_dir(run.folder.path().join("in")).unwrap();
    let mut command = run.command(&["in", "--watch", "--quiet"]);
    let child = command.stdout(std::process::Stdio::piped()).spawn();
    let mut child = Stopped(child.unwrap());
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    for name in ["000-newspaper.jpg", "001-book.jpg"] {
        // Written in two pieces: the first alone is no photo.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let bytes = std::fs::read(photos.join(name)).unwrap();
        let path = run.folder.path().join("in").join(name);
        std::fs::write(&path, &bytes[..1000]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        std::fs::write(&path, &bytes).unwrap();
        let line = lines.next().unwrap().unwrap();
        assert!(line.starts_with(&format!("in/{name}\tsolved\t")), "{line}");
        // The row is in the table already.
        let table = std::fs::read_to_string(run.path("results.csv")).unwrap();
        assert!(table.contains(name), "{table}");
    }
    let stopped = Command::new("kill")
        .args(["-INT", &child.0.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
    let table = std::fs::read_to_string(run.path("results.csv")).unwrap();
    assert_eq!(table.lines().count(), 3);
    assert!(run.path("summary.json").is_file());
}

/// Prints how well the evidence of frames is calibrated when they weigh so much: run with
/// `cargo test --release --test video -- --ignored --nocapture weights`. The figures are in reports/video.md.
#[test]
#[ignore = "takes minutes, and prints a table"]
fn weights_of_frames() {
    use sudoku_batch::grid::Cell;
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
