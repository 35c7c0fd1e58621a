//! Data sets of labeled crops: counting, checking, reviewing, harvesting.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{PUZZLES, Said, board_png, program, results, say};
use image::GrayImage;
use sudoku_batch::dataset::{CropSheets, CropStats};
use sudoku_batch::digits::{LabeledCrop, TrainingConfig};
use sudoku_batch::grid::Digit;
use sudoku_batch::render::{CropConfig, CropRenderer, FontSet};
use sudoku_batch::training::{CropFolder, DataFolder, Leak, Split};
use sudoku_batch::vision::CellCrop;

fn dataset(arguments: &[&str], paths: &[&Path], out: &Path) -> Said {
    let mut command = program(&["dataset"]);
    say(command.args(arguments).args(paths).arg("-o").arg(out))
}

/// Rendered crops, each of its own puzzle.
fn rendered(count: u64) -> Vec<LabeledCrop> {
    let renderer = CropRenderer::new(CropConfig::default(), FontSet::default());
    let crop = |index| LabeledCrop {
        photo: format!("photo{index}"),
        puzzle: format!("puzzle{index}"),
        source: format!("rendered-{}", index % 2),
        ..renderer.render(7, index).into()
    };
    (0..count).map(crop).collect()
}

fn write(crops: &[LabeledCrop], folder: &Path) {
    let mut sheets = CropSheets::new(folder);
    sheets.extend(crops.to_vec()).unwrap();
    sheets.finish().unwrap();
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn stats_count_every_crop_once_in_each_breakdown() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let crops = rendered(300);
    write(&crops, folder.path());
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(0), "{said:?}");
    for word in ["blank", "source", "rendered", "balance", "bias", "held out"] {
        assert!(said.stdout.contains(word), "{word}: {}", said.stdout);
    }
    let mut expected = [0usize; 10];
    for crop in &crops {
        expected[crop.label.map_or(0, Digit::value) as usize] += 1;
    }
    let mut sums: BTreeMap<String, [usize; 10]> = BTreeMap::new();
    let mut table = csv::Reader::from_path(out.path().join("stats.csv")).unwrap();
    for row in table.records() {
        let row = row.unwrap();
        let labels: Vec<usize> = (4..14).map(|at| row[at].parse().unwrap()).collect();
        assert_eq!(row[2].parse(), Ok(labels.iter().sum::<usize>()));
        let sum = sums.entry(row[0].to_owned()).or_default();
        sum.iter_mut().zip(labels).for_each(|(sum, n)| *sum += n);
    }
    let kinds: Vec<&str> = sums.keys().map(String::as_str).collect();
    assert_eq!(kinds, ["all", "contrast", "size", "source"]);
    assert!(sums.values().all(|sum| *sum == expected), "{sums:?}");

    let said = dataset(&["stats", "--json"], &[folder.path()], out.path());
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(summary, json(&out.path().join("summary.json")));
    assert_eq!(summary["crops"], 300);
    let mut leaks = csv::Reader::from_path(out.path().join("leaks.csv")).unwrap();
    let counted = summary["leaks"].as_array().unwrap().iter();
    let counted: u64 = counted.map(|pair| pair["crops"].as_u64().unwrap()).sum();
    assert_eq!(leaks.records().count() as u64, counted);
}

#[test]
fn samples_show_a_row_for_each_class_and_depend_on_the_seed_only() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(&rendered(300), folder.path());
    let samples = |seed: &str| {
        let arguments = ["stats", "--samples", "5", "--seed", seed];
        let said = dataset(&arguments, &[folder.path()], out.path());
        assert_eq!(said.code, Some(0), "{said:?}");
        image::open(out.path().join("samples.png"))
            .unwrap()
            .into_rgb8()
    };
    let one = samples("1");
    assert_eq!(one.height() % 72, 8, "ten rows of 64 pixels and gaps of 8");
    assert_eq!((one.height() / 72, (one.width() - 56) / 72), (10, 5));
    assert_eq!(one, samples("1"));
    assert_ne!(one, samples("2"));
}

