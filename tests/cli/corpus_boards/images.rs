//! `corpus augment`, `near` and `export`.

use std::collections::HashSet;
use std::fs;

use super::program::PUZZLE;
use super::{SIX, expect, rows};

#[test]
fn images_keep_the_rules_and_say_how_they_were_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let killer = format!("{}\t3=r1c1,r1c2 7=r4c3,r4c4", ".".repeat(16));
    let text = format!("{SIX}\tboxes=2x3\n{killer}\n");
    let arguments = ["augment", "-n", "50", "--solutions", "--seed", "4"];
    let (table, told) = expect(0, folder, &arguments, &text);
    assert!(told.starts_with("58 images written"), "{told}");
    assert!(
        table.starts_with("puzzle,solution,source,transform\n"),
        "{table}"
    );
    let images = rows(&table);
    let (six, cages) = images.split_at(50);
    for row in six {
        assert_eq!(row[0][36..], *"\tboxes=2x3");
        assert_eq!(row[2], format!("{SIX}\tboxes=2x3"));
        let given = row[0].chars().zip(row[1].chars());
        assert!(
            given.clone().count() == 36
                && given.clone().all(|(one, other)| one == '.' || one == other)
        );
        // The transform leads from the source to the image.
        let orders: Vec<Vec<usize>> = row[3]
            .split(' ')
            .map(|part| part[2..].bytes().map(|it| usize::from(it - b'0')).collect())
            .collect();
        let image = (0..36).map(|cell| {
            let source = SIX.as_bytes()[orders[0][cell / 6] * 6 + orders[1][cell % 6]];
            match source {
                b'.' => '.',
                digit => char::from(b'0' + orders[2][usize::from(digit - b'1')] as u8),
            }
        });
        assert_eq!(image.collect::<String>(), row[0][..36]);
    }
    // Two cages in two corners: eight ways to turn them, and no solution alone.
    assert!(
        cages
            .iter()
            .all(|row| row[1].is_empty() && row[3].ends_with("d=1234"))
    );
    let different: HashSet<&String> = images.iter().map(|row| &row[0]).collect();
    assert_eq!(different.len(), 58);
    let (again, _) = expect(0, folder, &arguments, &text);
    assert_eq!(again, table);
    let arguments = [
        "augment", "-n", "9", "--plain", "--moves", "rows", "--boxes", "2x3",
    ];
    let (plain, _) = expect(0, folder, &arguments, SIX);
    assert_eq!(plain.lines().count(), 8);
    // All images are one puzzle.
    let (kept, _) = expect(1, folder, &["dedup"], &plain);
    assert_eq!(kept.lines().count(), 1);
}

#[test]
fn neighbours_have_the_rules_of_the_puzzle_and_one_solution() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!("{}\n{SIX}\n", ".".repeat(36));
    let (near, told) = expect(1, folder, &["near", "--boxes", "2x3"], &text);
    assert!(
        told.contains("<stdin>:1: the puzzle has no single solution"),
        "{told}"
    );
    assert!(near.lines().count() > 20, "{told}");
    for line in near.lines() {
        let changed = SIX
            .chars()
            .zip(line.chars())
            .filter(|(one, other)| one != other);
        assert!(
            line.ends_with("\tboxes=2x3") && (1..=2).contains(&changed.count()),
            "{line}"
        );
    }
    let (_, told) = expect(0, folder, &["check"], &near);
    assert!(!told.contains("without"), "{told}");
    let minimal = ["near", "--minimal", "--boxes", "2x3"];
    let (few, _) = expect(0, folder, &minimal, SIX);
    assert!(
        few.lines().all(|line| near.contains(line)) && few.lines().count() < near.lines().count()
    );
    let (_, told) = expect(2, folder, &["near", "--er", "2..", "--boxes", "2x3"], SIX);
    assert!(told.contains("--er supports only classic boards"), "{told}");
}

#[test]
fn arrays_have_boards_of_one_kind_and_tables_of_any() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!("{SIX}\tboxes=2x3\n1.....3..4....2.\n{PUZZLE}\n");
    for to in ["npy", "hrm"] {
        let (_, told) = expect(2, folder, &["export", "--to", to, "--out", "arrays"], &text);
        for words in [
            "row 2: ",
            "has another size or other rules than row 1",
            "choose csv, jsonl or parquet",
        ] {
            assert!(told.contains(words), "{told}");
        }
        assert!(!folder.join("arrays/puzzles.npy").exists());
    }
    let columns = "id,puzzle,solution,canon,grid_id,givens,automorphisms,minimal";
    let arguments = [
        "export",
        "--to",
        "csv",
        "--out",
        "table",
        "--columns",
        columns,
    ];
    let (_, told) = expect(0, folder, &arguments, &text);
    assert!(told.starts_with("3 rows written"), "{told}");
    let table = fs::read_to_string(folder.join("table/puzzles.csv")).unwrap();
    let table = rows(&table);
    for (row, cells) in table.iter().zip([36, 16, 81]) {
        assert_eq!((row[0].len(), row[2].len()), (20, cells));
        assert!(row[3..].iter().all(|value| !value.is_empty()), "{row:?}");
    }
    let arguments = [
        "export",
        "--to",
        "csv",
        "--out",
        "rated",
        "--columns",
        "puzzle,er",
    ];
    let (_, told) = expect(2, folder, &arguments, &text);
    assert!(told.contains("have no ratings"), "{told}");
}
