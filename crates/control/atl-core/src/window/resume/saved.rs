//! A sender's saved state of a path, for when it meets the path again.

use crate::time::{Span, Time};

/// Observations of a path: RFC 9959, sec. 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// saved_cwnd: most bytes, headers included, that one round trip carried.
    pub cwnd_bytes: u64,
    /// saved_rtt: least round-trip time.
    pub rtt: Span,
    /// Time of the observation.
    pub at: Time,
}

/// A remote endpoint and the interface towards it: RFC 9959, sec. 2.2. The caller chooses the
/// numbers; two paths with the same number count as the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathToken(pub u64);

/// Saved states: one for each path, valid for a lifetime, used once.
#[derive(Clone, Debug)]
pub struct Store {
    lifetime: Span,
    /// In order of the tokens.
    entries: Vec<(PathToken, Saved)>,
}

impl Store {
    /// The default lifetime: five minutes, the bound of RFC 7661, sec. 4.4.2, for a window that is
    /// not validated. RFC 9959, sec. 4.3.1, advises minutes where paths vary, as those of mobile
    /// hosts do.
    pub const LIFETIME: Span = Span::from_secs(300);

    /// An empty store whose entries are valid for `lifetime`.
    pub const fn new(lifetime: Span) -> Self {
        Store { lifetime, entries: Vec::new() }
    }

    /// Saves the observations of a path, and replaces earlier ones.
    pub fn save(&mut self, token: PathToken, saved: Saved) {
        match self.find(token) {
            Ok(at) => self.entries[at] = (token, saved),
            Err(at) => self.entries.insert(at, (token, saved)),
        }
    }

    /// Returns the saved state of a path, and forgets it: only one connection may use it (sec.
    /// 3.2), and one that retreats must not leave it to others (sec. 3.5). `None` after the
    /// lifetime.
    pub fn take(&mut self, now: Time, token: PathToken) -> Option<Saved> {
        let (_, saved) = self.entries.remove(self.find(token).ok()?);
        (now.since(saved.at) <= self.lifetime).then_some(saved)
    }

    /// Forgets everything, as after a change of the configuration (sec. 4.3.1).
    pub fn flush(&mut self) {
        self.entries.clear();
    }

    fn find(&self, token: PathToken) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&token, |entry| entry.0)
    }
}

impl Default for Store {
    fn default() -> Self {
        Store::new(Store::LIFETIME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(cwnd_bytes: u64, at: u64) -> Saved {
        Saved { cwnd_bytes, rtt: Span::from_millis(40), at: secs(at) }
    }

    fn secs(secs: u64) -> Time {
        Time::from_millis(secs * 1000)
    }

    #[test]
    fn what_is_saved_is_used_once_and_only_on_its_path() {
        let mut store = Store::default();
        for token in [7, 3, 5] {
            store.save(PathToken(token), saved(token, 1));
        }
        assert_eq!(store.take(secs(2), PathToken(4)), None);
        assert_eq!(store.take(secs(2), PathToken(5)), Some(saved(5, 1)));
        assert_eq!(store.take(secs(2), PathToken(5)), None);
        assert_eq!(store.take(secs(2), PathToken(3)), Some(saved(3, 1)));
        store.flush();
        assert_eq!(store.take(secs(2), PathToken(7)), None);
    }

    #[test]
    fn a_later_observation_replaces_the_earlier_one_and_its_age() {
        let mut store = Store::new(Span::from_secs(10));
        store.save(PathToken(0), saved(1, 0));
        store.save(PathToken(0), saved(2, 5));
        assert_eq!(store.take(secs(15), PathToken(0)), Some(saved(2, 5)));
        store.save(PathToken(0), saved(3, 20));
        assert_eq!(store.take(secs(31), PathToken(0)), None, "older than the lifetime");
    }
}
