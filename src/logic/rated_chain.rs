//! Chains as Sudoku Explainer (Nicolas Juillerat) names and rates them.

/// A chain and how it is rated: the longer, the higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatedChain {
    /// What it is called.
    pub name: RatedName,
    /// The rating in tenths.
    pub tenths: u16,
}

/// What chains are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RatedName {
    /// A cycle of one digit over four cells.
    GeneralizedXWing,
    /// A cycle of one digit.
    XCycle,
    /// A cycle with strong links within cells only.
    YCycle,
    /// A cycle of both.
    Cycle,
    /// A digit in a cell comes to its contrary over two strong links.
    TurbotFish,
    /// The same over more links.
    ForcingXChain,
    /// Over links of one digit and within cells.
    ForcingChain,
    /// A digit in a cell comes to a contradiction in places of the digit.
    Nishio,
    /// All candidates of a cell come to the same.
    Cell,
    /// All places of a digit in a house come to the same.
    Region,
    /// Where a claim may follow from several.
    Dynamic(DynamicName, u8),
}

/// What a dynamic chain shows, up to which level: from 1 on also by locked candidates, pairs and
/// X-wings, from 2 on by chains inside the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DynamicName {
    /// An assumption comes to a contradiction.
    Contradiction,
    /// A claim and its contrary come to the same.
    Double,
    /// All candidates of a cell.
    Cell,
    /// All places of a digit in a house.
    Region,
}

/// By what the chains show, then by level.
const DYNAMIC: [[&str; 6]; 4] = [
    [
        "Dynamic Contradiction Forcing Chains",
        "Dynamic Contradiction Forcing Chains (+)",
        "Dynamic Contradiction Forcing Chains (+ Forcing Chains)",
        "Dynamic Contradiction Forcing Chains (+ Multiple Forcing Chains)",
        "Dynamic Contradiction Forcing Chains (+ Dynamic Forcing Chains)",
        "Dynamic Contradiction Forcing Chains (+ Dynamic Forcing Chains (+ Forcing Chains))",
    ],
    [
        "Dynamic Double Forcing Chains",
        "Dynamic Double Forcing Chains (+)",
        "Dynamic Double Forcing Chains (+ Forcing Chains)",
        "Dynamic Double Forcing Chains (+ Multiple Forcing Chains)",
        "Dynamic Double Forcing Chains (+ Dynamic Forcing Chains)",
        "Dynamic Double Forcing Chains (+ Dynamic Forcing Chains (+ Forcing Chains))",
    ],
    [
        "Dynamic Cell Forcing Chains",
        "Dynamic Cell Forcing Chains (+)",
        "Dynamic Cell Forcing Chains (+ Forcing Chains)",
        "Dynamic Cell Forcing Chains (+ Multiple Forcing Chains)",
        "Dynamic Cell Forcing Chains (+ Dynamic Forcing Chains)",
        "Dynamic Cell Forcing Chains (+ Dynamic Forcing Chains (+ Forcing Chains))",
    ],
    [
        "Dynamic Region Forcing Chains",
        "Dynamic Region Forcing Chains (+)",
        "Dynamic Region Forcing Chains (+ Forcing Chains)",
        "Dynamic Region Forcing Chains (+ Multiple Forcing Chains)",
        "Dynamic Region Forcing Chains (+ Dynamic Forcing Chains)",
        "Dynamic Region Forcing Chains (+ Dynamic Forcing Chains (+ Forcing Chains))",
    ],
];

impl RatedName {
    /// The name as Sudoku Explainer spells it.
    pub const fn name(self) -> &'static str {
        match self {
            RatedName::GeneralizedXWing => "Generalized X-Wing",
            RatedName::XCycle => "Bidirectional X-Cycle",
            RatedName::YCycle => "Bidirectional Y-Cycle",
            RatedName::Cycle => "Bidirectional Cycle",
            RatedName::TurbotFish => "Turbot Fish",
            RatedName::ForcingXChain => "Forcing X-Chain",
            RatedName::ForcingChain => "Forcing Chain",
            RatedName::Nishio => "Nishio Forcing Chains",
            RatedName::Cell => "Cell Forcing Chains",
            RatedName::Region => "Region Forcing Chains",
            RatedName::Dynamic(name, level) => {
                let level = if level > 5 { 5 } else { level as usize };
                DYNAMIC[name as usize][level]
            }
        }
    }
}
