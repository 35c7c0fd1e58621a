//! Collections of boards of other sizes and shapes: which puzzles are the same, statistics and samples.

use crate::common::variants;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use sudoku_batch::canon::Canonizer;
use sudoku_batch::collection::{
    BinCount, CollectionStats, DedupTally, Deduplicator, Groups, Keep, Key, LeakTest, Part,
    ReadTally, SameBy, SampleConfig, SplitBy, StatsConfig, Watch, sample,
};
use sudoku_batch::corpus::Rows;
use sudoku_batch::generate::{Generator, GivensSymmetry, Kind, Span};
use sudoku_batch::grid::{Cell, Digit, Puzzle, PuzzleLine};
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::StreamError;
use sudoku_batch::variant::{
    Alphabet, Layout, OpenCorpora, Reading, Value, VariantCorpusError, VariantFile, VariantPuzzle,
    VariantQuality, VariantVerdict, write_cells,
};
use variants::{Random, generated, image, moved, puzzle, shuffled, written};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn images_have_one_form(seed: u64) {
        let puzzle = puzzle(seed);
        let image = image(&puzzle, &mut Random(seed ^ 1));
        prop_assert_eq!(puzzle.canonical_form(), image.canonical_form());
        if puzzle.layout().cages().is_empty() {
            let side = puzzle.layout().side();
            let labels: Vec<Value> = (0..side).rev().map(Value::at).collect();
            let relabeled = variants::relabeled(&puzzle, &labels);
            prop_assert_eq!(puzzle.relabeled_form(), relabeled.relabeled_form());
        }
        // Another given makes another puzzle.
        let given = puzzle.givens().iter().position(Option::is_some);
        if let Some(cell) = given {
            let fewer = puzzle.without(cell);
            prop_assert_ne!(puzzle.exact_form(), fewer.exact_form());
            prop_assert_ne!(puzzle.canonical_form(), fewer.canonical_form());
        }
    }
}

/// All images of a 4x4 board, as the smallest line.
fn least_image(puzzle: &VariantPuzzle) -> Vec<u8> {
    let mut orders = Vec::new();
    for bands in [[0, 1], [1, 0]] {
        for first in [[0, 1], [1, 0]] {
            for second in [[0, 1], [1, 0]] {
                let inner = [first, second];
                let order: Vec<usize> = (0..4)
                    .map(|row| bands[row / 2] * 2 + inner[row / 2][row % 2])
                    .collect();
                orders.push(order);
            }
        }
    }
    let mut least: Option<Vec<u8>> = None;
    for rows in &orders {
        for columns in &orders {
            for is_transposed in [false, true] {
                let form = moved(puzzle, rows, columns, is_transposed).relabeled_form();
                least = Some(least.map_or(form.clone(), |least| least.min(form)));
            }
        }
    }
    least.unwrap()
}

#[test]
fn small_boards_have_the_classes_that_all_images_show() {
    let mut random = Random(5);
    let boxes = variants::boxes(2, 2);
    let layout = Arc::new(Layout::with_boxes(boxes).unwrap());
    let (mut classes, mut images) = (HashMap::new(), HashMap::new());
    for number in 0..400 {
        let many = 2 + number % 4;
        let mut givens = vec![None; 16];
        for _ in 0..many {
            givens[random.below(16)] = Some(Value::at(random.below(4)));
        }
        let puzzle = VariantPuzzle::new(layout.clone(), givens).unwrap();
        let (class, least) = (puzzle.canonical_form(), least_image(&puzzle));
        assert_eq!(
            classes.entry(class.clone()).or_insert(least.clone()),
            &least
        );
        assert_eq!(images.entry(least).or_insert(class.clone()), &class);
    }
    assert!(
        classes.len() > 50 && classes.len() < 350,
        "{}",
        classes.len()
    );
}

