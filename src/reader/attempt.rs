//! One attempt at a board: its cells read and decoded, and how far the result is to be trusted.

use std::cmp::Ordering;

use super::board::{ReadBoard, StageMs};
use super::config::TrustConfig;
use super::doubt::Doubt;
use super::evidence::{Evidence, black_cells, inked_cells, is_other_grid};
use super::hypothesis::Hypothesis;
use super::refusal::Refusal;
use super::sides::{blank_sides, shifts_off_blanks};
use super::status::Status;
use super::style::Style;
use super::written::{Written, decode_filled};
use crate::decode::{DecodeConfig, Decoded};
use crate::digits::Posterior;
use crate::grid::{Cell, CellMap, Puzzle};
use crate::solve::{Goal, Limits, Solver, Verdict};
use crate::vision::{BoardPlace, Photo, Quad, goes_on, open_sides};

/// Strength by which the lines of a shifted place may be weaker than those of the first one.
const WEAKER: f32 = 0.05;

/// A hypothesis whose cells were read.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) hypothesis: Hypothesis,
    /// What the network sees in each cell.
    pub(super) seen: CellMap<Posterior>,
    /// What each cell is read as: what the network sees, or that in the style of a page.
    pub(super) posteriors: CellMap<Posterior>,
    evidence: Evidence,
    /// Number of its cells outside the photo or cut by its edge, if it has no one solution without
    /// their digits.
    cut_off: usize,
    /// That its grid has another size than 9x9, if it has; a clear puzzle is not asked.
    other_size: Option<Refusal>,
    /// Whether its digits contradict each other as those of no misprinted puzzle do.
    is_other_grid: bool,
    /// The decoded board; `None` where the cells do not look like a Sudoku, so that decoding would
    /// be a long search for nothing.
    decoded: Option<Decoded>,
    /// Its handwritten digits.
    written: Written,
}

/// How well a reading makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Its cells or its size are not those of a Sudoku.
    NoSudoku,
    /// It has no solution, or none without cells that are cut off.
    Contradiction,
    /// It has a solution, or has none through misprints.
    Sudoku,
}

impl Attempt {
    /// Returns the attempt before its posteriors, those that the network sees, are decoded.
    pub(super) fn undecoded(
        hypothesis: Hypothesis,
        seen: CellMap<Posterior>,
        trust: &TrustConfig,
    ) -> Attempt {
        Attempt {
            evidence: Evidence::of(&seen, trust),
            hypothesis,
            seen,
            posteriors: seen,
            cut_off: 0,
            other_size: None,
            is_other_grid: false,
            decoded: None,
            written: Written::default(),
        }
    }

    /// Returns the attempt with its digits read in this style, before they are decoded.
    pub(super) fn in_style(self, style: &Style, trust: &TrustConfig) -> Attempt {
        let posteriors = CellMap::from_fn(|cell| style.read(&self.seen[cell]));
        self.with_posteriors(posteriors, trust)
    }

    /// Returns the attempt with each of its digits read in the style of the others, before they are decoded; `None` if it
    /// has no solution or some are handwritten.
    pub(super) fn in_own_style(&self, trust: &TrustConfig) -> Option<Attempt> {
        let read = self.solvable().filter(|_| self.written.cells.is_empty())?;
        let attempt = Attempt::undecoded(self.hypothesis.clone(), self.seen, trust);
        Some(attempt.with_posteriors(Style::read_board(&self.seen, read), trust))
    }

    fn with_posteriors(self, posteriors: CellMap<Posterior>, trust: &TrustConfig) -> Attempt {
        Attempt {
            evidence: Evidence::of(&posteriors, trust),
            posteriors,
            ..self
        }
    }

    /// Decodes the posteriors of a board that looks like a Sudoku.
    pub(super) fn decode(
        self,
        solver: &mut dyn Solver,
        trust: &TrustConfig,
        config: &DecodeConfig,
    ) -> Attempt {
        if !self.evidence.is_of_sudoku(trust) {
            return self;
        }
        let (mut decoded, written) = decode_filled(&self.posteriors, solver, config);
        let most = match self.hypothesis.is_turned() {
            true => trust.max_overruled_turned,
            false => trust.max_overruled,
        };
        if decoded.overruled.len() > most {
            decoded.confidence = decoded.confidence.min(trust.confidence_overruled);
        }
        let limits = Limits::nodes(config.solver_nodes);
        Attempt {
            is_other_grid: is_other_grid(&decoded, solver, limits, trust),
            decoded: Some(decoded),
            written,
            ..self
        }
    }

