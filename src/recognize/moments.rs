//! When the boards of a video were seen, and how long its frames took: no more is kept of a frame than it takes.

use std::collections::{BTreeMap, VecDeque};

use hdrhistogram::Histogram;

use super::stages::times_us;
use crate::reader::FollowedBoard;

/// Frames whose times are kept: a board gets its number long before so many have passed since it was first seen.
const KEPT: usize = 4096;

/// A frame of the video, and its time in seconds.
pub(super) type Moment = (u64, f64);

/// The frames that were read, and what they are to their boards.
#[derive(Debug)]
pub(super) struct Moments {
    /// The latest frames that were read.
    latest: VecDeque<Moment>,
    /// Frames that were read.
    pub(super) read: u64,
    boards: BTreeMap<usize, BoardMoments>,
    /// How long following and reading took, in microseconds.
    took: Histogram<u64>,
}

/// The frames that matter of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoardMoments {
    pub(super) first: Moment,
    pub(super) last: Moment,
    pub(super) sure: Option<Moment>,
}

impl Default for Moments {
    fn default() -> Moments {
        Moments {
            latest: VecDeque::new(),
            read: 0,
            boards: BTreeMap::new(),
            took: times_us(),
        }
    }
}

impl Moments {
    /// Notes a frame that was read in so many milliseconds, and the boards as they are since.
    pub(super) fn note<'a>(
        &mut self,
        frame: Moment,
        ms: f64,
        boards: impl IntoIterator<Item = &'a FollowedBoard>,
    ) {
        if self.latest.len() == KEPT {
            self.latest.pop_front();
        }
        self.latest.push_back(frame);
        self.read += 1;
        self.took.saturating_record((ms * 1000.0) as u64);
        for board in boards {
            self.note_board(board.number, board.frames, board.sure_since);
        }
    }

    /// Notes a board by the numbers that the frames have among those that were read.
    fn note_board(&mut self, board: usize, (first, last): (u64, u64), sure: Option<u64>) {
        let Some(&newest) = self.latest.back() else {
            return;
        };
        let now = self.read - 1;
        let moment = |read: u64| {
            let back = (now - read.min(now)) as usize;
            let place = self.latest.len().saturating_sub(back + 1);
            self.latest.get(place).copied().unwrap_or(newest)
        };
        match self.boards.get_mut(&board) {
            Some(known) => {
                if last == now {
                    known.last = newest;
                }
                known.sure = known.sure.or_else(|| sure.map(moment));
            }
            None => {
                let moments = BoardMoments {
                    first: moment(first),
                    last: moment(last),
                    sure: sure.map(moment),
                };
                self.boards.insert(board, moments);
            }
        }
    }

    /// Takes out what is known of a board of which no more frames will come.
    pub(super) fn take(&mut self, board: usize) -> Option<BoardMoments> {
        self.boards.remove(&board)
    }

    /// The median and the longest time that a frame took, in milliseconds.
    pub(super) fn frame_ms(&self) -> (f32, f32) {
        let ms = |us: u64| us as f32 / 1000.0;
        let median = self.took.value_at_quantile(0.5);
        (ms(median), ms(self.took.max()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_frame_numbers_and_times_of_the_video() {
        let mut moments = Moments::default();
        // Every third frame is read.
        for read in 0..10_000_u64 {
            let frame = (3 * read, read as f64 / 10.0);
            moments.note(frame, 2.0, []);
            if read >= 9_990 {
                moments.note_board(1, (9_985, read), (read >= 9_995).then_some(9_995));
            }
            if read == 9_992 {
                moments.note_board(2, (9_992, 9_992), None);
            }
        }
        let board = moments.take(1).unwrap();
        assert_eq!(board.first, (29_955, 998.5));
        assert_eq!(board.last, (29_997, 999.9));
        assert_eq!(board.sure, Some((29_985, 999.5)));
        let other = moments.take(2).unwrap();
        assert_eq!((other.first, other.last), (other.last, (29_976, 999.2)));
        assert_eq!(other.sure, None);
        assert!(moments.take(1).is_none());
        assert_eq!((moments.read, moments.latest.len()), (10_000, KEPT));
        assert_eq!(moments.frame_ms(), (2.0, 2.0));
    }
}
