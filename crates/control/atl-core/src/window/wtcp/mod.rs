//! WTCP (reconstructed): a rate that the receiver sets from the separations of packets when sent
//! and when received.
//!
//! Source: Sinha, Venkitaraman, Sivakumar, Bharghavan, "WTCP: A Reliable Transport Protocol for
//! Wireless Wide-Area Networks" (MobiCom 1999; with Nandagopal in Wireless Networks 8, 2002).
//! **Reconstructed**: its algorithms were not available. Its abstract says: rate-based, end to end,
//! the receiver controls the rate by the delays between packets. Later descriptions, not checked
//! against it, add: the ratio of the packets' separation at the receiver to that at the sender,
//! over a short and a long term; additive increase, multiplicative decrease; a loss is compared
//! with the mean and the mean deviation of the losses that an uncongested path had; packet-pair
//! start; no retransmission timer, but probes in a blackout.
//!
//! It has two halves: [`Receiver`] decides, its rate travels in ACKs, and [`Sender`] paces.
//!
//! Every number here is an assumption, and so is the decision table:
//!
//! | long-term ratio | short-term ratio | losses of this block | rate |
//! | --- | --- | --- | --- |
//! | above 1 + tolerance: the queue grows | any | any | decreases: times `decrease` |
//! | at most that | any | more than mean + `loss-deviations` mean deviations | decreases |
//! | at most that | outside 1 -+ `short-tolerance`: queue begins to grow, or still drains | as usual | holds |
//! | at most that | within | as usual | increases |
//!
//! - Only separations of packets that were sent directly one after the other count, so that a loss
//!   between them is not taken for a longer or a shorter separation.
//! - A decrease must show in the sender's separations before the next one (the time from asking to
//!   seeing it is the *feedback time* D, the receiver's own RTT). The averages begin anew then:
//!   measurements at the old rate say nothing about the new one. Without an answer the receiver
//!   continues after 4 D.
//! - Increase: `increase` packets per D in each D, like TCP's one packet per RTT. Not while the
//!   sender does not use its rate.
//! - Start: two packets back to back; the separation with which they arrive is the first rate. If
//!   the pair shows nothing (one was lost, or they arrive together) the first rate is the initial
//!   window per D.
//! - Without a history of losses a loss is congestion. There is one decrease per block for losses.
//!   A block in which the ratio showed no congestion becomes history, whatever was decided on it:
//!   otherwise a link that has become worse would count as congested for ever.
//! - The sender's retransmission timer remains. A timeout means a blackout, in which WTCP probes:
//!   only the retransmission is sent until an ACK arrives (at once, if only a retransmission was
//!   lost); then the sender continues at the rate that the receiver requests. The receiver treats
//!   the gap that the blackout left like any other loss.

mod losses;
mod receiver;
mod sender;
mod separation;

pub use receiver::Receiver;
pub use sender::Sender;

use super::{BuildController, ReceiverHalf, Start, WindowController};

/// Parameters of WTCP: all the receiver's except `guard`; rates are bounded at both ends.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Share of the rate that is kept after congestion, greater than 0 and less than 1.
    pub decrease: f64,
    /// Packets per feedback time that the rate gains in each feedback time without congestion;
    /// above 0, at most 1000.
    pub increase: f64,
    /// Packets of the long-term average, 2 to 10 000.
    pub long_packets: u32,
    /// Packets of the short-term average, 2 to 10 000.
    pub short_packets: u32,
    /// Largest excess of the long-term ratio over 1 that is not congestion; above 0, at most 1.
    pub tolerance: f64,
    /// Largest distance of the short-term ratio from 1 at which the rate increases; above 0, at
    /// most 1.
    pub short_tolerance: f64,
    /// Packets over which losses are counted, 8 to 100 000.
    pub loss_block: u32,
    /// Largest losses of a block, in mean deviations above the mean of uncongested blocks; 0 to
    /// 100.
    pub loss_deviations: f64,
    /// Window of the sender as a multiple of rate x SRTT, at least 1: it never binds while ACKs
    /// come.
    pub guard: f64,
    /// Least rate in packets per second, above 0.
    pub min_rate: f64,
    /// Largest rate in packets per second, at least `min_rate` and at most 10^9.
    pub max_rate: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            decrease: 0.75,
            increase: 1.0,
            long_packets: 64,
            short_packets: 8,
            tolerance: 0.05,
            short_tolerance: 0.15,
            loss_block: 256,
            loss_deviations: 2.0,
            guard: 2.0,
            min_rate: 1.0,
            max_rate: 1e6,
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let share = |x: f64| x > 0.0 && x <= 1.0;
        let average = |n: u32| (2..=10_000).contains(&n);
        if !(share(self.decrease) && self.decrease < 1.0) {
            return Err("decrease must be greater than 0 and less than 1");
        }
        if !(self.increase > 0.0 && self.increase <= 1000.0) {
            return Err("increase must be greater than 0 and at most 1000");
        }
        if !(average(self.long_packets) && average(self.short_packets)) {
            return Err("long-packets and short-packets must be from 2 to 10000");
        }
        if !(share(self.tolerance) && share(self.short_tolerance)) {
            return Err("tolerance and short-tolerance must be greater than 0 and at most 1");
        }
        if !(8..=100_000).contains(&self.loss_block) {
            return Err("loss-block must be from 8 to 100000");
        }
        if !(0.0..=100.0).contains(&self.loss_deviations) {
            return Err("loss-deviations must be from 0 to 100");
        }
        if !(self.guard >= 1.0 && self.guard <= 1000.0) {
            return Err("guard must be from 1 to 1000");
        }
        if !(self.min_rate > 0.0 && self.min_rate <= self.max_rate && self.max_rate <= 1e9) {
            return Err(
                "min-rate must be greater than 0, and max-rate at least min-rate and at most 1e9",
            );
        }
        Ok(())
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Sender::new(self, start))
    }

    fn build_receiver(&self, start: &Start) -> Option<Box<dyn ReceiverHalf>> {
        Some(Box::new(Receiver::new(self, start)))
    }
}

impl Config {
    /// These parameters, or the defaults if they are out of their ranges: rates stay finite even if
    /// a caller does not [`check`](BuildController::check) them.
    fn usable(&self) -> Config {
        match self.check() {
            Ok(()) => self.clone(),
            Err(_) => Config::default(),
        }
    }
}
