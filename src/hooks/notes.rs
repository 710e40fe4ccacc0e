//! What each session has been told.

use std::collections::{HashMap, HashSet, VecDeque};

use super::cache::File;
use super::limits::{MAX_NOTED_PATHS, MAX_SESSION_ID_BYTES, MAX_SESSIONS};

/// A session or a sub-agent in one: the `sessionId` of an event's input. Events without one, or with one that is too
/// long, are one session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SessionId(String);

impl SessionId {
    pub(super) fn new(id: Option<&str>) -> Self {
        Self(id.filter(|id| id.len() <= MAX_SESSION_ID_BYTES).unwrap_or_default().to_owned())
    }
}

/// The sessions, oldest first.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    order: VecDeque<SessionId>,
    told: HashMap<SessionId, Told>,
}

#[derive(Debug, Default)]
struct Told {
    started: bool,
    files: HashSet<File>,
}

impl Sessions {
    /// Marks that the session has started; false where it had already.
    pub(super) fn claim_start(&mut self, id: &SessionId) -> bool {
        !std::mem::replace(&mut self.entry(id).started, true)
    }

    /// Marks that the session is told about `file`; false where it has been, or has been told enough.
    pub(super) fn claim_note(&mut self, id: &SessionId, file: &File) -> bool {
        let files = &mut self.entry(id).files;
        files.len() < MAX_NOTED_PATHS && files.insert(file.clone())
    }

    /// Forgets what was told about files, not that sessions have started.
    pub(super) fn forget_notes(&mut self) {
        for told in self.told.values_mut() {
            told.files.clear();
        }
    }

    fn entry(&mut self, id: &SessionId) -> &mut Told {
        if !self.told.contains_key(id) {
            if self.order.len() >= MAX_SESSIONS
                && let Some(oldest) = self.order.pop_front()
            {
                self.told.remove(&oldest);
            }
            self.order.push_back(id.clone());
        }
        self.told.entry(id.clone()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(n: usize) -> SessionId {
        SessionId::new(Some(&n.to_string()))
    }

    #[test]
    fn the_oldest_session_is_forgotten_first_not_the_least_used() {
        let (mut sessions, file) = (Sessions::default(), File::new("/w".into(), "a".into()));
        for n in 0..MAX_SESSIONS {
            assert!(sessions.claim_note(&session(n), &file));
        }
        assert!(!sessions.claim_note(&session(0), &file));
        assert!(sessions.claim_note(&session(MAX_SESSIONS), &file));
        assert!(!sessions.claim_note(&session(1), &file));
        assert!(sessions.claim_note(&session(0), &file));
        assert_eq!(sessions.told.len(), MAX_SESSIONS);
        assert_eq!(sessions.order.len(), MAX_SESSIONS);
    }

    #[test]
    fn forgetting_notes_is_not_forgetting_starts() {
        let (mut sessions, file) = (Sessions::default(), File::new("/w".into(), "a".into()));
        assert!(sessions.claim_start(&session(1)));
        assert!(sessions.claim_note(&session(1), &file));
        sessions.forget_notes();
        assert!(sessions.claim_note(&session(1), &file));
        assert!(!sessions.claim_start(&session(1)));
    }

    #[test]
    fn a_session_is_told_about_so_many_files_and_no_more() {
        let mut sessions = Sessions::default();
        let claims = (0..=MAX_NOTED_PATHS)
            .filter(|n| sessions.claim_note(&session(1), &File::new("/w".into(), n.to_string())));
        assert_eq!(claims.count(), MAX_NOTED_PATHS);
    }

    #[test]
    fn sessions_without_a_usable_id_are_one() {
        let long = "x".repeat(MAX_SESSION_ID_BYTES + 1);
        assert_eq!(SessionId::new(None), SessionId::new(Some(&long)));
        assert_ne!(SessionId::new(None), SessionId::new(Some(&long[1..])));
    }
}
