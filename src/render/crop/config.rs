//! Settings of rendered crops: every effect with its range, its unit and its probability.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

/// A range from which values are drawn uniformly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Least value.
    pub low: f32,
    /// Largest value.
    pub high: f32,
}

/// A probability, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Chance(pub f64);

impl TryFrom<f64> for Chance {
    type Error = String;

    fn try_from(value: f64) -> Result<Chance, String> {
        match (0.0..=1.0).contains(&value) {
            true => Ok(Chance(value)),
            false => Err(format!("{value} is no probability between 0 and 1")),
        }
    }
}

impl Span {
    /// Returns the range between two values.
    pub const fn new(low: f32, high: f32) -> Span {
        Span { low, high }
    }

    /// Draws a value of the range.
    pub fn draw(self, rng: &mut impl Rng) -> f32 {
        self.low + (self.high - self.low) * rng.random::<f32>()
    }

    /// Draws a value of the range by the steps of `random_range`, of which there are half as many;
    /// an empty range gives its low end.
    pub(in crate::render) fn step(self, rng: &mut impl Rng) -> f32 {
        match self.low < self.high && (self.high - self.low).is_finite() {
            true => rng.random_range(self.low..self.high),
            false => self.low,
        }
    }
}

impl Chance {
    /// Draws whether it happens.
    pub fn draw(self, rng: &mut impl Rng) -> bool {
        rng.random_bool(self.0)
    }
}

/// All effects. Lengths are shares of the crop's side unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CropConfig {
    /// Content of the cell.
    pub content: ContentConfig,
    /// Paper and ink.
    pub tone: ToneConfig,
    /// Grid lines around the cell.
    pub lines: LineConfig,
    /// Marks that are no digit of the puzzle.
    pub marks: MarkConfig,
    /// Shading and shadows.
    pub light: LightConfig,
    /// Effects of lens, sensor and file format.
    pub camera: CameraConfig,
}

/// Content of the cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContentConfig {
    /// Cells without a digit.
    pub blank: Chance,
    /// Handwritten digits, of all digits.
    pub written: Chance,
    /// Handwritten digits that are drawn from samples, if there are any.
    pub sampled: Chance,
    /// Number of synthetic writers.
    pub writers: u64,
    /// Small digits, of the printed ones.
    pub small: Chance,
    /// Height of a small digit.
    pub small_height: Span,
    /// Height of any other printed digit.
    pub height: Span,
    /// Height of a written digit.
    pub written_height: Span,
    /// Factor of the width of a printed digit.
    pub aspect: Span,
    /// Standard deviation of the position of a printed digit.
    pub offset: f32,
    /// Standard deviation of the position of a written digit.
    pub written_offset: f32,
    /// Standard deviation of the rotation, in radians.
    pub turn: f32,
    /// Standard deviation of the shear.
    pub shear: f32,
    /// Largest change of scale across the digit, by perspective.
    pub perspective: f32,
    /// Printed digits made thinner by a pixel of the glyph mask (64 pixels high), and as many made
    /// thicker.
    pub reweighed: Chance,
    /// Printed digits that are drawn as outlines.
    pub outlined: Chance,
    /// Strength of printed ink, as a share of the board's.
    pub ink: Span,
    /// Strength of a pen or pencil, as a share of the board's ink.
    pub written_ink: Span,
}

impl Default for ContentConfig {
    fn default() -> Self {
        ContentConfig {
            blank: Chance(0.3),
            written: Chance(0.28),
            sampled: Chance(0.5),
            writers: 2000,
            small: Chance(0.3),
            small_height: Span::new(0.26, 0.42),
            height: Span::new(0.38, 0.82),
            written_height: Span::new(0.34, 0.9),
            aspect: Span::new(0.85, 1.15),
            offset: 0.045,
            written_offset: 0.07,
            turn: 0.061,
            shear: 0.06,
            perspective: 0.12,
            reweighed: Chance(0.15),
            outlined: Chance(0.015),
            ink: Span::new(0.65, 1.0),
            written_ink: Span::new(0.3, 1.05),
        }
    }
}

/// Paper and ink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ToneConfig {
    /// Gray value of the paper.
    pub paper: Span,
    /// Share of the crops whose paper is dim.
    pub dim: Chance,
    /// Gray value of dim paper.
    pub dim_paper: Span,
    /// Distance of full ink from the paper, as a share of the paper's gray value.
    pub contrast: Span,
    /// The board's measured contrast relative to that of full ink.
    pub board: Span,
    /// Cells with a background tint of their own, up to the lines around them.
    pub tinted: Chance,
    /// Strength of the tint, as a share of the ink.
    pub tint: Span,
    /// Backgrounds printed as dots.
    pub halftone: Chance,
    /// Distance of its dots.
    pub halftone_pitch: Span,
    /// Strength of its dots, as a share of the ink.
    pub halftone_ink: f32,
    /// Crops left light on dark: those with a wrong polarity, and white digits on dark cells.
    pub inverted: Chance,
}

