//! Collections: equivalence of puzzles, splits, and leaks between sets.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sudoku_batch::collection::{
    CanonColumns, Clash, DedupTally, Deduplicator, Form, Groups, Identifier, Keep, LeakTest, Part,
    Quality, SameBy, Solutions, Split, SplitBy, SplitMade, SplitProof, Watch, canonize_all, check,
};
use sudoku_batch::corpus::{Place, Row, Rows};
use sudoku_batch::generate::{Generator, Kind};
use sudoku_batch::grid::{Cell, Digit, Puzzle, PuzzleLine, Symmetry};
use sudoku_batch::solve::{Goal, Limits, Lockstep, Mrv, Solver, Verdict, random_symmetry};
use sudoku_batch::stream::StreamError;

/// Calls `work` with a watch that never stops; an unreadable line fails the test.
fn watched<T>(work: impl FnOnce(&mut Watch<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    work(&mut Watch {
        stop: &stop,
        on_error: &mut |error| panic!("{error}"),
    })
}

/// A folder with files that have these lines.
fn files(texts: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = texts.iter().enumerate().map(|(number, text)| {
        let path = folder.path().join(format!("{number}.txt"));
        std::fs::write(&path, text).unwrap();
        path
    });
    let paths = paths.collect();
    (folder, paths)
}

fn lines(puzzles: &[Puzzle]) -> String {
    puzzles
        .iter()
        .map(|puzzle| puzzle.to_line() + "\n")
        .collect()
}

fn image(puzzle: &Puzzle, seed: u64) -> Puzzle {
    random_symmetry(&mut ChaCha8Rng::seed_from_u64(seed)).puzzle(puzzle)
}

fn puzzles(seed: u64, count: u64) -> Vec<Puzzle> {
    let mut generator = Generator::default();
    (0..count)
        .map(|n| generator.puzzle(Kind::Minimal, seed, n))
        .collect()
}

fn is_unique(puzzle: &Puzzle) -> bool {
    let outcome = Mrv::new().solve(puzzle, Goal::ProveUnique, Limits::NONE);
    matches!(outcome.verdict, Verdict::Unique(_))
}

/// The puzzle with each digit replaced by the next one.
fn renamed(puzzle: &Puzzle) -> Puzzle {
    let labels = std::array::from_fn(|index| Digit::ALL[(index + 1) % 9]);
    Symmetry::relabel(labels).unwrap().puzzle(puzzle)
}

/// Another minimal puzzle with the same solution.
fn sibling(puzzle: &Puzzle) -> Puzzle {
    let outcome = Mrv::new().solve(puzzle, Goal::FirstSolution, Limits::NONE);
    let mut other = outcome.verdict.solution().unwrap().to_puzzle();
    // Givens of the first puzzle are removed first, so the result differs from it.
    let (given, blank): (Vec<Cell>, Vec<Cell>) =
        Cell::all().partition(|&cell| puzzle.given(cell).is_some());
    for cell in given.into_iter().chain(blank) {
        let mut without = other;
        without.set(cell, None);
        if is_unique(&without) {
            other = without;
        }
    }
    assert_ne!(other, *puzzle);
    other
}

fn dedup(texts: &[&str], same_by: SameBy, keep: &Keep) -> (String, Vec<String>, DedupTally) {
    let (_folder, paths) = files(texts);
    let mut out = Vec::new();
    let mut removed = Vec::new();
    let ran = watched(|watch| {
        let mut note = |row: &Row, kept: Option<&Place>| {
            let line = |place: &Place| place.line.to_string();
            removed.push(format!(
                "{} {}",
                line(&row.place),
                kept.map_or_else(String::new, line)
            ));
            Ok(())
        };
        Deduplicator::new(same_by).run(
            keep,
            || Ok::<_, StreamError>(Rows::open(paths.clone()).unwrap()),
            watch,
            &mut out,
            &mut note,
        )
    });
    let (tally, _) = ran.unwrap();
    (String::from_utf8(out).unwrap(), removed, tally)
}

#[test]
fn looser_equivalences_include_stricter_ones() {
    let [a, b] = puzzles(1, 2).try_into().unwrap();
    let all = [
        a,
        a,
        renamed(&a),
        image(&a, 5),
        sibling(&a),
        image(&sibling(&a), 6),
        b,
    ];
    let text = lines(&all);
    let kept = |same_by| {
        let (out, removed, tally) = dedup(&[&text], same_by, &Keep::First);
        assert_eq!(tally.kept + tally.removed, 7);
        assert_eq!(removed.len() as u64, tally.removed);
        let places = out
            .lines()
            .map(|line| text.lines().position(|of| of == line));
        places.map(|place| place.unwrap() + 1).collect::<Vec<_>>()
    };
    assert_eq!(kept(SameBy::Exact), [1, 3, 4, 5, 6, 7]);
    assert_eq!(kept(SameBy::Relabeling), [1, 4, 5, 6, 7]);
    assert_eq!(kept(SameBy::Puzzle), [1, 5, 7]);
    assert_eq!(kept(SameBy::Solution), [1, 7]);
    let (_, removed, _) = dedup(&[&text], SameBy::Puzzle, &Keep::First);
    assert_eq!(removed, ["2 1", "3 1", "4 1", "6 5"]);
}

#[test]
fn the_hardest_row_of_a_class_is_kept_with_all_columns() {
    let [a, b] = puzzles(2, 2).try_into().unwrap();
    let rows = [
        format!("first,{},1.5", a.to_line()),
        format!("\"the, hardest\",{},7.1", image(&a, 1).to_line()),
        format!("other,{},", b.to_line()),
        format!("as hard,{},7.1", image(&a, 2).to_line()),
        format!("no number,{},NaN", image(&b, 3).to_line()),
    ];
    let text = format!("name,puzzle,er\n{}\n", rows.join("\n"));
    let keep = Keep::Hardest { column: 2 };
    let (out, removed, tally) = dedup(&[&text], SameBy::Puzzle, &keep);
    assert_eq!(out, format!("name,puzzle,er\n{}\n{}\n", rows[1], rows[2]));
    assert_eq!((tally.kept, tally.removed), (2, 3));
    assert_eq!(removed, ["2 3", "5 3", "6 4"]);
}

#[test]
fn known_puzzles_are_removed_and_unsolvable_ones_stay() {
    let [a, b] = puzzles(3, 2).try_into().unwrap();
    let bad = Puzzle::empty();
    let (_folder, paths) = files(&[&lines(&[image(&a, 1)]), &lines(&[a, b, bad, bad])]);
    let mut out = Vec::new();
    let tally = watched(|watch| {
        let mut deduplicator = Deduplicator::new(SameBy::Solution);
        let known = Rows::open(vec![paths[0].clone()]).unwrap();
        deduplicator.against(known, watch).unwrap();
        let open = || Ok::<_, StreamError>(Rows::open(vec![paths[1].clone()]).unwrap());
        let ran = deduplicator.run(&Keep::First, open, watch, &mut out, &mut |_, kept| {
            assert_eq!(kept, None);
            Ok(())
        });
        ran.unwrap().0
    });
    assert_eq!(String::from_utf8(out).unwrap(), lines(&[b, bad, bad]));
    assert_eq!((tally.known, tally.unnamed, tally.kept), (1, 2, 3));
}

#[test]
fn files_with_other_columns_are_errors_and_the_rest_is_read() {
    let [a, b] = puzzles(4, 2).try_into().unwrap();
    let table = format!("puzzle,er\n{},1.2\n", a.to_line());
    let (_folder, paths) = files(&[&table, &lines(&[b]), &table]);
    let rows: Vec<_> = Rows::open(paths).unwrap().collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0].as_ref().unwrap().puzzle, a);
    let error = rows[1].as_ref().unwrap_err().to_string();
    assert!(
        error.contains("1.txt") && error.contains("columns"),
        "{error}"
    );
    assert_eq!(
        rows[2].as_ref().unwrap().text,
        rows[0].as_ref().unwrap().text
    );
}

