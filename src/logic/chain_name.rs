//! What players call a chain.

/// The name of a chain or a loop, by what it is made of and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainName {
    /// Candidates of one digit.
    XChain,
    /// Cells of two candidates.
    XyChain,
    /// A loop with one candidate where two links of a kind meet.
    DiscontinuousLoop,
    /// A loop whose links alternate all around.
    ContinuousLoop,
    /// An alternating inference chain: all candidates.
    Aic,
    /// The same with groups or almost locked sets.
    GroupedDiscontinuousLoop,
    /// The same with groups or almost locked sets.
    GroupedContinuousLoop,
    /// The same with groups or almost locked sets.
    GroupedAic,
    /// Two almost locked sets.
    AlsXz,
    /// Three almost locked sets.
    AlsXyWing,
    /// Four almost locked sets or more.
    AlsChain,
}

impl ChainName {
    /// As players write it.
    pub const fn name(self) -> &'static str {
        match self {
            ChainName::XChain => "X-chain",
            ChainName::XyChain => "XY-chain",
            ChainName::DiscontinuousLoop => "discontinuous nice loop",
            ChainName::ContinuousLoop => "continuous nice loop",
            ChainName::Aic => "AIC",
            ChainName::GroupedDiscontinuousLoop => "grouped discontinuous nice loop",
            ChainName::GroupedContinuousLoop => "grouped continuous nice loop",
            ChainName::GroupedAic => "grouped AIC",
            ChainName::AlsXz => "ALS-XZ",
            ChainName::AlsXyWing => "ALS-XY-wing",
            ChainName::AlsChain => "ALS chain",
        }
    }
}
