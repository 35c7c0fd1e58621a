//! Reading clear boards that are not ordinary puzzles: misprints, boards with few
//! digits, and boards at or beyond the edge of the picture.

use crate::common;
use common::{PUZZLES, board};
use image::imageops::{FilterType, crop_imm, fast_blur, replace, resize, rotate90};
use image::{Rgb, RgbImage};
use proptest::prelude::*;
use sudoku_batch::grid::Puzzle;
use sudoku_batch::reader::{Examined, Reader, ReaderConfig, Refusal, Status};
use sudoku_batch::solve::{Goal, Limits, Mrv, Solver, Verdict};
use sudoku_batch::vision::{Photo, PhotoConfig};

/// Pixels of the margin of a drawn board, and of a cell.
const PAPER: u32 = 60;
const CELL: u32 = 48;
/// Pixels of a side of a drawn board with its outer lines.
const SIDE: u32 = 9 * CELL + 8;

fn read(picture: &RgbImage) -> Examined {
    read_by(ReaderConfig::default(), picture)
}

fn read_by(config: ReaderConfig, picture: &RgbImage) -> Examined {
    let reader = Reader::new(config).unwrap();
    let (width, height) = picture.dimensions();
    let photo = Photo::from_rgb(width, height, picture.as_raw(), &PhotoConfig::default());
    reader.examine(&photo.unwrap(), None)
}

/// The only board of a picture: its status, its reading, and the reason not to trust it.
fn only(examined: &Examined) -> (Status, String, Option<&Refusal>) {
    assert_eq!(examined.boards.len(), 1, "{examined:?}");
    let board = &examined.boards[0];
    (
        board.status,
        board.decoded.to_line(),
        board.objection.as_ref(),
    )
}

#[test]
fn conflicting_digits_are_reported_and_kept() {
    // A 5 below the 5 of the first column.
    let mut line = PUZZLES[0].to_owned();
    line.replace_range(18..19, "5");
    let examined = read(&board(&line));
    let (status, decoded, objection) = only(&examined);
    assert_eq!((status, &decoded), (Status::Unsolvable, &line));
    let said = objection.unwrap().to_string();
    assert!(
        said.contains("r1c1 and r3c1") && said.contains("both 5"),
        "{said}"
    );
}

#[test]
fn a_table_of_numbers_is_no_misprint() {
    let table = ".12345....2468.....3692.....482......5........62.......7........8........9.......";
    let examined = read(&board(table));
    assert!(examined.boards.is_empty(), "{examined:?}");
    assert_eq!(examined.refusal.unwrap().status(), Status::NoGrid);
}

/// Too few digits for one solution.
const FEW_DIGITS: &str =
    ".6.........9...................4....1.....3..................5............5......";

#[test]
fn a_clean_grid_with_few_digits_is_a_board_and_an_empty_one_is_none() {
    let puzzle = FEW_DIGITS.to_owned();
    let examined = read(&board(&puzzle));
    assert_eq!(only(&examined), (Status::Multiple, puzzle.clone(), None));
    let empty = read(&board(&".".repeat(81)));
    assert!(empty.boards.is_empty(), "{empty:?}");
    assert_eq!(empty.refusal.unwrap().status(), Status::NoGrid);
}

