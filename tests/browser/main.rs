//! End-to-end tests of the pages: made by the program, opened in Chromium, used with mouse and keys.
//!
//! Needs Debian's `chromium` and `chromium-driver`; without them the test is skipped, unless
//! `SUDOKU_BATCH_BROWSER=required` is set.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub
)]

mod bench;
mod browser;
mod correcting;
#[path = "../common/ffmpeg.rs"]
mod ffmpeg;
mod labeling;
#[path = "../common/program.rs"]
mod program;
mod recognize;
mod report;
mod sound;
mod train;
#[path = "../common/turned.rs"]
mod turned;
mod watching;
mod web;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use browser::Browser;

/// Runs all named checks of a page, even if one fails; returns the names of
/// those that failed.
macro_rules! failed {
    ($browser:expr, $page:expr, [$($check:path),* $(,)?]) => {
        [$((stringify!($check), catch_unwind(AssertUnwindSafe(|| $check($browser, $page))))),*]
            .into_iter()
            .filter_map(|(name, outcome)| outcome.err().map(|_| name))
            .collect::<Vec<&str>>()
    };
}

/// Whether there is a browser. Prints a note if not, and fails if one is required.
fn has_browser() -> bool {
    let is_installed = Browser::is_installed();
    if !is_installed {
        let is_required = std::env::var("SUDOKU_BATCH_BROWSER").is_ok_and(|it| it == "required");
        let missing = "chromium and chromium-driver are not installed";
        assert!(!is_required, "{missing}");
        println!("skipped: {missing}");
    }
    is_installed
}

/// A browser whose camera shows this video.
fn with_camera(video: &Path) -> Browser {
    let video = format!("--use-file-for-fake-video-capture={}", video.display());
    let fake = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
    ];
    Browser::start_with(&[fake[0], fake[1], &video])
}

#[test]
fn the_page_of_watch_reads_with_the_program() {
    if has_browser() {
        let (_program, site) = web::watch(&[]);
        let folder = tempfile::tempdir().unwrap();
        let video = web::video(folder.path());
        web::a_board_before_the_camera_is_solved(&with_camera(&video), &site);
        watching::a_phone_video_is_played_and_solved_upright();
        watching::a_hint_is_shown_first_if_requested();
        watching::two_pages_read_their_own_boards_at_once();
    }
}

#[test]
fn the_static_page_reads_with_webassembly() {
    let Some(page) = web::folder() else {
        println!("skipped: SUDOKU_BATCH_WEB does not name the folder that web/build makes");
        return;
    };
    if !has_browser() {
        return;
    }
    let site = &web::Site::serve(&page);
    let folder = tempfile::tempdir().unwrap();
    let video = web::video(folder.path());
    web::a_board_before_the_camera_is_solved(&with_camera(&video), site);
    let mut failed = Vec::new();
    let browser = &Browser::start();
    failed.extend(failed!(
        browser,
        site,
        [
            web::is_sound,
            web::a_dropped_photo_gets_its_solution_on_the_board,
            web::every_step_is_explained,
            web::a_cell_is_corrected_by_hand,
            web::a_photo_is_saved_with_its_ground_truth,
            web::without_a_camera_the_page_asks_for_photos,
            web::works_offline,
        ]
    ));
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[test]
fn pages_work_in_a_browser() {
    if !has_browser() {
        return;
    }
    let browser = &Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let of_bench = &bench::page(folder.path());
    let of_recognize = &recognize::page(folder.path());
    let of_train = &train::page(folder.path());
    let of_report = &report::page(folder.path());
    let mut failed = Vec::new();
    failed.extend(failed!(
        browser,
        of_bench,
        [
            bench::is_sound,
            bench::names_are_escaped,
            bench::a_column_is_sorted_by_a_click,
            bench::a_column_is_sorted_by_keys,
            bench::rows_are_filtered_by_words,
            bench::a_chart_shows_its_values,
            bench::a_hard_puzzle_expands_to_the_effort_of_each_solver,
            bench::a_run_is_compared_with_its_baseline,
            bench::charts_are_values_on_a_phone,
            bench::curve_labels_do_not_overlap,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_recognize,
        [
            recognize::is_sound,
            recognize::names_are_escaped,
            recognize::photos_are_filtered_by_status,
            recognize::photos_are_sorted_by_confidence,
            recognize::photos_are_found_by_name,
            recognize::more_photos_are_shown_on_demand,
            correcting::a_board_is_corrected_with_the_mouse,
            correcting::a_board_is_corrected_with_keys_alone,
            correcting::doubtful_cells_are_listed,
            correcting::a_correct_board_is_confirmed,
            correcting::a_board_fits_on_a_phone,
            correcting::a_board_is_seen_in_light_and_dark,
            correcting::corrections_become_ground_truth,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_train,
        [
            train::is_sound,
            train::every_worst_crop_is_shown_and_named,
            train::hashes_are_short_and_models_have_names,
            train::curve_labels_do_not_overlap,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_report,
        [
            report::is_sound,
            report::names_are_escaped,
            report::a_run_links_to_its_page,
        ]
    ));
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[test]
fn boards_are_labeled_in_a_browser() {
    if !has_browser() {
        return;
    }
    let browser = &Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let of_labeling = &labeling::Pages::make(folder.path());
    let mut failed = Vec::new();
    failed.extend(failed!(
        browser,
        of_labeling,
        [
            labeling::are_sound,
            labeling::corrections_are_stored_until_reset,
            labeling::corrections_are_loaded_from_a_file,
            labeling::keys_step_through_doubtful_cells,
            labeling::only_81_cells_can_be_pasted,
            labeling::doubtful_boards_have_a_large_photo_and_others_a_reason,
            labeling::a_board_that_was_not_found_is_outlined_with_the_mouse,
            labeling::a_board_that_was_not_found_is_outlined_with_keys,
            labeling::a_photo_without_a_board_is_confirmed,
            labeling::crops_board_and_keys_fit_on_a_phone,
        ]
    ));
    assert!(failed.is_empty(), "failed: {failed:#?}");
}
