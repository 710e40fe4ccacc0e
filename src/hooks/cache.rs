//! What checks said, and those that are under way: one check per file until the corpus changes.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use tokio::sync::watch;

use super::limits::MAX_CACHED_CHECKS;
use super::rulings::Rulings;

/// A file of a working directory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct File(Arc<(Utf8PathBuf, String)>);

impl File {
    pub(super) fn new(cwd: Utf8PathBuf, path: String) -> Self {
        Self(Arc::new((cwd, path)))
    }

    pub(super) fn cwd(&self) -> &Utf8Path {
        &self.0.0
    }

    pub(super) fn path(&self) -> &str {
        &self.0.1
    }
}

/// A check that has ended, or will.
#[derive(Debug, Clone)]
pub(super) struct Shared(watch::Receiver<Option<Arc<Rulings>>>);

impl Shared {
    /// What the check said, once it has; nothing where it failed.
    pub(super) async fn rulings(&mut self) -> Arc<Rulings> {
        let said = self.0.wait_for(Option::is_some).await;
        said.ok().and_then(|said| said.clone()).unwrap_or_default()
    }

    /// The check has gone without a word, with the runtime that it ran in.
    fn is_lost(&self) -> bool {
        self.0.borrow().is_none() && self.0.has_changed().is_err()
    }
}

/// The duty to settle a check that was begun.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) file: File,
    serial: u64,
    sender: watch::Sender<Option<Arc<Rulings>>>,
}

/// The files' checks, oldest first.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: HashMap<File, (u64, Shared)>,
    order: VecDeque<(u64, File)>,
    serial: u64,
    epoch: u64,
}

impl Cache {
    /// How often the cache was dropped.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The check of `file`; with a ticket where the caller has to make it.
    pub(super) fn join(&mut self, file: &File) -> (Shared, Option<Ticket>) {
        if let Some((_, shared)) = self.entries.get(file).filter(|(_, shared)| !shared.is_lost()) {
            return (shared.clone(), None);
        }
        let (sender, receiver) = watch::channel(None);
        let shared = Shared(receiver);
        self.serial += 1;
        self.entries.insert(file.clone(), (self.serial, shared.clone()));
        self.order.push_back((self.serial, file.clone()));
        self.evict();
        (shared, Some(Ticket { file: file.clone(), serial: self.serial, sender }))
    }

    /// What the check of `file` said, if it has ended and was kept.
    pub(super) fn known(&self, file: &File) -> Option<Arc<Rulings>> {
        self.entries.get(file)?.1.0.borrow().clone()
    }

    /// Tells those who wait what the check said. Unless it is to be `kept`, the next edit checks again.
    pub(super) fn settle(&mut self, ticket: &Ticket, rulings: Rulings, kept: bool) {
        let is_current = |(serial, _): &(u64, Shared)| *serial == ticket.serial;
        if !kept && self.entries.get(&ticket.file).is_some_and(is_current) {
            self.entries.remove(&ticket.file);
        }
        ticket.sender.send_replace(Some(Arc::new(rulings)));
    }

    /// Drops everything. A check that is under way still answers those who wait for it.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.order.clear();
        self.epoch += 1;
    }

    fn evict(&mut self) {
        // Entries that were not kept leave their place in the order behind.
        while self.order.len() > MAX_CACHED_CHECKS {
            let Some((serial, file)) = self.order.pop_front() else { return };
            if self.entries.get(&file).is_some_and(|(current, _)| *current == serial) {
                self.entries.remove(&file);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rulings::RecordId;
    use super::*;

    fn file(n: usize) -> File {
        File::new("/w".into(), n.to_string())
    }

    fn ruled(id: &str) -> Rulings {
        Rulings { accepted: RecordId::parse(id).into_iter().collect(), ..Rulings::default() }
    }

    #[tokio::test]
    async fn one_makes_the_check_and_all_hear_of_it() {
        let mut cache = Cache::default();
        let (mut first, ticket) = cache.join(&file(1));
        let (mut second, none) = cache.join(&file(1));
        assert!(none.is_none());
        cache.settle(&ticket.unwrap(), ruled("0001"), true);
        let (mut later, none) = cache.join(&file(1));
        assert!(none.is_none());
        for shared in [&mut first, &mut second, &mut later] {
            assert_eq!(*shared.rulings().await, ruled("0001"));
        }
    }

    #[tokio::test]
    async fn what_is_not_kept_is_told_and_checked_again() {
        let mut cache = Cache::default();
        let (mut shared, ticket) = cache.join(&file(1));
        cache.settle(&ticket.unwrap(), Rulings::default(), false);
        assert!(shared.rulings().await.is_empty());
        assert!(cache.join(&file(1)).1.is_some());
    }

    #[tokio::test]
    async fn a_check_from_before_the_drop_does_not_touch_what_came_after() {
        let mut cache = Cache::default();
        let (mut old, old_ticket) = cache.join(&file(1));
        cache.clear();
        let (mut new, new_ticket) = cache.join(&file(1));
        cache.settle(&old_ticket.unwrap(), ruled("0001"), false);
        assert!(cache.join(&file(1)).1.is_none());
        cache.settle(&new_ticket.unwrap(), ruled("0002"), true);
        assert_eq!(*old.rulings().await, ruled("0001"));
        assert_eq!(*new.rulings().await, ruled("0002"));
    }

    #[tokio::test]
    async fn a_lost_check_is_nothing_and_is_made_again() {
        let mut cache = Cache::default();
        let (mut shared, ticket) = cache.join(&file(1));
        drop(ticket);
        assert!(shared.rulings().await.is_empty());
        assert!(cache.join(&file(1)).1.is_some());
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many() {
        let mut cache = Cache::default();
        for n in 0..=MAX_CACHED_CHECKS {
            let (_, ticket) = cache.join(&file(n));
            cache.settle(&ticket.unwrap(), Rulings::default(), true);
        }
        assert_eq!(cache.entries.len(), MAX_CACHED_CHECKS);
        assert!(cache.join(&file(1)).1.is_none());
        assert!(cache.join(&file(0)).1.is_some());
        // Checks that are never kept leave nothing behind either.
        for _ in 0..2 * MAX_CACHED_CHECKS {
            let (_, ticket) = cache.join(&file(usize::MAX));
            cache.settle(&ticket.unwrap(), Rulings::default(), false);
        }
        assert!(cache.order.len() <= MAX_CACHED_CHECKS);
    }
}
