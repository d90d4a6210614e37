//! The sender's beliefs about its wireless links: told, claimed, inferred.

use std::collections::VecDeque;

use crate::path::LinkReport;

/// Packets of a block of losses at first.
const BLOCK: f64 = 100.0;
/// Windows of packets of a block later on. A queue loses packets in some rounds, a link that loses
/// them in bursts has to show some in most blocks.
const WINDOWS: f64 = 2.0;
/// Blocks that are kept, and the least from which a loss is inferred. Twice as many learn half as
/// soon of a link that has become worse.
const BLOCKS: usize = 8;
const LEAST_BLOCKS: usize = 2;
/// The longest bursts that are allowed for.
const LONGEST_BURST: f64 = 40.0;
/// Upper bound of the inferred loss probability: above it a short queue may be the cause.
const MOST_INFERRED: f64 = 0.2;
/// Share of a rise that a peer's word explains at most. Who keeps `alpha` packets in a queue of
/// which it sees a share of `1 - s` gets `1/(1 - s)^2` times as much as the others, since alpha
/// grows with the root of the rate.
const PEER_SHARE: f64 = 0.2;

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

/// The wireless link at one end.
#[derive(Clone, Copy, Debug)]
struct Told {
    report: LinkReport,
    /// The least delay reported since the path's least round-trip time is measured, in seconds;
    /// infinite before the first report.
    least: f64,
}

impl Told {
    const NOTHING: Told = Told { report: LinkReport::NONE, least: f64::INFINITY };

    fn on_report(&mut self, report: &LinkReport) {
        self.report = *report;
        self.least = self.least.min(report.delay.secs());
    }

    /// The same, as if the path had been measured since.
    fn anew(self) -> Told {
        Told { least: f64::INFINITY, ..self }
    }

    /// The path's least round-trip time is measured anew: so is the least delay, of a link that
    /// reports.
    fn rebase(&mut self) {
        if self.least.is_finite() {
            self.least = self.report.delay.secs();
        }
    }

    /// Goes on with what `later` was told since.
    fn go_on(&mut self, later: &Told) {
        *self = Told { report: later.report, least: self.least.min(later.least) };
    }

    /// By how much the delay has grown, in seconds.
    fn grown(&self) -> f64 {
        (self.report.delay.secs() - self.least).max(0.0)
    }
}

/// Knowledge of the links.
#[derive(Clone, Debug)]
pub(super) struct Links {
    trust: Trust,
    own: Told,
    peer: Told,
    marks: bool,
    /// The longest queue can be told from none, and is not that of a few packets.
    pub(super) witnessed: bool,
    /// No queue can be told from none.
    pub(super) unseen: bool,
    /// Packets lost, and all, of the block under way and of the last ones.
    open: (f64, f64),
    blocks: VecDeque<(f64, f64)>,
    /// Packets of the block under way.
    size: f64,
}

impl Links {
    pub(super) fn new(trust: Trust) -> Self {
        Links {
            trust,
            own: Told::NOTHING,
            peer: Told::NOTHING,
            marks: false,
            witnessed: false,
            unseen: false,
            open: (0.0, 0.0),
            blocks: VecDeque::new(),
            size: BLOCK,
        }
    }

    pub(super) fn on_own(&mut self, report: &LinkReport) {
        self.own.on_report(report);
    }

    pub(super) fn on_peer(&mut self, report: &LinkReport) {
        self.peer.on_report(report);
    }

    pub(super) fn on_marks(&mut self) {
        self.marks = true;
    }

    /// Takes over what `other` was told since, but not what it has measured.
    pub(super) fn hear(&mut self, other: &Links) {
        self.own.go_on(&other.own);
        self.peer.go_on(&other.peer);
        self.marks |= other.marks;
    }

    /// The path is another one: what was measured of the old one is void.
    pub(super) fn restart(&mut self) {
        let (own, peer) = (self.own.anew(), self.peer.anew());
        *self = Links { own, peer, marks: self.marks, ..Links::new(self.trust) };
    }

    /// The least round-trip time is measured anew: so are the least delays of links that report.
    pub(super) fn rebase(&mut self) {
        self.own.rebase();
        self.peer.rebase();
    }

    /// The part of `rise`, in seconds above the least round-trip time, that the links own up to:
    /// their delay has grown. A peer's word counts for [`PEER_SHARE`] of the rise at most.
    pub(super) fn excess(&self, rise: f64) -> f64 {
        if !self.trust.delay {
            return 0.0;
        }
        let own = self.own.grown().min(rise).max(0.0);
        own + self.peer.grown().min(PEER_SHARE * (rise - own)).max(0.0)
    }

