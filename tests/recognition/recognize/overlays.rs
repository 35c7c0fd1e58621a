//! Overlays: what is drawn into the boards of a photo.

use image::{ImageFormat, Rgb, RgbImage, imageops};
use sudoku_batch::reader::Status;

use super::Run;
use crate::common::{PUZZLES, board, board_png, encoded};

#[test]
fn an_overlay_draws_in_blanks_and_leaves_givens_unchanged() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(photos.path().join("0.png"), board_png(PUZZLES[0])).unwrap();
    let mut run = Run::new(photos.path(), out.path());
    run.overlays = true;
    run.run();
    let overlay = image::open(out.path().join("overlays/0.jpg"))
        .unwrap()
        .into_rgb8();
    let photo = board(PUZZLES[0]);
    assert_eq!(overlay.dimensions(), photo.dimensions());
    for (index, given) in PUZZLES[0].chars().enumerate() {
        let (x, y) = (60 + 48 * (index as u32 % 9), 60 + 48 * (index as u32 / 9));
        let inside = (6..42).flat_map(|dx| (6..42).map(move |dy| (x + dx, y + dy)));
        let changed = inside.filter(|&(x, y)| {
            let (a, b) = (overlay.get_pixel(x, y).0, photo.get_pixel(x, y).0);
            a.into_iter().zip(b).any(|(a, b)| a.abs_diff(b) > 90)
        });
        let changed = changed.count();
        let blank = given == '.';
        assert_eq!(changed > 30, blank, "cell {index}: {changed} pixels");
    }
}

#[test]
fn a_board_in_doubt_beside_another_has_an_orange_outline_and_no_solution() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (left, right) = (board(PUZZLES[0]), board(PUZZLES[1]));
    let (width, height) = left.dimensions();
    let mut pair = RgbImage::new(2 * width, height);
    imageops::replace(&mut pair, &left, 0, 0);
    imageops::replace(&mut pair, &right, i64::from(width), 0);
    std::fs::write(photos.path().join("0.png"), encoded(pair, ImageFormat::Png)).unwrap();
    let mut run = Run::new(photos.path(), out.path());
    run.overlays = true;
    run.config.reader.trust.max_risk_beside = 0.0;
    let batch = run.run();
    let statuses: Vec<Status> = batch.results[0]
        .records
        .iter()
        .map(|it| it.status)
        .collect();
    let doubtful = statuses.iter().position(|&it| it == Status::Uncertain);
    let doubtful = doubtful.expect("no board is surer than sure") as u32;
    assert_eq!(statuses[1 - doubtful as usize], Status::Solved);
    let overlay = image::open(out.path().join("overlays/0.jpg"))
        .unwrap()
        .into_rgb8();
    let count = |half: u32, is: fn([u8; 3]) -> bool| {
        let half = imageops::crop_imm(&overlay, half * width, 0, width, height).to_image();
        half.pixels().filter(|pixel| is(pixel.0)).count()
    };
    let orange = |[r, _, b]: [u8; 3]| r > b.saturating_add(100);
    let blue = |[r, _, b]: [u8; 3]| b > r.saturating_add(60);
    assert!(count(doubtful, orange) > 1_000);
    assert_eq!(count(doubtful, blue), 0);
    assert!(count(1 - doubtful, blue) > 1_000);
    assert_eq!(count(1 - doubtful, orange), 0);
}

#[test]
fn a_picture_too_large_for_colour_gets_a_gray_overlay() {
    let (photos, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let side = 8_100;
    let large = imageops::resize(
        &board(PUZZLES[0]),
        side,
        side,
        imageops::FilterType::Nearest,
    );
    std::fs::write(
        photos.path().join("0.jpg"),
        encoded(large, ImageFormat::Jpeg),
    )
    .unwrap();
    let mut run = Run::new(photos.path(), out.path());
    assert!(u64::from(side).pow(2) > run.config.photo.max_color_pixels);
    run.overlays = true;
    let batch = run.run();
    assert_eq!(batch.results[0].records[0].status, Status::Solved);
    let overlay = image::open(out.path().join("overlays/0.jpg"))
        .unwrap()
        .into_rgb8();
    assert_eq!(overlay.dimensions(), (1600, 1600));
    let blue = |pixel: &&Rgb<u8>| pixel.0[2] > pixel.0[0].saturating_add(60);
    assert!(overlay.pixels().filter(blue).count() > 5_000);
    // A photo without a board has one, too, in gray.
    let blank = image::GrayImage::from_pixel(side, side, image::Luma([90]));
    std::fs::write(
        photos.path().join("0.jpg"),
        encoded(blank, ImageFormat::Jpeg),
    )
    .unwrap();
    let batch = run.run();
    assert_eq!(batch.results[0].records[0].status, Status::NoGrid);
    let large = batch.results[0].large.as_ref().unwrap();
    assert_eq!((large.width, large.height), (side, side));
    assert!(out.path().join(&large.file).is_file());
}
