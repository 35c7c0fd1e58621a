//! Flags of `corpus`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sudoku_batch::collection::export::{Column, Format};
use sudoku_batch::collection::{Form, GREATEST_RADIUS, Number, SameBy, SplitBy};
use sudoku_batch::generate::{GivensSymmetry, Span, Tenths};

use super::layout::LayoutArgs;
use super::table::TableArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
All of them read classic puzzles as `solve` does: lines of 81 characters, grids of nine lines, or
CSV with a column `puzzle` or the like; plain, gzip or zstd; `-` is stdin. `check` reads other
boards, too. Rows that they write are as they stand in the input, with all of their columns, in the
same order. Two puzzles are equivalent if one of the 2 x 6^8 x 9! symmetries of the board (swapping
rows, columns, bands and stacks, turning it over, renaming digits) makes one of the other.

Examples:
  sudoku-batch corpus check puzzles.txt                  one solution each? no given too many?
  sudoku-batch corpus dedup puzzles.txt > different.txt  the first of each class
  sudoku-batch corpus leaks train.csv test.csv           what of the test set was trained on?
  sudoku-batch corpus split --group solution --out sets puzzles.csv

Exit codes: 0 all clean, 1 duplicates, leaks or bad rows found, 2 nothing done, 130 interrupted.")]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    pub(crate) command: CorpusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    /// Write the canonical form of each puzzle, with a stable name
    Canon(CanonArgs),
    /// Keep one of the puzzles that are the same in disguise
    Dedup(DedupArgs),
    /// Count how much of a test set is in a training set, in disguise or not
    Leaks(LeaksArgs),
    /// Split into training, validation and test sets that share nothing
    Split(SplitArgs),
    /// Check that each puzzle has one solution and no given too many
    Check(CheckArgs),
    /// Count puzzles by givens, difficulty, symmetry and what they share
    Stats(CollectionStatsArgs),
    /// Take as many puzzles of each difficulty or number of givens
    Sample(SampleArgs),
    /// Write different images of each puzzle, equivalent to it
    Augment(AugmentArgs),
    /// Find the puzzles that become of others when givens are exchanged
    Near(NearArgs),
    /// Write a data set for other programs, with a card that says what it is
    Export(ExportArgs),
}

/// Files of puzzles.
#[derive(Debug, Args)]
pub(crate) struct CorporaArgs {
    /// Files of puzzles; `-` is stdin, which is also read where none is given
    #[arg(value_name = "CORPUS")]
    pub(crate) corpora: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes CSV, one row a puzzle, in input order:

