//! Fonts of this machine: which faces draw usable digits, and the masks of those digits.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use ab_glyph::{Font, FontVec, PxScale};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::strokes::{Coverage, allograph_count, skeleton};
use crate::grid::Digit;
use crate::vision::Point;

/// Height of the tallest digit of a face, in pixels of its masks.
const MASK_HEIGHT: f32 = 64.0;

/// Words in file names of fonts that hold pictures instead of figures.
const PICTURES: [&str; 8] = [
    "emoji", "symbol", "dingbat", "barcode", "icons", "braille", "math", "d05000l",
];

/// Tallest digit over the shortest one: beyond it the face mixes figures of different kinds.
const MOST_UNEVEN: f32 = 1.7;

/// Side of the small square pictures that the audit compares.
const THUMB: usize = 20;

/// Difference of two thumbs, as a share of their ink, below which they show the same figure.
const ALIKE: f32 = 0.05;

/// Radius of the pen (of a digit 60 high) and slant of the stroke digits it compares with.
const PENS: [(f32, f32); 5] = [(2.5, 0.0), (2.5, 0.25), (6.0, 0.0), (6.0, 0.25), (8.5, 0.0)];

/// Digits of nine that may look more like another digit of ours than like their own.
const MOST_UNLIKE: usize = 2;

/// The ink of one digit, cut to its box.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlyphMask {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Rows between the baseline and the top of the box.
    pub rise: i32,
    /// Coverage, 0 to 255, row by row.
    pub shares: Vec<u8>,
}

/// One usable face.
#[derive(Clone, Debug)]
pub struct Face {
    /// Name of the file without its extension.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The nine digits at one scale, the tallest 64 pixels high.
    pub masks: [GlyphMask; 9],
}

/// Usable faces, grouped by family so that a family of many weights does not drown the others.
#[derive(Clone, Debug, Default)]
pub struct FontSet {
    families: Vec<(String, Vec<Face>)>,
    rejected: Vec<(PathBuf, Unusable)>,
}

/// Why a face is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// The file is not a font that can be read.
    Unreadable,
    /// The name says that it holds pictures.
    Pictures,
    /// There is no ink for this digit.
    Missing(Digit),
    /// This digit is a box or a tile.
    Tile(Digit),
    /// These two digits are drawn alike.
    Alike(Digit, Digit),
    /// Digits of very different heights.
    Uneven,
    /// These digits look like other digits, or like none.
    Unlike(Vec<Digit>),
    /// Draws the same digits as another face.
    SameAs(String),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Unreadable => write!(f, "not a readable font"),
            Unusable::Pictures => write!(f, "pictures instead of figures"),
            Unusable::Missing(digit) => write!(f, "no ink for {digit}"),
            Unusable::Tile(digit) => write!(f, "{digit} is a box or a tile"),
            Unusable::Alike(a, b) => write!(f, "{a} and {b} look alike"),
            Unusable::Uneven => write!(f, "digits of very different heights"),
            Unusable::Unlike(digits) => write!(f, "does not look like its digits: {digits:?}"),
            Unusable::SameAs(name) => write!(f, "same digits as {name}"),
        }
    }
}

impl FontSet {
    /// Reads every `.ttf` and `.otf` below these folders (a file stands for itself) and keeps the
    /// faces whose digits pass the audit. Faces come in the order of their paths.
    pub fn load(places: &[PathBuf]) -> FontSet {
        let is_font = |path: &Path| {
            let extension = path.extension().map(|e| e.to_ascii_lowercase());
            extension.is_some_and(|e| e == "ttf" || e == "otf")
        };
        let mut paths: Vec<PathBuf> = places
            .iter()
            .flat_map(|place| walkdir::WalkDir::new(place).follow_links(true))
            .filter_map(|entry| entry.ok().map(walkdir::DirEntry::into_path))
            .filter(|path| is_font(path) && path.is_file())
            .collect();
        paths.sort();
        paths.dedup();
        let audit = Audit::new();
        let mut seen: BTreeMap<Vec<GlyphMask>, String> = BTreeMap::new();
        let mut families: BTreeMap<String, Vec<Face>> = BTreeMap::new();
        let mut rejected = Vec::new();
        for path in paths {
            match audit.face(&path) {
                Err(reason) => rejected.push((path, reason)),
                Ok(face) => match seen.get(face.masks.as_slice()) {
                    Some(other) => rejected.push((path, Unusable::SameAs(other.clone()))),
                    None => {
                        seen.insert(face.masks.to_vec(), face.name.clone());
                        families.entry(family(&face.name)).or_default().push(face);
                    }
                },
            }
        }
        FontSet {
            families: families.into_iter().collect(),
            rejected,
        }
    }

