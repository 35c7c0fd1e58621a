//! The grid detector on our own kernels and the geometry of `imageproc`.

use image::GrayImage;

use super::bits::BitPlane;
use super::cells::boards_from_cells;
use super::components::{Components, Touch};
use super::detector::{DetectConfig, DetectError, Detection, GridDetector, Polarity};
use super::evidence::Pyramid;
use super::polygon::quads_around;
use super::search::Hypotheses;
use super::threshold::Means;
use crate::vision::sample::Source;
use crate::vision::shrink::shrink_luma;

/// A detector; always available.
pub(super) fn detector(config: &DetectConfig) -> Box<dyn GridDetector> {
    Box::new(ImageprocDetector {
        config: config.clone(),
    })
}

struct ImageprocDetector {
    config: DetectConfig,
}

impl GridDetector for ImageprocDetector {
    fn detect(&self, luma: &GrayImage) -> Result<Vec<Detection>, DetectError> {
        if luma.width() < 32 || luma.height() < 32 {
            return Ok(Vec::new());
        }
        let small = shrink_luma(luma, self.config.working_side);
        let small = small.as_ref().unwrap_or(luma);
        let scale = luma.width() as f32 / small.width() as f32;
        let means = Means::new(small);
        let longest = small.width().max(small.height()) as f32;
        let pyramid = Pyramid::new(Source::whole(small));
        let mut hypotheses = Hypotheses::new(pyramid, small.dimensions(), &self.config);
        let radius = |share: f32| (longest * share / 2.0).round().max(4.0) as usize;
        'search: for polarity in [Polarity::DarkOnLight, Polarity::LightOnDark] {
            let depth = means.depth(radius(0.03), polarity);
            let mut fine = None;
            for step in 0..6 {
                let ink = |share: f32, part: f32, most: f32| {
                    means.ink(radius(share), (part * depth).clamp(2.0, most), polarity)
                };
                let plane = match step {
                    0 => {
                        let offset = (0.35 * depth).clamp(2.0, 10.0);
                        ink(0.03, 0.35, 10.0).or(&means.ridges(radius(0.016), offset, polarity))
                    }
                    1 => ink(0.012, 0.2, 6.0),
                    2 => ink(0.07, 0.5, 14.0),
                    3 => fine
                        .take()
                        .map_or_else(|| ink(0.012, 0.2, 6.0), |p: BitPlane| p.dilated()),
                    4 => ink(0.03, 0.35, 10.0).closed(),
                    _ => ink(0.03, 0.15, 4.0),
                };
                self.search_plane(&plane, polarity, &mut hypotheses);
                if step == 1 {
                    fine = Some(plane);
                }
                if hypotheses.settled(&self.config) {
                    break 'search;
                }
            }
        }
        Ok(hypotheses.into_detections(scale, &self.config))
    }
}

impl ImageprocDetector {
    /// Adds boards from cells in rows and columns, and from the outlines of the large components
    /// of the ink and of the large holes in it.
    fn search_plane(&self, plane: &BitPlane, polarity: Polarity, hypotheses: &mut Hypotheses) {
        let ink = Components::of(plane, Touch::Corners);
        let paper = Components::of(&plane.inverted(), Touch::Sides);
        let side = plane.width().min(plane.height()) as f32;
        let least = self.config.min_side * side;
        hypotheses.add_meshes(
            boards_from_cells(&paper, 0.7 * least / 9.0, side / 6.0),
            polarity,
        );
        for components in [&ink, &paper] {
            let mut large: Vec<usize> = (0..components.all().len())
                .filter(|&i| {
                    let c = &components.all()[i];
                    c.width() as f32 >= least && c.height() as f32 >= least
                })
                .collect();
            large.sort_by_key(|&i| {
                let c = &components.all()[i];
                std::cmp::Reverse(c.width() * c.height())
            });
            large.truncate(6);
            for outline in components.outlines(&large) {
                hypotheses.add_quads(quads_around(&outline), polarity);
            }
        }
    }
}
