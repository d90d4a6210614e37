//! What a viewer sees of a live encoder's frames: two players at the receiver, one that leaves out what is late
//! and one that waits for it.
//!
//! The first shows each frame `playout` after its capture. A frame that is not whole by then is late if it comes whole
//! later, and incomplete if it does not. Nothing is known of its fate until a later frame is whole: then it is taken
//! for lost.
//!
//! The second stands still (rebuffers) instead of leaving a late frame out. It shows each frame `playout` plus a delay
//! of its own after its capture. The delay is zero at first; where a whole frame comes later than that, it has stood
//! still until then, and its delay has grown by as much. It does not play faster to catch up. A frame that never comes
//! does not hold it for ever: it is passed over once a later frame is whole and due. That is no standstill; what never
//! comes is told by the count of incomplete frames. On a path that keeps packets in order and repeats none, nothing
//! comes after a later frame, so that its delay is simply the largest lateness of any frame so far. Where packets do
//! overtake each other, it leaves out a frame that a later one has overtaken.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

/// Frames past their time of which no packet has come, and none of a later frame either, that are waited for.
const KEPT: usize = 1 << 16;

/// A frame that the sender told of.
#[derive(Clone, Debug)]
struct PendingFrame {
    captured: Time,
    /// Numbers of its packets, from the first up to but without the second.
    packets: (u64, u64),
    /// A bit for each packet that has come.
    come: Vec<u64>,
    missing: u64,
    /// When it was whole.
    whole: Option<Time>,
    /// The sender left it out, or a part of it.
    abandoned: bool,
}

/// What became of a live encoder's frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MediaResult {
    /// Frames whose time to be shown has come.
    pub frames: u64,
    /// Those of them that came whole, but after that time.
    pub late: u64,
    /// Those of them of which a packet was lost, or has not come yet.
    pub incomplete: u64,
    /// Times that a player which waits for late frames, instead of leaving them out, stood still.
    pub stalls: u64,
    /// How long it stood still, in seconds.
    pub stalled_s: f64,
    /// Mean rate of the encoder, in bits per second.
    pub encoder_bps: f64,
}

/// Both players of one flow.
#[derive(Clone, Debug)]
pub struct Playout {
    playout: Span,
    /// Frames whose fate is open, or that are not due yet, by capture and by their packets' numbers. Bounded: those
    /// within `playout`, and [`KEPT`].
    frames: VecDeque<PendingFrame>,
    /// Capture of the newest frame that was whole.
    newest_whole: Option<Time>,
    /// The waiting player's own delay.
    delay: Span,
    /// When measurement began; a frame that was due up to then does not count.
    since: Option<Time>,
    counts: FrameCounts,
    stalls: u64,
    stalled: Span,
}

#[derive(Clone, Copy, Debug, Default)]
struct FrameCounts {
    frames: u64,
    late: u64,
    incomplete: u64,
}

impl FrameCounts {
    /// FrameCounts a frame whose time to be shown has come.
    fn add(&mut self, due: Time, frame: &PendingFrame) {
        self.frames += 1;
        match frame.whole {
            Some(at) => self.late += u64::from(at > due),
            None => self.incomplete += 1,
        }
    }
}

impl Playout {
    /// Players that show a frame `playout` after its capture.
    pub fn new(playout: Span) -> Self {
        Playout {
            playout,
            frames: VecDeque::new(),
            newest_whole: None,
            delay: Span::ZERO,
            since: None,
            counts: FrameCounts::default(),
            stalls: 0,
            stalled: Span::ZERO,
        }
    }

    /// The packets of the frame captured at `captured` have the numbers from `first_seq` up to but without
    /// `end_seq`, as an RTP header's timestamp and marker tell. Frames are told of in the order of their capture,
    /// before their first packet arrives; numbers rise from frame to frame. One that ends before the next one's
    /// numbers begin was cut short, and is never whole.
    pub fn on_frame(&mut self, captured: Time, first_seq: u64, end_seq: u64) {
        if let Some(cut) = self.frames.back_mut().filter(|last| last.packets.1 > first_seq) {
            cut.packets.1 = first_seq.max(cut.packets.0);
            if cut.whole.is_none() {
                cut.abandoned = true;
            }
        }
        let missing = end_seq.saturating_sub(first_seq);
        self.frames.push_back(PendingFrame {
            captured,
            packets: (first_seq, first_seq + missing),
            come: vec![0; missing.div_ceil(64) as usize],
            missing,
            whole: None,
            abandoned: missing == 0,
        });
    }