#[test]
fn checks_agree_with_another_solver() {
    let mut all = puzzles(5, 20);
    let full = all[0];
    // With a redundant given, with a missing one, with two equal ones in a row, and with a wrong one.
    let outcome = Mrv::new().solve(&full, Goal::FirstSolution, Limits::NONE);
    let solution = *outcome.verdict.solution().unwrap();
    let blank = Cell::all()
        .find(|&cell| full.given(cell).is_none())
        .unwrap();
    let (given, digit) = full.givens().next().unwrap();
    let mut more = full;
    more.set(blank, Some(solution.digit(blank)));
    let mut fewer = full;
    fewer.set(given, None);
    let mut clash = full;
    let peer = given
        .peers()
        .into_iter()
        .find(|&cell| full.given(cell).is_none());
    clash.set(peer.unwrap(), Some(digit));
    all.extend([more, fewer, clash, Puzzle::empty()]);
    let lines: Vec<PuzzleLine> = all.iter().map(PuzzleLine::from).collect();
    for (puzzle, quality) in all.iter().zip(check(&mut Lockstep::new(), &lines)) {
        let Quality {
            solutions,
            redundant,
        } = quality;
        assert_eq!(solutions == Solutions::One, is_unique(puzzle), "{puzzle}");
        assert_eq!(
            matches!(solutions, Solutions::Clash(_)),
            !puzzle.is_consistent()
        );
        for (cell, _) in puzzle.givens() {
            let mut without = *puzzle;
            without.set(cell, None);
            let is_redundant = solutions == Solutions::One && is_unique(&without);
            assert_eq!(redundant.contains(cell), is_redundant, "{puzzle} {cell}");
        }
    }
    let mut puzzle = Puzzle::empty();
    for column in [1, 8] {
        puzzle.set(Cell::at(3, column).unwrap(), Some(Digit::ALL[6]));
    }
    let named = Clash::of(&puzzle).unwrap().to_string();
    assert_eq!(named, "row 4 has 7 twice: r4c2 and r4c9");
}

