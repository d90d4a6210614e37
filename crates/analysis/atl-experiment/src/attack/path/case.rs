//! A path over time, and the sender on it.

use atl_core::time::Span;
use atl_link::random::Stream;

use super::objective::Objective;
use crate::attack::network::{PACKET_BYTES, logarithmic, rounded};

/// The path for a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Milliseconds.
    pub lasts: u64,
    /// Share of the path's rate, above 0 and at most 1.
    pub rate: f64,
    /// Delay beyond that of the path, towards the receiver and back.
    pub extra: [Span; 2],
    /// Probability of a loss.
    pub loss: f64,
}

/// Packets of somebody else that come at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Milliseconds from the start.
    pub at: u64,
    /// Their number.
    pub packets: u32,
    /// Milliseconds from one to the next, if they come again and again.
    pub every: Option<u64>,
}

/// A time in which acknowledgments wait, to come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hold {
    /// Milliseconds from the start.
    pub at: u64,
    /// At most a round trip.
    pub lasts: Span,
    /// Milliseconds from one to the next, for the last of several only, which may come again and
    /// again.
    pub every: Option<u64>,
}

/// A sender of one protocol on a path that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct PathCase {
    /// Name of the sender's protocol.
    pub law: String,
    /// The aim of the path.
    pub objective: Objective,
    /// Rate in kb/s.
    pub kbps: u64,
    /// Round-trip time without queues and extra delays.
    pub rtt: Span,
    /// The queue in bandwidth-delay products.
    pub queue: f64,
    /// Random part of the delays, in order, towards the receiver and back.
    pub jitter: [Span; 2],
    /// The path over time.
    pub pieces: Vec<Piece>,
    /// Other traffic.
    pub bursts: Vec<Burst>,
    /// When acknowledgments wait, in order.
    pub holds: Vec<Hold>,
}

/// Most pieces, bursts and holds of a case.
const MOST_PIECES: usize = 10;
const MOST_BURSTS: usize = 3;
const MOST_HOLDS: usize = 3;
/// Least bandwidth-delay product in packets where windows are compared with it: the first window
/// of ten would be a large part of a smaller one.
const LEAST_BDP: f64 = 50.0;
/// Most losses of a case, as a share of its time.
const MOST_LOSS: f64 = 0.02;
/// Most traffic of others, as a share of the path's rate.
const MOST_TRAFFIC: f64 = 0.1;

impl PathCase {
    /// A case at random.
    pub fn draw(law: &str, objective: Objective, stream: &mut Stream) -> PathCase {
        let ([slowest, fastest], [least, most]) = (objective.kbps(), objective.queues());
        let rtt = whole(Span::from_secs_f64(logarithmic(stream, 0.01, 0.2)));
        let mut case = PathCase {
            law: law.to_owned(),
            objective,
            kbps: logarithmic(stream, slowest, fastest) as u64,
            rtt,
            queue: logarithmic(stream, least, most),
            jitter: [Span::ZERO; 2],
            pieces: Vec::new(),
            bursts: Vec::new(),
            holds: Vec::new(),
        };
        let mut left = objective.hostile();
        let many = 1 + stream.below(MOST_PIECES as u64);
        for nth in 0..many {
            let lasts = if nth + 1 == many { left } else { left * stream.below(1000) / 1000 };
            let mut piece = Piece { lasts, rate: 1.0, extra: [Span::ZERO; 2], loss: 0.0 };
            case.vary(&mut piece, stream);
            case.pieces.push(piece);
            left -= lasts;
        }
        if objective.jitters() {
            case.jitter = [0, 1].map(|_| case.some_delay(stream).mul_f64(0.5)).map(whole);
        }
        for _ in 0..stream.below(MOST_BURSTS as u64 + 1) {
            let burst = case.some_burst(stream);
            case.bursts.push(burst);
        }
        if objective.holds() && stream.chance(0.5) {
            for _ in 0..=stream.below(MOST_HOLDS as u64) {
                let hold = case.some_hold(stream);
                case.holds.push(hold);
            }
        }
        case.lawful()
    }

    /// Packets of a bandwidth-delay product.
    pub fn bdp(&self) -> f64 {
        self.kbps as f64 * 1e3 * self.rtt.secs() / 8.0 / PACKET_BYTES
    }

    /// Packets that the queue holds.
    pub fn queue_packets(&self) -> u32 {
        ((self.bdp() * self.queue).ceil() as u32).max(4)
    }

