//! The `sudoku-batch` program: everything it does is a call into the library.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
