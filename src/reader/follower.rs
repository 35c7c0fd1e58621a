//! Reads boards that move: finds them in the frames of a video, follows them, and sums the evidence
//! of the frames cell by cell.
//!
//! A frame takes little time: a known board is looked for where it should be, only those of its
//! cells are read that may have changed, and the search for further boards is spread over frames, a
//! threshold each. All of that depends on nothing but the frames, so the same video gives the same
//! boards.

use super::attempt::Attempt;
use super::board::{ReadBoard, StageMs};
use super::config::FollowConfig;
use super::doubt::Doubt;
use super::hypothesis::Hypothesis;
use super::read::Reader;
use super::refusal::Refusal;
use super::sight::Sight;
use super::status::Status;
use super::track::{FrameContext, Track, rotations};
use crate::decode::Decoded;
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet};
use crate::solve::Verdict;
use crate::vision::{
    Board, BoardPlace, Photo, Quad, Rotation, SEARCH_STEPS, SmallFrame, SmallPicture, locate_by,
};

/// A board in one frame.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Its number in the video, from 1, in the order in which boards were read.
    pub board: usize,
    /// How it was found.
    pub sight: Sight,
    /// Its place; the last one, if it is lost.
    pub place: BoardPlace,
    /// Its cells inside the frame.
    pub visible: CellSet,
    /// Sharpness of this frame: the mean probability of the best contents of its cells.
    pub sharpness: f32,
    /// Cells whose most probable content changed with this frame.
    pub changed: CellSet,
    /// Whether the reading may be shown: one solution, from several frames, beyond reasonable
    /// doubt.
    pub is_sure: bool,
}

/// A board of the video.
#[derive(Clone, Debug)]
pub struct FollowedBoard {
    /// Its number in the video, from 1.
    pub number: usize,
    /// The frames in which it was first and last seen, from 0.
    pub frames: (u64, u64),
    /// Number of frames in which it was seen.
    pub seen: u64,
    /// Number of frames that were read and believed.
    pub read: u64,
    /// The first frame with which its reading was sure.
    pub sure_since: Option<u64>,
    track: Track,
    is_followed: bool,
}

impl FollowedBoard {
    /// Returns the reading of all frames together; `None` where they do not look like a Sudoku.
    pub fn reading(&self) -> Option<&Decoded> {
        self.track.reading.as_ref()
    }

    /// Returns whether the reading may be shown.
    pub fn is_sure(&self, config: &FollowConfig) -> bool {
        self.track.is_sure(config)
    }

    /// Returns the last place of the board.
    pub const fn place(&self) -> &BoardPlace {
        &self.track.place
    }

    /// Returns the posterior of a cell.
    pub fn posterior(&self, cell: Cell) -> Posterior {
        self.track.posterior(cell)
    }

    /// Returns the board like that of a photo, with its cells cut from this frame, in which it was
    /// at this place; `None` where its frames do not look like a Sudoku.
    pub fn read_board(
        &self,
        place: BoardPlace,
        frame: &Photo,
        config: &FollowConfig,
    ) -> Option<ReadBoard> {
        let reading = self.reading()?;
        let confidence = reading.confidence;
        let objection = match &reading.verdict {
            Verdict::Unsolvable => Some(Refusal::unsolvable(&reading.decoded)),
            Verdict::Multiple(_) if reading.margin >= config.margin => None,
            _ if self.is_sure(config) => None,
            _ => Some(Refusal::Doubtful {
                confidence,
                needed: None,
            }),
        };
        let status = match (&objection, &reading.verdict) {
            (Some(refusal), _) => refusal.status(),
            (None, Verdict::Multiple(_)) => Status::Multiple,
            (None, _) => Status::Solved,
        };
        let posteriors = CellMap::from_fn(|cell| self.posterior(cell));
        Some(ReadBoard {
            status,
            objection,
            doubts: Doubt::all(&posteriors, reading),
            crops: place.cut(frame),
            place,
            posteriors,
            givens: reading.givens,
            decoded: reading.decoded,
            verdict: reading.verdict.clone(),
            confidence,
            margin: reading.margin,
            blank_doubt: reading.blank_doubt,
            overruled: reading.overruled,
            mistakes: reading.mistakes,
            written: CellSet::EMPTY,
            key: None,
            times: StageMs::default(),
        })
    }
}

