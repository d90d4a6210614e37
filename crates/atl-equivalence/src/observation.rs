//! What became of probes.

use atl_core::time::Time;

/// What became of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It left the link at this time.
    Arrived(Time),
    /// The link lost it.
    Lost,
    /// The link's queue dropped it.
    Dropped,
    /// It vanished outside the link: a fault of the host.
    Missing,
}

/// A probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// When it was sent.
    pub sent: Time,
    /// When it entered the link.
    pub entered: Time,
    /// It has low priority.
    pub low: bool,
    /// What became of it.
    pub fate: Fate,
}

/// The probes of a run, in the order in which they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// Length of a probe on the link, in bytes.
    pub bytes: u32,
    /// The probes.
    pub probes: Vec<Probe>,
}

impl Probe {
    /// Seconds from sending to arrival; `None` if it did not arrive.
    pub fn delay(&self) -> Option<f64> {
        match self.fate {
            // Signed: a fault that makes a probe arrive before it was sent must show.
            Fate::Arrived(at) => Some(at.secs() - self.sent.secs()),
            _ => None,
        }
    }
}

impl Fate {
    /// True if both arrived, both were lost, or both were dropped.
    pub fn like(self, other: Fate) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl Observation {
    /// Probes with such a fate.
    pub fn count(&self, is: impl Fn(&Fate) -> bool) -> u64 {
        self.probes.iter().filter(|probe| is(&probe.fate)).count() as u64
    }
}
