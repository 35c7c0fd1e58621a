//! The loop of recognizing, correcting and training: the page, and the use of corrections.

use crate::common;
use std::path::Path;

use common::{PUZZLES, Said, board, board_png, encoded, program, results, say};
use image::{ImageFormat, imageops};
use sudoku_batch::grid::{Cell, CellSet, Digit, Puzzle};
use sudoku_batch::reader::{Doubt, Reader, ReaderConfig, StageMs, Status};
use sudoku_batch::recognize::{PhotoResult, Reading, RecognizeConfig, Record, Summary};
use sudoku_batch::report::{Page, Pages};
use sudoku_batch::training::CropFolder;
use sudoku_batch::vision::{BoardPlace, Lattice, Point, Polarity, Rotation};

/// A name that would be harmful in a page, in a table, and in a shell.
const HOSTILE: &str = "a,\"b\"\n<script>alert(1)</script>";

fn recognize(photos: &Path, out: &Path, flags: &[&Path]) -> serde_json::Value {
    let mut command = program(&["recognize", "--json"]);
    let said = say(command.arg(photos).arg("-o").arg(out).args(flags));
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
}

fn apply(corrections: &Path, run: &Path, out: &Path) -> Said {
    let mut command = program(&["dataset", "apply"]);
    say(command
        .arg(corrections)
        .arg("--run")
        .arg(run)
        .arg("-o")
        .arg(out))
}