/// An outline that is not known to be a board yet.
#[derive(Clone, Debug)]
struct Candidate {
    /// The outline, the strength of its lines, and the orientations tried.
    outline: Hypothesis,
    picture: Option<SmallPicture>,
    strength: f32,
    tried: usize,
    best: Option<Attempt>,
    /// The board once it looks like a Sudoku: followed until it is sure, or recognized as a known
    /// one.
    track: Option<Track>,
    /// The frame in which it was found.
    since: u64,
}

/// A reader of the frames of one video, in their order.
///
/// ```
/// use sudoku_batch::reader::{FollowConfig, Follower, Reader, ReaderConfig};
/// use sudoku_batch::vision::{Photo, PhotoConfig};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = Reader::new(ReaderConfig::default())?;
/// let mut follower = Follower::new(FollowConfig::default());
/// let bytes = std::fs::read("datasets/photos/000-newspaper.jpg")?;
/// let frame = Photo::from_bytes(&bytes, &PhotoConfig::of_frames())?;
/// // A video that shows the same frame for a while.
/// for _ in 0..30 {
///     for sighting in follower.see(&reader, &frame)? {
///         println!("board {}: {}", sighting.board, sighting.sight.name());
///     }
/// }
/// assert_eq!(follower.boards().len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Follower {
    config: FollowConfig,
    boards: Vec<FollowedBoard>,
    candidates: Vec<Candidate>,
    /// Outlines without a Sudoku, and the frames in which that was found.
    refused: Vec<(Quad, u64)>,
    /// Number of boards with a number.
    numbered: usize,
    frame: u64,
    searches: usize,
    /// Orientation of the last board: tried first for the next one.
    rotation: Rotation,
}

impl Follower {
    /// Returns a follower at the start of a video.
    pub fn new(config: FollowConfig) -> Follower {
        Follower {
            config,
            boards: Vec::new(),
            candidates: Vec::new(),
            refused: Vec::new(),
            numbered: 0,
            frame: 0,
            searches: 0,
            rotation: Rotation::default(),
        }
    }

    /// Returns the settings.
    pub const fn config(&self) -> &FollowConfig {
        &self.config
    }

    /// Returns the board of this number, if it is still kept.
    pub fn board(&self, number: usize) -> Option<&FollowedBoard> {
        self.boards.iter().find(|board| board.number == number)
    }

    /// Returns the boards of the video so far.
    pub fn boards(&self) -> &[FollowedBoard] {
        &self.boards
    }

    /// Returns the place and reading of boards that are followed and not sure enough for a number
    /// yet.
    pub fn unnumbered(&self) -> impl Iterator<Item = (&BoardPlace, &Decoded)> {
        let tracks = self.candidates.iter().filter_map(|it| it.track.as_ref());
        tracks.filter_map(|track| Some((&track.place, track.reading.as_ref()?)))
    }

    /// Removes the boards that were lost longest ago until `left` remain, and returns them: keeps
    /// memory flat in a video that goes on for hours. A board that comes back after that is a new
    /// one.
    pub fn forget(&mut self, left: usize) -> Vec<FollowedBoard> {
        let mut forgotten = Vec::new();
        while self.boards.len() > left {
            let lost = self.boards.iter().enumerate();
            let lost = lost.filter(|(_, board)| !board.is_followed);
            let Some((oldest, _)) = lost.min_by_key(|(_, board)| board.frames.1) else {
                break;
            };
            forgotten.push(self.boards.remove(oldest));
        }
        forgotten
    }

