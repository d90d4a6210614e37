//! The rate of the next segment, by each of the rules.

use std::collections::VecDeque;

use atl_core::time::Span;

use super::choice::RateChoice;
use super::video::Dash;

/// Segments over which throughput is averaged.
const RECENT: usize = 5;

/// BOLA's gamma times p: how much it dreads a stall against a low rate (Spiteri et al., sec. V).
const DREAD: f64 = 5.0;

/// Memory of a choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Chooser {
    /// Rate of the last segment, in the ladder.
    last: Option<usize>,
    /// Bits and seconds of the last segments.
    recent: VecDeque<(f64, f64)>,
}

impl Chooser {
    /// A segment of this many bytes was complete this long after its request.
    pub(super) fn on_segment(&mut self, bytes: u64, took: Span) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((bytes as f64 * 8.0, took.secs()));
    }

    /// The place in the ladder of the next segment's rate, with this much video in the buffer.
    pub(super) fn choose(&mut self, video: &Dash, buffered: Span) -> usize {
        let chosen = match (self.last, video.choice) {
            (None, _) => 0,
            (_, RateChoice::Throughput) => self.by_throughput(video),
            (Some(last), RateChoice::Buffer) => by_buffer(video, last, buffered),
            (_, RateChoice::Bola) => bola(video, buffered),
        };
        self.last = Some(chosen);
        chosen
    }

    fn by_throughput(&self, video: &Dash) -> usize {
        // 1 / throughput, averaged.
        let slowness: f64 = self.recent.iter().map(|(bits, secs)| secs / bits).sum();
        let bps = self.recent.len() as f64 / slowness;
        video.ladder.iter().rposition(|rate| rate.bps() < bps).unwrap_or(0)
    }
}

/// Algorithm 1 of Huang et al.
fn by_buffer(video: &Dash, last: usize, buffered: Span) -> usize {
    let top = video.ladder.len() - 1;
    let share = buffered.secs() / video.buffer.secs();
    let (reservoir, upper) = (0.375, 0.9);
    if share <= reservoir {
        return 0;
    }
    if share >= upper {
        return top;
    }
    let (low, high) = (video.ladder[0].bps(), video.ladder[top].bps());
    let line = low + (high - low) * (share - reservoir) / (upper - reservoir);
    let (above, below) = ((last + 1).min(top), last.saturating_sub(1));
    if line >= video.ladder[above].bps() {
        video.ladder.iter().rposition(|rate| rate.bps() < line).unwrap_or(0)
    } else if line <= video.ladder[below].bps() {
        video.ladder.iter().position(|rate| rate.bps() > line).unwrap_or(top)
    } else {
        last
    }
}

/// Eq. 10 of Spiteri et al., with the buffer in segments.
fn bola(video: &Dash, buffered: Span) -> usize {
    let sizes = || (0..video.ladder.len()).map(|index| video.bytes(index) as f64);
    let smallest = video.bytes(0) as f64;
    let utility = |size: f64| libm::log(size / smallest);
    let segments = |time: Span| time.secs() / video.segment.secs();
    let most = utility(video.bytes(video.ladder.len() - 1) as f64);
    let v = (segments(video.buffer) - 1.0) / (most + DREAD);
    let worth = |size: f64| (v * (utility(size) + DREAD) - segments(buffered)) / size;
    let better = |best: (usize, f64), (index, size): (usize, f64)| match worth(size) {
        worth if worth >= best.1 => (index, worth),
        _ => best,
    };
    sizes().enumerate().fold((0, f64::NEG_INFINITY), better).0
}

#[cfg(test)]
mod tests {
    use atl_core::units::Rate;

    use super::*;

    fn video(choice: RateChoice) -> Dash {
        let ladder = [1.0, 2.0, 4.0].map(Rate::from_mbps).into();
        Dash {
            ladder,
            segment: Span::from_secs(1),
            buffer: Span::from_secs(20),
            choice,
            ..Dash::default()
        }
    }

    fn secs(secs: f64) -> Span {
        Span::from_secs_f64(secs)
    }

    #[test]
    fn throughput_is_the_harmonic_mean_of_five_segments() {
        let video = video(RateChoice::Throughput);
        let mut chooser = Chooser::default();
        assert_eq!(chooser.choose(&video, secs(0.0)), 0, "nothing is known");
        // 1 Mb in 0.2 s: 5 Mb/s.
        chooser.on_segment(125_000, secs(0.2));
        assert_eq!(chooser.choose(&video, secs(1.0)), 2);
        // With 1 Mb/s after it: 2 / (1/5 + 1/1) = 1.67.
        chooser.on_segment(125_000, secs(1.0));
        assert_eq!(chooser.choose(&video, secs(1.0)), 0);
        // Four of 4.5 Mb/s and one of 1: 5 / (4/4.5 + 1) = 2.6. Then the slow one is forgotten.
        for index in [1, 1, 1, 1, 2] {
            chooser.on_segment(125_000, secs(1.0 / 4.5));
            if chooser.recent.len() == RECENT {
                let chosen = chooser.choose(&video, secs(1.0));
                assert!(chosen == index || chosen == 1, "{chosen}");
            }
        }
        assert_eq!(chooser.choose(&video, secs(1.0)), 2);
    }

    #[test]
    fn the_rate_follows_the_buffer_in_steps() {
        let video = video(RateChoice::Buffer);
        // From 1 Mb/s at 7.5 s to 4 Mb/s at 18 s: 2 Mb/s at 11 s.
        for (last, buffered, chosen) in [
            (0, 7.5, 0),
            (2, 7.4, 0),
            (0, 10.9, 0),
            (0, 11.1, 1),
            (1, 10.0, 1),
            (1, 17.9, 1),
            (1, 18.0, 2),
            (2, 12.0, 2),
            (2, 10.9, 1),
        ] {
            assert_eq!(by_buffer(&video, last, secs(buffered)), chosen, "{last} at {buffered} s");
        }
    }

    #[test]
    fn bola_has_the_rate_whose_worth_is_highest() {
        let video = video(RateChoice::Bola);
        // V = 19 / (ln 4 + 5) = 2.975. Worth at Q: (14.875 - Q) / 1, (16.937 - Q) / 2,
        // (19 - Q) / 4. The first two are equal at 12.81, the last two at 14.87.
        for (buffered, chosen) in [(0.0, 0), (12.7, 0), (12.9, 1), (14.8, 1), (15.0, 2), (19.0, 2)]
        {
            assert_eq!(bola(&video, secs(buffered)), chosen, "at {buffered} s");
        }
    }
}