#[test]
fn stats_note_missing_rare_and_source_biased_classes() {
    let mut crops = rendered(400);
    crops.retain(|crop| crop.label != Digit::new(3));
    for crop in &mut crops {
        let is_low = crop.label.is_some_and(|digit| digit.value() < 5);
        crop.source = if is_low { "low-1" } else { "high-1" }.to_owned();
    }
    let sizes = vec![(32, 32); crops.len()];
    let folder = CropFolder {
        crops,
        sizes,
        ..CropFolder::default()
    };
    let stats = CropStats::new(&[&folder]);
    let notes = stats.notes.join("\n");
    assert!(notes.contains("no crop shows 3"), "{notes}");
    assert!(notes.contains("the source is associated"), "{notes}");
    assert!(stats.source_bias > 0.9 && stats.balance == 0.0);
}

#[test]
fn near_duplicates_of_training_crops_are_left_out_and_blanks_stay() {
    let config = TrainingConfig {
        validation_sources: vec!["held".to_owned()],
        validation: 0.0,
        ..TrainingConfig::default()
    };
    let training = rendered(200);
    // Other crops, and a darker copy of each training crop that is not too faint for it.
    let mut held_out: Vec<LabeledCrop> = rendered(400).split_off(200);
    let is_clear = |crop: &&LabeledCrop| {
        let contrast = crop.crop.tone().contrast;
        crop.label.is_some() && contrast > 40.0 && contrast > 0.6 * crop.crop.board_contrast
    };
    let copies = training.iter().filter(is_clear).map(|crop| LabeledCrop {
        crop: CellCrop {
            pixels: Box::new(crop.crop.pixels.map(|value| (f32::from(value) * 0.8) as u8)),
            board_contrast: 0.8 * crop.crop.board_contrast,
        },
        ..crop.clone()
    });
    let copied = copies.clone().count();
    assert!(copied > 30, "{copied}");
    held_out.extend(copies);
    for crop in &mut held_out {
        crop.source = "held-1".to_owned();
    }
    let is_blank = |crop: &&LabeledCrop| crop.label.is_none();
    let blanks = held_out.iter().filter(is_blank).count();
    let folder = |crops| DataFolder {
        name: "a".to_owned(),
        folder: CropFolder {
            crops,
            ..CropFolder::default()
        },
        weight: 2.0,
    };
    let mut split = Split::new([training, held_out].map(folder).into(), &config);
    assert!(split.weights.iter().all(|&weight| weight == 2.0));
    let before = split.validation.len();
    let leaks = split.leave_out_leaks();
    assert_eq!(split.validation.len() + leaks.len(), before);
    assert_eq!(split.cards[1].validation, split.validation.len());
    assert_eq!((split.cards[0].training, split.training.len()), (200, 200));
    // All copies, and few of the others.
    let found = copied..copied + 10;
    assert!(found.contains(&leaks.len()), "{} of {copied}", leaks.len());
    let expected = |leak: &Leak| {
        let (held_out, training) = (&leak.held_out, &leak.training);
        held_out.source == "held-1" && training.source.starts_with("rendered")
    };
    assert!(leaks.iter().all(expected));
    let kept = split.validation.iter().filter(is_blank).count();
    assert!(kept + 5 > blanks, "{kept} of {blanks}");
    assert_eq!(split.leave_out_leaks(), []);
}

const HEADER: &str = "file,x,y,width,height,label,photo,source\n";

#[test]
fn a_bad_manifest_ends_stats_and_training_with_its_line() {
    let cases = [
        ("sheet.png,0,0,8,8,10,,", ":3: label `10`"),
        (
            "../sheet.png,0,0,8,8,1,,",
            ":3: file `../sheet.png` is outside",
        ),
        (
            "broken.png,0,0,8,8,1,,",
            ":3: sheet `broken.png` cannot be read",
        ),
        (
            "gone.png,0,0,8,8,1,,",
            ":3: sheet `gone.png` cannot be read",
        ),
        ("sheet.png,28,0,8,8,1,,", ":3: rectangle 8x8 at 28,0"),
        ("/etc/hosts,0,0,8,8,1,,", ":3: file `/etc/hosts` is outside"),
        (
            "sheet.png,0,0,8,8,1,",
            ":3: 7 fields, but the header has 8\n",
        ),
        (
            "sheet.png,0,0,8,wide,1,,",
            ":3: column `height`: invalid digit",
        ),
    ];
    for (row, expected) in cases {
        let rows = format!("{HEADER}sheet.png,0,0,8,8,1,,\n{row}\n");
        expect_refused(rows.as_bytes(), expected);
    }
    let foreign = [HEADER.as_bytes(), b"sheet.png,0,0,8,8,1,,caf\xe9\n"].concat();
    expect_refused(&foreign, ":2: column `source` is not UTF-8\n");
    expect_refused(
        b"file,x,y,width,label\nsheet.png,0,0,8,1\n",
        ":1: the header has no column `height`\n",
    );
    #[cfg(unix)]
    for file in ["link.png", "link/sheet.png"] {
        let rows = format!("{HEADER}{file},0,0,8,8,1,,\n");
        expect_refused(rows.as_bytes(), &format!(":2: file `{file}` is outside"));
    }
}

