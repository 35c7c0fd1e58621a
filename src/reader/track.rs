//! One board through the frames of a video: its place, and what was read of it so far.

use super::attempt::Attempt;
use super::cells::CellReader;
use super::config::{FollowConfig, ReaderConfig};
use super::hypothesis::Hypothesis;
use super::refusal::Refusal;
use crate::decode::{Decoded, Fusion, decode, sharpness};
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, CellSet, Digit};
use crate::solve::{Solver, Verdict};
use crate::vision::{
    Board, BoardPlace, CROP_SIDE, CellCrop, Detection, GridDetector, Lattice, Photo, Rotation,
    SmallFrame, SmallPicture, board_from,
};

/// The tools for reading a frame.
pub(super) struct FrameContext<'a> {
    pub(super) config: &'a ReaderConfig,
    pub(super) follow: &'a FollowConfig,
    pub(super) detector: &'a dyn GridDetector,
    pub(super) cells: &'a CellReader,
    pub(super) photo: &'a Photo,
    pub(super) small: &'a SmallFrame,
    pub(super) solver: &'a mut dyn Solver,
}

impl FrameContext<'_> {
    /// Returns the possible places of a board in this frame, the likeliest first: the predicted
    /// one, and where its picture has gone, if that is elsewhere.
    pub(super) fn guesses(
        &self,
        place: &BoardPlace,
        before: Option<&BoardPlace>,
        picture: Option<&SmallPicture>,
    ) -> Vec<Lattice> {
        let ahead = match before {
            Some(before) => place.lattice.ahead(&before.lattice),
            None => place.lattice.clone(),
        };
        let Some(motion) = picture.and_then(|picture| picture.motion_in(self.small)) else {
            return vec![ahead];
        };
        let moved = place.lattice.moved(motion);
        let [a, b] = [&ahead, &moved].map(|it| it.corners().center());
        let cell = place.lattice.corners().cell_side();
        match (a.x - b.x).hypot(a.y - b.y) > self.follow.elsewhere * cell {
            true => vec![moved, ahead],
            false => vec![ahead],
        }
    }

    /// Returns the board in this frame, if there is one near this lattice whose lines are not much
    /// weaker.
    pub(super) fn find_again(
        &self,
        place: &BoardPlace,
        lattice: Lattice,
        strength: f32,
    ) -> Option<Board> {
        let detection = Detection::along(lattice, place.polarity, strength);
        let board = board_from(self.photo, &detection, &self.follow.locate)?;
        (board.score >= self.follow.least_strength * strength).then_some(board)
    }
}

/// A board that is followed.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Its last place.
    pub(super) place: BoardPlace,
    /// Its place in the frame before.
    before: Option<BoardPlace>,
    /// A small picture of it in the last frame.
    picture: Option<SmallPicture>,
    /// Usual strength of its grid lines.
    strength: f32,
    fusion: Fusion,
    /// What was read of the board; `None` before anything that looks like a Sudoku was seen.
    pub(super) reading: Option<Decoded>,
    /// Number of frames in which cells were read and believed.
    pub(super) reads: u32,
    /// Number of consecutive frames in which the lattice was seen, but nothing could be read.
    blind: u32,
    /// Small pictures of the cells as they were read last.
    pictures: CellMap<Option<Picture>>,
    /// For each cell known to be blank, in how many consecutive reads it held a digit, and which.
    written: CellMap<(u32, Option<Digit>)>,
    /// The next cell to be read again although nothing changed.
    next: usize,
    /// Cells seen in the last frame.
    pub(super) visible: CellSet,
    /// Sharpness of the last frame.
    pub(super) sharpness: f32,
    /// Cells whose content changed with the last frame.
    pub(super) changed: CellSet,
}

/// A cell as four by four means, relative to the contrast of its board: enough to detect that
/// something was written into it.
type Picture = [f32; 16];

