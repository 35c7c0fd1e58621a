//! Canonical forms, compared with all images of a board, and with published numbers.

use crate::common::data;
use crate::common::orders;
use std::collections::HashSet;
use std::fs;

use data::data_folder;
use orders::orders;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::canon::{Canonical, Canonizer};
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Digit, PuzzleLine, Solution};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict, random_symmetry};

/// The grid with the most automorphisms, 648, in its minimal form.
const MOST_SYMMETRIC: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// Boards that are hard to canonize: blank, nearly blank, contradictory, symmetric.
fn hard_boards() -> Vec<PuzzleLine> {
    let board = |given: &dyn Fn(usize, usize) -> u8| {
        let byte = |place: usize| match given(place / 9, place % 9) {
            0 => b'.',
            digit => b'0' + digit,
        };
        PuzzleLine::new(std::array::from_fn(byte)).unwrap()
    };
    let count = |row: usize, column: usize| (row * 9 + column) as u8;
    vec![
        board(&|_, _| 0),
        board(&|row, column| u8::from((row, column) == (4, 7)) * 5),
        board(&|row, column| [0, 3][usize::from(row == 4 && column < 2)]),
        board(&|_, _| 1),
        board(&|row, column| u8::from((row, column) != (8, 8))),
        board(&|row, column| u8::from(row == column) * (row as u8 + 1)),
        board(&|row, column| u8::from(row == column)),
        board(&|row, column| u8::from(row / 3 == column / 3)),
        board(&|row, column| {
            u8::from(row / 3 == column / 3) * (row % 3 * 3 + column % 3 + 1) as u8
        }),
        board(&|row, _| row as u8 + 1),
        board(&|row, column| ((row + column) % 9 + 1) as u8),
        board(&|row, column| ((row + 2 * column) % 3 + 1) as u8),
        board(&|row, column| ((row * column) % 10) as u8),
        board(&|row, column| {
            u8::from((row % 3 + column % 3) % 3 == 0) * (row / 3 * 3 + column / 3 + 1) as u8
        }),
        board(&|row, column| u8::from(row % 3 == column / 3 && column % 3 == row / 3)),
        board(&|row, column| u8::from(row == 8) * (column as u8 + 1)),
        board(&|row, column| u8::from(row > 5) * (count(row, column) % 7)),
        board(&|row, column| count(row, column) % 2),
        board(&|row, column| count(row, column) % 10),
        board(&|row, column| u8::from(count(row, column) < 18) * (column as u8 % 9 + 1)),
        line(MOST_SYMMETRIC),
        line(&MOST_SYMMETRIC.replace(['1', '5', '9'], ".")),
    ]
}

fn line(text: &str) -> PuzzleLine {
    PuzzleLine::from_slice(text.as_bytes()).unwrap()
}

fn shuffled(puzzle: &PuzzleLine, seed: u64) -> PuzzleLine {
    random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed)).line(puzzle)
}

fn solution(puzzle: &PuzzleLine) -> Solution {
    let outcome = Mrv::new().solve(&puzzle.puzzle(), Goal::ProveUnique, Limits::NONE);
    match outcome.verdict {
        Verdict::Unique(solution) => solution,
        verdict => panic!("{verdict:?}"),
    }
}

/// The minimal line over all images and its multiplicity, by trying each of the 2 · 6⁸ geometric images with labels in
/// order of appearance; permutations of unused labels are not counted.
fn by_brute_force(puzzle: &PuzzleLine) -> (PuzzleLine, u64) {
    let orders = orders();
    let digits: Vec<usize> = puzzle
        .as_bytes()
        .iter()
        .map(|&byte| {
            if byte.is_ascii_digit() {
                usize::from(byte - b'0')
            } else {
                0
            }
        })
        .collect();
    let mut best = [u8::MAX; 81];
    let mut count = 0;
    for transposed in [false, true] {
        for rows in &orders {
            for columns in &orders {
                let mut labels = [0; 10];
                let mut next = 0;
                let mut is_less = false;
                let mut place = 0;
                'image: {
                    for &row in rows {
                        for &column in columns {
                            let digit = digits[if transposed {
                                9 * column + row
                            } else {
                                9 * row + column
                            }];
                            if digit > 0 && labels[digit] == 0 {
                                next += 1;
                                labels[digit] = next;
                            }
                            let label = labels[digit];
                            if !is_less && label > best[place] {
                                break 'image;
                            }
                            is_less |= label < best[place];
                            best[place] = label;
                            place += 1;
                        }
                    }
                    count = if is_less { 1 } else { count + 1 };
                }
            }
        }
    }
    let byte = |label: u8| if label == 0 { b'.' } else { b'0' + label };
    (PuzzleLine::new(best.map(byte)).unwrap(), count)
}