  puzzle         as it was given, blanks as `.`
  canon          the form: the least of all images, where a blank comes before 1
  id             20 hexadecimal digits of the form's BLAKE3 hash: the same for all images
  automorphisms  symmetries that leave the puzzle as it is; of a pattern, without renaming digits
  transform      with --transform: the symmetry that leads from `puzzle` to `canon`

Examples:
  sudoku-batch corpus canon puzzles.txt > forms.csv
  sudoku-batch corpus canon --plain puzzles.txt | sort -u | wc -l
  sudoku-batch corpus canon --form pattern --transform puzzles.txt

Exit codes: 0 all clean, 1 some lines bad or without the form, 2 nothing done, 130 interrupted.")]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// Which image stands for all of them
    #[arg(long, default_value = "minlex")]
    pub(crate) form: FormName,
    /// Add the symmetry that leads to the form
    #[arg(long, conflicts_with = "plain")]
    pub(crate) transform: bool,
    /// Write the forms alone, one a line
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormName {
    /// The least line of all images
    Minlex,
    /// The least of the images whose solution is the least grid; for puzzles with one solution
    Solution,
    /// The least pattern of givens, whatever their digits, written with 1
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
Examples:
  sudoku-batch corpus dedup puzzles.txt > different.txt
  sudoku-batch corpus dedup --by solution puzzles.txt    one puzzle of each solution grid
  sudoku-batch corpus dedup --hardest er rated.csv       the hardest of each class
  sudoku-batch corpus dedup --against known.txt --removed old.csv found.txt > new.txt

Exit codes: 0 nothing removed, 1 duplicates or bad rows found, 2 nothing done, 130 interrupted.")]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// Which puzzles count as the same
    #[arg(long, default_value = "puzzle")]
    pub(crate) by: SameByName,
    /// Keep the row with the greatest number in this column instead of the first one; reads the files twice
    #[arg(long, value_name = "COLUMN")]
    pub(crate) hardest: Option<String>,
    /// Remove what is the same as a puzzle of this file, too; can be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Vec<PathBuf>,
    /// Write what is removed as CSV: the puzzle, where it stands, and where the one stands that is kept
    #[arg(long, value_name = "FILE")]
    pub(crate) removed: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum SameByName {
    /// Those with the same givens
    Exact,
    /// Those that renaming digits makes the same
    Relabeling,
    /// Equivalent ones
    Puzzle,
    /// Those with equivalent solutions
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
The table counts the puzzles of TEST that TRAIN has, each kind by itself:

  exact          with the same givens
  relabeled      after digits are renamed
  equivalent     after a symmetry of the board
  same_solution  with an equivalent solution; only of puzzles with one solution
  neighbour_K    with --radius: images of each other are left once at most K givens are taken away
                 from each; players call it {-K+K}

Examples:
  sudoku-batch corpus leaks train.csv test.csv
  sudoku-batch corpus leaks --radius 1 --pairs pairs.csv train.csv test.csv
  sudoku-batch corpus leaks --page leaks.html train.csv test.csv
  sudoku-batch corpus leaks --split sets                 is what `corpus split` wrote disjoint?

Exit codes: 0 no leaks, 1 leaks or bad rows found, 2 nothing done, 130 interrupted.")]
pub(crate) struct LeaksArgs {
    /// File of puzzles that a model or a setting was made with
    #[arg(value_name = "TRAIN", required_unless_present = "split")]
    pub(crate) train: Option<PathBuf>,
    /// File of puzzles that it is tried on
    #[arg(value_name = "TEST", required_unless_present = "split")]
    pub(crate) test: Option<PathBuf>,
    /// Look for what `corpus split` promised of the files in this folder, instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["train", "by", "radius"])]
    pub(crate) split: Option<PathBuf>,
    /// Look for this kind and all that are stricter
    #[arg(long, default_value = "solution")]
    pub(crate) by: SameByName,
    /// Look for neighbours, too: up to so many givens are taken away from each; 2 takes ten times as long as 1
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = radius)]
    pub(crate) radius: usize,
    /// Write the puzzles found as CSV, with the first place in TRAIN for each kind
    #[arg(long, value_name = "FILE")]
    pub(crate) pairs: Option<PathBuf>,
    /// Write a page with the table and examples
    #[arg(long, value_name = "FILE", conflicts_with = "split")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// A radius that is not too large.
fn radius(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(radius) if radius <= GREATEST_RADIUS => Ok(radius),
        _ => Err(format!("expected a number from 0 to {GREATEST_RADIUS}")),
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes train, validation and test files with the rows as they stand; groups.csv, in which each
group of rows that belong together has one part; and split.json, with settings, sizes and hashes,
which `corpus leaks --split DIR` checks.

Examples:
  sudoku-batch corpus split --out sets puzzles.csv
  sudoku-batch corpus split --train 90% --validation 0 --test 10% --out sets puzzles.txt
  sudoku-batch corpus split --group radius:1 --seed 7 --out sets puzzles.txt
  sudoku-batch corpus leaks --split sets

Exit codes: 0 all clean, 1 some rows bad, 2 nothing done, 130 interrupted.")]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// What must not be parted: `puzzle` (equivalent puzzles), `solution` (puzzles with equivalent solutions) or
    /// `radius:K` (neighbours, and all that a chain of neighbours joins); `exact` parts all but equal puzzles, to see
    /// what leaks then
    #[arg(long, value_name = "GROUP", default_value = "solution")]
    pub(crate) group: SplitBy,
    /// Share of the training set: a percentage or a fraction
    #[arg(long, value_name = "SHARE", default_value = "80%", value_parser = share)]
    pub(crate) train: f64,
    /// Share of the validation set
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = share)]
    pub(crate) validation: f64,
    /// Share of the test set
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = share)]
    pub(crate) test: f64,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// A share as a fraction of 1.
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
Writes CSV, one row a puzzle, in input order:

  place      file and line
  puzzle     as it was given
  givens     how many
  solutions  one, many or none
  minimal    1 if there is one solution and no given can be left out
  redundant  the givens any one of which can be left out
  clash      two equal givens in a house, if that is why there is no solution

Boards of other sizes and shapes are checked too: `puzzle` then has its rules after tabs, as
`convert --to fields` writes it.

