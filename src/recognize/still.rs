//! A picture file: from its bytes to the rows of its boards.

use std::io::Cursor;
use std::time::{Duration, Instant};

use super::config::RecognizeConfig;
use super::failure::{Failure, guarded};
use super::record::Record;
use crate::pages::{Document, is_document};
use crate::reader::{ReadBoard, Reader, Refusal, StageMs};
use crate::vision::{DecodedPhoto, Photo};

/// A picture that was read.
pub(super) struct Still {
    pub(super) records: Vec<Record>,
    /// The picture and its boards, if it could be opened.
    pub(super) opened: Option<(Photo, Vec<ReadBoard>)>,
    /// Its pixels, where they were decoded in colour.
    pub(super) decoded: Option<DecodedPhoto>,
    /// What another build could read, and what to do in this one.
    pub(super) advice: Option<String>,
}

/// Reads the boards of a picture file: a row for each board, or one that says why there is none. Never
/// panics; the first frame stands for an animated picture.
pub fn read_photo(reader: &Reader, config: &RecognizeConfig, bytes: &[u8]) -> Vec<Record> {
    let start = Instant::now();
    let read = guarded(|| read_still(reader, config, bytes, start).records);
    read.unwrap_or_else(|failure| vec![Record::of_failure(&failure, StageMs::default())])
}

/// Reads the boards of a picture file, or those of each page of a PDF or of a TIFF of several pages: rows as of
/// [`read_photo`], and the page of each, from 1; a page that cannot be read costs no other. Never panics.
pub fn read_pages(
    reader: &Reader,
    config: &RecognizeConfig,
    bytes: &[u8],
) -> Vec<(Option<usize>, Record)> {
    // Nothing but memory is read here.
    if !is_document(&mut Cursor::new(bytes)).unwrap_or(false) {
        let records = read_photo(reader, config, bytes);
        return records.into_iter().map(|record| (None, record)).collect();
    }
    let opened = guarded(|| Document::open(bytes.to_vec()));
    let document = match opened.and_then(|document| Ok(document?)) {
        Ok(document) => document,
        Err(failure) => {
            return vec![(None, Record::of_failure(&failure, StageMs::default()))];
        }
    };
    let pages = 1..=document.pages();
    let pages = pages.flat_map(|number| {
        let records = read_page(reader, config, &document, number);
        records
            .into_iter()
            .map(move |record| (Some(number), record))
    });
    pages.collect()
}

fn read_page(
    reader: &Reader,
    config: &RecognizeConfig,
    document: &Document,
    number: usize,
) -> Vec<Record> {
    let start = Instant::now();
    let read = guarded(|| {
        let picture = document.picture(number, config.photo.max_color_pixels)?;
        Ok(read_still(reader, config, &picture, start).records)
    });
    let failed = |failure| vec![Record::of_failure(&failure, StageMs::default())];
    read.and_then(|read| read).unwrap_or_else(failed)
}

/// Reads the boards of a picture file that began to be read at `start`.
pub(super) fn read_still(
    reader: &Reader,
    config: &RecognizeConfig,
    bytes: &[u8],
    start: Instant,
) -> Still {
    let opened = Photo::open(bytes, &config.photo);
    let opening = start.elapsed();
    let decode = opening.as_secs_f32() * 1000.0;
    let (photo, decoded) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let times = StageMs {
                decode,
                ..StageMs::default()
            };
            let failure = Failure::from(error);
            return Still {
                records: vec![Record::of_failure(&failure, times)],
                opened: None,
                decoded: None,
                advice: failure.advice(),
            };
        }
    };
    let limit = config.time_limit_ms.map(Duration::from_millis);
    let found = reader.examine(&photo, limit.map(|limit| limit.saturating_sub(opening)));
    let times = StageMs {
        decode,
        ..found.times
    };
    let records = match (found.refusal, config.time_limit_ms) {
        // The limit is that of the whole photo, not what opening left of it.
        (Some(Refusal::Timeout { .. }), Some(limit_ms)) => {
            vec![Record::of_failure(
                &Refusal::Timeout { limit_ms }.into(),
                times,
            )]
        }
        (Some(refusal), _) => vec![Record::of_failure(&refusal.into(), times)],
        (None, _) => {
            let boards = found.boards.iter().zip(1..);
            boards
                .map(|(board, number)| Record::of_board(number, board, &photo, decode))
                .collect()
        }
    };
    Still {
        records,
        opened: Some((photo, found.boards)),
        decoded,
        advice: None,
    }
}
