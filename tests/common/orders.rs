//! The orders of nine lines that keep bands, or stacks, together.
#![allow(dead_code, unreachable_pub)]

/// Returns all 6^4 = 1,296 orders.
pub fn orders() -> Vec<[usize; 9]> {
    let six = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut orders = Vec::new();
    for thirds in six {
        for lines in 0..216 {
            let lines = [six[lines % 6], six[lines / 6 % 6], six[lines / 36]];
            orders.push(std::array::from_fn(|i| {
                3 * thirds[i / 3] + lines[i / 3][i % 3]
            }));
        }
    }
    orders
}
