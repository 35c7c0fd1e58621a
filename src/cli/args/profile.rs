//! The solving profile.

use clap::Args;
use sudoku_batch::logic::{PROFILES, Profile};

#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    /// Techniques and their order: native, hodoku-2.2, se-1.2.1, or all
    #[arg(long, value_name = "NAME", default_value = "native", value_parser = profile)]
    pub(crate) profile: &'static Profile,
    /// Use techniques that assume a unique solution even if there are several solutions
    #[arg(long)]
    pub(crate) assume_unique: bool,
}

impl ProfileArgs {
    /// Returns whether anything but the default is asked for.
    pub(crate) fn is_given(&self) -> bool {
        self.assume_unique || self.profile.name != "native"
    }
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    let known = PROFILES.iter().find(|profile| profile.name == name);
    known.copied().ok_or_else(|| {
        let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
        format!("expected {}", names.join(", "))
    })
}
