//! Bad picture files.

use std::io::Write;

use image::{DynamicImage, ImageFormat};
use sudoku_batch::grid::Puzzle;

use super::Fixture;
use super::common::{PUZZLES, board, board_png, encoded, results};

/// Runs over a bad and a good photo, which must give exit code 1; returns the row of the bad one.
fn row_of_bad_photo(name: &str, bytes: &[u8]) -> (String, String) {
    let fixture = Fixture::new();
    fixture.put(name, bytes);
    let said = fixture.run();
    assert_eq!(said.code, Some(1), "{name}: {said:?}");
    fixture.row_of(name)
}

/// Checks that an unusual photo of a good board is solved.
fn assert_solved(name: &str, bytes: &[u8]) {
    let fixture = Fixture::new();
    fixture.put(name, bytes);
    let said = fixture.run();
    assert_eq!(said.code, Some(0), "{name}: {said:?}");
    assert_eq!(fixture.row_of(name).0, "solved");
    let rows = results(fixture.out.path());
    assert!(rows.iter().all(|row| &row[4] == PUZZLES[0]));
}

#[test]
fn files_that_are_not_pictures_are_unreadable_with_a_reason() {
    for (name, bytes, why) in [
        ("empty.jpg", &b""[..], "empty"),
        ("text.jpg", b"Dear photo, ...", "not a picture"),
        ("head.png", b"\x89PNG\r\n\x1A\n", "damaged"),
        ("head.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0", "damaged"),
        ("phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
    ] {
        let (status, error) = row_of_bad_photo(name, bytes);
        assert_eq!(status, "unreadable", "{name}");
        assert!(error.contains(why), "{name}: {error}");
    }
}

#[test]
fn a_truncated_photo_is_a_row_without_a_wrong_claim() {
    let truth: Puzzle = PUZZLES[1].parse().unwrap();
    for format in [ImageFormat::Jpeg, ImageFormat::Png] {
        let bytes = encoded(board(PUZZLES[1]), format);
        for share in [1, 4, 7] {
            let fixture = Fixture::new();
            fixture.put("cut.bin", &bytes[..bytes.len() * share / 8]);
            let said = fixture.run();
            assert!([Some(0), Some(1)].contains(&said.code), "{said:?}");
            let (status, _) = fixture.row_of("cut.bin");
            if status == "solved" {
                let decoded: Puzzle = results(fixture.out.path())[0][4].parse().unwrap();
                assert!(
                    decoded
                        .givens()
                        .all(|(cell, digit)| truth.given(cell) == Some(digit))
                );
            }
        }
    }
}

#[test]
fn a_wrong_extension_does_not_matter() {
    assert_solved("png.jpg", &board_png(PUZZLES[0]));
    assert_solved("jpeg.tiff", &encoded(board(PUZZLES[0]), ImageFormat::Jpeg));
    assert_solved("photo.backup", &board_png(PUZZLES[0]));
}

#[test]
fn unusual_picture_formats_are_read() {
    let board = DynamicImage::from(board(PUZZLES[0]));
    assert_solved("deep.png", &encoded(board.to_rgb16(), ImageFormat::Png));
    assert_solved("gray.png", &encoded(board.to_luma8(), ImageFormat::Png));
    assert_solved(
        "alpha.png",
        &encoded(board.to_luma_alpha8(), ImageFormat::Png),
    );
    assert_solved("deep.tiff", &encoded(board.to_luma16(), ImageFormat::Tiff));
    assert_solved("board.webp", &encoded(board.clone(), ImageFormat::WebP));
    assert_solved("board.bmp", &encoded(board.clone(), ImageFormat::Bmp));
    assert_solved("board.ppm", &encoded(board, ImageFormat::Pnm));
}

#[test]
fn an_animation_of_few_frames_is_read_from_its_first_frame() {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for line in [PUZZLES[0], PUZZLES[1]] {
        let frame = DynamicImage::from(board(line)).into_rgba8();
        encoder.encode_frame(image::Frame::new(frame)).unwrap();
    }
    drop(encoder);
    let fixture = Fixture::new();
    fixture.put("moving.gif", &bytes);
    let said = fixture.run();
    assert_eq!(said.code, Some(0), "{said:?}");
    let rows = csv::Reader::from_path(fixture.out.path().join("boards.csv"));
    let rows: Vec<csv::StringRecord> = rows.unwrap().records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0][2], &rows[0][11]), ("solved", PUZZLES[0]));
}

