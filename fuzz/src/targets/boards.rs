//! The stages between a photo and its digits: arbitrary corners, crossings, and posteriors.

use std::sync::LazyLock;

use sudoku_batch::decode::{DecodeConfig, DecodeMode, Fusion, FusionConfig, decode, sharpness};
use sudoku_batch::digits::Posterior;
use sudoku_batch::grid::{Cell, CellMap};
use sudoku_batch::roster::fastest_complete;
use sudoku_batch::vision::{
    BoardPlace, Detection, Homography, Lattice, LocateConfig, Photo, PhotoConfig, Point, Polarity,
    Quad, Rotation, SmallFrame, Window, board_from, crop_cells,
};

/// Sizes of the photos for arbitrary corners, down to a pixel.
const SIZES: [(u32, u32); 5] = [(96, 96), (1, 1), (1, 40), (40, 2), (7, 300)];
const POLARITIES: [Polarity; 2] = [Polarity::DarkOnLight, Polarity::LightOnDark];

/// Photos of a page full of squares.
static PHOTOS: LazyLock<Vec<Photo>> = LazyLock::new(|| {
    let photo = |(width, height): (u32, u32)| {
        let gray = |at: u32| match (at % width).is_multiple_of(9) || (at / width).is_multiple_of(9)
        {
            true => 30,
            false => 200 + (at % 31) as u8,
        };
        let pixels = (0..width * height).map(gray).collect();
        let photo = Photo::from_gray(width, height, pixels, &PhotoConfig::default());
        photo.expect("there is a byte for each pixel")
    };
    SIZES.map(photo).into()
});

/// Cuts boards with any corners, and along any lattice: the first eight numbers are the corners, those after them the
/// crossings.
pub fn lattices(data: &[u8]) {
    let words = data.chunks_exact(4).filter_map(|word| word.try_into().ok());
    let mut numbers: Vec<f32> = words.map(f32::from_le_bytes).collect();
    let crossings = numbers.split_off(numbers.len().min(8));
    let point = |at: usize| Point {
        x: numbers.get(2 * at).copied().unwrap_or_default(),
        y: numbers.get(2 * at + 1).copied().unwrap_or_default(),
    };
    if let Some(quad) = Quad::new([0, 1, 2, 3].map(point)) {
        PHOTOS.iter().for_each(|photo| corners(photo, &quad));
    }
    let lattices = [0, 200].map(|from| {
        let numbers = crossings.iter().skip(from).take(200);
        Lattice::try_from(numbers.copied().collect::<Vec<f32>>()).ok()
    });
    if let [Some(lattice), other] = lattices {
        let next = lattice.ahead(other.as_ref().unwrap_or(&lattice));
        let moved = next.moved(point(0));
        for photo in PHOTOS.iter() {
            for lattice in [&lattice, &next, &moved] {
                crossed(photo, lattice);
            }
        }
    }
}

fn corners(photo: &Photo, quad: &Quad) {
    let (shortest, longest) = quad.sides();
    assert!(shortest <= longest && quad.area() >= 0.0);
    let own = quad.corners();
    assert!(own.contains(&quad.from_top_left().corners()[0]));
    if let Some(place) = BoardPlace::from_corners(photo, quad) {
        cut(photo, &place);
    }
    for polarity in POLARITIES {
        let detection = Detection::outlined(*quad, polarity);
        let _ = board_from(photo, &detection, &LocateConfig::default());
    }
    let frame = SmallFrame::of(photo);
    if let Some(picture) = frame.cut(quad) {
        let _ = picture.motion_in(&frame);
    }
    let page = photo.luma().dimensions();
    let [right, bottom] = [page.0, page.1].map(|side| side as f32);
    let page = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)];
    let page = Quad::new(page.map(|(x, y)| Point { x, y })).expect("a page is convex");
    let _ = (page.overlap(quad), quad.overlap(&page));
    if let Some(map) = Homography::between(&page, quad) {
        let _ = map.apply_quad(&page);
        let _ = map.inverse().and_then(|back| back.apply_quad(quad));
    }
}