#[test]
fn classic_boards_have_the_classes_of_the_classic_search() {
    let mut generator = Generator::default();
    let mut random = Random(9);
    let boxes = variants::boxes(3, 3);
    let layout = Arc::new(Layout::with_boxes(boxes).unwrap());
    let mut canonizer = Canonizer::new();
    let mut forms: HashMap<String, Vec<u8>> = HashMap::new();
    let mut keep = |line: &PuzzleLine, puzzle: &VariantPuzzle| {
        let known = forms.entry(canonizer.minlex_line(line).puzzle().to_line());
        assert_eq!(
            known.or_insert(puzzle.canonical_form()),
            &puzzle.canonical_form()
        );
    };
    for number in 0..20 {
        let classic = generator.puzzle(Kind::Minimal, 3, number);
        let digit = |cell| Some(Value::at(classic.given(cell)?.index()));
        let givens = Cell::all().map(digit).collect();
        let puzzle = VariantPuzzle::new(layout.clone(), givens).unwrap();
        keep(&PuzzleLine::from(&classic), &puzzle);
        let band = |random: &mut Random| -> Vec<usize> {
            let bands = shuffled(3, random);
            let rows: Vec<Vec<usize>> = (0..3).map(|_| shuffled(3, random)).collect();
            (0..9)
                .map(|row| bands[row / 3] * 3 + rows[row / 3][row % 3])
                .collect()
        };
        let (rows, columns) = (band(&mut random), band(&mut random));
        let image = moved(&puzzle, &rows, &columns, number % 2 == 0);
        let text = write_cells(image.givens(), Alphabet::OneBased).unwrap();
        keep(&PuzzleLine::from_slice(text.as_bytes()).unwrap(), &image);
    }
    assert_eq!(forms.len(), 20);
    let distinct: HashSet<&Vec<u8>> = forms.values().collect();
    assert_eq!(distinct.len(), 20);
}

/// A file of these lines, and its rows whenever they are asked for.
struct File(tempfile::TempDir);

impl File {
    fn of(lines: &[String]) -> File {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.txt"), lines.join("\n")).unwrap();
        File(folder)
    }

    fn rows(&self) -> Rows<VariantFile> {
        let paths: Vec<PathBuf> = vec![self.0.path().join("p.txt")];
        let corpora = OpenCorpora::open(paths, Some(Reading::default()), None);
        Rows::of(corpora.into_files()).unwrap()
    }
}

