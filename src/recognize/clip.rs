//! Reads a video: follows its boards through all frames, draws the solutions in, and keeps what is worth
//! keeping of the best frame of each board.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use image::RgbImage;

use super::overlay::{self, Solved};
use super::record::Record;
use super::smooth::Smoother;
use super::thumbnail::{STRIP, still};
use super::video::{BoardTimes, FrameLine, VideoResult};
use crate::frames::{Frame, VideoError, VideoWriter};
use crate::grid::CellSet;
use crate::reader::{
    FollowConfig, FollowedBoard, Follower, ReadBoard, Reader, Refusal, Sight, Sighting, StageMs,
    Status,
};
use crate::statistics::median;
use crate::vision::{BoardPlace, Photo, PhotoConfig};

/// Most frames of a video that is read by its first one if nothing else is known of it.
const FEW_FRAMES: usize = 5;
/// Boards whose best frames are kept whole, and that are known again when they come back; of earlier ones
/// only the result is kept, so that a video may be as long as it likes.
const REMEMBERED: usize = 24;

/// How a video is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipJob<'a> {
    pub(super) reader: &'a Reader,
    pub(super) photo: &'a PhotoConfig,
    pub(super) follow: &'a FollowConfig,
    /// Only every so many frames are read.
    pub(super) every: u64,
    /// Once this is set, no further frame is read.
    pub(super) stop: &'a AtomicBool,
}

/// A board of a video: its row, and what its best frame shows.
#[derive(Debug)]
pub(super) struct ClipBoard {
    pub(super) record: Record,
    pub(super) board: ReadBoard,
    /// Its best frame with the solution, in small, where a strip of the video has room for it.
    pub(super) still: Option<RgbImage>,
}

impl ClipBoard {
    fn new(number: usize, board: ReadBoard, best: &Photo) -> ClipBoard {
        ClipBoard {
            record: Record::of_board(number, &board, best, 0.0),
            still: (number <= STRIP).then(|| still(best, &board)),
            board,
        }
    }
}

/// A video that was read.
#[derive(Debug)]
pub(super) struct Clip {
    pub(super) boards: Vec<ClipBoard>,
    pub(super) result: VideoResult,
    /// The first frame, where there are no more, or too few of them to be sure of any board: it is read like a
    /// photo.
    pub(super) still: Option<Photo>,
    /// Whether reading was stopped before the end.
    pub(super) stopped: bool,
}

/// The sharpest frame so far that shows a board as a whole, or else as much of it as any.
#[derive(Debug)]
struct Best {
    frame: u64,
    photo: Photo,
    place: BoardPlace,
    rank: (usize, f32),
}

impl ClipJob<'_> {
    /// Reads the frames of a video, writes a line of each board in each frame to `lines`, and each frame to
    /// `overlay`.
    ///
    /// # Errors
    /// Where one of the two cannot be written; what is wrong with the video is in the result.
    pub(super) fn read(
        &self,
        name: &str,
        frames: &mut dyn Iterator<Item = Result<Frame, VideoError>>,
        mut lines: Option<&mut dyn Write>,
        mut overlay: Option<&mut VideoWriter>,
    ) -> Result<Clip, VideoError> {
        let mut follower = Follower::new(self.follow.clone());
        let mut best: BTreeMap<usize, Best> = BTreeMap::new();
        let mut smoother = Smoother::default();
        let mut times = Vec::new();
        let mut frame_ms: Vec<f64> = Vec::new();
        let mut done: Vec<(ClipBoard, BoardTimes)> = Vec::new();
        let (mut error, mut still, mut stopped) = (None, None, false);
        let (mut seen, mut reading_width) = (Vec::new(), 1);
        for frame in frames {
            if self.stop.load(Ordering::SeqCst) {
                stopped = true;
                break;
            }
            let frame = match frame {
                Ok(frame) => frame,
                Err(damage) => {
                    error = Some(damage.to_string());
                    break;
                }
            };
            let (number, time) = (frame.number, frame.time);
            times.push(time);
            let picture = overlay.as_ref().map(|_| frame.to_rgb());
            if number.is_multiple_of(self.every) {
                let photo = Photo::from_luma(frame.into_luma(), self.photo);
                reading_width = photo.luma().width();
                let start = Instant::now();
                match follower.see(self.reader, &photo) {
                    Ok(sightings) => seen = sightings,
                    Err(refusal) => {
                        error = Some(refusal.to_string());
                        break;
                    }
                }
                let ms = start.elapsed().as_secs_f64() * 1000.0;
                frame_ms.push(ms);
                for sighting in &seen {
                    if let Some(lines) = &mut lines {
                        let at = (number, time);
                        write_line(*lines, name, at, sighting, &follower, &photo, ms as f32)?;
                    }
                    keep_best(&mut best, number, sighting, &photo);
                }
                for board in follower.forget(REMEMBERED) {
                    done.extend(self.done(&board, &mut best, &times));
                }
                if number == 0 {
                    still = Some(photo);
                }
            }
            if let (Some(mut picture), Some(overlay)) = (picture, &mut overlay) {
                draw(
                    &mut picture,
                    reading_width,
                    &seen,
                    &follower,
                    &mut smoother,
                    time,
                );
                overlay.add(&picture, time)?;
            }
        }
        for board in follower.boards() {
            done.extend(self.done(board, &mut best, &times));
        }
        // They came in the order in which they were last seen.
        done.sort_by_key(|(board, _)| board.record.puzzle);
        let (boards, board_times): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        let nothing = boards.is_empty();
        Ok(Clip {
            boards,
            result: VideoResult {
                frames: times.len() as u64,
                seconds: times.last().copied().unwrap_or_default(),
                frame_ms: (
                    median(&mut frame_ms) as f32,
                    frame_ms.iter().copied().fold(0.0, f64::max) as f32,
                ),
                boards: board_times,
                error,
            },
            still: still.filter(|_| times.len() == 1 || (nothing && times.len() <= FEW_FRAMES)),
            stopped,
        })
    }

    /// A board of which no more frames will come; `None` where its frames do not read like a Sudoku.
    fn done(
        &self,
        board: &FollowedBoard,
        best: &mut BTreeMap<usize, Best>,
        times: &[f64],
    ) -> Option<(ClipBoard, BoardTimes)> {
        let best = best.remove(&board.number)?;
        let read = board.read_board(best.place, &best.photo, self.follow)?;
        let at = |frame: u64| {
            let frame = frame * self.every;
            let time = times.get(frame as usize).copied();
            (frame, time.unwrap_or_default())
        };
        let seen = BoardTimes {
            first: at(board.frames.0),
            last: at(board.frames.1),
            seen: board.seen,
            sure: board.sure_since.map(at),
            best_frame: best.frame,
        };
        Some((ClipBoard::new(board.number, read, &best.photo), seen))
    }
}

