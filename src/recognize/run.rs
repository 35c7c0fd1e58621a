//! A run: one parallel map over photos, its results streamed out in input order.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::Deserialize;

use super::config::RecognizeConfig;
use super::crops::CropManifest;
use super::failure::guarded;
use super::inputs::{Input, Page, Source, inputs, read_file};
use super::journal::{Cache, Journal, PHOTOS};
use super::output::{Outputs, TableFormat};
use super::parquet_table::write_parquet;
use super::photo::PhotoResult;
use super::photos::PhotoFile;
use super::record::Record;
use super::score::{Accuracy, Judgement, score};
use super::still::read_still;
use super::summary::{Summary, Throughput};
use super::video::{BoardRow, VideoResult};
use crate::environment::Environment;
use crate::files::{WholeFile, WriteError, content_hash, read_json};
use crate::frames::{is_animation, is_video};
use crate::parallel::map_in_order;
use crate::reader::{Reader, StageMs};
use crate::solve::Mrv;
use crate::truth::TruthSource;
use crate::vision::DecodedPhoto;

/// What a run works with.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// Reads boards.
    pub reader: &'a Reader,
    /// Everything that shapes the rows.
    pub config: &'a RecognizeConfig,
    /// What the photos really show.
    pub truth: &'a TruthSource,
    /// Where results go.
    pub outputs: &'a Outputs,
    /// Whether photos that an earlier run into the same folder has read are read again.
    pub fresh: bool,
}

/// A photo that is done.
struct Done {
    photo: PhotoResult,
    accuracy: Option<Accuracy>,
    /// What is wrong with it, and with its ground truth.
    problems: Vec<String>,
    /// What to do about all files of its kind.
    advice: Option<String>,
    /// The lines of `frames.jsonl` of a video.
    frames: Option<File>,
}

/// Reads photos on all threads of the current rayon pool, and writes `results.csv`, `photos.jsonl`,
/// `summary.json` and what else is wanted of each photo. Rows come in the order of the photos and do not
/// depend on threads; a photo that fails is a row that says why. `on_photo` gets each result, in order.
/// Once `stop` is set no further photo is begun. `summary` begins empty, but for problems.
///
/// # Errors
/// Only where a file of the output cannot be written.
///
/// ```
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use sudoku_batch::reader::Reader;
/// use sudoku_batch::recognize::{
///     Job, NameFilter, Outputs, RecognizeConfig, Summary, list, recognize,
/// };
/// use sudoku_batch::truth::TruthSource;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let results = tempfile::tempdir()?;
/// # let results = results.path();
/// let config = RecognizeConfig::default();
/// let reader = Reader::new(config.reader.clone())?;
/// let summary = Summary::new(&config, &reader, 1);
/// let outputs = Outputs::create(results, false, false, summary.fingerprint("my program 1.0"))?;
/// let job = Job {
///     reader: &reader,
///     config: &config,
///     truth: &TruthSource::Beside,
///     outputs: &outputs,
///     fresh: false,
/// };
/// let photos = list(&[Path::new("datasets/photos").to_owned()], Some(results), &NameFilter::default())?;
/// let stop = AtomicBool::new(false);
/// let summary = recognize(photos.photos()?, job, summary, &stop, |photo| println!("{}", photo.photo))?;
/// assert_eq!(summary.photos, 24);
/// assert!(results.join("results.csv").exists());
/// # Ok(())
/// # }
/// ```
pub fn recognize(
    photos: impl Iterator<Item = PhotoFile> + Send,
    job: Job<'_>,
    mut summary: Summary,
    stop: &AtomicBool,
    mut on_photo: impl FnMut(&PhotoResult) + Send,
) -> Result<Summary, WriteError> {
    let folder = &job.outputs.folder;
    let journal_path = folder.join(PHOTOS);
    let failed = || WriteError::of(&journal_path);
    let mut journal = Journal::begin(folder).map_err(failed())?;
    let cache = match job.fresh {
        true => Cache::default(),
        false => Cache::open(folder, &job.outputs.settings),
    };
    let mut files = RunFiles::create(job.outputs, job.config.marks)?;
    let interrupted = AtomicBool::new(false);
    let inputs = inputs(photos, job.config.max_file_bytes).take_while(|_| {
        let stopped = stop.load(Ordering::SeqCst);
        interrupted.fetch_or(stopped, Ordering::SeqCst);
        !stopped
    });
    let start = Instant::now();
    let sink = |done: Result<Option<Done>, WriteError>| {
        let Some(done) = done? else {
            interrupted.store(true, Ordering::SeqCst);
            return Ok(());
        };
        let photo = &done.photo;
        journal.add(photo).map_err(failed())?;
        files.add(photo, done.frames)?;
        summary.add(photo, done.accuracy.as_ref());
        let problems = done.advice.into_iter().chain(done.problems);
        problems.for_each(|it| summary.add_problem(it));
        on_photo(photo);
        Ok(())
    };
    map_in_order(inputs, |input| job.photo(&input, &cache, stop), sink)?;
    let read = summary.photos - summary.resumed;
    match last_speed(folder).filter(|_| read == 0 && summary.resumed > 0) {
        // Nothing was read: how fast it was is what the last run says.
        Some(last) => {
            (summary.throughput, summary.environment) = (last.throughput, last.environment)
        }
        None => summary.throughput = Throughput::new(read, start.elapsed().as_secs_f64()),
    }
    summary.interrupted = interrupted.load(Ordering::SeqCst);
    job.outputs.sync_pictures()?;
    files.finish()?;
    let rest = summary.interrupted.then_some(&cache);
    journal.finish(rest).map_err(failed())?;
    let parquet = job.outputs.has_table(TableFormat::Parquet);
    write_parquet(folder, parquet, job.config.marks)?;
    summary.write(folder)?;
    Ok(summary)
}

