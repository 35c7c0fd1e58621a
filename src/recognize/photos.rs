//! Which photos: files and folders, in a fixed order, with a name each that can be shown.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;
use walkdir::{DirEntry, WalkDir};

/// One photo to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhotoFile {
    /// Where it is.
    pub path: PathBuf,
    /// The path as text: bytes that are not UTF-8 are written `\xNN`.
    pub name: String,
    /// File stem, unique in the listing and harmless on every file system, for what is made from
    /// the photo.
    pub artifact: String,
}

/// What the given paths hold.
#[derive(Debug, Default)]
pub struct Listing {
    /// The photos: in the order of the paths given, folders sorted by name.
    pub photos: Vec<PhotoFile>,
    /// What could not be looked into.
    pub problems: Vec<ListError>,
}

/// A place that could not be looked into.
#[derive(Debug, Error)]
pub enum ListError {
    /// A folder, or a file in it, that the system does not open.
    #[error("cannot read {place}: {source}")]
    Unreadable {
        /// The path as text.
        place: String,
        /// What the system says.
        source: io::Error,
    },
}

/// Extensions of pictures: such a file in a folder is listed whatever it holds, so that a broken
/// photo is a row and not a gap.
const EXTENSIONS: [&str; 19] = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "bmp", "tif", "tiff", "webp", "pbm", "pgm", "ppm",
    "pnm", "pam", "heic", "heif", "avif", "jxl",
];

/// Longest artifact stem, in bytes: leaves room for suffixes under the usual limit of 255.
const ARTIFACT_BYTES: usize = 120;

/// Lists photos: a path that is a folder stands for the pictures in it and below, sorted, without
/// hidden entries, symlink loops cut; any other path is a photo, even if it turns out to be none.
/// The folder `skip` (where results go) is not entered.
pub fn list(paths: &[PathBuf], skip: Option<&Path>) -> Listing {
    let skip = skip.and_then(|folder| folder.canonicalize().ok());
    let mut listing = Listing::default();
    for path in paths {
        if path.is_dir() {
            list_folder(path, skip.as_deref(), &mut listing);
        } else {
            listing.photos.push(PhotoFile::unnamed(path.clone()));
        }
    }
    name_artifacts(&mut listing.photos);
    listing
}

fn list_folder(folder: &Path, skip: Option<&Path>, listing: &mut Listing) {
    let wanted = |entry: &DirEntry| {
        let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
        let skipped = entry.file_type().is_dir()
            && entry.depth() > 0
            && skip.is_some_and(|skip| entry.path().canonicalize().is_ok_and(|path| path == skip));
        !hidden && !skipped
    };
    let entries = WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(wanted);
    for entry in entries {
        match entry {
            Ok(entry) if entry.file_type().is_file() && looks_like_picture(entry.path()) => {
                listing
                    .photos
                    .push(PhotoFile::unnamed(entry.path().to_path_buf()));
            }
            Ok(_) => {}
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let place = show(error.path().unwrap_or(folder));
                let source = error
                    .into_io_error()
                    .unwrap_or_else(|| io::Error::other("unknown"));
                listing
                    .problems
                    .push(ListError::Unreadable { place, source });
            }
        }
    }
}

/// Reads a list of paths: one a line, or with `nul` one before each NUL byte. Empty entries are
/// skipped, a carriage return before a line feed is not part of the path.
///
/// # Errors
/// What stops the reader.
pub fn read_list(mut reader: impl Read, nul: bool) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let separator = if nul { 0 } else { b'\n' };
    Ok(bytes
        .split(|&byte| byte == separator)
        .map(|entry| match entry {
            [path @ .., b'\r'] if !nul => path,
            path => path,
        })
        .filter(|entry| !entry.is_empty())
        .map(path_from_bytes)
        .collect())
}

