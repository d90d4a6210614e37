//! NewReno as a newcomer would write it for noq (RFC 9002, sec. 7 and app. B), with typical
//! mistakes to choose from.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};

/// A mistake that a newcomer makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bug {
    NoReactionToLoss,
    ReductionPerPacket,
    GrowthWhileAppLimited,
    WindowBelowMinimum,
    NoPersistentCongestion,
    PersistentOutsideRecoveryOnly,
    GrowthInRecovery,
    SlowStartForever,
    EcnIgnored,
    StateSharedByFactory,
    GrowthOnSending,
    HugeInitialWindow,
    TwiceTheGrowth,
    BytesTakenForPackets,
    CollapseAtEachLoss,
    UndoneTwice,
    LargerDatagramsIgnored,
    DivisionByZero,
    ZeroAfterLosses,
    /// As [`Bug::GrowthWhileAppLimited`], once for each acknowledgment instead of once for each
    /// packet.
    IdleGrowthPutOff,
    /// Time counts as growth, as in CUBIC, and goes on while nothing is sent.
    PauseCountsAsTime,
}

impl Bug {
    pub(crate) const ALL: [Bug; 21] = [
        Bug::NoReactionToLoss,
        Bug::ReductionPerPacket,
        Bug::GrowthWhileAppLimited,
        Bug::WindowBelowMinimum,
        Bug::NoPersistentCongestion,
        Bug::PersistentOutsideRecoveryOnly,
        Bug::GrowthInRecovery,
        Bug::SlowStartForever,
        Bug::EcnIgnored,
        Bug::StateSharedByFactory,
        Bug::GrowthOnSending,
        Bug::HugeInitialWindow,
        Bug::TwiceTheGrowth,
        Bug::BytesTakenForPackets,
        Bug::CollapseAtEachLoss,
        Bug::UndoneTwice,
        Bug::LargerDatagramsIgnored,
        Bug::DivisionByZero,
        Bug::ZeroAfterLosses,
        Bug::IdleGrowthPutOff,
        Bug::PauseCountsAsTime,
    ];
}

/// Builds the controller, sound or with a mistake.
#[derive(Debug, Default)]
pub(crate) struct RenoConfig {
    bug: Option<Bug>,
    /// The window of the last connection, for the mistake of keeping it.
    last: Arc<AtomicU64>,
}

impl RenoConfig {
    pub(crate) fn with(bug: Bug) -> RenoConfig {
        RenoConfig { bug: Some(bug), ..RenoConfig::default() }
    }
}

impl ControllerFactory for RenoConfig {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let mtu = u64::from(current_mtu);
        let window = match self.bug {
            Some(Bug::HugeInitialWindow) => 100 * mtu,
            Some(Bug::StateSharedByFactory) => self.last.load(Ordering::Relaxed).max(10 * mtu),
            _ => 14720.min(10 * mtu).max(2 * mtu),
        };
        Box::new(Reno {
            bug: self.bug,
            last: Arc::clone(&self.last),
            mtu,
            window,
            ssthresh: u64::MAX,
            acked: 0,
            recovery: now,
            before: (window, u64::MAX),
            losses: 0,
        })
    }
}

#[derive(Clone, Debug)]
struct Reno {
    bug: Option<Bug>,
    last: Arc<AtomicU64>,
    mtu: u64,
    window: u64,
    ssthresh: u64,
    acked: u64,
    recovery: Instant,
    before: (u64, u64),
    losses: u64,
}

impl Reno {
    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    fn minimum(&self) -> u64 {
        if self.has(Bug::WindowBelowMinimum) { self.mtu } else { 2 * self.mtu }
    }
}

impl Controller for Reno {
    fn on_packet_sent(&mut self, _: Instant, bytes: u16, _: u64) {
        if self.has(Bug::GrowthOnSending) {
            self.window += u64::from(bytes) / 50;
        }
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        _: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        if self.has(Bug::DivisionByZero) {
            let elapsed = now.duration_since(sent).as_millis() as u64;
            // Delay beyond the shortest round trip is queueing.
            let queueing = elapsed - rtt.min().as_millis() as u64;
            self.acked += bytes / queueing;
        }
        let idle = app_limited && !self.has(Bug::GrowthWhileAppLimited);
        let recovering = sent <= self.recovery && !self.has(Bug::GrowthInRecovery);
        if idle || recovering {
            return;
        }
        if self.window < self.ssthresh || self.has(Bug::SlowStartForever) {
            self.window += if self.has(Bug::TwiceTheGrowth) { 4 * bytes } else { bytes };
        } else {
            if self.has(Bug::PauseCountsAsTime) {
                // One datagram for each round trip since the last loss.
                let trips = now.duration_since(self.recovery).as_millis() / rtt.get().as_millis();
                let aim = self.ssthresh + self.mtu * trips as u64;
                self.window += aim.saturating_sub(self.window).min(bytes);
                return;
            }
            self.acked += bytes;
            if self.acked >= self.window {
                self.acked -= self.window;
                self.window += if self.has(Bug::BytesTakenForPackets) { 1 } else { self.mtu };
            }
        }
        self.last.store(self.window, Ordering::Relaxed);
    }

    fn on_end_acks(&mut self, _: Instant, _: u64, app_limited: bool, _: Option<u64>) {
        if app_limited && self.has(Bug::IdleGrowthPutOff) {
            self.window += self.mtu;
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        persistent: bool,
        ecn: bool,
        _: u64,
        _: u64,
    ) {
        if self.has(Bug::NoReactionToLoss) || ecn && self.has(Bug::EcnIgnored) {
            return;
        }
        let recovering = sent <= self.recovery;
        if !recovering || self.has(Bug::ReductionPerPacket) {
            self.losses += 1;
            self.before = (self.window, self.ssthresh);
            self.recovery = now;
            self.window = (self.window / 2).max(self.minimum());
            if self.has(Bug::CollapseAtEachLoss) {
                self.window = self.minimum();
            }
            self.ssthresh = self.window;
            if self.has(Bug::ZeroAfterLosses) && self.losses > 3 {
                self.window = 0;
            }
        }
        let heard = !recovering || !self.has(Bug::PersistentOutsideRecoveryOnly);
        if persistent && heard && !self.has(Bug::NoPersistentCongestion) {
            self.window = self.minimum();
        }
    }

    fn on_spurious_congestion_event(&mut self) {
        (self.window, self.ssthresh) = self.before;
        if self.has(Bug::UndoneTwice) {
            self.window *= 2;
        }
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        if !self.has(Bug::LargerDatagramsIgnored) {
            self.mtu = new_mtu.into();
            self.window = self.window.max(self.minimum());
        }
    }

    fn window(&self) -> u64 {
        self.window
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.window;
        metrics.ssthresh = Some(self.ssthresh);
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        10 * self.mtu
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
