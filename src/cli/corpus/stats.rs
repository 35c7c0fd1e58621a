//! `corpus stats`.

use sudoku_batch::collection::{Board, CollectionStats, StatsConfig};
use sudoku_batch::corpus::Rows;
use sudoku_batch::files::write_bytes;
use sudoku_batch::report::{stats_page, stats_table};
use sudoku_batch::solve::Stop;
use sudoku_batch::stream::End;

use super::difficulty::difficulty;
use super::input::{Input, watched_of};
use crate::cli::args::{CollectionStatsArgs, Common};
use crate::cli::corpora::OpenRows;
use crate::cli::error::{CliError, cannot_write};
use crate::cli::interrupt::stop_flag;
use crate::cli::status::Status;
use crate::cli::stdout::print;
use crate::cli::threads::pool;

pub(super) fn run(common: &Common, args: &CollectionStatsArgs) -> Result<Status, CliError> {
    let input = Input::new(&args.input, "stats")?;
    match input.any_rows()? {
        OpenRows::Classic(rows) => count(common, args, &input, *rows),
        OpenRows::Variant(rows) => count(common, args, &input, rows),
    }
}

fn count<B: Board>(
    common: &Common,
    args: &CollectionStatsArgs,
    input: &Input,
    rows: Rows<B>,
) -> Result<Status, CliError> {
    let config = StatsConfig {
        difficulty: difficulty(&args.difficulty, &rows)?,
        minimal: args.minimal,
        stop: Some(Stop(stop_flag())),
    };
    let work = || watched_of::<B, _>(|watch| CollectionStats::of(rows, &config, watch));
    let counted = pool(common)?.install(work);
    let (stats, end) = counted.map_err(CliError::new)?;
    if end == End::Complete && stats.read.puzzles > 0 {
        if common.json {
            print(&(serde_json::to_string_pretty(&stats).unwrap_or_default() + "\n"));
        } else {
            print(&stats_table(&stats));
        }
        if let Some(path) = &args.page {
            let page = stats_page(&input.paths, &stats);
            write_bytes(path, page.as_bytes()).map_err(|error| cannot_write(path, &error))?;
        }
    }
    let is_clean = stats.one_solution == stats.read.puzzles;
    input.finish(common, stats.read, end, "counted", is_clean)
}