/// The data of a page for its script.
fn gallery_data(page: &str) -> serde_json::Value {
    let start = page.split("id=\"gallery-data\"").nth(1).unwrap();
    let json = start.split_once('>').unwrap().1;
    serde_json::from_str(json.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn corrected_boards_become_ground_truth_and_labeled_crops() {
    let folder = tempfile::tempdir().unwrap();
    let [photos, run, out, again] =
        ["photos", "run", "out", "again"].map(|name| folder.path().join(name));
    std::fs::create_dir(&photos).unwrap();
    let turned = encoded(imageops::rotate90(&board(PUZZLES[1])), ImageFormat::Png);
    std::fs::write(photos.join("0.png"), board_png(PUZZLES[0])).unwrap();
    std::fs::write(photos.join("turned.png"), turned).unwrap();
    std::fs::write(photos.join("untouched.png"), board_png(PUZZLES[2])).unwrap();
    recognize(&photos, &run, &[Path::new("--save-crops")]);

    // The content of the paper according to the person: one cell of each board differs from the reading.
    let corrected = [0, 1].map(|number| {
        let first = if PUZZLES[number].starts_with('.') {
            "7"
        } else {
            "."
        };
        format!("{first}{}", &PUZZLES[number][1..])
    });
    let name = |photo: &str| photos.join(photo).display().to_string();
    let rows = [
        format!("{},1,{}", name("0.png"), corrected[0]),
        format!("{},1,{}", name("unknown.png"), corrected[0]),
        format!("{},1,{}", name("turned.png"), corrected[1]),
        format!("{},1,{}", name("untouched.png"), &corrected[0][1..]),
        format!("{},2,{}", name("untouched.png"), corrected[0]),
        format!("{},1,{}", name("0.png"), corrected[1]),
        format!("{},1,{}", name("0.png"), corrected[0]),
    ];
    let corrections = folder.path().join("corrections.csv");
    std::fs::write(
        &corrections,
        // With the line endings of a spreadsheet.
        format!("photo,puzzle,givens\r\n{}\r\n", rows.join("\r\n")),
    )
    .unwrap();
    let said = apply(&corrections, &run, &out);
    assert_eq!(said.code, Some(1), "{said:?}");
    for (line, why) in [
        (3, "no board in the photo"),
        (5, "found 80"),
        (6, "no puzzle \"2\""),
        (7, "line 2 says something else"),
    ] {
        let place = format!("corrections.csv:{line}: ");
        let message = said.stderr.lines().find(|message| message.contains(&place));
        assert!(
            message.is_some_and(|message| message.contains(why)),
            "{said:?}"
        );
    }
    assert_eq!(said.stderr.lines().count(), 4, "{said:?}");

    let back = CropFolder::read(&out).unwrap().crops;
    let of_run = CropFolder::read(&run.join("crops")).unwrap().crops;
    assert_eq!(back.len(), 162);
    let corrected = corrected.map(|line| line.parse::<Puzzle>().unwrap());
    for (at, (crop, seen)) in back.iter().zip(&of_run).enumerate() {
        let byte = corrected[at / 81].to_bytes()[at % 81];
        assert_eq!(crop.label.map_or(0, |digit| digit.value()), byte, "{at}");
        assert_eq!(crop.crop.pixels, seen.crop.pixels, "cell {at}");
        assert_eq!(crop.source, "corrected");
    }

    // Two of the three photos have ground truth now; each differs from it in its first cell.
    let truth = out.join("truth.csv");
    let summary = recognize(&photos, &again, &[Path::new("--truth"), &truth]);
    assert_eq!(summary["accuracy"]["photos"], 2, "{summary}");
    assert_eq!(summary["accuracy"]["cells"], 162);
    assert_eq!(summary["accuracy"]["cells_correct"], 160);
    let page = std::fs::read_to_string(again.join("report.html")).unwrap();
    assert_eq!(page.matches("class=\"number bad\"").count(), 2);
}

/// Removes the boards from a saved run, as if it had found none.
fn forget_boards(run: &Path) {
    let path = run.join("photos.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let forget = |line: &str| {
        let mut photo: serde_json::Value = serde_json::from_str(line).unwrap();
        let record = &mut photo["records"][0];
        record["puzzle"] = 0.into();
        record["status"] = "no-grid".into();
        record["reading"] = serde_json::Value::Null;
        format!("{photo}\n")
    };
    std::fs::write(path, text.lines().map(forget).collect::<String>()).unwrap();
}

#[test]
fn boards_with_given_corners_become_ground_truth_and_labeled_crops() {
    let folder = tempfile::tempdir().unwrap();
    let [photos, run, out, again] =
        ["photos", "run", "out", "again"].map(|name| folder.path().join(name));
    std::fs::create_dir(&photos).unwrap();
    let turned = encoded(imageops::rotate90(&board(PUZZLES[1])), ImageFormat::Png);
    std::fs::write(photos.join("0.png"), board_png(PUZZLES[0])).unwrap();
    std::fs::write(photos.join("1.png"), turned).unwrap();
    for name in ["2.png", "3.png", "4.png"] {
        std::fs::write(photos.join(name), board_png(PUZZLES[2])).unwrap();
    }
    recognize(&photos, &run, &[Path::new("--save-crops")]);
    let found: Vec<String> = results(&run).iter().map(|row| row[11].to_owned()).collect();
    // Clicks of a person are not exact.
    let roughly = |corners: &str| {
        let shifts = [3.0, -2.0, -3.0, 2.0, 1.0, 3.0, -2.0, -3.0];
        let numbers = corners.split(' ').map(|it| it.parse::<f32>().unwrap());
        let moved = numbers
            .zip(shifts)
            .map(|(at, shift)| format!("{:.1}", at + shift));
        moved.collect::<Vec<_>>().join(" ")
    };
    forget_boards(&run);
    let name = |photo: &str| photos.join(photo).display().to_string();
    let rows = [
        format!("{},1,{},{}", name("0.png"), PUZZLES[0], roughly(&found[0])),
        format!("{},1,{},{}", name("1.png"), PUZZLES[1], roughly(&found[1])),
        format!("{},0,none,", name("2.png")),
        format!("{},1,{},", name("3.png"), PUZZLES[2]),
        format!("{},1,{},{}", name("2.png"), PUZZLES[2], found[2]),
        format!(
            "{},1,{},60 60 492 60 60 492 492 492",
            name("3.png"),
            PUZZLES[2]
        ),
        format!("{},0,{},{}", name("3.png"), PUZZLES[2], found[3]),
        format!(
            "{},1,{},60 60 492 60 492 700 60 492",
            name("3.png"),
            PUZZLES[2]
        ),
        format!("{},1,{},60 60 62 60 62 62 60 62", name("4.png"), PUZZLES[2]),
        format!("{},1,{},{}", name("unknown.png"), PUZZLES[2], found[3]),
        format!("{},0,none,", name("0.png")),
    ];
    let corrections = folder.path().join("corrections.csv");
    let table = format!("photo,puzzle,givens,corners\n{}\n", rows.join("\n"));
    std::fs::write(&corrections, table).unwrap();
    let said = apply(&corrections, &run, &out);
    assert_eq!(said.code, Some(1), "{said:?}");
    for (line, why) in [
        (5, "the row has no corners"),
        (6, "line 4 says that this photo has no board"),
        (7, "convex"),
        (8, "no number of a puzzle"),
        (9, "lies outside the photo of 552 x 552"),
        (10, "too small"),
        (11, "the run has no photo"),
        (12, "line 2 has a board of this photo"),
    ] {
        let place = format!("corrections.csv:{line}: ");
        let message = said.stderr.lines().find(|message| message.contains(&place));
        assert!(
            message.is_some_and(|message| message.contains(why)),
            "{line} {why}: {said:?}"
        );
    }
    assert_eq!(said.stderr.lines().count(), 8, "{said:?}");
    assert!(
        said.stdout.starts_with("1 photo without a board, "),
        "{said:?}"
    );

    let back = CropFolder::read(&out).unwrap().crops;
    let of_run = CropFolder::read(&run.join("crops")).unwrap().crops;
    assert_eq!(back.len(), 162);
    let mut apart = [0.0; 2];
    for (at, (crop, seen)) in back.iter().zip(&of_run).enumerate() {
        let expected = PUZZLES[at / 81].as_bytes()[at % 81];
        let label = crop.label.map_or(b'.', |digit| b'0' + digit.value());
        assert_eq!((label, &*crop.source), (expected, "corrected"), "cell {at}");
        let pairs = crop.crop.pixels.iter().zip(seen.crop.pixels.iter());
        let sum: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        // Grid lines that are off by half a crop pixel account for this much.
        assert!(
            sum < 1024 * 24,
            "cell {at}: {} gray values apart",
            sum / 1024
        );
        apart[at / 81] += sum as f32 / 1024.0 / 81.0;
    }
    // As cut by the reader.
    assert!(
        apart.iter().all(|mean| *mean < 8.0),
        "{apart:?} gray values apart"
    );

    let truth = out.join("truth.csv");
    let summary = recognize(&photos, &again, &[Path::new("--truth"), &truth]);
    let accuracy = &summary["accuracy"];
    // The photo marked as having no board has one after all, as have those whose row could not be cut.
    assert_eq!(accuracy["false_boards"], 1, "{summary}");
    assert_eq!(accuracy["cells"], accuracy["cells_correct"], "{summary}");
}

/// If a person made a mistake, the content on the paper differs from the correct digit.
#[test]
fn a_wrong_entry_gets_no_label() {
    // The solution of the first puzzle, except for a 9 in its third cell, where 4 is correct.
    let solution =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let paper = solution.replacen("534", "539", 1);
    let folder = tempfile::tempdir().unwrap();
    let [photos, run] = ["photos", "run"].map(|name| folder.path().join(name));
    std::fs::create_dir(&photos).unwrap();
    let photo = photos.join("0.png");
    std::fs::write(&photo, board_png(&paper)).unwrap();
    recognize(&photos, &run, &[Path::new("--save-crops")]);
    let rows = results(&run);
    // Column 18 is `read`, 4 `decoded`.
    assert_eq!((&rows[0][18], &rows[0][4]), (&*paper, solution), "{rows:?}");
    let mut manifest = csv::Reader::from_path(run.join("crops/manifest.csv")).unwrap();
    let rows: Vec<_> = manifest.records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), 81);
    for ((row, written), right) in rows.iter().zip(paper.chars()).zip(solution.chars()) {
        let label = if written == right {
            written.to_string()
        } else {
            String::new()
        };
        assert_eq!(
            (&row[5], &row[6]),
            (&*label, &*right.to_string()),
            "{row:?}"
        );
    }
    assert_eq!(
        CropFolder::read(&run.join("crops")).unwrap().crops.len(),
        80
    );

    // Confirming the board states what is correct; entering the 9 states what is written.
    for (name, givens, count) in [("right", solution, 80), ("paper", &*paper, 81)] {
        let corrections = folder.path().join(format!("{name}.csv"));
        let row = format!("photo,puzzle,givens\n{},1,{givens}\n", photo.display());
        std::fs::write(&corrections, row).unwrap();
        let out = folder.path().join(name);
        let said = apply(&corrections, &run, &out);
        assert_eq!(said.code, Some(0), "{said:?}");
        let crops = CropFolder::read(&out).unwrap().crops;
        assert_eq!(crops.len(), count);
        let third = crops[2].label.map(|digit| digit.value());
        assert_eq!(third == Some(9), count == 81);
    }
}

