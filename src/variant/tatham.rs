//! Game ids of Solo in Simon Tatham's Portable Puzzle Collection: `3x3:a1b2…`, `9jx:…`, `3x3k:…`.
//!
//! Before the colon stand the boxes (`2x3`: boxes of 2 rows and 3 columns, for the program counts boxes across and
//! down), or the side and `j` for a jigsaw; `x` for diagonals, `k` for a killer, and how it was generated. After it
//! stand the givens, decimal, with a letter for a run of blanks (`a` one, `z` 26) and `_` between neighbors; for a
//! jigsaw a comma and the lines between its regions; for a killer a comma, the lines between cages, a comma, and the
//! sums as if they were givens. Lines are told as the numbers of places without a line between two with one: first
//! the vertical ones row by row, then the horizontal ones column by column (`_` none, `a` one … `y` 25; `z` is 25 and
//! no line after them), and a line after the last. Solo refuses cages of one cell: such a cell is written as a given, and
//! joined to a cage beside it.

use super::cages::PlacedCage;
use super::error::{CannotHold, FormatError};
use super::layout::{Boxes, Cage, Layout, LayoutError};
use super::parts::Parts;
use super::puzzle::VariantPuzzle;
use super::rules::Rules;
use super::value::MOST_SIDE;
use super::value::Value;
use super::written::{is_connected, neighbors};

const WHAT: &str = "a Solo game id";
/// The program takes no larger boards, and no larger killers.
const LARGEST: usize = 31;
const LARGEST_KILLER: usize = 9;

/// What stands before the colon.
struct Parameters {
    side: usize,
    boxes: Option<Boxes>,
    diagonals: bool,
    killer: bool,
}

/// Splits a game id; `None` where the text is none.
pub(super) fn split(text: &str) -> Option<Result<Parts, FormatError>> {
    let end = text.find([':', '#'])?;
    let parameters = parameters(&text[..end])?;
    if text[end..].starts_with('#') {
        return Some(Err(FormatError::Whole {
            what: WHAT,
            why: "a seed after # says nothing to other programs: give the game id with the board, \
                  which has a colon"
                .to_owned(),
        }));
    }
    Some(description(&parameters, text, end + 1))
}

/// What a text before the colon says, if it can be that.
fn parameters(text: &str) -> Option<Parameters> {
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        let number = text[..end.unwrap_or(text.len())].parse::<usize>().ok();
        (number, end.unwrap_or(text.len()))
    };
    let (across, end) = digits(text);
    let across = across.filter(|number| (1..=MOST_SIDE).contains(number))?;
    let mut rest = &text[end..];
    let mut down = across;
    let mut has_both = false;
    if let Some(after) = rest.strip_prefix('x')
        && let (Some(number), end) = digits(after)
    {
        down = Some(number).filter(|number| (1..=MOST_SIDE).contains(number))?;
        has_both = true;
        rest = &after[end..];
    }
    let is_known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !rest.chars().all(is_known) {
        return None;
    }
    // The difficulty is a letter after `d`, and symmetries have one after `m`: neither is a rule.
    let mut flags = String::new();
    let mut skips = false;
    for flag in rest.chars() {
        if !skips {
            flags.push(flag);
        }
        skips = flag == 'd' && !skips;
    }
    let is_jigsaw = flags.contains('j') || has_both && (across == 1 || down == 1);
    let side = if flags.contains('j') && !has_both {
        across
    } else {
        across * down
    };
    Some(Parameters {
        side,
        boxes: (!is_jigsaw).then_some(Boxes {
            rows: across,
            columns: down,
        }),
        diagonals: flags.contains('x'),
        killer: flags.contains('k'),
    })
}

