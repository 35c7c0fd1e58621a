//! The batch: chunks of photos, each in flat passes over all its boards.
//!
//! A chunk is located photo by photo, classified board by board and decoded board by board, each
//! pass in parallel; then the doubtful boards of the whole chunk get their second chances in the
//! same way. Nothing is shared between threads and nothing depends on their number.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::attempt::{Attempt, Hypothesis};
use super::config::RecognizeConfig;
use super::failure::Failure;
use super::hand::{Fumble, Hand, guarded, ms_since, read_file};
use super::journal::{Entry, Journal};
use super::output::{Opened, OutputError, Outputs};
use super::photos::PhotoFile;
use super::record::StageMs;
use crate::digits::{DigitClassifier, InferenceError, Posterior};
use crate::grid::{Cell, CellMap};
use crate::solve::Solver;
use crate::vision::{CellCrop, GridDetector};

/// What the batch works with.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Finds grids.
    pub detector: &'a dyn GridDetector,
    /// Reads cells.
    pub classifier: &'a dyn DigitClassifier,
    /// Makes a solver; called once a thread or more often.
    pub solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync),
}

/// What became of one photo.
#[derive(Clone, Debug)]
pub struct PhotoResult {
    /// The photo.
    pub file: PhotoFile,
    /// Rows, and what else was made of it.
    pub entry: Entry,
    /// Hash of its bytes, where they could be read.
    pub content: Option<String>,
    /// Whether the rows were taken from the last run.
    pub resumed: bool,
}

/// What became of a run.
#[derive(Debug)]
pub struct Batch {
    /// The photos that were done, in the order given.
    pub results: Vec<PhotoResult>,
    /// Whether the run was stopped before its last photo.
    pub interrupted: bool,
    /// What the next run may take over.
    pub journal: Journal,
}

/// Between two copies of the journal that outlive a crash.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// Reads photos. Rows come in the order of the photos and do not depend on threads or chunks; a
/// photo that fails is a row that says why. Between chunks the run stops if `stop` is set.
///
/// Photos that `last` holds are taken from it, provided that what `outputs` asks for is there.
///
/// # Errors
/// Only where a file of the output cannot be written.
pub fn recognize(
    photos: impl IntoIterator<Item = PhotoFile>,
    tools: Tools<'_>,
    config: &RecognizeConfig,
    outputs: &Outputs,
    last: Journal,
    stop: &AtomicBool,
    mut on_result: impl FnMut(&PhotoResult),
) -> Result<Batch, OutputError> {
    let mut photos = photos.into_iter();
    let mut batch = Batch {
        results: Vec::new(),
        interrupted: false,
        journal: Journal::default(),
    };
    let mut saved = Instant::now();
    loop {
        let chunk: Vec<PhotoFile> = photos.by_ref().take(config.chunk.max(1)).collect();
        if chunk.is_empty() {
            return Ok(batch);
        }
        if stop.load(Ordering::SeqCst) {
            batch.interrupted = true;
            batch.journal.keep(last);
            return Ok(batch);
        }
        let chunk = Chunk {
            tools,
            config,
            outputs,
            last: &last,
        }
        .run(chunk)?;
        for result in chunk {
            on_result(&result);
            if let Some(content) = &result.content {
                batch.journal.insert(content.clone(), result.entry.clone());
            }
            batch.results.push(result);
        }
        if saved.elapsed() > CHECKPOINT {
            outputs.save_journal(&batch.journal)?;
            saved = Instant::now();
        }
    }
}

struct Chunk<'a> {
    tools: Tools<'a>,
    config: &'a RecognizeConfig,
    outputs: &'a Outputs,
    last: &'a Journal,
}

/// How far a photo has come.
enum Progress {
    Resumed(Entry),
    Failed(Fumble),
    InHand(Hand),
}

/// A photo on its way through a chunk.
struct Item {
    file: PhotoFile,
    /// Hash of its bytes, where they could be read.
    content: Option<String>,
    progress: Progress,
}

/// A board to read, and whose it is.
struct Job {
    item: usize,
    place: usize,
    hypothesis: Hypothesis,
}

type Read = (Result<CellMap<Posterior>, Failure>, f32);

