//! Agents: they stand at the access point of a wireless link, between that link and the next one of
//! a path, and see what passes.
//!
//! An agent works without I/O, as endpoints do: it is handed packets and the time, and asked for
//! what to send. The event loop hosts it at a *place* of the routing table (`Door` in
//! `network.rs`), which costs nothing where no agent stands.

mod places;
pub mod snoop;

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_engine::setup;

use crate::packet::Packet;
use snoop::{Mobile, Repairer, Watcher};

pub(crate) use places::{Places, Spot};

/// The half or halves of Snoop that serve a flow: they depend on the end that is wireless.
#[derive(Debug)]
pub(crate) enum Role {
    /// Snoop for a wireless receiver.
    ToMobile(Repairer),
    /// Snoop for a wireless source: both its halves.
    FromMobile(Watcher, Mobile),
}

/// The agent of a flow at one access point.
#[derive(Debug)]
pub(crate) struct Station {
    /// Index of the flow.
    pub flow: u32,
    pub role: Role,
    /// Time that a packet takes to pass through.
    pub delay: Span,
    /// Packets passing through: when they leave, and which agent of their place is next.
    pub waiting: VecDeque<(Time, Packet, usize)>,
    /// Time of its event in the queue; [`Time::MAX`] without one.
    pub due: Time,
    /// The wireless link that the data takes, and where in the routing table copies start.
    pub air: u32,
    copies_from: u32,
    /// Where in the routing table requests to the mobile start, and their length in bytes.
    pub requests_from: u32,
    pub request_bytes: u16,
    /// Copies sent.
    pub copies: u64,
}

impl Station {
    pub(crate) fn new(
        agent: &setup::Agent,
        flow: u32,
        from_mobile: bool,
        air: u32,
        copies_from: u32,
    ) -> Self {
        let setup::Agent::Snoop(config) = agent;
        let role = if from_mobile {
            Role::FromMobile(Watcher::new(config), Mobile::new(config))
        } else {
            Role::ToMobile(Repairer::new(config))
        };
        Station {
            flow,
            role,
            delay: config.delay,
            waiting: VecDeque::new(),
            due: Time::MAX,
            air,
            copies_from,
            requests_from: copies_from,
            request_bytes: 0,
            copies: 0,
        }
    }

    /// When it has something to do; [`Time::MAX`]: never.
    pub(crate) fn next_event(&self) -> Time {
        let timer = match &self.role {
            Role::ToMobile(repairer) => repairer.next_timer(),
            Role::FromMobile(watcher, _) => watcher.next_timer(),
        };
        self.waiting.front().map_or(timer, |&(at, ..)| at.min(timer))
    }

    pub(crate) fn poll_copy(&mut self) -> Option<Packet> {
        let copy = match &mut self.role {
            Role::ToMobile(repairer) => repairer.poll_copy(),
            Role::FromMobile(_, mobile) => mobile.poll_copy(),
        }?;
        Some(Packet { hop: self.copies_from, ..copy })
    }

    pub(crate) fn on_refused(&mut self, copy: &Packet) {
        match &mut self.role {
            Role::ToMobile(repairer) => repairer.on_refused(copy),
            Role::FromMobile(_, mobile) => mobile.on_refused(copy),
        }
    }
}
