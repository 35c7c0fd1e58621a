//! Vectors of 16-bit lanes, vectors of 32-bit floats, and sampling and resizing of pictures.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod best;
mod f32x4;
mod floats;
mod isa;
#[cfg(target_arch = "x86_64")]
mod narrow;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "wasm32"
))]
mod operations;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sampling;
mod square;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "wasm32")]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod weighing;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use best::run_with_best;
pub use floats::{Floats, MAX_FLOATS};
pub use isa::{COLUMNS, Isa, Kernel, MAX_LANES, ROW};
#[cfg(target_arch = "x86_64")]
pub use narrow::NarrowAvx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Portable;
pub use square::Square;
#[cfg(target_arch = "wasm32")]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use weighing::RowWeights;