#[test]
fn boards_without_lines_are_read_by_the_colors_of_their_cells() {
    let puzzle = PUZZLES[0];
    let lined = board(puzzle);
    // Half the gap between two cells, and the ground of each by row and column.
    type Ground = fn(u32, u32) -> u8;
    let grounds: [(&str, u32, Ground); 2] = [
        ("tiles with light gaps", 2, |_, _| 235),
        ("blocks of two colors", 0, |row, column| {
            255 - 12 * ((row + column) % 2) as u8
        }),
    ];
    for (name, gap, ground) in grounds {
        let mut picture = RgbImage::from_pixel(lined.width(), lined.height(), Rgb([255; 3]));
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            let inside = |at: u32| (PAPER..PAPER + 9 * CELL).contains(&at);
            let into_cell = [x, y].map(|at| at.wrapping_sub(PAPER) % CELL);
            let is_gap = into_cell.iter().any(|at| *at < gap || *at >= CELL - gap);
            if inside(x) && inside(y) && !is_gap {
                let tone = ground((y - PAPER) / CELL, (x - PAPER) / CELL);
                // Of the drawn board, the digits alone.
                let is_digit = into_cell.iter().all(|at| (6..CELL - 6).contains(at));
                let ink = if is_digit {
                    lined.get_pixel(x, y).0[0]
                } else {
                    255
                };
                *pixel = Rgb([tone.min(ink); 3]);
            }
        }
        let examined = read(&picture);
        assert_eq!(
            only(&examined),
            (Status::Solved, puzzle.to_owned(), None),
            "{name}"
        );
    }
}

#[test]
fn few_digits_are_a_board_among_shaded_blanks_and_none_among_black_ones() {
    let puzzle = FEW_DIGITS;
    let painted = |ground: u8| {
        let mut picture = board(puzzle);
        for (cell, given) in (0u32..).zip(puzzle.chars()) {
            if given == '.' && cell % 4 == 0 {
                let [x, y] = [cell % 9, cell / 9].map(|at| PAPER + at * CELL + 3);
                let paint = RgbImage::from_pixel(CELL - 6, CELL - 6, Rgb([ground; 3]));
                replace(&mut picture, &paint, x.into(), y.into());
            }
        }
        read(&picture)
    };
    assert_eq!(only(&painted(190)), (Status::Multiple, puzzle.into(), None));
    let crossword = painted(20);
    assert!(crossword.boards.is_empty(), "{crossword:?}");
    assert_eq!(crossword.refusal.unwrap().status(), Status::NoGrid);
}

#[test]
fn few_digits_are_a_board_among_some_slashed_blanks_and_none_among_many() {
    let puzzle = FEW_DIGITS;
    let slashed = |step: usize| {
        let mut picture = board(puzzle);
        let blanks = puzzle.char_indices().filter(|(_, given)| *given == '.');
        for (cell, _) in blanks.step_by(step) {
            let [x, y] = [cell % 9, cell / 9].map(|at| PAPER + at as u32 * CELL);
            for at in 8..CELL - 8 {
                for thick in 0..2 {
                    picture.put_pixel(x + at + thick, y + at, Rgb([60; 3]));
                }
            }
        }
        read(&picture)
    };
    assert_eq!(only(&slashed(15)), (Status::Multiple, puzzle.into(), None));
    let kakuro = slashed(2);
    assert!(kakuro.boards.is_empty(), "{kakuro:?}");
    assert_eq!(kakuro.refusal.unwrap().status(), Status::NoGrid);
}

#[test]
fn few_digits_are_a_board_in_a_blurred_picture() {
    let puzzle = FEW_DIGITS;
    let blurred = read(&fast_blur(&board(puzzle), 3.0));
    assert_eq!(only(&blurred), (Status::Multiple, puzzle.into(), None));
}

/// A board with the lines of another one around it, which begins so many cells further right and down.
fn beside_lines(puzzle: &str, right: i64, down: i64) -> RgbImage {
    let inside =
        |puzzle: &str| crop_imm(&board(puzzle), PAPER - 4, PAPER - 4, SIDE, SIDE).to_image();
    let at = |cells: i64| i64::from(PAPER) - 4 + cells * i64::from(CELL);
    let mut picture = board(puzzle);
    replace(&mut picture, &inside(&".".repeat(81)), at(right), at(down));
    replace(&mut picture, &inside(puzzle), at(0), at(0));
    picture
}