/// What stands after the colon.
fn description(parameters: &Parameters, text: &str, start: usize) -> Result<Parts, FormatError> {
    let side = parameters.side;
    if !(super::layout::LEAST_SIDE..=MOST_SIDE).contains(&side) {
        return Err(LayoutError::Side(side).into());
    }
    let mut at = start;
    let mut pieces = text[start..].split(',').map(|piece| {
        let piece = (piece, at);
        at += piece.0.len() + 1;
        piece
    });
    let mut piece = |what: &'static str| {
        pieces.next().ok_or_else(|| FormatError::Whole {
            what: WHAT,
            why: format!("it ends before {what}"),
        })
    };
    let mut parts = Parts {
        rules: Rules {
            side: Some(side),
            boxes: parameters.boxes,
            diagonals: parameters.diagonals,
            ..Rules::default()
        },
        ..Parts::default()
    };
    let cells = side * side;
    let givens = grid(piece("the givens")?, cells, side as u32)?;
    let value = |number: &u32| u8::try_from(*number).ok().and_then(Value::new);
    parts.givens = Some(givens.iter().map(value).collect());
    if parameters.boxes.is_none() {
        parts.rules.regions = Some(areas(piece("the regions of the jigsaw")?, side)?);
    }
    if parameters.killer {
        let areas = areas(piece("the cages")?, side)?;
        let sums = grid(piece("the sums of the cages")?, cells, u32::MAX)?;
        parts.rules.cages = Some(cages(&areas, &sums, side)?);
    }
    match pieces.next() {
        Some((_, at)) => Err(FormatError::Part {
            what: WHAT,
            column: at,
            expected: "the end of it",
        }),
        None => Ok(parts),
    }
}

/// The numbers of a grid, 0 for blanks.
fn grid((text, start): (&str, usize), cells: usize, most: u32) -> Result<Vec<u32>, FormatError> {
    let part = |index: usize, expected| FormatError::Part {
        what: WHAT,
        column: start + index + 1,
        expected,
    };
    let mut numbers = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let index = text.len() - rest.len();
        match first {
            '_' => rest = &rest[1..],
            'a'..='z' => {
                let run = first as usize - 'a' as usize + 1;
                numbers.resize(numbers.len() + run, 0);
                rest = &rest[1..];
            }
            '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_digit());
                let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
                let number = digits.parse().ok();
                let number = number.filter(|number| (1..=most).contains(number));
                numbers.push(number.ok_or_else(|| part(index, "a number that the board has"))?);
                rest = after;
            }
            _ => return Err(part(index, "a number, a lower-case letter or _")),
        }
        if numbers.len() > cells {
            return Err(part(
                index,
                "the end of the grid: all its cells came before",
            ));
        }
    }
    if numbers.len() < cells {
        return Err(FormatError::Whole {
            what: WHAT,
            why: format!("a grid has {} cells instead of {cells}", numbers.len()),
        });
    }
    Ok(numbers)
}

/// The two cells that meet at a place for a line: first at the vertical ones, then at the horizontal ones.
fn meeting(side: usize, place: usize) -> (usize, usize) {
    let (line, at) = (place / (side - 1), place % (side - 1));
    if line < side {
        (line * side + at, line * side + at + 1)
    } else {
        let column = line - side;
        (at * side + column, (at + 1) * side + column)
    }
}

/// The area of each cell, where lines are told.
fn areas((text, start): (&str, usize), side: usize) -> Result<Vec<u32>, FormatError> {
    let places = 2 * side * (side - 1);
    let mut areas: Vec<u32> = (0..(side * side) as u32).collect();
    let mut place = 0;
    for (index, character) in text.chars().enumerate() {
        let run = match character {
            '_' => 0,
            'a'..='y' => character as usize - 'a' as usize + 1,
            'z' => 25,
            _ => {
                return Err(FormatError::Part {
                    what: WHAT,
                    column: start + index + 1,
                    expected: "a lower-case letter or _",
                });
            }
        };
        for place in place..(place + run).min(places) {
            let (one, other) = meeting(side, place);
            let (kept, gone) = (areas[one], areas[other]);
            for area in areas.iter_mut().filter(|area| **area == gone) {
                *area = kept;
            }
        }
        place += run + usize::from(character != 'z');
        if place > places + 1 {
            break;
        }
    }
    if place == places + 1 {
        Ok(areas)
    } else {
        Err(FormatError::Whole {
            what: WHAT,
            why: "the lines between regions or cages are more or fewer than the board has"
                .to_owned(),
        })
    }
}