/// Checks that a manifest is refused with this message and advice. Its folder has a sheet, half a sheet, and
/// links to a sheet and a folder elsewhere.
fn expect_refused(manifest: &[u8], expected: &str) {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    GrayImage::new(32, 8).save(path("sheet.png")).unwrap();
    let png = std::fs::read(path("sheet.png")).unwrap();
    std::fs::write(path("broken.png"), &png[..png.len() / 2]).unwrap();
    let elsewhere = other.path().join("sheet.png");
    std::fs::write(&elsewhere, &png).unwrap();
    #[cfg(unix)]
    for (target, link) in [(&*elsewhere, "link.png"), (other.path(), "link")] {
        std::os::unix::fs::symlink(target, path(link)).unwrap();
    }
    std::fs::write(path("manifest.csv"), manifest).unwrap();
    let out = path("out");
    let stats = dataset(&["stats"], &[folder.path()], &out);
    let training = say(program(&["train"]).arg(folder.path()).arg("-o").arg(&out));
    for said in [stats, training] {
        assert_eq!(said.code, Some(2), "{said:?}");
        let message = format!("manifest.csv{expected}");
        assert!(said.stderr.contains(&message), "{message}: {}", said.stderr);
        assert!(said.stderr.contains("\nhint: "), "{said:?}");
        assert!(!out.exists(), "nothing is written");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_in_the_folder_is_followed() {
    let (folder, link) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    GrayImage::new(32, 8).save(path("sheet.png")).unwrap();
    std::os::unix::fs::symlink("sheet.png", path("same.png")).unwrap();
    let rows = format!("{HEADER}same.png,0,0,8,8,1,,\n");
    std::fs::write(path("manifest.csv"), rows).unwrap();
    // The folder may be a link itself.
    let linked = link.path().join("crops");
    std::os::unix::fs::symlink(folder.path(), &linked).unwrap();
    assert_eq!(CropFolder::read(&linked).unwrap().crops.len(), 1);
}

#[test]
fn folders_without_crops_and_classes_without_crops_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    std::fs::write(folder.path().join("manifest.csv"), HEADER).unwrap();
    for (path, error) in [
        (folder.path(), "no labeled crops"),
        (Path::new("nowhere"), "no such folder: nowhere"),
    ] {
        let said = dataset(&["stats"], &[path], &out);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains(error), "{said:?}");
        assert!(said.stderr.contains("hint: "), "{said:?}");
    }
    let mut crops = rendered(300);
    crops.retain(|crop| ![None, Digit::new(2), Digit::new(7)].contains(&crop.label));
    write(&crops, folder.path());
    let said = say(program(&["train"]).arg(folder.path()).arg("-o").arg(&out));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("train on for 2, 7: "), "{said:?}");
    assert!(said.stderr.contains("rendered ones are added"), "{said:?}");
}

/// A run of `recognize` on three boards; the ground truth of the first has 41, 8 and 2 where 53, 7 and 6
/// are printed.
fn run_of_three(folder: &Path) -> std::path::PathBuf {
    let photos = folder.join("photos");
    std::fs::create_dir(&photos).unwrap();
    for (number, line) in PUZZLES.into_iter().enumerate() {
        std::fs::write(photos.join(format!("{number}.png")), board_png(line)).unwrap();
    }
    std::fs::write(
        photos.join("0.txt"),
        format!("41..8....2{}", &PUZZLES[0][10..]),
    )
    .unwrap();
    let run = folder.join("run");
    let mut command = program(&["recognize", "--save-crops"]);
    let said = say(command.arg(&photos).arg("-o").arg(&run));
    assert!(said.code.is_some_and(|code| code < 2), "{said:?}");
    run
}

