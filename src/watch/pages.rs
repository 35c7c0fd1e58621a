//! The pages that are open, each with the frames of its own camera.

use std::sync::{Arc, Mutex, PoisonError};

use crate::live::Session;
use crate::reader::Reader;

/// Pages whose frames are followed at the same time; the one that was quiet for longest makes room for another.
const MOST: usize = 4;

/// Sessions by the names that pages give themselves, the latest used one last.
pub(super) struct Pages {
    reader: Arc<Reader>,
    sessions: Mutex<Vec<(String, Arc<Mutex<Session>>)>>,
}

impl Pages {
    pub(super) fn new(reader: Arc<Reader>) -> Pages {
        Pages {
            reader,
            sessions: Mutex::default(),
        }
    }

    /// Runs this on the session of a page, after what is under way on it.
    pub(super) fn with<T>(&self, page: &str, run: impl FnOnce(&mut Session) -> T) -> T {
        let session = self.session(page);
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        run(&mut session)
    }

    fn session(&self, page: &str) -> Arc<Mutex<Session>> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let known = sessions.iter().position(|(name, _)| name == page);
        let entry = match known {
            Some(at) => sessions.remove(at),
            None => {
                if sessions.len() == MOST {
                    sessions.remove(0);
                }
                let session = Session::new(self.reader.clone());
                (page.to_owned(), Arc::new(Mutex::new(session)))
            }
        };
        let session = entry.1.clone();
        sessions.push(entry);
        session
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::ReaderConfig;

    #[test]
    fn a_page_keeps_its_session_until_the_slot_is_needed() {
        let pages = Pages::new(Arc::new(Reader::new(ReaderConfig::default()).unwrap()));
        let first = pages.session("0");
        for page in 1..MOST {
            pages.session(&page.to_string());
        }
        assert!(Arc::ptr_eq(&first, &pages.session("0")));
        for page in 0..1000 {
            pages.session(&format!("other {page}"));
        }
        assert_eq!(pages.sessions.lock().unwrap().len(), MOST);
        assert!(!Arc::ptr_eq(&first, &pages.session("0")));
    }
}
