//! Metamorphic tests of reading: a photo that is rotated, lit differently, scaled, compressed again or
//! framed shows the same puzzle, so the same boards must be read from it.
//!
//! Boards lost by a transformation are listed in [`EXCEPTIONS`] with the reason. A
//! board that is read as a different one is never excepted.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::common;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use common::{PUZZLES, program, results, say};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{ImageFormat, Rgb, RgbImage};
use sudoku_batch::render::{BoardContent, FontSet, PhotoConfig, PhotoRenderer, SceneStyle};

/// A change of a photo.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// No change: the reference.
    Nothing,
    /// Quarter turns clockwise.
    Turn(u8),
    /// Light that falls off from the left to the right border, down to 55 %, or the other way.
    Light { from_left: bool },
    /// Scaled by this factor.
    Scale(f32),
    /// Saved as a JPEG of this quality.
    Jpeg(u8),
    /// A border on all sides, a tenth of the shorter side wide.
    Border(Border),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Border {
    White,
    Black,
    Noisy,
}

const CHANGES: [Change; 15] = [
    Change::Nothing,
    Change::Turn(1),
    Change::Turn(2),
    Change::Turn(3),
    Change::Light { from_left: true },
    Change::Light { from_left: false },
    Change::Scale(0.5),
    Change::Scale(0.7),
    Change::Scale(1.4),
    Change::Scale(2.0),
    Change::Jpeg(80),
    Change::Jpeg(60),
    Change::Border(Border::White),
    Change::Border(Border::Black),
    Change::Border(Border::Noisy),
];

impl Change {
    /// The name in files and exceptions.
    fn name(self) -> String {
        match self {
            Change::Nothing => "nothing".to_owned(),
            Change::Turn(quarters) => format!("turned-{}", 90 * u16::from(quarters)),
            Change::Light { from_left: true } => "lit-from-left".to_owned(),
            Change::Light { from_left: false } => "lit-from-right".to_owned(),
            Change::Scale(factor) => format!("scaled-{factor}"),
            Change::Jpeg(quality) => format!("jpeg-{quality}"),
            Change::Border(kind) => format!("border-{kind:?}").to_lowercase(),
        }
    }

    /// The rotation of a board in the changed photo, in degrees.
    fn degrees(self) -> u16 {
        match self {
            Change::Turn(quarters) => 90 * u16::from(quarters),
            _ => 0,
        }
    }

    fn write(self, photo: &RgbImage, folder: &Path, name: &str) {
        let path = |extension: &str| folder.join(format!("{name}.{extension}"));
        if let Change::Jpeg(quality) = self {
            let file = BufWriter::new(File::create(path("jpg")).unwrap());
            let encoder = JpegEncoder::new_with_quality(file, quality);
            photo.write_with_encoder(encoder).unwrap();
            return;
        }
        let file = path("ppm");
        self.apply(photo)
            .save_with_format(file, ImageFormat::Pnm)
            .unwrap();
    }

    fn apply(self, photo: &RgbImage) -> RgbImage {
        let (width, height) = photo.dimensions();
        match self {
            Change::Nothing | Change::Jpeg(_) => photo.clone(),
            Change::Turn(1) => imageops::rotate90(photo),
            Change::Turn(2) => imageops::rotate180(photo),
            Change::Turn(_) => imageops::rotate270(photo),
            Change::Light { from_left } => {
                let mut lit = photo.clone();
                for (x, _, pixel) in lit.enumerate_pixels_mut() {
                    let share = (x as f32 + 0.5) / width as f32;
                    let dark = if from_left { share } else { 1.0 - share };
                    pixel.0 = pixel
                        .0
                        .map(|value| (f32::from(value) * (1.0 - 0.45 * dark)).round() as u8);
                }
                lit
            }
            Change::Scale(factor) => {
                let side = |side: u32| (side as f32 * factor).round() as u32;
                imageops::resize(photo, side(width), side(height), FilterType::Triangle)
            }
            Change::Border(kind) => {
                let wide = width.min(height) / 10;
                let mut framed = RgbImage::from_fn(width + 2 * wide, height + 2 * wide, |x, y| {
                    // A hash of the position: noise that is the same in every run.
                    let mixed = (x ^ y.rotate_left(16)).wrapping_mul(2_654_435_761);
                    let mixed = (mixed ^ mixed >> 15).wrapping_mul(2_246_822_519);
                    Rgb(match kind {
                        Border::White => [255; 3],
                        Border::Black => [0; 3],
                        Border::Noisy => [(mixed >> 13) as u8; 3],
                    })
                });
                imageops::replace(&mut framed, photo, wide.into(), wide.into());
                framed
            }
        }
    }
}

/// A reading of a board.
#[derive(Clone, Debug, PartialEq)]
struct Read {
    status: String,
    /// After decoding.
    givens: String,
    solution: String,
    degrees: u16,
}

/// The result for a photo.
#[derive(Clone, Debug, Default)]
struct Outcome {
    boards: Vec<Read>,
    /// The boards in doubt, as decoded.
    doubtful: Vec<String>,
    /// The reasons of rows without a board.
    refusals: Vec<String>,
}

/// By photo and change.
type Outcomes = BTreeMap<(String, String), Outcome>;

