//! Layers of modules, which modules may use which crates, and the length of files, checked by parsing the sources.
//!
//! `ARCHITECTURE.md` documents them; this test enforces them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every module and its layer. A file may use its own module and modules of lower layers.
const LAYERS: [(&str, u8); 38] = [
    ("grid", 1),
    ("canon", 2),
    ("environment", 2),
    ("simd", 1),
    ("vision", 2),
    ("solve", 2),
    ("corpus", 2),
    ("files", 1),
    ("opening", 0),
    ("folder_lock", 2),
    ("pages", 2),
    ("frames", 3),
    ("settings", 2),
    ("statistics", 2),
    ("truth", 3),
    ("variant", 5),
    ("digits", 3),
    ("dynamics", 3),
    ("logic", 3),
    ("generate", 4),
    ("render", 3),
    ("training", 4),
    ("decode", 4),
    ("roster", 4),
    ("doctor", 4),
    ("parallel", 2),
    ("reader", 5),
    ("live", 6),
    ("bench", 6),
    ("recognize", 6),
    ("stream", 6),
    ("collection", 7),
    ("dataset", 7),
    ("shards", 7),
    ("watch", 7),
    ("worker", 7),
    ("report", 8),
    ("cli", 9),
];

/// Crates restricted to some modules, and the paths below `src` that may use them.
const CRATES: [(&str, &[&str]); 22] = [
    ("burn", &["digits/", "training/"]),
    ("opencv", &["vision/detect/with_opencv.rs"]),
    ("ab_glyph", &["render/"]),
    ("zune_jpeg", &["vision/jpeg"]),
    ("fast_image_resize", &["vision/"]),
    ("jpeg_encoder", &["recognize/"]),
    (
        "rayon",
        &[
            "parallel.rs",
            "bench/",
            "dataset/",
            "stream/",
            "training/",
            "cli/",
        ],
    ),
    ("clap", &["cli/"]),
    ("tiny_http", &["watch/"]),
    ("indicatif", &["cli/"]),
    ("maud", &["report/"]),
    ("notify", &["recognize/", "cli/"]),
    ("plotters", &["report/"]),
    ("arrow_array", &["worker.rs"]),
    ("arrow_ipc", &["worker.rs"]),
    (
        "parquet",
        &[
            "recognize/parquet_table.rs",
            "collection/export/parquet_file.rs",
        ],
    ),
    ("hayro", &["pages/"]),
    ("oxideav_av1", &["vision/avif.rs"]),
    ("oxideav_avif", &["vision/avif.rs"]),
    ("tiff", &["pages/"]),
    ("weezl", &["pages/"]),
    ("toml", &["cli/"]),
];

struct Source {
    /// Path below `src`, with forward slashes.
    path: String,
    /// The code without comments, string contents and `#[cfg(test)]` modules.
    code: String,
    text: String,
}

impl Source {
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap();
        first.strip_suffix(".rs").unwrap_or(first)
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let sources: Vec<Source> = files
        .into_iter()
        .map(|file| {
            let text = fs::read_to_string(&file).unwrap();
            let below = file.strip_prefix(&root).unwrap();
            Source {
                path: below.to_str().unwrap().replace('\\', "/"),
                code: bare_code(&text),
                text,
            }
        })
        .collect();
    assert!(sources.len() > 20, "the sources were not found");
    sources
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Drops line comments, contents of string literals, and unit tests at the end of the file.
fn bare_code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let mut code = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut previous = ' ';
        for (at, character) in line.char_indices() {
            if !quoted && line[at..].starts_with("//") {
                break;
            }
            if character == '"' && previous != '\\' && previous != '\'' {
                quoted = !quoted;
            } else if !quoted {
                code.push(character);
            }
            previous = character;
        }
        code.push('\n');
    }
    code
}

