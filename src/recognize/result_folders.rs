//! Pictures that earlier runs have made: they lie in folders of photos, and are none.

use std::path::Path;

use crate::folder_lock::is_marked;

/// Folders of pictures in the output folder of a run.
const PICTURE_FOLDERS: [&str; 5] = ["cells", "crops", "large", "overlays", "thumbnails"];
/// Pictures in the output folder itself.
const PICTURES: [&str; 1] = ["worst.png"];

/// Returns the output folder whose run has made this folder or this picture. Other pictures in an output folder are
/// left to be read: photos and results may share a folder.
pub(super) fn made_by_run(path: &Path) -> Option<&Path> {
    let name = path.file_name()?.to_str()?;
    if !PICTURE_FOLDERS.contains(&name) && !PICTURES.contains(&name) {
        return None;
    }
    let folder = match path.parent()? {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    is_marked(folder).then_some(folder)
}

/// Returns whether a file lies in a folder that a run has made.
pub(super) fn is_result(path: &Path) -> bool {
    made_by_run(path).is_some() || path.parent().is_some_and(|it| made_by_run(it).is_some())
}