/// Relabelings of unused digits.
fn free_labels(puzzle: &PuzzleLine) -> u64 {
    let is_unused = |digit: &&Digit| !puzzle.as_bytes().contains(&digit.to_ascii());
    (1..=Digit::ALL.iter().filter(is_unused).count() as u64).product()
}

fn assert_symmetry_leads_to_form(puzzle: &PuzzleLine, canonical: &Canonical) {
    assert_eq!(canonical.symmetry.line(puzzle), canonical.line);
    assert_eq!(
        canonical.symmetry.puzzle(&puzzle.puzzle()),
        canonical.line.puzzle()
    );
    assert!(!canonical.line.as_bytes().contains(&b'0'));
}

fn assert_minimal_image(puzzle: &PuzzleLine) {
    let mut canonizer = Canonizer::new();
    let canonical = canonizer.minlex(puzzle);
    let (least, count) = by_brute_force(puzzle);
    assert_eq!(canonical.line, least, "{puzzle:?}");
    assert_eq!(
        canonical.automorphisms,
        count * free_labels(puzzle),
        "{puzzle:?}"
    );
    assert_symmetry_leads_to_form(puzzle, &canonical);
    assert_eq!(canonizer.minlex_line(puzzle), least);
}

#[test]
fn hard_to_canonize_boards_get_the_minimal_image() {
    for board in hard_boards() {
        assert_minimal_image(&shuffled(&board, 1));
    }
}

#[test]
fn patterns_get_the_minimal_image() {
    let mut canonizer = Canonizer::new();
    let puzzle = Generator::default().puzzle(Kind::Minimal, 0, 3);
    for board in hard_boards()
        .into_iter()
        .skip(4)
        .step_by(3)
        .chain([PuzzleLine::from(&puzzle)])
    {
        let ones = board
            .as_bytes()
            .map(|byte| if byte == b'.' { byte } else { b'1' });
        let (least, count) = by_brute_force(&PuzzleLine::new(ones).unwrap());
        let canonical = canonizer.pattern(&board);
        assert_eq!((canonical.line, canonical.automorphisms), (least, count));
        assert_eq!(canonical.symmetry.labels(), Digit::ALL);
        assert_symmetry_leads_to_form(&PuzzleLine::new(ones).unwrap(), &canonical);
        let pattern = canonizer.pattern(&shuffled(&board, 7));
        assert_eq!((pattern.line, pattern.automorphisms), (least, count));
    }
}

#[test]
fn puzzles_get_the_minimal_image() {
    let mut generator = Generator::default();
    for kind in [Kind::Easy, Kind::Minimal] {
        for number in 0..2 {
            let puzzle = generator.puzzle(kind, 5, number);
            assert_minimal_image(&PuzzleLine::from(&puzzle));
            let full = solution(&PuzzleLine::from(&puzzle)).to_ascii();
            assert_minimal_image(&PuzzleLine::new(full).unwrap());
        }
    }
}

#[test]
fn the_blank_board_has_every_automorphism() {
    let blank = Canonizer::new().minlex(&PuzzleLine::new([b'_'; 81]).unwrap());
    assert_eq!(blank.line, PuzzleLine::new([b'.'; 81]).unwrap());
    assert_eq!(blank.automorphisms, 2 * 6u64.pow(8) * 362_880);
}

#[test]
fn the_most_symmetric_grid_has_648_automorphisms() {
    let mut canonizer = Canonizer::new();
    for seed in 0..20 {
        let grid = shuffled(&line(MOST_SYMMETRIC), seed);
        let solution = Solution::from_ascii(grid.as_bytes()).unwrap();
        let canonical = canonizer.grid(&solution);
        assert_eq!(canonical.line, line(MOST_SYMMETRIC));
        assert_eq!(canonical.automorphisms, 648);
        assert_symmetry_leads_to_form(&grid, &canonical);
        assert_eq!(canonizer.grid_line(&solution), canonical.line);
        assert_eq!(canonizer.minlex(&grid).automorphisms, 648);
    }
}

