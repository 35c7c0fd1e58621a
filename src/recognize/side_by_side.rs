//! Saved runs side by side: which settings differ, and which photos came out otherwise.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;

use super::photo::{PhotoResult, Standing};
use super::score::agreement;
use super::summary::Summary;
use crate::grid::{Cell, Puzzle};
use crate::reader::Status;
use crate::settings::{Setting, differing};

/// Runs side by side. Lists with an entry a run are in the order of the runs; the first run is what
/// the others are compared with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecognizeSideBySide {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Their numbers.
    pub summaries: Vec<Summary>,
    /// Settings that are not the same in all of them.
    pub settings: Vec<Setting>,
    /// Photos that all runs have.
    pub shared: usize,
    /// Photos that only some of them have.
    pub not_shared: usize,
    /// Photos that came out otherwise in some run: what got worse first, then what got better.
    pub differences: Vec<PhotoDifference>,
    /// For each run but the first, how its photos compare.
    pub verdicts: Vec<PhotoVerdict>,
}

/// A photo that came out otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhotoDifference {
    /// Name of the photo in the first run that has it.
    pub photo: String,
    /// Its worst outcome after the first run.
    pub change: PhotoChange,
    /// What each run that has it made of it.
    pub outcomes: Vec<Option<PhotoOutcome>>,
}

/// Whether a photo came out better or worse than in the first run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhotoChange {
    /// Worse: a silent error, not read, or more wrong cells.
    Worse,
    /// Better.
    Better,
    /// Otherwise, but nothing says which is better.
    Other,
    /// The same.
    Same,
}

/// What a run made of a photo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhotoOutcome {
    /// The status of each of its rows.
    pub statuses: Vec<&'static str>,
    /// How it came out.
    pub standing: Standing,
    /// Cells that the truth has otherwise; nothing where no truth is known.
    pub wrong_cells: Option<usize>,
    /// The boards after the rules, 81 characters each.
    pub boards: Vec<String>,
    /// Cells in which they differ from those of the first run, where both have as many boards.
    pub differing_cells: Option<usize>,
}

/// How the photos of a run compare with those of the first one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhotoVerdict {
    /// Name of the run.
    pub run: String,
    /// Photos that both have.
    pub compared: usize,
    /// Of these, photos that came out better.
    pub better: usize,
    /// Worse.
    pub worse: usize,
    /// Otherwise, but nothing says which is better.
    pub other: usize,
}

/// A run that is compared with others.
#[derive(Clone, Copy, Debug)]
pub struct NamedRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its numbers.
    pub summary: &'a Summary,
    /// Its photos, in input order.
    pub photos: &'a [PhotoResult],
}

/// What each run saw of a photo.
type Photo<'a> = Vec<Option<&'a PhotoResult>>;

/// Content and name, as far as they distinguish photos.
type Key<'a> = (&'a str, &'a str);

impl RecognizeSideBySide {
    /// Compares runs with the first of them. A photo is known by its content,
    /// and by its name where it could not be opened.
    pub fn new(runs: &[NamedRun<'_>]) -> RecognizeSideBySide {
        let photos = paired(runs);
        let mut verdicts: Vec<PhotoVerdict> = runs
            .iter()
            .skip(1)
            .map(|run| PhotoVerdict {
                run: run.name.to_owned(),
                compared: 0,
                better: 0,
                worse: 0,
                other: 0,
            })
            .collect();
        let mut differences = Vec::new();
        for photo in &photos {
            for (verdict, seen) in verdicts.iter_mut().zip(&photo[1..]) {
                let (Some(first), Some(seen)) = (&photo[0], seen) else {
                    continue;
                };
                verdict.compared += 1;
                match change(first, seen) {
                    PhotoChange::Worse => verdict.worse += 1,
                    PhotoChange::Better => verdict.better += 1,
                    PhotoChange::Other => verdict.other += 1,
                    PhotoChange::Same => {}
                }
            }
            differences.extend(difference(photo));
        }
        differences.sort_by_key(|difference: &PhotoDifference| {
            let standings = difference.outcomes.iter().skip(1).flatten();
            let worst = standings.map(|outcome| outcome.standing).max();
            (difference.change, std::cmp::Reverse(worst))
        });
        let shared = photos
            .iter()
            .filter(|photo| photo.iter().all(Option::is_some));
        let shared = shared.count();
        RecognizeSideBySide {
            runs: runs.iter().map(|run| run.name.to_owned()).collect(),
            summaries: runs.iter().map(|run| run.summary.clone()).collect(),
            settings: differing(runs.iter().map(|run| &run.summary.config)),
            shared,
            not_shared: photos.len() - shared,
            differences,
            verdicts,
        }
    }
}

/// The photos of all runs, each with what every run saw of it, in the order in which they come up.
fn paired<'a>(runs: &[NamedRun<'a>]) -> Vec<Photo<'a>> {
    let mut photos: Vec<Photo<'a>> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let mut left: Vec<&PhotoResult> = run.photos.iter().collect();
        // Copies of one photo are distinguished by their names, if they still have them.
        for key in [content_and_name, content, name] {
            left = put_to_same(&mut photos, number, left, key);
        }
        for seen in left {
            let mut photo: Photo<'a> = vec![None; runs.len()];
            photo[number] = Some(seen);
            photos.push(photo);
        }
    }
    photos
}

