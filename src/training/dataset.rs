//! Labeled crops from folders: a `manifest.csv` whose rows name rectangles of sheets, or folders
//! named by label that hold a picture a crop.
//!
//! Columns of the manifest: `file,x,y,width,height,label,photo,source` and, for crops cut by this
//! program, `contrast`: the contrast of the board in gray values. Crops of any size are resized.
//! Crops without `contrast` were cut by others: theirs is derived, and light ink is inverted.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use image::{GrayImage, imageops};
use rayon::prelude::*;
use serde::Deserialize;
use thiserror::Error;

use crate::digits::LabeledCrop;
use crate::files::record_line;
use crate::grid::Digit;
use crate::vision::{CROP_SIDE, CellCrop, board_contrast, cell_tone};

/// Ground below which a foreign crop may be light ink on a dark ground, in gray values.
const DARK_GROUND: f32 = 64.0;

/// Columns that a manifest must have.
const REQUIRED: [&str; 6] = ["file", "x", "y", "width", "height", "label"];

/// The crops of one folder.
#[derive(Clone, Debug, Default)]
pub struct CropFolder {
    /// In the order of the manifest, or sorted by label and file name.
    pub crops: Vec<LabeledCrop>,
    /// Width and height of each in its sheet or file, in pixels, before it was resized.
    pub sizes: Vec<(u32, u32)>,
    /// BLAKE3 over the manifest and the pictures, hexadecimal.
    pub hash: String,
}

