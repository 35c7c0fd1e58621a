//! The way in which a board was found in a frame.

/// How a board was found in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// By a search.
    Found,
    /// By following it from the frame before.
    Followed,
    /// Not: it was in the frame before, and is not in this one.
    Lost,
}

impl Sight {
    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Sight::Found => "found",
            Sight::Followed => "followed",
            Sight::Lost => "lost",
        }
    }
}