/// The whole loop, on digits that the built-in network was not trained on.
#[test]
fn training_on_corrected_boards_improves_reading_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [corrected, others] = [("corrected", "12"), ("others", "6")].map(|(name, count)| {
        let mut synth = program(&["dataset", "synth", "photos", "--styles", "arabic"]);
        synth.args(["-n", count, "--seed", count, "--out"]);
        let said = say(synth.arg(path(name)));
        assert_eq!(said.code, Some(0), "{said:?}");
        path(name)
    });
    let before = recognize(&others, &path("before"), &[]);

    recognize(&corrected, &path("run"), &[]);
    let page = std::fs::read_to_string(path("run").join("report.html")).unwrap();
    let data = gallery_data(&page);
    let corners = std::fs::read_to_string(corrected.join("corners.csv")).unwrap();
    let mut corrections = csv::Writer::from_path(path("corrections.csv")).unwrap();
    corrections
        .write_record(["photo", "puzzle", "givens", "corners"])
        .unwrap();
    for board in data["boards"].as_array().unwrap() {
        let [folder, name] = [&data["folder"], &board["name"]].map(|it| it.as_str().unwrap());
        let photo = format!("{folder}{name}");
        let truth = std::fs::read_to_string(Path::new(&photo).with_extension("txt")).unwrap();
        let mut rows = corners.lines();
        let row = rows.find_map(|row| row.strip_prefix(&format!("{name},0,")));
        let corners = row.unwrap().replace(',', " ");
        corrections
            .write_record([&photo, "1", truth.trim(), &corners])
            .unwrap();
    }
    corrections.flush().unwrap();
    let said = apply(&path("corrections.csv"), &path("run"), &path("crops"));
    assert_eq!(said.code, Some(0), "{said:?}");
    let mut train = program(&["train", "--init", "built-in", "--epochs", "10"]);
    let said = say(train.arg(path("crops")).arg("-o").arg(path("model")));
    assert_eq!(said.code, Some(0), "{said:?}");

    let model = path("model");
    let after = recognize(&others, &path("after"), &[Path::new("--model"), &model]);
    // The model is named; its hash is only in a title attribute.
    assert_eq!(before["model"], "built-in");
    assert_eq!(after["model"], model.display().to_string());
    let page = std::fs::read_to_string(path("after").join("report.html")).unwrap();
    let weights = after["config"]["model"].as_str().unwrap();
    assert!(page.contains(&format!("title=\"{weights}\">{}<", model.display())));
    let exact = |summary: &serde_json::Value| {
        ["givens_exact", "decoded_exact"].map(|key| summary["accuracy"][key].as_u64().unwrap())
    };
    let ([read, decoded], [read_before, decoded_before]) = (exact(&after), exact(&before));
    assert_eq!([read_before, decoded_before], [0, 0]);
    assert!(read > 0 && decoded > 3, "{read} {decoded}");
}

