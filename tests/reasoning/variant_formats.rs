//! Text formats of puzzles of any size: round trips, and errors for malformed lines.

use crate::common::variants;
use std::sync::Arc;

use proptest::prelude::*;
use sudoku_batch::solve::{Goal, Limits};
use sudoku_batch::variant::{
    Alphabet, Boxes, Cage, Format, FormatError, Layout, LayoutKind, Reading, Value, VariantCorpus,
    VariantGenerator, VariantKind, VariantMrv, VariantPuzzle, VariantSolver, VariantVerdict,
    is_variant, parse_line, parse_regions,
};
use variants::{Random, boxes, is_connected, puzzle, read, text, values};

fn refusal(line: &str) -> String {
    parse_line(line, &Reading::default())
        .unwrap_err()
        .to_string()
}

#[test]
fn alphabets_are_inferred_from_the_symbols_used() {
    let hex = boxes(4, 4);
    let some = |cell: usize| cell.is_multiple_of(3);
    for (alphabet, symbols) in [
        (Alphabet::OneBased, "123456789ABCDEFG"),
        (Alphabet::ZeroBased, "0123456789ABCDEF"),
        (Alphabet::Letters, "ABCDEFGHIJKLMNOP"),
    ] {
        for line in [
            text(hex, alphabet, some),
            text(hex, alphabet, some).to_lowercase(),
        ] {
            let entry = read(&line);
            assert_eq!(entry.alphabet, alphabet, "{line}");
            let expected = symbols.find(line[..1].to_uppercase().as_str()).unwrap();
            assert_eq!(entry.puzzle.givens()[0], Some(Value::at(expected)));
        }
    }
    let numbers = text(hex, Alphabet::Numbers, some);
    for line in [
        numbers.clone(),
        numbers.replace(',', " "),
        numbers.replace('.', "0"),
    ] {
        let entry = read(&line);
        assert_eq!(entry.alphabet, Alphabet::Numbers, "{line}");
        assert_eq!(
            entry.puzzle,
            read(&text(hex, Alphabet::OneBased, some)).puzzle
        );
    }
    let from_zero = read(&text(hex, Alphabet::NumbersFromZero, some));
    assert_eq!(from_zero.alphabet, Alphabet::NumbersFromZero);
    assert_eq!(from_zero.puzzle, read(&numbers).puzzle);
    // A full board has each symbol as often as the others: its zeros are values.
    let full = read(&text(hex, Alphabet::ZeroBased, |_| true));
    assert_eq!(full.alphabet, Alphabet::ZeroBased);
    assert!(full.puzzle.givens().iter().all(Option::is_some));
    // If there are no other blanks, zeros are blanks.
    let zeros = text(hex, Alphabet::OneBased, some).replace('.', "0");
    assert_eq!(read(&zeros).puzzle, read(&numbers).puzzle);
    let small = text(boxes(2, 2), Alphabet::OneBased, some).replace('.', "0");
    assert_eq!(read(&small).puzzle.givens()[1], None);
}

#[test]
fn an_ambiguous_zero_is_an_error_that_asks() {
    let both = text(boxes(4, 4), Alphabet::OneBased, |cell| cell % 2 == 0).replacen('.', "0", 3);
    let message = refusal(&both);
    assert!(
        message.contains("0 stands for a blank or for a value"),
        "{message}"
    );
    assert!(message.contains("--symbols 1-9A-Z"), "{message}");
    let reading = |symbols| Reading {
        symbols: Some(symbols),
        ..Reading::default()
    };
    let entry = parse_line(&both, &reading(Alphabet::OneBased)).unwrap();
    assert_eq!(entry.puzzle.givens()[1], None);
    let message = parse_line(&both, &reading(Alphabet::ZeroBased)).unwrap_err();
    assert!(
        message
            .to_string()
            .contains("G is no value of a 16x16 board"),
        "{message}"
    );
    // 0 to 8 on a classic board beside dots.
    let eight = text(boxes(3, 3), Alphabet::ZeroBased, |cell| cell % 2 == 0);
    assert_eq!(refusal(&eight), FormatError::Zero { side: 9 }.to_string());
    let entry = parse_line(&eight, &reading(Alphabet::ZeroBased)).unwrap();
    assert_eq!(entry.puzzle.givens()[0], Value::new(1));
    // With a 9 there is no value left for 0.
    let nine = text(boxes(3, 3), Alphabet::OneBased, |cell| cell % 2 == 0).replacen('.', "0", 3);
    assert_eq!(read(&nine).puzzle.givens()[1], None);
}

