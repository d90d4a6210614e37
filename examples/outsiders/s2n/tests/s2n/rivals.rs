//! CUBIC and BBRv3 beside those of a QUIC library (s2n-quic-core: CUBIC, and BBR's version 2), on a
//! dozen paths.

use crate::bottleneck::{Bottleneck, Outcome};
use atl_core::time::{Span, Time};
use atl_core::window::{BuildController, Start, bbr3, cubic};

const SECS: u64 = 60;

/// Packets per second, milliseconds, packets that wait, share lost.
const PATHS: [(f64, u64, u32, f64); 12] = [
    (240.0, 20, 20, 0.0),
    (240.0, 100, 50, 0.01),
    (600.0, 50, 30, 0.0),
    (600.0, 200, 120, 0.001),
    (1200.0, 30, 100, 0.005),
    (1200.0, 80, 25, 0.0),
    (2400.0, 20, 50, 0.0),
    (2400.0, 50, 240, 0.001),
    (2400.0, 100, 120, 0.02),
    (6000.0, 40, 120, 0.0),
    (6000.0, 40, 240, 0.0003),
    (12_000.0, 50, 600, 0.01),
];

fn run(path: (f64, u64, u32, f64), config: &dyn BuildController) -> Outcome {
    let (rate, rtt_ms, queue, loss) = path;
    let blackout = (Time::ZERO, Time::ZERO);
    let rtt = Span::from_millis(rtt_ms);
    let path = Bottleneck { rate, rtt, queue, loss, blackout, seed: 3 };
    path.run(&mut *config.build(&Start::default().packet_bytes(1040)), SECS)
}

/// Utilisation of ours and of theirs on each path.
fn both(ours: &dyn BuildController, theirs: &dyn BuildController) -> Vec<(f64, f64)> {
    let used = |path, config| run(path, config).utilisation;
    PATHS.iter().map(|path| (used(*path, ours), used(*path, theirs))).collect()
}

/// The same where a queue overflows. Where links lose, RFC 9438's estimate of Reno (1 packet a
/// round trip once the old window is back) has up to a fifth more than RFC 8312's, which the
/// library has.
#[test]
fn cubic_gets_what_that_of_s2n_gets() {
    let pairs = both(&cubic::Config::default(), &s2n::cubic::Config::default());
    for (path, (ours, theirs)) in PATHS.iter().zip(&pairs) {
        let allowed = if path.3 > 0.0 { 0.9..1.25 } else { 0.98..1.02 };
        assert!(allowed.contains(&(ours / theirs)), "{path:?}: {ours}, {theirs}");
    }
}

/// Little less on clean paths. Each round with a loss costs the draft's sender its share of losses
/// and the margin of its pacing until the next probe; at 2 %, its threshold, each second probe
/// fails.
#[test]
fn bbr3_gets_what_bbr2_of_s2n_gets() {
    let pairs = both(&bbr3::Config::default(), &s2n::bbr2::Config::default());
    for (path, (ours, theirs)) in PATHS.iter().zip(&pairs) {
        let least = match path.3 {
            loss if loss <= 0.0 => 0.95,
            loss if loss < 0.008 => 0.88,
            loss if loss < 0.015 => 0.82,
            _ => 0.4,
        };
        assert!((least..1.02).contains(&(ours / theirs)), "{path:?}: {ours}, {theirs}");
    }
}