    /// The sender left out the frame captured at `captured`, or the rest of it.
    pub fn on_abandoned(&mut self, captured: Time) {
        let at = self.frames.partition_point(|frame| frame.captured < captured);
        match self.frames.get_mut(at).filter(|frame| frame.captured == captured) {
            Some(frame) => frame.abandoned |= frame.whole.is_none(),
            None => {
                let end = at.checked_sub(1).map_or(0, |before| self.frames[before].packets.1);
                self.frames.insert(
                    at,
                    PendingFrame {
                        captured,
                        packets: (end, end),
                        come: Vec::new(),
                        missing: 0,
                        whole: None,
                        abandoned: true,
                    },
                );
            }
        }
    }

    /// A packet arrived. A copy of one that came before changes nothing.
    pub fn on_packet(&mut self, now: Time, seq: u64) {
        let at = self.frames.partition_point(|frame| frame.packets.1 <= seq);
        let holds = |frame: &&mut PendingFrame| (frame.packets.0..frame.packets.1).contains(&seq);
        if let Some(frame) = self.frames.get_mut(at).filter(holds) {
            let nth = seq - frame.packets.0;
            let (word, bit) = (&mut frame.come[(nth / 64) as usize], 1 << (nth % 64));
            frame.missing -= u64::from(*word & bit == 0);
            *word |= bit;
            if frame.missing == 0 && frame.whole.is_none() && !frame.abandoned {
                frame.whole = Some(now);
                let captured = frame.captured;
                self.wait_for(now, captured);
            }
        }
        self.count_due(now);
    }

    /// The waiting player gets a whole frame.
    fn wait_for(&mut self, now: Time, captured: Time) {
        if self.newest_whole.is_some_and(|newest| captured < newest) {
            return;
        }
        self.newest_whole = Some(captured);
        let due = self.due(captured).saturating_add(self.delay);
        if now > due {
            self.delay += now.since(due);
            self.stalls += 1;
            self.stalled += now.since(due.max(self.since.unwrap_or(Time::ZERO)));
        }
    }

    fn due(&self, captured: Time) -> Time {
        captured.saturating_add(self.playout)
    }

    /// True if the time of a frame due at `due` comes within the measurement.
    fn counts(&self, due: Time) -> bool {
        self.since.is_none_or(|since| due > since)
    }

    /// FrameCounts the oldest frames, as far as their time has come and their fate is known.
    fn count_due(&mut self, now: Time) {
        while let Some(frame) = self.frames.front() {
            let due = self.due(frame.captured);
            let overtaken = self.newest_whole.is_some_and(|newest| newest > frame.captured);
            let open = frame.whole.is_none() && !frame.abandoned && !overtaken;
            if due >= now || open && self.frames.len() <= KEPT {
                break;
            }
            if self.counts(due) {
                self.counts.add(due, frame);
            }
            self.frames.pop_front();
        }
    }

    /// Measurement begins: frames that were due up to now, and standstills up to now, do not count.
    pub fn begin_measurement(&mut self, now: Time) {
        self.count_due(now);
        self.since = Some(now);
        (self.counts, self.stalls, self.stalled) = (FrameCounts::default(), 0, Span::ZERO);
    }

    /// What has been seen when the run ends. A frame due by then that is not whole by then is incomplete; a frame that
    /// the sender has not told of does not count. The encoder's mean rate is not known here and zero.
    pub fn result(&self, end: Time) -> MediaResult {
        let mut counts = self.counts;
        for frame in &self.frames {
            let due = self.due(frame.captured);
            if due <= end && self.counts(due) {
                counts.add(due, frame);
            }
        }
        MediaResult {
            frames: counts.frames,
            late: counts.late,
            incomplete: counts.incomplete,
            stalls: self.stalls,
            stalled_s: self.stalled.secs(),
            encoder_bps: 0.0,
        }
    }
}

#[cfg(test)]
mod tests;
