//! Description of the machine and the build, saved with every measurement.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A text of this build, or of a file.
type Text = Cow<'static, str>;

/// Processor, system, threads and build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Name of the processor, as the system reports it.
    pub cpu: String,
    /// Processor architecture.
    pub arch: Text,
    /// Operating system.
    pub os: Text,
    /// Number of threads that the machine runs at once.
    pub cores: usize,
    /// Worker threads of the run.
    pub threads: usize,
    /// Vector instructions that the processor has.
    pub cpu_features: Vec<Text>,
    /// Vector instructions that the whole build may use without run-time detection.
    pub build_features: Vec<Text>,
    /// Compiler that built the program.
    pub rustc: Text,
    /// Version of the program.
    pub version: Text,
    /// Commit it was built from, `-dirty` where the sources differ from it; `unknown` outside git.
    pub commit: Text,
    /// How it was built: `release`, or `debug`.
    pub profile: Text,
}

impl Environment {
    /// Describes this machine; `threads` is the number of worker threads of the run.
    pub fn of_this_machine(threads: usize) -> Environment {
        Environment {
            cpu: cpu_name().unwrap_or_else(|| "unknown".to_owned()),
            arch: std::env::consts::ARCH.into(),
            os: std::env::consts::OS.into(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads,
            cpu_features: cpu_features(),
            build_features: build_features(),
            rustc: env!("SUDOKU_BATCH_RUSTC").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: env!("SUDOKU_BATCH_COMMIT").into(),
            profile: env!("SUDOKU_BATCH_PROFILE").into(),
        }
    }
}

/// Returns the number of threads that ran or waited to run, averaged over the last minute, where
/// the system reports it.
pub fn load_average() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Lists the features for which `$has!` is true.
macro_rules! features {
    ($has:ident, $($name:tt),+) => {
        [$(($name, $has!($name))),+]
            .into_iter()
            .filter_map(|(name, has): (&'static str, bool)| has.then_some(name.into()))
            .collect()
    };
}

/// Whether the compiler was allowed to use a feature.
macro_rules! built_with {
    ($name:tt) => {
        cfg!(target_feature = $name)
    };
}

#[cfg(target_arch = "x86_64")]
fn cpu_features() -> Vec<Text> {
    use std::is_x86_feature_detected as has;
    features!(
        has,
        "sse4.2",
        "popcnt",
        "bmi1",
        "bmi2",
        "avx",
        "avx2",
        "fma",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi"
    )
}

#[cfg(target_arch = "aarch64")]
fn cpu_features() -> Vec<Text> {
    use std::arch::is_aarch64_feature_detected as has;
    features!(has, "neon", "sve", "sve2")
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn cpu_features() -> Vec<Text> {
    Vec::new()
}

fn build_features() -> Vec<Text> {
    features!(
        built_with,
        "sse2",
        "sse4.2",
        "popcnt",
        "bmi1",
        "bmi2",
        "avx",
        "avx2",
        "fma",
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi",
        "neon",
        "sve",
        "sve2"
    )
}

fn cpu_name() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_supports_the_features_of_the_build() {
        let environment = Environment::of_this_machine(3);
        assert_eq!(environment.threads, 3);
        assert!(environment.rustc.starts_with("rustc "));
        assert!(!environment.commit.is_empty() && !environment.profile.is_empty());
        // Both lists name features that not every processor of the architecture has.
        let both = environment
            .build_features
            .iter()
            .filter(|name| **name != "sse2");
        for name in both {
            assert!(environment.cpu_features.contains(name), "{name}");
        }
    }
}
