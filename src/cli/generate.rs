//! `sudoku-batch generate`: puzzles on stdout, the throughput on stderr.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use sudoku_batch::generate::{Distribution, Filter, GivensPattern, Kind, Made, Request};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::solve::Deadline;
use sudoku_batch::stream::{DrawLimits, Drawn, End, VariantMade, generate_all, generate_variants};
use sudoku_batch::variant::{Alphabet, Format, Reading, Regions, VariantKind};

use super::args::{Common, GenerateArgs, PuzzleKind};
use super::error::{CliError, print_error, print_hint, print_warning};
use super::interrupt::stop_flag;
use super::progress::bar;
use super::status::Status;
use super::threads::pool;

/// What boards of other sizes and shapes are asked for, if they are.
fn variant_kind(args: &GenerateArgs) -> Result<Option<VariantKind>, CliError> {
    let Some(mut layout) = args.layout else {
        return Ok(None);
    };
    if let Some(boxes) = args.boxes {
        let side = layout.regions.side();
        if boxes.side() != side || matches!(layout.regions, Regions::Jigsaw { .. }) {
            return Err(CliError::with_hint(
                format!("boxes of {boxes} do not fit this board"),
                format!("omit --boxes, or give boxes of {side} cells for a board with boxes"),
            ));
        }
        layout.regions = Regions::Boxes(boxes);
    }
    Ok(Some(VariantKind {
        layout,
        minimal: args.kind == Some(PuzzleKind::Minimal),
    }))
}

/// The most givens that minimal puzzles have now and then: of 100,000, some twenty.
const USUAL_MOST: usize = 28;

/// Whether so many givens are asked for that minimal puzzles hardly ever have them, and nothing that needs minimal ones.
fn wants_more_givens(args: &GenerateArgs) -> bool {
    let least = args.givens.and_then(|givens| givens.least);
    least.is_some_and(|least| least > USUAL_MOST)
        && args.distribution.is_none()
        && args.symmetry.is_none()
        && args.pattern.is_none()
}

/// What classic puzzles are asked for.
fn request(args: &GenerateArgs) -> Result<Request, CliError> {
    let request = Request {
        kind: match args.kind {
            Some(PuzzleKind::Easy) => Kind::Easy,
            Some(PuzzleKind::Any) => Kind::Any,
            Some(PuzzleKind::Minimal | PuzzleKind::Hard) => Kind::Minimal,
            None if wants_more_givens(args) => Kind::Any,
            None => Kind::Minimal,
        },
        distribution: args.distribution.map(Distribution::from),
        symmetry: args.symmetry,
        patterns: args.pattern.as_deref().map_or(Ok(Vec::new()), patterns)?,
        filter: Filter {
            er: args.er,
            level: args.level,
            givens: args.givens,
        },
    };
    if args.weights && request.distribution != Some(Distribution::Controlled) {
        return Err(CliError::with_hint(
            "the weights of this distribution are not known",
            "--weights requires --distribution controlled",
        ));
    }
    let checked = request.check();
    checked.map_err(|error| CliError::with_hint(error.to_string(), "omit one of them"))?;
    Ok(request)
}

/// The patterns of a file, or of stdin: one a line, with empty lines and comments between them.
fn patterns(path: &Path) -> Result<Vec<GivensPattern>, CliError> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let hint = "a pattern is a line of 81 characters: `.` for a blank, any other for a given";
    let text = read.map_err(|error| {
        CliError::with_hint(format!("cannot read {}: {error}", path.display()), hint)
    })?;
    let lines = text.lines().enumerate();
    let lines = lines.map(|(at, line)| (at + 1, line.trim()));
    let patterns = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            line.parse().map_err(|error| {
                let place = format!("{}:{number}: {error}", path.display());
                CliError::with_hint(place, hint)
            })
        });
    let patterns: Vec<GivensPattern> = patterns.collect::<Result<_, CliError>>()?;
    if patterns.is_empty() {
        let message = format!("{} has no pattern", path.display());
        return Err(CliError::with_hint(message, hint));
    }
    Ok(patterns)
}

/// The line of a classic puzzle: itself, or with its weight.
fn line(made: &Made, weights: bool) -> String {
    if weights {
        let givens = made.puzzle.given_count();
        format!("{},{givens},{:.6e}", made.puzzle, made.weight)
    } else {
        made.puzzle.to_line()
    }
}

/// The line of a puzzle.
fn fields(made: VariantMade) -> io::Result<String> {
    let (puzzle, _) = made.map_err(io::Error::other)?;
    let alphabet = Alphabet::usual(puzzle.layout().side());
    let line = Format::Fields.write(&puzzle, alphabet, None, &Reading::default());
    line.map_err(io::Error::other)
}

/// What to do where puzzles are not found.
const SCARCE: &str =
    "what is asked for is rare, or there is none: ask for a wider range, or wait longer";

/// What is said where a search takes long.
fn scarce(kept: u64, trials: u64, limits: DrawLimits<'_>) -> String {
    let drawn = counted(trials, "puzzle");
    let found = match kept {
        0 => format!("none of {drawn} drawn so far is as asked for"),
        kept => format!("{} of {drawn} drawn so far are as asked for", grouped(kept)),
    };
    match (limits.trials, limits.deadline.left()) {
        (None, None) => format!("{found}; --time-limit ends the search, and so does Ctrl-C"),
        _ => found,
    }
}

