//! Unusual file names.

use std::fs;

use super::Fixture;
use super::common::{PUZZLES, board_png, program, results, say};

#[test]
fn names_with_commas_quotes_and_newlines_are_quoted() {
    let fixture = Fixture::new();
    let names = [
        "a,b.png",
        "say \"hi\".png",
        "two\nlines.png",
        "=1+1.png",
        " .png",
    ];
    for name in names {
        fixture.put(name, &board_png(PUZZLES[0]));
    }
    let said = fixture.run();
    assert_eq!(said.code, Some(0), "{said:?}");
    for name in names {
        assert_eq!(fixture.row_of(name).0, "solved", "{name:?}");
    }
    assert_eq!(results(fixture.out.path()).len(), 1 + names.len());
}

#[test]
fn a_file_name_like_a_formula_is_escaped() {
    let fixture = Fixture::new();
    fixture.put("=1+1.png", b"");
    let mut command = program(&["recognize", "good.png", "=1+1.png", "-o"]);
    let said = say(command
        .arg(fixture.out.path())
        .current_dir(fixture.folder.path()));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_eq!(&results(fixture.out.path())[1][0], "'=1+1.png");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8_are_opened_and_shown_escaped() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xE9.png");
    let path = fixture.folder.path().join(name);
    if fs::write(path, board_png(PUZZLES[0])).is_err() {
        println!("skipped: this file system takes UTF-8 only");
        return;
    }
    assert_eq!(fixture.run().code, Some(0));
    assert_eq!(fixture.row_of("caf\\xE9.png").0, "solved");
}
