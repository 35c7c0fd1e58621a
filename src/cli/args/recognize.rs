//! Flags of `recognize`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sudoku_batch::recognize::TableFormat;

use super::names::NamesArgs;
use super::reader::ReaderArgs;
use super::shard::ShardArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch recognize photos/                      every picture in a folder and below
  sudoku-batch recognize page.jpg --overlay           draw the solution back into the photo
  sudoku-batch recognize book.pdf scan.tif            each page is a photo, such as book.pdf#12
  sudoku-batch recognize homework.jpg --check         which of the digits filled in are right?
  sudoku-batch recognize app.png --marks --jsonl | jq -r .marks | sudoku-batch explain -
  sudoku-batch recognize clip.mp4 --overlay           follow the boards of a video
  sudoku-batch recognize inbox/ --watch               read photos as they arrive
  find . -name '*.jpg' -print0 | sudoku-batch recognize --files-from - -0
  sudoku-batch recognize photos/ --truth truth.csv    how right is it?
  sudoku-batch recognize photos/ --exclude '*_small.jpg' --exclude drafts/ --dry-run
  sudoku-batch recognize photos/ --jsonl | jq -r 'select(.solutions == \"1\").solution'

Exit codes: 0 every photo read, 1 some not read or read wrong, 2 nothing done, 130 interrupted.")]
pub(crate) struct RecognizeArgs {
    /// Photos, PDF and TIFF files of many pages, videos, and folders to look for them in; `-` is YUV4MPEG2 on
    /// stdin
    #[arg(value_name = "PATH", required_unless_present_any = ["files_from", "plan"], conflicts_with = "plan")]
    pub(crate) paths: Vec<PathBuf>,
    /// Take more paths from a file, one a line; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths of `--files-from` end with a NUL byte, not with a line
    #[arg(short = '0', long = "null", requires = "files_from")]
    pub(crate) nul: bool,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    /// Print the files that would be read, one a line, and read none
    #[arg(long, conflicts_with_all = ["plan", "watch"])]
    pub(crate) dry_run: bool,
    /// Print each row as a JSON object on stdout as soon as it is read, in place of the summary
    #[arg(long, conflicts_with_all = ["plan", "json", "dry_run"])]
    pub(crate) jsonl: bool,
    /// Where the results go
    #[arg(short, long, value_name = "DIR", default_value = "reports/recognize")]
    pub(crate) out: PathBuf,
    /// Wait until another run into the same folder is over, in place of giving up
    #[arg(long, conflicts_with = "plan")]
    pub(crate) wait: bool,
    /// Formats of the table of results: `csv` is `results.csv`, row by row as photos are read; `parquet` is
    /// `results.parquet` with typed columns, when the run ends
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "csv"
    )]
    pub(crate) format: Vec<FormatName>,
    /// Givens to score against: a CSV file (`photo,givens`) or a folder of sidecar files
    /// [default: `same-stem.dat` or `same-stem.txt` beside a photo; `book#12.txt` for `book.pdf#12`]
    #[arg(long, value_name = "PATH")]
    pub(crate) truth: Option<PathBuf>,
    /// Write `overlays/`: each photo and video with its solutions drawn into the blanks
    #[arg(long)]
    pub(crate) overlay: bool,
    /// Write `overlays/` that say which of the digits filled in by hand are right: the ground of these is green, the
    /// others are crossed out in red, with the right digit beside them
    #[arg(long)]
    pub(crate) check: bool,
    /// Add a column `marks`: the pencil marks of a board that has some, 729 characters that `explain` takes
    #[arg(long)]
    pub(crate) marks: bool,
    /// Write `crops/`: the 81 cells of each grid, with a manifest that `train` reads
    #[arg(long)]
    pub(crate) save_crops: bool,
    /// Keep running, and read what arrives in the folders; rows are added to `results.csv` as they are
    /// read, and reported a line each. Ctrl-C ends the run
    #[arg(long, conflicts_with = "plan")]
    pub(crate) watch: bool,
    /// Of videos, read only every N-th frame
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: u64,
    /// Write `frames.jsonl`: each board in each frame of the videos
    #[arg(long)]
    pub(crate) frames: bool,
    /// The program that decodes and encodes videos
    #[arg(long, value_name = "PATH", default_value = "ffmpeg")]
    pub(crate) ffmpeg: PathBuf,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    /// Take photos whose content and settings are unchanged from the last run into the output
    /// folder (the default)
    #[arg(long, conflicts_with = "fresh")]
    pub(crate) resume: bool,
    /// Read every photo again
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    /// Folder with the photos that the plan has as URLs, each named by its number in the plan; the Python
    /// package fetches them
    #[arg(
        long,
        value_name = "DIR",
        requires = "plan",
        help_heading = "One shard of a plan"
    )]
    pub(crate) fetched: Option<PathBuf>,
}

/// A format of the table of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    Csv,
    Parquet,
}

impl From<FormatName> for TableFormat {
    fn from(name: FormatName) -> TableFormat {
        match name {
            FormatName::Csv => TableFormat::Csv,
            FormatName::Parquet => TableFormat::Parquet,
        }
    }
}

impl RecognizeArgs {
    /// The formats of the table of results.
    pub(crate) fn tables(&self) -> Vec<TableFormat> {
        self.format.iter().map(|&name| name.into()).collect()
    }

    /// Photos read afresh with a model, scored against the truth beside them, all else by default.
    pub(crate) fn scoring(photos: &Path, model: &Path, out: &Path) -> RecognizeArgs {
        RecognizeArgs {
            paths: vec![photos.to_owned()],
            files_from: None,
            nul: false,
            names: NamesArgs::default(),
            dry_run: false,
            jsonl: false,
            out: out.to_owned(),
            wait: false,
            format: vec![FormatName::Csv],
            truth: None,
            overlay: false,
            check: false,
            marks: false,
            save_crops: false,
            watch: false,
            every: 1,
            frames: false,
            ffmpeg: PathBuf::from("ffmpeg"),
            reader: ReaderArgs::of_model(model),
            resume: false,
            fresh: true,
            shard: ShardArgs::default(),
            fetched: None,
        }
    }
}
