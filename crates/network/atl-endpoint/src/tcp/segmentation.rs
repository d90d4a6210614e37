//! The cutting of an application's bytes into segments.
//!
//! A segment is cut when it is sent for the first time: full if the application has written enough,
//! otherwise with what there is, unless [Nagle's algorithm](Nagle) holds that back. From then on it
//! keeps its bytes: a retransmission carries those of the original. (A host may join small segments
//! when it repeats them, RFC 9293, sec. 3.8.6.2.1; none of the recoveries here depends on it.)

use atl_core::time::Time;

use super::params::Nagle;
use super::scoreboard::Scoreboard;
use crate::app::App;

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Segmentation {
    app: App,
    /// Most payload of a segment.
    segment: u32,
    /// Bytes of the application in the segments so far.
    taken: u64,
    nagle: Nagle,
    /// One past the last segment that was not full.
    small_end: u64,
}

impl Segmentation {
    pub(super) fn new(app: App, segment: u32, nagle: Nagle) -> Self {
        Segmentation { app, segment, taken: 0, nagle, small_end: 0 }
    }

    /// Payload of the next new segment that may be cut now; 0 if there is nothing to send, or if
    /// what there is waits for more.
    #[inline(always)]
    pub(super) fn ready(&mut self, now: Time, board: &Scoreboard) -> u32 {
        let left = self.app.left(now, self.taken);
        if left >= u64::from(self.segment) {
            return self.segment;
        }
        // Below the length of a segment.
        if left == 0 || self.waits(left, board) { 0 } else { left as u32 }
    }

    /// True if Nagle's algorithm holds back the last `left` bytes. The end of a transfer never
    /// waits, for it carries the FIN.
    #[inline(never)]
    fn waits(&self, left: u64, board: &Scoreboard) -> bool {
        let unacknowledged = match self.nagle {
            Nagle::Off => false,
            Nagle::Rfc896 => !board.is_empty(),
            Nagle::Minshall => board.una() < self.small_end,
        };
        unacknowledged && self.app.end() != Some(self.taken + left)
    }

    /// Segment `seq` is cut, with this payload.
    #[inline]
    pub(super) fn cut(&mut self, seq: u64, payload: u32) {
        self.taken += u64::from(payload);
        if payload < self.segment {
            self.small_end = seq + 1;
        }
    }

    /// The application has written this many bytes in all; see [`App::tell`].
    pub(super) fn tell(&mut self, written: u64, ended: bool) {
        self.app.tell(written, ended);
    }

    /// Most bytes of a segment.
    pub(super) fn segment(&self) -> u32 {
        self.segment
    }

    /// Bytes of the application in the segments so far.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// Bytes of the application in all, once it has ended.
    pub(super) fn end(&self) -> Option<u64> {
        self.app.end()
    }

    /// The next time at which the application writes, if there is one.
    pub(super) fn next_write(&mut self, now: Time) -> Option<Time> {
        self.app.next_write(now)
    }

    /// True once the whole of a finite transfer is in segments.
    #[inline]
    pub(super) fn is_complete(&mut self, now: Time) -> bool {
        self.app.is_complete(now, self.taken)
    }
}

#[cfg(test)]
mod tests {
    use atl_core::time::Span;
    use atl_link::random::Stream;

    use super::*;
    use crate::app::Source;

    /// Writes of 100 bytes every 20 ms, in segments of 1000.
    fn small_writes(nagle: Nagle) -> Segmentation {
        let every = Span::from_millis(20);
        let source = Source::Files { bytes: 100, every, exponential: false };
        let app = App::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
        Segmentation::new(app, 1000, nagle)
    }

    /// Sends what may go at each of these times, in ms; `acked` segments are acknowledged at each
    /// time. Returns the payloads.
    fn sent(data: &mut Segmentation, board: &mut Scoreboard, ms: u64, acked: u64) -> Vec<u32> {
        let now = Time::from_millis(ms);
        board.acknowledge(acked);
        let mut sent = Vec::new();
        loop {
            let payload = data.ready(now, board);
            if payload == 0 {
                return sent;
            }
            data.cut(board.next(), payload);
            board.push(now, board.next(), payload as u16);
            sent.push(payload);
        }
    }

    #[test]
    fn without_nagle_each_write_leaves_at_once() {
        let (mut data, mut board) = (small_writes(Nagle::Off), Scoreboard::default());
        for ms in [0, 20, 40, 60] {
            assert_eq!(sent(&mut data, &mut board, ms, 0), [100]);
        }
    }

    #[test]
    fn with_nagle_small_writes_wait_for_the_acknowledgment_and_leave_together() {
        for nagle in [Nagle::Rfc896, Nagle::Minshall] {
            let (mut data, mut board) = (small_writes(nagle), Scoreboard::default());
            assert_eq!(sent(&mut data, &mut board, 0, 0), [100]);
            assert_eq!(sent(&mut data, &mut board, 20, 0), [0; 0]);
            assert_eq!(sent(&mut data, &mut board, 60, 0), [0; 0]);
            assert_eq!(sent(&mut data, &mut board, 70, 1), [300]);
            // A full segment never waits, and what is left behind it does.
            assert_eq!(sent(&mut data, &mut board, 280, 1), [1000]);
            assert_eq!(sent(&mut data, &mut board, 320, 3), [300]);
        }
    }

    #[test]
    fn behind_full_segments_a_small_one_waits_only_in_the_original() {
        for (nagle, expected) in [
            (Nagle::Off, vec![1000, 500]),
            (Nagle::Minshall, vec![1000, 500]),
            (Nagle::Rfc896, vec![1000]),
        ] {
            let source =
                Source::Files { bytes: 1_500, every: Span::from_secs(1), exponential: false };
            let app = App::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
            let mut data = Segmentation::new(app, 1000, nagle);
            assert_eq!(sent(&mut data, &mut Scoreboard::default(), 0, 0), expected);
        }
    }

    #[test]
    fn the_end_of_a_transfer_never_waits() {
        for nagle in Nagle::ALL {
            let app = App::Fixed { bytes: 2_300 };
            let mut data = Segmentation::new(app, 1000, nagle);
            assert_eq!(sent(&mut data, &mut Scoreboard::default(), 0, 0), [1000, 1000, 300]);
            assert!(data.is_complete(Time::ZERO));
        }
    }
}
