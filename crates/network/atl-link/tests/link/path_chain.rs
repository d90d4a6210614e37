//! The four-state chain of a path as a loss process, against its analysis. Seeds are fixed; margins
//! are four standard deviations of the estimate.

use crate::support::{EIGHT, Numbered, config, link, network};
use atl_core::model::{Gilbert, PathChain};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::{Cause, Config, Exit, LinkReport, Loss, Service};

const PACKETS: usize = 400_000;

fn chain(p: f64, r: f64, q: f64, s: f64) -> PathChain {
    let gilbert = |to_bad, to_good| Gilbert {
        to_bad: Probability::clamped(to_bad),
        to_good: Probability::clamped(to_good),
    };
    PathChain { wireless: gilbert(p, r), congestion: gilbert(q, s) }
}

/// Bursts on both parts; on one of them; frequent congestion; independent losses.
fn chains() -> [PathChain; 4] {
    [
        chain(0.01, 0.2, 0.005, 0.4),
        chain(0.002, 0.05, 0.02, 0.98),
        chain(0.05, 0.5, 0.1, 0.1),
        chain(0.03, 0.97, 0.01, 0.99),
    ]
}

fn lossy(chain: PathChain) -> Config {
    let mut initial = network(EIGHT, 0);
    initial.service = Service::Unlimited;
    initial.loss = Loss::Path(chain);
    config(initial)
}

/// The fate of each packet, the final link report, and the number lost to congestion. The run is
/// much longer than the memory of either part.
fn fates(chain: PathChain) -> (Vec<Option<Cause>>, LinkReport, u64) {
    let mut config = lossy(chain);
    config.report_window = Span::ZERO;
    let mut link = link(config);
    let fates = (0..PACKETS as u64).map(|n| {
        let now = Time::from_nanos(n);
        assert!(link.offer(now, Numbered(n, 1000)).is_ok());
        match link.poll(now).expect("no delay") {
            Exit::Lost(_, cause) => Some(cause),
            _ => None,
        }
    });
    let fates: Vec<_> = fates.collect();
    let report = link.report(Time::from_nanos(PACKETS as u64));
    (fates, report, link.counters().congested)
}

#[track_caller]
fn assert_near(measured: f64, theory: f64, variance_of_mean: f64) {
    let (off, margin) = ((measured - theory).abs(), 4.0 * variance_of_mean.sqrt());
    assert!(off <= margin, "{measured} instead of {theory} +- {margin}");
}

fn share(fates: &[Option<Cause>], of: impl Fn(Option<Cause>) -> bool) -> f64 {
    fates.iter().filter(|&&fate| of(fate)).count() as f64 / fates.len() as f64
}

/// P(good) and the autocorrelation at lag 1 of a chain.
fn good(gilbert: &Gilbert) -> (f64, f64) {
    (1.0 - gilbert.bad().get(), 1.0 - gilbert.to_bad.get() - gilbert.to_good.get())
}

/// Sum of `rho^|k|` over all lags except 0.
fn lags(rho: f64) -> f64 {
    2.0 * rho / (1.0 - rho)
}

#[test]
fn loss_rates_are_those_of_the_chain() {
    for chain in chains() {
        let n = PACKETS as f64;
        let (fates, report, congested) = fates(chain);
        let ((a, rho_s), (b, rho_i)) = (good(&chain.wireless), good(&chain.congestion));
        let (v_s, v_i) = (a * (1.0 - a), b * (1.0 - b));
        // omega: the mean of one chain.
        let omega = share(&fates, |fate| fate == Some(Cause::Error));
        assert_near(omega, chain.wireless_loss().get(), v_s * (1.0 + lags(rho_s)) / n);
        // The MAC sees only this.
        assert!((report.loss.get() - omega).abs() < 1e-12);
        // 1 - pi is the mean of the product of two independent chains A and B, whose covariance at
        // lag k is a^2 v_i rho_i^k + b^2 v_s rho_s^k + v_s v_i (rho_s rho_i)^k.
        let pi = share(&fates, |fate| fate.is_some());
        let covariances = a * a * v_i * (1.0 + lags(rho_i))
            + b * b * v_s * (1.0 + lags(rho_s))
            + v_s * v_i * (1.0 + lags(rho_s * rho_i));
        assert_near(pi, chain.loss().get(), covariances / n);
        // Losses to congestion alone, S0 I1, have the same covariances with 1 - b in place of b.
        let alone = share(&fates, |fate| fate == Some(Cause::Congestion));
        let covariances = a * a * v_i * (1.0 + lags(rho_i))
            + (1.0 - b) * (1.0 - b) * v_s * (1.0 + lags(rho_s))
            + v_s * v_i * (1.0 + lags(rho_s * rho_i));
        assert_near(alone, chain.stationary()[2], covariances / n);
        assert_eq!(congested, (alone * n).round() as u64);
    }
}

#[test]
fn bursts_are_as_long_as_those_of_the_chain() {
    for chain in chains() {
        let (fates, ..) = fates(chain);
        let bursts = |of: fn(Option<Cause>) -> bool| -> Vec<f64> {
            let runs = fates.chunk_by(|&x, &y| of(x) == of(y));
            runs.filter(|run| of(run[0])).map(|run| run.len() as f64).collect()
        };
        let mean = |runs: &[f64]| runs.iter().sum::<f64>() / runs.len() as f64;
        // Bursts on the wireless link are geometric.
        let runs = bursts(|fate| fate == Some(Cause::Error));
        let to_good = chain.wireless.to_good.get();
        let variance = (1.0 - to_good) / (to_good * to_good);
        let expected = chain.wireless.mean_burst();
        assert_near(mean(&runs), expected, variance / runs.len() as f64);
        // So are runs without loss: each packet leaves the state S0 I0 with the same probability.
        let runs = bursts(|fate| fate.is_none());
        let leave = 1.0 - chain.matrix()[0][0];
        let variance = (1.0 - leave) / (leave * leave);
        assert_near(mean(&runs), 1.0 / leave, variance / runs.len() as f64);
    }
}

#[test]
fn transitions_between_packets_are_those_of_eq_3() {
    for chain in chains() {
        let (fates, ..) = fates(chain);
        let matrix = chain.matrix();
        // S1 I0 and S1 I1 look the same from outside; S0 I0 and S0 I1 can be told apart.
        let seen = [None, Some(Cause::Congestion)];
        for (from, row) in [(None, matrix[0]), (Some(Cause::Congestion), matrix[2])] {
            let next: Vec<_> = fates.windows(2).filter(|w| w[0] == from).map(|w| w[1]).collect();
            let columns =
                [(seen[0], row[0]), (Some(Cause::Error), row[1] + row[3]), (seen[1], row[2])];
            for (to, theory) in columns {
                let measured = share(&next, |fate| fate == to);
                assert_near(measured, theory, theory * (1.0 - theory) / next.len() as f64);
            }
        }
    }
}

#[test]
fn a_path_with_congestion_losses_only_reports_no_loss() {
    let (fates, report, congested) = fates(chain(0.0, 1.0, 0.1, 0.5));
    assert!(fates.iter().all(|fate| matches!(fate, None | Some(Cause::Congestion))));
    assert!(congested > 0);
    assert_eq!(report.loss, Probability::ZERO);
}
