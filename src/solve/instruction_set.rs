//! Which vector instructions a solver runs on.

use std::fmt;

/// Vector instructions that [`Bands`](super::Bands) and [`Lockstep`](super::Lockstep) can be built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// AVX-512 F, BW, VL, VBMI and BITALG (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
    /// AVX2.
    Avx2,
    /// NEON: every 64-bit ARM.
    Neon,
    /// 128-bit vectors of WebAssembly.
    Simd128,
    /// Plain Rust.
    Portable,
}

impl InstructionSet {
    /// All instruction sets, fastest first; a CPU need not have them.
    pub const ALL: [InstructionSet; 5] = [
        InstructionSet::Avx512,
        InstructionSet::Avx2,
        InstructionSet::Neon,
        InstructionSet::Simd128,
        InstructionSet::Portable,
    ];
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstructionSet::Avx512 => "AVX-512",
            InstructionSet::Avx2 => "AVX2",
            InstructionSet::Neon => "NEON",
            InstructionSet::Simd128 => "WebAssembly",
            InstructionSet::Portable => "portable",
        })
    }
}
