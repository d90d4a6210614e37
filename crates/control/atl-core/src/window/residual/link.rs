//! The sender's beliefs about its wireless links: told, claimed, inferred.

use std::collections::VecDeque;

use crate::path::LinkReport;

/// Packets of a block of losses.
const BLOCK: f64 = 100.0;
/// Blocks that are kept, and the least from which a loss is inferred.
const BLOCKS: usize = 16;
const LEAST_BLOCKS: usize = 2;
/// The longest bursts that are allowed for.
const LONGEST_BURST: f64 = 40.0;
/// Upper bound of the inferred loss probability: above it a short queue may be the cause.
const MOST_INFERRED: f64 = 0.2;

/// Which inputs are used, and how far a peer's are believed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trust {
    /// Reports of losses and marks by the MAC; reports of delays; inference.
    pub(super) loss: bool,
    pub(super) delay: bool,
    pub(super) infer: bool,
    /// A peer's p_w is believed up to `factor` times the inferred one plus `margin`, and up to
    /// `limit` while nothing is inferred.
    pub(super) factor: f64,
    pub(super) margin: f64,
    pub(super) limit: f64,
    /// So much is inferred at most while no queue can be told from none: some of it may be a full
    /// one's.
    pub(super) unseen: f64,
}

/// Knowledge of the links.
#[derive(Clone, Debug)]
pub(super) struct Links {
    trust: Trust,
    own: LinkReport,
    peer: LinkReport,
    /// The least delay reported since the path's least round-trip time is measured, in seconds.
    least_delay: f64,
    marks: bool,
    /// The longest queue can be told from none, and is not that of a few packets.
    pub(super) witnessed: bool,
    /// No queue can be told from none.
    pub(super) unseen: bool,
    open: (f64, f64),
    blocks: VecDeque<(f64, f64)>,
}

impl Links {
    pub(super) fn new(trust: Trust) -> Self {
        Links {
            trust,
            own: LinkReport::NONE,
            peer: LinkReport::NONE,
            least_delay: f64::INFINITY,
            marks: false,
            witnessed: false,
            unseen: false,
            open: (0.0, 0.0),
            blocks: VecDeque::new(),
        }
    }

    pub(super) fn on_own(&mut self, report: &LinkReport) {
        self.own = *report;
        self.note_delay();
    }

    pub(super) fn on_peer(&mut self, report: &LinkReport) {
        self.peer = *report;
        self.note_delay();
    }

    pub(super) fn on_marks(&mut self) {
        self.marks = true;
    }

    /// The path is another one: what was measured of the old one is void.
    pub(super) fn restart(&mut self) {
        *self =
            Links { own: self.own, peer: self.peer, marks: self.marks, ..Links::new(self.trust) };
    }

    fn delay(&self) -> f64 {
        self.own.delay.secs() + self.peer.delay.secs()
    }

    fn note_delay(&mut self) {
        self.least_delay = self.least_delay.min(self.delay());
    }

    /// The least round-trip time is measured anew: so is the least delay.
    pub(super) fn rebase(&mut self) {
        self.least_delay = self.delay();
    }

    /// The part of `rise`, in seconds above the least round-trip time, that the links own up to:
    /// their delay has grown. A peer's word counts for half of the rise at most.
    pub(super) fn excess(&self, rise: f64) -> f64 {
        if !self.trust.delay || !self.least_delay.is_finite() {
            return 0.0;
        }
        let grown = (self.delay() - self.least_delay).max(0.0);
        let most = if self.peer.delay.is_zero() { rise } else { 0.5 * rise };
        grown.min(most).max(0.0)
    }

    /// Takes in packets of which none met a full queue: `lost` of them by the links, and
    /// `delivered`.
    pub(super) fn on_short_queue(&mut self, lost: f64, delivered: f64) {
        self.open.0 += lost;
        self.open.1 += lost + delivered;
        if self.open.1 >= BLOCK {
            self.blocks.push_back(core::mem::take(&mut self.open));
            if self.blocks.len() > BLOCKS {
                self.blocks.pop_front();
            }
        }
    }

    /// Losses that were taken for the links' were not.
    pub(super) fn retract(&mut self) {
        self.open = (0.0, 0.0);
        self.blocks.clear();
    }