impl Chunk<'_> {
    fn run(&self, files: Vec<PhotoFile>) -> Result<Vec<PhotoResult>, OutputError> {
        let opened: Vec<(Item, Vec<Hypothesis>)> = files
            .into_par_iter()
            .with_max_len(1)
            .map(|file| self.open(file))
            .collect();
        let mut jobs = Vec::new();
        let mut items = Vec::new();
        for (item, (opened, hypotheses)) in opened.into_iter().enumerate() {
            items.push(opened);
            jobs.extend(
                hypotheses
                    .into_iter()
                    .enumerate()
                    .map(|(place, hypothesis)| Job {
                        item,
                        place,
                        hypothesis,
                    }),
            );
        }
        self.read(&mut items, jobs);
        self.try_again(&mut items, |hand| hand.turned(self.config));
        self.try_again(&mut items, |hand| hand.alternatives(self.config));
        self.try_again(&mut items, |hand| hand.turned(self.config));
        items
            .into_par_iter()
            .with_max_len(1)
            .map(|item| self.finish(item))
            .collect()
    }

    fn open(&self, file: PhotoFile) -> (Item, Vec<Hypothesis>) {
        let started = Instant::now();
        let bytes = match read_file(&file.path, self.config.max_file_bytes) {
            Ok(bytes) => bytes,
            Err(failure) => {
                let stages = StageMs {
                    decode: ms_since(started),
                    ..StageMs::default()
                };
                let progress = Progress::Failed(Fumble { failure, stages });
                let content = None;
                let item = Item {
                    file,
                    content,
                    progress,
                };
                return (item, Vec::new());
            }
        };
        let content = blake3::hash(&bytes).to_hex()[..32].to_owned();
        let (progress, hypotheses) = match self.last.entry(&content) {
            Some(entry) if self.outputs.are_there(&file, entry) => {
                (Progress::Resumed(entry.clone()), Vec::new())
            }
            _ => match Hand::open(&bytes, started, self.tools.detector, self.config) {
                Ok((hand, hypotheses)) => (Progress::InHand(hand), hypotheses),
                Err(fumble) => (Progress::Failed(fumble), Vec::new()),
            },
        };
        let item = Item {
            file,
            content: Some(content),
            progress,
        };
        (item, hypotheses)
    }

    /// Gives the doubtful boards of the chunk another chance: all hypotheses that `more` names.
    fn try_again(
        &self,
        items: &mut [Item],
        more: impl Fn(&mut Hand) -> Vec<(usize, Hypothesis)> + Sync,
    ) {
        let jobs: Vec<Vec<Job>> = items
            .par_iter_mut()
            .with_max_len(1)
            .enumerate()
            .map(|(item, photo)| {
                let Progress::InHand(hand) = &mut photo.progress else {
                    return Vec::new();
                };
                let hypotheses = more(hand).into_iter();
                let job = |(place, hypothesis)| Job {
                    item,
                    place,
                    hypothesis,
                };
                hypotheses.map(job).collect()
            })
            .collect();
        self.read(items, jobs.into_iter().flatten().collect());
    }

    /// Reads boards and lets their photos consider what came out.
    fn read(&self, items: &mut [Item], jobs: Vec<Job>) {
        let posteriors: Vec<Read> = jobs
            .par_chunks(self.config.boards_a_call.max(1))
            .flat_map_iter(|jobs| self.classify(jobs))
            .collect();
        let attempts: Vec<(Job, Read)> = jobs.into_iter().zip(posteriors).collect();
        let attempts: Vec<_> = attempts
            .into_par_iter()
            .with_max_len(1)
            .map_init(self.tools.solver, |solver, (job, (posteriors, read))| {
                let start = Instant::now();
                let attempt = posteriors.map(|posteriors| {
                    Attempt::new(job.hypothesis, &posteriors, &mut **solver, self.config)
                });
                (job.item, job.place, attempt, read, ms_since(start))
            })
            .collect();
        for (item, place, attempt, read, solve) in attempts {
            if let Progress::InHand(hand) = &mut items[item].progress {
                hand.places[place].read += read;
                hand.places[place].solve += solve;
                hand.consider(place, attempt, &self.config.trust);
            }
        }
    }

    /// One call of the network: its posteriors, and its time, shared out evenly.
    fn classify(&self, jobs: &[Job]) -> Vec<Read> {
        let start = Instant::now();
        let crops: Vec<CellCrop> = jobs
            .iter()
            .flat_map(|job| job.hypothesis.crops.as_array())
            .cloned()
            .collect();
        let network = |error: InferenceError| Failure::Network(error.to_string());
        let answer = guarded(|| self.tools.classifier.classify(&crops).map_err(network));
        let share = ms_since(start) / jobs.len() as f32;
        match answer {
            Ok(posteriors) => {
                let boards = posteriors.chunks_exact(Cell::COUNT);
                boards
                    .map(|board| (Ok(CellMap::from_fn(|cell| board[cell.index()])), share))
                    .collect()
            }
            Err(failure) => {
                let failed = |_| (Err(Failure::Network(failure.to_string())), share);
                jobs.iter().map(failed).collect()
            }
        }
    }

    fn finish(&self, item: Item) -> Result<PhotoResult, OutputError> {
        let (entry, resumed) = match item.progress {
            Progress::Resumed(mut entry) => {
                for record in &mut entry.records {
                    record.photo.clone_from(&item.file.name);
                }
                (entry, true)
            }
            Progress::Failed(fumble) => {
                let rows = vec![(fumble.into_row(&item.file.name), None)];
                let entry = self.outputs.write(&item.file, None, rows, self.config)?;
                (entry, false)
            }
            Progress::InHand(hand) => {
                let (photo, rows) = hand.into_rows(&item.file.name, self.config);
                let content = item.content.as_deref();
                let opened = content.map(|content| Opened { photo, content });
                let entry = self.outputs.write(&item.file, opened, rows, self.config)?;
                (entry, false)
            }
        };
        Ok(PhotoResult {
            file: item.file,
            entry,
            content: item.content,
            resumed,
        })
    }
}
