//! The modules of the crate that know neither pictures nor networks, as a crate of their own for checks.
#![allow(missing_docs, dead_code)]

#[path = "../../src/bench/mod.rs"]
pub mod bench;
#[path = "../../src/canon/mod.rs"]
pub mod canon;
#[path = "../../src/collection/mod.rs"]
pub mod collection;
#[path = "../../src/corpus/mod.rs"]
pub mod corpus;
#[path = "../../src/environment.rs"]
pub mod environment;
#[path = "../../src/files.rs"]
pub mod files;
#[path = "../../src/grid/mod.rs"]
pub mod grid;
#[path = "../../src/logic/mod.rs"]
pub mod logic;
#[path = "../../src/opening.rs"]
pub mod opening;
#[path = "../../src/parallel.rs"]
pub mod parallel;
#[path = "../../src/roster.rs"]
pub mod roster;
#[path = "../../src/settings.rs"]
pub mod settings;
#[path = "../../src/simd/mod.rs"]
pub mod simd;
#[path = "../../src/solve/mod.rs"]
pub mod solve;
#[path = "../../src/statistics.rs"]
pub mod statistics;
#[path = "../../src/stream/mod.rs"]
pub mod stream;
#[path = "../../src/variant/mod.rs"]
pub mod variant;
