//! All effects that a technique may have on a grid, by brute force.

use sudoku_batch::grid::{Candidate, CandidateGrid, CandidateSet, Cell, Digit, DigitSet, House};
use sudoku_batch::logic::{Effect, TechniqueId};

/// All combinations of this many of these.
fn choices<T: Copy>(of: &[T], size: usize) -> Vec<Vec<T>> {
    let numbers = 0..1_usize << of.len();
    let chosen = numbers.filter(|choice| choice.count_ones() as usize == size);
    let pick = |choice: usize| {
        let kept = of
            .iter()
            .enumerate()
            .filter(|(at, _)| choice >> at & 1 == 1);
        kept.map(|(_, &item)| item).collect()
    };
    chosen.map(pick).collect()
}

fn house_cells(grid: &CandidateGrid, house: House) -> Vec<Cell> {
    let blank = |cell: &Cell| !grid.placed().contains(*cell);
    house.cells().into_iter().filter(blank).collect()
}

/// The candidates of blank cells for which this is true.
fn marks(grid: &CandidateGrid, is: impl Fn(Cell, Digit) -> bool) -> CandidateSet {
    let blank = Cell::all().filter(|&cell| !grid.placed().contains(cell));
    let all = blank.flat_map(|cell| {
        let digits = grid.candidates(cell).into_iter();
        digits.map(move |digit| Candidate { cell, digit })
    });
    all.filter(|mark| is(mark.cell, mark.digit)).collect()
}

pub(crate) fn oracle(technique: TechniqueId, grid: &CandidateGrid) -> Vec<Effect> {
    let struck: Vec<CandidateSet> = match technique {
        TechniqueId::NakedSingle => {
            let singles = marks(grid, |cell, _| grid.candidates(cell).len() == 1);
            return singles.iter().map(Effect::Place).collect();
        }
        TechniqueId::FullHouse => {
            let last = marks(grid, |cell, _| {
                let houses = cell.houses();
                houses
                    .iter()
                    .any(|&house| house_cells(grid, house).len() == 1)
            });
            return last.iter().map(Effect::Place).collect();
        }
        TechniqueId::HiddenSingle => {
            let singles = marks(grid, |cell, digit| {
                cell.houses().iter().any(|house| {
                    let mut others = house.cells().without(cell).into_iter();
                    !others.any(|other| grid.candidates(other).contains(digit))
                })
            });
            return singles.iter().map(Effect::Place).collect();
        }
        TechniqueId::Pointing => locked(grid, |from, to| from.index() >= 18 && to.index() < 18),
        TechniqueId::Claiming => locked(grid, |from, to| from.index() < 18 && to.index() >= 18),
        TechniqueId::LockedSubset(size) => locked_subsets(grid, size.get()),
        TechniqueId::NakedSubset(size) => naked_subsets(grid, size.get()),
        TechniqueId::HiddenSubset(size) => hidden_subsets(grid, size.get()),
        TechniqueId::BasicFish(size) => fish(grid, size.get()),
        TechniqueId::XyWing => xy_wings(grid),
        TechniqueId::TurbotFish => turbot_fish(grid),
        other => panic!("no oracle for {other}"),
    };
    let some = struck.into_iter().filter(|struck| !struck.is_empty());
    some.map(Effect::Eliminate).collect()
}

fn locked(grid: &CandidateGrid, kinds: impl Fn(House, House) -> bool) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    for from in House::all() {
        for to in House::all().filter(|&to| kinds(from, to)) {
            for digit in Digit::ALL {
                let places: Vec<Cell> = house_cells(grid, from)
                    .into_iter()
                    .filter(|&cell| grid.candidates(cell).contains(digit))
                    .collect();
                if !places.is_empty() && places.iter().all(|&cell| to.cells().contains(cell)) {
                    found.push(marks(grid, |cell, other| {
                        let beside = to.cells().contains(cell) && !from.cells().contains(cell);
                        other == digit && beside
                    }));
                }
            }
        }
    }
    found
}

fn naked_subsets(grid: &CandidateGrid, size: usize) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    for house in House::all() {
        for chosen in choices(&house_cells(grid, house), size) {
            let held = chosen.iter().flat_map(|&cell| grid.candidates(cell));
            let held: DigitSet = held.collect();
            if held.len() == size {
                found.push(marks(grid, |cell, digit| {
                    let beside = house.cells().contains(cell) && !chosen.contains(&cell);
                    beside && held.contains(digit)
                }));
            }
        }
    }
    found
}

