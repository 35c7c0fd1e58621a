//! Blocks of `console`: commands behind `$ `, and below them what they print.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::markdown::{Kind, Page};
use crate::output::is_shown;

/// How many commands of a page were run.
#[derive(Default, Debug)]
pub struct Counts {
    pub run: usize,
    /// In blocks that are not to be run.
    pub ignored: usize,
    /// In blocks that need ffmpeg, where there is none.
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
    /// With the lines that continue it.
    command: String,
    source: Vec<String>,
    output: Vec<String>,
}

/// What follows `console` on the opening fence.
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

/// The commands of a block; a line that begins with `> ` continues one.
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

/// Runs all commands of a page in order, in a folder of its own; with `write` puts what they print into it.
pub fn run_page(path: &Path, root: &Path, write: bool) -> (Counts, Vec<String>) {
    let page = Page::read(path);
    let (mut counts, mut complaints) = (Counts::default(), Vec::new());
    let place = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    for name in ["datasets", "training"] {
        std::os::unix::fs::symlink(root.join(name), place.path().join(name)).unwrap();
    }
    let name = path.strip_prefix(root).unwrap().display();
    let mut written: Vec<(usize, usize, Vec<String>)> = Vec::new();
    let mut code = 0;
    for (number, part) in page.parts.iter().enumerate() {
        let lines = page.lines_of(part);
        let info = match &part.kind {
            Kind::Comment => {
                // What a reader does by hand, such as saving a file from a browser.
                if part.from > 0 && page.lines[part.from - 1].trim() == "<!-- docs-test" {
                    let (_, output) = run(&lines.join("\n"), 0, place.path());
                    assert!(output.is_empty(), "{name}:{}: {output:?}", part.from);
                }
                continue;
            }
            Kind::Fenced(info) => info,
            Kind::Text => continue,
        };
        let Some(flags) = Flags::of(info) else {
            let has_call = lines.iter().any(|line| line.starts_with("sudoku-batch "));
            assert!(
                !has_call,
                "{name}:{}: commands belong into `console`",
                part.from
            );
            continue;
        };
        let mut block = commands(lines, part.from);
        if flags.ignore {
            let before = number.checked_sub(1).map(|before| &page.parts[before]);
            let has_reason = before.is_some_and(|before| {
                before.kind == Kind::Comment && page.lines_of(before)[0].contains("Not run: ")
            });
            assert!(
                has_reason,
                "{name}:{}: say `<!-- Not run: why -->` before it",
                part.from
            );
            counts.ignored += block.len();
            continue;
        }
        if flags.ffmpeg && !has_ffmpeg() {
            counts.skipped += block.len();
            continue;
        }
        for at in 0..block.len() {
            let says_code = block
                .get(at + 1)
                .is_some_and(|next| next.command == "echo $?");
            let (ended, printed) = run(&block[at].command, code, place.path());
            code = ended;
            counts.run += 1;
            let shown = &mut block[at];
            let place = format!("{name}:{}", shown.line + 1);
            if code != 0 && !says_code {
                complaints.push(format!(
                    "{place}: `{}` ended with {code}\n{}",
                    shown.command,
                    printed.join("\n")
                ));
            } else if !is_shown(&shown.output, &printed, flags.times) {
                if !write {
                    complaints.push(format!(
                        "{place}: `{}` printed\n{}\nand the page shows\n{}",
                        shown.command,
                        printed.join("\n"),
                        shown.output.join("\n")
                    ));
                }
                let kept = printed
                    .into_iter()
                    .filter(|line| !(flags.times && line.starts_with("warning: ")));
                shown.output = kept.collect();
            }
        }
        let lines = block
            .into_iter()
            .flat_map(|shown| [shown.source, shown.output].concat());
        written.push((part.from, part.to, lines.collect()));
    }
    if write {
        let mut lines = page.lines;
        for (from, to, new) in written.into_iter().rev() {
            lines.splice(from..to, new);
        }
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    (counts, complaints)
}

/// Runs a line of shell after a command that ended with a code; gives its code and all that it prints.
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
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| line.trim_end().to_owned());
    (output.status.code().unwrap_or(-1), lines.collect())
}

/// Whether videos can be read here; where `CI` is set they must be.
fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").output().is_ok();
    let is_ci = std::env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    assert!(
        found || !is_ci,
        "ffmpeg is not installed, and CI is set: no test may be skipped"
    );
    found
}