fn split(text: &str, by: SplitBy, shares: [f64; 3], seed: u64) -> Split {
    let (_folder, paths) = files(&[text]);
    let groups = watched(|watch| Groups::of(Rows::open(paths).unwrap(), by, None, watch));
    groups.unwrap().0.deal(shares, seed)
}

fn parts(split: &Split) -> Vec<Part> {
    let rows = 0..split.rows();
    rows.map(|row| split.row(row).unwrap().0).collect()
}

#[test]
fn a_split_depends_on_seed_and_puzzles_and_not_on_their_order() {
    let mut all: Vec<Puzzle> = puzzles(6, 60);
    let images: Vec<Puzzle> = (0..40).map(|n| image(&all[n % 20], n as u64)).collect();
    all.extend(images);
    let shares = [0.6, 0.2, 0.2];
    let by_puzzle = |all: &[Puzzle], seed| -> HashMap<Puzzle, Part> {
        let split = split(&lines(all), SplitBy::Puzzle, shares, seed);
        all.iter().copied().zip(parts(&split)).collect()
    };
    let first = by_puzzle(&all, 1);
    let mut backward = all.clone();
    backward.reverse();
    assert_eq!(by_puzzle(&backward, 1), first);
    assert_ne!(by_puzzle(&all, 2), first);
    let count = |part| first.values().filter(|&&is| is == part).count();
    assert!(
        (57..=63).contains(&count(Part::Train)),
        "{}",
        count(Part::Train)
    );
    assert!((17..=23).contains(&count(Part::Test)));
}

/// Whether two puzzles are neighbours, by removing givens from both and comparing all results.
fn are_neighbours(a: &Puzzle, b: &Puzzle, radius: usize) -> bool {
    fn rests(puzzle: &Puzzle, radius: usize, found: &mut HashSet<String>) {
        let line = PuzzleLine::from(puzzle);
        let mut canonizer = sudoku_batch::canon::Canonizer::new();
        let form = canonizer.minlex_line(&line);
        found.insert(String::from_utf8(form.as_bytes().to_vec()).unwrap());
        if radius > 0 {
            for (cell, _) in puzzle.givens() {
                let mut rest = *puzzle;
                rest.set(cell, None);
                rests(&rest, radius - 1, found);
            }
        }
    }
    let [mut of_a, mut of_b] = [HashSet::new(), HashSet::new()];
    rests(a, radius, &mut of_a);
    rests(b, radius, &mut of_b);
    !of_a.is_disjoint(&of_b)
}

