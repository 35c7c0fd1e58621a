//! The commands of a job as processes, which exit or are killed.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::job::Job;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if it was killed.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the commands of a job. `blocks` is the size of the largest file that they may write, in blocks of 512 bytes.
///
/// # Errors
/// The command with an unexpected exit.
pub(crate) fn run_to_the_end(
    job: &Job,
    folder: &Path,
    blocks: Option<u64>,
) -> Result<Vec<Ended>, Ended> {
    let mut all = Vec::new();
    for command in job.commands {
        let mut ended = run(command, folder, blocks, None);
        if wants_resume(&ended) {
            ended = run(RESUME, folder, blocks, None);
        }
        // A shard may contain none of the bad lines.
        if ended.code != Some(job.code) && ended.code != Some(0) {
            return Err(ended);
        }
        all.push(ended);
    }
    Ok(all)
}

/// Runs the commands of a job for some time, then kills the running one with its children. Returns how they ended,
/// and whether one was killed.
pub(crate) fn run_until(job: &Job, folder: &Path, moment: Duration) -> (Vec<Ended>, bool) {
    let end = Instant::now() + moment;
    let mut all = Vec::new();
    for command in job.commands {
        let mut ended = run(command, folder, None, Some(end));
        if wants_resume(&ended) {
            ended = run(RESUME, folder, None, Some(end));
        }
        let is_killed = ended.code.is_none();
        all.push(ended);
        if is_killed {
            return (all, true);
        }
    }
    (all, false)
}

/// The arguments that resume a killed run of `train`.
const RESUME: &str = "train --resume results/out";

fn wants_resume(ended: &Ended) -> bool {
    ended.code == Some(2)
        && ended
            .stderr
            .contains("resume it with `--resume results/out`")
}

fn run(arguments: &str, folder: &Path, blocks: Option<u64>, end: Option<Instant>) -> Ended {
    let program = env!("CARGO_BIN_EXE_sudoku-batch");
    let mut command = match blocks {
        None => Command::new(program),
        Some(blocks) => {
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
            let mut shell = Command::new("sh");
            shell.args(["-c", &script, "sh", program]);
            shell
        }
    };
    // Files instead of pipes, so that output before the kill is kept.
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| folder.join(name));
    let mut child = command
        .args(arguments.split(' '))
        .args(["--threads", "2", "--no-config"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap())
        .process_group(0)
        .spawn()
        .unwrap();
    let status = match end {
        None => child.wait().unwrap(),
        Some(end) => wait_or_kill(&mut child, end),
    };
    let read = |path| String::from_utf8(fs::read(path).unwrap()).unwrap();
    Ended {
        code: status.code(),
        stdout: read(stdout),
        stderr: read(stderr),
    }
}

fn wait_or_kill(child: &mut Child, end: Instant) -> ExitStatus {
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let group = Pid::from_raw(i32::try_from(child.id()).unwrap());
            killpg(group, Signal::SIGKILL).unwrap();
            return child.wait().unwrap();
        }
        thread::sleep(left.min(Duration::from_millis(1)));
    }
}
