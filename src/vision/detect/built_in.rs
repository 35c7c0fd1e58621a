//! The built-in grid detector: our own kernels and the polygon geometry of the crate `imageproc`.

use std::ops::Range;

use image::GrayImage;
use imageproc::rect::Rect;

use super::bits::BitPlane;
use super::cells::Patch;
use super::components::{Components, Touch};
use super::detector::{DetectConfig, DetectError, Detection, GridDetector, Polarity};
use super::polygon::quads_around;
use super::search::{Finds, search, working_copy};
use super::squares::squares;
use super::threshold::{Levels, Means, Threshold};

/// Returns a detector; always available.
pub(super) fn detector(config: &DetectConfig) -> Box<dyn GridDetector> {
    Box::new(BuiltInDetector {
        config: config.clone(),
    })
}

struct BuiltInDetector {
    config: DetectConfig,
}

impl GridDetector for BuiltInDetector {
    fn detect_by(
        &self,
        luma: &GrayImage,
        steps: Range<usize>,
    ) -> Result<Vec<Detection>, DetectError> {
        let Some(working) = working_copy(luma, &self.config) else {
            return Ok(Vec::new());
        };
        let means = Means::new(&working);
        let levels = means.levels();
        search(
            luma,
            &working,
            &self.config,
            steps,
            |polarity, threshold| {
                let ink = ink(&means, &levels, polarity, threshold);
                Ok(finds_in(&ink, &self.config))
            },
        )
    }

    fn squares(&self, luma: &GrayImage) -> Vec<Rect> {
        squares(luma, &self.config)
    }
}

/// Returns the ink of a picture by one threshold.
fn ink(means: &Means, levels: &Levels, polarity: Polarity, threshold: Threshold) -> BitPlane {
    let level = levels.of(polarity, threshold);
    let ink = || means.ink(level.radius, level.offset, polarity);
    let thin = || means.thin_ink(level.thin, level.offset, polarity);
    match threshold {
        Threshold::Plain => ink().or(&thin()),
        Threshold::Thin => thin(),
        Threshold::Grown => ink().dilated(),
        Threshold::Closed => ink().closed(),
        Threshold::Wide | Threshold::Fine | Threshold::Faint => ink(),
        Threshold::Edges => means.edges(level.offset),
    }
}

/// Returns the outlines of the large components of the ink and of the large holes in it, and the
/// small holes that may be cells.
fn finds_in(plane: &BitPlane, config: &DetectConfig) -> Finds {
    let ink = Components::of(plane, Touch::Corners);
    let paper = Components::of(&plane.inverted(), Touch::Sides);
    let side = plane.width().min(plane.height()) as f32;
    let least = config.min_side * side;
    let sides = config.cell_sides(side);
    // Cells may be slim, and stand on a corner.
    let small: Vec<usize> = (0..paper.all().len())
        .filter(|&i| {
            let size = [
                paper.all()[i].width() as f32,
                paper.all()[i].height() as f32,
            ];
            size[0].min(size[1]) >= sides.start && size[0].max(size[1]) <= 2.0 * sides.end
        })
        .collect();
    let patches = paper.outlines(&small).into_iter().zip(&small);
    let mut finds = Finds {
        quads: Vec::new(),
        patches: patches
            .filter_map(|(outline, &i)| Patch::new(outline, paper.all()[i].area as f32, &sides))
            .collect(),
    };
    for components in [&ink, &paper] {
        let all = components.all();
        let mut large: Vec<usize> = (0..all.len())
            .filter(|&i| all[i].width().min(all[i].height()) as f32 >= least)
            .collect();
        large.sort_by_key(|&i| std::cmp::Reverse(all[i].width() * all[i].height()));
        large.truncate(config.max_outlines);
        for outline in components.outlines(&large) {
            finds.quads.extend(quads_around(outline));
        }
    }
    finds
}
