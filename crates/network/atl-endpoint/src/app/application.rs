//! An application as its sender sees it: the number of bytes written by now.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::files::Files;
use super::on_off::OnOff;
use super::source::{Source, segment_time};

/// An application, which says how many bytes it has written so far.
#[derive(Clone, Debug)]
pub enum App {
    /// Always has data, without end.
    Greedy,
    /// Has a fixed number of bytes, then ends.
    Fixed {
        /// Total number of bytes.
        bytes: u64,
    },
    /// Writes full segments at a constant rate, whether or not the transport keeps up.
    Steady {
        /// Time of the start.
        start: Time,
        /// Time to write a segment, positive.
        per_segment: Span,
        /// Bytes of a segment.
        segment: u32,
    },
    /// Writes at a constant rate while on, and nothing while off.
    OnOff(Box<OnOff>),
    /// Submits files at intervals.
    Files(Box<Files>),
    /// Has what it was [told](App::tell): an end of a [`Conversation`](super::Conversation).
    Told {
        /// Bytes written so far.
        bytes: u64,
        /// These are all.
        ended: bool,
    },
    /// Writes nothing from a time on.
    Stops(Box<Stops>),
}

impl App {
    /// The application described by `source`. It starts at `start`. One with a rate writes full
    /// segments, of `mss` bytes.
    pub fn new(source: &Source, mss: u32, start: Time, stream: Stream) -> Self {
        match source {
            Source::Greedy | Source::Media(_) => App::Greedy,
            Source::Fixed { bytes } => App::Fixed { bytes: *bytes },
            Source::Steady { rate } => {
                App::Steady { start, per_segment: segment_time(*rate, mss), segment: mss }
            }
            Source::OnOff { .. } => OnOff::of(source, mss, start, stream)
                .map_or(App::Greedy, |app| App::OnOff(Box::new(app))),
            Source::Files { .. } => Files::of(source, mss, start, stream)
                .map_or(App::Greedy, |app| App::Files(Box::new(app))),
            Source::Application(_) | Source::Relayed(_) => App::Told { bytes: 0, ended: false },
        }
    }

    /// The same, which writes nothing from this time on. One that is told what it has written is
    /// told when it ends, too.
    #[must_use]
    pub fn stopping_at(self, stop: Option<Time>) -> Self {
        match (stop, self) {
            (None, app) | (Some(_), app @ App::Told { .. }) => app,
            (Some(at), app) => App::Stops(Box::new(Stops::new(app, at))),
        }
    }

    /// True if how much it writes is its own affair: neither the transport's nor another end's.
    pub fn is_independent(&self) -> bool {
        match self {
            App::Greedy | App::Told { .. } => false,
            App::Stops(app) => !app.is_greedy(),
            App::Fixed { .. } | App::Steady { .. } | App::OnOff(_) | App::Files(_) => true,
        }
    }

    /// Bytes written up to now beyond the first `taken`, which the transport has taken already.
    #[inline]
    pub fn left(&mut self, now: Time, taken: u64) -> u64 {
        match self {
            // Nearly always: asked first, it costs one comparison.
            App::Greedy => u64::MAX - taken,
            App::Stops(app) => app.left(now, taken),
            app => app.written(now).saturating_sub(taken),
        }
    }

    /// True if it has ended, and the transport has taken all that it has written.
    #[inline]
    pub fn is_complete(&mut self, now: Time, taken: u64) -> bool {
        // One that stops knows only when it is looked at.
        if let App::Stops(app) = self {
            app.left(now, taken);
        }
        self.end() == Some(taken)
    }

    /// Bytes written up to now; [`u64::MAX`] if there are always more.
    #[inline]
    pub fn written(&mut self, now: Time) -> u64 {
        match self {
            App::Greedy => u64::MAX,
            App::Fixed { bytes } => *bytes,
            App::Steady { start, per_segment, segment } => {
                let segments = now.since(*start).nanos() / per_segment.nanos();
                segments.saturating_mul(u64::from(*segment))
            }
            App::OnOff(app) => app.written(now),
            App::Files(app) => app.written(now),
            App::Told { bytes, .. } => *bytes,
            App::Stops(app) => app.written(now),
        }
    }

    /// An end of a conversation has written this many bytes in all, and nothing more will follow if
    /// it has `ended`. Other applications ignore it.
    pub fn tell(&mut self, written: u64, has_ended: bool) {
        if let App::Told { bytes, ended } = self {
            (*bytes, *ended) = (written, has_ended);
        }
    }

    /// The time of the next write; `None` if never, or if everything is already written.
    pub fn next_write(&mut self, now: Time) -> Option<Time> {
        match self {
            App::Greedy | App::Fixed { .. } | App::Told { .. } => None,
            App::Steady { start, per_segment, .. } => {
                let next = now.since(*start).nanos() / per_segment.nanos() + 1;
                Some(start.saturating_add(*per_segment * next))
            }
            App::OnOff(app) => Some(app.next_write(now)),
            App::Files(app) => Some(app.next_write(now)),
            App::Stops(app) => app.next_write(now),
        }
    }

