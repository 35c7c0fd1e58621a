//! From the outline of a component to candidate quads.

use imageproc::geometry::{approximate_polygon_dp, arc_length};
use imageproc::point::Point as Vertex;

use crate::vision::quad::{Point, Quad};

/// Returns the convex hull of points, clockwise on the screen from the leftmost one, the upper of
/// two; by Andrew's monotone chain (1979). Points that come row by row are sorted already.
pub(super) fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
    let turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    let chain = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    let leftmost = (0..hull.len()).min_by(|&i, &j| {
        let (a, b) = (hull[i], hull[j]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    });
    hull.rotate_left(leftmost.unwrap_or(0));
    hull
}

/// Area, centroid and spread of a filled polygon.
pub(super) struct Moments {
    pub(super) area: f32,
    pub(super) center: Point,
    /// Determinant of the covariance of its points.
    pub(super) covariance_determinant: f32,
}

impl Moments {
    /// Computes the moments of a polygon that is clockwise on the screen, by Green's theorem;
    /// `None` where it has no area.
    pub(super) fn of(polygon: &[Point]) -> Option<Moments> {
        let origin = polygon.first()?;
        let (mut area, mut first, mut second) = (0.0, [0f64; 2], [0f64; 3]);
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + 1) % polygon.len()];
            let [x, u] = [p, q].map(|p| f64::from(p.x - origin.x));
            let [y, v] = [p, q].map(|p| f64::from(p.y - origin.y));
            let cross = x * v - u * y;
            area += cross / 2.0;
            first[0] += cross * (x + u) / 6.0;
            first[1] += cross * (y + v) / 6.0;
            second[0] += cross * (x * x + x * u + u * u) / 12.0;
            second[1] += cross * (x * v + 2.0 * x * y + 2.0 * u * v + u * y) / 24.0;
            second[2] += cross * (y * y + y * v + v * v) / 12.0;
        }
        if area <= 0.0 {
            return None;
        }
        let [x, y] = first.map(|moment| moment / area);
        let [xx, xy, yy] = second.map(|moment| moment / area);
        let determinant = (xx - x * x) * (yy - y * y) - (xy - x * y).powi(2);
        Some(Moments {
            area: area as f32,
            center: Point {
                x: origin.x + x as f32,
                y: origin.y + y as f32,
            },
            covariance_determinant: determinant as f32,
        })
    }
}

/// Returns candidate quads for a set of points: its hull simplified to four corners (Douglas and
/// Peucker 1973), and the four sides of the hull that add the least area.
pub(super) fn quads_around(points: Vec<Point>) -> Vec<Quad> {
    let hull: Vec<Vertex<f32>> = convex_hull(points)
        .into_iter()
        .map(|p| Vertex::new(p.x, p.y))
        .collect();
    let perimeter = arc_length(&hull, true);
    if hull.len() < 4 || perimeter.is_nan() || perimeter <= 0.0 {
        return Vec::new();
    }
    let mut quads = Vec::new();
    for share in [0.015, 0.03, 0.05, 0.08] {
        let simple = simplified(&hull, share * perimeter);
        if let [a, b, c, d] = simple[..] {
            quads.extend(Quad::new([a, b, c, d].map(point)));
            break;
        }
    }
    let simple = simplified(&hull, 0.006 * perimeter);
    quads.extend(tightest_quad(simple.into_iter().map(point).collect()));
    quads
}

/// Simplifies a closed polygon between two vertices that are far apart, one half after the other: the
/// library's own way of closing a polygon loses its last vertex, which may be a corner.
fn simplified(polygon: &[Vertex<f32>], tolerance: f64) -> Vec<Vertex<f32>> {
    let farthest = |ring: &[Vertex<f32>]| {
        let from = ring[0];
        let distance = |at: &usize| (ring[*at].x - from.x).hypot(ring[*at].y - from.y);
        let farthest = (0..ring.len()).max_by(|a, b| distance(a).total_cmp(&distance(b)));
        farthest.unwrap_or(0)
    };
    let mut ring = polygon.to_vec();
    let first = farthest(&ring);
    ring.rotate_left(first);
    let opposite = farthest(&ring);
    ring.push(ring[0]);
    let mut simple = approximate_polygon_dp(&ring[..=opposite], tolerance, false);
    simple.pop();
    simple.extend(approximate_polygon_dp(&ring[opposite..], tolerance, false));
    simple.pop();
    simple
}