#[test]
fn pictures_too_small_for_a_board_are_no_grid() {
    for side in [1, 2, 9] {
        let tiny = image::RgbImage::from_pixel(side, 1, image::Rgb([200; 3]));
        let (status, _) = row_of_bad_photo("tiny.png", &encoded(tiny, ImageFormat::Png));
        assert_eq!(status, "no-grid", "{side} x 1");
    }
}

#[test]
fn a_cmyk_jpeg_is_read_or_refused_in_a_row() {
    let (status, error) = row_of_bad_photo("print.jpg", &cmyk_jpeg());
    assert!(
        ["no-grid", "unreadable"].contains(&&*status),
        "{status}: {error}"
    );
}

/// The smallest baseline JPEG of four components: 8 x 8 pixels, all coefficients 0.
fn cmyk_jpeg() -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8];
    let mut segment = |marker: u8, body: &[u8]| {
        bytes.extend([0xFF, marker]);
        bytes.extend((body.len() as u16 + 2).to_be_bytes());
        bytes.extend(body);
    };
    segment(0xEE, b"Adobe\0\x64\0\0\0\0\0");
    segment(0xDB, &[&[0][..], &[1; 64]].concat());
    let components: Vec<u8> = (1..=4).flat_map(|id| [id, 0x11, 0]).collect();
    segment(0xC0, &[&[8, 0, 8, 0, 8, 4][..], &components].concat());
    for class in [0x00, 0x10] {
        // One code of one bit for the symbol 0: no difference, or end of block.
        let mut table = [0; 18];
        table[0] = class;
        table[1] = 1;
        segment(0xC4, &table);
    }
    segment(0xDA, &[4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]);
    bytes.extend([0x00, 0xFF, 0xD9]);
    bytes
}

#[test]
fn an_enormous_picture_is_refused_before_decoding() {
    let bytes = blank_png(30_000, 30_000);
    assert!(bytes.len() < 8 << 20);
    let (status, error) = row_of_bad_photo("bomb.png", &bytes);
    assert_eq!(status, "unreadable");
    assert!(error.contains("30000 x 30000"), "{error}");
}

/// A gray PNG of black pixels, compressed without holding the pixels in memory.
fn blank_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n".to_vec();
    let mut chunk = |kind: &[u8; 4], body: &[u8]| {
        bytes.extend((body.len() as u32).to_be_bytes());
        let mut checked = flate2::Crc::new();
        checked.update(kind);
        checked.update(body);
        bytes.extend(kind);
        bytes.extend(body);
        bytes.extend(checked.sum().to_be_bytes());
    };
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&size[..], &[8, 0, 0, 0, 0]].concat());
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    let row = vec![0; width as usize + 1];
    for _ in 0..height {
        packed.write_all(&row).unwrap();
    }
    chunk(b"IDAT", &packed.finish().unwrap());
    chunk(b"IEND", &[]);
    bytes
}

/// A lossless WebP with a canvas of one pixel and a frame of the maximum size.
#[test]
fn a_webp_frame_larger_than_its_canvas_is_refused_before_decoding() {
    let chunk = |kind: &[u8; 4], body: &[u8]| {
        let length = (body.len() as u32).to_le_bytes();
        [&kind[..], &length, body].concat()
    };
    // 14 bits each of width and height minus one; a code of one symbol for each of five alphabets.
    let frame = chunk(b"VP8L", &[0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0x88, 0x88, 0x08]);
    let canvas = chunk(b"VP8X", &[0; 10]);
    let body = [b"WEBP", &canvas[..], &frame].concat();
    let (status, error) = row_of_bad_photo("small.webp", &chunk(b"RIFF", &body));
    assert_eq!(status, "unreadable");
    assert!(error.contains("16384 x 16384"), "{error}");
}

/// A JPEG with several scans stores all coefficients, so it has the pixel limit of a colour photo.
#[test]
fn a_progressive_jpeg_has_the_limit_of_colour_pictures() {
    let tables = cmyk_jpeg();
    let at = |marker: u8| {
        let mut pairs = tables.windows(2);
        pairs.position(|pair| pair == [0xFF, marker]).unwrap()
    };
    // One component of 10,000 x 10,000 pixels, and the first of its scans.
    let frame = [0xFF, 0xC2, 0, 11, 8, 0x27, 0x10, 0x27, 0x10, 1, 1, 0x11, 0];
    let scan = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0, 0, 0xFF, 0xD9];
    let bytes = [
        &[0xFF, 0xD8],
        &tables[at(0xDB)..at(0xC0)],
        &frame,
        &tables[at(0xC4)..at(0xDA)],
        &scan,
    ]
    .concat();
    let (status, error) = row_of_bad_photo("scans.jpg", &bytes);
    assert_eq!(status, "unreadable");
    assert!(error.contains("10000 x 10000"), "{error}");
}
