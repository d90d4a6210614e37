//! Paths that a connection knows of: QUIC's multipath extension.

use std::time::Instant;

use atl_core::path::PathSignal;
use atl_core::roaming::{NewPath, Probe};
use atl_core::time::Time;
use atl_endpoint::interruptions::Side;
use atl_engine::setup::FlowSetup;
use atl_noq::PathHandle;
use atl_noq::roaming::{self, Config, Happened, Roaming};
use noq_proto::{Connection, FourTuple, PathEvent, PathId};

use crate::address::Role;

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Multipath {
    mobile: Side,
    configs: [Config; 2],
    ends: [Option<Roaming>; 2],
    wakes: [Time; 2],
    /// Signals that came during the handshake.
    waiting: Vec<PathSignal>,
    handoffs: u64,
}

/// Parameters of an end whose sender does this with new paths.
fn config(side: Side, mobile: Side, plan: &FlowSetup, new_path: NewPath) -> Config {
    let role = if side == mobile { roaming::Role::Mobile } else { roaming::Role::Fixed };
    let config = Config::new(role);
    // The receiver sends little: it knows nothing of a new path, and needs to know nothing.
    if side == Side::Receiver {
        return config.new_path(NewPath::Reset);
    }
    config.new_path(match new_path {
        NewPath::Probe(probe) => {
            let dummies = probe.dummies.unwrap_or(Probe::MOST_DUMMIES);
            NewPath::Probe(Probe { dummies: Some(dummies.min(plan.tcp.receive_window)), ..probe })
        }
        other => other,
    })
}

impl Multipath {
    pub(super) fn new(mobile: Side, plan: &FlowSetup, new_path: NewPath) -> Self {
        Multipath {
            mobile,
            configs: [Side::Sender, Side::Receiver]
                .map(|side| config(side, mobile, plan, new_path)),
            ends: [None, None],
            wakes: [Time::MAX; 2],
            waiting: Vec::new(),
            handoffs: 0,
        }
    }

    /// Roaming of the sender and of the receiver.
    pub(crate) fn configs(&self) -> &[Config; 2] {
        &self.configs
    }

    pub(super) fn next(&self) -> Time {
        let [sender, receiver] = self.wakes;
        sender.min(receiver)
    }

    pub(super) fn handoffs(&self) -> u64 {
        self.handoffs
    }

    pub(super) fn on_connected(
        &mut self,
        side: Side,
        role: Role,
        at: Instant,
        current: usize,
        connection: &mut Connection,
    ) {
        let known = connection.network_path(PathId::ZERO).ok();
        // A client does not know its own address until something arrives there.
        let first =
            known.filter(|network| network.local_ip().is_some()).unwrap_or(role.over(current));
        self.ends[side as usize] =
            Some(Roaming::new(at, self.configs[side as usize], first, connection));
        if side == self.mobile {
            for signal in std::mem::take(&mut self.waiting) {
                self.signal(at, signal);
            }
        }
    }

    pub(super) fn signal(&mut self, at: Instant, signal: PathSignal) {
        let Some(roaming) = &mut self.ends[self.mobile as usize] else {
            self.waiting.push(signal);
            return;
        };
        let network = Role::Client.over(signal.path().index());
        match signal {
            PathSignal::Imminent(_) => roaming.on_imminent(at, network),
            PathSignal::Done(_) => roaming.on_done(at, network),
            PathSignal::Gone(_) => roaming.on_gone(at, network),
        }
    }

    pub(super) fn on_path_event(
        &mut self,
        side: Side,
        at: Instant,
        event: &PathEvent,
        connection: &mut Connection,
    ) {
        if let Some(roaming) = &mut self.ends[side as usize] {
            roaming.on_path_event(at, event, connection);
        }
    }

    pub(super) fn poll(
        &mut self,
        side: Side,
        at: Instant,
        time: impl Fn(Instant) -> Time,
        connection: &mut Connection,
    ) {
        let Some(roaming) = &mut self.ends[side as usize] else { return };
        self.wakes[side as usize] = roaming.poll(at, connection).map_or(Time::MAX, time);
        for happened in roaming.take_happened() {
            if side == Side::Sender && matches!(happened, Happened::Moved { .. }) {
                self.handoffs += 1;
            }
        }
    }

    fn sender(&self) -> Option<&Roaming> {
        self.ends[Side::Sender as usize].as_ref()
    }

    /// The path of the sender's data, and one beside it.
    pub(crate) fn in_use(&self) -> (PathId, Option<PathId>) {
        let sender = self.sender();
        let current = sender.and_then(Roaming::current).unwrap_or(PathId::ZERO);
        (current, sender.and_then(Roaming::beside))
    }

    /// The sender's controller on a path, if it is one of this workspace.
    pub(crate) fn handle(&self, path: PathId) -> Option<&PathHandle> {
        self.sender()?.handle(path)
    }

    /// The sender's path over a network.
    pub(crate) fn path_over(&self, network: FourTuple) -> Option<PathId> {
        self.sender()?.path_over(network)
    }

    /// True if what an end sends over a network now are probes.
    pub(crate) fn is_probing(&self, side: Side, network: FourTuple) -> bool {
        let Some(roaming) = &self.ends[side as usize] else { return false };
        roaming.path_over(network).is_some_and(|path| roaming.is_probing(path))
    }
}
