//! The grid detector on OpenCV 4: its thresholds, morphology, contours and polygons behind the
//! common search. No `Mat` leaves this file.

use std::ops::Range;

use image::GrayImage;
use imageproc::rect::Rect;
use opencv::core::{
    BORDER_CONSTANT, Mat, Point as CvPoint, Scalar, Size, Vec4i, Vector, bitwise_or_def, compare,
    set_num_threads,
};
use opencv::core::{CMP_GT, MatTraitConst, ToInputArray};
use opencv::imgproc::{
    ADAPTIVE_THRESH_MEAN_C, CHAIN_APPROX_SIMPLE, MORPH_BLACKHAT, MORPH_CLOSE, MORPH_DILATE,
    MORPH_GRADIENT, MORPH_RECT, MORPH_TOPHAT, RETR_CCOMP, THRESH_BINARY, THRESH_BINARY_INV,
    adaptive_threshold, approx_poly_dp, arc_length, bounding_rect, contour_area_def, convex_hull,
    find_contours_with_hierarchy_def, get_structuring_element_def, morphology_ex,
};

use super::cells::Patch;
use super::detector::{DetectConfig, DetectError, Detection, GridDetector, Polarity, Unavailable};
use super::polygon::tightest_quad;
use super::search::{Finds, search, working_copy};
use super::squares::squares;
use super::threshold::{Levels, Means, Threshold};
use crate::vision::quad::{Point, Quad};

impl From<opencv::Error> for DetectError {
    fn from(error: opencv::Error) -> DetectError {
        DetectError::Backend {
            backend: "OpenCV",
            message: error.message,
        }
    }
}

/// Returns a detector on the system's OpenCV, single-threaded: photos are already read in parallel.
pub(super) fn detector(config: &DetectConfig) -> Result<Box<dyn GridDetector>, Unavailable> {
    set_num_threads(1).map_err(|_| Unavailable {
        backend: "opencv",
        remedy: "its library does not answer; install libopencv-dev again",
    })?;
    Ok(Box::new(OpencvDetector {
        config: config.clone(),
    }))
}

struct OpencvDetector {
    config: DetectConfig,
}

impl GridDetector for OpencvDetector {
    fn detect_by(
        &self,
        luma: &GrayImage,
        steps: Range<usize>,
    ) -> Result<Vec<Detection>, DetectError> {
        let Some(working) = working_copy(luma, &self.config) else {
            return Ok(Vec::new());
        };
        let levels = Means::new(&working).levels();
        let picture = Mat::from_slice(working.as_raw())?;
        let picture = picture.reshape(1, working.height() as i32)?;
        search(
            luma,
            &working,
            &self.config,
            steps,
            |polarity, threshold| {
                let ink = ink(&picture, &levels, polarity, threshold)?;
                Ok(finds_in(&ink, &self.config)?)
            },
        )
    }

    fn squares(&self, luma: &GrayImage) -> Vec<Rect> {
        squares(luma, &self.config)
    }
}

/// Returns the ink of a picture as 255, the rest as 0.
fn ink(
    picture: &impl ToInputArray,
    levels: &Levels,
    polarity: Polarity,
    threshold: Threshold,
) -> opencv::Result<Mat> {
    let (kind, sign, lines) = match polarity {
        Polarity::DarkOnLight => (THRESH_BINARY_INV, 1.0, MORPH_BLACKHAT),
        Polarity::LightOnDark => (THRESH_BINARY, -1.0, MORPH_TOPHAT),
    };
    let level = levels.of(polarity, threshold);
    let above = |depths: &Mat| {
        let mut above = Mat::default();
        let offset = Scalar::all(f64::from(level.offset));
        compare(depths, &offset, &mut above, CMP_GT)?;
        opencv::Result::Ok(above)
    };
    let ridges = || above(&morphed(picture, lines, level.thin as i32)?);
    let ink = || {
        let mut ink = Mat::default();
        adaptive_threshold(
            picture,
            &mut ink,
            255.0,
            ADAPTIVE_THRESH_MEAN_C,
            kind,
            2 * level.radius as i32 + 1,
            sign * f64::from(level.offset),
        )?;
        opencv::Result::Ok(ink)
    };
    match threshold {
        Threshold::Plain => {
            // Thin lines beside thick ones, which draw the mean of a window down.
            let mut both = Mat::default();
            bitwise_or_def(&ink()?, &ridges()?, &mut both)?;
            Ok(both)
        }
        Threshold::Thin => ridges(),
        Threshold::Grown => morphed(&ink()?, MORPH_DILATE, 3),
        Threshold::Closed => morphed(&ink()?, MORPH_CLOSE, 5),
        Threshold::Wide | Threshold::Fine | Threshold::Faint => ink(),
        Threshold::Edges => above(&morphed(picture, MORPH_GRADIENT, 3)?),
    }
}

