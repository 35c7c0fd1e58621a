//! Squares of dense ink: possible boards whose lines are too close together in the copy that is
//! searched.

use image::GrayImage;
use imageproc::rect::Rect;

use super::components::{Component, Components, Touch};
use super::detector::{DetectConfig, Polarity};
use super::search::working_copy;
use super::threshold::{Level, Means, Threshold};

/// Returns the bounds of connected ink, its small gaps closed, where they are nearly square: first
/// of plain ink, then of all that is a little darker than its surroundings, as a small board is
/// whose lines are faint; the largest first.
pub(super) fn squares(luma: &GrayImage, config: &DetectConfig) -> Vec<Rect> {
    let Some(working) = working_copy(luma, config) else {
        return Vec::new();
    };
    let scale = luma.width() as f32 / working.width() as f32;
    let shortest = working.width().min(working.height()) as f32;
    let means = Means::new(&working);
    let levels = means.levels();
    let of = |threshold| levels.of(Polarity::DarkOnLight, threshold);
    let dense = Level {
        offset: of(Threshold::Faint).offset,
        ..of(Threshold::Wide)
    };
    let sides = config.square_sides.map(|share| share * shortest);
    let is_square = |it: &&Component| {
        let (width, height) = (it.width() as f32, it.height() as f32);
        let (short, long) = (width.min(height), width.max(height));
        short >= sides[0] && long <= sides[1] && short >= 0.75 * long
    };
    let mut squares: Vec<Rect> = Vec::new();
    for level in [of(Threshold::Closed), dense] {
        let ink = means.ink(level.radius, level.offset, Polarity::DarkOnLight);
        let ink = Components::of(&ink.closed(), Touch::Corners);
        let found = ink.all().iter().filter(is_square).map(|it| {
            let [left, top, width, height] = [it.left, it.top, it.width(), it.height()]
                .map(|length| (length as f32 * scale) as u32);
            Rect::at(left as i32, top as i32).of_size(width.max(1), height.max(1))
        });
        let is_new = |it: &Rect| !squares.iter().any(|known| is_same(known, it));
        let mut new: Vec<Rect> = found.filter(is_new).collect();
        new.sort_by_key(|it| std::cmp::Reverse(it.width() * it.height()));
        squares.extend(new);
    }
    squares.truncate(config.max_squares);
    squares
}

/// Returns whether two squares are nearly the same: most of both is in their intersection.
fn is_same(a: &Rect, b: &Rect) -> bool {
    let area = |it: &Rect| it.width() * it.height();
    a.intersect(*b)
        .is_some_and(|both| 2 * area(&both) > area(a).max(area(b)))
}
