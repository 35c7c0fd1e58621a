//! `sudoku-batch recognize`.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use rayon::ThreadPool;
use sudoku_batch::files::{hash_file, show};
use sudoku_batch::frames::Ffmpeg;
use sudoku_batch::opening::open_file;
use sudoku_batch::reader::{Reader, ReaderError};
use sudoku_batch::recognize::{
    FolderWatch, Job, LeftOut, Listing, NameFilter, Outputs, PhotoFile, PhotoResult,
    RecognizeConfig, Record, Summary, TableFormat, list, read_list, recognize,
};
use sudoku_batch::report::{self, counted};
use sudoku_batch::shards::{PlannedPhoto, is_url};
use sudoku_batch::truth::TruthSource;

use super::args::{Common, NamesArgs, RecognizeArgs};
use super::error::{CliError, print_error, print_warning, printable, unwritable};
use super::interrupt::stop_flag;
use super::model;
use super::out_folder::take_folder;
use super::page_writer::PageWriter;
use super::progress::bar;
use super::shard::{CHANGED, ShardTask, Task};
use super::status::Status;
use super::stdout::print;

pub(crate) fn run(common: &Common, args: &RecognizeArgs) -> Result<Status, CliError> {
    match Task::of(common, &args.shard, "recognize", &args.out)? {
        Task::Paths if args.dry_run => dry_run(common, args),
        Task::Paths => {
            let outcome = perform(common, args)?;
            match args.jsonl {
                true => Ok(tell_problems(&outcome)),
                false => report_outcome(common, &outcome),
            }
        }
        Task::Done(status) => Ok(status),
        Task::Shard(task) => shard(common, args, *task),
    }
}

