//! Toy data for classifiers: seven-segment digits, and a network that learns them in seconds.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use image::GrayImage;
use sudoku_batch::digits::{Augment, Compute, LabeledCrop, NetConfig, TrainingConfig};
use sudoku_batch::grid::Digit;
use sudoku_batch::training::{Split, TrainingError, TrainingEvent, TrainingRun, train};
use sudoku_batch::vision::{CROP_SIDE, CellCrop};

/// Seven segments of each digit, as on a pocket calculator: top, top left, top right, middle,
/// bottom left, bottom right, bottom.
pub const SEGMENTS: [[u8; 7]; 10] = [
    [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 0, 1, 0],
    [1, 0, 1, 1, 1, 0, 1],
    [1, 0, 1, 1, 0, 1, 1],
    [0, 1, 1, 1, 0, 1, 0],
    [1, 1, 0, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 0, 1, 0, 0, 1, 0],
    [1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 0, 1, 1],
];

/// A crop with this label (0 = blank), slightly shifted and shaded by `variant`.
pub fn toy_crop(label: usize, variant: usize) -> CellCrop {
    let (left, top) = (10 + variant % 3, 6 + variant / 3 % 3);
    let (ground, ink) = (
        200 + (variant * 7 % 40) as u8,
        40 + (variant * 5 % 50) as u8,
    );
    let mut pixels = Box::new([ground; CROP_SIDE * CROP_SIDE]);
    let mut fill = |x: usize, y: usize, width: usize, height: usize| {
        for row in y..y + height {
            for column in x..x + width {
                pixels[row * CROP_SIDE + column] = ink;
            }
        }
    };
    let places = [
        (0, 0, 12, 3),
        (0, 0, 3, 10),
        (9, 0, 3, 10),
        (0, 8, 12, 3),
        (0, 9, 3, 10),
        (9, 9, 3, 10),
        (0, 17, 12, 3),
    ];
    for (on, (x, y, width, height)) in SEGMENTS[label].into_iter().zip(places) {
        if on == 1 {
            fill(left + x, top + y, width, height);
        }
    }
    CellCrop {
        pixels,
        board_contrast: 150.0,
    }
}

/// A folder of toy crops: a sheet with a column per label and a row per photo.
pub fn crops(folder: &Path) -> PathBuf {
    const PHOTOS: usize = 40;
    let crops = folder.join("crops");
    std::fs::create_dir(&crops).unwrap();
    let mut manifest = "file,x,y,width,height,label,photo,source\n".to_owned();
    let side = CROP_SIDE;
    let mut sheet = GrayImage::new(10 * side as u32, (PHOTOS * side) as u32);
    for (photo, label) in (0..PHOTOS).flat_map(|photo| (0..10).map(move |label| (photo, label))) {
        let (x, y) = (label * side, photo * side);
        for (i, &pixel) in toy_crop(label, photo).pixels.iter().enumerate() {
            let (column, row) = (x + i % side, y + i / side);
            sheet.put_pixel(column as u32, row as u32, image::Luma([pixel]));
        }
        manifest += &format!("sheet.png,{x},{y},{side},{side},{label},p{photo},toy-1\n");
    }
    sheet.save(crops.join("sheet.png")).unwrap();
    std::fs::write(crops.join("manifest.csv"), manifest).unwrap();
    crops
}

pub fn toy_split() -> Split {
    let labeled = |label: usize, variant: usize| LabeledCrop {
        crop: toy_crop(label, variant),
        label: Digit::new(label as u8),
        kind: None,
        marks: None,
        photo: String::new(),
        puzzle: String::new(),
        source: "toy-1".to_owned(),
    };
    let of = |variants: std::ops::Range<usize>| -> Vec<LabeledCrop> {
        let labels = (0..10).flat_map(|label| variants.clone().map(move |v| (label, v)));
        labels
            .map(|(label, variant)| labeled(label, variant))
            .collect()
    };
    let mut split = Split::default();
    split.training = of(0..9);
    split.weights = vec![1.0; split.training.len()];
    split.validation = of(9..11);
    split
}

pub fn toy_config(epochs: usize) -> TrainingConfig {
    TrainingConfig {
        epochs,
        batch_size: 30,
        learning_rate: 5e-3,
        dropout: 0.1,
        augment: Augment::None,
        net: NetConfig {
            widths: vec![4, 8, 12, 12],
            hidden: 16,
            kind_units: 0,
        },
        ..TrainingConfig::default()
    }
}

pub fn run(config: &TrainingConfig, folder: &Path) -> Result<TrainingRun, TrainingError> {
    run_until(config, folder, &AtomicBool::new(false), &mut |_| {})
}

pub fn run_until(
    config: &TrainingConfig,
    folder: &Path,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(TrainingEvent<'_>),
) -> Result<TrainingRun, TrainingError> {
    train(config, &toy_split(), Compute::Cpu, folder, stop, on_event)
}

pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}
