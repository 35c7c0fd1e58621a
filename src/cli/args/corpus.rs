//! Flags of `corpus`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sudoku_batch::collection::{Form, GREATEST_RADIUS, Number, SameBy, SplitBy};
use sudoku_batch::generate::{GivensSymmetry, Span, Tenths};

use super::export::ExportArgs;
use super::layout::LayoutArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
All commands read puzzles as `solve` does: lines of 81 characters, grids of nine lines, or CSV with
a column `puzzle` or the like; plain, gzip or zstd; `-` is stdin; and boards of other sizes and
shapes. Rows are written as they are in the input, with all their columns, in the same order.

Two puzzles are equivalent if one of the 2 x 6^8 x 9! symmetries of the board (permuting rows,
columns, bands and stacks, transposing, relabeling digits) maps one to the other.

Examples:
  sudoku-batch corpus check puzzles.txt                  one solution each? redundant givens?
  sudoku-batch corpus dedup puzzles.txt > different.txt  the first of each class
  sudoku-batch corpus leaks train.csv test.csv           how much of the test set leaked?
  sudoku-batch corpus split --group solution --out sets puzzles.csv

Exit codes: 0 no findings, 1 duplicates, leaks or bad rows found, 2 error, 130 interrupted.")]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    pub(crate) command: CorpusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Write the canonical form of each puzzle, with a stable identifier
    Canon(CanonArgs),
    /// Remove puzzles that are equivalent to another one
    Dedup(DedupArgs),
    /// Count the puzzles of a test set that are also in a training set, even in disguise
    Leaks(LeaksArgs),
    /// Split into disjoint training, validation and test sets
    Split(SplitArgs),
    /// Check that each puzzle has exactly one solution, and find redundant givens
    Check(CheckArgs),
    /// Count puzzles by givens, difficulty, symmetry and equivalence
    Stats(CollectionStatsArgs),
    /// Draw equally many puzzles of each difficulty or number of givens
    Sample(SampleArgs),
    /// Write different equivalent images of each puzzle
    Augment(AugmentArgs),
    /// Find puzzles that differ from the input in a few givens
    Near(NearArgs),
    /// Write a data set for other programs, with a card that describes it
    Export(ExportArgs),
}

/// Files of puzzles.
#[derive(Debug, Args)]
pub(crate) struct CorporaArgs {
    /// Files of puzzles; `-` is stdin, the default
    #[arg(value_name = "CORPUS")]
    pub(crate) corpora: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes CSV, one row per puzzle, in input order:

  puzzle         as in the input, blanks as `.`
  canon          the form: the smallest of all images, where a blank comes before 1
  id             20 hexadecimal digits of the form's BLAKE3 hash: the same for all images
  automorphisms  number of symmetries that map the puzzle to itself; of a pattern, without relabeling
  transform      with --transform: the symmetry that maps `puzzle` to `canon`

On boards of other sizes and shapes, `canon` is one puzzle for all equivalent ones (see `corpus
dedup`), not the smallest, followed by its rules after tabs; rows and columns are reordered, so the
regions of a jigsaw may be scattered. `id` is the hash of its graph: the group in `groups.csv` of
`corpus split`. With --form solution, `canon` is the full board of the solution, without cages.
`automorphisms` is empty if there are too many to count. --transform is for classic boards only.

Examples:
  sudoku-batch corpus canon puzzles.txt > forms.csv
  sudoku-batch corpus canon --plain puzzles.txt | sort -u | wc -l
  sudoku-batch corpus canon --form pattern --transform puzzles.txt

Exit codes: 0 success, 1 some lines bad or without the form, 2 error, 130 interrupted.")]
pub(crate) struct CanonArgs {
    /// Which image is the canonical form
    #[arg(long, default_value = "minlex")]
    pub(crate) form: FormName,
    /// Add the symmetry from the puzzle to its form
    #[arg(long, conflicts_with = "plain")]
    pub(crate) transform: bool,
    /// Write only the forms, one per line
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormName {
    /// The smallest line of all images
    Minlex,
    /// The smallest of the images whose solution is the smallest grid; for puzzles with one
    /// solution
    Solution,
    /// The smallest pattern of givens, regardless of their digits, written with 1
    Pattern,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Form {
        match name {
            FormName::Minlex => Form::Minlex,
            FormName::Solution => Form::Solution,
            FormName::Pattern => Form::Pattern,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Boards of other sizes and shapes are equivalent if permuting rows and columns so that boxes,
regions, diagonals, windows and cages stay what they are, transposing, and relabeling values maps
one to the other; values of boards with cages are not relabeled.

Examples:
  sudoku-batch corpus dedup puzzles.txt > different.txt
  sudoku-batch corpus dedup --by solution puzzles.txt    one puzzle of each solution grid
  sudoku-batch corpus dedup --hardest er rated.csv       the hardest of each class
  sudoku-batch corpus dedup --against known.txt --removed old.csv found.txt > new.txt

Exit codes: 0 nothing removed, 1 duplicates or bad rows found, 2 error, 130 interrupted.")]
pub(crate) struct DedupArgs {
    /// When two puzzles count as the same
    #[arg(long, default_value = "puzzle")]
    pub(crate) by: SameByName,
    /// Keep the row with the largest number in this column instead of the first one; reads the
    /// files twice
    #[arg(long, value_name = "COLUMN")]
    pub(crate) hardest: Option<String>,
    /// Also remove puzzles that are the same as one in this file; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Vec<PathBuf>,
    /// Write the removed puzzles as CSV: the puzzle, its place, and the place of the one that was
    /// kept
    #[arg(long, value_name = "FILE")]
    pub(crate) removed: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum SameByName {
    /// The givens are the same
    Exact,
    /// The givens are the same after relabeling digits
    Relabeling,
    /// The puzzles are equivalent
    Puzzle,
    /// The solutions are equivalent
    Solution,
}

impl From<SameByName> for SameBy {
    fn from(name: SameByName) -> SameBy {
        match name {
            SameByName::Exact => SameBy::Exact,
            SameByName::Relabeling => SameBy::Relabeling,
            SameByName::Puzzle => SameBy::Puzzle,
            SameByName::Solution => SameBy::Solution,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
The table counts the puzzles of TEST that are in TRAIN, by kind:

  exact          with the same givens
  relabeled      after relabeling digits
  equivalent     after a symmetry of the board
  same_solution  with an equivalent solution; only of puzzles with one solution
  neighbour_K    with --radius: equivalent after removing at most K givens from each;
                 players call it {-K+K}

Boards of other sizes and shapes are compared in the same way (see `corpus dedup` for when they are
equivalent). If no board of TEST could be equivalent to one of TRAIN, for example because all have
other sizes, that is an error.

Examples:
  sudoku-batch corpus leaks train.csv test.csv
  sudoku-batch corpus leaks --radius 1 --pairs pairs.csv train.csv test.csv
  sudoku-batch corpus leaks --page leaks.html train.csv test.csv
  sudoku-batch corpus leaks --split sets                 check the result of `corpus split`

Exit codes: 0 no leaks, 1 leaks or bad rows found, 2 error, 130 interrupted.")]
pub(crate) struct LeaksArgs {
    /// Puzzles that a model or setting was made with
    #[arg(value_name = "TRAIN", required_unless_present = "split")]
    pub(crate) train: Option<PathBuf>,
    /// Puzzles that it is tested on
    #[arg(value_name = "TEST", required_unless_present = "split")]
    pub(crate) test: Option<PathBuf>,
    /// Check the files in this folder, written by `corpus split`, for what they must not share
    #[arg(long, value_name = "DIR", conflicts_with_all = ["train", "by", "radius"])]
    pub(crate) split: Option<PathBuf>,
    /// Look for this kind of leak and all stricter ones
    #[arg(long, default_value = "solution")]
    pub(crate) by: SameByName,
    /// Look for neighbours, too: up to K givens are removed from each; 2 takes ten times as long as
    /// 1
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = radius)]
    pub(crate) radius: usize,
    /// Write the puzzles found as CSV, with the first place in TRAIN for each kind
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Write an HTML page with the table and examples
    #[arg(long, value_name = "FILE", conflicts_with = "split")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

/// Parses a radius that is not too large.
fn radius(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(radius) if radius <= GREATEST_RADIUS => Ok(radius),
        _ => Err(format!("expected a number from 0 to {GREATEST_RADIUS}")),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes train, validation and test files with the rows of the input; groups.csv, with the group and
the set of each row; and split.json, with settings, sizes and hashes, which `corpus leaks --split
DIR` checks. Boards of other sizes and shapes are split in the same way (see `corpus dedup` for when
they are equivalent); flags for them are recorded in split.json.

Examples:
  sudoku-batch corpus split --out sets puzzles.csv
  sudoku-batch corpus split --train 90% --validation 0 --test 10% --out sets puzzles.txt
  sudoku-batch corpus split --group radius:1 --seed 7 --out sets puzzles.txt
  sudoku-batch corpus leaks --split sets

Exit codes: 0 success, 1 some rows bad, 2 error, 130 interrupted.")]
pub(crate) struct SplitArgs {
    /// What to keep together: `puzzle` (equivalent puzzles), `solution` (puzzles with equivalent
    /// solutions) or `radius:K` (chains of neighbours); `exact` separates all but equal puzzles, to
    /// see what leaks then
    #[arg(long, value_name = "GROUP", default_value = "solution")]
    pub(crate) group: SplitBy,
    /// Share of the training set, as a percentage or a fraction
    #[arg(long, value_name = "SHARE", default_value = "80%", value_parser = share)]
    pub(crate) train: f64,
    /// Share of the validation set
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = share)]
    pub(crate) validation: f64,
    /// Share of the test set
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = share)]
    pub(crate) test: f64,
    /// Output folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

/// Parses a share as a fraction of 1.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=1.0).contains(&(number * unit)) => Ok(number * unit),
        _ => Err("expected a share such as 10% or 0.1".to_owned()),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes CSV, one row per puzzle, in input order:

  place      file and line
  puzzle     as in the input
  givens     number of givens
  solutions  one, many or none
  minimal    1 if there is one solution and no given is redundant
  redundant  givens that can be left out, one at a time
  clash      two equal givens in a house, if that is why there is no solution

Boards of other sizes and shapes are checked too: `puzzle` is then followed by its rules after tabs,
as by `convert --to fields`.

Examples:
  sudoku-batch corpus check puzzles.txt > checked.csv
  sudoku-batch corpus check --bad-only puzzles.txt       only those without exactly one solution
  sudoku-batch corpus check --minimal --bad-only puzzles.txt
  sudoku-batch corpus check --json --page checked.html puzzles.txt

Exit codes: 0 all puzzles are valid, 1 some are not, or bad lines, 2 error, 130 interrupted.")]
pub(crate) struct CheckArgs {
    /// Count puzzles with redundant givens as bad, too
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Write only the rows of bad puzzles
    #[arg(long)]
    pub(crate) bad_only: bool,
    /// Write a page with the counts and the first bad puzzles
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

/// The source of the difficulty of puzzles.
#[derive(Debug, Args)]
pub(crate) struct DifficultyArgs {
    /// Column with the difficulty [default: `er`, if present]
    #[arg(long, value_name = "COLUMN", conflicts_with = "rate")]
    pub(crate) column: Option<String>,
    /// Rate each puzzle (ER, as by `rate --profile se-1.2.1`); hard ones take seconds
    #[arg(long)]
    pub(crate) rate: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch corpus stats puzzles.txt
  sudoku-batch corpus stats --rate --page stats.html puzzles.txt
  sudoku-batch rate --profile se-1.2.1 puzzles.txt > rated.csv
  sudoku-batch corpus stats --json rated.csv             difficulty from the column `er`
  sudoku-batch corpus stats --boxes 2x3 --minimal six.txt

Exit codes: 0 success, 1 some puzzles or lines bad, 2 error, 130 interrupted.")]
pub(crate) struct CollectionStatsArgs {
    #[command(flatten)]
    pub(crate) difficulty: DifficultyArgs,
    /// Count minimal puzzles among boards of other sizes and shapes, too, by solving each puzzle
    /// once more per given; among classic ones they are always counted
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Write an HTML page with the histograms
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A bin has the puzzles of one difficulty, in steps of --width, or of one number of givens, or of one
combination of both if both ranges are given. Which puzzles of a bin are drawn depends on --seed and
the puzzles, but not on their order. Counts of the bins go to stderr.

Examples:
  sudoku-batch corpus sample --er 2..9 --per-bin 100 rated.csv > balanced.csv
  sudoku-batch corpus sample --er 7.. --width 0.1 --per-bin 20 rated.csv
  sudoku-batch corpus sample --givens 20..28 --per-bin 1000 --seed 7 puzzles.txt
  sudoku-batch corpus sample --per-bin 1000 puzzles.txt            a plain random sample

Exit codes: 0 all bins full, 1 some bins short, or bad lines, 2 error, 130 interrupted.")]
pub(crate) struct SampleArgs {
    /// Number of puzzles per bin
    #[arg(long, value_name = "N")]
    pub(crate) per_bin: NonZeroUsize,
    /// Bin by difficulty, within this range: 8..9.5, 8.. or ..3; both ends are included
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<Span<Number>>,
    /// Width of a difficulty bin
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = width)]
    pub(crate) width: f64,
    #[command(flatten)]
    pub(crate) difficulty: DifficultyArgs,
    /// Bin by the number of givens, within this range: 22..24, 22.. or 24
    #[arg(long, value_name = "A..B")]
    pub(crate) givens: Option<Span<usize>>,
    /// Only puzzles whose pattern of givens has this symmetry; see `generate --symmetry`
    #[arg(long, value_name = "KIND")]
    pub(crate) symmetry: Option<GivensSymmetry>,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

/// Parses the width of a bin.
fn width(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(width) if (0.05..=100.0).contains(&width) => Ok(width),
        _ => Err("expected a number from 0.05 to 100".to_owned()),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes CSV, the images of each puzzle in turn:

  puzzle     the image
  solution   with --solutions: that of the image, if it has one and no other
  source     the original puzzle
  transform  the symmetry that maps `source` to `puzzle`

All images of a puzzle are different, and drawn uniformly. They depend on --seed and the puzzle
alone. --moves takes a list of digits, bands, rows, stacks, columns and transpose.

Images of boards of other sizes and shapes have the same boxes, diagonals and windows. A jigsaw and
cages are only rotated and reflected, for which both bands and rows, or both stacks and columns,
must be among the moves. Puzzles with cages keep their digits, and boards whose boxes are not square
are not transposed.

Examples:
  sudoku-batch corpus augment -n 100 puzzles.txt > images.csv
  sudoku-batch corpus augment -n 1000 --solutions --seed 7 train.csv > more.csv
  sudoku-batch corpus augment -n 8 --moves digits,transpose puzzles.txt
  sudoku-batch corpus augment -n 10 --plain puzzles.txt | sudoku-batch solve

Exit codes: 0 all written, 1 some lines bad, 2 error, 130 interrupted.")]
pub(crate) struct AugmentArgs {
    /// Images per puzzle; one that has fewer gives all of them
    #[arg(short = 'n', long, value_name = "N", default_value = "1")]
    pub(crate) count: NonZeroUsize,
    /// Symmetries to use [default: all]
    #[arg(long, value_name = "MOVE", value_delimiter = ',')]
    pub(crate) moves: Vec<MoveName>,
    /// Add the solution of each image
    #[arg(long, conflicts_with = "plain")]
    pub(crate) solutions: bool,
    /// Write only the images, one per line
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MoveName {
    /// Relabel digits
    Digits,
    /// Permute the bands
    Bands,
    /// Permute the rows of each band
    Rows,
    /// Permute the stacks
    Stacks,
    /// Permute the columns of each stack
    Columns,
    /// Swap rows with columns
    Transpose,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A neighbour of a puzzle lacks K of its givens, has K others instead, and has exactly one solution;
players write {-K+K}. A neighbour of several puzzles is written once for each; use `corpus dedup` to
keep one of each class. Boards of other sizes and shapes keep their rules, and have no ER.

Examples:
  sudoku-batch corpus near hardest.txt > near.txt
  sudoku-batch corpus near --radius 2 --minimal puzzle.txt
  sudoku-batch corpus near --er 11.. hardest.txt | sudoku-batch corpus dedup --against hardest.txt

Exit codes: 0 success, 1 some lines bad or without exactly one solution, 2 error, 130 interrupted.")]
pub(crate) struct NearArgs {
    /// How many givens are exchanged; 2 takes about a thousand times as long as 1
    #[arg(long, value_name = "K", default_value = "1", value_parser = exchanged)]
    pub(crate) radius: usize,
    /// Only neighbours without redundant givens
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Only neighbours with an ER in this range (see `rate --profile se-1.2.1`): 8..9.5, 8.. or ..3
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<Span<Tenths>>,
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
}

/// Parses the number of exchanged givens.
fn exchanged(text: &str) -> Result<usize, String> {
    match radius(text) {
        Ok(0) | Err(_) => Err(format!("expected a number from 1 to {GREATEST_RADIUS}")),
        exchanged => exchanged,
    }
}
