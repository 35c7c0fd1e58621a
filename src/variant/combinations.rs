//! Sets of different values with a given sum.

use super::mask::Mask;

/// All sets of so many values, numbered from 0 below `side`, that add up to `total`; `None` if there are
/// more than `limit`.
pub(super) fn combinations(
    side: usize,
    count: usize,
    total: i32,
    limit: usize,
) -> Option<Vec<Mask>> {
    let mut found = Vec::new();
    extend(side as i32, count as i32, total, 0, limit, &mut found).then_some(found)
}

/// Adds the sets with `count` more values below `below`; false once there are too many.
fn extend(
    below: i32,
    count: i32,
    total: i32,
    chosen: Mask,
    limit: usize,
    found: &mut Vec<Mask>,
) -> bool {
    if count == 0 {
        if total == 0 {
            found.push(chosen);
        }
        return found.len() <= limit;
    }
    let least = |count: i32| count * (count - 1) / 2;
    let most = |below: i32| count * below - count * (count + 1) / 2;
    if count > below || total < least(count) || total > most(below) {
        return true;
    }
    // The largest value first.
    (count - 1..below).all(|value| {
        extend(
            value,
            count - 1,
            total - value,
            chosen | 1 << value,
            limit,
            found,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask::bits;
    use super::*;

    #[test]
    fn every_set_is_found_once() {
        for side in 4..=9 {
            for set in 1..1_u64 << side {
                let (count, total) = (set.count_ones() as usize, bits(set).sum::<usize>() as i32);
                let found = combinations(side, count, total, 100);
                let same = found.iter().flatten().filter(|other| **other == set);
                assert_eq!(same.count(), 1);
            }
            let all = (0..=side).flat_map(|count| {
                (0..40).flat_map(move |total| combinations(side, count, total, 100))
            });
            assert_eq!(all.flatten().count(), 1 << side);
        }
        assert_eq!(combinations(9, 3, 12, 6), None);
        assert_eq!(combinations(9, 2, -1, 6), Some(Vec::new()));
    }
}
