//! One contract for every grid detector of this build, on drawn photos with known
//! corners; and for the stages after it.
#![allow(clippy::unwrap_used, missing_docs)]

use image::GrayImage;
use proptest::prelude::*;
use sudoku_batch::grid::{Cell, CellMap};
use sudoku_batch::vision::{
    Backend, Board, CROP_SIDE, CellCrop, DetectConfig, GridDetector, Homography, Lattice,
    LocateConfig, Photo, PhotoConfig, Point, Polarity, Quad, crop_cells, locate, turn_board,
};

/// Every detector of this build, by name.
fn detectors() -> Vec<(&'static str, Box<dyn GridDetector>)> {
    [("built-in", Backend::BuiltIn), ("opencv", Backend::Opencv)]
        .into_iter()
        .filter_map(|(name, backend)| {
            Some((name, backend.detector(&DetectConfig::default()).ok()?))
        })
        .collect()
}

fn point(x: f32, y: f32) -> Point {
    Point { x, y }
}

fn quad(corners: [(f32, f32); 4]) -> Quad {
    Quad::new(corners.map(|(x, y)| point(x, y))).unwrap()
}

/// The board in cells.
fn board_units() -> Quad {
    quad([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)])
}

/// A board drawn into a photo.
#[derive(Clone, Copy)]
struct Drawn {
    corners: Quad,
    /// Sag of the middle of its rows, in cells: a page that is not flat.
    sag: f32,
    /// Cells around it that an unruled frame encloses, if there is one.
    frame: Option<f32>,
}

impl Drawn {
    fn flat(corners: [(f32, f32); 4]) -> Drawn {
        Drawn {
            corners: quad(corners),
            sag: 0.0,
            frame: None,
        }
    }

    /// Sag of a row at column `u`.
    fn hanging(&self, u: f32) -> f32 {
        self.sag * (std::f32::consts::PI * u / 9.0).sin()
    }

    /// The position of `(u, v)` of the board in the photo.
    fn at(&self, u: f32, v: f32) -> Point {
        let map = Homography::between(&board_units(), &self.corners).unwrap();
        map.apply(point(u, v + self.hanging(u)))
    }

    /// Whether there is ink at `(u, v)` of the board.
    fn ink(&self, u: f32, v: f32) -> bool {
        let v = v - self.hanging(u);
        let near = |x: f32, half: f32| (x - x.round()).abs() < half;
        let inside = |half: f32| u > -half && u < 9.0 + half && v > -half && v < 9.0 + half;
        let thick = |x: f32| (x / 3.0 - (x / 3.0).round()).abs() * 3.0 < 0.045;
        let lines = inside(0.045) && (thick(u) || thick(v))
            || inside(0.02) && (near(u, 0.02) || near(v, 0.02));
        let framed = self.frame.is_some_and(|gap| {
            let away = (u - 4.5).abs().max((v - 4.5).abs()) - 4.5;
            (away - gap).abs() < 0.05
        });
        lines || framed || inside(0.0) && self.digit(u, v)
    }

    /// A digit-like shape in every third cell: a stroke with a foot.
    fn digit(&self, u: f32, v: f32) -> bool {
        let (column, row) = (u as usize, v as usize);
        let (x, y) = (u - column as f32 - 0.5, v - row as f32 - 0.5);
        let stroke = x.abs() < 0.06 && y.abs() < 0.3;
        let foot = (0.0..0.22).contains(&x) && (y - 0.26).abs() < 0.05;
        (column * 5 + row * 7).is_multiple_of(3) && (stroke || foot)
    }
}