/// Calls `work` with a watch that nothing stops, and returns the errors, too.
fn watched<T>(work: impl FnOnce(&mut Watch<'_, VariantCorpusError>) -> T) -> (T, Vec<String>) {
    let mut errors = Vec::new();
    let done = work(&mut Watch {
        stop: &AtomicBool::new(false),
        on_error: &mut |error: &VariantCorpusError| errors.push(error.to_string()),
    });
    (done, errors)
}

fn dedup(lines: &[String], same_by: SameBy) -> (Vec<String>, Vec<String>, DedupTally) {
    let file = File::of(lines);
    let open = || Ok::<_, StreamError>(file.rows());
    let mut out = Vec::new();
    let mut removed = Vec::new();
    let (ran, _) = watched(|watch| {
        let mut deduplicator = Deduplicator::new(same_by);
        deduplicator.run(&Keep::First, open, watch, &mut out, &mut |row, kept| {
            removed.push(format!("{} {}", row.place.line, kept.unwrap().line));
            Ok(())
        })
    });
    let kept = String::from_utf8(out).unwrap();
    let kept = kept.lines().map(str::to_owned).collect();
    (kept, removed, ran.unwrap().0)
}

#[test]
fn one_of_each_class_is_kept_and_the_others_name_it() {
    for layout in ["4x4", "6x6", "x", "windoku", "7x7-jigsaw", "6x6-killer"] {
        let originals = generated(layout, 1, 6);
        let mut random = Random(7);
        let mut lines: Vec<String> = originals.iter().map(written).collect();
        lines.extend(originals.iter().map(written));
        lines.extend(
            originals
                .iter()
                .map(|puzzle| written(&image(puzzle, &mut random))),
        );
        let expected = |same_by: SameBy| {
            let form = |puzzle: &VariantPuzzle| match same_by {
                SameBy::Exact => puzzle.exact_form(),
                _ => puzzle.canonical_form(),
            };
            let forms: HashSet<Vec<u8>> = originals.iter().map(form).collect();
            forms.len()
        };
        let (kept, removed, tally) = dedup(&lines, SameBy::Puzzle);
        assert_eq!(kept.len(), expected(SameBy::Puzzle), "{layout}");
        assert_eq!(kept.len() + removed.len(), 18, "{layout}");
        assert!(removed.contains(&"7 1".to_owned()), "{layout}: {removed:?}");
        assert!(
            removed.contains(&"13 1".to_owned()),
            "{layout}: {removed:?}"
        );
        assert_eq!(tally.kept as usize, kept.len());
        // The rows are as they were, and in their order.
        let mut rest = lines.iter();
        assert!(kept.iter().all(|row| rest.any(|line| line == row)));
        // Copies are removed in any case, and solutions of images are images.
        let (kept, removed, _) = dedup(&lines, SameBy::Exact);
        assert!(removed.len() >= 6 && kept[..6] == lines[..6], "{layout}");
        let (by_solution, _, tally) = dedup(&lines, SameBy::Solution);
        assert!(by_solution.len() <= expected(SameBy::Puzzle), "{layout}");
        assert_eq!(tally.unnamed, 0, "{layout}");
    }
}

#[test]
fn statistics_add_up_and_are_those_of_single_checks() {
    let mut puzzles = generated("4x4", 2, 20);
    puzzles.extend(generated("6x6", 2, 10));
    puzzles.extend(generated("7x7-jigsaw", 2, 5));
    // Some with several solutions, some without, some that are not minimal.
    for at in 0..5 {
        let cell = puzzles[at]
            .givens()
            .iter()
            .position(Option::is_some)
            .unwrap();
        puzzles.push(puzzles[at].without(cell));
        let verdict = VariantQuality::of(&puzzles[at]).verdict;
        let VariantVerdict::Unique(solution) = verdict else {
            panic!("a puzzle has one solution");
        };
        puzzles.push(puzzles[at].solved(&solution));
        let mut givens = puzzles[at].givens().to_vec();
        givens[..2].fill(Some(Value::at(0)));
        puzzles.push(VariantPuzzle::new(puzzles[at].layout().clone(), givens).unwrap());
    }
    let mut lines: Vec<String> = puzzles.iter().map(written).collect();
    lines.insert(3, "12345".to_owned());
    let config = StatsConfig {
        difficulty: None,
        minimal: true,
        stop: None,
    };
    let file = File::of(&lines);
    let (counted, errors) = watched(|watch| CollectionStats::of(file.rows(), &config, watch));
    let (stats, _) = counted.unwrap();
    assert!(
        errors.len() == 1 && errors[0].contains(":4: "),
        "{errors:?}"
    );
    let read = ReadTally {
        puzzles: puzzles.len() as u64,
        bad_lines: 1,
        broken_files: 0,
    };
    assert_eq!(stats.read, read);
    let all = stats.one_solution + stats.many_solutions + stats.no_solution;
    assert_eq!(all, read.puzzles);
    assert!(stats.many_solutions >= 5 && stats.no_solution >= 5);
    assert_eq!(stats.givens.values().sum::<u64>(), read.puzzles);
    assert_eq!(stats.boards.values().sum::<u64>(), read.puzzles);
    assert_eq!(stats.redundant.values().sum::<u64>(), stats.one_solution);
    assert_eq!(stats.redundant[&0], stats.minimal.unwrap());
    let names: Vec<&str> = stats.boards.keys().map(String::as_str).collect();
    assert_eq!(names, ["4x4", "6x6, boxes 2x3", "7x7 jigsaw"]);
    let classes = stats.classes;
    assert!(classes.exact >= classes.relabeled && classes.relabeled >= classes.equivalent);
    let qualities = puzzles.iter().map(VariantQuality::of);
    let is_one = |quality: &VariantQuality| matches!(quality.verdict, VariantVerdict::Unique(_));
    let unique: Vec<VariantQuality> = qualities.filter(is_one).collect();
    assert_eq!(stats.one_solution, unique.len() as u64);
    let minimal = unique.iter().filter(|quality| quality.redundant.is_empty());
    assert_eq!(stats.minimal, Some(minimal.count() as u64));
    let exact: BTreeSet<Vec<u8>> = puzzles.iter().map(VariantPuzzle::exact_form).collect();
    assert_eq!(classes.exact, exact.len() as u64);
    // Minimal puzzles are counted only where they are asked for.
    let usual = StatsConfig::default();
    let (counted, _) = watched(|watch| CollectionStats::of(file.rows(), &usual, watch));
    let (usual, _) = counted.unwrap();
    assert_eq!((usual.minimal, usual.redundant.len()), (None, 0));
    assert_eq!(usual.one_solution, stats.one_solution);
}

/// Puzzles, an image of each, and an image of each with one more given of its solution.
fn family(layout: &str, seed: u64) -> Vec<VariantPuzzle> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    for original in generated(layout, seed, 6) {
        let VariantVerdict::Unique(solution) = VariantQuality::of(&original).verdict else {
            panic!("a puzzle has one solution");
        };
        let mut givens = original.givens().to_vec();
        let blank = givens.iter().position(Option::is_none).unwrap();
        givens[blank] = Some(solution.values()[blank]);
        let more = VariantPuzzle::new(original.layout().clone(), givens).unwrap();
        all.push(image(&original, &mut random));
        all.push(image(&more, &mut random));
        all.push(original);
    }
    all
}