Examples:
  sudoku-batch corpus check puzzles.txt > checked.csv
  sudoku-batch corpus check --bad-only puzzles.txt       only those with no solution or many
  sudoku-batch corpus check --minimal --bad-only puzzles.txt
  sudoku-batch corpus check --json --page checked.html puzzles.txt

Exit codes: 0 all as they should be, 1 some not, or bad lines, 2 nothing done, 130 interrupted.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// Take puzzles with givens that can be left out for bad ones, too
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Write the rows of bad puzzles only
    #[arg(long)]
    pub(crate) bad_only: bool,
    /// Write a page with the counts and the first bad puzzles
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) layout: LayoutArgs,
}

/// Where the difficulty of a puzzle comes from.
#[derive(Debug, Args)]
pub(crate) struct DifficultyArgs {
    /// Column with the difficulty [default: `er`, if there is one]
    #[arg(long, value_name = "COLUMN", conflicts_with = "rate")]
    pub(crate) column: Option<String>,
    /// Rate each puzzle (ER, as `rate --profile se-1.2.1`): hard ones take seconds
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

Exit codes: 0 all clean, 1 some puzzles bad, or bad lines, 2 nothing done, 130 interrupted.")]
pub(crate) struct CollectionStatsArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    #[command(flatten)]
    pub(crate) difficulty: DifficultyArgs,
    /// Write a page with the histograms
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A bin holds the puzzles of one difficulty, in steps of --width, or of one number of givens or, where
both ranges are given, of one of each. Which puzzles of a bin are taken depends on --seed and the
puzzles alone, not on their order. Counts of the bins go to stderr.

Examples:
  sudoku-batch corpus sample --er 2..9 --per-bin 100 rated.csv > balanced.csv
  sudoku-batch corpus sample --er 7.. --width 0.1 --per-bin 20 rated.csv
  sudoku-batch corpus sample --givens 20..28 --per-bin 1000 --seed 7 puzzles.txt
  sudoku-batch corpus sample --per-bin 1000 puzzles.txt            a plain random sample

Exit codes: 0 all bins full, 1 some bins short, or bad lines, 2 nothing done, 130 interrupted.")]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// Puzzles of each bin
    #[arg(long, value_name = "N")]
    pub(crate) per_bin: NonZeroUsize,
    /// Bins by difficulty, within this range: 8..9.5, 8.. or ..3; ends included
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<Span<Number>>,
    /// Width of a bin of difficulty
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = width)]
    pub(crate) width: f64,
    #[command(flatten)]
    pub(crate) difficulty: DifficultyArgs,
    /// Bins by the number of givens, within this range: 22..24, 22.. or 24
    #[arg(long, value_name = "A..B")]
    pub(crate) givens: Option<Span<usize>>,
    /// Only puzzles whose pattern of givens has this symmetry, as `generate --symmetry` has it
    #[arg(long, value_name = "KIND")]
    pub(crate) symmetry: Option<GivensSymmetry>,
}

/// The width of a bin.
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
  source     the puzzle that it is an image of
  transform  the symmetry that leads from `source` to `puzzle`

All images of a puzzle are different, and each is as probable as any other. Which ones depends on
--seed and the puzzle alone. --moves takes a list of digits, bands, rows, stacks, columns and
transpose.

Examples:
  sudoku-batch corpus augment -n 100 puzzles.txt > images.csv
  sudoku-batch corpus augment -n 1000 --solutions --seed 7 train.csv > more.csv
  sudoku-batch corpus augment -n 8 --moves digits,transpose puzzles.txt
  sudoku-batch corpus augment -n 10 --plain puzzles.txt | sudoku-batch solve

