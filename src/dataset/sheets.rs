//! Writes folders of labeled crops: sheets of many crops, and a manifest with a row for each.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use crate::digits::{LabeledCrop, ManifestRow, ManifestWriter};
use crate::files::{WriteError, write_bytes, write_whole};
use crate::vision::CROP_SIDE;

/// Number of crops along each side of a sheet.
const PER_SIDE: usize = 64;

/// Number of crops on a full sheet.
pub(super) const PER_SHEET: usize = PER_SIDE * PER_SIDE;

/// Writes labeled crops into `sheet000.png`, … and `manifest.csv` (see [`ManifestRow`]) of one folder.
#[derive(Debug)]
pub struct CropSheets {
    folder: PathBuf,
    waiting: Vec<LabeledCrop>,
    sheets: usize,
    written: usize,
    manifest: ManifestWriter<Vec<u8>>,
}

impl CropSheets {
    /// Returns a writer for this folder, which is created with the first sheet.
    pub fn new(folder: &Path) -> CropSheets {
        CropSheets {
            folder: folder.to_owned(),
            waiting: Vec::new(),
            sheets: 0,
            written: 0,
            manifest: ManifestWriter::new(Vec::new()).expect("a row fits into memory"),
        }
    }

    /// Adds crops in this order, and writes every full sheet.
    ///
    /// # Errors
    ///
    /// [`WriteError`] for a sheet that cannot be written.
    pub fn extend(&mut self, crops: Vec<LabeledCrop>) -> Result<(), WriteError> {
        self.waiting.extend(crops);
        while self.waiting.len() >= PER_SHEET {
            let rest = self.waiting.split_off(PER_SHEET);
            let full = std::mem::replace(&mut self.waiting, rest);
            self.write_sheet(&full)?;
        }
        Ok(())
    }

    /// Writes the last sheet and the manifest; returns the number of crops.
    ///
    /// # Errors
    ///
    /// [`WriteError`] for a file that cannot be written.
    pub fn finish(mut self) -> Result<usize, WriteError> {
        let rest = std::mem::take(&mut self.waiting);
        if !rest.is_empty() {
            self.write_sheet(&rest)?;
        }
        let path = self.folder.join("manifest.csv");
        let manifest = self.manifest.finish().expect("rows fit into memory");
        write_bytes(&path, &manifest).map_err(WriteError::of(&path))?;
        Ok(self.written)
    }

    fn write_sheet(&mut self, crops: &[LabeledCrop]) -> Result<(), WriteError> {
        let file = format!("sheet{:03}.png", self.sheets);
        let rows = crops.len().div_ceil(PER_SIDE);
        let columns = crops.len().min(PER_SIDE);
        let (pitch, height) = (columns * CROP_SIDE, rows * CROP_SIDE);
        let mut pixels = vec![0; pitch * height];
        for (index, labeled) in crops.iter().enumerate() {
            let (x, y) = (index % PER_SIDE * CROP_SIDE, index / PER_SIDE * CROP_SIDE);
            let lines = labeled.crop.pixels.chunks_exact(CROP_SIDE);
            for (line, row) in lines.zip(y..) {
                pixels[row * pitch + x..][..CROP_SIDE].copy_from_slice(line);
            }
            let row = ManifestRow {
                file: file.clone(),
                x: x as u32,
                y: y as u32,
                width: CROP_SIDE as u32,
                height: CROP_SIDE as u32,
                label: Some(labeled.label),
                solution: None,
                photo: labeled.photo.clone(),
                puzzle: labeled.puzzle.clone(),
                source: labeled.source.clone(),
                contrast: Some(labeled.crop.board_contrast),
                kind: labeled.kind,
                marks: labeled.marks,
            };
            self.manifest.write(&row).expect("a row fits into memory");
        }
        let path = self.folder.join(&file);
        let size = (pitch as u32, height as u32);
        write_whole(&path, |out| encode_png(&pixels, size, out)).map_err(WriteError::of(&path))?;
        self.sheets += 1;
        self.written += crops.len();
        Ok(())
    }
}

/// Encodes gray values as PNG. The fast compression makes these noisy pictures no larger than the
/// slow one.
fn encode_png(pixels: &[u8], (width, height): (u32, u32), out: &mut dyn Write) -> io::Result<()> {
    PngEncoder::new_with_quality(out, CompressionType::Fast, FilterType::Adaptive)
        .write_image(pixels, width, height, ExtendedColorType::L8)
        .map_err(io::Error::other)
}
