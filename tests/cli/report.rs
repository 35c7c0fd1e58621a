//! `sudoku-batch report` from outside: pages of saved runs, and several runs on one page.

use crate::common;
use crate::common::toy;
use std::fs;
use std::path::{Path, PathBuf};

use common::{PUZZLES, Said, board, board_png, program, say};
use sudoku_batch::vision::CROP_SIDE;
use toy::toy_crop;

/// A name that would be harmful in a page.
const HOSTILE: &str = "a'\"\n<script>alert(1)<";

fn report(arguments: &[&Path]) -> Said {
    say(program(&["report"]).args(arguments))
}

fn json(arguments: &[&Path]) -> serde_json::Value {
    let said = report(&[&[Path::new("--json")], arguments].concat());
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Measures solvers on three puzzles, all threads left out.
fn bench(folder: &Path, out: &str, flags: &[&str]) -> PathBuf {
    let corpus = folder.join("three.txt");
    fs::write(&corpus, PUZZLES.join("\n")).unwrap();
    let out = folder.join(out);
    let mut command = program(&["bench", "--no-throughput", "-q"]);
    let said = say(command.arg(&corpus).arg("-o").arg(&out).args(flags));
    assert_eq!(said.code, Some(0), "{said:?}");
    out
}

/// Photos: a board with ground truth, one with a harmful name, and a file that is not a photo.
fn photos(folder: &Path) -> PathBuf {
    let photos = folder.join("photos");
    fs::create_dir_all(&photos).unwrap();
    fs::write(photos.join("a.png"), board_png(PUZZLES[0])).unwrap();
    fs::write(photos.join("a.txt"), PUZZLES[0]).unwrap();
    fs::write(photos.join("broken.jpg"), "no photo").unwrap();
    let hostile = photos.join(format!("{HOSTILE}.png"));
    board(PUZZLES[1])
        .save_with_format(&hostile, image::ImageFormat::Png)
        .unwrap();
    photos
}

fn recognize(photos: &Path, out: &Path, flags: &[&str]) {
    let mut command = program(&["recognize"]);
    let said = say(command.arg(photos).arg("-o").arg(out).args(flags));
    assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
}

/// Renders a run again; returns the pages before and after.
fn again(run: &Path) -> [String; 2] {
    let page = run.join("report.html");
    let written = read(page.clone());
    fs::remove_file(&page).unwrap();
    let said = report(&[run]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.ends_with("report.html\n"), "{said:?}");
    [written, read(page)]
}

#[test]
fn the_page_of_a_measurement_is_reproduced_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--solvers", "mrv,logic,dlx", "--save-baseline", "x"];
    let run = bench(folder.path(), "run", &flags);
    let [written, rendered] = again(&run);
    assert!(written == rendered, "the pages differ");
    let flags = ["--solvers", "mrv,logic", "--baseline", "x"];
    let run = bench(folder.path(), "run", &flags);
    let [written, rendered] = again(&run);
    assert!(written.contains("Compared with x") && written == rendered);
}

#[test]
fn the_page_of_photos_is_reproduced_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (photos, run) = (photos(folder.path()), folder.path().join("run"));
    recognize(&photos, &run, &["--save-crops", "--overlay"]);
    let [written, rendered] = again(&run);
    assert!(written == rendered, "the pages differ");
    assert!(!rendered.contains("<script>alert"));
    assert_eq!(read(run.join("photos.jsonl")).lines().count(), 3);
    // A run that reuses everything from the previous one.
    recognize(&photos, &run, &[]);
    let [written, rendered] = again(&run);
    assert!(written == rendered, "the pages of the resumed run differ");
}