#[test]
fn boxes_that_are_not_square_must_be_given() {
    let six = text(boxes(2, 3), Alphabet::OneBased, |cell| cell % 2 == 0);
    assert_eq!(
        refusal(&six),
        "a 6x6 board may have boxes 2x3 or 3x2: say which with --boxes"
    );
    let twelve = ".".repeat(144);
    assert!(refusal(&twelve).contains("boxes 2x6, 3x4, 4x3 or 6x2"));
    let seven = refusal(&".".repeat(49));
    assert!(
        seven.contains("a 7x7 board has no boxes") && seven.contains("--regions"),
        "{seven}"
    );
    let reading = Reading {
        boxes: Some(boxes(3, 2)),
        ..Reading::default()
    };
    let entry = parse_line(&six, &reading).unwrap();
    assert_eq!(entry.puzzle.layout().boxes(), Some(boxes(3, 2)));
    let other = parse_line(&".".repeat(81), &reading)
        .unwrap_err()
        .to_string();
    assert_eq!(other, "the boxes are for a 6x6 board, and this one is 9x9");
    let own = format!("{six}\tboxes=2x3");
    assert_eq!(read(&own).puzzle.layout().boxes(), Some(boxes(2, 3)));
    assert!(matches!(
        parse_line(&own, &reading),
        Err(FormatError::OtherRegions { .. })
    ));
}

#[test]
fn fields_are_distinguished_by_their_form() {
    let puzzle = "1...............";
    let regions = "1112122233443344";
    let solution = "1234341221434321";
    let wrong = "2234341221434321";
    let cages = "9=r1c1,r1c2,r2c1 3=r1c4,r2c4";
    for between in ["\t", " ", ",", ";", " ; "] {
        let line = [puzzle, regions, solution, "a note, with 3x3: more"].join(between);
        let entry = read(&line);
        assert_eq!(entry.puzzle.layout().boxes(), None, "{line}");
        assert_eq!(entry.puzzle.layout().region(3), 1);
        let expected = values(&solution.bytes().map(|b| b - b'0').collect::<Vec<_>>());
        let expected: Option<Vec<Value>> = expected.into_iter().collect();
        assert_eq!(entry.expected, expected, "{line}");
        assert_eq!(entry.note, "a note, with 3x3: more");
    }
    // A solution that contradicts the givens is a note.
    let entry = read(&format!("{puzzle}\t{wrong}"));
    assert_eq!((entry.expected, entry.note.as_str()), (None, wrong));
    for line in [
        format!("{puzzle}\t{cages}\tdiagonals"),
        format!("{puzzle} {cages} diagonals"),
        format!("{cages}\t{puzzle}\tdiagonal"),
    ] {
        let entry = read(&line);
        let layout = entry.puzzle.layout();
        assert_eq!(layout.cages().len(), 2, "{line}");
        assert_eq!(layout.cages()[0].cells, [0, 1, 4]);
        assert!(
            layout.has_diagonals() && entry.puzzle.givens()[0].is_some(),
            "{line}"
        );
    }
    // Regions alone, and cages alone.
    assert_eq!(read(regions).puzzle.layout().region(3), 1);
    assert_eq!(read(cages).puzzle.layout().side(), 4);
    // A classic line, with whatever follows.
    let classic =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let entry = read(&format!("{classic} # 30 givens"));
    assert_eq!(entry.puzzle.layout().boxes(), Some(boxes(3, 3)));
    assert_eq!(entry.note, "30 givens");
}

