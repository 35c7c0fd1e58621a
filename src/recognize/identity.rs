//! Files that are named more than once.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files that were seen. Two spellings of a path are one file; two names of it, by links, are two. Keeps 16 bytes
/// a file in memory.
#[derive(Debug, Default)]
pub(super) struct SeenFiles {
    seen: HashSet<[u8; 16]>,
    /// The last folder as it was spelled, and what it is.
    folder: Option<(PathBuf, PathBuf)>,
}

impl SeenFiles {
    /// Returns whether this is the first time that the file is seen.
    pub(super) fn is_new(&mut self, path: &Path) -> bool {
        let Some(name) = path.file_name() else {
            return true;
        };
        let spelled = path.parent().unwrap_or(Path::new(""));
        let is_last = |(known, _): &(PathBuf, PathBuf)| known == spelled;
        if !self.folder.as_ref().is_some_and(is_last) {
            self.folder = Some((spelled.to_owned(), real(spelled)));
        }
        let folder = self.folder.as_ref().map(|(_, real)| real.as_path());
        let whole = folder.unwrap_or(spelled).join(name);
        let hash = blake3::hash(whole.as_os_str().as_encoded_bytes());
        let first = hash.as_bytes().first_chunk::<16>();
        self.seen.insert(*first.expect("a hash has 32 bytes"))
    }
}

/// A folder as the system names it; one that is not there, as it is spelled, without `.`.
fn real(folder: &Path) -> PathBuf {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    fs::canonicalize(folder).unwrap_or_else(|_| {
        let parts = folder.components();
        let spelled = parts.filter(|it| *it != Component::CurDir).collect();
        std::path::absolute(&spelled).unwrap_or(spelled)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_path_are_one_file_and_hard_links_several() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir(at("b")).unwrap();
        fs::write(at("a.jpg"), "").unwrap();
        fs::hard_link(at("a.jpg"), at("b/a.jpg")).unwrap();
        let mut seen = SeenFiles::default();
        let new = ["a.jpg", "b/a.jpg", "missing/a.jpg"];
        assert!(new.iter().all(|path| seen.is_new(&at(path))));
        let again = [
            "a.jpg",
            "./a.jpg",
            "b/../a.jpg",
            "b/./a.jpg",
            "missing/./a.jpg",
        ];
        for path in again {
            assert!(!seen.is_new(&at(path)), "{path}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("b"), at("c")).unwrap();
            assert!(!seen.is_new(&at("c/a.jpg")));
            std::os::unix::fs::symlink(at("a.jpg"), at("c.jpg")).unwrap();
            assert!(seen.is_new(&at("c.jpg")));
        }
    }
}