#[test]
fn unusable_corrections_are_explained_and_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let [photos, run, out] = ["photos", "run", "out"].map(|name| folder.path().join(name));
    std::fs::create_dir(&photos).unwrap();
    let photo = photos.join("0.png");
    std::fs::write(&photo, board_png(PUZZLES[0])).unwrap();
    recognize(&photos, &run, &[]);
    let corrections = folder.path().join("corrections.csv");
    let write = |row: &str| std::fs::write(&corrections, format!("photo,puzzle,givens\n{row}\n"));

    write("x.png,1,123").unwrap();
    let said = apply(&corrections, &run, &out);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("corrections.csv:2: ") && said.stderr.contains("hint: "));
    assert!(!out.exists());

    write(&format!("{},1,{}", photo.display(), PUZZLES[0])).unwrap();
    let said = apply(&corrections, &folder.path().join("nowhere"), &out);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("nowhere/photos.jsonl") && said.stderr.contains("--run"));

    // The photo has been replaced: the correction is kept as ground truth, but no crop is labeled.
    let blank = image::GrayImage::from_pixel(552, 552, image::Luma([240]));
    std::fs::write(&photo, encoded(blank, ImageFormat::Png)).unwrap();
    let said = apply(&corrections, &run, &out);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("corrections.csv:2: ") && said.stderr.contains("exchanged"));
    assert!(out.join("truth.csv").is_file());
}

