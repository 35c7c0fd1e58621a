//! Pages as photos of a run: rows, truth, corrections, shards.

use std::fs;
use std::path::Path;

use image::ImageFormat;
use sudoku_batch::training::CropFolder;

use super::common::documents::{jpeg, pdf, pdf_with, tiff};
use super::common::{PUZZLES, Said, board, encoded, results};
use super::{paper, rows, run};

/// A folder with a book of five pages: two boards, no board, a damaged page, another board; and a scan of two.
fn library() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let photos = folder.path().join("photos");
    fs::create_dir(&photos).unwrap();
    let [a, b, c] = PUZZLES.map(board);
    let damaged = b"this is no JPEG file".to_vec();
    let pages = [a.clone(), b.clone(), paper()].map(jpeg).into_iter();
    let pages: Vec<Vec<u8>> = pages.chain([damaged, jpeg(c.clone())]).collect();
    fs::write(photos.join("book.pdf"), pdf(&pages)).unwrap();
    fs::write(photos.join("book#2.txt"), PUZZLES[1]).unwrap();
    fs::write(photos.join("book#3.txt"), "none").unwrap();
    fs::write(photos.join("scan.tif"), tiff(&[b, c.clone()], false)).unwrap();
    // A photo and its thumbnail.
    fs::write(photos.join("single.tiff"), tiff(&[a, paper()], true)).unwrap();
    fs::write(photos.join("zzz.png"), encoded(c, ImageFormat::Png)).unwrap();
    folder
}

fn expected() -> Vec<(String, String, String)> {
    let row = |photo: &str, status: &str, board: &str| {
        (photo.to_owned(), status.to_owned(), board.to_owned())
    };
    vec![
        row("book.pdf#1", "solved", PUZZLES[0]),
        row("book.pdf#2", "solved", PUZZLES[1]),
        row("book.pdf#3", "no-grid", ""),
        row("book.pdf#4", "unreadable", ""),
        row("book.pdf#5", "solved", PUZZLES[2]),
        row("scan.tif#1", "solved", PUZZLES[1]),
        row("scan.tif#2", "solved", PUZZLES[2]),
        row("single.tiff", "solved", PUZZLES[0]),
        row("zzz.png", "solved", PUZZLES[2]),
    ]
}

fn json(said: &Said) -> serde_json::Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
}

#[test]
fn each_page_is_a_photo_with_truth_pictures_and_reuse_in_the_next_run() {
    let folder = library();
    let folder = folder.path();
    let recognize = ["recognize", "photos", "--out", "out", "--overlay", "--json"];
    let summary = json(&run(folder, &recognize));
    assert_eq!(rows(&folder.join("out")), expected());
    assert_eq!(summary["photos"], 9);
    // Two pages have sidecars.
    assert_eq!(summary["accuracy"]["decoded_exact"], 1);
    assert_eq!(summary["accuracy"]["refused"], 1);
    let why = &results(&folder.join("out"))[3][12];
    assert!(why.contains("picture on it cannot be decoded"), "{why}");
    for overlay in [
        "book~001", "book~002", "book~005", "scan~002", "single", "zzz",
    ] {
        let overlay = folder.join(format!("out/overlays/{overlay}.jpg"));
        let (width, height) = image::image_dimensions(&overlay).unwrap();
        assert!(width.max(height) <= 1600, "{overlay:?}");
    }

    let again = json(&run(folder, &recognize));
    assert_eq!(rows(&folder.join("out")), expected());
    assert_eq!(again["resumed"], 9);
    // Only a different book of the same name is read again.
    let pages = [board(PUZZLES[2]), board(PUZZLES[0])].map(jpeg);
    fs::write(folder.join("photos/book.pdf"), pdf(&pages)).unwrap();
    let third = json(&run(folder, &recognize));
    let book: Vec<_> = rows(&folder.join("out")).into_iter().take(2).collect();
    assert_eq!([&book[0].2, &book[1].2], [PUZZLES[2], PUZZLES[0]]);
    assert_eq!(
        (&third["photos"], &third["resumed"]),
        (&6.into(), &4.into())
    );
}

