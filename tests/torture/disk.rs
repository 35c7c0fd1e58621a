//! A disk of a few pages, in memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Unmounted when it is dropped.
pub(crate) struct Disk(PathBuf);

impl Disk {
    /// Mounts a disk of about so many bytes over a folder; nothing where that is not allowed, as in most containers.
    pub(crate) fn mount(folder: &Path, bytes: u64) -> Option<Disk> {
        let size = format!("size={}k", (bytes / 4096).max(1) * 4);
        let options = ["-t", "tmpfs", "-o", &size, "tmpfs"];
        let mut mount = Command::new("mount");
        mount.args(options).arg(folder).stderr(Stdio::null());
        let is_mounted = mount.status().is_ok_and(|status| status.success());
        is_mounted.then(|| Disk(folder.to_owned()))
    }

    /// Gives it room.
    pub(crate) fn grow(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,size=256m"]).arg(&self.0);
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: until it is another program, a process that a thread beside this one starts has our files open.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
