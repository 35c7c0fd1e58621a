//! The vectors of the crate as a crate of their own.
#![allow(missing_docs, dead_code, unused_imports)]

#[path = "../../src/simd/mod.rs"]
pub mod simd;