#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The path as text; bytes that are not UTF-8 are written `\xNN`.
pub fn show(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

impl PhotoFile {
    fn unnamed(path: PathBuf) -> PhotoFile {
        PhotoFile {
            name: show(&path),
            artifact: String::new(),
            path,
        }
    }
}

/// Gives every photo its artifact stem: the file's own, and where several share one, with a piece
/// of the hash of their paths, so that a name does not depend on what else is listed beside them.
fn name_artifacts(photos: &mut [PhotoFile]) {
    let mut shared: HashMap<String, usize> = HashMap::new();
    for photo in photos.iter_mut() {
        photo.artifact = harmless_stem(&photo.path);
        *shared.entry(photo.artifact.to_lowercase()).or_default() += 1;
    }
    for photo in photos {
        if shared[&photo.artifact.to_lowercase()] > 1 {
            let hash = blake3::hash(photo.path.as_os_str().as_encoded_bytes()).to_hex();
            photo.artifact = format!("{}-{}", photo.artifact, &hash[..8]);
        }
    }
}

fn harmless_stem(path: &Path) -> String {
    let stem = show(Path::new(path.file_stem().unwrap_or_default()));
    let mut harmless = String::new();
    for character in stem.chars() {
        let kept = character.is_alphanumeric() || "-_.".contains(character);
        let character = if kept { character } else { '_' };
        if harmless.len() + character.len_utf8() > ARTIFACT_BYTES {
            break;
        }
        harmless.push(character);
    }
    match harmless.trim_start_matches(['.', '-']) {
        "" => "photo".to_owned(),
        stem => stem.to_owned(),
    }
}

fn looks_like_picture(path: &Path) -> bool {
    let named = path.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    named || has_magic(path).unwrap_or(false)
}

fn has_magic(path: &Path) -> io::Result<bool> {
    let mut head = Vec::with_capacity(32);
    std::fs::File::open(path)?.take(32).read_to_end(&mut head)?;
    Ok(is_picture_head(&head))
}

/// Whether a file that begins so is a picture of a kind that photos come in.
fn is_picture_head(head: &[u8]) -> bool {
    let at = |offset: usize, magic: &[u8]| {
        head.get(offset..)
            .is_some_and(|rest| rest.starts_with(magic))
    };
    let pnm = matches!(head, [b'P', b'1'..=b'7', white, next, ..]
        if white.is_ascii_whitespace() && (next.is_ascii_digit() || *next == b'#'));
    let iso_media = at(4, b"ftyp")
        && [b"heic", b"heix", b"mif1", b"msf1", b"avif", b"hevc"]
            .iter()
            .any(|brand| at(8, *brand));
    at(0, b"\xFF\xD8\xFF")
        || at(0, b"\x89PNG\r\n\x1A\n")
        || at(0, b"GIF8")
        || at(0, b"II*\0")
        || at(0, b"MM\0*")
        || (at(0, b"RIFF") && at(8, b"WEBP"))
        || (at(0, b"BM") && at(6, b"\0\0\0\0") && at(15, b"\0\0\0"))
        || pnm
        || iso_media
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        folder
    }

    fn names(listing: &Listing, folder: &Path) -> Vec<String> {
        let relative = |photo: &PhotoFile| show(photo.path.strip_prefix(folder).unwrap());
        listing.photos.iter().map(relative).collect()
    }

    #[test]
    fn a_folder_gives_its_pictures_sorted_by_name_whatever_their_extension() {
        let folder = folder_with(&[
            ("b/2.jpg", b""),
            ("b/1.JPEG", b"text"),
            ("a.dat", b"0 0 0"),
            ("c.bin", b"\x89PNG\r\n\x1A\nrest"),
            ("notes.txt", b"BM is how this text begins"),
            (".hidden.jpg", b""),
            ("out/overlay.jpg", b""),
        ]);
        let skip = folder.path().join("out");
        let listing = list(&[folder.path().to_path_buf()], Some(&skip));
        assert!(listing.problems.is_empty());
        assert_eq!(
            names(&listing, folder.path()),
            ["b/1.JPEG", "b/2.jpg", "c.bin"]
        );
    }

    #[test]
    fn a_file_given_by_name_is_listed_whatever_it_holds() {
        let folder = folder_with(&[("notes.txt", b"text")]);
        let paths = [
            folder.path().join("notes.txt"),
            folder.path().join("missing"),
        ];
        assert_eq!(
            names(&list(&paths, None), folder.path()),
            ["notes.txt", "missing"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_is_cut() {
        let folder = folder_with(&[("a/1.jpg", b"")]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        let listing = list(&[folder.path().to_path_buf()], None);
        assert!(listing.problems.is_empty());
        assert_eq!(names(&listing, folder.path()), ["a/1.jpg"]);
    }

    #[test]
    fn equal_stems_get_names_of_their_own_that_do_not_depend_on_the_others() {
        let folder = folder_with(&[("a/x.jpg", b""), ("b/X.jpg", b""), ("c/y.jpg", b"")]);
        let all = list(&[folder.path().to_path_buf()], None);
        let stems: Vec<_> = all.photos.iter().map(|p| p.artifact.clone()).collect();
        assert_eq!(stems[2], "y");
        assert!(stems[0].starts_with("x-") && stems[1].starts_with("X-"));
        assert_ne!(stems[0].to_lowercase(), stems[1].to_lowercase());
    }

    #[test]
    fn artifact_stems_are_harmless() {
        let stem = |name: &str| harmless_stem(Path::new(name));
        assert_eq!(stem("../a b\n\"c\".jpg"), "a_b__c_");
        assert_eq!(stem("-rf.jpg"), "rf");
        assert_eq!(stem("数独.jpg"), "数独");
        assert!(stem(&"é".repeat(200)).len() <= ARTIFACT_BYTES);
    }

    #[test]
    fn lists_are_split_at_lines_or_at_nul() {
        let lines = read_list(&b"a b.jpg\r\n\nc,d.jpg"[..], false).unwrap();
        assert_eq!(lines, [PathBuf::from("a b.jpg"), PathBuf::from("c,d.jpg")]);
        let nul = read_list(&b"a\nb.jpg\0c.jpg\0"[..], true).unwrap();
        assert_eq!(nul, [PathBuf::from("a\nb.jpg"), PathBuf::from("c.jpg")]);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"caf\xE9.jpg"));
        assert_eq!(show(path), "caf\\xE9.jpg");
    }
}