/// What the solution of a puzzle shares with its images.
fn grid(puzzle: &VariantPuzzle) -> Vec<u8> {
    let VariantVerdict::Unique(solution) = VariantQuality::of(puzzle).verdict else {
        panic!("a puzzle has one solution");
    };
    puzzle.solved(&solution).canonical_form()
}

fn leaks(train: &File, test: &File, by: SameBy, radius: usize) -> LeakTest<VariantFile> {
    let (found, _) = watched(|watch| {
        let (mut leaks, _) = LeakTest::read(test.rows(), &[by], radius, None, watch).unwrap();
        leaks.compare(train.rows(), watch).unwrap();
        leaks
    });
    found
}

#[test]
fn a_split_never_leaks_and_what_is_not_split_does() {
    for (number, layout) in ["6x6", "x", "jigsaw", "killer", "6x6-killer", "windoku"]
        .into_iter()
        .enumerate()
    {
        let all = family(layout, number as u64 + 1);
        let lines: Vec<String> = all.iter().map(written).collect();
        let file = File::of(&lines);
        for (by, same_by, radius) in [
            (SplitBy::Puzzle, SameBy::Puzzle, 0),
            (SplitBy::Solution, SameBy::Solution, 0),
            (SplitBy::Radius(1), SameBy::Puzzle, 1),
        ] {
            let (grouped, _) = watched(|watch| Groups::of(file.rows(), by, None, watch));
            let split = grouped.unwrap().0.deal([0.5, 0.0, 0.5], 3);
            // Images are never different groups; nor is everything one.
            let groups: HashSet<Key> = (0..all.len())
                .map(|row| split.row(row).unwrap().1)
                .collect();
            let most = if by == SplitBy::Puzzle { 12 } else { 6 };
            assert!(
                (2..=most).contains(&groups.len()),
                "{layout} {by}: {groups:?}"
            );
            let side = |wanted: Part| -> Vec<usize> {
                (0..all.len())
                    .filter(|row| split.row(*row).unwrap().0 == wanted)
                    .collect()
            };
            let (train, test) = (side(Part::Train), side(Part::Test));
            assert!(!train.is_empty() && !test.is_empty());
            let file_of = |rows: &[usize]| {
                let rows = rows.iter().map(|row| lines[*row].clone());
                File::of(&rows.collect::<Vec<String>>())
            };
            let found = leaks(&file_of(&train), &file_of(&test), same_by, radius);
            assert!(found.table().is_clean(), "{layout} {by}");
            assert!(found.has_common_shape());
            for one in &train {
                for other in &test {
                    assert_ne!(all[*one].canonical_form(), all[*other].canonical_form());
                    if by == SplitBy::Solution {
                        assert_ne!(grid(&all[*one]), grid(&all[*other]), "{layout}");
                    }
                }
            }
            // One image on the other side is found.
            let (image, rest) = ([2], [0, 5, 8]);
            let found = leaks(&file_of(&rest), &file_of(&image), same_by, radius);
            assert_eq!(found.table().leaks[0].puzzles, 1, "{layout} {by}");
            let first = found.leaks().next().unwrap();
            assert_eq!(
                (first.puzzle, first.found[0].as_ref().unwrap().line),
                (lines[2].clone(), 1)
            );
        }
    }
}

