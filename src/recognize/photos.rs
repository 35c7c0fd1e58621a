//! Which photos: files and folders, in a fixed order, with a name each that can be shown.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;
use walkdir::{DirEntry, WalkDir};

use super::identity::SeenFiles;
use super::name_filter::NameFilter;
use super::path_list::path_from_bytes;
use super::result_folders::made_by_run;
use crate::files::show;
use crate::frames::is_video;
use crate::opening::{not_a_file, open_file};

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

impl PhotoFile {
    /// Whether it stands for YUV4MPEG2 on the standard input.
    pub(super) fn is_stream(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// A photo that arrives while others are read. Where another one had its stem before, a piece of the
    /// hash of its path tells them apart.
    pub(super) fn arrived(path: PathBuf, stems: &mut HashMap<String, PathBuf>) -> PhotoFile {
        let artifact = harmless_stem(&path);
        let first = stems
            .entry(artifact.to_lowercase())
            .or_insert_with(|| path.clone());
        let artifact = match *first == path {
            true => artifact,
            false => told_apart(&artifact, &path),
        };
        PhotoFile {
            name: show(&path),
            artifact,
            path,
        }
    }
}

/// The photos that some paths stand for. They are kept in a temporary file, so that a folder of a
/// million photos takes no memory while it is read.
#[derive(Debug)]
pub struct Listing {
    /// Paths, a NUL byte after each.
    paths: File,
    count: usize,
    /// Stems, in lower case and hashed, that several photos share.
    shared_stems: HashSet<u64>,
    /// Places that could not be looked into, and what was left out.
    pub problems: Vec<ListError>,
    /// What was left out with good reason.
    pub left_out: LeftOut,
}

/// What a listing leaves out, though it was named or lies in a folder that was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The first file that was named again, as it was named then.
    pub repeated: Option<String>,
    /// How many times a file was named again.
    pub repeats: usize,
    /// Output folders of earlier runs, whose pictures were left out.
    pub results: Vec<PathBuf>,
}

/// A place that could not be looked into, or is no photo.
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
    /// Something that would block or never end.
    #[error("{place} is left out: it is {kind}, not a file")]
    NotAFile {
        /// The path as text.
        place: String,
        /// `a pipe`, `a socket` or `a device`.
        kind: &'static str,
    },
}

/// Extensions of pictures: such a file in a folder is listed whatever it holds, so that a broken
/// photo is a row and not a gap.
const EXTENSIONS: [&str; 20] = [
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "bmp", "tif", "tiff", "webp", "pbm", "pgm", "ppm",
    "pnm", "pam", "heic", "heif", "avif", "jxl", "pdf",
];

/// Longest artifact stem, in bytes: leaves room for suffixes under the usual limit of 255.
const ARTIFACT_BYTES: usize = 120;

/// Lists photos: a path that is a folder stands for the pictures in it and below, sorted, without
/// hidden entries, symlink loops cut; any other path is a photo, even if it turns out to be none, but
/// for pipes, sockets and devices, which are left out. A file that is named twice is listed once. The folder
/// `skip` (where results go) is not entered, nor are pictures listed that earlier runs have made; of what remains
/// only what `filter` takes is listed.
///
/// # Errors
/// Where no temporary file can be written.
pub fn list(paths: &[PathBuf], skip: Option<&Path>, filter: &NameFilter) -> io::Result<Listing> {
    let skip = skip.and_then(|folder| folder.canonicalize().ok());
    let mut writer = ListWriter {
        paths: BufWriter::new(tempfile::tempfile()?),
        stems: Vec::new(),
        problems: Vec::new(),
        left_out: LeftOut::default(),
        // Of one folder, no file is named twice.
        seen: (paths.len() > 1).then(SeenFiles::default),
    };
    for path in paths {
        if path.is_dir() {
            writer.add_folder(path, skip.as_deref(), filter)?;
        } else if path
            .file_name()
            .is_none_or(|name| filter.takes(Path::new(name)))
        {
            let kind = fs::metadata(path).map(|metadata| metadata.file_type());
            match kind.ok().and_then(not_a_file) {
                Some(kind) => writer.leave_out(path, kind),
                None => writer.add(path)?,
            }
        }
    }
    writer.finish()
}

