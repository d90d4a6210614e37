//! The smoothed share of marked packets, which DCTCP and Prague follow (RFC 8257, sec. 3.3).

/// An average of the share of marked packets over observation periods.
///
/// A host tells of an ACK before it tells of the marks that the ACK reveals. The period that an ACK
/// ends therefore stays open until those marks are counted: [`end`](Self::end) asks for its end,
/// and the next ACK, or the reaction to those marks, [settles](Self::settle) it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkedShare {
    /// alpha, from 0 to 1.
    alpha: f64,
    /// g: weight of the newest period.
    gain: f64,
    delivered: f64,
    marked: f64,
    /// A packet was marked at some time: before, nothing is known of the path.
    seen: bool,
    ends: bool,
}

impl MarkedShare {
    /// Before any ACK. The average begins at 1, so that the first mark counts like a loss (RFC
    /// 8257, sec. 3.3), and stays there until a packet is marked.
    pub(super) const fn new(gain: f64) -> Self {
        MarkedShare { alpha: 1.0, gain, delivered: 0.0, marked: 0.0, seen: false, ends: false }
    }

    /// alpha: the smoothed share, from 0 to 1.
    pub(super) fn alpha(&self) -> f64 {
        self.alpha
    }

    /// An ACK newly shows this many packets to have arrived.
    pub(super) fn on_delivered(&mut self, packets: u32) {
        self.settle();
        self.delivered += f64::from(packets);
    }

    /// This many packets are newly known to be marked.
    pub(super) fn on_marked(&mut self, packets: u32) {
        self.seen |= packets > 0;
        self.marked += f64::from(packets);
    }

    /// The period ends with this ACK and the marks that it reveals.
    pub(super) fn end(&mut self) {
        self.ends = true;
    }

    /// Takes a period that has ended into the average.
    pub(super) fn settle(&mut self) {
        if !self.ends {
            return;
        }
        self.ends = false;
        let (delivered, marked) = (self.delivered, self.marked);
        (self.delivered, self.marked) = (0.0, 0.0);
        if self.seen && delivered > 0.0 {
            let share = (marked / delivered).min(1.0);
            self.alpha += self.gain * (share - self.alpha);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// rfc8257 3.3: alpha is an average with gain g of the share of marked bytes, and begins at 1.
    /// Deviation: packets are counted, and alpha stays at 1 until the first mark.
    /// Reason: segments are full but for the last; Prague has the latter, and the first mark then
    /// ends slow start as a loss would, however long that took.
    ///
    /// Four periods of ten packets with 0, 10, 5 and 0 marks, at g = 1/16: the first says nothing,
    /// then 1, 1 - 0.5/16 = 0.96875, and 15/16 of that.
    #[test]
    fn rfc8257_3_3_the_average_follows_the_share_with_gain_g() {
        let mut share = MarkedShare::new(1.0 / 16.0);
        let mut seen = Vec::new();
        for marks in [0, 10, 5, 0] {
            for packet in 0..10 {
                share.on_delivered(1);
                if packet == 9 {
                    share.end();
                }
                share.on_marked(u32::from(packet >= 10 - marks));
            }
            share.settle();
            seen.push(share.alpha());
        }
        let expected = [1.0, 1.0, 0.968_75, 0.908_203_125];
        assert!(seen.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{seen:?}");
    }
}