#[test]
fn pictures_are_small_and_survive_reruns_and_renames() {
    let folder = tempfile::tempdir().unwrap();
    let [photos, run] = ["photos", "run"].map(|name| folder.path().join(name));
    std::fs::create_dir(&photos).unwrap();
    let hostile = photos.join(format!("{}.png", HOSTILE.replace('/', "_")));
    std::fs::write(&hostile, board_png(PUZZLES[0])).unwrap();
    let paper = image::GrayImage::from_pixel(300, 200, image::Luma([240]));
    std::fs::write(photos.join("paper.png"), encoded(paper, ImageFormat::Png)).unwrap();
    std::fs::write(photos.join("text.jpg"), "text").unwrap();
    let pictures = |what: &str| {
        let page = std::fs::read_to_string(run.join("report.html")).unwrap();
        assert!(!page.contains("<script>alert"), "a name became markup");
        let data = gallery_data(&page);
        let boards = data["boards"].as_array().unwrap().iter();
        boards
            .map(|board| board.pointer(what)?.as_str().map(|name| run.join(name)))
            .collect::<Vec<_>>()
    };
    let thumbnails = || pictures("/thumbnail");
    recognize(&photos, &run, &[]);
    let first = thumbnails();
    let [Some(solved), Some(paper), None] = &first[..] else {
        panic!("{first:?}");
    };
    let cells = pictures("/cells/0");
    let [Some(cells), None, None] = &cells[..] else {
        panic!("{cells:?}");
    };
    assert_eq!(image::image_dimensions(cells).unwrap(), (288, 288));
    for thumbnail in [solved, paper] {
        assert!(std::fs::metadata(thumbnail).unwrap().len() <= 20_000);
        let picture = image::open(thumbnail).unwrap();
        assert!(picture.width().max(picture.height()) <= 320);
    }
    let made = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
    let before = made(solved);
    std::fs::rename(&hostile, photos.join("a.png")).unwrap();
    assert_eq!(recognize(&photos, &run, &[])["resumed"], 3);
    assert_eq!(thumbnails(), first);
    assert_eq!(made(solved), before);
    for picture in [solved, cells] {
        std::fs::remove_file(picture).unwrap();
        assert_eq!(recognize(&photos, &run, &[])["resumed"], 2);
        assert!(picture.is_file());
    }
}

fn result(number: usize) -> PhotoResult {
    let name = format!("photos of a summer/{number}/{HOSTILE}.jpg");
    let read = !number.is_multiple_of(5);
    // As many as on a board full of handwritten digits.
    let guesses: Vec<_> = [3, 8, 9]
        .into_iter()
        .map(|n| (Digit::new(n), 0.333))
        .collect();
    let doubts = Cell::all().step_by(10).map(|cell| Doubt {
        cell,
        guesses: guesses.clone(),
    });
    let point = |i: usize, j: usize| Point {
        x: 10.0 * j as f32,
        y: 10.0 * i as f32,
    };
    let points = std::array::from_fn(|i| std::array::from_fn(|j| point(i, j)));
    let reading = Reading {
        read: PUZZLES[number % 3].parse().unwrap(),
        decoded: PUZZLES[(number + 1) % 3].parse().unwrap(),
        solution: None,
        is_ambiguous: false,
        // A third is doubtful.
        confidence: if number.is_multiple_of(3) { 0.6 } else { 0.97 },
        margin: 1.0,
        blank_doubt: 0.0,
        overruled: 1,
        mistakes: CellSet::EMPTY,
        written: CellSet::EMPTY,
        is_checked: false,
        marks: None,
        place: BoardPlace {
            lattice: Lattice::new(points, 1.0).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        },
        corners: [Point { x: 0.0, y: 0.0 }; 4],
        doubts: doubts.collect(),
    };
    let record = Record {
        puzzle: usize::from(read),
        status: match read {
            true => Status::Multiple,
            false => Status::NoGrid,
        },
        reading: read.then_some(reading),
        error: Some("no board in this photo: 12 cells are decided and 40 are not".to_owned()),
        stages: StageMs::default(),
        truth: None,
    };
    PhotoResult {
        photo: name,
        content: Some(format!("{number:032}")),
        page: None,
        settings: "s".to_owned(),
        resumed: false,
        records: vec![record],
        judgement: None,
        video: None,
        artifact: format!("a_b_{number}"),
        thumbnail: Some(format!("thumbnails/{number:032}.jpg")),
        cells: read.then(|| format!("cells/{number:032}.jpg")),
        large: None,
        overlay: true,
        sheet: read.then(|| vec![100.0]),
        pictures_ms: 0.0,
    }
}

