//! How many cells, digits or lines a pattern takes.

/// The size of a subset or a fish. Larger ones are never needed: the cells, digits or lines that
/// are left over make a pattern of four or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// A pair, or an X-wing.
    Two,
    /// A triple, or a swordfish.
    Three,
    /// A quad, or a jellyfish.
    Four,
}

impl Size {
    /// All sizes, ascending.
    pub const ALL: [Size; 3] = [Size::Two, Size::Three, Size::Four];

    /// 2, 3 or 4.
    pub const fn get(self) -> usize {
        match self {
            Size::Two => 2,
            Size::Three => 3,
            Size::Four => 4,
        }
    }
}
