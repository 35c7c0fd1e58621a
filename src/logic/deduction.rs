//! A step of logic: what it changes, and why it may.

use thiserror::Error;

use super::technique_id::TechniqueId;
use crate::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Contradiction, Digit, DigitSet, House,
    HouseSet, Solution,
};

/// What a step changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// This one is right.
    Place(Candidate),
    /// None of these is right.
    Eliminate(CandidateSet),
}

impl Effect {
    /// Makes the change.
    ///
    /// # Errors
    /// [`Contradiction`], if a cell loses its last candidate or a digit its last place in a house.
    pub fn apply(&self, grid: &mut CandidateGrid) -> Result<(), Contradiction> {
        match self {
            Effect::Place(candidate) => grid.place(*candidate),
            Effect::Eliminate(candidates) => grid.eliminate_all(candidates),
        }
    }
}

/// What was seen on the grid: together with the grid, enough to explain the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The cell of this candidate is the last blank one of the house.
    FullHouse {
        /// The digit that is missing, where it goes.
        candidate: Candidate,
        /// The house.
        house: House,
    },
    /// The cell of this candidate has no other.
    NakedSingle(Candidate),
    /// The digit of this candidate has no other place in the house.
    HiddenSingle {
        /// The only candidate of its digit there.
        candidate: Candidate,
        /// Where it is the only one.
        house: House,
    },
    /// A digit must stand in the cells that two houses share, since one of them has no other place.
    LockedCandidates {
        /// The digit.
        digit: Digit,
        /// Its places in the cells that both houses share.
        cells: CellSet,
        /// The house in which it has no others.
        from: House,
        /// The house from which the others are eliminated.
        to: House,
    },
    /// These cells of a house share these digits out among themselves, so the digits stand nowhere
    /// else in it (naked subset), and nothing else stands in the cells (hidden subset).
    Subset {
        /// As many cells as digits.
        cells: CellSet,
        /// The digits.
        digits: DigitSet,
        /// The house they are seen in.
        house: House,
    },
    /// So many cells, all in a line and in a block, share these digits out among themselves, so the
    /// digits stand nowhere else in either.
    LockedSubset {
        /// As many cells as digits.
        cells: CellSet,
        /// The digits.
        digits: DigitSet,
        /// The line and the block.
        houses: [House; 2],
    },
    /// In each of the base lines, all places of a digit lie in the cover lines; as there are equally
    /// many, each cover line has its digit from a base line.
    Fish {
        /// The digit.
        digit: Digit,
        /// Parallel lines.
        base: HouseSet,
        /// As many lines across.
        cover: HouseSet,
    },
    /// In the base houses all places of a digit, but for the fins, lie in equally many cover houses:
    /// a fin is right, or each cover house has its digit from a base house.
    FinnedFish {
        /// The digit.
        digit: Digit,
        /// Houses that may share fins only.
        base: HouseSet,
        /// As many other houses.
        cover: HouseSet,
        /// Places in the base outside the cover, or in two base houses; there may be none.
        fins: CellSet,
    },
    /// Whichever candidate the pivot takes, it leaves the digit to one of the pincers.
    XyWing {
        /// Sees both pincers; shares one candidate with each of them.
        pivot: Cell,
        /// The first shares the smaller candidate of the pivot.
        pincers: [Cell; 2],
        /// The candidate that the pincers share.
        digit: Digit,
    },
    /// The first two cells are all places of the digit in a house, and so are the last two; the
    /// middle ones see each other, so the first or the last one is right.
    TurbotFish {
        /// The digit.
        digit: Digit,
        /// From end to end.
        cells: [Cell; 4],
    },
    /// Whichever candidate the pivot takes, it or one of the pincers takes the digit.
    XyzWing {
        /// Has three candidates, and sees both pincers.
        pivot: Cell,
        /// Have the digit and one of the two others.
        pincers: [Cell; 2],
        /// The candidate that all three share.
        digit: Digit,
    },
    /// The two ends hold the same two candidates, and not both can take the linked one.
    WWing {
        /// Each sees one place of the linked digit in the house.
        ends: [Cell; 2],
        /// Has two places for the linked digit.
        house: House,
        /// Which one of the ends does not take.
        linked: Digit,
        /// Which one of the ends takes therefore.
        digit: Digit,
    },
    /// The digit is in the block's part of the first line, so not in the near place of the link but
    /// in the far one, or in the block's part of the second line.
    EmptyRectangle {
        /// The digit.
        digit: Digit,
        /// Its places in this block lie in the two lines.
        block: House,
        /// A row and a column, or the other way round.
        lines: [House; 2],
        /// Near and far: the two places of a line across the first one.
        link: [Cell; 2],
    },
    /// Two patterns of one kind that are seen together.
    Both(Box<[Pattern; 2]>),
    /// In each of the components one of the two colors is right.
    Colors {
        /// The digit.
        digit: Digit,
        /// The places of each color; one component, or two.
        components: Vec<[CellSet; 2]>,
    },
    /// Without this candidate every blank cell would have two, and every digit two places in each
    /// house.
    BugPlusOne(Candidate),
    /// The digits must not fill the corners alone, or they could be swapped.
    Rectangle {
        /// In reading order: in two rows, two columns, two blocks.
        corners: [Cell; 4],
        /// The two digits.
        digits: DigitSet,
        /// In type 3, cells that make a subset with the other candidates of two corners; else none.
        subset: CellSet,
    },
    /// The cells have as many digits together as they are.
    SueDeCoq {
        /// The line and the block.
        houses: [House; 2],
        /// Cells that both hold.
        center: CellSet,
        /// Cells of the line alone, and of the block alone.
        sides: [CellSet; 2],
    },
    /// Claims that are false and true in turn, if the first is false; so the first is true or the
    /// last.
    Chain {
        /// An even number of claims: a strong link joins the first and the second, a weak one the
        /// second and the third, and so on.
        nodes: Vec<Node>,
        /// The almost locked sets that make the strong links between different digits, in order.
        sets: Vec<AlmostLockedSet>,
        /// Whether the last claim excludes the first, or is the first.
        closed: bool,
    },
    /// Almost locked sets in a row: each lacks the digit that joins it to the next, or the next one
    /// lacks it.
    AlsChain {
        /// From end to end.
        sets: Vec<AlmostLockedSet>,
        /// The digits between them; a second one where two sets are joined twice.
        joints: Vec<Digit>,
    },
    /// The two digits alternate along the cells.
    RemotePair {
        /// The candidates of each of the cells.
        digits: DigitSet,
        /// Each sees the next.
        cells: Vec<Cell>,
    },
    /// Whichever candidate the stem takes, it takes it from a petal, which then holds the digit.
    DeathBlossom {
        /// The cell.
        stem: Cell,
        /// For each candidate of the stem, ascending, a set whose places for it the stem sees.
        petals: Vec<AlmostLockedSet>,
        /// What all petals have, and the stem has not.
        digit: Digit,
    },
    /// All ways to fill in this digit.
    Templates {
        /// The digit.
        digit: Digit,
    },
    /// The digits must not fill these cells alone, or they could be swapped all along the loop.
    UniqueLoop {
        /// Each shares a house with the next, and the last with the first.
        cells: Vec<Cell>,
        /// The two digits.
        digits: DigitSet,
        /// In type 3, cells that make a subset with the other candidates of two cells; else none.
        subset: CellSet,
    },
    /// Without these candidates every blank cell would have two, and every digit two places in each
    /// house; so one of them is right.
    Bug {
        /// The candidates.
        extra: CandidateSet,
        /// In type 3, cells that make a subset with them; else none.
        subset: CellSet,
    },
    /// Not every choice of digits for these cells leaves a digit to each cell that sees them all.
    AlignedExclusion {
        /// Two cells or three.
        cells: CellSet,
        /// Cells with few candidates that see them all.
        excluders: CellSet,
    },
    /// What follows from assumptions.
    Forcing {
        /// What the branches show together.
        kind: ForcingKind,
        /// One for each assumption, or two for one that contradicts itself.
        branches: Vec<Branch>,
    },
}