#[test]
fn a_page_that_needs_review_has_a_large_picture() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pages = [board(PUZZLES[0]), paper()].map(jpeg);
    fs::write(folder.join("book.pdf"), pdf(&pages)).unwrap();
    let said = run(folder, &["recognize", "book.pdf", "--out", "out"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let lines = fs::read_to_string(folder.join("out/photos.jsonl")).unwrap();
    let large = |line: &str| {
        let photo: serde_json::Value = serde_json::from_str(line).unwrap();
        photo["large"]["file"].as_str().map(str::to_owned)
    };
    let large: Vec<Option<String>> = lines.lines().map(large).collect();
    let [None, Some(file)] = &large[..] else {
        panic!("{large:?}");
    };
    let (width, height) = image::image_dimensions(folder.join("out").join(file)).unwrap();
    assert_eq!(width.max(height), 1280);
}

#[test]
fn ground_truth_of_pages_can_be_a_table() {
    let folder = library();
    let folder = folder.path();
    let table = format!(
        "photo,givens\nbook.pdf#1,{}\nphotos/scan.tif#2,{}\nbook.pdf#9,{0}\n",
        PUZZLES[0], PUZZLES[2]
    );
    fs::write(folder.join("truth.csv"), table).unwrap();
    let recognize = [
        "recognize",
        "photos",
        "--out",
        "out",
        "--truth",
        "truth.csv",
        "--json",
    ];
    let said = run(folder, &recognize);
    assert_eq!(json(&said)["accuracy"]["decoded_exact"], 2);
    assert!(said.stderr.contains("book.pdf#9"), "{}", said.stderr);
}

#[test]
fn corrections_of_pages_become_ground_truth_and_crops() {
    let folder = library();
    let folder = folder.path();
    run(folder, &["recognize", "photos", "--out", "out"]);
    let changed = |line: &str| format!("7{}", &line[1..]);
    let table = format!(
        "photo,puzzle,givens\nphotos/book.pdf#5,1,{}\nphotos/scan.tif#1,1,{}\nphotos/book.pdf#9,1,{0}\n",
        changed(PUZZLES[2]),
        changed(PUZZLES[1])
    );
    fs::write(folder.join("corrections.csv"), table).unwrap();
    let apply = [
        "dataset",
        "apply",
        "corrections.csv",
        "--run",
        "out",
        "--out",
        "crops",
        "--json",
    ];
    let said = run(folder, &apply);
    let applied = json(&said);
    assert_eq!(
        (&applied["boards"], &applied["wrong"]),
        (&2.into(), &1.into()),
        "{said:?}"
    );
    assert_eq!(applied["crops"], 162);
    let truth = fs::read_to_string(folder.join("crops/truth.csv")).unwrap();
    assert!(truth.contains("photos/book.pdf#5,7") && truth.contains("photos/scan.tif#1,7"));
    // A replaced book is detected.
    fs::write(folder.join("photos/book.pdf"), pdf(&[jpeg(paper())])).unwrap();
    let said = run(folder, &apply);
    assert!(said.stderr.contains("was exchanged"), "{said:?}");
}

#[test]
fn an_unopenable_document_is_a_row_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let photos = folder.join("photos");
    fs::create_dir(&photos).unwrap();
    let page = jpeg(board(PUZZLES[0]));
    let keys = format!("<{}>", "41".repeat(32));
    let lock = format!(
        "/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -44/O{keys}/U{keys}>>/ID[<4142><4142>]"
    );
    fs::write(
        photos.join("locked.pdf"),
        pdf_with(std::slice::from_ref(&page), &lock),
    )
    .unwrap();
    fs::write(photos.join("empty.pdf"), b"%PDF-1.4\n").unwrap();
    fs::write(photos.join("none.pdf"), b"").unwrap();
    fs::write(photos.join("named.jpg"), pdf(std::slice::from_ref(&page))).unwrap();
    // Without an extension, as a download may be.
    fs::write(photos.join("book"), pdf(&[page])).unwrap();
    let said = run(folder, &["recognize", "photos", "--out", "out"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    let rows = results(&folder.join("out"));
    let message = |name: &str| {
        let mut found = rows.iter().filter(|row| row[0] == format!("photos/{name}"));
        let row = found.next().unwrap_or_else(|| panic!("{name}: {rows:?}"));
        assert!(found.next().is_none());
        (row[2].to_owned(), row[12].to_owned())
    };
    let (status, why) = message("locked.pdf");
    assert!(
        status == "unreadable" && why.contains("encrypted; decrypt it: `qpdf"),
        "{why}"
    );
    let (status, why) = message("empty.pdf");
    assert!(
        status == "unreadable" && why.contains("damaged PDF"),
        "{why}"
    );
    assert_eq!(message("none.pdf").1, "the file is empty");
    assert!(message("named.jpg").1.contains("its name ends with .pdf"));
    assert_eq!(message("book#1").0, "solved");
    assert_eq!(rows.len(), 5);
}

/// The rows of `results.parquet` in the form of `results.csv`.
fn parquet_rows(path: &Path) -> Vec<Vec<String>> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let file = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let cell = |(name, field): (&String, &Field)| match (&**name, field) {
        (_, Field::Null) => String::new(),
        (_, Field::Str(text)) => text.clone(),
        ("puzzle" | "overruled", Field::UInt(value)) => value.to_string(),
        ("rotation", Field::UShort(value)) => value.to_string(),
        ("confidence", Field::Float(value)) => format!("{value:.4}"),
        ("margin", Field::Float(value)) => format!("{value:.3}"),
        (name, Field::Float(value)) if name.ends_with("_ms") => format!("{value:.2}"),
        ("corners", Field::ListInternal(list)) => {
            let number = |field: &Field| match field {
                Field::Float(value) => format!("{value:.1}"),
                other => panic!("{other:?}"),
            };
            assert_eq!(list.elements().len(), 8);
            let numbers: Vec<String> = list.elements().iter().map(number).collect();
            numbers.join(" ")
        }
        other => panic!("{other:?}"),
    };
    let rows = file.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().get_column_iter().map(cell).collect())
        .collect()
}

