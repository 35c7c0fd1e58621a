//! Short names for the folders of runs, and ways from one folder to another.

use std::path::{Component, Path, PathBuf};

use sudoku_batch::files::show;

/// A name for each folder: as few of its last parts as tell it from all others. A folder that is
/// named twice gets a number.
pub(super) fn run_names(folders: &[PathBuf]) -> Vec<String> {
    let parts: Vec<Vec<String>> = folders.iter().map(|folder| parts(folder)).collect();
    let name = |own: &Vec<String>| {
        let others = || parts.iter().filter(|other| *other != own);
        let enough =
            |length: &usize| !others().any(|other| tail(other, *length) == tail(own, *length));
        let length = (1..own.len()).find(enough).unwrap_or(own.len());
        tail(own, length).join("/")
    };
    let names: Vec<String> = parts.iter().map(name).collect();
    let numbered = names.iter().enumerate().map(|(place, name)| {
        match names[..place]
            .iter()
            .filter(|earlier| *earlier == name)
            .count()
        {
            0 => name.clone(),
            earlier => format!("{name} ({})", earlier + 1),
        }
    });
    numbered.collect()
}

fn parts(folder: &Path) -> Vec<String> {
    let part = |component: Component<'_>| show(Path::new(component.as_os_str()));
    folder.components().map(part).collect()
}

fn tail(parts: &[String], length: usize) -> &[String] {
    &parts[parts.len().saturating_sub(length)..]
}

/// The way from a folder to a file, both without `.` and `..`, as a link writes it; nothing where
/// there is none.
pub(super) fn way(from: &Path, to: &Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let up = std::iter::repeat_n("..", from.len() - shared);
    let down = to[shared..].iter().map(|part| part.as_os_str().to_str());
    let parts: Option<Vec<&str>> = up.map(Some).chain(down).collect();
    Some(parts?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folders: &[&str]) -> Vec<String> {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        run_names(&folders)
    }

    #[test]
    fn names_are_the_shortest_suffixes_that_distinguish_folders() {
        assert_eq!(names(&["/a/b/run"]), ["run"]);
        assert_eq!(names(&["/a/x", "/a/y"]), ["x", "y"]);
        assert_eq!(
            names(&["/a/old/run", "/a/new/run", "/a/z"]),
            ["old/run", "new/run", "z"]
        );
        assert_eq!(
            names(&["/a/run", "/a/run", "/run"])[..2],
            ["a/run", "a/run (2)"]
        );
    }

    #[test]
    fn relative_paths_go_up_and_down() {
        let way = |from: &str, to: &str| way(Path::new(from), Path::new(to)).unwrap();
        assert_eq!(way("/a/reports", "/a/b/report.html"), "../b/report.html");
        assert_eq!(way("/a", "/a/report.html"), "report.html");
    }
}
