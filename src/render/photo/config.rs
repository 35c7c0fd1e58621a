//! Settings of rendered photos: every effect with its range, its unit and its probability.

use serde::{Deserialize, Serialize};

use crate::render::crop::{Chance, Span};

/// Settings of all effects. What a page shows and how it is laid out is determined by its scene
/// style instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PhotoConfig {
    /// Print and handwriting of boards.
    pub print: PrintConfig,
    /// Camera position.
    pub view: ViewConfig,
    /// Shape of the paper.
    pub paper: PaperConfig,
    /// Light and shadows.
    pub lighting: LightingConfig,
    /// Effects of lens, sensor and file format.
    pub sensor: SensorConfig,
}

/// Print and handwriting of boards. Lengths are shares of a cell's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrintConfig {
    /// Width of the lines within a block.
    pub thin: Span,
    /// Width of the lines between blocks.
    pub thick: Span,
    /// Width of the frame.
    pub frame: Span,
    /// `thin` of the style with thin lines.
    pub thin_lines_thin: Span,
    /// `thick` of the style with thin lines.
    pub thin_lines_thick: Span,
    /// `frame` of the style with thin lines.
    pub thin_lines_frame: Span,
    /// Boards with dotted lines, in the style with thin lines.
    pub thin_lines_dotted: Chance,
    /// `thick` on screens.
    pub screen_thick: Span,
    /// Height of printed digits.
    pub digit_height: Span,
    /// Height of written digits.
    pub written_height: Span,
    /// Opacity of the pen or pencil.
    pub pressure: Span,
}

impl Default for PrintConfig {
    fn default() -> Self {
        PrintConfig {
            thin: Span::new(0.015, 0.035),
            thick: Span::new(0.045, 0.08),
            frame: Span::new(0.05, 0.1),
            thin_lines_thin: Span::new(0.008, 0.014),
            thin_lines_thick: Span::new(0.018, 0.028),
            thin_lines_frame: Span::new(0.02, 0.03),
            thin_lines_dotted: Chance(0.6),
            screen_thick: Span::new(0.03, 0.05),
            digit_height: Span::new(0.46, 0.7),
            written_height: Span::new(0.5, 0.78),
            pressure: Span::new(0.65, 0.95),
        }
    }
}

/// Camera position. Rotations are in radians.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ViewConfig {
    /// Size of the subject relative to the photo's short side.
    pub zoom: Span,
    /// `zoom` of newspapers.
    pub newspaper_zoom: Span,
    /// `zoom` of whole pages: of puzzle books, and of newspapers with a small second board.
    pub page_zoom: Span,
    /// `zoom` of two boards.
    pub two_boards_zoom: Span,
    /// `zoom` of screens.
    pub screen_zoom: Span,
    /// `zoom` of small boards.
    pub small_zoom: Span,
    /// Rotation, either way.
    pub turn: Span,
    /// `turn` of the style seen from the side.
    pub tilt_turn: Span,
    /// `turn` of small boards.
    pub small_turn: Span,
    /// Share by which one side is longer than the other, across.
    pub lean_across: Span,
    /// The same, down.
    pub lean_down: Span,
    /// `lean_across` of the style seen from the side, to either side.
    pub tilt_across: Span,
    /// `lean_down` of the style seen from the side, to either side.
    pub tilt_down: Span,
    /// Distance of the subject from the photo's middle, as a share of the photo.
    pub offset: Span,
    /// Largest additional offset for small boards, each way.
    pub small_offset: f32,
}

