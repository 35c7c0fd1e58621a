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
    its_scripts_are_its_own(browser, scripts);
    it_says_what_it_is(browser);
    it_can_be_heard(browser);
    seen_in_light_and_dark(browser);
    browser.open(page);
    it_fits_on_a_phone(browser);
    browser.open(page);
    it_can_be_printed(browser);
    browser.open(page);
    quiet(browser, page);
}

/// Checks that since the page was opened there was no error, no warning, no network request, and nothing missing.
pub fn quiet(browser: &Browser, page: &Path) {
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
    assert_eq!(complaints(browser, "brokenPictures()"), [""; 0]);
}

/// The problems that a function of [`SCRIPT`] reports.
pub fn complaints(browser: &Browser, call: &str) -> Vec<String> {
    let found = browser.run(&format!("{SCRIPT}\nreturn {call};"));
    serde_json::from_value(found).unwrap()
}

fn nothing(browser: &Browser, call: &str) {
    assert_eq!(complaints(browser, call), [""; 0], "{call}");
}

fn its_scripts_are_its_own(browser: &Browser, scripts: usize) {
    assert!(!browser.has_alert(), "a box is open");
    let found: usize = browser.value("document.querySelectorAll('script').length");
    assert_eq!(found, scripts, "scripts in the page");
    let handlers: usize = browser.value(
        "[...document.querySelectorAll('*')].filter((element) => [...element.attributes].some((it) => it.name.startsWith('on'))).length",
    );
    assert_eq!(handlers, 0, "handlers in attributes");
}

fn it_says_what_it_is(browser: &Browser) {
    assert_eq!(
        browser.value::<String>("document.documentElement.lang"),
        "en"
    );
    let title: String = browser.value("document.title");
    assert!(title.contains("sudoku-batch"), "{title}");
    nothing(browser, "headingsOutOfOrder()");
    nothing(browser, "idsTwice()");
}

fn it_can_be_heard(browser: &Browser) {
    nothing(browser, "tablesWithoutName()");
    nothing(browser, "headsWithoutScope()");
    nothing(browser, "picturesWithoutWords()");
    nothing(browser, "controlsWithoutName()");
}

/// Checks the background color, and the contrast of every text.
pub fn seen_in_light_and_dark(browser: &Browser) {
    for (scheme, range) in [("light", 0.8..=1.0), ("dark", 0.0..=0.05)] {
        browser.colours(scheme);
        let paper = browser.run(&format!("{SCRIPT}\nreturn paperLuminance();"));
        let paper = paper.as_f64().unwrap();
        assert!(
            range.contains(&paper),
            "{scheme}: paper of luminance {paper}"
        );
        let pale = complaints(browser, "paleTexts()");
        assert_eq!(pale, [""; 0], "{scheme}: contrast below 4.5");
    }
}

fn it_fits_on_a_phone(browser: &Browser) {
    browser.screen(400, "screen");
    nothing(browser, "tooWide()");
    nothing(browser, "outOfReach()");
}

fn it_can_be_printed(browser: &Browser) {
    browser.run(&format!("{SCRIPT}\nwindow.onScreen = essentials();"));
    browser.screen(PAPER, "print");
    nothing(
        browser,
        "onScreen.filter((element) => !isVisible(element)).map(called)",
    );
    nothing(browser, "unprinted()");
    nothing(browser, "cutOff()");
    nothing(browser, "tooWide()");
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
