//! The page as a tool for labeling photos: corrections are stored, loaded and undone, keys step through doubtful
//! cells, and boards that were not found can be outlined.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::key::Key;
use serde_json::{Value, json};

use super::browser::Browser;
use super::correcting::{board, cell, corrections, downloaded};
use super::program::fed;
use super::recognize::{FOLDED, QUOTES, names, open_all, open_board, poor_copy};
use super::sound::{check_log, problems, sound};

/// The photo whose board the run pretends not to have found, and the photo that it is a copy of.
const HIDDEN: (&str, &str) = ("hidden <b>board.jpg", "001-book");
const CROSSWORD: &str = "crossword.jpg";
const DAMAGED: &str = "damaged.jpg";

/// A run of `recognize` without overlays, and the `dataset review` of it.
pub struct Pages {
    run: PathBuf,
    report: PathBuf,
    review: PathBuf,
    /// Of the hidden board: its digits, and its corners in pixels of the photo.
    digits: String,
    corners: [(f64, f64); 4],
}

impl Pages {
    pub fn make(folder: &Path) -> Pages {
        let [photos, run, look] =
            ["label/photos", "label/run", "label/look"].map(|it| folder.join(it));
        fs::create_dir_all(&photos).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
        for (name, of) in [
            HIDDEN,
            (QUOTES, "009-colored"),
            (CROSSWORD, "014-crossword"),
        ] {
            let file = source.join(of).with_extension("jpg");
            fs::copy(file, photos.join(name)).unwrap();
        }
        poor_copy(&source.join("013-folded.jpg"), &photos.join(FOLDED));
        fs::write(photos.join(DAMAGED), "this is no photo").unwrap();
        let digits = fs::read_to_string(source.join(HIDDEN.1).with_extension("txt")).unwrap();
        program(&["recognize", "-o"], &[&run, &photos], 1);
        let corners = forget_board(&run.join("photos.jsonl"));
        program(&["report"], &[&run], 0);
        program(&["dataset", "review", "-o"], &[&look, &run], 0);
        Pages {
            report: run.join("report.html"),
            review: look.join("review.html"),
            run,
            digits: digits.trim().to_owned(),
            corners,
        }
    }
}

fn program(arguments: &[&str], paths: &[&Path], code: i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let output = fed(command.args(arguments).args(paths), b"");
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

/// Removes the hidden board from the saved run; returns its corners.
fn forget_board(path: &Path) -> [(f64, f64); 4] {
    let text = fs::read_to_string(path).unwrap();
    let mut photos: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let hidden = photos
        .iter_mut()
        .find(|photo| photo["photo"].as_str().unwrap().ends_with(HIDDEN.0));
    let record = &mut hidden.unwrap()["records"][0];
    let corners = record["reading"]["corners"].take();
    record["puzzle"] = 0.into();
    record["status"] = "no-grid".into();
    record["error"] = "no board found".into();
    record["reading"] = Value::Null;
    let lines: Vec<String> = photos.iter().map(|photo| format!("{photo}\n")).collect();
    fs::write(path, lines.concat()).unwrap();
    [0, 1, 2, 3].map(|at| {
        let number = |axis: &str| corners[at][axis].as_f64().unwrap();
        (number("x"), number("y"))
    })
}

/// The number of the focused cell.
fn focused(browser: &Browser) -> i32 {
    browser.value("[...document.querySelectorAll('#grid td')].indexOf(document.activeElement)")
}

fn title(browser: &Browser) -> String {
    browser.text("#board-title")
}

fn message(browser: &Browser) -> String {
    browser.text("#message")
}

/// The notes about corrections on the cards of this page.
fn marks(browser: &Browser) -> Vec<String> {
    browser.texts(".card .corrected")
}

/// Puts this text into the clipboard and pastes it into the focused element.
fn paste(browser: &Browser, text: &str) {
    browser.run(&format!(
        "const held = new DataTransfer();
         held.setData('text/plain', {});
         document.activeElement.dispatchEvent(
           new ClipboardEvent('paste', {{ clipboardData: held, bubbles: true, cancelable: true }}));",
        json!(text)
    ));
}

pub fn are_sound(browser: &Browser, pages: &Pages) {
    sound(browser, &pages.review, 3);
    sound(browser, &pages.report, 3);
}

pub fn corrections_are_stored_until_reset(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.report);
    open_board(browser, FOLDED);
    let before = board(browser);
    let blank = before.find('.').unwrap();
    browser.click(&cell(blank));
    browser.press("7");
    let corrected = board(browser);
    assert_ne!(corrected, before);
    open_kept(browser, pages, &corrected);

    // Another page of the same photos has its own.
    browser.open_again(&pages.review);
    assert_eq!(marks(browser), [""; 0]);
    browser.open_again(&pages.report);
    assert_eq!(marks(browser), ["corrected"]);

    browser.click("#start-over");
    browser.click("#question-no");
    assert_eq!(marks(browser), ["corrected"]);
    browser.click("#start-over");
    assert!(browser.text("#question-text").contains("1 board"));
    browser.click("#question-yes");
    assert_eq!(marks(browser), [""; 0]);
    browser.press_with_control('z');
    assert_eq!(marks(browser), ["corrected"]);
    browser.click("#start-over");
    browser.click("#question-yes");
    browser.reload();
    assert_eq!(marks(browser), [""; 0]);
}

