//! Points and convex quadrilaterals in pixel coordinates.

/// A place in an image, in pixels: x to the right, y down, `(0, 0)` the top left corner of the top
/// left pixel (whose centre is at `(0.5, 0.5)`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f32,
    /// Pixels from the top edge.
    pub y: f32,
}

/// Four corners, clockwise on the screen; convex, finite, with an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad([Point; 4]);

impl Quad {
    /// The quad of these corners, if they are finite and convex. Corners that run counterclockwise
    /// are reversed; the first corner stays the first.
    pub fn new(corners: [Point; 4]) -> Option<Quad> {
        let turn = |i: usize| {
            let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % 4]);
            (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
        };
        let turns = [0, 1, 2, 3].map(turn);
        if turns.iter().all(|&turn| turn > 0.0 && turn.is_finite()) {
            Some(Quad(corners))
        } else if turns.iter().all(|&turn| turn < 0.0 && turn.is_finite()) {
            let [a, b, c, d] = corners;
            Some(Quad([a, d, c, b]))
        } else {
            None
        }
    }

    /// The corners, clockwise.
    pub const fn corners(&self) -> [Point; 4] {
        self.0
    }

    /// Area in square pixels.
    pub fn area(&self) -> f32 {
        let [a, b, c, d] = self.0;
        ((c.x - a.x) * (d.y - b.y) - (d.x - b.x) * (c.y - a.y)).abs() / 2.0
    }
}
