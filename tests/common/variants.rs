//! Boards of any size and shape for tests: patterns that obey the rules, and random puzzles.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

use std::sync::Arc;

use sudoku_batch::variant::{
    Alphabet, Boxes, Cage, Format, Layout, LayoutKind, Reading, Value, VariantEntry,
    VariantGenerator, VariantKind, VariantPuzzle, parse_line, write_cells,
};

pub fn boxes(rows: usize, columns: usize) -> Boxes {
    Boxes { rows, columns }
}

pub fn read(line: &str) -> VariantEntry {
    parse_line(line, &Reading::default()).unwrap_or_else(|why| panic!("{line}: {why}"))
}

/// The value of each cell of a full board that obeys the rules of these boxes.
pub fn pattern(boxes: Boxes) -> Vec<u8> {
    let side = boxes.side();
    let value = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        (row % boxes.rows * boxes.columns + row / boxes.rows + column) % side + 1
    };
    (0..side * side).map(|cell| value(cell) as u8).collect()
}

pub fn values(numbers: &[u8]) -> Vec<Option<Value>> {
    numbers.iter().map(|number| Value::new(*number)).collect()
}

/// The pattern as text, with blanks chosen by a rule.
pub fn text(boxes: Boxes, alphabet: Alphabet, is_given: impl Fn(usize) -> bool) -> String {
    let mut cells = values(&pattern(boxes));
    for (cell, value) in cells.iter_mut().enumerate() {
        if !is_given(cell) {
            *value = None;
        }
    }
    write_cells(&cells, alphabet).unwrap()
}

/// A line with these givens: row, column and symbol.
pub fn line(side: usize, givens: &[(usize, usize, char)]) -> String {
    let mut cells = vec!['.'; side * side];
    for (row, column, symbol) in givens {
        cells[(row - 1) * side + column - 1] = *symbol;
    }
    cells.into_iter().collect()
}

/// The puzzle with each value exchanged for that at its place; as it is if sums tell its values apart.
pub fn relabeled(puzzle: &VariantPuzzle, labels: &[Value]) -> VariantPuzzle {
    if !puzzle.layout().cages().is_empty() {
        return puzzle.clone();
    }
    let givens = puzzle.givens().iter();
    let givens = givens.map(|given| given.map(|value| labels[value.index()]));
    VariantPuzzle::new(puzzle.layout().clone(), givens.collect()).unwrap()
}

/// Random numbers from a seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

pub fn is_connected(side: usize, cells: &[usize]) -> bool {
    let mut reached: Vec<usize> = cells.iter().take(1).copied().collect();
    loop {
        let touches = |cell: usize| {
            reached.iter().any(|&other| {
                let (row, column) = (cell / side, cell % side);
                row.abs_diff(other / side) + column.abs_diff(other % side) == 1
            })
        };
        let more: Vec<usize> = cells
            .iter()
            .copied()
            .filter(|cell| !reached.contains(cell) && touches(*cell))
            .collect();
        if more.is_empty() {
            return reached.len() == cells.len();
        }
        reached.extend(more);
    }
}

/// A jigsaw: pieces of a path through all rows, then exchanges of cells that keep regions connected, or not.
pub fn jigsaw(side: usize, may_scatter: bool, random: &mut Random) -> Layout {
    let mut regions: Vec<u32> = (0..side * side)
        .map(|cell| {
            let (row, column) = (cell / side, cell % side);
            let along = if row % 2 == 0 {
                column
            } else {
                side - 1 - column
            };
            ((row * side + along + side / 2) / side % side) as u32
        })
        .collect();
    for _ in 0..20 * side {
        let (one, other) = (random.below(side * side), random.below(side * side));
        regions.swap(one, other);
        let is_whole = |name: u32| {
            let cells: Vec<usize> = (0..side * side)
                .filter(|cell| regions[*cell] == name)
                .collect();
            is_connected(side, &cells)
        };
        let are_whole = is_whole(regions[one]) && is_whole(regions[other]);
        if !may_scatter && !are_whole {
            regions.swap(one, other);
        }
    }
    Layout::jigsaw(&regions).unwrap()
}

pub fn cages(layout: &Layout, is_everywhere: bool, random: &mut Random) -> Vec<Cage> {
    let side = layout.side();
    let mut free: Vec<bool> = vec![true; layout.cells()];
    let mut cages: Vec<Cage> = Vec::new();
    for first in 0..layout.cells() {
        if !free[first] || !is_everywhere && random.below(3) == 0 {
            continue;
        }
        let size = 1 + random.below(4.min(side));
        let mut cells = vec![first];
        free[first] = false;
        while cells.len() < size {
            let next = (0..layout.cells()).find(|&cell| {
                let mut grown = cells.clone();
                grown.push(cell);
                free[cell] && is_connected(side, &grown)
            });
            let Some(next) = next else { break };
            free[next] = false;
            cells.push(next);
        }
        cages.push(Cage { sum: 0, cells });
    }
    if random.below(2) == 0 {
        // No single-cell cage if a neighbour has room.
        for at in (0..cages.len()).rev() {
            let [single] = cages[at].cells[..] else {
                continue;
            };
            let hosts = |cage: &Cage| {
                let mut grown = cage.cells.clone();
                grown.push(single);
                cage.cells != [single] && grown.len() <= side && is_connected(side, &grown)
            };
            if let Some(host) = cages.iter().position(hosts) {
                cages[host].cells.push(single);
                cages.remove(at);
            }
        }
    }
    for cage in &mut cages {
        let count = cage.cells.len();
        let least = count * (count + 1) / 2;
        let most = count * side - count * (count - 1) / 2;
        cage.sum = (least + random.below(most - least + 1)) as u32;
    }
    cages
}

