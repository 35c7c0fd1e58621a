//! What a run reads: files, and the pages of documents one by one.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::failure::{Failure, guarded};
use super::photo::PageResult;
use super::photos::PhotoFile;
use crate::frames::is_video;
use crate::pages::{Document, is_document, page_name};

/// A picture or a video to read.
pub(super) struct Input {
    pub(super) file: PhotoFile,
    pub(super) source: Source,
}

/// Where its bytes come from.
pub(super) enum Source {
    /// The file itself.
    File,
    /// A page of a document.
    Page(Page),
    /// A document that cannot be opened.
    Failed(Failure),
}

/// A page of a document. The document is kept as long as one of its pages is to be read.
pub(super) struct Page {
    pub(super) document: Arc<Document>,
    pub(super) result: PageResult,
}

/// Extensions of pictures that are no documents: these are not looked into before their turn.
const PICTURES: [&str; 9] = [
    "jpg", "jpeg", "png", "heic", "heif", "webp", "gif", "bmp", "avif",
];

/// The files, and in place of each document its pages. A document is opened when its turn comes.
pub(super) fn inputs(
    files: impl Iterator<Item = PhotoFile> + Send,
    max_bytes: u64,
) -> impl Iterator<Item = Input> + Send {
    files.flat_map(move |file| -> Box<dyn Iterator<Item = Input> + Send> {
        if !looks_like_document(&file) {
            let source = Source::File;
            return Box::new(std::iter::once(Input { file, source }));
        }
        match open(&file.path, max_bytes) {
            Ok(document) => Box::new(pages(file, document)),
            Err(failure) => {
                let source = Source::Failed(failure);
                Box::new(std::iter::once(Input { file, source }))
            }
        }
    })
}

fn looks_like_document(file: &PhotoFile) -> bool {
    let is_picture = |path: &Path| {
        let extension = path.extension().unwrap_or_default();
        PICTURES.iter().any(|it| extension.eq_ignore_ascii_case(it))
    };
    if file.is_stream() || is_video(&file.path) || is_picture(&file.path) {
        return false;
    }
    // What cannot be opened, or is a pipe, is a row like any other photo.
    fs::metadata(&file.path).is_ok_and(|it| it.is_file())
        && File::open(&file.path).is_ok_and(|mut it| is_document(&mut it).unwrap_or(false))
}

fn open(path: &Path, max_bytes: u64) -> Result<Document, Failure> {
    let bytes = read_file(path, max_bytes)?;
    Ok(guarded(|| Document::open(bytes))??)
}

fn pages(file: PhotoFile, document: Document) -> impl Iterator<Item = Input> + Send {
    let document = Arc::new(document);
    (1..=document.pages()).map(move |number| {
        let mut path = file.path.clone().into_os_string();
        path.push(page_name("", number));
        let page = PhotoFile {
            path: path.into(),
            name: page_name(&file.name, number),
            // No photo has a `~` in its artifact.
            artifact: format!("{}~{number:03}", file.artifact),
        };
        let result = PageResult {
            file: file.name.clone(),
            number,
            content: document.content().to_owned(),
        };
        let document = Arc::clone(&document);
        Input {
            file: page,
            source: Source::Page(Page { document, result }),
        }
    })
}

/// The bytes of a file.
pub(super) fn read_file(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Failure> {
    // Looked at first: opening a pipe waits for somebody to write to it.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(Failure::NotAFile);
    }
    if metadata.len() > max_bytes {
        return Err(Failure::TooLarge {
            megabytes: metadata.len() >> 20,
            limit: max_bytes >> 20,
        });
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    File::open(path)?.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}