impl Default for ViewConfig {
    fn default() -> Self {
        ViewConfig {
            zoom: Span::new(0.72, 0.9),
            newspaper_zoom: Span::new(0.62, 0.8),
            page_zoom: Span::new(0.9, 0.99),
            two_boards_zoom: Span::new(0.86, 0.94),
            screen_zoom: Span::new(0.8, 0.92),
            small_zoom: Span::new(0.3, 0.42),
            turn: Span::new(-0.06, 0.06),
            tilt_turn: Span::new(-0.25, 0.25),
            small_turn: Span::new(-0.3, 0.3),
            lean_across: Span::new(-0.08, 0.08),
            lean_down: Span::new(-0.1, 0.1),
            tilt_across: Span::new(0.0, 0.22),
            tilt_down: Span::new(0.22, 0.36),
            offset: Span::new(-0.03, 0.03),
            small_offset: 0.14,
        }
    }
}

/// Shape of the paper. Lengths are shares of the page's width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PaperConfig {
    /// Unevenness, as a share of the paper's gray value.
    pub texture: Span,
    /// Height of the waves.
    pub wave: Span,
    /// Number of waves over the page.
    pub waves: Span,
    /// Rise of the lines of a book towards its spine.
    pub spine_rise: Span,
    /// Distance from the spine up to which a book is bent.
    pub spine_reach: Span,
    /// Share of a book's width that is lost at the spine.
    pub spine_squeeze: Span,
    /// Half the width of a fold (standard deviation).
    pub fold_width: Span,
    /// How dark a fold is, as a share of the paper's gray value.
    pub fold_depth: Span,
    /// `wave` of folded paper.
    pub folded_wave: Span,
}

impl Default for PaperConfig {
    fn default() -> Self {
        PaperConfig {
            texture: Span::new(0.0, 0.05),
            wave: Span::new(0.0, 0.004),
            waves: Span::new(0.4, 1.4),
            spine_rise: Span::new(0.04, 0.085),
            spine_reach: Span::new(0.22, 0.4),
            spine_squeeze: Span::new(0.2, 0.45),
            fold_width: Span::new(0.003, 0.01),
            fold_depth: Span::new(0.15, 0.4),
            folded_wave: Span::new(0.004, 0.01),
        }
    }
}

/// Light and shadows. Strengths are shares of the light, softness is a share of the photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LightingConfig {
    /// Brightness.
    pub gain: Span,
    /// Gain of red over green.
    pub red: Span,
    /// Gain of blue over green.
    pub blue: Span,
    /// Change of light from one side of the photo to the other, right and down.
    pub slope: Span,
    /// Loss of light in the corners.
    pub vignette: Span,
    /// Photos with the soft edge of a shadow.
    pub shadow: Chance,
    /// How much darker a soft shadow is.
    pub shadow_depth: Span,
    /// Width of its edge.
    pub shadow_softness: Span,
    /// How much darker the shadows of the style with hard shadows are.
    pub hard_shadow_depth: Span,
    /// Width of their edges.
    pub hard_shadow_softness: Span,
}

impl Default for LightingConfig {
    fn default() -> Self {
        LightingConfig {
            gain: Span::new(0.7, 1.0),
            red: Span::new(-0.07, 0.07),
            blue: Span::new(-0.09, 0.09),
            slope: Span::new(-0.35, 0.35),
            vignette: Span::new(0.0, 0.35),
            shadow: Chance(0.3),
            shadow_depth: Span::new(0.15, 0.4),
            shadow_softness: Span::new(0.2, 0.6),
            hard_shadow_depth: Span::new(0.35, 0.6),
            hard_shadow_softness: Span::new(0.008, 0.06),
        }
    }
}

/// Effects of lens, sensor and file format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SensorConfig {
    /// Long and short side of a photo, in pixels.
    pub size: [u32; 2],
    /// Photos of the smaller size.
    pub smaller: Chance,
    /// That size.
    pub smaller_size: [u32; 2],
    /// Size of the photo of a whole page.
    pub page_size: [u32; 2],
    /// Size of a poor photo.
    pub poor_size: [u32; 2],
    /// Standard deviation of the blur, in pixels.
    pub blur: Span,
    /// `blur` of a poor photo.
    pub poor_blur: Span,
    /// Standard deviation of the noise, in gray values.
    pub noise: Span,
    /// `noise` of a poor photo.
    pub poor_noise: Span,
    /// Depth of a screen's pixel pattern, as a share of the light.
    pub moire: Span,
    /// Quality of the JPEG, 1 to 100: the least, and an exclusive upper bound.
    pub jpeg_quality: [u8; 2],
    /// `jpeg_quality` of a poor photo.
    pub poor_jpeg_quality: [u8; 2],
}

