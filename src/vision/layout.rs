//! The boards that are missing on a page: those of a puzzle book stand in rows and columns, so that a few that were
//! found say where the others are.

use std::collections::BTreeMap;

use super::detect::board_square;
use super::homography::Homography;
use super::quad::{Point, Quad};

/// Cells along each side of a board.
const SIDE: f32 = 9.0;
/// Fewest boards that make a page.
const FEWEST: usize = 3;
/// Distance of a board from the next one in its row or column, in cells of the one: no more than a board is between.
const NEXT: std::ops::Range<f32> = 9.0..18.0;
/// How far a board may be from its place, in cells, for each step to it.
const OFF: f32 = 2.0;
/// Steps that a board is known over.
const FARTHEST: i32 = 2;
/// Sides of boards that are alike, relative to each other.
const ALIKE: std::ops::Range<f32> = 0.75..1.33;

/// Returns the places without a board, given the boards that were found, in their rows and columns and one step beyond
/// the outermost.
pub(super) fn missing(boards: &[Quad]) -> Vec<Quad> {
    Page::of(boards).map_or_else(Vec::new, |page| page.vacant())
}

/// Boards in rows and columns.
struct Page<'a> {
    /// By column and row, counted from one of the boards.
    boards: BTreeMap<Place, &'a Quad>,
    /// Distance of columns and of rows, in cells, where there is more than one of them.
    steps: [Option<f32>; 2],
}

/// A column and a row.
type Place = (i32, i32);

