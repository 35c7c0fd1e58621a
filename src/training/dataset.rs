//! Labeled crops from folders: a `manifest.csv` whose rows name rectangles of sheets (see
//! [`ManifestRow`]), or folders named by label with one picture per crop.
//!
//! Crops of any size are resized. Crops without `contrast` are from other sources: theirs is
//! computed, and light ink is inverted.

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

use image::error::{LimitError, LimitErrorKind};
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageReader, Limits, imageops};
use rayon::prelude::*;
use thiserror::Error;

use crate::digits::{FieldProblem, LabeledCrop, ManifestRow};
use crate::grid::Digit;
use crate::opening::{self, LARGEST_PHOTO, LARGEST_TEXT};
use crate::vision::{CROP_SIDE, CellCrop, board_contrast, cell_tone};

/// Largest unpacked size of a sheet in bytes: a gray one of 65,000 crops.
const LARGEST_SHEET: u64 = 64 << 20;

/// Background gray value below which a crop of another source may be light on dark.
const DARK_GROUND: f32 = 64.0;

/// The crops of one folder.
#[derive(Clone, Debug, Default)]
pub struct CropFolder {
    /// The crops in the order of the manifest, or sorted by label and file name.
    pub crops: Vec<LabeledCrop>,
    /// Width and height of each crop before it was resized, in pixels.
    pub sizes: Vec<(u32, u32)>,
    /// BLAKE3 over the manifest and the pictures, hexadecimal.
    pub hash: String,
    /// Number of rows of the manifest without a label, which are left out.
    pub unlabeled: usize,
}

/// Error of reading labeled crops.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// The folder has neither a manifest nor folders named by label.
    #[error(
        "{path} holds no labeled crops: expected rows in manifest.csv or pictures in folders named 0 to 9"
    )]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A file in a folder named by label is not a picture.
    #[error("{path} is not a picture: {reason}")]
    Picture {
        /// The file.
        path: PathBuf,
        /// The error of the decoder.
        reason: image::ImageError,
    },
    /// A row of a manifest is wrong.
    #[error("{manifest}:{line}: {problem}")]
    Row {
        /// The manifest.
        manifest: PathBuf,
        /// Line in the file, from 1.
        line: u64,
        /// What is wrong.
        problem: RowProblem,
    },
}

/// Error in a row of a manifest.
#[derive(Debug, Error)]
pub enum RowProblem {
    /// A field is malformed.
    #[error(transparent)]
    Field(#[from] FieldProblem),
    /// The file is not inside the folder, by its name or as the target of a link.
    #[error("file `{0}` is outside the folder of the manifest")]
    OutsideFolder(String),
    /// The sheet cannot be read.
    #[error("sheet `{file}` cannot be read: {reason}")]
    Sheet {
        /// The file as named in the manifest.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The rectangle is empty or not inside the sheet.
    #[error(
        "rectangle {width}x{height} at {x},{y} does not fit in the {sheet_width}x{sheet_height} sheet"
    )]
    Rectangle {
        /// Pixels from the left.
        x: u32,
        /// Pixels from the top.
        y: u32,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Width of the sheet in pixels.
        sheet_width: u32,
        /// Height of the sheet in pixels.
        sheet_height: u32,
    },
}

/// A row with a known label.
struct Row {
    row: ManifestRow,
    label: Option<Digit>,
    /// Line of the manifest, from 1.
    line: u64,
}

