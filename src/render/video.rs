//! Rendered videos: a hand-held camera films a rendered page.

use std::f32::consts::{PI, TAU};

use image::{Rgb, RgbImage, imageops};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::crop::{Chance, Span};
use super::photo::{RenderedPhoto, SceneStyle};
use crate::vision::{Homography, Point, Quad};

/// Settings of rendered videos. Times are in seconds, lengths relative to the frame's short side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VideoConfig {
    /// Long and short side of a frame, in pixels; half of the videos are upright.
    pub size: [u32; 2],
    /// Frames a second.
    pub rate: u32,
    /// Length of a video.
    pub seconds: f32,
    /// Side of the board.
    pub zoom: Span,
    /// Distance of the board from the middle.
    pub sway: Span,
    /// Rotation, in radians.
    pub turn: Span,
    /// Share by which its far side becomes shorter.
    pub tilt: Span,
    /// The fastest of the movements, in hertz; the others are slower.
    pub hertz: Span,
    /// Share of the time between two frames for which the shutter is open: motion blur.
    pub shutter: Span,
    /// Videos in which the camera loses focus for a moment.
    pub unfocused: Chance,
    /// The blur at its worst: standard deviation in pixels.
    pub defocus: Span,
    /// Videos in which bands of light roll over the picture.
    pub flickering: Chance,
    /// How much darker and lighter these are.
    pub flicker: Span,
    /// Videos in which the board leaves the picture and comes back.
    pub leaving: Chance,
    /// Videos in which a hand passes in front of the board.
    pub hand: Chance,
    /// Videos in which the page is turned to another puzzle halfway.
    pub turned_page: Chance,
    /// Noise of the sensor: standard deviation in gray values.
    pub noise: Span,
}

impl Default for VideoConfig {
    fn default() -> VideoConfig {
        VideoConfig {
            size: [640, 480],
            rate: 30,
            seconds: 3.0,
            zoom: Span::new(0.55, 0.85),
            sway: Span::new(0.02, 0.08),
            turn: Span::new(0.02, 0.3),
            tilt: Span::new(0.0, 0.2),
            hertz: Span::new(0.2, 0.9),
            shutter: Span::new(0.1, 0.6),
            unfocused: Chance(0.4),
            defocus: Span::new(1.0, 3.5),
            flickering: Chance(0.3),
            flicker: Span::new(0.03, 0.12),
            leaving: Chance(0.2),
            hand: Chance(0.3),
            turned_page: Chance(0.2),
            noise: Span::new(1.0, 6.0),
        }
    }
}

impl VideoConfig {
    /// Returns what is wrong with these settings, if anything is.
    pub fn problem(&self) -> Option<&'static str> {
        match () {
            () if self.size.iter().any(|side| !(64..=8192).contains(side)) => {
                Some("`size` must be sides of 64 to 8192 pixels")
            }
            () if !(1..=240).contains(&self.rate) => Some("`rate` must be 1 to 240"),
            () if !(0.0..=3600.0).contains(&self.seconds) => {
                Some("`seconds` must be at most an hour")
            }
            () if self.zoom.low.is_nan() || self.zoom.low <= 0.05 => {
                Some("`zoom` must be larger than 0.05")
            }
            () => None,
        }
    }
}

/// Scene styles of the filmed pages.
pub const VIDEO_STYLES: [SceneStyle; 8] = [
    SceneStyle::Newspaper,
    SceneStyle::Book,
    SceneStyle::DarkScreen,
    SceneStyle::Shadow,
    SceneStyle::Filled,
    SceneStyle::LightScreen,
    SceneStyle::Colored,
    SceneStyle::ThinLines,
];

/// A value that oscillates like a hand-held camera: three waves.
struct Swing {
    waves: [[f32; 3]; 3],
}

impl Swing {
    /// Returns an oscillation of at most this amplitude and frequency.
    fn new(far: f32, hertz: f32, rng: &mut impl Rng) -> Swing {
        let mut wave = |share: f32, speed: f32| {
            let speed = hertz * speed * rng.random_range(0.7..1.3);
            [far * share, speed, rng.random_range(0.0..TAU)]
        };
        Swing {
            waves: [wave(0.6, 0.4), wave(0.3, 1.0), wave(0.1, 2.7)],
        }
    }

    fn at(&self, time: f32) -> f32 {
        let wave = |[far, hertz, phase]: &[f32; 3]| far * (TAU * hertz * time + phase).sin();
        self.waves.iter().map(wave).sum()
    }
}

