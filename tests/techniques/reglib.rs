//! The regression library of HoDoKu (Bernhard Hobiger): for each case, the technique of its code
//! must find the very eliminations or placement that it names.

use std::collections::BTreeMap;
use std::path::Path;

use sudoku_batch::grid::{Candidate, CandidateGrid, CandidateSet, Cell, CellSet, Digit};
use sudoku_batch::logic::{
    BasicFish, Effect, FullHouse, HiddenSingle, HiddenSubset, LockedSubset, NakedSingle,
    NakedSubset, Size, Technique, TechniqueId, TurbotFish, XyWing,
};

use crate::{CLAIMING, POINTING};

/// One line of the library.
struct Case {
    /// Its number, from 1.
    line: usize,
    code: String,
    grid: CandidateGrid,
    givens: CellSet,
    /// Nothing, if nothing may be found.
    expected: Option<Effect>,
}

/// `436` is digit 4 in row 3, column 6.
fn candidate(text: &str) -> Candidate {
    let [digit, row, column] = text.as_bytes() else {
        panic!("{text:?} is no candidate")
    };
    Candidate {
        cell: Cell::at(usize::from(row - b'1'), usize::from(column - b'1')).unwrap(),
        digit: Digit::from_ascii(*digit).unwrap(),
    }
}

fn candidates(text: &str) -> CandidateSet {
    text.split_whitespace().map(candidate).collect()
}

/// `:code[-variant|-x]:candidates:givens:deleted candidates:eliminations:placements:extra`.
fn case(line: usize, text: &str) -> Case {
    let fields: Vec<&str> = text.split(':').collect();
    let (code, variant) = fields[1].split_once('-').unwrap_or((fields[1], ""));
    let mut grid = CandidateGrid::empty();
    let mut givens = CellSet::EMPTY;
    let mut cells = Cell::all();
    let mut given = true;
    for byte in fields[3].bytes() {
        if byte == b'+' {
            given = false;
            continue;
        }
        let cell = cells.next().unwrap();
        if let Some(digit) = Digit::from_ascii(byte) {
            let _ = grid.place(Candidate { cell, digit });
            if given {
                givens = givens.with(cell);
            }
        }
        given = true;
    }
    assert_eq!(cells.next(), None, "line {line}");
    let _ = grid.eliminate_all(&candidates(fields[4]));
    let expected = match (variant, fields[5], fields[6]) {
        ("x", _, _) => None,
        (_, struck, "") => Some(Effect::Eliminate(candidates(struck))),
        (_, "", placed) => Some(Effect::Place(candidate(placed.trim()))),
        _ => panic!("line {line}: eliminations and placements"),
    };
    Case {
        line,
        code: code.to_owned(),
        grid,
        givens,
        expected,
    }
}

/// What a code means: a technique, and the name its steps must have where it finds several kinds.
type Wired = (Box<dyn Technique>, Option<TechniqueId>);

fn wired(case: &Case) -> Option<Wired> {
    let all = |technique: Box<dyn Technique>| Some((technique, None));
    let _ = case.givens;
    match case.code.as_str() {
        "0000" => all(Box::new(FullHouse)),
        "0002" => all(Box::new(HiddenSingle)),
        "0003" => all(Box::new(NakedSingle)),
        "0100" => all(Box::new(POINTING)),
        "0101" => all(Box::new(CLAIMING)),
        "0110" => all(Box::new(LockedSubset { size: Size::Two })),
        "0111" => all(Box::new(LockedSubset { size: Size::Three })),
        "0200" => all(Box::new(NakedSubset { size: Size::Two })),
        "0201" => all(Box::new(NakedSubset { size: Size::Three })),
        "0202" => all(Box::new(NakedSubset { size: Size::Four })),
        "0210" => all(Box::new(HiddenSubset { size: Size::Two })),
        "0211" => all(Box::new(HiddenSubset { size: Size::Three })),
        "0212" => all(Box::new(HiddenSubset { size: Size::Four })),
        "0300" => all(Box::new(BasicFish { size: Size::Two })),
        "0301" => all(Box::new(BasicFish { size: Size::Three })),
        "0302" => all(Box::new(BasicFish { size: Size::Four })),
        "0400" => Some((Box::new(TurbotFish), Some(TechniqueId::Skyscraper))),
        "0401" => Some((Box::new(TurbotFish), Some(TechniqueId::TwoStringKite))),
        "0403" => all(Box::new(TurbotFish)),
        "0800" => all(Box::new(XyWing)),
        _ => None,
    }
}

/// Whether the technique finds what it must; a placement is also what strikes all else in its cell.
fn passes(case: &Case, (technique, name): &Wired) -> bool {
    let found = technique.find_all(&case.grid);
    let mut named = found
        .iter()
        .filter(|step| name.is_none_or(|name| step.technique == name));
    match &case.expected {
        None => named.next().is_none(),
        Some(effect) => named.any(|step| step.effect == *effect),
    }
}

/// Cases of wired codes that are not met, by code.
const NOT_MET: &[(&str, usize)] = &[];

#[test]
fn the_regression_library_is_met() {
    let Some(data) = std::env::var_os("SUDOKU_BATCH_DATA") else {
        println!("skipped: SUDOKU_BATCH_DATA is not set");
        return;
    };
    let text = std::fs::read_to_string(Path::new(&data).join("logic/reglib.txt")).unwrap();
    let lines = text.lines().enumerate();
    let cases = lines.filter(|(_, line)| line.starts_with(':'));
    let (mut missed, mut absent) = (BTreeMap::new(), BTreeMap::new());
    let (mut passed, mut count) = (0, 0);
    for case in cases.map(|(at, line)| case(at + 1, line)) {
        count += 1;
        match wired(&case) {
            None => *absent.entry(case.code.clone()).or_insert(0) += 1,
            Some(wired) if passes(&case, &wired) => passed += 1,
            Some(_) => {
                println!("{} of line {} is not met", case.code, case.line);
                *missed.entry(case.code).or_insert(0) += 1;
            }
        }
    }
    println!("{passed} of {count} cases pass; codes without a technique: {absent:?}");
    assert!(count > 0);
    let allowed = NOT_MET
        .iter()
        .map(|&(code, count)| (code.to_owned(), count));
    assert_eq!(missed, allowed.collect::<BTreeMap<String, usize>>());
}
