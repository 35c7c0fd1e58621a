//! The parts of a run, which several machines have done, joined to what one would have written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::crops::CropManifest;
use super::journal::PHOTOS;
use super::parquet_table::{PARQUET, write_parquet};
use super::run::{BOARDS, FRAMES, RESULTS};
use super::summary::Summary;
use crate::files::{JoinError, TEMPORARY, WriteError, join_files, read_json, write_whole};
use crate::opening::open_file;

/// Folders of the pictures of a run.
const PICTURES: [&str; 5] = ["thumbnails", "cells", "large", "overlays", "crops"];

/// Joins the tables of parts in their order, and brings their pictures together: by links where the file system has
/// them. Returns the sum of their summaries; the caller writes it, and the pages. `problems` are what was left out when
/// the photos were listed.
///
/// # Errors
/// [`JoinError`]: a part cannot be read, or the folder not be written to.
pub fn merge_parts(
    parts: &[PathBuf],
    problems: &[String],
    out: &Path,
) -> Result<Option<Summary>, JoinError> {
    fs::create_dir_all(out).map_err(WriteError::of(out))?;
    let mut sum: Option<Summary> = None;
    for part in parts {
        let summary: Summary = read_json(&part.join(Summary::FILE))?;
        match &mut sum {
            Some(sum) => sum.merge(summary),
            none => *none = Some(summary.after(problems)),
        }
        for folder in PICTURES {
            bring(&part.join(folder), &out.join(folder))?;
        }
    }
    for (name, has_header) in [
        (RESULTS, true),
        (BOARDS, true),
        (CropManifest::FILE, true),
        (FRAMES, false),
        (PHOTOS, false),
    ] {
        let files: Vec<PathBuf> = parts.iter().map(|part| part.join(name)).collect();
        join_files(&files, &out.join(name), has_header)?;
    }
    let is_wanted = parts.iter().any(|part| part.join(PARQUET).is_file());
    let marks = sum.as_ref().is_some_and(|sum| sum.config["marks"] == true);
    write_parquet(out, is_wanted, marks)?;
    Ok(sum)
}

/// Brings the pictures of a folder into another one. One that is there already takes the place of the other: names
/// are those of contents, or differ.
fn bring(from: &Path, to: &Path) -> Result<(), WriteError> {
    let entries = match from.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(WriteError::of(from))?,
    };
    fs::create_dir_all(to).map_err(WriteError::of(to))?;
    for entry in entries {
        let entry = entry.map_err(WriteError::of(from))?;
        if entry.file_name() == "manifest.csv" {
            continue;
        }
        let target = to.join(entry.file_name());
        let brought = link(&entry.path(), &target).or_else(|_| copy(&entry.path(), &target));
        brought.map_err(WriteError::of(&target))?;
    }
    Ok(())
}

/// Links a file to a name. One that has it already keeps it until the link is there.
fn link(from: &Path, target: &Path) -> io::Result<()> {
    match fs::hard_link(from, target) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let folder = target.parent().unwrap_or(Path::new("."));
            let linked = tempfile::Builder::new()
                .prefix(TEMPORARY)
                .make_in(folder, |path| fs::hard_link(from, path))?;
            let renamed = fs::rename(linked.path(), target);
            // Where both are names of one file, a rename leaves both: then the temporary one goes when this is dropped.
            drop(linked);
            renamed
        }
        other => other,
    }
}

/// Copies a file whole or not at all.
fn copy(from: &Path, target: &Path) -> io::Result<()> {
    let mut part = open_file(from)?;
    write_whole(target, |writer| io::copy(&mut part, writer).map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_picture_replaces_its_namesake_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("part"), folder.path().join("out"));
        fs::create_dir(&from).unwrap();
        fs::create_dir(&to).unwrap();
        fs::write(from.join("a.jpg"), "new").unwrap();
        fs::write(to.join("a.jpg"), "old").unwrap();
        for _ in 0..2 {
            bring(&from, &to).unwrap();
            assert_eq!(fs::read(to.join("a.jpg")).unwrap(), b"new");
            assert_eq!(fs::read_dir(&to).unwrap().count(), 1);
        }
        copy(&from.join("a.jpg"), &to.join("b.jpg")).unwrap();
        assert_eq!(fs::read(to.join("b.jpg")).unwrap(), b"new");
    }

    #[test]
    fn an_incomplete_copy_is_not_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.jpg");
        fs::write(&target, "old").unwrap();
        // A folder can be opened, and not be read.
        assert!(copy(folder.path(), &target).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
