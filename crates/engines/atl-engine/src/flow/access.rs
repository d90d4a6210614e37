//! News from the MACs of wireless links for the flows whose ends are at them.
//!
//! ```text
//!  sender --[own link]--> ... --[its own link]--> receiver
//!    ^ reports, handoffs, losses        ^ handoffs; it reads the state and reports it
//! ```
//!
//! A sender that uses link knowledge gets a [report](News::Report) of its own link every
//! [`Access::REPORT_EVERY`], and one after each change of network; every sender hears of handoffs
//! and of packets that its own link did not transmit. A receiver hears only of handoffs
//! ([`News::ReceiverMoved`]): it reads its link when it has something to send. A mobile moves from
//! one list to another ([`Access::on_signal`]).

use std::collections::BTreeSet;

use atl_core::path::{Handoff, LinkReport, PathSignal};
use atl_core::time::{Span, Time};
use atl_core::window::End;
use atl_endpoint::interruptions::Side;
use atl_link::{Cause, ChangeEvent};

use super::{Mobile, Wireless};

/// News from the MAC of an end's own wireless link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News {
    /// The state of the sender's link, which is given by its index.
    Report(usize, LinkReport),
    /// The sender's host changed networks.
    Handoff(Handoff),
    /// The receiver's host changed networks.
    ReceiverMoved,
}

/// A flow that starts.
#[derive(Clone, Copy, Debug)]
pub struct Hearing {
    /// The wireless links of its first path.
    pub wireless: Wireless,
    /// True if its sender uses reports of its own link.
    pub listens: bool,
    /// True if its receiver reports more than what arrived.
    pub reports: bool,
}

#[derive(Debug)]
struct Flow {
    hearing: Hearing,
    /// The wireless links at the source's own end, over all paths.
    own: Vec<u32>,
}

/// Which flows hear of which links now, and what they hear. Flows and links are given by index.
#[derive(Debug)]
pub struct Access {
    flows: Vec<Flow>,
    /// For each link, the flows whose sender is at its near end.
    senders: Vec<Vec<usize>>,
    /// For each link, the flows whose receiver is at its far end and reports.
    receivers: Vec<Vec<usize>>,
}

impl Access {
    /// Interval between reports of a link to the senders at its end.
    pub const REPORT_EVERY: Span = Span::from_millis(100);

    /// No flows yet, over this many links.
    pub fn new(links: usize) -> Self {
        let lists = || vec![Vec::new(); links];
        Access { flows: Vec::new(), senders: lists(), receivers: lists() }
    }

    /// Adds the next flow of the setup.
    pub fn add(&mut self, hearing: Hearing, mobile: Option<&Mobile>) {
        let own = match mobile {
            Some(mobile) => mobile.own_links().collect(),
            None => hearing.wireless.access.into_iter().collect(),
        };
        let flow = self.flows.len();
        self.flows.push(Flow { hearing, own });
        self.enter(flow);
    }

    /// The wireless links of the path that a flow is on.
    #[inline]
    pub fn wireless(&self, flow: usize) -> Wireless {
        self.flows[flow].hearing.wireless
    }

    /// Links that report to a sender at intervals, in order.
    pub fn reporting(&self) -> impl Iterator<Item = usize> {
        let listening = self.flows.iter().filter(|flow| flow.hearing.listens);
        let links: BTreeSet<u32> = listening.flat_map(|flow| &flow.own).copied().collect();
        links.into_iter().map(|link| link as usize)
    }

    /// Links that a receiver reads now, in order.
    pub fn read(&self) -> impl Iterator<Item = usize> {
        (0..self.receivers.len()).filter(|link| !self.receivers[*link].is_empty())
    }

    /// The network that a flow is in, for its samples: a mobile's cell, or how often the path's
    /// first wireless link has changed.
    pub fn network(
        &self,
        flow: usize,
        mobile: Option<&Mobile>,
        changes: impl FnOnce(usize) -> usize,
    ) -> u32 {
        match mobile {
            Some(mobile) => mobile.current().index() as u32,
            None => self.wireless(flow).first.map_or(0, |link| changes(link as usize) as u32),
        }
    }

