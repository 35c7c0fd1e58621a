//! Draws the crops that are held out: whole groups of puzzles and photos, and blocks of neighbors.

use std::collections::BTreeMap;

use super::groups::Groups;
use crate::digits::{LabeledCrop, TrainingConfig};

/// Largest block of neighboring crops of one label that is held out, for crops without a puzzle and
/// a photo: neighbors in a sheet tend to be from one photo.
const LARGEST_BLOCK: usize = 64;

/// Fewest blocks per label: the blocks are smaller where a label would have fewer.
const LEAST_BLOCKS: usize = 20;

/// Returns whether each crop of each folder is held out.
pub(super) fn held_out(folders: &[&[LabeledCrop]], config: &TrainingConfig) -> Vec<Vec<bool>> {
    let by_source = |crop: &LabeledCrop| starts_with_any(&crop.source, &config.validation_sources);
    let groups = Groups::new(folders);
    let mut drawn = vec![Group::default(); groups.names().len()];
    let mut sides: Vec<Vec<bool>> = Vec::new();
    for (crops, groups) in folders.iter().zip(groups.of_crops()) {
        for (crop, group) in crops.iter().zip(groups) {
            if let Some(group) = *group
                && !by_source(crop)
            {
                let group = &mut drawn[group];
                group.share = group.share.max(config.validation_share(&crop.source));
                group.crops += 1;
            }
        }
        sides.push(crops.iter().map(by_source).collect());
    }
    for (group, name) in drawn.iter_mut().zip(groups.names()) {
        group.draw = draw(name, config);
    }
    hold_out_groups(&mut drawn);
    for ((crops, groups), sides) in folders.iter().zip(groups.of_crops()).zip(&mut sides) {
        hold_out_blocks(crops, groups, sides, config);
        for (side, group) in sides.iter_mut().zip(groups) {
            *side |= group.is_some_and(|group| drawn[group].is_held_out);
        }
    }
    let is_blind = !sides.iter().flatten().any(|side| *side);
    let mut eligible: Vec<usize> = (0..drawn.len()).collect();
    eligible.retain(|&group| drawn[group].share > 0.0);
    if let Some(&least) = eligible.iter().min_by_key(|&&group| drawn[group].rank())
        && is_blind
        && eligible.len() > 1
    {
        for (groups, sides) in groups.of_crops().iter().zip(&mut sides) {
            for (side, group) in sides.iter_mut().zip(groups) {
                *side |= *group == Some(least);
            }
        }
    }
    sides
}

/// Crops that share a puzzle or a photo, directly or through others.
#[derive(Clone, Debug, Default)]
struct Group {
    /// Share of the crops to hold out where this group comes from.
    share: f32,
    crops: usize,
    /// A uniform random number: groups are drawn in its order.
    draw: u32,
    is_held_out: bool,
}

impl Group {
    /// Returns the order in which groups are held out where even one group is too much.
    fn rank(&self) -> (usize, u32) {
        (self.crops, self.draw)
    }
}

/// Holds out groups until the share of their crops is reached, separately for each share. A group
/// that would lead farther from the share is skipped. So the share is missed by at most half of the
/// largest group, except at the two ends: of several groups at least one is held out, and never
/// all.
///
/// Drawing each group independently would be simpler, but a tenth of ten photos would be two or
/// more of them in a quarter of cases.
fn hold_out_groups(groups: &mut [Group]) {
    let mut by_share: BTreeMap<u32, Vec<&mut Group>> = BTreeMap::new();
    for group in groups {
        if group.share > 0.0 && group.crops > 0 {
            let alike = by_share.entry(group.share.to_bits()).or_default();
            alike.push(group);
        }
    }
    for (share, mut groups) in by_share {
        groups.sort_by_key(|group| group.draw);
        let crops: usize = groups.iter().map(|group| group.crops).sum();
        let wanted = f64::from(f32::from_bits(share)) * crops as f64;
        let (mut reached, mut left) = (0, groups.len());
        for group in &mut groups {
            if left > 1 && reached as f64 + group.crops as f64 / 2.0 < wanted {
                group.is_held_out = true;
                reached += group.crops;
                left -= 1;
            }
        }
        let least = groups.iter_mut().min_by_key(|group| group.rank());
        if let Some(least) = least
            && reached == 0
            && left > 1
        {
            least.is_held_out = true;
        }
    }
}

