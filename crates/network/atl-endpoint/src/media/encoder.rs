//! A live encoder whose rate R(t) follows S(t), the rate of its flow.
//!
//! The papers say that an encoder "can adapt its encoding rate in accord with the controlled fair
//! share" (ARC, sec. I) and leave open how. Chosen:
//! - Frames are captured at even intervals and have the same size, the rate over the frame rate.
//!   There are no key frames.
//! - The rate is the highest that fits into S(t), or the lowest of all if none fits: a live source
//!   does not stop.
//! - The steps of a ladder have no hysteresis, up or down. An encoder that hesitates would hide how
//!   often the rate of its flow changes, and protocols are compared by that.
//! - S(t) takes effect `reaction` later, at the next frame. This covers frames already begun, and
//!   how far rate control plans ahead. An offer before the first frame is captured takes effect at
//!   once, because nothing has been encoded.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use super::params::{EncoderRates, Media};

/// A frame as it leaves the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the frame, from 0.
    pub number: u64,
    /// Time of its capture.
    pub captured: Time,
    /// Size in bytes, without headers; at least 1.
    pub bytes: u32,
}

/// A live encoder with its frames still to come.
#[derive(Clone, Debug)]
pub struct Encoder {
    rates: EncoderRates,
    frames_per_second: f64,
    reaction: Span,
    start: Time,
    /// No frame is captured from then on.
    stop: Time,
    /// Number and capture time of the next frame.
    next: (u64, Time),
    /// Current rate of frames, in bits per second.
    rate: f64,
    /// Future rates, each with the number of the first frame that has it; frame numbers ascend. At
    /// most one more than the number of frames within `reaction`.
    coming: VecDeque<(u64, f64)>,
    /// Bytes encoded so far.
    bytes: u64,
    /// Frames and bytes at the start of the measurement.
    since: (u64, u64),
}

impl Encoder {
    /// An encoder at its minimum rate, which captures its first frame at `start`.
    pub fn new(media: &Media, start: Time) -> Self {
        let mut encoder = Encoder {
            rates: media.rates.clone(),
            frames_per_second: media.frames_per_second,
            reaction: media.reaction,
            start,
            stop: Time::MAX,
            next: (0, start),
            rate: 0.0,
            coming: VecDeque::new(),
            bytes: 0,
            since: (0, 0),
        };
        encoder.rate = encoder.fitting(0.0);
        encoder
    }

    /// The same, which captures no frame from this time on.
    #[must_use]
    pub fn stopping_at(self, stop: Option<Time>) -> Self {
        Encoder { stop: stop.unwrap_or(Time::MAX), ..self }
    }

    /// From `now` on the transport can carry `payload_bps` bits of payload per second. NaN counts
    /// as 0.
    pub fn offer(&mut self, now: Time, payload_bps: f64) {
        let rate = self.fitting(payload_bps);
        let newest = self.coming.back().map_or(self.rate, |coming| coming.1);
        if rate.total_cmp(&newest).is_eq() {
            return;
        }
        if self.next.0 == 0 {
            self.rate = rate;
            return;
        }
        let frame = self.frame_at(now.saturating_add(self.reaction));
        match self.coming.back_mut() {
            // No frame is captured between the two.
            Some(coming) if coming.0 >= frame => coming.1 = rate,
            _ => self.coming.push_back((frame, rate)),
        }
    }

    /// The largest rate of frames, in bits per second.
    pub fn largest_bps(&self) -> f64 {
        self.fitting(f64::INFINITY)
    }

    /// Frames per second, as configured.
    #[inline]
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// Capture time of the next frame; [`Time::MAX`] after the last.
    #[inline]
    pub fn next_frame(&self) -> Time {
        if self.next.1 < self.stop { self.next.1 } else { Time::MAX }
    }

    /// The next frame, if it is captured by now. Call until it returns `None`.
    pub fn poll(&mut self, now: Time) -> Option<Frame> {
        let (number, captured) = self.next;
        if now < captured || captured >= self.stop {
            return None;
        }
        while let Some(&(_, rate)) = self.coming.front().filter(|coming| coming.0 <= number) {
            self.rate = rate;
            self.coming.pop_front();
        }
        let bytes = (self.rate / (8.0 * self.frames_per_second)).round().max(1.0) as u32;
        self.bytes = self.bytes.saturating_add(u64::from(bytes));
        self.next = (number + 1, self.time_of(number + 1));
        Some(Frame { number, captured, bytes })
    }

