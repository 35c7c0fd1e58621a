//! From the outline of a component to the quads it may be.

use imageproc::geometry::{approximate_polygon_dp, arc_length, convex_hull};
use imageproc::point::Point as Vertex;

use crate::vision::quad::{Point, Quad};

/// The quads that a set of points may be the outline of: its hull simplified to four corners
/// (Douglas and Peucker 1973), and the four sides of the hull that enclose the least more area.
pub(super) fn quads_around(points: &[Point]) -> Vec<Quad> {
    let vertices: Vec<Vertex<f32>> = points.iter().map(|p| Vertex::new(p.x, p.y)).collect();
    if vertices.len() < 4 {
        return Vec::new();
    }
    let hull = convex_hull(vertices);
    let perimeter = arc_length(&hull, true);
    if hull.len() < 4 || perimeter.is_nan() || perimeter <= 0.0 {
        return Vec::new();
    }
    let mut quads = Vec::new();
    for share in [0.015, 0.03, 0.05, 0.08] {
        let simple = approximate_polygon_dp(&hull, share * perimeter, true);
        if let [a, b, c, d] = simple[..] {
            quads.extend(Quad::new([a, b, c, d].map(point)));
            break;
        }
    }
    let simple = approximate_polygon_dp(&hull, 0.006 * perimeter, true);
    quads.extend(tightest_quad(simple.into_iter().map(point).collect()));
    quads
}

fn point(vertex: Vertex<f32>) -> Point {
    Point {
        x: vertex.x,
        y: vertex.y,
    }
}

/// Removes one side at a time from a convex polygon, prolonging its neighbours until they meet:
/// each time the side that adds the least area, until four are left.
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
