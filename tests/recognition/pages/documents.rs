//! Opening documents: rendering, limits, and damage.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};

use super::common::documents::{jpeg, pdf, pdf_with_content, tiff};
use super::common::{PUZZLES, board, results};
use super::{paper, pictures};

/// `bytes` with a few random changes, by seed.
fn mutated(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random(20) {
        let place = random(bytes.len());
        match random(4) {
            0 => bytes[place] = random(256) as u8,
            1 => bytes[place] = b"0123456789"[random(10)],
            2 => bytes[place] ^= 1 << random(8),
            _ => {
                let from = random(bytes.len());
                let length = random(40).min(bytes.len() - from.max(place));
                bytes.copy_within(from..from + length, place);
            }
        }
    }
    if random(4) == 0 {
        bytes.truncate(random(bytes.len()));
    }
    bytes
}

#[test]
fn no_file_crashes_or_hangs_the_page_reader() {
    std::panic::set_hook(Box::new(|_| {}));
    let small = image::imageops::resize(&board(PUZZLES[0]), 60, 60, image::imageops::Nearest);
    let book = pdf(&[jpeg(small.clone()), jpeg(small.clone())]);
    let scan = tiff(&[small.clone(), small], false);
    let (mut read, mut failed) = (0, 0);
    for seed in 0..150 {
        for original in [&book, &scan] {
            for page in pictures(mutated(original, seed)).into_iter().flatten() {
                match page {
                    Ok(_) => read += 1,
                    Err(_) => failed += 1,
                }
            }
        }
    }
    assert!(read > 100, "{read} pages, {failed} failed");
    let cuts = (1..20).map(|part| book.len() * part / 20);
    cuts.for_each(|length| drop(pictures(book[..length].to_vec())));
}

#[test]
fn pictures_on_a_page_are_limited_before_they_are_decoded() {
    let page = jpeg(paper());
    let text = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect::<String>();
    let huge = text(pdf(&[page])).replace("/Width 552/Height 552", "/Width 60000/Height 60000");
    let pages = pictures(huge.chars().map(|it| it as u8).collect()).unwrap();
    let why = pages[0].as_ref().unwrap_err();
    assert!(why.contains("60000 x 60000 pixels"), "{why}");
    // A form that draws itself.
    let own = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
        2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
        3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R\
        /Resources<</XObject<</F 4 0 R>>>>>>endobj\n\
        4 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>/Length 5>>\
        stream\n/F Do\nendstream endobj\n5 0 obj<</Length 5>>stream\n/F Do\nendstream endobj\n\
        trailer<</Root 1 0 R>>\n";
    assert!(pictures(own.to_vec()).is_some());
}

#[test]
fn pages_are_rendered_about_two_thousand_pixels_long() {
    let pages = pictures(pdf(&[jpeg(board(PUZZLES[0]))])).unwrap();
    let page = image::load_from_memory(pages[0].as_ref().unwrap()).unwrap();
    assert_eq!((page.height(), page.width()), (2000, 1411));
}

/// Four gigabytes of zeros as a deflate stream of four megabytes.
fn four_gigabytes() -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![0; 1 << 24]).unwrap();
    // Ends at a byte boundary without a final block, so it can be repeated.
    encoder.flush().unwrap();
    encoder.get_ref().repeat(256)
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[cfg(unix)]
#[test]
fn a_decompression_bomb_pdf_is_refused_within_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let page = [jpeg(board(PUZZLES[0]))];
    let large = four_gigabytes();
    let bomb = pdf_with_content(&page, "", "/Filter/FlateDecode", &large);
    fs::write(folder.join("large.pdf"), bomb).unwrap();
    let twice = pdf_with_content(
        &page,
        "",
        "/Filter[/FlateDecode/FlateDecode]",
        &zlib(&large),
    );
    assert!(twice.len() < 150_000, "{}", twice.len());
    fs::write(folder.join("twice.pdf"), twice).unwrap();
    // Next to a correctly compressed content stream.
    let draw = zlib(b"q 400 0 0 400 10 100 cm /P Do Q");
    let fine = pdf_with_content(&page, "", "/Filter/FlateDecode", &draw);
    fs::write(folder.join("fine.pdf"), fine).unwrap();
    let run = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 2000000 && exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_sudoku-batch"))
        .args(["recognize", ".", "--out", "out", "-j", "2"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let rows: Vec<_> = results(&folder.join("out"))
        .iter()
        .map(|row| (row[0].to_owned(), row[2].to_owned(), row[12].to_owned()))
        .collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&*rows[0].0, &*rows[0].1), ("./fine.pdf#1", "solved"));
    for (row, name) in rows[1..].iter().zip(["./large.pdf", "./twice.pdf"]) {
        assert_eq!((&*row.0, &*row.1), (name, "unreadable"));
        assert!(row.2.contains("unpacks to more than 256 MB"), "{row:?}");
        assert!(row.2.contains("pdftoppm"), "{row:?}");
    }
}