impl Track {
    /// Returns a board that was found and read in one frame.
    pub(super) fn start(board: &Attempt, strength: f32, context: &mut FrameContext<'_>) -> Track {
        let place = board.hypothesis.place.clone();
        let look = board.look(context.photo);
        let mut track = Track {
            visible: look.iter().map(|(cell, _)| *cell).collect(),
            picture: context.small.cut(&place.lattice.corners()),
            place,
            before: None,
            strength,
            fusion: Fusion::default(),
            reading: None,
            reads: 0,
            blind: 0,
            pictures: CellMap::from_fn(|_| None),
            written: CellMap::from_fn(|_| (0, None)),
            next: 0,
            sharpness: 0.0,
            changed: CellSet::EMPTY,
        };
        track.remember(track.visible, &board.hypothesis.crops);
        track.believe(&look, context);
        track
    }

    /// Resumes a lost board where it was found again.
    pub(super) fn resume(&mut self, found: Track) {
        self.place = found.place;
        self.before = None;
        self.picture = found.picture;
        self.strength = found.strength;
        self.visible = found.visible;
        self.sharpness = found.sharpness;
        self.pictures = found.pictures;
        self.blind = 0;
    }

    /// Marks the board as out of sight.
    pub(super) fn lose(&mut self) {
        self.before = None;
        self.visible = CellSet::EMPTY;
        self.changed = CellSet::EMPTY;
        self.sharpness = 0.0;
    }

