//! Plane projective maps between two images of a plane.

use nalgebra::{SMatrix, SVector};

use super::quad::{Point, Quad};

/// Pivots of the normalized equations below this count as 0: the points lie on a line.
const LEAST_PIVOT: f64 = 1e-12;

/// A projective map of the plane, kept as the 3 x 3 matrix that acts on `(x, y, 1)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography([f64; 9]);

impl Homography {
    /// Returns the map that takes the corners of `from` to the corners of `to`, in their order;
    /// `None` where they are degenerate.
    pub fn between(from: &Quad, to: &Quad) -> Option<Homography> {
        let pairs = from.corners().into_iter().zip(to.corners());
        Homography::fit(pairs.map(|(from, to)| (from, to, 1.0)))
    }

    /// Returns the least-squares map of weighted pairs `(from, to, weight)` by the direct linear
    /// transform, both sides normalized after Hartley (1997). `None` for fewer than four pairs, or
    /// for pairs on a line.
    pub fn fit(pairs: impl Iterator<Item = (Point, Point, f32)> + Clone) -> Option<Homography> {
        if pairs.clone().filter(|pair| pair.2 > 0.0).count() < 4 {
            return None;
        }
        let source = Normalizer::of(pairs.clone().map(|(from, _, weight)| (from, weight)))?;
        let target = Normalizer::of(pairs.clone().map(|(_, to, weight)| (to, weight)))?;
        let mut normal = SMatrix::<f64, 8, 8>::zeros();
        let mut right = SVector::<f64, 8>::zeros();
        for (from, to, weight) in pairs {
            let weight = f64::from(weight);
            let (x, y) = source.apply(from);
            let (u, v) = target.apply(to);
            for (row, value) in [
                ([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], u),
                ([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y], v),
            ] {
                let row = SVector::from(row);
                normal.ger(weight, &row, &row, 1.0);
                right.axpy(weight * value, &row, 1.0);
            }
        }
        let lu = normal.lu();
        let is_regular = |pivot: &f64| pivot.abs() >= LEAST_PIVOT && pivot.is_finite();
        if !lu.u().diagonal().iter().all(is_regular) {
            return None;
        }
        let h = lu.solve(&right)?;
        let fitted = Homography([h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0]);
        Some(target.inverse().after(&fitted.after(&source.matrix())))
    }

    /// Returns the image of a point; infinite or NaN for points on the horizon.
    #[inline]
    pub fn apply(&self, point: Point) -> Point {
        let m = &self.0;
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let w = m[6] * x + m[7] * y + m[8];
        Point {
            x: ((m[0] * x + m[1] * y + m[2]) / w) as f32,
            y: ((m[3] * x + m[4] * y + m[5]) / w) as f32,
        }
    }

    /// Returns the image of a quad, if it stays convex.
    pub fn apply_quad(&self, quad: &Quad) -> Option<Quad> {
        Quad::new(quad.corners().map(|corner| self.apply(corner)))
    }

    /// Returns the inverse map; `None` for a singular one.
    pub fn inverse(&self) -> Option<Homography> {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        if !determinant.is_normal() {
            return None;
        }
        let adjugate = [
            e * i - f * h,
            c * h - b * i,
            b * f - c * e,
            f * g - d * i,
            a * i - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        Some(Homography(adjugate.map(|value| value / determinant)))
    }

    /// Returns the composition: `first`, then this map.
    pub fn after(&self, first: &Homography) -> Homography {
        let (a, b) = (&self.0, &first.0);
        Homography(std::array::from_fn(|i| {
            (0..3).map(|k| a[i / 3 * 3 + k] * b[k * 3 + i % 3]).sum()
        }))
    }

    /// Returns the matrix, row by row.
    pub const fn matrix(&self) -> [f64; 9] {
        self.0
    }
}

/// Moves the centroid of points to the origin and their mean distance to the square root of two.
struct Normalizer {
    x: f64,
    y: f64,
    scale: f64,
}

impl Normalizer {
    fn of(points: impl Iterator<Item = (Point, f32)> + Clone) -> Option<Normalizer> {
        let total: f64 = points.clone().map(|(_, weight)| f64::from(weight)).sum();
        let mean = |value: fn(Point) -> f32| {
            let sum: f64 = points
                .clone()
                .map(|(point, weight)| f64::from(value(point)) * f64::from(weight))
                .sum();
            sum / total
        };
        let (x, y) = (mean(|p| p.x), mean(|p| p.y));
        let distance: f64 = points
            .map(|(p, weight)| (f64::from(p.x) - x).hypot(f64::from(p.y) - y) * f64::from(weight))
            .sum::<f64>()
            / total;
        let scale = std::f64::consts::SQRT_2 / distance;
        (x.is_finite() && y.is_finite() && scale.is_normal()).then_some(Normalizer { x, y, scale })
    }

    fn apply(&self, p: Point) -> (f64, f64) {
        (
            (f64::from(p.x) - self.x) * self.scale,
            (f64::from(p.y) - self.y) * self.scale,
        )
    }

    fn matrix(&self) -> Homography {
        let s = self.scale;
        Homography([s, 0.0, -s * self.x, 0.0, s, -s * self.y, 0.0, 0.0, 1.0])
    }

    fn inverse(&self) -> Homography {
        let s = 1.0 / self.scale;
        Homography([s, 0.0, self.x, 0.0, s, self.y, 0.0, 0.0, 1.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(from: &[(f32, f32)]) -> Vec<(Point, Point, f32)> {
        let map = Homography([1.2, 0.1, 30.0, -0.2, 0.9, 12.0, 1e-4, 2e-4, 1.0]);
        let pair = |&(x, y)| (Point { x, y }, map.apply(Point { x, y }), 1.0);
        from.iter().map(pair).collect()
    }

    #[test]
    fn a_fit_follows_the_weights_and_ignores_pairs_without_any() {
        let places: Vec<(f32, f32)> = (0..25)
            .map(|i| ((i % 5 * 40) as f32, (i / 5 * 40) as f32))
            .collect();
        let mut pairs = pairs(&places);
        pairs[7].1.x += 500.0;
        pairs[7].2 = 0.0;
        let fitted = Homography::fit(pairs.iter().copied()).unwrap();
        for (from, to, _) in pairs.iter().filter(|pair| pair.2 > 0.0) {
            let at = fitted.apply(*from);
            assert!((at.x - to.x).hypot(at.y - to.y) < 1e-3, "{at:?} {to:?}");
        }
    }

    #[test]
    fn collinear_points_too_few_pairs_and_nan_give_no_homography() {
        let fit = |from: &[(f32, f32)]| Homography::fit(pairs(from).into_iter());
        assert!(fit(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]).is_some());
        assert!(fit(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)]).is_none());
        assert!(fit(&[(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (35.0, 0.0)]).is_none());
        assert!(fit(&[(0.0, 0.0), (7.0, 7.0), (20.0, 20.0), (35.0, 35.0)]).is_none());
        assert!(fit(&[(5.0, 5.0); 6]).is_none());
        assert!(fit(&[(f32::NAN, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]).is_none());
    }
}
