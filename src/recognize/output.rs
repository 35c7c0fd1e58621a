//! The output folder: what is made of each photo, each file whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::clip::ClipBoard;
use super::config::RecognizeConfig;
use super::overlay;
use super::photo::PhotoResult;
use super::photos::PhotoFile;
use super::pictures::{self, is_whole};
use super::sheet;
use super::thumbnail::{strip, thumbnail, write_large};
use crate::files::{self, WriteError};
use crate::frames::Ffmpeg;
use crate::reader::ReadBoard;
use crate::vision::{DecodedPhoto, Photo};

/// A format of the table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// `results.csv`, row by row as the photos are read.
    Csv,
    /// `results.parquet`, when the run ends.
    Parquet,
}

/// Where results go, and which are wanted.
#[derive(Clone, Debug)]
pub struct Outputs {
    pub(super) folder: PathBuf,
    overlays: bool,
    pub(super) crops: bool,
    tables: Vec<TableFormat>,
    /// Whether `frames.jsonl` is wanted.
    pub(super) frames: bool,
    /// The program that decodes and encodes videos.
    pub(super) ffmpeg: Ffmpeg,
    pub(super) settings: String,
}

impl Outputs {
    /// Makes the folder and checks that files can be written there. `settings` tells runs apart
    /// whose rows differ.
    ///
    /// # Errors
    /// Where the folder cannot be made or written to.
    pub fn create(
        folder: &Path,
        overlays: bool,
        crops: bool,
        settings: String,
    ) -> Result<Outputs, WriteError> {
        let probe = || {
            std::fs::create_dir_all(folder)?;
            tempfile::tempfile_in(folder)?.write_all(b"probe")
        };
        probe().map_err(WriteError::of(folder))?;
        Ok(Outputs {
            folder: folder.to_owned(),
            overlays,
            crops,
            tables: vec![TableFormat::Csv],
            frames: false,
            ffmpeg: Ffmpeg::default(),
            settings,
        })
    }

    /// Asks for the table of results in these formats.
    #[must_use]
    pub fn with_tables(self, tables: Vec<TableFormat>) -> Outputs {
        Outputs { tables, ..self }
    }

    /// Whether the table of results is wanted in this format.
    pub(super) fn has_table(&self, format: TableFormat) -> bool {
        self.tables.contains(&format)
    }

    /// Asks for `frames.jsonl`, and names the program that decodes and encodes videos.
    #[must_use]
    pub fn with_videos(self, frames: bool, ffmpeg: Ffmpeg) -> Outputs {
        Outputs {
            frames,
            ffmpeg,
            ..self
        }
    }

    /// Returns the path of a file of the folder.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file of the folder.
    ///
    /// # Errors
    /// What stops it; then the file is as it was before.
    pub fn write_file(
        &self,
        name: impl AsRef<Path>,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let path = self.path(name);
        files::write_whole(&path, fill).map_err(WriteError::of(&path))
    }

    /// Writes a picture of the folder, which is on disk when the run ends.
    fn write_picture(
        &self,
        name: impl AsRef<Path>,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let path = self.path(name);
        pictures::write_picture(&path, fill).map_err(WriteError::of(&path))
    }

    /// Brings the pictures of the run to disk.
    pub(super) fn sync_pictures(&self) -> Result<(), WriteError> {
        pictures::sync_pictures(&self.folder).map_err(WriteError::of(&self.folder))
    }

    /// The result of a photo of which nothing was made yet.
    pub(super) fn blank(&self, file: &PhotoFile) -> PhotoResult {
        PhotoResult {
            photo: file.name.clone(),
            content: None,
            page: None,
            settings: self.settings.clone(),
            resumed: false,
            records: Vec::new(),
            judgement: None,
            video: None,
            artifact: file.artifact.clone(),
            thumbnail: None,
            cells: None,
            large: None,
            overlay: self.overlays,
            sheet: self.crops.then(Vec::new),
            pictures_ms: 0.0,
        }
    }

