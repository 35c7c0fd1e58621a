//! The page of `recognize` as a gallery; `correcting.rs` tests the boards that open in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::key::Key;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use serde_json::json;

use super::browser::Browser;
use super::program::fed;
use super::sound::{check_log, sound};

/// Photos with names that would be harmful as markup, in a link, in a table or in a line, and the photo
/// of `datasets/photos` that each is. The first one is a file in a folder, since a slash is in its name.
pub const MARKUP: &str = "<script>alert(1)</script>.jpg";
pub const QUOTES: &str = "\"quoted\" & 'single', too.jpg";
pub const LINES: &str = "two\nlines.jpg";
const LINK: &str = "a %20 #?.jpg";
/// A poor copy of a photo with a fold, near which some cells are doubtful.
pub const FOLDED: &str = "folded.jpg";
const HOSTILE: [(&str, &str); 4] = [
    (MARKUP, "000-newspaper"),
    (QUOTES, "008-light-screen"),
    (LINES, "001-book"),
    (LINK, "002-dark-screen"),
];
/// Boards that the page shows at first.
const AT_FIRST: usize = 48;
/// Photos in all.
const PHOTOS: usize = 60;

/// Recognizes photos, two of them with a different ground truth; returns the page.
pub fn page(folder: &Path) -> PathBuf {
    let [photos, out] = ["photos", "run"].map(|name| folder.join(name));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    let copy = |name: &str, of: &str| {
        let file = photos.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::copy(source.join(of).with_extension("jpg"), &file).unwrap();
        file
    };
    for (name, of) in HOSTILE {
        let file = copy(name, of);
        let truth = fs::read_to_string(source.join(of).with_extension("txt")).unwrap();
        if [MARKUP, LINK].contains(&name) {
            // All digits incremented, so the reading cannot match.
            let other = truth.chars().map(|c| match c.to_digit(10) {
                Some(digit) => char::from_digit(digit % 9 + 1, 10).unwrap(),
                None => c,
            });
            fs::write(file.with_extension("txt"), other.collect::<String>()).unwrap();
        }
    }
    copy("boards.jpg", "007-two-boards");
    copy("crossword.jpg", "014-crossword");
    poor_copy(&source.join("013-folded.jpg"), &photos.join(FOLDED));
    fs::write(photos.join("text.jpg"), "this is no photo").unwrap();
    for number in HOSTILE.len() + 4..PHOTOS {
        copy(&format!("many {number}.jpg"), "012-poor");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(["recognize", "--overlay", "--save-crops", "-o"]);
    let output = fed(command.arg(&out).arg(&photos), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    out.join("report.html")
}

/// Writes a photo so coarse and compressed that its board is found, and read with many doubts.
pub fn poor_copy(photo: &Path, copy: &Path) {
    let photo = image::open(photo).unwrap();
    let (width, height) = (photo.width(), photo.height());
    let coarse = photo.resize(220, 220 * height / width, FilterType::Triangle);
    let encoder = JpegEncoder::new_with_quality(fs::File::create(copy).unwrap(), 6);
    let large = coarse.resize(width, height, FilterType::Triangle);
    large.write_with_encoder(encoder).unwrap();
}

pub fn is_sound(browser: &Browser, page: &Path) {
    sound(browser, page, 3);
}

pub fn names_are_escaped(browser: &Browser, page: &Path) {
    open_all(browser, page);
    let names = names(browser);
    for (name, _) in HOSTILE {
        assert!(
            names.iter().any(|shown| shown == name),
            "{name:?} is not in {names:?}"
        );
        open_board(browser, name);
        browser.click("#close");
    }
    check_log(browser, page);
}

pub fn photos_are_filtered_by_status(browser: &Browser, page: &Path) {
    browser.open(page);
    let mut options: Vec<String> =
        browser.value("[...document.querySelectorAll('#show option')].map((it) => it.value)");
    options.retain(|name| name != "all" && name != "corrected");
    for wanted in ["doubtful", "wrong", "solved", "no-grid", "unreadable"] {
        assert!(
            options.iter().any(|name| name == wanted),
            "{wanted}: {options:?}"
        );
    }
    for name in options {
        browser.choose("#show", &name);
        let option = browser.text(&format!("#show option[value='{name}']"));
        let promised: usize = option.rsplit(['(', ')']).nth(1).unwrap().parse().unwrap();
        let shown = browser.text("#count");
        assert!(
            shown.starts_with(&format!("{promised} of ")),
            "{option}: {shown}"
        );
        let statuses = browser.texts(".card .status");
        let range = promised.min(AT_FIRST)..=promised;
        assert!(
            range.contains(&statuses.len()),
            "{option}: {} cards",
            statuses.len()
        );
        let is_mixed = ["doubtful", "wrong"].contains(&&*name);
        let is_right = is_mixed || statuses.iter().all(|status| *status == name);
        assert!(is_right, "{name}: {statuses:?}");
    }
    browser.choose("#show", "wrong");
    let wrong = names(browser);
    for name in [MARKUP, LINK] {
        assert!(
            wrong.iter().any(|shown| shown == name),
            "{name:?} is not in {wrong:?}"
        );
    }
    browser.choose("#show", "corrected");
    assert_eq!(names(browser), [""; 0]);
}

pub fn photos_are_sorted_by_confidence(browser: &Browser, page: &Path) {
    browser.open(page);
    for (order, direction) in [("lowest", 1.0), ("highest", -1.0)] {
        browser.choose("#sort", order);
        // Photos without a board have none and sort first.
        let confidences: Vec<f64> = browser.value(
            "[...document.querySelectorAll('.card .facts')].map((facts) => parseFloat(facts.children[1]?.textContent ?? '-1'))",
        );
        assert!(confidences.iter().any(|it| *it > 0.0) && confidences.len() > 10);
        assert!(
            confidences.is_sorted_by_key(|it| direction * it),
            "{order}: {confidences:?}"
        );
    }
}

pub fn photos_are_found_by_name(browser: &Browser, page: &Path) {
    browser.open(page);
    browser.click("#find");
    browser.press("SCRIPT>A");
    assert_eq!(names(browser), [MARKUP]);
    assert!(browser.text("#count").starts_with("1 of "));
    browser.press(Key::Backspace.to_string().repeat(8));
    assert!(names(browser).len() >= AT_FIRST);
}

/// With a button, and without it by scrolling.
pub fn more_photos_are_shown_on_demand(browser: &Browser, page: &Path) {
    browser.open(page);
    let shown = browser.text("#count");
    let total: usize = shown.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(total >= PHOTOS, "{shown}");
    assert_eq!(names(browser).len(), AT_FIRST);
    let shown = format!("document.querySelectorAll('.card').length === {total}");
    browser.run("document.querySelector('#more').focus({ preventScroll: true })");
    browser.press(Key::Enter);
    browser.until(&shown);
    browser.until("document.querySelector('#more').hidden");

    browser.open(page);
    browser.run("scrollTo(0, document.body.scrollHeight)");
    browser.until(&shown);
}

/// Opens the page and shows all of its photos.
pub fn open_all(browser: &Browser, page: &Path) {
    browser.open(page);
    browser.run("document.querySelector('#more').click()");
    browser.until("document.querySelector('#more').hidden");
}

/// The visible names on the cards.
pub fn names(browser: &Browser) -> Vec<String> {
    browser.texts(".card .name")
}

/// Opens the board with this name, by a click on its card.
pub fn open_board(browser: &Browser, name: &str) {
    browser.run(&format!(
        "[...document.querySelectorAll('.card')].forEach((card) => {{
           card.id = card.querySelector('.name').textContent === {} ? 'wanted' : '';
         }})",
        json!(name)
    ));
    browser.click("#wanted");
    browser.until("document.querySelector('#board').open");
    assert_eq!(browser.text("#board-title"), name);
}
