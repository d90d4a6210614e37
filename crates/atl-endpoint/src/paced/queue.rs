//! What a paced sender has to send: packets of a source that only says how much there is, or frames of a live
//! encoder.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::app::App;
use crate::media::{Encoder, Frame};

/// Share of what waits at the sender that an encoder leaves room for in each frame: `BETA_V` of RFC 8698 (sec.
/// 5.2.2), so that a backlog goes within some ten frames and the encoder's reaction.
const DRAIN: f64 = 0.1;

/// A data packet's payload, and the frame that it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Bytes of payload.
    pub bytes: u32,
    /// Capture time and number of packets of the frame of which this is the first.
    pub begins: Option<(Time, u64)>,
}

/// Frames that wait for their turn.
#[derive(Debug)]
pub struct Frames {
    encoder: Encoder,
    waiting: VecDeque<Frame>,
    /// Bytes of them that have not left.
    waiting_bytes: u64,
    /// Packets of the first one that have left, of how many.
    begun: (u64, u64),
    segment: u32,
    playout: Span,
    /// Capture times of frames of which nothing was sent, as they would have come too late.
    abandoned: Vec<Time>,
}

/// What there is to send.
#[derive(Debug)]
pub enum Queue {
    /// Full segments.
    Segments {
        /// What writes them.
        app: App,
        /// Bytes of each.
        segment: u32,
        /// Segments that have left.
        left: u64,
    },
    /// Frames.
    Frames(Box<Frames>),
}

impl Queue {
    /// Full segments of `segment` bytes, as the application writes them.
    pub fn segments(app: App, segment: u32) -> Self {
        Queue::Segments { app, segment, left: 0 }
    }

    /// Frames of an encoder in packets of at most `segment` bytes; a frame that is older than `playout` before any of it
    /// was sent is given up.
    pub fn frames(encoder: Encoder, segment: u32, playout: Span) -> Self {
        Queue::Frames(Box::new(Frames {
            encoder,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            begun: (0, 0),
            segment,
            playout,
            abandoned: Vec::new(),
        }))
    }

    /// True if there is something to send now.
    #[inline]
    pub fn has_data(&mut self, now: Time) -> bool {
        match self {
            Queue::Segments { app, left, .. } => *left < app.written(now),
            Queue::Frames(frames) => frames.has_data(now),
        }
    }

    /// The next packet's payload, where there is one.
    #[inline]
    pub fn take(&mut self, now: Time) -> Option<Payload> {
        match self {
            Queue::Segments { app, segment, left } => (*left < app.written(now)).then(|| {
                *left += 1;
                Payload { bytes: *segment, begins: None }
            }),
            Queue::Frames(frames) => frames.take(now),
        }
    }

    /// When there will be more; [`Time::MAX`] if there is enough already, or never will be.
    pub fn next_write(&mut self, now: Time) -> Time {
        match self {
            Queue::Segments { app, .. } => app.next_write(now).unwrap_or(Time::MAX),
            Queue::Frames(frames) => frames.encoder.next_frame(),
        }
    }

    /// The flow can send so many bytes a second, of which each packet's header takes `header`.
    #[inline]
    pub fn offer(&mut self, now: Time, bytes_per_second: f64, header: u32) {
        if let Queue::Frames(frames) = self {
            frames.offer(now, bytes_per_second, header);
        }
    }

    /// True while a frame waits that should have left before the next one was captured: what is offered to the
    /// encoder depends on how much waits.
    #[inline]
    pub fn is_behind(&self) -> bool {
        match self {
            Queue::Segments { .. } => false,
            Queue::Frames(frames) => frames.waiting.len() > 1,
        }
    }

    /// The encoder, of a live source.
    pub fn encoder(&self) -> Option<&Encoder> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => Some(&frames.encoder),
        }
    }

    /// The same, to be changed.
    pub fn encoder_mut(&mut self) -> Option<&mut Encoder> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => Some(&mut frames.encoder),
        }
    }

    /// Frames of which nothing has left yet: when they were captured.
    pub fn unsent(&self) -> impl Iterator<Item = Time> {
        let frames = match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => Some(frames),
        };
        frames.into_iter().flat_map(|f| {
            let begun = usize::from(f.begun.0 > 0);
            let waiting = f.waiting.iter().skip(begun).map(|frame| frame.captured);
            waiting.chain(f.abandoned.iter().copied())
        })
    }

    /// A frame that was given up without a packet of it having left: when it was captured.
    pub fn poll_abandoned(&mut self) -> Option<Time> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => frames.abandoned.pop(),
        }
    }
}

impl Frames {
    /// What an encoder may fill: a frame's share of the rate, less the headers of its packets, and less a part of what
    /// waits from earlier frames. Without the last, an encoder that fills its flow to the brim would never catch up,
    /// and each frame would be as late as the one before.
    fn offer(&mut self, now: Time, bytes_per_second: f64, header: u32) {
        let frames_per_second = self.encoder.frames_per_second();
        let share = bytes_per_second / frames_per_second;
        let (segment, header) = (f64::from(self.segment), f64::from(header));
        let packets = libm::ceil(share / (segment + header));
        // A packet more is not worth its header unless something is in it.
        let payload = (share - packets * header).max((packets - 1.0) * segment);
        let newest = self.waiting.back().map_or(0, |frame| u64::from(frame.bytes.max(1)));
        let behind = self.waiting_bytes.saturating_sub(newest) as f64;
        self.encoder.offer(now, (payload - DRAIN * behind) * 8.0 * frames_per_second);
    }