impl Listing {
    /// Returns how many photos there are.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the photos: in the order of the paths given, folders sorted by name.
    ///
    /// # Errors
    /// Where the temporary file cannot be read.
    pub fn photos(&self) -> io::Result<impl Iterator<Item = PhotoFile> + Send + '_> {
        let mut file = self.paths.try_clone()?;
        file.rewind()?;
        let paths = BufReader::new(file).split(0).map_while(Result::ok);
        Ok(paths.map(|path| self.photo(path_from_bytes(&path))))
    }

    /// Of several photos with one stem, each has a piece of the hash of its path in its artifact, so
    /// that the name does not depend on what else is listed.
    fn photo(&self, path: PathBuf) -> PhotoFile {
        let mut artifact = harmless_stem(&path);
        if self.shared_stems.contains(&stem_hash(&artifact)) {
            artifact = told_apart(&artifact, &path);
        }
        PhotoFile {
            name: show(&path),
            artifact,
            path,
        }
    }
}

/// A listing on its way.
struct ListWriter {
    paths: BufWriter<File>,
    /// Hashes of the stems of all photos.
    stems: Vec<u64>,
    problems: Vec<ListError>,
    left_out: LeftOut,
    seen: Option<SeenFiles>,
}

impl ListWriter {
    fn add(&mut self, path: &Path) -> io::Result<()> {
        if self.seen.as_mut().is_some_and(|seen| !seen.is_new(path)) {
            self.left_out.repeated.get_or_insert_with(|| show(path));
            self.left_out.repeats += 1;
            return Ok(());
        }
        self.stems.push(stem_hash(&harmless_stem(path)));
        self.paths.write_all(path.as_os_str().as_encoded_bytes())?;
        self.paths.write_all(&[0])
    }

    fn leave_out(&mut self, path: &Path, kind: &'static str) {
        let place = show(path);
        self.problems.push(ListError::NotAFile { place, kind });
    }

    fn add_folder(
        &mut self,
        folder: &Path,
        skip: Option<&Path>,
        filter: &NameFilter,
    ) -> io::Result<()> {
        let is_skipped = |entry: &DirEntry| {
            let same = |skip| entry.path().canonicalize().is_ok_and(|path| path == skip);
            entry.file_type().is_dir() && skip.is_some_and(same)
        };
        let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
        let below = |entry: &DirEntry| {
            let path = entry.path();
            path.strip_prefix(folder).unwrap_or(path).to_owned()
        };
        let is_left_out = |entry: &DirEntry| {
            is_hidden(entry) || is_skipped(entry) || filter.leaves_out(&below(entry))
        };
        let mut results = Vec::<PathBuf>::new();
        let mut is_result = |entry: &DirEntry| {
            let made = made_by_run(entry.path());
            if let Some(folder) = made
                && results.last().is_none_or(|last| last != folder)
            {
                results.push(folder.to_owned());
            }
            made.is_some()
        };
        let wanted =
            |entry: &DirEntry| entry.depth() == 0 || !(is_left_out(entry) || is_result(entry));
        let entries = WalkDir::new(folder).follow_links(true).into_iter();
        // One buffer for all: a walk that sorts by itself takes ten times the memory.
        let (mut names, mut ranges) = (Vec::new(), Vec::<Range<usize>>::new());
        for entry in entries.filter_entry(wanted) {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    if filter.takes(&below(&entry)) && looks_like_picture(entry.path()) {
                        let start = names.len();
                        names.extend_from_slice(entry.path().as_os_str().as_encoded_bytes());
                        ranges.push(start..names.len());
                    }
                }
                Ok(entry) => {
                    if let Some(kind) = not_a_file(entry.file_type())
                        && has_extension(entry.path())
                    {
                        self.leave_out(entry.path(), kind);
                    }
                }
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let place = show(error.path().unwrap_or(folder));
                    let source = error.into_io_error();
                    let source = source.unwrap_or_else(|| io::Error::other("unknown"));
                    self.problems.push(ListError::Unreadable { place, source });
                }
            }
        }
        results.sort();
        results.dedup();
        self.left_out.results.append(&mut results);
        let path = |range: &Range<usize>| path_from_bytes(&names[range.clone()]);
        ranges.sort_by_key(&path);
        ranges.iter().try_for_each(|range| self.add(&path(range)))
    }

    fn finish(mut self) -> io::Result<Listing> {
        self.stems.sort_unstable();
        let pairs = self.stems.windows(2).filter(|pair| pair[0] == pair[1]);
        Ok(Listing {
            count: self.stems.len(),
            shared_stems: pairs.map(|pair| pair[0]).collect(),
            paths: self
                .paths
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?,
            problems: self.problems,
            left_out: self.left_out,
        })
    }
}

