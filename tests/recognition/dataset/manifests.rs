//! Manifests of crops, and the files that they name.

use image::GrayImage;
use sudoku_batch::training::CropFolder;

use super::common::{program, say};
use super::{HEADER, dataset};

#[test]
fn a_bad_manifest_ends_stats_and_training_with_its_line() {
    let cases = [
        ("sheet.png,0,0,8,8,10,,", ":3: label `10`"),
        (
            "../sheet.png,0,0,8,8,1,,",
            ":3: file `../sheet.png` is outside",
        ),
        (
            "broken.png,0,0,8,8,1,,",
            ":3: sheet `broken.png` cannot be read",
        ),
        (
            "gone.png,0,0,8,8,1,,",
            ":3: sheet `gone.png` cannot be read",
        ),
        ("sheet.png,28,0,8,8,1,,", ":3: rectangle 8x8 at 28,0"),
        ("/etc/hosts,0,0,8,8,1,,", ":3: file `/etc/hosts` is outside"),
        (
            "sheet.png,0,0,8,8,1,",
            ":3: 7 fields, but the header has 8\n",
        ),
        (
            "sheet.png,0,0,8,wide,1,,",
            ":3: column `height`: invalid digit",
        ),
    ];
    for (row, expected) in cases {
        let rows = format!("{HEADER}sheet.png,0,0,8,8,1,,\n{row}\n");
        expect_refused(rows.as_bytes(), expected);
    }
    let foreign = [HEADER.as_bytes(), b"sheet.png,0,0,8,8,1,,caf\xe9\n"].concat();
    expect_refused(&foreign, ":2: column `source` is not UTF-8\n");
    expect_refused(
        b"file,x,y,width,label\nsheet.png,0,0,8,1\n",
        ":1: the header has no column `height`\n",
    );
    #[cfg(unix)]
    for file in ["link.png", "link/sheet.png"] {
        let rows = format!("{HEADER}{file},0,0,8,8,1,,\n");
        expect_refused(rows.as_bytes(), &format!(":2: file `{file}` is outside"));
    }
}

/// Checks that a manifest is refused with this message and advice. Its folder has a sheet, half a sheet, and
/// links to a sheet and a folder elsewhere.
fn expect_refused(manifest: &[u8], expected: &str) {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    GrayImage::new(32, 8).save(path("sheet.png")).unwrap();
    let png = std::fs::read(path("sheet.png")).unwrap();
    std::fs::write(path("broken.png"), &png[..png.len() / 2]).unwrap();
    let elsewhere = other.path().join("sheet.png");
    std::fs::write(&elsewhere, &png).unwrap();
    #[cfg(unix)]
    for (target, link) in [(&*elsewhere, "link.png"), (other.path(), "link")] {
        std::os::unix::fs::symlink(target, path(link)).unwrap();
    }
    std::fs::write(path("manifest.csv"), manifest).unwrap();
    let out = path("out");
    let stats = dataset(&["stats"], &[folder.path()], &out);
    let training = say(program(&["train"]).arg(folder.path()).arg("-o").arg(&out));
    for said in [stats, training] {
        assert_eq!(said.code, Some(2), "{said:?}");
        let message = format!("manifest.csv{expected}");
        assert!(said.stderr.contains(&message), "{message}: {}", said.stderr);
        assert!(said.stderr.contains("\nhint: "), "{said:?}");
        assert!(!out.exists(), "nothing is written");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_stays_in_the_folder_is_followed() {
    let (folder, link) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    GrayImage::new(32, 8).save(path("sheet.png")).unwrap();
    std::os::unix::fs::symlink("sheet.png", path("same.png")).unwrap();
    let rows = format!("{HEADER}same.png,0,0,8,8,1,,\n");
    std::fs::write(path("manifest.csv"), rows).unwrap();
    // The folder may be a link itself.
    let linked = link.path().join("crops");
    std::os::unix::fs::symlink(folder.path(), &linked).unwrap();
    assert_eq!(CropFolder::read(&linked).unwrap().crops.len(), 1);
}

#[test]
fn a_small_file_that_decompresses_to_an_enormous_sheet_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = GrayImage::new(12_000, 12_000);
    sheet.save(folder.path().join("sheet.png")).unwrap();
    let row = "file,x,y,width,height,label\nsheet.png,0,0,32,32,1\n";
    std::fs::write(folder.path().join("manifest.csv"), row).unwrap();
    let said = dataset(&["stats"], &[folder.path()], &folder.path().join("out"));
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.stderr.contains("sheet `sheet.png` cannot be read"),
        "{said:?}"
    );
}
