//! An application that submits a file now and then.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

/// State of an application that submits files.
#[derive(Clone, Debug)]
pub struct Files {
    /// Segments of a file.
    segments: u64,
    every: Span,
    exponential: bool,
    stream: Stream,
    /// Segments of all files that were submitted.
    written: u64,
    /// When the next file is.
    next: Time,
    /// Segments of the file at `at` that [`write`](Self::write) has not told of.
    left: u64,
    at: Time,
}

impl Files {
    pub(super) fn new(
        segments: u64,
        every: Span,
        exponential: bool,
        start: Time,
        stream: Stream,
    ) -> Self {
        Files { segments, every, exponential, stream, written: 0, next: start, left: 0, at: start }
    }

    /// The next file's time comes, and the one after it is chosen.
    fn submit(&mut self) -> Time {
        let at = self.next;
        let every = if self.exponential {
            Span::from_secs_f64(self.stream.exponential(self.every.secs()))
        } else {
            self.every
        };
        // No endless number of files in an instant.
        self.next = at.saturating_add(every.max(Span::from_nanos(1)));
        at
    }

    /// Segments written up to now.
    pub(super) fn written(&mut self, now: Time) -> u64 {
        while self.next <= now && self.next < Time::MAX {
            self.submit();
            self.written += self.segments;
        }
        self.written
    }

    /// When there will be another file.
    pub(super) fn next_write(&mut self, now: Time) -> Time {
        self.written(now);
        self.next
    }

    /// When the next segment is written, from the first on. Not of one that is asked how much is written.
    pub(super) fn write(&mut self) -> Time {
        if self.left == 0 {
            self.at = self.submit();
            self.left = self.segments;
        }
        self.left -= 1;
        self.at
    }
}
