//! Squares of dense ink: possible boards whose lines are too close together in the copy that is
//! searched.

use image::GrayImage;
use imageproc::rect::Rect;

use super::components::{Components, Touch};
use super::detector::{DetectConfig, Polarity};
use super::search::working_copy;
use super::threshold::{Means, Threshold};

/// Returns the bounds of connected ink, its small gaps closed, where they are nearly square; the
/// largest first.
pub(super) fn squares(luma: &GrayImage, config: &DetectConfig) -> Vec<Rect> {
    let Some(working) = working_copy(luma, config) else {
        return Vec::new();
    };
    let scale = luma.width() as f32 / working.width() as f32;
    let shortest = working.width().min(working.height()) as f32;
    let means = Means::new(&working);
    let level = means.levels().of(Polarity::DarkOnLight, Threshold::Closed);
    let ink = means.ink(level.radius, level.offset, Polarity::DarkOnLight);
    let ink = Components::of(&ink.closed(), Touch::Corners);
    let sides = config.square_sides.map(|share| share * shortest);
    let mut squares: Vec<Rect> = ink
        .all()
        .iter()
        .filter(|it| {
            let (width, height) = (it.width() as f32, it.height() as f32);
            let (short, long) = (width.min(height), width.max(height));
            short >= sides[0] && long <= sides[1] && short >= 0.75 * long
        })
        .map(|it| {
            let [left, top, width, height] = [it.left, it.top, it.width(), it.height()]
                .map(|length| (length as f32 * scale) as u32);
            Rect::at(left as i32, top as i32).of_size(width.max(1), height.max(1))
        })
        .collect();
    squares.sort_by_key(|it| std::cmp::Reverse(it.width() * it.height()));
    squares.truncate(config.max_squares);
    squares
}
