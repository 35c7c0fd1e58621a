//! Every technique compared with a slow oracle, and on positions checked by hand.

mod chains;
mod hodoku;
mod oracle;
mod positions;
mod random;
mod rated;
mod reglib;

use sudoku_batch::grid::{
    Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit, DigitSet, House, Puzzle,
};
use sudoku_batch::logic::{
    BasicFish, Deduction, Effect, FullHouse, HiddenSingle, HiddenSubset, Locked, LockedCandidates,
    LockedSubset, NakedSingle, NakedSubset, Pattern, SubsetSize, Technique, TurbotFish, XyWing,
};

const POINTING: LockedCandidates = LockedCandidates(Locked::Pointing);
const CLAIMING: LockedCandidates = LockedCandidates(Locked::Claiming);

fn digit(value: u8) -> Digit {
    Digit::new(value).unwrap()
}

fn digits(values: &str) -> DigitSet {
    values.bytes().filter_map(Digit::from_ascii).collect()
}

/// The cell of a row and column, counted from 1.
fn cell(row: usize, column: usize) -> Cell {
    Cell::at(row - 1, column - 1).unwrap()
}

fn cells(places: &[(usize, usize)]) -> CellSet {
    places
        .iter()
        .map(|&(row, column)| cell(row, column))
        .collect()
}

fn row(number: usize) -> House {
    House::new(number - 1).unwrap()
}

fn column(number: usize) -> House {
    House::new(9 + number - 1).unwrap()
}

fn block(number: usize) -> House {
    House::new(18 + number - 1).unwrap()
}

fn all_techniques() -> Vec<Box<dyn Technique>> {
    let mut all: Vec<Box<dyn Technique>> = vec![
        Box::new(FullHouse),
        Box::new(LockedSubset(SubsetSize::Two)),
        Box::new(LockedSubset(SubsetSize::Three)),
        Box::new(XyWing),
        Box::new(TurbotFish),
        Box::new(NakedSingle),
        Box::new(HiddenSingle),
        Box::new(POINTING),
        Box::new(CLAIMING),
    ];
    for size in SubsetSize::ALL {
        all.push(Box::new(NakedSubset(size)));
        all.push(Box::new(HiddenSubset(size)));
        all.push(Box::new(BasicFish(size)));
    }
    all
}

// ---- Positions checked by hand. Everything not stated is open. ----

/// Eliminates a digit from the cells of a house, except these.
fn confine(grid: &mut CandidateGrid, value: u8, house: House, places: &[(usize, usize)]) {
    let others = house.cells().difference(cells(places));
    grid.eliminate(others, digit(value)).unwrap();
}

/// Eliminates all digits from a cell, except these.
fn leave(grid: &mut CandidateGrid, (row, column): (usize, usize), values: &str) {
    for digit in DigitSet::ALL.difference(digits(values)) {
        grid.eliminate(cells(&[(row, column)]), digit).unwrap();
    }
}

fn step(technique: &dyn Technique, grid: &CandidateGrid) -> Deduction {
    technique.find(grid).unwrap()
}

fn eliminates(values: &str, places: CellSet) -> Effect {
    let marks = digits(values).into_iter();
    let sets = marks.map(|digit| CandidateSet::of(digit, places));
    Effect::Eliminate(sets.fold(CandidateSet::EMPTY, |all, set| all.union(&set)))
}

fn places(candidate: Candidate) -> Effect {
    Effect::Place(candidate)
}

fn candidate(row: usize, column: usize, value: u8) -> Candidate {
    Candidate {
        cell: cell(row, column),
        digit: digit(value),
    }
}

/// Nine rows of givens.
fn board(rows: [&str; 9]) -> CandidateGrid {
    let puzzle: Puzzle = rows.concat().parse().unwrap();
    CandidateGrid::new(&puzzle).unwrap()
}

const BLANK: &str = ".........";

#[test]
fn naked_singles() {
    // 1 to 4 are in the row of r1c1, 5 and 6 in its column, 7 and 8 in its block.
    let grid = board([
        ".....1234",
        ".7.......",
        "..8......",
        BLANK,
        "5........",
        BLANK,
        "6........",
        BLANK,
        BLANK,
    ]);
    let found = step(&NakedSingle, &grid);
    assert_eq!(found.effect, places(candidate(1, 1, 9)));
    assert_eq!(found.pattern, Pattern::NakedSingle(candidate(1, 1, 9)));

    // Eliminated marks count like placed digits.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (5, 7), "36");
    assert_eq!(NakedSingle.find(&grid), None);
    leave(&mut grid, (5, 7), "3");
    let found = step(&NakedSingle, &grid);
    assert_eq!(found.effect, places(candidate(5, 7, 3)));
}