/// Puts what a run saw to what earlier runs saw under the same key; gives back what is left.
fn put_to_same<'a>(
    photos: &mut [Photo<'a>],
    number: usize,
    seen: Vec<&'a PhotoResult>,
    key: fn(&'a PhotoResult) -> Option<Key<'a>>,
) -> Vec<&'a PhotoResult> {
    let mut free: HashMap<Key<'a>, VecDeque<usize>> = HashMap::new();
    for (place, photo) in photos.iter().enumerate() {
        let first = photo.iter().flatten().next();
        if let (None, Some(key)) = (&photo[number], first.and_then(|first| key(first))) {
            free.entry(key).or_default().push_back(place);
        }
    }
    let mut left = Vec::new();
    for seen in seen {
        match key(seen).and_then(|key| free.get_mut(&key)?.pop_front()) {
            Some(place) => photos[place][number] = Some(seen),
            None => left.push(seen),
        }
    }
    left
}

fn content_and_name(photo: &PhotoResult) -> Option<Key<'_>> {
    Some((photo.content.as_deref()?, &photo.photo))
}

fn content(photo: &PhotoResult) -> Option<Key<'_>> {
    Some((photo.content.as_deref()?, ""))
}

/// Of a photo that could not be opened.
fn name(photo: &PhotoResult) -> Option<Key<'_>> {
    photo.content.is_none().then_some(("", &*photo.photo))
}

fn statuses(photo: &PhotoResult) -> impl Iterator<Item = Status> {
    photo.records.iter().map(|record| record.status)
}

fn boards(photo: &PhotoResult) -> impl Iterator<Item = &Puzzle> + Clone {
    let readings = photo.records.iter().filter_map(|it| it.reading.as_ref());
    readings.map(|reading| &reading.decoded)
}

fn change(first: &PhotoResult, seen: &PhotoResult) -> PhotoChange {
    // Truth that only one of the runs had says nothing about the other: what both know is what was read.
    let both = first.judgement.is_some() && seen.judgement.is_some();
    let key = |photo: &PhotoResult| match photo.judgement {
        Some(judgement) if both => (photo.standing(), judgement.wrong_cells),
        _ => {
            let is_read = statuses(photo).all(Status::is_read);
            let standing = if is_read {
                Standing::Fine
            } else {
                Standing::NotRead
            };
            (standing, 0)
        }
    };
    if statuses(first).eq(statuses(seen)) && boards(first).eq(boards(seen)) {
        return PhotoChange::Same;
    }
    match key(seen).cmp(&key(first)) {
        std::cmp::Ordering::Greater => PhotoChange::Worse,
        std::cmp::Ordering::Less => PhotoChange::Better,
        _ => PhotoChange::Other,
    }
}

/// The outcomes of a photo, if they are not the same in all runs that have it.
fn difference(photo: &[Option<&PhotoResult>]) -> Option<PhotoDifference> {
    let first = photo.iter().flatten().next()?;
    let changes = photo.iter().flatten().map(|seen| change(first, seen));
    let worst = changes.min()?;
    if worst == PhotoChange::Same {
        return None;
    }
    let outcome = |seen: &PhotoResult| PhotoOutcome {
        statuses: statuses(seen).map(Status::name).collect(),
        standing: seen.standing(),
        wrong_cells: seen.judgement.map(|judgement| judgement.wrong_cells),
        boards: boards(seen).map(Puzzle::to_line).collect(),
        differing_cells: (boards(seen).count() == boards(first).count()).then(|| {
            let pairs = boards(seen).zip(boards(first));
            pairs.map(|(a, b)| Cell::COUNT - agreement(a, b)).sum()
        }),
    };
    Some(PhotoDifference {
        photo: first.photo.clone(),
        change: worst,
        outcomes: photo.iter().map(|seen| seen.map(outcome)).collect(),
    })
}
