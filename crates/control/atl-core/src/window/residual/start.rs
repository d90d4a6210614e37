//! The start: the window doubles each round trip until the path shows what it holds.

use super::rounds::Round;
use super::state::{Proof, Search};
use super::{FIRST_ROUNDS, Residual};
use crate::time::Time;

/// Round-trip times in a row that waited, after which a queue stands (RFC 9406, N_RTT_SAMPLE).
const SAMPLES: f64 = 8.0;
/// The most that a path serves, over what the start can have sent: ACKs may come together.
const MOST_SERVED: f64 = 1.1;
/// Rounds without a quarter more delivered after which the path is full (BBR).
const FULL_ROUNDS: u32 = 3;

/// The rate of the first window over the access link's, from and to which they are the same.
const SAME: core::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Share of what the link holds that the window then goes on with: others may come any moment, and
/// find most of it free, and four rounds remain in which a queue shows.
const SHARE: f64 = 1.0 / 16.0;

/// Losses of a round, and their share above p_w, that end the start at once.
const MANY_LOSSES: f64 = 12.0;
const MUCH_LOSS: f64 = 0.2;
/// Rounds in a row, each of which loses this share above p_w, that end it too, also while losses
/// in a row count once: a burst on a link does not last that long, a queue that others fill does.
const HEAVY_ROUNDS: u32 = 2;
const HEAVY_LOSS: f64 = 0.3;
/// The fewest packets whose fate such a round shows.
const HEAVY_PACKETS: f64 = 8.0;
/// Rounds without growth after a start that ended by losses, to see what the links lose.
const REST: u64 = 6;

/// Rounds in which a start that ended without a loss is judged.
const PROOF_ROUNDS: u32 = 6;
/// Those of them, with jitter and no end of a queue, after which the search goes on.
const DISPROVED_ROUNDS: u32 = 3;
/// The window up to which, and the fall in a round as a share of the least round-trip time from
/// which, that is jitter. Of more packets, falls tell it from a queue by themselves.
const FEW_PACKETS: f64 = 20.0;
const FALL_SHARE: f64 = 0.125;

/// Rounds for which a fall of the round-trip time is remembered.
const SHAKEN_ROUNDS: u64 = 2;

/// A rise of the round-trip time that shows a queue, in seconds (RFC 9406: an eighth of the least,
/// from 4 to 16 ms).
fn much_delay(base: f64) -> f64 {
    (base / 8.0).clamp(0.004, 0.016)
}

impl Residual {
    /// True if losses in a row count once: during the start, while no queue stands that could have
    /// dropped them.
    pub(super) fn spares_runs(&self) -> bool {
        let base = self.base.secs();
        self.search.is_some() && base.is_none_or(|base| self.queue() <= much_delay(base))
    }

    /// An ACK of the start.
    pub(super) fn on_ack_starting(
        &mut self,
        now: Time,
        delivered: u32,
        rtt: Option<f64>,
        limited: bool,
    ) {
        let shaken = self.is_shaken();
        let whole = self.rounds_here() >= FIRST_ROUNDS;
        let most = if shaken { self.most_shaken() } else { f64::INFINITY };
        if limited && self.open + f64::from(delivered) >= self.cwnd && self.cwnd < most {
            self.cwnd += f64::from(delivered);
        }
        let Some(base) = self.base.secs() else { return };
        if let Some(rtt) = rtt
            && let Some(search) = self.search.as_mut()
        {
            let rise = rtt - base.max(search.low);
            let waited = rise - self.links.excess(rise) > much_delay(base);
            if !waited {
                search.waited = 0;
            } else if search.waited == 0 {
                (search.waited, search.since, search.arrived) = (1, now, 0.0);
            } else {
                search.waited += 1;
                search.arrived += f64::from(delivered);
            }
            // Enough of them to tell the rate at which the queue is served.
            let many = f64::from(search.waited) >= SAMPLES.max(self.cwnd / 16.0);
            if many && !shaken && whole {
                let secs = now.since(search.since).secs();
                let served = if secs > 0.0 { search.arrived / secs } else { 0.0 };
                if self.refuses_claim(now) {
                    return;
                }
                self.end_start(base, served);
                self.alone.proof = Some(Proof::default());
                return;
            }
        }
        // At what the access link holds the search goes on: others may share the link.
        let delay = if self.is_blind(base) { self.srtt } else { base + self.haze() };
        let ceiling = self.ceiling(delay, self.backlog(self.access.unwrap_or(0.0)));
        self.cwnd = self.cwnd.min(ceiling.max(2.0));
    }

