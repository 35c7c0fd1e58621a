//! Solutions are drawn into videos.

use std::io::Cursor;
use std::path::Path;
use std::process::Command;

use image::codecs::gif::GifEncoder;
use image::{Delay, RgbImage};
use sudoku_batch::frames::{Ffmpeg, Video};

use super::{Run, calm, filmed, has_ffmpeg, message, page, y4m};

#[test]
fn rendered_videos_are_read_by_ffmpeg_and_get_overlays() {
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
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let output = run.recognize(&["videos", "--overlay", "--frames"]);
    assert!(output.status.code() < Some(2), "{}", message(&output));
    let boards = run.boards();
    for row in &boards {
        // Rendered handwriting may be refused, but solved boards are correct.
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
    assert_eq!(again.status.code(), Some(0), "{}", message(&again));
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
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
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

/// An animated GIF with these frame durations.
fn gif(frames: &[RgbImage], ms: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new_with_speed(&mut bytes, 30);
    for frame in frames {
        let picture = image::DynamicImage::from(frame.clone()).into_rgba8();
        let delay = Delay::from_numer_denom_ms(ms, 1);
        let frame = image::Frame::from_parts(picture, 0, 0, delay);
        encoder.encode_frame(frame).unwrap();
    }
    drop(encoder);
    bytes
}

/// An animated WebP with these frame durations, each frame lossless.
fn webp(frames: &[RgbImage], ms: u32) -> Vec<u8> {
    let (width, height) = frames[0].dimensions();
    let three = |value: u32| value.to_le_bytes()[..3].to_vec();
    let chunk = |name: &[u8], content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap();
        let mut chunk = [name, &length.to_le_bytes(), content].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    };
    let size = [three(width - 1), three(height - 1)].concat();
    // It has an animation.
    let mut body = chunk(b"VP8X", &[&[2, 0, 0, 0], &*size].concat());
    body.extend(chunk(b"ANIM", &[0; 6]));
    for frame in frames {
        let mut still = Cursor::new(Vec::new());
        frame
            .write_to(&mut still, image::ImageFormat::WebP)
            .unwrap();
        let place = [vec![0; 6], size.clone(), three(ms), vec![2]].concat();
        body.extend(chunk(b"ANMF", &[&*place, &still.get_ref()[12..]].concat()));
    }
    chunk(b"RIFF", &[b"WEBP", &*body].concat())
}

/// Seconds from the first frame of a video to the end of the last.
fn seconds(path: &Path) -> f64 {
    let mut video = Video::open(path, &Ffmpeg::default()).unwrap();
    let (rate, scale) = video.rate();
    let mut frames = 0;
    while video.next_frame().unwrap().is_some() {
        frames += 1;
    }
    f64::from(frames) * f64::from(scale) / f64::from(rate)
}

#[test]
fn overlays_of_animations_have_their_duration() {
    if !has_ffmpeg() {
        return;
    }
    let frames = filmed(&calm(), &[page("000-newspaper")], 1);
    let run = Run::new(&[
        ("fast.gif", &gif(&frames, 10)),
        ("slow.gif", &gif(&frames[..10], 100)),
        ("moving.webp", &webp(&frames[..5], 70)),
    ]);
    let output = run.recognize(&["in", "--overlay"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let found: Vec<_> = ["fast", "slow", "moving"]
        .map(|name| seconds(&run.path("overlays").join(name).with_extension("mp4")))
        .into();
    for (found, expected) in found.iter().zip([0.3, 1.0, 0.35]) {
        assert!(
            (found - expected).abs() <= 0.04,
            "{found} s, not {expected}"
        );
    }
    let rights = |name: &str| run.path(name).metadata().unwrap().permissions();
    // It has the same permissions as the rows.
    assert_eq!(rights("overlays/fast.mp4"), rights("boards.csv"));
}

#[test]
fn a_phone_video_is_read_and_drawn_upright() {
    if !has_ffmpeg() {
        return;
    }
    let run = Run::new(&[("truth.txt", b"")]);
    let video = super::turned::turned_video(&run.folder.path().join("in"));
    let output = run.recognize(&["in/turned.mp4", "--overlay", "--frames"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/videos/book.txt");
    let truth = std::fs::read_to_string(truth).unwrap();
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", truth.trim())
    );
    for path in [video, run.path("overlays/turned.mp4")] {
        let video = Video::open(&path, &Ffmpeg::default()).unwrap();
        assert_eq!(video.size(), (480, 640));
    }
    // Its first corner is above the others, and to the left.
    for line in run.frames() {
        let corner = |i: usize| [0, 1].map(|side| line["corners"][i][side].as_f64().unwrap());
        assert!(
            corner(0)[0] < corner(1)[0] && corner(0)[1] < corner(3)[1],
            "{line}"
        );
    }
}

/// The last frame of a grey video, and of its overlay.
#[test]
fn drawing_stays_on_the_board() {
    if !has_ffmpeg() {
        return;
    }
    let frames = filmed(&calm(), &[page("000-newspaper")], 1);
    let run = Run::new(&[("a.y4m", &y4m(&frames))]);
    let output = run.recognize(&["in/a.y4m", "--overlay"]);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    let mut video = Video::open(&run.path("overlays/a.mp4"), &Ffmpeg::default()).unwrap();
    let mut drawn = Vec::new();
    while let Some(frame) = video.next_frame().unwrap() {
        drawn.push(frame.into_luma());
    }
    assert_eq!(drawn.len(), frames.len());
    let differences = |number: usize| {
        let before = image::imageops::grayscale(&frames[number]);
        let pairs = before.pixels().zip(drawn[number].pixels());
        pairs.filter(|(a, b)| a.0[0].abs_diff(b.0[0]) > 60).count()
    };
    // Nothing until the board is sure, then the digits of about fifty cells.
    assert!(differences(0) < 20, "{}", differences(0));
    let last = differences(frames.len() - 1);
    assert!((1_000..20_000).contains(&last), "{last}");
}

/// Fakes an encoder that dies; decodes with the real program.
#[cfg(unix)]
fn failing_encoder(run: &Run) -> std::path::PathBuf {
    let script = "case \"$*\" in *libx264*) head -c 400000 > /dev/null\n\
                  echo '[error] no room for the encoder' >&2; exit 1;; esac\nexec ffmpeg \"$@\"";
    super::stand_in(run, "failing", script)
}

#[cfg(unix)]
#[test]
fn a_dead_encoder_loses_only_the_overlay() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[("a.y4m", &video)]);
    for program in [failing_encoder(&run), "/no/such/ffmpeg".into()] {
        let output = run
            .command(&["in/a.y4m", "--overlay", "--frames"])
            .arg("--ffmpeg")
            .arg(program)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", message(&output));
        let said = message(&output);
        assert!(said.contains("in/a.y4m: no overlay: "), "{said}");
        let row = &run.boards()[0];
        assert_eq!(
            (&*row["status"], &*row["decoded"], &*row["error"]),
            ("solved", &*page.boards[0].0.to_line(), "")
        );
        assert_eq!(row["frames_read"], "30");
        assert!(run.frames().len() > 20);
        let left = std::fs::read_dir(run.path("overlays")).unwrap();
        assert_eq!(left.count(), 0, "no overlay, and no part of one");
    }
    // Overlays that failed are tried again.
    if has_ffmpeg() {
        let output = run.recognize(&["in/a.y4m", "--overlay"]);
        assert_eq!(output.status.code(), Some(0), "{}", message(&output));
        assert!(run.path("overlays/a.mp4").is_file());
    }
}