#[test]
fn a_part_of_a_larger_grid_is_no_board_unless_it_is_clearly_a_puzzle() {
    let several_solutions: String = PUZZLES[0]
        .char_indices()
        .map(|(cell, given)| if cell % 5 == 0 { '.' } else { given })
        .collect();
    for puzzle in [FEW_DIGITS, &several_solutions] {
        let alone = read(&board(puzzle));
        assert_eq!(only(&alone), (Status::Multiple, puzzle.into(), None));
        for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let part = read(&beside_lines(puzzle, right, down));
            assert!(part.boards.is_empty(), "{right} {down}: {part:?}");
            assert_eq!(part.refusal, Some(Refusal::OtherSize { more: true }));
        }
    }
    let puzzle = read(&beside_lines(PUZZLES[0], 1, 0));
    assert_eq!(only(&puzzle), (Status::Solved, PUZZLES[0].into(), None));
}

#[test]
fn a_smaller_grid_is_no_board() {
    // The last row and the last column are blank, and their outer lines missing.
    let eight: String = PUZZLES[0]
        .char_indices()
        .map(|(cell, given)| {
            if cell % 9 == 8 || cell / 9 == 8 {
                '.'
            } else {
                given
            }
        })
        .collect();
    let mut picture = board(&eight);
    assert_eq!(only(&read(&picture)), (Status::Multiple, eight, None));
    let paper = RgbImage::from_pixel(PAPER + 11 * CELL, CELL + 2, Rgb([255; 3]));
    let last = i64::from(PAPER + 8 * CELL) + 3;
    replace(&mut picture, &paper, 0, last);
    replace(&mut picture, &rotate90(&paper), last, 0);
    let examined = read(&picture);
    assert!(examined.boards.is_empty(), "{examined:?}");
    assert_eq!(examined.refusal, Some(Refusal::OtherSize { more: false }));
}

#[test]
fn few_digits_are_no_board_where_lines_are_missing() {
    let puzzle =
        ".6....3...9....4..1....52........................................................";
    let mut picture = board(puzzle);
    assert_eq!(
        only(&read(&picture)),
        (Status::Multiple, puzzle.into(), None)
    );
    let paper = RgbImage::from_pixel(9 * CELL - 8, 6 * CELL - 8, Rgb([245; 3]));
    let (left, top) = (PAPER + 4, PAPER + 3 * CELL + 4);
    replace(&mut picture, &paper, left.into(), top.into());
    let form = read(&picture);
    assert!(form.boards.is_empty(), "{form:?}");
    let refusal = form.refusal.unwrap();
    assert!(matches!(refusal, Refusal::NoSudoku { digits: 7, .. }));
}

/// A page with rows of drawn boards, each with this side in pixels.
fn page(lines: &[&str], columns: u32, side: u32) -> RgbImage {
    let gap = side / 5;
    let rows = (lines.len() as u32).div_ceil(columns);
    let size = |count: u32| gap + count * (side + gap);
    let mut page = RgbImage::from_pixel(size(columns), size(rows), Rgb([255; 3]));
    for (number, line) in (0..).zip(lines) {
        let drawn = crop_imm(&board(line), PAPER, PAPER, 9 * CELL, 9 * CELL).to_image();
        let small = resize(&drawn, side, side, FilterType::Triangle);
        let (x, y) = (size(number % columns), size(number / columns));
        replace(&mut page, &small, x.into(), y.into());
    }
    page
}

/// The solved boards of a picture, in no particular order.
fn solved(picture: &RgbImage) -> Vec<String> {
    let boards = read(picture).boards;
    let solved = boards.iter().filter(|it| it.status == Status::Solved);
    let mut lines: Vec<String> = solved.map(|it| it.decoded.to_line()).collect();
    lines.sort();
    lines
}

#[test]
fn all_boards_of_a_page_are_read_up_to_forty() {
    for (count, columns, side) in [(6, 2, 300), (12, 3, 260), (40, 5, 220)] {
        let lines: Vec<&str> = PUZZLES.iter().copied().cycle().take(count).collect();
        let mut expected = lines.clone();
        expected.sort_unstable();
        assert_eq!(solved(&page(&lines, columns, side)), expected, "{count}");
    }
}