    /// Total number of bytes, if the application ends.
    #[inline]
    pub fn end(&self) -> Option<u64> {
        match self {
            App::Fixed { bytes } | App::Told { bytes, ended: true } => Some(*bytes),
            App::Stops(app) => app.end(),
            App::Greedy | App::Steady { .. } | App::OnOff(_) | App::Files(_) | App::Told { .. } => {
                None
            }
        }
    }
}

/// An application that writes nothing from a time on. What it has written before is still sent.
#[derive(Clone, Debug)]
pub struct Stops {
    app: App,
    at: Time,
    /// Bytes written in all, known from the first look at or after `at` on.
    all: Option<u64>,
}

impl Stops {
    pub(super) fn new(app: App, at: Time) -> Stops {
        Stops { app, at, all: None }
    }

    /// True if it writes as much as the transport takes until it stops.
    pub(super) fn is_greedy(&self) -> bool {
        matches!(self.app, App::Greedy)
    }

    /// Bytes written by now.
    pub(super) fn written(&mut self, now: Time) -> u64 {
        self.app.written(self.before(now))
    }

    /// The last instant up to `now` at which it may write.
    fn before(&self, now: Time) -> Time {
        now.min(Time::from_nanos(self.at.nanos().saturating_sub(1)))
    }

    /// Bytes written by now beyond the first `taken`. One that always has data has written by its
    /// end what the transport has taken by then.
    pub(super) fn left(&mut self, now: Time, taken: u64) -> u64 {
        if now < self.at {
            return self.app.left(now, taken);
        }
        let all = match self.all {
            Some(all) => all,
            None if self.is_greedy() => taken,
            None => self.written(now),
        };
        self.all = Some(all);
        all.saturating_sub(taken)
    }

    /// The time of the next write, or of the end.
    pub(super) fn next_write(&mut self, now: Time) -> Option<Time> {
        (now < self.at).then(|| self.app.next_write(now).map_or(self.at, |next| next.min(self.at)))
    }

    /// Bytes in all, if that is known.
    pub(super) fn end(&self) -> Option<u64> {
        self.all.or(self.app.end())
    }
}

#[cfg(test)]
mod tests {
    use atl_core::units::Rate;
    use proptest::prelude::*;

    use super::*;
    use crate::app::{Sizes, Writes};

