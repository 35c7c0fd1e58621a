//! What a run did, in numbers: `summary.json`. Summaries of the parts of a run add up to that of the
//! whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize, de};

use super::config::RecognizeConfig;
use super::photo::PhotoResult;
use super::record::Reading;
use super::score::{Accuracy, in_steps};
use super::stages::StageHistograms;
use crate::environment::Environment;
use crate::files::{WriteError, show, write_json};
use crate::reader::{Reader, Status};

/// Problems that a summary lists one by one; of others it has the number.
const PROBLEMS: usize = 1000;

/// What a run did. Field names are those of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always `recognize`.
    pub command: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// The digit network: `built-in`, or the folder that it was read from.
    #[serde(default)]
    pub model: String,
    /// Everything that shapes the rows.
    pub config: serde_json::Value,
    /// Where it ran.
    pub environment: Environment,
    /// Photos and videos that have rows.
    pub photos: usize,
    /// Of these, the videos.
    pub videos: Videos,
    /// What the names of all photos begin with, up to a slash.
    pub folder: Option<String>,
    /// Puzzles found in them.
    pub puzzles: usize,
    /// The digits that people wrote, compared with the solutions of the printed ones.
    #[serde(default)]
    pub filled: FilledCounts,
    /// Photos that went wrong: not read, or read otherwise than the ground truth has it.
    pub failures: usize,
    /// Rows of each status.
    pub status: StatusCounts,
    /// How many of the puzzles accepted are wrong if their confidence is right.
    #[serde(default)]
    pub expected_wrong: f64,
    /// Against ground truth, where any photo has some.
    pub accuracy: Option<Accuracy>,
    /// How fast.
    pub throughput: Throughput,
    /// Wall-clock time of each stage, a photo; the times of frames are in the rows of their videos.
    pub stages_ms: StageHistograms,
    /// Of parts that ran on unlike machines: the times of each kind of machine, apart.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub machines: Vec<MachineTimes>,
    /// Photos whose rows were taken from an earlier run.
    pub resumed: usize,
    /// Whether the run was stopped before its last photo.
    pub interrupted: bool,
    /// What could not be looked into, or used.
    pub problems: Vec<String>,
    /// Further problems, which are not listed.
    pub more_problems: usize,
}

/// Digits written by hand, on boards whose printed digits have one solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledCounts {
    /// Boards with such digits.
    pub boards: usize,
    /// Digits that are those of the solution.
    pub right: usize,
    /// Digits that are not.
    pub wrong: usize,
}

impl Summary {
    /// Begins the summary of a run on this many threads.
    pub fn new(config: &RecognizeConfig, reader: &Reader, threads: usize) -> Summary {
        let mut settings = serde_json::to_value(config).expect("the configuration is plain data");
        shorten(&mut settings);
        settings["model"] = reader.model().into();
        let model = config.reader.model.as_deref();
        settings["solver"] = reader.solver_name().into();
        Summary {
            command: "recognize".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            model: model.map_or_else(|| "built-in".to_owned(), show),
            config: settings,
            environment: Environment::of_this_machine(threads),
            photos: 0,
            videos: Videos::default(),
            folder: None,
            puzzles: 0,
            filled: FilledCounts::default(),
            failures: 0,
            status: StatusCounts::default(),
            expected_wrong: 0.0,
            accuracy: None,
            throughput: Throughput::default(),
            stages_ms: StageHistograms::default(),
            machines: Vec::new(),
            resumed: 0,
            interrupted: false,
            problems: Vec::new(),
            more_problems: 0,
        }
    }