/// The median time of the calibration loop for the first row of a run.
fn calibration(run: &Path) -> f64 {
    let text = read(run.join("summary.json"));
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rounds = summary["rows"][0]["rounds"]["entries"].as_array().unwrap();
    let mut times: Vec<f64> = rounds.iter().map(|it| it[4].as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    match times.len() % 2 {
        0 => (times[middle - 1] + times[middle]) / 2.0,
        _ => times[middle],
    }
}

#[test]
fn measurements_are_compared_with_the_first_if_possible() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = bench(at, "first", &["--solvers", "mrv,dlx"]);
    let second = bench(at, "second", &["--solvers", "mrv,bands"]);
    let fewer = bench(at, "fewer", &["--solvers", "mrv", "--limit", "2"]);
    let out = at.join("out");
    let json = json(&[&first, &second, &fewer, Path::new("-o"), &out]);
    assert_eq!(json["command"], "report");
    assert_eq!(
        json["bench"]["runs"],
        serde_json::json!(["first", "second", "fewer"])
    );
    let rows = json["bench"]["rows"].as_array().unwrap();
    let row = |solver: &str| rows.iter().find(|row| row["solver"] == solver).unwrap();
    let mrv = &row("mrv")["entries"];
    let rate = |run: usize| mrv[run]["puzzles_per_s"].as_f64().unwrap();
    // In units of the calibration loop timed with each.
    let ratio = mrv[1]["ratio"].as_f64().unwrap();
    let expected = (rate(1) * calibration(&second)) / (rate(0) * calibration(&first));
    assert!((ratio / expected - 1.0).abs() < 1e-9, "{ratio} {expected}");
    let interval = &mrv[1]["interval"];
    assert!(interval["low"].as_f64().unwrap() <= ratio);
    assert!(ratio <= interval["high"].as_f64().unwrap());
    assert!(mrv[0]["ratio"].is_null() && mrv[2]["ratio"].is_null());
    assert_eq!(mrv[2]["notes"][0], "other puzzles");
    assert!(row("dlx")["entries"][1].is_null() && row("bands")["entries"][0].is_null());
    let verdicts = &json["bench"]["verdicts"];
    assert_eq!(verdicts[0]["compared"], 1);
    assert_eq!(
        (&verdicts[1]["compared"], &verdicts[1]["apart"]),
        (&0.into(), &1.into())
    );
    // The runs have different puzzles, so none is the fastest.
    assert_eq!(json["bench"]["fastest"], serde_json::json!([]));
    let page = read(out.join("report.html"));
    assert!(page.contains("not comparable") && page.contains("second ÷ first"));
    assert!(page.contains("href=\"../first/report.html\""));
    assert!(!page.contains("http://") && !page.contains("https://"));
    let said = report(&[&first, &second, Path::new("-o"), &out]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.starts_with("bench: second is "), "{said:?}");
}

#[test]
fn photos_that_got_worse_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let photos = photos(folder.path());
    let [good, bad, out] = ["good", "bad & <b>", "out"].map(|name| folder.path().join(name));
    recognize(&photos, &good, &[]);
    recognize(&photos, &bad, &["--time-limit", "1", "--decode", "argmax"]);
    let compared = json(&[&good, &bad, Path::new("-o"), &out]);
    let recognize = &compared["recognize"];
    let settings = recognize["settings"].as_array().unwrap();
    let names: Vec<&str> = settings
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["decode.mode", "time_limit_ms"]);
    assert_eq!(
        (&recognize["shared"], &recognize["not_shared"]),
        (&3.into(), &0.into())
    );
    let verdict = &recognize["verdicts"][0];
    assert_eq!(
        (&verdict["worse"], &verdict["better"]),
        (&2.into(), &0.into())
    );
    let differences = recognize["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 2);
    assert_eq!(differences[0]["outcomes"][1]["statuses"][0], "timeout");
    let page = read(out.join("report.html"));
    assert!(page.contains("+0 −2") && page.contains("bad &amp; &lt;b&gt;"));
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script>alert"));
    // In the other direction, the same photos improved.
    let back = json(&[&bad, &good, Path::new("-o"), &out]);
    assert_eq!(back["recognize"]["verdicts"][0]["better"], 2);
    // A photo missing from one run is counted, not compared.
    fs::remove_file(photos.join("a.png")).unwrap();
    // One with another name is the same photo.
    let hostile = photos.join(format!("{HOSTILE}.png"));
    fs::rename(hostile, photos.join("renamed.png")).unwrap();
    let fewer = folder.path().join("fewer");
    self::recognize(&photos, &fewer, &[]);
    let compared = json(&[&good, &fewer, Path::new("-o"), &out]);
    let recognize = &compared["recognize"];
    assert_eq!(
        (&recognize["shared"], &recognize["not_shared"]),
        (&2.into(), &1.into())
    );
    assert_eq!(recognize["differences"], serde_json::json!([]));
}

