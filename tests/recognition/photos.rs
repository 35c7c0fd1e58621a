//! Opening photos: formats, orientation, and refusals with reasons.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, Luma, LumaA, Rgb, RgbImage, Rgba};
use sudoku_batch::vision::{DecodedPhoto, Photo, PhotoConfig, PhotoError};

fn open(bytes: &[u8]) -> Result<Photo, PhotoError> {
    Photo::from_bytes(bytes, &PhotoConfig::default())
}

/// The upright photo in colour, at most so long.
fn color(bytes: &[u8], max_side: Option<u32>) -> RgbImage {
    let decoded = DecodedPhoto::from_bytes(bytes, &PhotoConfig::default());
    decoded.unwrap().color(max_side)
}

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Dark on the left, light on the right.
fn ramp(width: u32, height: u32) -> GrayImage {
    GrayImage::from_fn(width, height, |x, _| Luma([(x * 255 / width) as u8]))
}

#[test]
fn every_format_gives_the_same_gray_values() {
    let gray = ramp(64, 40);
    let color = DynamicImage::ImageLuma8(gray.clone()).into_rgb8();
    for format in [
        ImageFormat::Png,
        ImageFormat::Bmp,
        ImageFormat::Gif,
        ImageFormat::Tiff,
        ImageFormat::WebP,
        ImageFormat::Pnm,
        ImageFormat::Jpeg,
    ] {
        let photo = open(&encoded(color.clone(), format)).unwrap();
        assert_eq!(photo.luma().dimensions(), (64, 40), "{format:?}");
        let worst = photo
            .luma()
            .iter()
            .zip(gray.iter())
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        assert!(worst.unwrap() <= 4, "{format:?}: {worst:?}");
    }
}

#[test]
fn a_large_photo_is_shrunk_and_the_scale_kept() {
    let photo = open(&encoded(ramp(4000, 1000), ImageFormat::Jpeg)).unwrap();
    assert_eq!(photo.luma().dimensions(), (1600, 400));
    assert_eq!((photo.width(), photo.height()), (4000, 1000));
    assert!((photo.scale() - 0.4).abs() < 1e-6);
}

#[test]
fn exif_orientation_turns_the_photo_upright() {
    // Little-endian TIFF with one entry: orientation (0x0112), SHORT, 1 value, 6 = turn clockwise.
    let tiff = [
        b"II*\0\x08\0\0\0\x01\0".as_slice(),
        b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0",
        b"\0\0\0\0",
    ]
    .concat();
    let mut segment = vec![0xff, 0xe1];
    segment.extend(((2 + 6 + tiff.len()) as u16).to_be_bytes());
    segment.extend(b"Exif\0\0");
    segment.extend(&tiff);
    let mut bytes = encoded(ramp(300, 200), ImageFormat::Jpeg);
    bytes.splice(2..2, segment);

    let photo = open(&bytes).unwrap();
    assert_eq!((photo.width(), photo.height()), (200, 300));
    assert_eq!(photo.luma().dimensions(), (200, 300));
    let (top, bottom) = (
        photo.luma().get_pixel(100, 5),
        photo.luma().get_pixel(100, 295),
    );
    assert!(top.0[0] < 20 && bottom.0[0] > 235, "{top:?} {bottom:?}");

    let color = color(&bytes, Some(150));
    assert_eq!(color.dimensions(), (100, 150));
    assert!(color.get_pixel(50, 2).0[0] < color.get_pixel(50, 147).0[0]);
}

#[test]
fn transparent_pixels_are_white_paper() {
    let glass = image::RgbaImage::from_pixel(8, 8, Rgba([0, 0, 0, 0]));
    let photo = open(&encoded(glass.clone(), ImageFormat::Png)).unwrap();
    assert!(photo.luma().iter().all(|&value| value == 255));
    let color = color(&encoded(glass, ImageFormat::Png), None);
    assert_eq!(*color.get_pixel(3, 3), Rgb([255; 3]));
    let ghost = image::ImageBuffer::from_pixel(8, 8, LumaA([0u8, 128]));
    let photo = open(&encoded(ghost, ImageFormat::Png)).unwrap();
    assert!(photo.luma().iter().all(|&value| value.abs_diff(127) <= 1));
}