/// The solution of a puzzle, as a person writes it into the paper.
fn filled(line: &str) -> String {
    let puzzle: Puzzle = line.parse().unwrap();
    let outcome = Mrv::new().solve(&puzzle, Goal::FirstSolution, Limits::NONE);
    let Verdict::Solved(solution) = outcome.verdict else {
        panic!("the puzzle has a solution");
    };
    solution.to_line()
}

#[test]
fn a_filled_board_is_read_whose_lines_within_blocks_are_faint() {
    let line = filled(PUZZLES[1]);
    // At first sight its blocks look more like boards than it does; with the faintest lines, only
    // the blocks are seen.
    for (gray, blur) in [(200, Some(1.0)), (235, None)] {
        let mut picture = board(&line);
        for i in (1..9).filter(|i| i % 3 != 0) {
            let inside =
                (0..9 * CELL).filter(|along| (3..3 * CELL - 2).contains(&(along % (3 * CELL))));
            for (along, side) in inside.flat_map(|along| [(along, 0), (along, 1)]) {
                let (at, along) = (PAPER + i * CELL - side, PAPER + along);
                picture.put_pixel(at, along, Rgb([gray; 3]));
                picture.put_pixel(along, at, Rgb([gray; 3]));
            }
        }
        let picture = blur.map_or(picture.clone(), |blur| fast_blur(&picture, blur));
        assert_eq!(solved(&picture), [line.as_str()], "{gray}");
    }
}

#[test]
fn a_small_board_beside_a_large_one_is_read() {
    // Blurred, its digits are darker than the lines between them.
    for (side, blur) in [(130, Some(1.5)), (135, None), (160, None), (190, None)] {
        let mut sheet = RgbImage::from_pixel(1200, 1500, Rgb([255; 3]));
        let large = crop_imm(&board(PUZZLES[0]), PAPER, PAPER, 9 * CELL, 9 * CELL).to_image();
        replace(&mut sheet, &large, 300, 200);
        let yesterday = filled(PUZZLES[1]);
        let small = page(&[yesterday.as_str()], 1, side);
        let small = blur.map_or(small.clone(), |blur| fast_blur(&small, blur));
        replace(&mut sheet, &small, 700, 1000);
        let mut expected = [PUZZLES[0].to_owned(), yesterday];
        expected.sort();
        assert_eq!(solved(&sheet), expected, "{side}");
    }
}

#[test]
fn a_board_that_fills_the_picture_is_read() {
    for (line, inside) in PUZZLES.iter().zip([0, 1, 3]) {
        let drawn = board(line);
        let (from, side) = (PAPER + inside, 9 * CELL - 2 * inside);
        let picture = crop_imm(&drawn, from, from, side, side).to_image();
        let examined = read(&picture);
        assert_eq!(
            only(&examined),
            (Status::Solved, (*line).to_owned(), None),
            "{inside}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A board with any part cut off is not read as another puzzle.
    #[test]
    fn a_cut_off_board_is_never_misread(
        puzzle in 0..3usize,
        cuts in proptest::array::uniform4(0..2 * CELL),
    ) {
        let line = PUZZLES[puzzle];
        let drawn = board(line);
        let [left, top, right, bottom] = cuts.map(|cut| PAPER + cut);
        let (width, height) = (drawn.width() - left - right, drawn.height() - top - bottom);
        let examined = read(&crop_imm(&drawn, left, top, width, height).to_image());
        let puzzle = line.parse().unwrap();
        let right = Mrv::new().solve(&puzzle, Goal::ProveUnique, Limits::NONE).verdict;
        for board in examined.boards.iter().filter(|board| board.status == Status::Solved) {
            prop_assert_eq!(board.verdict.solution(), right.solution(), "{:?}", cuts);
        }
    }
}