    fn app(source: &Source, start: Time) -> App {
        App::new(source, 1000, start, Stream::new(1, "app"))
    }

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
            // 1000 segments/s for a quarter of the time. 4000 s hold 1000 cycles. The relative
            // spread of a sum of 1000 exponential on-times over cycles of mean 4 is below 4 %, so
            // 15 % is about four times that.
            let written = app.written(Time::from_millis(4_000_000)) as f64;
            let slack = if exponential { 0.15 } else { 1e-9 };
            assert!((written / 1e9 - 1.0).abs() <= slack, "{written}");
        }
    }

    #[test]
    fn the_next_write_is_when_one_more_segment_is_written() {
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
        // 2 ms per segment, 5 ms on: 2.5 segments per cycle of 10 ms.
        while now < Time::from_millis(100) {
            now = app.next_write(now).expect("an on/off source never ends");
            if now >= Time::from_millis(100) {
                break;
            }
            let written = app.written(now);
            assert!(written <= last + 1000, "a write was skipped");
            last = written;
            looks += 1;
        }
        assert_eq!(last, 25_000);
        assert!(looks <= 50, "{looks} looks for 25 segments");
    }

    #[test]
    fn files_are_submitted_at_intervals_from_the_start() {
        let source = Source::Files { bytes: 2_500, every: Span::from_secs(10), exponential: false };
        let mut app = app(&source, Time::from_millis(3_000));
        for (ms, written) in
            [(2_999, 0), (3_000, 2_500), (12_999, 2_500), (13_000, 5_000), (60_000, 15_000)]
        {
            assert_eq!(app.written(Time::from_millis(ms)), written, "at {ms} ms");
        }
        assert_eq!(app.next_write(Time::from_millis(60_000)), Some(Time::from_millis(63_000)));
        assert_eq!(app.end(), None);
    }

    #[test]
    fn files_at_random_times_have_the_same_mean_rate() {
        let source = Source::Files { bytes: 1_000, every: Span::from_secs(2), exponential: true };
        // A Poisson process: 10 000 files, plus or minus four standard deviations.
        let written = app(&source, Time::ZERO).written(Time::from_millis(20_000_000));
        assert!(written.abs_diff(10_000_000) < 400_000, "{written}");
    }

    #[test]
    fn a_constant_rate_source_writes_at_even_times() {
        let mut app = app(&Source::Steady { rate: Rate::from_mbps(8.0) }, Time::from_millis(5));
        // 1 ms per segment.
        for (us, written, next) in
            [(0, 0, 6), (5_999, 0, 6), (6_000, 1, 7), (1_005_500, 1000, 1006)]
        {
            let now = Time::from_nanos(us * 1000);
            assert_eq!(app.written(now), written * 1000, "at {us} us");
            assert_eq!(app.next_write(now), Some(Time::from_millis(next)));
        }
    }

    fn sources() -> impl Strategy<Value = Source> {
        let ms = |range: std::ops::Range<u64>| range.prop_map(Span::from_millis);
        let rate = || (10.0..10_000.0).prop_map(|kbps| Rate::from_bps(kbps * 1e3));
        prop_oneof![
            (1u64..20_000).prop_map(|bytes| Source::Fixed { bytes }),
            rate().prop_map(|rate| Source::Steady { rate }),
            (ms(1..500), ms(1..500), rate(), any::<bool>()).prop_map(
                |(on, off, rate, exponential)| Source::OnOff { on, off, rate, exponential }
            ),
            (1u64..20_000, ms(1..500), any::<bool>()).prop_map(|(bytes, every, exponential)| {
                Source::Files { bytes, every, exponential }
            }),
        ]
    }

    proptest! {
        /// The two views agree: `written` counts the bytes of the segments that `Writes` has
        /// returned, and `next_write` never skips a segment.
        #[test]
        fn each_write_is_where_the_count_goes_up(
            source in sources(),
            start in 0u64..1_000,
            seed in any::<u64>(),
        ) {
            let start = Time::from_millis(start);
            let stream = Stream::new(seed, "app");
            let mut app = App::new(&source, 1000, start, stream.clone());
            let mut waits = app.clone();
            let mut writes = Writes::new(&source, 1000, start, stream).expect("a source with writes");
            let sizes = Sizes::new(&source, 1000);
            let last = app.end().map_or(300, |bytes| bytes.div_ceil(1000));
            let mut now = Time::ZERO;
            for n in 1..=last {
                let at = writes.next_time();
                prop_assert!(at >= now && at >= start);
                if at > now && app.end().is_none() {
                    prop_assert!(app.written(at - Span::from_nanos(1)) < sizes.bytes(n));
                }
                prop_assert!(app.written(at) >= sizes.bytes(n));
                while app.end().is_none() && waits.written(now) < sizes.bytes(n) {
                    let next = waits.next_write(now).expect("it has more to write");
                    prop_assert!(next > now && next <= at, "{next:?} for {at:?}");
                    now = next;
                }
                now = at;
            }
        }
    }
}

#[cfg(test)]
mod stop_tests {
    use atl_core::units::Rate;
    use atl_link::random::Stream;

    use super::*;

    fn stopped(source: &Source, start: u64, stop: u64) -> App {
        let start = Time::from_millis(start);
        App::new(source, 1000, start, Stream::new(1, "app"))
            .stopping_at(Some(Time::from_millis(stop)))
    }

    #[test]
    fn one_that_always_has_data_ends_with_what_was_taken() {
        let mut app = stopped(&Source::Greedy, 0, 500);
        let ms = Time::from_millis;
        assert_eq!(app.left(ms(499), 70_000), u64::MAX - 70_000);
        assert!(!app.is_complete(ms(499), 70_000));
        assert_eq!(app.next_write(ms(499)), Some(ms(500)));
        assert_eq!(app.left(ms(510), 72_000), 0);
        assert!(app.is_complete(ms(510), 72_000));
        assert_eq!((app.end(), app.next_write(ms(510))), (Some(72_000), None));
    }

    #[test]
    fn one_with_a_rate_keeps_what_it_has_written_before() {
        // 1 ms for each segment; the one that would be written at the stop is not.
        let mut app = stopped(&Source::Steady { rate: Rate::from_mbps(8.0) }, 100, 110);
        let ms = Time::from_millis;
        assert_eq!(app.left(ms(105), 2_000), 3_000);
        assert_eq!(app.next_write(ms(105)), Some(ms(106)));
        assert_eq!(app.next_write(ms(109)), Some(ms(110)));
        assert_eq!(app.left(ms(200), 4_000), 5_000, "what waits is still sent");
        assert!(!app.is_complete(ms(200), 4_000));
        assert!(app.is_complete(ms(200), 9_000));
        assert_eq!((app.written(ms(900)), app.end()), (9_000, Some(9_000)));
    }

    #[test]
    fn a_look_between_stop_and_end_is_enough() {
        let source = Source::Files { bytes: 500, every: Span::from_millis(40), exponential: false };
        let mut app = stopped(&source, 0, 100);
        assert!(app.is_complete(Time::from_millis(100), 1500), "files at 0, 40 and 80 ms");
        assert!(!stopped(&source, 0, 100).is_complete(Time::from_millis(99), 1500));
    }
}