    /// True if the MAC tells the sender that a data packet was lost on this link, the first one of
    /// its path or not.
    #[inline]
    pub fn tells_loss(&self, flow: usize, link: usize, first: bool, cause: Cause) -> bool {
        // With congestion, the MAC has transmitted it: it was lost further along the path.
        first && cause != Cause::Congestion && self.flows[flow].own.contains(&(link as u32))
    }

    /// A link reports its state to the senders at its end.
    pub fn on_report(&self, link: usize, report: LinkReport, tell: &mut dyn FnMut(usize, News)) {
        for &flow in &self.senders[link] {
            tell(flow, News::Report(link, report));
        }
    }

    /// A link changed, and is in this state now.
    pub fn on_change(
        &self,
        at: Time,
        link: usize,
        change: &ChangeEvent,
        report: LinkReport,
        tell: &mut dyn FnMut(usize, News),
    ) {
        let handoff = Handoff::new(at, End::Own, change.old_delay, change.new_delay);
        for &flow in &self.senders[link] {
            tell(flow, News::Handoff(handoff));
            tell(flow, News::Report(link, report));
        }
        for &flow in &self.receivers[link] {
            tell(flow, News::ReceiverMoved);
        }
    }

    /// The lower layers of a flow's mobile signal at `now`. If the mobile moves, its own link is
    /// another one from now on. Returns what its end is to hear after the signal itself; nothing
    /// before the flow's `start`. `keeps` is true of a sender that treats every path alike, and
    /// `read` gives the state of a link.
    pub fn on_signal(
        &mut self,
        (now, start): (Time, Time),
        flow: usize,
        (mobile, signal): (&Mobile, PathSignal),
        keeps: bool,
        read: &mut dyn FnMut(usize) -> LinkReport,
    ) -> impl Iterator<Item = News> + use<> {
        let mut news = [None, None];
        if let PathSignal::Done(path) = signal {
            let mut own = |wireless: Wireless| {
                let link = wireless.access? as usize;
                Some((link, read(link)))
            };
            let old = own(self.wireless(flow));
            self.leave(flow);
            self.flows[flow].hearing.wireless = mobile.wireless(path);
            self.enter(flow);
            let new = own(self.wireless(flow));
            match mobile.side() {
                _ if now < start => {}
                Side::Receiver => news[0] = Some(News::ReceiverMoved),
                Side::Sender => {
                    // A sender that starts anew on a new path knows nothing of the old link that
                    // could be shifted.
                    news[0] = old.zip(new).filter(|_| keeps).map(|((_, old), (_, new))| {
                        News::Handoff(Handoff::new(now, End::Own, old.delay, new.delay))
                    });
                    let listens = self.flows[flow].hearing.listens;
                    news[1] =
                        new.filter(|_| listens).map(|(link, report)| News::Report(link, report));
                }
            }
        }
        news.into_iter().flatten()
    }

    fn enter(&mut self, flow: usize) {
        let [sender, receiver] = self.lists(flow);
        sender.into_iter().chain(receiver).for_each(|list| list.push(flow));
    }

    fn leave(&mut self, flow: usize) {
        let [sender, receiver] = self.lists(flow);
        sender.into_iter().chain(receiver).for_each(|list| list.retain(|other| *other != flow));
    }

    /// The lists that name a flow, of its sender's link and its receiver's.
    fn lists(&mut self, flow: usize) -> [Option<&mut Vec<usize>>; 2] {
        let Hearing { wireless, reports, .. } = self.flows[flow].hearing;
        let sender = wireless.access.map(|link| &mut self.senders[link as usize]);
        let receiver = wireless.peer_access.filter(|_| reports);
        [sender, receiver.map(|link| &mut self.receivers[link as usize])]
    }
}