/// Decides when a search says that it finds nothing: where nothing was found in the first ten seconds, and each time
/// that nothing was found while its time tripled.
#[derive(Debug)]
struct Patience {
    next: Duration,
    kept: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            next: Duration::from_secs(10),
            kept: 0,
        }
    }
}

impl Patience {
    fn is_over(&mut self, elapsed: Duration, kept: u64) -> bool {
        if elapsed < self.next {
            return false;
        }
        self.next = elapsed * 3;
        kept == std::mem::replace(&mut self.kept, kept)
    }
}

pub(crate) fn run(common: &Common, args: &GenerateArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "`generate` has no summary to print as JSON",
            "omit --json; the puzzles go to stdout, one per line",
        ));
    }
    if args.kind == Some(PuzzleKind::Any) && args.layout.is_some() {
        return Err(CliError::with_hint(
            "`--kind any` is for classic boards",
            "leave out --kind, or use `--kind minimal`",
        ));
    }
    if args.kind == Some(PuzzleKind::Hard) {
        return Err(CliError::with_hint(
            "the kind `hard` was removed: select by rating instead",
            "use `--er 8..`",
        ));
    }
    let variant = variant_kind(args)?;
    let request = match variant {
        Some(_) => None,
        None => Some(request(args)?),
    };
    let pool = pool(common)?;
    let bar = bar(common, args.count, "puzzles");
    let started = Instant::now();
    let mut done = 0;
    let mut write = |lines: Vec<String>| {
        let mut out = io::stdout().lock();
        if args.weights && done == 0 {
            out.write_all(b"puzzle,givens,weight\n")?;
        }
        out.write_all((lines.join("\n") + "\n").as_bytes())?;
        out.flush()?;
        done += lines.len() as u64;
        bar.set_position(done);
        Ok(())
    };
    let (seed, count, stop) = (common.seed, args.count, stop_flag());
    let drawn = match (&request, variant) {
        (Some(request), _) => {
            let limits = DrawLimits {
                stop,
                trials: args.trials,
                deadline: Deadline::after(args.time_limit),
            };
            let mut patience = Patience::default();
            let mut kept = 0;
            let mut write = |made: Vec<Made>, trials: u64| {
                kept += made.len() as u64;
                if !request.filter.is_open() {
                    bar.set_message(format!("{} drawn", grouped(trials)));
                }
                if kept < count && patience.is_over(started.elapsed(), kept) && !common.quiet {
                    bar.suspend(|| print_warning(scarce(kept, trials, limits)));
                }
                if made.is_empty() {
                    return Ok(());
                }
                write(made.iter().map(|made| line(made, args.weights)).collect())
            };
            pool.install(|| generate_all(request, seed, count, limits, &mut write))
        }
        (None, Some(kind)) => {
            let mut write = |made: Vec<VariantMade>| {
                let lines = made.into_iter().map(fields);
                write(lines.collect::<io::Result<Vec<String>>>()?)
            };
            let end = pool.install(|| generate_variants(kind, seed, count, stop, &mut write));
            end.map(|end| Drawn {
                end,
                trials: count,
                gave_up: false,
            })
        }
        (None, None) => Ok(Drawn {
            end: End::Complete,
            trials: 0,
            gave_up: false,
        }),
    };
    let Drawn {
        end,
        trials,
        gave_up,
    } = drawn.map_err(CliError::new)?;
    bar.finish_and_clear();
    if end == End::Closed {
        return Ok(Status::Clean);
    }
    if !common.quiet {
        let seconds = started.elapsed().as_secs_f64();
        let rate = done as f64 / seconds;
        let rate = if rate < 10.0 {
            format!("{rate:.2}")
        } else {
            format!("{rate:.0}")
        };
        let how = match &request {
            Some(request) if trials > done => format!("; {request}; {trials} trials"),
            Some(request) => format!("; {request}"),
            None => String::new(),
        };
        let made = counted(done, "puzzle");
        anstream::eprintln!("{made} in {seconds:.2} s, {rate} per second{how}");
    }
    if gave_up {
        let wanted = counted(count, "puzzle");
        let drawn = grouped(trials);
        print_error(format!(
            "found {done} of {wanted}: given up after {drawn} were drawn"
        ));
        print_hint(SCARCE);
        return Ok(Status::Partial);
    }
    match end {
        End::Interrupted => Ok(Status::Interrupted),
        End::Complete | End::Closed => Ok(Status::Clean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_without_a_find_and_grows_with_the_search() {
        let mut patience = Patience::default();
        let mut is_over = |seconds, kept| patience.is_over(Duration::from_secs(seconds), kept);
        assert!(!is_over(9, 0));
        assert!(is_over(10, 0));
        assert!(!is_over(29, 0));
        assert!(is_over(30, 0));
        // Something was found meanwhile.
        assert!(!is_over(90, 1));
        assert!(is_over(270, 1));
    }

    #[test]
    fn a_long_search_reports_progress_and_how_it_ends() {
        let stop = std::sync::atomic::AtomicBool::new(false);
        let open = DrawLimits::only(&stop);
        let said = scarce(0, 12_800, open);
        assert!(
            said.starts_with("none of 12,800 puzzles drawn so far"),
            "{said}"
        );
        assert!(said.contains("--time-limit"), "{said}");
        let limits = DrawLimits {
            trials: Some(20_000),
            ..open
        };
        let said = scarce(3, 12_800, limits);
        assert!(said.starts_with("3 of 12,800"), "{said}");
        assert!(!said.contains("--time-limit"), "{said}");
    }
}
