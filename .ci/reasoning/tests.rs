//! The tests of the modules that know neither pictures nor networks. `tests/reasoning/` has them for the whole crate,
//! and some more, which take too long with debug assertions.

#[path = "../../tests/common"]
mod common {
    pub mod data;
    #[cfg(feature = "all")]
    pub mod orders;
    pub mod puzzles;
    #[cfg(feature = "all")]
    pub mod techniques;
    #[cfg(feature = "all")]
    pub mod variants;
}

#[path = "../../tests/reasoning"]
mod reasoning {
    #[cfg(feature = "all")]
    mod augment;
    mod bands;
    #[cfg(feature = "all")]
    mod bench;
    #[cfg(feature = "all")]
    mod canon;
    #[cfg(feature = "all")]
    mod collection;
    #[cfg(feature = "all")]
    mod corpus;
    #[cfg(feature = "all")]
    mod deadline;
    #[cfg(feature = "all")]
    mod generator;
    mod lockstep;
    #[cfg(feature = "all")]
    mod logic;
    #[cfg(feature = "all")]
    mod solvers;
    #[cfg(feature = "all")]
    mod variant;
    #[cfg(feature = "all")]
    mod variant_corpus;
    #[cfg(feature = "all")]
    mod variant_drawings;
    #[cfg(feature = "all")]
    mod variant_formats;
    #[cfg(feature = "all")]
    mod variant_steps;
}
