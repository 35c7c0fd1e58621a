//! Measuring with solvers that give wrong answers, get stuck, are slow, or are inconsistent.

use std::collections::HashSet;
use std::io::Cursor;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sudoku_batch::bench::{
    AnswerKind, Bench, BenchConfig, CorpusMeasurement, CorpusRow, Event, PuzzleHash, Repeat,
    Rounds, Row, ThroughputRow,
};
use sudoku_batch::corpus::Corpus;
use sudoku_batch::generate::{Generator, Kind as Wanted};
use sudoku_batch::grid::{Candidate, CandidateGrid, Cell, Digit, Puzzle, PuzzleLine};
use sudoku_batch::roster::{ROSTER, SolverSpec, find};
use sudoku_batch::solve::{Effort, Goal, Limits, Mrv, Outcome, Solver, Verdict, one_by_one};

/// From Wikipedia's article on Sudoku.
const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A solver made of a function that may alter the answer of `mrv`.
struct Fake {
    /// For [`PUZZLE`] itself, which is never used in the warm-up.
    calls: u64,
    alter: fn(u64, &Puzzle, Outcome) -> Outcome,
}

impl Solver for Fake {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        one_by_one(lines, sink, |puzzle| {
            self.calls += u64::from(puzzle.to_line() == PUZZLE);
            let outcome = Mrv::new().solve(puzzle, goal, limits);
            (self.alter)(self.calls, puzzle, outcome)
        });
    }
}

macro_rules! fake {
    ($name:literal, $alter:expr) => {
        SolverSpec {
            name: $name,
            about: "a fake",
            complete: true,
            build: || {
                Box::new(Fake {
                    calls: 0,
                    alter: $alter,
                })
            },
            batch: 1,
        }
    };
}

fn mrv() -> SolverSpec {
    *find("mrv").unwrap()
}

/// A quick configuration: one pass over a corpus.
fn quick() -> BenchConfig {
    BenchConfig {
        repeat: Repeat {
            rounds: 0,
            least: Duration::ZERO,
            enough: Duration::ZERO,
        },
        ..BenchConfig::default()
    }
}

/// Rows of a measured corpus.
#[derive(Debug)]
struct Measured {
    corpus: CorpusRow,
    rows: Vec<Row>,
    throughput: Vec<ThroughputRow>,
}

impl From<&CorpusMeasurement> for Measured {
    fn from(measurement: &CorpusMeasurement) -> Measured {
        Measured {
            corpus: measurement.corpus_row(),
            rows: measurement.rows(),
            throughput: measurement.throughput_rows(),
        }
    }
}

fn measurement(
    config: BenchConfig,
    solvers: &[SolverSpec],
    text: &str,
) -> (CorpusMeasurement, Vec<String>) {
    let stop = AtomicBool::new(false);
    let bench = Bench::new(config, solvers.to_vec(), Vec::new(), &stop).unwrap();
    let corpus = Corpus::from_reader("f", Cursor::new(text.to_owned().into_bytes())).unwrap();
    let mut problems = Vec::new();
    let measurement = bench.corpus("c", "f", corpus, true, &mut |event| {
        if let Event::Problem(problem) = event {
            problems.push(problem.to_string());
        }
    });
    (measurement, problems)
}

fn measured(config: BenchConfig, solvers: &[SolverSpec], text: &str) -> (Measured, Vec<String>) {
    let (measurement, problems) = measurement(config, solvers, text);
    (Measured::from(&measurement), problems)
}

fn ambiguous() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

fn unsolvable() -> String {
    PUZZLE.replacen("53.", "535", 1)
}

/// A corpus with one puzzle of each kind.
fn mixed() -> String {
    format!("{PUZZLE}\n{}\n{}\n", ambiguous(), unsolvable())
}