#[test]
fn half_transparent_colours_are_half_white() {
    let glass = image::RgbaImage::from_pixel(8, 8, Rgba([200, 0, 100, 128]));
    let bytes = encoded(glass, ImageFormat::Png);
    assert_eq!(*color(&bytes, None).get_pixel(3, 3), Rgb([227, 127, 177]));
    let luma = open(&bytes).unwrap().luma().get_pixel(3, 3).0[0];
    assert_eq!(
        luma,
        (0.299 * 227.0 + 0.587 * 127.0 + 0.114 * 177.0_f32).round() as u8
    );
}

#[test]
fn a_jpeg_too_large_for_colour_is_decoded_in_gray() {
    let config = PhotoConfig {
        max_color_pixels: 1000,
        ..PhotoConfig::default()
    };
    let picture = RgbImage::from_fn(64, 40, |x, _| Rgb([4 * x as u8, 0, 0]));
    let decode = |format| {
        let bytes = encoded(picture.clone(), format);
        DecodedPhoto::from_bytes(&bytes, &config)
    };
    let gray = decode(ImageFormat::Jpeg).unwrap();
    assert_eq!(gray.size(), (64, 40));
    assert!(gray.color(None).pixels().all(|it| it.0 == [it.0[0]; 3]));
    let refused = decode(ImageFormat::Png);
    assert!(matches!(refused, Err(PhotoError::TooLarge { .. })));
}

#[test]
fn sixteen_bits_and_single_pixels_are_read() {
    let deep = image::ImageBuffer::from_fn(16, 16, |x, _| Luma([(x * 4096) as u16]));
    let photo = open(&encoded(deep, ImageFormat::Png)).unwrap();
    assert_eq!(photo.luma().get_pixel(8, 0).0[0], 128);
    for format in [ImageFormat::Png, ImageFormat::Jpeg] {
        let photo = open(&encoded(GrayImage::new(1, 1), format)).unwrap();
        assert_eq!(photo.luma().dimensions(), (1, 1));
    }
}

#[test]
fn files_that_are_not_pictures_are_distinguished() {
    assert!(matches!(open(b""), Err(PhotoError::Empty)));
    assert!(matches!(
        open(b"53..7....\n6..195...\n"),
        Err(PhotoError::Unknown)
    ));
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    // Only its header.
    match (open(heic).unwrap_err(), cfg!(feature = "heic")) {
        (PhotoError::Damaged(_), true) => {}
        (error, true) => panic!("{error}"),
        (error, false) => assert!(error.to_string().contains("--features heic"), "{error}"),
    }
    let avif = b"\0\0\0\x18ftypavif\0\0\0\0mif1avif";
    match (open(avif).unwrap_err(), cfg!(feature = "avif")) {
        (PhotoError::Damaged(_), true) => {}
        (error, true) => panic!("{error}"),
        (error, false) => assert!(error.to_string().contains("--features avif"), "{error}"),
    }
}

/// `datasets/photos/011-small.jpg` as AVIF.
#[cfg(feature = "avif")]
mod avif {
    use image::{GrayImage, imageops};
    use sudoku_batch::vision::{PhotoConfig, PhotoError};

    use super::{Photo, color, open};

    fn file(name: &str) -> Vec<u8> {
        std::fs::read(format!(
            "{}/tests/pictures/{name}",
            env!("CARGO_MANIFEST_DIR")
        ))
        .unwrap()
    }

    /// Mean difference in gray values.
    fn difference(a: &GrayImage, b: &GrayImage) -> f64 {
        assert_eq!(a.dimensions(), b.dimensions());
        let sum: u64 = a
            .iter()
            .zip(b.iter())
            .map(|(a, b)| u64::from(a.abs_diff(*b)))
            .sum();
        sum as f64 / a.len() as f64
    }