/// Holds out blocks of neighbors among the crops of a folder that belong to no group.
fn hold_out_blocks(
    crops: &[LabeledCrop],
    groups: &[Option<usize>],
    sides: &mut [bool],
    config: &TrainingConfig,
) {
    let mut alike: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
    for (index, crop) in crops.iter().enumerate() {
        if groups[index].is_none() && !sides[index] {
            let share = config.validation_share(&crop.source);
            let key = (crop.class(), share.to_bits());
            alike.entry(key).or_default().push(index);
        }
    }
    for ((class, share), indices) in alike {
        let size = (indices.len() / LEAST_BLOCKS).clamp(1, LARGEST_BLOCK);
        let mut blocks: Vec<(usize, &[usize])> = indices.chunks(size).enumerate().collect();
        blocks.sort_by_key(|(number, _)| draw(&format!("{class}#{number}"), config));
        for (_, block) in &blocks[..held_out_blocks(blocks.len(), f32::from_bits(share))] {
            block.iter().for_each(|&index| sides[index] = true);
        }
    }
}

/// Returns the number of blocks of a label that are held out: the share of them, at least one and
/// never all.
fn held_out_blocks(blocks: usize, share: f32) -> usize {
    if share <= 0.0 || blocks < 2 {
        return 0;
    }
    ((blocks as f32 * share).round() as usize).clamp(1, blocks - 1)
}

/// Returns whether the group of this name is among those drawn for a share.
pub(super) fn is_drawn(name: &str, share: f32, config: &TrainingConfig) -> bool {
    is_below(draw(name, config), share)
}

fn is_below(draw: u32, share: f32) -> bool {
    f64::from(draw) < f64::from(share) * 2f64.powi(32)
}

/// Returns a uniform random number by the seed and this name.
fn draw(name: &str, config: &TrainingConfig) -> u32 {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&config.seed.to_le_bytes())
        .update(name.as_bytes());
    let mut number = [0; 4];
    hasher.finalize_xof().fill(&mut number);
    u32::from_le_bytes(number)
}

