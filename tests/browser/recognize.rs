//! The page of `recognize`: the gallery, and mending by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::key::Key;
use serde_json::json;

use super::browser::Browser;
use super::program::fed;
use super::sound::{complaints, quiet, seen_in_light_and_dark, sound};

/// Photos under names that would do harm as markup, in a link, in a table or in a line, and the photo
/// of `datasets/photos` that each is. The first one is a file in a folder, since a slash is in its name.
const MARKUP: &str = "<script>alert(1)</script>.jpg";
const QUOTES: &str = "\"quoted\" & 'single', too.jpg";
const LINES: &str = "two\nlines.jpg";
const LINK: &str = "a %20 #?.jpg";
const HOSTILE: [(&str, &str); 4] = [
    (MARKUP, "000-newspaper"),
    (QUOTES, "008-light-screen"),
    (LINES, "001-book"),
    (LINK, "002-dark-screen"),
];
/// Photos in all: more than the page shows at first.
const PHOTOS: usize = 60;

/// Recognizes photos, of which two have a truth that says something else; gives the page.
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
            // All digits one higher: what was read cannot be that.
            let other = truth.chars().map(|c| match c.to_digit(10) {
                Some(digit) => char::from_digit(digit % 9 + 1, 10).unwrap(),
                None => c,
            });
            fs::write(file.with_extension("txt"), other.collect::<String>()).unwrap();
        }
    }
    copy("boards.jpg", "007-two-boards");
    copy("crossword.jpg", "014-crossword");
    fs::write(photos.join("text.jpg"), "this is no photo").unwrap();
    for number in HOSTILE.len() + 3..PHOTOS {
        copy(&format!("many {number}.jpg"), "012-poor");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(["recognize", "--overlay", "--save-crops", "-o"]);
    let output = fed(command.arg(&out).arg(&photos), b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    out.join("report.html")
}

pub fn is_sound(browser: &Browser, page: &PathBuf) {
    sound(browser, page, 3);
}

pub fn names_are_shown_as_text(browser: &Browser, page: &PathBuf) {
    open_all(browser, page);
    let names: Vec<String> = names(browser);
    for (name, _) in HOSTILE {
        assert!(
            names.iter().any(|shown| shown == name),
            "{name:?} is not in {names:?}"
        );
        open_board(browser, name);
        assert_eq!(
            browser.value::<String>("document.querySelector('#board-title').textContent"),
            name
        );
        browser.click("#close");
    }
    quiet(browser, page);
}

pub fn photos_are_filtered_by_status(browser: &Browser, page: &PathBuf) {
    browser.open(page);
    let options: Vec<String> = browser
        .value("[...document.querySelectorAll('#show option')].map((option) => option.value)");
    assert!(
        ["all", "wrong", "solved", "no-grid", "mended"]
            .iter()
            .all(|name| options.iter().any(|it| it == name)),
        "{options:?}"
    );
    for name in options
        .iter()
        .filter(|name| !["all", "mended"].contains(&name.as_str()))
    {
        browser.choose("#show", name);
        let text: String =
            browser.value("document.querySelector('#show').selectedOptions[0].textContent");
        let promised: usize = text.rsplit(['(', ')']).nth(1).unwrap().parse().unwrap();
        let told: String = browser.value("document.querySelector('#count').value");
        assert!(
            told.starts_with(&format!("{promised} of ")),
            "{text}: {told}"
        );
        let statuses: Vec<String> = browser
            .value("[...document.querySelectorAll('.card .status')].map((it) => it.textContent)");
        assert_eq!(statuses.len(), promised.min(48), "{text}");
        assert!(
            name == "wrong" || statuses.iter().all(|status| status == name),
            "{name}: {statuses:?}"
        );
    }
    browser.choose("#show", "wrong");
    let wrong = names(browser);
    assert!(
        wrong.contains(&MARKUP.to_owned()) && wrong.contains(&LINK.to_owned()),
        "{wrong:?}"
    );
    browser.choose("#show", "mended");
    assert_eq!(names(browser), [""; 0]);
}

pub fn photos_are_sorted_by_confidence(browser: &Browser, page: &PathBuf) {
    browser.open(page);
    for (order, direction) in [("lowest", 1.0), ("highest", -1.0)] {
        browser.choose("#sort", order);
        // Those without a board have none and count as the least.
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

pub fn photos_are_found_by_name(browser: &Browser, page: &PathBuf) {
    browser.open(page);
    browser.click("#find");
    browser.press("SCRIPT>A");
    assert_eq!(names(browser), [MARKUP]);
    assert!(
        browser
            .value::<String>("document.querySelector('#count').value")
            .starts_with("1 of ")
    );
    browser.press(Key::Backspace.to_string().repeat(8));
    assert!(names(browser).len() > 40);
}

pub fn more_photos_are_shown_on_demand(browser: &Browser, page: &PathBuf) {
    // A button for keys, and by itself where a reader scrolls.
    let total: usize = {
        browser.open(page);
        let told: String = browser.value("document.querySelector('#count').value");
        told.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert!(total >= PHOTOS);
    let shown = format!("document.querySelectorAll('.card').length === {total}");
    assert!(
        !browser.value::<bool>(&shown),
        "all photos are there at once"
    );
    browser.run("document.querySelector('#more').focus({ preventScroll: true })");
    browser.press(Key::Enter);
    browser.until(&shown);
    browser.until("document.querySelector('#more').hidden");

    browser.open(page);
    browser.run("scrollTo(0, document.body.scrollHeight)");
    browser.until(&shown);
}

pub fn a_board_is_mended_with_the_mouse(browser: &Browser, page: &PathBuf) {
    open_all(browser, page);
    open_board(browser, QUOTES);
    let before = board(browser);
    let verdict = || -> String { browser.value("document.querySelector('#verdict').textContent") };
    assert_eq!(verdict(), "One solution.");
    assert!(browser.value::<bool>("document.querySelector('#reset').disabled"));

    // A digit twice in a row: of the first given and the first blank of its row.
    let given = before.find(|c| c != '.').unwrap();
    let row = given / 9 * 9;
    let blank = row + before[row..row + 9].find('.').unwrap();
    browser.click(&cell(blank));
    browser.press(&before[given..=given]);
    assert!(
        verdict().starts_with("No solution: a digit stands twice"),
        "{}",
        verdict()
    );
    let mut mended = before.clone();
    mended.replace_range(blank..=blank, &before[given..=given]);
    assert_eq!(board(browser), mended);
    let label: String = browser.value(&format!(
        "document.querySelector('{}').ariaLabel",
        cell(blank)
    ));
    assert!(
        label.contains("changed") && label.contains("clashing"),
        "{label}"
    );

    // Taken back by its button; then by a button for fingers.
    browser.click("#reset");
    assert_eq!(
        (board(browser), verdict()),
        (before.clone(), "One solution.".to_owned())
    );
    browser.click(&cell(given));
    browser.click("#keys button:last-child");
    assert_eq!(
        board(browser).matches('.').count(),
        before.matches('.').count() + 1
    );
    browser.click("#close");
    browser.until("!document.querySelector('#board').open");
    assert_eq!(
        browser.value::<String>("document.querySelector('#changed').textContent"),
        "1 board mended"
    );
    browser.choose("#show", "mended");
    assert_eq!(names(browser), [QUOTES]);
    quiet(browser, page);
}

pub fn a_board_is_mended_with_keys_alone(browser: &Browser, page: &PathBuf) {
    browser.open(page);
    browser.tab_to(".card");
    browser.press(Key::Enter);
    browser.until("document.querySelector('#board').open");
    let title: String = browser.value("document.querySelector('#board-title').textContent");
    browser.press(Key::PageDown);
    browser.until(&format!(
        "document.querySelector('#board-title').textContent !== {}",
        json!(title)
    ));
    browser.press(Key::PageUp);
    browser.until(&format!(
        "document.querySelector('#board-title').textContent === {}",
        json!(title)
    ));

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
    for digit in 1..=9 {
        browser.press(digit.to_string());
        assert!(board(browser).starts_with(&digit.to_string()));
    }
    for blank in ["0", ".", " "]
        .map(str::to_owned)
        .into_iter()
        .chain([Key::Delete.to_string(), Key::Backspace.to_string()])
    {
        browser.press("5");
        browser.press(&blank);
        assert!(board(browser).starts_with('.'), "{blank:?}");
    }
    browser.press("5");
    browser.press(Key::Escape);
    browser.until("!document.querySelector('#board').open");
    assert!(
        browser.value::<bool>("document.activeElement.matches('.card')"),
        "the focus is lost"
    );
    browser.tab_to("#download");
    let _ = fs::remove_file(corrections(browser));
    browser.press(Key::Enter);
    assert_eq!(downloaded(browser).len(), 1);
    quiet(browser, page);
}

pub fn a_board_fits_on_a_phone(browser: &Browser, page: &PathBuf) {
    open_all(browser, page);
    browser.screen(400, "screen");
    open_board(browser, MARKUP);
    for call in ["tooWide()", "outOfReach()"] {
        assert_eq!(complaints(browser, call), [""; 0], "{call}");
    }
    let sides: [f64; 2] = browser.value("[document.querySelector('#board').scrollWidth, document.querySelector('#board').clientWidth]");
    assert!(
        sides[0] <= sides[1],
        "the board scrolls sideways: {sides:?}"
    );
    let least: f64 = browser.value("Math.min(...[...document.querySelectorAll('#grid td')].map((td) => td.getBoundingClientRect().width))");
    assert!(
        least >= 24.0,
        "a cell is {least} wide: too small for a finger"
    );
    browser.click(&cell(40));
    browser.click("#keys button:first-child");
    assert_eq!(&board(browser)[40..41], "1");
}

pub fn a_board_is_seen_in_light_and_dark(browser: &Browser, page: &PathBuf) {
    open_all(browser, page);
    open_board(browser, QUOTES);
    let before = board(browser);
    let given = before.find(|c| c != '.').unwrap();
    let blank = before.find('.').unwrap();
    // With a changed cell and a clashing one.
    browser.click(&cell(blank));
    browser.press(&before[given..=given]);
    seen_in_light_and_dark(browser);
}

/// The file that the page gives, taken in by the program.
pub fn corrections_become_truth(browser: &Browser, page: &PathBuf) {
    open_all(browser, page);
    let mut mended = Vec::new();
    for name in [MARKUP, LINES] {
        open_board(browser, name);
        let given = board(browser).find(|c| c != '.').unwrap();
        browser.click(&cell(given));
        browser.press(Key::Delete);
        mended.push((name, board(browser)));
        browser.click("#close");
    }
    let _ = fs::remove_file(corrections(browser));
    browser.click("#download");
    let rows = downloaded(browser);
    let run = page.parent().unwrap();
    let photos = run.with_file_name("photos");
    let expected: Vec<[String; 3]> = mended
        .iter()
        .map(|(name, board)| {
            [
                photos.join(name).display().to_string(),
                "1".to_owned(),
                board.clone(),
            ]
        })
        .collect();
    let mut rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(str::to_owned).collect())
        .collect();
    rows.sort();
    assert_eq!(rows, expected);

    let out = run.with_file_name("corrected");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    command.args(["dataset", "apply"]).arg(corrections(browser));
    let output = fed(command.arg("--run").arg(run).arg("-o").arg(&out), b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut truth = csv::Reader::from_path(out.join("truth.csv")).unwrap();
    let truth: Vec<csv::StringRecord> = truth.records().map(Result::unwrap).collect();
    for [photo, _, board] in expected {
        let row = truth.iter().find(|row| row[0] == photo);
        let row = row.unwrap_or_else(|| panic!("{photo:?} is not in {truth:?}"));
        assert!(
            row.iter().any(|field| field == board),
            "{row:?} has not {board}"
        );
    }
}

/// Opens the page and shows all of its photos.
fn open_all(browser: &Browser, page: &Path) {
    browser.open(page);
    browser.run("document.querySelector('#more').click()");
    browser.until("document.querySelector('#more').hidden");
}

/// Names on the cards, as they are shown.
fn names(browser: &Browser) -> Vec<String> {
    browser.value("[...document.querySelectorAll('.card .name')].map((it) => it.textContent)")
}

/// Opens the board with this name, by a click on its card.
fn open_board(browser: &Browser, name: &str) {
    browser.run(&format!(
        "[...document.querySelectorAll('.card')].forEach((card) => {{
           card.id = card.querySelector('.name').textContent === {} ? 'wanted' : '';
         }})",
        json!(name)
    ));
    browser.click("#wanted");
    browser.until("document.querySelector('#board').open");
}

/// The board that is open, as it is mended: 81 characters.
fn board(browser: &Browser) -> String {
    let cells: Vec<String> = browser.value(
        "[...document.querySelectorAll('#grid td')].map((td) => td.firstChild?.nodeType === Node.TEXT_NODE ? td.firstChild.data : '.')",
    );
    cells.concat()
}

/// The selector of a cell of the open board.
fn cell(cell: usize) -> String {
    format!(
        "#grid tr:nth-child({}) td:nth-child({})",
        cell / 9 + 1,
        cell % 9 + 1
    )
}

fn corrections(browser: &Browser) -> PathBuf {
    browser.downloads().join("corrections.csv")
}

/// The rows of the file, when it is there.
fn downloaded(browser: &Browser) -> Vec<csv::StringRecord> {
    let file = corrections(browser);
    browser.wait_for_file(&file);
    let mut reader = csv::Reader::from_path(file).unwrap();
    assert_eq!(reader.headers().unwrap(), vec!["photo", "puzzle", "givens"]);
    reader.records().map(Result::unwrap).collect()
}
