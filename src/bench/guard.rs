//! Ends another program where the run that measures it was killed itself and can end nothing any more.

use std::io::Write;
use std::process::{Child, Command, Stdio};

/// Remembers the last process group that it was given, and kills that when its stdin closes: an empty line takes it back.
const SCRIPT: &str =
    r#"while read -r group; do last=$group; done; [ -z "$last" ] || kill -s KILL -- "-$last""#;

/// A shell that waits for this process to end. A signal to the child on the death of its parent would do without, but asking for
/// one takes unsafe code. Nothing where there is no shell.
pub(super) struct Guard(Option<Child>);

impl Guard {
    /// Starts it, in a process group of its own, so that what is sent to the group of this process passes it by.
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

    /// From now on the process group of this number is what ends with this process.
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