#[test]
fn options_are_read_from_their_names() {
    assert_eq!("2x3".parse(), Ok(boxes(2, 3)));
    for name in ["", "2", "x3", "0x3", "2x3x4", "2x-3", "999x1"] {
        let why = name.parse::<Boxes>().unwrap_err().to_string();
        assert!(why.contains("as in 2x3"), "{why}");
    }
    for alphabet in Alphabet::ALL {
        assert_eq!(alphabet.to_string().parse(), Ok(alphabet));
    }
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert!("hex".parse::<Alphabet>().is_err() && "".parse::<Format>().is_err());
    let layout = read("1112122233443344").puzzle.layout().clone();
    for text in [
        "1112122233443344",
        "1112\n1222\n3344\n3344\n",
        "7 7 7 9 7 9 9 9 30 30 1 1 30 30 1 1",
    ] {
        assert_eq!(parse_regions(text).as_ref(), Ok(&*layout), "{text}");
    }
    for text in ["", "111", "1112122233443.44", "1112122233443343"] {
        assert!(parse_regions(text).is_err(), "{text}");
    }
    let reading = Reading {
        regions: Some(layout.clone()),
        ..Reading::default()
    };
    assert_eq!(
        *parse_line(&".".repeat(16), &reading)
            .unwrap()
            .puzzle
            .layout(),
        layout
    );
    assert!(matches!(
        parse_line(&".".repeat(25), &reading),
        Err(FormatError::OtherSide { .. })
    ));
}

#[test]
fn malformed_lines_are_errors_with_reason_and_position() {
    let rows = "1..............3";
    for (line, part) in [
        (" \t ".to_owned(), "the line is empty"),
        ("1..?............".to_owned(), "character 4: '?' is neither"),
        ("1..".to_owned(), "found 3 cells"),
        (format!("{rows}."), "found 17 cells"),
        (
            "1.....9.........".to_owned(),
            "row 2, column 3: 9 is no value of a 4x4 board",
        ),
        (
            format!("{rows}\t9=r1c1,r1x2"),
            "the cages: character 25: expected a cell",
        ),
        (
            format!("{rows}\t9=r1c1,r5c2"),
            "a cage has a cell outside the board",
        ),
        (
            format!("{rows}\t9=r1c1,r1c1"),
            "row 1, column 1 is in two cages",
        ),
        (
            format!("{rows}\t9=r1c1,r1c2"),
            "a cage of 2 cells cannot add up to 9",
        ),
        (
            format!("{rows}\tboxes=9"),
            "the boxes: character 24: expected rows and columns",
        ),
        (
            format!("{rows}\tboxes=2x3"),
            "the boxes are for a 6x6 board",
        ),
        (
            format!("{rows}\t1112122233443344\t1112122233443344"),
            "regions twice",
        ),
        ("1,2,3,4,x,5".to_owned(), "found 4 cells"),
        ("3x3du#12345".to_owned(), "a seed after #"),
        ("3x3:a1b2".to_owned(), "a grid has 5 cells instead of 81"),
        (
            "2x2:a5".to_owned(),
            "character 6: expected a number that the board has",
        ),
        (
            "2x2:aA".to_owned(),
            "character 6: expected a number, a lower-case letter or _",
        ),
        (
            "4j:p".to_owned(),
            "it ends before the regions of the jigsaw",
        ),
        ("4j:p,zz".to_owned(), "more or fewer than the board has"),
        (
            "3x3::k:12:".to_owned(),
            "found 1 cells, and boxes 3x3 make 81",
        ),
        ("2x3::k:12:".to_owned(), "only known with square ones"),
        ("SumoCueV1=1=x".to_owned(), "character 12: expected a cell"),
    ] {
        let message = refusal(&line);
        assert!(message.contains(part), "{line}: {message}");
    }
}

