//! What depends on the layout only, as flat tables: which places a cell has in which houses, where houses
//! overlap, and which sums hold.

use super::super::layout::Layout;
use super::super::mask::Mask;
use super::sum::{Sum, sums_of};

/// A cell as a member of a house.
#[derive(Clone, Copy, Debug)]
pub(super) struct Membership {
    pub(super) house: u16,
    /// Its place among the cells of the house.
    pub(super) place: u8,
}

/// Another house that shares two or more cells with a house.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub(super) house: u16,
    /// The places of the shared cells in the first house.
    pub(super) shared: Mask,
    /// Their places in the other house.
    pub(super) shared_there: Mask,
}

/// Boards of this side and more have their houses filtered by matchings.
const LEAST_MATCHED_SIDE: usize = 10;
/// Locked candidates are looked for on boards of this side and more; on smaller ones a guess is quicker.
const LEAST_LOCKED_SIDE: usize = 7;

/// Tables of a layout. A slot is a value in a house: `house * side + value`.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub(super) side: usize,
    pub(super) houses: usize,
    /// The cells of each house, `side` for each.
    house_cells: Vec<u16>,
    memberships: Vec<Membership>,
    membership_starts: Vec<u32>,
    overlaps: Vec<Overlap>,
    overlap_starts: Vec<u32>,
    pub(super) sums: Vec<Sum>,
    cell_sums: Vec<u16>,
    cell_sum_starts: Vec<u32>,
}

impl Geometry {
    pub(super) fn new(layout: &Layout) -> Geometry {
        let (side, cells) = (layout.side(), layout.cells());
        let houses = layout.houses();
        let house_cells: Vec<u16> = houses
            .iter()
            .flat_map(|house| house.cells.iter().map(|&cell| cell as u16))
            .collect();
        let memberships = (house_cells.iter().enumerate()).map(|(at, &cell)| {
            let membership = Membership {
                house: (at / side) as u16,
                place: (at % side) as u8,
            };
            (usize::from(cell), membership)
        });
        let none = Membership { house: 0, place: 0 };
        let (memberships, membership_starts) = grouped(cells, none, memberships);
        let mut geometry = Geometry {
            side,
            houses: houses.len(),
            house_cells,
            memberships,
            membership_starts,
            overlaps: Vec::new(),
            overlap_starts: vec![0],
            sums: Vec::new(),
            cell_sums: Vec::new(),
            cell_sum_starts: vec![0; cells + 1],
        };
        geometry.find_overlaps();
        if !layout.cages().is_empty() {
            geometry.sums = sums_of(layout, |a, b| geometry.share_house(a, b));
            let members = geometry.sums.iter().enumerate().flat_map(|(number, sum)| {
                let cells = sum.cells.iter();
                cells.map(move |&cell| (usize::from(cell), number as u16))
            });
            (geometry.cell_sums, geometry.cell_sum_starts) = grouped(cells, 0, members);
        }
        geometry
    }

    fn find_overlaps(&mut self) {
        let mut shared: Vec<[Mask; 2]> = vec![[0; 2]; self.houses];
        for house in 0..self.houses {
            for place in 0..self.side {
                let cell = self.cell_at(house, place);
                for other in self.memberships(cell) {
                    let [here, there] = &mut shared[usize::from(other.house)];
                    *here |= 1 << place;
                    *there |= 1 << other.place;
                }
            }
            for (other, shared) in shared.iter_mut().enumerate() {
                let [here, there] = std::mem::take(shared);
                if other != house && here.count_ones() > 1 {
                    self.overlaps.push(Overlap {
                        house: other as u16,
                        shared: here,
                        shared_there: there,
                    });
                }
            }
            self.overlap_starts.push(self.overlaps.len() as u32);
        }
    }

    /// Whether locked candidates are looked for.
    pub(super) const fn is_locked(&self) -> bool {
        self.side >= LEAST_LOCKED_SIDE
    }

    /// Whether houses are filtered by matchings.
    pub(super) const fn is_matched(&self) -> bool {
        self.side >= LEAST_MATCHED_SIDE
    }

    /// All values of the board, or all places of a house.
    pub(super) fn full(&self) -> Mask {
        (1 << self.side) - 1
    }

    #[inline]
    pub(super) fn cell_at(&self, house: usize, place: usize) -> usize {
        usize::from(self.house_cells[house * self.side + place])
    }

    pub(super) fn cells_of(&self, house: usize) -> &[u16] {
        &self.house_cells[house * self.side..][..self.side]
    }

    #[inline]
    pub(super) fn memberships(&self, cell: usize) -> &[Membership] {
        slice(&self.memberships, &self.membership_starts, cell)
    }

    fn share_house(&self, a: usize, b: usize) -> bool {
        let houses = self.memberships(b);
        let shared = |member: &Membership| houses.iter().any(|other| other.house == member.house);
        self.memberships(a).iter().any(shared)
    }

    #[inline]
    pub(super) fn overlaps(&self, house: usize) -> &[Overlap] {
        slice(&self.overlaps, &self.overlap_starts, house)
    }

    /// The sums that a cell is part of.
    #[inline]
    pub(super) fn sums_of(&self, cell: usize) -> &[u16] {
        slice(&self.cell_sums, &self.cell_sum_starts, cell)
    }
}

#[inline]
fn slice<'a, T>(items: &'a [T], starts: &[u32], group: usize) -> &'a [T] {
    &items[starts[group] as usize..starts[group + 1] as usize]
}

/// Items grouped by their numbers below `groups`, in their order, and where each group starts.
fn grouped<T: Copy>(
    groups: usize,
    none: T,
    items: impl Iterator<Item = (usize, T)> + Clone,
) -> (Vec<T>, Vec<u32>) {
    let mut starts = vec![0; groups + 2];
    for (group, _) in items.clone() {
        starts[group + 2] += 1;
    }
    for group in 2..starts.len() {
        starts[group] += starts[group - 1];
    }
    let mut sorted = vec![none; starts[groups + 1] as usize];
    for (group, item) in items {
        sorted[starts[group + 1] as usize] = item;
        starts[group + 1] += 1;
    }
    starts.pop();
    (sorted, starts)
}
