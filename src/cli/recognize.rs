//! `sudoku-batch recognize`.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use sudoku_batch::files::WriteError;
use sudoku_batch::frames::Ffmpeg;
use sudoku_batch::reader::{Reader, ReaderError};
use sudoku_batch::recognize::{
    FolderWatch, Job, Listing, Outputs, PhotoFile, PhotoResult, RecognizeConfig, Record, Summary,
    list, read_list, recognize, show,
};
use sudoku_batch::report::{self, Page, Pages, WorstPhotos, counted};
use sudoku_batch::truth::TruthSource;

use super::args::{Common, RecognizeArgs};
use super::error::{CliError, print_error, print_warning};
use super::interrupt::stop_flag;
use super::model;
use super::progress::bar;

use super::status::Status;
use super::stdout::print;

pub(crate) fn run(common: &Common, args: &RecognizeArgs) -> Result<Status, CliError> {
    let outcome = perform(common, args)?;
    if common.json {
        let json = serde_json::to_string(&outcome.summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&outcome.text);
    }
    for problem in &outcome.summary.problems {
        print_error(problem);
    }
    Ok(outcome.status)
}

/// A run whose files are written and of which nothing is printed yet.
pub(super) struct Outcome {
    pub(super) summary: Summary,
    /// The summary for people.
    pub(super) text: String,
    status: Status,
}

/// Whether there are photos with truth beside them, before hours are spent on a model to read them.
pub(super) fn expect_truth(args: &RecognizeArgs) -> Result<(), CliError> {
    let listing = listing(args)?;
    let known = |photo: PhotoFile| !matches!(TruthSource::Beside.boards(&photo.path), Ok(None));
    if listing.photos().map_err(CliError::new)?.any(known) {
        return Ok(());
    }
    Err(CliError::with_hint(
        format!(
            "no photo in {} has its truth beside it",
            show(&args.paths[0])
        ),
        "put the givens of `photo.jpg` into `photo.txt`, 81 characters",
    ))
}

/// Reads the photos and writes the files of the run.
pub(super) fn perform(common: &Common, args: &RecognizeArgs) -> Result<Outcome, CliError> {
    let listing = listing(args)?;
    let truth = TruthSource::open(args.truth.as_deref())
        .map_err(|error| CliError::with_hint(error, "see --truth in `recognize --help`"))?;
    let config = RecognizeConfig {
        every: args.every,
        ..args.reader.config()
    };
    let reader = Reader::new(config.reader.clone()).map_err(no_reader)?;
    let pool = super::threads::pool(common)?;
    let mut summary = Summary::new(&config, &reader, pool.current_num_threads());
    for problem in &listing.problems {
        summary.add_problem(problem.to_string());
    }
    let settings = summary.fingerprint(&build_id());
    let outputs =
        Outputs::create(&args.out, args.overlay, args.save_crops, settings).map_err(unwritable)?;
    let outputs = outputs.with_videos(args.frames, Ffmpeg::at(&args.ffmpeg));
    let outputs = if args.watch {
        outputs.growing()
    } else {
        outputs
    };
    let job = Job {
        reader: &reader,
        config: &config,
        truth: &truth,
        outputs: &outputs,
        fresh: args.fresh,
    };
    let bar = bar(common, listing.count() as u64, "photos");
    let (mut pages, mut worst) = (Pages::default(), WorstPhotos::default());
    let mut written = Ok(());
    let stop = stop_flag();
    let new_files = match args.watch {
        true => Some(FolderWatch::watch(&args.paths, &args.out, stop).map_err(unwatchable)?),
        false => None,
    };
    let photos = listing.photos().map_err(CliError::new)?;
    let photos = photos.chain(new_files.into_iter().flatten());
    let on_photo = |photo: &PhotoResult| {
        show_progress(photo, &bar, common);
        if args.watch {
            bar.suspend(|| print(&lines_of(photo)));
        }
        worst.add(photo);
        if let (Some(page), Ok(())) = (pages.add(photo), &written) {
            written = write_page(&outputs, &page);
        }
    };
    let summary = pool.install(|| recognize(photos, job, summary, stop, on_photo));
    bar.finish_and_clear();
    let summary = summary.map_err(unwritable)?;
    written.map_err(unwritable)?;
    let unused = truth.unused();
    if let (Some(first), false) = (unused.first(), summary.interrupted) {
        let count = counted(unused.len() as u64, "photo");
        print_warning(format!(
            "in the ground truth, but not in this run: {count} ({first})"
        ));
    }
    let last = pages.finish(&summary);
    for page in &last {
        write_page(&outputs, page).map_err(unwritable)?;
    }
    let further = last.iter().rev().nth(1);
    let further = further.map_or("pages/0000.html", |page| &page.path);
    remove_pages_after(&outputs.path(further));
    let status = if summary.interrupted && !args.watch {
        Status::Interrupted
    } else if summary.problems.is_empty() && summary.failures == 0 {
        Status::Clean
    } else {
        Status::Partial
    };
    Ok(Outcome {
        text: report::terminal(&summary, &worst, &files(args, &summary)),
        summary,
        status,
    })
}