    fn advance(&mut self, now: Time) {
        while let Some(frame) = self.encoder.poll(now) {
            self.waiting_bytes += u64::from(frame.bytes.max(1));
            self.waiting.push_back(frame);
        }
        // A frame that would be sent after its time helps nobody and delays the next. One that has begun is
        // finished: what has been sent of it would be in vain.
        while self.begun.0 == 0
            && let Some(frame) = self.waiting.front()
            && frame.captured.saturating_add(self.playout) < now
        {
            self.abandoned.push(frame.captured);
            self.waiting_bytes -= u64::from(frame.bytes.max(1));
            self.waiting.pop_front();
        }
    }

    fn has_data(&mut self, now: Time) -> bool {
        self.advance(now);
        !self.waiting.is_empty()
    }

    fn take(&mut self, now: Time) -> Option<Payload> {
        self.advance(now);
        let frame = self.waiting.front()?;
        let whole = u64::from(frame.bytes.max(1));
        let begins = self.begun.0 == 0;
        if begins {
            self.begun.1 = whole.div_ceil(u64::from(self.segment));
        }
        let (sent, packets) = self.begun;
        // Packets of a frame are as equal as whole bytes allow.
        let bytes = whole * (sent + 1) / packets - whole * sent / packets;
        let payload =
            Payload { bytes: bytes as u32, begins: begins.then_some((frame.captured, packets)) };
        self.waiting_bytes -= bytes;
        self.begun.0 += 1;
        if self.begun.0 == packets {
            self.waiting.pop_front();
            self.begun.0 = 0;
        }
        Some(payload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::media::{EncoderRates, Media};
    use atl_core::units::Rate;

    const SEGMENT: u32 = 1000;
    const HEADER: u32 = 40;

    fn queue(reaction: Span) -> Queue {
        let media = Media {
            frames_per_second: 25.0,
            rates: EncoderRates::Range { min: Rate::from_bps(1e4), max: Rate::from_mbps(10.0) },
            reaction,
            playout: Span::from_secs(2),
        };
        Queue::frames(Encoder::new(&media, Time::ZERO), SEGMENT, media.playout)
    }

    fn waiting(queue: &Queue) -> (usize, u64) {
        let Queue::Frames(frames) = queue else { panic!("frames") };
        let mut bytes: u64 = frames.waiting.iter().map(|f| u64::from(f.bytes)).sum();
        let (sent, packets) = frames.begun;
        if sent > 0 {
            bytes -= u64::from(frames.waiting[0].bytes) * sent / packets;
        }
        assert_eq!(frames.waiting_bytes, bytes);
        (frames.waiting.len(), bytes)
    }

    /// Sends what there is at so many bytes on the wire per second from `from` to `to`.
    fn pace(queue: &mut Queue, bytes_per_second: f64, (from, to): (u64, u64)) {
        let mut budget = 0.0;
        for ms in from..to {
            let now = Time::from_millis(ms);
            budget = f64::min(budget + bytes_per_second / 1e3, 2e3);
            queue.offer(now, bytes_per_second, HEADER);
            while budget >= f64::from(SEGMENT + HEADER)
                && let Some(payload) = queue.take(now)
            {
                budget -= f64::from(payload.bytes + HEADER);
            }
            queue.has_data(now);
            waiting(queue);
        }
    }

    #[test]
    fn frames_and_the_headers_of_their_packets_fill_the_rate() {
        for bytes_per_second in [1e3, 12e3, 25e3, 26e3, 27e3, 40e3, 51e3, 53e3, 1e6] {
            let mut queue = queue(Span::ZERO);
            queue.offer(Time::ZERO, bytes_per_second, HEADER);
            let frame: u64 = {
                let mut bytes = 0;
                while let Some(payload) = queue.take(Time::ZERO) {
                    bytes += u64::from(payload.bytes + HEADER);
                }
                bytes
            };
            let share = bytes_per_second / 25.0;
            // Where a packet more would hold nothing, its header's bytes are left.
            let room = f64::from(HEADER) + 1.0;
            let fills = frame as f64 <= share + 1.0 && frame as f64 >= share - room;
            assert!(fills || bytes_per_second < 3e3, "{frame} of {share}");
        }
    }

    #[test]
    fn a_backlog_goes_when_the_rate_is_steady_again() {
        for reaction in [0, 200] {
            let mut queue = queue(Span::from_millis(reaction));
            pace(&mut queue, 200e3, (0, 2000));
            assert!(waiting(&queue).0 <= 1, "{:?}", waiting(&queue));
            // A quarter of the rate: with a reaction frames of the old one go on for a time.
            pace(&mut queue, 50e3, (2000, 2240));
            let fallen = waiting(&queue).1;
            assert!(reaction == 0 || fallen > 20_000, "{fallen}");
            pace(&mut queue, 50e3, (2240, 5000));
            assert!(waiting(&queue).0 <= 1, "{:?}", waiting(&queue));
            let rate = queue.encoder().map(Encoder::rate_bps).unwrap_or_default();
            assert!((0.9..=1.0).contains(&(rate / (50e3 * 8.0 / 1.04))), "{rate}");
        }
    }
}