    #[test]
    fn eight_and_ten_bits_give_the_grays_of_a_jpeg() {
        let jpeg = std::fs::read("datasets/photos/011-small.jpg").unwrap();
        let jpeg = open(&jpeg).unwrap();
        for name in ["board.avif", "board-10-bit.avif"] {
            let bytes = file(name);
            let photo = open(&bytes).unwrap();
            let worst = difference(photo.luma(), jpeg.luma());
            assert!(worst < 4.0, "{name}: {worst}");
            let color = color(&bytes, None);
            let gray = imageops::grayscale(&color);
            let worst = difference(&gray, jpeg.luma());
            assert!(worst < 4.0, "{name}: {worst}");
        }
    }

    /// The file with a rotation or mirror box in place of its colour box.
    fn with_property(name: &[u8; 4], value: u8) -> Vec<u8> {
        let mut bytes = file("board.avif");
        let find = |bytes: &[u8], name: &[u8]| {
            let mut places = bytes.windows(name.len());
            places.position(|it| it == name).unwrap()
        };
        let colors = find(&bytes, b"colr") - 4;
        let mut boxes = vec![0, 0, 0, 9];
        boxes.extend(name);
        boxes.push(value);
        boxes.extend(b"\0\0\0\x0Afree\0\0");
        bytes[colors..colors + 19].copy_from_slice(&boxes);
        // The following ones move by one. The first bit marks it as essential.
        let associations = find(&bytes, &[4, 0x81, 0x82, 3, 0x84]);
        bytes[associations + 1..associations + 5].copy_from_slice(&[0x81, 0x83, 4, 0x85]);
        bytes
    }

    #[test]
    fn a_rotated_or_mirrored_picture_is_shown_as_the_file_specifies() {
        let upright = open(&file("board.avif")).unwrap();
        let upright = upright.luma();
        let turned = |turns: u8| open(&with_property(b"irot", turns)).unwrap();
        // Counterclockwise, in quarter turns.
        let luma = |photo: Photo| photo.luma().clone();
        let near = |a: &GrayImage, b: &GrayImage| difference(a, b) < 1.0;
        assert!(near(&luma(turned(0)), upright));
        assert!(near(&luma(turned(1)), &imageops::rotate270(upright)));
        assert!(near(&luma(turned(2)), &imageops::rotate180(upright)));
        assert!(near(&luma(turned(3)), &imageops::rotate90(upright)));
        assert_eq!((turned(1).width(), turned(1).height()), (1200, 900));
        let mirrored = |axis: u8| luma(open(&with_property(b"imir", axis)).unwrap());
        assert!(near(&mirrored(0), &imageops::flip_vertical(upright)));
        assert!(near(&mirrored(1), &imageops::flip_horizontal(upright)));
    }

    #[test]
    fn damaged_files_are_errors_or_pictures_without_a_crash() {
        let whole = file("board.avif");
        for length in (0..300).chain((300..whole.len()).step_by(97)) {
            assert!(open(&whole[..length]).is_err(), "{length}");
        }
        // Positions in the header, and some in the stream.
        let places = (0..360).step_by(3).chain((360..whole.len()).step_by(307));
        for (place, flip) in places.zip([0x01, 0x80, 0xFF].into_iter().cycle()) {
            let mut bytes = whole.clone();
            bytes[place] ^= flip;
            // Any result is fine, as long as it does not panic.
            let _ = open(&bytes);
        }
    }

    #[test]
    fn pixels_are_counted_before_any_is_decoded() {
        let config = PhotoConfig {
            max_color_pixels: 900 * 1200 - 1,
            ..PhotoConfig::default()
        };
        let refusal = |bytes: &[u8]| match Photo::from_bytes(bytes, &config) {
            Err(PhotoError::TooLarge { width, height, .. }) => (width, height),
            other => panic!("{other:?}"),
        };
        let mut bytes = file("board.avif");
        assert_eq!(refusal(&bytes), (900, 1200));
        // The container claims a small size, the stream has a large one.
        let size = bytes.windows(4).position(|it| it == b"ispe").unwrap() + 8;
        bytes[size..size + 8].copy_from_slice(&[0, 0, 0, 64, 0, 0, 0, 64]);
        assert_eq!(refusal(&bytes), (900, 1200));
    }
}

