//! `corpus export`.

use std::collections::BTreeMap;
use std::path::Path;

use sudoku_batch::collection::export::{
    Card, Column, ExportConfig, ExportError, Format, create, write_card,
};
use sudoku_batch::collection::{
    Board, ExportStreamError, Groups, Part, Parts, RecordConfig, SplitBy, SplitProof, write_records,
};
use sudoku_batch::corpus::{Row, Rows};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::End;
use sudoku_batch::variant::{OpenCorpora, Reading};

use super::input::{Input, command_line, watched_of};
use crate::cli::args::{Common, CorporaArgs, ExportArgs};
use crate::cli::corpora::{OpenRows, rows_of, variant_rows};
use crate::cli::error::{CliError, WRITABLE, print_error, print_warning};
use crate::cli::interrupt::stop_flag;
use crate::cli::out_folder::take_now;
use crate::cli::status::Status;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &ExportArgs) -> Result<Status, CliError> {
    if common.json {
        return Err(CliError::with_hint(
            "`corpus export` has no summary to print as JSON",
            "leave out --json: README.md in the folder has the summary, and --to jsonl writes the puzzles as JSON",
        ));
    }
    let format: Format = args.to.into();
    if args.copies > 0 && format != Format::Hrm {
        return Err(CliError::with_hint(
            "--copies applies to the format hrm only",
            "use `corpus augment` for other formats",
        ));
    }
    match &args.split {
        None => {
            let corpora = CorporaArgs {
                corpora: args.corpora.clone(),
                table: args.table.clone(),
                layout: args.layout.clone(),
            };
            let input = Input::new(&corpora, "export")?;
            match input.any_rows()? {
                OpenRows::Classic(rows) => export(common, args, &input, *rows, None),
                OpenRows::Variant(rows) => export(common, args, &input, rows, None),
            }
        }
        Some(folder) => {
            let sets = Sets::open(folder, args)?;
            let open = || sets.corpora();
            match (open(), open()) {
                (OpenCorpora::Classic(first), OpenCorpora::Classic(again)) => {
                    let rows = [rows_of(first.into_files())?, rows_of(again.into_files())?];
                    sets.export(common, args, rows)
                }
                (first, again) => {
                    let rows = [variant_rows(first)?, variant_rows(again)?];
                    sets.export(common, args, rows)
                }
            }
        }
    }
}

/// Writes these rows as a data set, perhaps with their parts and groups.
fn export<B: Board>(
    common: &Common,
    args: &ExportArgs,
    input: &Input,
    rows: Rows<B>,
    parts: Option<&Parts>,
) -> Result<Status, CliError> {
    let format: Format = args.to.into();
    let config = ExportConfig {
        format,
        columns: columns(args, format),
        copies: args.copies,
        seed: common.seed,
    };
    let records = RecordConfig {
        wanted: config.columns.clone(),
        columns: rows.columns().cloned(),
    };
    if !B::IS_RATED && (records.lacks_rating() || records.lacks(Column::GuessesMedian)) {
        return Err(CliError::with_hint(
            "boards of other sizes and shapes have no ratings, and the input has no columns with them",
            "omit er, ep, ed and guesses_median from --columns",
        ));
    }
    let cannot = |error| CliError::with_hint(error, WRITABLE);
    let _lock = take_now(&args.out)?;
    let mut writer = create(&args.out, &config).map_err(cannot)?;
    let written = pool(common)?.install(|| {
        watched_of::<B, _>(|watch| {
            let mut left_out = |row: &Row<B::Puzzle>| {
                print_error(format!("{}: left out: not exactly one solution", row.place));
            };
            let stop = Some(Stop(stop_flag()));
            write_records(
                rows,
                &records,
                parts,
                stop,
                watch,
                &mut *writer,
                &mut left_out,
            )
        })
    });
    let (tally, end) = written.map_err(|error| {
        let hint = match &error {
            ExportStreamError::Export(ExportError::OtherRules { .. }) => {
                "export the boards of each kind by themselves, or choose csv, jsonl or parquet"
            }
            _ => WRITABLE,
        };
        CliError::with_hint(error, hint)
    })?;
    if end != End::Complete || tally.written == 0 {
        return input.finish(common, tally.read, end, "nothing written", false);
    }
    let files = writer.finish().map_err(cannot)?;
    if format == Format::Hrm && tally.parts[Part::Test as usize] == 0 {
        print_warning("the test set is empty: export the sets of `corpus split` with --split");
    }
    let card = Card {
        title: args.title.clone(),
        command: command_line(),
        seed: common.seed,
        format,
        columns: config.columns,
        rows: tally.written,
        splits: parts_of(tally.parts),
        copies: args.copies,
    };
    write_card(&args.out, &card, &files).map_err(cannot)?;
    let mut done = format!(
        "{} written to {}",
        counted(tally.written, "row"),
        args.out.display()
    );
    if tally.left_out > 0 {
        done += &format!(", {} left out", grouped(tally.left_out));
    }
    input.finish(common, tally.read, end, &done, tally.left_out == 0)
}

