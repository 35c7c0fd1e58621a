//! One shard of a plan: which one, what is in it, and where its part goes.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

use serde::de::DeserializeOwned;
use sudoku_batch::environment::Environment;
use sudoku_batch::files::{WholeFile, WriteError, show, write_json};

use sudoku_batch::shards::{
    Begun, CorpusPiece, PROBLEMS, PartFolder, PartHead, Plan, PlanError, Shard, StreamSummary,
    Tallied, open_pieces,
};
use sudoku_batch::stream::End;
use sudoku_batch::variant::OpenCorpora;

use super::args::{Common, ShardArgs, WhichShard};
use super::corpora::{COLUMN, FORMATS, finished};
use super::error::{CliError, WRITABLE, cannot_write};
use super::out_folder::this_process;
use super::status::Status;
use super::threads::pool;

/// What a command is to do.
pub(super) enum Task {
    /// What its paths say.
    Paths,
    /// Nothing: the part of the shard is there.
    Done(Status),
    Shard(Box<ShardTask>),
}

/// A shard that is to be done.
pub(super) struct ShardTask {
    plan: Plan,
    number: usize,
    part: PartFolder,
}

impl Task {
    /// What the flags of a command say.
    pub(super) fn of(
        common: &Common,
        args: &ShardArgs,
        command: &str,
        parts: &Path,
    ) -> Result<Task, CliError> {
        let (Some(path), Some(which)) = (&args.plan, args.shard) else {
            return Ok(Task::Paths);
        };
        let plan = open_plan(path, Some(command))?;
        let number = number(which, &plan, path)?;
        match PartFolder::begin(parts, &plan, number, &this_process()).map_err(unwritable)? {
            Begun::New(part) => Ok(Task::Shard(Box::new(ShardTask { plan, number, part }))),
            Begun::There(part) => {
                if !common.quiet {
                    anstream::eprintln!("shard {number} is done: {}", show(&part.folder));
                }
                Ok(Task::Done(match part.head.clean {
                    true => Status::Clean,
                    false => Status::Partial,
                }))
            }
        }
    }
}

impl ShardTask {
    /// The folder that its files go to until it is complete.
    pub(super) fn folder(&self) -> &Path {
        self.part.path()
    }

    /// Whether its puzzles are boards of any layout, and not classic ones alone.
    pub(super) fn has_other_boards(&self) -> bool {
        self.plan.other_boards
    }

    pub(super) fn shard(&self) -> &Shard {
        &self.plan.shards[self.number]
    }

    /// The files in it.
    pub(super) fn files<F: DeserializeOwned>(&self) -> Result<Vec<F>, CliError> {
        self.plan.files(self.shard()).map_err(plan_error)
    }

    /// The pieces of corpora in it, none of which has changed since the plan was made.
    pub(super) fn pieces(&self) -> Result<Vec<CorpusPiece>, CliError> {
        let pieces = self.files::<CorpusPiece>()?.into_iter();
        let checked = pieces.map(CorpusPiece::checked);
        let checked: Result<_, String> = checked.collect();
        checked.map_err(|error| CliError::with_hint(error, CHANGED))
    }

    /// The puzzles of pieces in it.
    pub(super) fn open(&self, pieces: Vec<CorpusPiece>) -> OpenCorpora {
        open_pieces(pieces, self.plan.other_boards)
    }

    /// Gives the part its name.
    pub(super) fn finish(
        self,
        common: &Common,
        environment: &Environment,
        settings: serde_json::Value,
        status: Status,
    ) -> Result<Status, CliError> {
        let is_clean = status == Status::Clean;
        let head = PartHead::new(&self.plan, self.number, environment, settings, is_clean);
        let part = self.part.finish(&head).map_err(unwritable)?;
        if !common.quiet {
            anstream::eprintln!("shard {} is done: {}", self.number, show(&part));
        }
        Ok(status)
    }
}

/// What to do about a file that is not the one of the plan any more.
pub(super) const CHANGED: &str =
    "restore the files, or make a new plan; nothing was written for this shard";

/// Opens a plan for a command.
pub(super) fn open_plan(path: &Path, command: Option<&str>) -> Result<Plan, CliError> {
    let plan = Plan::open(path).map_err(plan_error)?;
    let own = env!("CARGO_PKG_VERSION");
    if plan.version != own {
        return Err(CliError::with_hint(
            format!(
                "the plan {} was made by version {}, but this is version {own}",
                plan.version,
                show(path)
            ),
            "use the same version for the plan, its shards and `merge`",
        ));
    }
    if let Some(command) = command
        && plan.command != command
    {
        return Err(CliError::with_hint(
            format!(
                "{} is a plan for `{}`, not for `{command}`",
                show(path),
                plan.command
            ),
            format!("make one with: sudoku-batch plan {command}"),
        ));
    }
    Ok(plan)
}

