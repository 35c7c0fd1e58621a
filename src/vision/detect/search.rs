//! Orders hypotheses from any source by their evidence.

use super::detector::{DetectConfig, Detection, Polarity};
use super::evidence::{Pyramid, board_square};
use crate::vision::homography::Homography;
use crate::vision::lattice::Lattice;
use crate::vision::quad::Quad;

/// Collects the quads of one picture.
pub(super) struct Hypotheses<'a> {
    pyramid: Pyramid<'a>,
    found: Vec<Detection>,
    /// Corners nearer than this are the same, as a share of the quad's longest side.
    same: f32,
    min_area: f32,
    picture_area: f32,
}

impl<'a> Hypotheses<'a> {
    pub(super) fn new(
        pyramid: Pyramid<'a>,
        (width, height): (u32, u32),
        config: &DetectConfig,
    ) -> Hypotheses<'a> {
        let (width, height) = (width as f32, height as f32);
        Hypotheses {
            pyramid,
            found: Vec::new(),
            same: 0.015,
            min_area: 0.7 * config.min_side.powi(2) * width.min(height).powi(2),
            picture_area: width * height,
        }
    }

    /// Scores flat boards of these outlines, and keeps those not seen yet.
    pub(super) fn add_quads(&mut self, quads: impl IntoIterator<Item = Quad>, polarity: Polarity) {
        for quad in quads {
            let quad = quad.from_top_left();
            let flat =
                Homography::between(&board_square(), &quad).and_then(|map| Lattice::under(&map));
            if let Some(flat) = flat {
                self.add(flat, polarity, false);
            }
        }
    }

    /// Scores boards whose cells were seen, and keeps those not seen yet.
    pub(super) fn add_meshes(
        &mut self,
        meshes: impl IntoIterator<Item = Lattice>,
        polarity: Polarity,
    ) {
        for mesh in meshes {
            self.add(mesh, polarity, true);
        }
    }

    fn add(&mut self, lattice: Lattice, polarity: Polarity, is_mesh: bool) {
        let quad = lattice.corners();
        let (shortest, longest) = quad.sides();
        if quad.area() < self.min_area || shortest < 0.25 * longest || self.has(&quad, polarity) {
            return;
        }
        self.found.push(Detection {
            score: self.pyramid.evidence(&lattice, polarity),
            quad,
            polarity,
            mesh: is_mesh.then(|| Box::new(lattice)),
        });
    }

    fn has(&self, quad: &Quad, polarity: Polarity) -> bool {
        let same = self.same * quad.sides().1;
        self.found.iter().any(|known| {
            known.polarity == polarity
                && known
                    .quad
                    .corners()
                    .into_iter()
                    .zip(quad.corners())
                    .all(|(a, b)| (a.x - b.x).abs().max((a.y - b.y).abs()) < same)
        })
    }

    /// Whether a board was found that leaves nothing to look for: well seen and large.
    pub(super) fn settled(&self, config: &DetectConfig) -> bool {
        self.found.iter().any(|detection| {
            detection.score >= config.good_score
                && detection.quad.area() >= config.good_area * self.picture_area
        })
    }

    /// All of them, best first, in pixels of a picture `scale` times as large.
    pub(super) fn into_detections(mut self, scale: f32, config: &DetectConfig) -> Vec<Detection> {
        self.found.retain(|d| d.score >= config.min_score);
        let rank = |d: &Detection| {
            d.score + config.size_bonus * (d.quad.area() / self.picture_area).log2()
        };
        self.found.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        self.found.truncate(config.max_detections);
        let scaled = |d: Detection| {
            Some(Detection {
                quad: d.quad.scaled(scale)?,
                mesh: match d.mesh {
                    Some(mesh) => Some(Box::new(mesh.scaled(scale)?)),
                    None => None,
                },
                ..d
            })
        };
        self.found.into_iter().filter_map(scaled).collect()
    }
}