/// Reloads the page, in which only the folded board is corrected.
fn open_kept(browser: &Browser, pages: &Pages, corrected: &str) {
    browser.reload();
    assert_eq!(marks(browser), ["corrected"]);
    assert_eq!(browser.text("#changed"), "1 board: 1 corrected");
    open_board(browser, FOLDED);
    assert_eq!(board(browser), corrected);
    browser.click("#close");
    assert!(pages.report.is_file());
}

pub fn corrections_are_loaded_from_a_file(browser: &Browser, pages: &Pages) {
    let photos = pages.run.with_file_name("photos");
    let photo = |name: &str| photos.join(name).display().to_string();
    let quoted = format!("\"{}\"", photo(QUOTES).replace('"', "\"\""));
    let rows = [
        format!("{},1,{}", photo(FOLDED), pages.digits),
        format!("{},1,{}", photo(FOLDED), &pages.digits[1..]),
        format!("{quoted},1,{}", pages.digits.replace('.', "0")),
        format!("{},1,{}", photo("unknown.jpg"), pages.digits),
        format!("{quoted},2,{}", pages.digits),
        format!("{},0,none", photo(CROSSWORD)),
        format!("{},1,{},1 2 3", photo(CROSSWORD), pages.digits),
        format!("{},1,x{}", photo(FOLDED), &pages.digits[1..]),
    ];
    let file = pages.run.with_file_name("earlier.csv");
    let table = format!("photo,puzzle,givens,corners\r\n{}\r\n", rows.join("\r\n"));
    fs::write(&file, &table).unwrap();
    open_all(browser, &pages.report);
    browser.choose_file("#load", &file);
    browser.until("document.querySelector('#loaded').textContent");
    let loaded = browser.text("#loaded > p");
    assert_eq!(
        loaded,
        "3 boards loaded from earlier.csv, 5 lines left out:"
    );
    let wrong = browser.texts("#loaded li");
    for (line, why) in [
        ("line 3: ", "80 cells, and a board has 81"),
        ("line 5: ", "no board 1 of a photo"),
        ("line 6: ", "no board 2 of a photo"),
        ("line 8: ", "not eight numbers"),
        ("line 9: ", "“x” is neither a digit nor a blank"),
    ] {
        let shown = wrong.iter().find(|shown| shown.starts_with(line));
        assert!(
            shown.is_some_and(|it| it.contains(why)),
            "{line}{why}: {wrong:?}"
        );
    }
    let shown = browser.text("#changed");
    assert_eq!(shown, "3 boards: 2 corrected, 1 confirmed");
    open_board(browser, QUOTES);
    assert_eq!(board(browser), pages.digits);
    browser.click("#close");
    // One step for undo; then the same file is dropped onto the page.
    browser.press_with_control('z');
    assert_eq!(marks(browser), [""; 0]);
    browser.run(&format!(
        "const held = new DataTransfer();
         held.items.add(new File([{}], 'dropped.csv', {{ type: 'text/csv' }}));
         document.body.dispatchEvent(
           new DragEvent('drop', {{ dataTransfer: held, bubbles: true, cancelable: true }}));",
        json!(table)
    ));
    browser.until("document.querySelector('#loaded').textContent.includes('dropped.csv')");
    assert_eq!(marks(browser).len(), 3);
    // A file with other content.
    fs::write(&file, "a,b\n1,2\n").unwrap();
    browser.choose_file("#load", &file);
    browser.until("document.querySelector('#loaded').textContent.includes('earlier.csv')");
    let wrong = browser.texts("#loaded li");
    assert!(wrong[0].contains("photo,puzzle,givens"), "{wrong:?}");
    check_log(browser, &pages.report);
}