fn cages(areas: &[u32], sums: &[u32], side: usize) -> Result<Vec<PlacedCage>, FormatError> {
    let mut names = areas.to_vec();
    names.sort_unstable();
    names.dedup();
    let cage = |name: &u32| {
        let cells: Vec<usize> = (0..areas.len())
            .filter(|cell| areas[*cell] == *name)
            .collect();
        let clues: Vec<u32> = cells
            .iter()
            .map(|cell| sums[*cell])
            .filter(|sum| *sum > 0)
            .collect();
        let first = cells.first().copied().unwrap_or(0);
        match clues[..] {
            [sum] => Ok(PlacedCage {
                sum,
                cells: cells
                    .iter()
                    .map(|cell| (cell / side, cell % side))
                    .collect(),
            }),
            _ => Err(FormatError::Whole {
                what: WHAT,
                why: format!(
                    "the cage of row {}, column {} has {} sums instead of one",
                    first / side + 1,
                    first % side + 1,
                    clues.len()
                ),
            }),
        }
    };
    names.iter().map(cage).collect()
}

/// Whether two cells are in a house together.
fn see_each_other(layout: &Layout, one: usize, other: usize) -> bool {
    let mut houses = layout.houses().iter();
    houses.any(|house| house.cells.contains(&one) && house.cells.contains(&other))
}

/// The cages and the givens of a puzzle with the same solutions in which no cage is a single cell, which Solo refuses: its
/// value is given, and a cage beside it takes it. That says nothing new where no cell of that cage could have the
/// value anyway; `None` where there is no such cage.
fn without_single_cells(puzzle: &VariantPuzzle) -> Option<(Vec<Cage>, Vec<Option<Value>>)> {
    let layout = puzzle.layout();
    let side = layout.side();
    let mut cages = layout.cages().to_vec();
    let mut givens = puzzle.givens().to_vec();
    for single in 0..cages.len() {
        let [cell] = cages[single].cells[..] else {
            continue;
        };
        let sum = cages[single].sum;
        let value = u8::try_from(sum).ok().and_then(Value::new)?;
        if usize::from(value.get()) > side || givens[cell].is_some_and(|given| given != value) {
            return None;
        }
        let cannot_be = |other: &usize| {
            let known = givens[*other].is_some_and(|given| given != value);
            known || see_each_other(layout, cell, *other)
        };
        let taker = cages.iter().position(|cage| {
            let is_beside = neighbors(side, cell).any(|beside| cage.cells.contains(&beside));
            is_beside && cage.cells.len() < side && cage.cells.iter().all(cannot_be)
        })?;
        cages[single].cells.clear();
        cages[taker].cells.push(cell);
        cages[taker].cells.sort_unstable();
        cages[taker].sum += sum;
        givens[cell] = Some(value);
    }
    cages.retain(|cage| !cage.cells.is_empty());
    // Where the cells of a cage would have to be more than there are values, there is no solution.
    let can_be = |cage: &Cage| {
        let (count, side) = (cage.cells.len() as u32, side as u32);
        let least = count * (count + 1) / 2;
        (least..=count * (side + 1) - least).contains(&cage.sum)
    };
    cages.iter().all(can_be).then_some((cages, givens))
}

