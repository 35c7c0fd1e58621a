//! `corpus export`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sudoku_batch::collection::export::{Card, Column, ExportConfig, Format, create, write_card};
use sudoku_batch::collection::{Groups, Part, Parts, RecordConfig, SplitProof, write_records};
use sudoku_batch::report::{counted, grouped};
use sudoku_batch::stream::End;

use super::input::{Input, command_line, watched};
use crate::cli::args::{Common, CorporaArgs, ExportArgs, TableArgs};
use crate::cli::corpora::only_classic;
use crate::cli::error::{CliError, WRITABLE, print_error, print_warning};
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
    let (input, parts) = match &args.split {
        None => {
            let corpora = CorporaArgs {
                corpora: args.corpora.clone(),
                table: args.table.clone(),
            };
            (Input::new(&corpora, "export")?, None)
        }
        Some(folder) => {
            let (input, parts) = split(common, folder, &args.table)?;
            (input, Some(parts))
        }
    };
    let rows = input.rows()?;
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
    let cannot = |error| CliError::with_hint(error, WRITABLE);
    let _lock = take_now(&args.out)?;
    let mut writer = create(&args.out, &config).map_err(cannot)?;
    let written = pool(common)?.install(|| {
        watched(|watch| {
            let mut left_out = |row: &sudoku_batch::corpus::Row| {
                print_error(format!("{}: left out: not exactly one solution", row.place));
            };
            let parts = parts.as_ref();
            write_records(rows, &records, parts, watch, &mut *writer, &mut left_out)
        })
    });
    let (tally, end) = written.map_err(|error| CliError::with_hint(error, WRITABLE))?;
    if end != End::Complete || tally.written == 0 {
        return input.finish(common, tally.read, end, "", false);
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

/// The files of a split, and the parts and groups of their rows.
fn split(
    common: &Common,
    folder: &std::path::Path,
    table: &TableArgs,
) -> Result<(Input, Parts), CliError> {
    let proof = SplitProof::read(folder).map_err(|error| {
        CliError::with_hint(error, "--split takes a folder written by `corpus split`")
    })?;
    if proof.reading.is_some() {
        return Err(only_classic("corpus export"));
    }
    let by = proof.group.parse().map_err(CliError::new)?;
    let corpora: Vec<PathBuf> = proof
        .parts
        .iter()
        .map(|part| folder.join(&part.file))
        .collect();
    let table = table.clone();
    let input = Input::new(&CorporaArgs { corpora, table }, "export")?;
    let rows = input.rows()?;
    let groups = pool(common)?.install(|| watched(|watch| Groups::of(rows, by, None, watch)));
    let (groups, _) = groups.map_err(CliError::new)?;
    let sizes = proof.parts.iter().map(|part| (part.part, part.rows));
    let sizes = sizes.collect();
    Ok((input, Parts { sizes, groups }))
}

/// The parts that have rows.
fn parts_of(rows: [u64; 3]) -> BTreeMap<Part, u64> {
    let parts = Part::ALL.into_iter().zip(rows);
    parts.filter(|(_, rows)| *rows > 0).collect()
}
