//! LDA+ in a closed loop: its authors' claims, on a path whose numbers are known.

use crate::support::paced::{Outcome, Path, Run, START};
use atl_core::model::{TcpModel, TimeoutTerm};
use atl_core::rate::{RateConfig, lda};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::Aimd;

/// The outcome of four minutes after the first two.
fn settled(config: lda::Config, path: Path) -> Outcome {
    let mut run = Run::new(&RateConfig::from(config), &START, path);
    run.stretch(120.0);
    run.stretch(240.0)
}

#[test]
fn packet_pairs_let_it_fill_a_bottleneck_without_losing_a_packet() {
    for rate in [20.0, 100.0, 230.0] {
        for delay in [10, 50, 250] {
            let path = Path { rate, delay: Span::from_millis(delay), ..Path::default() };
            let outcome = settled(lda::Config::default(), path);
            assert!(outcome.goodput() > 0.97 * rate, "{rate}/s at {delay} ms: {outcome:?}");
            assert_eq!(outcome.dropped, 0, "{rate}/s at {delay} ms");
        }
    }
}

#[test]
fn without_the_bottlenecks_rate_it_overshoots_and_falls() {
    let blind = lda::Config { bottleneck: Some(240.0), ..lda::Config::default() };
    let outcome = settled(blind, Path::default());
    assert!(outcome.decreases > 3, "{outcome:?}");
    assert!(outcome.goodput() > 75.0, "{outcome:?}");
}

#[test]
fn random_losses_leave_it_what_they_leave_a_tcp() {
    let (tcp, rtt) = (Aimd { alpha: 1.0, beta: 0.5 }, Span::from_millis(101));
    let model = TcpModel { b: 1.0, timeouts: TimeoutTerm::Bounded };
    for loss in [0.01, 0.02, 0.05] {
        let path = Path { rate: 1000.0, loss, ..Path::default() };
        let outcome = settled(lda::Config::default(), path);
        let of_tcp = model
            .throughput(tcp, Probability::clamped(loss), rtt, rtt * 4)
            .expect("losses limit a TCP");
        let share = outcome.goodput() / of_tcp;
        assert!((0.6..1.1).contains(&share), "{loss}: {share} of {of_tcp}");
        // Leaping by each interval's loss gives more on average: the model is convex in it.
        let leaping = lda::Config { below_model: lda::BelowModel::Leaps, ..lda::Config::default() };
        assert!(settled(leaping, path).goodput() > outcome.goodput());
    }
}

#[test]
fn a_rate_that_stays_is_stuck_where_each_report_has_a_loss() {
    let path = Path { rate: 1000.0, loss: 0.05, ..Path::default() };
    let grows = settled(lda::Config::default(), path);
    let staying = lda::Config { below_model: lda::BelowModel::Stays, ..lda::Config::default() };
    let stays = settled(staying, path);
    assert!(stays.goodput() < 0.5 * grows.goodput(), "{stays:?} {grows:?}");
}
