//! A path of a TCP sender: a controller, an RTT estimate and a retransmission timer of its own. A
//! sender has a current one, and when its host moves, for a while another one beside it, or the one
//! that it left.

mod pace;

use atl_core::measure::RttEstimator;
use atl_core::path::PathId;
use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Controller, Detection, Loss, Timeout, WindowController};

use super::scoreboard::LostTx;
use pace::Pace;

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Path {
    pub(super) id: PathId,
    pub(super) controller: Controller,
    pub(super) rtt: RttEstimator,
    /// When the retransmission timer expires.
    pub(super) rto_due: Time,
    /// Its expiries since an ACK came.
    pub(super) timeouts: u32,
    /// The first transmission sent after the last reaction to a loss.
    pub(super) reacted: u64,
    /// The first transmission sent after the window was last reduced for a mark: the loss of an
    /// earlier one does not reduce it again (RFC 3168, sec. 6.1.2).
    pub(super) reduced: u64,
    /// The controller's number of a transmission is this much lower: it counts those on its own
    /// path.
    pub(super) base: u64,
    /// The window has kept a packet back since the last ACK.
    pub(super) window_limited: bool,
    /// The next packet is sent even if the window is full.
    pub(super) forced: bool,
    /// While two paths carry data: the controller has reacted to a loss, and nothing sent since has
    /// arrived.
    pub(super) recovering: bool,
    /// When pacing lets the next packet go.
    pub(super) release: Time,
    /// Segment and transmission of the latest packet: after a timeout it is tried with this one.
    pub(super) tried: Option<(u64, u64)>,
    filling: Option<Filling>,
    pace: Pace,
}

/// A new window is filled at its own rate instead of at once: a burst of it would overflow the
/// queue that the survey has just measured.
#[derive(Clone, Copy, Debug)]
struct Filling {
    gap: Span,
    next: Time,
    until: Time,
}

/// Packets of one path that an ACK shows to have arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrivals {
    pub(super) count: u32,
    /// The one that the ACK answers, if it took this path: transmission, number on the path, time
    /// of sending.
    pub(super) newest: Option<(u64, u64, Time)>,
    /// Packets that are still in flight there.
    pub(super) in_flight: u32,
    /// RTT samples in a round trip (RFC 7323, appendix G).
    pub(super) samples: u32,
}

impl Path {
    /// A path on which nothing was sent.
    pub(super) fn new(id: PathId, controller: Controller, rtt: RttEstimator) -> Self {
        Path {
            id,
            controller,
            rtt,
            rto_due: Time::MAX,
            timeouts: 0,
            reacted: 0,
            reduced: 0,
            base: 0,
            window_limited: false,
            forced: false,
            recovering: false,
            release: Time::MAX,
            tried: None,
            filling: None,
            pace: Pace::default(),
        }
    }

    /// Restarts the retransmission timer.
    #[inline]
    pub(super) fn arm(&mut self, now: Time) {
        self.rto_due = now.saturating_add(self.rtt.rto());
    }

    /// Window and slow start threshold, in packets.
    pub(super) fn window(&self) -> (f64, f64) {
        (self.controller.window(), self.controller.ssthresh())
    }

    /// True if the window holds one more packet.
    pub(super) fn has_room(&self, in_flight: u32) -> bool {
        self.forced || self.holds(in_flight)
    }

    /// The same, without a packet that goes whatever the window is.
    #[inline]
    pub(super) fn holds(&self, in_flight: u32) -> bool {
        let window = self.controller.window();
        f64::from(in_flight + 1) <= window
            || f64::from(in_flight) < window && self.controller.rounds_up()
    }

    /// Spreads the first window over a round trip, if that is known.
    pub(super) fn fill(&mut self, now: Time, window: f64) {
        self.filling = self.rtt.srtt().map(|rtt| {
            let gap = Span::from_secs_f64(rtt.secs() / window.max(1.0));
            Filling { gap, next: now, until: now.saturating_add(rtt) }
        });
    }

    /// When the next packet of the first window may go, if not now.
    pub(super) fn filled_until(&mut self, now: Time) -> Option<Time> {
        self.filling.take_if(|filling| now >= filling.until);
        self.filling.map(|filling| filling.next).filter(|next| *next > now)
    }

    /// Another path is used beside this one from now on: what leaves here is spaced.
    pub(super) fn begin_spacing(&mut self) {
        self.pace = Pace::default();
    }

    /// When the spacing lets the next packet go, if not now.
    pub(super) fn spaced_until(&self, now: Time) -> Option<Time> {
        self.pace.until(now)
    }

