//! The parameters of a video and its player.

use atl_core::time::Span;
use atl_core::units::Rate;

use super::choice::RateChoice;

/// Parameters of a player of adaptive video and its server.
///
/// A segment is some seconds of video, encoded at a constant rate of the ladder. The player asks
/// for the next one when it has the last and its buffer has room for another; the request names the
/// rate. It begins to play when it has `start_up` of video, stands still when it has none left, and
/// goes on when it has as much again. An exchange is a segment: from its request to its last byte.
///
/// What it is not: a segment of one rate has one size, where a real encoder's vary with the scene;
/// one rate is chosen for each whole segment, which is never given up half-way; nobody seeks.
#[derive(Clone, Debug, PartialEq)]
pub struct Dash {
    /// Bytes of a request, at least 1.
    pub request: u64,
    /// Playing time of a segment, 100 ms to 60 s.
    pub segment: Span,
    /// Rates of the video, from the lowest to the highest: 1 to [`MOST_RATES`].
    pub ladder: Vec<Rate>,
    /// Most playing time that the player keeps: at least `start_up` and a segment.
    pub buffer: Span,
    /// Playing time with which it begins, and goes on after a stall. Above zero.
    pub start_up: Span,
    /// Rule for the rate of the next segment.
    pub choice: RateChoice,
    /// Segments after which the video ends; `None`: it goes on until the run ends.
    pub segments: Option<u64>,
}

/// Limit on the rates of a video.
pub const MOST_RATES: usize = 64;

impl Default for Dash {
    /// The ladder of Mao, Netravali and Alizadeh (SIGCOMM 2017), which is YouTube's for 240p to
    /// 1440p, segments of 4 s as there, and a buffer of 30 s.
    fn default() -> Self {
        let ladder = [300.0, 750.0, 1200.0, 1850.0, 2850.0, 4300.0];
        Dash {
            request: 500,
            segment: Span::from_secs(4),
            ladder: ladder.map(|kbps| Rate::from_bps(kbps * 1e3)).into(),
            buffer: Span::from_secs(30),
            start_up: Span::from_secs(4),
            choice: RateChoice::Throughput,
            segments: None,
        }
    }
}

impl Dash {
    /// Bytes of a segment at a rate of the ladder, at least 1.
    pub(super) fn bytes(&self, index: usize) -> u64 {
        let bits = self.ladder.get(index).map_or(0.0, |rate| rate.bps() * self.segment.secs());
        ((bits / 8.0).round() as u64).max(1)
    }

    /// Checks the ranges of the parameters.
    pub(super) fn checked(&self) -> Result<(), &'static str> {
        let (least, most) = (Span::from_millis(100), Span::from_secs(60));
        if self.request == 0 {
            return Err("request must be at least one byte");
        }
        if self.segment < least || self.segment > most {
            return Err("segment must be from 100ms to 60s");
        }
        if !(1..=MOST_RATES).contains(&self.ladder.len()) {
            return Err("ladder must have 1 to 64 rates");
        }
        if self.ladder.windows(2).any(|pair| pair[1] <= pair[0]) {
            return Err("each rate of the ladder must be higher than the one before it");
        }
        if self.start_up.is_zero() {
            return Err("start-up must be above zero");
        }
        if self.buffer.nanos() < self.start_up.nanos().saturating_add(self.segment.nanos()) {
            return Err("buffer must have room for start-up and a segment");
        }
        if self.segments == Some(0) { Err("segments must be at least 1") } else { Ok(()) }
    }
}
