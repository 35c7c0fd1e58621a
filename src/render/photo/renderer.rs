//! Renders one photo from a scene style, boards and a seed.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use image::RgbImage;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::board::{BoardContent, BoardStyle, PrintedMarks, Tint};
use super::boardless;
use super::config::PhotoConfig;
use super::display::display;
use super::grids::grid_page;
use super::layouts::{self, Layout};
use super::print::Types;
use super::scene::{Bend, Fold, Scene, Shadow, Table};
use super::scene_style::SceneStyle;
use crate::grid::{Cell, Puzzle};
use crate::render::fonts::FontSet;
use crate::render::strokes::Handwriting;
use crate::vision::{Homography, Point, Quad};

/// Renders photos; the same effects, fonts, style, boards and seed give the same photo.
#[derive(Clone, Debug)]
pub struct PhotoRenderer {
    config: PhotoConfig,
    fonts: FontSet,
}

/// A photo with its ground truth.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedPhoto {
    /// The picture.
    pub image: RgbImage,
    /// Every board: all its digits, and its corners in pixels of the photo, clockwise from the
    /// board's own top left.
    pub boards: Vec<(Puzzle, Quad)>,
    /// Quality of the JPEG, 1 to 100.
    pub jpeg_quality: u8,
}

/// Camera position and properties.
struct View {
    /// Long and short side of the photo, in pixels.
    size: [u32; 2],
    /// Size of the subject relative to the photo's short side.
    zoom: f32,
    /// Radians, clockwise.
    turn: f32,
    /// Share by which the far side is shorter than the near one, across and down.
    tilt: [f32; 2],
    jpeg_quality: u8,
}

impl PhotoRenderer {
    /// Returns a renderer with these effects, which must have no [`PhotoConfig::problem`], and
    /// fonts; without any, digits are strokes and there is no text.
    pub fn new(config: PhotoConfig, fonts: FontSet) -> PhotoRenderer {
        PhotoRenderer { config, fonts }
    }

    /// Returns a photo of this style; boards beyond those that the style shows are not used, and
    /// where there are fewer, fewer are shown.
    pub fn render(
        &self,
        scene_style: SceneStyle,
        boards: &[BoardContent],
        seed: u64,
    ) -> RenderedPhoto {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let boards = &boards[..boards.len().min(*scene_style.boards().end())];
        let layout = self.layout(scene_style, boards, rng);
        let view = view(scene_style, &self.config, rng);
        let mut scene = scene(
            scene_style,
            layout.page,
            &layout.subject,
            &view,
            &self.config,
            rng,
        );
        let places: Vec<Option<Quad>> =
            layout.boards.iter().map(|quad| scene.place(quad)).collect();
        if scene_style == SceneStyle::Poor {
            scene.noise = self.config.sensor.poor_noise.step(rng);
        }
        let image = scene.photograph(rng);
        let boards = boards.iter().zip(places);
        RenderedPhoto {
            image,
            boards: boards
                .filter_map(|(board, quad)| Some((board.shown(), quad?)))
                .collect(),
            jpeg_quality: view.jpeg_quality,
        }
    }