#[test]
fn the_form_by_solution_is_invariant_and_uses_the_minimal_grid() {
    let mut canonizer = Canonizer::new();
    let mut puzzles: Vec<PuzzleLine> = Vec::new();
    let mut generator = Generator::default();
    puzzles.extend((0..10).map(|n| PuzzleLine::from(&generator.puzzle(Kind::Minimal, 1, n))));
    // Puzzles of a grid with automorphisms: a digit left out, a box left out.
    puzzles.push(line(&MOST_SYMMETRIC.replace('4', ".")));
    puzzles.push(line(&MOST_SYMMETRIC.replacen("123", "...", 1)));
    for puzzle in &puzzles {
        let canonical = canonizer.by_solution(puzzle, &solution(puzzle));
        assert_symmetry_leads_to_form(puzzle, &canonical);
        let grid = canonizer.grid_line(&solution(puzzle));
        assert_eq!(solution(&canonical.line).to_ascii(), *grid.as_bytes());
        assert_eq!(
            canonical.automorphisms,
            canonizer.minlex(puzzle).automorphisms
        );
        for seed in 0..30 {
            let image = shuffled(puzzle, seed);
            let other = canonizer.by_solution(&image, &solution(&image));
            assert_eq!(other.line, canonical.line);
        }
    }
}