#[test]
fn known_game_ids_give_the_boards_of_the_original_program() {
    // From the comments of public programs, with their boards.
    let id = "3x3:4a5c1a8b9_7c5e2b4a7b3a5b9a9b7b3a3b2a8b7a4b3e8c2_3b5a3c4a2";
    let board = "4.5...1.8..97...5.....2..4.7..3.5..9.9..7..3.3..2.8..7.4..3.....8...23..5.3...4.2";
    assert_eq!(read(id).puzzle, read(board).puzzle);
    let reading = Reading::default();
    let written = Format::Tatham.write(&read(board).puzzle, Alphabet::OneBased, None, &reading);
    assert_eq!(written.as_deref(), Ok(id));
    let jigsaw = "SumoCueV1=0J0=8J0=0J0=0J1=0J2=0J2=0J2=5J2=0J2=8J3=0J0=0J1=0J1=0J2=7J2=0J4=0J4=5J4\
        =0J3=0J0=0J1=0J1=9J2=0J2=0J5=0J6=0J4=0J3=7J0=0J1=1J1=6J5=9J5=0J5=0J6=0J4=0J3=0J0=4J1=3J1=0J5\
        =1J7=8J7=0J6=0J4=0J3=0J0=0J5=8J5=7J5=6J7=0J7=3J6=0J4=0J3=0J0=0J5=0J8=5J8=0J7=0J7=0J6=0J4=3J3\
        =0J3=0J3=6J8=0J8=0J7=0J7=0J6=2J4=0J8=9J8=0J8=0J8=0J8=0J7=0J6=8J6=0J6";
    let entry = read(jigsaw);
    assert_eq!(entry.puzzle.givens()[1], Value::new(8));
    assert_eq!(
        entry.puzzle.layout().region(79),
        entry.puzzle.layout().region(80)
    );
    assert_eq!(entry.puzzle.clash(), None);
    let written = Format::SumoCue.write(&entry.puzzle, Alphabet::OneBased, None, &reading);
    assert_eq!(written.as_deref(), Ok(jigsaw));
}

/// The options that a reader needs because the format cannot store the rules.
fn reading(puzzle: &VariantPuzzle, format: Format, alphabet: Alphabet) -> Reading {
    let layout = puzzle.layout();
    let mut reading = Reading {
        symbols: Some(match format {
            Format::Numbers if alphabet.counts_from_zero() => Alphabet::NumbersFromZero,
            Format::Numbers => Alphabet::Numbers,
            _ => alphabet,
        }),
        ..Reading::default()
    };
    if matches!(format, Format::Cells | Format::Numbers) {
        reading.diagonals = layout.has_diagonals();
        reading.windows = layout.has_windows();
        match layout.boxes() {
            Some(boxes) => reading.boxes = Some(boxes),
            None => reading.regions = Some(Arc::clone(layout)),
        }
    }
    reading
}

/// Whether a format can store a puzzle, computed independently of the writer.
fn has_room(puzzle: &VariantPuzzle, format: Format) -> bool {
    let layout = puzzle.layout();
    let side = layout.side();
    let caged: Vec<&Cage> = layout.cages().iter().collect();
    let is_in_cage = |cell: usize| caged.iter().any(|cage| cage.cells.contains(&cell));
    let regions_are_whole = layout.houses()[2 * side..3 * side]
        .iter()
        .all(|house| is_connected(side, &house.cells));
    let has_givens = puzzle.givens().iter().any(Option::is_some);
    match format {
        Format::Fields => true,
        Format::Cells | Format::Numbers => caged.is_empty(),
        Format::Tatham => {
            let is_solo_killer = side <= 9 && (0..layout.cells()).all(is_in_cage);
            side <= 31
                && !layout.has_windows()
                && regions_are_whole
                && (caged.is_empty() || is_solo_killer)
        }
        Format::SumoCue => {
            side == 9
                && !layout.has_windows()
                && (0..81).all(|cell| puzzle.givens()[cell].is_none() || !is_in_cage(cell))
        }
        Format::Perfect => {
            let is_square = layout
                .boxes()
                .is_some_and(|boxes| boxes.rows == boxes.columns);
            is_square && !layout.has_windows() && !caged.is_empty() && !has_givens
        }
    }
}