    /// Reads the next frame, and returns the boards in it and those just lost.
    ///
    /// # Errors
    ///
    /// [`Refusal`] where the detector or the network fails.
    pub fn see(&mut self, reader: &Reader, photo: &Photo) -> Result<Vec<Sighting>, Refusal> {
        let mut solver = reader.solver();
        let follow = self.config.clone();
        let mut context = FrameContext {
            config: reader.config(),
            follow: &follow,
            detector: &*reader.detector,
            cells: &reader.cells,
            photo,
            small: &SmallFrame::of(photo),
            solver: &mut *solver,
        };
        let sightings = self.look(&mut context);
        reader.give_back(solver);
        self.frame += 1;
        sightings
    }

    fn look(&mut self, context: &mut FrameContext<'_>) -> Result<Vec<Sighting>, Refusal> {
        let mut sightings = self.follow_boards(context)?;
        self.follow_candidates(context)?;
        let live = self.boards.iter().filter(|board| board.is_followed).count();
        let searched = self.search(live, context)?;
        // Beside a board that is shown, what was found can wait for the next frame.
        if !searched || live == 0 {
            self.try_candidates(context)?;
        }
        self.name_candidates(context, &mut sightings);
        sightings.sort_by_key(|sighting| sighting.board);
        Ok(sightings)
    }

    fn follow_boards(&mut self, context: &mut FrameContext<'_>) -> Result<Vec<Sighting>, Refusal> {
        let mut sightings = Vec::new();
        for board in &mut self.boards {
            // One that was just lost may be there again: behind a hand, or after a jerk.
            let is_near = self.frame - board.frames.1 <= context.follow.coasting;
            if !board.is_followed && !is_near {
                continue;
            }
            let sight = match (board.track.follow(context)?, board.is_followed) {
                (true, _) => {
                    board.is_followed = true;
                    board.count(self.frame, context.follow);
                    Sight::Followed
                }
                (false, true) => {
                    board.is_followed = false;
                    board.track.lose();
                    Sight::Lost
                }
                (false, false) => continue,
            };
            sightings.push(board.sighting(sight, context.follow));
        }
        Ok(sightings)
    }

    /// Follows the candidates that look like a Sudoku, and removes those that are lost.
    fn follow_candidates(&mut self, context: &mut FrameContext<'_>) -> Result<(), Refusal> {
        for mut candidate in std::mem::take(&mut self.candidates) {
            let stays = match &mut candidate.track {
                Some(track) => track.follow(context)?,
                None => candidate.follow_outline(context),
            };
            if stays {
                self.candidates.push(candidate);
            }
        }
        Ok(())
    }

    /// Searches for boards by one step of the detector: in every frame while none is followed, now
    /// and then otherwise. Every second step is the one that finds most boards, every fourth the
    /// next best. Returns whether there was a search.
    fn search(&mut self, live: usize, context: &mut FrameContext<'_>) -> Result<bool, Refusal> {
        let crowded = live + self.candidates.len() >= self.config.max_followed;
        let is_due = live == 0 || self.frame.is_multiple_of(self.config.search_every);
        if crowded || !is_due || self.candidates.iter().any(|it| it.track.is_none()) {
            return Ok(false);
        }
        let step = match self.searches % 4 {
            0 | 2 => 0,
            1 => 1,
            _ => 2 + self.searches / 4 % (SEARCH_STEPS - 2),
        };
        self.searches += 1;
        let (frame, refused_for) = (self.frame, self.config.refused_for);
        self.refused
            .retain(|(_, since)| frame - since <= refused_for);
        // A board that is not sure may be one that slipped: it is looked for again.
        let taken: Vec<Quad> = self
            .boards
            .iter()
            .filter(|board| board.is_followed && board.is_sure(&self.config))
            .map(|board| board.track.place.lattice.corners())
            .chain(self.candidates.iter().map(Candidate::corners))
            .chain(self.refused.iter().map(|(quad, _)| *quad))
            .collect();
        let steps = step..step + 1;
        let found = locate_by(
            context.photo,
            context.detector,
            steps,
            &taken,
            &self.config.locate,
        );
        let found = found.map_err(|error| Refusal::Detector(error.to_string()))?;
        let room = self.config.max_candidates;
        for board in found.into_iter().take(room) {
            self.candidates
                .push(Candidate::new(board, self.frame, context.small));
        }
        Ok(true)
    }