fn boards() -> impl Strategy<Value = PuzzleLine> {
    // From nearly blank to full, of one digit to nine.
    (0..=100u8, 1..=9u8).prop_flat_map(|(share, digits)| {
        let cell = (0..100u8, 0..digits);
        proptest::collection::vec(cell, 81).prop_map(move |cells| {
            let byte = |i: usize| {
                if cells[i].0 < share {
                    b'1' + cells[i].1
                } else {
                    b'.'
                }
            };
            PuzzleLine::new(std::array::from_fn(byte)).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_board_has_the_form_of_its_images_and_no_image_is_less(board in boards(), seed: u64) {
        let mut canonizer = Canonizer::new();
        let canonical = canonizer.minlex(&board);
        assert_symmetry_leads_to_form(&board, &canonical);
        prop_assert_eq!(canonizer.minlex_line(&board), canonical.line);
        let again = canonizer.minlex(&canonical.line);
        prop_assert_eq!((again.line, again.automorphisms), (canonical.line, canonical.automorphisms));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for n in 0..100 {
            let image = random_symmetry(&mut rng).line(&board);
            prop_assert!(canonical.line.as_bytes() <= image.as_bytes());
            if n % 10 == 0 {
                let other = canonizer.minlex(&image);
                prop_assert_eq!((other.line, other.automorphisms), (again.line, again.automorphisms));
            }
        }
    }

    #[test]
    fn a_puzzle_has_the_form_of_its_images(number in 0..1000u64, seed: u64) {
        let puzzle = Generator::default().puzzle(Kind::Minimal, 9, number);
        let puzzle = PuzzleLine::from(&puzzle);
        let mut canonizer = Canonizer::new();
        let canonical = canonizer.minlex(&puzzle);
        assert_symmetry_leads_to_form(&puzzle, &canonical);
        let image = shuffled(&puzzle, seed);
        prop_assert_eq!(canonizer.minlex(&image).line, canonical.line);
        prop_assert_eq!(canonizer.minlex_line(&image), canonical.line);
        let grid = canonizer.grid(&solution(&puzzle));
        let of_image = canonizer.grid(&solution(&image));
        prop_assert_eq!((grid.line, grid.automorphisms), (of_image.line, of_image.automorphisms));
    }
}

/// All bands with `123456789` in the first box, in which the columns of the second box and of the third ascend in the
/// first row, the second box before the third: each represents 72 with the same first box.
fn bands() -> Vec<[[u8; 9]; 3]> {
    let mut bands = Vec::new();
    let first = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let band = std::array::from_fn(|row| {
        let [a, b, c] = first[row];
        [a, b, c, 0, 0, 0, 0, 0, 0]
    });
    fill(band, 0, &mut bands);
    bands
}

fn fill(mut band: [[u8; 9]; 3], at: usize, bands: &mut Vec<[[u8; 9]; 3]>) {
    if at == 18 {
        bands.push(band);
        return;
    }
    let (row, column) = (at / 6, at % 6 + 3);
    let box_columns = column / 3 * 3..column / 3 * 3 + 3;
    for digit in 1..=9 {
        let is_in_box = band
            .iter()
            .any(|row| row[box_columns.clone()].contains(&digit));
        let is_in_order = row > 0
            || match column {
                3 => true,
                6 => digit > band[0][3],
                _ => digit > band[0][column - 1],
            };
        if is_in_order && !is_in_box && !band[row].contains(&digit) {
            band[row][column] = digit;
            fill(band, at + 1, bands);
        }
    }
}

/// The band of [`bands`] that this one becomes by relabeling the digits and ordering columns and boxes two and three.
fn reduced(band: &[[u8; 9]; 3]) -> [[u8; 9]; 3] {
    let mut labels = [0; 10];
    for place in 0..9 {
        labels[usize::from(band[place / 3][place % 3])] = place as u8 + 1;
    }
    let band = band.map(|row| row.map(|digit| labels[usize::from(digit)]));
    let mut columns: [usize; 9] = std::array::from_fn(|column| column);
    columns[3..6].sort_by_key(|&column| band[0][column]);
    columns[6..].sort_by_key(|&column| band[0][column]);
    if band[0][columns[3]] > band[0][columns[6]] {
        columns[3..].rotate_left(3);
    }
    band.map(|row| columns.map(|column| row[column]))
}

/// The bands that swaps of neighbouring rows, of columns of the first box, and of the first two boxes make of this one.
fn neighbours(band: &[[u8; 9]; 3]) -> [[[u8; 9]; 3]; 5] {
    let [a, b, c] = *band;
    let with_columns =
        |columns: [usize; 9]| reduced(&band.map(|row| columns.map(|column| row[column])));
    [
        reduced(&[b, a, c]),
        reduced(&[a, c, b]),
        with_columns([1, 0, 2, 3, 4, 5, 6, 7, 8]),
        with_columns([0, 2, 1, 3, 4, 5, 6, 7, 8]),
        with_columns([3, 4, 5, 0, 1, 2, 6, 7, 8]),
    ]
}

#[test]
fn bands_fall_into_416_classes_of_known_size() {
    let mut left: HashSet<[[u8; 9]; 3]> = bands().into_iter().collect();
    assert_eq!(left.len() * 72, 2_612_736);
    let mut canonizer = Canonizer::new();
    let mut form = |band: &[[u8; 9]; 3]| {
        let mut bytes = [b'.'; 81];
        for (byte, digit) in bytes.iter_mut().zip(band.iter().flatten()) {
            *byte = b'0' + digit;
        }
        canonizer.minlex(&PuzzleLine::new(bytes).unwrap())
    };
    let mut forms = HashSet::new();
    let mut all = 0;
    while let Some(first) = left.iter().next().copied() {
        left.remove(&first);
        let mut class = vec![first];
        let mut next = 0;
        while next < class.len() {
            class.extend(
                neighbours(&class[next])
                    .into_iter()
                    .filter(|band| left.remove(band)),
            );
            next += 1;
        }
        let canonical = form(&first);
        assert!(forms.insert(canonical.line), "two classes have one form");
        assert_eq!(form(&class[class.len() / 2]).line, canonical.line);
        assert_eq!(form(&class[class.len() - 1]).line, canonical.line);
        let size = class.len() as u64 * 72 * 362_880;
        // The band can be any of six on the board: three bands and three stacks.
        assert_eq!(
            6 * size * canonical.automorphisms,
            2 * 6u64.pow(8) * 362_880
        );
        all += size;
    }
    assert_eq!(forms.len(), 416);
    assert_eq!(all, 948_109_639_680);
}

/// The puzzles with 17 givens of the corpus; prints a note if it is missing.
fn puzzles_with_17_givens() -> Option<Vec<PuzzleLine>> {
    let text = fs::read_to_string(data_folder("puzzles")?.join("17_clue.txt")).unwrap();
    let puzzles: Vec<PuzzleLine> = text
        .lines()
        .filter_map(|text| PuzzleLine::from_slice(text.as_bytes()))
        .collect();
    assert_eq!(puzzles.len(), 49_158);
    Some(puzzles)
}

#[test]
fn the_puzzles_with_17_givens_are_all_different() {
    let Some(puzzles) = puzzles_with_17_givens() else {
        return;
    };
    let mut canonizer = Canonizer::new();
    let forms: HashSet<PuzzleLine> = puzzles
        .iter()
        .map(|puzzle| canonizer.minlex_line(puzzle))
        .collect();
    assert_eq!(forms.len(), puzzles.len());
    for (seed, puzzle) in puzzles.iter().enumerate() {
        let image = shuffled(puzzle, seed as u64);
        assert!(forms.contains(&canonizer.minlex_line(&image)), "{image:?}");
    }
    for puzzle in puzzles.iter().step_by(12_000) {
        assert_minimal_image(puzzle);
    }
}