#[test]
fn hidden_singles() {
    // Two 1s exclude the other rows of block 1, two 1s its other columns.
    let grid = board([
        BLANK,
        "....1....",
        ".......1.",
        BLANK,
        ".1.......",
        BLANK,
        BLANK,
        "..1......",
        BLANK,
    ]);
    let found = step(&HiddenSingle, &grid);
    assert_eq!(found.effect, places(candidate(1, 1, 1)));
    let pattern = Pattern::HiddenSingle {
        candidate: candidate(1, 1, 1),
        house: block(1),
    };
    assert_eq!(found.pattern, pattern);

    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 8, column(4), &[(2, 4), (6, 4)]);
    assert_eq!(HiddenSingle.find(&grid), None);
    confine(&mut grid, 8, column(4), &[(6, 4)]);
    let found = step(&HiddenSingle, &grid);
    assert_eq!(found.effect, places(candidate(6, 4, 8)));
    let pattern = Pattern::HiddenSingle {
        candidate: candidate(6, 4, 8),
        house: column(4),
    };
    assert_eq!(found.pattern, pattern);
}

#[test]
fn pointing() {
    // In block 5, 7 is only in column 6, so it is nowhere else in that column.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 7, block(5), &[(4, 6), (6, 6)]);
    let found = step(&POINTING, &grid);
    let rest = cells(&[(1, 6), (2, 6), (3, 6), (7, 6), (8, 6), (9, 6)]);
    assert_eq!(found.effect, eliminates("7", rest));
    let pattern = Pattern::LockedCandidates {
        digit: digit(7),
        cells: cells(&[(4, 6), (6, 6)]),
        from: block(5),
        to: column(6),
    };
    assert_eq!(found.pattern, pattern);
    assert_eq!(CLAIMING.find(&grid), None);

    // Three places in a row; five of the six others are eliminated already.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 2, block(9), &[(8, 7), (8, 8), (8, 9)]);
    confine(&mut grid, 2, row(8), &[(8, 4), (8, 7), (8, 8), (8, 9)]);
    let found = step(&POINTING, &grid);
    assert_eq!(found.effect, eliminates("2", cells(&[(8, 4)])));
}

#[test]
fn claiming() {
    // In row 2, 4 is only in block 3, so it is nowhere else in that block.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 4, row(2), &[(2, 7), (2, 9)]);
    let found = step(&CLAIMING, &grid);
    let rest = cells(&[(1, 7), (1, 8), (1, 9), (3, 7), (3, 8), (3, 9)]);
    assert_eq!(found.effect, eliminates("4", rest));
    let pattern = Pattern::LockedCandidates {
        digit: digit(4),
        cells: cells(&[(2, 7), (2, 9)]),
        from: row(2),
        to: block(3),
    };
    assert_eq!(found.pattern, pattern);
    assert_eq!(POINTING.find(&grid), None);

    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 9, column(1), &[(4, 1), (5, 1)]);
    confine(&mut grid, 9, block(4), &[(4, 1), (5, 1), (5, 2)]);
    let found = step(&CLAIMING, &grid);
    assert_eq!(found.effect, eliminates("9", cells(&[(5, 2)])));
}

