//! The small files of a run, one or more a photo, on their way to disk.
//!
//! Bringing each of them to disk by itself takes as long as finding the boards of its photo. They can be made again at
//! any time, so on Linux they come to disk together, before the results that name them. Until then a loss of power may
//! leave one of them cut off: that is seen by its end, and it is made again.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::files::WholeFile;

/// How JPEG and PNG files end.
const JPEG_END: &[u8] = b"\xFF\xD9";
const PNG_END: &[u8] = b"IEND\xAE\x42\x60\x82";

/// Writes a picture, whole or not at all while the power is on; [`sync_pictures`] brings it to disk.
///
/// # Errors
/// Whatever stops it: then the target is as it was before.
pub(super) fn write_picture(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    fill(&mut file)?;
    match cfg!(target_os = "linux") {
        true => file.finish_unsynced(),
        false => file.finish(),
    }
}

/// Brings all pictures below a folder to disk.
///
/// # Errors
/// What the system says.
pub(super) fn sync_pictures(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::unistd::syncfs(File::open(folder)?)?;
    #[cfg(not(target_os = "linux"))]
    let _ = folder;
    Ok(())
}

/// Whether a picture is there, to its end.
pub(super) fn is_whole(path: &Path) -> bool {
    let end = match path.extension().and_then(|it| it.to_str()) {
        Some("jpg") => JPEG_END,
        Some("png") => PNG_END,
        _ => return path.is_file(),
    };
    ends_with(path, end).unwrap_or(false)
}

fn ends_with(path: &Path, end: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-(end.len() as i64)))?;
    let mut last = Vec::with_capacity(end.len());
    file.read_to_end(&mut last)?;
    Ok(last == end)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use image::{GrayImage, ImageFormat};

    use super::*;

    #[test]
    fn a_truncated_picture_is_incomplete() {
        let folder = tempfile::tempdir().unwrap();
        for (name, format) in [("a.jpg", ImageFormat::Jpeg), ("b.png", ImageFormat::Png)] {
            let path = folder.path().join("new").join(name);
            assert!(!is_whole(&path));
            let mut bytes = io::Cursor::new(Vec::new());
            GrayImage::new(9, 9).write_to(&mut bytes, format).unwrap();
            let bytes = bytes.into_inner();
            write_picture(&path, |writer| writer.write_all(&bytes)).unwrap();
            sync_pictures(folder.path()).unwrap();
            assert!(is_whole(&path) && fs::read(&path).unwrap() == bytes);
            for length in [0, 1, bytes.len() / 2, bytes.len() - 1] {
                fs::write(&path, &bytes[..length]).unwrap();
                assert!(!is_whole(&path), "{name}: {length}");
            }
        }
        assert!(!is_whole(&folder.path().join("new")));
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jpg");
        let fill = |writer: &mut dyn Write| {
            writer.write_all(b"half")?;
            Err(io::Error::other("no more"))
        };
        assert!(write_picture(&path, fill).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
