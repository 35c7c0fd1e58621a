//! Drawings of boards of any size, and their contradictions in words.

use crate::common::variants;
use std::sync::Arc;

use sudoku_batch::variant::{
    Alphabet, Boxes, Cage, Clash, Layout, StepKind, Value, VariantExplanation, VariantPuzzle,
    VariantStep, pretty, svg,
};
use variants::{boxes, line, pattern, puzzle, read, values};

/// A board of each kind, with the values of its cells.
fn samples() -> Vec<(&'static str, VariantPuzzle, Vec<Option<Value>>)> {
    let regions = [
        1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 1, 4, 1, 2, 5, 2, 3, 6, 3, 1, 4, 4,
        2, 5, 5, 3, 6, 6, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 4, 4, 8, 5, 5, 9, 6, 6, 7, 4, 7, 8, 5, 8,
        9, 6, 9, 7, 7, 7, 8, 8, 8, 9, 9, 9, 7, 7, 7, 8, 8, 8, 9, 9, 9,
    ];
    let with = |boxes: Boxes| Layout::with_boxes(boxes).unwrap();
    let cage = |sum, cells: &[usize]| Cage {
        sum,
        cells: cells.to_vec(),
    };
    let killer = vec![
        cage(10, &[0, 1, 4, 8]),
        cage(5, &[2, 3]),
        cage(7, &[5, 6, 10]),
        cage(6, &[7, 11, 15]),
        cage(9, &[9, 12, 13]),
    ];
    let plain = [
        ("4x4", with(boxes(2, 2))),
        ("6x6", with(boxes(2, 3))),
        ("12x12", with(boxes(3, 4))),
        ("16x16", with(boxes(4, 4))),
        ("jigsaw", Layout::jigsaw(&regions).unwrap()),
        ("x", with(boxes(2, 3)).and_diagonals()),
        ("windoku", with(boxes(3, 3)).and_windows().unwrap()),
        ("killer", with(boxes(2, 2)).and_cages(killer).unwrap()),
    ];
    let sample = |(name, layout): (&'static str, Layout)| {
        let boxes = layout.boxes().unwrap_or(boxes(3, 3));
        let full = values(&pattern(boxes));
        let is_given = |cell: usize| cell * 7 % 5 < 2 && name != "killer";
        let is_known = |cell: usize| cell % 3 != 1;
        let keep = |keeps: &dyn Fn(usize) -> bool| -> Vec<Option<Value>> {
            full.iter()
                .enumerate()
                .map(|(cell, value)| value.filter(|_| keeps(cell)))
                .collect()
        };
        let puzzle = VariantPuzzle::new(Arc::new(layout), keep(&is_given)).unwrap();
        (name, puzzle, keep(&is_known))
    };
    plain.into_iter().map(sample).collect()
}

