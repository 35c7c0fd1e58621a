//! Rendered crops and photos: results depend on the seed, labels and corners are correct, and
//! harvesting a rendered photo gives its content.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sudoku_batch::dataset::{
    HarvestConfig, Skipped, harvest, photos_with_truth, synth_crops, synth_photos,
};
use sudoku_batch::grid::{Digit, Puzzle};
use sudoku_batch::reader::{Reader, ReaderConfig};
use sudoku_batch::render::{
    BoardContent, Chance, CropConfig, CropRenderer, FontSet, Handwriting, HandwritingSamples,
    PhotoConfig, PhotoRenderer, RenderedCrop, SceneStyle, Unusable,
};
use sudoku_batch::training::CropFolder;
use sudoku_batch::truth::read_sidecar;

const LINE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Fonts of this machine; tests must also pass without any.
fn fonts() -> FontSet {
    FontSet::load(&[PathBuf::from("/usr/share/fonts/truetype/dejavu")])
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn crops_depend_on_seed_and_index_only() {
    let renderer = CropRenderer::new(CropConfig::default(), fonts());
    let later = renderer.render(5, 40);
    for index in 0..40 {
        renderer.render(5, index);
    }
    assert_eq!(renderer.render(5, 40), later);
    assert_ne!(renderer.render(6, 40), later);
    assert_ne!(renderer.render(5, 41), later);
}

#[test]
fn sheets_contain_the_rendered_crops_and_labels_on_any_number_of_threads() {
    let renderer = CropRenderer::new(CropConfig::default(), FontSet::default());
    let made = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let stop = AtomicBool::new(false);
        let summary = pool.install(|| synth_crops(&renderer, 150, 9, folder.path(), &stop, |_| ()));
        assert_eq!(summary.unwrap().made, 150);
        folder
    });
    assert_eq!(files(made[0].path()), files(made[1].path()));
    let read = CropFolder::read(made[0].path()).unwrap().crops;
    assert_eq!(read.len(), 150);
    for (index, crop) in read.iter().enumerate() {
        let rendered = renderer.render(9, index as u64);
        assert_eq!(crop.crop.pixels, rendered.crop.pixels);
        assert!((crop.crop.board_contrast - rendered.crop.board_contrast).abs() < 0.1);
        assert_eq!((crop.label, &crop.photo), (rendered.label, &rendered.group));
    }
}

#[test]
fn half_of_the_handwriting_is_drawn_from_samples() {
    let plain = CropRenderer::new(CropConfig::default(), FontSet::default());
    let written: Vec<_> = (0..300).map(|index| plain.render(1, index)).collect();
    let samples = |digits: std::ops::RangeInclusive<u8>| {
        let is_wanted = |digit: &Digit| digits.contains(&digit.value());
        let digits = written
            .iter()
            .map(|it| (it.label.filter(is_wanted), &it.crop));
        HandwritingSamples::new(digits.filter_map(|(digit, crop)| Some((digit?, crop))))
    };
    let from = |samples| {
        let renderer = plain.clone().with_handwriting(samples);
        let crops = (0..600).map(|index| renderer.render(2, index));
        let crops: Vec<_> = crops.filter(|it| it.is_written).collect();
        let is_sample = |crop: &&RenderedCrop| crop.group.starts_with("hand-sample-");
        let sampled: Vec<_> = crops.iter().filter(is_sample).cloned().collect();
        (crops.len(), sampled)
    };
    let (all, sampled) = from(samples(1..=9));
    let share = sampled.len() as f64 / all as f64;
    assert!((0.42..0.58).contains(&share), "{share}");
    // A digit without a sample is drawn by strokes.
    let (_, sampled) = from(samples(1..=3));
    assert!(sampled.len() > 30, "{}", sampled.len());
    assert!(sampled.iter().all(|it| it.label.unwrap().value() <= 3));
    // Without samples nothing changes.
    let without = plain
        .clone()
        .with_handwriting(HandwritingSamples::default());
    assert!((0..50).all(|index| without.render(2, index) == plain.render(2, index)));
}