    /// Takes in packets of which none met a full queue: `lost` of them by the links, and
    /// `delivered`; the window has `window` packets. Blocks begin small, so that much is known
    /// soon, and are joined in pairs until they have [`WINDOWS`] of those.
    pub(super) fn on_short_queue(&mut self, lost: f64, delivered: f64, window: f64) {
        self.open.0 += lost;
        self.open.1 += lost + delivered;
        if self.open.1 < self.size {
            return;
        }
        self.blocks.push_back(core::mem::take(&mut self.open));
        if self.blocks.len() <= BLOCKS {
            return;
        }
        if self.size < WINDOWS * window {
            let blocks = self.blocks.make_contiguous().chunks(2);
            self.blocks = blocks.map(sum).collect();
            self.size *= 2.0;
        } else {
            self.blocks.pop_front();
            if self.size > BLOCK && self.size > 4.0 * WINDOWS * window {
                self.size *= 0.5;
            }
        }
    }

    /// Losses that were taken for the links' were not.
    pub(super) fn retract(&mut self) {
        self.open = (0.0, 0.0);
        self.blocks.clear();
        self.size = BLOCK;
    }

    /// p_w as inferred: the mean of the three quarters of the blocks that lost least, and a
    /// standard error for what the trimming took.
    pub(super) fn inferred(&self) -> Option<f64> {
        if self.blocks.len() < LEAST_BLOCKS {
            return None;
        }
        let mut blocks = Vec::from_iter(self.blocks.iter().copied());
        blocks.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
        let kept = (blocks.len() * 3).div_ceil(4);
        let (lost, all) = sum(&blocks[..kept]);
        let p: f64 = lost / all;
        let error = (p * (1.0 - p) * kept as f64 / all).sqrt();
        let most = if self.unseen { self.trust.unseen } else { MOST_INFERRED };
        Some((p + 0.42 * error).min(most))
    }

    /// The mean loss of all blocks, with those that [`Links::inferred`] leaves out: an upper bound.
    pub(super) fn mean_loss(&self) -> f64 {
        let (lost, all) = sum(&self.blocks);
        if all > 0.0 { lost / all } else { 0.0 }
    }