fn csv_rows(folder: &Path) -> Vec<Vec<String>> {
    let fields = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    results(folder).into_iter().map(fields).collect()
}

#[test]
fn a_parquet_file_matches_the_csv_file_also_after_a_merge() {
    let folder = library();
    let folder = folder.path();
    fs::write(folder.join("photos/=1+1.jpg"), b"no picture").unwrap();
    let tables = ["--format", "csv,parquet"];
    run(
        folder,
        &[&["recognize", "photos", "--out", "one"], &tables[..]].concat(),
    );
    let one = folder.join("one");
    let rows = parquet_rows(&one.join("results.parquet"));
    assert_eq!(rows.len(), 10);
    let mut table = csv_rows(&one);
    // An apostrophe prevents a spreadsheet from treating text as a formula.
    let formulas = table.iter_mut().filter(|row| row[0].starts_with('\''));
    formulas.for_each(|row| row[0] = row[0].trim_start_matches('\'').to_owned());
    assert_eq!(rows, table);

    let plan = [
        "plan",
        "recognize",
        "photos",
        "--shards",
        "3",
        "--out",
        "plan.json",
    ];
    assert_eq!(run(folder, &plan).code, Some(0));
    for shard in ["2/3", "0/3", "1/3"] {
        let shard = [
            "recognize",
            "--plan",
            "plan.json",
            "--shard",
            shard,
            "--out",
            "parts",
        ];
        let said = run(folder, &[&shard[..], &tables].concat());
        assert!(matches!(said.code, Some(0 | 1)), "{said:?}");
    }
    let merge = ["merge", "parts", "--plan", "plan.json", "--out", "merged"];
    assert_eq!(run(folder, &merge).code, Some(1));
    let untimed = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
        rows.into_iter().map(|row| row[..13].to_vec()).collect()
    };
    let merged = folder.join("merged");
    assert_eq!(untimed(csv_rows(&merged)), untimed(csv_rows(&one)));
    let merged_rows = parquet_rows(&merged.join("results.parquet"));
    assert_eq!(untimed(merged_rows), untimed(rows));

    // A run without one removes that of an earlier run.
    run(folder, &["recognize", "photos", "--out", "one"]);
    assert!(!one.join("results.parquet").exists() && one.join("results.csv").exists());
    run(
        folder,
        &["recognize", "photos", "--out", "one", "--format", "parquet"],
    );
    assert!(one.join("results.parquet").exists() && !one.join("results.csv").exists());
    assert_eq!(parquet_rows(&one.join("results.parquet")).len(), 10);
}

