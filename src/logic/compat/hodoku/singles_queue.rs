//! Singles in the order in which they come up.
//!
//! HoDoKu (Bernhard Hobiger) queues a single as soon as an elimination leaves it. Which of several
//! singles is taken first, and so how many of each kind a path has, depends on the steps before.

use std::collections::VecDeque;

use super::board::Board;
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellMap, CellSet, Digit, DigitSet, House,
};
use crate::logic::deduction::{AlmostLockedSet, Deduction, Effect, Pattern};
use crate::logic::profile::History;
use crate::logic::state::{Position, State};
use crate::logic::technique::place;
use crate::logic::technique_id::TechniqueId;

/// The singles that have come up so far. Those whose cells are placed since are passed over.
#[derive(Clone, Debug)]
pub(super) struct SinglesQueue {
    marks: CellMap<DigitSet>,
    /// How often each digit may still stand in each house; less than never, once marks contradict
    /// themselves.
    counts: [[i8; 9]; House::COUNT],
    naked: VecDeque<Candidate>,
    hidden: VecDeque<Candidate>,
}

impl SinglesQueue {
    /// Those of a board on which nothing stands.
    fn empty() -> SinglesQueue {
        SinglesQueue {
            marks: CellMap::from_fn(|_| DigitSet::ALL),
            counts: [[9; 9]; House::COUNT],
            naked: VecDeque::new(),
            hidden: VecDeque::new(),
        }
    }

    /// The marks of the blank cells, with no singles queued.
    pub(super) fn without_singles(board: Board<'_>) -> SinglesQueue {
        let mut counts = [[0; 9]; House::COUNT];
        for house in House::all() {
            for digit in Digit::ALL {
                let count = board.places_in(digit, house).len();
                counts[house.index()][digit.index()] = count as i8;
            }
        }
        SinglesQueue {
            marks: CellMap::from_fn(|cell| board.marks(cell)),
            counts,
            naked: VecDeque::new(),
            hidden: VecDeque::new(),
        }
    }

    /// Those of marks whose history is not known: cell by cell, and house by house.
    fn of(state: &State) -> SinglesQueue {
        let mut queue = SinglesQueue::without_singles(Board::of(state));
        for cell in state.naked_singles() {
            let digit = state.candidates(cell).single();
            queue
                .naked
                .extend(digit.map(|digit| Candidate { cell, digit }));
        }
        for house in House::all() {
            for digit in Digit::ALL {
                if queue.count(house, digit) == 1 {
                    queue.queue_hidden(house, digit);
                }
            }
        }
        queue
    }

    /// The candidates of a blank cell.
    pub(super) fn marks(&self, cell: Cell) -> DigitSet {
        self.marks[cell]
    }

    /// How often a digit may still stand in a house.
    pub(super) fn count(&self, house: House, digit: Digit) -> i8 {
        self.counts[house.index()][digit.index()]
    }

    /// The queued singles of cells, and those of houses, some of which are out of date.
    pub(super) fn queued(&self) -> [&VecDeque<Candidate>; 2] {
        [&self.naked, &self.hidden]
    }

    /// The first queued single that is alone in a house.
    fn full_house(&self) -> Option<(Candidate, House)> {
        let mut queued = self.naked.iter().filter(|single| self.is_blank(single));
        queued.find_map(|&single| {
            let alone = |house: &House| {
                let mut others = Digit::ALL
                    .into_iter()
                    .filter(|&other| other != single.digit);
                others.all(|other| self.count(*house, other) == 0)
            };
            let house = single.cell.houses().into_iter().find(alone)?;
            Some((single, house))
        })
    }

    /// The first queued single of a cell.
    fn naked_single(&self) -> Option<Candidate> {
        let mut queued = self.naked.iter().filter(|single| self.is_blank(single));
        queued.next().copied()
    }

    /// The first queued single of a house.
    fn hidden_single(&self) -> Option<(Candidate, House)> {
        let mut queued = self.hidden.iter().filter(|single| self.is_blank(single));
        let single = *queued.next()?;
        let alone = |house: &House| self.count(*house, single.digit) == 1;
        let house = single.cell.houses().into_iter().find(alone)?;
        Some((single, house))
    }

    /// The queue of a position. Of a puzzle, the givens come up one by one.
    pub(super) fn start(position: &Position, state: &State) -> Box<dyn History> {
        Box::new(match position {
            Position::Marks(_) => SinglesQueue::of(state),
            Position::Puzzle(puzzle) => {
                let mut queue = SinglesQueue::empty();
                for (cell, digit) in puzzle.givens() {
                    queue.place(Candidate { cell, digit });
                }
                queue
            }
        })
    }

    fn is_blank(&self, single: &Candidate) -> bool {
        !self.marks[single.cell].is_empty()
    }

    /// Places a digit, and forgets the singles that are first in a queue and placed by now.
    fn place(&mut self, candidate: Candidate) {
        self.place_only(candidate);
        let marks = &self.marks;
        for queue in [&mut self.naked, &mut self.hidden] {
            while queue.front().is_some_and(|one| marks[one.cell].is_empty()) {
                queue.pop_front();
            }
        }
    }

    /// Places a digit.
    pub(super) fn place_only(&mut self, Candidate { cell, digit }: Candidate) {
        let held = self.marks[cell];
        self.marks[cell] = DigitSet::EMPTY;
        for peer in cell.peers() {
            self.eliminate(Candidate { cell: peer, digit });
        }
        for other in held {
            for house in cell.houses() {
                let count = &mut self.counts[house.index()][other.index()];
                *count -= 1;
                if *count == 1 && other != digit {
                    self.queue_hidden(house, other);
                }
            }
        }
    }