pub(super) fn starts_with_any(source: &str, starts: &[String]) -> bool {
    starts.iter().any(|start| source.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::CLASSES;
    use crate::grid::Digit;
    use crate::vision::{CROP_SIDE, CellCrop};
    use proptest::prelude::*;

    fn crop(class: u8, source: u8) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; CROP_SIDE * CROP_SIDE]),
                board_contrast: 0.0,
            },
            label: Digit::new(class),
            kind: None,
            marks: None,
            photo: String::new(),
            puzzle: String::new(),
            source: format!("source-{source}"),
        }
    }

    fn sides_of(crops: &[LabeledCrop], config: &TrainingConfig) -> Vec<bool> {
        held_out(&[crops], config).remove(0)
    }

    /// A blank of this photo and puzzle, by number; 0 is none.
    fn of(photo: usize, puzzle: usize, source: u8) -> LabeledCrop {
        let name = |kind: &str, number: usize| match number {
            0 => String::new(),
            number => format!("/photos/{kind}{number}"),
        };
        LabeledCrop {
            photo: name("photo", photo),
            puzzle: name("puzzle", puzzle),
            ..crop(0, source)
        }
    }

    proptest! {
        #[test]
        fn no_puzzle_and_no_photo_is_divided(
            crops in prop::collection::vec(
                prop::collection::vec((0usize..30, 0usize..30, 0u8..3), 1..60), 1..4),
            shares in prop::array::uniform2(0.0f32..0.9),
            seed: u64,
        ) {
            let config = TrainingConfig {
                seed,
                validation: shares[0],
                validation_shares: [("source-1".to_owned(), shares[1])].into(),
                ..TrainingConfig::default()
            };
            let crops: Vec<Vec<LabeledCrop>> = crops
                .iter()
                .map(|crops| crops.iter().map(|&(photo, puzzle, source)| of(photo, puzzle, source)).collect())
                .collect();
            let slices: Vec<&[LabeledCrop]> = crops.iter().map(|crops| &**crops).collect();
            let sides = held_out(&slices, &config);
            let (mut puzzles, mut photos) = (BTreeMap::new(), BTreeMap::new());
            for (number, (crops, sides)) in crops.iter().zip(&sides).enumerate() {
                for (crop, &side) in crops.iter().zip(sides) {
                    if !crop.puzzle.is_empty() {
                        prop_assert_eq!(*puzzles.entry(&crop.puzzle).or_insert(side), side);
                    }
                    if !crop.photo.is_empty() {
                        prop_assert_eq!(*photos.entry((number, &crop.photo)).or_insert(side), side);
                    }
                }
            }
        }

        /// A folder named by label is sorted by label; in a sheet labels and sources alternate.
        #[test]
        fn every_label_without_photos_is_on_both_sides_in_its_share(
            counts in prop::collection::vec(10usize..400, CLASSES),
            is_sorted: bool,
            sources in 1u8..4,
            seed: u64,
        ) {
            let crops = |class: usize| (0..counts[class]).map(move |i| (i, class as u8));
            let mut places: Vec<(usize, u8)> = (0..CLASSES).flat_map(crops).collect();
            if !is_sorted {
                places.sort();
            }
            let of = |&(i, class): &(usize, u8)| crop(class, i as u8 % sources);
            let crops: Vec<LabeledCrop> = places.iter().map(of).collect();
            let config = TrainingConfig { seed, ..TrainingConfig::default() };
            let sides = sides_of(&crops, &config);
            prop_assert_eq!(&sides, &sides_of(&crops, &config));
            for (class, &count) in counts.iter().enumerate() {
                let sides = crops.iter().zip(&sides).filter(|(crop, _)| crop.class() == class);
                let held_out = sides.filter(|(_, held_out)| **held_out).count();
                prop_assert!(0 < held_out && held_out < count);
                let block = (count / LEAST_BLOCKS).max(1);
                prop_assert!(held_out.abs_diff(count / 10) <= block, "{held_out} of {count}");
            }
        }
    }

    proptest! {
        /// Groups of any size, also one that outweighs all others.
        #[test]
        fn the_held_out_share_is_as_close_as_groups_allow(
            sizes in prop::collection::vec(prop_oneof![1usize..20, Just(300)], 1..60),
            share in 0.01f32..0.99,
            seed: u64,
        ) {
            let config = TrainingConfig { seed, validation: share, ..TrainingConfig::default() };
            let photos = sizes.iter().enumerate();
            let crops: Vec<LabeledCrop> = photos
                .flat_map(|(photo, &size)| (0..size).map(move |_| of(photo + 1, 0, 0)))
                .collect();
            let sides = sides_of(&crops, &config);
            let held_out = sides.iter().filter(|side| **side).count();
            if sizes.len() == 1 {
                prop_assert_eq!(held_out, 0);
            } else {
                prop_assert!(0 < held_out && held_out < crops.len());
                let wanted = f64::from(share) * crops.len() as f64;
                let largest = *sizes.iter().max().unwrap() as f64;
                prop_assert!((held_out as f64 - wanted).abs() <= largest, "{held_out}, not {wanted}");
                // Boards of equal size, as usual: half a board, except at the ends.
                let is_amid = largest <= wanted && wanted <= crops.len() as f64 - largest;
                if is_amid && sizes.iter().all(|size| size == &sizes[0]) {
                    prop_assert!((held_out as f64 - wanted).abs() <= largest / 2.0 + 1e-3);
                }
            }
        }

        #[test]
        fn each_source_has_its_own_held_out_share(
            photos in prop::array::uniform2(20usize..80),
            shares in prop::array::uniform2(0.1f32..0.9),
            seed: u64,
        ) {
            let config = TrainingConfig {
                seed,
                validation: shares[0],
                validation_shares: [("source-1".to_owned(), shares[1])].into(),
                ..TrainingConfig::default()
            };
            let boards = |source: usize| (0..photos[source]).map(move |photo| (photo, source));
            let crops: Vec<LabeledCrop> = (0..2)
                .flat_map(boards)
                .flat_map(|(photo, source)| (0..81).map(move |_| of(1 + photo + 100 * source, 0, source as u8)))
                .collect();
            let sides = sides_of(&crops, &config);
            for (source, share) in shares.iter().enumerate() {
                let name = format!("source-{source}");
                let own = crops.iter().zip(&sides).filter(|(crop, _)| crop.source == name);
                let held_out = own.filter(|(_, side)| **side).count();
                let wanted = f64::from(*share) * (81 * photos[source]) as f64;
                prop_assert!((held_out as f64 - wanted).abs() <= 41.0, "{held_out}, not {wanted}");
            }
        }
    }

    #[test]
    fn neighbors_are_held_out_together() {
        let crops: Vec<LabeledCrop> = (0..20_000).map(|_| crop(3, 0)).collect();
        let sides = sides_of(&crops, &TrainingConfig::default());
        let blocks = sides.chunks(LARGEST_BLOCK);
        assert!(
            blocks
                .clone()
                .all(|block| block.iter().all(|side| *side == block[0]))
        );
        assert_eq!(blocks.filter(|block| block[0]).count(), 31);
    }

    #[test]
    fn a_share_of_zero_and_a_single_crop_hold_out_nothing() {
        let none = TrainingConfig {
            validation: 0.0,
            ..TrainingConfig::default()
        };
        assert_eq!(sides_of(&[crop(1, 0), crop(1, 0)], &none), [false; 2]);
        assert_eq!(sides_of(&[crop(1, 0)], &TrainingConfig::default()), [false]);
    }
}
