//! A run: one parallel map over photos, its results streamed out in input order.

use std::fs;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::config::RecognizeConfig;
use super::crops::CropManifest;
use super::failure::Failure;
use super::journal::{Cache, Journal, PHOTOS};
use super::output::Outputs;
use super::photo::PhotoResult;
use super::photos::PhotoFile;
use super::record::Record;
use super::score::{Accuracy, Judgement, score};
use super::summary::{Summary, Throughput};
use crate::files::{WholeFile, WriteError};
use crate::parallel::map_in_order;
use crate::reader::{Examined, Reader, Refusal, StageMs};
use crate::solve::Mrv;
use crate::truth::TruthSource;
use crate::vision::Photo;

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
    /// What is wrong with its ground truth.
    problem: Option<String>,
}

/// Reads photos on all threads of the current rayon pool, and writes `results.csv`, `photos.jsonl`,
/// `summary.json` and what else is wanted of each photo. Rows come in the order of the photos and do not
/// depend on threads; a photo that fails is a row that says why. `on_photo` gets each result, in order.
/// Once `stop` is set no further photo is begun. `summary` begins empty, but for problems.
///
/// # Errors
/// Only where a file of the output cannot be written.
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
    let mut files = RunFiles::create(job.outputs)?;
    let interrupted = AtomicBool::new(false);
    let photos = photos.take_while(|_| {
        let stopped = stop.load(Ordering::SeqCst);
        interrupted.fetch_or(stopped, Ordering::SeqCst);
        !stopped
    });
    let start = Instant::now();
    let sink = |done: Result<Done, WriteError>| {
        let done = done?;
        let photo = &done.photo;
        journal.add(photo).map_err(failed())?;
        files.add(photo)?;
        summary.add(photo, done.accuracy.as_ref());
        done.problem
            .into_iter()
            .for_each(|it| summary.add_problem(it));
        on_photo(photo);
        Ok(())
    };
    map_in_order(photos, |file| job.photo(&file, &cache), sink)?;
    summary.throughput = Throughput::new(
        summary.photos - summary.resumed,
        start.elapsed().as_secs_f64(),
    );
    summary.interrupted = interrupted.into_inner();
    files.finish()?;
    let rest = summary.interrupted.then_some(&cache);
    journal.finish(rest).map_err(failed())?;
    job.outputs.write_file("summary.json", |writer| {
        serde_json::to_writer_pretty(&mut *writer, &summary)?;
        writer.write_all(b"\n")
    })?;
    Ok(summary)
}

/// The tables of a run, which take their names when they are complete.
struct RunFiles {
    results: csv::Writer<WholeFile>,
    manifest: Option<CropManifest>,
    folder: std::path::PathBuf,
}

const RESULTS: &str = "results.csv";

impl RunFiles {
    fn create(outputs: &Outputs) -> Result<RunFiles, WriteError> {
        let path = outputs.path(RESULTS);
        let results = WholeFile::create(&path).map_err(WriteError::of(&path))?;
        let path = outputs.path(CropManifest::FILE);
        let manifest = outputs.crops.then(|| CropManifest::create(&path));
        Ok(RunFiles {
            results: csv::Writer::from_writer(results),
            manifest: manifest.transpose().map_err(WriteError::of(&path))?,
            folder: outputs.folder.clone(),
        })
    }

