//! Formats of photos from phones.

use std::fs;
use std::path::{Path, PathBuf};

use super::{rows, run};

/// `datasets/photos/011-small.jpg` in another format.
fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/pictures")
        .join(name)
}

#[test]
fn phone_photos_are_read_and_unsupported_formats_named_once_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let photos = folder.join("photos");
    fs::create_dir(&photos).unwrap();
    fs::copy(sample("board.heic"), photos.join("IMG_0001.HEIC")).unwrap();
    // By content, not by name.
    fs::copy(sample("board.heic"), photos.join("IMG_0002.jpg")).unwrap();
    fs::copy(sample("board.jxl"), photos.join("no-extension")).unwrap();
    for name in ["a.avif", "b.AVIF", "c"] {
        fs::copy(sample("board.avif"), photos.join(name)).unwrap();
    }
    fs::copy(sample("board-10-bit.avif"), photos.join("deep.avif")).unwrap();
    let avif = fs::read(sample("board.avif")).unwrap();
    fs::write(photos.join("cut.avif"), &avif[..avif.len() / 2]).unwrap();
    let heic = fs::read(sample("board.heic")).unwrap();
    fs::write(photos.join("cut.heic"), &heic[..heic.len() / 2]).unwrap();
    let said = run(
        folder,
        &["recognize", "photos", "--out", "out", "--overlay"],
    );
    let rows = rows(&folder.join("out"));
    let status = |name: &str| {
        let row = rows.iter().find(|row| row.0 == name);
        row.unwrap_or_else(|| panic!("{name}: {rows:?}")).1.clone()
    };
    let truth = "42.....1.....5..3..6......47...9..25..4...7....9.8.........9...1..54..9....1..28.";
    let readings = [
        ("IMG_0001.HEIC", cfg!(feature = "heic")),
        ("IMG_0002.jpg", cfg!(feature = "heic")),
        ("no-extension", cfg!(feature = "jxl")),
        ("a.avif", cfg!(feature = "avif")),
        ("b.AVIF", cfg!(feature = "avif")),
        ("c", cfg!(feature = "avif")),
        ("deep.avif", cfg!(feature = "avif")),
    ];
    for (name, is_read) in readings {
        assert_eq!(
            status(name),
            if is_read { "solved" } else { "unreadable" },
            "{name}"
        );
        let overlay = Path::new(name).file_stem().unwrap().to_str().unwrap();
        let overlay = folder.join(format!("out/overlays/{overlay}.jpg"));
        assert_eq!(overlay.exists(), is_read);
        assert!(!is_read || rows.iter().any(|row| row.0 == name && row.2 == truth));
    }
    for name in ["cut.avif", "cut.heic"] {
        assert_eq!(status(name), "unreadable");
    }
    assert_eq!(rows.len(), 9);
    for (feature, is_there, format, program) in [
        ("jxl", cfg!(feature = "jxl"), "JPEG XL", "djxl photo.jxl"),
        (
            "avif",
            cfg!(feature = "avif"),
            "AVIF",
            "ffmpeg -i photo.avif",
        ),
        (
            "heic",
            cfg!(feature = "heic"),
            "HEIC",
            "heif-convert photo.heic",
        ),
    ] {
        let times = usize::from(!is_there);
        let what = format!("{format} pictures are not read");
        assert_eq!(said.stderr.matches(&what).count(), times, "{said:?}");
        assert_eq!(said.stderr.matches(program).count(), times, "{said:?}");
        let flag = format!("--features {feature}");
        assert_eq!(said.stderr.matches(&flag).count(), times, "{said:?}");
    }
}