pub fn keys_step_through_doubtful_cells(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.report);
    browser.choose("#show", "doubtful");
    // Without the damaged one, which has no picture.
    let doubtful: Vec<String> = names(browser);
    assert_eq!(doubtful.len(), 4, "{doubtful:?}");
    open_board(browser, FOLDED);
    assert!(browser.text("#keys-help").contains("next doubtful cell"));
    let before = board(browser);

    // From doubtful cell to doubtful cell, and around.
    let places: Vec<i32> = browser.value(
        "[...document.querySelectorAll('#grid td')].flatMap((td, at) => td.matches('.doubtful') ? [at] : [])",
    );
    assert!(places.len() > 1, "{places:?}");
    browser.press(format!("{}{}", Key::Home, Key::Up));
    for _ in 0..=places.len() {
        let at = focused(browser);
        let next = places
            .iter()
            .find(|place| **place > at)
            .unwrap_or(&places[0]);
        browser.press("n");
        assert_eq!(focused(browser), *next, "after {at}");
    }

    // A digit goes on to the next cell; undo comes back to it.
    browser.click(&cell(30));
    browser.press("12");
    assert_eq!((focused(browser), &board(browser)[30..32]), (32, "12"));
    browser.press_with_control('z');
    assert_eq!((focused(browser), &board(browser)[30..31]), (31, "1"));
    browser.press_with_control('z');
    assert_eq!((focused(browser), board(browser)), (30, before));
    browser.press_with_control('z');
    assert_eq!(message(browser), "There is nothing to undo.");

    // Each confirmed board leads to the next one.
    let mut seen = vec![title(browser)];
    for _ in 1..doubtful.len() - 1 {
        browser.press("c");
        seen.push(title(browser));
    }
    browser.press("c");
    assert_eq!(message(browser), "No doubtful board is left.");
    let mut expected = doubtful.clone();
    expected.retain(|name| name != DAMAGED);
    seen.sort();
    expected.sort();
    assert_eq!(seen, expected);
    assert_eq!(browser.text("#left"), "No doubtful board is left");
    // Undoing opens the board where the change was made.
    browser.press_with_control('z');
    assert_eq!(browser.text("#left"), "1 doubtful board left");
    check_log(browser, &pages.report);
}

pub fn only_81_cells_can_be_pasted(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.report);
    open_board(browser, FOLDED);
    let before = board(browser);
    for (text, why) in [
        (&pages.digits[1..], "80 cells, and a board has 81"),
        (&*format!("{}1", pages.digits), "82 cells"),
        (
            &*format!("-{}", &pages.digits[1..]),
            "“-” is neither a digit",
        ),
        ("<b>bold</b>", "“<” is neither a digit"),
        ("", "0 cells"),
    ] {
        paste(browser, text);
        let message = message(browser);
        assert!(message.starts_with("Nothing was pasted: "), "{message}");
        assert!(message.contains(why), "{message}");
        assert_eq!(board(browser), before);
    }
    let lines: Vec<String> = (0..9)
        .map(|row| pages.digits[9 * row..9 * row + 9].replace('.', " 0 "))
        .collect();
    paste(browser, &lines.join("\r\n"));
    assert_eq!(
        (board(browser), message(browser)),
        (pages.digits.clone(), String::new())
    );
    browser.press_with_control('z');
    assert_eq!(board(browser), before);

    // As a person does it: through the clipboard from one field to another, and by typing.
    browser.click("#paste");
    browser.press("123");
    browser.press(Key::Enter);
    assert!(message(browser).contains("3 cells"), "{}", message(browser));
    browser.press_with_control('a');
    browser.press(&pages.digits);
    browser.press_with_control('a');
    browser.press_with_control('x');
    assert_eq!(
        browser.value::<String>("document.querySelector('#paste').value"),
        ""
    );
    browser.click(&cell(0));
    browser.press_with_control('v');
    assert_eq!(board(browser), pages.digits);
    check_log(browser, &pages.report);
}

