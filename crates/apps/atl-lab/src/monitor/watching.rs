//! The rules applied to the calls of a library, with the window before and after each.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::change::{Change, Event};
use super::heavy::{HEAVY, Heavy};
use super::pause::Pause;
use super::peaks::Peaks;
use super::recovery::{Breach, Recovery};
use super::rules::{Finding, Rule};

/// The smallest datagram of QUIC (RFC 9000, sec. 14): the unit of windows before a larger size is
/// known.
const LEAST_DATAGRAM: u64 = 1200;
/// Largest initial window of RFC 9002, in bytes, for any size of datagrams.
const INITIAL: u64 = 14720;
/// Acknowledgments that add more than twice their bytes before that is reported: a window that is
/// restored jumps, too.
const JUMPS: u64 = 50;
/// Findings of no reaction after which the run ends: such a sender only loses more and more.
const HOPELESS: u64 = 40;

/// The record of one controller.
#[derive(Debug)]
pub struct Watching {
    built: Instant,
    /// Time of its last call.
    now: Instant,
    mtu: u64,
    widest: u64,
    in_flight: u64,
    peaks: Peaks,
    pause: Pause,
    srtt: Duration,
    /// Growth in bytes while less than half of the window was in use.
    idle_growth: u64,
    jumps: u64,
    recovery: Option<Recovery>,
    /// The window before the last reduction, which undoing may restore.
    restorable: u64,
    heavy: Heavy,
    /// The acknowledgment in progress, packet by packet.
    batch: Option<Batch>,
    doubled: u64,
    grown: u64,
    repeated: u64,
    findings: BTreeMap<Rule, Finding>,
}

/// An acknowledgment, or the part of it reported so far.
#[derive(Clone, Copy, Debug)]
struct Batch {
    now: Instant,
    /// Time at which its newest packet was sent.
    newest: Instant,
    bytes: u64,
    app_limited: bool,
}

impl Watching {
    /// The record of a controller that was just built, with this window in bytes.
    pub fn new(built: Instant, mtu: u16, window: u64) -> Watching {
        let mut watching = Watching {
            built,
            now: built,
            mtu: mtu.into(),
            widest: window,
            in_flight: 0,
            peaks: Peaks::new(built),
            pause: Pause::new(built),
            srtt: Duration::from_millis(333),
            idle_growth: 0,
            jumps: 0,
            recovery: None,
            restorable: window,
            heavy: Heavy::default(),
            batch: None,
            doubled: 0,
            grown: 0,
            repeated: 0,
            findings: BTreeMap::new(),
        };
        watching.at_least(built, window);
        let most = INITIAL.max(10 * u64::from(mtu));
        if window > most {
            watching.found(Rule::InitialWindow, built, || format!("it begins with {window} bytes"));
        }
        watching
    }

    /// The findings so far, one for each broken rule.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// The smallest allowed window in bytes (RFC 9002, sec. 7.2), for the present size of
    /// datagrams.
    pub fn minimum(&self) -> u64 {
        2 * self.mtu
    }

    /// Size of datagrams in bytes, as last reported to the controller.
    pub fn mtu(&self) -> u16 {
        // It was set from a `u16`.
        self.mtu as u16
    }

    /// True until a round trip after a packet is acknowledged that was sent when the last loss had
    /// been noticed.
    pub fn in_recovery(&self) -> bool {
        self.recovery.as_ref().is_some_and(|recovery| !recovery.is_over(self.now, self.srtt))
    }

    /// The smoothed round-trip time last reported to the controller.
    pub fn srtt(&self) -> Duration {
        self.srtt
    }

    /// The widest window so far, in bytes.
    pub fn widest(&self) -> u64 {
        self.widest
    }

    /// True once it has not reacted to heavy loss for so long that further observation is useless.
    pub fn hopeless(&self) -> bool {
        self.findings.get(&Rule::NoReaction).is_some_and(|finding| finding.count >= HOPELESS)
    }

    /// Time from its building to its last call.
    pub fn age(&self) -> Duration {
        self.now.saturating_duration_since(self.built)
    }

    /// Time of its last call.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Records a broken rule.
    pub fn found(&mut self, rule: Rule, now: Instant, detail: impl FnOnce() -> String) {
        let at = now.saturating_duration_since(self.built);
        self.findings
            .entry(rule)
            .and_modify(|finding| finding.count += 1)
            .or_insert_with(|| Finding { rule, at, detail: detail(), count: 1 });
    }

    fn at_least(&mut self, now: Instant, window: u64) {
        self.now = now;
        self.widest = self.widest.max(window);
        // Until a larger size of datagrams is known, the smallest counts.
        let least = 2 * self.mtu.min(LEAST_DATAGRAM);
        if window < least {
            self.found(Rule::MinimumWindow, now, || format!("a window of {window} bytes"));
        }
    }

    /// Notes a packet sent.
    pub fn sent(&mut self, now: Instant, bytes: u64, window: Change) {
        self.in_flight = self.in_flight.saturating_add(bytes);
        self.peaks.note(now, self.in_flight, self.srtt);
        let safe = self.recovery.as_ref().map(|_| self.restorable.max(window.before));
        self.pause.sent(now, self.srtt, safe);
        self.unmoved(now, window);
    }

    /// Notes a call that gives no reason to grow.
    pub fn unmoved(&mut self, now: Instant, window: Change) {
        if window.growth() > 0 {
            let Change { before, after } = window;
            self.found(Rule::GrowthWithoutAck, now, || format!("from {before} to {after} bytes"));
        }
        self.at_least(now, window.after);
    }