impl CropFolder {
    /// Reads all crops of a folder, on all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`DatasetError`] for the first problem, with its file and line.
    pub fn read(folder: &Path) -> Result<CropFolder, DatasetError> {
        if folder.join("manifest.csv").is_file() {
            read_manifest(folder)
        } else {
            read_label_folders(folder)
        }
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, DatasetError> {
    opening::read_file(path, LARGEST_TEXT).map_err(|reason| DatasetError::Unreadable {
        path: path.to_owned(),
        reason,
    })
}

fn read_manifest(folder: &Path) -> Result<CropFolder, DatasetError> {
    let manifest = folder.join("manifest.csv");
    let bytes = read_file(&manifest)?;
    let wrong = |line, problem| DatasetError::Row {
        manifest: manifest.clone(),
        line,
        problem,
    };
    let found = ManifestRow::read_all(&bytes)
        .map_err(|error| wrong(error.line, RowProblem::Field(error.problem)))?;
    let mut unlabeled = 0;
    let mut rows = Vec::with_capacity(found.len());
    for (line, row) in found {
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(&row.file).components().all(inside) {
            return Err(wrong(line, RowProblem::OutsideFolder(row.file)));
        }
        match row.label {
            Some(label) => rows.push(Row { row, label, line }),
            None => unlabeled += 1,
        }
    }
    if rows.is_empty() {
        return Err(DatasetError::Empty {
            path: folder.to_owned(),
        });
    }
    let mut by_sheet: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_sheet.entry(&row.row.file).or_default().push(index);
    }
    let sheets: Vec<_> = by_sheet.into_iter().collect();
    let unreadable = |reason| DatasetError::Unreadable {
        path: folder.to_owned(),
        reason,
    };
    let folder = folder.canonicalize().map_err(unreadable)?;
    let cut: Vec<_> = sheets
        .par_iter()
        .map(|(_, indices)| {
            cut_sheet(&folder, &rows, indices).map_err(|(line, problem)| wrong(line, problem))
        })
        .collect::<Result<_, _>>()?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes);
    let mut pixels = vec![[0; CROP_SIDE * CROP_SIDE]; rows.len()];
    for ((_, indices), (sheet_hash, crops)) in sheets.iter().zip(cut) {
        hasher.update(sheet_hash.as_bytes());
        for (&index, crop) in indices.iter().zip(crops) {
            pixels[index] = crop;
        }
    }
    Ok(CropFolder {
        sizes: sizes(&rows),
        crops: assemble(rows, pixels),
        hash: hasher.finalize().to_string(),
        unlabeled,
    })
}

/// Returns the width and height of each row's rectangle.
fn sizes(rows: &[Row]) -> Vec<(u32, u32)> {
    let sizes = rows.iter().map(|Row { row, .. }| (row.width, row.height));
    sizes.collect()
}

type Pixels = [u8; CROP_SIDE * CROP_SIDE];

/// A sheet's hash, and the pixels of its rectangles.
type CutSheet = (blake3::Hash, Vec<Pixels>);

/// Cuts the rectangles of these rows, which are of one sheet; or returns the failing line with the
/// reason. The folder must be canonical.
fn cut_sheet(
    folder: &Path,
    rows: &[Row],
    indices: &[usize],
) -> Result<CutSheet, (u64, RowProblem)> {
    let first = &rows[indices[0]];
    let unreadable = |reason: String| {
        let file = first.row.file.clone();
        (first.line, RowProblem::Sheet { file, reason })
    };
    let path = folder.join(&first.row.file).canonicalize();
    let path = path.map_err(|error| unreadable(error.to_string()))?;
    // A link may lead out although the name does not.
    if !path.starts_with(folder) {
        let problem = RowProblem::OutsideFolder(first.row.file.clone());
        return Err((first.line, problem));
    }
    let bytes =
        opening::read_file(&path, LARGEST_PHOTO).map_err(|error| unreadable(error.to_string()))?;
    let sheet = open_gray(&bytes).map_err(|error| unreadable(error.to_string()))?;
    let (sheet_width, sheet_height) = sheet.dimensions();
    let mut crops = Vec::with_capacity(indices.len());
    for &index in indices {
        let Row { row, line, .. } = &rows[index];
        let (x, y, width, height) = (row.x, row.y, row.width, row.height);
        let fits = |start: u32, length: u32, whole: u32| {
            length > 0 && start.checked_add(length).is_some_and(|end| end <= whole)
        };
        if !(fits(x, width, sheet_width) && fits(y, height, sheet_height)) {
            let problem = RowProblem::Rectangle {
                x,
                y,
                width,
                height,
                sheet_width,
                sheet_height,
            };
            return Err((*line, problem));
        }
        let part = imageops::crop_imm(&sheet, x, y, width, height).to_image();
        crops.push(resize(&part));
    }
    Ok((blake3::hash(&bytes), crops))
}