/// Puzzles some of which are images, siblings and neighbours of each other.
fn family(seed: u64) -> Vec<Puzzle> {
    let mut all = puzzles(seed, 6);
    for number in 0..4 {
        let of = all[number];
        all.push(image(&of, seed + number as u64));
        all.push(image(&sibling(&of), seed));
        // One given moved: a neighbour, whether or not its solution is unique.
        let mut moved = of;
        let (cell, _) = of.givens().nth(number).unwrap();
        moved.set(cell, None);
        let blank = Cell::all().find(|&other| other != cell && of.given(other).is_none());
        moved.set(blank.unwrap(), Some(Digit::ALL[number]));
        all.push(image(&moved, seed + 7));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// The split is checked by the independent code that finds leaks, and that by comparing all pairs.
    #[test]
    fn a_split_never_leaks(seed in 0..1_000_000_u64, kind in 0..3_usize) {
        let all = family(seed);
        let text = lines(&all);
        let by = [SplitBy::Puzzle, SplitBy::Solution, SplitBy::Radius(1)][kind];
        let split = split(&text, by, [0.5, 0.2, 0.3], seed);
        let parts = parts(&split);
        let part = |wanted: Part| -> Vec<Puzzle> {
            let rows = all.iter().zip(&parts).filter(|(_, part)| **part == wanted);
            rows.map(|(puzzle, _)| *puzzle).collect()
        };
        let (same_by, radius) = match by {
            SplitBy::Exact => (SameBy::Exact, 0),
            SplitBy::Puzzle => (SameBy::Puzzle, 0),
            SplitBy::Solution => (SameBy::Solution, 0),
            SplitBy::Radius(radius) => (SameBy::Puzzle, radius),
        };
        for (train, test) in [(Part::Train, Part::Test), (Part::Validation, Part::Test)] {
            let (train, test) = (part(train), part(test));
            if train.is_empty() || test.is_empty() {
                continue;
            }
            let (_folder, paths) = files(&[&lines(&train), &lines(&test)]);
            let leaks = watched(|watch| {
                let open = |at: usize| Rows::open(vec![paths[at].clone()]).unwrap();
                let (mut leaks, _) = LeakTest::read(open(1), &[same_by], radius, None, watch).unwrap();
                leaks.compare(open(0), watch).unwrap();
                leaks
            });
            prop_assert!(leaks.table().is_clean());
            for a in &train {
                for b in &test {
                    prop_assert!(!are_neighbours(a, b, radius));
                }
            }
        }
        // Related puzzles are in the same part; putting everything in one part would be disjoint, too.
        let groups: HashSet<_> = (0..all.len()).map(|row| split.row(row).unwrap().1).collect();
        prop_assert!(groups.len() < all.len());
        prop_assert!(groups.len() >= 2);
    }

    #[test]
    fn leaks_agree_with_comparing_all_pairs(seed in 0..1_000_000_u64) {
        let all = family(seed);
        let (test, train): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(|(n, _)| n % 3 == 0);
        let plain = |rows: &[(usize, &Puzzle)]| -> Vec<Puzzle> {
            rows.iter().map(|(_, puzzle)| **puzzle).collect()
        };
        let (test, train) = (plain(&test), plain(&train));
        let (_folder, paths) = files(&[&lines(&train), &lines(&test)]);
        let kinds = [SameBy::Exact, SameBy::Relabeling, SameBy::Puzzle, SameBy::Solution];
        let leaks = watched(|watch| {
            let open = |at: usize| Rows::open(vec![paths[at].clone()]).unwrap();
            let (mut leaks, _) = LeakTest::read(open(1), &kinds, 2, None, watch).unwrap();
            leaks.compare(open(0), watch).unwrap();
            leaks
        });
        let mut identifier = Identifier::default();
        let mut counts = [0; 6];
        let lines_of = |of: &[Puzzle]| of.iter().map(PuzzleLine::from).collect::<Vec<_>>();
        for puzzle in &test {
            for (count, kind) in counts.iter_mut().zip(kinds) {
                let key = identifier.keys(&lines_of(&[*puzzle]), kind)[0];
                let there = identifier.keys(&lines_of(&train), kind);
                *count += u64::from(key.is_some() && there.contains(&key));
            }
            for radius in [1, 2] {
                let near = train.iter().any(|other| are_neighbours(puzzle, other, radius));
                counts[3 + radius] += u64::from(near);
            }
        }
        let table = leaks.table();
        let found: Vec<u64> = table.leaks.iter().map(|leak| leak.puzzles).collect();
        prop_assert_eq!(&found[..], &counts[..]);
        prop_assert!(counts[2] > 0 && counts[4] > 0);
        let listed = leaks.leaks().filter(|leak| leak.found[2].is_some()).count();
        prop_assert_eq!(listed as u64, counts[2]);
    }
}

#[test]
fn a_written_split_has_all_rows_and_its_proof_names_an_altered_file() {
    let all = family(9);
    let text = lines(&all);
    let (folder, paths) = files(&[&text]);
    let out = folder.path().join("sets");
    let shares = [0.5, 0.25, 0.25];
    let (groups, _) = watched(|watch| {
        Groups::of(
            Rows::open(paths.clone()).unwrap(),
            SplitBy::Solution,
            None,
            watch,
        )
    })
    .unwrap();
    let split = groups.deal(shares, 3);
    let rows = || Rows::open(paths.clone()).unwrap();
    let made = SplitMade {
        by: SplitBy::Solution,
        shares,
        seed: 3,
        reading: None,
        command: "sudoku-batch corpus split 0.txt".to_owned(),
    };
    let written = SplitProof::write(&out, &split, rows(), &paths, made.clone()).unwrap();
    let mut back: Vec<String> = Vec::new();
    for part in &written.parts {
        let text = std::fs::read_to_string(out.join(&part.file)).unwrap();
        assert_eq!(text.lines().count() as u64, part.rows);
        let whole = blake3::hash(text.as_bytes()).to_hex();
        assert_eq!(part.blake3, whole.as_str());
        back.extend(text.lines().map(str::to_owned));
    }
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    back.sort_unstable();
    assert_eq!(back, lines);
    assert_eq!(SplitProof::read(&out).unwrap(), written);
    let groups = std::fs::read_to_string(out.join("groups.csv")).unwrap();
    assert_eq!(groups.lines().count() as u64, written.groups + 1);
    // Rows that were not grouped are not in the split.
    let longer = format!("{text}{}", lines[0]);
    let (_folder, others) = files(&[&longer]);
    let other_rows = Rows::open(others.clone()).unwrap();
    let error = SplitProof::write(&out, &split, other_rows, &others, made).unwrap_err();
    assert!(error.to_string().contains("changed"), "{error}");
    std::fs::write(out.join("train.txt"), "").unwrap();
    let error = SplitProof::read(&out).unwrap_err().to_string();
    assert!(error.contains("train.txt"), "{error}");
}

#[test]
fn forms_have_the_same_key_for_every_image() {
    let all = puzzles(11, 5);
    let images: Vec<Puzzle> = (0..5).map(|n| image(&all[n], n as u64)).collect();
    let forms = |all: &[Puzzle], form| {
        let (_folder, paths) = files(&[&lines(all)]);
        let mut out = Vec::new();
        let columns = CanonColumns::Table { transform: true };
        let rows = Rows::open(paths).unwrap();
        watched(|watch| canonize_all(rows, form, columns, None, watch, &mut out)).unwrap();
        let mut table = csv::Reader::from_reader(&out[..]);
        let rows = table.deserialize::<HashMap<String, String>>();
        rows.map(Result::unwrap).collect::<Vec<_>>()
    };
    for form in [Form::Minlex, Form::Solution, Form::Pattern] {
        let (of_all, of_images) = (forms(&all, form), forms(&images, form));
        let names: HashSet<&str> = of_all.iter().map(|row| &*row["id"]).collect();
        assert_eq!(names.len(), 5);
        for (a, b) in of_all.iter().zip(&of_images) {
            for column in ["canon", "id", "automorphisms"] {
                assert_eq!(a[column], b[column], "{form:?} {column}");
            }
            let transform: Symmetry = b["transform"].parse().unwrap();
            let puzzle: Puzzle = b["puzzle"].parse().unwrap();
            let image = transform.puzzle(&puzzle).to_line();
            match form {
                Form::Pattern => {
                    let pattern = image.replace(|cell: char| cell != '.', "1");
                    assert_eq!(pattern, b["canon"]);
                }
                _ => assert_eq!(image, b["canon"]),
            }
        }
    }
    let (_folder, paths) = files(&[&lines(&[Puzzle::empty(), all[0]])]);
    let mut out = Vec::new();
    let rows = Rows::open(paths).unwrap();
    let (tally, without, _) = watched(|watch| {
        canonize_all(
            rows,
            Form::Solution,
            CanonColumns::FormOnly,
            None,
            watch,
            &mut out,
        )
    })
    .unwrap();
    assert_eq!((tally.puzzles, without), (2, 1));
    assert_eq!(out[0], b'\n');
}
