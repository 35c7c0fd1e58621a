//! Tables of orders: of nine lines that keep their thirds together, and of digits.

/// Orders of three things.
pub(super) const OF_THREE: [[u8; 3]; 6] = orders(3);
/// Orders of three things in which only neighbours that are tied change places; first the one that changes nothing.
#[inline]
pub(super) fn of_tied(first_two: bool, last_two: bool) -> &'static [[u8; 3]] {
    const SWAP_FIRST: [[u8; 3]; 2] = [OF_THREE[0], OF_THREE[2]];
    const SWAP_LAST: [[u8; 3]; 2] = [OF_THREE[0], OF_THREE[1]];
    match (first_two, last_two) {
        (false, false) => &[[0, 1, 2]],
        (true, false) => &SWAP_FIRST,
        (false, true) => &SWAP_LAST,
        (true, true) => &OF_THREE,
    }
}

/// Orders of six things.
pub(super) static OF_SIX: [[u8; 6]; 720] = orders(6);
/// Three of nine things in order, and the other six behind them, ascending.
pub(super) static THREE_OF_NINE: [[u8; 9]; 504] = orders(3);

/// Orders of lines without their thirds: 6³.
pub(super) const WITHIN: usize = 216;

/// Orders of nine lines that keep thirds together: at `216 · t + l`, the thirds in order `t`, and in each third the
/// lines in one of 216 ways.
pub(super) static OF_LINES: [[u8; 9]; 6 * WITHIN] = {
    let mut all = [[0; 9]; 6 * WITHIN];
    let mut index = 0;
    while index < 6 * WITHIN {
        let within = index % WITHIN;
        let lines = [within / 36, within / 6 % 6, within % 6];
        let mut place = 0;
        while place < 9 {
            let third = OF_THREE[index / WITHIN][place / 3];
            all[index][place] = 3 * third + OF_THREE[lines[place / 3]][place % 3];
            place += 1;
        }
        index += 1;
    }
    all
};

/// The orders of `N` things whose first `chosen` differ, lexicographically; the others ascend. There are `COUNT`.
const fn orders<const N: usize, const COUNT: usize>(chosen: usize) -> [[u8; N]; COUNT] {
    let mut all = [[0; N]; COUNT];
    let mut index = 0;
    while index < COUNT {
        // The things left, ascending, of which the digits of the index in falling radices pick one by one.
        let mut left = [0u8; N];
        let mut i = 0;
        while i < N {
            left[i] = i as u8;
            i += 1;
        }
        let mut block = COUNT;
        let mut rest = index;
        let mut place = 0;
        while place < N {
            let mut pick = 0;
            if place < chosen {
                block /= N - place;
                pick = rest / block;
                rest %= block;
            }
            all[index][place] = left[pick];
            while pick + 1 < N {
                left[pick] = left[pick + 1];
                pick += 1;
            }
            place += 1;
        }
        index += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::Hash;

    use super::*;

    fn assert_different<T: Eq + Hash + Ord>(all: &[T]) {
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    #[test]
    fn orders_are_distinct_permutations() {
        assert_different(&OF_SIX);
        assert_different(&THREE_OF_NINE);
        assert_different(&OF_LINES);
        assert!(OF_SIX.is_sorted());
        assert!(THREE_OF_NINE.is_sorted());
        for order in OF_LINES.iter().chain(&THREE_OF_NINE) {
            let named: HashSet<u8> = order.iter().copied().collect();
            assert_eq!(named, (0..9).collect());
        }
        for order in &OF_LINES {
            assert!(
                order
                    .chunks(3)
                    .all(|third| third.iter().all(|line| line / 3 == third[0] / 3))
            );
        }
        assert!(THREE_OF_NINE.iter().all(|order| order[3..].is_sorted()));
    }
}
