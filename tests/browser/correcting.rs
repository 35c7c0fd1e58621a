//! The boards of the gallery: corrected with mouse and keys, and the file of corrections.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::key::Key;

use super::browser::Browser;
use super::program::fed;
use super::recognize::{FOLDED, LINES, MARKUP, QUOTES, names, open_all, open_board};
use super::sound::{check_contrast, check_log, problems};

pub fn a_board_is_corrected_with_the_mouse(browser: &Browser, page: &Path) {
    open_all(browser, page);
    open_board(browser, QUOTES);
    let before = board(browser);
    let verdict = || browser.text("#verdict");
    assert_eq!(verdict(), "One solution.");
    assert!(browser.value::<bool>("document.querySelector('#reset').disabled"));

    // Repeat a digit in a row: the first given, in the first blank of its row.
    let given = first_given(&before);
    let row = given / 9 * 9;
    let blank = row + before[row..row + 9].find('.').unwrap();
    browser.click(&cell(blank));
    browser.press(&before[given..=given]);
    assert!(
        verdict().starts_with("No solution: a digit occurs twice"),
        "{}",
        verdict()
    );
    let mut corrected = before.clone();
    corrected.replace_range(blank..=blank, &before[given..=given]);
    assert_eq!(board(browser), corrected);
    let place = cell(blank);
    let label: String = browser.value(&format!("document.querySelector('{place}').ariaLabel"));
    assert!(label.ends_with("changed, clashing"), "{label}");

    // Undo with its button, then with the button for touch screens.
    browser.click("#reset");
    assert_eq!(board(browser), before);
    assert_eq!(verdict(), "One solution.");
    browser.click(&cell(given));
    browser.click("#keys button:last-child");
    corrected = before.clone();
    corrected.replace_range(given..=given, ".");
    assert_eq!(board(browser), corrected);
    // With all digits cleared by keys there are many solutions.
    browser.click(&cell(0));
    browser.press(format!("{}{}", Key::Delete, Key::Right).repeat(81));
    assert_eq!(board(browser), ".".repeat(81));
    assert!(verdict().starts_with("Several solutions"), "{}", verdict());
    browser.click("#close");
    browser.until("!document.querySelector('#board').open");
    let shown = browser.text("#changed");
    assert!(
        shown.starts_with("1 board") && shown.ends_with("corrected"),
        "{shown}"
    );
    browser.choose("#show", "corrected");
    assert_eq!(names(browser), [QUOTES]);
    check_log(browser, page);
}

pub fn a_board_is_corrected_with_keys_alone(browser: &Browser, page: &Path) {
    browser.open(page);
    browser.tab_to(".card");
    browser.press(Key::Enter);
    browser.until("document.querySelector('#board').open");
    let title = browser.text("#board-title");
    browser.press(Key::PageDown);
    assert_ne!(browser.text("#board-title"), title);
    browser.press(Key::PageUp);
    assert_eq!(browser.text("#board-title"), title);

    // Moves as in a spreadsheet.
    let at = || -> usize {
        browser.value("[...document.querySelectorAll('#grid td')].indexOf(document.activeElement)")
    };
    browser.press(Key::Home);
    while at() >= 9 {
        browser.press(Key::Up);
    }
    for (key, place) in [
        (Key::Right, 1),
        (Key::Down, 10),
        (Key::Left, 9),
        (Key::Left, 8),
        (Key::Home, 0),
        (Key::End, 8),
        (Key::Enter, 17),
        (Key::Up, 8),
        (Key::Up, 80),
        (Key::Right, 0),
    ] {
        browser.press(key);
        assert_eq!(at(), place, "after {key:?}");
    }
    // A digit or a blank moves to the next cell; clearing does not.
    for digit in 1..=9 {
        browser.press(format!("{}{digit}", Key::Home));
        assert!(board(browser).starts_with(&digit.to_string()));
        assert_eq!(at(), 1);
    }
    for (blank, place) in [
        ('0', 1),
        ('.', 1),
        (' ', 1),
        (Key::Delete.into(), 0),
        (Key::Backspace.into(), 0),
    ] {
        browser.press(format!("{0}5{0}{blank}", Key::Home));
        assert!(board(browser).starts_with('.'), "{blank:?}");
        assert_eq!(at(), place, "{blank:?}");
    }
    browser.press(format!("{}5", Key::Home));
    browser.press(Key::Escape);
    // The focus returns shortly after the board has closed.
    browser.until("document.activeElement.matches('.card')");
    browser.tab_to("#download");
    let _ = fs::remove_file(corrections(browser));
    browser.press(Key::Enter);
    assert_eq!(downloaded(browser).len(), 1);
    check_log(browser, page);
}

pub fn doubtful_cells_are_listed(browser: &Browser, page: &Path) {
    open_all(browser, page);
    open_board(browser, FOLDED);
    let items = browser.texts("#doubts li");
    assert!(items.len() > 1, "{items:?}");
    for item in &items {
        assert!(item.contains("read as") && item.contains(" %"), "{item}");
        assert_eq!(item.matches("taken").count(), 1, "{item}");
    }
    let frames = browser.texts("#cells .frame");
    assert_eq!(frames.len(), items.len());
    let crop = "getComputedStyle(document.querySelector('#doubts .crop')).backgroundImage";
    let crop: String = browser.value(crop);
    assert!(crop.contains("cells/"), "{crop}");

    // A click selects the cell; the typed digit is used.
    let last = format!("#doubts li:nth-child({})", items.len());
    browser.click(&format!("{last} button"));
    let name = browser.text(&format!("{last} b"));
    let place: Vec<char> = name.chars().collect();
    let label: String = browser.value("document.activeElement.ariaLabel");
    let expected = format!("row {}, column {}:", place[1], place[3]);
    assert!(label.starts_with(&expected), "{name}: {label}");
    let other = browser.text(&format!("{last} .guess:not(.taken) .content"));
    let key = if other == "–" { "0" } else { &other };
    browser.press(key);
    assert_eq!(
        browser.text(&format!("{last} .guess.taken .content")),
        other
    );
    browser.click("#reset");
    check_log(browser, page);
}

