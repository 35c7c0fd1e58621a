//! Groups of crops that must stay together when data are split: those of one puzzle, and those of
//! one photo.

use std::collections::HashMap;

use crate::digits::LabeledCrop;

/// A common property of crops. Ordered: a group is named by its first puzzle, or by its photo where
/// no puzzle is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key<'a> {
    /// A puzzle, in any folder.
    Puzzle(&'a str),
    /// A photo of which some crop has no puzzle, in any folder.
    Photo(&'a str),
    /// A photo of this folder. Names of photos are unique only within a folder.
    Of(usize, &'a str),
}

/// Groups of crops that share no puzzle and no photo with other groups: the connected components of
/// the graph whose nodes are puzzles and photos, and whose edges are crops.
pub(super) struct Groups {
    of_crops: Vec<Vec<Option<usize>>>,
    names: Vec<String>,
}

impl Groups {
    pub(super) fn new(folders: &[&[LabeledCrop]]) -> Groups {
        let mut graph = Graph::default();
        let mut nodes = Vec::new();
        for (number, crops) in folders.iter().enumerate() {
            let node = |crop| graph.enter(number, crop);
            nodes.push(crops.iter().map(node).collect::<Vec<_>>());
        }
        let mut numbers = HashMap::new();
        let mut keys: Vec<Key<'_>> = Vec::new();
        let mut group_of: Vec<usize> = Vec::with_capacity(graph.keys.len());
        for node in 0..graph.keys.len() {
            let key = graph.keys[node];
            let group = *numbers.entry(graph.root(node)).or_insert(keys.len());
            match keys.get_mut(group) {
                Some(first) => *first = key.min(*first),
                None => keys.push(key),
            }
            group_of.push(group);
        }
        let groups = |nodes: Vec<Option<usize>>| {
            let groups = nodes
                .into_iter()
                .map(|node| node.map(|node| group_of[node]));
            groups.collect()
        };
        Groups {
            of_crops: nodes.into_iter().map(groups).collect(),
            names: keys.into_iter().map(Key::name).collect(),
        }
    }

    /// Returns the group of each crop of each folder; `None` for crops without a puzzle and a
    /// photo.
    pub(super) fn of_crops(&self) -> &[Vec<Option<usize>>] {
        &self.of_crops
    }

    /// Returns the names of the groups, which do not depend on the other groups.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

impl Key<'_> {
    fn name(self) -> String {
        let (Key::Puzzle(name) | Key::Photo(name) | Key::Of(_, name)) = self;
        name.to_owned()
    }
}

/// Disjoint sets of keys.
#[derive(Default)]
struct Graph<'a> {
    nodes: HashMap<Key<'a>, usize>,
    keys: Vec<Key<'a>>,
    parents: Vec<usize>,
}

impl<'a> Graph<'a> {
    /// Joins the puzzle and the photo of the crop; returns one of its nodes.
    fn enter(&mut self, folder: usize, crop: &'a LabeledCrop) -> Option<usize> {
        let photo = (!crop.photo.is_empty()).then(|| self.node(Key::Of(folder, &crop.photo)));
        let whole = match (&*crop.puzzle, &*crop.photo) {
            ("", "") => return None,
            ("", photo) => self.node(Key::Photo(photo)),
            (puzzle, _) => self.node(Key::Puzzle(puzzle)),
        };
        if let Some(photo) = photo {
            let (a, b) = (self.root(photo), self.root(whole));
            self.parents[a] = b;
        }
        Some(whole)
    }

    fn node(&mut self, key: Key<'a>) -> usize {
        let next = self.keys.len();
        let node = *self.nodes.entry(key).or_insert(next);
        if node == next {
            self.keys.push(key);
            self.parents.push(next);
        }
        node
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::{CROP_SIDE, CellCrop};

    fn crop(photo: &str, puzzle: &str) -> LabeledCrop {
        LabeledCrop {
            crop: CellCrop {
                pixels: Box::new([0; CROP_SIDE * CROP_SIDE]),
                board_contrast: 0.0,
            },
            label: None,
            kind: None,
            marks: None,
            photo: photo.to_owned(),
            puzzle: puzzle.to_owned(),
            source: String::new(),
        }
    }

    #[test]
    fn puzzles_join_folders_and_photos_join_puzzles_of_their_folder() {
        let first = [
            crop("page", "b"),
            crop("page", "a"),
            crop("1", "c"),
            crop("", ""),
        ];
        let second = [
            crop("page", "d"),
            crop("2", "c"),
            crop("3", ""),
            crop("", "b"),
        ];
        let groups = Groups::new(&[&first, &second]);
        let names = |folder: usize| -> Vec<&str> {
            let groups_of = groups.of_crops()[folder].iter();
            let name = |group: &Option<usize>| group.map_or("", |group| &groups.names()[group]);
            groups_of.map(name).collect()
        };
        assert_eq!(names(0), ["a", "a", "c", ""]);
        assert_eq!(names(1), ["d", "c", "3", "a"]);
    }
}
