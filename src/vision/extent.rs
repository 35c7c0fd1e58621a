//! Whether a grid ends where a board of nine rows and columns does.

use super::detect::Polarity;
use super::flat::Flat;
use super::lattice::Lattice;
use super::photo::Photo;
use super::refine::{GRAIN, STRENGTH_REACH};
use super::sample::Source;

/// Strength that a lattice loses at least where it reaches beyond its grid by a row or a column: a quarter of what it
/// does on clean paper.
const LEAST_LOSS: f32 = 0.05;

/// Strength of a lattice below which nothing can be said.
const CLEAR: f32 = 0.5;

/// Strength below which a line is missing.
const MISSING: f32 = 0.25;

/// Returns whether the grid of a board goes on beside it, inside the photo: whether its lines are as strong a row or a
/// column further.
pub fn goes_on(photo: &Photo, lattice: &Lattice, polarity: Polarity) -> bool {
    let source = &photo.source_for(lattice.corners().cell_side());
    let strength = |it: &Lattice| flat(source, it, polarity).evidence(STRENGTH_REACH);
    let strength_here = strength(lattice);
    if strength_here < CLEAR {
        return false;
    }
    let is_seen = |it: &&Lattice| it.corners().is_within(photo.luma().dimensions());
    let aside = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    let aside = aside.map(|(right, down)| lattice.shifted(right, down));
    let mut aside = aside.iter().flatten().filter(is_seen);
    aside.any(|it| strength(it) >= strength_here - LEAST_LOSS)
}

/// Returns on which sides a board has no outer line: at the top, right, bottom, and left of the photo.
pub fn open_sides(photo: &Photo, lattice: &Lattice, polarity: Polarity) -> [bool; 4] {
    let source = &photo.source_for(lattice.corners().cell_side());
    let Flat {
        horizontal,
        vertical,
    } = flat(source, lattice, polarity);
    let sides = [
        (&horizontal, 0.0),
        (&vertical, 9.0),
        (&horizontal, 9.0),
        (&vertical, 0.0),
    ];
    sides.map(|(ridges, line)| ridges.strength(line, STRENGTH_REACH) < MISSING)
}

fn flat(source: &Source, lattice: &Lattice, polarity: Polarity) -> Flat {
    Flat::of(source, lattice, polarity, GRAIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::Point;
    use crate::vision::drawn::{DrawnBoard, INK, PAPER, on_line, printed};
    use crate::vision::photo_config::PhotoConfig;
    use image::GrayImage;

    const SIZE: (u32, u32) = (420, 400);

    fn board() -> DrawnBoard {
        let corners = [(50.0, 60.0), (360.0, 40.0), (375.0, 350.0), (40.0, 330.0)];
        DrawnBoard::new(corners, 0.1)
    }

    fn photo(gray: impl Fn(f64, f64) -> f64) -> Photo {
        let picture: GrayImage = board().draw(SIZE, gray);
        Photo::from_luma(picture, &PhotoConfig::default())
    }

    #[test]
    fn a_grid_goes_on_if_there_is_one_more_row_or_column() {
        let (lattice, polarity) = (board().lattice(), Polarity::DarkOnLight);
        assert!(!goes_on(&photo(printed), &lattice, polarity));
        // The lines of a second board, a cell aside.
        for (right, down) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let larger = photo(|u, v| match on_line(u, v) || on_line(u - right, v - down) {
                true => INK,
                false => PAPER,
            });
            assert!(goes_on(&larger, &lattice, polarity), "{right} {down}");
        }
        // Without lines nothing can be said.
        assert!(!goes_on(&photo(|_, _| PAPER), &lattice, polarity));
        // A frame around the board is no row.
        let framed = photo(|u, v| match (u - 4.5).abs().max((v - 4.5).abs()) {
            off if (off - 5.5).abs() < 0.05 => INK,
            _ => printed(u, v),
        });
        assert!(!goes_on(&framed, &lattice, polarity));
    }

    #[test]
    fn a_grid_does_not_go_on_outside_the_photo() {
        let (lattice, polarity) = (board().lattice(), Polarity::DarkOnLight);
        let corners = lattice.corners().corners().map(|it| (it.x, it.y));
        let picture = board().draw((376, 351), printed);
        let cut = image::imageops::crop_imm(&picture, 39, 39, 337, 312).to_image();
        assert!(corners.iter().all(|(x, y)| *x >= 39.0 && *y >= 39.0));
        let lattice = lattice.moved(Point { x: -39.0, y: -39.0 });
        let photo = Photo::from_luma(cut, &PhotoConfig::default());
        assert!(!goes_on(&photo, &lattice, polarity));
    }

    #[test]
    fn sides_without_a_line_are_open() {
        let (lattice, polarity) = (board().lattice(), Polarity::DarkOnLight);
        let open = |hidden: usize| {
            let photo = photo(|u, v| match [v, 9.0 - u, 9.0 - v, u].get(hidden) {
                Some(inside) if *inside < 0.2 => PAPER,
                _ => printed(u, v),
            });
            open_sides(&photo, &lattice, polarity)
        };
        for side in 0..=4 {
            assert_eq!(open(side), std::array::from_fn(|i| i == side));
        }
    }
}
