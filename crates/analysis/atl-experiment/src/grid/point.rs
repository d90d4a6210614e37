//! Networks at random.

use std::ops::RangeInclusive;

use atl_core::time::Span;
use atl_link::random::Stream;

use crate::attack::{PACKET_BYTES, logarithmic};

/// A point of the grid: a path with one lossy link, and the flows of one sender on it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Point {
    /// Number of the point, which with the grid's seed is all that it is drawn from.
    pub number: u32,
    /// Rate of the lossy link in kb/s: 1 Mb/s to 1 Gb/s, evenly in the logarithm.
    pub kbps: u64,
    /// Round-trip time without queues in microseconds: 10 to 600 ms, evenly in the logarithm.
    pub rtt_us: u64,
    /// Packets in the queue: .1 to 4 bandwidth-delay products, evenly in the logarithm; at least 2.
    pub queue: u32,
    /// p_w: 0 at a fifth of the points, else 1e-4 to 1e-1, evenly in the logarithm.
    pub loss: f64,
    /// Mean length of a burst of losses in packets: 1 (independent losses) at half of the points
    /// that lose, else 2 to 20, evenly in the logarithm.
    pub burst: f64,
    /// Flows: 1 at half of the points, else 2 to 8.
    pub flows: u32,
    /// The data comes down the lossy link, whose other end tells the sender of it; else the lossy
    /// link is the sender's own.
    pub down: bool,
}

/// Packets after which a run may end, once it has lasted for the least time.
const PACKETS: f64 = 400_000.0;

/// Seeds that a point has for itself: as many runs as one may ask for, and those that repeat it.
const SEEDS: u64 = 10_000;

impl Point {
    /// Draws a point.
    pub fn draw(seed: u64, number: u32) -> Point {
        let mut stream = Stream::new(seed, &format!("grid/{number}"));
        let kbps = logarithmic(&mut stream, 1e3, 1e6);
        let rtt_us = logarithmic(&mut stream, 1e4, 6e5);
        let products = logarithmic(&mut stream, 0.1, 4.0);
        let clean = stream.chance(0.2);
        let loss = logarithmic(&mut stream, 1e-4, 1e-1);
        let alone = stream.chance(0.5);
        let burst = logarithmic(&mut stream, 2.0, 20.0);
        let one = stream.chance(0.5);
        let several = 2 + stream.below(7) as u32;
        let down = stream.chance(0.5);
        let product = kbps * 1e3 * rtt_us * 1e-6 / (8.0 * PACKET_BYTES);
        Point {
            number,
            kbps: kbps as u64,
            rtt_us: rtt_us as u64,
            queue: (products * product).round().max(2.0) as u32,
            loss: if clean { 0.0 } else { loss },
            burst: if clean || alone { 1.0 } else { burst },
            flows: if one { 1 } else { several },
            down,
        }
    }

    /// Rate of the lossy link in packets per second.
    pub fn packets_per_second(&self) -> f64 {
        self.kbps as f64 * 1e3 / (8.0 * PACKET_BYTES)
    }

    /// The round-trip time without queues.
    pub fn rtt(&self) -> Span {
        Span::from_micros(self.rtt_us)
    }

    /// Seeds of this point's runs, by their numbers. Each point has seeds of its own: with the same
    /// ones flows would begin in the same order and at the same shares of their time everywhere,
    /// and one such pattern would decide how evenly they share.
    pub fn seeds(&self, runs: RangeInclusive<u64>) -> Vec<u64> {
        runs.map(|run| SEEDS * u64::from(self.number) + run).collect()
    }

    /// Duration of a run: 60 round trips, from 5 s to 30 s; on a fast link no longer than some
    /// hundred thousand packets take, but 5 s at least.
    pub fn duration(&self) -> Span {
        let packets = PACKETS * PACKET_BYTES * 8.0 / (self.kbps as f64 * 1e3);
        let secs = (60.0 * self.rtt().secs()).clamp(5.0, 30.0).min(packets.max(5.0));
        Span::from_millis((secs * 1e3).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_follow_the_distribution_that_is_stated() {
        let all: Vec<Point> = (0..4000).map(|number| Point::draw(7, number)).collect();
        for point in &all {
            assert!((1_000..=1_000_000).contains(&point.kbps), "{point:?}");
            assert!((10_000..=600_000).contains(&point.rtt_us), "{point:?}");
            assert!(point.loss <= 0.0 || (1e-4..=0.1).contains(&point.loss), "{point:?}");
            assert!((1.0..=20.0).contains(&point.burst), "{point:?}");
            assert!((1..=8).contains(&point.flows) && point.queue >= 2, "{point:?}");
            assert!((5.0..=30.001).contains(&point.duration().secs()), "{point:?}");
        }
        let share = |of: &dyn Fn(&Point) -> bool| {
            all.iter().filter(|point| of(point)).count() as f64 / all.len() as f64
        };
        // Of 4000, half a share has a deviation of .008: five of them.
        for (found, expected) in [
            (share(&|p| p.loss <= 0.0), 0.2),
            (share(&|p| p.burst > 1.0), 0.4),
            (share(&|p| p.flows == 1), 0.5),
            (share(&|p| p.down), 0.5),
            (share(&|p| p.kbps < 31_623), 0.5),
            (share(&|p| p.rtt_us < 77_460), 0.5),
        ] {
            assert!((found - expected).abs() < 0.04, "{found}, expected {expected}");
        }
    }

    #[test]
    fn a_point_is_drawn_from_its_number_alone() {
        assert_eq!(Point::draw(1, 5), Point::draw(1, 5));
        assert_ne!(Point::draw(1, 5), Point { number: 5, ..Point::draw(1, 6) });
        assert_ne!(Point::draw(1, 5), Point::draw(2, 5));
    }

    #[test]
    fn no_two_points_share_a_seed() {
        let [first, second] = [0, 1].map(|number| Point::draw(1, number).seeds(1..=1040));
        assert_eq!((first[0], second[0]), (1, 10_001));
        assert!(first.iter().all(|seed| !second.contains(seed)));
    }
}