pub fn a_correct_board_is_confirmed(browser: &Browser, page: &Path) {
    open_all(browser, page);
    open_board(browser, QUOTES);
    let right = board(browser);
    browser.click("#confirm");
    assert_eq!(browser.text("#changed"), "1 board: 1 confirmed");
    // It moves on to the next doubtful board.
    let next = browser.text("#board-title");
    assert_ne!(next, QUOTES);
    browser.click("#close");
    browser.choose("#show", "doubtful");
    assert!(names(browser).contains(&next), "{next} is not doubtful");
    browser.choose("#show", "corrected");
    assert_eq!(names(browser), [QUOTES]);
    let _ = fs::remove_file(corrections(browser));
    browser.click("#download");
    let rows = downloaded(browser);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(&rows[0][2], right);
}

pub fn a_board_fits_on_a_phone(browser: &Browser, page: &Path) {
    open_all(browser, page);
    browser.screen(400, "screen");
    open_board(browser, MARKUP);
    for call in ["tooWide()", "outOfReach()"] {
        assert_eq!(problems(browser, call), [""; 0], "{call}");
    }
    let is_whole = "document.querySelector('#board').scrollWidth <= document.querySelector('#board').clientWidth";
    assert!(
        browser.value::<bool>(is_whole),
        "the board scrolls sideways"
    );
    let least: f64 =
        browser.value("document.querySelector('#grid td').getBoundingClientRect().width");
    assert!(
        least >= 24.0,
        "a cell of {least} pixels is too small for a finger"
    );
    browser.click(&cell(40));
    browser.click("#keys button:first-child");
    assert_eq!(&board(browser)[40..41], "1");
}

pub fn a_board_is_seen_in_light_and_dark(browser: &Browser, page: &Path) {
    open_all(browser, page);
    open_board(browser, QUOTES);
    let before = board(browser);
    let given = first_given(&before);
    let blank = before.find('.').unwrap();
    // With a changed cell and a conflicting one.
    browser.click(&cell(blank));
    browser.press(&before[given..=given]);
    check_contrast(browser);
}

/// Applies the file that the page exports.
pub fn corrections_become_ground_truth(browser: &Browser, page: &Path) {
    open_all(browser, page);
    let corrected = [MARKUP, LINES].map(|name| {
        open_board(browser, name);
        browser.click(&cell(first_given(&board(browser))));
        browser.press(Key::Delete);
        let board = board(browser);
        browser.click("#close");
        (name, board)
    });
    let _ = fs::remove_file(corrections(browser));
    browser.click("#download");
    let rows = downloaded(browser);
    let run = page.parent().unwrap();
    let photos = run.with_file_name("photos");
    let corrected = corrected.map(|(name, board)| (photos.join(name).display().to_string(), board));
    let mut found: Vec<[&str; 3]> = rows.iter().map(|row| [&row[0], &row[1], &row[2]]).collect();
    found.sort_unstable();
    let expected = corrected
        .each_ref()
        .map(|(photo, board)| [photo.as_str(), "1", board]);
    assert_eq!(found, expected);

    let out = run.with_file_name("corrected");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(["dataset", "apply"]).arg(corrections(browser));
    let output = fed(command.arg("--run").arg(run).arg("-o").arg(&out), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut truth = csv::Reader::from_path(out.join("truth.csv")).unwrap();
    let truth: Vec<csv::StringRecord> = truth.records().map(Result::unwrap).collect();
    for (photo, board) in corrected {
        let row = truth.iter().find(|row| row[0] == photo);
        let row = row.unwrap_or_else(|| panic!("{photo:?} is not in {truth:?}"));
        assert_eq!(row[1], board, "{row:?}");
    }
}

/// The open board with its corrections: 81 characters.
pub fn board(browser: &Browser) -> String {
    let cells: Vec<String> = browser.value(
        "[...document.querySelectorAll('#grid td')].map((td) => td.firstChild?.nodeType === Node.TEXT_NODE ? td.firstChild.data : '.')",
    );
    cells.concat()
}

/// The position of the first filled cell of a board.
pub fn first_given(board: &str) -> usize {
    board.find(|c| c != '.').unwrap()
}

/// The selector of a cell of the open board.
pub fn cell(cell: usize) -> String {
    format!(
        "#grid tr:nth-child({}) td:nth-child({})",
        cell / 9 + 1,
        cell % 9 + 1
    )
}

pub fn corrections(browser: &Browser) -> PathBuf {
    browser.downloads().join("corrections.csv")
}

/// The rows of the downloaded file, once it exists.
pub fn downloaded(browser: &Browser) -> Vec<csv::StringRecord> {
    let file = corrections(browser);
    browser.wait_for_file(&file);
    let mut reader = csv::Reader::from_path(file).unwrap();
    let columns = vec!["photo", "puzzle", "givens", "corners"];
    assert_eq!(reader.headers().unwrap(), columns);
    reader.records().map(Result::unwrap).collect()
}
