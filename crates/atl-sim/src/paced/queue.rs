//! What a paced sender has to send: packets of a source that only says how much there is, or frames of a live
//! encoder.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::app::App;
use crate::media::{Encoder, Frame};

/// A data packet's payload, and the frame that it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Payload {
    pub bytes: u32,
    /// Capture time and number of packets of the frame of which this is the first.
    pub begins: Option<(Time, u64)>,
}

/// Frames that wait for their turn.
#[derive(Debug)]
pub(crate) struct Frames {
    pub encoder: Encoder,
    waiting: VecDeque<Frame>,
    /// Packets of the first one that have left, of how many.
    begun: (u64, u64),
    segment: u32,
    playout: Span,
    /// Capture times of frames of which nothing was sent, as they would have come too late.
    abandoned: Vec<Time>,
}

/// What there is to send.
#[derive(Debug)]
pub(crate) enum Queue {
    /// Full segments, of which so many have left.
    Segments { app: App, segment: u32, left: u64 },
    /// Frames.
    Frames(Box<Frames>),
}

impl Queue {
    pub fn segments(app: App, segment: u32) -> Self {
        Queue::Segments { app, segment, left: 0 }
    }

    pub fn frames(encoder: Encoder, segment: u32, playout: Span) -> Self {
        Queue::Frames(Box::new(Frames {
            encoder,
            waiting: VecDeque::new(),
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

    /// The flow can carry so many bits of payload per second.
    #[inline]
    pub fn offer(&mut self, now: Time, payload_bps: f64) {
        if let Queue::Frames(frames) = self {
            frames.encoder.offer(now, payload_bps);
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

    /// A frame that was given up without a packet of it having left: when it was captured.
    pub fn poll_abandoned(&mut self) -> Option<Time> {
        match self {
            Queue::Segments { .. } => None,
            Queue::Frames(frames) => frames.abandoned.pop(),
        }
    }
}

impl Frames {
    fn advance(&mut self, now: Time) {
        while let Some(frame) = self.encoder.poll(now) {
            self.waiting.push_back(frame);
        }
        // A frame that would be sent after its time helps nobody and delays the next. One that has begun is
        // finished: what has been sent of it would be in vain.
        while self.begun.0 == 0
            && let Some(frame) = self.waiting.front()
            && frame.captured.saturating_add(self.playout) < now
        {
            self.abandoned.push(frame.captured);
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
        self.begun.0 += 1;
        if self.begun.0 == packets {
            self.waiting.pop_front();
            self.begun.0 = 0;
        }
        Some(payload)
    }
}
