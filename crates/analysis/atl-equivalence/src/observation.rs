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
    /// Nanoseconds from sending to arrival; `None` if it did not arrive. A delay is compared with a
    /// bound in these: the difference of two times in seconds is off by up to their last digit,
    /// which depends on how late in a run it is.
    pub fn delay_nanos(&self) -> Option<i64> {
        match self.fate {
            // Signed: a fault that makes a probe arrive before it was sent must show.
            Fate::Arrived(at) => Some(at.nanos().wrapping_sub(self.sent.nanos()) as i64),
            _ => None,
        }
    }

    /// Seconds from sending to arrival, rounded once; `None` if it did not arrive.
    pub fn delay(&self) -> Option<f64> {
        self.delay_nanos().map(|nanos| nanos as f64 / 1e9)
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