    /// Returns the attempt with those of its cells counted that are not wholly inside the photo, if
    /// it needs them: they are not known to be blank, and part of a digit may look like another one.
    /// If it is no clear puzzle, its grid may have another size.
    pub(super) fn on(
        self,
        photo: &Photo,
        solver: &mut dyn Solver,
        limits: Limits,
        trust: &TrustConfig,
    ) -> Attempt {
        let visible = self.hypothesis.place.visible(photo);
        let cut = Cell::all().filter(|cell| !visible.contains(*cell));
        let needs_them = |decoded: &Decoded| {
            let mut rest = decoded.decoded;
            cut.clone().for_each(|cell| rest.set(cell, None));
            let is_unique = |verdict: &Verdict| matches!(verdict, Verdict::Unique(_));
            !is_unique(&decoded.verdict)
                || rest != decoded.decoded
                    && !is_unique(&solver.solve(&rest, Goal::ProveUnique, limits).verdict)
        };
        let number = cut.clone().count();
        let is_cut_off = number > 0 && self.decoded.as_ref().is_some_and(needs_them);
        Attempt {
            cut_off: if is_cut_off { number } else { 0 },
            other_size: match is_cut_off {
                true => None,
                false => self.other_size(photo, trust),
            },
            ..self
        }
    }

    /// Returns why the size of the grid is another one, if it is: it goes on beside the board, or a side of the board has
    /// neither digits nor an outer line.
    fn other_size(&self, photo: &Photo, trust: &TrustConfig) -> Option<Refusal> {
        let decoded = self.decoded.as_ref()?;
        let is_unique = matches!(decoded.verdict, Verdict::Unique(_));
        if is_unique && self.doubt(trust.max_risk).is_none() {
            return None;
        }
        let BoardPlace {
            lattice, polarity, ..
        } = &self.hypothesis.place;
        let blank = blank_sides(&decoded.decoded);
        let is_smaller = !self.hypothesis.is_turned()
            && blank.contains(&true)
            && std::iter::zip(blank, open_sides(photo, lattice, *polarity))
                .any(|side| side == (true, true));
        if is_smaller {
            return Some(Refusal::OtherSize { more: false });
        }
        goes_on(photo, lattice, *polarity).then_some(Refusal::OtherSize { more: true })
    }

    /// Returns whether these cells look like those of a Sudoku.
    pub(super) fn is_of_sudoku(posteriors: &CellMap<Posterior>, trust: &TrustConfig) -> bool {
        Evidence::of(posteriors, trust).is_of_sudoku(trust)
    }

    /// Returns the shifts, in cells to the right and down, to places that leave out an outermost row or column without a
    /// digit. Empty for a board that is not upright or not decoded.
    pub(super) fn possible_shifts(&self) -> Vec<(f32, f32)> {
        match &self.decoded {
            Some(decoded) if !self.hypothesis.is_turned() => shifts_off_blanks(&decoded.decoded),
            _ => Vec::new(),
        }
    }

    /// Returns whether it holds more clear digits than another one, by more than it holds unclear cells, and has lines as
    /// strong.
    pub(super) fn is_fuller_than(&self, other: &Attempt) -> bool {
        let strength = |attempt: &Attempt| attempt.hypothesis.place.lattice.strength();
        let more_digits =
            self.evidence.decided_digits as isize - other.evidence.decided_digits as isize;
        let more_doubt = self.evidence.undecided as isize - other.evidence.undecided as isize;
        more_digits > more_doubt.max(0) && strength(self) >= strength(other) - WEAKER
    }

    /// Returns the posterior of each cell that lies inside the photo.
    pub(super) fn look(&self, photo: &Photo) -> Vec<(Cell, Posterior)> {
        let visible = self.hypothesis.place.visible(photo).into_iter();
        visible.map(|cell| (cell, self.posteriors[cell])).collect()
    }

    /// Returns whether the decoded board has a solution.
    pub(super) fn has_solution(&self) -> bool {
        let decoded = self.decoded.as_ref();
        decoded.is_some_and(|decoded| decoded.verdict.solution().is_some())
    }

    /// Returns the decoded board if it has a solution and is whole.
    pub(super) fn solvable(&self) -> Option<&Puzzle> {
        let decoded = self.decoded.as_ref().map(|decoded| &decoded.decoded);
        decoded.filter(|_| self.has_solution() && !self.is_cut_off())
    }

    /// Returns the probability that the decoded board is right.
    fn confidence(&self) -> f32 {
        let decoded = self.decoded.as_ref();
        decoded.map_or(0.0, |decoded| decoded.confidence)
    }

    /// Returns whether it needs more digits than those inside the photo.
    const fn is_cut_off(&self) -> bool {
        self.cut_off > 0
    }

