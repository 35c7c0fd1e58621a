//! The stages from file to crops, on a drawn photo of 640 x 480 pixels and one of 12 megapixels.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::io::Cursor;

use criterion::{Criterion, criterion_group, criterion_main};
use image::{GrayImage, ImageFormat, Luma};
use sudoku_batch::vision::{
    Backend, DetectConfig, LocateConfig, Photo, PhotoConfig, RefineConfig, crop_cells, locate,
    refine,
};

/// A board turned a little, with a stroke in every third cell, on paper with grain.
fn drawn(width: u32, height: u32) -> Vec<u8> {
    let side = 0.8 * height as f32 / 9.0;
    let mut state = 1u32;
    let picture = GrayImage::from_fn(width, height, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (x, y) = (
            (x as f32 - 0.5 * width as f32) / side,
            (y as f32 - 0.5 * height as f32) / side,
        );
        let (u, v) = (x + 0.06 * y + 4.5, y - 0.06 * x + 4.5);
        let inside = |half: f32| u.min(v) > -half && u.max(v) < 9.0 + half;
        let near =
            |x: f32, step: f32, half: f32| (x / step - (x / step).round()).abs() * step < half;
        let line = inside(0.05) && (near(u, 3.0, 0.05) || near(v, 3.0, 0.05))
            || inside(0.02) && (near(u, 1.0, 0.02) || near(v, 1.0, 0.02));
        let stroke = inside(0.0)
            && (u as u32 * 5 + v as u32 * 7).is_multiple_of(3)
            && (u.fract() - 0.5).abs() < 0.06
            && (v.fract() - 0.5).abs() < 0.3;
        let paper = 200 + (state >> 29) as u8;
        Luma([if line || stroke { 50 } else { paper }])
    });
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

fn stages(criterion: &mut Criterion) {
    let photo_config = PhotoConfig::default();
    let refine_config = RefineConfig::default();
    let locate_config = LocateConfig::default();
    let detector = Backend::BuiltIn.detector(&DetectConfig::default()).unwrap();
    for (name, width, height) in [("640x480", 640, 480), ("12 MP", 4000, 3000)] {
        let bytes = drawn(width, height);
        let photo = Photo::from_bytes(&bytes, &photo_config).unwrap();
        let best = detector.detect(photo.luma()).unwrap().swap_remove(0);
        let lattice = refine(&photo, &best, &refine_config).unwrap();
        assert!(
            lattice.strength() > 0.6,
            "the board of the benchmark is not found"
        );

        let mut group = criterion.benchmark_group(format!("vision/{name}"));
        group.bench_function("decode", |bencher| {
            bencher.iter(|| Photo::from_bytes(black_box(&bytes), &photo_config).unwrap());
        });
        group.bench_function("detect", |bencher| {
            bencher.iter(|| detector.detect(black_box(photo.luma())).unwrap());
        });
        group.bench_function("refine", |bencher| {
            bencher.iter(|| refine(black_box(&photo), &best, &refine_config));
        });
        group.bench_function("crop", |bencher| {
            bencher.iter(|| crop_cells(black_box(&photo), &lattice, best.polarity));
        });
        group.bench_function("locate", |bencher| {
            bencher.iter(|| locate(black_box(&photo), detector.as_ref(), &locate_config).unwrap());
        });
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
