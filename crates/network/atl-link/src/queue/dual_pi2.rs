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
        Box::new(Dual::new(*self, limit))
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
    /// Both queues empty; `limit` is that of both together.
    fn new(config: DualPi2, limit: Limit) -> Self {
        let all = Limit::Packets(u32::MAX);
        Dual {
            config,
            limit,
            classic: DropTail::new(all),
            low: DropTail::new(all),
            controller: Controller::new(&config),
            credit: config.credit(),
            classic_signals: Recur::default(),
            low_marks: Recur::default(),
            low_drops: Recur::default(),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn dual(config: DualPi2) -> Dual {
        Dual::new(config, Limit::Packets(10))
    }

    fn packet(bytes: u32, ecn: Ecn) -> Queued {
        Queued::new(Time::ZERO, bytes).with_ecn(ecn)
    }

    #[test]
    fn signals_are_spread_evenly_and_come_above_one() {
        let mut recur = Recur::default();
        let strikes: Vec<bool> = (0..9).map(|_| recur.strikes(0.5)).collect();
        // 0.5, 1.0, 1.5: the third is the first above 1, and leaves 0.5.
        assert_eq!(strikes, [false, false, true, false, true, false, true, false, true]);
    }

    /// However late a queue that holds packets is looked at.
    #[test]
    fn no_update_of_a_queue_with_packets_is_left_out() {
        let config = DualPi2::default();
        let at = |updates: u64| Time::ZERO + config.update * updates;
        let (mut late, mut timely) = (Controller::new(&config), Controller::new(&config));
        // At the first update the oldest packet has just come: p' is 0, and is so again.
        late.catch_up(&config, at(3), Some(at(1)));
        (1..=3).for_each(|updates| timely.catch_up(&config, at(updates), Some(at(1))));
        assert!(timely.base > 0.0);
        assert_eq!((late.base, late.delay), (timely.base, timely.delay));
    }

    #[test]
    fn the_base_probability_moves_as_worked_by_hand() {
        let config = DualPi2::default();
        let mut controller = Controller::new(&config);
        controller.update(&config, Span::from_millis(35));
        // 20 ms above the target, 35 ms above the last delay.
        let first = 41.0 / 256.0 * 0.020 + 819.0 / 256.0 * 0.035;
        assert!((controller.base - first).abs() < 1e-12);
        controller.update(&config, Span::from_millis(25));
        let second = first + 41.0 / 256.0 * 0.010 - 819.0 / 256.0 * 0.010;
        assert!((controller.base - second).abs() < 1e-12);
        controller.update(&config, Span::ZERO);
        controller.update(&config, Span::ZERO);
        assert!(controller.base.abs() < 1e-15, "never below 0");
        controller.update(&config, Span::from_secs(5));
        assert!((controller.base - 1.0).abs() < 1e-15);
        let mild = DualPi2 { drop_on_overload: false, ..config };
        controller.update(&mild, Span::from_secs(10));
        assert!((controller.base - 0.5).abs() < 1e-15, "1/k");
    }

    #[test]
    fn an_update_sees_the_delay_at_its_own_time() {
        let config = DualPi2::default();
        let mut controller = Controller::new(&config);
        // The first is due at 16 ms, when the packet has waited for 6 ms.
        controller.catch_up(&config, Time::from_millis(31), Some(Time::from_millis(10)));
        assert_eq!(controller.delay, Span::from_millis(6));
        controller.catch_up(&config, Time::from_millis(32), Some(Time::from_millis(10)));
        assert_eq!(controller.delay, Span::from_millis(22));
    }

    #[test]
    fn a_queue_below_two_packets_has_no_signals() {
        let overload = |bytes| {
            let mut dual = dual(DualPi2 { mtu: 1000, ..DualPi2::default() });
            dual.controller.base = 1.0;
            (dual.classic_signals.sum, dual.low_drops.sum) = (1.0, 1.0);
            dual.classic.push(packet(bytes, Ecn::NotEct)).expect("room");
            let low = dual.passes(&mut packet(1000, Ecn::Ect1), true);
            (low, dual.passes(&mut packet(1000, Ecn::NotEct), false))
        };
        assert_eq!(overload(1999), (true, true));
        assert_eq!(overload(2000), (false, false));
    }

    #[test]
    fn overload_drops_and_only_marks_where_it_may_not_drop() {
        for (drops, base) in [(true, 0.5), (false, 0.5), (true, 0.49)] {
            let config = DualPi2 { mtu: 1, drop_on_overload: drops, ..DualPi2::default() };
            let mut dual = dual(config);
            dual.controller.base = base;
            dual.classic_signals.sum = 0.9;
            dual.classic.push(packet(1000, Ecn::NotEct)).expect("room");
            // k p' = 1 marks all of the L queue; p'^2 has summed up to a quarter.
            let mut low = packet(1000, Ecn::Ect1);
            assert!(dual.passes(&mut low, true));
            assert_eq!(low.ecn() == Ecn::Ce, base >= 0.5, "{drops} {base}");
            // A classic packet that can be marked is dropped only in an overload.
            let mut classic = packet(1000, Ecn::Ect0);
            let passes = dual.passes(&mut classic, false);
            assert_eq!(passes, !(drops && base >= 0.5), "{drops} {base}");
            assert_eq!(classic.ecn() == Ecn::Ce, passes, "{drops} {base}");
        }
    }

    #[test]
    fn the_classic_queue_gets_its_share_of_bytes_and_pays_for_it() {
        let mut dual = dual(DualPi2::default());
        for _ in 0..3 {
            dual.classic.push(packet(1000, Ecn::NotEct)).expect("room");
            dual.low.push(packet(500, Ecn::Ect1)).expect("room");
        }
        dual.credit = 0.0;
        let (first, change, is_low) = dual.scheduled().expect("waits");
        assert!(is_low && first.wire_bytes() == 500 && (change - 50.0).abs() < 1e-9);
        dual.credit = 0.1;
        let (second, change, is_low) = dual.scheduled().expect("waits");
        assert!(!is_low && second.wire_bytes() == 1000 && (change + 900.0).abs() < 1e-9);
        // Alone, a queue pays nothing.
        while dual.low.pop().is_some() {}
        let (_, change, is_low) = dual.scheduled().expect("waits");
        assert!(!is_low && change.abs() < 1e-15);
        // An idle link begins anew.
        dual.on_bypass(Time::ZERO, Span::ZERO);
        assert!((dual.credit + 0.8 * 1514.0).abs() < 1e-9);
    }

    #[test]
    fn the_step_marks_above_itself_and_with_enough_behind() {
        let marked = |waited: u64, behind: usize, step_packets: u32| {
            let mut dual = dual(DualPi2 { step_packets, ..DualPi2::default() });
            for _ in 0..=behind {
                dual.low.push(packet(100, Ecn::Ect1)).expect("room");
            }
            let now = Time::ZERO + Span::from_micros(waited);
            dual.dequeue(now, &mut Vec::new()).expect("waits").ecn() == Ecn::Ce
        };
        assert_eq!([marked(1000, 0, 0), marked(1001, 0, 0)], [false, true]);
        assert_eq!([marked(1001, 0, 1), marked(1001, 1, 1)], [false, true]);
        // It is the L queue's step.
        let mut dual = dual(DualPi2::default());
        dual.classic.push(packet(100, Ecn::Ect0)).expect("room");
        let classic = dual.dequeue(Time::from_millis(9), &mut Vec::new()).expect("waits");
        assert_eq!(classic.ecn(), Ecn::Ect0);
    }

    #[test]
    fn both_queues_share_one_limit() {
        let mut dual = dual(DualPi2::default());
        let mut dropped = Vec::new();
        for nth in 0..11 {
            let ecn = if nth % 2 == 0 { Ecn::Ect1 } else { Ecn::Ect0 };
            dual.enqueue(Time::ZERO, packet(100, ecn), &mut dropped);
        }
        assert_eq!((dual.len(), dual.bytes(), dropped.len()), (10, 1000, 1));
    }
}
