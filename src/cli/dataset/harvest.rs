//! `dataset harvest`: crops from photos whose boards are known.

use std::time::Instant;

use serde_json::json;
use sudoku_batch::dataset::{HarvestConfig, harvest, photos_with_truth};
use sudoku_batch::files::write_bytes;
use sudoku_batch::reader::{Reader, ReaderConfig};

use crate::cli::args::{Common, HarvestArgs};
use crate::cli::error::{CliError, WRITABLE, cannot_write, print_warning};
use crate::cli::interrupt::stop_flag;
use crate::cli::model;
use crate::cli::out_folder::take_now;
use crate::cli::progress::bar;
use crate::cli::recognize::no_reader;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &HarvestArgs) -> Result<Status, CliError> {
    let photos = photos_with_truth(&args.photos);
    if photos.is_empty() {
        let places = args.photos.iter().map(|place| place.display().to_string());
        let places: Vec<String> = places.collect();
        return Err(CliError::with_hint(
            format!("no photo with ground truth in {}", places.join(", ")),
            "ground truth is a file beside the photo: same-stem.dat or same-stem.txt, and book#12.txt for page 12 of book.pdf",
        ));
    }
    let reader = Reader::new(ReaderConfig {
        model: model::folder(args.model.as_deref()).map(Into::into),
        ..ReaderConfig::default()
    });
    let reader = reader.map_err(no_reader)?;
    let config = HarvestConfig {
        printed: args.printed.clone(),
        ..HarvestConfig::default()
    };
    let _lock = take_now(&args.out)?;
    let bar = bar(common, photos.len() as u64, "photos");
    let start = Instant::now();
    let summary = pool(common)?
        .install(|| {
            harvest(&photos, &reader, &config, &args.out, stop_flag(), || {
                bar.inc(1)
            })
        })
        .map_err(|error| CliError::with_hint(error, WRITABLE))?;
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    for (photo, why) in &summary.skipped {
        print_warning(format_args!("{}: {why}", photo.display()));
    }
    let skipped: Vec<_> = summary
        .skipped
        .iter()
        .map(|(photo, why)| json!({ "photo": photo.display().to_string(), "why": why.to_string() }))
        .collect();
    let saved = json!({
        "command": "dataset harvest",
        "version": env!("CARGO_PKG_VERSION"),
        "config": config,
        "model": reader.model(),
        "photos": summary.photos,
        "boards": summary.boards,
        "crops": summary.crops,
        "seconds": seconds,
        "skipped": skipped,
    });
    let path = args.out.join("config.json");
    write_bytes(&path, format!("{saved:#}\n").as_bytes())
        .map_err(|error| cannot_write(&path, &error))?;
    if common.json {
        print(&format!("{saved}\n"));
    } else {
        print(&format!(
            "{} crops of {} boards in {} photos, {} left out: {seconds:.1} s, {:.1} photos/s\n",
            summary.crops,
            summary.boards,
            summary.photos,
            summary.skipped.len(),
            summary.photos as f64 / seconds,
        ));
    }
    Ok(
        match (summary.stopped, summary.boards, summary.skipped.is_empty()) {
            (true, _, _) => Status::Interrupted,
            (_, 0, _) => Status::Failed,
            (_, _, true) => Status::Clean,
            (_, _, false) => Status::Partial,
        },
    )
}
