//! The networks of a mobile's flow, and its connection as the mobile moves from one to another. No
//! other flow has this part.

mod beneath;
mod multipath;

use std::time::Instant;

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::NewPath;
use atl_core::time::Time;
use atl_endpoint::interruptions::Side;
use atl_engine::flow;
use atl_engine::setup::{FlowSetup, LinkSetup, MobileStep};
use noq_proto::{Connection, PathEvent};

use crate::address::Role;
use beneath::path_id;

pub(super) use beneath::Beneath;
pub(super) use multipath::Multipath;

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Mobile {
    host: flow::Mobile,
    switch: Switch,
}

/// The layer that knows of a change of path.
#[derive(Debug)]
enum Switch {
    /// Nobody at the ends: a layer beneath QUIC keeps the mobile's address (Mobile IP).
    Beneath(Box<Beneath>),
    /// Both ends: the mobile has an address in each network, and the connection a path over each.
    Multipath(Box<Multipath>),
}

impl Mobile {
    /// The paths of a flow; `None` if neither end moves. Its session has a key if notices are
    /// signed.
    pub(super) fn new(
        plan: &FlowSetup,
        steps: &[MobileStep],
        links: &[LinkSetup],
        seed: u64,
    ) -> Option<Self> {
        let host = flow::Mobile::new(plan, steps, links)?;
        let side = host.side();
        let switch = match plan.protocol.new_path {
            NewPath::Keep => {
                Switch::Beneath(Box::new(Beneath::new(side, flow::session_key(plan, seed))))
            }
            new_path => Switch::Multipath(Box::new(Multipath::new(side, plan, new_path))),
        };
        Some(Mobile { host, switch })
    }

    /// The end that moves.
    pub(crate) fn side(&self) -> Side {
        self.host.side()
    }

    /// The host that moves.
    pub(crate) fn host(&self) -> &flow::Mobile {
        &self.host
    }

    /// The path that it is on.
    pub(super) fn current(&self) -> usize {
        self.host.current().index()
    }

    /// True if the mobile can be reached on this path.
    pub(crate) fn is_present(&self, path: usize) -> bool {
        self.host.is_present(path_id(path))
    }

    /// True if the ends do not know of the paths.
    pub(crate) fn is_beneath(&self) -> bool {
        matches!(self.switch, Switch::Beneath(_))
    }

    /// The path of a mobile source that begins with this link.
    pub(super) fn path_from(&self, link: u32) -> Option<usize> {
        self.host.path_from(link).map(PathId::index)
    }

    /// When it has something to do but the next signal of its lower layers.
    pub(super) fn next(&self) -> Time {
        match &self.switch {
            Switch::Beneath(beneath) => beneath.next(),
            Switch::Multipath(multipath) => multipath.next(),
        }
    }

    /// When its lower layers next signal; [`Time::MAX`]: never again.
    pub(super) fn next_signal(&self) -> Time {
        self.host.next_step().unwrap_or(Time::MAX)
    }

    /// The next signal of its lower layers that is due. What it changes for the network is changed;
    /// the connection has yet [to be told](Self::tell).
    pub(super) fn step(&mut self, now: Time) -> Option<PathSignal> {
        self.host.step(now)
    }

    /// The connection is told of a signal, or the layer beneath it if that hides it. `begun` is
    /// false before its start.
    pub(super) fn tell(&mut self, now: Time, at: Instant, signal: PathSignal, begun: bool) {
        match &mut self.switch {
            Switch::Beneath(beneath) => beneath.signal(now, signal, begun),
            Switch::Multipath(multipath) if begun => multipath.signal(at, signal),
            // It begins on the path that the mobile is on by then.
            Switch::Multipath(_) => {}
        }
    }

    /// The path of a datagram that an end sends over the client's network with this index.
    pub(super) fn path(&self, from: Side, network: usize) -> usize {
        match &self.switch {
            Switch::Beneath(beneath) if from == self.side() => beneath.of_mobile(&self.host),
            Switch::Beneath(beneath) => beneath.of_peer(),
            Switch::Multipath(_) => network,
        }
    }

    /// The client's network over which a datagram seems to come that took this path.
    pub(super) fn network(&self, path: usize) -> usize {
        if self.is_beneath() { 0 } else { path }
    }

    /// A datagram arrived at an end.
    pub(super) fn on_arrival(&mut self, at: Side, path: usize) {
        if let Switch::Beneath(beneath) = &mut self.switch {
            let at_mobile = at == self.host.side();
            beneath.on_arrival(at_mobile, path);
        }
    }

    /// The layer beneath the connection, if that hides the paths.
    pub(super) fn beneath(&mut self) -> Option<&mut Beneath> {
        match &mut self.switch {
            Switch::Beneath(beneath) => Some(beneath),
            Switch::Multipath(_) => None,
        }
    }

    /// The paths of the connection, if it knows of them.
    pub(super) fn multipath(&self) -> Option<&Multipath> {
        match &self.switch {
            Switch::Beneath(_) => None,
            Switch::Multipath(multipath) => Some(multipath),
        }
    }

    /// An end has completed the handshake.
    pub(super) fn on_connected(
        &mut self,
        side: Side,
        role: Role,
        at: Instant,
        connection: &mut Connection,
    ) {
        if let Switch::Multipath(multipath) = &mut self.switch {
            let current = self.host.current().index();
            multipath.on_connected(side, role, at, current, connection);
        }
    }

    /// A connection tells of one of its paths.
    pub(super) fn on_path_event(
        &mut self,
        side: Side,
        at: Instant,
        event: &PathEvent,
        connection: &mut Connection,
    ) {
        if let Switch::Multipath(multipath) = &mut self.switch {
            multipath.on_path_event(side, at, event, connection);
        }
    }

    /// An end does with its paths what is due.
    pub(super) fn poll(
        &mut self,
        side: Side,
        at: Instant,
        time: impl Fn(Instant) -> Time,
        connection: &mut Connection,
    ) {
        if let Switch::Multipath(multipath) = &mut self.switch {
            multipath.poll(side, at, time, connection);
        }
    }

    /// Changes of path that the sender made.
    pub(super) fn handoffs(&self) -> u64 {
        match &self.switch {
            Switch::Beneath(beneath) => beneath.handoffs(),
            Switch::Multipath(multipath) => multipath.handoffs(),
        }
    }
}