/// A photo of boards, with sixteen samples per pixel.
fn photo(width: u32, height: u32, boards: &[Drawn], polarity: Polarity) -> GrayImage {
    let maps: Vec<Homography> = boards
        .iter()
        .map(|board| Homography::between(&board.corners, &board_units()).unwrap())
        .collect();
    GrayImage::from_fn(width, height, |x, y| {
        let mut ink = 0;
        for step in 0..16 {
            let place = point(
                x as f32 + (step % 4) as f32 / 4.0 + 0.125,
                y as f32 + (step / 4) as f32 / 4.0 + 0.125,
            );
            let drawn = boards.iter().zip(&maps).any(|(board, map)| {
                let Point { x, y } = map.apply(place);
                board.ink(x, y)
            });
            ink += u32::from(drawn);
        }
        // The light comes from the left.
        let paper = 220 - 60 * x / width;
        let dark = (paper - ink * (paper - 40) / 16) as u8;
        image::Luma([match polarity {
            Polarity::DarkOnLight => dark,
            Polarity::LightOnDark => 255 - dark,
        }])
    })
}

fn boards_in(luma: GrayImage, detector: &dyn GridDetector) -> Vec<Board> {
    let photo = Photo::from_luma(luma, &PhotoConfig::default());
    locate(&photo, detector, &LocateConfig::default()).unwrap()
}

/// The largest distance of a crossing from where it was drawn, in cells, in the best of
/// the four orientations.
fn error(lattice: &Lattice, drawn: &Drawn) -> f32 {
    let cell = (drawn.corners.area() / 81.0).sqrt();
    let turned = |turns: usize| {
        let mut worst = 0f32;
        for i in 0..10 {
            for j in 0..10 {
                let (u, v) = [(j, i), (9 - i, j), (9 - j, 9 - i), (i, 9 - j)][turns];
                let (seen, truth) = (
                    lattice.point(u as f32, v as f32),
                    drawn.at(j as f32, i as f32),
                );
                worst = worst.max((seen.x - truth.x).hypot(seen.y - truth.y));
            }
        }
        worst / cell
    };
    (0..4).map(turned).fold(f32::INFINITY, f32::min)
}

const STEEP: [(f32, f32); 4] = [(150.0, 90.0), (560.0, 60.0), (600.0, 420.0), (90.0, 400.0)];

#[test]
fn a_board_in_perspective_is_found_in_both_polarities() {
    let drawn = Drawn::flat(STEEP);
    for (name, detector) in detectors() {
        for polarity in [Polarity::DarkOnLight, Polarity::LightOnDark] {
            let boards = boards_in(photo(640, 480, &[drawn], polarity), detector.as_ref());
            assert!(!boards.is_empty(), "{name}, {polarity:?}");
            assert_eq!(boards[0].polarity, polarity, "{name}");
            let error = error(&boards[0].lattice, &drawn);
            assert!(error < 0.1, "{name}, {polarity:?}: {error} cells off");
        }
    }
}

#[test]
fn a_board_is_found_in_any_orientation() {
    for (name, detector) in detectors() {
        for degrees in [12f32, 37.0, 45.0, 70.0, 90.0, 160.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turned = |x: f32, y: f32| (320.0 + cos * x - sin * y, 240.0 + sin * x + cos * y);
            let r = 150.0;
            let corners = [(-r, -r), (r, -r), (r, r), (-r, r)].map(|(x, y)| turned(x, y));
            let drawn = Drawn::flat(corners);
            let luma = photo(640, 480, &[drawn], Polarity::DarkOnLight);
            let boards = boards_in(luma, detector.as_ref());
            assert!(!boards.is_empty(), "{name}, {degrees} degrees");
            let error = error(&boards[0].lattice, &drawn);
            assert!(error < 0.1, "{name}, {degrees} degrees: {error} cells off");
        }
    }
}

#[test]
fn the_lattice_follows_a_page_that_is_not_flat() {
    for (name, detector) in detectors() {
        for sag in [0.3, 0.6] {
            let drawn = Drawn {
                sag,
                ..Drawn::flat([(120.0, 50.0), (530.0, 70.0), (520.0, 430.0), (110.0, 420.0)])
            };
            let luma = photo(640, 480, &[drawn], Polarity::DarkOnLight);
            let boards = boards_in(luma, detector.as_ref());
            assert!(!boards.is_empty(), "{name}, sag {sag}");
            let error = error(&boards[0].lattice, &drawn);
            assert!(error < 0.15, "{name}, sag {sag}: {error} cells off");
        }
    }
}

