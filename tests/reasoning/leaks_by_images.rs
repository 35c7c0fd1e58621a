//! Splits are disjoint by definition: all images of all puzzles are tried, without canonical forms.
//!
//! `split` and `leaks` find puzzles by their canonical forms; a bug in these would affect both. Here two puzzles are
//! compared under each of the 2 x 6^8 ways to move cells, with digits renamed in order of appearance.

use crate::common::orders;
use std::sync::atomic::AtomicBool;

use orders::orders;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::collection::{Groups, SplitBy, Watch};
use sudoku_batch::corpus::Rows;
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Cell, Digit, Puzzle};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict, random_symmetry};

type Board = [[u8; 9]; 9];

fn board(puzzle: &Puzzle) -> Board {
    let mut board = [[0; 9]; 9];
    for (cell, digit) in puzzle.givens() {
        board[cell.row()][cell.column()] = digit.value();
    }
    board
}

fn transposed(board: &Board) -> Board {
    std::array::from_fn(|row| std::array::from_fn(|column| board[column][row]))
}

/// Whether images of two boards are equal after removing at most `radius` givens from each.
fn are_near(a: &Board, b: &Board, radius: usize, orders: &[[usize; 9]]) -> bool {
    let masks = |board: &Board| -> [u16; 9] {
        board.map(|row| (0..9).fold(0, |mask, at| mask | u16::from(row[at] != 0) << at))
    };
    let of_b = masks(b);
    [*a, transposed(a)].iter().any(|a| {
        let of_a = masks(a);
        orders.iter().any(|columns| {
            let moved: [u16; 9] = of_a
                .map(|mask| (0..9).fold(0, |image, at| image | (mask >> columns[at] & 1) << at));
            orders.iter().any(|rows| {
                let (mut more, mut fewer) = (0, 0);
                for (row, of_b) in rows.iter().zip(of_b) {
                    more += (moved[*row] & !of_b).count_ones() as usize;
                    fewer += (of_b & !moved[*row]).count_ones() as usize;
                    if more > radius || fewer > radius {
                        return false;
                    }
                }
                let pairs = (0..9).flat_map(|row| {
                    let of_a = &a[rows[row]];
                    (0..9).map(move |column| (of_a[columns[column]], b[row][column]))
                });
                let both = pairs.filter(|(a, b)| *a != 0 && *b != 0);
                match radius - more.max(fewer) {
                    0 => misfit(both).is_none(),
                    spare => fits(&both.collect::<Vec<_>>(), spare),
                }
            })
        })
    })
}

/// The first pair that cannot be made equal by renaming digits, given the pairs before it.
fn misfit(mut pairs: impl Iterator<Item = (u8, u8)>) -> Option<usize> {
    let (mut there, mut back) = ([0; 10], [0; 10]);
    pairs.position(|(a, b)| {
        let (to, from) = (&mut there[usize::from(a)], &mut back[usize::from(b)]);
        let is_new = *to == 0 && *from == 0;
        let is_same = *to == b;
        if is_new {
            (*to, *from) = (b, a);
        }
        !is_new && !is_same
    })
}

/// Whether renaming the digits makes all but this many pairs equal.
fn fits(pairs: &[(u8, u8)], spare: usize) -> bool {
    let Some(at) = misfit(pairs.iter().copied()) else {
        return true;
    };
    // Drop one of the pairs so far, then check the rest again.
    spare > 0
        && (0..=at).any(|gone| {
            let mut rest = pairs.to_vec();
            rest.remove(gone);
            fits(&rest, spare - 1)
        })
}

fn solution(puzzle: &Puzzle) -> Option<Puzzle> {
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
    match outcome.verdict {
        Verdict::Unique(solution) => Some(solution.to_puzzle()),
        _ => None,
    }
}