/// Returns a morphological operation with a square of this side.
fn morphed(picture: &impl ToInputArray, operation: i32, side: i32) -> opencv::Result<Mat> {
    let square = get_structuring_element_def(MORPH_RECT, Size::new(side, side))?;
    let mut result = Mat::default();
    morphology_ex(
        picture,
        &mut result,
        operation,
        &square,
        CvPoint::new(-1, -1),
        1,
        BORDER_CONSTANT,
        opencv::imgproc::morphology_default_border_value()?,
    )?;
    Ok(result)
}

/// Returns the outlines of the large components of the ink and of the large holes in it, and the
/// small holes that may be cells.
fn finds_in(ink: &Mat, config: &DetectConfig) -> opencv::Result<Finds> {
    let mut contours: Vector<Vector<CvPoint>> = Vector::new();
    let mut hierarchy: Vector<Vec4i> = Vector::new();
    find_contours_with_hierarchy_def(
        ink,
        &mut contours,
        &mut hierarchy,
        RETR_CCOMP,
        CHAIN_APPROX_SIMPLE,
    )?;
    let side = ink.cols().min(ink.rows()) as f32;
    let least = config.min_side * side;
    let sides = config.cell_sides(side);
    let mut finds = Finds::default();
    let mut large: [Vec<(i32, usize)>; 2] = Default::default();
    for (i, contour) in contours.iter().enumerate() {
        let bounds = bounding_rect(&contour)?;
        // The fourth link of a contour leads to the ink around a hole; ink itself has none.
        let is_hole = hierarchy.get(i)?[3] >= 0;
        if bounds.width.min(bounds.height) as f32 >= least {
            large[usize::from(is_hole)].push((bounds.area(), i));
        }
        let size = [bounds.width as f32, bounds.height as f32];
        let fits = size[0].min(size[1]) >= sides.start && size[0].max(size[1]) <= 2.0 * sides.end;
        if is_hole && fits {
            let area = contour_area_def(&contour)? as f32;
            let outline = contour.iter().map(center).collect();
            finds.patches.extend(Patch::new(outline, area, &sides));
        }
    }
    for kind in &mut large {
        kind.sort_by_key(|&(area, i)| (std::cmp::Reverse(area), i));
        for &(_, i) in kind.iter().take(config.max_outlines) {
            finds.quads.extend(quads_around(&contours.get(i)?)?);
        }
    }
    Ok(finds)
}

/// Returns the centre of a pixel.
fn center(pixel: CvPoint) -> Point {
    Point {
        x: pixel.x as f32 + 0.5,
        y: pixel.y as f32 + 0.5,
    }
}

/// Returns candidate quads for a contour.
fn quads_around(contour: &Vector<CvPoint>) -> opencv::Result<Vec<Quad>> {
    let mut hull: Vector<CvPoint> = Vector::new();
    convex_hull(contour, &mut hull, false, true)?;
    let perimeter = arc_length(&hull, true)?;
    let simplified = |share: f64| -> opencv::Result<Vec<Point>> {
        let mut simple: Vector<CvPoint> = Vector::new();
        approx_poly_dp(&hull, &mut simple, share * perimeter, true)?;
        Ok(simple.iter().map(center).collect())
    };
    let mut quads = Vec::new();
    for share in [0.015, 0.03, 0.05, 0.08] {
        if let [a, b, c, d] = simplified(share)?[..] {
            quads.extend(Quad::new([a, b, c, d]));
            break;
        }
    }
    quads.extend(tightest_quad(simplified(0.006)?));
    Ok(quads)
}