/// How fast the last run into a folder was, and on what.
#[derive(Deserialize)]
struct LastSpeed {
    throughput: Throughput,
    environment: Environment,
}

fn last_speed(folder: &Path) -> Option<LastSpeed> {
    read_json(&folder.join(Summary::FILE)).ok()
}

/// The rows of `results.csv`, there as soon as they are read, and whole.
struct Rows {
    file: File,
    /// Bytes of whole rows.
    whole: u64,
    /// Whether the table has a column for pencil marks.
    marks: bool,
}

impl Rows {
    fn create(path: &Path, marks: bool) -> io::Result<Rows> {
        let file = File::create(path)?;
        Ok(Rows {
            file,
            whole: 0,
            marks,
        })
    }

    fn add(&mut self, photo: &PhotoResult) -> io::Result<()> {
        let is_first = self.whole == 0;
        let mut table = csv::WriterBuilder::new();
        let mut table = table.has_headers(is_first).from_writer(Vec::new());
        for row in photo.rows(self.marks) {
            table.serialize(row).map_err(io::Error::other)?;
        }
        let rows = table.into_inner();
        let rows = rows.map_err(|error| io::Error::other(error.to_string()))?;
        if let Err(error) = self.file.write_all(&rows) {
            // A row of which a part is there is taken out; where that fails, too, there is nothing left to do.
            let _ = self.file.set_len(self.whole);
            return Err(error);
        }
        self.whole += rows.len() as u64;
        Ok(())
    }
}

/// The tables of a run. Rows of `results.csv` are there as soon as they are read; the others take their names when
/// they are complete.
struct RunFiles {
    results: Option<Rows>,
    /// `boards.csv` and `frames.jsonl`, once there is a video.
    boards: Option<csv::Writer<WholeFile>>,
    frames: Option<WholeFile>,
    manifest: Option<CropManifest>,
    folder: std::path::PathBuf,
}

