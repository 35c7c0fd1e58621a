//! Flags of `dataset`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sudoku_batch::render::SceneStyle;

use super::common::from_one;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth crops -n 100000 --out crops/rendered
  sudoku-batch dataset harvest photos/ --out crops/mine
  sudoku-batch dataset stats crops/rendered crops/mine
  sudoku-batch train crops/rendered crops/mine

Exit codes: 0 success, 1 some photos, crops or rows left out, 2 error, 130 interrupted.")]
pub(crate) struct DatasetArgs {
    #[command(subcommand)]
    pub(crate) command: DatasetCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DatasetCommand {
    /// Render labeled crops or photos
    #[command(
        subcommand,
        after_help = "\
Examples:
  sudoku-batch dataset synth crops -n 100000 --out crops/rendered
  sudoku-batch dataset synth photos -n 200 --out photos/rendered

Exit codes: 0 all rendered, 2 error, 130 interrupted."
    )]
    Synth(SynthCommand),
    /// Cut labeled crops from photos with ground truth (a .dat or .txt file beside each)
    Harvest(HarvestArgs),
    /// Count labeled crops, and check their balance, bias and leaks across the split
    Stats(StatsArgs),
    /// Make a page of the photos of a `recognize` run that need a human look first
    Review(ReviewArgs),
    /// Convert corrections made in a page to ground truth and labeled crops
    Apply(ApplyArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SynthCommand {
    /// Render crops of single cells, in sheets with a manifest, ready for `train`
    Crops(SynthCropsArgs),
    /// Render photos in many styles, each with its ground truth (same-stem.txt), and corners.csv
    Photos(SynthPhotosArgs),
    /// Render videos by a hand-held camera, each with its ground truth (same-stem.txt)
    Videos(SynthVideosArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SynthArgs {
    /// Number to render
    #[arg(short = 'n', long, value_name = "N", value_parser = from_one)]
    pub(crate) count: NonZeroUsize,
    /// Output folder
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Folders and files of fonts (.ttf, .otf)
    #[arg(long, value_name = "DIR", num_args = 1.., default_value = "/usr/share/fonts")]
    pub(crate) fonts: Vec<PathBuf>,
    /// Effects as JSON, in the form of `config` in the config.json that is written; missing ones
    /// keep their defaults
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth crops -n 100000 --out crops/rendered
  sudoku-batch dataset synth crops -n 1000 --fonts fonts/ --seed 7
  sudoku-batch dataset synth crops -n 1000 --config effects.json
  sudoku-batch dataset synth crops -n 1000 --handwriting crops/mine
  sudoku-batch train crops/rendered

Exit codes: 0 all rendered, 2 error, 130 interrupted.")]
pub(crate) struct SynthCropsArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// Labeled crops of handwritten digits, to draw handwriting from; by default half of it
    #[arg(long, value_name = "DIR")]
    pub(crate) handwriting: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth photos -n 200 --out photos/rendered
  sudoku-batch dataset synth photos -n 20 --styles shadow,folded,crossword
  sudoku-batch dataset synth photos -n 1000 --styles codeword,kakuro,number-table
  sudoku-batch recognize photos/rendered               test the built-in model on them

Exit codes: 0 all rendered, 2 error, 130 interrupted.")]
pub(crate) struct SynthPhotosArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// Scene styles, used in turn [default: all up to text]: newspaper, book, dark-screen,
    /// light-screen, tilt, shadow, turned, two-boards, puzzle-page (3 to 24 boards), yesterday
    /// (with a small solution), filled, colored, thin-lines, small, poor, folded; without a board
    /// crossword, calendar, chess, text; display (seven-segment digits); arabic (Arabic-Indic
    /// digits); app-marks (an app with pencil marks: small or large, bold, colored, in corners or in
    /// the middle); and further ones without a board: filled-crossword, codeword, kakuro, nonogram,
    /// number-table, bingo, keypad
    #[arg(long, alias = "looks", value_name = "STYLE", value_delimiter = ',', value_parser = scene_style)]
    pub(crate) styles: Vec<SceneStyle>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth videos -n 100 --out videos/rendered
  sudoku-batch recognize videos/rendered               test the built-in model on them

Exit codes: 0 all rendered, 2 error, 130 interrupted.")]
pub(crate) struct SynthVideosArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// Program that encodes videos
    #[arg(long, value_name = "PATH", default_value = "ffmpeg")]
    pub(crate) ffmpeg: PathBuf,
}

fn scene_style(name: &str) -> Result<SceneStyle, String> {
    let found = SceneStyle::ALL
        .into_iter()
        .find(|scene_style| scene_style.name() == name);
    found.ok_or_else(|| {
        format!(
            "one of {}",
            SceneStyle::ALL.map(SceneStyle::name).join(", ")
        )
    })
}

#[derive(Debug, Args)]
#[command(after_help = "\
Ground truth is a file beside a photo: same-stem.txt with 81 characters or nine lines, or
same-stem.dat. Photos without it are skipped; photos whose board does not match it are left out and
reported.

Examples:
  sudoku-batch dataset harvest photos/ --out crops/mine
  sudoku-batch dataset harvest photos/ --model models/mine --out crops/mine
  sudoku-batch train datasets/crops crops/mine:3

Exit codes: 0 every photo with ground truth used, 1 some left out, 2 error, 130 interrupted.")]
pub(crate) struct HarvestArgs {
    /// Photos and folders of photos
    #[arg(required = true, value_name = "PHOTOS")]
    pub(crate) photos: Vec<PathBuf>,
    /// Output folder for the sheets and the manifest
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Model that determines the orientation of boards: a folder, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Folder with the ground truth of the same photos (same-stem.dat or same-stem.txt) before they
    /// were filled in by hand, to distinguish printed from handwritten digits
    #[arg(long, value_name = "DIR")]
    pub(crate) printed: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes stats.csv (a row for all crops, each source, size and contrast, with the count of each
label), leaks.csv (a row for each held-out crop that is a near-duplicate of a crop trained on),
summary.json, and samples.png (one row per class, 0 is the blank).

Examples:
  sudoku-batch dataset stats crops/mine
  sudoku-batch dataset stats crops/mine datasets/crops --out reports/mine --samples 32
  sudoku-batch dataset stats --config training/digits/config.json crops/mine

Exit codes: 0 success, 2 error.")]
pub(crate) struct StatsArgs {
    /// Folders of labeled crops, as for `train`
    #[arg(value_name = "DATA", default_value = "datasets/crops")]
    pub(crate) data: Vec<String>,
    /// Output folder
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Settings of the training run whose split is checked, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Samples of each class
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) samples: u16,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch recognize photos --out run                 the run
  sudoku-batch dataset review run --out look              then correct boards in look/review.html
  sudoku-batch dataset apply corrections.csv --run run --out crops/reviewed
  sudoku-batch train datasets/crops crops/reviewed:3

The page is like that of `recognize`, with large pictures of the photos that most need a human look:
first those with a cell that the rules or the ground truth contradict, then those with an uncertain
cell, then those in which no board was found.

Exit codes: 0 success, 2 error.")]
pub(crate) struct ReviewArgs {
    /// Folder of a `recognize` run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Output folder for the page and its pictures
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Largest number of photos
    #[arg(short = 'n', long, value_name = "N", default_value_t = NonZeroUsize::new(120).expect("120 is not 0"), value_parser = from_one)]
    pub(crate) count: NonZeroUsize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch recognize photos --out run        then correct boards in run/report.html
  sudoku-batch dataset apply corrections.csv --run run --out crops/corrected
  sudoku-batch recognize photos --truth crops/corrected/truth.csv
  sudoku-batch train datasets/crops crops/corrected:3

corrections.csv has the columns photo,puzzle,givens, where givens are 81 characters, as printed on
the paper, or `none` if the photo shows no board. If the run has found no board, the column corners
has its place: x and y of its four corners in pixels of the upright photo, clockwise from its own
top left, as in results.csv. The cells are cut from the photos again, so these must not have moved
since the run.

Exit codes: 0 every row applied, 1 some rows are wrong, 2 error.")]
pub(crate) struct ApplyArgs {
    /// corrections.csv from the page of the run, or of `dataset review`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Folder of the `recognize` run
    #[arg(long, value_name = "DIR", default_value = "reports/recognize")]
    pub(crate) run: PathBuf,
    /// Output folder for truth.csv, the sheets and the manifest
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
}