/// Reads every photo in every change.
fn read_all(photos: &[(String, RgbImage)]) -> Outcomes {
    let folder = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let mut outcomes = Outcomes::new();
    std::thread::scope(|scope| {
        for changes in CHANGES.chunks(8) {
            let folder = folder.path();
            scope.spawn(move || {
                for change in changes {
                    let folder = folder.join(change.name());
                    std::fs::create_dir(&folder).unwrap();
                    for (name, photo) in photos {
                        change.write(photo, &folder, name);
                    }
                }
            });
        }
    });
    for change in CHANGES {
        for (name, _) in photos {
            outcomes.insert((name.clone(), change.name()), Outcome::default());
        }
    }
    let (from, to) = (
        folder.path().to_str().unwrap(),
        out.path().to_str().unwrap(),
    );
    say(&mut program(&[
        "recognize",
        "--quiet",
        "--fresh",
        "--out",
        to,
        from,
    ]));
    for row in results(out.path()) {
        let path = PathBuf::from(&row[0]);
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let change = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap();
        let outcome = outcomes.get_mut(&(name, change.to_owned())).unwrap();
        if ["solved", "multiple"].contains(&&row[2]) {
            outcome.boards.push(Read {
                status: row[2].to_owned(),
                givens: row[4].to_owned(),
                solution: row[5].to_owned(),
                degrees: row[10].parse().unwrap(),
            });
        } else {
            if &row[2] == "uncertain" {
                outcome.doubtful.push(row[4].to_owned());
            }
            outcome.refusals.push(format!("{}: {}", &row[2], &row[12]));
        }
    }
    outcomes
}

const FOLD: &str =
    "close to refusal as it is: its margin is 2.6 nats, where the others have 4 to 8";

/// Photos that lose boards by a change: photo, change, reason. Boards that are read must still be
/// correct.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("013-folded", "lit-from-right", FOLD),
    ("013-folded", "scaled-0.5", FOLD),
    ("013-folded", "scaled-0.7", FOLD),
    ("013-folded", "scaled-1.4", FOLD),
    ("013-folded", "scaled-2", FOLD),
];

/// How the boards of a changed photo differ from those of the photo itself.
enum Difference {
    /// Boards are missing, and the others are correct.
    Missing(String),
    /// A board was read that the photo does not show, or in a wrong orientation.
    Other(String),
}

fn difference(plain: &Outcome, changed: &Outcome, change: Change) -> Option<Difference> {
    let mut missing: Vec<Read> = plain
        .boards
        .iter()
        .map(|board| Read {
            degrees: (board.degrees + change.degrees()) % 360,
            ..board.clone()
        })
        .collect();
    for board in &changed.boards {
        match missing.iter().position(|known| known == board) {
            Some(place) => drop(missing.remove(place)),
            // What is in doubt in the photo itself may be clear in another one.
            None if plain.doubtful.contains(&board.givens) && board.degrees == change.degrees() => {
            }
            None => return Some(Difference::Other(format!("{board:?} is another board"))),
        }
    }
    (!missing.is_empty()).then(|| {
        let (missing, all) = (missing.len(), plain.boards.len());
        let refusals = changed.refusals.join("; ");
        Difference::Missing(format!("{missing} of {all} boards missing ({refusals})"))
    })
}

/// Compares every changed photo with its original; at least `least` originals must be read.
fn check(photos: &[(String, RgbImage)], least: usize) {
    let outcomes = read_all(photos);
    let mut read = 0;
    let mut wrong = Vec::new();
    for (name, _) in photos {
        let of = |change: Change| &outcomes[&(name.clone(), change.name())];
        let plain = of(Change::Nothing);
        read += usize::from(!plain.boards.is_empty());
        for change in CHANGES {
            let found = difference(plain, of(change), change);
            let excepted = EXCEPTIONS
                .iter()
                .find(|(photo, kind, _)| photo == name && *kind == change.name());
            let place = format!("{name}, {}", change.name());
            match (found, excepted) {
                (None, None) => {}
                (None, Some(_)) => println!("{place}: no exception any more"),
                (Some(Difference::Missing(found)), Some((.., reason))) => {
                    println!("{place}: {found}, excepted: {reason}");
                }
                (Some(Difference::Missing(found) | Difference::Other(found)), _) => {
                    wrong.push(format!("{place}: {found}"));
                }
            }
        }
    }
    println!(
        "{read} of {} photos read, each in {} changes",
        photos.len(),
        CHANGES.len()
    );
    assert!(
        read >= least,
        "only {read} of {} photos were read",
        photos.len()
    );
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn open(path: &Path) -> (String, RgbImage) {
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    (name, image::open(path).unwrap().to_rgb8())
}

/// The JPEGs of a folder, by name.
fn jpegs(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "jpg"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn rendered_photos_of_the_repository() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos");
    let photos: Vec<_> = jpegs(&folder).iter().map(|path| open(path)).collect();
    assert_eq!(photos.len(), 24);
    check(&photos, 19);
}

#[test]
fn freshly_rendered_photos() {
    let renderer = PhotoRenderer::new(PhotoConfig::default(), FontSet::default());
    let styles = [
        SceneStyle::Newspaper,
        SceneStyle::Book,
        SceneStyle::LightScreen,
        SceneStyle::DarkScreen,
        SceneStyle::Shadow,
        SceneStyle::TwoBoards,
    ];
    let boards = [1, 2].map(|number| BoardContent::printed(PUZZLES[number].parse().unwrap()));
    let photos: Vec<_> = styles
        .into_iter()
        .map(|scene_style| {
            (
                scene_style.to_string(),
                renderer.render(scene_style, &boards, 11).image,
            )
        })
        .collect();
    check(&photos, 6);
}

#[test]
fn newspaper_photos() {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        assert!(
            std::env::var_os("CI").is_none(),
            "SUDOKU_BATCH_DATA is not set"
        );
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return;
    };
    let paths = jpegs(&Path::new(&data).join("photos/wichtounet_train"));
    // Every eighth: they are photos of some hundred puzzles, in no order.
    let photos: Vec<_> = paths
        .iter()
        .step_by(paths.len() / 20)
        .take(20)
        .map(|path| open(path))
        .collect();
    assert_eq!(photos.len(), 20);
    check(&photos, 19);
}
