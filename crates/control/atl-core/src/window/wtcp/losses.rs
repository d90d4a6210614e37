//! Compares the losses of a block of packets with those of the uncongested path.

/// Gains of the mean and of the mean deviation, as for the RTT (RFC 6298).
const MEAN_GAIN: f64 = 0.125;
const DEVIATION_GAIN: f64 = 0.25;

/// Share of packets lost in uncongested blocks.
#[derive(Clone, Copy, Debug)]
struct Usual {
    mean: f64,
    deviation: f64,
}

/// The current block, and the losses of previous ones.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    length: u64,
    deviations: f64,
    usual: Option<Usual>,
    packets: u64,
    lost: u64,
    /// The separations showed congestion in this block: its losses do not become history.
    congested: bool,
    /// This block's losses have reduced the rate already.
    answered: bool,
}

impl Losses {
    /// Blocks of `length` packets. Losses of up to `deviations` mean deviations above the mean are
    /// usual.
    pub(super) fn new(length: u32, deviations: f64) -> Self {
        Losses {
            length: u64::from(length),
            deviations,
            usual: None,
            packets: 0,
            lost: 0,
            congested: false,
            answered: false,
        }
    }

    /// A packet arrived, after `lost` packets that did not.
    pub(super) fn arrived(&mut self, lost: u64) {
        if self.packets >= self.length {
            self.end_block();
        }
        self.packets = self.packets.saturating_add(1).saturating_add(lost);
        self.lost = self.lost.saturating_add(lost);
    }

    /// A packet that counted as lost was only overtaken.
    pub(super) fn overtaken(&mut self) {
        self.lost = self.lost.saturating_sub(1);
    }

    /// The separations show congestion.
    pub(super) fn congested(&mut self) {
        self.congested = true;
    }

    /// True, once per block, if it lost more than usual.
    pub(super) fn excessive(&mut self) -> bool {
        let usual = self.usual.map_or(0.0, |u| u.mean + self.deviations * u.deviation);
        let excessive = self.lost as f64 > usual * self.length.max(self.packets) as f64;
        let first = excessive && !self.answered;
        self.answered |= excessive;
        first
    }

    fn end_block(&mut self) {
        let share = self.lost as f64 / self.packets as f64;
        if !self.congested {
            self.usual = Some(match self.usual {
                // As RTTVAR begins.
                None => Usual { mean: share, deviation: share / 2.0 },
                Some(u) => Usual {
                    mean: u.mean + MEAN_GAIN * (share - u.mean),
                    deviation: u.deviation
                        + DEVIATION_GAIN * ((share - u.mean).abs() - u.deviation),
                },
            });
        }
        (self.packets, self.lost, self.congested, self.answered) = (0, 0, false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of 100 packets of which `lost` are lost one by one; returns the number of times that
    /// this was excessive.
    fn block(losses: &mut Losses, lost: u64) -> u32 {
        let mut excessive = 0;
        for i in 0..100 - lost {
            losses.arrived(u64::from(i < lost));
            excessive += u32::from(losses.excessive());
        }
        excessive
    }

    #[test]
    fn without_a_history_a_loss_is_excessive_and_with_one_it_is_usual() {
        let mut losses = Losses::new(100, 2.0);
        assert_eq!(block(&mut losses, 5), 1);
        for _ in 0..20 {
            assert_eq!(block(&mut losses, 5), 0);
        }
        assert_eq!(block(&mut losses, 12), 1, "once, however many");
    }

    #[test]
    fn a_link_that_has_grown_worse_becomes_usual() {
        let mut losses = Losses::new(100, 2.0);
        for _ in 0..20 {
            block(&mut losses, 0);
        }
        let excessive: u32 = (0..20).map(|_| block(&mut losses, 20)).sum();
        assert!((1..=3).contains(&excessive), "{excessive}");
    }

    #[test]
    fn losses_of_congestion_are_no_history() {
        let mut losses = Losses::new(100, 2.0);
        for _ in 0..5 {
            block(&mut losses, 1);
        }
        for _ in 0..5 {
            losses.arrived(0);
            losses.congested();
            for _ in 0..8 {
                losses.arrived(10);
            }
            losses.arrived(10);
        }
        losses.arrived(0);
        assert_eq!(block(&mut losses, 20), 1);
    }

    #[test]
    fn an_overtaken_packet_is_not_lost() {
        let mut losses = Losses::new(100, 2.0);
        losses.arrived(1);
        losses.overtaken();
        assert!(!losses.excessive());
    }
}
