//! Photos, and the frames of one camera.

use std::sync::Arc;

use web_time::Instant;

use super::answer::{Answer, BoardAnswer};
use crate::reader::{FollowConfig, Follower, Reader};
use crate::vision::{Photo, PhotoConfig, PhotoError};

/// Boards out of sight that are remembered: one that comes back within a minute or two is known again.
const REMEMBERED: usize = 8;

/// A frame of a camera.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Pixels row by row from the top left, one byte each.
    Gray {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
        /// `width` times `height` bytes.
        pixels: Vec<u8>,
    },
    /// Pixels row by row from the top left, four bytes each: red, green, blue, and alpha, which is not
    /// looked at.
    Rgba {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
        /// Four times `width` times `height` bytes.
        pixels: &'a [u8],
    },
    /// A JPEG, or any other picture file.
    File(&'a [u8]),
}

/// Answers one page: reads its photos, and follows boards through the frames of its camera.
#[derive(Debug)]
pub struct Session {
    reader: Arc<Reader>,
    photos: PhotoConfig,
    frames: PhotoConfig,
    follower: Follower,
}

impl Session {
    /// Starts with no frame seen.
    pub fn new(reader: Arc<Reader>) -> Session {
        Session {
            reader,
            photos: PhotoConfig::default(),
            frames: PhotoConfig::of_frames(),
            follower: Follower::new(FollowConfig::default()),
        }
    }

    /// Reads the boards of a photo, in any format that is supported.
    ///
    /// # Errors
    /// [`PhotoError`] where it does not open.
    pub fn photo(&self, bytes: &[u8]) -> Result<Answer, PhotoError> {
        let start = Instant::now();
        let photo = Photo::from_bytes(bytes, &self.photos)?;
        Ok(self.read(&photo, start))
    }

    /// Reads the boards of a frame; the frames before it add to what is known of them.
    ///
    /// # Errors
    /// [`PhotoError`] where it does not open, or its size and its bytes do not fit.
    pub fn frame(&mut self, frame: Frame<'_>) -> Result<Answer, PhotoError> {
        let start = Instant::now();
        let photo = match frame {
            Frame::Gray {
                width,
                height,
                pixels,
            } => Photo::from_gray(width, height, pixels, &self.frames)?,
            Frame::Rgba {
                width,
                height,
                pixels,
            } => Photo::from_rgba(width, height, pixels, &self.frames)?,
            Frame::File(bytes) => Photo::from_bytes(bytes, &self.frames)?,
        };
        let sightings = self.follower.see(&self.reader, &photo);
        let (sightings, refusal) = match sightings {
            Ok(sightings) => (sightings, None),
            Err(refusal) => (Vec::new(), Some(refusal)),
        };
        let boards = sightings.iter().filter_map(|sighting| {
            let board = self.follower.board(sighting.board)?;
            let place = sighting.place.clone();
            let board = board.read_board(place, &photo, self.follower.config())?;
            Some(BoardAnswer::seen(&photo, sighting, &board))
        });
        let unnumbered = self.follower.unnumbered();
        let unnumbered =
            unnumbered.map(|(place, reading)| BoardAnswer::unnumbered(&photo, place, reading));
        let boards = boards.chain(unnumbered).collect();
        self.follower.forget(REMEMBERED);
        Ok(Answer::new(
            &photo,
            boards,
            refusal.as_ref(),
            start.elapsed(),
        ))
    }

    fn read(&self, photo: &Photo, start: Instant) -> Answer {
        let examined = self.reader.examine(photo, None);
        let boards = examined.boards.iter().zip(1..);
        let boards = boards.map(|(board, number)| BoardAnswer::found(photo, number, board));
        Answer::new(
            photo,
            boards.collect(),
            examined.refusal.as_ref(),
            start.elapsed(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{ReaderConfig, Status};

    const NEWSPAPER: &[u8] = include_bytes!("../../datasets/photos/000-newspaper.jpg");
    const TRUTH: &str = include_str!("../../datasets/photos/000-newspaper.txt");

    fn session() -> Session {
        Session::new(Arc::new(Reader::new(ReaderConfig::default()).unwrap()))
    }

    /// The first answer in which a board is sure and followed, with the camera at rest.
    fn until_sure(session: &mut Session, frame: &Frame<'_>) -> Answer {
        let answers = (0..20).map(|_| session.frame(frame.clone()).unwrap());
        let is_sure = |board: &BoardAnswer| board.is_sure && board.how == "followed";
        let mut sure = answers.filter(|answer| answer.boards.iter().any(is_sure));
        sure.next().expect("sure within 20 frames")
    }

    #[test]
    fn a_photo_is_answered_in_its_own_pixels() {
        let answer = session().photo(NEWSPAPER).unwrap();
        let photo = Photo::from_bytes(NEWSPAPER, &PhotoConfig::default()).unwrap();
        assert_eq!(
            (answer.width, answer.height),
            (photo.width(), photo.height())
        );
        let [board] = &answer.boards[..] else {
            panic!("{answer:?}")
        };
        assert_eq!(board.decoded, TRUTH.trim());
        assert_eq!((board.status, board.is_sure), (Status::Solved, true));
        assert_eq!(board.lattice.len(), 200);
        for (corner, at) in board.corners.iter().zip([0, 9, 99, 90]) {
            assert_eq!(corner[..], board.lattice[2 * at..][..2]);
            assert!((0.0..=answer.width as f32).contains(&corner[0]));
            assert!((0.0..=answer.height as f32).contains(&corner[1]));
        }
    }

    #[test]
    fn a_frame_is_read_from_any_kind_of_pixels() {
        let photo = Photo::from_bytes(NEWSPAPER, &PhotoConfig::default()).unwrap();
        let (width, height) = photo.luma().dimensions();
        let gray = photo.luma().as_raw();
        let rgba: Vec<u8> = gray.iter().flat_map(|&it| [it, it, it, 255]).collect();
        let frames = [
            Frame::Gray {
                width,
                height,
                pixels: gray.clone(),
            },
            Frame::Rgba {
                width,
                height,
                pixels: &rgba,
            },
            Frame::File(NEWSPAPER),
        ];
        for frame in frames {
            let board = until_sure(&mut session(), &frame).boards.remove(0);
            assert_eq!(board.how, "followed");
            assert_eq!(board.decoded, TRUTH.trim());
        }
        let short = Frame::Rgba {
            width,
            height,
            pixels: gray,
        };
        assert!(session().frame(short).is_err());
    }

    #[test]
    fn one_frame_is_not_enough_to_be_sure() {
        let mut session = session();
        let first = session.frame(Frame::File(NEWSPAPER)).unwrap();
        assert!(first.boards.iter().all(|board| !board.is_sure));
        let sure = until_sure(&mut session, &Frame::File(NEWSPAPER));
        assert_eq!(sure.boards.len(), 1);
        assert!(sure.boards[0].evidence > 0.98);
    }

    #[test]
    fn a_picture_without_a_board_is_reported() {
        let frame = Frame::Gray {
            width: 64,
            height: 48,
            pixels: vec![128; 64 * 48],
        };
        let answer = session().frame(frame).unwrap();
        assert!(answer.boards.is_empty());
        assert!(session().photo(b"no picture").is_err());
    }
}
