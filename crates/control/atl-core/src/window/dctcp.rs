//! DCTCP: a Reno whose reaction to marks follows the share of marked packets.
//!
//! Source: RFC 8257. It is for data centres, where switches mark at a short queue, and here for
//! comparison with [`prague`](super::prague): on the Internet its flows starve Reno's wherever both
//! share a queue (sec. 5). docs/protocols/modern.md lists the rules.
//!
//! Left open by the source, and chosen:
//! - packets are counted, not bytes (sec. 3.3 counts bytes): segments are full but for the last;
//! - growth goes on during the round trip after a reduction, as in Reno here;
//! - the window keeps two packets after a mark, as Reno's does after a loss.

use core::num::NonZeroU32;

use super::aimd::Window;
use super::marked_share::MarkedShare;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Halving, Loss, MarkResponse, Marked, Sent,
    Start, Timeout, WindowController,
};

/// Parameters of [`Dctcp`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// g: weight of the newest window in the share of marked packets, greater than 0 and at most 1.
    /// 1/16, which implementations use (RFC 8257, sec. 4.2).
    pub gain: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { gain: 1.0 / 16.0 }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let usable = self.gain > 0.0 && self.gain <= 1.0;
        if usable { Ok(()) } else { Err("gain must be greater than 0 and at most 1") }
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Dctcp::new(self, start))
    }
}

/// Reno's window, and the share of its packets that are marked.
#[derive(Clone, Debug)]
pub struct Dctcp {
    window: Window,
    share: MarkedShare,
    next_tx: u64,
    /// The first transmission of the next window of data.
    period_ends: u64,
    /// Marks of earlier transmissions cause no further reduction.
    reacted: u64,
}

impl Dctcp {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let config = if config.check().is_ok() { config } else { &Config::default() };
        Dctcp {
            window: Window::new(start),
            share: MarkedShare::new(config.gain),
            next_tx: 0,
            period_ends: 0,
            reacted: 0,
        }
    }

    /// alpha: the smoothed share of marked packets, from 0 to 1.
    pub fn marked_share(&self) -> f64 {
        self.share.alpha()
    }
}

impl WindowController for Dctcp {
    fn on_sent(&mut self, sent: &Sent) {
        self.next_tx = sent.tx.saturating_add(1);
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.share.on_delivered(ack.delivered);
        if ack.newest.is_some_and(|(tx, _)| tx >= self.period_ends) {
            self.period_ends = self.next_tx;
            self.share.end();
        }
        self.window.grow(ack, Counting::Packets, Aimd::TCP.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        // Sec. 3.5: to a loss it reacts as any TCP.
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.reduce(Aimd::TCP.beta, Halving::Window, loss);
            self.reacted = self.next_tx;
        }
    }

    fn on_marked(&mut self, marked: &Marked) {
        self.share.on_marked(marked.packets);
        self.share.settle();
        if marked.packets > 0 && marked.tx >= self.reacted {
            self.reacted = self.next_tx;
            let kept = 1.0 - 0.5 * self.share.alpha();
            self.window.reduce(kept, Halving::Window, &marked.as_loss());
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window.collapse(Aimd::TCP.beta, Halving::Window, timeout);
    }

    fn window(&self) -> f64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        Counting::Packets.limit()
    }

    fn mark_response(&self) -> MarkResponse {
        MarkResponse::Share
    }
}