/// Names that follow `prefix` in the code: `crate::grid::Cell` gives `grid` for `crate::`; of a
/// braced list, every name.
fn names_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || before == '_' || before == ':' {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                for item in list.split_inclusive([',', '{', '}']) {
                    if depth == 0 {
                        names.push(name(item.trim_start()));
                    }
                    match item.chars().next_back() {
                        Some('{') => depth += 1,
                        Some('}') if depth == 0 => break,
                        Some('}') => depth -= 1,
                        _ => {}
                    }
                }
            }
            None => names.push(name(rest)),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn name(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// Every path that begins with `crate` or `super`, as segments from `src`: those of a braced list one by one.
fn paths(source: &Source) -> Vec<Vec<String>> {
    let own: Vec<&str> = source.path.trim_end_matches(".rs").split('/').collect();
    let mut found = Vec::new();
    for prefix in ["crate::", "super::"] {
        for (at, _) in source.code.match_indices(prefix) {
            let before = source.code[..at].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || before == '_' || before == ':' {
                continue;
            }
            for path in leaves(&source.code[at..]) {
                let mut segments = Vec::new();
                for segment in path.split("::").filter(|it| !it.is_empty()) {
                    match segment {
                        "crate" => segments.clear(),
                        "super" if segments.is_empty() => segments = own[..own.len() - 1].to_vec(),
                        "super" => drop(segments.pop()),
                        name => segments.push(name),
                    }
                }
                found.push(segments.into_iter().map(str::to_owned).collect());
            }
        }
    }
    found
}

/// The paths of the tree that the code begins with: `a::{b, c::d};` gives `a::b` and `a::c::d`.
fn leaves(code: &str) -> Vec<String> {
    let (mut found, mut outer, mut path) = (Vec::new(), Vec::new(), String::new());
    for character in code.chars() {
        match character {
            '{' if path.ends_with("::") => outer.push(path.clone()),
            ',' if !outer.is_empty() => found.push(std::mem::replace(
                &mut path,
                outer.last().cloned().unwrap_or_default(),
            )),
            '}' if !outer.is_empty() => {
                found.push(std::mem::take(&mut path));
                outer.pop();
                path = outer.last().cloned().unwrap_or_default();
                if outer.is_empty() {
                    break;
                }
            }
            _ if character.is_alphanumeric() || matches!(character, '_' | ':') => {
                path.push(character);
            }
            _ if character.is_whitespace() && !outer.is_empty() => {}
            _ => break,
        }
    }
    found.push(path);
    found.retain(|path| !path.is_empty() && !path.ends_with("::"));
    found
}

/// The file that defines what a path leads to, through what `mod.rs` files re-export.
fn target<'a>(path: &[String], sources: &'a [Source]) -> Option<&'a Source> {
    (1..=path.len()).rev().find_map(|length| {
        let stem = path[..length].join("/");
        let is = |source: &&Source, end: &str| source.path.strip_prefix(&stem) == Some(end);
        if let Some(file) = sources.iter().find(|source| is(source, ".rs")) {
            return Some(file);
        }
        let parent = sources.iter().find(|source| is(source, "/mod.rs"))?;
        let name = path.get(length)?;
        let reexport = format!("::{name}");
        let mut exports = parent
            .code
            .split("pub")
            .filter(|item| item.contains("use "));
        let from = exports.find_map(|item| {
            let tree = item.split_once("use ")?.1;
            leaves(tree)
                .into_iter()
                .find(|leaf| leaf.ends_with(&reexport))
        })?;
        let mut further = path[..length].to_vec();
        further.extend(from.split("::").map(str::to_owned));
        further.extend_from_slice(&path[length + 1..]);
        target(&further, sources)
    })
}

fn layer(module: &str) -> Option<u8> {
    LAYERS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, layer)| *layer)
}

/// Largest number of lines of a file of Rust.
const MOST_LINES: usize = 600;

#[test]
fn no_file_of_sources_or_tests_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches", "fuzz/src", "web/src"] {
        if root.join(folder).exists() {
            collect(&root.join(folder), &mut files);
        }
    }
    assert!(files.len() > 400, "{} files", files.len());
    let long: Vec<String> = files
        .iter()
        .map(|file| (file, fs::read_to_string(file).unwrap().lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(file, lines)| format!("{}: {lines} lines", file.display()))
        .collect();
    assert!(long.is_empty(), "split by subject: {long:?}");
}

#[test]
fn every_source_is_in_a_listed_module() {
    for source in sources() {
        if source.path != "lib.rs" && source.path != "main.rs" {
            assert!(
                layer(source.module()).is_some(),
                "{}: no such module",
                source.path
            );
        }
    }
}

#[test]
fn imports_run_downward_only() {
    for source in sources() {
        let Some(own) = layer(source.module()) else {
            continue;
        };
        // The program sees the library by its name; the library sees itself as `crate`.
        let prefix = if source.module() == "cli" {
            "sudoku_batch::"
        } else {
            "crate::"
        };
        for module in names_after(&source.code, prefix) {
            let Some(other) = layer(module) else {
                panic!("{}: `{prefix}{module}` is not in the list", source.path);
            };
            assert!(
                module == source.module() || other < own,
                "{} (layer {own}) uses `{module}` (layer {other})",
                source.path
            );
        }
    }
}

#[test]
fn no_file_imports_from_its_parent_module() {
    for source in sources() {
        if source.path.ends_with("mod.rs") || source.path == "lib.rs" {
            continue;
        }
        let parent_items = names_after(&source.code, "super::")
            .into_iter()
            .filter(|item| item.starts_with(char::is_uppercase));
        assert_eq!(
            parent_items.collect::<Vec<_>>(),
            Vec::<&str>::new(),
            "{} imports from its parent instead of from the file that defines it",
            source.path
        );
    }
}