#[test]
fn naked_subsets() {
    // r3c2 and r3c8 share 1 and 6 out: the rest of row 3 has neither.
    let pair = NakedSubset(SubsetSize::Two);
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (3, 2), "16");
    leave(&mut grid, (3, 8), "16");
    let found = step(&pair, &grid);
    let couple = cells(&[(3, 2), (3, 8)]);
    let rest = row(3).cells().difference(couple);
    assert_eq!(found.effect, eliminates("16", rest));
    let pattern = Pattern::Subset {
        cells: couple,
        digits: digits("16"),
        house: row(3),
    };
    assert_eq!(found.pattern, pattern);
    let triple = NakedSubset(SubsetSize::Three);
    assert_eq!(triple.find(&grid), None);

    // No house contains all of these.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (1, 1), "16");
    leave(&mut grid, (4, 4), "16");
    assert_eq!(pair.find(&grid), None);

    // 12, 23 and 13 in block 5: no two cells form a subset, all three do.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (4, 4), "12");
    leave(&mut grid, (5, 5), "23");
    leave(&mut grid, (6, 6), "13");
    assert_eq!(pair.find(&grid), None);
    let trio = cells(&[(4, 4), (5, 5), (6, 6)]);
    let rest = block(5).cells().difference(trio);
    assert_eq!(step(&triple, &grid).effect, eliminates("123", rest));

    // Only 5 in r9c4 is left to strike, in the column.
    let quad = NakedSubset(SubsetSize::Four);
    let mut grid = CandidateGrid::empty();
    for row in [1, 3, 5, 7] {
        leave(&mut grid, (row, 4), "5678");
    }
    for row in [2, 4, 6, 8] {
        leave(&mut grid, (row, 4), "12349");
    }
    leave(&mut grid, (9, 4), "123459");
    assert_eq!(triple.find(&grid), None);
    assert_eq!(step(&quad, &grid).effect, eliminates("5", cells(&[(9, 4)])));
}

#[test]
fn hidden_subsets() {
    // In column 9, 3 and 5 are left in two cells only: nothing else goes there.
    let pair = HiddenSubset(SubsetSize::Two);
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 3, column(9), &[(2, 9), (7, 9)]);
    confine(&mut grid, 5, column(9), &[(2, 9), (7, 9)]);
    let found = step(&pair, &grid);
    let couple = cells(&[(2, 9), (7, 9)]);
    assert_eq!(found.effect, eliminates("1246789", couple));
    let pattern = Pattern::Subset {
        cells: couple,
        digits: digits("35"),
        house: column(9),
    };
    assert_eq!(found.pattern, pattern);
    assert_eq!(HiddenSubset(SubsetSize::Three).find(&grid), None);

    // The pair still exists, but has nothing left to eliminate.
    leave(&mut grid, (2, 9), "35");
    leave(&mut grid, (7, 9), "35");
    assert_eq!(pair.find(&grid), None);

    // 1, 2 and 3 have three cells of block 7, though none of them has all three.
    let triple = HiddenSubset(SubsetSize::Three);
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 1, block(7), &[(7, 1), (8, 2)]);
    confine(&mut grid, 2, block(7), &[(8, 2), (9, 3)]);
    confine(&mut grid, 3, block(7), &[(9, 3), (7, 1)]);
    assert_eq!(pair.find(&grid), None);
    let trio = cells(&[(7, 1), (8, 2), (9, 3)]);
    assert_eq!(step(&triple, &grid).effect, eliminates("456789", trio));

    let quad = HiddenSubset(SubsetSize::Four);
    let mut grid = CandidateGrid::empty();
    let places = [(6, 2), (6, 4), (6, 7), (6, 9)];
    for value in [1, 4, 6, 9] {
        confine(&mut grid, value, row(6), &places);
    }
    assert_eq!(triple.find(&grid), None);
    assert_eq!(
        step(&quad, &grid).effect,
        eliminates("23578", cells(&places))
    );
}