    /// Family names with their faces, sorted.
    pub fn families(&self) -> impl Iterator<Item = (&str, &[Face])> {
        self.families
            .iter()
            .map(|(name, faces)| (name.as_str(), faces.as_slice()))
    }

    /// Faces that were looked at and left out, with the reason.
    pub fn rejected(&self) -> &[(PathBuf, Unusable)] {
        &self.rejected
    }

    /// How many faces are usable.
    pub fn len(&self) -> usize {
        self.families.iter().map(|(_, faces)| faces.len()).sum()
    }

    /// Whether no face is usable.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty()
    }

    /// A family and one of its faces, each drawn evenly; `None` of an empty set.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<(&str, &Face)> {
        let (name, faces) = self.families.choose(rng)?;
        let face = faces.get(rng.random_range(0..faces.len()))?;
        Some((name, face))
    }
}

impl Face {
    /// The face itself, to set text in.
    pub(crate) fn open(&self) -> Option<FontVec> {
        FontVec::try_from_vec(std::fs::read(&self.path).ok()?).ok()
    }
}

/// `Lato-BoldItalic` and `Lato-Thin` are one family.
fn family(name: &str) -> String {
    let end = name.find(['-', '_', '[']).unwrap_or(name.len());
    name[..end].to_lowercase()
}

/// What digits look like: thumbs of our own stroke digits.
struct Audit {
    thumbs: Vec<(Digit, Thumb)>,
}

type Thumb = [f32; THUMB * THUMB];

impl Audit {
    fn new() -> Audit {
        let mut thumbs = Vec::new();
        for digit in Digit::ALL {
            for form in 0..allograph_count(digit) {
                for (radius, slant) in PENS {
                    thumbs.push((digit, thumb(&stroke_mask(digit, form, radius, slant))));
                }
            }
        }
        Audit { thumbs }
    }

    fn face(&self, path: &Path) -> Result<Face, Unusable> {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let lower = stem.to_lowercase();
        if PICTURES.iter().any(|word| lower.contains(word)) {
            return Err(Unusable::Pictures);
        }
        let bytes = std::fs::read(path).map_err(|_| Unusable::Unreadable)?;
        let font = FontVec::try_from_vec(bytes).map_err(|_| Unusable::Unreadable)?;
        let masks = digit_masks(&font)?;
        self.check(&masks)?;
        Ok(Face {
            name: stem,
            path: path.to_owned(),
            masks,
        })
    }

    fn check(&self, masks: &[GlyphMask; 9]) -> Result<(), Unusable> {
        for (digit, mask) in Digit::ALL.into_iter().zip(masks) {
            if is_tile(mask) {
                return Err(Unusable::Tile(digit));
            }
        }
        let heights = masks.iter().map(|mask| mask.height as f32);
        let shortest = heights.clone().fold(f32::MAX, f32::min);
        if heights.fold(0.0, f32::max) > MOST_UNEVEN * shortest {
            return Err(Unusable::Uneven);
        }
        let thumbs = masks.each_ref().map(thumb);
        for a in Digit::ALL {
            for b in Digit::ALL.into_iter().skip(a.index() + 1) {
                if difference(&thumbs[a.index()], &thumbs[b.index()]) < ALIKE {
                    return Err(Unusable::Alike(a, b));
                }
            }
        }
        let looks_like = |thumb: &Thumb| {
            let nearest = self
                .thumbs
                .iter()
                .min_by(|(_, a), (_, b)| difference(thumb, a).total_cmp(&difference(thumb, b)));
            nearest.map(|(digit, _)| *digit)
        };
        let unlike: Vec<Digit> = Digit::ALL
            .into_iter()
            .filter(|digit| looks_like(&thumbs[digit.index()]) != Some(*digit))
            .collect();
        match unlike.len() > MOST_UNLIKE {
            true => Err(Unusable::Unlike(unlike)),
            false => Ok(()),
        }
    }
}