/// The data of a page for its script.
fn gallery_data(page: &Path) -> serde_json::Value {
    let page = std::fs::read_to_string(page).unwrap();
    let start = page.split("id=\"gallery-data\"").nth(1).unwrap();
    let json = start.split_once('>').unwrap().1;
    serde_json::from_str(json.split("</script>").next().unwrap()).unwrap()
}

#[test]
fn corrections_on_a_review_page_become_labeled_crops() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_of_three(folder.path());
    // A photo without a board and without ground truth; one known to have no board; one that cannot be opened.
    let photos = folder.path().join("photos");
    let paper = GrayImage::from_fn(300, 200, |x, y| image::Luma([200 + ((x * y) % 50) as u8]));
    for name in ["paper.png", "none.png"] {
        paper.save(photos.join(name)).unwrap();
    }
    std::fs::write(photos.join("none.txt"), "none").unwrap();
    std::fs::write(photos.join("text.jpg"), "text").unwrap();
    let mut command = program(&["recognize", "--save-crops"]);
    say(command.arg(&photos).arg("-o").arg(&run));

    let look = folder.path().join("look");
    let review = |count: &str| -> serde_json::Value {
        let said = dataset(&["review", "-n", count, "--json"], &[&run], &look);
        assert_eq!(said.code, Some(0), "{said:?}");
        let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        summary["review"].clone()
    };
    // Boards that contradict the ground truth come first.
    let first = review("1");
    assert_eq!(
        (&first["photos"], &first["contradicted"]),
        (&1.into(), &1.into())
    );
    let all = review("20");
    assert_eq!(
        (&all["contradicted"], &all["without_board"]),
        (&1.into(), &1.into())
    );
    assert_eq!(all["lost"], 0);

    let data = gallery_data(&look.join("review.html"));
    let boards = data["boards"].as_array().unwrap();
    assert_eq!(all["photos"], boards.len());
    let names: Vec<&str> = boards
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"0.png") && names.contains(&"paper.png"),
        "{names:?}"
    );
    assert!(
        !names.contains(&"none.png") && !names.contains(&"text.jpg"),
        "{names:?}"
    );
    for board in boards {
        let name = board["name"].as_str().unwrap();
        let (width, height) = image::image_dimensions(photos.join(name)).unwrap();
        assert_eq!(
            (&board["large"][1], &board["large"][2]),
            (&width.into(), &height.into())
        );
        let pictures = [
            Some(&board["large"][0]),
            board.get("thumbnail"),
            board.pointer("/cells/0"),
        ];
        for picture in pictures.into_iter().flatten() {
            assert!(look.join(picture.as_str().unwrap()).is_file(), "{picture}");
        }
    }
    let page = std::fs::read_to_string(look.join("review.html")).unwrap();
    assert!(page.contains(&format!("--run {}", run.display())));

    let photo = photos.join("0.png").display().to_string();
    let corrections = folder.path().join("corrections.csv");
    std::fs::write(
        &corrections,
        format!("photo,puzzle,givens\n{photo},1,{}\n", PUZZLES[0]),
    )
    .unwrap();
    let out = folder.path().join("out");
    let said = dataset(&["apply", "--run"], &[&run, &corrections], &out);
    assert_eq!(said.code, Some(0), "{said:?}");
    let back = CropFolder::read(&out).unwrap().crops;
    let of_run = CropFolder::read(&run.join("crops")).unwrap().crops;
    assert_eq!((back.len(), back[0].label), (81, Digit::new(5)));
    assert_eq!(back[0].crop.pixels, of_run[0].crop.pixels);
}

