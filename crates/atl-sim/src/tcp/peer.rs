//! What a sender hears of the wireless link at the receiver's end (ATL paper, sec. IV-A, cases 2 and 3).

use atl_core::time::Time;
use atl_core::window::{End, Handoff, WindowController};

use super::sender::Sender;
use crate::packet::WirelessOption;

impl Sender {
    /// An ACK carried a report. Reports repeat the number of handoffs, so that the event of one whose ACK was lost
    /// is known from the next. The retransmission timer trusts none of it: the samples that come over the new
    /// network are what moves it.
    pub fn on_wireless_option(&mut self, now: Time, option: &WirelessOption) {
        let before = self.peer.replace(Box::new(*option));
        if let Some(before) = before
            // ACKs may overtake each other; the epoch never goes back.
            && option.epoch.wrapping_sub(before.epoch).cast_signed() > 0
        {
            self.controller.on_handoff(&Handoff {
                now,
                end: End::Peer,
                old_delay: before.link.delay,
                new_delay: option.link.delay,
            });
        }
        self.controller.on_peer_report(now, &option.link);
    }

    /// An ACK carried the rate that the receiver asks for, in packets per second.
    pub fn on_peer_rate(&mut self, now: Time, packets_per_sec: f64) {
        self.controller.on_peer_rate(now, packets_per_sec);
    }
}
