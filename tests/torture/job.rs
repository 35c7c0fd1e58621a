//! The jobs of the torture test: commands that are run one after the other, with their inputs.

use std::fs;
use std::path::Path;

use image::{ImageFormat, Rgb};

use super::common::same_files;
use super::common::toy::{crops, toy_config};
use super::common::{PUZZLES, board, encoded};
use super::{results, results::timeless_of_bench};

/// Commands that make `results/` from the other files of a folder.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Writes the inputs.
    pub(crate) inputs: fn(&Path),
    /// The arguments of each command, between spaces.
    pub(crate) commands: &'static [&'static str],
    /// Their exit codes.
    pub(crate) code: i32,
    /// A file of the results without its times.
    pub(crate) timeless: fn(&str, &[u8]) -> Vec<u8>,
}

pub(crate) const JOBS: [&Job; 5] = [&RECOGNIZE, &TRAIN, &BENCH, &PHOTO_SHARDS, &PUZZLE_SHARDS];

pub(crate) static RECOGNIZE: Job = Job {
    name: "recognize",
    inputs: photos,
    commands: &[
        "recognize photos --out results/out --overlay --save-crops --format csv,parquet --jsonl",
    ],
    code: 1,
    timeless: results::timeless,
};

pub(crate) static TRAIN: Job = Job {
    name: "train",
    inputs: |folder| {
        crops(folder);
        let settings = serde_json::to_vec(&toy_config(3)).unwrap();
        fs::write(folder.join("settings.json"), settings).unwrap();
    },
    commands: &["train crops --config settings.json --out results/out"],
    code: 0,
    timeless: results::timeless,
};

pub(crate) static BENCH: Job = Job {
    name: "bench --save-baseline",
    // So few that the budget is enough on a busy machine.
    inputs: |folder| puzzles(folder, 133),
    commands: &[
        "bench puzzles.txt --solvers mrv --budget 100ms --per-puzzle --save-baseline kept --out results/out",
    ],
    code: 1,
    timeless: timeless_of_bench,
};

pub(crate) static PHOTO_SHARDS: Job = Job {
    name: "shards of photos",
    inputs: photos,
    commands: &[
        "plan recognize photos --shards 2 --out results/plan.json",
        "recognize --plan results/plan.json --shard 0/2 --out results/parts --overlay --save-crops",
        "recognize --plan results/plan.json --shard 1/2 --out results/parts --overlay --save-crops",
        "merge results/parts --plan results/plan.json --out results/merged",
    ],
    code: 1,
    timeless: results::timeless,
};

pub(crate) static PUZZLE_SHARDS: Job = Job {
    name: "shards of puzzles",
    inputs: |folder| puzzles(folder, 1333),
    commands: &[
        "plan solve puzzles.txt --shards 3 --out results/plan.json",
        "solve --plan results/plan.json --shard 0/3 --out results/parts",
        "solve --plan results/plan.json --shard 1/3 --out results/parts",
        "solve --plan results/plan.json --shard 2/3 --out results/parts",
        "merge results/parts --plan results/plan.json --out results/merged",
    ],
    code: 1,
    timeless: results::timeless,
};

/// Boards, some with ground truth, a photo of two boards, and a file that is not a picture.
fn photos(folder: &Path) {
    let photos = folder.join("photos");
    fs::create_dir(&photos).unwrap();
    for number in 0..24 {
        // The third is changed later.
        let line = PUZZLES[number % 2];
        let mut picture = board(line);
        picture.put_pixel(number as u32, 0, Rgb([0; 3]));
        let bytes = encoded(picture, ImageFormat::Png);
        fs::write(photos.join(format!("{number:02}.png")), bytes).unwrap();
        if number % 3 == 0 {
            fs::write(photos.join(format!("{number:02}.txt")), line).unwrap();
        }
    }
    let two = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/photos/007-two-boards.jpg");
    fs::copy(two, photos.join("two.jpg")).unwrap();
    fs::write(photos.join("broken.jpg"), "no picture").unwrap();
}

/// 4,000 puzzles and a line that is not a puzzle.
fn puzzles(folder: &Path, times: usize) {
    let text = PUZZLES.map(|line| format!("{line}\n")).concat();
    let text = text.repeat(times) + "no puzzle\n";
    fs::write(folder.join("puzzles.txt"), text).unwrap();
}

/// The results of a job, except the temporary file that a killed `plan` leaves, which has no folder of its own.
pub(crate) fn results_of(folder: &Path) -> same_files::Files {
    let mut files = same_files::files(&folder.join("results"));
    files.retain(|name, _| name.contains('/') || !results::is_temporary(name));
    files
}
