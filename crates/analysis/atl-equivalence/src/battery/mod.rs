//! The cases of probes, each declared once.

mod cases;
mod link;
mod tcp;

pub use cases::CASES;
pub use link::BadLink;
pub use tcp::{Kernel, TCP_CASES, TcpCase};

use atl_core::time::Span;
use serde::Serialize;

use crate::pattern::Pattern;

/// Longest run with `--quick`, in seconds.
const QUICK: f64 = 2.0;

/// The property of a link that a case tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The rate of a link with more traffic than it carries.
    Rate,
    /// The delays of packets, with or without traffic.
    Delay,
    /// The shares and runs of packets that a loss process takes.
    Loss,
    /// The packets that a queue discipline drops, and the delays of the others.
    Queue,
    /// A rate or a delay that follows a recorded trace.
    Trace,
    /// Outages, and other changes of a link at known times.
    Schedule,
}

impl Kind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Rate => "rate",
            Kind::Delay => "delay",
            Kind::Loss => "loss",
            Kind::Queue => "queue",
            Kind::Trace => "trace",
            Kind::Schedule => "schedule",
        }
    }
}

/// A link and the probes that cross it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// The property that it tests.
    pub kind: Kind,
    /// A description in a few words, for tables.
    pub title: &'static str,
    /// The link, in the keys of a scenario file.
    pub link: &'static str,
    /// The times at which probes are sent.
    pub pattern: Pattern,
    /// Length of a probe in bytes, headers of IPv4 and UDP included; at least [`Case::SHORTEST`].
    pub bytes: u32,
    /// Time over which probes are sent, in seconds.
    pub seconds: f64,
    /// Every so many-th probe has low priority, the first one included; `None`: none has.
    pub low_every: Option<u32>,
}

impl Case {
    /// The shortest probe: headers of IPv4 and UDP, a number, a time.
    pub const SHORTEST: u32 = 40;

    /// The case of this name.
    pub fn named(name: &str) -> Option<&'static Case> {
        CASES.iter().find(|case| case.name == name)
    }

    /// Time over which probes are sent; shorter if `quick`.
    pub fn lasts(&self, quick: bool) -> Span {
        Span::from_secs_f64(if quick { self.seconds.min(QUICK) } else { self.seconds })
    }

    /// True if the probe of this number has low priority.
    pub fn low(&self, number: u32) -> bool {
        self.low_every.is_some_and(|every| number.is_multiple_of(every))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_case_is_sound() {
        let mut names = BTreeSet::new();
        for case in CASES {
            assert!(names.insert(case.name), "{} stands twice", case.name);
            assert!(case.bytes >= Case::SHORTEST && case.bytes <= 1500, "{}", case.name);
            let link = case.link().unwrap_or_else(|error| panic!("{error}"));
            assert!(link.agent.is_none() && link.adaptation.is_none(), "{}", case.name);
            assert!(case.pattern.times(case.lasts(true)).len() >= 100, "{}", case.name);
        }
        for case in TCP_CASES {
            assert!(names.insert(case.name), "{} stands twice", case.name);
        }
        assert!(Case::named("rate-2").is_some() && Case::named("rate").is_none());
    }
}