    /// p_w as inferred: the mean of the three quarters of the blocks that lost least, and a
    /// standard error for what the trimming took.
    pub(super) fn inferred(&self) -> Option<f64> {
        if self.blocks.len() < LEAST_BLOCKS {
            return None;
        }
        let mut blocks: Vec<(f64, f64)> = self.blocks.iter().copied().collect();
        blocks.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
        let kept = (blocks.len() * 3).div_ceil(4);
        let (lost, all) = blocks[..kept].iter().fold((0.0, 0.0), |s, b| (s.0 + b.0, s.1 + b.1));
        let p: f64 = lost / all;
        let error = (p * (1.0 - p) * kept as f64 / all).sqrt();
        let most = if self.unseen { self.trust.unseen } else { MOST_INFERRED };
        Some((p + 0.42 * error).min(most))
    }

    /// Variance of the losses over that of independent ones, at least 1: the mean length of bursts.
    pub(super) fn burst(&self) -> f64 {
        let n = self.blocks.len() as f64;
        let (lost, all) = self.blocks.iter().fold((0.0, 0.0), |s, b| (s.0 + b.0, s.1 + b.1));
        if n < 4.0 || lost <= 0.0 {
            return 1.0;
        }
        let p: f64 = lost / all;
        let spread: f64 = self.blocks.iter().map(|b| (b.0 - p * b.1).powi(2) / b.1).sum();
        (spread / (n - 1.0) / (p * (1.0 - p)).max(1e-9)).clamp(1.0, LONGEST_BURST)
    }

    /// p_w as told, and as far as it is believed: zero if nothing is. Marked losses are not part
    /// of it.
    pub(super) fn told(&self) -> f64 {
        if !self.trust.loss {
            return 0.0;
        }
        let own = if self.marks { 0.0 } else { self.own.loss.get() };
        let claim = self.peer.loss.get();
        let limit = match self.inferred().filter(|_| self.trust.infer) {
            // A link whose losses seem to be zero gets no margin either.
            Some(p) => self.trust.factor * p + self.trust.margin.min(p),
            None if self.witnessed => self.trust.limit,
            None => 0.0,
        };
        1.0 - (1.0 - own) * (1.0 - claim.min(limit))
    }

    /// The p_w to judge losses by, and its basis.
    pub(super) fn loss(&self) -> f64 {
        let told = self.told();
        let inferred = if self.trust.infer { self.inferred() } else { None };
        told.max(inferred.unwrap_or(0.0))
    }

    /// The own link tells of its losses, and is listened to.
    pub(super) fn tells_losses(&self) -> bool {
        self.marks || self.trust.loss && self.own != LinkReport::NONE
    }

    /// Nothing is told, and nothing inferred yet.
    pub(super) fn is_blank(&self) -> bool {
        self.trust.infer && self.inferred().is_none() && self.told() <= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;
    use crate::units::Probability;

    const TRUST: Trust = Trust {
        loss: true,
        delay: true,
        infer: true,
        factor: 2.0,
        margin: 0.01,
        limit: 0.05,
        unseen: 0.02,
    };

    fn report(loss: f64, ms: u64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(ms) }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    /// A link whose own delay has grown by 15 ms, on a path whose quiet rounds lost a tenth.
    fn links() -> Links {
        let mut links = Links::new(TRUST);
        links.on_own(&report(0.03, 5));
        links.on_own(&report(0.03, 20));
        for _ in 0..LEAST_BLOCKS {
            links.on_short_queue(10.0, 90.0);
        }
        links
    }

    #[test]
    fn a_delay_that_has_grown_explains_a_rise_until_the_path_is_measured_anew() {
        let mut links = links();
        near(links.excess(0.1), 0.015);
        near(links.excess(0.01), 0.01);
        links.rebase();
        near(links.excess(0.1), 0.0);
        links.on_own(&report(0.03, 24));
        near(links.excess(0.1), 0.004);
    }

    #[test]
    fn while_no_queue_can_be_seen_little_is_inferred() {
        let mut links = links();
        links.unseen = true;
        assert_eq!(links.inferred(), Some(0.02));
        links.unseen = false;
        assert!(links.inferred().is_some_and(|p| p > 0.1));
    }

    #[test]
    fn another_path_voids_what_was_measured_and_keeps_what_is_told() {
        let mut links = links();
        assert!(links.inferred().is_some_and(|p| p > 0.1));
        links.restart();
        assert_eq!(links.inferred(), None);
        near(links.told(), 0.03);
        near(links.excess(0.1), 0.0);
        // The least delay is that of reports since then.
        links.on_own(&report(0.03, 20));
        links.on_own(&report(0.03, 22));
        near(links.excess(0.1), 0.002);
        // Marks are the own MAC's, which stays: what it marks is not told again.
        links.on_marks();
        links.restart();
        near(links.told(), 0.0);
    }
}
