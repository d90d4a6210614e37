//! The packets that a paced sender takes: of a source that only says how much data there is, or of
//! a live encoder's frames.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::app::App;
use crate::media::{Encoder, Frame};

/// Share of the backlog by which each frame is made smaller: `BETA_V` of RFC 8698 (sec. 5.2.2). A
/// backlog drains within some ten frames plus the reaction time of the encoder.
const DRAIN: f64 = 0.1;

/// The payload of a data packet, and the frame that starts with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Bytes of payload.
    pub bytes: u32,
    /// Capture time and number of packets of the frame, if this is its first packet.
    pub begins: Option<(Time, u64)>,
}

/// Frames waiting to be sent.
#[derive(Debug)]
pub struct Frames {
    encoder: Encoder,
    waiting: VecDeque<Frame>,
    /// Bytes of these frames that are not sent yet.
    waiting_bytes: u64,
    /// Packets of the first frame that are sent, and their total number.
    begun: (u64, u64),
    segment: u32,
    playout: Span,
    /// Capture times of frames dropped before any part was sent, because they would have come too
    /// late.
    abandoned: Vec<Time>,
}

/// The data to send.
#[derive(Debug)]
pub enum Queue {
    /// Segments of what an application has written.
    Segments {
        /// The application that writes them.
        app: App,
        /// Most bytes of a segment.
        segment: u32,
        /// Bytes sent.
        sent: u64,
    },
    /// Frames of a live encoder.
    Frames(Box<Frames>),
}

impl Queue {
    /// The application's bytes, in segments of at most `segment` bytes. A short segment leaves as
    /// it is.
    pub fn segments(app: App, segment: u32) -> Self {
        Queue::Segments { app, segment, sent: 0 }
    }

    /// Frames of an encoder in packets of at most `segment` bytes. A frame older than `playout` is
    /// dropped if no part of it was sent yet.
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
    #[inline(always)]
    pub fn has_data(&mut self, now: Time) -> bool {
        match self {
            Queue::Segments { app, sent, .. } => app.left(now, *sent) > 0,
            Queue::Frames(frames) => frames.has_data(now),
        }
    }

    /// The payload of the next packet, if there is data.
    #[inline]
    pub fn take(&mut self, now: Time) -> Option<Payload> {
        match self {
            Queue::Segments { app, segment, sent } => {
                let left = app.left(now, *sent);
                let bytes = u64::from(*segment).min(left) as u32;
                *sent += u64::from(bytes);
                (bytes > 0).then_some(Payload { bytes, begins: None })
            }
            Queue::Frames(frames) => frames.take(now),
        }
    }

    /// When there will be more data; [`Time::MAX`] if there is enough already, or never will be
    /// more.
    pub fn next_write(&mut self, now: Time) -> Time {
        match self {
            Queue::Segments { app, .. } => app.next_write(now).unwrap_or(Time::MAX),
            Queue::Frames(frames) => frames.encoder.next_frame(),
        }
    }

    /// True if the application or encoder has ended, and everything of it is sent.
    pub fn is_complete(&mut self, now: Time) -> bool {
        match self {
            Queue::Segments { app, sent, .. } => app.is_complete(now, *sent),
            Queue::Frames(frames) => {
                !frames.has_data(now) && frames.encoder.next_frame() == Time::MAX
            }
        }
    }

    /// Tells the encoder that the flow can send `bytes_per_second` on the wire, with `header` bytes
    /// per packet.
    #[inline]
    pub fn offer(&mut self, now: Time, bytes_per_second: f64, header: u32) {
        if let Queue::Frames(frames) = self {
            frames.offer(now, bytes_per_second, header);
        }
    }

    /// True while a frame waits that should have been sent before the next one was captured. What
    /// is offered to the encoder depends on the backlog.
    #[inline]
    pub fn is_behind(&self) -> bool {
        match self {
            Queue::Segments { .. } => false,
            Queue::Frames(frames) => frames.waiting.len() > 1,
        }
    }

    /// The encoder, if the source is live.
    pub fn encoder(&self) -> Option<&Encoder> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => Some(&frames.encoder),
        }
    }

    /// The encoder, mutable.
    pub fn encoder_mut(&mut self) -> Option<&mut Encoder> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => Some(&mut frames.encoder),
        }
    }

    /// Capture times of the frames of which nothing has been sent yet, including dropped ones.
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

    /// Capture time of the next frame that was dropped before any packet of it was sent.
    pub fn poll_abandoned(&mut self) -> Option<Time> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => frames.abandoned.pop(),
        }
    }
}

impl Frames {
    /// Offers the encoder its share of the rate: a frame interval's worth of bytes, less the
    /// headers of its packets, and less a part of the backlog of earlier frames. Without that last
    /// part, an encoder that fills its flow completely would never catch up, and each frame would
    /// be as late as the one before.
    fn offer(&mut self, now: Time, bytes_per_second: f64, header: u32) {
        let frames_per_second = self.encoder.frames_per_second();
        let share = bytes_per_second / frames_per_second;
        let (segment, header) = (f64::from(self.segment), f64::from(header));
        let packets = libm::ceil(share / (segment + header));
        // An extra packet is only worth its header if it carries something.
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
        // A frame sent after its playout time helps nobody and delays the next one. A frame that
        // was begun is finished: what was sent of it would be wasted otherwise.
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
        // The packets of a frame are as equal as whole bytes allow.
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

    /// Sends the available data at `bytes_per_second` on the wire, in the ms from `from` to `to`.
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
            // If an extra packet would carry nothing, the bytes of its header remain.
            let room = f64::from(HEADER) + 1.0;
            let fills = frame as f64 <= share + 1.0 && frame as f64 >= share - room;
            assert!(fills || bytes_per_second < 3e3, "{frame} of {share}");
        }
    }

    #[test]
    fn a_backlog_drains_once_the_rate_is_steady() {
        for reaction in [0, 200] {
            let mut queue = queue(Span::from_millis(reaction));
            pace(&mut queue, 200e3, (0, 2000));
            assert!(waiting(&queue).0 <= 1, "{:?}", waiting(&queue));
            // A quarter of the rate: with a reaction time, frames of the old rate continue for a
            // while.
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