    fn add(&mut self, photo: &PhotoResult) -> Result<(), WriteError> {
        for row in photo.rows() {
            let written = self.results.serialize(row).map_err(io::Error::other);
            written.map_err(WriteError::of(&self.folder.join(RESULTS)))?;
        }
        match &mut self.manifest {
            Some(manifest) => manifest
                .add(photo)
                .map_err(WriteError::of(&self.folder.join(CropManifest::FILE))),
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<(), WriteError> {
        let results = self.results.into_inner();
        let finished = results.map_err(|error| io::Error::other(error.to_string()));
        let finished = finished.and_then(WholeFile::finish);
        finished.map_err(WriteError::of(&self.folder.join(RESULTS)))?;
        let path = self.folder.join(CropManifest::FILE);
        let manifest = self.manifest.map_or(Ok(()), CropManifest::finish);
        manifest.map_err(WriteError::of(&path))
    }
}

impl Job<'_> {
    /// Reads a photo, writes its pictures and scores it. A crash costs this photo only.
    fn photo(&self, file: &PhotoFile, cache: &Cache) -> Result<Done, WriteError> {
        let mut photo = guarded(|| self.read(file, cache)).unwrap_or_else(|failure| {
            let mut photo = self.outputs.blank(file);
            photo.records.push(failed(&failure, StageMs::default()));
            Ok(photo)
        })?;
        let (scored, problem) = match self.score(file, &mut photo) {
            Ok(scored) => (scored, None),
            Err(problem) => (None, Some(problem)),
        };
        photo.judgement = scored.map(|(_, judgement)| judgement);
        Ok(Done {
            photo,
            accuracy: scored.map(|(accuracy, _)| accuracy),
            problem,
        })
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

    fn read(&self, file: &PhotoFile, cache: &Cache) -> Result<PhotoResult, WriteError> {
        let start = Instant::now();
        let mut result = self.outputs.blank(file);
        let times = || StageMs {
            decode: start.elapsed().as_secs_f32() * 1000.0,
            ..StageMs::default()
        };
        let bytes = match read_file(&file.path, self.config.max_file_bytes) {
            Ok(bytes) => bytes,
            Err(failure) => {
                result.records.push(failed(&failure, times()));
                return Ok(result);
            }
        };
        let content = blake3::hash(&bytes).to_hex()[..32].to_owned();
        if let Some(mut known) = cache.photo(&content)
            && self.outputs.are_there(file, &known)
        {
            known.photo.clone_from(&file.name);
            known.records.iter_mut().for_each(|it| it.truth = None);
            known.resumed = true;
            return Ok(known);
        }
        result.content = Some(content.clone());
        let photo = match Photo::from_bytes(&bytes, &self.config.photo) {
            Ok(photo) => photo,
            Err(error) => {
                result.records.push(failed(&error.into(), times()));
                return Ok(result);
            }
        };
        let open_ms = times().decode;
        let found = self.examine(&photo, start.elapsed());
        let times = StageMs {
            decode: open_ms,
            ..found.times
        };
        result.records = match found.refusal {
            Some(refusal) => vec![failed(&refusal.into(), times)],
            None => {
                let boards = found.boards.iter().zip(1..);
                boards
                    .map(|(board, number)| Record::of_board(number, board, &photo, open_ms))
                    .collect()
            }
        };
        self.outputs.write_pictures(
            &mut result,
            &content,
            &bytes,
            &photo,
            &found.boards,
            self.config,
        )?;
        Ok(result)
    }

    /// Reads the boards of a photo that took so long to open.
    fn examine(&self, photo: &Photo, opening: Duration) -> Examined {
        let limit = self.config.time_limit_ms.map(Duration::from_millis);
        let left = limit.map(|limit| limit.saturating_sub(opening));
        let mut found = self.reader.examine(photo, left);
        if let (Some(Refusal::Timeout { limit_ms }), Some(limit)) =
            (&mut found.refusal, self.config.time_limit_ms)
        {
            *limit_ms = limit;
        }
        found
    }
}

/// The row of a photo without a board.
fn failed(failure: &Failure, stages: StageMs) -> Record {
    Record {
        puzzle: 0,
        status: failure.status(),
        reading: None,
        error: Some(failure.to_string()),
        stages,
        truth: None,
    }
}

/// The bytes of a photo.
fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    // Looked at first: opening a pipe waits for somebody to write to it.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(Failure::NotAFile);
    }
    if metadata.len() > max_bytes {
        return Err(Failure::TooLarge {
            megabytes: metadata.len() >> 20,
            limit: max_bytes >> 20,
        });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    fs::File::open(path)?
        .take(max_bytes)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Runs what may crash on foreign bytes, so that a crash costs one photo.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Failure::Crashed(text.unwrap_or_default())
    })
}
