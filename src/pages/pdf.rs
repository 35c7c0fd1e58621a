//! Draws the pages of a PDF file.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hayro::hayro_interpret::{InterpreterSettings, InterpreterWarning};
use hayro::hayro_syntax::object::{Dict, Name, Stream};
use hayro::hayro_syntax::page::{Page, Resources};
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};

use super::error::PageError;
use super::unpacked::check_streams;

/// Pixels of the longer side of a page that is drawn: an A4 page at 170 dots per inch.
const SIDE: f32 = 2000.0;
/// Least number of pixels of the shorter side.
const LEAST: f32 = 8.0;
/// Largest depth of nested forms that are checked.
const DEPTH: usize = 8;
/// Largest number of objects of a page that are checked.
const OBJECTS: usize = 10_000;

/// A PDF file.
pub(super) struct PdfFile(Pdf);

impl PdfFile {
    pub(super) fn open(bytes: Vec<u8>) -> Result<PdfFile, PageError> {
        check_streams(&bytes)?;
        let opened = guarded(|| Pdf::new(bytes)).map_err(PageError::Damaged)?;
        let pdf = opened.map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::InvalidEncryption) => {
                PageError::Damaged("its encryption is not valid".to_owned())
            }
            LoadPdfError::Decryption(_) => PageError::Encrypted,
            LoadPdfError::Invalid => PageError::Damaged("it has no pages".to_owned()),
        })?;
        match guarded(|| pdf.pages().len()).map_err(PageError::Damaged)? {
            0 => Err(PageError::Damaged("it has no pages".to_owned())),
            _ => Ok(PdfFile(pdf)),
        }
    }

    pub(super) fn pages(&self) -> usize {
        self.0.pages().len()
    }

    /// Returns a page as a PPM file.
    pub(super) fn picture(&self, place: usize, max_pixels: u64) -> Result<Vec<u8>, PageError> {
        let page = &self.0.pages()[place];
        guarded(|| {
            check_pictures(page.resources(), max_pixels)?;
            draw(page)
        })
        .map_err(PageError::DamagedPage)?
    }
}

impl fmt::Debug for PdfFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PdfFile").finish()
    }
}

/// Runs code that may panic on foreign data.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| "it cannot be drawn".to_owned())
}

fn draw(page: &Page<'_>) -> Result<Vec<u8>, PageError> {
    let (width, height) = page.render_dimensions();
    let scale = SIDE / width.max(height);
    if !(width.min(height) * scale >= LEAST && scale.is_finite()) {
        let why = format!("it is {width} x {height} points large");
        return Err(PageError::DamagedPage(why));
    }
    let has_failed = Arc::new(AtomicBool::new(false));
    let failed = Arc::clone(&has_failed);
    let settings = InterpreterSettings {
        warning_sink: Arc::new(move |warning| {
            if matches!(warning, InterpreterWarning::ImageDecodeFailure) {
                failed.store(true, Ordering::Relaxed);
            }
        }),
        ..InterpreterSettings::default()
    };
    let pixels = PixmapSettings {
        x_scale: scale,
        y_scale: scale,
        bg_color: WHITE,
    };
    let cache = RenderCache::new();
    let drawn = render(page, &cache, &settings, &RenderSettings::default(), &pixels);
    let colors = || drawn.data().iter().map(|pixel| [pixel.r, pixel.g, pixel.b]);
    // Boards may be drawn beside a picture that fails.
    if has_failed.load(Ordering::Relaxed) && colors().all(|color| color == [255; 3]) {
        let why = "the picture on it cannot be decoded".to_owned();
        return Err(PageError::DamagedPage(why));
    }
    let mut file = format!("P6 {} {} 255\n", drawn.width(), drawn.height()).into_bytes();
    file.extend(colors().flatten());
    Ok(file)
}

/// Checks that no picture of a page takes too much memory, including those in its forms.
fn check_pictures(resources: &Resources<'_>, max_pixels: u64) -> Result<(), PageError> {
    let mut left = OBJECTS;
    check_objects(&resources.x_objects, max_pixels, DEPTH, &mut left)
}

fn check_objects(
    objects: &Dict<'_>,
    max_pixels: u64,
    depth: usize,
    left: &mut usize,
) -> Result<(), PageError> {
    for name in objects.keys() {
        if *left == 0 || depth == 0 {
            return Ok(());
        }
        *left -= 1;
        let Some(object) = objects.get::<Stream<'_>>(&*name) else {
            continue;
        };
        check_picture(object.dict(), max_pixels)?;
        let resources = object.dict().get::<Dict<'_>>("Resources");
        if let Some(inner) = resources.and_then(|it| it.get::<Dict<'_>>("XObject")) {
            check_objects(&inner, max_pixels, depth - 1, left)?;
        }
    }
    Ok(())
}

fn check_picture(dict: &Dict<'_>, max_pixels: u64) -> Result<(), PageError> {
    let is_image = dict
        .get::<Name<'_>>("Subtype")
        .is_some_and(|it| &*it == b"Image");
    let side = |key: &str| u64::from(dict.get::<u32>(key).unwrap_or(0));
    let (width, height) = (side("Width"), side("Height"));
    match is_image && width.saturating_mul(height) > max_pixels {
        true => Err(PageError::TooLarge {
            width,
            height,
            limit: max_pixels / 1_000_000,
        }),
        false => Ok(()),
    }
}
