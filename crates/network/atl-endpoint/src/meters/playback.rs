//! A stored video as its viewer sees it: times of waiting, playing and stalling, and rates.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::app::Player;

/// A player's times and segments.
#[derive(Clone, Debug)]
pub struct Playback {
    /// When it asked for the video.
    began: Time,
    /// Time from then until it played for the first time.
    start_up: Option<Span>,
    /// Its state, and since when.
    player: (Player, Time),
    played: Span,
    stalled: Span,
    stalls: u64,
    segments: u64,
    /// Sum of the segments' rates in bits per second.
    rates_bps: f64,
    /// Rate of the segment before.
    last: Option<Rate>,
    switches: u64,
}

/// A player's measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlaybackResult {
    /// Time from the request of the video until it played for the first time, in seconds, whenever
    /// that was; `None` if it never did.
    pub start_up_s: Option<f64>,
    /// Time for which it played, in seconds.
    pub played_s: f64,
    /// Time for which it stood still after it had played, in seconds.
    pub stalled_s: f64,
    /// Times that it came to a stand.
    pub stalls: u64,
    /// Segments that it has got.
    pub segments: u64,
    /// Mean of the rates at which these were encoded, in bits per second; `None` without one.
    pub mean_bps: Option<f64>,
    /// Segments among them with another rate than the one before.
    pub switches: u64,
}

impl PlaybackResult {
    /// Share of the time after the start-up, from 0 to 1, for which it stood still; `None` if it
    /// did not play.
    pub fn stalled_share(&self) -> Option<f64> {
        let all = self.played_s + self.stalled_s;
        (all > 0.0).then(|| self.stalled_s / all)
    }
}

impl Playback {
    /// A player that waits from now on.
    pub fn new(now: Time) -> Playback {
        Playback {
            began: now,
            start_up: None,
            player: (Player::Waits, now),
            played: Span::ZERO,
            stalled: Span::ZERO,
            stalls: 0,
            segments: 0,
            rates_bps: 0.0,
            last: None,
            switches: 0,
        }
    }

    /// It does this from now on.
    pub fn on_player(&mut self, now: Time, player: Player) {
        self.settle(now);
        if player == Player::Plays && self.start_up.is_none() {
            self.start_up = Some(now.since(self.began));
        }
        self.stalls += u64::from(player == Player::Stalls && self.player.0 != Player::Stalls);
        self.player = (player, now);
    }

    /// It has got a segment of this rate.
    pub fn on_segment(&mut self, rate: Rate) {
        self.segments += 1;
        self.rates_bps += rate.bps();
        self.switches += u64::from(self.last.is_some_and(|last| last != rate));
        self.last = Some(rate);
    }

    /// Starts the measurement: what was before does not count, but for the start-up.
    pub fn begin_measurement(&mut self, now: Time) {
        self.settle(now);
        (self.played, self.stalled, self.stalls) = (Span::ZERO, Span::ZERO, 0);
        (self.segments, self.rates_bps, self.switches) = (0, 0.0, 0);
    }

    /// The measurements up to now.
    pub fn result(&self, now: Time) -> PlaybackResult {
        let mut all = self.clone();
        all.settle(now);
        PlaybackResult {
            start_up_s: all.start_up.map(Span::secs),
            played_s: all.played.secs(),
            stalled_s: all.stalled.secs(),
            stalls: all.stalls,
            segments: all.segments,
            mean_bps: (all.segments > 0).then(|| all.rates_bps / all.segments as f64),
            switches: all.switches,
        }
    }

    /// Counts the time up to now.
    fn settle(&mut self, now: Time) {
        let time = now.since(self.player.1);
        match self.player.0 {
            Player::Plays => self.played += time,
            Player::Stalls => self.stalled += time,
            Player::Waits | Player::Ended => {}
        }
        self.player.1 = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_are_those_since_the_measurement_began() {
        let at = |secs| Time::ZERO + Span::from_secs(secs);
        let rate = Rate::from_mbps;
        let mut playback = Playback::new(at(1));
        assert_eq!(playback.result(at(3)), PlaybackResult::default());
        playback.on_segment(rate(1.0));
        playback.on_player(at(3), Player::Plays);
        playback.on_player(at(9), Player::Stalls);
        playback.begin_measurement(at(10));
        playback.on_segment(rate(2.0));
        playback.on_segment(rate(2.0));
        playback.on_segment(rate(5.0));
        playback.on_player(at(12), Player::Plays);
        playback.on_player(at(17), Player::Stalls);
        let result = playback.result(at(18));
        assert_eq!((result.start_up_s, result.played_s, result.stalled_s), (Some(2.0), 5.0, 3.0));
        assert_eq!((result.stalls, result.segments, result.switches), (1, 3, 2));
        assert_eq!((result.mean_bps, result.stalled_share()), (Some(3e6), Some(0.375)));
        playback.on_player(at(18), Player::Ended);
        assert!((playback.result(at(50)).stalled_s - 3.0).abs() < 1e-12);
    }
}
