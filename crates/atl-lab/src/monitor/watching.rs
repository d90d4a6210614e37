//! The rules at work: what a library told a controller, with its window before and after.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::heavy::{HEAVY, Heavy};
use super::pause::Pause;
use super::peaks::Peaks;
use super::recovery::{Breach, Recovery};
use super::rules::{Finding, Rule};

/// The least datagram of QUIC (RFC 9000, sec. 14), which windows are counted in before a larger one
/// is known.
const LEAST_DATAGRAM: u64 = 1200;
/// What RFC 9002 allows at the start, in bytes, whatever the datagrams.
const INITIAL: u64 = 14720;
/// Acknowledgments that add more than twice what they acknowledge before that is reported: a window
/// that is restored jumps, too.
const JUMPS: u64 = 50;
/// Findings of no reaction after which a run is not worth its time: without one, a sender only
/// loses more and more.
const HOPELESS: u64 = 40;

/// A congestion event, as libraries report them.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// When it is reported.
    pub now: Instant,
    /// When the newest packet of it was sent.
    pub sent: Instant,
    /// It is persistent congestion.
    pub persistent: bool,
    /// Bytes lost.
    pub lost: u64,
}

/// A window before and after a call.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Bytes before.
    pub before: u64,
    /// Bytes after.
    pub after: u64,
}

impl Change {
    pub(super) fn growth(self) -> u64 {
        self.after.saturating_sub(self.before)
    }
}

/// Watches one controller.
#[derive(Debug)]
pub struct Watching {
    built: Instant,
    /// When it was told anything last.
    now: Instant,
    mtu: u64,
    widest: u64,
    in_flight: u64,
    peaks: Peaks,
    pause: Pause,
    srtt: Duration,
    /// Growth while less than half of the window was in use.
    idle_growth: u64,
    jumps: u64,
    recovery: Option<Recovery>,
    /// The window before the last reduction.
    restorable: u64,
    heavy: Heavy,
    /// The acknowledgment that was told last.
    batch: Option<Batch>,
    doubled: u64,
    grown: u64,
    repeated: u64,
    findings: BTreeMap<Rule, Finding>,
}

/// What one acknowledgment acknowledges, or a packet of it.
#[derive(Clone, Copy, Debug)]
struct Batch {
    now: Instant,
    /// When the newest packet of it was sent.
    newest: Instant,
    bytes: u64,
    app_limited: bool,
}

impl Watching {
    /// A controller that was just built, with this window.
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

    /// What was found so far.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.values()
    }

    /// The least window (RFC 9002, sec. 7.2), for datagrams of the present size.
    pub fn minimum(&self) -> u64 {
        2 * self.mtu
    }

    /// The size of datagrams that the controller was told last.
    pub fn mtu(&self) -> u16 {
        // It came from one.
        self.mtu as u16
    }

    /// True until a round trip after a packet is acknowledged that was sent when the last loss had
    /// been noticed.
    pub fn in_recovery(&self) -> bool {
        self.recovery.as_ref().is_some_and(|recovery| !recovery.is_over(self.now, self.srtt))
    }

    /// The round-trip time that the controller was told last.
    pub fn srtt(&self) -> Duration {
        self.srtt
    }

    /// The widest window so far, in bytes.
    pub fn widest(&self) -> u64 {
        self.widest
    }

    /// True once there is no point in watching any longer: it has not reacted to heavy loss for
    /// long.
    pub fn hopeless(&self) -> bool {
        self.findings.get(&Rule::NoReaction).is_some_and(|finding| finding.count >= HOPELESS)
    }

    /// How long it has been watched.
    pub fn age(&self) -> Duration {
        self.now.saturating_duration_since(self.built)
    }

    /// When the controller was told anything last.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Notes a broken rule.
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
        // Before the path's datagrams are known to be larger, the least ones count.
        let least = 2 * self.mtu.min(LEAST_DATAGRAM);
        if window < least {
            self.found(Rule::MinimumWindow, now, || format!("a window of {window} bytes"));
        }
    }

    /// A packet was sent.
    pub fn sent(&mut self, now: Instant, bytes: u64, window: Change) {
        self.in_flight = self.in_flight.saturating_add(bytes);
        self.peaks.note(now, self.in_flight, self.srtt);
        let safe = self.recovery.as_ref().map(|_| self.restorable.max(window.before));
        self.pause.sent(now, self.srtt, safe);
        self.unmoved(now, window);
    }

    /// A call that gives no reason to grow.
    pub fn unmoved(&mut self, now: Instant, window: Change) {
        if window.growth() > 0 {
            let Change { before, after } = window;
            self.found(Rule::GrowthWithoutAck, now, || format!("from {before} to {after} bytes"));
        }
        self.at_least(now, window.after);
    }

    /// A packet of `bytes` bytes, sent at `sent`, was acknowledged.
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

    /// The window after all of an acknowledgment was told, and before. Controllers may put off
    /// until then what the single packets change.
    pub fn acks_ended(&mut self, window: Change) {
        match self.batch {
            Some(batch) => self.grown_by(batch, window),
            None => self.unmoved(self.now, window),
        }
    }

    /// What an acknowledgment did to the window.
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

    /// The library has counted what is in flight.
    pub fn in_flight(&mut self, bytes: u64) {
        self.in_flight = bytes;
    }

    /// A packet was lost.
    pub fn lost(&mut self, now: Instant, bytes: u64, window: Change) {
        self.in_flight = self.in_flight.saturating_sub(bytes);
        self.unmoved(now, window);
    }

    /// Losses or marks that call for a lower rate.
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
            // A window of ten datagrams has little left to give.
            if let Some((from, to)) = self.heavy.lost(lost, window, 5 * self.minimum()) {
                let detail = || format!("from {from} to {to} bytes over {HEAVY} of them");
                self.found(Rule::NoReaction, now, detail);
            }
            self.recovery = Some(Recovery::new(now, after));
        } else if persistent {
            // It ends the recovery (RFC 9002, app. B.8).
            self.recovery = None;
        }
        self.unmoved(now, window);
    }

    /// The last losses were none.
    pub fn undone(&mut self, now: Instant, window: Change) {
        let most = self.restorable.max(window.before).saturating_add(self.mtu);
        let after = window.after;
        if after > most {
            self.found(Rule::UndoneTooMuch, now, || format!("{after} bytes, after {most} before"));
        }
        self.recovery = None;
        self.at_least(now, after);
    }

    /// Datagrams have another size.
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
