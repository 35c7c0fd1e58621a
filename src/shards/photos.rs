//! A plan of photos: cut by bytes, each photo with the hash of its content.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::{PlanError, PlanWriter};
use crate::files::hash_file;
use crate::parallel::map_in_order;
use crate::recognize::{Listing, PhotoFile, PhotoResult};
use crate::truth::sidecar;

/// A photo of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedPhoto {
    /// Its path, or its URL.
    path: String,
    /// The bytes of a path that is not UTF-8 text, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    path_bytes: Option<String>,
    /// Stem of the files made from it.
    artifact: String,
    /// Bytes, where it can be opened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    size: Option<u64>,
    /// Hash of its content, where it can be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    hash: Option<String>,
    /// Hash of its sidecar, where it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    truth: Option<String>,
}

/// A photo that is not the one of the plan.
#[derive(Debug, Error)]
#[error("{photo} has changed since the plan was made: {how}")]
pub struct Changed {
    /// The photo.
    pub photo: String,
    how: String,
}

/// Whether a path is a URL, which only the Python package can open.
pub fn is_url(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains("://"))
}

/// Writes a plan for `recognize`: the photos of a listing in their order, cut so that the shards have about the same
/// number of bytes. A URL may have its size behind a tab. Runs in the current rayon pool; `on_photo` is called for
/// each photo.
///
/// # Errors
/// [`PlanError`]: the plan cannot be written. A photo that cannot be read is planned without a hash.
pub fn plan_photos(
    listing: &Listing,
    shards: usize,
    path: &Path,
    mut on_photo: impl FnMut() + Send,
) -> Result<(), PlanError> {
    let listed = || {
        listing.photos().map_err(|source| PlanError::Input {
            place: "the list of photos".to_owned(),
            source,
        })
    };
    let mut total = 0;
    map_in_order(
        listed()?,
        |file| weight(size(&file)),
        |bytes| {
            total += bytes;
            Ok::<(), PlanError>(())
        },
    )?;
    let mut writer = PlanWriter::create(path, "recognize")?;
    let (mut before, mut shard) = (0, 0);
    map_in_order(listed()?, PlannedPhoto::of, |photo| {
        let bytes = weight(photo.size);
        while shard + 1 < shards && is_past(before + bytes / 2, shard + 1, shards, total) {
            writer.next_shard();
            shard += 1;
        }
        before += bytes;
        on_photo();
        writer.add(&photo, bytes)
    })?;
    (shard + 1..shards).for_each(|_| writer.next_shard());
    let problems = listing.problems.iter().map(ToString::to_string);
    writer.finish(problems.collect())
}

/// What a photo weighs; one of unknown size weighs as much as an empty one.
fn weight(size: Option<u64>) -> u64 {
    size.unwrap_or(0) + 1
}

/// Whether a place lies past the beginning of a shard.
pub(super) fn is_past(place: u64, shard: usize, shards: usize, total: u64) -> bool {
    u128::from(place) * shards as u128 >= u128::from(total) * shard as u128
}

/// The URL and its size, if the path is one.
fn url(file: &PhotoFile) -> Option<(&str, Option<u64>)> {
    let text = file.path.to_str().filter(|_| is_url(&file.path))?;
    Some(match text.rsplit_once('\t') {
        Some((url, size)) => (url, size.trim().parse().ok()),
        None => (text, None),
    })
}

fn size(file: &PhotoFile) -> Option<u64> {
    match url(file) {
        Some((_, size)) => size,
        None => std::fs::metadata(&file.path).ok().map(|file| file.len()),
    }
}

impl PlannedPhoto {
    fn of(file: PhotoFile) -> PlannedPhoto {
        let size = size(&file);
        if let Some((url, _)) = url(&file) {
            return PlannedPhoto {
                path: url.to_owned(),
                path_bytes: None,
                artifact: file.artifact.clone(),
                size,
                hash: None,
                truth: None,
            };
        }
        let bytes = file.path.as_os_str().as_encoded_bytes();
        PlannedPhoto {
            path_bytes: file.path.to_str().is_none().then(|| to_hex(bytes)),
            hash: hash_file(&file.path).ok(),
            truth: sidecar_hash(&file.path),
            path: file.name,
            artifact: file.artifact,
            size,
        }
    }

    /// Returns the photo as `recognize` takes it. One that the plan has as a URL lies in the folder `fetched`, under
    /// its number in the list of the plan, with its ending or without.
    ///
    /// # Errors
    /// Where it is a URL and was not fetched.
    pub fn file(&self, number: u64, fetched: Option<&Path>) -> io::Result<PhotoFile> {
        let file = |path: PathBuf| PhotoFile {
            path,
            name: self.path.clone(),
            artifact: self.artifact.clone(),
        };
        if let Some(bytes) = self.path_bytes.as_deref().and_then(from_hex) {
            return Ok(file(path_from_bytes(bytes)));
        }
        if !is_url(Path::new(&self.path)) {
            return Ok(file(PathBuf::from(&self.path)));
        }
        let folder = fetched.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::Unsupported,
                format!(
                    "{} is a URL: `python -m sudoku_batch.dask` fetches it",
                    self.path
                ),
            )
        })?;
        let plain = folder.join(number.to_string());
        let ending = Path::new(&self.path).extension();
        let named = ending.map(|ending| plain.with_extension(ending));
        let found = named.into_iter().chain([plain]).find(|path| path.is_file());
        found.map(file).ok_or_else(|| {
            let why = format!(
                "{} was not fetched: no file {number} in {}",
                self.path,
                folder.display()
            );
            io::Error::new(io::ErrorKind::NotFound, why)
        })
    }

    /// Checks that what was read is the photo of the plan.
    ///
    /// # Errors
    /// [`Changed`].
    pub fn check(&self, photo: &PhotoResult, path: &Path) -> Result<(), Changed> {
        let changed = |how: &str| Changed {
            photo: photo.photo.clone(),
            how: how.to_owned(),
        };
        let Some(planned) = &self.hash else {
            return Ok(());
        };
        // A photo that is too large to read has no hash in its result.
        let now = match photo.file_content() {
            Some(content) => Ok(content.to_owned()),
            None => hash_file(path),
        };
        match now {
            Ok(now) if now == *planned => Ok(()),
            Ok(_) => Err(changed("its content is another")),
            Err(error) => Err(changed(&error.to_string())),
        }
    }

    /// Checks that the sidecar of the photo, if it has one, is that of the plan. Those of the pages of a document are
    /// not in the plan.
    ///
    /// # Errors
    /// [`Changed`].
    pub fn check_sidecar(&self, path: &Path) -> Result<(), Changed> {
        match sidecar_hash(path) == self.truth {
            true => Ok(()),
            false => Err(Changed {
                photo: self.path.clone(),
                how: "the ground truth beside it is another".to_owned(),
            }),
        }
    }
}

fn sidecar_hash(photo: &Path) -> Option<String> {
    hash_file(&sidecar(photo)?).ok()
}

fn to_hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    data_encoding::HEXLOWER.decode(text.as_bytes()).ok()
}

#[cfg(unix)]
fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