    /// Returns whether another orientation or another detection may give a better result.
    pub(super) fn deserves_second_attempt(&self, trust: &TrustConfig) -> bool {
        !self.has_solution()
            || self.is_cut_off()
            || self.other_size.is_some()
            || self.confidence() < trust.second_chance_below
    }

    /// Returns whether the doubt may come from a wrong orientation. However many cells are blank: the network takes digits
    /// on their side for blanks.
    pub(super) fn may_be_turned(&self, trust: &TrustConfig) -> bool {
        let solved = self.decoded.as_ref();
        let solved = solved.is_some_and(|decoded| {
            decoded.verdict.solution().is_some() && decoded.overruled.is_empty()
        });
        !self.hypothesis.is_turned() && (!solved || self.evidence.log_best < -trust.turned_beyond)
    }

    /// Returns whether it looks like a Sudoku, so that it was decoded.
    pub(super) const fn is_decoded(&self) -> bool {
        self.decoded.is_some()
    }

    /// Returns whether there are enough clear digits for a puzzle, upright or upside down.
    pub(super) const fn is_promising(&self, trust: &TrustConfig) -> bool {
        self.evidence.decided_digits >= trust.min_digits_beside
    }

    /// Returns why the attempt is not to be trusted, if it is not.
    pub(super) fn objection(&self, trust: &TrustConfig) -> Option<Refusal> {
        let Some(decoded) = &self.decoded else {
            return Some(self.no_sudoku());
        };
        if !self.is_cut_off() && self.is_of_few_digits_in_doubt(decoded, trust) {
            return Some(self.no_sudoku());
        }
        if self.other_size.is_some() {
            return self.other_size.clone();
        }
        let doubt = self.doubt(trust.max_risk);
        let is_clear = doubt.is_none();
        let is_unsolvable = decoded.verdict == Verdict::Unsolvable;
        let misprints = decoded.mistakes.len();
        let refusal = match decoded.gave_up {
            Some(limit) if !is_unsolvable && !self.has_solution() => {
                Some(Refusal::OutOfBudget(limit))
            }
            _ if self.is_cut_off() => Some(Refusal::CutOff {
                cells: self.cut_off,
            }),
            _ if self.is_other_grid => Some(self.no_sudoku()),
            _ if is_unsolvable && (is_clear || misprints == 0) => {
                Some(Refusal::unsolvable(&decoded.decoded))
            }
            _ => doubt,
        };
        refusal.map(|refusal| match self.evidence.is_of_other_grid(trust) {
            true => self.no_sudoku(),
            false => refusal,
        })
    }

    /// Returns the doubt of a board that is wrong with a larger probability than this.
    pub(super) fn doubt(&self, max_risk: f32) -> Option<Refusal> {
        let confidence = self.confidence();
        (1.0 - confidence > max_risk).then_some(Refusal::Doubtful {
            confidence,
            needed: Some(1.0 - max_risk),
        })
    }

    /// Returns whether there are fewer digits than a puzzle has, and lines are missing or cells are no plain blanks: a
    /// table, a Kakuro, a codeword, or a form.
    fn is_of_few_digits_in_doubt(&self, decoded: &Decoded, trust: &TrustConfig) -> bool {
        let may_be_either = |posterior: &Posterior| {
            let blank = posterior.of(None);
            blank.min(1.0 - blank) > trust.few_cell_doubt
        };
        let crops = &self.hypothesis.crops;
        decoded.decoded.given_count() < trust.few_digits
            && (decoded.blank_doubt > trust.few_blank_doubt
                || self.posteriors.as_array().iter().any(may_be_either)
                || black_cells(crops, &self.posteriors) > trust.few_black_cells
                || inked_cells(crops, &self.posteriors) > trust.few_inked_cells
                || self.hypothesis.place.lattice.strength() < trust.few_strength)
    }

    const fn no_sudoku(&self) -> Refusal {
        Refusal::NoSudoku {
            digits: self.evidence.decided_digits,
            undecided: self.evidence.undecided,
        }
    }

    /// Orders attempts at one place: the greater one is to be believed. A board with a solution or
    /// a misprint comes before one without, that before no Sudoku; of two alike, the more likely
    /// one.
    pub(super) fn compare(&self, other: &Attempt, trust: &TrustConfig) -> Ordering {
        let (mine, others) = (self.clarity(trust), other.clarity(trust));
        let by_rank = self.rank().cmp(&other.rank());
        by_rank.then(mine.total_cmp(&others))
    }