#[test]
fn crops_of_a_run_are_split_by_puzzle_whatever_their_photo_names() {
    let folder = tempfile::tempdir().unwrap();
    let absolute = run_of_three(folder.path());
    let relative = folder.path().join("relative");
    let mut command = program(&["recognize", "--save-crops", "photos", "-o", "relative"]);
    let said = say(command.current_dir(folder.path()));
    assert!(said.code.is_some_and(|code| code < 2), "{said:?}");
    for run in [absolute, relative] {
        let crops = run.join("crops");
        let read = CropFolder::read(&crops).unwrap().crops;
        let puzzles: std::collections::BTreeSet<_> = read.iter().map(|it| &it.puzzle).collect();
        assert_eq!(puzzles.len(), 3, "{puzzles:?}");
        assert!(puzzles.iter().all(|puzzle| puzzle.len() == 12));
        let out = folder.path().join("out");
        let said = dataset(&["stats", "--json"], &[&crops], &out);
        let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        assert!(summary["split"]["held_out"].as_u64() > Some(0), "{summary}");
        assert!(
            summary["split"]["training"].as_u64() >= Some(81),
            "{summary}"
        );
        let model = out.join("model");
        let mut train = program(&["train", "--epochs", "1", "--init", "built-in", "-o"]);
        let said = say(train.arg(&model).arg(&crops));
        assert_eq!(said.code, Some(0), "{said:?}");
        let mut recognize = program(&["recognize", "--json", "--model"]);
        let photos = folder.path().join("photos");
        let said = say(recognize
            .arg(&model)
            .arg(photos)
            .arg("-o")
            .arg(out.join("run")));
        let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        let card = json(&model.join("card.json"));
        assert_eq!(summary["config"]["model"], card["weights"]);
        let boards = results(&out.join("run"));
        let boards: Vec<&str> = boards.iter().map(|row| &row[4]).collect();
        assert_eq!(boards, PUZZLES);
        std::fs::remove_dir_all(out).unwrap();
    }
}

#[test]
fn rows_without_a_label_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&rendered(100), folder.path());
    let manifest = std::fs::read_to_string(path("manifest.csv")).unwrap();
    let more = format!("{manifest}sheet000.png,0,0,32,32,,5,,,,,,\n");
    std::fs::write(path("manifest.csv"), more).unwrap();
    let said = dataset(&["stats", "--json"], &[folder.path()], &path("out"));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stderr.contains("1 row without a label"), "{said:?}");
    let summary = json(&path("out/summary.json"));
    assert_eq!(
        (&summary["crops"], &summary["unlabeled"]),
        (&100.into(), &1.into())
    );
}

#[test]
fn a_run_that_cannot_be_reviewed_is_an_error_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let said = dataset(&["review"], &[folder.path()], &out);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("photos.jsonl"), "{said:?}");
    assert!(said.stderr.contains("hint: RUN is a folder"), "{said:?}");

    let run = run_of_three(folder.path());
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(out.join("other.csv"), "a,b\n1,2\n").unwrap();
    let said = dataset(&["apply", "--run"], &[&run, &out.join("other.csv")], &out);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("no column `photo`"), "{said:?}");
    assert!(
        said.stderr.contains("hint: FILE is a corrections.csv"),
        "{said:?}"
    );

    let lines = std::fs::read_to_string(run.join("photos.jsonl")).unwrap();
    std::fs::write(run.join("photos.jsonl"), &lines[..lines.len() - 40]).unwrap();
    let said = dataset(&["review"], &[&run], &out);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("at line 3"), "{said:?}");
}

#[test]
fn a_review_does_not_show_replaced_photos() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_of_three(folder.path());
    let look = folder.path().join("look");
    let photo = folder.path().join("photos/0.png");
    std::fs::write(&photo, board_png(PUZZLES[1])).unwrap();
    let said = dataset(&["review", "--json"], &[&run], &look);
    let summary: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let review = &summary["review"];
    assert_eq!(
        (&review["contradicted"], &review["lost"]),
        (&0.into(), &1.into()),
        "{said:?}"
    );
    let data = gallery_data(&look.join("review.html"));
    let boards = data["boards"].as_array().unwrap().iter();
    assert!(boards.clone().all(|board| board["name"] != "0.png"));
}

