//! The page of `bench`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fantoccini::key::Key;

use super::browser::Browser;
use super::program::{PUZZLE, fed};
use super::sound::{check_log, sound};

/// A corpus name that would be harmful as markup, in a link, and in a line.
const HOSTILE: &str = "<img src=x onerror=alert(1)> \"q\" & 'a' %20#?\nb";
/// The name of a program whose answers are all wrong.
const ECHO: &str = "<b>echo</b>";
/// The table of the first corpus.
const TABLE: &str = "#corpus-0 table.sorts.filters";

/// Measures two corpora twice, the second time against the first; returns the page.
pub fn page(folder: &Path) -> PathBuf {
    let out = folder.join("bench");
    let plain = folder.join("plain.txt");
    let easy = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/puzzles/easy.txt");
    let easy = fs::read_to_string(easy).unwrap();
    let lines: Vec<&str> = easy.lines().take(12).collect();
    fs::write(&plain, lines.join("\n")).unwrap();
    let hostile = folder.join(format!("{HOSTILE}.txt"));
    fs::write(&hostile, PUZZLE).unwrap();
    for flag in ["--save-baseline", "--baseline"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-batch"));
        command.arg("bench").args([&plain, &hostile]);
        command.args(["--solvers", "bands,mrv,dlx,regions", "--budget", "100ms"]);
        command.args(["--external", &format!("{ECHO}=cat"), flag, "before", "-o"]);
        let output = fed(command.arg(&out), b"");
        // The program with wrong answers is reported as an error.
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
    out.join("report.html")
}

pub fn is_sound(browser: &Browser, page: &Path) {
    sound(browser, page, 1);
}

pub fn names_are_escaped(browser: &Browser, page: &Path) {
    browser.open(page);
    let heading: String = browser.value("document.querySelector('#corpus-1 h2').firstChild.data");
    assert_eq!(heading, HOSTILE);
    let tiles = browser.texts("a.tile span");
    assert!(tiles[1].contains(HOSTILE), "{tiles:?}");
    assert_eq!(browser.text("tr.struck th"), ECHO);
}

pub fn a_column_is_sorted_by_a_click(browser: &Browser, page: &Path) {
    browser.open(page);
    for (column, is_number) in [(2, true), (1, false)] {
        let button = format!("{TABLE} thead tr > :nth-child({column}) button");
        for direction in ["ascending", "descending"] {
            browser.click(&button);
            sorted(browser, column, is_number, direction);
        }
    }
    check_log(browser, page);
}

pub fn a_column_is_sorted_by_keys(browser: &Browser, page: &Path) {
    browser.open(page);
    let heading = format!("{TABLE} thead tr > :nth-child(2)");
    browser.tab_to(&format!("{heading} button"));
    for (key, direction) in [(Key::Enter, "ascending"), (Key::Space, "descending")] {
        browser.press(key);
        sorted(browser, 2, true, direction);
        assert!(browser.value::<bool>(&format!(
            "document.activeElement.matches('{heading} button')"
        )));
    }
}

/// Checks that the table is sorted by this column, that only this column is marked, and that empty cells come last.
fn sorted(browser: &Browser, column: usize, is_number: bool, direction: &str) {
    let says: Vec<Option<String>> = browser.value(&format!(
        "[...document.querySelectorAll('{TABLE} thead tr > *')].map((it) => it.ariaSort)"
    ));
    for (number, says) in (1..).zip(&says) {
        let expected = (number == column).then_some(direction);
        assert_eq!(says.as_deref(), expected, "column {number}");
    }
    let cells = format!("{TABLE} tbody tr > :nth-child({column})");
    if is_number {
        let values: Vec<Option<f64>> = browser.value(&format!(
            "[...document.querySelectorAll('{cells}')].map((it) => it.dataset.value ? Number(it.dataset.value) : null)"
        ));
        let numbers: Vec<f64> = values.iter().copied().flatten().collect();
        assert!(numbers.len() > 2, "{values:?}");
        assert!(
            values[numbers.len()..].iter().all(Option::is_none),
            "{values:?}"
        );
        assert_eq!(numbers, in_order(&numbers, direction, f64::total_cmp));
    } else {
        let values = browser.texts(&cells);
        // Locale order puts symbols before letters, like byte order does for these.
        assert_eq!(values, in_order(&values, direction, String::cmp));
    }
}

fn in_order<T: Clone>(
    values: &[T],
    direction: &str,
    compare: impl Fn(&T, &T) -> std::cmp::Ordering,
) -> Vec<T> {
    let mut values = values.to_vec();
    values.sort_by(compare);
    if direction == "descending" {
        values.reverse();
    }
    values
}

pub fn rows_are_filtered_by_words(browser: &Browser, page: &Path) {
    browser.open(page);
    let shown = || browser.texts(&format!("{TABLE} tbody tr:not([hidden]) > th"));
    let all = shown();
    browser.click("#corpus-0 .filter input");
    browser.press("MR");
    let message = || browser.text("#corpus-0 .filter output");
    assert_eq!(shown(), ["mrv"]);
    assert_eq!(message(), format!("1 of {} rows", all.len()));
    browser.press("x");
    assert_eq!(shown(), [""; 0]);
    browser.press(Key::Backspace.to_string().repeat(3));
    assert_eq!(shown(), all);
    assert_eq!(message(), "");
}

pub fn a_chart_shows_its_values(browser: &Browser, page: &Path) {
    browser.open(page);
    let figures: usize = browser.value("document.querySelectorAll('figure').length");
    assert!(figures >= 3, "{figures} charts");
    for number in 0..figures {
        browser.run(&format!(
            "document.querySelectorAll('figure')[{number}].id = 'now{number}'"
        ));
        let places = browser.texts(&format!("#now{number} .hovers rect"));
        assert!(!places.is_empty(), "chart {number} tells nothing");
        browser.point_at(&format!("#now{number} .hovers rect"));
        let reading = format!("#now{number} .reading");
        browser.until(&format!("document.querySelector('{reading}').textContent"));
        let message = browser.text(&reading);
        assert!(
            places.contains(&message),
            "{message:?} is none of {places:?}"
        );
    }
}

pub fn a_hard_puzzle_expands_to_the_effort_of_each_solver(browser: &Browser, page: &Path) {
    browser.open(page);
    let puzzle = "#corpus-1 details.puzzle";
    assert!(!browser.value::<bool>(&format!("document.querySelector('{puzzle}').open")));
    browser.click(&format!("{puzzle} > summary"));
    let cells = browser.texts(&format!("{puzzle} .grid td"));
    let cells = cells
        .iter()
        .map(|text| if text.is_empty() { "." } else { text });
    assert_eq!(cells.collect::<String>(), PUZZLE);
    let mut solvers = browser.texts(&format!("{puzzle} .sorts tbody th"));
    solvers.sort();
    assert_eq!(solvers, ["bands", "dlx", "mrv", "regions"]);
    browser.run(&format!(
        "document.querySelector('{puzzle} > summary').focus()"
    ));
    browser.press(Key::Enter);
    browser.until(&format!("!document.querySelector('{puzzle}').open"));
}

pub fn a_run_is_compared_with_its_baseline(browser: &Browser, page: &Path) {
    browser.open(page);
    let headings = browser.texts("h2");
    let is_compared = headings
        .iter()
        .any(|text| text.starts_with("Compared with before"));
    assert!(is_compared, "{headings:?}");
    let table = "[...document.querySelectorAll('table')].find((it) => it.caption?.textContent === 'Changes since before')";
    let rows: usize = browser.value(&format!("{table}.tBodies[0].rows.length"));
    // Four solvers on two corpora; the disqualified program is not comparable.
    assert!(rows >= 8, "{rows} rows");
}

/// Tables replace charts that would be too small to read, with the same values.
pub fn charts_are_values_on_a_phone(browser: &Browser, page: &Path) {
    browser.open(page);
    assert_eq!(browser.texts("details.values table"), [""; 0]);
    browser.screen(400, "screen");
    let charts: Vec<bool> = browser.value(
        "[...document.querySelectorAll('.charts svg.chart')].map((it) => it.checkVisibility())",
    );
    assert!(charts.len() >= 3 && !charts.contains(&true), "{charts:?}");
    let right: f64 = browser.value(
        "Math.max(...[...document.querySelectorAll('details.values table')].map((it) => it.getBoundingClientRect().right))",
    );
    assert!(0.0 < right && right <= 400.0, "a table ends at {right}");
    // The fastest solver has its rate in the chart and in the values.
    let rate = "#corpus-0 .values tbody tr:first-child td:nth-child(2)";
    let tables: Vec<String> = browser.texts("#corpus-0 .values caption");
    let rates = tables
        .iter()
        .position(|it| it == "Puzzles per second, as values");
    let rates = rates.unwrap_or_else(|| panic!("{tables:?}"));
    let shown: String = browser.value(&format!(
        "document.querySelectorAll('{rate}')[{rates}].textContent"
    ));
    let hovers = browser.text("#rates-0-title ~ .hovers rect:first-child title");
    assert!(
        hovers.contains(&format!(": {shown}/s")),
        "{shown}: {hovers}"
    );
}

pub fn curve_labels_do_not_overlap(browser: &Browser, page: &Path) {
    browser.open(page);
    let names = browser.texts("#corpus-0 table.sorts tbody th");
    super::sound::do_not_overlap(browser, "#solved-0-title", &names);
}