    fn types(&self, rng: &mut impl Rng) -> Types<'_> {
        let mut open = || self.fonts.draw(rng).and_then(|(_, face)| face.open());
        let (text, title) = (open(), open());
        Types {
            digits: self.fonts.draw(rng).map(|(_, face)| face),
            text,
            title,
        }
    }

    fn layout(
        &self,
        scene_style: SceneStyle,
        boards: &[BoardContent],
        rng: &mut impl Rng,
    ) -> Layout {
        let mut types = self.types(rng);
        let blank = BoardContent::printed(Puzzle::empty());
        let board = boards.first().unwrap_or(&blank);
        let warm = rng.random_range(0..14);
        let white = rng.random_range(232..252u8);
        let paper = [white, white - warm / 2, white - warm];
        let config = &self.config.print;
        let mut style = BoardStyle::printed(paper, config, rng);
        match scene_style {
            SceneStyle::Newspaper | SceneStyle::Folded | SceneStyle::Yesterday => {
                return layouts::newspaper(&types, boards, config, rng);
            }
            SceneStyle::PuzzlePage => {
                return layouts::puzzle_page(&types, boards, &style, paper, rng);
            }
            SceneStyle::Crossword => return boardless::crossword_page(&types, rng),
            SceneStyle::Calendar => return boardless::calendar(&types, rng),
            SceneStyle::Chess => return boardless::chess(&types, rng),
            SceneStyle::Text => return boardless::text(&types, rng),
            _ if SceneStyle::OTHER_GRIDS.contains(&scene_style) => {
                return grid_page(scene_style, &types, rng);
            }
            SceneStyle::Display => return display(board, style, rng),
            _ if scene_style.is_screen() => {
                let dark = match scene_style {
                    SceneStyle::AppMarks => rng.random(),
                    scene_style => scene_style == SceneStyle::DarkScreen,
                };
                let tone =
                    |dark_value: u8, light_value: u8| if dark { dark_value } else { light_value };
                let ground = [tone(18, 250), tone(20, 250), tone(26, 252)];
                let accent = [tone(150, 40), tone(190, 90), tone(250, 200)];
                style.ground = [tone(28, 255), tone(30, 255), tone(38, 255)];
                style.line = [tone(170, 60), tone(175, 70), tone(190, 90)];
                style.inner = [tone(80, 190), tone(84, 195), tone(96, 205)];
                style.digit = [tone(235, 30), tone(238, 40), tone(245, 70)];
                style.tint = Tint::Selection(
                    Cell::all()
                        .nth(rng.random_range(0..81))
                        .unwrap_or_else(first_cell),
                );
                style.tint_color = [tone(44, 226), tone(52, 234), tone(72, 246)];
                style.thick = config.screen_thick.step(rng);
                if scene_style == SceneStyle::AppMarks {
                    style.marks = Some(PrintedMarks::of_app(dark, rng));
                }
                return layouts::screen(&types, board, &style, ground, accent, rng);
            }
            SceneStyle::Colored => {
                style.tint = if rng.random() {
                    Tint::Blocks
                } else {
                    Tint::Givens
                };
                let tints = [
                    [205, 222, 240],
                    [250, 226, 190],
                    [214, 236, 208],
                    [205, 205, 205],
                    [244, 208, 214],
                ];
                style.tint_color = tints[rng.random_range(0..tints.len())];
                if rng.random() {
                    style.digit = [170, 40, 40];
                }
            }
            SceneStyle::ThinLines => {
                style.thin = config.thin_lines_thin.step(rng);
                style.thick = config.thin_lines_thick.step(rng);
                style.frame = config.thin_lines_frame.step(rng);
                style.dotted = config.thin_lines_dotted.draw(rng);
                style.inner = [rng.random_range(90..150); 3];
            }
            SceneStyle::Arabic => {
                types.digits = None;
                style.strokes = Handwriting::arabic_print(rng);
            }
            SceneStyle::Filled => style.candidates = rng.random_range(0..7),
            _ => {}
        }
        layouts::sheet(&types, boards, &style, paper, rng)
    }
}

fn first_cell() -> Cell {
    Cell::new(0).expect("a board has a first cell")
}

fn signed(rng: &mut impl Rng, amount: f32) -> f32 {
    rng.random_range(-amount..amount)
}

