//! Links to files of the repository, and to headings in them.

use std::path::Path;

use crate::markdown::Page;

/// The targets of all links and pictures, with their lines.
pub fn targets(page: &Page) -> Vec<(usize, String)> {
    let mut targets = Vec::new();
    for (number, line) in page.text() {
        let line = without_code(line);
        for mark in ["](", "src=\"", "href=\""] {
            let end = if mark == "](" { ')' } else { '"' };
            for rest in line.split(mark).skip(1) {
                let target = rest.split(end).next().unwrap_or_default();
                targets.push((number, target.to_owned()));
            }
        }
    }
    targets
}

/// A line without its code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Adds problems with the links of a page; `within` is the folder that they may not leave.
/// Returns the number of links.
pub fn check(path: &Path, page: &Page, within: Option<&Path>, wrong: &mut Vec<String>) -> usize {
    let mut count = 0;
    for (number, target) in targets(page) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        count += 1;
        let mut complain = |why: &str| {
            wrong.push(format!("{}:{number}: {target}: {why}", path.display()));
        };
        let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let file = if file.is_empty() {
            path.to_owned()
        } else {
            path.parent().unwrap().join(file)
        };
        let Ok(file) = file.canonicalize() else {
            complain("no such file");
            continue;
        };
        if within.is_some_and(|folder| !file.starts_with(folder.canonicalize().unwrap())) {
            complain("the book has no such page: the link would lead out of it");
        }
        let is_page = file.extension().is_some_and(|extension| extension == "md");
        if !anchor.is_empty() && is_page {
            let anchors = Page::read(&file).anchors();
            if !anchors.iter().any(|known| known == anchor) {
                complain("no such heading");
            }
        }
    }
    for (number, line) in page.text() {
        let Some(included) = line.trim().strip_prefix("{{#include ") else {
            continue;
        };
        count += 1;
        let name = included.trim_end_matches('}').split(':').next().unwrap();
        let file = path.parent().unwrap().join(name);
        if !file.is_file() {
            wrong.push(format!("{}:{number}: {name}: no such file", path.display()));
            continue;
        }
        // Included into the book, a relative link would lead elsewhere.
        let inner = targets(&Page::read(&file)).into_iter();
        for (line, target) in inner.filter(|(_, target)| !target.contains("://")) {
            wrong.push(format!(
                "{}:{line}: {target}: relative, and {} includes it",
                file.display(),
                path.display()
            ));
        }
    }
    count
}
