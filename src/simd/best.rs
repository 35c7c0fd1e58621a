//! Code without vectors of its own, compiled for the instructions of this CPU.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::isa::Kernel;
use super::portable::Portable;

/// Runs a kernel that leaves it to the compiler how to use the instructions: with AVX2 where there
/// is.
#[cfg(target_arch = "x86_64")]
pub fn run_with_best<K, O>(kernel: K) -> O
where
    K: Kernel<Avx2, Output = O> + Kernel<Portable, Output = O>,
{
    use super::isa::Isa;

    match Avx2::detect() {
        Some(isa) => isa.run(kernel),
        None => Portable.run(kernel),
    }
}

/// Runs a kernel that leaves it to the compiler how to use the instructions.
#[cfg(not(target_arch = "x86_64"))]
pub fn run_with_best<K: Kernel<Portable>>(kernel: K) -> K::Output {
    kernel.run(Portable)
}
