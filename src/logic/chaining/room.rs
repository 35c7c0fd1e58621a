//! Memory that searches use again.

use std::cell::RefCell;
use std::fmt;

use super::nets::Nets;
use super::walk::Walk;

/// What searches of chains have allocated. It holds nothing that matters: a copy is empty.
#[derive(Default)]
pub(in crate::logic) struct Room(RefCell<Option<Box<Searches>>>);

/// The searches.
#[derive(Default)]
pub(super) struct Searches {
    pub(super) walk: Walk,
    pub(super) nets: Nets,
}

impl Room {
    /// Lends the searches.
    pub(super) fn lend<T>(&self, search: impl FnOnce(&mut Searches) -> T) -> T {
        let mut searches = self.0.take().unwrap_or_default();
        let found = search(&mut searches);
        self.0.replace(Some(searches));
        found
    }
}

impl Clone for Room {
    fn clone(&self) -> Room {
        Room::default()
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Room")
    }
}