#[test]
fn every_solver_answers_every_kind_of_puzzle_correctly() {
    let mut generator = Generator::default();
    let mut text = mixed();
    for n in 0..40 {
        text += &format!("{}\n", generator.puzzle(Wanted::Easy, 1, n));
    }
    for goal in [Goal::ProveUnique, Goal::FirstSolution] {
        let config = BenchConfig { goal, ..quick() };
        let (result, problems) = measured(config, ROSTER, &text);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(result.rows.len(), ROSTER.len());
        for (row, spec) in result.rows.iter().zip(ROSTER) {
            assert_eq!(row.solver, spec.name);
            assert_eq!((row.puzzles, row.covered, row.wrong), (43, 43, 0));
            assert_eq!(row.struck, None);
            let answered = row.unique + row.multiple + row.unsolvable;
            assert_eq!(answered + row.stuck + row.timeout, 43);
            // A slow machine may run into the limit of a puzzle with a slow row.
            if spec.complete && row.timeout == 0 {
                let first = goal == Goal::FirstSolution;
                assert_eq!(row.unique, if first { 42 } else { 41 });
                assert_eq!((row.unsolvable, row.stuck), (1, 0));
            }
            assert!(row.min_us <= row.median_us && row.median_us <= row.p90_us);
            assert!(row.p90_us <= row.p99_us && row.p99_us <= row.max_us);
            assert!(row.puzzles_per_s > 0.0 && row.total_s > 0.0);
        }
        assert_eq!(result.throughput.len(), ROSTER.len());
        assert!(
            result
                .throughput
                .iter()
                .all(|row| row.puzzles == 43 && row.struck.is_none())
        );
    }
}

#[test]
fn a_wrong_answer_disqualifies_the_row_and_is_reported_with_its_line() {
    let faults: [(SolverSpec, &str); 4] = [
        (
            fake!("no", |_, _, outcome| Outcome {
                verdict: Verdict::Unsolvable,
                ..outcome
            }),
            "there is no solution, but there is one",
        ),
        (
            fake!("only", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Multiple(two) => Verdict::Unique(two[0]),
                    verdict => verdict,
                },
                ..outcome
            }),
            "it claims a unique solution, but there are more",
        ),
        (
            fake!("twice", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Unique(one) => Verdict::Multiple(vec![one, one]),
                    verdict => verdict,
                },
                ..outcome
            }),
            "does not show different ones",
        ),
        (
            fake!("struck", |_, _, outcome| Outcome {
                verdict: match outcome.verdict {
                    Verdict::Unique(_) => {
                        let other: Puzzle = SOLUTION.replace(['1', '2'], ".").parse().unwrap();
                        let mut grid = CandidateGrid::new(&other).unwrap();
                        let cell = Cell::new(7).unwrap();
                        let digit = Digit::new(2).unwrap();
                        grid.place(Candidate { cell, digit }).unwrap();
                        Verdict::Stuck(Box::new(grid))
                    }
                    verdict => verdict,
                },
                ..outcome
            }),
            "it eliminated a candidate that belongs to a solution",
        ),
    ];
    for (faulty, why) in faults {
        let (result, problems) = measured(quick(), &[faulty, mrv()], &mixed());
        let row = &result.rows[0];
        assert!(
            row.wrong > 0 && row.struck.is_some() && !row.counts(),
            "{row:?}"
        );
        assert!(
            problems.iter().any(|problem| problem.contains(why)),
            "{problems:?}"
        );
        assert!(problems.iter().all(|problem| problem.contains(faulty.name)));
        let with_line = problems.iter().filter(|it| it.starts_with("f:"));
        assert!((1..=5).contains(&with_line.count()), "{problems:?}");
        assert_eq!((result.rows[1].wrong, &result.rows[1].struck), (0, &None));
        assert!(result.throughput[0].struck.is_some());
    }
}

#[test]
fn many_wrong_answers_are_counted_and_a_few_reported() {
    let faulty = fake!("no", |_, _, outcome| Outcome {
        verdict: Verdict::Unsolvable,
        ..outcome
    });
    let config = BenchConfig {
        throughput: false,
        ..quick()
    };
    let (result, problems) = measured(config, &[faulty], &format!("{PUZZLE}\n").repeat(50));
    let row = &result.rows[0];
    assert!(row.covered == 50 && row.wrong >= 100, "{row:?}");
    assert_eq!(problems.len(), 6);
    assert!(problems[5].starts_with("no on c: "), "{problems:?}");
}