    /// Reads each candidate that is not followed yet in one further orientation.
    fn try_candidates(&mut self, context: &mut FrameContext<'_>) -> Result<(), Refusal> {
        let lost: Vec<&Track> = self
            .boards
            .iter()
            .filter(|board| !board.is_followed)
            .map(|board| &board.track)
            .collect();
        let mut kept = Vec::new();
        for mut candidate in std::mem::take(&mut self.candidates) {
            if candidate.track.is_some() || candidate.try_next(self.rotation, &lost, context)? {
                kept.push(candidate);
            } else {
                self.refused.push((candidate.corners(), self.frame));
            }
        }
        self.candidates = kept;
        Ok(())
    }

    /// Gives candidates the number of a known board, or a new one once they are sure.
    fn name_candidates(&mut self, context: &FrameContext<'_>, sightings: &mut Vec<Sighting>) {
        for candidate in std::mem::take(&mut self.candidates) {
            let Some(track) = &candidate.track else {
                self.candidates.push(candidate);
                continue;
            };
            let quad = candidate.corners();
            // The same digits at the same place are the same board.
            let is_here =
                |board: &FollowedBoard| board.covers(&quad) && board.is_sure(&self.config);
            let may_be = |board: &FollowedBoard| !board.is_followed || is_here(board);
            let known = self
                .boards
                .iter()
                .position(|board| may_be(board) && board.track.is_in(&track.look()));
            let slipped = match known {
                Some(_) => None,
                None => self.slipped(&candidate, track),
            };
            let place = match known.or(slipped) {
                Some(known) => known,
                None if self.is_new(&candidate, track) => {
                    self.numbered += 1;
                    let board = FollowedBoard::new(self.numbered, &candidate, track);
                    self.boards.push(board);
                    self.boards.len() - 1
                }
                None => {
                    self.candidates.push(candidate);
                    continue;
                }
            };
            let board = &mut self.boards[place];
            match candidate.track {
                Some(track) if known.is_some() => board.track.resume(track),
                Some(track) if slipped.is_some() => board.track = track,
                _ => {}
            }
            board.is_followed = true;
            board.count(self.frame, context.follow);
            self.rotation = board.track.place.rotation;
            sightings.retain(|sighting| sighting.board != board.number);
            sightings.push(board.sighting(Sight::Found, context.follow));
        }
    }

    /// Returns the unsure board at the place of a sure candidate that either never was sure or had
    /// the same digits: its lattice had slipped, and its reading is worthless.
    fn slipped(&self, candidate: &Candidate, track: &Track) -> Option<usize> {
        let quad = candidate.corners();
        let look = track.look();
        let is_here = |board: &FollowedBoard| {
            let may_be = board.sure_since.is_none() || board.track.is_in(&look);
            board.is_followed && !board.is_sure(&self.config) && board.covers(&quad) && may_be
        };
        let slipped = self.boards.iter().position(is_here);
        slipped.filter(|_| track.is_sure(&self.config))
    }

    /// Returns whether a candidate is a new board. At the place of a known board it takes more
    /// evidence: a lattice that slipped by a row reads like another board, too.
    fn is_new(&self, candidate: &Candidate, track: &Track) -> bool {
        let config = &self.config;
        let quad = candidate.corners();
        let at_known_place = self.boards.iter().any(|board| {
            let known = board.track.place.lattice.corners();
            self.frame - board.frames.1 <= config.patience
                && known.overlap(&quad) > 0.3 * known.area().min(quad.area())
        });
        let reads = match at_known_place {
            true => config.contradictions,
            false => config.min_reads,
        };
        let is_unclear = track.reads >= config.unclear_reads && !at_known_place;
        let is_unclear = is_unclear && track.reading.is_some();
        is_unclear || (track.reads >= reads && track.is_sure(config))
    }
}

impl FollowedBoard {
    fn new(number: usize, candidate: &Candidate, track: &Track) -> FollowedBoard {
        let seen = u64::from(track.reads) - 1;
        FollowedBoard {
            number,
            frames: (candidate.since, candidate.since),
            seen,
            read: seen,
            sure_since: None,
            track: track.clone(),
            is_followed: true,
        }
    }

