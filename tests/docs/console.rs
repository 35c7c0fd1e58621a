//! Blocks of `console`: commands after `$ ` and their output.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::markdown::{Kind, Page, Part};
use crate::output::is_shown;

/// Number of commands of a page that were run.
#[derive(Default, Debug)]
pub struct Counts {
    pub run: usize,
    /// Commands in ignored blocks.
    pub ignored: usize,
    /// Commands in blocks that need ffmpeg, if it is missing.
    pub skipped: usize,
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.run += other.run;
        self.ignored += other.ignored;
        self.skipped += other.skipped;
    }
}

/// A command, and the lines that the page shows below it.
struct Shown {
    /// Line of the page, from 0.
    line: usize,
    /// Including continuation lines.
    command: String,
    source: Vec<String>,
    output: Vec<String>,
}

/// The rest of the opening fence after `console`.
struct Flags {
    ignore: bool,
    ffmpeg: bool,
    times: bool,
}

impl Flags {
    fn of(info: &str) -> Option<Flags> {
        let mut words = info.split(',').map(str::trim);
        if words.next() != Some("console") {
            return None;
        }
        let mut flags = Flags {
            ignore: false,
            ffmpeg: false,
            times: false,
        };
        for word in words {
            match word {
                "ignore" => flags.ignore = true,
                "ffmpeg" => flags.ffmpeg = true,
                "times" => flags.times = true,
                _ => panic!("console,{word}"),
            }
        }
        Some(flags)
    }
}

/// The commands of a block; a line starting with `> ` continues one.
fn commands(lines: &[String], first: usize) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let source = vec![line.clone()];
        if let Some(command) = line.strip_prefix("$ ") {
            let command = command.to_owned();
            commands.push(Shown {
                line: first + at,
                command,
                source,
                output: Vec::new(),
            });
            continue;
        }
        let last = commands
            .last_mut()
            .unwrap_or_else(|| panic!("line {}: no command yet", first + at + 1));
        match line.strip_prefix("> ") {
            Some(more) if last.output.is_empty() => {
                last.command.push('\n');
                last.command.push_str(more);
                last.source.extend(source);
            }
            _ => last.output.push(line.clone()),
        }
    }
    commands
}

/// The commands that are not run, with their lines from 1: those of `console,ignore`, and the calls of
/// the program in `sh`.
pub fn commands_not_run(page: &Page) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for part in &page.parts {
        let Kind::Fenced(info) = &part.kind else {
            continue;
        };
        let lines = page.lines_of(part);
        if Flags::of(info).is_some_and(|flags| flags.ignore) {
            let commands = commands(lines, part.from).into_iter();
            found
                .extend(commands.map(|shown| (shown.line + 1, shown.command.replace("\\\n", " "))));
        } else if info == "sh" {
            let text = lines.join("\n").replace("\\\n", " ");
            found.extend(text.lines().map(|line| (part.from + 1, line.to_owned())));
        }
    }
    found
}

/// Runs the commands of a page in a separate folder.
struct PageRun<'a> {
    page: &'a Page,
    /// The name of the page in error messages.
    name: String,
    folder: TempDir,
    /// Exit code of the last command.
    code: i32,
    counts: Counts,
    complaints: Vec<String>,
}

/// Runs all commands of a page in order, in a separate folder with the repository's data; with `write` puts what
/// they print into the page. Returns what was run, and differences from the page.
pub fn run_page(path: &Path, root: &Path, write: bool) -> (Counts, Vec<String>) {
    let page = Page::read(path);
    let folder = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    for name in ["datasets", "training"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).unwrap();
    }
    let name = path.strip_prefix(root).unwrap().display().to_string();
    let mut run = PageRun {
        page: &page,
        name,
        folder,
        code: 0,
        counts: Counts::default(),
        complaints: Vec::new(),
    };
    let mut written = Vec::new();
    for (number, part) in page.parts.iter().enumerate() {
        match &part.kind {
            Kind::Comment => run.prepare(part),
            Kind::Fenced(info) => match Flags::of(info) {
                Some(flags) => {
                    let block = run.block(number, &flags, write);
                    written.extend(block.map(|lines| (part, lines)));
                }
                None => run.holds_no_command(part),
            },
            Kind::Text => {}
        }
    }
    let (counts, complaints) = (run.counts, run.complaints);
    if write {
        let mut lines = page.lines.clone();
        for (part, new) in written.into_iter().rev() {
            lines.splice(part.from..part.to, new);
        }
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    (counts, complaints)
}