/// Prints what a run came to.
pub(super) fn report_outcome(common: &Common, outcome: &Outcome) -> Result<Status, CliError> {
    if common.json {
        let json = serde_json::to_string(&outcome.summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    } else {
        print(&outcome.text);
    }
    Ok(tell_problems(outcome))
}

fn tell_problems(outcome: &Outcome) -> Status {
    for problem in &outcome.summary.problems {
        print_error(problem);
    }
    outcome.status
}

/// Says what is not read though it was named, or lies in a folder that was.
pub(super) fn tell_left_out(common: &Common, left_out: &LeftOut) {
    if common.quiet {
        return;
    }
    let more = |more: usize, what: &str| match more {
        0 => String::new(),
        more => format!(" and {}", counted(more as u64, what)),
    };
    if let Some(first) = &left_out.repeated {
        let more = more(left_out.repeats - 1, "more path");
        print_warning(format_args!(
            "listed more than once, but read only once: {first}{more}"
        ));
    }
    if let Some(first) = left_out.results.first() {
        let more = more(left_out.results.len() - 1, "more folder");
        print_warning(format_args!(
            "pictures made by earlier runs are skipped: those in {}{more}",
            show(first)
        ));
    }
}

/// Prints what would be read.
fn dry_run(common: &Common, args: &RecognizeArgs) -> Result<Status, CliError> {
    let listing = listing(args)?;
    tell_left_out(common, &listing.left_out);
    for photo in listing.photos().map_err(CliError::new)? {
        print(&format!("{}\n", photo.name));
    }
    for problem in &listing.problems {
        print_error(problem);
    }
    Ok(match listing.problems.is_empty() {
        true => Status::Clean,
        false => Status::Partial,
    })
}

/// A run whose files are written and of which nothing is printed yet.
pub(super) struct Outcome {
    pub(super) summary: Summary,
    /// The summary for people.
    pub(super) text: String,
    pub(super) status: Status,
}

/// Whether there are photos with ground truth beside them, before hours are spent on a model to read them.
pub(super) fn expect_truth(args: &RecognizeArgs) -> Result<(), CliError> {
    let listing = listing(args)?;
    let known = |photo: PhotoFile| !matches!(TruthSource::Beside.boards(&photo.path), Ok(None));
    if listing.photos().map_err(CliError::new)?.any(known) {
        return Ok(());
    }
    Err(CliError::with_hint(
        format!(
            "no photo in {} has ground truth beside it",
            show(&args.paths[0])
        ),
        "write the givens of `photo.jpg` to `photo.txt`, as 81 characters",
    ))
}

/// Reads the photos and writes the files of the run.
pub(super) fn perform(common: &Common, args: &RecognizeArgs) -> Result<Outcome, CliError> {
    let listing = listing(args)?;
    tell_left_out(common, &listing.left_out);
    let _lock = take_folder(common, &args.out, args.wait)?;
    let mut run = Run::new(common, args, &args.out)?;
    for problem in &listing.problems {
        run.summary.add_problem(problem.to_string());
    }
    let stop = stop_flag();
    let new_files = match args.watch {
        true => {
            let watch = FolderWatch::watch(&args.paths, &args.out, filter(&args.names)?, stop);
            Some(watch.map_err(unwatchable)?)
        }
        false => None,
    };
    let photos = listing.photos().map_err(CliError::new)?;
    let photos = photos.chain(new_files.into_iter().flatten());
    let bar = bar(common, listing.count() as u64, "photos");
    let mut pages = PageWriter::new(&args.out);
    let on_photo = |photo: &PhotoResult| {
        show_progress(photo, &bar, common);
        if args.jsonl {
            bar.suspend(|| print(&json_lines_of(photo, args.marks)));
        } else if args.watch {
            bar.suspend(|| print(&lines_of(photo)));
        }
        pages.add(photo);
    };
    let mut summary = run.read(photos, args.fresh, stop, on_photo)?;
    bar.finish_and_clear();
    let unused = run.truth.unused();
    if let (Some(first), false) = (unused.first(), summary.interrupted) {
        let count = counted(unused.len() as u64, "photo");
        print_warning(format!(
            "in the ground truth, but not in this run: {count} ({first})"
        ));
    }
    if let (Some(truth), None, false) = (&args.truth, &summary.accuracy, summary.interrupted) {
        summary.add_problem(format!(
            "no photo of this run has its ground truth in {}",
            show(truth)
        ));
        run.write_summary(&summary)?;
    }
    let worst = pages.finish(&summary)?;
    let status = match summary.interrupted && !args.watch {
        true => Status::Interrupted,
        false => status(&summary),
    };
    Ok(Outcome {
        text: report::terminal(&summary, &worst, &files(&args.out, &summary, Some(args))),
        summary,
        status,
    })
}

/// How a run ended that came to its last photo.
pub(super) fn status(summary: &Summary) -> Status {
    match summary.problems.is_empty() && summary.failures == 0 {
        true => Status::Clean,
        false => Status::Partial,
    }
}

/// Reads the photos of a shard and writes its part.
fn shard(common: &Common, args: &RecognizeArgs, task: ShardTask) -> Result<Status, CliError> {
    let planned: Vec<PlannedPhoto> = task.files()?;
    let numbered = planned.iter().zip(task.shard().first..);
    let photos: Result<Vec<PhotoFile>, _> = numbered
        .map(|(photo, number)| photo.file(number, args.fetched.as_deref()))
        .collect();
    let photos =
        photos.map_err(|error| CliError::with_hint(error, "nothing was written for this shard"))?;
    let mut run = Run::new(common, args, task.folder())?;
    let stop = stop_flag();
    let bar = bar(common, photos.len() as u64, "photos");
    let mut changed = None;
    let mut expected = planned.iter().zip(&photos);
    let on_photo = |photo: &PhotoResult| {
        show_progress(photo, &bar, common);
        if photo.is_first_of_file()
            && let Some((planned, file)) = expected.next()
            && let Err(error) = match &args.truth {
                None => planned
                    .check(photo, &file.path)
                    .and_then(|()| planned.check_sidecar(&file.path)),
                Some(_) => planned.check(photo, &file.path),
            }
        {
            changed.get_or_insert(error);
            stop.store(true, Ordering::SeqCst);
        }
    };
    let summary = run.read(photos.iter().cloned(), true, stop, on_photo)?;
    bar.finish_and_clear();
    if let Some(changed) = changed {
        return Err(CliError::with_hint(changed, CHANGED));
    }
    if summary.interrupted {
        return Ok(Status::Interrupted);
    }
    if common.json {
        let json = serde_json::to_string(&summary).map_err(CliError::new)?;
        print(&format!("{json}\n"));
    }
    for problem in &summary.problems {
        print_error(problem);
    }
    let mut settings = summary.config.clone();
    settings["overlay"] = (args.overlay || args.check).into();
    settings["save_crops"] = args.save_crops.into();
    settings["frames"] = args.frames.into();
    settings["parquet"] = args.tables().contains(&TableFormat::Parquet).into();
    settings["csv"] = args.tables().contains(&TableFormat::Csv).into();
    // A table by its content, so that no part is merged with one that was scored by another.
    settings["truth"] = match args.truth.as_deref() {
        Some(table) if table.is_file() => hash_file(table).map_err(CliError::new)?.into(),
        folder => folder.map(show).into(),
    };
    task.finish(common, &summary.environment, settings, status(&summary))
}

/// All that a run works with.
struct Run {
    config: RecognizeConfig,
    reader: Reader,
    truth: TruthSource,
    pool: ThreadPool,
    outputs: Outputs,
    /// Empty, but for problems.
    summary: Summary,
}

impl Run {
    fn new(common: &Common, args: &RecognizeArgs, folder: &Path) -> Result<Run, CliError> {
        let truth = TruthSource::open(args.truth.as_deref())
            .map_err(|error| CliError::with_hint(error, "see --truth in `recognize --help`"))?;
        if let Some(first) = truth.repeated().first() {
            let count = counted(truth.repeated().len() as u64, "row");
            print_warning(format_args!(
                "in the ground truth more than once, but counted only once: {count} ({first})"
            ));
        }
        let config = RecognizeConfig {
            every: args.every,
            marks: args.marks,
            check: args.check,
            ..args.reader.config()
        };
        let reader = Reader::new(config.reader.clone()).map_err(no_reader)?;
        let pool = super::threads::pool(common)?;
        if (args.marks || args.check) && !reader.classifies_kinds() {
            let flag = if args.marks { "--marks" } else { "--check" };
            let message =
                "the model neither reads pencil marks nor distinguishes print from handwriting";
            return Err(CliError::with_hint(
                message,
                format!("{flag} needs a model with `kind_units`, such as the built-in one"),
            ));
        }
        let summary = Summary::new(&config, &reader, pool.current_num_threads());
        let settings = summary.fingerprint(&build_id());
        let outputs = Outputs::create(
            folder,
            args.overlay || args.check,
            args.save_crops,
            settings,
        );
        let outputs = outputs.map_err(unwritable)?;
        Ok(Run {
            outputs: outputs
                .with_tables(args.tables())
                .with_videos(args.frames, Ffmpeg::at(&args.ffmpeg)),
            config,
            reader,
            truth,
            pool,
            summary,
        })
    }

    /// Writes the summary again, with what was noticed at the end.
    fn write_summary(&self, summary: &Summary) -> Result<(), CliError> {
        let folder = self.outputs.path("");
        summary.write(&folder).map_err(unwritable)
    }

    /// Reads photos and writes the tables and pictures of the run.
    fn read(
        &mut self,
        photos: impl Iterator<Item = PhotoFile> + Send,
        fresh: bool,
        stop: &AtomicBool,
        on_photo: impl FnMut(&PhotoResult) + Send,
    ) -> Result<Summary, CliError> {
        let job = Job {
            reader: &self.reader,
            config: &self.config,
            truth: &self.truth,
            outputs: &self.outputs,
            fresh,
        };
        let summary = self.summary.clone();
        let run = || recognize(photos, job, summary, stop, on_photo);
        self.pool.install(run).map_err(unwritable)
    }
}

pub(super) fn no_reader(error: ReaderError) -> CliError {
    match error {
        ReaderError::Model(error) => model::not_a_model("--model", error),
        ReaderError::Incomplete(_) => {
            CliError::with_hint(error, "choose a complete solver, or omit --solver")
        }
        error => CliError::new(error),
    }
}

/// The photos; an error where there is none at all.
fn listing(args: &RecognizeArgs) -> Result<Listing, CliError> {
    let mut paths = args.paths.clone();
    if let Some(from) = &args.files_from {
        paths.extend(files_from(from, args.nul)?);
    }
    let listing = list(&paths, Some(&args.out), &filter(&args.names)?)
        .map_err(|error| CliError::new(format!("cannot store the list of photos: {error}")))?;
    expect_some(&paths)?;
    if listing.count() > 0 || args.watch {
        return Ok(listing);
    }
    for problem in &listing.problems {
        print_error(problem);
    }
    Err(no_photos(&paths, &args.names, &listing.left_out))
}

/// Which names are taken.
pub(super) fn filter(names: &NamesArgs) -> Result<NameFilter, CliError> {
    let hint =
        "`*` and `?` match any characters of a name, `[a-z]` matches one, and `**` matches folders";
    NameFilter::new(&names.include, &names.exclude)
        .map_err(|error| CliError::with_hint(error, hint))
}

/// Refuses paths of which none is there.
pub(super) fn expect_some(paths: &[PathBuf]) -> Result<(), CliError> {
    let is_missing = |path: &PathBuf| {
        path.as_os_str() != "-" && !is_url(path) && path.symlink_metadata().is_err()
    };
    match paths.first() {
        Some(first) if paths.iter().all(is_missing) => Err(CliError::with_hint(
            format!("no such file or folder: {}", show(first)),
            "give photos or folders of photos",
        )),
        _ => Ok(()),
    }
}

/// What to say of paths without a photo.
pub(super) fn no_photos(paths: &[PathBuf], names: &NamesArgs, left_out: &LeftOut) -> CliError {
    let place = match paths {
        [] => "an empty list".to_owned(),
        [only] => show(only),
        [first, rest @ ..] => format!("{} and {} more", show(first), rest.len()),
    };
    if !(names.include.is_empty() && names.exclude.is_empty()) {
        let hint = "use `recognize --dry-run` to see which files are taken";
        return CliError::with_hint(
            format!("no photos in {place} match --include and --exclude"),
            hint,
        );
    }
    if let Some(results) = left_out.results.first() {
        return CliError::with_hint(
            format!("no photos in {place}"),
            format!(
                "the pictures that an earlier run has made in {} are none",
                show(results)
            ),
        );
    }
    CliError::with_hint(
        format!("no photos in {place}"),
        "JPEG, HEIC, AVIF, PNG, WebP, GIF, TIFF, JPEG XL, BMP and PNM files are photos, PDF files have pages, MP4, MOV, \
         MKV, WebM, AVI and Y4M files are videos; hidden files are left out",
    )
}

/// The paths in a list; `-` is stdin.
pub(super) fn files_from(from: &Path, nul: bool) -> Result<Vec<PathBuf>, CliError> {
    let read = if from == Path::new("-") {
        read_list(io::stdin().lock(), nul)
    } else {
        open_file(from).and_then(|file| read_list(file, nul))
    };
    read.map_err(|error| CliError::new(format!("cannot read the list {}: {error}", show(from))))
}

/// Distinguishes this build of the program from every other.
fn build_id() -> String {
    let hash = || {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(File::open(std::env::current_exe()?)?)?;
        io::Result::Ok(hasher.finalize().to_hex().to_string())
    };
    hash().unwrap_or_else(|_| env!("CARGO_PKG_VERSION").to_owned())
}

fn unwatchable(error: notify::Error) -> CliError {
    CliError::with_hint(
        format!("cannot watch: {error}"),
        "--watch takes existing folders; on Linux, their number is limited by fs.inotify.max_user_watches",
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

/// The rows of a photo or the boards of a video as JSON, a line each.
fn json_lines_of(photo: &PhotoResult, marks: bool) -> String {
    let line = |record: &Record| serde_json::to_string(&record.object(&photo.photo, marks));
    let lines = photo.records.iter().filter_map(|record| line(record).ok());
    lines.map(|line| line + "\n").collect()
}

fn show_progress(photo: &PhotoResult, bar: &ProgressBar, common: &Common) {
    if !photo.is_first_of_file() {
        bar.inc_length(1);
    }
    bar.inc(1);
    if common.verbose {
        for record in &photo.records {
            let error = record.error.as_deref().unwrap_or_default();
            let line = format!("{}: {} {error}", photo.photo, record.status);
            // Who closed stderr does not want it.
            let write = || writeln!(anstream::stderr(), "{}", printable(line.trim_end()));
            let _ = bar.suspend(write);
        }
    }
}

/// Which files are in the folder of a run; those of photos only where it is known what was asked for.
pub(super) fn files(folder: &Path, summary: &Summary, args: Option<&RecognizeArgs>) -> String {
    let is_there = |name: &&str| folder.join(name).exists();
    let tables = ["results.csv", "results.parquet"]
        .into_iter()
        .filter(is_there);
    let written: Vec<&str> = tables.chain(["summary.json", "report.html"]).collect();
    let mut files = format!("{}: {}", show(folder), written.join(", "));
    if summary.videos.count > 0 {
        files.push_str(", boards.csv");
    }
    let asked = |flag: fn(&RecognizeArgs) -> bool, name: &str| match args {
        Some(args) => flag(args),
        None => folder.join(name).exists(),
    };
    if asked(|args| args.frames, "frames.jsonl") && summary.videos.count > 0 {
        files.push_str(", frames.jsonl");
    }
    if asked(|args| args.overlay || args.check, "overlays") && folder.join("overlays").exists() {
        files.push_str(", overlays/");
    }
    if asked(|args| args.save_crops, "crops") {
        files.push_str(", crops/");
    }
    files
}
