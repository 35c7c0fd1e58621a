//! What the program tells about its own build: compiler, commit and profile.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(&compiler, &["--version"]);
    tell(
        "RUSTC",
        &version.unwrap_or_else(|| "rustc of unknown version".to_owned()),
    );
    tell("PROFILE", &env::var("PROFILE").unwrap_or_default());
    tell("COMMIT", &commit().unwrap_or_else(|| "unknown".to_owned()));
    for path in ["build.rs", "src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=SUDOKU_BATCH_{name}={value}");
}

/// The commit that is checked out, marked where the sources differ from it.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| output("git", arguments);
    // A package unpacked inside of another project's repository is not of its commits.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let branch = git(&["symbolic-ref", "-q", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        let path = git(&["rev-parse", "--git-path", name])?;
        // A path that is not there would run this again at every build.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let changed = git(&[
        "status",
        "--porcelain",
        "-uno",
        "--",
        "src",
        "Cargo.toml",
        "Cargo.lock",
    ])?;
    let mark = if changed.is_empty() { "" } else { "-dirty" };
    Some(format!("{commit}{mark}"))
}

/// What a command prints, if it succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