#[test]
fn boards_are_drawn_as_expected() {
    let drawings = [
        (
            "4x4",
            "\
┏━━━┯━━━┳━━━┯━━━┓
┃ 1 │   ┃ 3 │ 4 ┃
┠───┼───╂───┼───┨
┃   │ 4 ┃ 1 │   ┃
┣━━━┿━━━╋━━━┿━━━┫
┃ 2 │ 3 ┃   │ 1 ┃
┠───┼───╂───┼───┨
┃ 4 │   ┃ 2 │ 3 ┃
┗━━━┷━━━┻━━━┷━━━┛
",
        ),
        (
            "jigsaw",
            "\
┏━━━┯━━━┯━━━┳━━━┯━━━┯━━━┳━━━┯━━━┯━━━┓
┃ 1 │   │ 3 ┃ 4 │   │ 6 ┃ 7 │   │ 9 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 4 │   │ 6 ┃ 7 │   │ 9 ┃ 1 │   │ 3 ┃
┠───╆━━━╅───╂───╆━━━╅───╂───╆━━━╅───┨
┃ 7 ┃   ┃ 9 ┃ 1 ┃   ┃ 3 ┃ 4 ┃   ┃ 6 ┃
┠───╂───╄━━━╉───╂───╄━━━╉───╂───╄━━━┫
┃ 2 ┃   │ 4 ┃ 5 ┃   │ 7 ┃ 8 ┃   │ 1 ┃
┣━━━╃───┼───╊━━━╃───┼───╊━━━╃───┼───┨
┃ 5 │   │ 7 ┃ 8 │   │ 1 ┃ 2 │   │ 4 ┃
┣━━━╅───┼───╊━━━╅───┼───╊━━━╅───┼───┨
┃ 8 ┃   │ 1 ┃ 2 ┃   │ 4 ┃ 5 ┃   │ 7 ┃
┠───╂───╆━━━╉───╂───╆━━━╉───╂───╆━━━┫
┃ 3 ┃   ┃ 5 ┃ 6 ┃   ┃ 8 ┃ 9 ┃   ┃ 2 ┃
┠───╄━━━╃───╂───╄━━━╃───╂───╄━━━╃───┨
┃ 6 │   │ 8 ┃ 9 │   │ 2 ┃ 3 │   │ 5 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 9 │   │ 2 ┃ 3 │   │ 5 ┃ 6 │   │ 8 ┃
┗━━━┷━━━┷━━━┻━━━┷━━━┷━━━┻━━━┷━━━┷━━━┛
",
        ),
        (
            "x",
            "\
┏━━━┯━━━┯━━━┳━━━┯━━━┯━━━┓
┃░1░│   │ 3 ┃ 4 │   │░6░┃
┠───┼───┼───╂───┼───┼───┨
┃ 4 │░░░│ 6 ┃ 1 │░░░│ 3 ┃
┣━━━┿━━━┿━━━╋━━━┿━━━┿━━━┫
┃ 2 │   │░4░┃░5░│   │ 1 ┃
┠───┼───┼───╂───┼───┼───┨
┃ 5 │   │░1░┃░2░│   │ 4 ┃
┣━━━┿━━━┿━━━╋━━━┿━━━┿━━━┫
┃ 3 │░░░│ 5 ┃ 6 │░░░│ 2 ┃
┠───┼───┼───╂───┼───┼───┨
┃░6░│   │ 2 ┃ 3 │   │░5░┃
┗━━━┷━━━┷━━━┻━━━┷━━━┷━━━┛
",
        ),
        (
            "windoku",
            "\
┏━━━┯━━━┯━━━┳━━━┯━━━┯━━━┳━━━┯━━━┯━━━┓
┃ 1 │   │ 3 ┃ 4 │   │ 6 ┃ 7 │   │ 9 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 4 │░░░│░6░┃░7░│   │░9░┃░1░│░░░│ 3 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 7 │░░░│░9░┃░1░│   │░3░┃░4░│░░░│ 6 ┃
┣━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━┫
┃ 2 │░░░│░4░┃░5░│   │░7░┃░8░│░░░│ 1 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 5 │   │ 7 ┃ 8 │   │ 1 ┃ 2 │   │ 4 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 8 │░░░│░1░┃░2░│   │░4░┃░5░│░░░│ 7 ┃
┣━━━┿━━━┿━━━╋━━━┿━━━┿━━━╋━━━┿━━━┿━━━┫
┃ 3 │░░░│░5░┃░6░│   │░8░┃░9░│░░░│ 2 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 6 │░░░│░8░┃░9░│   │░2░┃░3░│░░░│ 5 ┃
┠───┼───┼───╂───┼───┼───╂───┼───┼───┨
┃ 9 │   │ 2 ┃ 3 │   │ 5 ┃ 6 │   │ 8 ┃
┗━━━┷━━━┷━━━┻━━━┷━━━┷━━━┻━━━┷━━━┷━━━┛
",
        ),
        (
            "killer",
            "\
┏━━━┯━━━┳━━━┯━━━┓
┃10 ┊   ┃5  ┊   ┃
┃ 1 ┊   ┃ 3 ┊ 4 ┃
┠┈┈┈┼───╂───┼───┨
┃   │7  ╏   │6  ┃
┃   │ 4 ╏ 1 │   ┃
┣╍╍╍┿━━━╋╍╍╍┿╍╍╍┫
┃   │9  ┃   │   ┃
┃ 2 │ 3 ┃   │ 1 ┃
┠───┼┈┈┈╂───┼┈┈┈┨
┃   ┊   ┃   │   ┃
┃ 4 ┊   ┃ 2 │ 3 ┃
┗━━━┷━━━┻━━━┷━━━┛
",
        ),
    ];
    for (name, expected) in drawings {
        let (_, puzzle, cells) = samples()
            .into_iter()
            .find(|sample| sample.0 == name)
            .unwrap();
        let drawn = pretty(puzzle.layout(), &cells, Alphabet::OneBased);
        assert_eq!(drawn, expected, "{name}:\n{drawn}");
    }
    let (_, twelve, cells) = samples().remove(2);
    let drawn = pretty(twelve.layout(), &cells, Alphabet::Numbers);
    let row = "┃  5 │    │  7 │  8 ┃    │ 10 │ 11 │    ┃  1 │  2 │    │  4 ┃";
    assert_eq!(drawn.lines().nth(3), Some(row));
}