fn has_single_cages(puzzle: &VariantPuzzle) -> bool {
    let mut cages = puzzle.layout().cages().iter();
    cages.any(|cage| cage.cells.len() == 1)
}

/// Solo does not allow single-cell cages: such a puzzle is written as another one with the same solutions.
#[test]
fn single_cell_cages_become_givens_of_solo_if_the_solutions_stay_the_same() {
    let mut generator = VariantGenerator::new();
    let mut solver = VariantMrv::new();
    let mut written = 0;
    for (boxes, most) in [((2, 2), 1), ((2, 3), 2), ((3, 3), 3)] {
        let boxes = Boxes {
            rows: boxes.0,
            columns: boxes.1,
        };
        let mut layout = LayoutKind::boxes(boxes);
        layout.cages = Some(most);
        let kind = VariantKind {
            layout,
            minimal: false,
        };
        for number in 0..20 {
            let (puzzle, solution) = generator.puzzle(kind, 3, number).unwrap();
            // The same board with one cage divided.
            let mut cages = puzzle.layout().cages().to_vec();
            let divided = cages.iter().position(|cage| cage.cells.len() == 2);
            if let Some(divided) = divided {
                let cell = cages[divided].cells.pop().unwrap();
                let sum = u32::from(solution.values()[cell].get());
                cages[divided].sum -= sum;
                let cells = vec![cell];
                cages.push(Cage { sum, cells });
            }
            let layout = Layout::with_boxes(boxes).unwrap().and_cages(cages).unwrap();
            let puzzle = VariantPuzzle::new(Arc::new(layout), puzzle.givens().to_vec()).unwrap();
            assert!(has_single_cages(&puzzle));
            let reading = Reading::default();
            let line = Format::Tatham.write(&puzzle, Alphabet::OneBased, None, &reading);
            let Ok(line) = line else {
                continue;
            };
            written += 1;
            let back = parse_line(&line, &reading).unwrap().puzzle;
            assert!(!has_single_cages(&back), "{line}");
            let verdict = solver.solve(&back, Goal::ProveUnique, Limits::NONE).verdict;
            let VariantVerdict::Unique(found) = verdict else {
                panic!("{line}: {verdict:?}");
            };
            assert_eq!(found.values(), solution.values(), "{line}");
        }
    }
    assert!(written > 30, "{written}");
    // The cage around the corner has a cell that does not see the middle, so that a 1 may stand in both.
    let text = format!("{}\t1=r2c2 6=r1c1,r1c2,r1c3 ", ".".repeat(16));
    let rest = "6=r2c1,r3c1,r3c2 6=r1c4,r2c4,r2c3 10=r3c3,r3c4,r4c4,r4c3 7=r4c1,r4c2";
    let puzzle = parse_line(&(text + rest), &Reading::default())
        .unwrap()
        .puzzle;
    let refused = Format::Tatham.write(&puzzle, Alphabet::OneBased, None, &Reading::default());
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("which Solo refuses")
    );
}