/// A claim that chains are made of: the digit stands in one of these cells, which share a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The digit.
    pub digit: Digit,
    /// One cell, or several.
    pub cells: CellSet,
}

/// Some blank cells of a house with one digit more than they are: without any one of its digits they
/// take all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlmostLockedSet {
    /// The cells, one or more.
    pub cells: CellSet,
    /// Their digits, one more than cells.
    pub digits: DigitSet,
}

impl AlmostLockedSet {
    /// The cells that hold this digit.
    pub fn places(&self, digit: Digit, grid: &CandidateGrid) -> CellSet {
        grid.places(digit).intersection(self.cells)
    }
}

/// That a candidate is right, or that it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The candidate.
    pub candidate: Candidate,
    /// Whether it is claimed to be right.
    pub holds: bool,
}

impl Claim {
    /// That this candidate is right.
    pub const fn right(candidate: Candidate) -> Claim {
        Claim {
            candidate,
            holds: true,
        }
    }

    /// That it is not.
    pub const fn wrong(candidate: Candidate) -> Claim {
        Claim {
            candidate,
            holds: false,
        }
    }

    /// The contrary.
    #[must_use]
    pub const fn contrary(self) -> Claim {
        Claim {
            holds: !self.holds,
            ..self
        }
    }
}

/// Why a claim follows from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not: it is what the branch assumes.
    Assumed,
    /// Another candidate of its cell holds.
    SameCell,
    /// Its digit stands in this house already.
    SameHouse(House),
    /// No other candidate of its cell is left.
    LastCandidate(Cell),
    /// No other place of its digit is left in this house.
    LastPlace(House),
    /// This technique eliminates it, once the causes are eliminated.
    Technique(TechniqueId),
    /// It leads to a contradiction, or all that is left leads to it, as these branches show.
    Nested(Vec<Branch>),
}