/// Puzzles of which some are images, have the same solution grid, or differ by a given.
fn family(seed: u64) -> Vec<Puzzle> {
    let mut generator = Generator::default();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all: Vec<Puzzle> = (0..3)
        .map(|n| generator.puzzle(Kind::Minimal, seed, n))
        .collect();
    for number in 0..2 {
        let of = all[number];
        all.push(random_symmetry(&mut rng).puzzle(&of));
        let mut more = of;
        let blank = Cell::all().find(|cell| of.given(*cell).is_none()).unwrap();
        let full = solution(&of).unwrap();
        more.set(blank, full.given(blank));
        all.push(random_symmetry(&mut rng).puzzle(&more));
        // A given of another cell, with some digit that no peer has.
        let mut moved = of;
        let (gone, _) = of.givens().nth(number + 3).unwrap();
        moved.set(gone, None);
        let free = |puzzle: &Puzzle, cell: Cell, digit: Digit| {
            let mut peers = cell.peers().into_iter();
            peers.all(|peer| puzzle.given(peer) != Some(digit))
        };
        let (cell, digit) = Cell::all()
            .filter(|cell| moved.given(*cell).is_none() && *cell != gone)
            .find_map(|cell| {
                let digit = Digit::ALL
                    .into_iter()
                    .find(|digit| free(&moved, cell, *digit))?;
                Some((cell, digit))
            })
            .unwrap();
        moved.set(cell, Some(digit));
        all.push(random_symmetry(&mut rng).puzzle(&moved));
    }
    all
}

#[test]
fn no_part_of_a_split_contains_an_image_of_another() {
    let orders = orders();
    assert_eq!(orders.len(), 1296);
    for (seed, by) in [
        (1, SplitBy::Puzzle),
        (2, SplitBy::Solution),
        (3, SplitBy::Radius(1)),
    ] {
        let all = family(seed);
        let share = |a: &Puzzle, b: &Puzzle| match by {
            SplitBy::Solution => match (solution(a), solution(b)) {
                (Some(a), Some(b)) => are_near(&board(&a), &board(&b), 0, &orders),
                _ => are_near(&board(a), &board(b), 0, &orders),
            },
            SplitBy::Radius(radius) => are_near(&board(a), &board(b), radius, &orders),
            _ => are_near(&board(a), &board(b), 0, &orders),
        };
        // Known relations are found.
        assert!(share(&all[0], &all[3]), "{by}: an image");
        assert_eq!(
            share(&all[0], &all[4]),
            by != SplitBy::Puzzle,
            "{by}: a given more"
        );
        let is_near = matches!(by, SplitBy::Radius(_));
        assert_eq!(share(&all[0], &all[5]), is_near, "{by}: a given elsewhere");
        assert!(!share(&all[0], &all[1]), "{by}: two of their own");

        let file = tempfile::NamedTempFile::new().unwrap();
        let lines: String = all.iter().map(|puzzle| puzzle.to_line() + "\n").collect();
        std::fs::write(file.path(), lines).unwrap();
        let stop = AtomicBool::new(false);
        let mut watch = Watch {
            stop: &stop,
            on_error: &mut |error| panic!("{error}"),
        };
        let rows = Rows::open(vec![file.path().to_owned()]).unwrap();
        let (groups, _) = Groups::of(rows, by, None, &mut watch).unwrap();
        let split = groups.deal([0.4, 0.2, 0.4], seed);
        let mut parted = 0;
        for (a, of_a) in all.iter().enumerate() {
            for (b, of_b) in all.iter().enumerate().skip(a + 1) {
                let (part_a, group_a) = split.row(a).unwrap();
                let (part_b, group_b) = split.row(b).unwrap();
                let is_shared = share(of_a, of_b);
                if part_a != part_b {
                    parted += 1;
                    assert!(!is_shared, "{by}: {of_a} and {of_b}");
                }
                // Groups of a radius are chains.
                if !is_near {
                    assert_eq!(group_a == group_b, is_shared, "{by}: {of_a} and {of_b}");
                }
            }
        }
        assert!(parted > 10, "{by}: {parted} pairs");
    }
}