pub(super) const RESULTS: &str = "results.csv";
pub(super) const BOARDS: &str = "boards.csv";
pub(super) const FRAMES: &str = "frames.jsonl";

impl RunFiles {
    fn create(outputs: &Outputs, marks: bool) -> Result<RunFiles, WriteError> {
        let path = outputs.path(RESULTS);
        let results = match outputs.has_table(TableFormat::Csv) {
            true => Some(Rows::create(&path, marks).map_err(WriteError::of(&path))?),
            false => None,
        };
        let path = outputs.path(CropManifest::FILE);
        let manifest = outputs.crops.then(|| CropManifest::create(&path));
        Ok(RunFiles {
            results,
            boards: None,
            frames: None,
            manifest: manifest.transpose().map_err(WriteError::of(&path))?,
            folder: outputs.folder.clone(),
        })
    }

    fn add(&mut self, photo: &PhotoResult, frames: Option<File>) -> Result<(), WriteError> {
        let written = self.results.as_mut().map_or(Ok(()), |rows| rows.add(photo));
        written.map_err(WriteError::of(&self.folder.join(RESULTS)))?;
        if let Some(video) = &photo.video {
            let path = self.folder.join(BOARDS);
            let rows = video.rows(&photo.photo, &photo.records);
            self.add_boards(rows).map_err(WriteError::of(&path))?;
        }
        if let Some(frames) = frames {
            let path = self.folder.join(FRAMES);
            self.add_frames(frames).map_err(WriteError::of(&path))?;
        }
        match &mut self.manifest {
            Some(manifest) => manifest
                .add(photo)
                .map_err(WriteError::of(&self.folder.join(CropManifest::FILE))),
            None => Ok(()),
        }
    }

    fn add_boards<'a>(&mut self, mut rows: impl Iterator<Item = BoardRow<'a>>) -> io::Result<()> {
        let boards = match &mut self.boards {
            Some(boards) => boards,
            none => {
                let file = WholeFile::create(&self.folder.join(BOARDS))?;
                none.insert(csv::Writer::from_writer(file))
            }
        };
        rows.try_for_each(|row| boards.serialize(row).map_err(io::Error::other))
    }

    fn add_frames(&mut self, mut lines: File) -> io::Result<()> {
        let frames = match &mut self.frames {
            Some(frames) => frames,
            none => none.insert(WholeFile::create(&self.folder.join(FRAMES))?),
        };
        lines.rewind()?;
        io::copy(&mut lines, frames).map(|_| ())
    }

    fn finish(self) -> Result<(), WriteError> {
        let path = self.folder.join(BOARDS);
        let whole = |boards: csv::Writer<WholeFile>| {
            let inner = boards.into_inner();
            inner.map_err(|error| io::Error::other(error.to_string()))
        };
        let boards = self.boards.map(whole).transpose();
        finish_or_remove(boards, &path)?;
        let path = self.folder.join(FRAMES);
        finish_or_remove(Ok(self.frames), &path)?;
        let path = self.folder.join(RESULTS);
        match self.results {
            Some(rows) => rows.file.sync_all().map_err(WriteError::of(&path))?,
            None => finish_or_remove(Ok(None), &path)?,
        }
        let path = self.folder.join(CropManifest::FILE);
        let manifest = self.manifest.map_or(Ok(()), CropManifest::finish);
        manifest.map_err(WriteError::of(&path))
    }
}

/// Gives a file its name; one that this run did not write is not left from an earlier one.
fn finish_or_remove(file: io::Result<Option<WholeFile>>, path: &Path) -> Result<(), WriteError> {
    let finished = file.and_then(|file| match file {
        Some(file) => file.finish(),
        None => match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    });
    finished.map_err(WriteError::of(path))
}