/// Why labeled crops cannot be read.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Neither a manifest nor folders named by label.
    #[error(
        "{path} holds no labeled crops: expected rows in manifest.csv or pictures in folders named 0 to 9"
    )]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A picture in a folder named by label is none.
    #[error("{path} is no picture: {reason}")]
    Picture {
        /// The file.
        path: PathBuf,
        /// What the decoder says.
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

/// What can be wrong with a row of a manifest.
#[derive(Debug, Error)]
pub enum RowProblem {
    /// The row does not have the fields of a crop.
    #[error("{0}")]
    Fields(String),
    /// The label is no class.
    #[error("label `{0}` is neither 0 (blank) nor 1 to 9")]
    Label(String),
    /// The contrast is no contrast.
    #[error("contrast {0} is not between 0 and 255")]
    Contrast(f32),
    /// The file is not inside the folder, by its name or by where a link leads.
    #[error("file `{0}` is outside the folder of the manifest")]
    OutsideFolder(String),
    /// The sheet cannot be read.
    #[error("sheet `{file}` cannot be read: {reason}")]
    Sheet {
        /// As the manifest names it.
        file: String,
        /// Why.
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
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// Pixels.
        sheet_width: u32,
        /// Pixels.
        sheet_height: u32,
    },
}

#[derive(Clone, Debug, Deserialize)]
struct Row {
    file: String,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
    label: String,
    #[serde(default)]
    photo: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    contrast: Option<f32>,
    /// Line of the manifest, from 1.
    #[serde(skip)]
    line: u64,
}

impl CropFolder {
    /// Reads all crops of a folder.
    ///
    /// # Errors
    /// [`DatasetError`] for the first thing that is wrong, with its file and line.
    pub fn read(folder: &Path) -> Result<CropFolder, DatasetError> {
        if folder.join("manifest.csv").is_file() {
            read_manifest(folder)
        } else {
            read_label_folders(folder)
        }
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, DatasetError> {
    std::fs::read(path).map_err(|reason| DatasetError::Unreadable {
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
    let mut rows = Vec::new();
    let mut labels = Vec::new();
    let mut reader = csv::Reader::from_reader(&*bytes);
    let fields = |line, error: csv::Error| wrong(line, RowProblem::Fields(told(&error)));
    let header = reader.headers().map_err(|error| fields(1, error))?.clone();
    let is_missing = |name: &&str| !header.is_empty() && !header.iter().any(|field| field == *name);
    if let Some(name) = REQUIRED.iter().find(|name| is_missing(name)) {
        let problem = format!("the header has no column `{name}`");
        return Err(wrong(1, RowProblem::Fields(problem)));
    }
    let mut record = csv::StringRecord::new();
    loop {
        let line = reader.position().line();
        if !reader
            .read_record(&mut record)
            .map_err(|error| fields(line, error))?
        {
            break;
        }
        let line = record_line(&bytes, record.position());
        let mut row: Row = record
            .deserialize(Some(&header))
            .map_err(|error| fields(line, error))?;
        row.line = line;
        labels.push(
            parse_label(&row.label)
                .ok_or_else(|| wrong(line, RowProblem::Label(row.label.clone())))?,
        );
        if let Some(contrast) = row.contrast
            && !(0.0..=255.0).contains(&contrast)
        {
            return Err(wrong(line, RowProblem::Contrast(contrast)));
        }
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(&row.file).components().all(inside) {
            return Err(wrong(line, RowProblem::OutsideFolder(row.file.clone())));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(DatasetError::Empty {
            path: folder.to_owned(),
        });
    }
    let mut by_sheet: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_sheet.entry(&row.file).or_default().push(index);
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
        sizes: rows.iter().map(|row| (row.width, row.height)).collect(),
        crops: assemble(rows, labels, pixels),
        hash: hasher.finalize().to_string(),
    })
}

/// What is wrong with a row, without its line, which is told anyway.
fn told(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, but the header has {expected_len}"),
        csv::ErrorKind::Utf8 { err, .. } => format!("field {} is not UTF-8", err.field() + 1),
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        _ => error.to_string(),
    }
}

type Pixels = [u8; CROP_SIDE * CROP_SIDE];

/// A sheet's hash, and the pixels of its rectangles.
type CutSheet = (blake3::Hash, Vec<Pixels>);

/// Cuts the rectangles of these rows, which are of one sheet; or names the line that fails, and why.
/// The folder is canonical.
fn cut_sheet(
    folder: &Path,
    rows: &[Row],
    indices: &[usize],
) -> Result<CutSheet, (u64, RowProblem)> {
    let first = &rows[indices[0]];
    let unreadable = |reason: String| {
        let file = first.file.clone();
        (first.line, RowProblem::Sheet { file, reason })
    };
    let path = folder.join(&first.file).canonicalize();
    let path = path.map_err(|error| unreadable(error.to_string()))?;
    // A link may lead out although the name does not.
    if !path.starts_with(folder) {
        let problem = RowProblem::OutsideFolder(first.file.clone());
        return Err((first.line, problem));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let sheet = image::load_from_memory(&bytes)
        .map_err(|error| unreadable(error.to_string()))?
        .into_luma8();
    let (sheet_width, sheet_height) = sheet.dimensions();
    let mut crops = Vec::with_capacity(indices.len());
    for &index in indices {
        let Row {
            x,
            y,
            width,
            height,
            line,
            ..
        } = rows[index];
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
            return Err((line, problem));
        }
        let part = imageops::crop_imm(&sheet, x, y, width, height).to_image();
        crops.push(resize(&part));
    }
    Ok((blake3::hash(&bytes), crops))
}

fn read_label_folders(folder: &Path) -> Result<CropFolder, DatasetError> {
    let (mut rows, mut labels, mut pixels) = (Vec::new(), Vec::new(), Vec::new());
    let mut hasher = blake3::Hasher::new();
    let source = folder
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for name in (0..=9).map(|label| label.to_string()) {
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
            let picture = image::load_from_memory(&bytes)
                .map_err(|reason| DatasetError::Picture { path, reason })?
                .into_luma8();
            hasher.update(name.as_bytes()).update(&bytes);
            pixels.push(resize(&picture));
            labels.push(parse_label(&name).flatten());
            rows.push(Row {
                file: name.clone(),
                x: 0,
                y: 0,
                width: picture.width(),
                height: picture.height(),
                label: name.clone(),
                photo: String::new(),
                source: source.clone(),
                contrast: None,
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
        sizes: rows.iter().map(|row| (row.width, row.height)).collect(),
        crops: assemble(rows, labels, pixels),
        hash: hasher.finalize().to_string(),
    })
}

fn parse_label(text: &str) -> Option<Option<Digit>> {
    match text.trim().parse::<u8>() {
        Ok(0) => Some(None),
        Ok(value) => Digit::new(value).map(Some),
        Err(_) => None,
    }
}

/// The picture at the size of a crop, by a triangle filter.
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

/// Joins rows and pixels; gives foreign crops their polarity and contrast.
fn assemble(
    rows: Vec<Row>,
    labels: Vec<Option<Digit>>,
    mut pixels: Vec<Pixels>,
) -> Vec<LabeledCrop> {
    let mut boards: HashMap<(&str, bool), Vec<f32>> = HashMap::new();
    let mut contrasts = Vec::with_capacity(rows.len());
    for ((row, label), pixels) in rows.iter().zip(&labels).zip(&mut pixels) {
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
        .zip(&labels)
        .zip(&contrasts)
        .map(|((row, label), &own)| {
            let board = match (row.photo.is_empty(), label) {
                (false, _) => boards.get(&(&*row.photo, true)),
                (true, None) => boards.get(&(&*row.file, false)),
                (true, Some(_)) => None,
            };
            row.contrast.or(board.copied()).unwrap_or(own)
        })
        .collect();
    let crops = rows.into_iter().zip(labels).zip(pixels).zip(derived);
    crops
        .map(|(((row, label), pixels), board_contrast)| LabeledCrop {
            crop: CellCrop {
                pixels: Box::new(pixels),
                board_contrast,
            },
            label,
            photo: row.photo,
            source: row.source,
        })
        .collect()
}

/// Whether a crop shows light ink on a dark ground.
fn is_inverted(pixels: &Pixels) -> bool {
    let ground = cell_tone(pixels).ground;
    let darkest = pixels.iter().copied().min().map_or(ground, f32::from);
    let lightest = pixels.iter().copied().max().map_or(ground, f32::from);
    ground < DARK_GROUND && lightest - ground > ground - darkest
}
