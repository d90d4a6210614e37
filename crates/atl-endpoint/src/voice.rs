//! What a receiver says beyond acknowledging: its wireless link, the rate that it wants, its window.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::window::{Arrived, End, Handoff, ReceiverHalf};

use crate::number::expand;
use crate::options::{Extras, WirelessOption};

/// A report that differs from the last one waits so long: p_w, a share over a window, differs nearly always.
const EVERY: Span = Span::from_millis(100);
/// A report is repeated after this time though nothing has changed: the ACK with the last one may be lost.
const REPEAT: Span = Span::from_secs(1);

/// What a receiver tells, in its ACKs, of the wireless link at its end (ATL paper, sec. IV-A, cases 2 and 3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Receiver {
    /// Its link's p_w and d_w and its handoffs, to a sender that listens.
    #[default]
    Aware,
    /// Nothing: it knows nothing of ATL.
    Unaware,
    /// These, whatever its link is like.
    Claims(LinkReport),
}

/// Where a receiver's reports come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reports {
    /// It makes none.
    None,
    /// The wireless link at its end.
    Link,
    /// What it claims, whatever its link is like.
    Claims(LinkReport),
}

/// The voice of a receiver that has something to say.
#[derive(Debug)]
pub struct Voice {
    half: Option<Box<dyn ReceiverHalf>>,
    reports: Reports,
    epoch: u32,
    said: Option<(Time, WirelessOption)>,
    closed: bool,
    /// The window has ever been closed: from then on each ACK tells how it stands.
    window_news: bool,
    newest_tx: u64,
    packet_bytes: u32,
}

impl Voice {
    /// A receiver with the receiving half of its protocol, and with a link that it reports of or claims of.
    pub fn new(half: Option<Box<dyn ReceiverHalf>>, reports: Reports, packet_bytes: u32) -> Self {
        Voice {
            half,
            reports,
            epoch: 0,
            said: None,
            closed: false,
            window_news: false,
            newest_tx: 0,
            packet_bytes,
        }
    }

    /// A data packet arrived: the low half of its transmission's number, and when that was sent.
    pub fn on_data(&mut self, now: Time, tx: u32, sent_at: Time) {
        let tx = expand(self.newest_tx, tx);
        self.newest_tx = self.newest_tx.max(tx);
        if let Some(half) = &mut self.half {
            half.on_data(&Arrived::new(now, tx, sent_at, self.packet_bytes));
        }
    }

    /// The host changed networks.
    pub fn on_handoff(&mut self) {
        self.epoch += 1;
        self.said = None;
    }

    /// The window is closed or opened; all ACKs tell it until it changes again.
    pub fn set_closed(&mut self, closed: bool) {
        self.closed = closed;
        self.window_news = true;
    }

    /// True if the next ACK might carry a report of the link: then its reading is wanted.
    pub fn wants_reading(&self, now: Time) -> bool {
        self.reports == Reports::Link && self.said.is_none_or(|(at, _)| now.since(at) >= EVERY)
    }

    /// What the ACK that is sent now says. `reading` is what the link reports, where it was wanted.
    pub fn extras(&mut self, now: Time, reading: Option<LinkReport>) -> Extras {
        let link = match self.reports {
            Reports::None => None,
            Reports::Link => reading,
            Reports::Claims(claim) => Some(claim),
        };
        let option = link.map(|link| WirelessOption { epoch: self.epoch, link });
        let wireless = option.filter(|option| match &self.said {
            None => true,
            Some((at, said)) => {
                let age = now.since(*at);
                age >= REPEAT || age >= EVERY && option != said
            }
        });
        if let Some(option) = wireless {
            self.said = Some((now, option));
        }
        Extras {
            wireless,
            rate: self.half.as_ref().and_then(|half| half.rate()),
            open: self.window_news.then_some(!self.closed),
        }
    }
}

/// What a sender makes of a report that reaches it, `last` being the last one that it heard: none of an old one
/// (ACKs may overtake each other, and one of a network that the receiver has left says nothing any more), else the
/// handoff that it tells of, if it does. Reports repeat the number of handoffs, so that the event of one that was lost
/// is known from the next.
pub fn hear(
    last: &mut Option<Box<WirelessOption>>,
    now: Time,
    option: &WirelessOption,
) -> Option<Option<Handoff>> {
    let since = |before: &WirelessOption| option.epoch.wrapping_sub(before.epoch).cast_signed();
    if last.as_deref().is_some_and(|before| since(before) < 0) {
        return None;
    }
    let before = last.replace(Box::new(*option));
    Some(
        before
            .filter(|before| since(before) > 0)
            .map(|before| Handoff::new(now, End::Peer, before.link.delay, option.link.delay)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Probability;

    fn link(loss: f64, ms: u64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
    }

    fn said(voice: &mut Voice, ms: u64, reading: LinkReport) -> Option<WirelessOption> {
        let now = Time::from_millis(ms);
        let reading = voice.wants_reading(now).then_some(reading);
        voice.extras(now, reading).wireless
    }

    #[test]
    fn a_report_goes_out_when_it_changes_and_again_after_a_second() {
        let mut voice = Voice::new(None, Reports::Link, 1040);
        let (a, b) = (link(0.01, 50), link(0.02, 50));
        assert_eq!(said(&mut voice, 0, a), Some(WirelessOption { epoch: 0, link: a }));
        assert_eq!(said(&mut voice, 50, b), None, "too soon");
        assert_eq!(said(&mut voice, 100, b), Some(WirelessOption { epoch: 0, link: b }));
        assert_eq!(said(&mut voice, 900, b), None, "nothing new");
        assert_eq!(said(&mut voice, 1100, b), Some(WirelessOption { epoch: 0, link: b }));
    }

    #[test]
    fn a_handoff_is_told_at_once_and_in_every_report_from_then_on() {
        let mut voice = Voice::new(None, Reports::Link, 1040);
        let (a, b) = (link(0.0, 10), link(0.0, 150));
        said(&mut voice, 0, a);
        voice.on_handoff();
        assert_eq!(said(&mut voice, 1, b), Some(WirelessOption { epoch: 1, link: b }));
        assert_eq!(said(&mut voice, 1001, b), Some(WirelessOption { epoch: 1, link: b }));
    }

    #[test]
    fn a_receiver_without_a_wireless_link_is_silent_and_a_liar_is_not() {
        let mut silent = Voice::new(None, Reports::None, 1040);
        assert_eq!(silent.extras(Time::ZERO, None), Extras::NONE);
        let lie = link(1.0, 10_000);
        let mut liar = Voice::new(None, Reports::Claims(lie), 1040);
        assert_eq!(said(&mut liar, 0, LinkReport::NONE).map(|o| o.link), Some(lie));
    }

    #[test]
    fn a_window_is_told_from_its_first_change_on() {
        let mut voice = Voice::new(None, Reports::None, 1040);
        assert_eq!(voice.extras(Time::ZERO, None).open, None);
        voice.set_closed(true);
        assert_eq!(voice.extras(Time::ZERO, None).open, Some(false));
        voice.set_closed(false);
        assert_eq!(voice.extras(Time::ZERO, None).open, Some(true));
    }
}