    /// Returns whether this board and an outline share most of the smaller of the two.
    fn covers(&self, outline: &Quad) -> bool {
        let here = self.place().lattice.corners();
        here.overlap(outline) > 0.5 * here.area().min(outline.area())
    }

    /// Counts a frame in which the board was seen; once, if it was both followed and found.
    fn count(&mut self, frame: u64, config: &FollowConfig) {
        if self.frames.1 < frame {
            self.frames.1 = frame;
            self.seen += 1;
            self.read += 1;
        }
        if self.sure_since.is_none() && self.track.is_sure(config) {
            self.sure_since = Some(frame);
        }
    }

    fn sighting(&self, sight: Sight, config: &FollowConfig) -> Sighting {
        Sighting {
            board: self.number,
            sight,
            place: self.track.place.clone(),
            visible: self.track.visible,
            sharpness: self.track.sharpness,
            changed: self.track.changed,
            is_sure: self.track.is_sure(config),
        }
    }
}

impl Candidate {
    fn new(board: Board, frame: u64, small: &SmallFrame) -> Candidate {
        let strength = board.score;
        Candidate {
            picture: small.cut(&board.lattice.corners()),
            outline: Hypothesis::of(board).0,
            strength,
            tried: 0,
            best: None,
            track: None,
            since: frame,
        }
    }

    fn corners(&self) -> Quad {
        let track = self.track.as_ref().map(|track| &track.place);
        track.unwrap_or(&self.outline.place).lattice.corners()
    }

    /// Finds the outline again in the next frame.
    fn follow_outline(&mut self, context: &FrameContext<'_>) -> bool {
        let place = &self.outline.place;
        let guesses = context.guesses(place, None, self.picture.as_ref());
        let mut boards = guesses
            .into_iter()
            .filter_map(|guess| context.find_again(place, guess, self.strength));
        let Some(board) = boards.next() else {
            return false;
        };
        self.strength = board.score;
        self.picture = context.small.cut(&board.lattice.corners());
        self.outline = Hypothesis::of(board).0;
        true
    }

    /// Reads the outline in the next orientation, and follows it from then on if it is one of these
    /// boards, or a whole one with a solution; returns false where it is neither in any
    /// orientation.
    fn try_next(
        &mut self,
        expected: Rotation,
        lost: &[&Track],
        context: &mut FrameContext<'_>,
    ) -> Result<bool, Refusal> {
        let rotation = rotations(expected)[self.tried];
        self.tried += 1;
        let attempt = self.attempt(rotation, context)?;
        let trust = &context.config.trust;
        let look = attempt.look(context.photo);
        let is_known = lost.iter().any(|track| track.is_in(&look));
        let is_clear =
            !attempt.deserves_second_attempt(trust) && attempt.objection(trust).is_none();
        let is_better = |best: &Attempt| attempt.compare(best, trust).is_gt();
        let mut best = match self.best.take() {
            Some(best) if !is_better(&best) && !is_known => best,
            _ => attempt,
        };
        if !is_known && !is_clear && self.tried < 4 {
            self.best = Some(best);
            return Ok(true);
        }
        if best.hypothesis.place.rotation != rotation {
            // It was read in an earlier frame.
            best = self.attempt(best.hypothesis.place.rotation, context)?;
        }
        let is_whole = best.look(context.photo).len() == Cell::COUNT;
        let is_board = is_known || (is_whole && best.has_solution());
        if !is_board {
            return Ok(false);
        }
        self.track = Some(Track::start(&best, self.strength, context));
        Ok(true)
    }

    fn attempt(
        &self,
        rotation: Rotation,
        context: &mut FrameContext<'_>,
    ) -> Result<Attempt, Refusal> {
        let hypothesis = self.outline.turned(rotation);
        let posteriors = context.cells.classify(&hypothesis.crops)?;
        let (trust, decode) = (&context.config.trust, &context.follow.decode);
        let attempt = Attempt::undecoded(hypothesis, posteriors, trust);
        Ok(attempt.decode(context.solver, trust, decode))
    }
}