#[test]
fn digits_have_more_ink_than_blanks() {
    let mut config = CropConfig::default();
    config.marks.candidate_row = Chance(0.0);
    config.marks.candidate_grid = Chance(0.0);
    let renderer = CropRenderer::new(config, fonts());
    let (mut digits, mut blanks) = (Vec::new(), Vec::new());
    for index in 0..600 {
        let rendered = renderer.render(1, index);
        let relative = rendered.crop.tone().contrast / rendered.crop.board_contrast;
        if rendered.label.is_some() {
            &mut digits
        } else {
            &mut blanks
        }
        .push(relative);
    }
    let median = |values: &mut Vec<f32>| {
        values.sort_by(f32::total_cmp);
        values[values.len() / 2]
    };
    assert!((100..300).contains(&blanks.len()), "{}", blanks.len());
    assert!(median(&mut digits) > 2.0 * median(&mut blanks));
}

#[test]
fn files_that_are_not_fonts_are_named_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("text.ttf"), "no font").unwrap();
    std::fs::write(folder.path().join("Icons.otf"), "no font").unwrap();
    std::fs::write(folder.path().join("readme.txt"), "not looked at").unwrap();
    let fonts = FontSet::load(&[folder.path().to_owned(), folder.path().join("gone")]);
    assert!(fonts.is_empty());
    let reasons: Vec<&Unusable> = fonts.rejected().iter().map(|(_, reason)| reason).collect();
    assert_eq!(reasons, [&Unusable::Pictures, &Unusable::Unreadable]);
}

#[test]
fn writers_differ_from_each_other_and_are_consistent() {
    let widths = |writer: u64, seed: u64| {
        use rand::SeedableRng;
        let rng = &mut rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        Digit::ALL.map(|digit| Handwriting::of_writer(writer).write(digit, rng).width())
    };
    assert_eq!(widths(1, 1), widths(1, 1));
    assert_ne!(widths(1, 1), widths(2, 1));
}

#[test]
fn photos_depend_on_the_seed_and_their_corners_lie_inside() {
    let renderer = PhotoRenderer::new(PhotoConfig::default(), fonts());
    let board = BoardContent::printed(LINE.parse().unwrap());
    for scene_style in SceneStyle::ALL {
        let boards = vec![board; *scene_style.boards().end()];
        let photo = renderer.render(scene_style, &boards, 3);
        assert_eq!(photo.boards.len(), boards.len(), "{scene_style}");
        for (shown, quad) in &photo.boards {
            assert_eq!(*shown, board.givens);
            for corner in quad.corners() {
                let (x, y) = (
                    corner.x / photo.image.width() as f32,
                    corner.y / photo.image.height() as f32,
                );
                assert!(
                    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y),
                    "{scene_style}: {x} {y}"
                );
            }
        }
    }
    let again = [0; 2].map(|_| renderer.render(SceneStyle::Shadow, &[board], 3));
    assert_eq!(again[0], again[1]);
}

#[test]
fn a_harvest_of_rendered_photos_gives_their_content() {
    let photos = tempfile::tempdir().unwrap();
    let styles = [SceneStyle::Colored, SceneStyle::Shadow, SceneStyle::Text];
    let renderer = PhotoRenderer::new(PhotoConfig::default(), fonts());
    let stop = AtomicBool::new(false);
    synth_photos(&renderer, &styles, 3, 4, photos.path(), &stop, |_| ()).unwrap();
    let found = photos_with_truth(&[photos.path().to_owned()]);
    assert_eq!(found.len(), 3);
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let config = HarvestConfig::default();
    let crops = tempfile::tempdir().unwrap();
    let summary = harvest(&found, &reader, &config, crops.path(), &stop, || ()).unwrap();
    assert_eq!(
        (summary.boards, summary.crops),
        (2, 162),
        "{:?}",
        summary.skipped
    );
    let read = CropFolder::read(crops.path()).unwrap().crops;
    for (photo, crops) in found.iter().zip(read.chunks_exact(81)) {
        let truth: Puzzle = read_sidecar(photo).unwrap().unwrap().boards[0];
        let labels: String = crops
            .iter()
            .map(|crop| crop.label.map_or('.', |digit| digit.to_ascii() as char))
            .collect();
        assert_eq!(labels, truth.to_line());
        assert!(
            crops[0]
                .photo
                .ends_with(photo.file_stem().unwrap().to_str().unwrap())
        );
    }
}

