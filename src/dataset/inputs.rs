//! Photos to cut crops from: files, and the pages of documents.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::opening::{LARGEST_PHOTO, read_file};
use crate::pages::{Document, PageError, is_document, page_name, page_of};
use crate::truth::read_sidecar;

/// Returns the photos below these paths that have a sidecar, sorted within each path. Of a PDF, and
/// of a TIFF of several pages, those pages that have one: `book.pdf#12` with `book#12.txt`.
pub fn photos_with_truth(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().flat_map(|path| photos_below(path)).collect()
}

fn photos_below(root: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(root)
        .follow_links(true)
        .sort_by_file_name();
    let files = files.into_iter();
    let files = files.filter_map(|entry| entry.ok().map(walkdir::DirEntry::into_path));
    let files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    let pages = match root.is_file() {
        true => pages_with_truth(&beside(root)),
        false => pages_with_truth(&files),
    };
    let is_text = |path: &Path| {
        let extension = path.extension().map(|e| e.to_ascii_lowercase());
        extension.is_none_or(|e| ["dat", "txt", "csv", "json"].iter().any(|t| e == *t))
    };
    let photos = files.into_iter().filter(|path| !is_text(path));
    let photos = photos.flat_map(|path| {
        let numbers = pages.get(&path.with_extension(""));
        match numbers.filter(|_| is_document_file(&path)) {
            Some(numbers) => numbers
                .iter()
                .map(|number| page_path(&path, *number))
                .collect(),
            None => vec![path],
        }
    });
    let photos = photos.filter(|path| !matches!(read_sidecar(path), Ok(None)));
    photos.collect()
}

/// Returns the files in the folder of this one.
fn beside(file: &Path) -> Vec<PathBuf> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| file.with_file_name(entry.file_name()))
        .collect()
}

/// Returns the numbers of the pages that have a sidecar, by the path of the document without its
/// extension.
fn pages_with_truth(files: &[PathBuf]) -> HashMap<PathBuf, BTreeSet<usize>> {
    let mut pages = HashMap::<PathBuf, BTreeSet<usize>>::new();
    for file in files {
        let is_truth = file
            .extension()
            .is_some_and(|it| it == "txt" || it == "dat");
        if let Some((document, number)) = page_of(&file.with_extension("")).filter(|_| is_truth) {
            pages.entry(document).or_default().insert(number);
        }
    }
    pages
}

fn is_document_file(path: &Path) -> bool {
    File::open(path).is_ok_and(|mut file| is_document(&mut file).unwrap_or(false))
}

fn page_path(document: &Path, number: usize) -> PathBuf {
    let mut path = document.as_os_str().to_owned();
    path.push(page_name("", number));
    path.into()
}

/// A photo to cut crops from.
pub(super) struct Input<'a> {
    /// Its file, or the document with the number of the page.
    pub(super) path: &'a Path,
    page: Option<(Arc<Book>, usize)>,
}

impl Input<'_> {
    /// Returns the bytes of a picture file.
    ///
    /// # Errors
    ///
    /// Why there are none, as text.
    pub(super) fn bytes(&self, max_pixels: u64) -> Result<Vec<u8>, String> {
        match &self.page {
            Some((book, number)) => book.page(*number, max_pixels),
            None => read_file(self.path, LARGEST_PHOTO).map_err(|error| error.to_string()),
        }
    }
}

/// Returns the photos as inputs. Consecutive pages of a document share it; it is opened by the
/// first of them.
pub(super) fn inputs(photos: &[PathBuf]) -> impl Iterator<Item = Input<'_>> + Send {
    let mut last: Option<Arc<Book>> = None;
    photos.iter().map(move |path| {
        let page = page_of(path).filter(|_| !path.is_file());
        let page = page.map(|(file, number)| {
            let book = last.take().filter(|book| book.file == file);
            (book.unwrap_or_else(|| Arc::new(Book::new(file))), number)
        });
        last = page.as_ref().map(|(book, _)| Arc::clone(book));
        Input { path, page }
    })
}

/// A document that is opened once.
struct Book {
    file: PathBuf,
    document: OnceLock<Result<Document, String>>,
}

impl Book {
    const fn new(file: PathBuf) -> Book {
        Book {
            file,
            document: OnceLock::new(),
        }
    }

    fn page(&self, number: usize, max_pixels: u64) -> Result<Vec<u8>, String> {
        let document = self.document.get_or_init(|| {
            let bytes = read_file(&self.file, LARGEST_PHOTO).map_err(PageError::from);
            let document = bytes.and_then(Document::open);
            document.map_err(|error| error.to_string())
        });
        let document = document.as_ref().map_err(String::clone)?;
        let picture = document.picture(number, max_pixels);
        picture.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_ordered_by_number_and_other_files_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let board = ".".repeat(81);
        for (name, content) in [
            ("book.pdf", "%PDF-1.4"),
            ("book#10.txt", &board),
            ("book#9.txt", &board),
            ("book#x.txt", &board),
            ("book.txt", &board),
            ("other.pdf", "%PDF-1.4"),
            ("photo.jpg", "a photo, as its name says"),
            ("photo#1.txt", &board),
            ("photo.txt", &board),
        ] {
            fs::write(folder.join(name), content).unwrap();
        }
        let names = |path: &Path| -> Vec<String> {
            let found = photos_with_truth(&[path.to_owned()]);
            let name = |it: PathBuf| it.strip_prefix(folder).unwrap().display().to_string();
            found.into_iter().map(name).collect()
        };
        let pages = ["book.pdf#9", "book.pdf#10"];
        assert_eq!(names(folder), [&pages[..], &["photo.jpg"]].concat());
        assert_eq!(names(&folder.join("book.pdf")), pages);
        assert!(names(&folder.join("other.pdf")).is_empty());
    }

    #[test]
    fn pages_of_one_document_share_it() {
        let photos = ["a.pdf#1", "a.pdf#2", "b.jpg", "a.pdf#3", "c.tif#1"].map(PathBuf::from);
        let books = inputs(&photos).map(|input| input.page.map(|(book, _)| book));
        let books: Vec<Option<Arc<Book>>> = books.collect();
        let is_same = |a: usize, b: usize| match (&books[a], &books[b]) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        assert!(is_same(0, 1) && books[2].is_none());
        assert!(!is_same(1, 3) && !is_same(3, 4) && books[4].is_some());
    }
}
