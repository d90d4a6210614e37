//! S-ARQ's sender.

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

/// CPCS-PDUs held at most: under half of the tags there are.
const MAX_WHOLES: usize = 127;
/// PDUs that the longest CPCS-PDU takes with the shortest payload.
const MOST_PIECES: usize = cpcs::MAX_PDU_OCTETS.div_ceil(PayloadLength::SHORTEST.octets());

/// Why an SDU was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubmitError {
    /// Too much is held: later.
    Full,
    /// Longer than a CPCS-PDU can hold: never.
    TooLong(cpcs::TooLong),
}

impl core::fmt::Display for SubmitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SubmitError::Full => f.write_str("the sender holds as much as it may"),
            SubmitError::TooLong(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SubmitError {}

/// What a control packet was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// A status of what is held now.
    Current,
    /// Older than another that came, or impossible: without effect.
    Stale,
}

/// What the sender did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SenderStatistics {
    /// PDUs sent, retransmissions included.
    pub sent: u64,
    /// PDUs sent again.
    pub retransmitted: u64,
    /// CPCS-PDUs that were delivered.
    pub delivered: u64,
    /// CPCS-PDUs sent again unasked, as the receiver's status contradicted itself.
    pub sent_whole_again: u64,
    /// Control packets with effect.
    pub statuses: u64,
    /// Control packets without effect.
    pub stale: u64,
}

/// The sending end of a connection. It has no timer and reads the time only to measure the round trip.
#[derive(Debug, Clone)]
pub struct Sender {
    config: SenderConfig,
    /// CPCS-PDUs not delivered yet, from number `delivered` of the connection on.
    wholes: VecDeque<Whole>,
    delivered: u64,
    /// How many of them are cut: all before the first one that is not.
    cut: usize,
    held_octets: usize,
    /// Pieces of those, from number `base` of the connection on.
    pieces: VecDeque<Piece>,
    base: u64,
    /// The first one not acknowledged.
    low: u64,
    queue: BTreeSet<u64>,
    length: PayloadLength,
    outcomes: Outcomes,
    /// Since the length was chosen.
    outcomes_changed: bool,
    round_trip: RoundTrip,
    contradictions: u16,
    statistics: SenderStatistics,
}

impl Sender {
    /// A sender with nothing to send, payloads of one cell.
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

    /// Whether all that was submitted is delivered.
    pub fn is_done(&self) -> bool {
        self.wholes.is_empty()
    }

    /// Whether something submitted was not transmitted for the first time yet. A host that hands over the next SDU only
    /// when this is false keeps its queue to itself, where it can be measured, marked and dropped from.
    pub fn has_unsent(&self) -> bool {
        self.cut < self.wholes.len()
    }

    /// Whether [`submit`](Self::submit) would take an SDU of so many octets now.
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

    /// PDUs remembered: sent, and of a CPCS-PDU not delivered yet.
    pub fn held_pdus(&self) -> usize {
        self.pieces.len()
    }

    /// The most PDUs ever remembered: four windows, or what one CPCS-PDU takes.
    pub fn span(&self) -> usize {
        (4 * usize::from(self.config.window)).max(MOST_PIECES)
    }

    /// The payload length of new PDUs.
    pub const fn payload_length(&self) -> PayloadLength {
        self.length
    }

    /// The path's bit error ratio by how many PDUs got through; `None` before the first did or did not.
    pub fn bit_errors(&self) -> Option<Probability> {
        self.outcomes.bit_errors()
    }

    /// The smoothed round trip, srt of eq. 1; `None` before the first acknowledgement.
    pub fn round_trip(&self) -> Option<Span> {
        self.round_trip.smoothed()
    }

    /// m: control packets without a PDU until it is sent again.
    pub fn m(&self) -> u16 {
        match self.config.round_trip {
            RoundTripCount::Fixed(m) => m,
            RoundTripCount::Measured { .. } => self.round_trip.m(),
        }
    }

    /// How long a missing PDU is waited for in time, if that is known and m is not fixed.
    fn wait(&self) -> Option<Span> {
        match self.config.round_trip {
            RoundTripCount::Fixed(_) => None,
            RoundTripCount::Measured { .. } => self.round_trip.wait(),
        }
    }

    /// What it did so far.
    pub const fn statistics(&self) -> SenderStatistics {
        self.statistics
    }

    /// Takes an SDU to deliver.
    ///
    /// # Errors
    /// If it is too long, or too much is held.
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

    /// Writes the next PDU to send into `pdu`: retransmissions first. `None` if there is nothing to send until a control
    /// packet comes or an SDU is submitted.
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

    /// Cuts a new piece, if the windows allow one.
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

    /// Takes what the reassembly gave of the way back.
    ///
    /// # Errors
    /// If it is no control packet of this connection, or one with errors: another will come.
    pub fn on_control(&mut self, now: Time, pdu: &[u8]) -> Result<Status, PduError> {
        let control = control::decode(pdu, self.config.connection)?;
        let Some((wholes, arrived)) = self.judge(&control) else {
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

    /// The CPCS-PDUs that a status says were delivered, and the pieces before its MSN; `None` if it cannot be of now.
    fn judge(&self, control: &Control<'_>) -> Option<(usize, usize)> {
        let wholes = usize::try_from(control.tag.after(self.tag(0))).ok()?;
        if wholes > self.cut {
            return None;
        }
        let pieces = self.wholes.range(..wholes).map(|whole| whole.pieces).sum();
        let arrived = usize::try_from(control.msn.after(number_of(self.base))).ok()?;
        // Past what was sent MSN can be only by an undetected error; such a status must not stop all.
        let most = self.pieces.len() + usize::from(self.config.window);
        (pieces..=most).contains(&arrived).then_some((wholes, arrived))
    }

    /// Forgets CPCS-PDUs delivered; tells how many pieces they had.
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

    /// What a control packet says of a piece, which is waited for for m control packets, or for a time if that is known.
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

    /// Notes that a piece has come; the first time since it was sent, measures with it.
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

    /// MSN past the first CPCS-PDU, its tag not: after m such control packets all of it is sent again.
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

    /// The tag of the CPCS-PDU so many places behind the first one held.
    fn tag(&self, place: usize) -> Tag {
        // Tags count modulo 256.
        Tag(self.delivered as u8).plus(place)
    }
}

/// Numbers count modulo 65 536.
const fn number_of(piece: u64) -> SequenceNumber {
    SequenceNumber(piece as u16)
}

/// The place of a number in a queue that begins with `base`.
const fn index(number: u64, base: u64) -> usize {
    (number - base) as usize
}
