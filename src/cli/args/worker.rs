//! Flags of `worker`.

use clap::Args;

use super::reader::ReaderArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Reads an Arrow IPC stream from stdin: record batches with the columns `id` (of any type, handed back
as it is) and `bytes` (binary or large_binary: a picture file, or a PDF or TIFF of several pages). For
each batch it writes one to stdout, at once: `id`, the columns of results.csv with types of their own,
and `page`, from 1, null for a picture. A photo or page has a row for each board, or one that says why
there is none. `read` of the Python package talks to such processes.

Examples:
  sudoku-batch worker -j 1 < photos.arrows > rows.arrows

Exit codes: 0 the input ended, 2 it is no such stream, or the rows cannot be written.")]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}
