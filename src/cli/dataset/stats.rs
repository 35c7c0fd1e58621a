//! `dataset stats`: what labeled crops there are.

use serde_json::json;
use sudoku_batch::dataset::{CropStats, count_leaks, leaks_csv, write_class_samples};
use sudoku_batch::digits::TrainingConfig;
use sudoku_batch::files::write_bytes;
use sudoku_batch::report::{Leaks, crop_table};
use sudoku_batch::training::{CropFolder, Split};

use crate::cli::args::{Common, StatsArgs};
use crate::cli::crop_data::{leave_out_leaks, read_data};
use crate::cli::error::{CliError, WRITABLE, cannot_write};
use crate::cli::out_folder::take_now;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;
use crate::cli::train::read_config;

pub(super) fn run(common: &Common, args: &StatsArgs) -> Result<Status, CliError> {
    let mut config = match &args.config {
        Some(path) => read_config(path)?,
        None => TrainingConfig::default(),
    };
    if common.seed != 0 {
        config.seed = common.seed;
    }
    let pool = pool(common)?;
    let data = read_data(common, &pool, &args.data)?;
    let _lock = take_now(&args.out)?;
    let folders: Vec<&CropFolder> = data.iter().map(|data| &data.folder).collect();
    let unlabeled: usize = folders.iter().map(|folder| folder.unlabeled).sum();
    let stats = CropStats::new(&folders);
    let out = |name: &str| args.out.join(name);
    let columns = usize::from(args.samples);
    write_class_samples(&out("samples.png"), &folders, columns, common.seed)
        .map_err(|error| CliError::with_hint(error, WRITABLE))?;
    let mut split = Split::new(data, &config);
    let (training, held_out) = (split.training.len(), split.validation.len());
    let found = leave_out_leaks(&pool, &mut split);
    let leaks = count_leaks(&found);
    let saved = json!({
        "command": "dataset stats",
        "version": env!("CARGO_PKG_VERSION"),
        "data": args.data,
        "crops": stats.tallies[0].crops,
        "unlabeled": unlabeled,
        "stats": stats,
        "split": { "training": training, "held_out": held_out },
        "leaks": leaks,
    });
    for (name, text) in [
        ("stats.csv", stats.to_csv()),
        ("leaks.csv", leaks_csv(&found)),
        ("summary.json", format!("{saved:#}\n")),
    ] {
        let path = out(name);
        write_bytes(&path, text.as_bytes()).map_err(|error| cannot_write(&path, &error))?;
    }
    if common.json {
        print(&format!("{saved}\n"));
    } else {
        let leaks = Leaks {
            training,
            held_out,
            counts: &leaks,
        };
        let files = args.out.display();
        print(&crop_table(&stats, &leaks));
        print(&format!(
            "files in {files}: stats.csv, leaks.csv, summary.json, samples.png\n"
        ));
    }
    Ok(Status::Clean)
}