#[test]
fn a_book_changed_since_the_plan_is_reported() {
    let folder = library();
    let folder = folder.path();
    let plan = [
        "plan",
        "recognize",
        "photos",
        "--shards",
        "1",
        "--out",
        "plan.json",
    ];
    assert_eq!(run(folder, &plan).code, Some(0));
    fs::write(
        folder.join("photos/scan.tif"),
        tiff(&[paper(), paper(), paper()], false),
    )
    .unwrap();
    let shard = [
        "recognize",
        "--plan",
        "plan.json",
        "--shard",
        "0/1",
        "--out",
        "parts",
    ];
    let said = run(folder, &shard);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("scan.tif"), "{}", said.stderr);
    assert!(
        said.stderr.contains("has changed since the plan"),
        "{}",
        said.stderr
    );
}

#[test]
fn pages_with_truth_are_harvested_and_failures_named() {
    let folder = library();
    let folder = folder.path();
    let truth = |name: &str, board: &str| fs::write(folder.join("photos").join(name), board);
    // Sidecars of page 2 of the book, and of page 3, which has no board.
    truth("book#4.txt", PUZZLES[1]).unwrap();
    truth("book#5.txt", PUZZLES[2]).unwrap();
    truth("book#9.txt", PUZZLES[2]).unwrap();
    truth("scan#1.txt", PUZZLES[1]).unwrap();
    truth("zzz.txt", PUZZLES[2]).unwrap();
    let harvest = ["dataset", "harvest", "photos", "--out", "crops", "--json"];
    let said = run(folder, &harvest);
    assert_eq!(said.code, Some(1), "{said:?}");
    let summary = json(&said);
    assert_eq!(
        (&summary["photos"], &summary["boards"]),
        (&7.into(), &4.into())
    );
    let skipped = summary["skipped"].as_array().unwrap();
    let skipped: Vec<_> = skipped
        .iter()
        .map(|it| (it["photo"].as_str().unwrap(), it["why"].as_str().unwrap()))
        .collect();
    let [(damaged, why), (missing, none)] = skipped[..] else {
        panic!("{skipped:?}");
    };
    assert_eq!(
        (damaged, missing),
        ("photos/book.pdf#4", "photos/book.pdf#9")
    );
    assert!(why.contains("cannot be decoded"), "{why}");
    assert_eq!(none, "there is no page 9 of 5");
    let crops = CropFolder::read(&folder.join("crops")).unwrap().crops;
    let labels = |board: usize| -> String {
        let crops = &crops[81 * board..][..81];
        let label = |crop: &sudoku_batch::digits::LabeledCrop| {
            crop.label.map_or('.', |digit| digit.to_ascii() as char)
        };
        crops.iter().map(label).collect()
    };
    assert_eq!(crops.len(), 4 * 81);
    assert_eq!(
        [0, 1, 2, 3].map(labels),
        [1, 2, 1, 2].map(|it| PUZZLES[it].to_owned())
    );
    // A single page, selected by its file.
    let alone = [
        "dataset",
        "harvest",
        "photos/scan.tif",
        "--out",
        "scan",
        "--json",
    ];
    assert_eq!(json(&run(folder, &alone))["boards"], 1);
}