#[test]
fn drawings_of_all_boards_are_complete() {
    for seed in 0..300 {
        let puzzle = puzzle(seed);
        let layout = puzzle.layout();
        let side = layout.side();
        let killer = !layout.cages().is_empty();
        let alphabet = Alphabet::ALL[seed as usize % 5];
        let drawn = pretty(layout, puzzle.givens(), alphabet);
        let widths: Vec<usize> = drawn.lines().map(|line| line.chars().count()).collect();
        assert_eq!(
            widths.len(),
            side + 1 + side * (1 + usize::from(killer)),
            "{drawn}"
        );
        assert!(widths.iter().all(|width| *width == widths[0]), "{drawn}");
        let corners: String = ["┏", "┓", "┗", "┛"].concat();
        assert_eq!(
            drawn
                .chars()
                .filter(|c| corners.contains(*c))
                .take(2)
                .count(),
            2
        );

        let cells: Vec<Option<Value>> = (0..side * side)
            .map(|cell| (cell % 3 > 0).then(|| Value::at(cell % side)))
            .collect();
        let picture = svg(&puzzle, &cells, alphabet, None);
        assert_eq!(picture, svg(&puzzle, &cells, alphabet, None));
        assert!(!picture.contains("class=\"seen\"") && !picture.contains("class=\"struck\""));
        let count = |part: &str| picture.matches(part).count();
        let givens = puzzle.givens().iter().flatten().count();
        let found = puzzle.givens().iter().zip(&cells);
        let found = found
            .filter(|(given, cell)| given.is_none() && cell.is_some())
            .count();
        assert_eq!(count("<text class=\"given"), givens);
        assert_eq!(count("<text class=\"found"), found);
        assert_eq!(count("class=\"cage\""), layout.cages().len());
        assert_eq!(count("class=\"sum\""), layout.cages().len());
        assert_eq!(
            count("class=\"diagonal\""),
            usize::from(layout.has_diagonals())
        );
        for element in ["svg", "style", "title", "text"] {
            let opened = count(&format!("<{element} ")) + count(&format!("<{element}>"));
            assert_eq!(opened, count(&format!("</{element}>")), "{element}");
        }
    }
}

#[test]
fn the_cells_of_a_step_are_shaded() {
    let (_, puzzle, _) = samples().pop().unwrap();
    let explanation = VariantExplanation::new(&puzzle);
    let is_sum = |step: &&VariantStep| step.kind == StepKind::Sum;
    let step = explanation.steps.iter().find(is_sum).unwrap();
    let picture = svg(&puzzle, puzzle.givens(), Alphabet::OneBased, Some(step));
    let struck: Vec<usize> = step.struck.iter().map(|(cell, _)| *cell).collect();
    assert!(!struck.is_empty());
    for cell in 0..16 {
        let (x, y) = (12 + cell % 4 * 48, 12 + cell / 4 * 48);
        let shaded =
            |class: &str| picture.contains(&format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\""));
        let is_seen = step.cells.contains(&cell) && !struck.contains(&cell);
        assert_eq!(shaded("seen"), is_seen, "{cell}: {step:?}");
        assert_eq!(shaded("struck"), struck.contains(&cell), "{cell}: {step:?}");
    }
}

#[test]
fn contradictions_are_described() {
    let jigsaw = "\t1112122233443344";
    for (cells, fields, expected) in [
        (
            line(9, &[(3, 2, '5'), (3, 7, '5')]),
            "",
            "5 twice in row 3: columns 2 and 7",
        ),
        (
            line(16, &[(1, 9, 'G'), (14, 9, 'G'), (2, 1, '1')]),
            "",
            "G twice in column 9: rows 1 and 14",
        ),
        (
            line(9, &[(4, 8, '1'), (6, 9, '1')]),
            "",
            "1 twice in box 6: row 4, column 8 and row 6, column 9",
        ),
        (
            line(4, &[(1, 3, '4'), (2, 1, '4')]),
            jigsaw,
            "4 twice in region 1: row 1, column 3 and row 2, column 1",
        ),
        (
            line(4, &[(1, 1, '4'), (3, 3, '4')]),
            "\tdiagonals",
            "4 twice on the falling diagonal: row 1, column 1 and row 3, column 3",
        ),
        (
            line(4, &[(1, 4, '4'), (4, 1, '4')]),
            "\tdiagonals",
            "4 twice on the rising diagonal: row 1, column 4 and row 4, column 1",
        ),
        (
            line(9, &[(2, 6, '7'), (4, 7, '7')]),
            "\twindows",
            "7 twice in window 2: row 2, column 6 and row 4, column 7",
        ),
        (
            line(4, &[(2, 2, '3')]),
            "\t3=r1c2,r2c2",
            "the givens in the cage of row 1, column 2 (sum 3) repeat a value or do not come to its sum",
        ),
    ] {
        let line = cells + fields;
        let puzzle = read(&line).puzzle;
        let clash: Clash = puzzle.clash().unwrap_or_else(|| panic!("{line}"));
        assert_eq!(
            clash.describe(puzzle.layout(), Alphabet::OneBased),
            expected
        );
    }
}
