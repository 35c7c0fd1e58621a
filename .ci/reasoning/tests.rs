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
mod vectors {
    mod bands;
    mod lockstep;
}

#[cfg(feature = "all")]
#[path = "../../tests/reasoning"]
mod reasoning {
    mod augment;
    mod bench;
    mod canon;
    mod collection;
    mod corpus;
    mod deadline;
    mod generator;
    mod logic;
    mod solvers;
    mod variant;
    mod variant_corpus;
    mod variant_drawings;
    mod variant_formats;
    mod variant_steps;
}