    /// Whether what an earlier run made of a photo is all that is wanted of it.
    pub(super) fn are_there(&self, file: &PhotoFile, photo: &PhotoResult) -> bool {
        let is_named = photo.artifact == file.artifact;
        let overlay = match photo.overlay_file() {
            Some(name) => is_named && is_whole(&self.path(name)),
            None => photo.overlay,
        };
        let sheet = match photo.sheet_file() {
            Some(name) => is_named && is_whole(&self.path(name)),
            None => photo.sheet.is_some(),
        };
        let large = photo.large.iter().map(|large| &large.file);
        let mut pictures = photo.thumbnail.iter().chain(&photo.cells).chain(large);
        let pictures = pictures.all(|name| is_whole(&self.path(name)));
        let frames = photo.video.is_none() || !self.frames;
        frames && (overlay || !self.overlays) && (sheet || !self.crops) && pictures
    }

    /// Writes the pictures of a video, made from the best frame of each of its boards, and enters them in
    /// its result.
    pub(super) fn write_stills(
        &self,
        result: &mut PhotoResult,
        content: &str,
        boards: Vec<ClipBoard>,
    ) -> Result<(), WriteError> {
        let stills: Vec<_> = boards.iter().filter_map(|it| it.still.as_ref()).collect();
        if let Some(bytes) = strip(&stills) {
            let name = format!("thumbnails/{content}.jpg");
            self.write_picture(&name, |writer| writer.write_all(&bytes))?;
            result.thumbnail = Some(name);
        }
        let boards: Vec<ReadBoard> = boards.into_iter().map(|clip| clip.board).collect();
        if !boards.is_empty() {
            let name = format!("cells/{content}.jpg");
            self.write_picture(&name, |writer| sheet::write_small(writer, &boards))?;
            result.cells = Some(name);
        }
        if self.crops {
            result.sheet = Some(boards.iter().map(sheet::contrast).collect());
            if let Some(name) = result.sheet_file() {
                self.write_picture(name, |writer| sheet::write_exact(writer, &boards))?;
            }
        }
        Ok(())
    }

    /// Writes the large picture of a photo that a person should look at, and enters it in its result, unless there is
    /// one or an overlay shows as much. `open` gives its pixels, if they are still the content of this hash; without
    /// them there is none.
    pub(super) fn write_large(
        &self,
        result: &mut PhotoResult,
        open: impl FnOnce(&str) -> Option<DecodedPhoto>,
    ) -> Result<(), WriteError> {
        let is_shown = result.large.is_some() || result.overlay_file().is_some();
        let is_wanted = result.is_doubtful() && result.video.is_none() && !is_shown;
        let (true, Some(content)) = (is_wanted && result.thumbnail.is_some(), &result.content)
        else {
            return Ok(());
        };
        if let Some(decoded) = open(content) {
            result.large = write_large(&self.folder, content, &decoded)?;
        }
        Ok(())
    }

    /// Writes the pictures that are wanted of a photo that was opened, and enters them in its result. Without its
    /// colours an overlay is drawn on gray.
    pub(super) fn write_pictures(
        &self,
        result: &mut PhotoResult,
        content: &str,
        (photo, decoded): (&Photo, Option<&DecodedPhoto>),
        boards: &[ReadBoard],
        config: &RecognizeConfig,
    ) -> Result<(), WriteError> {
        // Named by content, so that a photo that was renamed keeps them.
        if let Some(bytes) = thumbnail(photo, boards) {
            let name = format!("thumbnails/{content}.jpg");
            self.write_picture(&name, |writer| writer.write_all(&bytes))?;
            result.thumbnail = Some(name);
        }
        if !boards.is_empty() {
            let name = format!("cells/{content}.jpg");
            self.write_picture(&name, |writer| sheet::write_small(writer, boards))?;
            result.cells = Some(name);
        }
        if let Some(name) = result.overlay_file() {
            let side = overlay::OVERLAY_SIDE;
            let canvas = decoded.map(|decoded| decoded.color(Some(side)));
            let mut canvas = canvas.unwrap_or_else(|| overlay::gray_canvas(photo, side));
            for board in boards {
                overlay::draw_board(&mut canvas, board, config.check, photo.luma().width());
            }
            let path = self.path(&name);
            let bytes = overlay::encode(&canvas).map_err(io::Error::other);
            let bytes = bytes.map_err(WriteError::of(&path))?;
            self.write_picture(name, |writer| writer.write_all(&bytes))?;
        }
        if self.crops {
            result.sheet = Some(boards.iter().map(sheet::contrast).collect());
            if let Some(name) = result.sheet_file() {
                self.write_picture(name, |writer| sheet::write_exact(writer, boards))?;
            }
        }
        Ok(())
    }
}
