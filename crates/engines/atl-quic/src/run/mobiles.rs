//! Mobiles: their signals reach the ends of their flows, and the links that these ends have reports
//! of are others.

use atl_core::path::PathSignal;
use atl_endpoint::interruptions::Side;
use atl_engine::Stopped;

use super::{Run, next_signal};

impl Run {
    /// The lower layers of a flow's mobile signal what is due.
    pub(super) fn signals(&mut self, index: usize) -> Result<(), Stopped> {
        let now = self.now;
        while let Some(signal) = self.flows[index].step(now) {
            let flow = &mut self.flows[index];
            let Some(mobile) = &flow.mobile else { continue };
            let (keeps, times) = (mobile.is_beneath(), (now, flow.start));
            let mut read = |link| self.relay.report(link, now);
            let told = (mobile.host(), signal);
            let news = self.access.on_signal(times, index, told, keeps, &mut read);
            let reports = mobile.side() == Side::Receiver && now >= flow.start;
            flow.tell(now, signal);
            news.for_each(|news| flow.hear(news));
            if reports && matches!(signal, PathSignal::Done(_)) {
                self.report(index)?;
            }
        }
        self.next_signal = next_signal(&self.flows);
        Ok(())
    }
}