#[test]
fn a_harvest_skips_uncertain_boards_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    // A board without digits has no orientation; and one shows a different puzzle than its ground truth.
    let renderer = PhotoRenderer::new(PhotoConfig::default(), fonts());
    let save = |name: &str, shown: Puzzle, truth: &str| {
        let photo = renderer.render(SceneStyle::Colored, &[BoardContent::printed(shown)], 8);
        photo.image.save(folder.path().join(name)).unwrap();
        let sidecar = folder.path().join(name).with_extension("txt");
        std::fs::write(sidecar, truth).unwrap();
    };
    save("empty.png", Puzzle::empty(), &Puzzle::empty().to_line());
    let other: String = LINE.chars().rev().collect();
    save("other.png", LINE.parse().unwrap(), &other);
    std::fs::write(folder.path().join("broken.jpg"), b"\xff\xd8 no more").unwrap();
    std::fs::write(folder.path().join("broken.txt"), LINE).unwrap();
    let found = photos_with_truth(&[folder.path().to_owned()]);
    let reader = Reader::new(ReaderConfig::default()).unwrap();
    let config = HarvestConfig::default();
    let out = folder.path().join("crops");
    let stop = AtomicBool::new(false);
    let summary = harvest(&found, &reader, &config, &out, &stop, || ()).unwrap();
    assert_eq!((summary.photos, summary.crops), (3, 0));
    let skipped = summary.skipped.iter().map(|(_, why)| why);
    let [broken, empty, other] = skipped.collect::<Vec<_>>()[..] else {
        panic!("{:?}", summary.skipped);
    };
    assert!(matches!(broken, Skipped::Unreadable(_)), "{broken:?}");
    assert_eq!(*empty, Skipped::UncertainTurn);
    assert!(matches!(other, Skipped::Disagrees(_)), "{other:?}");
}

#[test]
fn app_marks_are_not_digits() {
    let renderer = PhotoRenderer::new(PhotoConfig::default(), fonts());
    let board = BoardContent::printed(LINE.parse().unwrap());
    let marked = renderer.render(SceneStyle::AppMarks, &[board], 1);
    let (shown, quad) = &marked.boards[0];
    assert_eq!(shown.to_line(), LINE);
    // Some of the 51 blanks have ink, on any background.
    let luma = image::DynamicImage::ImageRgb8(marked.image.clone()).into_luma8();
    let [a, b, c, d] = quad.corners();
    let inked = (0..81)
        .filter(|cell| LINE.as_bytes()[*cell] == b'.')
        .filter(|cell| {
            let at = |x: f32, y: f32| {
                let across = |p: f32, q: f32| p + (q - p) * x;
                let down = |p: f32, q: f32| p + (q - p) * y;
                let x = down(across(a.x, b.x), across(d.x, c.x));
                let y = down(across(a.y, b.y), across(d.y, c.y));
                i32::from(luma.get_pixel(x as u32, y as u32).0[0])
            };
            let (row, column) = ((cell / 9) as f32, (cell % 9) as f32);
            let places = (0..400).map(|k| {
                (
                    0.15 + 0.035 * (k % 20) as f32,
                    0.15 + 0.035 * (k / 20) as f32,
                )
            });
            let values: Vec<i32> = places
                .map(|(x, y)| at((column + x) / 9.0, (row + y) / 9.0))
                .collect();
            values.iter().max().unwrap() - values.iter().min().unwrap() > 60
        });
    let inked = inked.count();
    assert!(inked > 8, "{inked}");
}
