//! The book and the README: every command in them runs and prints what they show, every link works,
//! and the command reference matches `--help`.
//!
//! `SUDOKU_BATCH_DOCS=write cargo test --release --test docs` writes the current output of commands, and the
//! reference, into the pages; review the diff before you commit it.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub
)]

mod console;
mod links;
mod markdown;
mod output;
mod program;
mod reference;

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use console::{Counts, run_page};
use markdown::{Kind, Page};

/// Commands in the book that a test cannot run: `console,ignore`.
const MOST_IGNORED: usize = 16;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Whether to write the pages instead of comparing them.
fn is_writing() -> bool {
    std::env::var_os("SUDOKU_BATCH_DOCS").is_some_and(|value| value == "write")
}

/// All Markdown files below a folder.
fn pages_below(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages_below(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

/// The pages of the book and the README, relative to the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    pages_below(&root().join("docs"), &mut pages);
    pages.sort();
    assert!(pages.len() > 30, "{pages:?}");
    pages
}

#[cfg(unix)]
#[test]
fn commands_print_what_the_pages_show() {
    let pages = pages();
    let next = Mutex::new(pages.iter());
    let results = Mutex::new((Counts::default(), Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(path) = next.lock().unwrap().next() else {
                        return;
                    };
                    let (counts, complaints) = run_page(path, &root(), is_writing());
                    let mut results = results.lock().unwrap();
                    results.0.add(&counts);
                    results.1.extend(complaints);
                }
            });
        }
    });
    let (counts, complaints) = results.into_inner().unwrap();
    println!(
        "{} commands run, {} not run, {} skipped for want of ffmpeg",
        counts.run, counts.ignored, counts.skipped
    );
    assert!(
        complaints.is_empty(),
        "{}\n\nSUDOKU_BATCH_DOCS=write puts what is printed now into the pages",
        complaints.join("\n\n")
    );
    assert!(counts.run + counts.skipped >= 120, "{counts:?}");
    assert!(counts.ignored <= MOST_IGNORED, "{counts:?}");
}

/// A command that is not run must at least exist: its name and all of its flags are in `--help`.
#[test]
fn commands_that_are_not_run_have_flags_that_exist() {
    let mut files = pages();
    let others = [
        "training/README.md",
        "datasets/README.md",
        "python/README.md",
    ];
    files.extend(others.map(|name| root().join(name)));
    pages_below(&root().join("reports"), &mut files);
    let helps = program::Helps::default();
    let mut complaints = Vec::new();
    let mut commands = 0;
    for path in files {
        let page = Page::read(&path);
        for (line, command) in console::commands_not_run(&page) {
            commands += 1;
            for complaint in helps.unknown_in(&command) {
                complaints.push(format!("{}:{line}: {complaint}", path.display()));
            }
        }
    }
    assert!(commands > 20, "{commands}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_command_reference_is_generated_from_help() {
    let path = root().join("docs/src/reference/commands.md");
    let page = reference::page(&program::Helps::default());
    if is_writing() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = written
        .lines()
        .zip(page.lines())
        .position(|(old, new)| old != new);
    assert!(
        written == page,
        "{}:{}: SUDOKU_BATCH_DOCS=write cargo test --release --test docs makes it again",
        path.display(),
        differs.map_or(0, |line| line + 1)
    );
}

#[test]
fn every_link_and_anchor_exists() {
    let mut files = pages();
    pages_below(&root().join("reports"), &mut files);
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        files.push(root().join(name));
    }
    for name in [
        "training/README.md",
        "datasets/README.md",
        "python/README.md",
    ] {
        files.push(root().join(name));
    }
    let book = root().join("docs/src");
    let mut complaints = Vec::new();
    let mut count = 0;
    for path in files {
        let page = Page::read(&path);
        let within = path.starts_with(&book).then_some(book.as_path());
        count += links::check(&path, &page, within, &mut complaints);
    }
    assert!(count > 100, "{count}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Table headers in the reference are printed by the program; all of their columns must be explained.
#[test]
fn every_column_of_the_tables_is_explained() {
    let page = Page::read(&root().join("docs/src/reference/files.md"));
    let text: Vec<&str> = page.text().map(|(_, line)| line).collect();
    let explained = |column: &str| {
        text.iter()
            .any(|line| line.contains(&format!("`{column}`")))
    };
    let is_header = |line: &&String| !line.starts_with('$') && line.matches(',').count() >= 5;
    let fenced = page.parts.iter().filter(|part| part.kind != Kind::Text);
    let headers = fenced
        .flat_map(|part| page.lines_of(part))
        .filter(is_header);
    let columns: Vec<&str> = headers.flat_map(|header| header.split(',')).collect();
    assert!(columns.len() > 80, "{columns:?}");
    for column in columns {
        assert!(explained(column), "{column}");
    }
}

/// The README is for readers with little time, and large pictures do not belong in the repository.
#[test]
fn the_readme_is_short_and_the_pictures_are_small() {
    let readme = Page::read(&root().join("README.md"));
    assert!(readme.lines.len() <= 200, "{}", readme.lines.len());
    let pictures = std::fs::read_dir(root().join("docs/src/images")).unwrap();
    let sizes = pictures.map(|entry| entry.unwrap().metadata().unwrap().len());
    let bytes: u64 = sizes.sum();
    assert!((1..1_000_000).contains(&bytes), "{bytes}");
}

/// mdBook omits pages that are not in its table of contents.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let book = root().join("docs/src");
    let contents = Page::read(&book.join("SUMMARY.md"));
    let named: Vec<PathBuf> = links::targets(&contents)
        .into_iter()
        .map(|(_, target)| book.join(target))
        .collect();
    let mut pages = Vec::new();
    pages_below(&book, &mut pages);
    for page in pages.iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let count = named.iter().filter(|named| *named == page).count();
        assert_eq!(count, 1, "{}", page.display());
    }
}