#[test]
fn a_harvest_lists_skipped_boards() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| photos.path().join(name);
    std::fs::write(path("good.png"), board_png(PUZZLES[0])).unwrap();
    std::fs::write(path("good.txt"), PUZZLES[0]).unwrap();
    // The ground truth of another board.
    std::fs::write(path("other.png"), board_png(PUZZLES[1])).unwrap();
    std::fs::write(path("other.txt"), PUZZLES[2]).unwrap();
    std::fs::write(path("without.png"), board_png(PUZZLES[1])).unwrap();
    let said = dataset(&["harvest"], &[photos.path()], out.path());
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("other.png"), "{said:?}");
    let saved = json(&out.path().join("config.json"));
    assert_eq!((&saved["photos"], &saved["crops"]), (&2.into(), &81.into()));
    let skipped = saved["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 1);
    assert!(skipped[0]["photo"].as_str().unwrap().ends_with("other.png"));
    assert!(skipped[0]["why"].as_str().unwrap().contains("agree"));
    assert_eq!(CropFolder::read(out.path()).unwrap().crops.len(), 81);
}

#[test]
fn unusable_fonts_are_named_and_the_rest_is_drawn() {
    let (fonts, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(fonts.path().join("text.ttf"), "no font").unwrap();
    let mut command = program(&["dataset", "synth", "crops", "-n", "40", "-v", "--fonts"]);
    let said = say(command.arg(fonts.path()).arg("-o").arg(out.path()));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.stderr.contains("text.ttf: not a readable font"),
        "{said:?}"
    );
    let saved = json(&out.path().join("config.json"));
    assert_eq!(saved["faces"].as_array().unwrap().len(), 0);
    assert!(saved["config"]["camera"]["jpeg"].is_number());
    assert_eq!(CropFolder::read(out.path()).unwrap().crops.len(), 40);
}

