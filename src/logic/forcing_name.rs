//! What players call forcing chains and nets.

/// What forcing chains and nets are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForcingName {
    /// An assumption comes to a contradiction, each claim following from one.
    ChainContradiction,
    /// One of several assumptions is true, and all come to the same, each claim following from one.
    ChainVerity,
    /// An assumption comes to a contradiction, some claim following from several.
    NetContradiction,
    /// One of several assumptions is true, and all come to the same, some claim following from
    /// several.
    NetVerity,
}

impl ForcingName {
    pub(super) const fn name(self) -> &'static str {
        match self {
            ForcingName::ChainContradiction => "forcing chain contradiction",
            ForcingName::ChainVerity => "forcing chain verity",
            ForcingName::NetContradiction => "forcing net contradiction",
            ForcingName::NetVerity => "forcing net verity",
        }
    }
}