#[test]
fn samples_are_balanced_and_follow_from_seed_and_puzzles_alone() {
    let lines: Vec<String> = generated("6x6", 4, 60).iter().map(written).collect();
    let draw = |lines: &[String], seed: u64| {
        let config = SampleConfig {
            per_bin: 3,
            difficulty: None,
            givens: Some("0..36".parse::<Span<usize>>().unwrap()),
            symmetry: None,
            seed,
        };
        let file = File::of(lines);
        let mut out = Vec::new();
        let (sampled, _) = watched(|watch| sample(file.rows(), &config, watch, &mut out));
        let (read, counts, _) = sampled.unwrap();
        assert_eq!(read.puzzles, 60);
        let text = String::from_utf8(out).unwrap();
        let kept: Vec<String> = text.lines().map(str::to_owned).collect();
        (kept, counts)
    };
    let (kept, counts) = draw(&lines, 1);
    let found: u64 = counts.values().map(|count| count.found).sum();
    assert_eq!(found, 60);
    let is_full = |count: &BinCount| count.taken == count.found.min(3);
    assert!(
        counts.len() > 1 && counts.values().all(is_full),
        "{counts:?}"
    );
    let taken: u64 = counts.values().map(|count| count.taken).sum();
    assert_eq!(kept.len() as u64, taken);
    let mut by_givens: BTreeMap<usize, u64> = BTreeMap::new();
    for line in &kept {
        let cells = line.split('\t').next().unwrap();
        *by_givens
            .entry(36 - cells.matches('.').count())
            .or_default() += 1;
    }
    let counted: BTreeMap<usize, u64> = counts
        .iter()
        .map(|(bin, count)| (bin.givens, count.taken))
        .collect();
    assert_eq!(by_givens, counted);
    assert_eq!(draw(&lines, 1).0, kept);
    let reversed: Vec<String> = lines.iter().rev().cloned().collect();
    let mut again = draw(&reversed, 1).0;
    again.reverse();
    assert_eq!(again, kept);
    assert_ne!(draw(&lines, 2).0, kept);
}

#[test]
fn what_a_flag_has_ended_is_not_counted() {
    static IS_STOPPED: AtomicBool = AtomicBool::new(true);
    let lines: Vec<String> = generated("6x6", 5, 3).iter().map(written).collect();
    let file = File::of(&lines);
    let config = StatsConfig {
        stop: Some(Stop(&IS_STOPPED)),
        ..StatsConfig::default()
    };
    let (counted, _) = watched(|watch| CollectionStats::of(file.rows(), &config, watch));
    assert_eq!(counted.unwrap().0, CollectionStats::default());
    let open = || Ok::<_, StreamError>(file.rows());
    let mut out = Vec::new();
    let (ran, _) = watched(|watch| {
        let mut deduplicator = Deduplicator::new(SameBy::Solution).until(Stop(&IS_STOPPED));
        deduplicator.run(&Keep::First, open, watch, &mut out, &mut |_, _| Ok(()))
    });
    assert_eq!((ran.unwrap().0.kept, out.len()), (0, 0));
}

proptest! {
    #[test]
    fn symmetries_of_boards_of_side_9_are_those_of_classic_ones(
        orbit in 0..9_usize, cells in prop::collection::vec(0..81_usize, 1..4), more in 0..82_usize,
    ) {
        let mut puzzle = Puzzle::empty();
        for cell in &cells {
            for image in GivensSymmetry::ALL[orbit].orbit(Cell::all().nth(*cell).unwrap()) {
                puzzle.set(image, Digit::new(1));
            }
        }
        if let Some(cell) = Cell::all().nth(more) {
            puzzle.set(cell, Digit::new(2));
        }
        for symmetry in GivensSymmetry::ALL {
            let is_given = |cell| puzzle.given(Cell::all().nth(cell).unwrap()).is_some();
            prop_assert_eq!(symmetry.holds_on(9, is_given), symmetry.holds(&puzzle));
        }
    }
}
