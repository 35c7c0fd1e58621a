//! The result for a video: its boards over time, a row of `boards.csv` each.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::record::{Reading, Record};
use crate::files::spreadsheet_text;
use crate::grid::{Cell, Puzzle};
use crate::reader::{Sighting, Status};
use crate::vision::Photo;

/// What a video adds to the rows of its boards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VideoResult {
    /// Frames that were decoded.
    pub frames: u64,
    /// Of these, those that were read.
    #[serde(default)]
    pub frames_read: u64,
    /// When the last of them is shown, in seconds.
    pub seconds: f64,
    /// Wall-clock time of following and reading a frame, in milliseconds: the median and the longest.
    pub frame_ms: (f32, f32),
    /// Its boards, in the order of the rows; none where no board was found.
    pub boards: Vec<BoardTimes>,
    /// Why the video was not read to its end, if it was not.
    pub error: Option<String>,
}

/// When a board was seen. Frames count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardTimes {
    /// The frames in which it was first and last seen, and their times in seconds.
    pub first: (u64, f64),
    /// The same for the last one.
    pub last: (u64, f64),
    /// Frames in which it was seen.
    pub seen: u64,
    /// The first frame with which its reading was sure, and its time.
    pub sure: Option<(u64, f64)>,
    /// The frame that showed all of its cells most sharply.
    pub best_frame: u64,
}

/// A row of `boards.csv`: its fields are the columns.
#[derive(Debug, Serialize)]
pub(super) struct BoardRow<'a> {
    video: Cow<'a, str>,
    board: usize,
    status: Status,
    first_frame: Option<u64>,
    last_frame: Option<u64>,
    first_s: String,
    last_s: String,
    frames_seen: Option<u64>,
    frames_read: u64,
    sure_frame: Option<u64>,
    givens: String,
    decoded: String,
    solution: String,
    confidence: String,
    margin: String,
    overruled: Option<usize>,
    best_frame: Option<u64>,
    error: Cow<'a, str>,
    filled: String,
    read: String,
}

impl VideoResult {
    /// The result of a video of which nothing was seen.
    pub(super) fn unseen(error: String) -> VideoResult {
        VideoResult {
            frames: 0,
            frames_read: 0,
            seconds: 0.0,
            frame_ms: (0.0, 0.0),
            boards: Vec::new(),
            error: Some(error),
        }
    }

    /// The rows of `boards.csv`.
    pub(super) fn rows<'a>(
        &'a self,
        name: &'a str,
        records: &'a [Record],
    ) -> impl Iterator<Item = BoardRow<'a>> {
        let times = self.boards.iter().map(Some).chain(std::iter::repeat(None));
        let rows = records.iter().zip(times);
        rows.map(|(record, times)| row(name, record, times, self))
    }
}

fn row<'a>(
    name: &'a str,
    record: &'a Record,
    times: Option<&BoardTimes>,
    video: &'a VideoResult,
) -> BoardRow<'a> {
    let reading = record.reading.as_ref();
    let line = |of: &dyn Fn(&Reading) -> Puzzle| {
        let board = reading.map(of);
        board.map(|it| it.to_line()).unwrap_or_default()
    };
    let seconds = |time: Option<f64>| time.map(|time| format!("{time:.3}")).unwrap_or_default();
    BoardRow {
        video: spreadsheet_text(name),
        board: record.puzzle,
        status: record.status,
        first_frame: times.map(|it| it.first.0),
        last_frame: times.map(|it| it.last.0),
        first_s: seconds(times.map(|it| it.first.1)),
        last_s: seconds(times.map(|it| it.last.1)),
        frames_seen: times.map(|it| it.seen),
        frames_read: video.frames_read,
        sure_frame: times.and_then(|it| it.sure).map(|it| it.0),
        givens: line(&Reading::givens),
        decoded: line(&|it| it.decoded),
        solution: reading
            .and_then(|it| it.solution)
            .map(|it| it.to_line())
            .unwrap_or_default(),
        confidence: reading
            .map(|it| format!("{:.4}", it.confidence))
            .unwrap_or_default(),
        margin: reading
            .map(|it| format!("{:.3}", it.margin))
            .unwrap_or_default(),
        overruled: reading.map(|it| it.overruled),
        best_frame: times.map(|it| it.best_frame),
        error: error(record, video),
        filled: line(&Reading::filled),
        read: line(&|it| it.read),
    }
}

/// What is wrong with the board, and with the video.
fn error<'a>(record: &'a Record, video: &'a VideoResult) -> Cow<'a, str> {
    match (&record.error, &video.error) {
        (Some(board), Some(video)) if board != video => {
            spreadsheet_text(&format!("{board}; {video}"))
                .into_owned()
                .into()
        }
        (board, video) => {
            spreadsheet_text(board.as_deref().or(video.as_deref()).unwrap_or_default())
        }
    }
}

/// A line of `frames.jsonl`: a board in a frame.
#[derive(Debug, Serialize)]
pub(super) struct FrameLine<'a> {
    video: &'a str,
    frame: u64,
    s: f64,
    board: usize,
    /// `found`, `followed` or `lost`.
    sight: &'static str,
    /// How many of its cells are in the picture.
    visible: usize,
    /// Clockwise from the board's own top left, in pixels of the frame.
    corners: [[f32; 2]; 4],
    sharpness: f32,
    /// Cells of which another content is believed from this frame on, 0 for a blank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<(String, u8)>,
    is_sure: bool,
    ms: f32,
}

impl<'a> FrameLine<'a> {
    /// The line of a board that was seen in a frame; `content` gives what is believed of a cell.
    pub(super) fn new(
        video: &'a str,
        (frame, s): (u64, f64),
        sighting: &Sighting,
        content: impl Fn(Cell) -> u8,
        photo: &Photo,
        ms: f32,
    ) -> FrameLine<'a> {
        let hundredths = |value: f32| (value * 100.0).round() / 100.0;
        let corners = sighting.place.corners(photo);
        let changed = sighting.changed.into_iter();
        FrameLine {
            video,
            frame,
            s: (s * 1000.0).round() / 1000.0,
            board: sighting.board,
            sight: sighting.sight.name(),
            visible: sighting.visible.len(),
            corners: corners.map(|point| [hundredths(point.x), hundredths(point.y)]),
            sharpness: hundredths(sighting.sharpness),
            changed: changed
                .map(|cell| (cell.to_string(), content(cell)))
                .collect(),
            is_sure: sighting.is_sure,
            ms: hundredths(ms),
        }
    }
}
