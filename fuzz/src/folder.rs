//! Temporary files for fuzz inputs.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary folder, in memory if the system offers that.
pub struct Folder(TempDir);

impl Folder {
    /// Creates the folder.
    ///
    /// # Panics
    /// If none can be created.
    pub fn new() -> Folder {
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => TempDir::new_in(memory),
            false => TempDir::new(),
        };
        Folder(folder.expect("there is a place for temporary files"))
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a file in it.
    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}