/// What two files need from each other belongs into a third one below both.
#[test]
fn no_files_of_a_module_import_each_other() {
    let sources = sources();
    let is_file = |source: &&Source| {
        !source.path.ends_with("mod.rs") && !["lib.rs", "main.rs"].contains(&&*source.path)
    };
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in sources.iter().filter(is_file) {
        let targets = paths(source).into_iter();
        let targets = targets.filter_map(|path| Some(&*target(&path, &sources)?.path));
        left.insert(
            &source.path,
            targets.filter(|path| *path != source.path).collect(),
        );
    }
    let count: usize = left.values().map(BTreeSet::len).sum();
    assert!(count > 1000, "only {count} imports were seen");
    // Takes away the files that import none of those left, until only circles remain and what imports them.
    while let Some(lowest) = (left.iter())
        .find(|(_, targets)| targets.iter().all(|target| !left.contains_key(target)))
        .map(|(path, _)| *path)
    {
        left.remove(lowest);
    }
    // The same from above.
    while let Some(highest) = left
        .keys()
        .find(|path| !left.values().any(|targets| targets.contains(*path)))
        .copied()
    {
        left.remove(highest);
    }
    assert!(
        left.is_empty(),
        "these import each other: {:?}",
        left.keys()
    );
}

#[test]
fn heavy_crates_are_used_in_their_modules_only() {
    for source in sources() {
        for (name, places) in CRATES {
            let named = !names_after(&source.code, &format!("use {name}::")).is_empty()
                || !names_after(&source.code, &format!("{name}::")).is_empty();
            assert!(
                !named || places.iter().any(|place| source.path.starts_with(place)),
                "{} uses `{name}`, which is restricted to {places:?}",
                source.path
            );
        }
    }
}

#[test]
fn grid_uses_the_standard_library_only() {
    let sources = sources();
    let grid: Vec<&Source> = sources
        .iter()
        .filter(|source| source.module() == "grid")
        .collect();
    let files: Vec<String> = grid
        .iter()
        .map(|source| name(source.path.trim_start_matches("grid/")).to_string())
        .collect();
    for source in grid {
        for used in names_after(&source.code, "use ") {
            assert!(
                ["std", "super"].contains(&used) || files.iter().any(|file| file == used),
                "{} uses `{used}`",
                source.path
            );
        }
    }
}

#[test]
fn a_mod_file_only_declares_and_reexports() {
    for source in sources() {
        if !source.path.ends_with("mod.rs")
            || source.path == "cli/mod.rs"
            || source.path == "cli/args/mod.rs"
        {
            continue;
        }
        for item in [
            "fn ", "struct ", "enum ", "trait ", "impl ", "const ", "static ",
        ] {
            assert!(
                !source.code.lines().any(|line| {
                    let line = line.trim_start().trim_start_matches("pub ");
                    let line = line.trim_start_matches("pub(crate) ");
                    line.starts_with(item)
                }),
                "{} defines a `{}`",
                source.path,
                item.trim()
            );
        }
    }
}

#[test]
fn only_the_command_line_prints_and_only_simd_is_unsafe() {
    for source in sources() {
        let prints = ["println!", "eprintln!", "print!(", "eprint!("];
        assert!(
            source.module() == "cli" || !prints.iter().any(|print| source.code.contains(print)),
            "{} prints",
            source.path
        );
        assert!(
            source.module() == "simd" || !source.code.contains("unsafe "),
            "{} is unsafe",
            source.path
        );
    }
}

#[test]
fn the_choice_of_a_back_end_takes_two_cfg_lines() {
    let mut found = Vec::new();
    for source in sources() {
        for line in source.text.lines() {
            if line.contains("cfg") && line.contains("feature = \"opencv\"") {
                found.push(source.path.clone());
            }
        }
    }
    assert!(
        found.len() <= 2 && found.iter().all(|path| path == "vision/detect/mod.rs"),
        "{found:?}"
    );
}

#[test]
fn the_source_parser_finds_imports() {
    let code = bare_code("use crate::{grid::Cell, solve::{Mrv, Goal}, decode}; // crate::cli\n");
    assert_eq!(names_after(&code, "crate::"), ["grid", "solve", "decode"]);
    assert_eq!(
        names_after("let a = \"x\"; use burn::Tensor;", "burn::"),
        ["Tensor"]
    );
    assert!(bare_code("let a = \"crate::cli\";").find("crate").is_none());
    assert_eq!(
        leaves("super::{a::{B, c::D}, e}; f"),
        ["super::a::B", "super::a::c::D", "super::e"]
    );
    let sources = sources();
    let file = |path: &[&str]| {
        let path: Vec<String> = path.iter().map(|it| (*it).to_owned()).collect();
        target(&path, &sources).map(|source| &*source.path)
    };
    assert_eq!(file(&["grid", "cell", "Cell"]), Some("grid/cell.rs"));
    assert_eq!(file(&["grid", "Cell", "new"]), Some("grid/cell.rs"));
    assert_eq!(
        file(&["logic", "HODOKU"]),
        Some("logic/compat/hodoku/profile.rs")
    );
    let links = sources
        .iter()
        .find(|it| it.path == "logic/links.rs")
        .unwrap();
    let state = ["logic", "state", "State"].map(str::to_owned).to_vec();
    assert!(paths(links).contains(&state));
}