impl Default for SensorConfig {
    fn default() -> Self {
        SensorConfig {
            size: [1200, 900],
            smaller: Chance(0.3),
            smaller_size: [960, 720],
            page_size: [2000, 1500],
            poor_size: [640, 480],
            blur: Span::new(0.4, 1.1),
            poor_blur: Span::new(0.9, 1.4),
            noise: Span::new(0.8, 3.0),
            poor_noise: Span::new(4.0, 7.0),
            moire: Span::new(0.0, 0.05),
            jpeg_quality: [68, 86],
            poor_jpeg_quality: [30, 45],
        }
    }
}

impl PhotoConfig {
    /// Returns the first effect that is out of its range, with that range.
    pub fn problem(&self) -> Option<String> {
        let PhotoConfig {
            print,
            view,
            paper,
            lighting,
            sensor,
        } = self;
        let spans = [
            ("print.thin", print.thin, 0.0, 0.5),
            ("print.thick", print.thick, 0.0, 0.5),
            ("print.frame", print.frame, 0.0, 0.5),
            ("print.thin_lines_thin", print.thin_lines_thin, 0.0, 0.5),
            ("print.thin_lines_thick", print.thin_lines_thick, 0.0, 0.5),
            ("print.thin_lines_frame", print.thin_lines_frame, 0.0, 0.5),
            ("print.screen_thick", print.screen_thick, 0.0, 0.5),
            ("print.digit_height", print.digit_height, 0.1, 1.0),
            ("print.written_height", print.written_height, 0.1, 1.0),
            ("print.pressure", print.pressure, 0.0, 1.0),
            ("view.zoom", view.zoom, 0.05, 1.0),
            ("view.newspaper_zoom", view.newspaper_zoom, 0.05, 1.0),
            ("view.page_zoom", view.page_zoom, 0.05, 1.0),
            ("view.two_boards_zoom", view.two_boards_zoom, 0.05, 1.0),
            ("view.screen_zoom", view.screen_zoom, 0.05, 1.0),
            ("view.small_zoom", view.small_zoom, 0.05, 1.0),
            ("view.turn", view.turn, -3.2, 3.2),
            ("view.tilt_turn", view.tilt_turn, -3.2, 3.2),
            ("view.small_turn", view.small_turn, -3.2, 3.2),
            ("view.lean_across", view.lean_across, -0.45, 0.45),
            ("view.lean_down", view.lean_down, -0.45, 0.45),
            ("view.tilt_across", view.tilt_across, 0.0, 0.45),
            ("view.tilt_down", view.tilt_down, 0.0, 0.45),
            ("view.offset", view.offset, -0.5, 0.5),
            (
                "view.small_offset",
                Span::new(view.small_offset, view.small_offset),
                0.0,
                0.5,
            ),
            ("paper.texture", paper.texture, 0.0, 1.0),
            ("paper.wave", paper.wave, 0.0, 0.05),
            ("paper.waves", paper.waves, 0.0, 10.0),
            ("paper.spine_rise", paper.spine_rise, 0.0, 0.3),
            ("paper.spine_reach", paper.spine_reach, 0.05, 1.0),
            ("paper.spine_squeeze", paper.spine_squeeze, 0.0, 0.8),
            ("paper.fold_width", paper.fold_width, 0.001, 0.1),
            ("paper.fold_depth", paper.fold_depth, 0.0, 1.0),
            ("paper.folded_wave", paper.folded_wave, 0.0, 0.05),
            ("lighting.gain", lighting.gain, 0.05, 2.0),
            ("lighting.red", lighting.red, -0.5, 0.5),
            ("lighting.blue", lighting.blue, -0.5, 0.5),
            ("lighting.slope", lighting.slope, -1.0, 1.0),
            ("lighting.vignette", lighting.vignette, 0.0, 1.0),
            ("lighting.shadow_depth", lighting.shadow_depth, 0.0, 1.0),
            (
                "lighting.shadow_softness",
                lighting.shadow_softness,
                0.001,
                2.0,
            ),
            (
                "lighting.hard_shadow_depth",
                lighting.hard_shadow_depth,
                0.0,
                1.0,
            ),
            (
                "lighting.hard_shadow_softness",
                lighting.hard_shadow_softness,
                0.001,
                2.0,
            ),
            ("sensor.blur", sensor.blur, 0.0, 10.0),
            ("sensor.poor_blur", sensor.poor_blur, 0.0, 10.0),
            ("sensor.noise", sensor.noise, 0.0, 100.0),
            ("sensor.poor_noise", sensor.poor_noise, 0.0, 100.0),
            ("sensor.moire", sensor.moire, 0.0, 1.0),
        ];
        let spans = spans.map(|(name, span, least, most)| {
            let is_fine = least <= span.low && span.low <= span.high && span.high <= most;
            (name, is_fine, format!("a range within {least} to {most}"))
        });
        let sizes = [
            ("sensor.size", sensor.size),
            ("sensor.smaller_size", sensor.smaller_size),
            ("sensor.page_size", sensor.page_size),
            ("sensor.poor_size", sensor.poor_size),
        ];
        let sizes = sizes.map(|(name, [long, short])| {
            let is_fine = 64 <= short && short <= long && long <= 8192;
            let expected = "a long and a short side of 64 to 8192 pixels".to_owned();
            (name, is_fine, expected)
        });
        let qualities = [
            ("sensor.jpeg_quality", sensor.jpeg_quality),
            ("sensor.poor_jpeg_quality", sensor.poor_jpeg_quality),
        ];
        let qualities = qualities.map(|(name, [low, high])| {
            let is_fine = 1 <= low && low < high && high <= 101;
            (
                name,
                is_fine,
                "two qualities, the lower one first".to_owned(),
            )
        });
        let mut checked = spans.into_iter().chain(sizes).chain(qualities);
        let (name, _, expected) = checked.find(|(_, is_fine, _)| !is_fine)?;
        Some(format!("`{name}` is not {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Every number of a value, with its path and a setter.
    fn numbers(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    numbers(value, &format!("{path}/{name}"), found);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    numbers(value, &format!("{path}/{index}"), found);
                }
            }
            _ => found.push(path.to_owned()),
        }
    }

    #[test]
    fn each_number_has_a_range_and_values_outside_are_refused_by_name() {
        let config = PhotoConfig::default();
        assert_eq!(config.problem(), None);
        let whole = serde_json::to_value(&config).unwrap();
        let mut paths = Vec::new();
        numbers(&whole, "", &mut paths);
        assert!(paths.len() > 90, "{}", paths.len());
        for path in paths {
            for wrong in [Value::from(-4), Value::from(0), Value::from(9000)] {
                let mut changed = whole.clone();
                *changed.pointer_mut(&path).unwrap() = wrong.clone();
                // Zero is allowed in many places.
                let Ok(config) = serde_json::from_value::<PhotoConfig>(changed) else {
                    continue;
                };
                let problem = config.problem();
                assert!(problem.is_some() || wrong == 0, "{path} = {wrong}");
                let mut parts = path.split('/').skip(1);
                let name = format!("`{}.{}`", parts.next().unwrap(), parts.next().unwrap());
                assert!(
                    problem.is_none_or(|problem| problem.contains(&name)),
                    "{path}"
                );
            }
        }
    }
}
