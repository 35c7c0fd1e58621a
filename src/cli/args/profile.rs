//! The profile of a logical path.

use clap::Args;
use sudoku_batch::logic::{PROFILES, Profile};

#[derive(Debug, Args)]
pub(crate) struct ProfileArgs {
    /// Which techniques, in which order: native, hodoku-2.2, se-1.2.1, or all that there are
    #[arg(long, value_name = "NAME", default_value = "native", value_parser = profile)]
    pub(crate) profile: &'static Profile,
    /// Take steps that are right only for puzzles with one solution where there are many
    #[arg(long)]
    pub(crate) assume_unique: bool,
}

impl ProfileArgs {
    /// Whether anything but the usual path is asked for.
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