    /// Eliminates a candidate; the last one of a cell is not counted out of its houses.
    pub(super) fn eliminate(&mut self, Candidate { cell, digit }: Candidate) {
        if !self.marks[cell].contains(digit) {
            return;
        }
        self.marks[cell] = self.marks[cell].without(digit);
        if self.marks[cell].is_empty() {
            return;
        }
        if let Some(digit) = self.marks[cell].single() {
            self.naked.push_back(Candidate { cell, digit });
        }
        for house in cell.houses() {
            let count = &mut self.counts[house.index()][digit.index()];
            *count -= 1;
            match *count {
                1 => self.queue_hidden(house, digit),
                0 => self.unqueue_hidden(house, digit),
                _ => {}
            }
        }
    }

    fn queue_hidden(&mut self, house: House, digit: Digit) {
        let mut cells = house.cells().into_iter();
        let place = cells.find(|&cell| self.marks[cell].contains(digit));
        self.hidden
            .extend(place.map(|cell| Candidate { cell, digit }));
    }

    fn unqueue_hidden(&mut self, house: House, digit: Digit) {
        let mut queued = self.hidden.iter();
        let gone = queued.position(|one| one.digit == digit && house.cells().contains(one.cell));
        if let Some(gone) = gone {
            self.hidden.remove(gone);
        }
    }
}

impl History for SinglesQueue {
    /// The queued singles, full houses first, then those of cells, then those of houses.
    fn next_step(&self) -> Option<Deduction> {
        let full_house = self.full_house().map(|(candidate, house)| {
            let pattern = Pattern::FullHouse { candidate, house };
            place(TechniqueId::FullHouse, candidate, pattern)
        });
        let naked = || {
            let candidate = self.naked_single()?;
            let pattern = Pattern::NakedSingle(candidate);
            Some(place(TechniqueId::NakedSingle, candidate, pattern))
        };
        let hidden = || {
            let (candidate, house) = self.hidden_single()?;
            let pattern = Pattern::HiddenSingle { candidate, house };
            Some(place(TechniqueId::HiddenSingle, candidate, pattern))
        };
        full_house.or_else(naked).or_else(hidden)
    }

    /// Eliminates in the order in which HoDoKu does.
    fn follow(&mut self, before: &State, step: &Deduction) {
        match &step.effect {
            Effect::Place(candidate) => self.place(*candidate),
            Effect::Eliminate(eliminated) => {
                let order =
                    elimination_order(before, step).unwrap_or_else(|| eliminated.iter().collect());
                for candidate in order {
                    self.eliminate(candidate);
                }
            }
        }
    }

    fn follow_guess(&mut self, guess: Candidate) {
        self.place(guess);
    }
}

/// The order in which HoDoKu eliminates; `None` where it goes digit by digit.
fn elimination_order(grid: &CandidateGrid, step: &Deduction) -> Option<Vec<Candidate>> {
    let Effect::Eliminate(eliminated) = &step.effect else {
        return None;
    };
    let in_cells = |cells: CellSet| {
        let all = cells
            .into_iter()
            .flat_map(|cell| Candidate::in_cell(cell, grid.candidates(cell)));
        all.filter(|&candidate| eliminated.contains(candidate))
            .collect::<Vec<Candidate>>()
    };
    match (step.technique, &step.pattern) {
        (
            TechniqueId::NakedSubset(_) | TechniqueId::LockedSubset(_),
            Pattern::Subset { cells, .. } | Pattern::LockedSubset { cells, .. },
        ) => {
            let first = cells.first()?;
            let houses = first.houses().into_iter();
            let shared = houses.filter(|house| cells.difference(house.cells()).is_empty());
            Some(shared.flat_map(|house| in_cells(house.cells())).collect())
        }
        (_, Pattern::SueDeCoq { houses, .. }) => {
            let [line, block] = houses.map(House::cells);
            let mut order = in_cells(block);
            order.extend(in_cells(line));
            Some(order)
        }
        (_, Pattern::AlsChain { sets, joints }) => {
            let ([one, other], [first, second]) = (sets.as_slice(), joints.as_slice()) else {
                return None;
            };
            let seen_by = |set: &AlmostLockedSet, Candidate { cell, digit }| {
                let held = grid.places(digit).intersection(set.cells);
                !held.is_empty() && held.difference(cell.peers()).is_empty()
            };
            // What both sets see, but for the first of the joining digits; that digit; what is seen
            // by one set alone.
            let stage = |candidate: Candidate| {
                let [by_one, by_other] = [one, other].map(|set| seen_by(set, candidate));
                match candidate.digit {
                    digit if digit == *first => 1,
                    digit if digit == *second || by_one && by_other => 0,
                    _ => 3 - usize::from(by_one),
                }
            };
            let mut order: Vec<Candidate> = eliminated.iter().collect();
            order.sort_by_key(|&candidate| (stage(candidate), candidate.digit, candidate.cell));
            Some(order)
        }
        (TechniqueId::HiddenSubset(_) | TechniqueId::UniqueRectangle(_), _) => {
            Some(in_cells(cells_of(eliminated)))
        }
        _ => None,
    }
}

fn cells_of(candidates: &CandidateSet) -> CellSet {
    let cells = candidates.iter().map(|candidate| candidate.cell);
    cells.collect()
}