    /// Time of a packet on the path at its least rate, in seconds.
    pub fn transmission(&self) -> f64 {
        let least = self.pieces.iter().map(|piece| piece.rate).fold(1.0, f64::min);
        PACKET_BYTES * 8.0 / (self.kbps as f64 * 1e3 * least)
    }

    /// Bits that the path can carry while it may do harm: with most objectives the whole run.
    pub fn capacity(&self) -> f64 {
        let share: f64 = self.pieces.iter().map(|piece| piece.lasts as f64 * piece.rate).sum();
        share * self.kbps as f64
    }

    /// No delay for half of the draws, else up to the longest that the objective allows.
    fn some_delay(&self, stream: &mut Stream) -> Span {
        let longest = self.rtt * self.objective.farthest();
        if stream.chance(0.5) { Span::ZERO } else { whole(longest.mul_f64(stream.uniform())) }
    }

    fn some_hold(&self, stream: &mut Stream) -> Hold {
        Hold {
            at: self.objective.instant(stream),
            lasts: whole(self.rtt.mul_f64(logarithmic(stream, 0.1, 1.0))),
            every: stream.chance(0.5).then(|| logarithmic(stream, 20.0, 5000.0) as u64),
        }
    }

    fn some_burst(&self, stream: &mut Stream) -> Burst {
        let most = (2.0 * self.bdp() * (1.0 + self.queue)).max(8.0);
        Burst {
            at: self.objective.instant(stream),
            packets: logarithmic(stream, 4.0, most) as u32,
            every: stream.chance(0.7).then(|| logarithmic(stream, 100.0, 5000.0) as u64),
        }
    }

    /// Draws what the objective lets a piece be.
    fn vary(&self, piece: &mut Piece, stream: &mut Stream) {
        if self.objective.rates() && stream.chance(0.6) {
            piece.rate = logarithmic(stream, 0.25, 1.0);
        }
        if self.objective.delays() {
            piece.extra = [0, 1].map(|_| self.some_delay(stream));
        }
        if self.objective.losses() && stream.chance(0.4) {
            piece.loss = logarithmic(stream, 1e-3, 0.9);
        }
    }

    /// The same case with something changed.
    #[must_use]
    pub fn near(&self, stream: &mut Stream) -> PathCase {
        let mut case = self.clone();
        let piece = stream.below(case.pieces.len() as u64) as usize;
        match stream.below(11) {
            0 => {
                let [least, most] = case.objective.kbps();
                case.kbps = scaled(case.kbps as f64, stream, least, most) as u64;
            }
            1 => case.rtt = whole(Span::from_secs_f64(scaled(case.rtt.secs(), stream, 0.01, 0.2))),
            2 => {
                let [least, most] = case.objective.queues();
                case.queue = scaled(case.queue, stream, least, most);
            }
            3 if case.objective.jitters() => {
                case.jitter[stream.below(2) as usize] = case.some_delay(stream);
            }
            4 | 5 if case.objective.bursts() => {
                if case.bursts.len() < MOST_BURSTS && stream.chance(0.3) {
                    let burst = case.some_burst(stream);
                    case.bursts.push(burst);
                } else if !case.bursts.is_empty() {
                    let nth = stream.below(case.bursts.len() as u64) as usize;
                    let burst = &mut case.bursts[nth];
                    match stream.below(3) {
                        0 => burst.packets = scaled(burst.packets.into(), stream, 4.0, 1e5) as u32,
                        1 => {
                            let every = burst.every.unwrap_or(1000) as f64;
                            burst.every = Some(scaled(every, stream, 50.0, 1e4) as u64);
                        }
                        _ => burst.at = case.objective.instant(stream),
                    }
                }
            }
            8 | 9 if case.objective.holds() => {
                if case.holds.len() < MOST_HOLDS && stream.chance(0.3) || case.holds.is_empty() {
                    let hold = case.some_hold(stream);
                    case.holds.push(hold);
                } else {
                    let nth = stream.below(case.holds.len() as u64) as usize;
                    let other = case.some_hold(stream);
                    let hold = &mut case.holds[nth];
                    match stream.below(4) {
                        0 => hold.lasts = other.lasts,
                        1 => hold.every = other.every,
                        // A little earlier or later, or elsewhere.
                        2 => hold.at = (hold.at + stream.below(200)).saturating_sub(100),
                        _ => hold.at = other.at,
                    }
                }
            }
            6 if case.pieces.len() < MOST_PIECES && case.pieces[piece].lasts > 20 => {
                let mut new = case.pieces[piece];
                let lasts = 10 + stream.below(new.lasts - 10);
                case.pieces[piece].lasts -= lasts;
                new.lasts = lasts;
                case.vary(&mut new, stream);
                case.pieces.insert(piece + 1, new);
            }
            7 if piece + 1 < case.pieces.len() => {
                // Time moves from one piece to the next.
                let lasts = case.pieces[piece].lasts;
                let moved = stream.below(lasts + 1);
                case.pieces[piece].lasts -= moved;
                case.pieces[piece + 1].lasts += moved;
            }
            _ => {
                let mut new = case.pieces[piece];
                case.vary(&mut new, stream);
                case.pieces[piece] = new;
            }
        }
        case.lawful()
    }