/// All pages of a run of this many photos, the later ones first.
fn pages(count: usize) -> Vec<Page> {
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let mut summary = Summary::new(&RecognizeConfig::default(), &reader, 1);
    let mut pages = Pages::default();
    let mut all = Vec::new();
    for photo in (0..count).map(result) {
        summary.add(&photo, None);
        all.extend(pages.add(&photo).map(|page| page.render()));
    }
    all.extend(pages.finish(&summary));
    for page in &all {
        assert!(page.html.len() < 10_000_000, "{} bytes", page.html.len());
        for outside in ["http", "<script src", "<link", "@import", "<script>alert"] {
            assert!(!page.html.contains(outside), "{outside}");
        }
    }
    all
}

/// The full names of the photos on a page, and the boards that its script reads.
fn shown(page: &Page) -> (Vec<String>, Vec<serde_json::Value>) {
    let data = gallery_data(&page.html);
    let folder = data["folder"].as_str().unwrap();
    let boards = data["boards"].as_array().unwrap().clone();
    let name = |board: &serde_json::Value| format!("{folder}{}", board["name"].as_str().unwrap());
    (boards.iter().map(name).collect(), boards)
}

#[test]
fn a_page_of_eight_thousand_photos_stays_small_and_self_contained() {
    let pages = pages(8_000);
    let [page] = &pages[..] else {
        panic!("{} pages", pages.len());
    };
    assert_eq!(page.path, "report.html");
    let (names, boards) = shown(page);
    let expected: Vec<String> = (0..8_000).map(|number| result(number).photo).collect();
    assert!(names == expected);
    assert_eq!(boards[1]["givens"], PUZZLES[1]);
    assert_eq!(boards[1]["decoded"], PUZZLES[2]);
    assert!(page.html.contains("<noscript>") && page.html.contains("photos of a summer"));
}

#[test]
fn the_report_of_a_large_run_is_a_selection_and_its_pages_are_complete() {
    let count = 30_000;
    let mut pages = pages(count);
    let report = pages.pop().unwrap();
    assert_eq!(report.path, "report.html");
    assert!(pages.len() > 2);
    let mut everything = Vec::new();
    for (page, number) in pages.iter().zip(1..) {
        assert_eq!(page.path, format!("pages/{number:04}.html"));
        assert!(report.html.contains(&format!("href=\"{}\"", page.path)));
        let next = format!("href=\"{:04}.html\"", number + 1);
        assert_eq!(page.html.contains(&next), number < pages.len());
        let (names, boards) = shown(page);
        let thumbnail = boards[0]["thumbnail"].as_str().unwrap();
        assert!(thumbnail.starts_with("../thumbnails/"), "{thumbnail}");
        everything.extend(names);
    }
    let expected: Vec<String> = (0..count).map(|number| result(number).photo).collect();
    assert!(everything == expected);

    let (_, boards) = shown(&report);
    let count_of = |wanted: &dyn Fn(&serde_json::Value) -> bool| {
        boards.iter().filter(|board| wanted(board)).count()
    };
    let failed = count_of(&|board| board["rank"] == 1);
    let doubtful = count_of(&|board| board["rank"].is_null() && board["confidence"] == 0.6);
    assert_eq!(failed, count / 5);
    assert!(doubtful > 1_000, "{doubtful} doubtful");
    assert!(
        report
            .html
            .contains(&format!("{} of {count} boards", boards.len()))
    );
}

#[test]
fn a_refused_board_beside_others_is_listed() {
    let mut photo = result(1);
    let mut second = photo.records[0].clone();
    (second.puzzle, second.status) = (2, Status::Uncertain);
    second.error = Some("too uncertain".to_owned());
    photo.records.push(second);
    assert_eq!(photo.trouble().unwrap().text, "board 2: too uncertain");
    let of_board = |index: usize| photo.trouble_of(&photo.records[index]);
    assert_eq!(of_board(0), None);
    assert_eq!(of_board(1).unwrap().text, "too uncertain");
}
