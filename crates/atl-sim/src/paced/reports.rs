//! The receivers' reports that are on their way.

use atl_core::rate::Report;

use crate::packet::WirelessOption;

/// A report, with what a wireless receiver says of its own link (ATL paper, sec. IV-B).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Reception statistics.
    pub report: Report,
    /// The receiver's wireless link.
    pub wireless: Option<WirelessOption>,
}

/// Where a report is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportId(pub u32);

/// Reports by their place, as they do not fit into a packet.
#[derive(Debug, Default)]
pub struct ReportStore {
    kept: Vec<Told>,
    free: Vec<u32>,
}

impl ReportStore {
    /// Keeps a report.
    pub fn put(&mut self, told: Told) -> ReportId {
        match self.free.pop() {
            Some(at) => {
                self.kept[at as usize] = told;
                ReportId(at)
            }
            None => {
                self.kept.push(told);
                ReportId(self.kept.len() as u32 - 1)
            }
        }
    }

    /// Gives a report back, and its place free. To be called once for each, also for a lost one.
    pub fn take(&mut self, id: ReportId) -> Told {
        self.free.push(id.0);
        self.kept[id.0 as usize]
    }

    /// Reports kept.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.kept.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_used_again() {
        let mut store = ReportStore::default();
        let told =
            |highest| Told { report: Report { highest, ..Report::default() }, wireless: None };
        let (a, b) = (store.put(told(1)), store.put(told(2)));
        assert_eq!((store.take(a), store.in_use()), (told(1), 1));
        assert_eq!(store.put(told(3)), a);
        assert_eq!((store.take(b), store.take(a), store.in_use()), (told(2), told(3), 0));
    }
}
