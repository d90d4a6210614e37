//! What the application hands to a sender.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;
use atl_scenario::setup::Source;

/// An application: says how many segments it has written by now.
#[derive(Debug)]
pub enum App {
    /// Always has more.
    Greedy,
    /// Has so many segments and then ends.
    Fixed {
        /// Segments in all.
        segments: u64,
    },
    /// Writes at a rate while on and nothing while off.
    OnOff(Box<OnOff>),
}

/// State of an on/off application.
#[derive(Debug)]
pub struct OnOff {
    on: Span,
    off: Span,
    /// Time to write a segment while on.
    per_segment: Span,
    exponential: bool,
    stream: Stream,
    /// Segments written in the on periods that have ended, and what part of one was begun.
    written: u64,
    begun: Span,
    /// The current on period; it may lie ahead.
    period: (Time, Time),
}

impl App {
    /// The application that `source` describes, which begins at `start` and writes segments of `mss` bytes.
    pub fn new(source: &Source, mss: u32, start: Time, stream: Stream) -> Self {
        match *source {
            Source::Greedy | Source::Media(_) => App::Greedy,
            Source::Fixed { bytes } => App::Fixed { segments: bytes.div_ceil(u64::from(mss)) },
            Source::OnOff { on, off, rate, exponential } => {
                let mut app = OnOff {
                    on,
                    off,
                    per_segment: rate.time_for(u64::from(mss)),
                    exponential,
                    stream,
                    written: 0,
                    begun: Span::ZERO,
                    period: (start, start),
                };
                app.period.1 = start.saturating_add(app.draw(on));
                App::OnOff(Box::new(app))
            }
        }
    }

    /// Segments written up to now.
    #[inline]
    pub fn written(&mut self, now: Time) -> u64 {
        match self {
            App::Greedy => u64::MAX,
            App::Fixed { segments } => *segments,
            App::OnOff(app) => app.written(now),
        }
    }

    /// When the next segment will have been written; `None` if never or if there is no need to wait.
    pub fn next_write(&mut self, now: Time) -> Option<Time> {
        match self {
            App::Greedy | App::Fixed { .. } => None,
            App::OnOff(app) => Some(app.next_write(now)),
        }
    }

    /// The number of segments after which it ends, if it does.
    #[inline]
    pub fn end(&self) -> Option<u64> {
        match self {
            App::Fixed { segments } => Some(*segments),
            App::Greedy | App::OnOff(_) => None,
        }
    }
}

impl OnOff {
    fn draw(&mut self, mean: Span) -> Span {
        if self.exponential {
            // A period of no length at all would let an endless number of them fit into an instant.
            Span::from_secs_f64(self.stream.exponential(mean.secs())).max(Span::from_nanos(1))
        } else {
            mean
        }
    }

    fn advance(&mut self, now: Time) {
        while now >= self.period.1 {
            let worked = self.begun + self.period.1.since(self.period.0);
            self.written += worked.nanos() / self.per_segment.nanos().max(1);
            self.begun = Span::from_nanos(worked.nanos() % self.per_segment.nanos().max(1));
            let (off, on) = (self.draw(self.off), self.draw(self.on));
            let begin = self.period.1.saturating_add(off);
            self.period = (begin, begin.saturating_add(on));
        }
    }

    fn written(&mut self, now: Time) -> u64 {
        self.advance(now);
        let worked = self.begun + now.since(self.period.0);
        self.written + worked.nanos() / self.per_segment.nanos().max(1)
    }

    fn next_write(&mut self, now: Time) -> Time {
        self.advance(now);
        let per = self.per_segment.nanos().max(1);
        let worked = self.begun + now.since(self.period.0);
        let missing = Span::from_nanos(per - worked.nanos() % per);
        let at = now.max(self.period.0).saturating_add(missing);
        // Beyond the period's end: look again when the next one begins.
        at.min(self.period.1).max(now.saturating_add(Span::from_nanos(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Rate;

    #[test]
    fn an_on_off_source_writes_its_rate_times_its_duty_cycle() {
        for exponential in [false, true] {
            let source = Source::OnOff {
                on: Span::from_secs(1),
                off: Span::from_secs(3),
                rate: Rate::from_mbps(8.0),
                exponential,
            };
            let mut app = App::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
            // 1000 segments/s a quarter of the time. 4000 s hold 1000 cycles; the relative spread of a sum of
            // 1000 exponential on-times over cycles of mean 4 is below 4 %, so 15 % is about four of them.
            let written = app.written(Time::from_millis(4_000_000)) as f64;
            let slack = if exponential { 0.15 } else { 1e-9 };
            assert!((written / 1e6 - 1.0).abs() <= slack, "{written}");
        }
    }

    #[test]
    fn the_next_write_is_when_a_segment_more_is_there() {
        let source = Source::OnOff {
            on: Span::from_millis(5),
            off: Span::from_millis(5),
            rate: Rate::from_mbps(4.0),
            exponential: false,
        };
        let mut app = App::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
        let mut now = Time::ZERO;
        let mut last = 0;
        let mut looks = 0;
        // 2 ms a segment, 5 ms on: 2.5 segments a cycle of 10 ms.
        while now < Time::from_millis(100) {
            now = app.next_write(now).expect("an on/off source goes on");
            if now >= Time::from_millis(100) {
                break;
            }
            let written = app.written(now);
            assert!(written <= last + 1, "a write was skipped");
            last = written;
            looks += 1;
        }
        assert_eq!(last, 25);
        assert!(looks <= 50, "{looks} looks for 25 segments");
    }
}