/// The puzzle in SumoCue form: a single-cell cage is a given.
fn with_single_cages_as_givens(puzzle: &VariantPuzzle) -> VariantPuzzle {
    let layout = puzzle.layout();
    let cages = layout.cages().iter().cloned();
    let (single, others): (Vec<Cage>, Vec<Cage>) = cages.partition(|cage| cage.cells.len() == 1);
    let regions: Vec<u32> = (0..81).map(|cell| layout.region(cell) as u32).collect();
    let mut without = Layout::jigsaw(&regions).unwrap();
    if layout.has_diagonals() {
        without = without.and_diagonals();
    }
    let mut givens = puzzle.givens().to_vec();
    for cage in single {
        givens[cage.cells[0]] = Value::new(cage.sum as u8);
    }
    VariantPuzzle::new(Arc::new(without.and_cages(others).unwrap()), givens).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn puzzles_round_trip_through_every_format(
        seed in any::<u64>(),
        format in proptest::sample::select(Format::ALL.to_vec()),
        alphabet in proptest::sample::select(Alphabet::ALL.to_vec()),
        is_solved in any::<bool>(),
    ) {
        let puzzle = puzzle(seed);
        let side = puzzle.layout().side();
        let reading = reading(&puzzle, format, alphabet);
        if format == Format::Tatham && has_single_cages(&puzzle) {
            // It becomes another puzzle with the same solutions, if possible.
            if let Ok(line) = format.write(&puzzle, alphabet, None, &reading) {
                let back = parse_line(&line, &reading);
                let back = back.map_err(|why| TestCaseError::fail(format!("{why}: {line}")))?;
                prop_assert!(has_room(&puzzle, format) && !has_single_cages(&back.puzzle));
            }
            return Ok(());
        }
        let mut random = Random(seed);
        let expected = match format {
            Format::SumoCue if has_room(&puzzle, format) => with_single_cages_as_givens(&puzzle),
            _ => puzzle.clone(),
        };
        let full: Vec<Value> = expected
            .givens()
            .iter()
            .map(|given| given.unwrap_or_else(|| Value::at(random.below(side))))
            .collect();
        let solution = is_solved.then_some(full.as_slice());
        let writes_values = is_solved || matches!(format, Format::Cells | Format::Fields);
        let has_symbols = format == Format::Numbers || !writes_values || side <= alphabet.most();
        match format.write(&puzzle, alphabet, solution, &reading) {
            Ok(line) => {
                prop_assert!(has_room(&puzzle, format) && has_symbols, "{line}");
                let back = parse_line(&line, &reading);
                let back = back.map_err(|why| TestCaseError::fail(format!("{why}: {line}")))?;
                prop_assert_eq!(&back.puzzle, &expected, "{}", line);
                prop_assert_eq!(back.expected.as_deref(), solution, "{}", line);
                prop_assert_eq!(&back.note, "");
                prop_assert!(side == 9 || is_variant(line.as_bytes(), None), "{line}");
            }
            Err(why) => {
                prop_assert!(!(has_room(&puzzle, format) && has_symbols), "{why}");
                prop_assert!(why.to_string().contains("use --"));
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(
        seed in any::<u64>(),
        format in proptest::sample::select(Format::ALL.to_vec()),
        cuts in proptest::collection::vec((any::<u16>(), "[ -~]{0,3}", 0_usize..4), 0..4),
        noise in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let puzzle = puzzle(seed);
        let reading = reading(&puzzle, format, Alphabet::OneBased);
        let mut line = format
            .write(&puzzle, Alphabet::OneBased, None, &reading)
            .unwrap_or_else(|_| "3x3::k:12:".to_owned());
        for (at, text, length) in cuts {
            let at = usize::from(at) % (line.len() + 1);
            let end = (at + length).min(line.len());
            line.replace_range(at..end, &text);
        }
        let _ = parse_line(&line, &reading);
        let _ = parse_line(&line, &Reading::default());
        let _ = parse_line(&String::from_utf8_lossy(&noise), &Reading::default());
        let mut bytes = line.into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(&noise);
        let _ = is_variant(&noise, None);
        let _ = is_variant(&bytes, None);
        let reader = std::io::Cursor::new(bytes);
        if let Ok(corpus) = VariantCorpus::from_reader("noise", reader, Reading::default()) {
            for line in corpus.flatten() {
                prop_assert!(line.entry.puzzle.layout().side() >= 4);
            }
        }
    }
}
