//! Probes and their fates.

use atl_core::time::Time;

/// The outcome for a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It left the link at this time.
    Arrived(Time),
    /// The link's loss process took it.
    Lost,
    /// The link's queue dropped it.
    Dropped,
    /// It vanished outside the link: a fault of this machine.
    Missing,
}

/// A probe of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The time at which it was sent.
    pub sent: Time,
    /// Time at which it entered the link.
    pub entered: Time,
    /// True if it has low priority.
    pub low: bool,
    /// Its outcome: arrived, lost, dropped, or missing by a fault of this machine.
    pub fate: Fate,
}

/// The probes of a run, in the order in which they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    /// Length of a probe on the link, in bytes.
    pub bytes: u32,
    /// Every probe of the run.
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
    /// The number of probes whose fate satisfies `is`.
    pub fn count(&self, is: impl Fn(&Fate) -> bool) -> u64 {
        self.probes.iter().filter(|probe| is(&probe.fate)).count() as u64
    }
}