#[test]
fn a_run_that_cannot_be_read_is_named_and_the_others_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = bench(folder.path(), "run", &["--solvers", "mrv"]);
    let summary = read(run.join("summary.json"));
    let write = |name: &str, text: &str| {
        fs::create_dir_all(at(name)).unwrap();
        fs::write(at(name).join("summary.json"), text).unwrap();
        at(name)
    };
    fs::create_dir(at("empty")).unwrap();
    let older = summary.replacen("\"version\": \"", "\"version\": \"0.0.", 1);
    let older = older.replacen("\"rows\"", "\"lines\"", 1);
    let other = summary.replacen("\"bench\"", "\"rate\"", 1);
    let cases = [
        (at("missing"), "no such file or folder", "give folders"),
        (
            at("empty"),
            "is not a run: it has no summary.json",
            "give folders",
        ),
        (
            write("cut", &summary[..400]),
            "cut/summary.json: EOF while parsing",
            "repeat the run",
        ),
        (
            write("older", &older),
            "missing field `rows` at line",
            "version 0.0.",
        ),
        (
            write("other", &other),
            "a summary of `rate`, which has no page",
            "give folders",
        ),
        (
            write("number", "7"),
            "number/summary.json: ",
            "repeat the run",
        ),
    ];
    for (path, error, hint) in &cases {
        let said = report(&[path]);
        assert_eq!(said.code, Some(2), "{said:?}");
        let lines: Vec<&str> = said.stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{said:?}");
        assert!(
            lines[0].starts_with("error: ") && lines[0].contains(error),
            "{said:?}"
        );
        assert!(
            lines[1].starts_with("hint: ") && lines[1].contains(hint),
            "{said:?}"
        );
        assert!(!path.join("report.html").exists());
    }
    let out = at("out");
    let [empty, cut] = [&cases[1].0, &cases[2].0];
    let said = report(&[empty, &run, cut, &run, Path::new("-o"), &out]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(said.stderr.matches("error: ").count(), 2, "{said:?}");
    let page = read(out.join("report.html"));
    assert!(page.contains("is not a run") && page.contains("run (2)"));
    assert_eq!(report(&[empty, cut]).code, Some(2));
    let said = report(&[&run, Path::new("-o"), &out]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("omit --out"), "{said:?}");
    let said = report(&[&run, &run, Path::new("-o"), &run]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("would be overwritten"), "{said:?}");
    // The summary itself names the run, too.
    assert_eq!(report(&[&run.join("summary.json")]).code, Some(0));
}

#[test]
fn lost_photos_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (photos, run) = (photos(folder.path()), folder.path().join("run"));
    recognize(&photos, &run, &[]);
    let path = run.join("photos.jsonl");
    let lines = read(path.clone());
    let (first, rest) = lines.split_once('\n').unwrap();
    for (text, error) in [
        (
            rest.to_owned(),
            "photos.jsonl: 2 photos, but the summary beside it counts 3",
        ),
        (
            format!("{first}\n{{}}\n{rest}"),
            "photos.jsonl: missing field",
        ),
        (first.replace("solved", "guessed"), "at line 1 column"),
    ] {
        fs::write(&path, text).unwrap();
        let said = report(&[&run]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(
            said.stderr.contains(error) && said.stderr.contains("hint: "),
            "{said:?}"
        );
    }
    fs::remove_file(&path).unwrap();
    assert!(report(&[&run]).stderr.contains("same folder"));
}