impl Default for ToneConfig {
    fn default() -> Self {
        ToneConfig {
            paper: Span::new(90.0, 250.0),
            dim: Chance(0.08),
            dim_paper: Span::new(40.0, 90.0),
            contrast: Span::new(0.18, 1.0),
            board: Span::new(0.55, 1.0),
            tinted: Chance(0.2),
            tint: Span::new(-0.15, 0.3),
            halftone: Chance(0.02),
            halftone_pitch: Span::new(0.039_062_5, 0.093_75),
            halftone_ink: 0.3,
            inverted: Chance(0.05),
        }
    }
}

/// Grid lines around the cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineConfig {
    /// Distance of a line from the crop's edge.
    pub margin: f32,
    /// Standard deviation of that distance.
    pub jitter: f32,
    /// Standard deviation of half the difference of a line's two ends.
    pub tilt: f32,
    /// Standard deviation of a line's bow in the middle.
    pub bow: f32,
    /// Missing lines.
    pub missing: Chance,
    /// Widths, drawn uniformly from this list.
    pub widths: [f32; 7],
    /// Strength, as a share of the ink.
    pub ink: Span,
    /// Lines that are dashed or dotted.
    pub dashed: Chance,
    /// Length of a dash.
    pub dash: Span,
    /// Length of the gap between two dashes.
    pub dash_gap: Span,
    /// A line inside the cell's edge zone, as left by an inaccurate lattice.
    pub stray: Chance,
    /// Distance of such a line from the crop's edge.
    pub stray_margin: Span,
}

impl Default for LineConfig {
    fn default() -> Self {
        LineConfig {
            margin: 0.054,
            jitter: 0.022,
            tilt: 0.015,
            bow: 0.008,
            missing: Chance(0.07),
            widths: [0.012, 0.024, 0.024, 0.036, 0.048, 0.07, 0.095],
            ink: Span::new(0.4, 1.0),
            dashed: Chance(0.06),
            dash: Span::new(0.0, 0.078_125),
            dash_gap: Span::new(0.031_25, 0.093_75),
            stray: Chance(0.06),
            stray_margin: Span::new(0.08, 0.24),
        }
    }
}

/// Marks that are no digit of the puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarkConfig {
    /// Specks, scratches and parts of lines, in blanks.
    pub specks: Chance,
    /// Half the width of a speck.
    pub speck_radius: Span,
    /// Strength of a speck, as a share of the ink.
    pub speck_ink: Span,
    /// A faint mirrored digit of the page behind.
    pub show_through: Chance,
    /// Its height.
    pub show_through_height: Span,
    /// Standard deviation of its blur.
    pub show_through_blur: Span,
    /// Its strength, as a share of the ink.
    pub show_through_ink: Span,
    /// A few small candidates, beside a digit or in a blank.
    pub candidates: Chance,
    /// Height of such a candidate.
    pub candidate_height: Span,
    /// Strength of such candidates, as a share of the ink.
    pub candidate_ink: Span,
    /// Blanks with a row of written candidates.
    pub candidate_row: Chance,
    /// Height of the digits of that row.
    pub candidate_row_height: Span,
    /// Their strength, as a share of the ink.
    pub candidate_row_ink: Span,
    /// Blanks with candidates printed in three rows of three.
    pub candidate_grid: Chance,
    /// Height of their digits.
    pub candidate_grid_height: Span,
    /// Their strength, as a share of the ink.
    pub candidate_grid_ink: Span,
    /// Blanks with candidates as apps print them: in three rows of three, in a row, in the corners.
    pub app: Chance,
    /// Height of their digits.
    pub app_height: Span,
    /// Cells of these whose marks are bold.
    pub app_bold: Chance,
    /// Their strength, as a share of the ink.
    pub app_ink: Span,
    /// Pen strokes that reach in from a neighbouring cell.
    pub neighbour: Chance,
    /// How far they reach in.
    pub neighbour_depth: Span,
    /// Half their width.
    pub neighbour_radius: Span,
    /// Their strength, as a share of the ink.
    pub neighbour_ink: Span,
}