    /// Takes in an ACK of the first window. If that came through at the access link's rate, this
    /// link is the slowest of the path.
    pub(super) fn on_ack_of_train(&mut self, now: Time, newest: u64, delivered: u32) {
        let Some(seen) = self.train.as_mut().and_then(|train| train.on_ack(now, newest, delivered))
        else {
            return;
        };
        self.train = None;
        if let (Some(rate), Some(base)) = (self.access_limit(), self.base.secs())
            && SAME.contains(&(seen / rate))
        {
            self.cwnd = self.cwnd.max(SHARE * rate * base);
            self.open = self.open.max(self.cwnd);
        }
    }

    /// True if delays cannot tell that the path is full: within a round, whose packets only make a
    /// queue longer, the round-trip time has fallen.
    fn is_shaken(&mut self) -> bool {
        let here = self.rounds_here();
        let (Some(base), Some(search)) = (self.base.secs(), self.search.as_mut()) else {
            return false;
        };
        if here > 0 && self.rounds.fall(self.last_rtt) > 0.5 * much_delay(base) {
            search.shaken = search.shaken.max(self.round + SHAKEN_ROUNDS);
        }
        search.shaken > self.round
    }

    /// The window up to which a start grows whose delays say nothing: as BBR's, some twice of what
    /// the last rounds have shown.
    fn most_shaken(&self) -> f64 {
        let base = self.base.secs().unwrap_or(0.0);
        let rtt = if self.low.is_finite() { base.max(self.low) } else { base };
        2.5 * self.best_rate() * rtt + 10.0
    }

    pub(super) fn on_round_starting(&mut self, now: Time, round: &Round, bad: bool) {
        if self.refuses_claim_after(now, round.low) {
            return;
        }
        let Some(base) = self.base.secs() else { return };
        let rate = round.rate(self.loss);
        let whole = round.low.is_finite() && self.rounds_here() >= FIRST_ROUNDS;
        let Some(search) = self.search.as_mut() else { return };
        search.low = if whole { round.low } else { 0.0 };
        if rate > 1.25 * search.full_rate {
            search.full_rate = rate;
            search.full_rounds = 0;
        } else if round.limited {
            search.full_rounds += 1;
        }
        let heavy = round.judged() >= HEAVY_PACKETS
            && round.lost > (self.loss + HEAVY_LOSS) * round.judged();
        search.heavy_rounds = if heavy { search.heavy_rounds + 1 } else { 0 };
        let full = search.full_rounds >= FULL_ROUNDS;
        if bad || full || search.heavy_rounds >= HEAVY_ROUNDS {
            let doubtful = full && round.lost <= 0.0 && !search.is_blind();
            if self.refuses_claim(now) {
                return;
            }
            self.alone.rest = self.round + REST;
            self.end_start(base, self.rounds.rate_so_far(now, 0.5 * base));
            self.alone.proof = doubtful.then(Proof::default);
        }
    }

    /// A round that loses so much has left the path's queue behind, however short that is.
    pub(super) fn on_loss_starting(&mut self, now: Time) {
        let (share, lost) = self.rounds.loss_so_far(self.spares_runs());
        if self.search.is_none() || lost < MANY_LOSSES || share < self.loss + MUCH_LOSS {
            return;
        }
        if let Some(base) = self.base.secs()
            && !self.refuses_claim(now)
        {
            self.alone.rest = self.round + REST;
            self.end_start(base, self.rounds.rate_so_far(now, 0.5 * base));
        }
    }

    /// True if jitter, and not a queue, has ended the start: the window has fallen to what the path
    /// held then, and packets still wait, though not all of them. The search goes on then, once,
    /// whatever delays say.
    pub(super) fn resumes_start(&mut self, round: &Round, base: f64, empty: bool) -> bool {
        let Some(mut proof) = self.alone.proof.take() else { return false };
        proof.rounds += 1;
        let few = self.cwnd <= FEW_PACKETS;
        proof.shaken += u32::from(few && !empty && round.fall > FALL_SHARE * base);
        if proof.shaken >= DISPROVED_ROUNDS {
            self.search = Some(Search::blind());
            return true;
        }
        self.alone.proof = Some(proof).filter(|proof| proof.rounds < PROOF_ROUNDS);
        false
    }

    /// The path serves `served` packets per second, as it seems. What arrives now was sent a round
    /// ago, when the window was half as large, and paced at twice that in a round.
    pub(super) fn end_start(&mut self, base: f64, served: f64) {
        let best = self.best_rate();
        // Jitter's part of the delay is on the path.
        let delay = base + self.haze();
        let sent = MOST_SERVED * self.cwnd / base;
        let rate = served.clamp(best, sent.max(best));
        self.search = None;
        self.after_start = self.rounds.next();
        self.rates = [rate; 4];
        self.calm_rate = rate;
        self.calm_window = self.cwnd.min(2.0 * rate * delay);
        self.cwnd = (rate * delay + self.backlog(rate)).min(self.cwnd).max(2.0);
        self.alone.wait = 2;
    }
}
