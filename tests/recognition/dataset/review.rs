//! `dataset review`, `apply` and `harvest`.

use std::path::Path;

use image::GrayImage;
use sudoku_batch::grid::Digit;
use sudoku_batch::training::CropFolder;

use super::common::{PUZZLES, board_png, program, results, say};
use super::{dataset, json};

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