/// A photo or a video that was read.
pub(super) struct ReadFile {
    pub(super) result: PhotoResult,
    /// What to do about all files of its kind.
    pub(super) advice: Option<String>,
    /// What went wrong beside its rows.
    pub(super) problems: Vec<String>,
    /// The lines of `frames.jsonl` of a video.
    pub(super) frames: Option<File>,
    /// The pixels of a photo, where they are at hand.
    pub(super) decoded: Option<DecodedPhoto>,
}

impl From<PhotoResult> for ReadFile {
    fn from(result: PhotoResult) -> ReadFile {
        ReadFile {
            result,
            advice: None,
            problems: Vec::new(),
            frames: None,
            decoded: None,
        }
    }
}

impl Job<'_> {
    /// Reads a photo or a video, writes its pictures and scores it. A crash costs this file only. Nothing
    /// where reading a video was stopped.
    fn photo(
        &self,
        input: &Input,
        cache: &Cache,
        stop: &AtomicBool,
    ) -> Result<Option<Done>, WriteError> {
        let file = &input.file;
        let read = guarded(|| self.read(input, cache, stop)).unwrap_or_else(|failure| {
            let mut photo = self.outputs.blank(file);
            if is_video_file(file) {
                photo.video = Some(VideoResult::unseen(failure.to_string()));
            }
            photo
                .records
                .push(Record::of_failure(&failure, StageMs::default()));
            Ok(Some(photo.into()))
        })?;
        let Some(ReadFile {
            result: mut photo,
            advice,
            problems,
            frames,
            decoded,
        }) = read
        else {
            return Ok(None);
        };
        let (scored, problem) = match self.score(file, &mut photo) {
            Ok(scored) => (scored, None),
            Err(problem) => (None, Some(problem)),
        };
        photo.judgement = scored.map(|(_, judgement)| judgement);
        let start = Instant::now();
        let open = |content: &str| decoded.or_else(|| self.decoded(input, content));
        self.outputs.write_large(&mut photo, open)?;
        if photo.large.is_some() && !photo.resumed {
            photo.pictures_ms += start.elapsed().as_secs_f32() * 1000.0;
        }
        let problems = problems.into_iter();
        let problems = problems.map(|it| format!("{}: {it}", photo.photo));
        Ok(Some(Done {
            accuracy: scored.map(|(accuracy, _)| accuracy),
            problems: problems.chain(problem).collect(),
            advice,
            frames,
            photo,
        }))
    }

    /// The pixels of a photo, unless its file was exchanged since it was read.
    fn decoded(&self, input: &Input, content: &str) -> Option<DecodedPhoto> {
        let config = &self.config.photo;
        let bytes = match &input.source {
            Source::Page(page) => {
                let document = &page.document;
                document
                    .picture(page.result.number, config.max_color_pixels)
                    .ok()
            }
            _ => {
                let bytes = read_file(&input.file.path, self.config.max_file_bytes).ok()?;
                (content_hash(&bytes) == content).then_some(bytes)
            }
        };
        DecodedPhoto::from_bytes(&bytes?, config).ok()
    }

    /// Scores the rows of a photo by its ground truth, if there is one.
    fn score(
        &self,
        file: &PhotoFile,
        photo: &mut PhotoResult,
    ) -> Result<Option<(Accuracy, Judgement)>, String> {
        let truth = self.truth.boards(&file.path);
        let Some(truth) = truth.map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let scored = guarded(|| score(&mut photo.records, &truth, &mut Mrv::new()));
        let scored = scored.map_err(|failure| format!("{}: {failure}", file.name))?;
        Ok(Some(scored))
    }

    fn read(
        &self,
        input: &Input,
        cache: &Cache,
        stop: &AtomicBool,
    ) -> Result<Option<ReadFile>, WriteError> {
        let file = &input.file;
        match &input.source {
            Source::File if is_video_file(file) => self.video(file, cache, stop),
            Source::File => self.still(file, cache, stop),
            Source::Page(page) => self.page(file, page, cache).map(Some),
            Source::Failed(failure) => {
                let mut result = self.outputs.blank(file);
                let row = Record::of_failure(failure, StageMs::default());
                result.records.push(row);
                Ok(Some(ReadFile {
                    advice: failure.advice(),
                    ..result.into()
                }))
            }
        }
    }

    /// Reads a picture file.
    fn still(
        &self,
        file: &PhotoFile,
        cache: &Cache,
        stop: &AtomicBool,
    ) -> Result<Option<ReadFile>, WriteError> {
        let start = Instant::now();
        let bytes = match read_file(&file.path, self.config.max_file_bytes) {
            Ok(bytes) => bytes,
            Err(failure) => {
                let mut result = self.outputs.blank(file);
                let row = Record::of_failure(&failure, opening(start));
                result.records.push(row);
                return Ok(Some(result.into()));
            }
        };
        if is_animation(&bytes) {
            return self.video(file, cache, stop);
        }
        let content = content_hash(&bytes);
        if let Some(known) = self.known(file, &content, cache) {
            return Ok(Some(known.into()));
        }
        let result = self.outputs.blank(file);
        self.picture(result, content, &bytes, start).map(Some)
    }

    /// Reads a page of a document.
    fn page(&self, file: &PhotoFile, page: &Page, cache: &Cache) -> Result<ReadFile, WriteError> {
        let start = Instant::now();
        let number = page.result.number;
        let content = page.document.page_content(number);
        if let Some(mut known) = self.known(file, &content, cache) {
            known.page = Some(page.result.clone());
            return Ok(known.into());
        }
        let mut result = self.outputs.blank(file);
        result.page = Some(page.result.clone());
        let max_pixels = self.config.photo.max_color_pixels;
        match page.document.picture(number, max_pixels) {
            Ok(bytes) => self.picture(result, content, &bytes, start),
            Err(error) => {
                let row = Record::of_failure(&error.into(), opening(start));
                result.records.push(row);
                result.content = Some(content);
                Ok(result.into())
            }
        }
    }

    /// What an earlier run made of a photo, if that is all that is wanted of it.
    pub(super) fn known(
        &self,
        file: &PhotoFile,
        content: &str,
        cache: &Cache,
    ) -> Option<PhotoResult> {
        let mut known = cache.photo(content)?;
        if !self.outputs.are_there(file, &known) {
            return None;
        }
        known.photo.clone_from(&file.name);
        known.records.iter_mut().for_each(|it| it.truth = None);
        known.resumed = true;
        Some(known)
    }

    /// Reads the bytes of a picture file, and writes its pictures.
    fn picture(
        &self,
        mut result: PhotoResult,
        content: String,
        bytes: &[u8],
        start: Instant,
    ) -> Result<ReadFile, WriteError> {
        let still = read_still(self.reader, self.config, bytes, start);
        result.records = still.records;
        let mut decoded = still.decoded;
        if let Some((photo, boards)) = &still.opened {
            let config = self.config;
            let start = Instant::now();
            if decoded.is_none() && result.overlay_file().is_some() {
                decoded = DecodedPhoto::from_bytes(bytes, &config.photo).ok();
            }
            let opened = (photo, decoded.as_ref());
            let outputs = self.outputs;
            outputs.write_pictures(&mut result, &content, opened, boards, config)?;
            result.pictures_ms = start.elapsed().as_secs_f32() * 1000.0;
        }
        // Another build may read it: such a row is no answer for the next run.
        result.content = still.advice.is_none().then_some(content);
        Ok(ReadFile {
            advice: still.advice,
            decoded,
            ..result.into()
        })
    }
}

/// Whether a file is a video by its name.
fn is_video_file(file: &PhotoFile) -> bool {
    file.is_stream() || is_video(&file.path)
}

/// The times of a photo that took until now to be opened.
fn opening(start: Instant) -> StageMs {
    StageMs {
        decode: start.elapsed().as_secs_f32() * 1000.0,
        ..StageMs::default()
    }
}
