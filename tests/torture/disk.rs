//! A disk of a few pages, in memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Unmounted when it is dropped.
pub(crate) struct Disk(PathBuf);

impl Disk {
    /// Mounts a disk of about this size over a folder; returns nothing if that is not allowed, as in most containers.
    pub(crate) fn mount(folder: &Path, bytes: u64) -> Option<Disk> {
        let size = format!("size={}k", (bytes / 4096).max(1) * 4);
        let options = ["-t", "tmpfs", "-o", &size, "tmpfs"];
        let mut mount = Command::new("mount");
        mount.args(options).arg(folder).stderr(Stdio::null());
        let is_mounted = mount.status().is_ok_and(|status| status.success());
        is_mounted.then(|| Disk(folder.to_owned()))
    }

    /// Enlarges it.
    pub(crate) fn grow(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,size=256m"]).arg(&self.0);
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a process that another thread starts has our files open until its exec.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
