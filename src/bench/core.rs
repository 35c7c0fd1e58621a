//! Choice of the processor core for measurements.

use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::thread;

use core_affinity::CoreId;
use thiserror::Error;

/// Where Linux describes its processors.
const SYSFS: &str = "/sys/devices/system/cpu";

/// The core is not available to this process.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "this process cannot run on core {core}; it may run on {}",
    list(allowed)
)]
pub struct CoreError {
    /// The core that was asked for.
    pub core: usize,
    /// The cores that this process may run on.
    pub allowed: Vec<usize>,
}

fn list(cores: &[usize]) -> String {
    let cores: Vec<String> = cores.iter().map(usize::to_string).collect();
    if cores.is_empty() {
        "no core by number on this system".to_owned()
    } else {
        cores.join(", ")
    }
}

/// Returns the core that was asked for, or the fastest one; `None` where threads cannot be pinned.
///
/// # Errors
///
/// [`CoreError`], if the core that was asked for is not available.
pub(super) fn choose(wanted: Option<usize>) -> Result<Option<CoreId>, CoreError> {
    let allowed = core_affinity::get_core_ids().unwrap_or_default();
    let allowed: Vec<usize> = allowed.into_iter().map(|core| core.id).collect();
    let core = wanted.or_else(|| fastest(Path::new(SYSFS), &allowed));
    let core = core.map(|id| CoreId { id });
    let is_possible = core.is_some_and(|core| {
        allowed.contains(&core.id) && on_core(Some(core), |is_pinned| is_pinned)
    });
    match wanted {
        Some(core) if !is_possible => Err(CoreError { core, allowed }),
        _ => Ok(core.filter(|_| is_possible)),
    }
}

/// Returns the fastest of these cores that is online: by its highest frequency, then by its
/// capacity, which distinguishes big cores from little ones. Among equals the last, since the first
/// serves most interrupts.
fn fastest(sysfs: &Path, allowed: &[usize]) -> Option<usize> {
    let speed = |core: usize| {
        let folder = sysfs.join(format!("cpu{core}"));
        let frequency = number(&folder.join("cpufreq/cpuinfo_max_freq"));
        (frequency, number(&folder.join("cpu_capacity")), core)
    };
    // The first core often has no such file, and is online.
    let is_online = |core: &usize| {
        let path = sysfs.join(format!("cpu{core}/online"));
        read::<u64>(&path) != Some(0)
    };
    let online = allowed.iter().copied().filter(is_online);
    online.map(speed).max().map(|(.., core)| core)
}

fn number(path: &Path) -> u64 {
    read(path).unwrap_or(0)
}

fn read<T: FromStr>(path: &Path) -> Option<T> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// Runs `work` on a thread pinned to this core; returns whether pinning succeeded. Programs that
/// the work starts inherit the core.
pub(super) fn on_core<T: Send>(core: Option<CoreId>, work: impl FnOnce(bool) -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(core.is_some_and(core_affinity::set_for_current)));
        worker
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_online_and_allowed_core_is_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let write = |core: usize, file: &str, text: &str| {
            let path = folder.path().join(format!("cpu{core}/{file}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let fastest = |allowed: &[usize]| fastest(folder.path(), allowed);
        assert_eq!((fastest(&[]), fastest(&[0, 1, 2])), (None, Some(2)));
        // Two fast cores, two slow ones, as on a hybrid machine.
        for (core, frequency) in [
            (0, 5_000_000),
            (1, 5_000_000),
            (2, 3_900_000),
            (3, 3_900_000),
        ] {
            write(core, "cpufreq/cpuinfo_max_freq", &format!("{frequency}\n"));
        }
        assert_eq!(fastest(&[0, 1, 2, 3]), Some(1));
        assert_eq!(fastest(&[2, 3]), Some(3));
        write(1, "online", "0\n");
        assert_eq!(fastest(&[0, 1, 2, 3]), Some(0));
        // Big and little cores of equal frequency.
        write(2, "cpu_capacity", "1024\n");
        write(3, "cpu_capacity", "400\n");
        assert_eq!(fastest(&[2, 3]), Some(2));
    }

    #[test]
    fn a_missing_core_is_refused() {
        let error = choose(Some(1_000_000)).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("this process cannot run on core 1000000;")
        );
        if let Some(core) = choose(None).unwrap() {
            assert_eq!(choose(Some(core.id)), Ok(Some(core)));
        }
    }
}