    /// Returns a hash of all settings and of `build`, which distinguishes one build of the program from another.
    pub fn fingerprint(&self, build: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(build.as_bytes()).update(b"\0");
        hasher.update(self.config.to_string().as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Whether there were videos only.
    pub fn is_of_videos(&self) -> bool {
        self.videos.count > 0 && self.videos.count == self.photos
    }

    /// Photos that are no videos; none where a damaged summary has more videos than photos.
    pub fn stills(&self) -> usize {
        self.photos.saturating_sub(self.videos.count)
    }

    /// Counts a photo, and how it did where its ground truth is known.
    pub fn add(&mut self, photo: &PhotoResult, accuracy: Option<&Accuracy>) {
        self.photos += 1;
        self.resumed += usize::from(photo.resumed);
        self.failures += usize::from(photo.trouble().is_some());
        match &photo.video {
            Some(video) => {
                self.videos.count += 1;
                self.videos.frames += if photo.resumed { 0 } else { video.frames };
            }
            None => self.stages_ms.add(&photo.records, photo.pictures_ms),
        }
        for record in &photo.records {
            self.status.add(record.status);
            if let (true, Some(reading)) = (record.status.is_read(), &record.reading) {
                self.expected_wrong += in_steps(1.0 - f64::from(reading.confidence));
            }
            self.puzzles += usize::from(record.puzzle > 0);
            if let Some((right, wrong)) = record.reading.as_ref().and_then(Reading::check) {
                self.filled.boards += 1;
                self.filled.right += right;
                self.filled.wrong += wrong;
            }
        }
        if let Some(accuracy) = accuracy {
            self.accuracy.get_or_insert_default().merge(accuracy);
        }
        self.take_in_folder(&photo.photo);
    }

    /// Its file in the folder of a run.
    pub const FILE: &str = "summary.json";

    /// Writes it into the folder of its run.
    ///
    /// # Errors
    /// What stops it.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let path = folder.join(Summary::FILE);
        write_json(&path, self).map_err(WriteError::of(&path))
    }

    /// Puts problems before those of the photos.
    #[must_use]
    pub(super) fn after(mut self, problems: &[String]) -> Summary {
        let own = std::mem::take(&mut self.problems);
        for problem in problems.iter().cloned().chain(own) {
            self.add_problem(problem);
        }
        self
    }

    /// Adds the summary of another part of the run: what is counted adds up, and so do the times of parts that ran on
    /// machines of one kind, as if they had run one after the other. Unlike machines are kept apart, in `machines`; of
    /// these the one that read the most stands for the run.
    pub fn merge(&mut self, mut other: Summary) {
        let (mut machines, others) = (self.take_machines(), other.take_machines());
        for machine in others {
            let same = |it: &&mut MachineTimes| it.environment == machine.environment;
            match machines.iter_mut().find(same) {
                Some(same) => same.merge(machine),
                None => machines.push(machine),
            }
        }
        let most = if machines.len() > 1 {
            let most = machines.iter().rev().max_by_key(|machine| machine.photos);
            let most = most.cloned();
            self.machines = machines;
            most
        } else {
            machines.pop()
        };
        if let Some(most) = most {
            self.environment = most.environment;
            self.throughput = most.throughput;
            self.stages_ms = most.stages_ms;
        }
        self.photos += other.photos;
        self.videos.count += other.videos.count;
        self.videos.frames += other.videos.frames;
        self.puzzles += other.puzzles;
        self.filled.boards += other.filled.boards;
        self.filled.right += other.filled.right;
        self.filled.wrong += other.filled.wrong;
        self.failures += other.failures;
        self.resumed += other.resumed;
        self.interrupted |= other.interrupted;
        self.status.merge(&other.status);
        self.expected_wrong = in_steps(self.expected_wrong + other.expected_wrong);
        if let Some(accuracy) = &other.accuracy {
            self.accuracy.get_or_insert_default().merge(accuracy);
        }
        if let Some(folder) = &other.folder {
            self.take_in_folder(folder);
        }
        self.more_problems += other.more_problems;
        other
            .problems
            .into_iter()
            .for_each(|it| self.add_problem(it));
    }

    /// Takes out the times of each kind of machine: copies of the histograms of the stages would be a megabyte each.
    fn take_machines(&mut self) -> Vec<MachineTimes> {
        if !self.machines.is_empty() {
            return std::mem::take(&mut self.machines);
        }
        vec![MachineTimes {
            environment: self.environment.clone(),
            photos: self.photos - self.resumed,
            throughput: self.throughput,
            stages_ms: std::mem::take(&mut self.stages_ms),
        }]
    }

    /// Notes something that could not be looked into, or used; once, however often it is said.
    pub fn add_problem(&mut self, problem: String) {
        if self.problems.contains(&problem) {
            return;
        }
        match self.problems.len() < PROBLEMS {
            true => self.problems.push(problem),
            false => self.more_problems += 1,
        }
    }

    fn take_in_folder(&mut self, name: &str) {
        let shared = match &self.folder {
            None => name,
            Some(folder) if name.starts_with(folder.as_str()) => return,
            Some(folder) => {
                let same = folder.char_indices().zip(name.chars());
                let same = same.take_while(|((_, a), b)| a == b).last();
                &folder[..same.map_or(0, |((at, a), _)| at + a.len_utf8())]
            }
        };
        let end = shared.rfind('/').map_or(0, |slash| slash + 1);
        self.folder = Some(shared[..end].to_owned());
    }
}

/// Writes numbers of 32 bits as they are written in the code, 0.12 and not 0.11999999731779099: a file that is read and
/// written again keeps them to the last digit.
fn shorten(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) => {
            let long = number.as_f64().filter(|_| number.is_f64());
            let single = long.filter(|long| f64::from(*long as f32) == *long);
            let short = single.and_then(|long| (long as f32).to_string().parse().ok());
            if let Some(short) = short.and_then(serde_json::Number::from_f64) {
                *number = short;
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(shorten),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

/// What one kind of machine did of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineTimes {
    /// The machine.
    pub environment: Environment,
    /// Photos that it read.
    pub photos: usize,
    /// How fast.
    pub throughput: Throughput,
    /// Wall-clock time of each stage, a photo.
    pub stages_ms: StageHistograms,
}

impl MachineTimes {
    fn merge(&mut self, other: MachineTimes) {
        self.photos += other.photos;
        let seconds = self.throughput.seconds + other.throughput.seconds;
        self.throughput = Throughput::new(self.photos, seconds);
        self.stages_ms.merge(other.stages_ms);
    }
}

/// The videos of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Videos {
    /// How many have rows.
    pub count: usize,
    /// Frames that were decoded in this run.
    pub frames: u64,
}

/// Rows of each status; written as an object that names every status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([usize; Status::ALL.len()]);

impl StatusCounts {
    /// Counts one row.
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &StatusCounts) {
        let pairs = self.0.iter_mut().zip(other.0);
        pairs.for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Rows of this status.
    pub const fn of(&self, status: Status) -> usize {
        self.0[status as usize]
    }
}

impl Serialize for StatusCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Status::ALL.len()))?;
        for status in Status::ALL {
            map.serialize_entry(status.name(), &self.of(status))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for StatusCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StatusCounts, D::Error> {
        let mut counts = StatusCounts::default();
        for (name, count) in BTreeMap::<String, usize>::deserialize(deserializer)? {
            let status = Status::ALL.into_iter().find(|status| status.name() == name);
            let status =
                status.ok_or_else(|| de::Error::custom(format!("no status is named {name:?}")))?;
            counts.0[status as usize] = count;
        }
        Ok(counts)
    }
}

