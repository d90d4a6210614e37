//! Networks in which a receiver may lie.

use atl_core::time::Span;
use atl_link::random::Stream;

/// The last link of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Medium {
    /// A wire: the receiver has no wireless link, and an honest one reports nothing. Its neighbours
    /// are SACK flows.
    Wire,
    /// A wireless link, which the receiver knows. Its neighbours are honest receivers of the same
    /// law on the same link.
    Radio {
        /// p_w of the link towards the receiver.
        loss: f64,
        /// Share of the path's one-way delay that is the link's.
        share: f64,
    },
}

/// A path through a DropTail bottleneck that a receiver shares with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// The last link.
    pub medium: Medium,
    /// Rate of the bottleneck in kb/s.
    pub kbps: u64,
    /// Round-trip time without queues.
    pub rtt: Span,
    /// Packets that the bottleneck's queue holds.
    pub queue: u32,
    /// Flows beside the liar's.
    pub neighbours: u32,
}

/// Packets that a run is to send, about: the time that a run takes follows from them.
const PACKETS: f64 = 300_000.0;
/// Bytes of a full packet on the wire.
pub(crate) const PACKET_BYTES: f64 = 1500.0;

impl Network {
    /// A network at random: 200 kb/s to 1 Gb/s, round trips of 5 to 600 ms, queues of 3 to 400
    /// packets, evenly in their logarithms.
    pub fn draw(wire: bool, stream: &mut Stream) -> Network {
        let medium = if wire {
            Medium::Wire
        } else {
            let loss = [1e-4, 1e-3, 3e-3, 1e-2, 3e-2][stream.below(5) as usize];
            Medium::Radio { loss, share: [0.05, 0.2, 0.5, 0.9][stream.below(4) as usize] }
        };
        let kbps = logarithmic(stream, 200.0, 1e6) as u64;
        let micros = logarithmic(stream, 5e3, 6e5) as u64;
        Network {
            medium,
            kbps,
            rtt: Span::from_micros(micros),
            queue: logarithmic(stream, 3.0, 400.0) as u32,
            neighbours: [1, 1, 2, 3][stream.below(4) as usize],
        }
    }

    /// The same with one number changed a little.
    #[must_use]
    pub fn near(mut self, stream: &mut Stream) -> Network {
        let factor = logarithmic(stream, 0.5, 2.0);
        let scaled = |x: f64, least: f64, most: f64| rounded((x * factor).clamp(least, most));
        match stream.below(5) {
            0 => self.kbps = scaled(self.kbps as f64, 200.0, 1e6) as u64,
            1 => self.rtt = Span::from_micros(scaled(self.rtt.secs() * 1e6, 5e3, 6e5) as u64),
            2 => self.queue = scaled(f64::from(self.queue), 3.0, 400.0) as u32,
            3 => self.neighbours = 1 + stream.below(3) as u32,
            _ => {
                if let Medium::Radio { loss, share } = &mut self.medium {
                    *loss = scaled(*loss, 1e-5, 0.1);
                    *share = scaled(*share, 0.02, 0.95);
                }
            }
        }
        self
    }

    /// Duration of a run: 300 round trips, from 20 s to 2 minutes, unless that is more than the
    /// packets of a run; then 60 round trips at least.
    pub fn duration(&self) -> Span {
        let rtt = self.rtt.secs();
        let packets = PACKETS * PACKET_BYTES * 8.0 / (self.kbps as f64 * 1e3);
        let secs = (300.0 * rtt).clamp(20.0, 120.0).min(packets.max(60.0 * rtt));
        Span::from_millis((secs * 1e3).ceil() as u64)
    }

    /// One-way delays of the first link, the bottleneck and the last link.
    pub(super) fn delays(&self) -> [Span; 3] {
        let one_way = self.rtt.nanos() / 2;
        let last = match self.medium {
            Medium::Wire => one_way / 10,
            Medium::Radio { share, .. } => (one_way as f64 * share) as u64,
        };
        let rest = one_way - last;
        [rest / 10, rest - rest / 10, last].map(|nanos| Span::from_micros(nanos / 1000))
    }
}

/// A number that is evenly distributed in its logarithm, with two digits.
pub fn logarithmic(stream: &mut Stream, from: f64, to: f64) -> f64 {
    rounded(from * libm::pow(to / from, stream.uniform()))
}

/// Rounds to two digits.
pub(super) fn rounded(x: f64) -> f64 {
    if x <= 0.0 || !x.is_finite() {
        return x;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(x)) - 1.0);
    // Division by a whole number where the unit is a fraction keeps short decimals short.
    if unit < 1.0 {
        let inverse = (1.0 / unit).round();
        (x * inverse).round() / inverse
    } else {
        (x / unit).round() * unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_are_left() {
        let text = [0.012_345, 1234.0, 99.6, 5.0, 0.0].map(|x| rounded(x).to_string());
        assert_eq!(text, ["0.012", "1200", "100", "5", "0"]);
    }

    #[test]
    fn networks_stay_in_their_ranges_however_often_they_change() {
        let mut stream = Stream::new(1, "test");
        for wire in [true, false] {
            let mut network = Network::draw(wire, &mut stream);
            for _ in 0..2000 {
                network = network.near(&mut stream);
                assert!((200..=1_000_000).contains(&network.kbps), "{network:?}");
                assert!((3..=400).contains(&network.queue), "{network:?}");
                assert!((1..=3).contains(&network.neighbours), "{network:?}");
                let micros = network.rtt.nanos() / 1000;
                assert!((5_000..=600_000).contains(&micros), "{network:?}");
                assert_eq!(wire, network.medium == Medium::Wire);
                assert!(network.duration() >= Span::from_millis(300), "{network:?}");
            }
        }
    }
}