fn locked_subsets(grid: &CandidateGrid, size: usize) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    for (line, block) in House::all().flat_map(|line| House::all().map(move |b| (line, b))) {
        if line.index() >= 18 || block.index() < 18 {
            continue;
        }
        let shared = line.cells().intersection(block.cells());
        let blank: Vec<Cell> = shared.difference(grid.placed()).into_iter().collect();
        for chosen in choices(&blank, size) {
            let held = chosen.iter().flat_map(|&cell| grid.candidates(cell));
            let held: DigitSet = held.collect();
            let beside = |house: House| {
                marks(grid, |cell, digit| {
                    let beside = house.cells().contains(cell) && !chosen.contains(&cell);
                    beside && held.contains(digit)
                })
            };
            let [by_line, by_block] = [beside(line), beside(block)];
            if held.len() == size && !by_line.is_empty() && !by_block.is_empty() {
                found.push(by_line.union(&by_block));
            }
        }
    }
    found
}

fn hidden_subsets(grid: &CandidateGrid, size: usize) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    for house in House::all() {
        let blanks = house_cells(grid, house);
        let open = |digit: &Digit| blanks.iter().any(|&c| grid.candidates(c).contains(*digit));
        let digits: Vec<Digit> = Digit::ALL.into_iter().filter(open).collect();
        for chosen in choices(&digits, size) {
            let holds = |cell: &Cell| chosen.iter().any(|&d| grid.candidates(*cell).contains(d));
            let places: Vec<Cell> = blanks.iter().copied().filter(holds).collect();
            if places.len() == size {
                found.push(marks(grid, |cell, digit| {
                    places.contains(&cell) && !chosen.contains(&digit)
                }));
            }
        }
    }
    found
}

fn fish(grid: &CandidateGrid, size: usize) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    let orientations: [fn(Cell) -> (usize, usize); 2] = [
        |cell| (cell.row(), cell.column()),
        |cell| (cell.column(), cell.row()),
    ];
    for orientation in orientations {
        for digit in Digit::ALL {
            let places: Vec<Cell> = marks(grid, |_, other| other == digit)
                .iter()
                .map(|mark| mark.cell)
                .collect();
            let lines: Vec<usize> = (0..9)
                .filter(|&line| places.iter().any(|&cell| orientation(cell).0 == line))
                .collect();
            for base in choices(&lines, size) {
                let in_base = places.iter().filter(|&&c| base.contains(&orientation(c).0));
                let mut cover: Vec<usize> = in_base.map(|&cell| orientation(cell).1).collect();
                cover.sort_unstable();
                cover.dedup();
                if cover.len() == size {
                    found.push(marks(grid, |cell, other| {
                        let (line, across) = orientation(cell);
                        other == digit && cover.contains(&across) && !base.contains(&line)
                    }));
                }
            }
        }
    }
    found
}

/// Any three cells of two candidates each, any of which may be the pivot.
fn xy_wings(grid: &CandidateGrid) -> Vec<CandidateSet> {
    let two: Vec<Cell> = Cell::all()
        .filter(|&c| grid.candidates(c).len() == 2)
        .collect();
    let mut found = Vec::new();
    for &pivot in &two {
        for &first in two.iter().filter(|cell| cell.sees(pivot)) {
            for &second in two.iter().filter(|cell| cell.sees(pivot)) {
                let [xy, xz, yz] = [pivot, first, second].map(|cell| grid.candidates(cell));
                let pairwise = [
                    xy.intersection(xz),
                    xy.intersection(yz),
                    xz.intersection(yz),
                ];
                let all = xy.union(xz).union(yz);
                if all.len() == 3 && pairwise.iter().all(|shared| shared.len() == 1) {
                    let z = pairwise[2];
                    found.push(marks(grid, |cell, digit| {
                        z.contains(digit) && cell.sees(first) && cell.sees(second)
                    }));
                }
            }
        }
    }
    found
}

/// Any four distinct places of a digit, the first two and the last two each the only ones in some house.
fn turbot_fish(grid: &CandidateGrid) -> Vec<CandidateSet> {
    let mut found = Vec::new();
    for digit in Digit::ALL {
        let held = |cell: &Cell| grid.candidates(*cell).contains(digit);
        let mut links: Vec<Vec<Cell>> = Vec::new();
        for house in House::all() {
            let places: Vec<Cell> = house.cells().into_iter().filter(held).collect();
            if let [a, b] = places[..] {
                links.extend([vec![a, b], vec![b, a]]);
            }
        }
        for one in &links {
            for other in &links {
                let different = one.iter().all(|cell| !other.contains(cell));
                if different && one[1].sees(other[1]) {
                    found.push(marks(grid, |cell, mark| {
                        mark == digit && cell.sees(one[0]) && cell.sees(other[0])
                    }));
                }
            }
        }
    }
    found
}
