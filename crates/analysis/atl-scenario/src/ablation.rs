//! Ablations: a scenario without one part of its protocols, to measure what that part contributes.

use std::fmt;
use std::str::FromStr;

/// A part of the protocols that a scenario can be run without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ablation {
    /// Reports of wireless links to the end systems (p_w, d_w, lost packets, changes of network),
    /// and what receivers pass on of them.
    LinkReports,
    /// Selective acknowledgments and time-based loss detection: every TCP with more than NewReno's
    /// recovery (RFC 6582) gets NewReno's.
    Recovery,
    /// Probes of a path before a mobile moves to it: the sender starts afresh there instead.
    Probing,
}

impl Ablation {
    /// All ablations, in the order in which they are listed.
    pub const ALL: [Ablation; 3] = [Ablation::LinkReports, Ablation::Recovery, Ablation::Probing];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Ablation::LinkReports => "link-reports",
            Ablation::Recovery => "recovery",
            Ablation::Probing => "probing",
        }
    }

    /// Description of the part, such as `reports of wireless links`.
    pub fn what(self) -> &'static str {
        match self {
            Ablation::LinkReports => "reports of wireless links",
            Ablation::Recovery => "recovery beyond NewReno's",
            Ablation::Probing => "probes of a new path",
        }
    }
}

impl fmt::Display for Ablation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of a text that names no [`Ablation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAblation(String);

impl fmt::Display for UnknownAblation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Ablation::ALL.map(Ablation::name).join(", ");
        write!(f, "`{}` cannot be left out: choose from {names}", self.0)
    }
}

impl std::error::Error for UnknownAblation {}

impl FromStr for Ablation {
    type Err = UnknownAblation;

    fn from_str(name: &str) -> Result<Self, UnknownAblation> {
        let named = Ablation::ALL.into_iter().find(|ablation| ablation.name() == name);
        named.ok_or_else(|| UnknownAblation(name.to_owned()))
    }
}
