//! Digits as a pen writes them: strokes of constant width with round ends, sharp at any size.

use std::sync::LazyLock;

use crate::grid::Digit;

type Stroke = Vec<(f32, f32)>;

/// The strokes of each digit in a unit cell, y down, flattened to short lines.
static STROKES: LazyLock<[Vec<Stroke>; 9]> = LazyLock::new(|| {
    [
        vec![vec![(0.39, 0.34), (0.54, 0.20), (0.54, 0.80)]],
        vec![
            [
                arc((0.50, 0.38), (0.19, 0.18), 195.0, 400.0),
                vec![(0.31, 0.80), (0.70, 0.80)],
            ]
            .concat(),
        ],
        vec![
            [
                arc((0.48, 0.345), (0.18, 0.145), 205.0, 450.0),
                arc((0.48, 0.645), (0.20, 0.155), 270.0, 515.0),
            ]
            .concat(),
        ],
        vec![vec![(0.58, 0.80), (0.58, 0.20), (0.29, 0.62), (0.72, 0.62)]],
        vec![
            [
                vec![(0.66, 0.20), (0.38, 0.20), (0.35, 0.46)],
                arc((0.49, 0.61), (0.195, 0.19), 240.0, 500.0),
            ]
            .concat(),
        ],
        vec![
            curve([(0.62, 0.20), (0.46, 0.23), (0.31, 0.42), (0.31, 0.61)]),
            arc((0.50, 0.61), (0.19, 0.19), 0.0, 360.0),
        ],
        vec![vec![(0.31, 0.20), (0.70, 0.20), (0.44, 0.80)]],
        vec![
            arc((0.50, 0.345), (0.165, 0.145), 0.0, 360.0),
            arc((0.50, 0.645), (0.195, 0.155), 0.0, 360.0),
        ],
        vec![
            arc((0.50, 0.39), (0.19, 0.19), 0.0, 360.0),
            curve([(0.69, 0.39), (0.69, 0.58), (0.54, 0.77), (0.38, 0.80)]),
        ],
    ]
});

/// Distance from `(x, y)` in a unit cell to the middle of the digit's stroke, in cells.
pub(super) fn distance(digit: Digit, x: f32, y: f32) -> f32 {
    let squared = STROKES[digit.index()]
        .iter()
        .flat_map(|stroke| stroke.windows(2))
        .map(|ends| squared_distance((x, y), ends[0], ends[1]))
        .fold(f32::INFINITY, f32::min);
    squared.sqrt()
}

/// Squared distance from a point to the line between two others.
pub(super) fn squared_distance(p: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (abx, aby) = (b.0 - a.0, b.1 - a.1);
    let (apx, apy) = (p.0 - a.0, p.1 - a.1);
    let length = abx * abx + aby * aby;
    let along = if length > 0.0 {
        ((apx * abx + apy * aby) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (apx - along * abx).powi(2) + (apy - along * aby).powi(2)
}

/// Part of an ellipse, clockwise on the screen, angles in degrees from the right.
fn arc(center: (f32, f32), radius: (f32, f32), from: f32, to: f32) -> Stroke {
    (0..=20)
        .map(|i| (from + (to - from) * i as f32 / 20.0).to_radians())
        .map(|angle| {
            (
                center.0 + radius.0 * angle.cos(),
                center.1 + radius.1 * angle.sin(),
            )
        })
        .collect()
}

/// A cubic Bézier curve.
fn curve([a, b, c, d]: [(f32, f32); 4]) -> Stroke {
    let mix = |a: f32, b: f32, c: f32, d: f32, t: f32| {
        let s = 1.0 - t;
        s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
    };
    (0..=12)
        .map(|i| i as f32 / 12.0)
        .map(|t| (mix(a.0, b.0, c.0, d.0, t), mix(a.1, b.1, c.1, d.1, t)))
        .collect()
}