/// The variables in which engines say the number of a job of an array, and which engines they are.
const ARRAY_INDEX: [(&str, &str); 3] = [
    ("SLURM_ARRAY_TASK_ID", "Slurm"),
    ("JOB_COMPLETION_INDEX", "Kubernetes"),
    ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS Batch"),
];

/// The number of the shard.
fn number(which: WhichShard, plan: &Plan, path: &Path) -> Result<usize, CliError> {
    let shards = plan.shards.len();
    match which {
        WhichShard::Of { shard, shards: of } if of == shards => Ok(shard),
        WhichShard::Of { shards: of, .. } => Err(CliError::with_hint(
            format!("{} has {shards} shards, not {of}", show(path)),
            format!("give --shard I/{shards}, I from 0 to {}", shards - 1),
        )),
        WhichShard::Auto => {
            let mut set = ARRAY_INDEX
                .iter()
                .filter_map(|(name, _)| Some((*name, std::env::var(name).ok()?)));
            let Some((name, value)) = set.next() else {
                let names = ARRAY_INDEX.map(|(name, engine)| format!("{name} ({engine})"));
                return Err(CliError::with_hint(
                    format!("--shard auto: none of {} is set", names.join(", ")),
                    "run it as an array job, or give --shard I/N",
                ));
            };
            let number = value.parse().ok().filter(|number| *number < shards);
            number.ok_or_else(|| {
                CliError::with_hint(
                    format!(
                        "{name} is {value:?}, and {} has {shards} shards, counted from 0",
                        show(path)
                    ),
                    format!("let the array indices run from 0 to {}", shards - 1),
                )
            })
        }
    }
}

/// A plan that cannot be made or used, and what to do about it.
pub(super) fn plan_error(error: PlanError) -> CliError {
    let hint = match &error {
        PlanError::Corpus(error) if error.lacks_column() => COLUMN,
        PlanError::Input { .. } | PlanError::Corpus(_) => {
            "nothing was planned: fix the file, or omit it"
        }
        PlanError::NoPuzzles => FORMATS,
        PlanError::Write(_) => "give a writable file with --out",
        PlanError::Read(_) => "give a plan written by `sudoku-batch plan`",
    };
    CliError::with_hint(error, hint)
}

fn unwritable(error: WriteError) -> CliError {
    let hint = match error.source.kind() {
        ErrorKind::AlreadyExists => "remove it, or give another folder with --out",
        _ => WRITABLE,
    };
    CliError::with_hint(error, hint)
}

/// Reports something about a line.
type Report<'a> = &'a mut (dyn FnMut(&dyn Display) + Send);

/// Does a shard of `solve` or `rate`: `work` writes the answers and reports what is wrong with lines, `summary` says
/// in a line what it came to.
pub(super) fn stream_shard<T: Tallied>(
    common: &Common,
    task: ShardTask,
    answers: &str,
    settings: serde_json::Value,
    summary: impl Fn(&T, f64) -> String,
    work: impl FnOnce(OpenCorpora, &mut (dyn Write + Send), Report<'_>) -> Result<(T, End), CliError>,
) -> Result<Status, CliError> {
    let corpora = task.open(task.pieces()?);
    let folder = task.folder().to_owned();
    let (path, problems_path) = (folder.join(answers), folder.join(PROBLEMS));
    let create = |path: &Path| WholeFile::create(path).map_err(|error| cannot_write(path, &error));
    let mut out = create(&path)?;
    let mut problems = create(&problems_path)?;
    let mut unwritten = Ok(());
    let start = Instant::now();
    let mut report = |problem: &dyn Display| {
        // Who closed stderr does not want it.
        let _ = writeln!(anstream::stderr(), "{problem}");
        if unwritten.is_ok() {
            unwritten = writeln!(problems, "{problem}");
        }
    };
    let (tally, end) = work(corpora, &mut out, &mut report)?;
    if end != End::Complete {
        return Ok(Status::Interrupted);
    }
    let seconds = start.elapsed().as_secs_f64();
    let written = unwritten.and_then(|()| problems.finish());
    written.map_err(|error| cannot_write(&problems_path, &error))?;
    out.finish().map_err(|error| cannot_write(&path, &error))?;
    if !common.quiet {
        let _ = writeln!(anstream::stderr(), "{}", summary(&tally, seconds));
    }
    let environment = Environment::of_this_machine(pool(common)?.current_num_threads());
    let status = finished(end, tally.is_clean());
    let sum = StreamSummary::new(&task.plan.command, environment.clone(), tally, seconds);
    write_summary(&folder, &sum)?;
    task.finish(common, &environment, settings, status)
}

/// Writes the summary of shards of `solve` or `rate`.
pub(super) fn write_summary<T: Tallied>(
    folder: &Path,
    summary: &StreamSummary<T>,
) -> Result<(), CliError> {
    let path = folder.join(StreamSummary::<T>::FILE);
    write_json(&path, summary).map_err(|error| cannot_write(&path, &error))
}