#[test]
fn an_answer_that_is_wrong_only_in_later_rounds_is_caught() {
    let faulty = fake!("later", |calls, _, outcome| Outcome {
        verdict: if calls == 1500 {
            Verdict::Unsolvable
        } else {
            outcome.verdict
        },
        ..outcome
    });
    let config = BenchConfig {
        throughput: false,
        repeat: Repeat {
            rounds: 20,
            least: Duration::ZERO,
            enough: Duration::MAX,
        },
        ..quick()
    };
    let (result, _) = measured(config, &[faulty], PUZZLE);
    let row = &result.rows[0];
    assert_eq!((row.covered, row.unique, row.wrong), (1, 1, 1));
    assert!(row.struck.is_some());
}

#[test]
fn getting_stuck_and_running_out_of_time_are_not_wrong() {
    let stuck = fake!("stuck", |_, puzzle, outcome| Outcome {
        verdict: CandidateGrid::new(puzzle)
            .map_or(Verdict::Unsolvable, |grid| Verdict::Stuck(Box::new(grid))),
        ..outcome
    });
    let late = fake!("late", |_, _, outcome| Outcome {
        verdict: Verdict::OutOfBudget,
        ..outcome
    });
    let (result, problems) = measured(quick(), &[stuck, late], &mixed());
    assert_eq!(problems, Vec::<String>::new());
    let [stuck, late] = &result.rows[..] else {
        panic!("two rows");
    };
    assert_eq!((stuck.stuck, stuck.unsolvable), (2, 1));
    assert_eq!((late.timeout, late.no_guess_pct), (3, Some(0.0)));
}

#[test]
fn a_slow_solver_stops_at_its_budget_and_the_rest_is_still_read() {
    let slow = fake!("slow", |_, _, outcome| {
        std::thread::sleep(Duration::from_millis(2));
        outcome
    });
    let config = BenchConfig {
        budget: Duration::from_millis(20),
        chunk: 32,
        block: 16,
        ..quick()
    };
    let text = format!("{PUZZLE}\n").repeat(200) + "bad\n";
    let (result, problems) = measured(config, &[slow, mrv()], &text);
    assert_eq!(problems.len(), 1);
    let [slow, mrv] = &result.rows[..] else {
        panic!("two rows");
    };
    assert!(slow.cut && (1..=11).contains(&slow.covered), "{slow:?}");
    assert!(slow.puzzles == 200 && slow.unique == slow.covered);
    assert_eq!((mrv.covered, mrv.cut), (200, false));
    assert_eq!(result.throughput[0].puzzles, slow.covered);
    assert_eq!(
        (
            result.corpus.reading.puzzles,
            result.corpus.reading.bad_lines
        ),
        (200, 1)
    );
}

#[test]
fn small_corpora_are_repeated_and_counted_once() {
    let config = BenchConfig {
        throughput: false,
        repeat: Repeat {
            rounds: 10,
            least: Duration::ZERO,
            enough: Duration::MAX,
        },
        ..quick()
    };
    let (result, _) = measured(config, &[mrv()], &mixed());
    let row = &result.rows[0];
    assert_eq!((row.rounds.count(), row.covered), (10, 3));
    // A round is as many passes as fit into its time, but whole ones.
    for round in row.rounds.taken() {
        assert!(round.puzzles == 3 && round.solves > 3 && round.solves.is_multiple_of(3));
    }
    assert_eq!((row.unique, row.multiple, row.unsolvable), (1, 1, 1));
    assert!(
        row.rate_interval
            .is_some_and(|it| it.low <= row.puzzles_per_s)
    );
    assert!(
        row.repeats
            .is_some_and(|repeats| repeats % 2 == 1 && repeats > 1)
    );
}

#[test]
fn a_corpus_with_a_wrong_solution_is_reported() {
    let wrong = SOLUTION.replace('1', "2");
    let text = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n");
    let (result, problems) = measured(quick(), &[mrv()], &text);
    assert_eq!(
        problems,
        ["f:3: the solution given with the puzzle is not its solution"]
    );
    assert_eq!(
        (result.corpus.reading.wrong_solutions, result.rows[0].wrong),
        (1, 0)
    );
}

