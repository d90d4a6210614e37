//! DualPI2: a shallow queue for L4S beside one for all others, whose signals are coupled so that
//! flows of both kinds get about the same rate (RFC 9332, appendix A, and Linux's `sch_dualpi2`).
//!
//! A proportional-integral controller moves a base probability p'. What leaves the classic queue is
//! dropped or marked with p'^2, what leaves the L queue is marked with k p', or because it has
//! waited for longer than the step. Signals are spread evenly instead of drawn at random: the RFC's
//! `recur`.

use atl_core::time::{Span, Time};

use super::drop_tail::DropTail;
use super::updates::Updates;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::ecn::Ecn;
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// Dual-queue coupled AQM with PI2 (De Schepper, Briscoe, White, RFC 9332, 2023). The defaults are
/// those of Linux.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualPi2 {
    /// The queueing delay aimed at in the classic queue: 15 ms.
    pub target: Span,
    /// Time between two updates of p': 16 ms.
    pub update: Span,
    /// Weight of the distance from the target, per second of it: 41/256 Hz.
    pub alpha: f64,
    /// Weight of the change since the last update: 819/256 Hz.
    pub beta: f64,
    /// Packets that have waited longer than this in the L queue are marked: 1 ms.
    pub step: Span,
    /// The step marks only if this many packets stay behind in the L queue: 0. RFC 9332 has 1,
    /// which spares a link on which one packet takes longer than the step.
    pub step_packets: u32,
    /// k: how much more often the L queue marks than the square root of the classic queue's
    /// signals: 2.
    pub coupling: f64,
    /// Share of the bytes that the classic queue may send while packets wait in both: 0.1.
    pub protection: f64,
    /// Where k p' reaches 1 the L queue drops too, with p'^2, and the classic queue drops what it
    /// would mark. Otherwise p' ends at 1/k, packets that can be marked are only marked, and both
    /// queues grow until they are full.
    pub drop_on_overload: bool,
    /// No signal of the controller hits a packet that leaves less than two of this length behind,
    /// in bytes: 1514.
    pub mtu: u32,
}

impl Default for DualPi2 {
    fn default() -> Self {
        DualPi2 {
            target: Span::from_millis(15),
            update: Span::from_millis(16),
            alpha: 41.0 / 256.0,
            beta: 819.0 / 256.0,
            step: Span::from_millis(1),
            step_packets: 0,
            coupling: 2.0,
            protection: 0.1,
            drop_on_overload: true,
            mtu: 1514,
        }
    }
}

impl BuildDiscipline for DualPi2 {
    fn check(&self) -> Result<(), &'static str> {
        if self.target.is_zero() || self.update.is_zero() {
            return Err("`target` and `update` must be above 0");
        }
        if !(self.alpha.is_finite() && self.alpha >= 0.0) {
            return Err("`alpha` must not be negative");
        }
        if !(self.beta.is_finite() && self.beta >= 0.0) {
            return Err("`beta` must not be negative");
        }
        if !(1.0..=255.0).contains(&self.coupling) {
            return Err("`coupling` must be from 1 to 255");
        }
        if !(0.0..=1.0).contains(&self.protection) {
            return Err("`protection` must be from 0 to 1");
        }
        Ok(())
    }

    /// Linux's 10 000 packets.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(10_000))
    }

    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let all = Limit::Packets(u32::MAX);
        Box::new(Dual {
            config: *self,
            limit,
            classic: DropTail::new(all),
            low: DropTail::new(all),
            controller: Controller::new(self),
            credit: self.credit(),
            classic_signals: Recur::default(),
            low_marks: Recur::default(),
            low_drops: Recur::default(),
        })
    }
}

impl DualPi2 {
    /// The credit at the beginning, which favours the queue with the larger share.
    fn credit(&self) -> f64 {
        f64::from(self.mtu) * (2.0 * self.protection - 1.0)
    }
}

/// Strikes as often as the sum of probabilities has grown by 1 (RFC 9332, appendix A.1, `recur`).
#[derive(Clone, Copy, Debug, Default)]
struct Recur {
    sum: f64,
}

impl Recur {
    fn strikes(&mut self, probability: f64) -> bool {
        self.sum += probability;
        let strikes = self.sum > 1.0;
        if strikes {
            self.sum -= 1.0;
        }
        strikes
    }
}

/// The controller of p' (RFC 9332, appendix A.1, `dualpi2_update`).
#[derive(Clone, Debug)]
struct Controller {
    updates: Updates,
    /// p'.
    base: f64,
    /// The delay at the last update.
    delay: Span,
}