    /// Variance of the losses over that of independent ones, at least 1: the mean length of bursts.
    pub(super) fn burst(&self) -> f64 {
        let n = self.blocks.len() as f64;
        let (lost, all) = sum(&self.blocks);
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
        let own = if self.marks { 0.0 } else { self.own.report.loss.get() };
        let claim = self.peer.report.loss.get();
        let limit = match self.inferred().filter(|_| self.trust.infer) {
            // A full queue may have lost these: a claim would excuse more of its losses.
            Some(p) if self.unseen => p,
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
        self.marks || self.trust.loss && self.own.report != LinkReport::NONE
    }

    /// Nothing is told, and nothing inferred yet.
    pub(super) fn is_blank(&self) -> bool {
        self.trust.infer && self.inferred().is_none() && self.told() <= 0.0
    }
}

/// Packets lost, and all, of some blocks.
fn sum<'a>(blocks: impl IntoIterator<Item = &'a (f64, f64)>) -> (f64, f64) {
    blocks.into_iter().fold((0.0, 0.0), |sum, block| (sum.0 + block.0, sum.1 + block.1))
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
            links.on_short_queue(10.0, 90.0, 10.0);
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

    /// A wireless link of the sender's own that takes 5 ms, and a receiver that tells of its own.
    fn both(ms: u64) -> Links {
        let mut links = Links::new(TRUST);
        links.on_own(&report(0.0, 5));
        links.on_peer(&report(0.0, ms));
        links
    }

    #[test]
    fn a_receiver_explains_a_fifth_of_a_rise_at_most() {
        let mut links = both(10);
        near(links.excess(0.1), 0.0);
        links.on_peer(&report(0.0, 22));
        near(links.excess(0.1), 0.012);
        near(links.excess(0.05), 0.01);
        // The own link comes first.
        links.on_own(&report(0.0, 45));
        near(links.excess(0.05), 0.042);
        near(links.excess(0.03), 0.03);
    }

    #[test]
    fn the_first_report_of_an_end_is_no_rise() {
        let mut links = Links::new(TRUST);
        links.on_own(&report(0.0, 5));
        links.rebase();
        links.on_peer(&report(0.0, 10_000));
        near(links.excess(0.1), 0.0);
        links.on_own(&report(0.0, 15));
        near(links.excess(0.1), 0.01);
    }

    #[test]
    fn reports_that_came_while_a_claim_was_judged_are_heard() {
        let mut links = both(10);
        let mut since = links.clone();
        since.restart();
        since.on_peer(&report(0.0, 4));
        since.on_peer(&report(0.0, 30));
        since.on_marks();
        links.hear(&since);
        near(links.excess(1.0), 0.026);
        assert!(links.tells_losses());
        // Without any the old ones stay.
        links.restart();
        let mut kept = both(10);
        kept.hear(&links);
        kept.on_peer(&report(0.0, 12));
        near(kept.excess(1.0), 0.002);
    }

    /// A hundred packets for each of these numbers of losses.
    fn burst(lost: &[f64]) -> f64 {
        let mut links = Links::new(TRUST);
        lost.iter().for_each(|lost| links.on_short_queue(*lost, 100.0 - lost, 10.0));
        links.burst()
    }

    #[test]
    fn a_burst_is_as_long_as_the_variance_is_above_that_of_single_losses() {
        // A mean of 10 in 100: each block is 10 off, and (4 * 10^2/100) / 3 / (0.1 * 0.9) = 14.8.
        near(burst(&[0.0, 20.0, 0.0, 20.0]), 4.0 / 3.0 / 0.09);
        // (8 * 10^2/100) / 7 / 0.09, of eight blocks.
        near(burst(&[0.0, 20.0, 0.0, 20.0, 20.0, 0.0, 20.0, 0.0]), 8.0 / 7.0 / 0.09);
        near(burst(&[10.0; 4]), 1.0);
        near(burst(&[0.0, 20.0, 0.0]), 1.0);
        near(burst(&[0.0; 8]), 1.0);
        near(burst(&[0.0, 90.0, 0.0, 90.0, 0.0, 90.0, 0.0, 90.0]), LONGEST_BURST);
    }

    #[test]
    fn a_peer_is_believed_up_to_a_tenth_where_nothing_can_be_inferred_but_a_queue_seen() {
        let mut links = Links::new(super::super::Config::default().trust());
        links.on_peer(&report(0.5, 0));
        near(links.told(), 0.0);
        links.witnessed = true;
        near(links.told(), 0.1);
        links.on_peer(&report(0.08, 0));
        near(links.told(), 0.08);
    }

    #[test]
    fn while_no_queue_can_be_seen_little_is_inferred_and_no_claim_counts() {
        let mut links = links();
        links.unseen = true;
        assert_eq!(links.inferred(), Some(0.02));
        links.on_own(&LinkReport::NONE);
        links.on_peer(&report(0.5, 0));
        near(links.told(), 0.02);
        links.unseen = false;
        let p = links.inferred().expect("two blocks");
        assert!(p > 0.1);
        near(links.told(), 2.0 * p + 0.01);
    }

    /// `packets` in a window of `window`, of which `lost` in a row are lost every `every`.
    fn with_bursts(packets: u32, window: f64, lost: f64, every: u32) -> Links {
        let mut links = Links::new(TRUST);
        for _ in 0..packets / every {
            links.on_short_queue(lost, 0.0, window);
            for _ in 0..every - lost as u32 {
                links.on_short_queue(0.0, 1.0, window);
            }
        }
        links
    }

    #[test]
    fn bursts_far_apart_are_inferred_once_a_window_has_some() {
        // 8 of 470 are 1.7 %; a block of 100 meets a burst once in five times.
        assert_eq!(with_bursts(47_000, 40.0, 8.0, 470).inferred(), Some(0.0));
        let p = with_bursts(47_000, 1000.0, 8.0, 470).inferred().unwrap_or(0.0);
        assert!((0.012..0.022).contains(&p), "{p}");
        // Some of it is known from the first blocks on, which are small.
        let early = with_bursts(300, 1000.0, 2.0, 50).inferred().unwrap_or(0.0);
        assert!((0.03..0.06).contains(&early), "{early}");
    }

    #[test]
    fn a_few_windows_of_losses_are_left_out() {
        // One of eight windows loses a tenth, as a queue that overflows may.
        let links = with_bursts(48_000, 100.0, 10.0, 800);
        assert_eq!(links.inferred(), Some(0.0));
        assert!(links.burst() > 5.0);
    }

    #[test]
    fn blocks_follow_the_window() {
        let mut links = Links::new(TRUST);
        let mut sizes = Vec::new();
        for window in [50.0, 300.0, 50.0] {
            (0..8_000).for_each(|_| links.on_short_queue(0.0, 1.0, window));
            assert!(links.blocks.len() <= BLOCKS);
            sizes.push(links.size);
        }
        // Two windows at least, if that is more than 100, and eight at most.
        assert_eq!(sizes, [100.0, 800.0, 400.0]);
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
