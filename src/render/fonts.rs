//! Fonts of this machine: which faces have usable digits, and the masks of those digits.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::face::{Face, GlyphMask, Unusable};
use super::font_audit::Audit;
use crate::parallel::map_in_order;

/// Usable faces, grouped by family so that a family of many weights does not dominate.
#[derive(Clone, Debug, Default)]
pub struct FontSet {
    families: Vec<(String, Vec<Face>)>,
    rejected: Vec<(PathBuf, Unusable)>,
}

impl FontSet {
    /// Loads every `.ttf` and `.otf` below these folders (or these files) and keeps the faces whose
    /// digits pass the audit, on all threads of the current rayon pool. Faces are in the order of
    /// their paths.
    pub fn load(places: &[PathBuf]) -> FontSet {
        FontSet::load_watched(places, &mut |_, _| {})
    }

    /// Like [`FontSet::load`]; `on_file` is called with the number of files checked and of all
    /// files.
    pub fn load_watched(
        places: &[PathBuf],
        on_file: &mut (dyn FnMut(usize, usize) + Send),
    ) -> FontSet {
        let is_font = |path: &Path| {
            let extension = path.extension().map(|e| e.to_ascii_lowercase());
            extension.is_some_and(|e| e == "ttf" || e == "otf")
        };
        let mut paths: Vec<PathBuf> = places
            .iter()
            .flat_map(|place| walkdir::WalkDir::new(place).follow_links(true))
            .filter_map(|entry| entry.ok().map(walkdir::DirEntry::into_path))
            .filter(|path| is_font(path) && path.is_file())
            .collect();
        paths.sort();
        paths.dedup();
        let audit = Audit::new();
        let mut seen: BTreeMap<Vec<GlyphMask>, String> = BTreeMap::new();
        let mut families: BTreeMap<String, Vec<Face>> = BTreeMap::new();
        let mut rejected = Vec::new();
        let (mut done, total) = (0, paths.len());
        let look = |path: PathBuf| {
            let face = audit.face(&path);
            (path, face)
        };
        let keep = |(path, face): (PathBuf, Result<Face, Unusable>)| -> Result<(), Infallible> {
            match face {
                Err(reason) => rejected.push((path, reason)),
                Ok(face) => match seen.get(face.masks.as_slice()) {
                    Some(other) => rejected.push((path, Unusable::SameAs(other.clone()))),
                    None => {
                        seen.insert(face.masks.to_vec(), face.name.clone());
                        families.entry(family(&face.name)).or_default().push(face);
                    }
                },
            }
            done += 1;
            on_file(done, total);
            Ok(())
        };
        let Ok(()) = map_in_order(paths.into_iter(), look, keep);
        FontSet {
            families: families.into_iter().collect(),
            rejected,
        }
    }

    /// Returns family names with their faces, sorted.
    pub fn families(&self) -> impl Iterator<Item = (&str, &[Face])> {
        self.families
            .iter()
            .map(|(name, faces)| (name.as_str(), faces.as_slice()))
    }

    /// Returns the faces that were rejected, with the reason.
    pub fn rejected(&self) -> &[(PathBuf, Unusable)] {
        &self.rejected
    }

    /// Returns how many faces are usable.
    pub fn len(&self) -> usize {
        self.families.iter().map(|(_, faces)| faces.len()).sum()
    }

    /// Returns whether no face is usable.
    pub fn is_empty(&self) -> bool {
        self.families.is_empty()
    }

    /// Draws a family and one of its faces, each uniformly; `None` if the set is empty.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<(&str, &Face)> {
        let (name, faces) = self.families.choose(rng)?;
        let face = faces.get(rng.random_range(0..faces.len()))?;
        Some((name, face))
    }
}

/// Returns the family of a face: `Lato-BoldItalic` and `Lato-Thin` are of one family.
fn family(name: &str) -> String {
    let end = name.find(['-', '_', '[']).unwrap_or(name.len());
    name[..end].to_lowercase()
}
