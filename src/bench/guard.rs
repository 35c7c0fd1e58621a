//! Ends an external program if this process is killed and cannot do so itself.

use std::io::Write;
use std::process::{Child, Command, Stdio};

/// Reads process groups from stdin, and kills the last one when stdin closes; an empty line cancels
/// it.
const SCRIPT: &str =
    r#"while read -r group; do last=$group; done; [ -z "$last" ] || kill -s KILL -- "-$last""#;

/// A shell that waits for the end of this process. A signal to the child on the death of its parent
/// would be simpler, but asking for one takes unsafe code. `None` where there is no shell.
pub(super) struct Guard(Option<Child>);

impl Guard {
    /// Starts the guard in a process group of its own, so that signals to the group of this process
    /// do not reach it.
    pub(super) fn start() -> Guard {
        let mut command = Command::new("sh");
        command
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
            Guard(command.spawn().ok())
        }
        #[cfg(not(unix))]
        Guard(None)
    }

    /// Sets the process group to end together with this process.
    pub(super) fn watch(&mut self, group: u32) {
        self.say(&group.to_string());
    }

    fn say(&mut self, line: &str) {
        if let Some(stdin) = self.0.as_mut().and_then(|guard| guard.stdin.as_mut()) {
            // Without a guard all is as it would be on a system without a shell.
            let _ = writeln!(stdin, "{line}");
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.say("");
        if let Some(guard) = &mut self.0 {
            drop(guard.stdin.take());
            let _ = guard.wait();
        }
    }
}
