//! Flags of `man` and `completions`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch man > sudoku-batch.1                    the page of the program
  sudoku-batch man dataset stats | man -l -            read the page of a command
  sudoku-batch man --out ~/.local/share/man/man1       all pages, into the search path of `man`

Exit codes: 0 written, 2 no such command, or the folder cannot be written to.")]
pub(crate) struct ManArgs {
    /// Command whose page to print [default: the whole program]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub(crate) command: Vec<String>,
    /// Write the pages of the program and all commands into this folder instead
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  sudoku-batch completions bash > ~/.local/share/bash-completion/completions/sudoku-batch
  sudoku-batch completions zsh > ~/.zfunc/_sudoku-batch
  sudoku-batch completions fish > ~/.config/fish/completions/sudoku-batch.fish

Exit codes: 0 printed, 2 no such shell.")]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    pub(crate) shell: clap_complete::Shell,
}
