//! The program `ffmpeg` as a child process.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use super::error::VideoError;

/// Where the program is.
#[derive(Clone, Debug)]
pub struct Ffmpeg(PathBuf);

impl Default for Ffmpeg {
    /// The first one on the search path.
    fn default() -> Ffmpeg {
        Ffmpeg(PathBuf::from("ffmpeg"))
    }
}

impl Ffmpeg {
    /// Takes the program at a path.
    pub fn at(path: &Path) -> Ffmpeg {
        Ffmpeg(path.to_owned())
    }

    /// Returns the version that the program says it has, such as `5.1.9-0+deb12u1`.
    ///
    /// # Errors
    /// [`VideoError::NoFfmpeg`] where it cannot be run.
    pub fn version(&self) -> Result<String, VideoError> {
        let output = self.command().arg("-version").output();
        let output = output.map_err(|error| self.missing(error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text.split_whitespace().nth(2).unwrap_or("unknown");
        Ok(version.to_owned())
    }

    /// Runs the program with these arguments; whoever asks gets its messages.
    pub(super) fn start(
        &self,
        arguments: &[OsString],
        input: Stdio,
        output: Stdio,
    ) -> Result<Running, VideoError> {
        let mut command = self.command();
        command.args(["-hide_banner", "-nostats", "-loglevel", "level+info", "-y"]);
        command.args(arguments).stdin(input).stdout(output);
        let child = command.stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| self.missing(error))?;
        let stderr = child.stderr.take().expect("invariant: it was piped");
        let (times, receiver) = mpsc::channel();
        // Read on a thread of its own: a full pipe would stop the program.
        let messages = std::thread::spawn(move || {
            let mut errors = Vec::new();
            let mut reader = BufReader::new(stderr);
            let mut line = Vec::new();
            while reader
                .by_ref()
                .take(1 << 16)
                .read_until(b'\n', &mut line)
                .is_ok_and(|it| it > 0)
            {
                let text = String::from_utf8_lossy(&line);
                if let Some(time) = frame_time(&text) {
                    let _ = times.send(time);
                } else if let Some(error) = error_text(&text)
                    && errors.len() < MAX_ERRORS
                {
                    errors.push(error);
                }
                line.clear();
            }
            errors
        });
        Ok(Running {
            child,
            messages: Some(messages),
            times: Some(receiver),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.0);
        command.stdin(Stdio::null());
        command
    }

    fn missing(&self, source: io::Error) -> VideoError {
        VideoError::NoFfmpeg {
            program: self.0.display().to_string(),
            source,
        }
    }
}

/// Messages that are kept.
const MAX_ERRORS: usize = 3;

/// The program while it runs; killed when this is dropped.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    messages: Option<JoinHandle<Vec<String>>>,
    /// The times of frames, as long as the program tells one for each.
    times: Option<Receiver<f64>>,
}

impl Running {
    pub(super) fn stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    pub(super) fn stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.child.stdin.take()
    }

    /// When the next frame is shown, in seconds, if the program says so.
    pub(super) fn frame_time(&mut self) -> Option<f64> {
        // The line is written before the frame is, so waiting means that there is none; a later one would be taken for
        // that of another frame.
        let told = self.times.as_ref()?.recv_timeout(Duration::from_secs(2));
        told.inspect_err(|_| self.times = None).ok()
    }

    /// Ends the program, and returns what it said was wrong, if anything was.
    pub(super) fn stop(&mut self) -> io::Result<Option<String>> {
        let _ = self.child.kill();
        self.child.wait()?;
        let messages = self.messages();
        Ok((!messages.is_empty()).then(|| messages.join("; ")))
    }

    /// Waits until the program has ended, and returns what was wrong, if anything was. Whoever holds one of its pipes
    /// closes it before: the program would wait for it.
    pub(super) fn finish(&mut self) -> io::Result<Option<String>> {
        let status = self.child.wait()?;
        let messages = self.messages();
        Ok(match messages.is_empty() {
            false => Some(messages.join("; ")),
            true if status.success() => None,
            true => Some(format!("ffmpeg {}", ending(status))),
        })
    }

    fn messages(&mut self) -> Vec<String> {
        let messages = self.messages.take().and_then(|it| it.join().ok());
        messages.unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("was killed by signal {signal}");
        }
    }
    format!("ended with {status}")
}

/// The arguments that name a local file, whatever it is called: a name with a colon is no address.
pub(super) fn input(path: &Path) -> [OsString; 4] {
    let mut file = OsString::from("file:");
    file.push(path);
    let local = OsStr::new("file,pipe").to_owned();
    ["-protocol_whitelist".into(), local, "-i".into(), file]
}

/// The time in a line of the filter `showinfo`.
fn frame_time(line: &str) -> Option<f64> {
    if !line.contains("Parsed_showinfo") {
        return None;
    }
    let (_, rest) = line.split_once(" pts_time:")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The text of a line that reports an error, without the part of the program that it comes from.
fn error_text(line: &str) -> Option<String> {
    let levels = ["[error] ", "[fatal] ", "[panic] "];
    let mut rest = levels
        .into_iter()
        .filter_map(|level| line.split_once(level));
    let (_, text) = rest.next()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_program_are_parsed() {
        let line =
            "[Parsed_showinfo_0 @ 0x55] [info] n:   3 pts:   1536 pts_time:0.12    duration: 512";
        assert_eq!(frame_time(line), Some(0.12));
        assert_eq!(frame_time("[info] pts_time:0.12"), None);
        let line = "[mov,mp4 @ 0x56] [error] moov atom not found\n";
        assert_eq!(error_text(line).as_deref(), Some("moov atom not found"));
        assert_eq!(error_text("[h264 @ 0x56] [warning] odd\n"), None);
    }

    #[test]
    fn a_missing_program_is_reported_with_advice() {
        let missing = Ffmpeg::at(Path::new("/no/such/ffmpeg"));
        let text = missing.version().unwrap_err().to_string();
        assert!(
            text.contains("/no/such/ffmpeg") && text.contains("install ffmpeg"),
            "{text}"
        );
    }
}