fn crossed(photo: &Photo, lattice: &Lattice) {
    for polarity in POLARITIES {
        crop_cells(photo, lattice, polarity);
        let traced = Detection::along(lattice.clone(), polarity, 0.5);
        let exact = Detection {
            is_exact: true,
            ..traced.clone()
        };
        for detection in [traced, exact] {
            let _ = board_from(photo, &detection, &LocateConfig::default());
        }
    }
    let place = BoardPlace {
        lattice: lattice.clone(),
        polarity: Polarity::DarkOnLight,
        rotation: Rotation::from_quarter_turns(1),
    };
    cut(photo, &place);
}

fn cut(photo: &Photo, place: &BoardPlace) {
    let crops = place.cut(photo);
    for (side, cell) in [0.0, 20.0, 80.0, 1e9].into_iter().zip(Cell::all()) {
        let window = Window {
            middle: [side, 16.0],
            side,
        };
        let _ = place.cut_closer(photo, cell, &crops[cell], window);
    }
    place.visible(photo);
    let (right, bottom) = (photo.width() as f32, photo.height() as f32);
    for corner in place.corners(photo) {
        assert!((0.0..=right).contains(&corner.x) && (0.0..=bottom).contains(&corner.y));
    }
}

/// Decodes a board of any posteriors: the first byte has settings, those after it the weights of the contents of each
/// cell, over and over: ten logarithms in eighths of a nat, or ten floats.
pub fn decoding(data: &[u8]) {
    let Some((settings, weights)) = data.split_first() else {
        return;
    };
    let posteriors = posteriors(weights, settings & 1 > 0);
    let config = DecodeConfig {
        mode: match settings & 2 > 0 {
            true => DecodeMode::Argmax,
            false => DecodeMode::Rules,
        },
        max_boards: 20,
        solver_nodes: 2000,
        time_limit_ms: Some(100),
        ..DecodeConfig::default()
    };
    let mut solver = (fastest_complete().build)();
    let decoded = decode(&posteriors, &mut *solver, &config);
    assert!(
        (0.0..=1.0).contains(&decoded.confidence),
        "{}",
        decoded.confidence
    );
    assert!(decoded.margin >= 0.0 && decoded.margin <= config.margin_cap);
    assert!(decoded.cost.is_finite() && decoded.blank_doubt.is_finite());
    for cell in Cell::all() {
        let differs = decoded.decoded.given(cell) != decoded.givens.given(cell);
        assert_eq!(decoded.overruled.contains(cell), differs, "{cell:?}");
    }
    if let Some(solution) = decoded.verdict.solution() {
        let mut givens = decoded.decoded.givens();
        let keeps = givens.all(|(cell, digit)| solution.digit(cell) == digit);
        assert!(keeps, "{solution} is none of {}", decoded.decoded);
    }
    let looks: Vec<(Cell, Posterior)> = Cell::all().map(|cell| (cell, posteriors[cell])).collect();
    let seen = sharpness(looks.iter().map(|(_, posterior)| posterior));
    assert!((0.0..=1.001).contains(&seen), "{seen}");
    let mut fusion = Fusion::default();
    for look in looks.chunks(30).cycle().take(6) {
        fusion.add(look, seen, &FusionConfig::default());
    }
    for (_, posterior) in fusion.posteriors().iter() {
        let sum: f32 = posterior.as_array().iter().sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    }
}

fn posteriors(data: &[u8], floats: bool) -> CellMap<Posterior> {
    let mut bytes = data.iter().copied().cycle();
    CellMap::from_fn(|_| {
        let weights: [f32; 10] = std::array::from_fn(|_| match floats {
            true => f32::from_le_bytes([0; 4].map(|_| bytes.next().unwrap_or_default())),
            false => (-f32::from(bytes.next().unwrap_or_default()) / 8.0).exp(),
        });
        Posterior::from_weights(weights).unwrap_or_else(|| Posterior::blank(0.5))
    })
}
