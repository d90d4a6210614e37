//! Search for lost transmissions by the packet and the time threshold (RFC 9002, sec. 6.1), and for
//! persistent congestion (sec. 7.6).

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::tcp::scoreboard::{LostTx, Newly, Scoreboard};

/// A transmission is lost once one sent this many later is acknowledged (sec. 6.1.1:
/// kPacketThreshold).
const PACKET_THRESHOLD: u64 = 3;

/// The transmissions in the order of sending, with the evidence of ACKs.
#[derive(Debug)]
pub(super) struct Thresholds {
    /// The latest transmission known to have arrived (largest_acked_packet).
    largest: Option<u64>,
    /// The segment of each transmission from number `from` on. Transmissions no longer in flight
    /// are dropped from the front.
    sent: VecDeque<u64>,
    from: u64,
    /// Transmissions in flight whose segments were sent again as probes, and when they were sent.
    /// The scoreboard knows only the latest transmission of a segment.
    copied: Vec<(LostTx, Time)>,
    /// Sending time of the first of the last losses in a row: of the packets sent since then and
    /// judged by now none has arrived.
    run: Option<Time>,
    /// Time of the first RTT sample.
    measured: Option<Time>,
    /// Time at which the oldest suspect will be lost (loss_time).
    pub(super) due: Time,
}

/// The time limits of a search for losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// A packet is lost this long after it was sent, if a later one has arrived.
    pub(super) loss_delay: Span,
    /// Losses in a row over more than this time are persistent congestion.
    pub(super) persistent: Span,
}

/// The evidence of one ACK, while it is processed.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) now: Time,
    echo: (u64, Time),
    newest: Option<(u64, Time)>,
}

impl Reading {
    /// An ACK that answers the transmission `echo`.
    pub(super) fn new(now: Time, echo: (u64, Time)) -> Self {
        Reading { now, echo, newest: None }
    }

    /// Adds a segment that the ACK newly shows to have arrived. If it was sent more than once, only
    /// the echo tells which transmission arrived.
    pub(super) fn take(&mut self, newly: Newly) {
        if !newly.repeated {
            self.offer((newly.tx, newly.sent_at));
        }
    }

    fn offer(&mut self, transmission: (u64, Time)) {
        if self.newest.is_none_or(|newest| newest.0 < transmission.0) {
            self.newest = Some(transmission);
        }
    }
}

impl Thresholds {
    pub(super) fn new() -> Self {
        Thresholds {
            largest: None,
            sent: VecDeque::new(),
            from: 0,
            copied: Vec::new(),
            run: None,
            measured: None,
            due: Time::MAX,
        }
    }

    /// Transmission `tx`, of segment `seq`, was sent.
    pub(super) fn on_sent(&mut self, seq: u64, tx: u64) {
        debug_assert_eq!(tx, self.from + self.sent.len() as u64, "transmissions have no gaps");
        self.sent.push_back(seq);
    }

    /// The ACK acknowledges something new. Returns the latest transmission that it shows to have
    /// arrived and, if none later was known to have, its RTT (sec. 5.1).
    pub(super) fn finish(&mut self, mut reading: Reading) -> (u64, Option<Span>) {
        reading.offer(reading.echo);
        let arrived = reading.echo.0;
        self.copied.retain(|(copied, _)| copied.tx != arrived);
        let (tx, sent_at) = reading.newest.unwrap_or(reading.echo);
        let later = self.largest.is_none_or(|largest| largest < tx);
        if later {
            self.largest = Some(tx);
            self.measured.get_or_insert(reading.now);
        }
        (tx, later.then(|| reading.now.since(sent_at)))
    }

    /// This segment is about to be sent again although its latest transmission may be in flight.
    pub(super) fn copy(&mut self, board: &Scoreboard, seq: u64) {
        if let Some(latest) = board.latest(seq)
            && let Some(sent_at) = board.out_since(seq, latest.tx)
        {
            self.copied.push((latest, sent_at));
        }
    }

    /// Forgets the transmissions in flight, which were judged elsewhere.
    pub(super) fn forget(&mut self) {
        self.copied.clear();
        self.run = None;
        self.due = Time::MAX;
    }

    /// Calls `found` for each transmission that is lost by now. Returns true if that is persistent
    /// congestion. Sets `due` to when the next one will be lost.
    ///
    /// Transmissions are examined in the order of sending, and the first one that is not lost ends
    /// the search: later ones are within both thresholds too.
    pub(super) fn find_lost(
        &mut self,
        board: &mut Scoreboard,
        now: Time,
        limits: Limits,
        mut found: impl FnMut(LostTx),
    ) -> bool {
        self.due = Time::MAX;
        let mut persistent = false;
        let Some(largest) = self.largest else { return false };
        while let Some(&seq) = self.sent.front() {
            let copied = self.copied.iter().position(|(copied, _)| copied.tx == self.from);
            let out = board.out_since(seq, self.from);
            if let Some(sent_at) = out.or_else(|| copied.map(|at| self.copied[at].1)) {
                if self.from >= largest {
                    break;
                }
                let lost_at = sent_at.saturating_add(limits.loss_delay);
                if self.from + PACKET_THRESHOLD > largest && lost_at > now {
                    self.due = lost_at;
                    break;
                }
                match copied {
                    Some(at) => found(self.copied.swap_remove(at).0),
                    None => board.lose(seq).into_iter().for_each(|(lost, _)| found(lost)),
                }
                // Sec. 7.6.2: both ends of the run were sent when an RTT was known.
                if self.measured.is_some_and(|measured| sent_at >= measured) {
                    let first = *self.run.get_or_insert(sent_at);
                    persistent |= sent_at.since(first) > limits.persistent;
                }
            } else if self.from > largest {
                break;
            } else if board.has_arrived(seq) {
                self.run = None;
            }
            self.sent.pop_front();
            self.from += 1;
        }
        if persistent {
            self.run = None;
        }
        persistent
    }
}