    /// Notes the acknowledgment of a packet of `bytes` bytes that was sent at `sent`.
    pub fn acked(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        app_limited: bool,
        srtt: Duration,
        window: Change,
    ) {
        self.srtt = srtt;
        self.heavy.acked(bytes);
        let batch = match self.batch {
            Some(batch) if batch.now == now => {
                Batch { bytes: batch.bytes + bytes, newest: batch.newest.max(sent), ..batch }
            }
            _ => Batch { now, newest: sent, bytes, app_limited },
        };
        self.batch = Some(batch);
        self.peaks.note(now, self.in_flight, srtt);
        self.grown_by(Batch { newest: sent, bytes, ..batch }, window);
        self.in_flight = self.in_flight.saturating_sub(bytes);
    }

    /// Notes the end of an acknowledgment, with the window before and after. Controllers may put
    /// off until then the effect of its packets.
    pub fn acks_ended(&mut self, window: Change) {
        match self.batch {
            Some(batch) => self.grown_by(batch, window),
            None => self.unmoved(self.now, window),
        }
    }

    /// Judges the effect of an acknowledgment on the window.
    fn grown_by(&mut self, acked: Batch, window: Change) {
        let Batch { now, newest, bytes, app_limited } = acked;
        let Change { before, after } = window;
        if window.growth() > bytes.saturating_mul(2).saturating_add(self.mtu) {
            self.jumps += 1;
            if self.jumps >= JUMPS {
                self.found(Rule::GrowthPerAck, now, || {
                    format!("{bytes} acknowledged bytes made it {after} instead of {before} bytes")
                });
            }
        }
        let most = self.peaks.most();
        if app_limited && most < before / 2 {
            self.idle_growth = self.idle_growth.saturating_add(window.growth());
            if window.growth() > 0 && self.idle_growth > 10 * self.mtu {
                self.found(Rule::AppLimitedGrowth, now, || {
                    format!("{most} bytes in flight at most, and it grew from {before} to {after}")
                });
            }
        }
        if let Some(safe) = self.pause.safe(now, self.srtt)
            && window.growth() > 0
            && after > safe.saturating_add((safe / 2).max(10 * self.mtu))
        {
            self.found(Rule::LeapAfterPause, now, || {
                format!("{after} bytes, where {safe} were the most before the last loss")
            });
        }
        self.recovering(now, newest, window);
        self.at_least(now, after);
    }

    fn recovering(&mut self, now: Instant, sent: Instant, window: Change) {
        let Some(recovery) = &mut self.recovery else { return };
        match recovery.acked((now, sent), window, self.mtu, self.srtt) {
            Some(Breach::Grew(growth)) => {
                self.grown += 1;
                if self.grown >= 3 {
                    let detail = || format!("it grew by {growth} bytes");
                    self.found(Rule::GrowthInRecovery, now, detail);
                }
            }
            Some(Breach::Doubled(from)) => {
                self.doubled += 1;
                if self.doubled >= 3 {
                    let detail = || format!("from {from} to {} bytes", window.after);
                    self.found(Rule::SlowStartAfterLoss, now, detail);
                }
            }
            None => {}
        }
    }

    /// Notes the library's count of bytes in flight.
    pub fn in_flight(&mut self, bytes: u64) {
        self.in_flight = bytes;
    }

    /// Notes a lost packet.
    pub fn lost(&mut self, now: Instant, bytes: u64, window: Change) {
        self.in_flight = self.in_flight.saturating_sub(bytes);
        self.unmoved(now, window);
    }

    /// Notes losses or marks that call for a lower rate.
    pub fn congested(&mut self, event: Event, window: Change) {
        let Event { now, sent, persistent, lost } = event;
        let Change { before, after } = window;
        self.pause.lost();
        let again = self.recovery.as_ref().is_some_and(|recovery| recovery.covers(sent));
        if persistent {
            let least = self.minimum();
            if after > least {
                let rule =
                    if again { Rule::PersistentInRecovery } else { Rule::PersistentCongestion };
                self.found(rule, now, || format!("a window of {after} bytes is left"));
            }
        } else if again && after < before - before / 20 {
            self.repeated += 1;
            if self.repeated >= 3 {
                self.found(Rule::RepeatedReduction, now, || {
                    format!("from {before} to {after} bytes for a packet sent before the last one")
                });
            }
        }
        if !again {
            self.restorable = before;
            // A window of ten datagrams is exempt: it has little left to give.
            if let Some((from, to)) = self.heavy.lost(lost, window, 5 * self.minimum()) {
                let detail = || format!("from {from} to {to} bytes over {HEAVY} of them");
                self.found(Rule::NoReaction, now, detail);
            }
            self.recovery = Some(Recovery::new(now, after));
        } else if persistent {
            // Persistent congestion ends the recovery period (RFC 9002, app. B.8).
            self.recovery = None;
        }
        self.unmoved(now, window);
    }

    /// Notes that the last losses were spurious.
    pub fn undone(&mut self, now: Instant, window: Change) {
        let most = self.restorable.max(window.before).saturating_add(self.mtu);
        let after = window.after;
        if after > most {
            self.found(Rule::UndoneTooMuch, now, || format!("{after} bytes, after {most} before"));
        }
        self.recovery = None;
        self.at_least(now, after);
    }

    /// Notes a new size of datagrams.
    pub fn resized(&mut self, now: Instant, mtu: u16, window: u64) {
        self.mtu = mtu.into();
        if window < self.minimum() {
            self.found(Rule::MinimumWindow, now, || {
                format!("a window of {window} bytes, with datagrams of {mtu}")
            });
        }
        self.at_least(now, window);
    }
}