impl Controller {
    fn new(config: &DualPi2) -> Self {
        Controller { updates: Updates::new(config.update), base: 0.0, delay: Span::ZERO }
    }

    /// The updates due by `now`, of queues whose oldest packet came at `oldest` and that nothing
    /// has entered or left since the last call.
    fn catch_up(&mut self, config: &DualPi2, now: Time, oldest: Option<Time>) {
        while let Some(due) = self.updates.next(now) {
            self.update(config, oldest.map_or(Span::ZERO, |oldest| due.since(oldest)));
            if oldest.is_none() && self.base <= 0.0 {
                self.updates.skip(now);
            }
        }
    }

    fn update(&mut self, config: &DualPi2, delay: Span) {
        let (now, before) = (delay.secs(), self.delay.secs());
        let step = config.alpha * (now - config.target.secs()) + config.beta * (now - before);
        let most = if config.drop_on_overload { 1.0 } else { 1.0 / config.coupling };
        self.base = (self.base + step).clamp(0.0, most);
        self.delay = delay;
    }
}

#[derive(Debug)]
struct Dual {
    config: DualPi2,
    limit: Limit,
    classic: DropTail,
    /// The L queue.
    low: DropTail,
    controller: Controller,
    /// The L queue is served while it is 0 or less, as long as there are packets in both. Linux's
    /// weighted round robin.
    credit: f64,
    classic_signals: Recur,
    low_marks: Recur,
    low_drops: Recur,
}

impl Dual {
    fn catch_up(&mut self, now: Time) {
        let came = |fifo: &DropTail| fifo.packets().front().map(Queued::arrived);
        let oldest = [came(&self.classic), came(&self.low)].into_iter().flatten().min();
        self.controller.catch_up(&self.config, now, oldest);
    }

    fn is_l4s(packet: &Queued) -> bool {
        matches!(packet.ecn(), Ecn::Ect1 | Ecn::Ce)
    }

    /// The next packet by the scheduler, how it changes the credit, and true if it is the L
    /// queue's.
    fn scheduled(&mut self) -> Option<(Queued, f64, bool)> {
        let [classic, low] = [&self.classic, &self.low].map(|fifo| !fifo.is_empty());
        let is_low = low && (!classic || self.credit <= 0.0);
        let packet = if is_low { self.low.pop() } else { self.classic.pop() }?;
        let bytes = f64::from(packet.wire_bytes());
        let change = match (is_low, classic && low) {
            (_, false) => 0.0,
            (true, true) => self.config.protection * bytes,
            (false, true) => (self.config.protection - 1.0) * bytes,
        };
        Some((packet, change, is_low))
    }

    /// The controller's signal to a packet that leaves. False if that is to drop it.
    fn passes(&mut self, packet: &mut Queued, is_low: bool) -> bool {
        if self.bytes() < 2 * u64::from(self.config.mtu) {
            return true;
        }
        let base = self.controller.base;
        let (classic, coupled) = (base * base, base * self.config.coupling);
        let (saturated, drops) = (coupled >= 1.0, self.config.drop_on_overload);
        if is_low {
            if saturated && drops && self.low_drops.strikes(classic) {
                return false;
            }
            if saturated || self.low_marks.strikes(coupled) {
                packet.mark();
            }
        } else if self.classic_signals.strikes(classic) {
            if saturated && drops || !packet.ecn().is_capable() {
                return false;
            }
            packet.mark();
        }
        true
    }
}

impl QueueDiscipline for Dual {
    fn enqueue(&mut self, now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        self.catch_up(now);
        let bytes = self.bytes() + u64::from(packet.wire_bytes());
        if !self.limit.fits(self.len() + 1, bytes) {
            return dropped.push(packet);
        }
        let fifo = if Self::is_l4s(&packet) { &mut self.low } else { &mut self.classic };
        dropped.extend(fifo.push(packet).err());
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.catch_up(now);
        loop {
            let (mut packet, change, is_low) = self.scheduled()?;
            if !self.passes(&mut packet, is_low) {
                dropped.push(packet);
                continue;
            }
            let behind = self.low.len() >= self.config.step_packets as usize;
            if is_low && behind && packet.sojourn(now) > self.config.step {
                packet.mark();
            }
            self.credit += change;
            return Some(packet);
        }
    }

    fn len(&self) -> usize {
        self.classic.len() + self.low.len()
    }

    fn bytes(&self) -> u64 {
        QueueDiscipline::bytes(&self.classic) + QueueDiscipline::bytes(&self.low)
    }

    fn on_bypass(&mut self, now: Time, _idle: Span) {
        self.catch_up(now);
        self.credit = self.config.credit();
    }
}
