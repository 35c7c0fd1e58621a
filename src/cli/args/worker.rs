//! Flags of `worker`.

use clap::Args;

use super::reader::ReaderArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Reads an Arrow IPC stream from stdin: record batches with the columns `id` (of any type, returned
unchanged) and `bytes` (binary or large_binary: a picture file, or a PDF or multi-page TIFF). For
each batch it writes one to stdout immediately: `id`, the columns of results.csv with proper types,
and `page`, from 1, null for a picture. A photo or page has a row for each board, or one row with
the reason why there is none. `read` of the Python package uses such processes.

Examples:
  sudoku-batch worker -j 1 < photos.arrows > rows.arrows

Exit codes: 0 end of input, 2 invalid stream, or the rows cannot be written.")]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}