fn point(vertex: Vertex<f32>) -> Point {
    Point {
        x: vertex.x,
        y: vertex.y,
    }
}

/// Reduces a convex polygon to a quad: removes the side that adds the least area, prolonging its
/// neighbours until they meet, until four are left.
pub(super) fn tightest_quad(mut polygon: Vec<Point>) -> Option<Quad> {
    while polygon.len() > 4 {
        let n = polygon.len();
        let (_, side, corner) = (0..n)
            .filter_map(|i| {
                let [a, b, c, d] = [n - 1, 0, 1, 2].map(|k| polygon[(i + k) % n]);
                let (rx, ry) = (b.x - a.x, b.y - a.y);
                let (sx, sy) = (c.x - d.x, c.y - d.y);
                let turn = rx * sy - ry * sx;
                let t = ((d.x - a.x) * sy - (d.y - a.y) * sx) / turn;
                if !t.is_finite() || t < 1.0 {
                    return None;
                }
                let corner = Point {
                    x: a.x + t * rx,
                    y: a.y + t * ry,
                };
                let twice = (corner.x - b.x) * (c.y - b.y) - (corner.y - b.y) * (c.x - b.x);
                Some((twice.abs(), i, corner))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        polygon[side] = corner;
        polygon.remove((side + 1) % n);
    }
    let corners: [Point; 4] = polygon.try_into().ok()?;
    Quad::new(corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points() -> impl Strategy<Value = Vec<Point>> {
        let point = (0u8..40, 0u8..40).prop_map(|(x, y)| Point {
            x: f32::from(x),
            y: f32::from(y),
        });
        prop::collection::vec(point, 3..40)
    }

    proptest! {
        #[test]
        fn a_hull_is_convex_and_contains_every_point(points in points()) {
            let hull = convex_hull(points.clone());
            for (i, a) in hull.iter().enumerate() {
                let b = hull[(i + 1) % hull.len()];
                for p in &points {
                    let side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
                    prop_assert!(side >= 0.0, "{p:?} is outside {a:?} to {b:?}");
                }
            }
        }

        #[test]
        fn the_moments_of_a_rectangle_match_the_closed_form(
            (x, y) in (-50f32..50.0, -50f32..50.0),
            (width, height) in (1f32..60.0, 1f32..60.0),
        ) {
            let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
            let moments = Moments::of(&corners.map(|(u, v)| Point { x: x + u, y: y + v })).unwrap();
            let spread = (width * height / 12.0).powi(2);
            prop_assert!((moments.area - width * height).abs() < 1e-3 * moments.area);
            prop_assert!((moments.center.x - x - width / 2.0).abs() < 1e-3);
            prop_assert!((moments.center.y - y - height / 2.0).abs() < 1e-3);
            prop_assert!((moments.covariance_determinant - spread).abs() < 1e-2 * spread);
        }

        #[test]
        fn a_quad_is_its_own_outline(
            corners in proptest::array::uniform8(0f32..15.0),
            along in prop::collection::vec((0usize..4, 0.1f32..0.9), 0..20),
        ) {
            let [a, b, c, d, e, f, g, h] = corners;
            let corners = [(a, b), (60.0 + c, d), (60.0 + e, 60.0 + f), (g, 60.0 + h)];
            let corners = corners.map(|(x, y)| Point { x, y });
            let mut points = corners.to_vec();
            points.extend(along.into_iter().map(|(side, share)| {
                let (from, to) = (corners[side], corners[(side + 1) % 4]);
                Point { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }
            }));
            let quads = quads_around(points);
            prop_assert!(!quads.is_empty());
            for quad in quads {
                for corner in corners {
                    let near = |it: &Point| (it.x - corner.x).hypot(it.y - corner.y) < 5.0;
                    prop_assert!(quad.corners().iter().any(near), "{quad:?} of {corners:?}");
                }
            }
        }
    }
}
