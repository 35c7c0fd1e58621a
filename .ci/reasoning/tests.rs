//! The tests of the modules that know neither pictures nor networks, in one program: one for each file takes two and a
//! half minutes longer on two cores.

#[cfg(feature = "all")]
#[path = "../../tests/augment.rs"]
mod augment;
#[path = "../../tests/bands.rs"]
mod bands;
#[cfg(feature = "all")]
#[path = "../../tests/bench.rs"]
mod bench;
#[cfg(feature = "all")]
#[path = "../../tests/canon.rs"]
mod canon;
#[cfg(feature = "all")]
#[path = "../../tests/collection.rs"]
mod collection;
#[cfg(feature = "all")]
#[path = "../../tests/corpus/main.rs"]
mod corpus;
#[cfg(feature = "all")]
#[path = "../../tests/deadline.rs"]
mod deadline;
#[cfg(feature = "all")]
#[path = "../../tests/generator/main.rs"]
mod generator;
#[path = "../../tests/lockstep.rs"]
mod lockstep;
#[cfg(feature = "all")]
#[path = "../../tests/logic.rs"]
mod logic;
#[cfg(feature = "all")]
#[path = "../../tests/solvers.rs"]
mod solvers;
#[cfg(feature = "all")]
#[path = "../../tests/variant/main.rs"]
mod variant;
#[cfg(feature = "all")]
#[path = "../../tests/variant_corpus.rs"]
mod variant_corpus;
#[cfg(feature = "all")]
#[path = "../../tests/variant_drawings.rs"]
mod variant_drawings;
#[cfg(feature = "all")]
#[path = "../../tests/variant_formats.rs"]
mod variant_formats;
#[cfg(feature = "all")]
#[path = "../../tests/variant_steps.rs"]
mod variant_steps;
