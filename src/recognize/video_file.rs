//! A video of a run: opened, read, its overlay and its pictures written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::clip::ClipJob;
use super::failure::Failure;
use super::journal::Cache;
use super::photo::PhotoResult;
use super::photos::PhotoFile;
use super::record::Record;
use super::run::{Job, ReadFile};
use super::video::VideoResult;
use crate::files::{WholeFile, WriteError, hash_file};
use crate::frames::{Ffmpeg, Video, VideoError, VideoWriter};
use crate::reader::{FollowConfig, StageMs};

impl Job<'_> {
    /// Reads a video.
    pub(super) fn video(
        &self,
        file: &PhotoFile,
        cache: &Cache,
        stop: &AtomicBool,
    ) -> Result<Option<ReadFile>, WriteError> {
        let mut result = self.outputs.blank(file);
        let failure = |mut result: PhotoResult, failure: &Failure| {
            // Another time there may be an ffmpeg: such a row is no answer for the next run.
            result.content = None;
            result.video = Some(VideoResult::unseen(failure.to_string()));
            result
                .records
                .push(Record::of_failure(failure, StageMs::default()));
            Ok(Some(ReadFile {
                advice: failure.advice(),
                ..result.into()
            }))
        };
        if !file.is_stream() {
            match hash_of_file(&file.path) {
                Ok(content) => result.content = Some(content),
                Err(error) => return failure(result, &error),
            }
        }
        let content = result.content.clone();
        let known = content.as_deref();
        if let Some(known) = known.and_then(|content| self.known(file, content, cache)) {
            return Ok(Some(known.into()));
        }
        let ffmpeg = &self.outputs.ffmpeg;
        let opened = match file.is_stream() {
            true => Video::from_y4m(io::stdin()),
            false => Video::open(&file.path, ffmpeg),
        };
        let mut video = match opened {
            Ok(video) => video,
            Err(error) => return failure(result, &error.into()),
        };
        let mut frames = match self.outputs.frames {
            true => Some(tempfile::tempfile().map_err(WriteError::of(&self.outputs.folder))?),
            false => None,
        };
        let follow = FollowConfig::default();
        let job = ClipJob {
            reader: self.reader,
            photo: &self.config.frame,
            follow: &follow,
            every: self.config.every,
            stop,
        };
        let path = self.outputs.path(result.video_overlay());
        let original = video.may_have_sound().then_some(&*file.path);
        let create = || OverlayFile::create(&path, original, &video, ffmpeg);
        let overlay = result.overlay.then(create).transpose()?.transpose();
        let (mut overlay, mut overlay_error) = match overlay {
            Ok(overlay) => (overlay, None),
            Err(error) => (None, Some(error)),
        };
        let mut lines = frames.as_mut().map(io::BufWriter::new);
        let clip = video.ahead(|frames| {
            let lines = lines.as_mut().map(|it| it as &mut dyn io::Write);
            let overlay = overlay.as_mut().map(|it| &mut it.writer);
            job.read(&file.name, frames, lines, overlay)
        });
        let flushed = lines.map_or(Ok(()), |mut lines| lines.flush());
        flushed.map_err(WriteError::of(&self.outputs.folder))?;
        let mut clip = clip.map_err(WriteError::of(&self.outputs.folder))?;
        if clip.stopped {
            return Ok(None);
        }
        if let Some(photo) = clip.still.take() {
            clip.set_photo(self.reader.read(&photo), &photo);
        }
        result.records = clip.records();
        let is_read = result.records.iter().any(|it| it.status.is_read());
        overlay_error = overlay_error.or(clip.overlay_error.take());
        if let (Some(overlay), true, None) = (overlay, is_read, &overlay_error) {
            overlay_error = overlay.finish(video.end())?.err();
        }
        // The rows are whole without it; a run that wants one reads the video again.
        result.overlay &= overlay_error.is_none();
        let overlay_error = overlay_error.map(|error| format!("no overlay: {error}"));
        let damage = clip.result.error.clone();
        if clip.result.error.is_some() {
            result.content = None;
        }
        let stills = content.unwrap_or_else(|| file.artifact.clone());
        result.video = Some(clip.result);
        self.outputs
            .write_stills(&mut result, &stills, clip.boards)?;
        Ok(Some(ReadFile {
            problems: damage.into_iter().chain(overlay_error).collect(),
            frames,
            ..result.into()
        }))
    }
}

/// An overlay that is being written: it takes its name when it is whole.
struct OverlayFile {
    // Before its file: the encoder is ended before what it has written is taken away.
    writer: VideoWriter,
    file: WholeFile,
    path: PathBuf,
}

impl OverlayFile {
    fn create(
        path: &Path,
        original: Option<&Path>,
        video: &Video,
        ffmpeg: &Ffmpeg,
    ) -> Result<Result<OverlayFile, VideoError>, WriteError> {
        let file = WholeFile::create(path).map_err(WriteError::of(path))?;
        let (temporary, size) = (file.temporary_path(), video.size());
        let writer = VideoWriter::create(temporary, original, size, video.rate(), ffmpeg);
        Ok(writer.map(|writer| OverlayFile {
            writer,
            file,
            path: path.to_owned(),
        }))
    }

    /// Ends the overlay of a video that ends at this time, and gives it its name.
    fn finish(self, end: Option<f64>) -> Result<Result<(), VideoError>, WriteError> {
        if let Err(error) = self.writer.finish(end) {
            return Ok(Err(error));
        }
        self.file.finish().map_err(WriteError::of(&self.path))?;
        Ok(Ok(()))
    }
}

/// The content hash of a file, if that is what it is.
fn hash_of_file(path: &Path) -> Result<String, Failure> {
    // Looked at first: opening a pipe waits for somebody to write to it.
    match fs::metadata(path)?.is_file() {
        true => Ok(hash_file(path)?),
        false => Err(Failure::NotAFile),
    }
}