fn view<R: Rng>(scene_style: SceneStyle, config: &PhotoConfig, rng: &mut R) -> View {
    let PhotoConfig {
        view: config,
        sensor,
        ..
    } = config;
    let quality = |[low, high]: [u8; 2], rng: &mut R| rng.random_range(low..high);
    let mut view = View {
        size: match sensor.smaller.draw(rng) {
            true => sensor.smaller_size,
            false => sensor.size,
        },
        zoom: config.zoom.step(rng),
        turn: config.turn.step(rng),
        tilt: [config.lean_across.step(rng), config.lean_down.step(rng)],
        jpeg_quality: quality(sensor.jpeg_quality, rng),
    };
    match scene_style {
        SceneStyle::Newspaper => view.zoom = config.newspaper_zoom.step(rng),
        // Small boards take a photo that is sharp all over.
        SceneStyle::Yesterday | SceneStyle::PuzzlePage => {
            view.zoom = config.page_zoom.step(rng);
            view.size = sensor.page_size;
        }
        SceneStyle::Tilt => {
            let far = config.tilt_down.step(rng);
            let side = config.tilt_across.step(rng);
            view.tilt = [
                side * signed(rng, 1.0).signum(),
                far * if rng.random_bool(0.8) { 1.0 } else { -1.0 },
            ];
            view.turn = config.tilt_turn.step(rng);
        }
        SceneStyle::Turned => view.turn += FRAC_PI_2 * [1.0, 2.0, 3.0][rng.random_range(0..3usize)],
        SceneStyle::TwoBoards => view.zoom = config.two_boards_zoom.step(rng),
        SceneStyle::Small => {
            view.zoom = config.small_zoom.step(rng);
            view.turn = config.small_turn.step(rng);
            view.size = sensor.size;
        }
        SceneStyle::Poor => {
            view.size = sensor.poor_size;
            view.jpeg_quality = quality(sensor.poor_jpeg_quality, rng);
        }
        _ if scene_style.is_screen() => view.zoom = config.screen_zoom.step(rng),
        _ => {}
    }
    view
}

fn scene(
    scene_style: SceneStyle,
    page: super::page::Page,
    subject: &Quad,
    view: &View,
    config: &PhotoConfig,
    rng: &mut impl Rng,
) -> Scene {
    let PhotoConfig {
        paper,
        lighting,
        sensor,
        ..
    } = config;
    let corners = subject.corners();
    let (wide, high) = (corners[1].x - corners[0].x, corners[3].y - corners[0].y);
    // Upright subjects are held upright, others as it comes.
    let portrait = high > 1.2 * wide || rng.random_bool(0.6);
    let [long, short] = view.size;
    let size = if portrait {
        (short, long)
    } else {
        (long, short)
    };
    let room = if high > 1.2 * wide { long } else { short } as f32;
    let scale = view.zoom * room / high.max(wide);
    let (sin, cos) = view.turn.sin_cos();
    let middle = Point {
        x: size.0 as f32 * (0.5 + config.view.offset.step(rng)),
        y: size.1 as f32 * (0.5 + config.view.offset.step(rng)),
    };
    let drift = match scene_style {
        SceneStyle::Small => config.view.small_offset,
        _ => 0.0,
    };
    let off = [
        signed(rng, 1.0) * drift * size.0 as f32,
        signed(rng, 1.0) * drift * size.1 as f32,
    ];
    let place = |across: f32, down: f32| {
        // A pinhole's view of a square that leans away: what is farther is smaller.
        let near = 1.0 + view.tilt[0] * across + view.tilt[1] * down;
        let (x, y) = (0.5 * wide * across * near, 0.5 * high * down * near.sqrt());
        Point {
            x: middle.x + off[0] + scale * (cos * x - sin * y),
            y: middle.y + off[1] + scale * (sin * x + cos * y),
        }
    };
    let ends = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let target = Quad::new(fitted(ends.map(|(across, down)| place(across, down)), size));
    let projection = target.and_then(|target| Homography::between(subject, &target));
    let gray = lighting.gain.step(rng);
    let cast = [
        1.0 + lighting.red.step(rng),
        1.0,
        1.0 + lighting.blue.step(rng),
    ];
    let tables = [
        Table::Wood([150.0, 105.0, 66.0]),
        Table::Wood([98.0, 66.0, 44.0]),
        Table::Wood([196.0, 164.0, 120.0]),
        Table::Cloth([70.0, 78.0, 92.0]),
        Table::Cloth([150.0, 62.0, 60.0]),
        Table::Plain([210.0, 208.0, 204.0]),
        Table::Plain([48.0, 47.0, 46.0]),
    ];
    let mut scene = Scene {
        page,
        size,
        projection: projection.unwrap_or_else(identity),
        bend: Bend {
            wave: paper.wave.step(rng),
            waves: paper.waves.step(rng),
            ..Bend::FLAT
        },
        table: tables[rng.random_range(0..tables.len())],
        shadows: Vec::new(),
        folds: Vec::new(),
        slope: [lighting.slope.step(rng), lighting.slope.step(rng)],
        vignette: lighting.vignette.step(rng),
        gains: cast.map(|gain| gain * gray),
        texture: paper.texture.step(rng),
        moire: 0.0,
        blur: sensor.blur.step(rng),
        noise: sensor.noise.step(rng),
        seed: rng.random(),
    };
    match scene_style {
        SceneStyle::Book => {
            scene.bend = Bend {
                spine_right: rng.random(),
                rise: paper.spine_rise.step(rng) * if rng.random_bool(0.75) { 1.0 } else { -0.5 },
                reach: paper.spine_reach.step(rng),
                squeeze: paper.spine_squeeze.step(rng),
                ..scene.bend
            };
        }
        SceneStyle::Shadow => {
            for _ in 0..rng.random_range(1..3) {
                scene.shadows.push(Shadow {
                    angle: rng.random_range(0.0..TAU),
                    offset: signed(rng, 0.2),
                    softness: lighting.hard_shadow_softness.step(rng),
                    depth: lighting.hard_shadow_depth.step(rng),
                });
            }
        }
        SceneStyle::Folded => {
            for level in [false, true] {
                let [a, b] = if level {
                    [
                        corners[0].y / scene.page.height(),
                        corners[3].y / scene.page.height(),
                    ]
                } else {
                    [
                        corners[0].x / scene.page.width(),
                        corners[1].x / scene.page.width(),
                    ]
                };
                scene.folds.push(Fold {
                    level,
                    at: a + (b - a) * rng.random_range(0.15..0.85f32),
                    width: paper.fold_width.step(rng),
                    depth: paper.fold_depth.step(rng),
                });
            }
            scene.bend.wave = paper.folded_wave.step(rng);
        }
        SceneStyle::Poor => {
            scene.blur = sensor.poor_blur.step(rng);
            scene.gains = scene.gains.map(|gain| 0.75 * gain);
        }
        SceneStyle::Display => {
            scene.bend = Bend::FLAT;
            scene.texture = 0.0;
        }
        _ if scene_style.is_screen() => {
            scene.bend = Bend::FLAT;
            scene.texture = 0.0;
            scene.moire = sensor.moire.step(rng);
            scene.table = Table::Plain([14.0, 14.0, 15.0]);
        }
        _ => {
            if lighting.shadow.draw(rng) {
                scene.shadows.push(Shadow {
                    angle: rng.random_range(-PI..PI),
                    offset: rng.random_range(0.1..0.4),
                    softness: lighting.shadow_softness.step(rng),
                    depth: lighting.shadow_depth.step(rng),
                });
            }
        }
    }
    scene
}

