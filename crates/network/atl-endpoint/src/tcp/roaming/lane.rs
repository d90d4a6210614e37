//! A path that is used beside the current one: a controller, an RTT and timers of its own.

use atl_core::measure::RttEstimator;
use atl_core::path::PathId;
use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Controller, Detection, Sent, Timeout, WindowController};

use super::moving::Filling;
use super::pace::Pace;
use crate::tcp::connection::loss;
use crate::tcp::scoreboard::LostTx;

/// The state of a path beside the current one.
#[derive(Debug)]
pub(in crate::tcp) struct Lane {
    pub(super) path: PathId,
    pub(super) controller: Controller,
    pub(super) rtt: RttEstimator,
    pub(super) filling: Option<Filling>,
    /// When its retransmission timer expires.
    pub(super) rto_due: Time,
    /// Timeouts since an ACK came.
    pub(super) timeouts: u32,
    /// Segment and transmission that it was last tried with after a timeout.
    pub(super) tried: Option<(u64, u64)>,
    /// The first transmission sent after the last reaction to a loss.
    pub(super) reacted: u64,
    /// Its controller reacted to a loss, and nothing sent since has arrived.
    pub(super) recovering: bool,
    pub(super) window_limited: bool,
    /// The next packet is sent even if the window is full.
    pub(super) forced: bool,
    /// When pacing lets the next packet of either path go.
    pub(super) release: Time,
    pace: Pace,
    /// The current path's.
    pub(in crate::tcp) pace_current: Pace,
    packet_bytes: u32,
}

impl Lane {
    pub(super) fn new(
        path: PathId,
        controller: Controller,
        rtt: RttEstimator,
        filling: Option<Filling>,
        packet_bytes: u32,
    ) -> Self {
        Lane {
            path,
            controller,
            rtt,
            filling,
            rto_due: Time::MAX,
            timeouts: 0,
            tried: None,
            reacted: 0,
            recovering: false,
            window_limited: false,
            forced: false,
            release: Time::MAX,
            pace: Pace::default(),
            pace_current: Pace::default(),
            packet_bytes,
        }
    }

    /// When something is due.
    pub(super) fn next_timer(&self) -> Time {
        let tick = self.controller.next_timeout().unwrap_or(Time::MAX);
        self.rto_due.min(self.release).min(tick)
    }

    pub(super) fn arm(&mut self, now: Time) {
        self.rto_due = now.saturating_add(self.rtt.rto());
    }

    /// True if the window holds one more packet.
    pub(super) fn has_room(&self, in_flight: u32) -> bool {
        self.forced || f64::from(in_flight + 1) <= self.controller.window()
    }

    /// When pacing lets the next packet go, if not now.
    pub(super) fn paced_until(&mut self, now: Time) -> Option<Time> {
        if self.forced {
            return None;
        }
        let filling = self.filling.and_then(|filling| filling.release_at(now));
        if filling.is_none() {
            self.filling = None;
        }
        let paced = self.controller.release_at().max(filling).filter(|at| *at > now);
        paced.max(self.pace.until(now))
    }

    /// A packet is sent, the path's `number`-th from 0.
    pub(super) fn on_sent(
        &mut self,
        now: Time,
        number: u64,
        in_flight: u32,
        again: bool,
        idle: bool,
    ) {
        self.forced = false;
        if let Some(filling) = &mut self.filling {
            filling.on_sent(now);
        }
        self.pace.on_sent(now, &self.controller, &self.rtt);
        if self.rto_due == Time::MAX {
            self.arm(now);
        }
        let sent = Sent::new(now, number, self.packet_bytes, in_flight);
        self.controller.on_sent(&sent.retransmission(again).app_limited(idle));
    }

    /// An ACK shows `arrived` packets of this path. `newest` is the one that it answers, if it took this path: transmission,
    /// number on the path, time of sending. Returns its RTT. Its timer is the caller's concern.
    pub(super) fn on_arrivals(
        &mut self,
        now: Time,
        arrived: u32,
        newest: Option<(u64, u64, Time)>,
        in_flight: u32,
    ) -> Option<Span> {
        let sample = newest.map(|(_, _, sent_at)| now.since(sent_at));
        if let Some(rtt) = sample {
            self.rtt.on_one_sample_of(rtt, (in_flight + arrived).div_ceil(2));
        }
        self.timeouts = 0;
        let ack = Ack::new(now)
            .delivered(arrived)
            .cumulative(arrived)
            .newest(newest.map(|(_, number, sent_at)| (number, sent_at)))
            .rtt(sample)
            .srtt(self.rtt.srtt().unwrap_or_default())
            .rtt_min(self.rtt.min().unwrap_or_default())
            .in_flight(in_flight)
            .in_recovery(self.recovering)
            .window_limited(self.window_limited);
        self.controller.on_ack(&ack);
        self.window_limited = false;
        if self.recovering && newest.is_some_and(|(tx, ..)| tx >= self.reacted) {
            self.recovering = false;
            self.controller.on_recovered(now);
        }
        sample
    }

    /// Transmission `tx` is lost; `lost` bears its number on this path. `next` is the next transmission. True if an episode
    /// begins with it.
    pub(super) fn on_loss(
        &mut self,
        now: Time,
        tx: u64,
        lost: LostTx,
        in_flight: u32,
        next: u64,
    ) -> bool {
        let begins = tx >= self.reacted;
        let bytes = self.packet_bytes;
        self.controller.on_loss(&loss(now, lost, begins, Detection::Acks, in_flight, bytes, 0));
        if begins {
            (self.recovering, self.forced, self.reacted) = (true, true, next);
        }
        begins
    }

    /// The timer expired, and nothing is in flight: if the path has not answered since an earlier timeout, what it was tried
    /// with is repaired over the other one, and it is tried again with the next packet.
    pub(super) fn try_again(&mut self) {
        self.rto_due = Time::MAX;
        if self.timeouts > 0 {
            self.rtt.back_off();
            self.forced = true;
        }
    }

    /// The timer expired. `lost` was in flight, with numbers on this path.
    pub(super) fn on_expiry(&mut self, now: Time, lost: &[LostTx], in_flight: u32, next: u64) {
        self.rtt.back_off();
        self.timeouts += 1;
        for &lost in lost {
            let bytes = self.packet_bytes;
            let loss = loss(now, lost, false, Detection::Timeout, in_flight, bytes, 0);
            self.controller.on_loss(&loss);
        }
        self.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(self.timeouts));
        (self.recovering, self.forced, self.reacted) = (false, true, next);
        self.arm(now);
    }
}
