//! Reads a video: follows its boards through all frames, draws the solutions in, and keeps what is worth
//! keeping of the best frame of each board.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use image::RgbImage;

use super::moments::Moments;
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
use crate::vision::{BoardPlace, Photo, PhotoConfig};

/// Most frames of a video that is read by its first one if nothing else is known of it.
const FEW_FRAMES: u64 = 5;
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
    /// Why the overlay is not written any further, where it is not.
    pub(super) overlay_error: Option<VideoError>,
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
    /// Where a line cannot be written; what is wrong with the video, or with the overlay, is in the result.
    pub(super) fn read(
        &self,
        name: &str,
        frames: &mut dyn Iterator<Item = Result<Frame, VideoError>>,
        mut lines: Option<&mut dyn Write>,
        mut overlay: Option<&mut VideoWriter>,
    ) -> io::Result<Clip> {
        let mut follower = Follower::new(self.follow.clone());
        let mut best: BTreeMap<usize, Best> = BTreeMap::new();
        let mut smoother = Smoother::default();
        let mut canvas = RgbImage::new(0, 0);
        let mut moments = Moments::default();
        let (mut decoded, mut seconds) = (0, 0.0);
        let mut done: Vec<(ClipBoard, BoardTimes)> = Vec::new();
        let (mut error, mut overlay_error, mut still, mut stopped) = (None, None, None, false);
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
            (decoded, seconds) = (decoded + 1, time);
            let drawn = overlay.is_some().then(|| frame.clone());
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
                moments.note((number, time), ms, follower.boards());
                for sighting in &seen {
                    if let Some(lines) = &mut lines {
                        let at = (number, time);
                        write_line(*lines, name, at, sighting, &follower, &photo, ms as f32)?;
                    }
                    keep_best(&mut best, number, sighting, &photo);
                }
                for board in follower.forget(REMEMBERED) {
                    done.extend(self.done(&board, &mut best, &mut moments));
                }
                if number == 0 {
                    still = Some(photo);
                }
            }
            if let (Some(mut frame), Some(writer)) = (drawn, &mut overlay) {
                draw(
                    &mut frame,
                    &mut canvas,
                    reading_width,
                    &seen,
                    &follower,
                    &mut smoother,
                );
                if let Err(error) = writer.add_frame(frame) {
                    overlay_error = Some(error);
                    overlay = None;
                }
            }
        }
        for board in follower.boards() {
            done.extend(self.done(board, &mut best, &mut moments));
        }
        if decoded == 0 && error.is_none() && !stopped {
            let no_frame = VideoError::NoFrames("it has no frame".to_owned());
            error = Some(no_frame.to_string());
        }
        // They came in the order in which they were last seen.
        done.sort_by_key(|(board, _)| board.record.puzzle);
        let (boards, board_times): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        let nothing = boards.is_empty();
        Ok(Clip {
            boards,
            result: VideoResult {
                frames: decoded,
                frames_read: moments.read,
                seconds,
                frame_ms: moments.frame_ms(),
                boards: board_times,
                error,
            },
            still: still.filter(|_| decoded == 1 || (nothing && decoded <= FEW_FRAMES)),
            overlay_error,
            stopped,
        })
    }

    /// A board of which no more frames will come; `None` where its frames do not read like a Sudoku.
    fn done(
        &self,
        board: &FollowedBoard,
        best: &mut BTreeMap<usize, Best>,
        moments: &mut Moments,
    ) -> Option<(ClipBoard, BoardTimes)> {
        let best = best.remove(&board.number);
        let moments = moments.take(board.number)?;
        let best = best?;
        let read = board.read_board(best.place, &best.photo, self.follow)?;
        let seen = BoardTimes {
            first: moments.first,
            last: moments.last,
            seen: board.seen,
            sure: moments.sure,
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
    frame: &mut Frame,
    canvas: &mut RgbImage,
    reading_width: u32,
    seen: &[Sighting],
    follower: &Follower,
    smoother: &mut Smoother,
) {
    for sighting in seen {
        let board = follower.board(sighting.board);
        let reading = board.and_then(|board| board.reading());
        let solution = reading.and_then(|reading| reading.verdict.solution());
        match (reading, solution) {
            (Some(reading), Some(solution))
                if sighting.is_sure && sighting.sight != Sight::Lost =>
            {
                let place = smoother.smooth(sighting.board, &sighting.place, frame.time);
                let solved = Solved {
                    place: &place,
                    decoded: &reading.decoded,
                    solution,
                    overruled: reading.overruled,
                    checked: CellSet::EMPTY,
                    mistakes: CellSet::EMPTY,
                };
                if canvas.dimensions() != frame.size() {
                    *canvas = RgbImage::new(frame.size().0, frame.size().1);
                }
                let (columns, rows) = overlay::box_of(&place, frame.size(), reading_width);
                frame.draw(canvas, columns, rows, |canvas| {
                    overlay::draw(canvas, &solved, reading_width);
                });
            }
            _ => smoother.forget(sighting.board),
        }
    }
}