impl Default for MarkConfig {
    fn default() -> Self {
        MarkConfig {
            specks: Chance(0.10),
            speck_radius: Span::new(0.006_25, 0.018_75),
            speck_ink: Span::new(0.2, 0.8),
            show_through: Chance(0.12),
            show_through_height: Span::new(0.35, 0.7),
            show_through_blur: Span::new(0.009_375, 0.025),
            show_through_ink: Span::new(0.04, 0.2),
            candidates: Chance(0.07),
            candidate_height: Span::new(0.12, 0.22),
            candidate_ink: Span::new(0.35, 0.95),
            candidate_row: Chance(0.07),
            candidate_row_height: Span::new(0.22, 0.5),
            candidate_row_ink: Span::new(0.3, 1.0),
            candidate_grid: Chance(0.04),
            candidate_grid_height: Span::new(0.14, 0.25),
            candidate_grid_ink: Span::new(0.3, 0.95),
            app: Chance(0.15),
            app_height: Span::new(0.16, 0.34),
            app_bold: Chance(0.35),
            app_ink: Span::new(0.25, 1.0),
            neighbour: Chance(0.04),
            neighbour_depth: Span::new(0.02, 0.16),
            neighbour_radius: Span::new(0.0125, 0.034_375),
            neighbour_ink: Span::new(0.3, 1.0),
        }
    }
}

/// Shading and shadows. Strengths are shares of the paper's gray value, widths shares of the crop's
/// side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LightConfig {
    /// Largest change of light across the crop, each way.
    pub slope: f32,
    /// The edge of a shadow.
    pub shadow: Chance,
    /// How much darker the shadow is.
    pub shadow_depth: Span,
    /// Width of its edge.
    pub shadow_softness: Span,
    /// A fold: a long soft line, dark or light.
    pub fold: Chance,
    /// How dark a fold is.
    pub fold_depth: Span,
    /// Half its width (standard deviation).
    pub fold_width: Span,
    /// A reflection that hides part of the ink.
    pub glare: Chance,
    /// Brightening at its middle, as a share of the way to white.
    pub glare_strength: Span,
    /// Half its width (standard deviation).
    pub glare_width: Span,
    /// Unevenness of the paper.
    pub texture: Span,
    /// The pattern of a screen's pixels.
    pub moire: Chance,
    /// Its depth.
    pub moire_depth: Span,
    /// Radians of its wave across the crop.
    pub moire_beats: Span,
}

impl Default for LightConfig {
    fn default() -> Self {
        LightConfig {
            slope: 0.12,
            shadow: Chance(0.07),
            shadow_depth: Span::new(0.1, 0.4),
            shadow_softness: Span::new(0.01, 0.2),
            fold: Chance(0.05),
            fold_depth: Span::new(0.05, 0.4),
            fold_width: Span::new(0.015, 0.1),
            glare: Chance(0.04),
            glare_strength: Span::new(0.2, 0.8),
            glare_width: Span::new(0.15, 0.6),
            texture: Span::new(0.0, 0.03),
            moire: Chance(0.04),
            moire_depth: Span::new(0.01, 0.06),
            moire_beats: Span::new(30.0, 180.0),
        }
    }
}

/// Effects of lens, sensor and file format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CameraConfig {
    /// Standard deviations of the blur, drawn uniformly from this list.
    pub blurs: [f32; 7],
    /// Crops blurred by motion.
    pub motion: Chance,
    /// Length of the motion.
    pub motion_length: Span,
    /// Crops sharpened as phones do.
    pub sharpened: Chance,
    /// Amplification of differences from the surroundings.
    pub sharpening: Span,
    /// Pixels across a crop in the photo, drawn uniformly from this list.
    pub resolutions: [usize; 8],
    /// Standard deviations of the noise, in gray values at full contrast, drawn uniformly.
    pub noises: [f32; 5],
    /// Crops compressed as JPEG.
    pub jpeg: Chance,
    /// Quality of that JPEG, 1 to 100.
    pub jpeg_quality: Span,
}

impl Default for CameraConfig {
    fn default() -> Self {
        CameraConfig {
            blurs: [0.0, 0.007, 0.012, 0.019, 0.029, 0.038, 0.05],
            motion: Chance(0.13),
            motion_length: Span::new(0.04, 0.1),
            sharpened: Chance(0.1),
            sharpening: Span::new(0.4, 1.4),
            resolutions: [17, 20, 24, 28, 32, 32, 40, 56],
            noises: [0.0, 1.0, 2.0, 4.0, 7.0],
            jpeg: Chance(0.35),
            jpeg_quality: Span::new(15.0, 75.0),
        }
    }
}
