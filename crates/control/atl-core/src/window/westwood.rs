//! TCP Westwood: after a loss the window follows the measured rate of ACKs.
//!
//! Source: Casetti, Gerla, Mascolo, Sanadidi, Wang (MobiCom 2001), sec. 2 and 3; the authors' ns-2
//! module `tcp-westwood-nr` for what the paper leaves open. Westwood+ (2004), which samples once
//! per RTT, is another protocol. On NewReno recovery this is Taleb's "Westwood-NR".
//!
//! BWE is measured on every ACK, duplicates included ([`AckRate`]). Three duplicate ACKs: ssthresh
//! = BWE RTTmin (in packets), cwnd = min(cwnd, ssthresh). RTO: the same ssthresh, cwnd = 1. Growth
//! is Reno's.
//!
//! Left open by the source, and chosen:
//! - tau = 1 s and m = 2, the ns-2 module's; ssthresh is at least 2, as its later versions have it;
//! - a duplicate ACK counts one packet, and the cumulative ACK after it leaves out what duplicates
//!   have already counted; with SACK the ACK itself shows what arrived. ns-2 also counts at most
//!   two packets per ACK; here an ACK counts all that it shows, since the packets of a lost ACK did
//!   arrive;
//! - RTTmin is that of the connection, as the sender measures it. A handoff does not change it: the
//!   source has no handoffs.

use core::num::NonZeroU32;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Loss, Start, Timeout, WindowController,
};
use crate::measure::AckRate;
use crate::time::Span;

/// Parameters of [`Westwood`]: its filter.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// tau: time constant of the filter in seconds, at least 0.001.
    pub tau: f64,
    /// m: each tau/m without an ACK adds a virtual sample of rate zero; 1 to 10.
    pub m: u32,
    /// The events that make the window grow.
    pub counting: Counting,
}

impl Default for Config {
    fn default() -> Self {
        Config { tau: 1.0, m: 2, counting: Counting::default() }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(self.tau >= 0.001 && self.tau.is_finite()) {
            return Err("tau must be a time of at least 0.001 s");
        }
        if !((1..=10).contains(&self.m)) {
            return Err("m must be from 1 to 10");
        }
        Ok(())
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Westwood::new(self, start))
    }
}

/// A window that a loss sets to the measured bandwidth times the least RTT.
#[derive(Clone, Debug)]
pub struct Westwood {
    window: Window,
    counting: Counting,
    bandwidth: AckRate,
    rtt_min: Span,
    /// Packets that duplicate ACKs have counted and the cumulative ACK point has not passed.
    counted: u32,
}

impl Westwood {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        Westwood {
            window: Window::new(start),
            counting: config.counting,
            bandwidth: AckRate::new(Span::from_secs_f64(config.tau), config.m),
            rtt_min: Span::ZERO,
            counted: 0,
        }
    }

    /// BWE in packets per second.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidth.packets_per_sec()
    }

    /// Packets that this ACK stands for in the estimate, at least one.
    fn acked(&mut self, ack: &Ack) -> u32 {
        if ack.duplicate {
            if ack.delivered == 0 {
                self.counted = self.counted.saturating_add(1);
            }
            return ack.delivered.max(1);
        }
        let before = self.counted.min(ack.cumulative);
        self.counted -= before;
        ack.delivered.saturating_sub(before).max(1)
    }

    fn pipe(&self) -> f64 {
        self.bandwidth.packets_per_sec() * self.rtt_min.secs()
    }
}

impl WindowController for Westwood {
    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        self.rtt_min = ack.rtt_min;
        let acked = self.acked(ack);
        self.bandwidth.on_delivered(ack.now, f64::from(acked));
        self.window.grow(ack, self.counting, Aimd::TCP.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.set_ssthresh(self.pipe());
            self.window.cwnd = self.window.cwnd.min(self.window.ssthresh);
        }
    }

    fn on_timeout(&mut self, _timeout: &Timeout) {
        self.window.set_ssthresh(self.pipe());
        self.window.cwnd = 1.0;
    }

    #[inline]
    fn window(&self) -> f64 {
        self.window.cwnd
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.counting.limit()
    }
}