    /// When the next packet may go, if not now, whatever keeps it back.
    pub(super) fn paced_until(&mut self, now: Time) -> Option<Time> {
        if self.forced {
            return None;
        }
        let release = self.controller.release_at().filter(|at| *at > now);
        release.max(self.filled_until(now)).max(self.spaced_until(now))
    }

    /// A packet is about to be sent. `spaced`: another path is in use beside this one.
    pub(super) fn space(&mut self, now: Time, spaced: bool) {
        if let Some(filling) = &mut self.filling {
            filling.next = filling.next.max(now).saturating_add(filling.gap);
        }
        if spaced {
            self.pace.on_sent(now, &self.controller, &self.rtt);
        }
    }

    /// An ACK shows arrivals while two paths carry data. The controller is told as a host without a
    /// cumulative point tells it, since that point waits for what is on the other path. Returns the
    /// RTT. The timer is the caller's concern.
    pub(super) fn on_arrivals(&mut self, now: Time, arrivals: Arrivals) -> Option<Span> {
        let Arrivals { count, newest, in_flight, samples } = arrivals;
        let sample = newest.map(|(_, _, sent_at)| now.since(sent_at));
        if let Some(rtt) = sample {
            self.rtt.on_one_sample_of(rtt, samples);
        }
        self.timeouts = 0;
        let ack = Ack::new(now)
            .delivered(count)
            .cumulative(count)
            .newest(newest.map(|(_, number, sent_at)| (number, sent_at)))
            .rtt(sample)
            .srtt(self.rtt.srtt().unwrap_or_default())
            .rtt_min(self.rtt.min().unwrap_or_default())
            .in_flight(in_flight)
            .in_recovery(self.recovering)
            .window_limited(self.window_limited);
        self.controller.on_ack(&ack);
        self.window_limited = false;
        if newest.is_some_and(|(tx, ..)| tx >= self.reacted) {
            self.end_recovery(now);
        }
        sample
    }

    /// Tells the controller that a packet sent after the reaction to a loss has arrived, or that
    /// nothing is missing any more.
    pub(super) fn end_recovery(&mut self, now: Time) {
        if std::mem::take(&mut self.recovering) {
            self.controller.on_recovered(now);
        }
    }

    /// When the controller wants to be called. It has no clock: what it waited for may have been
    /// due long before it wants it.
    #[inline]
    pub(super) fn next_tick(&self, now: Time) -> Time {
        self.controller.next_timeout().map_or(Time::MAX, |tick| tick.max(now))
    }

    /// A transmission, the path's `number`-th, is lost while two paths carry data. `next` is the
    /// connection's next transmission. True if an episode begins with it.
    pub(super) fn on_loss(
        &mut self,
        now: Time,
        (lost, number): (LostTx, u64),
        in_flight: u32,
        next: u64,
    ) -> bool {
        let begins = lost.tx >= self.reacted;
        let numbered = LostTx { tx: number, ..lost };
        self.controller.on_loss(&loss(now, numbered, begins, Detection::Acks, in_flight, 0));
        if begins {
            (self.recovering, self.forced, self.reacted) = (true, true, next);
        }
        begins
    }

    /// The timer expired while two paths carry data, and nothing is in flight here: what it was
    /// tried with was repaired over the other one, and if it has not answered since, it is tried
    /// again with the next packet.
    pub(super) fn try_again(&mut self) {
        self.rto_due = Time::MAX;
        self.forced |= self.timeouts > 0;
    }

    /// The timer expired while two paths carry data. `lost` was in flight here, with numbers on
    /// this path.
    pub(super) fn on_expiry(&mut self, now: Time, lost: &[LostTx], in_flight: u32, next: u64) {
        self.timeouts += 1;
        for &lost in lost {
            let event = loss(now, lost, false, Detection::Timeout, in_flight, 0);
            self.controller.on_loss(&event);
        }
        self.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(self.timeouts));
        (self.recovering, self.forced, self.reacted) = (false, true, next);
        self.arm(now);
    }
}

/// The controller event for a lost transmission. `base` is the difference to the controller's own
/// numbers.
pub(super) fn loss(
    now: Time,
    lost: LostTx,
    new_episode: bool,
    detection: Detection,
    in_flight: u32,
    base: u64,
) -> Loss {
    Loss::new(now, lost.tx.saturating_sub(base), lost.bytes.into(), in_flight)
        .link_failures(u32::from(lost.link_failed))
        .new_episode(new_episode)
        .detection(detection)
}