#[test]
fn a_truncated_jpeg_is_used_if_most_of_it_is_intact() {
    let mut state = 7u32;
    let picture = RgbImage::from_fn(320, 320, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(state >> 24) as u8; 3])
    });
    let whole = encoded(picture, ImageFormat::Jpeg);
    let most = open(&whole[..whole.len() * 9 / 10]).unwrap();
    assert_eq!(most.luma().dimensions(), (320, 320));
    let least = open(&whole[..whole.len() / 4]);
    assert!(matches!(least, Err(PhotoError::Truncated(_))), "{least:?}");
    for length in 1..whole.len().min(2000) {
        // Any result is fine, as long as it does not panic.
        let _ = open(&whole[..length]);
    }
}

#[test]
fn a_truncated_png_is_an_error() {
    let whole = encoded(ramp(64, 64), ImageFormat::Png);
    assert!(matches!(
        open(&whole[..whole.len() / 2]),
        Err(PhotoError::Damaged(_))
    ));
}

/// A PNG that claims to have 30,000 x 30,000 pixels.
fn png_bomb() -> Vec<u8> {
    let mut bytes = encoded(GrayImage::new(1, 1), ImageFormat::Png);
    let (width, height) = (16..20, 20..24);
    bytes[width].copy_from_slice(&30_000u32.to_be_bytes());
    bytes[height].copy_from_slice(&30_000u32.to_be_bytes());
    // The checksum of the header: CRC-32 (ISO 3309) of its type and content.
    let crc = !bytes[12..29].iter().fold(!0u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    });
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

#[test]
fn a_picture_beyond_the_limit_is_refused_before_it_is_decoded() {
    let bomb = open(&png_bomb());
    assert!(
        matches!(
            bomb,
            Err(PhotoError::TooLarge {
                width: 30_000,
                height: 30_000,
                ..
            })
        ),
        "{bomb:?}"
    );
    let config = PhotoConfig {
        max_luma_pixels: 1000,
        max_color_pixels: 1000,
        ..PhotoConfig::default()
    };
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Bmp] {
        let photo = Photo::from_bytes(&encoded(ramp(64, 40), format), &config);
        assert!(
            matches!(photo, Err(PhotoError::TooLarge { .. })),
            "{format:?}"
        );
    }
}

#[test]
fn pixels_in_memory_are_the_same_photo_as_a_file_of_them() {
    let gray = ramp(64, 40);
    let config = PhotoConfig::default();
    let file = open(&encoded(gray.clone(), ImageFormat::Png)).unwrap();
    let from_gray = Photo::from_gray(64, 40, gray.as_raw().clone(), &config).unwrap();
    assert_eq!(from_gray.luma(), file.luma());
    let color = RgbImage::from_fn(64, 40, |x, y| Rgb([x as u8 * 3, y as u8 * 5, 90]));
    let file = open(&encoded(color.clone(), ImageFormat::Png)).unwrap();
    let from_rgb = Photo::from_rgb(64, 40, color.as_raw(), &config).unwrap();
    assert_eq!(from_rgb.luma(), file.luma());
    assert_eq!((from_rgb.width(), from_rgb.height()), (64, 40));

    for (width, height, bytes) in [(64, 40, 64 * 40 - 1), (0, 40, 0), (u32::MAX, u32::MAX, 9)] {
        let error = Photo::from_gray(width, height, vec![0; bytes], &config).unwrap_err();
        assert!(matches!(error, PhotoError::Buffer { .. }), "{error}");
        assert!(Photo::from_rgb(width, height, &vec![0; bytes], &config).is_err());
    }
}
