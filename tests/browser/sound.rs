//! Rules for every page.

use std::path::Path;

use serde_json::Value;

use super::browser::Browser;

/// Script that finds problems in a page; injected on demand.
const SCRIPT: &str = include_str!("sound.js");

/// A4 without its margins, in the pixels of a page.
const PAPER: u32 = 718;

/// Checks all rules. `scripts` is the number of scripts of the page: a name that became markup
/// would add one.
pub fn sound(browser: &Browser, page: &Path, scripts: usize) {
    browser.open(page);
    has_only_its_own_scripts(browser, scripts);
    has_language_title_and_headings(browser);
    is_accessible(browser);
    check_contrast(browser);
    browser.open(page);
    fits_on_a_phone(browser);
    browser.open(page);
    can_be_printed(browser);
    browser.open(page);
    check_log(browser, page);
}

/// Checks that since the page was opened there was no error, no warning, no network request, and nothing missing.
pub fn check_log(browser: &Browser, page: &Path) {
    let loud = |entry: &Value| entry["level"] == "SEVERE" || entry["level"] == "WARNING";
    let mut console = browser.log("browser");
    console.retain(loud);
    assert!(console.is_empty(), "on the console: {console:#?}");
    let folder = url::Url::from_directory_path(page.parent().unwrap()).unwrap();
    for entry in browser.log("performance") {
        let event: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
        let (method, params) = (&event["message"]["method"], &event["message"]["params"]);
        if method == "Network.requestWillBeSent" {
            let asked = params["request"]["url"].as_str().unwrap();
            let is_inside = [folder.as_str(), "data:", "blob:", "about:blank"]
                .iter()
                .any(|start| asked.starts_with(start));
            assert!(is_inside, "the page asks for {asked}");
        }
        assert_ne!(method, "Network.loadingFailed", "not found: {params}");
    }
    assert_eq!(problems(browser, "brokenPictures()"), [""; 0]);
}

/// The problems that a function of [`SCRIPT`] reports.
pub fn problems(browser: &Browser, call: &str) -> Vec<String> {
    let found = browser.run(&format!("{SCRIPT}\nreturn {call};"));
    serde_json::from_value(found).unwrap()
}

fn assert_no_problems(browser: &Browser, call: &str) {
    assert_eq!(problems(browser, call), [""; 0], "{call}");
}

fn has_only_its_own_scripts(browser: &Browser, scripts: usize) {
    assert!(!browser.has_alert(), "a box is open");
    let found: usize = browser.value("document.querySelectorAll('script').length");
    assert_eq!(found, scripts, "scripts in the page");
    let handlers: usize = browser.value(
        "[...document.querySelectorAll('*')].filter((element) => [...element.attributes].some((it) => it.name.startsWith('on'))).length",
    );
    assert_eq!(handlers, 0, "handlers in attributes");
}

fn has_language_title_and_headings(browser: &Browser) {
    assert_eq!(
        browser.value::<String>("document.documentElement.lang"),
        "en"
    );
    let title: String = browser.value("document.title");
    assert!(title.contains("sudoku-batch"), "{title}");
    assert_no_problems(browser, "headingsOutOfOrder()");
    assert_no_problems(browser, "idsTwice()");
}

fn is_accessible(browser: &Browser) {
    assert_no_problems(browser, "tablesWithoutName()");
    assert_no_problems(browser, "headsWithoutScope()");
    assert_no_problems(browser, "picturesWithoutWords()");
    assert_no_problems(browser, "controlsWithoutName()");
}

/// Checks the background color, and the contrast of every text.
pub fn check_contrast(browser: &Browser) {
    for (scheme, range) in [("light", 0.8..=1.0), ("dark", 0.0..=0.05)] {
        browser.colours(scheme);
        let paper = browser.run(&format!("{SCRIPT}\nreturn paperLuminance();"));
        let paper = paper.as_f64().unwrap();
        assert!(
            range.contains(&paper),
            "{scheme}: paper of luminance {paper}"
        );
        let pale = problems(browser, "paleTexts()");
        assert_eq!(pale, [""; 0], "{scheme}: contrast below 4.5");
    }
}

fn fits_on_a_phone(browser: &Browser) {
    browser.screen(400, "screen");
    assert_no_problems(browser, "tooWide()");
    assert_no_problems(browser, "outOfReach()");
}

fn can_be_printed(browser: &Browser) {
    browser.run(&format!("{SCRIPT}\nwindow.onScreen = essentials();"));
    browser.screen(PAPER, "print");
    assert_no_problems(
        browser,
        "onScreen.filter((element) => !isVisible(element)).map(called)",
    );
    assert_no_problems(browser, "unprinted()");
    assert_no_problems(browser, "cutOff()");
    assert_no_problems(browser, "tooWide()");
}

/// The names in the chart with this title, which begin with one of these texts, do not cover each other.
pub fn do_not_overlap(browser: &Browser, title: &str, names: &[String]) {
    let boxes: Vec<(String, [f64; 4])> = browser.value(&format!(
        "[...document.querySelector('{title}').parentElement.querySelectorAll(':scope > text')]
            .map((it) => [it.textContent.trim(), (r => [r.left, r.top, r.right, r.bottom])(it.getBoundingClientRect())])"
    ));
    let is_name = |text: &str| names.iter().any(|name| text.starts_with(name.as_str()));
    let boxes: Vec<_> = boxes.iter().filter(|(text, _)| is_name(text)).collect();
    assert!(boxes.len() >= 2, "{title}: {boxes:?}");
    for (number, (name, a)) in boxes.iter().enumerate() {
        for (other, b) in &boxes[..number] {
            // Boxes have some space above and below their letters.
            let across = a[2].min(b[2]) - a[0].max(b[0]);
            let down = a[3].min(b[3]) - a[1].max(b[1]);
            assert!(
                across <= 0.5 || down <= 0.3 * (a[3] - a[1]),
                "{title}: {name} {a:?} and {other} {b:?}"
            );
        }
    }
}