#[test]
fn every_effect_can_be_set_and_an_invalid_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let synth = |effects: &str, out: &str| {
        std::fs::write(path("effects.json"), effects).unwrap();
        let mut command = program(&["dataset", "synth", "crops", "-n", "60", "--config"]);
        let command = command.arg(path("effects.json")).arg("-o").arg(path(out));
        say(command.arg("--fonts").arg(path("none")))
    };
    let said = synth(r#"{"content": {"blank": 1.0}}"#, "blanks");
    assert_eq!(said.code, Some(0), "{said:?}");
    let crops = CropFolder::read(&path("blanks")).unwrap().crops;
    assert!(crops.iter().all(|crop| crop.label.is_none()));
    // The output can be read back.
    let saved = json(&path("blanks/config.json"))["config"].to_string();
    assert_eq!(synth(&saved, "again").code, Some(0));
    let hash = |name: &str| CropFolder::read(&path(name)).unwrap().hash;
    assert_eq!(hash("blanks"), hash("again"));

    let wild = r#"{"camera": {"resolutions": [0,0,0,0,0,0,0,0], "blurs": [1e9,1e9,1e9,1e9,1e9,1e9,1e9]},
        "content": {"height": {"low": -3, "high": 1e9}, "perspective": 1e6, "writers": 0},
        "tone": {"contrast": {"low": 0, "high": 0}, "halftone": 1, "halftone_pitch": {"low": 0, "high": 0}},
        "lines": {"margin": 1e9, "dashed": 1, "dash": {"low": -9, "high": 0}},
        "marks": {"show_through": 1, "show_through_blur": {"low": 1, "high": 1e39}},
        "light": {"glare": 1, "glare_width": {"low": 0, "high": -1}}}"#;
    assert_eq!(synth(wild, "wild").code, Some(0));
    for (effects, expected) in [
        (r#"{"content": {"blank": 1.5}}"#, "1.5 is no probability"),
        (r#"{"content": {"blanks": 1}}"#, "unknown field `blanks`"),
        ("{", "EOF"),
    ] {
        let said = synth(effects, "bad");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("effects.json: "), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
    }
}

#[test]
fn effects_of_photos_can_be_set_and_invalid_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let synth = |effects: &str, out: &str| {
        std::fs::write(path("effects.json"), effects).unwrap();
        let mut command = program(&["dataset", "synth", "photos", "-n", "2"]);
        let command = command.args(["--looks", "small,poor", "--config"]);
        let command = command.arg(path("effects.json")).arg("-o").arg(path(out));
        say(command.arg("--fonts").arg(path("none")))
    };
    let tiny = r#"{"sensor": {"size": [128, 96], "smaller": 0, "poor_size": [64, 64]}}"#;
    let said = synth(tiny, "tiny");
    assert_eq!(said.code, Some(0), "{said:?}");
    let photo = |out: &str, name: &str| image::open(path(out).join(name)).unwrap();
    let small = photo("tiny", "000-small.jpg");
    assert_eq!(small.width().max(small.height()), 128);
    let poor = photo("tiny", "001-poor.jpg");
    assert_eq!((poor.width(), poor.height()), (64, 64));
    // The output can be read back.
    let saved = json(&path("tiny/config.json"));
    assert_eq!(saved["looks"], serde_json::json!(["small", "poor"]));
    let again = synth(&saved["config"].to_string(), "again");
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(photo("again", "000-small.jpg"), small);
    let turned = tiny.replace(
        "{\"sensor\"",
        "{\"view\": {\"small_turn\": {\"low\": 1, \"high\": 1}}, \"sensor\"",
    );
    assert_eq!(synth(&turned, "turned").code, Some(0));
    assert_ne!(photo("turned", "000-small.jpg"), small);

    for (effects, expected) in [
        (r#"{"lighting": {"shadow": 1.5}}"#, "1.5 is no probability"),
        (r#"{"lighting": {"shadows": 1}}"#, "unknown field `shadows`"),
        (
            r#"{"sensor": {"blur": {"low": 2, "high": 1}}}"#,
            "`sensor.blur` is not a range within 0 to 10",
        ),
        (
            r#"{"sensor": {"size": [90000, 9]}}"#,
            "`sensor.size` is not",
        ),
    ] {
        let said = synth(effects, "bad");
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("effects.json: "), "{said:?}");
        assert!(said.stderr.contains(expected), "{said:?}");
        assert!(!path("bad").exists());
    }
}

#[test]
fn source_names_are_escaped_in_tables_and_limited_in_length() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut crops = rendered(60);
    crops
        .iter_mut()
        .for_each(|crop| crop.source = "=cmd()".to_owned());
    write(&crops, folder.path());
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(0), "{said:?}");
    let table = std::fs::read_to_string(out.path().join("stats.csv")).unwrap();
    assert!(
        table.contains(",'=cmd()") && !table.contains(",=cmd()"),
        "{table}"
    );
    let manifest = folder.path().join("manifest.csv");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replacen("=cmd()", &"x".repeat(65_536), 1)).unwrap();
    let said = dataset(&["stats"], &[folder.path()], out.path());
    assert_eq!(said.code, Some(2), "{said:?}");
    let why = "manifest.csv:2: `source` is longer than 4096 bytes";
    assert!(said.stderr.contains(why), "{said:?}");
}

#[test]
fn a_small_file_that_decompresses_to_an_enormous_sheet_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = GrayImage::new(12_000, 12_000);
    sheet.save(folder.path().join("sheet.png")).unwrap();
    let row = "file,x,y,width,height,label\nsheet.png,0,0,32,32,1\n";
    std::fs::write(folder.path().join("manifest.csv"), row).unwrap();
    let said = dataset(&["stats"], &[folder.path()], &folder.path().join("out"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.stderr.contains("sheet `sheet.png` cannot be read"),
        "{said:?}"
    );
}

#[test]
fn a_board_of_one_digit_is_not_a_correction() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_of_three(folder.path());
    let rows = results(&run);
    let corrections = folder.path().join("corrections.csv");
    let row = |givens: &str| format!("photo,puzzle,givens\n\"{}\",1,{givens}\n", &rows[0][0]);
    let apply = |givens: &str, out: &str| {
        std::fs::write(&corrections, row(givens)).unwrap();
        let mut command = program(&["dataset", "apply", "--run"]);
        command.arg(&run).arg(&corrections);
        say(command.arg("-o").arg(folder.path().join(out)))
    };
    let said = apply(&"1".repeat(81), "ones");
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("81 digits stand twice"), "{said:?}");
    // A misprint is the content of the paper.
    let misprint = PUZZLES[0].replacen('.', "5", 1);
    assert_eq!(apply(&misprint, "misprint").code, Some(0));
    assert_eq!(apply(&rows[0][4], "right").code, Some(0));
}
