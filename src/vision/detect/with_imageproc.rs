//! The grid detector on our own kernels and the geometry of `imageproc`.

use image::GrayImage;

use super::bits::BitPlane;
use super::cells::Patch;
use super::components::{Components, Touch};
use super::detector::{DetectConfig, DetectError, Detection, GridDetector, Polarity};
use super::polygon::quads_around;
use super::search::{Finds, Threshold, search, working_copy};
use super::threshold::Means;

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
        let Some(working) = working_copy(luma, &self.config) else {
            return Ok(Vec::new());
        };
        let inks = Inks::of(&working);
        search(luma, &working, &self.config, |polarity, threshold| {
            Ok(finds_in(&inks.by(polarity, threshold), &self.config))
        })
    }
}

/// The ink of one picture by different thresholds.
struct Inks<'a> {
    means: Means<'a>,
    /// Longest side of the picture, in pixels.
    longest: f32,
    /// How deep the ink is, dark and light, in gray values.
    depths: [f32; 2],
}

impl Inks<'_> {
    fn of(picture: &GrayImage) -> Inks<'_> {
        let means = Means::new(picture);
        let longest = picture.width().max(picture.height()) as f32;
        let depths = [Polarity::DarkOnLight, Polarity::LightOnDark]
            .map(|polarity| means.depth(half_window(0.03, longest), polarity));
        Inks {
            means,
            longest,
            depths,
        }
    }

    fn by(&self, polarity: Polarity, threshold: Threshold) -> BitPlane {
        let depth = self.depths[usize::from(polarity == Polarity::LightOnDark)];
        let half = |share: f32| half_window(share, self.longest);
        // A share of the depth, but never so little that noise is ink.
        let offset = |share: f32, most: f32| (share * depth).clamp(2.0, most);
        let ink = |window: f32, offset: f32| self.means.ink(half(window), offset, polarity);
        match threshold {
            Threshold::Plain => {
                let offset = offset(0.35, 10.0);
                ink(0.03, offset).or(&self.means.ridges(half(0.016), offset, polarity))
            }
            Threshold::Wide => ink(0.07, offset(0.5, 14.0)),
            Threshold::Fine => ink(0.012, offset(0.2, 6.0)),
            Threshold::Grown => ink(0.012, offset(0.2, 6.0)).dilated(),
            Threshold::Closed => ink(0.03, offset(0.35, 10.0)).closed(),
            Threshold::Faint => ink(0.03, offset(0.15, 4.0)),
        }
    }
}

/// Half a window whose width is a share of a length, in pixels.
fn half_window(share: f32, longest: f32) -> usize {
    (longest * share / 2.0).round().max(4.0) as usize
}

/// The outlines of the large components of the ink and of the large holes in it, and the small
/// holes that may be cells.
fn finds_in(plane: &BitPlane, config: &DetectConfig) -> Finds {
    let ink = Components::of(plane, Touch::Corners);
    let paper = Components::of(&plane.inverted(), Touch::Sides);
    let side = plane.width().min(plane.height()) as f32;
    let least = config.min_side * side;
    let patches = paper.all().iter().filter_map(|component| {
        let size = [component.width() as f32, component.height() as f32];
        Patch::new(
            component.center(),
            component.area as f32,
            component.covariance_determinant(),
            size,
            (0.7 * least / 9.0)..(side / 6.0),
        )
    });
    let mut finds = Finds {
        quads: Vec::new(),
        patches: patches.collect(),
    };
    for components in [&ink, &paper] {
        let all = components.all();
        let mut large: Vec<usize> = (0..all.len())
            .filter(|&i| all[i].width().min(all[i].height()) as f32 >= least)
            .collect();
        large.sort_by_key(|&i| std::cmp::Reverse(all[i].width() * all[i].height()));
        large.truncate(config.max_outlines);
        for outline in components.outlines(&large) {
            finds.quads.extend(quads_around(&outline));
        }
    }
    finds
}