/// Wall-clock speed of the photos and videos that were read in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Throughput {
    /// From the first photo opened to the last row made.
    pub seconds: f64,
    /// Photos read in this run over `seconds`; those taken from the last run do not count.
    pub photos_per_second: f64,
}

impl Throughput {
    /// The speed of this many photos in this time.
    pub fn new(photos: usize, seconds: f64) -> Throughput {
        Throughput {
            seconds: thousandths(seconds),
            photos_per_second: if seconds > 0.0 {
                thousandths(photos as f64 / seconds)
            } else {
                0.0
            },
        }
    }
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_the_common_prefix_up_to_a_slash() {
        let shared = |names: &[&str]| {
            let reader = Reader::new(crate::reader::ReaderConfig::default()).unwrap();
            let mut summary = Summary::new(&RecognizeConfig::default(), &reader, 1);
            names.iter().for_each(|name| summary.take_in_folder(name));
            summary.folder.unwrap_or_default()
        };
        assert_eq!(shared(&["a/b/c.jpg", "a/b/d.jpg", "a/bc/d.jpg"]), "a/");
        assert_eq!(shared(&["a/ä.jpg", "a/ö.jpg"]), "a/");
        assert_eq!(shared(&["a/b.jpg"]), "a/");
        assert_eq!(shared(&["b.jpg", "a/b.jpg"]), "");
        assert_eq!(shared(&[]), "");
    }

    #[test]
    fn every_status_is_named_even_if_no_row_has_it() {
        let mut counts = StatusCounts::default();
        counts.add(Status::Solved);
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(
            json,
            r#"{"solved":1,"multiple":0,"unsolvable":0,"uncertain":0,"no-grid":0,"unreadable":0,"timeout":0}"#
        );
        assert_eq!(serde_json::from_str::<StatusCounts>(&json).unwrap(), counts);
        assert!(serde_json::from_str::<StatusCounts>(r#"{"guessed":1}"#).is_err());
    }
}