    /// Returns whether this attempt, not decoded yet, may be greater than another one once it is.
    /// Decoding, which is a long search in a wrong orientation, never makes an attempt clearer.
    pub(super) fn may_exceed(&self, other: &Attempt, trust: &TrustConfig) -> bool {
        other.rank() < Rank::Sudoku || self.clarity(trust) > other.clarity(trust)
    }

    fn rank(&self) -> Rank {
        let is_misprint = |decoded: &Decoded| {
            decoded.verdict == Verdict::Unsolvable && !decoded.mistakes.is_empty()
        };
        match &self.decoded {
            None => Rank::NoSudoku,
            Some(_) if self.other_size.is_some() => Rank::NoSudoku,
            Some(_) if self.is_cut_off() => Rank::Contradiction,
            Some(decoded) if self.has_solution() || is_misprint(decoded) => Rank::Sudoku,
            Some(_) => Rank::Contradiction,
        }
    }

    /// Returns the log-probability of the decoded board, in nats per digit: digits in a wrong
    /// orientation or cut at the wrong place look like nothing in particular. Not per cell: blanks
    /// look the same in any orientation, and a wrong place has more of them. Clear lines count for a
    /// little: a place that is a row off may lose a doubtful digit with that row.
    pub(super) fn clarity(&self, trust: &TrustConfig) -> f32 {
        let overruling = self.decoded.as_ref().map_or(0.0, |decoded| decoded.cost);
        let turn_cost = if self.hypothesis.is_turned() {
            trust.turn_cost
        } else {
            0.0
        };
        let digits = self.evidence.digits.max(1) as f32;
        (self.evidence.log_best - overruling - turn_cost) / digits
            + trust.weight_of_lines * self.hypothesis.place.lattice.strength()
    }

    /// Returns whether nothing speaks against it but a doubt, and it is more likely right than wrong.
    pub(super) fn is_probable(&self, trust: &TrustConfig) -> bool {
        let is_doubt = |refusal| matches!(refusal, Refusal::Doubtful { .. });
        self.confidence() > 0.5 && self.objection(trust).is_some_and(is_doubt)
    }

    /// Returns the outline of the board.
    pub(super) fn outline(&self) -> Quad {
        self.hypothesis.place.lattice.corners()
    }

    /// Returns whether the board covers a part of this outline.
    pub(super) fn overlaps(&self, outline: &Quad) -> bool {
        self.outline().overlap(outline) > 0.0
    }

    /// Returns whether the boards cover more than this share of the smaller of them both.
    pub(super) fn is_at(&self, other: &Attempt, share: f32) -> bool {
        let smaller = self.area().min(other.area());
        self.outline().overlap(&other.outline()) > share * smaller
    }

    /// Returns the area in square reading pixels.
    pub(super) fn area(&self) -> f32 {
        self.outline().area()
    }