    /// The current rate of frames, in bits per second.
    pub fn rate_bps(&self) -> f64 {
        self.rate
    }

    /// Starts the measurement: the mean rate covers frames from here on.
    pub fn begin_measurement(&mut self) {
        self.since = (self.next.0, self.bytes);
    }

    /// Mean rate of the frames captured since the start of the measurement, in bits per second;
    /// before the first one, the current rate.
    pub fn mean_rate_bps(&self) -> f64 {
        let (frames, bytes) = (self.next.0 - self.since.0, self.bytes - self.since.1);
        if frames == 0 {
            return self.rate;
        }
        bytes as f64 * 8.0 * self.frames_per_second / frames as f64
    }

    /// The encoder rate for a transport that carries `payload` bits per second.
    fn fitting(&self, payload: f64) -> f64 {
        match &self.rates {
            EncoderRates::Range { min, max } if payload > min.bps() => payload.min(max.bps()),
            EncoderRates::Range { min, .. } => min.bps(),
            EncoderRates::Ladder(steps) => {
                let fits = steps.iter().rev().find(|step| step.bps() <= payload);
                fits.or(steps.first()).map_or(0.0, |step| step.bps())
            }
        }
    }

    /// Capture time of a frame. Not a sum of rounded intervals, so that it does not drift.
    fn time_of(&self, number: u64) -> Time {
        self.start.saturating_add(Span::from_secs_f64(number as f64 / self.frames_per_second))
    }