impl PageRun<'_> {
    /// Does what a reader does by hand, such as saving a file from a browser: the lines of a comment that begins with
    /// `docs-test`.
    fn prepare(&self, part: &Part) {
        let before = part.from.checked_sub(1).map(|at| &self.page.lines[at]);
        if before.is_some_and(|line| line.trim() == "<!-- docs-test") {
            let script = self.page.lines_of(part).join("\n");
            let (_, printed) = run(&script, 0, self.folder.path());
            assert!(
                printed.is_empty(),
                "{}:{}: {printed:?}",
                self.name,
                part.from
            );
        }
    }

    /// Checks that commands are only in `console` blocks, where they are run.
    fn holds_no_command(&self, part: &Part) {
        let lines = self.page.lines_of(part);
        let has_call = lines.iter().any(|line| line.starts_with("sudoku-batch "));
        assert!(
            !has_call,
            "{}:{}: commands belong into `console`",
            self.name, part.from
        );
    }

    /// Runs the commands of a block, or counts them if it is ignored. Returns the updated block.
    fn block(&mut self, number: usize, flags: &Flags, write: bool) -> Option<Vec<String>> {
        let part = &self.page.parts[number];
        let mut block = commands(self.page.lines_of(part), part.from);
        if flags.ignore {
            let before = number.checked_sub(1).map(|before| &self.page.parts[before]);
            let has_reason = before.is_some_and(|before| {
                before.kind == Kind::Comment && self.page.lines_of(before)[0].contains("Not run: ")
            });
            assert!(
                has_reason,
                "{}:{}: say `<!-- Not run: why -->` before it",
                self.name, part.from
            );
            self.counts.ignored += block.len();
            return None;
        }
        if flags.ffmpeg && !has_ffmpeg() {
            self.counts.skipped += block.len();
            return None;
        }
        for at in 0..block.len() {
            let asks_code = block
                .get(at + 1)
                .is_some_and(|next| next.command == "echo $?");
            self.command(&mut block[at], flags, asks_code, write);
        }
        let lines = block
            .into_iter()
            .flat_map(|shown| [shown.source, shown.output].concat());
        Some(lines.collect())
    }

    /// Runs a command and compares or stores its output. It must exit with 0, unless the next command prints its
    /// exit code.
    fn command(&mut self, shown: &mut Shown, flags: &Flags, asks_code: bool, write: bool) {
        let (code, printed) = run(&shown.command, self.code, self.folder.path());
        self.code = code;
        self.counts.run += 1;
        let place = format!("{}:{}: `{}`", self.name, shown.line + 1, shown.command);
        if code != 0 && !asks_code {
            let printed = printed.join("\n");
            self.complaints
                .push(format!("{place} ended with {code}\n{printed}"));
        } else if !is_shown(&shown.output, &printed, flags.times) {
            if write {
                let kept = printed.into_iter();
                let kept = kept.filter(|line| !(flags.times && line.starts_with("warning: ")));
                shown.output = kept.collect();
                return;
            }
            let (printed, shown) = (printed.join("\n"), shown.output.join("\n"));
            self.complaints.push(format!(
                "{place} printed\n{printed}\nand the page shows\n{shown}"
            ));
        }
    }
}

/// Runs a line of shell after a command with this exit code; returns its own exit code and output.
fn run(line: &str, code: i32, folder: &Path) -> (i32, Vec<String>) {
    let program = Path::new(env!("CARGO_BIN_EXE_sudoku-batch"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let folders = std::iter::once(program.parent().unwrap().to_owned()).chain(folders);
    let script = format!("exec 2>&1\n(exit {code})\n{line}\n");
    let mut shell = Command::new("sh");
    for name in [
        "SUDOKU_BATCH_CONFIG",
        "SUDOKU_BATCH_DATA",
        "CLICOLOR_FORCE",
        "COLUMNS",
    ] {
        shell.env_remove(name);
    }
    let output = shell
        .args(["-c", &script])
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("LC_ALL", "C")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| line.trim_end().to_owned());
    (output.status.code().unwrap_or(-1), lines.collect())
}

/// Whether videos can be read; required if `CI` is set.
fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").output().is_ok();
    let is_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    assert!(
        found || !is_ci,
        "ffmpeg is not installed, and CI is set: no test may be skipped"
    );
    found
}