Exit codes: 0 all written, 1 some lines bad, 2 nothing done, 130 interrupted.")]
pub(crate) struct AugmentArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// Images of each puzzle; one that has fewer gives all of them
    #[arg(short = 'n', long, value_name = "N", default_value = "1")]
    pub(crate) count: NonZeroUsize,
    /// What images are made by [default: all]
    #[arg(long, value_name = "MOVE", value_delimiter = ',')]
    pub(crate) moves: Vec<MoveName>,
    /// Add the solution of each image
    #[arg(long, conflicts_with = "plain")]
    pub(crate) solutions: bool,
    /// Write the images alone, one a line
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MoveName {
    /// Rename digits
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
A neighbour of a puzzle has K givens less and K others more, and one solution: {-K+K}, as players
write. Each is written once for each puzzle that it is a neighbour of; `corpus dedup` keeps one of
each class.

Examples:
  sudoku-batch corpus near hardest.txt > near.txt
  sudoku-batch corpus near --radius 2 --minimal puzzle.txt
  sudoku-batch corpus near --er 11.. hardest.txt | sudoku-batch corpus dedup --against hardest.txt

Exit codes: 0 all clean, 1 some lines bad or without a single solution, 2 nothing done, 130
interrupted.")]
pub(crate) struct NearArgs {
    #[command(flatten)]
    pub(crate) input: CorporaArgs,
    /// How many givens are exchanged; 2 takes some thousand times as long as 1
    #[arg(long, value_name = "K", default_value = "1", value_parser = exchanged)]
    pub(crate) radius: usize,
    /// Only neighbours of which no given can be left out
    #[arg(long)]
    pub(crate) minimal: bool,
    /// Only neighbours with an ER in this range, as `rate --profile se-1.2.1` has it: 8..9.5, 8.. or ..3
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<Span<Tenths>>,
}

/// How many givens are exchanged.
fn exchanged(text: &str) -> Result<usize, String> {
    match radius(text) {
        Ok(0) | Err(_) => Err(format!("expected a number from 1 to {GREATEST_RADIUS}")),
        exchanged => exchanged,
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: what a column of the input of the same name says is taken; the rest is worked out, but for
`weight`. `er`, `ep` and `ed` take seconds for each of the hardest puzzles.

  id              name of the row: 20 hexadecimal digits of the puzzle's BLAKE3 hash
  puzzle          81 cells in reading order, `.` for a blank
  solution        81 digits
  canon           canonical form of the puzzle
  grid_id         the same for all puzzles with equivalent solutions
  givens          how many
  automorphisms   symmetries that leave the puzzle as it is
  minimal         whether no given can be left out
  er, ep, ed      ratings, as `rate --profile se-1.2.1` has them
  guesses_median  median of the guesses of `mrv` over 101 symmetric copies
  source          file and line
  group, split    of --split: what must not be parted, and train, validation or test
  weight          of the input

`hrm` is the layout that the Hierarchical Reasoning Model and Tiny Recursive Models load: folders
train/ and test/ with NumPy arrays, cells plus one, and dataset.json; rows without a part are of
train/. All formats get README.md, a card with the command, the version and the hashes of the files.
Puzzles without a single solution are left out.

Examples:
  sudoku-batch corpus export --to parquet --out data puzzles.csv
  sudoku-batch corpus export --to csv --columns id,puzzle,solution,er,grid_id --out data puzzles.txt
  sudoku-batch corpus split --out sets puzzles.txt
  sudoku-batch corpus export --to hrm --split sets --copies 1000 --out sudoku

Exit codes: 0 all clean, 1 some lines bad or without a single solution, 2 nothing done, 130
interrupted.")]
pub(crate) struct ExportArgs {
    /// Files of puzzles; `-` is stdin, which is also read where none is given
    #[arg(value_name = "CORPUS", conflicts_with = "split")]
    pub(crate) corpora: Vec<PathBuf>,
    /// Take the parts that `corpus split` wrote to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) split: Option<PathBuf>,
    /// How it is written
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: ExportFormat,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Columns [default: id,puzzle,solution,givens,source, and with --split group,split]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) columns: Vec<Column>,
    /// With `hrm`: symmetric copies that join each puzzle of the training set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) copies: u32,
    /// What the card calls it
    #[arg(long, value_name = "TEXT", default_value = "Sudoku puzzles")]
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A table, puzzles.csv
    Csv,
    /// An object a line, puzzles.jsonl
    Jsonl,
    /// NumPy arrays puzzles.npy and solutions.npy, N x 81 bytes, and table.csv
    Npy,
    /// puzzles.parquet
    Parquet,
    /// The folders that HRM and TRM load
    Hrm,
}

impl From<ExportFormat> for Format {
    fn from(format: ExportFormat) -> Format {
        match format {
            ExportFormat::Csv => Format::Csv,
            ExportFormat::Jsonl => Format::Jsonl,
            ExportFormat::Npy => Format::Npy,
            ExportFormat::Parquet => Format::Parquet,
            ExportFormat::Hrm => Format::Hrm,
        }
    }
}
