//! The half that decides: it observes arrivals and requests a rate.

use super::Config;
use super::losses::Losses;
use super::separation::{Average, Separations};
use crate::time::Time;
use crate::window::{Arrived, ReceiverHalf, Start};

/// Packets over which the sender's separation is averaged, to see whether it uses its rate, or a
/// new one.
const RECENT: u32 = 4;
/// Packets that a decision on separations needs.
const SETTLED: u32 = 16;
/// A sender that uses less than this share of its rate is not given a higher one.
const USED: f64 = 0.8;
/// A separation at the sender of this many times the requested one is a pause, and does not measure
/// the path.
const PAUSE: f64 = 8.0;
/// Feedback times to wait until a decrease shows.
const PATIENCE: f64 = 4.0;
/// A packet pair measures a bottleneck only if it arrives at least this many times as far apart as
/// it was sent.
const DISPERSED: f64 = 2.0;
/// Share of a new measurement in the feedback time.
const FEEDBACK_GAIN: f64 = 0.25;
/// Least and largest feedback time in seconds.
const FEEDBACK: (f64, f64) = (1e-3, 60.0);

/// A decrease that the sender has not yet been seen to follow.
#[derive(Clone, Copy, Debug)]
struct Asked {
    at: Time,
    /// Separation at the sender, in seconds, halfway between the old and the new rate.
    separation: f64,
}

/// The receiver's half of [WTCP](super).
#[derive(Clone, Debug)]
pub struct Receiver {
    config: Config,
    initial_window: f64,
    newest: Option<Arrived>,
    /// Arrivals among the 64 transmissions before the newest, the one right before it in the lowest
    /// bit.
    seen: u64,
    /// The first transmission that arrived, with its time of arrival.
    first: (u64, Time),
    rate: Option<f64>,
    feedback: f64,
    recent: Average,
    short: Separations,
    long: Separations,
    asked: Option<Asked>,
    losses: Losses,
}

impl Receiver {
    /// The receiver of a connection that begins with `start`.
    pub fn new(config: &Config, start: &Start) -> Self {
        let config = config.usable();
        Receiver {
            initial_window: super::sender::initial_window(start),
            newest: None,
            seen: 0,
            first: (0, Time::ZERO),
            rate: None,
            feedback: FEEDBACK.1,
            recent: Average::over(RECENT),
            short: Separations::over(config.short_packets),
            long: Separations::over(config.long_packets),
            asked: None,
            losses: Losses::new(config.loss_block, config.loss_deviations),
            config,
        }
    }

    /// D: seconds from the request of a rate to the arrival of packets sent at it.
    pub fn feedback_time(&self) -> f64 {
        self.feedback
    }

    /// Handles a packet that others have overtaken, or a copy.
    fn late(&mut self, tx: u64, newest: u64) {
        let bit = match newest - tx {
            behind @ 1..=64 => 1u64 << (behind - 1),
            _ => return,
        };
        if self.seen & bit == 0 {
            self.seen |= bit;
            self.losses.overtaken();
        }
    }

    fn bounded(&self, rate: f64) -> f64 {
        rate.clamp(self.config.min_rate, self.config.max_rate)
    }

    /// Finds the first rate: from the pair, or from the packets of one feedback time.
    fn open(&mut self, arrived: &Arrived, pair: Option<(f64, f64)>) {
        if let Some((sent, apart)) = pair
            && apart > DISPERSED * sent
        {
            self.rate = Some(self.bounded(1.0 / apart));
        }
        if (arrived.tx - self.first.0) as f64 >= self.initial_window {
            self.learn_feedback(arrived.now.since(self.first.1).secs());
            if self.rate.is_none() {
                self.rate = Some(self.bounded(self.initial_window / self.feedback));
            }
        }
    }

    fn learn_feedback(&mut self, sample: f64) {
        let sample = sample.clamp(FEEDBACK.0, FEEDBACK.1);
        let known = self.feedback < FEEDBACK.1;
        self.feedback =
            if known { self.feedback + FEEDBACK_GAIN * (sample - self.feedback) } else { sample };
    }

    /// Separations of two consecutive packets, in seconds, at the sender and at the receiver.
    fn measure(&mut self, rate: f64, sent: f64, apart: f64, now: Time) {
        self.recent.add(sent);
        if sent * rate <= PAUSE {
            self.short.add(sent, apart);
            self.long.add(sent, apart);
        }
        let Some(asked) = self.asked else {
            return;
        };
        let waited = now.since(asked.at).secs();
        let follows = self.recent.get().is_some_and(|recent| recent >= asked.separation);
        if follows {
            self.learn_feedback(waited);
        }
        if follows || waited > PATIENCE * self.feedback {
            self.asked = None;
            self.short = Separations::over(self.config.short_packets);
            self.long = Separations::over(self.config.long_packets);
        }
    }

    /// The decision table of [the module](super).
    fn decide(&mut self, rate: f64, elapsed: f64, now: Time) {
        if self.asked.is_some() {
            // Losses until the decrease shows belong to the congestion that it answers.
            self.losses.excessive();
            return;
        }
        let settled = self.long.packets() >= SETTLED.min(self.config.long_packets);
        let grows = settled && self.long.ratio() > 1.0 + self.config.tolerance;
        if grows {
            self.losses.congested();
        }
        if self.losses.excessive() || grows {
            let lower = self.bounded(rate * self.config.decrease);
            self.rate = Some(lower);
            self.asked =
                Some(Asked { at: now, separation: 1.0 / (rate * self.config.decrease.sqrt()) });
            return;
        }
        let steady = (self.short.ratio() - 1.0).abs() <= self.config.short_tolerance;
        let used = self.recent.get().is_some_and(|recent| recent * rate * USED <= 1.0);
        if settled && steady && used {
            let elapsed = elapsed.min(self.feedback);
            let gain = self.config.increase * elapsed / (self.feedback * self.feedback);
            self.rate = Some(self.bounded(rate + gain));
        }
    }
}

impl ReceiverHalf for Receiver {
    fn on_data(&mut self, arrived: &Arrived) {
        let Some(newest) = self.newest else {
            self.newest = Some(*arrived);
            self.first = (arrived.tx, arrived.now);
            return;
        };
        if arrived.tx <= newest.tx {
            self.late(arrived.tx, newest.tx);
            return;
        }
        let step = arrived.tx - newest.tx;
        self.seen = match step {
            1..=63 => self.seen << step | 1 << (step - 1),
            64 => 1 << 63,
            _ => 0,
        };
        self.losses.arrived(step - 1);
        let sent = arrived.sent_at.since(newest.sent_at).secs();
        let apart = arrived.now.since(newest.now).secs();
        let pair = (step == 1).then_some((sent, apart));
        match self.rate {
            None => self.open(arrived, pair),
            // The opening burst measures nothing: its packets were not sent at any rate.
            Some(_) if self.feedback >= FEEDBACK.1 => self.open(arrived, None),
            Some(rate) => {
                if let Some((sent, apart)) = pair {
                    self.measure(rate, sent, apart, arrived.now);
                }
                self.decide(rate, apart, arrived.now);
            }
        }
        self.newest = Some(*arrived);
    }

    fn rate(&self) -> Option<f64> {
        self.rate
    }
}