fn digit_masks(font: &FontVec) -> Result<[GlyphMask; 9], Unusable> {
    let outline = |digit: Digit, scale: f32| {
        let id = font.glyph_id(char::from(digit.to_ascii()));
        let found = (id.0 != 0).then(|| id.with_scale(PxScale::from(scale)));
        let outline = found.and_then(|glyph| font.outline_glyph(glyph));
        outline.ok_or(Unusable::Missing(digit))
    };
    let mut tallest = 0f32;
    for digit in Digit::ALL {
        let bounds = outline(digit, 100.0)?.px_bounds();
        if !(bounds.width() >= 2.0 && bounds.height() >= 10.0) {
            return Err(Unusable::Missing(digit));
        }
        tallest = tallest.max(bounds.height());
    }
    let mut masks = Vec::with_capacity(9);
    for digit in Digit::ALL {
        let outline = outline(digit, 100.0 * MASK_HEIGHT / tallest)?;
        let bounds = outline.px_bounds();
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        let mut shares = vec![0u8; width * height];
        outline.draw(|x, y, share| {
            if let Some(pixel) = shares.get_mut(y as usize * width + x as usize) {
                *pixel = (share.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
            }
        });
        if width > 4 * MASK_HEIGHT as usize || shares.iter().all(|&share| share < 128) {
            return Err(Unusable::Missing(digit));
        }
        masks.push(GlyphMask {
            width,
            height,
            rise: -bounds.min.y as i32,
            shares,
        });
    }
    masks.try_into().map_err(|_| Unusable::Unreadable)
}

/// Whether the outer rows and columns are nearly all ink (a frame), or the whole box is.
fn is_tile(mask: &GlyphMask) -> bool {
    let (width, height) = (mask.width, mask.height);
    let ink = |x: usize, y: usize| f32::from(mask.shares[y * width + x]) / 255.0;
    let rows = |y: usize| (0..width).map(|x| ink(x, y)).sum::<f32>() / width as f32;
    let columns = |x: usize| (0..height).map(|y| ink(x, y)).sum::<f32>() / height as f32;
    if width * 3 < height || width < 5 || height < 5 {
        return false;
    }
    let sides = [rows(1), rows(height - 2), columns(1), columns(width - 2)];
    sides.into_iter().all(|side| side > 0.85)
}

fn stroke_mask(digit: Digit, form: usize, radius: f32, slant: f32) -> GlyphMask {
    let (width, height) = (80, 80);
    let mut ink = Coverage::new(width, height);
    let place = |p: Point| Point {
        x: 40.0 + 60.0 * (p.x - slant * (p.y - 0.5)),
        y: 10.0 + 60.0 * p.y,
    };
    for line in skeleton(digit, form, place) {
        ink.draw_line(&line, &vec![radius; line.len()], 1.0);
    }
    let inked = |x: usize, y: usize| ink.shares()[y * width + x] > 0.1;
    let columns: Vec<usize> = (0..width)
        .filter(|&x| (0..height).any(|y| inked(x, y)))
        .collect();
    let rows: Vec<usize> = (0..height)
        .filter(|&y| (0..width).any(|x| inked(x, y)))
        .collect();
    let pixels = rows
        .iter()
        .flat_map(|&y| columns.iter().map(move |&x| y * width + x));
    GlyphMask {
        width: columns.len(),
        height: rows.len(),
        rise: 0,
        shares: pixels.map(|at| (ink.shares()[at] * 255.0) as u8).collect(),
    }
}

/// A mask stretched over a small square, or a narrow one centred in it, area-averaged.
fn thumb(mask: &GlyphMask) -> Thumb {
    let mut thumb = [0f32; THUMB * THUMB];
    // Narrow figures (a plain 1) keep their shape: stretched they would be a black square.
    let side = (mask.width as f32).max(0.55 * mask.height as f32);
    let left = (side - mask.width as f32) / 2.0;
    const SAMPLES: usize = 3;
    for (i, value) in thumb.iter_mut().enumerate() {
        let mut sum = 0u32;
        for k in 0..SAMPLES * SAMPLES {
            let at = |cell: usize, sub: usize, length: f32| {
                (cell as f32 + (sub as f32 + 0.5) / SAMPLES as f32) / THUMB as f32 * length
            };
            let x = at(i % THUMB, k % SAMPLES, side) - left;
            let y = at(i / THUMB, k / SAMPLES, mask.height as f32);
            if x >= 0.0 && (x as usize) < mask.width {
                sum += u32::from(mask.shares[y as usize * mask.width + x as usize]);
            }
        }
        *value = sum as f32 / (255 * SAMPLES * SAMPLES) as f32;
    }
    smooth(&thumb)
}

/// A 3 x 3 box mean: strokes a little apart count as near.
fn smooth(thumb: &Thumb) -> Thumb {
    std::array::from_fn(|i| {
        let (x, y) = (i % THUMB, i / THUMB);
        let near = |v: usize| v.saturating_sub(1)..(v + 2).min(THUMB);
        let pixels = near(y).flat_map(|y| near(x).map(move |x| y * THUMB + x));
        pixels.map(|at| thumb[at]).sum::<f32>() / 9.0
    })
}

/// Ink that two thumbs do not share, 0 to 1.
fn difference(a: &Thumb, b: &Thumb) -> f32 {
    let apart: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
    apart / (a.iter().sum::<f32>() + b.iter().sum::<f32>()).max(1e-3)
}