/// A short run of `train` from the built-in model on toy crops.
fn train(folder: &Path, out: &str, flags: &[&str]) -> PathBuf {
    let crops = folder.join("crops");
    for (label, variant) in (0..10).flat_map(|label| (0..20).map(move |variant| (label, variant))) {
        let below = crops.join(label.to_string());
        fs::create_dir_all(&below).unwrap();
        let crop = toy_crop(label, variant);
        let side = CROP_SIDE as u32;
        let image = image::GrayImage::from_raw(side, side, crop.pixels.to_vec()).unwrap();
        image.save(below.join(format!("{variant}.png"))).unwrap();
    }
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("training/digits/model");
    let out = folder.join(out);
    let mut command = program(&["train", "-q", "--epochs", "1"]);
    command.arg(&crops).arg("--init").arg(built_in);
    let said = say(command.arg("--out").arg(&out).args(flags));
    assert_eq!(said.code, Some(0), "{said:?}");
    out
}

#[test]
fn training_pages_are_reproduced_and_compared_only_on_the_same_crops() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = train(at, "first", &["--learning-rate", "1e-5"]);
    let [written, rendered] = again(&first);
    assert!(written == rendered, "the pages differ");
    let second = train(at, "second", &["--learning-rate", "2e-3"]);
    let third = train(
        at,
        "third",
        &["--validation", "0.3", "--learning-rate", "1e-5"],
    );
    let out = at.join("out");
    let compared = json(&[&first, &second, &third, Path::new("-o"), &out]);
    let verdicts = &compared["train"]["verdicts"];
    assert!(verdicts[0]["apart"].is_null() && verdicts[1]["apart"].is_string());
    let accuracy = |run: usize| {
        let summary = &compared["train"]["summaries"][run];
        summary["card"]["validation"]["accuracy"].as_f64().unwrap()
    };
    let difference = verdicts[0]["accuracy"].as_f64().unwrap();
    assert!((difference - (accuracy(1) - accuracy(0))).abs() < 1e-6);
    let settings = compared["train"]["settings"].as_array().unwrap();
    let names: Vec<&str> = settings
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["learning_rate", "validation"]);
    let page = read(out.join("report.html"));
    assert!(page.contains("Held-out loss by epoch") && page.contains("second − first"));
    fs::remove_file(first.join("worst.png")).unwrap();
    assert!(report(&[&first]).stderr.contains("worst.png"));
}

/// Ground truth in only one of two runs is not used for the other; whether a photo was read is compared.
#[test]
fn photos_are_compared_by_what_both_runs_know() {
    let folder = tempfile::tempdir().unwrap();
    let photos = photos(folder.path());
    let [before, after, out] = ["before", "after", "out"].map(|name| folder.path().join(name));
    recognize(
        &photos,
        &before,
        &["--time-limit", "1", "--decode", "argmax"],
    );
    for entry in fs::read_dir(&photos).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "txt") {
            fs::remove_file(path).unwrap();
        }
    }
    recognize(&photos, &after, &[]);
    let of = |first: &Path, second: &Path| {
        let compared = json(&[first, second, Path::new("-o"), &out]);
        let verdict = &compared["recognize"]["verdicts"][0];
        [&verdict["better"], &verdict["worse"], &verdict["other"]].map(|it| it.as_u64().unwrap())
    };
    assert_eq!(of(&before, &after), [2, 0, 0]);
    assert_eq!(of(&after, &before), [0, 2, 0]);
}

/// A forged time would make an endless scale.
#[test]
fn impossible_numbers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = bench(folder.path(), "run", &["--solvers", "mrv"]);
    let path = run.join("summary.json");
    let mut summary: serde_json::Value = serde_json::from_str(&read(path.clone())).unwrap();
    let times = summary["rows"][0]["times"].as_array_mut().unwrap();
    times.last_mut().unwrap()["us"] = 1e308.into();
    fs::write(&path, summary.to_string()).unwrap();
    let said = report(&[&run]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("out of range"), "{said:?}");
}