pub fn doubtful_boards_have_a_large_photo_and_others_a_reason(browser: &Browser, pages: &Pages) {
    for page in [&pages.report, &pages.review] {
        open_all(browser, page);
        browser.choose("#show", "doubtful");
        for name in names(browser) {
            open_board(browser, &name);
            if name == DAMAGED {
                let shown = browser.text("#no-board-facts");
                assert!(
                    shown.contains("could not be read") && shown.contains("recognize"),
                    "{shown}"
                );
                let controls = browser.texts("#outline, #digits, #confirm, #corner-tools");
                assert_eq!(controls, [""; 0]);
            } else if name == HIDDEN.0 && page == &pages.report {
                // The run was sure of this board and made no large picture.
                let shown = browser.text("#no-board-facts");
                assert!(shown.contains("dataset review"), "{shown}");
            } else {
                browser.until("document.querySelector('#photo').complete");
                let width: u32 = browser.value("document.querySelector('#photo').naturalWidth");
                assert!(width >= 700, "{name}: {width} pixels");
                assert_eq!(browser.texts("#larger"), [""; 0]);
            }
            browser.click("#close");
        }
        browser.choose("#show", "all");
    }
    open_all(browser, &pages.report);
    open_board(browser, QUOTES);
    assert!(browser.text("#larger").contains("--overlay"));
    check_log(browser, &pages.report);
}

/// Converts a position in the photo, in pixels, to one in the window.
fn on_screen(browser: &Browser, (x, y): (f64, f64)) -> (f64, f64) {
    let [left, top, right, bottom] = browser.rectangle("#outline");
    let size: [f64; 2] = browser
        .value("(it => [it.naturalWidth, it.naturalHeight])(document.querySelector('#photo'))");
    (
        left + x / size[0] * (right - left),
        top + y / size[1] * (bottom - top),
    )
}

/// Applies the corrections that the browser has downloaded; returns the labels of the crops, and the truth.
fn applied(browser: &Browser, pages: &Pages, name: &str) -> (String, Vec<csv::StringRecord>) {
    let out = pages.run.with_file_name(name);
    let file = corrections(browser);
    program(
        &["dataset", "apply", "-o"],
        &[&out, &file, Path::new("--run"), &pages.run],
        0,
    );
    let table = |name: &str| -> Vec<csv::StringRecord> {
        let mut rows = csv::Reader::from_path(out.join(name)).unwrap();
        rows.records().map(Result::unwrap).collect()
    };
    let labels = table("manifest.csv");
    let labels = labels.iter().map(|row| row[5].replace('0', "."));
    (labels.collect(), table("truth.csv"))
}

pub fn a_board_that_was_not_found_is_outlined_with_the_mouse(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.review);
    open_board(browser, HIDDEN.0);
    browser.until("document.querySelector('#photo').complete");
    assert_eq!(browser.texts("#digits"), [""; 0]);
    browser.run("document.querySelector('#outline').scrollIntoView({ block: 'center' })");
    // The top left corner first, the others in any order; the first is corrected afterwards.
    let [first, second, third, fourth] = pages.corners;
    let wrong = (first.0 + 60.0, first.1 + 50.0);
    for corner in [wrong, third, second, fourth] {
        let at = on_screen(browser, corner);
        browser.drag(&[at]);
    }
    assert_eq!(browser.texts("#corners button"), ["1", "2", "3", "4"]);
    assert_eq!(focused(browser), 0);
    let at = [wrong, (first.0 + 20.0, first.1), first].map(|corner| on_screen(browser, corner));
    browser.drag(&at);
    let label: String = browser.value("document.querySelector('#corners button').ariaLabel");
    assert!(
        label.starts_with("corner 1, the board's own top left: x "),
        "{label}"
    );
    let flat: String = browser.value("document.querySelector('#flat').style.transform");
    assert!(flat.starts_with("matrix3d("), "{flat}");

    browser.click(&cell(0));
    paste(browser, &pages.digits);
    assert_eq!(board(browser), pages.digits);
    assert_eq!(browser.text("#verdict"), "One solution.");
    browser.reload();
    open_board(browser, HIDDEN.0);
    assert_eq!(board(browser), pages.digits);
    browser.click("#close");
    assert_eq!(marks(browser), ["corrected"]);

    let _ = fs::remove_file(corrections(browser));
    browser.click("#download");
    let rows = downloaded(browser);
    assert_eq!(
        (rows.len(), &rows[0][1], &rows[0][2]),
        (1, "1", &*pages.digits)
    );
    let numbers: Vec<f64> = rows[0][3]
        .split(' ')
        .map(|it| it.parse().unwrap())
        .collect();
    let expected = pages.corners.iter().flat_map(|(x, y)| [*x, *y]);
    for (found, expected) in numbers.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 6.0,
            "{numbers:?}, not {:?}",
            pages.corners
        );
    }
    let (labels, truth) = applied(browser, pages, "outlined");
    assert_eq!(labels, pages.digits);
    assert!(truth.iter().any(|row| row[1] == pages.digits), "{truth:?}");

    // Loading the file restores the outline.
    browser.click("#start-over");
    browser.click("#question-yes");
    browser.choose_file("#load", &corrections(browser));
    browser.until("document.querySelector('#loaded').textContent");
    assert_eq!(
        browser.text("#loaded"),
        "1 board loaded from corrections.csv."
    );
    open_board(browser, HIDDEN.0);
    assert_eq!(board(browser), pages.digits);
    check_log(browser, &pages.review);
}

