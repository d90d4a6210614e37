//! Scenarios without a part of their protocols.

use atl_core::roaming::NewPath;
use atl_engine::protocol::{Recovery, Transport};
use atl_engine::setup::{FlowSetup, ReceiverAwareness, Setup};

use crate::ablation::Ablation;
use crate::hash::Fingerprint;
use crate::scenario::{Point, Scenario};

impl Ablation {
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
        Recovery::GoBackN
            | Recovery::Tahoe
            | Recovery::Reno
            | Recovery::NewReno
            | Recovery::TahoeNs2
            | Recovery::RenoNs2
            | Recovery::NewRenoNs2
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
