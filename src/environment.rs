//! The machine a measurement was made on: written beside every number that depends on it.

use serde::Serialize;

/// Processor, system and threads.
#[derive(Clone, Debug, Serialize)]
pub struct Environment {
    /// Name of the processor, as the system tells it.
    pub cpu: String,
    /// Processor architecture.
    pub arch: &'static str,
    /// Operating system.
    pub os: &'static str,
    /// Threads the machine runs at once.
    pub cores: usize,
    /// Worker threads of the run.
    pub threads: usize,
}

impl Environment {
    /// Asks this machine; `threads` is the number of worker threads of the run.
    pub fn of_this_machine(threads: usize) -> Environment {
        Environment {
            cpu: cpu_name().unwrap_or_else(|| "unknown".to_owned()),
            arch: std::env::consts::ARCH,
            os: std::env::consts::OS,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            threads,
        }
    }
}

fn cpu_name() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