pub fn a_board_that_was_not_found_is_outlined_with_keys(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.review);
    open_board(browser, CROSSWORD);
    browser.tab_to("#place-corners");
    browser.press(Key::Enter);
    let place = || -> [f64; 2] {
        let label: String = browser.value("document.activeElement.ariaLabel");
        let mut numbers = label.split(": x ").nth(1).unwrap().split(", y ");
        [0, 1].map(|_| numbers.next().unwrap().parse().unwrap())
    };
    let before = place();
    browser.press(format!("{}{}", Key::Right, Key::Down).repeat(4));
    let after = place();
    assert!(
        after[0] > before[0] && after[1] > before[1],
        "{before:?} {after:?}"
    );
    // Beyond the opposite corner there is no outline; and the board is not finished before it has digits.
    browser.press("c");
    assert!(
        message(browser).contains("four corners"),
        "{}",
        message(browser)
    );
    for _ in 0..16 {
        browser.press(format!("{}{}", Key::Right, Key::Down).repeat(30));
    }
    assert!(browser.text("#corner-help").contains("crosses itself"));
    let is_marked = "document.querySelector('#edges').matches('.crossing')";
    assert!(browser.value::<bool>(is_marked));
    browser.click("#close");
    assert_eq!(marks(browser), ["unfinished"]);
    assert!(browser.value::<bool>("document.querySelector('#download').disabled"));
    open_board(browser, CROSSWORD);
    browser.tab_to("#remove-corners");
    browser.press(Key::Enter);
    assert_eq!(browser.texts("#corners button"), [""; 0]);
    browser.click("#close");
    assert_eq!(marks(browser), [""; 0]);
    check_log(browser, &pages.review);
}

pub fn a_photo_without_a_board_is_confirmed(browser: &Browser, pages: &Pages) {
    open_all(browser, &pages.review);
    open_board(browser, CROSSWORD);
    assert_eq!(browser.text("#confirm"), "There is no board here");
    browser.press("c");
    assert_ne!(title(browser), CROSSWORD);
    browser.click("#close");
    assert_eq!(marks(browser), ["confirmed"]);
    let _ = fs::remove_file(corrections(browser));
    browser.click("#download");
    let rows = downloaded(browser);
    assert_eq!((rows.len(), &rows[0][1], &rows[0][2]), (1, "0", "none"));
    let (labels, truth) = applied(browser, pages, "none");
    assert_eq!(
        (labels.as_str(), truth.len(), &truth[0][1]),
        ("", 1, "none")
    );
}

pub fn crops_board_and_keys_fit_on_a_phone(browser: &Browser, pages: &Pages) {
    for (page, name) in [(&pages.report, FOLDED), (&pages.review, HIDDEN.0)] {
        open_all(browser, page);
        browser.screen(400, "screen");
        open_board(browser, name);
        if name == HIDDEN.0 {
            browser.click("#place-corners");
        }
        browser.run("document.querySelector('#cells').scrollIntoView({ block: 'start' })");
        let [cells, grid, keys] = ["#cells", "#grid", "#keys"].map(|it| browser.rectangle(it));
        for [left, top, right, bottom] in [cells, grid, keys] {
            assert!(left >= 0.0 && right <= 400.0, "{left} to {right}");
            assert!(top >= 0.0 && bottom <= 800.0, "{top} to {bottom}");
        }
        assert!(
            cells[3] <= grid[1] && grid[3] <= keys[1],
            "{cells:?} {grid:?} {keys:?}"
        );
        assert!(cells[2] - cells[0] >= 200.0, "{cells:?}");
        for call in ["tooWide()", "outOfReach()"] {
            assert_eq!(problems(browser, call), [""; 0], "{call}");
        }
        let wide: f64 = browser.value("document.querySelector('#board').scrollWidth");
        assert!(wide <= 400.0, "the board is {wide} wide");
        browser.click("#close");
        // An ending is on one line.
        let heights: Vec<usize> = browser.value(
            "[...document.querySelectorAll('.card .ending')].map((it) => it.getClientRects().length)",
        );
        assert_eq!(heights, vec![1; names(browser).len()]);
        assert!(heights.len() >= 3, "{heights:?}");
    }
}
