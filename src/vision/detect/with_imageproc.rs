//! The grid detector on our own kernels and the geometry of `imageproc`.

use image::GrayImage;

use super::bits::BitPlane;
use super::components::{Components, Touch};
use super::detector::{DetectConfig, DetectError, Detection, GridDetector, Polarity};
use super::polygon::quads_around;
use super::search::Hypotheses;
use super::threshold::Means;
use crate::vision::quad::Quad;
use crate::vision::shrink::shrink_luma;

/// Window of each threshold as a share of the long side, and the offset in gray values.
const THRESHOLDS: [(f32, f32); 3] = [(0.012, 5.0), (0.03, 7.0), (0.07, 10.0)];

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
        let mut hypotheses = Hypotheses::new(small.width(), small.height(), &self.config);
        for polarity in [Polarity::DarkOnLight, Polarity::LightOnDark] {
            let inks = THRESHOLDS.map(|(share, offset)| {
                let radius = (longest * share / 2.0).round().max(4.0) as usize;
                means.ink(radius, offset, polarity)
            });
            let grown = [inks[0].dilated(), inks[1].dilated()];
            let closed = inks[1].closed();
            for plane in inks.iter().chain([&grown[0], &closed]) {
                let quads = self.quads_in(plane);
                hypotheses.add(quads, &[&grown[0], &grown[1]], polarity);
            }
            if hypotheses.best() > self.config.good_score {
                break;
            }
        }
        Ok(hypotheses.into_detections(scale, &self.config))
    }
}

impl ImageprocDetector {
    /// Quads around the large components of the ink, and around the large holes in it.
    fn quads_in(&self, plane: &BitPlane) -> Vec<Quad> {
        let mut quads = Vec::new();
        for (plane, touch) in [(plane, Touch::Corners), (&plane.inverted(), Touch::Sides)] {
            let components = Components::of(plane, touch);
            let (width, height) = (plane.width() as f32, plane.height() as f32);
            let least = self.config.min_side * width.min(height);
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
                quads.extend(quads_around(&outline));
            }
        }
        quads
    }
}