impl<'a> Page<'a> {
    /// Returns the most boards that stand in rows and columns; `None` where too few do.
    fn of(boards: &'a [Quad]) -> Option<Page<'a>> {
        if boards.len() < FEWEST {
            return None;
        }
        let from = |from: &Quad| boards.iter().map(|to| offset(from, to)).collect();
        let offsets: Vec<Vec<Option<[f32; 2]>>> = boards.iter().map(from).collect();
        let steps = [0, 1].map(|axis| {
            let is_next = |by: &&[f32; 2]| NEXT.contains(&by[axis]) && by[1 - axis].abs() < OFF;
            let next = offsets.iter().flatten().flatten().filter(is_next);
            median(next.map(|by| by[axis]).collect())
        });
        let grown = (0..boards.len()).map(|first| grown(&offsets, first, steps));
        let grown = grown.max_by_key(BTreeMap::len)?;
        let boards = grown
            .into_iter()
            .map(|(place, board)| (place, &boards[board]));
        let boards: BTreeMap<Place, &Quad> = boards.collect();
        (boards.len() >= FEWEST).then_some(Page { boards, steps })
    }

    fn vacant(&self) -> Vec<Quad> {
        let range = |axis: fn(&Place) -> i32, step: Option<f32>| {
            let beyond = i32::from(step.is_some());
            let at = || self.boards.keys().map(axis);
            at().min().unwrap_or(0) - beyond..at().max().unwrap_or(0) + beyond + 1
        };
        let columns = range(|place| place.0, self.steps[0]);
        let rows = range(|place| place.1, self.steps[1]);
        let places = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        let is_vacant = |place: &Place| !self.boards.contains_key(place);
        let vacant = places.filter(is_vacant);
        vacant.filter_map(|place| self.board_at(place)).collect()
    }

    /// Returns where a board is in a column and a row: the nearer another one is, the more it says.
    fn board_at(&self, (column, row): Place) -> Option<Quad> {
        let corners = |(column, row): Place| {
            let [across, down] = self.steps.map(|step| step.unwrap_or(0.0));
            board_square().corners().map(|corner| Point {
                x: corner.x + across * column as f32,
                y: corner.y + down * row as f32,
            })
        };
        let pairs = self.boards.iter().flat_map(|(&place, board)| {
            let distance = ((place.0 - column) as f32).hypot((place.1 - row) as f32);
            let pairs = corners(place).into_iter().zip(board.corners());
            pairs.map(move |(from, to)| (from, to, distance.powi(-3)))
        });
        let map = Homography::fit(pairs)?;
        map.apply_quad(&Quad::new(corners((column, row)))?)
    }
}

/// Returns the boards that are in rows and columns with one of them, by their indices.
fn grown(
    offsets: &[Vec<Option<[f32; 2]>>],
    first: usize,
    steps: [Option<f32>; 2],
) -> BTreeMap<Place, usize> {
    let mut known = BTreeMap::from([((0, 0), first)]);
    let mut queue = vec![((0, 0), first)];
    while let Some(((column, row), from)) = queue.pop() {
        for (to, by) in offsets[from].iter().enumerate() {
            let steps = by.map(|by| [0, 1].map(|axis| whole(by[axis], steps[axis])));
            let Some([Some(right), Some(down)]) = steps else {
                continue;
            };
            let place = (column + right, row + down);
            let is_next = (1..=FARTHEST).contains(&right.abs().max(down.abs()));
            let is_taken = known.iter().any(|(at, board)| *at == place || *board == to);
            if is_next && !is_taken {
                known.insert(place, to);
                queue.push((place, to));
            }
        }
    }
    known
}

/// Returns a distance in steps; `None` where it is not near a whole number of them.
fn whole(by: f32, step: Option<f32>) -> Option<i32> {
    let count = step.map_or(0.0, |step| (by / step).round());
    let off = by - count * step.unwrap_or(0.0);
    (off.abs() < OFF * count.abs().max(1.0)).then_some(count as i32)
}

/// Returns how far the middle of a board is to the right of that of another one, and below it, in cells of the latter;
/// `None` where the two are not alike.
fn offset(from: &Quad, to: &Quad) -> Option<[f32; 2]> {
    let seen = Homography::between(from, &board_square())?.apply_quad(to)?;
    let middle = seen.center();
    let is_alike = ALIKE.contains(&(seen.area().sqrt() / SIDE));
    is_alike.then_some([middle.x - SIDE / 2.0, middle.y - SIDE / 2.0])
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The corners of a board on a page, in perspective.
    fn board(column: i32, row: i32) -> Quad {
        let page = [
            (100.0, 80.0),
            (900.0, 40.0),
            (980.0, 1200.0),
            (60.0, 1100.0),
        ];
        let page = Quad::new(page.map(|(x, y)| Point { x, y })).unwrap();
        let size = Quad::new(
            [(0.0, 0.0), (50.0, 0.0), (50.0, 70.0), (0.0, 70.0)].map(|(x, y)| Point { x, y }),
        );
        let map = Homography::between(&size.unwrap(), &page).unwrap();
        let corners = board_square().corners().map(|corner| Point {
            x: 2.0 + corner.x + 12.0 * column as f32,
            y: 3.0 + corner.y + 13.5 * row as f32,
        });
        map.apply_quad(&Quad::new(corners).unwrap()).unwrap()
    }

    fn nearest(quad: &Quad, places: &[Quad]) -> f32 {
        let off = places
            .iter()
            .map(|it| it.farthest_from(quad) / quad.cell_side());
        off.fold(f32::INFINITY, f32::min)
    }

    proptest! {
        #[test]
        fn boards_that_were_not_found_are_where_the_others_say(seen in prop::collection::vec(any::<bool>(), 20)) {
            let all = || (0..5).flat_map(|row| (0..4).map(move |column| (column, row)));
            let is_seen = |&(column, row): &(i32, i32)| seen[(4 * row + column) as usize] || column == 1 || row == 2;
            let found: Vec<Quad> = all().filter(is_seen).map(|(column, row)| board(column, row)).collect();
            let places = missing(&found);
            for (column, row) in all().filter(|at| !is_seen(at)) {
                let off = nearest(&board(column, row), &places);
                prop_assert!(off < 0.2, "{column} {row}: {off} cells");
            }
            // All others are a step beyond.
            prop_assert!(found.len() + places.len() <= 6 * 7);
        }

        #[test]
        fn any_quads_give_finite_places(corners in prop::collection::vec(proptest::array::uniform8(0f32..1000.0), 0..12)) {
            let quad = |[a, b, c, d, e, f, g, h]: [f32; 8]| {
                Quad::new([(a, b), (c, d), (e, f), (g, h)].map(|(x, y)| Point { x, y }))
            };
            let quads: Vec<Quad> = corners.into_iter().filter_map(quad).collect();
            for place in missing(&quads) {
                prop_assert!(place.area().is_finite());
            }
        }
    }

    #[test]
    fn two_boards_or_boards_of_different_sizes_make_no_page() {
        assert!(missing(&[board(0, 0), board(1, 0)]).is_empty());
        let small = board(2, 0).scaled(0.5).unwrap();
        assert!(missing(&[board(0, 0), board(1, 0), small]).is_empty());
    }

    #[test]
    fn a_single_row_goes_on_at_its_ends_alone() {
        let places = missing(&[board(0, 0), board(1, 0), board(2, 0)]);
        assert_eq!(places.len(), 2);
        assert!(nearest(&board(3, 0), &places) < 0.3 && nearest(&board(-1, 0), &places) < 0.3);
    }
}