/// Everything but times and the machine.
fn timeless(mut row: Row) -> Row {
    for time in [
        &mut row.min_us,
        &mut row.median_us,
        &mut row.p90_us,
        &mut row.p99_us,
        &mut row.max_us,
    ] {
        *time = None;
    }
    for times in &mut row.by_guesses {
        (times.median_us, times.p90_us) = (0.0, 0.0);
    }
    Row {
        times: Vec::new(),
        answered: Vec::new(),
        total_s: 0.0,
        puzzles_per_s: 0.0,
        rate_interval: None,
        vs_fastest: None,
        repeats: None,
        rounds: Rounds::default(),
        ..row
    }
}

#[test]
fn the_same_seed_gives_the_same_rows_but_for_times() {
    let mut generator = Generator::default();
    let text: String = (0..100)
        .map(|n| format!("{}\n", generator.puzzle(Wanted::Easy, 2, n)))
        .collect();
    let rows = |seed, chunk| -> (Vec<Row>, PuzzleHash) {
        let config = BenchConfig {
            sample: Some(30),
            seed,
            chunk,
            block: 8,
            limits: Limits::NONE,
            throughput: false,
            ..quick()
        };
        let (result, _) = measured(config, ROSTER, &text);
        (
            result.rows.into_iter().map(timeless).collect(),
            result.corpus.reading.hash,
        )
    };
    assert_eq!(rows(1, 64), rows(1, 64));
    assert_eq!(rows(1, 64), rows(1, 16));
    assert_ne!(rows(1, 64).1, rows(2, 64).1);
}

#[test]
fn samples_are_reported_for_each_puzzle_and_solver_once() {
    let stop = AtomicBool::new(false);
    let bench = Bench::new(BenchConfig::default(), vec![mrv()], Vec::new(), &stop).unwrap();
    let corpus = Corpus::from_reader("f", Cursor::new(mixed().into_bytes())).unwrap();
    let mut seen = Vec::new();
    bench.corpus("c", "f", corpus, true, &mut |event| {
        if let Event::Sample { line, sample, .. } = event {
            assert!(sample.cost.is_some());
            seen.push((line, sample.kind));
        }
    });
    assert_eq!(
        seen,
        [
            (1, AnswerKind::Unique),
            (2, AnswerKind::Multiple),
            (3, AnswerKind::Unsolvable)
        ]
    );
}

#[test]
fn a_run_stopped_at_once_measures_nothing() {
    let stop = AtomicBool::new(true);
    let bench = Bench::new(quick(), vec![mrv()], Vec::new(), &stop).unwrap();
    let corpus = Corpus::from_reader("f", Cursor::new(mixed().into_bytes())).unwrap();
    let result = bench.corpus("c", "f", corpus, false, &mut |_| {});
    assert!(result.stopped);
    assert_eq!(result.rows()[0].covered, 0);
}

#[test]
fn effort_is_counted_once_per_puzzle() {
    let fixed = fake!("fixed", |_, _, outcome| Outcome {
        effort: Effort {
            guesses: 3,
            nodes: 7
        },
        ..outcome
    });
    let (result, _) = measured(BenchConfig::default(), &[fixed], &mixed());
    let row = &result.rows[0];
    assert_eq!((row.guesses_mean, row.nodes_mean), (Some(3.0), Some(7.0)));
    assert_eq!(row.no_guess_pct, Some(0.0));
}

/// A puzzle that a solver of the next test has received, and the size of the call.
static SEEN: Mutex<Vec<(usize, PuzzleLine)>> = Mutex::new(Vec::new());

/// Records its input and answers like `mrv`.
struct Spy;

impl Solver for Spy {
    fn solve_lines(
        &mut self,
        lines: &[PuzzleLine],
        goal: Goal,
        limits: Limits,
        sink: &mut dyn FnMut(Outcome),
    ) {
        let calls = lines.iter().map(|line| (lines.len(), *line));
        SEEN.lock().unwrap().extend(calls);
        Mrv::new().solve_lines(lines, goal, limits, sink);
    }
}

