//! Orders hypotheses from any source by their evidence.

use super::detector::{DetectConfig, Detection, Polarity};
use super::evidence::Pyramid;
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

    /// Scores the quads and keeps those not seen yet.
    pub(super) fn add(&mut self, quads: impl IntoIterator<Item = Quad>, polarity: Polarity) {
        for quad in quads {
            let quad = quad.from_top_left();
            let (shortest, longest) = quad.sides();
            if quad.area() < self.min_area || shortest < 0.25 * longest || self.has(&quad, polarity)
            {
                continue;
            }
            self.found.push(Detection {
                score: self.pyramid.evidence(&quad, polarity),
                quad,
                polarity,
            });
        }
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
        self.found.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.found.truncate(config.max_detections);
        let scaled = |d: Detection| d.quad.scaled(scale).map(|quad| Detection { quad, ..d });
        self.found.into_iter().filter_map(scaled).collect()
    }
}
