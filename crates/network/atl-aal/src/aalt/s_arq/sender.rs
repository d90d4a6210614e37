//! The sender of S-ARQ.

use super::config::{InvalidConfig, RoundTripCount, SenderConfig};
use super::piece::{Piece, State, Whole};
use super::round_trip::RoundTrip;
use crate::aalt::bit_errors::Outcomes;
use crate::aalt::control::{self, Control};
use crate::aalt::payload::PayloadLength;
use crate::aalt::{PduError, SequenceNumber, Tag, cp_arq, cpcs};
use crate::cell::PAYLOAD_OCTETS as CELL_PAYLOAD;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use std::collections::{BTreeSet, VecDeque};

/// Limit on the CPCS-PDUs held: less than half the tag space.
const MAX_WHOLES: usize = 127;
/// PDUs of the longest CPCS-PDU with the shortest payload.
const MAX_PIECES: usize = cpcs::MAX_PDU_OCTETS.div_ceil(PayloadLength::SHORTEST.octets());

/// The reason why an SDU was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitError {
    /// The buffer is full. Retry after a control packet.
    Full,
    /// The SDU does not fit a CPCS-PDU.
    TooLong(cpcs::TooLong),
}

impl core::fmt::Display for SubmitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SubmitError::Full => {
                f.write_str("the buffer of the sender is full; retry after a control packet")
            }
            SubmitError::TooLong(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SubmitError {}

/// The effect of a control packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// An up-to-date status, which was applied.
    Current,
    /// Older than a previous one, or impossible; ignored.
    Stale,
}

/// Counters of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SenderStatistics {
    /// PDUs sent, including retransmissions.
    pub sent: u64,
    /// Transmissions of a PDU after its first.
    pub retransmitted: u64,
    /// CPCS-PDUs that the receiver has reported as delivered.
    pub delivered: u64,
    /// CPCS-PDUs retransmitted unasked because the receiver's status was contradictory.
    pub sent_whole_again: u64,
    /// Control packets that changed the sender's state or confirmed it.
    pub statuses: u64,
    /// Control packets ignored because they were older than a previous one, or impossible.
    pub stale: u64,
}

/// The sending end of a connection. It has no timer, and uses the time only to measure the round
/// trip.
#[derive(Debug, Clone)]
pub struct Sender {
    config: SenderConfig,
    /// CPCS-PDUs not yet delivered, from number `delivered` of the connection on.
    wholes: VecDeque<Whole>,
    delivered: u64,
    /// The number of them that are completely cut; these are the first ones.
    cut: usize,
    held_octets: usize,
    /// Their pieces, from number `base` of the connection on.
    pieces: VecDeque<Piece>,
    base: u64,
    /// The first unacknowledged piece.
    low: u64,
    queue: BTreeSet<u64>,
    length: PayloadLength,
    outcomes: Outcomes,
    /// Outcomes have been recorded since the length was chosen: eq. 2 must be evaluated again.
    outcomes_changed: bool,
    round_trip: RoundTrip,
    contradictions: u16,
    statistics: SenderStatistics,
}

impl Sender {
    /// A sender with nothing to send and payloads of one cell.
    ///
    /// # Errors
    /// If the configuration is out of range.
    pub fn new(config: SenderConfig) -> Result<Self, InvalidConfig> {
        config.check()?;
        let (RoundTripCount::Fixed(m) | RoundTripCount::Measured { initial: m }) =
            config.round_trip;
        let round_trip = RoundTrip::new(config.smoothing, m);
        Ok(Sender {
            outcomes: Outcomes::new(config.statistics_window),
            config,
            wholes: VecDeque::new(),
            delivered: 0,
            cut: 0,
            held_octets: 0,
            pieces: VecDeque::new(),
            base: 0,
            low: 0,
            queue: BTreeSet::new(),
            length: PayloadLength::SHORTEST,
            outcomes_changed: false,
            round_trip,
            contradictions: 0,
            statistics: SenderStatistics::default(),
        })
    }

    /// True once everything submitted has been delivered.
    pub fn is_done(&self) -> bool {
        self.wholes.is_empty()
    }

    /// True if something submitted has not been transmitted yet. A caller that submits an SDU only
    /// when this is false keeps its own queue, where packets can be measured, marked and dropped.
    pub fn has_unsent(&self) -> bool {
        self.cut < self.wholes.len()
    }

    /// True if [`submit`](Self::submit) would accept an SDU of `octets` octets now.
    pub fn can_submit(&self, octets: usize) -> bool {
        octets <= cpcs::MAX_SDU_OCTETS && self.has_room(octets)
    }

    fn has_room(&self, octets: usize) -> bool {
        let held = self.held_octets + octets + cpcs::OVERHEAD_OCTETS;
        self.wholes.is_empty()
            || (self.wholes.len() < MAX_WHOLES && held <= self.config.buffer_octets)
    }

    /// Octets of CPCS-PDUs held.
    pub const fn held_octets(&self) -> usize {
        self.held_octets
    }