#[test]
fn basic_fish() {
    // In rows 2 and 6, 5 is left in columns 3 and 8 only: each column has its 5 from one of them.
    let x_wing = BasicFish(SubsetSize::Two);
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 5, row(2), &[(2, 3), (2, 8)]);
    confine(&mut grid, 5, row(6), &[(6, 3), (6, 8)]);
    let found = step(&x_wing, &grid);
    let across = column(3).cells().union(column(8).cells());
    let rest = across.difference(row(2).cells()).difference(row(6).cells());
    assert_eq!(rest.len(), 14);
    assert_eq!(found.effect, eliminates("5", rest));
    let pattern = Pattern::Fish {
        digit: digit(5),
        base: [row(2), row(6)].into_iter().collect(),
        cover: [column(3), column(8)].into_iter().collect(),
    };
    assert_eq!(found.pattern, pattern);

    // One place too many for an X-wing.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 5, row(2), &[(2, 3), (2, 8)]);
    confine(&mut grid, 5, row(6), &[(6, 3), (6, 5), (6, 8)]);
    assert_eq!(x_wing.find(&grid), None);

    // Columns 1, 5 and 9 with two places each, in rows 1, 4 and 7; r1c3 is the only one to strike.
    let swordfish = BasicFish(SubsetSize::Three);
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 5, column(1), &[(1, 1), (4, 1)]);
    confine(&mut grid, 5, column(5), &[(4, 5), (7, 5)]);
    confine(&mut grid, 5, column(9), &[(7, 9), (1, 9)]);
    confine(&mut grid, 5, row(1), &[(1, 1), (1, 3), (1, 9)]);
    confine(&mut grid, 5, row(4), &[(4, 1), (4, 5)]);
    confine(&mut grid, 5, row(7), &[(7, 5), (7, 9)]);
    assert_eq!(x_wing.find(&grid), None);
    let found = step(&swordfish, &grid);
    assert_eq!(found.effect, eliminates("5", cells(&[(1, 3)])));

    let jellyfish = BasicFish(SubsetSize::Four);
    let mut grid = CandidateGrid::empty();
    for line in [1, 3, 5, 9] {
        let places = [2, 4, 6, 8].map(|across| (line, across));
        confine(&mut grid, 9, row(line), &places);
    }
    assert_eq!(swordfish.find(&grid), None);
    let found = step(&jellyfish, &grid);
    let across = [2, 4, 6, 8].map(column);
    let across = across
        .iter()
        .fold(CellSet::EMPTY, |all, c| all.union(c.cells()));
    let base = [1, 3, 5, 9].map(row);
    let base = base
        .iter()
        .fold(CellSet::EMPTY, |all, r| all.union(r.cells()));
    assert_eq!(found.effect, eliminates("9", across.difference(base)));
}

#[test]
fn xy_wings() {
    // r1c1 is 1 or 2: so r1c9 is 3, or r9c1 is, and r9c9 sees both.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (1, 1), "12");
    leave(&mut grid, (1, 9), "13");
    leave(&mut grid, (9, 1), "23");
    let found = step(&XyWing, &grid);
    assert_eq!(found.effect, eliminates("3", cells(&[(9, 9)])));
    let pattern = Pattern::XyWing {
        pivot: cell(1, 1),
        pincers: [cell(1, 9), cell(9, 1)],
        digit: digit(3),
    };
    assert_eq!(found.pattern, pattern);
    leave(&mut grid, (9, 9), "124");
    assert_eq!(XyWing.find(&grid), None);

    // A pincer in the block of the pivot, the other one in its row.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (5, 5), "78");
    leave(&mut grid, (4, 4), "89");
    leave(&mut grid, (5, 1), "79");
    let found = step(&XyWing, &grid);
    let rest = cells(&[(4, 1), (4, 2), (4, 3), (5, 4), (5, 6)]);
    assert_eq!(found.effect, eliminates("9", rest));

    // Both pincers share the same candidate with the pivot.
    let mut grid = CandidateGrid::empty();
    leave(&mut grid, (5, 5), "78");
    leave(&mut grid, (4, 4), "79");
    leave(&mut grid, (5, 1), "79");
    assert_eq!(XyWing.find(&grid), None);
}

#[test]
fn turbot_fish() {
    // A skyscraper: rows 2 and 8 have two 6s each, one of each in column 4.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 6, row(2), &[(2, 4), (2, 7)]);
    confine(&mut grid, 6, row(8), &[(8, 4), (8, 9)]);
    let found = step(&TurbotFish, &grid);
    let rest = cells(&[(1, 9), (3, 9), (7, 7), (9, 7)]);
    assert_eq!(found.effect, eliminates("6", rest));
    let pattern = Pattern::TurbotFish {
        digit: digit(6),
        cells: [cell(2, 7), cell(2, 4), cell(8, 4), cell(8, 9)],
    };
    assert_eq!(found.pattern, pattern);

    // A two-string kite: a row and a column, joined in block 1.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 4, row(1), &[(1, 2), (1, 6)]);
    confine(&mut grid, 4, column(3), &[(2, 3), (7, 3)]);
    let found = step(&TurbotFish, &grid);
    assert_eq!(found.effect, eliminates("4", cells(&[(7, 6)])));

    // The near ends do not see each other.
    let mut grid = CandidateGrid::empty();
    confine(&mut grid, 4, row(1), &[(1, 2), (1, 6)]);
    confine(&mut grid, 4, column(9), &[(4, 9), (7, 9)]);
    assert_eq!(TurbotFish.find(&grid), None);
}
