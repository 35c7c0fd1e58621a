//! Flags of `dataset`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sudoku_batch::render::Look;

use super::common::from_one;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth crops -n 100000 --out crops/rendered
  sudoku-batch dataset harvest photos/ --out crops/mine
  sudoku-batch dataset stats crops/rendered crops/mine
  sudoku-batch train crops/rendered crops/mine

Exit codes: 0 all clean, 1 some photos, crops or rows left out, 2 nothing done, 130 interrupted.")]
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

Exit codes: 0 all rendered, 2 nothing done, 130 interrupted."
    )]
    Synth(SynthCommand),
    /// Cut labeled crops from photos whose boards are known (a .dat or .txt file beside each)
    Harvest(HarvestArgs),
    /// Count labeled crops: balance, bias, leaks across the split, and samples of each class
    Stats(StatsArgs),
    /// Make a page of the photos of a `recognize` run that a person should look at first
    Review(ReviewArgs),
    /// Take boards that were corrected in a page back in, as truth and labeled crops
    Apply(ApplyArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SynthCommand {
    /// Crops of single cells, in sheets with a manifest, ready for `train`
    Crops(SynthCropsArgs),
    /// Whole photos of many looks, each with its truth (same-stem.txt) and corners.csv
    Photos(SynthPhotosArgs),
    /// Videos of boards that a hand-held camera sees, each with its truth (same-stem.txt)
    Videos(SynthVideosArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SynthArgs {
    /// How many
    #[arg(short = 'n', long, value_name = "N", value_parser = from_one)]
    pub(crate) count: NonZeroUsize,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Folders and files of fonts (.ttf, .otf)
    #[arg(long, value_name = "DIR", num_args = 1.., default_value = "/usr/share/fonts")]
    pub(crate) fonts: Vec<PathBuf>,
    /// Effects as JSON, like `config` in the config.json that is written; what it leaves out stays as
    /// it is
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth crops -n 100000 --out crops/rendered
  sudoku-batch dataset synth crops -n 1000 --fonts fonts/ --seed 7
  sudoku-batch dataset synth crops -n 1000 --config effects.json
  sudoku-batch train crops/rendered

Exit codes: 0 all rendered, 2 nothing done, 130 interrupted.")]
pub(crate) struct SynthCropsArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth photos -n 200 --out photos/rendered
  sudoku-batch dataset synth photos -n 20 --looks shadow,folded,crossword
  sudoku-batch dataset synth photos -n 1000 --looks codeword,kakuro,number-table
  sudoku-batch recognize photos/rendered               how well are they read?

Exit codes: 0 all rendered, 2 nothing done, 130 interrupted.")]
pub(crate) struct SynthPhotosArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// Looks, in turn [default: all up to text]: newspaper, book, dark-screen, light-screen, tilt, shadow,
    /// turned, two-boards, puzzle-page (3 to 24 boards), yesterday (with a small solution), filled,
    /// colored, thin-lines, small, poor, folded; without a board crossword, calendar, chess, text;
    /// display (digits of seven segments); app-marks (an app with pencil marks: small or large, bold, colored,
    /// in corners or in the middle); and further ones without a board: filled-crossword, codeword, kakuro,
    /// nonogram, number-table, bingo, keypad
    #[arg(long, value_name = "LOOK", value_delimiter = ',', value_parser = look)]
    pub(crate) looks: Vec<Look>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch dataset synth videos -n 100 --out videos/rendered
  sudoku-batch recognize videos/rendered               how well are they read?

Exit codes: 0 all rendered, 2 nothing done, 130 interrupted.")]
pub(crate) struct SynthVideosArgs {
    #[command(flatten)]
    pub(crate) synth: SynthArgs,
    /// The program that encodes videos
    #[arg(long, value_name = "PATH", default_value = "ffmpeg")]
    pub(crate) ffmpeg: PathBuf,
}

fn look(name: &str) -> Result<Look, String> {
    let found = Look::ALL.into_iter().find(|look| look.name() == name);
    found.ok_or_else(|| format!("one of {}", Look::ALL.map(Look::name).join(", ")))
}

#[derive(Debug, Args)]
#[command(after_help = "\
Truth is a file beside a photo: same-stem.txt with 81 characters or nine lines, or same-stem.dat. A
photo without truth is passed over; one whose board does not fit its truth is left out, and named.

Examples:
  sudoku-batch dataset harvest photos/ --out crops/mine
  sudoku-batch dataset harvest photos/ --model models/mine --out crops/mine
  sudoku-batch train datasets/crops crops/mine:3

Exit codes: 0 every photo with truth cut, 1 some left out, 2 nothing done, 130 interrupted.")]
pub(crate) struct HarvestArgs {
    /// Photos, and folders of photos
    #[arg(required = true, value_name = "PHOTOS")]
    pub(crate) photos: Vec<PathBuf>,
    /// Folder for the sheets and the manifest
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// The model that decides which side of a board is up: a folder, or `built-in` [default: built-in]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Folder with the truth of the same photos (same-stem.dat or same-stem.txt) without what was written by
    /// hand: it distinguishes printed digits from written ones
    #[arg(long, value_name = "DIR")]
    pub(crate) printed: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Writes stats.csv (a row for all crops, each source, size and contrast, with the count of each label),
leaks.csv (a row for each held-out crop that looks the same as a crop trained on), summary.json, and
samples.png (a row a class, 0 is the blank).

Examples:
  sudoku-batch dataset stats crops/mine
  sudoku-batch dataset stats crops/mine datasets/crops --out reports/mine --samples 32
  sudoku-batch dataset stats --config training/digits/config.json crops/mine

Exit codes: 0 counted, 2 nothing done.")]
pub(crate) struct StatsArgs {
    /// Folders of labeled crops, as `train` takes them
    #[arg(value_name = "DATA", default_value = "datasets/crops")]
    pub(crate) data: Vec<String>,
    /// Folder for the files
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Settings of the training whose split is looked at, as JSON
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

The page is that of `recognize`, with large pictures of the photos that need a person most: first those
with a cell that the rules or the ground truth contradict, then those with a cell that the reader is
unsure of, then those in which no board was found.

Exit codes: 0 written, 2 nothing done.")]
pub(crate) struct ReviewArgs {
    /// Folder of a `recognize` run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Folder for the page and its pictures
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
    /// Most photos to look at
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

corrections.csv has the columns photo,puzzle,givens: 81 characters, what stands on the paper, or `none`
where a photo shows no board. Where the run has found no board, the column corners says where it is: x
and y of its four corners in pixels of the upright photo, clockwise from its own top left, as in
results.csv. The cells are cut from the photos again, so they must still be where the run has read them.

Exit codes: 0 every row taken, 1 some rows are wrong, 2 nothing done.")]
pub(crate) struct ApplyArgs {
    /// corrections.csv from the page of the run, or of `dataset review`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Folder of the `recognize` run
    #[arg(long, value_name = "DIR", default_value = "reports/recognize")]
    pub(crate) run: PathBuf,
    /// Folder for truth.csv, the sheets and the manifest
    #[arg(short, long, value_name = "DIR", default_value = "reports/dataset")]
    pub(crate) out: PathBuf,
}
