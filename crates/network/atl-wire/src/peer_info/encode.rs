//! Encoding of a receiver's reports.

use super::form::{CERTAIN, LINK, MAX_LEN, OPEN, RATE, VERSION, WINDOW};
use crate::message::PeerInfo;
use crate::octets::Octets;

/// An encoded message: read it as a slice.
pub type Message = Octets<MAX_LEN>;

/// Encodes a receiver's reports. p_w is rounded to the nearest multiple of 1 / (2^32 - 1), d_w down
/// to whole microseconds. A rate that is not finite or is negative, which no receiver asks for, is
/// left out.
pub fn encode(info: &PeerInfo) -> Message {
    let rate = info.rate.filter(|rate| rate.is_finite() && *rate >= 0.0);
    let mut flags = 0;
    if info.link_report.is_some() {
        flags |= LINK;
    }
    if rate.is_some() {
        flags |= RATE;
    }
    if let Some(open) = info.window_open {
        flags |= WINDOW | if open { OPEN } else { 0 };
    }
    let mut message = Message::new();
    message.push(&[VERSION << 4 | flags]);
    if let Some(report) = info.link_report {
        // Between 0 and 2^32 - 1, so that the conversion is exact.
        let loss = libm::round(report.link.loss.get() * CERTAIN) as u32;
        let delay = u32::try_from(report.link.delay.nanos() / 1000).unwrap_or(u32::MAX);
        message.push(&report.epoch.to_be_bytes());
        message.push(&loss.to_be_bytes());
        message.push(&delay.to_be_bytes());
    }
    if let Some(rate) = rate {
        // -0.0 becomes 0, because each value has one form.
        message.push(&(rate + 0.0).to_be_bytes());
    }
    message
}
