//! An application that submits files at intervals.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::source::Source;

/// State of an application that submits files at intervals.
#[derive(Clone, Debug)]
pub struct Files {
    /// Bytes and segments of a file.
    bytes: u64,
    segments: u64,
    every: Span,
    exponential: bool,
    stream: Stream,
    /// Bytes of all files submitted so far.
    written: u64,
    /// Time at which the next file is submitted.
    next: Time,
    /// Segments of the file submitted at `at` that [`write`](Self::write) has not returned yet.
    left: u64,
    at: Time,
}

impl Files {
    /// The application described by `source`; `None` if that does not submit files.
    pub(super) fn of(source: &Source, mss: u32, start: Time, stream: Stream) -> Option<Self> {
        match *source {
            Source::Files { bytes, every, exponential } => {
                let segments = bytes.div_ceil(u64::from(mss)).max(1);
                Some(Files {
                    bytes,
                    segments,
                    every,
                    exponential,
                    stream,
                    written: 0,
                    next: start,
                    left: 0,
                    at: start,
                })
            }
            _ => None,
        }
    }

    /// Submits the next file, and draws the time of the one after it.
    fn submit(&mut self) -> Time {
        let at = self.next;
        let every = if self.exponential {
            Span::from_secs_f64(self.stream.exponential(self.every.secs()))
        } else {
            self.every
        };
        // Not zero, which would submit infinitely many files at once.
        self.next = at.saturating_add(every.max(Span::from_nanos(1)));
        at
    }

    /// Bytes written up to now.
    pub(super) fn written(&mut self, now: Time) -> u64 {
        while self.next <= now && self.next < Time::MAX {
            self.submit();
            self.written = self.written.saturating_add(self.bytes);
        }
        self.written
    }

    /// The time of the next submission.
    pub(super) fn next_write(&mut self, now: Time) -> Time {
        self.written(now);
        self.next
    }

    /// The time at which the next segment is written, starting with the first. Do not mix with
    /// [`written`](Self::written) on the same application.
    pub(super) fn write(&mut self) -> Time {
        if self.left == 0 {
            self.at = self.submit();
            self.left = self.segments;
        }
        self.left -= 1;
        self.at
    }
}