pub fn puzzle(seed: u64) -> VariantPuzzle {
    let mut random = Random(seed);
    let random = &mut random;
    let side = [4, 5, 6, 7, 8, 9, 9, 9, 10, 12, 16, 25, 36][random.below(13)];
    let mut layout = match random.below(4) {
        0 if side < 13 => jigsaw(side, false, random),
        1 if side < 13 => jigsaw(side, true, random),
        _ => {
            let fits: Vec<usize> = (1..=side).filter(|rows| side % rows == 0).collect();
            let rows = fits[random.below(fits.len())];
            Layout::with_boxes(Boxes::square(side).unwrap_or(boxes(rows, side / rows))).unwrap()
        }
    };
    if random.below(3) == 0 {
        layout = layout.and_diagonals();
    }
    if random.below(3) == 0 {
        layout = layout.clone().and_windows().unwrap_or(layout);
    }
    if side < 13 && random.below(2) == 0 {
        let is_everywhere = random.below(2) == 0;
        let all = cages(&layout, is_everywhere, random);
        layout = layout.and_cages(all).unwrap();
    }
    let is_pure_killer = !layout.cages().is_empty() && random.below(2) == 0;
    let full = if is_pure_killer {
        8
    } else {
        random.below(8) + 1
    };
    let givens = (0..side * side)
        .map(|_| (random.below(8) > full).then(|| Value::at(random.below(side))))
        .collect();
    VariantPuzzle::new(Arc::new(layout), givens).unwrap()
}

/// The puzzle with rows and columns in this order, perhaps transposed. Regions go with the cells.
pub fn moved(
    puzzle: &VariantPuzzle,
    rows: &[usize],
    columns: &[usize],
    is_transposed: bool,
) -> VariantPuzzle {
    let layout = puzzle.layout();
    let side = layout.side();
    let from = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        if is_transposed {
            rows[column] * side + columns[row]
        } else {
            rows[row] * side + columns[column]
        }
    };
    let sources: Vec<usize> = (0..side * side).map(from).collect();
    let regions: Vec<u32> = sources
        .iter()
        .map(|cell| layout.region(*cell) as u32)
        .collect();
    let cages = layout.cages().iter().map(|cage| Cage {
        sum: cage.sum,
        cells: (0..side * side)
            .filter(|cell| cage.cells.contains(&sources[*cell]))
            .collect(),
    });
    let mut image = Layout::jigsaw(&regions).unwrap();
    if layout.has_diagonals() {
        image = image.and_diagonals();
    }
    if layout.has_windows() {
        image = image.and_windows().unwrap();
    }
    let image = image.and_cages(cages.collect()).unwrap();
    let givens = sources.iter().map(|cell| puzzle.givens()[*cell]).collect();
    VariantPuzzle::new(Arc::new(image), givens).unwrap()
}

pub fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

/// An image of a puzzle: what keeps its houses, and new labels where there are no cages.
pub fn image(puzzle: &VariantPuzzle, random: &mut Random) -> VariantPuzzle {
    let layout = puzzle.layout();
    let side = layout.side();
    let keeps_lines = layout.has_diagonals() || layout.has_windows();
    let order = |random: &mut Random| {
        if !keeps_lines {
            shuffled(side, random)
        } else if random.below(2) == 0 {
            (0..side).collect()
        } else {
            (0..side).rev().collect()
        }
    };
    let (rows, columns) = (order(random), order(random));
    let image = moved(puzzle, &rows, &columns, random.below(2) == 0);
    let labels: Vec<Value> = shuffled(side, random).into_iter().map(Value::at).collect();
    relabeled(&image, &labels)
}

pub fn written(puzzle: &VariantPuzzle) -> String {
    let alphabet = Alphabet::usual(puzzle.layout().side());
    let written = Format::Fields.write(puzzle, alphabet, None, &Reading::default());
    written.unwrap()
}

pub fn generated(layout: &str, seed: u64, count: u64) -> Vec<VariantPuzzle> {
    let layout: LayoutKind = layout.parse().unwrap();
    let kind = VariantKind {
        layout,
        minimal: true,
    };
    let mut generator = VariantGenerator::new();
    (0..count)
        .map(|number| generator.puzzle(kind, seed, number).unwrap().0)
        .collect()
}