#[test]
fn a_frame_around_a_board_is_not_detected_as_the_board() {
    for (name, detector) in detectors() {
        let drawn = Drawn {
            frame: Some(0.8),
            ..Drawn::flat([(160.0, 90.0), (470.0, 95.0), (465.0, 400.0), (165.0, 390.0)])
        };
        let luma = photo(640, 480, &[drawn], Polarity::DarkOnLight);
        let boards = boards_in(luma, detector.as_ref());
        assert!(!boards.is_empty(), "{name}");
        let error = error(&boards[0].lattice, &drawn);
        assert!(error < 0.1, "{name}: {error} cells off");
    }
}

#[test]
fn two_boards_are_two_places_and_the_larger_comes_first() {
    let large = Drawn::flat([(40.0, 60.0), (500.0, 50.0), (505.0, 520.0), (45.0, 510.0)]);
    let small = Drawn::flat([
        (570.0, 300.0),
        (760.0, 305.0),
        (755.0, 490.0),
        (575.0, 495.0),
    ]);
    for (name, detector) in detectors() {
        let luma = photo(800, 600, &[small, large], Polarity::DarkOnLight);
        let boards = boards_in(luma, detector.as_ref());
        assert_eq!(boards.len(), 2, "{name}");
        assert_eq!([boards[0].place, boards[1].place], [0, 1], "{name}");
        assert!(error(&boards[0].lattice, &large) < 0.1, "{name}");
        assert!(error(&boards[1].lattice, &small) < 0.1, "{name}");
    }
}

#[test]
fn noise_and_paper_have_no_credible_board() {
    let mut state = 1u32;
    let noise = GrayImage::from_fn(640, 480, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Luma([(state >> 24) as u8])
    });
    let paper = GrayImage::from_pixel(640, 480, image::Luma([200]));
    for (name, detector) in detectors() {
        for luma in [&noise, &paper] {
            for board in boards_in(luma.clone(), detector.as_ref()) {
                assert!(board.score < 0.35, "{name}: {}", board.score);
            }
        }
    }
}

#[test]
fn tiny_and_narrow_pictures_are_searched_without_a_crash() {
    for (_, detector) in detectors() {
        for (width, height) in [
            (1, 1),
            (1, 900),
            (900, 1),
            (2, 3),
            (31, 64),
            (48, 48),
            (49, 2000),
        ] {
            let luma =
                GrayImage::from_fn(width, height, |x, y| image::Luma([(x * 7 + y * 13) as u8]));
            boards_in(luma, detector.as_ref());
        }
    }
}

#[test]
fn the_same_picture_gives_the_same_answer() {
    let luma = photo(640, 480, &[Drawn::flat(STEEP)], Polarity::DarkOnLight);
    for (name, detector) in detectors() {
        let (first, again) = (detector.detect(&luma), detector.detect(&luma));
        assert_eq!(first.unwrap(), again.unwrap(), "{name}");
    }
}

#[test]
fn a_build_without_a_backend_says_how_to_get_it() {
    if let Err(unavailable) = Backend::Opencv.detector(&DetectConfig::default()) {
        let message = unavailable.to_string();
        for word in [
            "--features opencv",
            "libopencv-dev",
            "clang",
            "libclang-dev",
            "pkg-config",
        ] {
            assert!(message.contains(word), "{message}");
        }
    }
}