    /// The number of the first frame captured at `time` or later.
    fn frame_at(&self, time: Time) -> u64 {
        let mut number = libm::ceil(time.since(self.start).secs() * self.frames_per_second) as u64;
        // The product is rounded, and times have nanosecond resolution.
        if number > 0 && self.time_of(number - 1) >= time {
            number -= 1;
        } else if self.time_of(number) < time {
            number += 1;
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Rate;
    use proptest::prelude::*;

    fn media(rates: EncoderRates, reaction: Span) -> Media {
        let playout = Span::from_millis(200);
        Media { frames_per_second: 30.0, rates, reaction, playout }
    }

    fn range(min: f64, max: f64) -> EncoderRates {
        EncoderRates::Range { min: Rate::from_bps(min), max: Rate::from_bps(max) }
    }

    fn ladder() -> EncoderRates {
        EncoderRates::Ladder([3e5, 1e6, 2.5e6].map(Rate::from_bps).into())
    }

    /// All frames captured up to `until`.
    fn frames(encoder: &mut Encoder, until: Time) -> Vec<Frame> {
        core::iter::from_fn(|| encoder.poll(until)).collect()
    }

    #[test]
    fn frames_are_captured_at_even_times_without_drift() {
        let mut encoder = Encoder::new(&media(range(24e3, 24e3), Span::ZERO), Time::from_millis(7));
        assert_eq!(encoder.poll(Time::from_millis(6)), None);
        assert_eq!(encoder.next_frame(), Time::from_millis(7));
        let frames = frames(&mut encoder, Time::from_millis(3_600_007));
        assert_eq!(frames.len(), 3600 * 30 + 1);
        for (i, frame) in frames.iter().enumerate() {
            assert_eq!((frame.number, frame.bytes), (i as u64, 100));
        }
        assert_eq!(frames.last().map(|f| f.captured), Some(Time::from_millis(3_600_007)));
        assert!((encoder.mean_rate_bps() - 24e3).abs() < 1e-6);
    }

    #[test]
    fn the_rate_follows_offers_within_its_range() {
        let mut encoder = Encoder::new(&media(range(1e5, 2e6), Span::ZERO), Time::ZERO);
        assert!((encoder.rate_bps() - 1e5).abs() < 1e-9, "it starts at its minimum rate");
        for (i, (offered, bytes)) in
            [(1.2e6, 5000), (9e6, 8333), (1e3, 417), (f64::NAN, 417), (f64::INFINITY, 8333)]
                .into_iter()
                .enumerate()
        {
            let now = Time::from_millis(100 * i as u64);
            encoder.offer(now, offered);
            let next = encoder.next_frame();
            let frame = encoder.poll(next).expect("a frame");
            assert_eq!(frame.bytes, bytes, "{offered}");
            frames(&mut encoder, now + Span::from_millis(99));
        }
    }

    #[test]
    fn the_rate_is_the_highest_step_of_the_ladder_that_fits() {
        let mut encoder = Encoder::new(&media(ladder(), Span::ZERO), Time::ZERO);
        for (offered, rate) in
            [(0.0, 3e5), (999_999.0, 3e5), (1e6, 1e6), (2.4e6, 1e6), (1e9, 2.5e6), (1.0, 3e5)]
        {
            encoder.offer(encoder.next_frame(), offered);
            let next = encoder.next_frame();
            encoder.poll(next).expect("a frame");
            assert!((encoder.rate_bps() - rate).abs() < 1e-9, "{offered}");
        }
    }

    #[test]
    fn a_change_takes_effect_after_the_reaction_time() {
        let reaction = Span::from_millis(500);
        let mut encoder = Encoder::new(&media(ladder(), reaction), Time::ZERO);
        encoder.offer(Time::ZERO, 1e6);
        assert_eq!(
            encoder.poll(Time::ZERO).map(|f| f.bytes),
            Some(4167),
            "before the first frame: at once"
        );
        frames(&mut encoder, Time::from_millis(10));
        encoder.offer(Time::from_millis(10), 3e6);
        encoder.offer(Time::from_millis(20), 3e5);
        encoder.offer(Time::from_millis(200), 3e6);
        // The first two take effect at the same frame, the 16th at 533.3 ms; the third at the 21st
        // at 700 ms.
        let frames = frames(&mut encoder, Time::from_millis(1000));
        for frame in frames {
            let expected = match frame.number {
                ..16 => 4167,
                16..21 => 1250,
                21.. => 10417,
            };
            assert_eq!(frame.bytes, expected, "{frame:?}");
        }
    }

    #[test]
    fn the_mean_covers_frames_since_the_start_of_the_measurement() {
        let mut encoder = Encoder::new(&media(ladder(), Span::ZERO), Time::ZERO);
        frames(&mut encoder, Time::from_millis(999));
        encoder.offer(Time::from_millis(999), 1e6);
        encoder.begin_measurement();
        assert!((encoder.mean_rate_bps() - 3e5).abs() < 1e-9);
        frames(&mut encoder, Time::from_millis(1999));
        encoder.offer(Time::from_millis(1999), 3e6);
        frames(&mut encoder, Time::from_millis(2999));
        let mean = encoder.mean_rate_bps();
        assert!((mean / 1.75e6 - 1.0).abs() < 1e-4, "{mean}");
    }

    proptest! {
        /// Compares with the definition: the rate of a frame fits the last offer that is at least
        /// `reaction` old.
        #[test]
        fn each_frame_has_the_rate_of_the_last_offer_that_has_taken_effect(
            fps in 0.5_f64..120.0,
            reaction in 0_u64..800_000_000,
            start in 0_u64..1_000_000_000,
            steps in prop::collection::vec((0_u64..60_000_000, 0.0_f64..4e6), 1..200),
        ) {
            let media = Media {
                frames_per_second: fps,
                ..media(range(1e5, 2e6), Span::from_nanos(reaction))
            };
            let start = Time::from_nanos(start);
            let mut encoder = Encoder::new(&media, start);
            let mut offers: Vec<(Time, f64)> = vec![(start, 1e6)];
            encoder.offer(start, 1e6);
            let mut now = start;
            for (after, offer) in steps {
                now += Span::from_nanos(after);
                while let Some(frame) = encoder.poll(now) {
                    let taken = offers.iter().rev().find(|o| o.0 + media.reaction <= frame.captured);
                    let rate = taken.unwrap_or(&offers[0]).1.clamp(1e5, 2e6);
                    prop_assert_eq!(frame.bytes, (rate / 8.0 / fps).round() as u32);
                    prop_assert!(frame.captured <= now);
                }
                prop_assert!(encoder.next_frame() > now);
                encoder.offer(now, offer);
                offers.push((now, offer));
                let within = reaction as f64 / 1e9 * fps;
                prop_assert!(encoder.coming.len() as f64 <= within + 2.0);
            }
        }
    }
}