impl Clip {
    /// Takes the boards of a photo instead of those that were followed.
    pub(super) fn set_photo(&mut self, boards: Vec<ReadBoard>, photo: &Photo) {
        let time = BoardTimes {
            first: (0, 0.0),
            last: (0, 0.0),
            seen: 1,
            sure: None,
            best_frame: 0,
        };
        self.result.boards = vec![time; boards.len()];
        let boards = boards.into_iter().zip(1..);
        self.boards = boards
            .map(|(board, number)| ClipBoard::new(number, board, photo))
            .collect();
    }

    /// The rows of its boards, or of one that is not there.
    pub(super) fn records(&self) -> Vec<Record> {
        if self.boards.is_empty() {
            let error = self.result.error.clone();
            let status = match error {
                Some(_) => Status::Unreadable,
                None => Status::NoGrid,
            };
            return vec![Record {
                puzzle: 0,
                status,
                reading: None,
                error: Some(error.unwrap_or_else(|| Refusal::NoBoard.to_string())),
                stages: StageMs::default(),
                truth: None,
            }];
        }
        self.boards.iter().map(|it| it.record.clone()).collect()
    }
}

fn keep_best(best: &mut BTreeMap<usize, Best>, frame: u64, sighting: &Sighting, photo: &Photo) {
    if sighting.sight == Sight::Lost {
        return;
    }
    let rank = (sighting.visible.len(), sighting.sharpness);
    let is_better = |known: &Best| {
        // A frame that is hardly sharper is not worth a copy.
        rank.0 > known.rank.0 || (rank.0 == known.rank.0 && rank.1 > known.rank.1 + 0.005)
    };
    if best.get(&sighting.board).is_none_or(is_better) {
        let best_frame = Best {
            frame,
            photo: photo.clone(),
            place: sighting.place.clone(),
            rank,
        };
        best.insert(sighting.board, best_frame);
    }
}

fn write_line(
    lines: &mut dyn Write,
    video: &str,
    at: (u64, f64),
    sighting: &Sighting,
    follower: &Follower,
    photo: &Photo,
    ms: f32,
) -> io::Result<()> {
    let board = follower.board(sighting.board);
    let content = |cell| {
        let content = board.and_then(|board| board.posterior(cell).best());
        content.map_or(0, |digit| digit.value())
    };
    let line = FrameLine::new(video, at, sighting, content, photo, ms);
    serde_json::to_writer(&mut *lines, &line)?;
    lines.write_all(b"\n")
}

/// Draws the solutions of the boards that are sure.
fn draw(
    picture: &mut RgbImage,
    reading_width: u32,
    seen: &[Sighting],
    follower: &Follower,
    smoother: &mut Smoother,
    time: f64,
) {
    for sighting in seen {
        let board = follower.board(sighting.board);
        let reading = board.and_then(|board| board.reading());
        let solution = reading.and_then(|reading| reading.verdict.solution());
        match (reading, solution) {
            (Some(reading), Some(solution))
                if sighting.is_sure && sighting.sight != Sight::Lost =>
            {
                let place = smoother.smooth(sighting.board, &sighting.place, time);
                let solved = Solved {
                    place: &place,
                    decoded: &reading.decoded,
                    solution,
                    overruled: reading.overruled,
                    checked: CellSet::EMPTY,
                    mistakes: CellSet::EMPTY,
                };
                overlay::draw(picture, &solved, reading_width);
            }
            _ => smoother.forget(sighting.board),
        }
    }
}
