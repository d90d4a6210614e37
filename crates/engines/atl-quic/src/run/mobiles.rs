//! Mobiles: their signals reach the ends of their flows, and the links that these ends have reports of are others.

use atl_core::path::PathSignal;
use atl_core::time::Span;
use atl_core::window::{End, Handoff};
use atl_endpoint::interruptions::Side;
use atl_engine::Stopped;

use super::Run;

impl Run {
    /// What the lower layers of a flow's mobile signal now.
    pub(super) fn signals(&mut self, index: usize) -> Result<(), Stopped> {
        while let Some(signal) = self.flows[index].step(self.now) {
            let old_delay = self.access_delay(index);
            let moved = matches!(signal, PathSignal::Done(_));
            if moved {
                self.place(index);
            }
            let new_delay = self.access_delay(index);
            let flow = &mut self.flows[index];
            flow.tell(self.now, signal);
            let Some(mobile) = &flow.mobile else { continue };
            if !moved || self.now < flow.start {
                continue;
            }
            if mobile.side() == Side::Receiver {
                flow.on_receiver_handoff();
                self.report(index)?;
                continue;
            }
            // A sender that begins anew on a new path knows nothing of the old link that could be shifted.
            if mobile.is_beneath()
                && let (Some(old), Some(new)) = (old_delay, new_delay)
            {
                flow.on_handoff(Handoff::new(self.now, End::Own, old, new));
            }
            if flow.listens()
                && let Some(link) = flow.wireless.access
            {
                let report = self.relay.report(link as usize, self.now);
                self.flows[index].on_link_report(link as usize, report);
            }
        }
        Ok(())
    }

    /// One-way delay of the wireless link at the source, if there is one.
    fn access_delay(&mut self, index: usize) -> Option<Span> {
        let link = self.flows[index].wireless.access?;
        Some(self.relay.report(link as usize, self.now).delay)
    }

    /// The mobile's own link is another one from now on.
    fn place(&mut self, index: usize) {
        let flow = &mut self.flows[index];
        let Some(mobile) = &flow.mobile else { return };
        let (old, new) = (flow.wireless, mobile.wireless());
        flow.wireless = new;
        let reports = flow.reports();
        let list = |lists: &mut [Vec<usize>], old: Option<u32>, new: Option<u32>| {
            if let Some(link) = old {
                lists[link as usize].retain(|flow| *flow != index);
            }
            if let Some(link) = new {
                lists[link as usize].push(index);
            }
        };
        list(&mut self.senders, old.access, new.access);
        let peer = |link: Option<u32>| link.filter(|_| reports);
        list(&mut self.receivers, peer(old.peer_access), peer(new.peer_access));
    }
}