/// The frames of a rendered video, one by one.
pub struct RenderedVideo<'a> {
    config: &'a VideoConfig,
    pages: &'a [RenderedPhoto],
    size: (u32, u32),
    zoom: f32,
    across: Swing,
    down: Swing,
    nearer: Swing,
    turn: Swing,
    tilts: [Swing; 2],
    shutter: f32,
    /// Time and amount of the worst defocus.
    defocus: Option<(f32, f32)>,
    flicker: Option<f32>,
    /// Time at which the board is out of the picture, and the direction in which it goes.
    leaving: Option<(f32, f32)>,
    /// Time at which the hand is over the board, and the direction from which it comes.
    hand: Option<(f32, f32)>,
    noise: f32,
    rng: ChaCha8Rng,
    frame: usize,
}

impl<'a> RenderedVideo<'a> {
    /// Starts a video of these pages, one after the other; the same settings, pages and seed give
    /// the same video.
    ///
    /// `pages` has one page or two, each with a board.
    pub fn new(
        config: &'a VideoConfig,
        pages: &'a [RenderedPhoto],
        seed: u64,
    ) -> RenderedVideo<'a> {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let [long, short] = config.size;
        let size = if rng.random() {
            (long, short)
        } else {
            (short, long)
        };
        let hertz = config.hertz.draw(rng);
        let (sway, turn) = (config.sway.draw(rng), config.turn.draw(rng));
        let tilt = config.tilt.draw(rng);
        let happens = |chance: Chance, rng: &mut ChaCha8Rng| {
            rng.random_bool(chance.0)
                .then(|| config.seconds * rng.random_range(0.3..0.8f32))
        };
        RenderedVideo {
            config,
            pages,
            size,
            zoom: config.zoom.draw(rng),
            across: Swing::new(sway, hertz, rng),
            down: Swing::new(sway, hertz, rng),
            nearer: Swing::new(0.1, hertz, rng),
            turn: Swing::new(turn, hertz, rng),
            tilts: [Swing::new(tilt, hertz, rng), Swing::new(tilt, hertz, rng)],
            shutter: config.shutter.draw(rng),
            defocus: happens(config.unfocused, rng).map(|at| (at, config.defocus.draw(rng))),
            flicker: rng
                .random_bool(config.flickering.0)
                .then(|| config.flicker.draw(rng)),
            leaving: happens(config.leaving, rng).map(|at| (at, rng.random_range(0.0..TAU))),
            hand: happens(config.hand, rng).map(|at| (at, rng.random_range(0.0..TAU))),
            noise: config.noise.draw(rng),
            rng: rng.clone(),
            frame: 0,
        }
    }

    /// Returns the width and the height of the frames.
    pub const fn size(&self) -> (u32, u32) {
        self.size
    }

    fn frames(&self) -> usize {
        (self.config.seconds * self.config.rate as f32)
            .round()
            .max(1.0) as usize
    }

    /// Returns the page shown at a time.
    fn page(&self, time: f32) -> &'a RenderedPhoto {
        let last = self.pages.len() - 1;
        let share = time / self.config.seconds.max(f32::MIN_POSITIVE);
        &self.pages[((share * self.pages.len() as f32) as usize).min(last)]
    }

    /// Returns the map from the frame to the page at a time.
    fn view(&self, page: &RenderedPhoto, time: f32) -> Option<Homography> {
        let (_, board) = page.boards.first()?;
        let (width, height) = (self.size.0 as f32, self.size.1 as f32);
        let short = width.min(height);
        let corners = board.corners();
        let centre = |value: fn(&Point) -> f32| corners.iter().map(value).sum::<f32>() / 4.0;
        let middle = [centre(|point| point.x), centre(|point| point.y)];
        let half = 0.5 * board.area().sqrt();
        let scale = 0.5 * short * self.zoom * (1.0 + self.nearer.at(time));
        let mut shift = [self.across.at(time) * short, self.down.at(time) * short];
        if let Some((at, direction)) = self.leaving {
            // Out and back within a second and a half.
            let far = (1.0 - ((time - at) / 0.75).abs()).max(0.0);
            let far = 1.6 * width.max(height) * (3.0 * far * far - 2.0 * far.powi(3));
            shift[0] += far * direction.cos();
            shift[1] += far * direction.sin();
        }
        let (sin, cos) = self.turn.at(time).sin_cos();
        let tilts = self.tilts.each_ref().map(|tilt| tilt.at(time));
        let place = |(across, down): (f32, f32)| {
            // What leans away is smaller.
            let near = 1.0 + tilts[0] * across + tilts[1] * down;
            let (x, y) = (scale * across * near, scale * down * near);
            Point {
                x: 0.5 * width + shift[0] + cos * x - sin * y,
                y: 0.5 * height + shift[1] + sin * x + cos * y,
            }
        };
        let ends = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let seen = Quad::new(ends.map(place))?;
        let lies = Quad::new(ends.map(|(across, down)| Point {
            x: middle[0] + half * across,
            y: middle[1] + half * down,
        }))?;
        Homography::between(&seen, &lies)
    }

    fn render(&mut self) -> RgbImage {
        let time = self.frame as f32 / self.config.rate as f32;
        let page = self.page(time);
        let open = self.shutter / self.config.rate as f32;
        let views: Vec<Homography> = [0.0, 0.5, 1.0]
            .iter()
            .filter_map(|share| self.view(page, time + share * open))
            .collect();
        let weight = 1.0 / views.len().max(1) as f32;
        let (width, height) = self.size;
        let mut frame = RgbImage::from_fn(width, height, |x, y| {
            let at = Point {
                x: x as f32 + 0.5,
                y: y as f32 + 0.5,
            };
            let mut sum = [0.0; 3];
            for view in &views {
                let color = sample(&page.image, view.apply(at));
                sum.iter_mut()
                    .zip(color)
                    .for_each(|(sum, value)| *sum += weight * value);
            }
            Rgb(sum.map(|value| value as u8))
        });
        if let Some((at, far)) = self.hand {
            self.draw_hand(&mut frame, time - at, far);
        }
        if let Some((at, worst)) = self.defocus {
            let blur = worst * (1.0 - ((time - at) / 0.4).abs()).max(0.0);
            if blur > 0.3 {
                frame = imageops::fast_blur(&frame, blur);
            }
        }
        self.light(&mut frame, time);
        frame
    }

    /// Draws a forearm from beyond the edge, its hand over the board for a moment.
    fn draw_hand(&self, frame: &mut RgbImage, since: f32, from: f32) {
        let near = (1.0 - (since / 0.5).abs()).max(0.0);
        if near == 0.0 {
            return;
        }
        let (width, height) = (frame.width() as f32, frame.height() as f32);
        let (sin, cos) = from.sin_cos();
        let reach = width.hypot(height) * (0.75 - 0.65 * near);
        let tip = [0.5 * width + reach * cos, 0.5 * height + reach * sin];
        let thick = 0.13 * width.min(height);
        for (x, y, pixel) in frame.enumerate_pixels_mut() {
            let (dx, dy) = (x as f32 - tip[0], y as f32 - tip[1]);
            let along = (dx * cos + dy * sin).max(0.0);
            let off = (dx - along * cos).hypot(dy - along * sin) / thick;
            if off < 1.0 {
                let shade = 1.0 - 0.35 * off * off;
                *pixel = Rgb([206.0, 160.0, 134.0].map(|value: f32| (value * shade) as u8));
            }
        }
    }

    /// Applies rolling bands of light, and noise.
    fn light(&mut self, frame: &mut RgbImage, time: f32) {
        let height = frame.height() as f32;
        let flicker = self.flicker.unwrap_or(0.0);
        for (_, y, pixel) in frame.enumerate_pixels_mut() {
            let band = 1.0 + flicker * (PI * (3.0 * y as f32 / height + 5.0 * time)).sin();
            // The sum of four is near enough to normal, and fast.
            let bytes = self.rng.next_u32().to_le_bytes();
            let sum: f32 = bytes.iter().map(|&byte| f32::from(byte)).sum();
            let noise = self.noise * (sum - 510.0) / 147.8;
            let lit = |value: u8| (f32::from(value) * band + noise).clamp(0.0, 255.0) as u8;
            pixel.0 = pixel.0.map(lit);
        }
    }
}