/// The columns that were asked for, or the usual ones.
fn columns(args: &ExportArgs, format: Format) -> Vec<Column> {
    if format == Format::Hrm {
        return vec![
            Column::Puzzle,
            Column::Solution,
            Column::Group,
            Column::Split,
        ];
    }
    if !args.columns.is_empty() {
        return args.columns.clone();
    }
    let mut columns = vec![
        Column::Id,
        Column::Puzzle,
        Column::Solution,
        Column::Givens,
        Column::Source,
    ];
    if args.split.is_some() {
        columns.extend([Column::Group, Column::Split]);
    }
    columns
}

/// The sets that `corpus split` wrote.
struct Sets {
    proof: SplitProof,
    by: SplitBy,
    /// How boards of other sizes and shapes are read: as flags say, or else as when they were split.
    reading: Option<Reading>,
    input: Input,
}

impl Sets {
    fn open(folder: &Path, args: &ExportArgs) -> Result<Sets, CliError> {
        let proof = SplitProof::read(folder).map_err(|error| {
            CliError::with_hint(error, "--split takes a folder written by `corpus split`")
        })?;
        let files = proof.parts.iter().map(|part| folder.join(&part.file));
        let corpora = CorporaArgs {
            corpora: files.collect(),
            table: args.table.clone(),
            layout: args.layout.clone(),
        };
        Ok(Sets {
            by: proof.group.parse().map_err(CliError::new)?,
            reading: args.layout.reading_if_given()?.or(proof.reading.clone()),
            input: Input::new(&corpora, "export")?,
            proof,
        })
    }

    fn corpora(&self) -> OpenCorpora {
        let (paths, reading) = (self.input.paths.clone(), self.reading.clone());
        OpenCorpora::open(paths, reading, self.input.table.column())
    }

    /// Writes the rows as a data set: once for their groups, and once for themselves.
    fn export<B: Board>(
        &self,
        common: &Common,
        args: &ExportArgs,
        [rows, again]: [Rows<B>; 2],
    ) -> Result<Status, CliError> {
        let stop = Some(Stop(stop_flag()));
        let group = || watched_of::<B, _>(|watch| Groups::of(rows, self.by, stop, watch));
        let (groups, end) = pool(common)?.install(group).map_err(CliError::new)?;
        if end != End::Complete {
            return self
                .input
                .finish(common, groups.read, end, "nothing written", true);
        }
        let sizes = self.proof.parts.iter().map(|part| (part.part, part.rows));
        let sizes = sizes.collect();
        let parts = Parts { sizes, groups };
        export(common, args, &self.input, again, Some(&parts))
    }
}

/// The parts that have rows.
fn parts_of(rows: [u64; 3]) -> BTreeMap<Part, u64> {
    let parts = Part::ALL.into_iter().zip(rows);
    parts.filter(|(_, rows)| *rows > 0).collect()
}
