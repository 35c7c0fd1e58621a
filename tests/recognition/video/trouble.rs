//! Problems of videos.

use super::{Run, calm, filmed, message, page, stand_in, y4m};

#[test]
fn problems_of_a_video_are_reported_and_nothing_else_is_lost() {
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
    assert_eq!(photos, "", "there is no photo");
    assert_eq!(errors[0], ("solved".to_owned(), String::new()));
    assert_eq!(
        errors[1].0, "solved",
        "what was seen before the cut: {errors:?}"
    );
    let cut = "the video is damaged or cut off: its last frame is not whole";
    assert_eq!(errors[1].1, cut);
    let said = message(&output);
    assert!(said.contains(&format!("b-cut.y4m: {cut}")), "{said}");
    let whys = ["no frame", "megapixels", "install ffmpeg", "no end"];
    for ((status, error), why) in errors[2..].iter().zip(whys) {
        assert_eq!(status, "unreadable", "{errors:?}");
        assert!(error.contains(why), "{error}");
    }
    let summary = run.summary();
    assert_eq!(
        (&summary["photos"], &summary["videos"]["count"]),
        (&6.into(), &6.into())
    );
    assert_eq!(said.matches("install ffmpeg").count(), 1, "{said}");
}

#[cfg(unix)]
#[test]
fn a_stopped_decoder_loses_only_later_frames() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[("a.y4m", &video)]);
    let raw = run.folder.path().join("a.raw");
    std::fs::rename(run.folder.path().join("in/a.y4m"), &raw).unwrap();
    std::fs::write(run.folder.path().join("in/b.mp4"), b"0000ftyp").unwrap();
    // An ffmpeg that is killed: its first frames, then nothing.
    let part = video.len() * 2 / 3;
    let script = format!("head -c {part} '{}'\nkill -9 $$", raw.display());
    let program = stand_in(&run, "dying", &script);
    let output = run
        .command(&["in"])
        .arg("--ffmpeg")
        .arg(&program)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", message(&output));
    let row = &run.boards()[0];
    assert_eq!(
        (&*row["status"], &*row["decoded"]),
        ("solved", &*page.boards[0].0.to_line())
    );
    assert!(
        message(&output).contains("killed by signal 9"),
        "{}",
        message(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_decoder_with_endless_output_is_stopped() {
    let page = page("000-newspaper");
    let video = y4m(&filmed(&calm(), std::slice::from_ref(&page), 1));
    let run = Run::new(&[("a.mp4", b"0000ftyp"), ("b.raw", &video)]);
    let whole = run.folder.path().join("in/b.raw");
    for (before, seen) in [
        (String::new(), false),
        (format!("cat '{}'", whole.display()), true),
    ] {
        let program = stand_in(&run, "talking", &format!("{before}\nyes nonsense"));
        let output = run
            .command(&["in/a.mp4", "--fresh"])
            .arg("--ffmpeg")
            .arg(program)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", message(&output));
        let row = &run.boards()[0];
        let status = if seen { "solved" } else { "unreadable" };
        assert_eq!(row["status"], status, "{row:?}");
        assert!(row["error"].contains("no frame"), "{row:?}");
    }
}