fn read_label_folders(folder: &Path) -> Result<CropFolder, DatasetError> {
    let (mut rows, mut pixels) = (Vec::new(), Vec::new());
    let mut hasher = blake3::Hasher::new();
    let source = folder
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for label in 0..=9 {
        let name = label.to_string();
        let subfolder = folder.join(&name);
        if !subfolder.is_dir() {
            continue;
        }
        let unreadable = |reason| DatasetError::Unreadable {
            path: subfolder.clone(),
            reason,
        };
        let entries = std::fs::read_dir(&subfolder).map_err(unreadable)?;
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        paths.retain(|path| path.is_file());
        paths.sort();
        for path in paths {
            let bytes = read_file(&path)?;
            let picture =
                open_gray(&bytes).map_err(|reason| DatasetError::Picture { path, reason })?;
            hasher.update(name.as_bytes()).update(&bytes);
            pixels.push(resize(&picture));
            rows.push(Row {
                row: ManifestRow {
                    file: name.clone(),
                    width: picture.width(),
                    height: picture.height(),
                    source: source.clone(),
                    ..ManifestRow::default()
                },
                label: Digit::new(label),
                line: 0,
            });
        }
    }
    if rows.is_empty() {
        return Err(DatasetError::Empty {
            path: folder.to_owned(),
        });
    }
    Ok(CropFolder {
        sizes: sizes(&rows),
        crops: assemble(rows, pixels),
        hash: hasher.finalize().to_string(),
        unlabeled: 0,
    })
}

/// Opens a sheet or the picture of a crop, which must not unpack to more than [`LARGEST_SHEET`].
fn open_gray(bytes: &[u8]) -> Result<GrayImage, ImageError> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(LARGEST_SHEET);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    if decoder.total_bytes() > LARGEST_SHEET {
        let kind = LimitErrorKind::InsufficientMemory;
        return Err(ImageError::Limits(LimitError::from_kind(kind)));
    }
    Ok(DynamicImage::from_decoder(decoder)?.into_luma8())
}

/// Returns the picture resized to a crop, by a triangle filter.
fn resize(picture: &GrayImage) -> Pixels {
    let side = CROP_SIDE as u32;
    let resized = if picture.dimensions() == (side, side) {
        picture.clone()
    } else {
        imageops::resize(picture, side, side, imageops::FilterType::Triangle)
    };
    let pixels = resized.into_raw().try_into();
    pixels.expect("a resized picture has the pixels of a crop")
}

/// Joins rows and pixels; determines the polarity and contrast of crops of other sources.
fn assemble(rows: Vec<Row>, mut pixels: Vec<Pixels>) -> Vec<LabeledCrop> {
    let mut boards: HashMap<(&str, bool), Vec<f32>> = HashMap::new();
    let mut contrasts = Vec::with_capacity(rows.len());
    for (Row { row, label, .. }, pixels) in rows.iter().zip(&mut pixels) {
        if row.contrast.is_none() && is_inverted(pixels) {
            pixels.iter_mut().for_each(|pixel| *pixel = 255 - *pixel);
        }
        let contrast = cell_tone(pixels).contrast;
        contrasts.push(contrast);
        if !row.photo.is_empty() {
            boards.entry((&row.photo, true)).or_default().push(contrast);
        } else if label.is_some() {
            boards.entry((&row.file, false)).or_default().push(contrast);
        }
    }
    let boards: HashMap<_, _> = boards
        .into_iter()
        .map(|(key, mut contrasts)| {
            let board = if key.1 {
                board_contrast(contrasts)
            } else {
                contrasts.sort_by(f32::total_cmp);
                contrasts[contrasts.len() / 2]
            };
            (key, board)
        })
        .collect();
    // A digit without a photo is its own board; a blank borrows the median of its sheet's digits,
    // because its own contrast is noise.
    let derived: Vec<f32> = rows
        .iter()
        .zip(&contrasts)
        .map(|(Row { row, label, .. }, &own)| {
            let board = match (row.photo.is_empty(), label) {
                (false, _) => boards.get(&(&*row.photo, true)),
                (true, None) => boards.get(&(&*row.file, false)),
                (true, Some(_)) => None,
            };
            row.contrast.or(board.copied()).unwrap_or(own)
        })
        .collect();
    let crops = rows.into_iter().zip(pixels).zip(derived);
    crops
        .map(
            |((Row { row, label, .. }, pixels), board_contrast)| LabeledCrop {
                crop: CellCrop {
                    pixels: Box::new(pixels),
                    board_contrast,
                },
                label,
                kind: row.kind,
                marks: row.marks,
                photo: row.photo,
                puzzle: row.puzzle,
                source: row.source,
            },
        )
        .collect()
}

/// Returns whether a crop is light on dark.
fn is_inverted(pixels: &Pixels) -> bool {
    let ground = cell_tone(pixels).ground;
    let darkest = pixels.iter().copied().min().map_or(ground, f32::from);
    let lightest = pixels.iter().copied().max().map_or(ground, f32::from);
    ground < DARK_GROUND && lightest - ground > ground - darkest
}