    /// Looks for the board where it should be by now, and reads the cells that need reading.
    /// Returns false where it is out of sight, or what is there does not agree with what is known:
    /// another page, or the lattice has slipped. A few frames may be too blurred to decide.
    pub(super) fn follow(&mut self, context: &mut FrameContext<'_>) -> Result<bool, Refusal> {
        let guesses = context.guesses(&self.place, self.before.as_ref(), self.picture.as_ref());
        for guess in guesses {
            if self.follow_to(guess, context)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Follows the board to where this lattice is.
    fn follow_to(
        &mut self,
        lattice: Lattice,
        context: &mut FrameContext<'_>,
    ) -> Result<bool, Refusal> {
        let Some(board) = context.find_again(&self.place, lattice, self.strength) else {
            return Ok(false);
        };
        let strength = board.score;
        let found = Hypothesis::of(board).0.turned(self.place.rotation);
        let visible = found.place.visible(context.photo);
        let wanted = self.worth_reading(visible, &found.crops, context.follow);
        let mut look = read(wanted, &found.crops, context.cells)?;
        let mut agrees = self.agrees(&look);
        if !agrees {
            // A few cells may have changed: the others tell whether it is the same board.
            let rest = visible.difference(wanted);
            look.extend(read(rest, &found.crops, context.cells)?);
            agrees = self.agrees(&look);
        }
        let is_blurred = sharpness(look.iter().map(|(_, it)| it)) < context.follow.blurred;
        let may_be_it = agrees || (is_blurred && self.blind < context.follow.max_blind);
        if !may_be_it {
            return Ok(false);
        }
        self.blind = if agrees { 0 } else { self.blind + 1 };
        let seen = look.iter().map(|(cell, _)| *cell).collect();
        self.before = Some(std::mem::replace(&mut self.place, found.place));
        self.picture = context.small.cut(&self.place.lattice.corners());
        self.strength += 0.1 * (strength - self.strength);
        self.visible = visible;
        self.changed = CellSet::EMPTY;
        if agrees {
            self.remember(seen, &found.crops);
            self.believe(&look, context);
        }
        Ok(true)
    }

    /// Returns the cells of which this frame may say something new. Until the board is settled, all
    /// that are visible; then those that are not, those whose picture changed, and some of the
    /// others.
    fn worth_reading(
        &mut self,
        visible: CellSet,
        crops: &CellMap<CellCrop>,
        config: &FollowConfig,
    ) -> CellSet {
        if self.reads < config.full_reads || !self.is_sure(config) {
            return visible;
        }
        let settled = self.fusion.settled(config.settled);
        let is_changed = |cell: &Cell| {
            if self.written[*cell].0 > 0 {
                return true;
            }
            let now = picture(&crops[*cell]);
            let before = self.pictures[*cell];
            before.is_none_or(|before| difference(&before, &now) > config.changed)
        };
        let changed: CellSet = visible.into_iter().filter(is_changed).collect();
        let turn = (0..config.refreshed).filter_map(|i| Cell::new((self.next + i) % Cell::COUNT));
        let refreshed: CellSet = turn.collect();
        self.next = (self.next + config.refreshed) % Cell::COUNT;
        let unsettled = visible.difference(settled);
        unsettled
            .union(changed)
            .union(refreshed.intersection(visible))
    }

    /// Returns whether an observation of some cells fits the board: most of its digits are seen,
    /// and hardly any others. A lattice that slipped sees others, a hand before the board sees
    /// none.
    fn agrees(&self, look: &[(Cell, Posterior)]) -> bool {
        let (count, agreement) = self.agreement(look);
        let others = look.iter().filter_map(|(cell, seen)| {
            let known = self.fusion.posterior(*cell);
            let content = known.best();
            let is_known = known.of(content) > KNOWN;
            let is_other = seen.best().is_some() && seen.best() != content;
            is_known.then(|| u32::from(is_other && seen.of(seen.best()) > KNOWN))
        });
        let (cells, others) = others.fold((0, 0), |(cells, sum), it| (cells + 1, sum + it));
        let few = 1 + (MAX_OTHERS * cells as f32) as u32;
        others <= few && (count < MIN_COMPARED || agreement > 0.5 * count)
    }

    /// Returns how many cells of an observation are known to hold a digit, and the sum of the
    /// probabilities that it gives to these digits.
    fn agreement(&self, look: &[(Cell, Posterior)]) -> (f32, f32) {
        let known = look.iter().filter_map(|(cell, seen)| {
            let known = self.fusion.posterior(*cell);
            let digit = known.best()?;
            (known.of(Some(digit)) > KNOWN).then(|| seen.of(Some(digit)))
        });
        known.fold((0.0, 0.0), |(count, sum), probability| {
            (count + 1.0, sum + probability)
        })
    }

    /// Returns whether an observation shows this board: enough of its digits are known, and most
    /// are there.
    pub(super) fn is_in(&self, look: &[(Cell, Posterior)]) -> bool {
        let (count, agreement) = self.agreement(look);
        count >= MIN_COMPARED && agreement > 0.5 * count
    }

    /// Returns the posteriors of the cells that were seen in the last frame.
    pub(super) fn look(&self) -> Vec<(Cell, Posterior)> {
        let seen = self.visible.into_iter();
        seen.map(|cell| (cell, self.fusion.posterior(cell)))
            .collect()
    }

    /// Forgets that a cell was blank if the same digit was seen in it in enough consecutive reads.
    fn forget_blanks_written_on(&mut self, look: &[(Cell, Posterior)], config: &FollowConfig) {
        let reading = self.reading.as_ref();
        let solution = reading.and_then(|it| it.verdict.solution().copied());
        // Misreadings hit the solution one time in nine.
        let enough = |cell: Cell, digit: Option<Digit>| {
            let [right, other] = config.written_reads;
            let is_right = solution.is_some_and(|it| Some(it.digit(cell)) == digit);
            if is_right { right } else { other }
        };
        for (cell, posterior) in look {
            let is_blank = self.fusion.posterior(*cell).best().is_none();
            let digit = posterior
                .best()
                .filter(|&it| is_blank && posterior.of(Some(it)) > KNOWN);
            let (reads, before) = self.written[*cell];
            self.written[*cell] = match digit {
                None => (0, None),
                Some(_) if digit == before && reads + 1 >= enough(*cell, digit) => {
                    self.fusion.forget(*cell);
                    (0, None)
                }
                Some(_) if digit == before => (reads + 1, digit),
                Some(_) => (1, digit),
            };
        }
    }

    /// Adds an observation to what is known.
    fn believe(&mut self, look: &[(Cell, Posterior)], context: &mut FrameContext<'_>) {
        let follow = context.follow;
        self.forget_blanks_written_on(look, follow);
        self.sharpness = sharpness(look.iter().map(|(_, posterior)| posterior));
        let was_sure = self.is_sure(follow);
        self.changed = self.fusion.add(look, self.sharpness, &follow.fusion);
        self.reads += 1;
        // A board that is settled is decoded again only where it changed.
        let is_due =
            self.reads <= follow.full_reads || self.reads.is_multiple_of(follow.decode_every);
        let is_needed = if was_sure {
            !self.changed.is_empty()
        } else {
            is_due
        };
        if is_needed {
            let posteriors = self.fusion.posteriors();
            if Attempt::is_of_sudoku(&posteriors, &context.config.trust) {
                self.reading = Some(decode(&posteriors, context.solver, &follow.decode));
            }
        }
    }

    /// Returns whether the reading may be shown: one solution, from several frames, beyond
    /// reasonable doubt.
    pub(super) fn is_sure(&self, config: &FollowConfig) -> bool {
        let is_certain = |reading: &Decoded| {
            matches!(reading.verdict, Verdict::Unique(_)) && reading.margin >= config.margin
        };
        self.reads >= config.min_reads
            && self.fusion.least_weight() >= config.min_weight
            && self.reading.as_ref().is_some_and(is_certain)
    }

    /// Returns the posterior of a cell.
    pub(super) fn posterior(&self, cell: Cell) -> Posterior {
        self.fusion.posterior(cell)
    }

    fn remember(&mut self, cells: CellSet, crops: &CellMap<CellCrop>) {
        for cell in cells {
            self.pictures[cell] = Some(picture(&crops[cell]));
        }
    }
}

/// Fewest known digits for comparing boards.
const MIN_COMPARED: f32 = 8.0;
/// Share of the known cells, beside a single one, that may show another digit than is known.
const MAX_OTHERS: f32 = 0.06;
/// Probability from which on a digit is known.
const KNOWN: f32 = 0.9;

/// Reads some cells of a board.
fn read(
    wanted: CellSet,
    crops: &CellMap<CellCrop>,
    cells: &CellReader,
) -> Result<Vec<(Cell, Posterior)>, Refusal> {
    let wanted: Vec<Cell> = wanted.into_iter().collect();
    let some: Vec<CellCrop> = wanted.iter().map(|cell| crops[*cell].clone()).collect();
    Ok(wanted
        .into_iter()
        .zip(cells.classify_some(&some)?)
        .collect())
}

/// Pixels at the edge of a crop that are left out of its small picture, and pixels of each of the
/// 16 parts.
const PICTURE_EDGE: usize = 4;
const PART: usize = (CROP_SIDE - 2 * PICTURE_EDGE) / 4;

fn picture(crop: &CellCrop) -> Picture {
    let mut sums = [0u32; 16];
    let inside = PICTURE_EDGE..CROP_SIDE - PICTURE_EDGE;
    let rows = crop.pixels.chunks_exact(CROP_SIDE).enumerate();
    for (y, row) in rows.skip(PICTURE_EDGE).take(inside.len()) {
        for (x, &pixel) in row[inside.clone()].iter().enumerate() {
            sums[(y - PICTURE_EDGE) / PART * 4 + x / PART] += u32::from(pixel);
        }
    }
    let mean = sums.iter().sum::<u32>() as f32 / 16.0;
    let unit = (PART * PART) as f32 * crop.board_contrast.max(1.0);
    // Light that falls on a cell is no change of what stands in it.
    sums.map(|sum| (sum as f32 - mean) / unit)
}

fn difference(a: &Picture, b: &Picture) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f32::max)
}

/// Returns the rotations in the order in which they are tried, the expected one first.
pub(super) fn rotations(expected: Rotation) -> [Rotation; 4] {
    let turns = expected.quarter_turns();
    [0, 2, 1, 3].map(|turn| Rotation::from_quarter_turns(turns + turn))
}