/// A claim that follows from earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implication {
    /// What follows.
    pub claim: Claim,
    /// From what: the numbers of earlier implications of the branch. What the marks say already is
    /// not among them.
    pub causes: Vec<usize>,
    /// Why.
    pub reason: Reason,
}

/// What follows from one assumption, which comes first; each after its causes, and the last is what
/// the branch was followed for.
pub type Branch = Vec<Implication>;

/// The claims that these need, in order; the latest of them comes last.
pub(super) fn needed(branch: &Branch, ends: &[usize]) -> Branch {
    let mut wanted = vec![false; branch.len()];
    for &end in ends {
        wanted[end] = true;
    }
    for at in (0..branch.len()).rev() {
        if wanted[at] {
            for &cause in &branch[at].causes {
                wanted[cause] = true;
            }
        }
    }
    let mut moved = vec![0; branch.len()];
    let mut kept = Branch::new();
    for (at, implication) in branch.iter().enumerate() {
        if wanted[at] {
            moved[at] = kept.len();
            let causes = implication.causes.iter().map(|&cause| moved[cause]);
            kept.push(Implication {
                causes: causes.collect(),
                ..implication.clone()
            });
        }
    }
    kept
}

/// What branches show together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcingKind {
    /// The claim that the branches start from comes to a claim and its contrary, so it is false: a
    /// single branch ends in the contrary of an earlier claim of its own, two end in claims that
    /// contradict each other.
    Contradiction,
    /// One branch from a claim and one from its contrary come to the same.
    Double,
    /// A branch from each candidate of this cell comes to the same.
    Cell(Cell),
    /// A branch from each place of a digit in this house comes to the same.
    House(House),
}

/// One step: it always changes the grid it was found on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// Which technique found it.
    pub technique: TechniqueId,
    /// What it changes.
    pub effect: Effect,
    /// Why.
    pub pattern: Pattern,
}

/// Why a step is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsound {
    /// It places a digit that is not the solution's.
    #[error("{0} is not the solution")]
    WrongDigit(Candidate),
    /// It eliminates a digit that stands there.
    #[error("{} is {}", .0.cell, .0.digit)]
    EliminatesSolution(Candidate),
    /// It changes nothing, or eliminates what is not there.
    #[error("{0} is not on the grid")]
    NotThere(Candidate),
    /// It eliminates nothing.
    #[error("nothing is eliminated")]
    Empty,
}

impl Deduction {
    /// Checks the step against the solution: what it places is the digit of the solution, what it
    /// eliminates is on the grid and is not. No technique is asked.
    ///
    /// # Errors
    /// [`Unsound`], which names the candidate.
    pub fn check(&self, grid: &CandidateGrid, solution: &Solution) -> Result<(), Unsound> {
        let stands = |candidate: Candidate| solution.digit(candidate.cell) == candidate.digit;
        let is_open = |candidate: Candidate| {
            grid.contains(candidate) && !grid.placed().contains(candidate.cell)
        };
        match &self.effect {
            Effect::Place(candidate) if !stands(*candidate) => Err(Unsound::WrongDigit(*candidate)),
            Effect::Place(candidate) if !is_open(*candidate) => Err(Unsound::NotThere(*candidate)),
            Effect::Place(_) => Ok(()),
            Effect::Eliminate(eliminated) if eliminated.is_empty() => Err(Unsound::Empty),
            Effect::Eliminate(eliminated) => eliminated.iter().try_for_each(|candidate| {
                if stands(candidate) {
                    Err(Unsound::EliminatesSolution(candidate))
                } else if !is_open(candidate) {
                    Err(Unsound::NotThere(candidate))
                } else {
                    Ok(())
                }
            }),
        }
    }
}
