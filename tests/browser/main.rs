//! The pages as a reader has them: made by the program, opened in Chromium, used with mouse and keys.
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

/// Runs the checks of a page, each by its name, all of them even where one fails; gives the names of
/// those that failed.
macro_rules! failed {
    ($browser:expr, $page:expr, [$($check:path),* $(,)?]) => {
        [$((stringify!($check), catch_unwind(AssertUnwindSafe(|| $check($browser, $page))))),*]
            .into_iter()
            .filter_map(|(name, outcome)| outcome.err().map(|_| name))
            .collect::<Vec<&str>>()
    };
}

/// Whether there is a browser to look with. Says so where there is none, and fails where there must be one.
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
fn the_page_of_watch_reads_by_the_program() {
    if has_browser() {
        let (_program, site) = web::watch(&[]);
        let folder = tempfile::tempdir().unwrap();
        let video = web::video(folder.path());
        web::a_board_before_the_camera_is_solved(&with_camera(&video), &site);
        watching::a_video_of_a_phone_is_played_and_solved_upright();
        watching::a_hint_is_shown_first_where_that_is_asked_for();
        watching::two_pages_read_at_once_each_its_own_board();
    }
}

#[test]
fn the_page_reads_by_itself() {
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
            web::a_dropped_photo_is_solved_where_its_board_lies,
            web::every_step_is_explained,
            web::a_cell_is_corrected_by_hand,
            web::a_photo_is_saved_with_its_truth,
            web::a_refused_camera_leads_to_photos,
            web::it_works_offline,
        ]
    ));
    assert!(failed.is_empty(), "failed: {failed:#?}");
}

#[test]
fn pages_do_in_a_browser_what_they_promise() {
    if !has_browser() {
        return;
    }
    let browser = &Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let of_bench = &bench::page(folder.path());
    let of_recognize = &recognize::page(folder.path());
    let of_train = &train::page(folder.path());
    let of_report = &report::page(folder.path());
    let of_labeling = &labeling::Pages::make(folder.path());
    let mut failed = Vec::new();
    failed.extend(failed!(
        browser,
        of_bench,
        [
            bench::is_sound,
            bench::names_are_shown_as_text,
            bench::a_column_is_sorted_by_a_click,
            bench::a_column_is_sorted_by_keys,
            bench::rows_are_filtered_by_words,
            bench::a_chart_tells_its_values,
            bench::a_hard_puzzle_opens_with_what_each_solver_needed,
            bench::a_run_is_compared_with_its_baseline,
            bench::charts_are_values_on_a_phone,
            bench::names_of_curves_do_not_hide_each_other,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_recognize,
        [
            recognize::is_sound,
            recognize::names_are_shown_as_text,
            recognize::photos_are_filtered_by_status,
            recognize::photos_are_sorted_by_confidence,
            recognize::photos_are_found_by_name,
            recognize::more_photos_are_shown_on_demand,
            correcting::a_board_is_corrected_with_the_mouse,
            correcting::a_board_is_corrected_with_keys_alone,
            correcting::doubtful_cells_are_told,
            correcting::a_right_board_is_confirmed,
            correcting::a_board_fits_on_a_phone,
            correcting::a_board_is_seen_in_light_and_dark,
            correcting::corrections_become_truth,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_train,
        [
            train::is_sound,
            train::every_worst_crop_is_shown_and_named,
            train::hashes_are_short_and_models_have_names,
            train::names_of_curves_do_not_hide_each_other,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_report,
        [
            report::is_sound,
            report::names_are_shown_as_text,
            report::a_run_leads_to_its_page,
        ]
    ));
    failed.extend(failed!(
        browser,
        of_labeling,
        [
            labeling::are_sound,
            labeling::corrections_are_kept_until_somebody_starts_over,
            labeling::corrections_are_loaded_from_a_file,
            labeling::keys_lead_through_what_is_doubtful,
            labeling::eighty_one_cells_are_pasted_and_nothing_else,
            labeling::doubtful_boards_have_a_large_photo_and_others_say_why_not,
            labeling::a_board_that_was_not_found_is_outlined_with_the_mouse,
            labeling::a_board_that_was_not_found_is_outlined_with_keys,
            labeling::a_photo_without_a_board_is_confirmed,
            labeling::crops_board_and_keys_fit_on_a_phone_together,
        ]
    ));
    assert!(failed.is_empty(), "failed: {failed:#?}");
}
