//! Boards of other sizes and shapes: 4 x 4 to 36 x 36, rectangular boxes, diagonals, windows, jigsaw regions
//! and cages with sums. The classic board has modules of its own, which know nothing of these.

mod alphabet;
mod arrange;
mod cages;
mod canon;
mod combinations;
mod corpora;
mod corpus;
mod describe;
mod dlx;
mod error;
mod fields;
mod form;
mod format;
mod generate;
mod layout;
mod line;
mod links;
mod mask;
mod mrv;
mod mrv_sat;
mod parts;
mod perfect;
mod pretty;
mod puzzle;
mod quality;
mod reading;
mod roster;
mod rows;
mod rules;
mod sat;
mod sniff;
mod solver;
mod steps;
mod sumocue;
mod svg;
mod symmetry;
mod tatham;
mod value;
mod written;

pub use alphabet::{Alphabet, UnknownAlphabet};
pub use corpora::{OpenCorpora, VariantCorpora, VariantFile, VariantLines, is_variant_file};
pub use corpus::{SymbolsSeen, VariantCorpus, VariantCorpusError, VariantLine};
pub use dlx::VariantDancingLinks;
pub use error::{CannotHold, FormatError};
pub use form::CanonicalPuzzle;
pub use format::{Format, UnknownFormat, write_cells};
pub use generate::{
    GenerateError, LayoutKind, LayoutNameError, Regions, VariantGenerator, VariantKind,
};
pub use layout::{Boxes, Cage, House, HouseKind, LEAST_SIDE, Layout, LayoutError};
pub use line::parse_line;
pub use mrv::{Lines, SumOrigin, VariantMrv, is_quick};
pub use mrv_sat::VariantMrvSat;
pub use pretty::pretty;
pub use puzzle::{Clash, PuzzleError, VariantPuzzle, VariantSolution};
pub use quality::VariantQuality;
pub use reading::{Reading, VariantEntry};
pub use roster::{VARIANT_SOLVERS, VariantSolverSpec, fastest, find_variant};
pub use rules::{UnknownBoxes, parse_regions};
pub use sat::VariantSat;
pub use sniff::{is_variant, sniff};
pub use solver::{VariantOutcome, VariantSolver, VariantVerdict};
pub use steps::{Area, StepKind, StepSum, VariantExplanation, VariantStep};
pub use svg::svg;
pub use value::{MOST_SIDE, Value};