/// The stem with a piece of the hash of its path.
fn told_apart(stem: &str, path: &Path) -> String {
    let hash = blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex();
    format!("{stem}-{}", &hash[..8])
}

/// Tells stems apart that differ by more than upper and lower case.
fn stem_hash(stem: &str) -> u64 {
    let hash = blake3::hash(stem.to_lowercase().as_bytes());
    let first = hash.as_bytes().first_chunk::<8>();
    u64::from_le_bytes(*first.expect("a hash has 32 bytes"))
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

/// Whether a file in a folder is a photo or a video, and not hidden.
pub(super) fn is_wanted(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    !name.as_encoded_bytes().starts_with(b".") && path.is_file() && looks_like_picture(path)
}

fn looks_like_picture(path: &Path) -> bool {
    has_extension(path) || is_video(path) || has_magic(path).unwrap_or(false)
}

fn has_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn has_magic(path: &Path) -> io::Result<bool> {
    let mut head = Vec::with_capacity(32);
    open_file(path)?.take(32).read_to_end(&mut head)?;
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
        || at(0, b"\xFF\x0A")
        || at(0, b"\0\0\0\x0CJXL \r\n\x87\n")
        || at(0, b"%PDF-")
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
        let relative = |photo: PhotoFile| show(photo.path.strip_prefix(folder).unwrap());
        let names: Vec<String> = listing.photos().unwrap().map(relative).collect();
        assert_eq!(names.len(), listing.count());
        names
    }

    #[test]
    fn a_folder_lists_its_pictures_by_name_with_any_extension() {
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
        let listing = list(
            &[folder.path().to_path_buf()],
            Some(&skip),
            &NameFilter::default(),
        )
        .unwrap();
        assert!(listing.problems.is_empty());
        assert_eq!(
            names(&listing, folder.path()),
            ["b/1.JPEG", "b/2.jpg", "c.bin"]
        );
    }

    #[test]
    fn a_file_given_by_name_is_always_listed() {
        let folder = folder_with(&[("notes.txt", b"text")]);
        let paths = [
            folder.path().join("notes.txt"),
            folder.path().join("missing"),
        ];
        assert_eq!(
            names(
                &list(&paths, None, &NameFilter::default()).unwrap(),
                folder.path()
            ),
            ["notes.txt", "missing"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_is_cut() {
        let folder = folder_with(&[("a/1.jpg", b"")]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("a/up")).unwrap();
        let listing = list(&[folder.path().to_path_buf()], None, &NameFilter::default()).unwrap();
        assert!(listing.problems.is_empty());
        assert_eq!(names(&listing, folder.path()), ["a/1.jpg"]);
    }

    #[test]
    fn equal_stems_get_distinct_names_independent_of_each_other() {
        let folder = folder_with(&[("a/x.jpg", b""), ("b/X.jpg", b""), ("c/y.jpg", b"")]);
        let all = list(&[folder.path().to_path_buf()], None, &NameFilter::default()).unwrap();
        let stems: Vec<_> = all.photos().unwrap().map(|p| p.artifact).collect();
        assert_eq!(stems[2], "y");
        assert!(stems[0].starts_with("x-") && stems[1].starts_with("X-"));
        assert_ne!(stems[0].to_lowercase(), stems[1].to_lowercase());
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_reported_and_skipped() {
        let folder = folder_with(&[("a.jpg", b"")]);
        let pipe = folder.path().join("pipe.jpg");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("s.png")).unwrap();
        let paths = [folder.path().to_path_buf(), pipe, "/dev/zero".into()];
        let listing = list(&paths, None, &NameFilter::default()).unwrap();
        assert_eq!(names(&listing, folder.path()), ["a.jpg"]);
        let problems = listing.problems.iter().map(ToString::to_string);
        let mut problems: Vec<String> = problems.collect();
        problems.sort();
        assert_eq!(problems.len(), 4);
        assert!(problems[0].ends_with("it is a device, not a file"));
        assert!(problems[1].contains("pipe.jpg is left out: it is a pipe"));
        assert!(problems[3].contains("s.png is left out: it is a socket"));
    }

    #[test]
    fn artifact_stems_are_harmless() {
        let stem = |name: &str| harmless_stem(Path::new(name));
        assert_eq!(stem("../a b\n\"c\".jpg"), "a_b__c_");
        assert_eq!(stem("-rf.jpg"), "rf");
        assert_eq!(stem("数独.jpg"), "数独");
        assert!(stem(&"é".repeat(200)).len() <= ARTIFACT_BYTES);
    }
}
