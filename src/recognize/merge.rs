//! The parts of a run, which several machines have done, joined to what one would have written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::crops::CropManifest;
use super::journal::PHOTOS;
use super::parquet_table::{PARQUET, write_parquet};
use super::run::{BOARDS, FRAMES, RESULTS};
use super::summary::Summary;
use crate::files::{JoinError, WriteError, join_files, read_json};

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
    let Ok(entries) = from.read_dir() else {
        return Ok(());
    };
    fs::create_dir_all(to).map_err(WriteError::of(to))?;
    for entry in entries.flatten() {
        if entry.file_name() == "manifest.csv" {
            continue;
        }
        let target = to.join(entry.file_name());
        let brought = match fs::remove_file(&target) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::hard_link(entry.path(), &target)
                .or_else(|_| fs::copy(entry.path(), &target).map(drop)),
        };
        brought.map_err(WriteError::of(&target))?;
    }
    Ok(())
}
