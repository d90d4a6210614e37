//! A viewer's experience of the frames of a live encoder. There are two players at the receiver:
//! one skips late frames, the other waits for them.
//!
//! The first player shows each frame `playout` after its capture. A frame that is not complete by
//! then is late if it is completed afterwards, and incomplete otherwise. Its fate is open until a
//! later frame is complete; then it counts as lost.
//!
//! The second player stalls (rebuffers) instead of skipping a late frame. It shows each frame
//! `playout` plus its own delay after the capture. The delay starts at zero. If a complete frame
//! comes later than that, the player has stalled until then, and the delay grows by the duration of
//! the stall. It never plays faster to catch up. A frame that never comes does not block it for
//! ever: the player skips it once a later frame is complete and due. That is not a stall; the count
//! of incomplete frames shows such frames. On a path that neither reorders nor duplicates packets
//! nothing arrives after a later frame, so the delay is simply the largest lateness of any frame so
//! far. If packets do overtake each other, this player skips a frame that a later one has
//! overtaken.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

/// Maximum number of frames past their display time kept while no packet of them or of a later
/// frame has come.
const KEPT: usize = 1 << 16;

/// A frame announced by the sender.
#[derive(Clone, Debug)]
struct PendingFrame {
    captured: Time,
    /// Numbers of its packets: the first, and one more than the last.
    packets: (u64, u64),
    /// One bit per packet that has arrived.
    arrived: Vec<u64>,
    missing: u64,
    /// Time at which its last packet arrived.
    completed: Option<Time>,
    /// The sender dropped the frame, or a part of it.
    abandoned: bool,
}

/// Fate of the frames of a live encoder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MediaResult {
    /// Frames whose display time has come.
    pub frames: u64,
    /// Of these, frames completed after their display time.
    pub late: u64,
    /// Of these, frames with a packet that was lost or has not arrived yet.
    pub incomplete: u64,
    /// Number of stalls of a player that waits for late frames instead of skipping them.
    pub stalls: u64,
    /// Total duration of these stalls, in seconds.
    pub stalled_s: f64,
    /// Mean rate of the encoder, in bits per second.
    pub encoder_bps: f64,
}

/// Both players of a flow.
#[derive(Clone, Debug)]
pub struct Playout {
    playout: Span,
    /// Frames whose fate is open or that are not due yet, in the order of capture and of packet
    /// numbers. Bounded by the frames within `playout`, plus [`KEPT`].
    frames: VecDeque<PendingFrame>,
    /// Capture time of the newest complete frame.
    newest_complete: Option<Time>,
    /// The own delay of the waiting player.
    delay: Span,
    /// Start of the measurement. Frames due up to then do not count.
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
    /// Counts a frame whose display time has come.
    fn add(&mut self, due: Time, frame: &PendingFrame) {
        self.frames += 1;
        match frame.completed {
            Some(at) => self.late += u64::from(at > due),
            None => self.incomplete += 1,
        }
    }
}

impl Playout {
    /// Players that show each frame `playout` after its capture.
    pub fn new(playout: Span) -> Self {
        Playout {
            playout,
            frames: VecDeque::new(),
            newest_complete: None,
            delay: Span::ZERO,
            since: None,
            counts: FrameCounts::default(),
            stalls: 0,
            stalled: Span::ZERO,
        }
    }

    /// Announces the frame captured at `captured`, whose packets have the numbers from `first_seq`
    /// up to, but not including, `end_seq`. In practice the timestamp and marker of an RTP header
    /// say this.
    ///
    /// Frames must be announced in the order of capture, each before its first packet arrives;
    /// packet numbers ascend from frame to frame. If the numbers of the next frame start inside a
    /// frame, that frame was cut short and is never complete.
    pub fn on_frame(&mut self, captured: Time, first_seq: u64, end_seq: u64) {
        if let Some(cut) = self.frames.back_mut().filter(|last| last.packets.1 > first_seq) {
            cut.packets.1 = first_seq.max(cut.packets.0);
            if cut.completed.is_none() {
                cut.abandoned = true;
            }
        }
        let missing = end_seq.saturating_sub(first_seq);
        self.frames.push_back(PendingFrame {
            captured,
            packets: (first_seq, first_seq + missing),
            arrived: vec![0; missing.div_ceil(64) as usize],
            missing,
            completed: None,
            abandoned: missing == 0,
        });
    }

    /// The sender dropped the frame captured at `captured`, or the rest of it.
    pub fn on_abandoned(&mut self, captured: Time) {
        let at = self.frames.partition_point(|frame| frame.captured < captured);
        match self.frames.get_mut(at).filter(|frame| frame.captured == captured) {
            Some(frame) => frame.abandoned |= frame.completed.is_none(),
            None => {
                let end = at.checked_sub(1).map_or(0, |before| self.frames[before].packets.1);
                self.frames.insert(
                    at,
                    PendingFrame {
                        captured,
                        packets: (end, end),
                        arrived: Vec::new(),
                        missing: 0,
                        completed: None,
                        abandoned: true,
                    },
                );
            }
        }
    }

    /// A packet arrived. Duplicates change nothing.
    pub fn on_packet(&mut self, now: Time, seq: u64) {
        let at = self.frames.partition_point(|frame| frame.packets.1 <= seq);
        let holds = |frame: &&mut PendingFrame| (frame.packets.0..frame.packets.1).contains(&seq);
        if let Some(frame) = self.frames.get_mut(at).filter(holds) {
            let nth = seq - frame.packets.0;
            let (word, bit) = (&mut frame.arrived[(nth / 64) as usize], 1 << (nth % 64));
            frame.missing -= u64::from(*word & bit == 0);
            *word |= bit;
            if frame.missing == 0 && frame.completed.is_none() && !frame.abandoned {
                frame.completed = Some(now);
                let captured = frame.captured;
                self.wait_for(now, captured);
            }
        }
        self.count_due(now);
    }

    /// The waiting player receives a complete frame.
    fn wait_for(&mut self, now: Time, captured: Time) {
        if self.newest_complete.is_some_and(|newest| captured < newest) {
            return;
        }
        self.newest_complete = Some(captured);
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

    /// True if a frame due at `due` is part of the measurement.
    fn counts(&self, due: Time) -> bool {
        self.since.is_none_or(|since| due > since)
    }

    /// Counts the oldest frames whose display time has come and whose fate is known.
    fn count_due(&mut self, now: Time) {
        while let Some(frame) = self.frames.front() {
            let due = self.due(frame.captured);
            let overtaken = self.newest_complete.is_some_and(|newest| newest > frame.captured);
            let open = frame.completed.is_none() && !frame.abandoned && !overtaken;
            if due >= now || open && self.frames.len() <= KEPT {
                break;
            }
            if self.counts(due) {
                self.counts.add(due, frame);
            }
            self.frames.pop_front();
        }
    }

    /// Starts the measurement: frames due up to now, and stalls up to now, do not count.
    pub fn begin_measurement(&mut self, now: Time) {
        self.count_due(now);
        self.since = Some(now);
        (self.counts, self.stalls, self.stalled) = (FrameCounts::default(), 0, Span::ZERO);
    }

    /// The result at the end of the run. A frame due by then but not complete is incomplete; a
    /// frame not announced by then does not count. `encoder_bps` is not known here and left at
    /// zero.
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