    /// Returns the board for the caller, with this objection to it, or why there is none.
    pub(super) fn into_board(
        self,
        objection: Option<Refusal>,
        times: StageMs,
    ) -> Result<ReadBoard, Refusal> {
        let decoded = match (self.decoded, &objection) {
            (Some(decoded), None) => decoded,
            (Some(decoded), Some(refusal)) if refusal.status() != Status::NoGrid => decoded,
            (_, refusal) => return Err(refusal.clone().unwrap_or(Refusal::NoBoard)),
        };
        let status = match (&objection, &decoded.verdict) {
            (Some(refusal), _) => refusal.status(),
            (None, Verdict::Multiple(_)) => Status::Multiple,
            (None, _) => Status::Solved,
        };
        Ok(ReadBoard {
            status,
            objection,
            doubts: Doubt::all(&self.posteriors, &decoded),
            place: self.hypothesis.place,
            crops: self.hypothesis.crops,
            posteriors: self.posteriors,
            givens: decoded.givens,
            decoded: decoded.decoded,
            verdict: decoded.verdict,
            confidence: decoded.confidence,
            margin: decoded.margin,
            blank_doubt: decoded.blank_doubt,
            overruled: decoded.overruled,
            mistakes: decoded.mistakes.union(self.written.mistakes),
            written: self.written.cells,
            key: self.written.solution,
            times,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Mrv;
    use crate::vision::{CROP_SIDE, CellCrop, Lattice, Point, Polarity, Rotation};
    use proptest::prelude::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// A board whose cells are read like this.
    fn undecoded(posteriors: CellMap<Posterior>) -> Attempt {
        let crop = CellCrop {
            pixels: Box::new([128; CROP_SIDE * CROP_SIDE]),
            board_contrast: 100.0,
        };
        let point = |row: usize, column: usize| Point {
            x: 20.0 * column as f32,
            y: 20.0 * row as f32,
        };
        let points = std::array::from_fn(|row| std::array::from_fn(|column| point(row, column)));
        let place = BoardPlace {
            lattice: Lattice::new(points, 0.8).unwrap(),
            polarity: Polarity::DarkOnLight,
            rotation: Rotation::default(),
        };
        let crops = CellMap::from_fn(|_| crop.clone());
        Attempt::undecoded(
            Hypothesis { place, crops },
            posteriors,
            &TrustConfig::default(),
        )
    }

    proptest! {
        #[test]
        fn an_attempt_that_may_not_exceed_another_one_does_not(
            noise in proptest::collection::vec(proptest::array::uniform10(0.0f32..0.3), 2 * 81),
            wrong in proptest::collection::vec((0usize..81, 0usize..10), 0..6),
        ) {
            let puzzle: Puzzle = PUZZLE.parse().unwrap();
            let trust = TrustConfig::default();
            let read = |noise: &[[f32; 10]], wrong: &[(usize, usize)]| {
                undecoded(CellMap::from_fn(|cell| {
                    let mut weights = noise[cell.index()];
                    let content = puzzle.given(cell).map_or(0, |digit| digit.value() as usize);
                    weights[content] += 1.0;
                    for (_, content) in wrong.iter().filter(|(at, _)| *at == cell.index()) {
                        weights[*content] += 1.5;
                    }
                    Posterior::from_weights(weights).unwrap()
                }))
            };
            let decoded = |attempt: Attempt| {
                attempt.decode(&mut Mrv::new(), &trust, &DecodeConfig::default())
            };
            let other = decoded(read(&noise[..81], &[]));
            let attempt = read(&noise[81..], &wrong);
            if !attempt.may_exceed(&other, &trust) {
                prop_assert!(decoded(attempt).compare(&other, &trust).is_le());
            }
        }
    }

    #[test]
    fn a_board_is_in_doubt_if_many_of_its_digits_are_overruled() {
        let solution: Puzzle = SOLUTION.parse().unwrap();
        let trust = TrustConfig::default();
        let confidence = |overruled: usize, rotation| {
            // In the first cells another digit is likelier than that of the solution.
            let read = |cell: Cell| {
                let mut weights = [0.0; 10];
                let right = usize::from(solution.given(cell).unwrap().value());
                weights[right] = 1.0;
                if cell.index() < overruled {
                    weights[right % 9 + 1] = 2.0;
                }
                Posterior::from_weights(weights).unwrap()
            };
            let attempt = undecoded(CellMap::from_fn(read));
            let turned = Attempt {
                hypothesis: attempt.hypothesis.turned(rotation),
                ..attempt
            };
            let decoded = turned.decode(&mut Mrv::new(), &trust, &DecodeConfig::default());
            assert_eq!(decoded.decoded.as_ref().unwrap().overruled.len(), overruled);
            decoded.confidence()
        };
        for (rotation, most) in [
            (Rotation::default(), trust.max_overruled),
            (Rotation::from_quarter_turns(2), trust.max_overruled_turned),
        ] {
            assert!(confidence(most, rotation) > 0.9);
            assert_eq!(confidence(most + 1, rotation), trust.confidence_overruled);
        }
    }

    #[test]
    fn a_place_is_fuller_by_more_clear_digits_than_unclear_cells() {
        // So many cells with a clear digit, then so many that may be blank.
        let board = |digits: usize, unclear: usize, strength: f32| {
            let content = |cell: Cell| match cell.index() {
                i if i < digits => [0.0, 1.0],
                i if i < digits + unclear => [0.5, 0.5],
                _ => [1.0, 0.0],
            };
            let posterior = |cell: Cell| {
                let mut weights = [0.0; 10];
                [weights[0], weights[4]] = content(cell);
                Posterior::from_weights(weights).unwrap()
            };
            let mut attempt = undecoded(CellMap::from_fn(posterior));
            let lattice = &mut attempt.hypothesis.place.lattice;
            *lattice = Lattice::new(*lattice.points(), strength).unwrap();
            attempt
        };
        let known = board(18, 1, 0.8);
        for (digits, unclear, strength, is_fuller) in [
            (19, 1, 0.8, true),
            (23, 5, 0.8, true),
            (23, 1, 0.76, true),
            (18, 0, 0.9, false),
            (17, 0, 0.9, false),
            (20, 3, 0.9, false),
            (23, 1, 0.74, false),
        ] {
            let fuller = board(digits, unclear, strength).is_fuller_than(&known);
            assert_eq!(fuller, is_fuller, "{digits} {unclear} {strength}");
        }
    }
}