#[test]
fn a_block_is_one_call_and_the_warm_up_is_on_other_puzzles() {
    let spy = SolverSpec {
        name: "spy",
        build: || Box::new(Spy),
        ..mrv()
    };
    let mut generator = Generator::default();
    let puzzles: Vec<Puzzle> = (0..200)
        .map(|n| generator.puzzle(Wanted::Easy, 3, n))
        .collect();
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let config = BenchConfig {
        throughput: false,
        block: 100,
        ..quick()
    };
    let (result, problems) = measured(config, &[spy], &text);
    assert_eq!((result.rows[0].covered, problems.len()), (200, 0));
    let seen = std::mem::take(&mut *SEEN.lock().unwrap());
    let ours: HashSet<PuzzleLine> = puzzles.iter().map(PuzzleLine::from).collect();
    let of = |length: usize| seen.iter().filter(move |(calls, _)| *calls == length);
    let in_blocks: Vec<PuzzleLine> = of(100).map(|(_, line)| *line).collect();
    let expected: Vec<PuzzleLine> = puzzles.iter().map(PuzzleLine::from).collect();
    assert_eq!(in_blocks, expected);
    // Calls that are neither blocks nor single puzzles are the warm-up.
    let warm_up = seen.iter().filter(|(calls, _)| !matches!(calls, 1 | 100));
    assert!(warm_up.clone().count() > 100);
    assert!(warm_up.clone().all(|(_, line)| !ours.contains(line)));
    let alone = of(1).filter(|(_, line)| ours.contains(line)).count();
    assert!(alone >= 3 * 200 && alone % 200 % 100 == 0, "{alone}");
}

#[test]
fn parts_merge_to_the_whole() {
    let mut generator = Generator::default();
    let lines: Vec<String> = (0..48)
        .map(|n| format!("{}\n", generator.puzzle(Wanted::Easy, 5, n)))
        .collect();
    let lines = [lines.concat(), "bad\n".to_owned(), mixed().repeat(2)].concat();
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    let config = BenchConfig {
        block: 8,
        chunk: 16,
        limits: Limits::NONE,
        ..quick()
    };
    let solvers = ["bands", "mrv", "logic"].map(|name| *find(name).unwrap());
    let of = |lines: &[&str]| measurement(config, &solvers, &lines.concat()).0;
    let whole = of(&lines);
    for cut in [0, 1, 16, 49, lines.len()] {
        let (first, second) = lines.split_at(cut);
        let (mut merged, part) = (of(first), of(second));
        // Through a file, as from another machine.
        let json = serde_json::to_string(&part).unwrap();
        merged.merge(serde_json::from_str(&json).unwrap()).unwrap();
        assert_eq!(merged.reading, whole.reading, "{cut}");
        let rows =
            |of: &CorpusMeasurement| -> Vec<Row> { of.rows().into_iter().map(timeless).collect() };
        assert_eq!(rows(&merged), rows(&whole), "{cut}");
        let solves = |of: &CorpusMeasurement| -> Vec<(u64, u64)> {
            let all = of
                .solvers
                .iter()
                .map(|row| row.all_threads.as_ref().unwrap());
            let one = of.solvers.iter().map(|row| &row.rounds);
            let one = one.map(|rounds| rounds.taken().map(|round| round.puzzles).sum());
            one.zip(all.map(|all| all.puzzles)).collect()
        };
        assert_eq!(solves(&merged), solves(&whole), "{cut}");
    }
    let other = measurement(config, &solvers[1..], PUZZLE).0;
    assert!(of(&lines[..1]).merge(other).is_err());
}

#[test]
fn interruptions_are_not_counted_in_puzzle_times() {
    let interrupted = fake!("interrupted", |calls, _, outcome| {
        if calls == 2 {
            std::thread::sleep(Duration::from_millis(300));
        }
        outcome
    });
    let config = BenchConfig {
        throughput: false,
        ..quick()
    };
    let (result, _) = measured(config, &[interrupted], PUZZLE);
    let row = &result.rows[0];
    assert!(row.repeats.is_some_and(|repeats| repeats >= 3));
    assert!(row.max_us.is_some_and(|us| us < 100_000.0), "{row:?}");
}
