//! Orders hypotheses from any source by their evidence.

use super::bits::BitPlane;
use super::detector::{DetectConfig, Detection, Polarity};
use super::evidence::line_evidence;
use crate::vision::quad::Quad;

/// Collects the quads of one picture.
pub(super) struct Hypotheses {
    found: Vec<Detection>,
    /// Corners nearer than this are the same, in pixels.
    same: f32,
    min_area: f32,
}

impl Hypotheses {
    pub(super) fn new(width: u32, height: u32, config: &DetectConfig) -> Hypotheses {
        let (width, height) = (width as f32, height as f32);
        Hypotheses {
            found: Vec::new(),
            same: 0.012 * width.max(height),
            min_area: 0.7 * config.min_side.powi(2) * width.min(height).powi(2),
        }
    }

    /// Scores the quads on the given planes of ink (grown by a pixel) and keeps those not seen yet.
    pub(super) fn add(
        &mut self,
        quads: impl IntoIterator<Item = Quad>,
        inks: &[&BitPlane],
        polarity: Polarity,
    ) {
        for quad in quads {
            let quad = quad.from_top_left();
            let (shortest, longest) = quad.sides();
            if quad.area() < self.min_area || shortest < 0.25 * longest || self.has(&quad, polarity)
            {
                continue;
            }
            let score = inks
                .iter()
                .map(|ink| line_evidence(ink, &quad))
                .fold(f32::NEG_INFINITY, f32::max);
            self.found.push(Detection {
                quad,
                polarity,
                score,
            });
        }
    }

    fn has(&self, quad: &Quad, polarity: Polarity) -> bool {
        self.found.iter().any(|known| {
            known.polarity == polarity
                && known
                    .quad
                    .corners()
                    .into_iter()
                    .zip(quad.corners())
                    .all(|(a, b)| (a.x - b.x).abs().max((a.y - b.y).abs()) < self.same)
        })
    }

    /// The best score so far.
    pub(super) fn best(&self) -> f32 {
        let scores = self.found.iter().map(|detection| detection.score);
        scores.fold(f32::NEG_INFINITY, f32::max)
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
