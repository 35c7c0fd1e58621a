//! The page of `watch`: videos instead of a camera, starting with a hint, several pages at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::BASE64;

use super::browser::Browser;
use super::ffmpeg::has_ffmpeg;
use super::turned::turned_video;
use super::web::{blanks, cells, drawn, drop_photo, open, photo, solution_of, until_read, watch};
use super::with_camera;

fn videos() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/videos")
}

/// The puzzle in the example video.
fn book() -> String {
    let truth = fs::read_to_string(videos().join("book.txt")).unwrap();
    truth.trim().to_owned()
}

/// The picture that is shown while the page is frozen.
fn frozen(browser: &Browser) -> Vec<u8> {
    let picture: String =
        browser.value("document.querySelector('#still').toDataURL('image/png').split(',')[1]");
    BASE64.decode(picture.as_bytes()).unwrap()
}

/// Checks that digits are drawn in the blanks of the example video, as far as the current frame shows them: in some
/// frames a hand hides part of the board.
fn digits_are_in_their_cells(browser: &Browser) {
    let drawn = drawn(browser, &frozen(browser));
    let blanks = blanks(&book());
    let right = drawn.iter().zip(&blanks).filter(|(a, b)| a == b).count();
    assert!(right >= 72, "{right} cells");
}

pub fn a_phone_video_is_played_and_solved_upright() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let video = turned_video(folder.path());
    let (_program, site) = watch(&[video.to_str().unwrap()]);
    let browser = &Browser::start();
    open(browser, &site);
    browser.click("#start");
    until_read(browser);
    assert_eq!(cells(browser), solution_of(&book()));
    let size: [u32; 2] = browser
        .value("((it) => [it.videoWidth, it.videoHeight])(document.querySelector('#video'))");
    assert_eq!(size, [480, 640], "it stands upright");
    browser.click("#freeze");
    browser.until("document.querySelector('#status').textContent === 'Board read.'");
    digits_are_in_their_cells(browser);
}

pub fn a_hint_is_shown_first_if_requested() {
    let (_program, site) = watch(&["--hint"]);
    let browser = &Browser::start();
    open(browser, &site);
    let (bytes, truth) = photo();
    drop_photo(browser, &bytes);
    let hint = sudoku_batch::live::hint(&truth).unwrap().step.unwrap();
    let cell = hint.place.unwrap().cell;
    let only: Vec<bool> = (0..81).map(|it| it == cell).collect();
    assert_eq!(drawn(browser, &bytes), only);
    let note = browser.text("#note");
    assert_eq!(note, format!("{}. {}", hint.notation, hint.text));
}

/// A browser whose camera shows the example video.
fn with_book(folder: &Path) -> Browser {
    let camera = folder.join("book.y4m");
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-i"])
        .arg(videos().join("book.mp4"))
        .args(["-t", "1", "-pix_fmt", "yuv420p"])
        .arg(&camera)
        .status();
    assert!(status.unwrap().success());
    with_camera(&camera)
}

pub fn two_pages_read_their_own_boards_at_once() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_program, site) = watch(&[]);
    let one = &with_camera(&super::web::video(folder.path()));
    let other = &with_book(folder.path());
    let boards = [photo().1, book()];
    for browser in [one, other] {
        open(browser, &site);
        browser.click("#start");
    }
    for (browser, board) in [one, other].into_iter().zip(&boards) {
        until_read(browser);
        assert_eq!(cells(browser), solution_of(board));
    }
    one.click("input[value=givens]");
    other.click("#freeze");
    other.until("document.querySelector('#status').textContent === 'Board read.'");
    assert_eq!(cells(one), boards[0]);
    assert_eq!(cells(other), solution_of(&boards[1]));
    digits_are_in_their_cells(other);
}
