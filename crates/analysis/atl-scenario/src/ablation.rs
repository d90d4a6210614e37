//! Ablations: a scenario without one part of its protocols, to measure what that part contributes.

use std::fmt;
use std::str::FromStr;

use atl_endpoint::handoff::NewPath;

use crate::hash::Fingerprint;
use crate::scenario::{Point, Scenario};
use atl_engine::protocol::{Recovery, Transport};
use atl_engine::setup::{FlowSetup, ReceiverAwareness, Setup};

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

    /// The scenario without the part. It has only the points at which that changes something, and
    /// neither figures nor quotes, which are about the whole. `None` if there is no such point.
    pub fn of(self, scenario: &Scenario) -> Option<Scenario> {
        let points: Vec<Point> = scenario.points.iter().filter_map(|p| self.of_point(p)).collect();
        if points.is_empty() {
            return None;
        }
        let mut print = Fingerprint::new();
        print.text("scenario", &scenario.hash);
        print.text("without", self.name());
        Some(Scenario {
            hash: print.hex(),
            without: Some(self),
            points,
            figures: Vec::new(),
            quotes: Vec::new(),
            ..scenario.clone()
        })
    }

    fn of_point(self, point: &Point) -> Option<Point> {
        let mut setup = point.setup.clone();
        let changed = match self {
            Ablation::LinkReports => without_reports(&mut setup),
            Ablation::Recovery => each_flow(&mut setup, without_recovery),
            Ablation::Probing => each_flow(&mut setup, without_probing),
        };
        changed.then(|| Point { vars: point.vars.clone(), setup })
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

/// Changes every flow; true if that changed any.
fn each_flow(setup: &mut Setup, change: fn(&mut FlowSetup) -> bool) -> bool {
    let mut changed = false;
    for flow in &mut setup.flows {
        changed |= change(flow);
    }
    changed
}

fn without_reports(setup: &mut Setup) -> bool {
    let wireless = setup.links.iter().any(|link| link.wireless);
    let claims = |flow: &FlowSetup| matches!(flow.receiver, ReceiverAwareness::Claims(_));
    let heard =
        setup.flows.iter().any(|flow| flow.protocol.listens() && (wireless || claims(flow)));
    for link in &mut setup.links {
        link.wireless = false;
    }
    for flow in &mut setup.flows {
        flow.receiver = ReceiverAwareness::Unaware;
    }
    heard
}

fn without_recovery(flow: &mut FlowSetup) -> bool {
    let Transport::Tcp(tcp) = &mut flow.protocol.transport else { return false };
    let plain = matches!(
        tcp.recovery,
        Recovery::GoBackN | Recovery::Tahoe | Recovery::Reno | Recovery::NewReno
    );
    if !plain {
        tcp.recovery = Recovery::NewReno;
    }
    !plain
}

fn without_probing(flow: &mut FlowSetup) -> bool {
    let probes = flow.mobile.is_some() && matches!(flow.protocol.new_path, NewPath::Probe(_));
    if probes {
        flow.protocol.new_path = NewPath::Reset;
    }
    probes
}