#[test]
fn crops_show_dark_digits_in_both_polarities() {
    let drawn = Drawn::flat(STEEP);
    let points = std::array::from_fn(|i| std::array::from_fn(|j| drawn.at(j as f32, i as f32)));
    let lattice = Lattice::new(points, 1.0).unwrap();
    let [dark, light] = [Polarity::DarkOnLight, Polarity::LightOnDark].map(|polarity| {
        let luma = photo(640, 480, &[drawn], polarity);
        let photo = Photo::from_luma(luma, &PhotoConfig::default());
        crop_cells(&photo, &lattice, polarity)
    });
    for (cell, crop) in dark.iter() {
        let other = &light[cell];
        let pairs = crop.pixels.iter().zip(other.pixels.iter());
        assert!(
            pairs.into_iter().all(|(a, b)| a.abs_diff(*b) <= 1),
            "{cell}"
        );
        let (row, column) = (cell.index() / 9, cell.index() % 9);
        let has_digit = (column * 5 + row * 7).is_multiple_of(3);
        assert_eq!(crop.tone().contrast > 60.0, has_digit, "{cell}");
        assert!(crop.board_contrast > 60.0);
    }
}

fn distinct_crops() -> CellMap<CellCrop> {
    CellMap::from_fn(|cell| CellCrop {
        pixels: Box::new(std::array::from_fn(|i| (i * 31 + cell.index() * 17) as u8)),
        board_contrast: 9.0,
    })
}

#[test]
fn a_quarter_turn_moves_the_first_cell_and_its_pixels_to_the_top_right() {
    let board = distinct_crops();
    let turned = turn_board(&board, 1);
    let (first, top_right) = (Cell::at(0, 0).unwrap(), Cell::at(0, 8).unwrap());
    assert_eq!(
        board[first].pixels[0],
        turned[top_right].pixels[CROP_SIDE - 1]
    );
}

#[test]
fn turns_add_up_and_four_are_the_identity() {
    let board = distinct_crops();
    for a in 0..4 {
        for b in 0..4 {
            let twice = turn_board(&turn_board(&board, a), b);
            assert_eq!(twice, turn_board(&board, (a + b) % 4));
        }
    }
    assert_eq!(turn_board(&board, 4), board);
}

prop_compose! {
    fn some_quad()(
        corners in prop::array::uniform4((-30f32..30.0, -30f32..30.0)),
        x in -500f32..500.0,
        y in -500f32..500.0,
    ) -> Option<Quad> {
        let base = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        Quad::new(std::array::from_fn(|i| {
            point(base[i].0 + corners[i].0 + x, base[i].1 + corners[i].1 + y)
        }))
    }
}

proptest! {
    #[test]
    fn a_homography_takes_corners_to_corners_and_back(from in some_quad(), to in some_quad()) {
        let (Some(from), Some(to)) = (from, to) else { return Ok(()) };
        let map = Homography::between(&from, &to).unwrap();
        let back = map.inverse().unwrap();
        for (a, b) in from.corners().into_iter().zip(to.corners()) {
            let there = map.apply(a);
            prop_assert!((there.x - b.x).hypot(there.y - b.y) < 0.01, "{there:?} for {b:?}");
            let again = back.apply(there);
            prop_assert!((again.x - a.x).hypot(again.y - a.y) < 0.02, "{again:?} for {a:?}");
        }
    }

    #[test]
    fn quads_are_clockwise_for_any_order_of_corners(quad in some_quad(), first in 0usize..4) {
        let Some(quad) = quad else { return Ok(()) };
        let [a, b, c, d] = quad.corners();
        prop_assert_eq!(Quad::new([a, d, c, b]), Some(quad));
        prop_assert_eq!(Quad::new([a, c, b, d]), None);
        let mut corners = quad.corners();
        corners.rotate_left(first);
        let turned = Quad::new(corners).unwrap();
        prop_assert_eq!(turned.from_top_left(), quad.from_top_left());
        prop_assert!((turned.area() - quad.area()).abs() < 0.01 * quad.area());
    }

    #[test]
    fn overlap_is_symmetric_and_at_most_either_area(a in some_quad(), b in some_quad()) {
        let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
        let overlap = a.overlap(&b);
        let slack = 0.01 * a.area().max(b.area());
        prop_assert!((overlap - b.overlap(&a)).abs() < slack);
        prop_assert!(overlap <= a.area().min(b.area()) + slack);
        prop_assert!((a.overlap(&a) - a.area()).abs() < slack);
    }
}
