//! Documents of several pages, written by hand.

use std::io::Cursor;

use image::{ImageFormat, RgbImage};
use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

use super::encoded;

/// A picture as a JPEG file.
pub fn jpeg(picture: RgbImage) -> Vec<u8> {
    encoded(picture, ImageFormat::Jpeg)
}

/// A PDF file whose pages each show a JPEG file of 552 x 552 pixels; `trailer` is added to its trailer.
pub fn pdf_with(pages: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let draw = b"q 400 0 0 400 10 100 cm /P Do Q";
    pdf_with_content(pages, trailer, "", draw)
}

/// The same with pages of this content, whose dictionary has these entries.
pub fn pdf_with_content(pages: &[Vec<u8>], trailer: &str, entries: &str, draw: &[u8]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    let mut object = |bytes: &mut Vec<u8>, content: &[u8]| {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", places.len()).bytes());
        bytes.extend(content);
        bytes.extend(b"\nendobj\n");
    };
    object(&mut bytes, b"<</Type/Catalog/Pages 2 0 R>>");
    let kids = (0..pages.len()).map(|page| format!("{} 0 R ", 3 + 3 * page));
    let (kids, count) = (kids.collect::<String>(), pages.len());
    object(
        &mut bytes,
        format!("<</Type/Pages/Kids[{kids}]/Count {count}>>").as_bytes(),
    );
    for (number, page) in pages.iter().enumerate() {
        let (content, picture) = (4 + 3 * number, 5 + 3 * number);
        let head = format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]/Contents {content} 0 R\
             /Resources<</XObject<</P {picture} 0 R>>>>>>"
        );
        object(&mut bytes, head.as_bytes());
        let mut stream = format!("<<{entries}/Length {}>>stream\n", draw.len()).into_bytes();
        stream.extend(draw);
        stream.extend(b"\nendstream");
        object(&mut bytes, &stream);
        let mut stream = format!(
            "<</Type/XObject/Subtype/Image/Width 552/Height 552/ColorSpace/DeviceRGB\
             /BitsPerComponent 8/Filter/DCTDecode/Length {}>>stream\n",
            page.len()
        )
        .into_bytes();
        stream.extend(page);
        stream.extend(b"\nendstream");
        object(&mut bytes, &stream);
    }
    let start = bytes.len();
    let size = places.len() + 1;
    bytes.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let trailer =
        format!("trailer<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n");
    bytes.extend(trailer.bytes());
    bytes
}

pub fn pdf(pages: &[Vec<u8>]) -> Vec<u8> {
    pdf_with(pages, "")
}

/// A TIFF file of these pictures; those at odd positions are thumbnails if requested.
pub fn tiff(pictures: &[RgbImage], thumbnails: bool) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    for (place, picture) in pictures.iter().enumerate() {
        let (width, height) = picture.dimensions();
        let mut image = encoder.new_image::<colortype::RGB8>(width, height).unwrap();
        let kind = u32::from(thumbnails && place % 2 == 1);
        image
            .encoder()
            .write_tag(Tag::NewSubfileType, kind)
            .unwrap();
        image.write_data(picture.as_raw()).unwrap();
    }
    bytes.into_inner()
}