/// Returns the corners, moved and, where that is not enough, shrunk until all lie within the photo.
fn fitted(corners: [Point; 4], size: (u32, u32)) -> [Point; 4] {
    const EDGE: f32 = 0.03;
    let fit = |values: [f32; 4], size: f32| {
        let low = values.into_iter().fold(f32::MAX, f32::min);
        let high = values.into_iter().fold(f32::MIN, f32::max);
        let (first, last) = (EDGE * size, (1.0 - EDGE) * size);
        let shrink = ((last - first) / (high - low)).min(1.0);
        (low, high, first, last, shrink)
    };
    let across = fit(corners.map(|p| p.x), size.0 as f32);
    let down = fit(corners.map(|p| p.y), size.1 as f32);
    let shrink = across.4.min(down.4);
    let moved = |value: f32, (low, high, first, last, _): (f32, f32, f32, f32, f32)| {
        let middle = (low + high) / 2.0;
        let half = shrink * (high - low) / 2.0;
        // Not before the last place where it still fits, nor after it.
        let center = middle.clamp(first + half, (last - half).max(first + half));
        center + shrink * (value - middle)
    };
    corners.map(|p| Point {
        x: moved(p.x, across),
        y: moved(p.y, down),
    })
}

fn identity() -> Homography {
    let unit = layouts::square(0.0, 0.0, 1.0, 1.0);
    Homography::between(&unit, &unit).expect("a square is mapped to itself")
}
