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
  sudoku-batch recognize photos/                      every picture in a folder, recursively
  sudoku-batch recognize page.jpg --overlay           draw the solution back into the photo
  sudoku-batch recognize book.pdf scan.tif            each page is a photo, such as book.pdf#12
  sudoku-batch recognize homework.jpg --check         check the digits filled in
  sudoku-batch recognize app.png --marks --jsonl | jq -r .marks | sudoku-batch explain -
  sudoku-batch recognize clip.mp4 --overlay           follow the boards of a video
  sudoku-batch recognize inbox/ --watch               read photos as they arrive
  find . -name '*.jpg' -print0 | sudoku-batch recognize --files-from - -0
  sudoku-batch recognize photos/ --truth truth.csv    how accurate is it?
  sudoku-batch recognize photos/ --exclude '*_small.jpg' --exclude drafts/ --dry-run
  sudoku-batch recognize photos/ --jsonl | jq -r 'select(.solutions == \"1\").solution'

Exit codes: 0 every photo read, 1 some not read or read incorrectly, 2 error, 130 interrupted.")]
pub(crate) struct RecognizeArgs {
    /// Photos, PDF and multi-page TIFF files, videos, and folders to search for them; `-` is
    /// YUV4MPEG2 on stdin
    #[arg(value_name = "PATH", required_unless_present_any = ["files_from", "plan"], conflicts_with = "plan")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read further paths from a file, one per line; `-` is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "plan")]
    pub(crate) files_from: Option<PathBuf>,
    /// Paths in `--files-from` are separated by NUL bytes instead of newlines
    #[arg(short = '0', long = "null", requires = "files_from")]
    pub(crate) nul: bool,
    #[command(flatten)]
    pub(crate) names: NamesArgs,
    /// Print the files that would be read, one per line, and exit
    #[arg(long, conflicts_with_all = ["plan", "watch"])]
    pub(crate) dry_run: bool,
    /// Print each row as a JSON object on stdout as soon as it is read, instead of the summary
    #[arg(long, conflicts_with_all = ["plan", "json", "dry_run"])]
    pub(crate) jsonl: bool,
    /// Output folder
    #[arg(short, long, value_name = "DIR", default_value = "reports/recognize")]
    pub(crate) out: PathBuf,
    /// Wait until another run into the same folder has finished, instead of failing
    #[arg(long, conflicts_with = "plan")]
    pub(crate) wait: bool,
    /// Formats of the results table: `csv` writes `results.csv`, row by row as photos are read;
    /// `parquet` writes `results.parquet` with typed columns at the end of the run
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "csv"
    )]
    pub(crate) format: Vec<FormatName>,
    /// Ground truth to score against: a CSV file (`photo,givens`) or a folder of sidecar files
    /// [default: `same-stem.dat` or `same-stem.txt` beside a photo; `book#12.txt` for
    /// `book.pdf#12`]
    #[arg(long, value_name = "PATH")]
    pub(crate) truth: Option<PathBuf>,
    /// Write `overlays/`: each photo and video with the solutions drawn into the blanks, and boards
    /// in doubt outlined in orange
    #[arg(long)]
    pub(crate) overlay: bool,
    /// Write `overlays/` that mark digits filled in by hand: correct ones on green, wrong ones
    /// crossed out in red, with the correct digit beside them
    #[arg(long)]
    pub(crate) check: bool,
    /// Add a column `marks`: the pencil marks of a board that has some, as 729 characters for
    /// `explain`
    #[arg(long)]
    pub(crate) marks: bool,
    /// Write `crops/`: the 81 cells of each board, with a manifest for `train`
    #[arg(long)]
    pub(crate) save_crops: bool,
    /// Keep running, and read photos as they arrive in the folders; rows are added to `results.csv`
    /// and reported on one line each. Ctrl-C ends the run
    #[arg(long, conflicts_with = "plan")]
    pub(crate) watch: bool,
    /// Read only every N-th frame of videos
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: u64,
    /// Write `frames.jsonl`: each board in each frame of the videos
    #[arg(long)]
    pub(crate) frames: bool,
    /// Program that decodes and encodes videos
    #[arg(long, value_name = "PATH", default_value = "ffmpeg")]
    pub(crate) ffmpeg: PathBuf,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    /// Reuse the results of the last run into the output folder for photos with unchanged content
    /// and settings (the default)
    #[arg(long, conflicts_with = "fresh")]
    pub(crate) resume: bool,
    /// Read all photos again
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    /// Folder with the photos that are URLs in the plan, each named by its number in the plan; the
    /// Python package fetches them
    #[arg(
        long,
        value_name = "DIR",
        requires = "plan",
        help_heading = "One shard of a plan"
    )]
    pub(crate) fetched: Option<PathBuf>,
}

/// A format of the results table.
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
    /// Returns the formats of the results table.
    pub(crate) fn tables(&self) -> Vec<TableFormat> {
        self.format.iter().map(|&name| name.into()).collect()
    }

    /// Returns the arguments for reading photos afresh with a model and scoring them, all else by
    /// default.
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