fn write_page(outputs: &Outputs, page: &Page) -> Result<(), WriteError> {
    outputs.write_file(&page.path, |writer| writer.write_all(page.html.as_bytes()))
}

/// Removes the pages that a larger run left behind this one.
fn remove_pages_after(last: &Path) {
    let is_number = |stem: &OsStr| stem.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let is_later = |path: &Path| {
        path.extension() == last.extension()
            && path.file_stem().is_some_and(is_number)
            && path > last
    };
    let pages = last.parent().and_then(|folder| folder.read_dir().ok());
    for page in pages.into_iter().flatten().flatten() {
        if is_later(&page.path()) {
            // A page that stays is out of date, but nothing links to it.
            let _ = std::fs::remove_file(page.path());
        }
    }
}

pub(super) fn no_reader(error: ReaderError) -> CliError {
    match error {
        ReaderError::Model(error) => model::not_a_model("--model", error),
        ReaderError::Incomplete(_) => CliError::with_hint(
            error,
            "choose one that answers every puzzle, or leave --solver out",
        ),
        error => CliError::new(error),
    }
}

/// The photos; an error where there is none at all.
fn listing(args: &RecognizeArgs) -> Result<Listing, CliError> {
    let mut paths = args.paths.clone();
    if let Some(from) = &args.files_from {
        paths.extend(files_from(from, args.nul).map_err(|error| {
            CliError::new(format!("cannot read the list {}: {error}", show(from)))
        })?);
    }
    let listing = list(&paths, Some(&args.out))
        .map_err(|error| CliError::new(format!("cannot keep the list of photos: {error}")))?;
    if let Some(first) = paths.first()
        && paths
            .iter()
            .all(|path| path.as_os_str() != "-" && path.symlink_metadata().is_err())
    {
        return Err(CliError::with_hint(
            format!("no such file or folder: {}", show(first)),
            "give photos, or folders with photos in them",
        ));
    }
    if listing.count() > 0 || args.watch {
        return Ok(listing);
    }
    for problem in &listing.problems {
        print_error(problem);
    }
    let place = match &paths[..] {
        [] => "an empty list".to_owned(),
        [only] => show(only),
        [first, rest @ ..] => format!("{} and {} more", show(first), rest.len()),
    };
    Err(CliError::with_hint(
        format!("no photos in {place}"),
        "JPEG, PNG, WebP, GIF, TIFF, BMP and PNM files are photos, MP4, MOV, MKV, WebM, AVI and Y4M files \
         videos; hidden files are left out",
    ))
}

fn files_from(from: &Path, nul: bool) -> io::Result<Vec<PathBuf>> {
    if from == Path::new("-") {
        read_list(io::stdin().lock(), nul)
    } else {
        read_list(File::open(from)?, nul)
    }
}

/// Tells this build of the program from every other.
fn build_id() -> String {
    let hash = || {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(std::env::current_exe()?)?)?;
        io::Result::Ok(hasher.finalize().to_hex().to_string())
    };
    hash().unwrap_or_else(|_| env!("CARGO_PKG_VERSION").to_owned())
}

fn unwritable(error: WriteError) -> CliError {
    let hint = match error.source.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file is in the way: give another folder with --out"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full: make room, or give another folder with --out"
        }
        _ => "give a folder that can be written to with --out",
    };
    CliError::with_hint(error, hint)
}

fn unwatchable(error: notify::Error) -> CliError {
    CliError::with_hint(
        format!("cannot watch: {error}"),
        "--watch takes folders that exist; on Linux, fs.inotify.max_user_watches limits how many",
    )
}

/// A line for each row of a photo that arrived.
fn lines_of(photo: &PhotoResult) -> String {
    let line = |record: &Record| {
        let reading = record
            .reading
            .as_ref()
            .map(|reading| reading.decoded.to_line());
        let rest = reading.or_else(|| record.error.clone()).unwrap_or_default();
        format!("{}\t{}\t{rest}\n", photo.photo, record.status)
    };
    photo.records.iter().map(line).collect()
}

fn show_progress(photo: &PhotoResult, bar: &ProgressBar, common: &Common) {
    bar.inc(1);
    if common.verbose {
        for record in &photo.records {
            let error = record.error.as_deref().unwrap_or_default();
            let line = format!("{}: {} {error}", photo.photo, record.status);
            bar.suspend(|| anstream::eprintln!("{}", line.trim_end()));
        }
    }
}

fn files(args: &RecognizeArgs, summary: &Summary) -> String {
    let mut files = format!(
        "{}: results.csv, summary.json, report.html",
        show(&args.out)
    );
    if summary.videos.count > 0 {
        files.push_str(if args.frames {
            ", boards.csv, frames.jsonl"
        } else {
            ", boards.csv"
        });
    }
    if args.overlay {
        files.push_str(", overlays/");
    }
    if args.save_crops {
        files.push_str(", crops/");
    }
    files
}