    /// A case with this one's path over time, and the other's network and traffic.
    #[must_use]
    pub fn crossed(&self, other: &PathCase) -> PathCase {
        let (pieces, holds) = (self.pieces.clone(), self.holds.clone());
        PathCase { pieces, holds, jitter: self.jitter, ..other.clone() }.lawful()
    }

    /// The same within the objective's bounds: the adversary has a budget.
    #[must_use]
    pub fn lawful(mut self) -> PathCase {
        self.pieces.retain(|piece| piece.lasts > 0);
        if self.objective.windows() && self.bdp() < LEAST_BDP {
            let least = LEAST_BDP * PACKET_BYTES * 8.0 / self.rtt.secs() / 1e3;
            self.kbps = (least / 100.0).ceil() as u64 * 100;
        }
        let longest = self.rtt;
        let farthest = longest * self.objective.farthest();
        for piece in &mut self.pieces {
            piece.extra = piece.extra.map(|extra| extra.min(farthest));
        }
        self.jitter = self.jitter.map(|jitter| jitter.min(longest / 2));
        let hostile = self.objective.hostile();
        let total = hostile as f64;
        let lost: f64 = self.pieces.iter().map(|p| p.loss * p.lasts as f64).sum();
        if lost > MOST_LOSS * total {
            for piece in &mut self.pieces {
                piece.loss = rounded_down(piece.loss * MOST_LOSS * total / lost);
            }
        }
        if !self.objective.bursts() {
            self.bursts.clear();
        }
        self.bursts.sort_by_key(|burst| burst.at);
        let budget = MOST_TRAFFIC * self.capacity() / 8.0 / PACKET_BYTES;
        let share = budget / self.bursts.len().max(1) as f64;
        for burst in &mut self.bursts {
            let left = (hostile - burst.at) as f64;
            let times = burst.every.map_or(1.0, |every| (left / every as f64).floor() + 1.0);
            if times * f64::from(burst.packets) > share {
                burst.packets = ((share / times) as u32).max(1);
            }
        }
        if !self.objective.holds() {
            self.holds.clear();
        }
        self.apart();
        self
    }

    /// Makes the holds follow each other, as blackouts of a link must.
    fn apart(&mut self) {
        let (hostile, longest) = (self.objective.hostile(), self.rtt);
        self.holds.sort_by_key(|hold| hold.at);
        let mut free = 0;
        self.holds.retain_mut(|hold| {
            hold.lasts = hold.lasts.min(longest).max(Span::from_micros(100));
            let end = hold.at + beyond(hold.lasts);
            let fits = hold.at >= free && end <= hostile;
            if fits {
                free = end;
            }
            fits
        });
        let last = self.holds.len().saturating_sub(1);
        for (nth, hold) in self.holds.iter_mut().enumerate() {
            let least = beyond(hold.lasts);
            hold.every = hold.every.filter(|_| nth == last).map(|every| every.max(least));
        }
    }
}

/// Whole tenths of a millisecond.
fn whole(span: Span) -> Span {
    Span::from_micros(span.nanos() / 100_000 * 100)
}

/// The first whole millisecond after this time.
pub(super) const fn beyond(span: Span) -> u64 {
    span.nanos() / 1_000_000 + 1
}

fn scaled(x: f64, stream: &mut Stream, least: f64, most: f64) -> f64 {
    rounded((x * logarithmic(stream, 0.5, 2.0)).clamp(least, most))
}

/// Two digits, and no more than it was.
fn rounded_down(x: f64) -> f64 {
    rounded(x * 0.95)
}
