//! Adapts targets to libFuzzer, which without a sanitizer limits neither memory nor time: its alarm waits in the
//! allocator forever.

/// Runs a target in libFuzzer, with the limits of all targets.
#[macro_export]
macro_rules! target {
    ($target:ident) => {
        #[global_allocator]
        static ALLOCATOR: cap::Cap<std::alloc::System> =
            cap::Cap::new(std::alloc::System, usize::MAX);

        static WATCH: std::sync::LazyLock<$crate::watch::Watch> = std::sync::LazyLock::new(|| {
            let allocated = || $crate::watch::Allocated {
                now: ALLOCATOR.allocated(),
                most: ALLOCATOR.max_allocated(),
            };
            $crate::targets::$target(b"");
            $crate::watch::Watch::start($crate::watch::Limits::USUAL, allocated, |_, why| {
                eprintln!("{why}");
                // libFuzzer keeps the input.
                std::process::abort();
            })
        });

        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| {
            WATCH.begin(data);
            let ended = $crate::panics::heard(|| $crate::targets::$target(data));
            if let Err(why) = ended.and(WATCH.end()) {
                panic!("{why}");
            }
        });

        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8],
                                              size: usize,
                                              max_size: usize,
                                              seed: u32| {
            $crate::mutation::mutated_in_place(data, size, max_size, seed)
                .unwrap_or_else(|| $crate::libfuzzer_sys::fuzzer_mutate(data, size, max_size))
        });
    };
}