/// The game id of a puzzle.
pub(super) fn write(puzzle: &VariantPuzzle) -> Result<String, CannotHold> {
    let layout = puzzle.layout();
    let side = layout.side();
    check(layout)?;
    let (all_cages, givens) = without_single_cells(puzzle).ok_or_else(|| CannotHold::Rule {
        format: WHAT,
        what: "cages of one cell, which Solo refuses, where no cage beside them can take the cell"
            .to_owned(),
        instead: "fields",
    })?;
    let is_killer = !all_cages.is_empty();
    let boxes = layout
        .boxes()
        .filter(|boxes| boxes.rows > 1 && boxes.columns > 1);
    let mut id = boxes.map_or(format!("{side}j"), |boxes| boxes.to_string());
    if layout.has_diagonals() {
        id.push('x');
    }
    if is_killer {
        id.push('k');
    }
    id.push(':');
    let numbers = givens
        .iter()
        .map(|given| given.map_or(0, |value| value.get().into()));
    write_grid(&mut id, numbers);
    if boxes.is_none() {
        id.push(',');
        write_areas(&mut id, side, |cell| layout.region(cell));
    }
    if is_killer {
        let mut cages = vec![0; layout.cells()];
        let mut sums = vec![0; layout.cells()];
        for (name, cage) in all_cages.iter().enumerate() {
            sums[cage.cells[0]] = cage.sum;
            for cell in &cage.cells {
                cages[*cell] = name;
            }
        }
        id.push(',');
        write_areas(&mut id, side, |cell| cages[cell]);
        id.push(',');
        write_grid(&mut id, sums.into_iter());
    }
    Ok(id)
}

/// Whether a game id can hold these rules.
fn check(layout: &Layout) -> Result<(), CannotHold> {
    let side = layout.side();
    let no_room = |what: String| {
        Err(CannotHold::Rule {
            format: WHAT,
            what,
            instead: "fields",
        })
    };
    let scattered = (0..side).find(|region| {
        let cells: Vec<usize> = (0..layout.cells())
            .filter(|cell| layout.region(*cell) == *region)
            .collect();
        !is_connected(side, &cells)
    });
    let caged: usize = layout.cages().iter().map(|cage| cage.cells.len()).sum();
    if side > LARGEST {
        no_room(format!("boards larger than {LARGEST}x{LARGEST}"))
    } else if layout.has_windows() {
        no_room("windows".to_owned())
    } else if let Some(region) = scattered {
        no_room(format!("region {}, which is in several pieces", region + 1))
    } else if layout.cages().is_empty() {
        Ok(())
    } else if side > LARGEST_KILLER {
        no_room(format!(
            "killers larger than {LARGEST_KILLER}x{LARGEST_KILLER}"
        ))
    } else if caged < layout.cells() {
        no_room("cells without a cage".to_owned())
    } else if layout
        .cages()
        .iter()
        .any(|cage| !is_connected(side, &cage.cells))
    {
        no_room("cages in several pieces".to_owned())
    } else {
        Ok(())
    }
}

fn write_grid(id: &mut String, numbers: impl Iterator<Item = u32>) {
    let mut run = 0_usize;
    let mut is_after_number = false;
    for number in numbers {
        if number == 0 {
            run += 1;
            continue;
        }
        if is_after_number && run == 0 {
            id.push('_');
        }
        write_run(id, &mut run);
        *id += &number.to_string();
        is_after_number = true;
    }
    write_run(id, &mut run);
}

fn write_run(id: &mut String, run: &mut usize) {
    while *run > 0 {
        let letter = (*run).min(26);
        id.push(char::from(b'a' - 1 + letter as u8));
        *run -= letter;
    }
}

fn write_areas(id: &mut String, side: usize, area: impl Fn(usize) -> usize) {
    let places = 2 * side * (side - 1);
    let mut run = 0_u8;
    for place in 0..=places {
        let is_line = place == places || {
            let (one, other) = meeting(side, place);
            area(one) != area(other)
        };
        if !is_line {
            // A run may be longer than a letter tells.
            if run == 25 {
                id.push('z');
                run = 0;
            }
            run += 1;
        } else {
            id.push(if run == 0 {
                '_'
            } else {
                char::from(b'a' - 1 + run)
            });
            run = 0;
        }
    }
}
