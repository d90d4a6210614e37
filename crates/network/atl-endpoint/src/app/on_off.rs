//! An application that writes at a constant rate while on, and nothing while off.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::source::{Source, segment_time};

/// State of an on/off application.
#[derive(Clone, Debug)]
pub struct OnOff {
    on: Span,
    off: Span,
    /// Bytes of a segment, and the time to write one while on, positive.
    segment: u32,
    per_segment: Span,
    exponential: bool,
    stream: Stream,
    /// Segments written in the on periods that have ended, and the time already spent on the next
    /// one.
    written: u64,
    begun: Span,
    /// Start and end of the current on period, which may lie ahead.
    period: (Time, Time),
}

impl OnOff {
    /// The application described by `source`; `None` if that is not an on/off source.
    pub(super) fn of(source: &Source, mss: u32, start: Time, stream: Stream) -> Option<Self> {
        match *source {
            Source::OnOff { on, off, rate, exponential } => {
                let pace = (mss, segment_time(rate, mss));
                Some(OnOff::new((on, off), pace, exponential, start, stream))
            }
            _ => None,
        }
    }

    fn new(
        (on, off): (Span, Span),
        (segment, per_segment): (u32, Span),
        exponential: bool,
        start: Time,
        stream: Stream,
    ) -> Self {
        let (written, begun, period) = (0, Span::ZERO, (start, start));
        let mut app =
            OnOff { on, off, segment, per_segment, exponential, stream, written, begun, period };
        app.period.1 = start.saturating_add(app.draw(on));
        app
    }

    fn draw(&mut self, mean: Span) -> Span {
        if self.exponential {
            // Not zero, which would fit infinitely many periods into an instant.
            Span::from_secs_f64(self.stream.exponential(mean.secs())).max(Span::from_nanos(1))
        } else {
            mean
        }
    }

    fn next_period(&mut self) {
        let (off, on) = (self.draw(self.off), self.draw(self.on));
        let begin = self.period.1.saturating_add(off);
        self.period = (begin, begin.saturating_add(on));
    }

    fn advance(&mut self, now: Time) {
        while now >= self.period.1 {
            let worked = self.begun + self.period.1.since(self.period.0);
            self.written += worked.nanos() / self.per_segment.nanos();
            self.begun = Span::from_nanos(worked.nanos() % self.per_segment.nanos());
            self.next_period();
        }
    }

    /// Bytes written up to now, in full segments.
    pub(super) fn written(&mut self, now: Time) -> u64 {
        self.advance(now);
        let worked = self.begun + now.since(self.period.0);
        (self.written + worked.nanos() / self.per_segment.nanos()) * u64::from(self.segment)
    }

    /// Time to ask again: the next segment is written, or a period ends.
    pub(super) fn next_write(&mut self, now: Time) -> Time {
        self.advance(now);
        let per = self.per_segment.nanos();
        let worked = self.begun + now.since(self.period.0);
        let missing = Span::from_nanos(per - worked.nanos() % per);
        let at = now.max(self.period.0).saturating_add(missing);
        // Past the end of the period: ask again when the next one begins.
        at.min(self.period.1).max(now.saturating_add(Span::from_nanos(1)))
    }

    /// The time at which the next segment is written, starting with the first. Do not mix with
    /// [`written`](Self::written) on the same application.
    pub(super) fn write(&mut self) -> Time {
        while self.period.0 < Time::MAX {
            let (left, missing) =
                (self.period.1.since(self.period.0), self.per_segment - self.begun);
            if missing <= left {
                self.period.0 += missing;
                self.begun = Span::ZERO;
                return self.period.0;
            }
            self.begun += left;
            self.next_period();
        }
        Time::MAX
    }
}
