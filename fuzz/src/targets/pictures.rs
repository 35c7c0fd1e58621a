//! Untrusted photos, videos and documents.

use std::fs;
use std::io::Cursor;
use std::sync::LazyLock;

use image::RgbImage;
use sudoku_batch::frames::{Ffmpeg, Video, is_animation};
use sudoku_batch::pages::{Document, is_document};
use sudoku_batch::vision::{
    Backend, Board, DecodedPhoto, DetectConfig, GridDetector, LocateConfig, Photo, PhotoConfig,
    locate,
};

use crate::folder::Folder;

/// Largest number of pixels of a photo: larger ones are refused by their header, so an input takes milliseconds.
const PIXELS: u64 = 1 << 18;
/// Number of frames and pages that are read.
const FRAMES: usize = 6;
/// Side of the picture in colour.
const COLOR_SIDE: u32 = 64;

static DETECTOR: LazyLock<Box<dyn GridDetector>> = LazyLock::new(|| {
    let detector = Backend::BuiltIn.detector(&DetectConfig::default());
    detector.expect("the built-in detector is always there")
});

/// The settings for opening photos.
pub(super) fn small() -> PhotoConfig {
    PhotoConfig {
        reading_side: 400,
        max_luma_pixels: PIXELS,
        max_color_pixels: PIXELS,
        ..PhotoConfig::default()
    }
}

/// Opens a photo, finds its boards and cuts their cells, including alternatives for each place.
pub fn photo(data: &[u8]) {
    let config = small();
    if let Ok(decoded) = DecodedPhoto::from_bytes(data, &config) {
        let color = decoded.color(Some(COLOR_SIDE));
        let longest = color.width().max(color.height());
        assert!((1..=COLOR_SIDE).contains(&longest), "{longest}");
    }
    let Ok(photo) = Photo::from_bytes(data, &config) else {
        return;
    };
    let (width, height) = photo.luma().dimensions();
    let longest = width.max(height);
    assert!(width > 0 && height > 0 && longest <= config.reading_side);
    let limits = LocateConfig::default();
    let boards = locate(&photo, &**DETECTOR, &limits).expect("the built-in detector has no errors");
    for board in &boards {
        check(board);
        let others = board.alternatives.iter().take(2);
        others
            .filter_map(|other| other.board(&photo, &limits))
            .for_each(|other| check(&other));
    }
}

fn check(board: &Board) {
    assert!(board.score.is_finite(), "{}", board.score);
    assert!(board.lattice.corners().area() > 0.0);
    let contrasts = board.crops.iter().map(|(_, crop)| crop.board_contrast);
    assert!(contrasts.into_iter().all(|it| (0.0..=255.0).contains(&it)));
}

/// Reads frames of a video as programs pipe them, and of an animated picture.
pub fn video(data: &[u8]) {
    if let Ok(video) = Video::from_y4m(Cursor::new(data.to_vec())) {
        frames(video);
    }
    // Everything else is decoded by an external program.
    if is_animation(data) {
        let folder = Folder::new();
        let path = folder.at("moving");
        fs::write(&path, data).expect("temporary files can be written");
        if let Ok(video) = Video::open(&path, &Ffmpeg::default()) {
            frames(video);
        }
    }
}

fn frames(mut video: Video) {
    let (width, height) = video.size();
    let (rate, scale) = video.rate();
    assert!(rate > 0 && scale > 0);
    let mut before = -1.0;
    for number in 0..FRAMES as u64 {
        let Ok(Some(mut frame)) = video.next_frame() else {
            return;
        };
        assert_eq!(frame.number, number);
        assert!(frame.time >= before, "{} after {before}", frame.time);
        before = frame.time;
        if u64::from(width) * u64::from(height) <= PIXELS {
            let mut canvas = RgbImage::new(width, height);
            frame.draw(&mut canvas, 0..width, 0..height, |canvas| canvas.fill(7));
        }
        assert_eq!(frame.into_luma().dimensions(), (width, height));
    }
}

/// Draws the first pages of a document, and opens them as photos.
pub fn pages(data: &[u8]) {
    if !is_document(&mut Cursor::new(data)).expect("memory can be read") {
        return;
    }
    let Ok(document) = Document::open(data.to_vec()) else {
        return;
    };
    for number in 1..=document.pages().min(2) {
        if let Ok(picture) = document.picture(number, PIXELS) {
            // A page is rendered at a large size, whatever its content.
            let _ = Photo::from_bytes(&picture, &PhotoConfig::default());
        }
    }
    assert!(document.picture(document.pages() + 1, PIXELS).is_err());
}