impl Iterator for RenderedVideo<'_> {
    type Item = RgbImage;

    fn next(&mut self) -> Option<RgbImage> {
        if self.frame >= self.frames() {
            return None;
        }
        let frame = self.render();
        self.frame += 1;
        Some(frame)
    }
}

impl std::fmt::Debug for RenderedVideo<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RenderedVideo")
            .field("size", &self.size)
            .field("frame", &self.frame)
            .finish_non_exhaustive()
    }
}

/// Returns the colour at a point, bilinear, the border replicated.
fn sample(picture: &RgbImage, at: Point) -> [f32; 3] {
    let place = |value: f32, side: u32| {
        let value = (value - 0.5).clamp(0.0, (side - 1) as f32);
        let first = value as u32;
        (first, (first + 1).min(side - 1), value - first as f32)
    };
    let (left, right, s) = place(at.x, picture.width());
    let (top, bottom, t) = place(at.y, picture.height());
    let [a, b, c, d] = [(left, top), (right, top), (left, bottom), (right, bottom)]
        .map(|(x, y)| picture.get_pixel(x, y).0.map(f32::from));
    std::array::from_fn(|i| {
        let above = a[i] + s * (b[i] - a[i]);
        let below = c[i] + s * (d[i] - c[i]);
        above + t * (below - above)
    })
}