    /// PDUs on record: sent, and belonging to a CPCS-PDU that is not yet delivered.
    pub fn held_pdus(&self) -> usize {
        self.pieces.len()
    }

    /// Limit on the PDUs on record: four windows, or the PDUs of one CPCS-PDU if these are more.
    pub fn span(&self) -> usize {
        (4 * usize::from(self.config.window)).max(MAX_PIECES)
    }

    /// The payload length of new PDUs.
    pub const fn payload_length(&self) -> PayloadLength {
        self.length
    }

    /// Estimate of the path's bit error ratio from the PDUs that got through; `None` before the
    /// first outcome.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.outcomes.bit_errors()
    }

    /// The smoothed round trip, srt of eq. 1; `None` before the first acknowledgement.
    pub fn round_trip(&self) -> Option<Span> {
        self.round_trip.smoothed()
    }

    /// m: the control packets without a PDU after which it is retransmitted.
    pub fn m(&self) -> u16 {
        match self.config.round_trip {
            RoundTripCount::Fixed(m) => m,
            RoundTripCount::Measured { .. } => self.round_trip.m(),
        }
    }

    /// The time after which a missing PDU is retransmitted, once measured; `None` if m is fixed.
    fn wait(&self) -> Option<Span> {
        match self.config.round_trip {
            RoundTripCount::Fixed(_) => None,
            RoundTripCount::Measured { .. } => self.round_trip.wait(),
        }
    }

    /// Counts since the connection began.
    pub const fn statistics(&self) -> SenderStatistics {
        self.statistics
    }

    /// Submits an SDU for delivery.
    ///
    /// # Errors
    /// If the SDU is too long, or the buffer is full.
    pub fn submit(&mut self, sdu: &[u8]) -> Result<(), SubmitError> {
        if sdu.len() <= cpcs::MAX_SDU_OCTETS && !self.has_room(sdu.len()) {
            return Err(SubmitError::Full);
        }
        let tag = self.tag(self.wholes.len());
        let octets = cpcs::encode(tag, sdu).map_err(SubmitError::TooLong)?;
        self.held_octets += octets.len();
        self.wholes.push_back(Whole { octets, cut: 0, pieces: 0 });
        Ok(())
    }

    /// Writes the next PDU to send into `pdu`, retransmissions first. After `None` there is nothing
    /// to send until a control packet arrives or an SDU is submitted.
    pub fn poll_send(&mut self, now: Time, pdu: &mut Vec<u8>) -> Option<SequenceNumber> {
        let number = match self.queue.pop_first() {
            Some(number) => {
                self.statistics.retransmitted += 1;
                number
            }
            None => self.cut()?,
        };
        let (m, statuses) = (self.m(), self.statistics.statuses);
        let sn = number_of(number);
        let piece = self.pieces.get_mut(index(number, self.base))?;
        piece.state = State::InFlight { left: m };
        piece.forced = false;
        piece.counted = false;
        piece.sent_at = now;
        piece.sent_after = statuses;
        let whole = self.wholes.get(index(piece.whole, self.delivered))?;
        let octets = &whole.octets[piece.start..piece.start + piece.octets];
        cp_arq::encode(sn, octets, self.config.connection, pdu);
        self.statistics.sent += 1;
        Some(sn)
    }

    /// Cuts a new piece if the windows allow it.
    fn cut(&mut self) -> Option<u64> {
        let next = self.base + self.pieces.len() as u64;
        if next - self.low >= u64::from(self.config.window) || self.pieces.len() >= self.span() {
            return None;
        }
        let at = self.cut;
        let whole = self.wholes.get_mut(at)?;
        let octets = self.length.octets().min(whole.octets.len() - whole.cut);
        let cells = (octets + cp_arq::OVERHEAD_OCTETS).div_ceil(CELL_PAYLOAD);
        self.pieces.push_back(Piece {
            whole: self.delivered + at as u64,
            start: whole.cut,
            octets,
            // At most 1366.
            cells: cells as u16,
            state: State::Queued,
            forced: false,
            again: false,
            counted: false,
            sent_at: Time::ZERO,
            sent_after: 0,
        });
        whole.cut += octets;
        whole.pieces += 1;
        self.cut += usize::from(whole.is_cut());
        Some(next)
    }

    /// Takes a PDU from the reassembler of the reverse path.
    ///
    /// # Errors
    /// If it is not an intact control packet of this connection. It is dropped; another will
    /// follow.
    pub fn on_control(&mut self, now: Time, pdu: &[u8]) -> Result<Status, PduError> {
        let control = control::decode(pdu, self.config.connection)?;
        let Some((wholes, arrived)) = self.interpret(&control) else {
            self.statistics.stale += 1;
            return Ok(Status::Stale);
        };
        self.statistics.statuses += 1;
        let released = self.release(now, wholes);
        let arrived = arrived - released;
        let wait = (self.m(), self.wait());
        for i in 0..self.pieces.len() {
            let come = i < arrived || control.bitmap.is_set(i - arrived);
            self.mark(now, i, come, wait);
        }
        self.look_for_contradiction(arrived);
        let acknowledged =
            self.pieces.iter().take_while(|piece| piece.state == State::Acknowledged).count();
        self.low = self.base + acknowledged as u64;
        if core::mem::take(&mut self.outcomes_changed)
            && let Some(bit_errors) = self.outcomes.bit_errors()
        {
            self.length = self.config.length_rule.length(bit_errors, self.config.longest);
        }
        Ok(Status::Current)
    }

    /// The number of CPCS-PDUs that a status reports as delivered, and of pieces before its MSN;
    /// `None` if it is out of date.
    fn interpret(&self, control: &Control<'_>) -> Option<(usize, usize)> {
        let wholes = usize::try_from(control.tag.after(self.tag(0))).ok()?;
        if wholes > self.cut {
            return None;
        }
        let pieces = self.wholes.range(..wholes).map(|whole| whole.pieces).sum();
        let arrived = usize::try_from(control.msn.after(number_of(self.base))).ok()?;
        // MSN can exceed what was sent only after an undetected error; such a status must not block
        // the connection.
        let most = self.pieces.len() + usize::from(self.config.window);
        (pieces..=most).contains(&arrived).then_some((wholes, arrived))
    }

    /// Removes delivered CPCS-PDUs. Returns their number of pieces.
    fn release(&mut self, now: Time, wholes: usize) -> usize {
        let mut released = 0;
        for whole in self.wholes.drain(..wholes) {
            self.held_octets -= whole.octets.len();
            released += whole.pieces;
        }
        (0..released).for_each(|i| self.acknowledge(now, i));
        self.pieces.drain(..released);
        self.base += released as u64;
        self.delivered += wholes as u64;
        self.cut -= wholes;
        self.statistics.delivered += wholes as u64;
        released
    }

    /// Applies a control packet to a piece. The wait for it is m control packets, or a time once
    /// that is measured.
    fn mark(&mut self, now: Time, i: usize, come: bool, (m, wait): (u16, Option<Span>)) {
        let number = self.base + i as u64;
        let piece = &mut self.pieces[i];
        match piece.state {
            State::Acknowledged if !come => piece.state = State::InFlight { left: m },
            State::InFlight { .. } | State::Queued if come && !piece.forced => {
                self.acknowledge(now, i);
            }
            State::InFlight { left }
                if wait.map_or(left > 1, |wait| now.since(piece.sent_at) < wait) =>
            {
                piece.state = State::InFlight { left: left.saturating_sub(1) }
            }
            State::InFlight { .. } => {
                if !core::mem::replace(&mut piece.counted, true) {
                    self.outcomes.record(piece.cells, false);
                    self.outcomes_changed = true;
                }
                if core::mem::replace(&mut piece.again, true) {
                    self.round_trip.on_missing_again(self.statistics.statuses);
                }
                piece.state = State::Queued;
                self.queue.insert(number);
            }
            State::Acknowledged | State::Queued => {}
        }
    }

    /// Marks a piece as received. The first time since it was sent, it also gives measurements.
    fn acknowledge(&mut self, now: Time, i: usize) {
        let number = self.base + i as u64;
        let piece = &mut self.pieces[i];
        piece.state = State::Acknowledged;
        piece.forced = false;
        self.queue.remove(&number);
        if core::mem::replace(&mut piece.counted, true) {
            return;
        }
        self.outcomes.record(piece.cells, true);
        self.outcomes_changed = true;
        if piece.again {
            return;
        }
        let count = self.statistics.statuses - piece.sent_after;
        let took = now.since(piece.sent_at);
        self.round_trip.measure(took, count, self.pieces.len());
    }

    /// Counts control packets with MSN past the first CPCS-PDU but the tag not past it; after m of
    /// them, retransmits all of it.
    fn look_for_contradiction(&mut self, arrived: usize) {
        let pieces = match self.wholes.front() {
            Some(whole) if whole.is_cut() && arrived >= whole.pieces => whole.pieces,
            _ => {
                self.contradictions = 0;
                return;
            }
        };
        self.contradictions += 1;
        if self.contradictions < self.m() {
            return;
        }
        self.contradictions = 0;
        self.statistics.sent_whole_again += 1;
        for (i, piece) in self.pieces.iter_mut().take(pieces).enumerate() {
            piece.state = State::Queued;
            piece.forced = true;
            piece.again = true;
            self.queue.insert(self.base + i as u64);
        }
    }

    /// The tag of the CPCS-PDU `place` places after the first one held.
    fn tag(&self, place: usize) -> Tag {
        // Truncation modulo 256 is intended.
        Tag(self.delivered as u8).plus(place)
    }
}

/// The sequence number of a piece, modulo 65 536.
const fn number_of(piece: u64) -> SequenceNumber {
    SequenceNumber(piece as u16)
}

/// The index of a number in a queue that starts at `base`.
const fn index(number: u64, base: u64) -> usize {
    (number - base) as usize
}
