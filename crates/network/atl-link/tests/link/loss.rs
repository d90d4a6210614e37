//! Loss rates against theory. Seeds are fixed, so each test always passes or always fails. Margins
//! are four standard deviations of the estimate, which one seed in 16 000 exceeds.

use crate::support::{EIGHT, Numbered, config, link, network};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::{Exit, Loss, Service};

const PACKETS: u64 = 400_000;

fn p(value: f64) -> Probability {
    Probability::new(value).expect("a probability")
}

/// For each packet, whether it is lost.
fn fates(loss: Loss) -> Vec<bool> {
    let mut initial = network(EIGHT, 0);
    initial.service = Service::Unlimited;
    initial.loss = loss;
    let mut link = link(config(initial));
    (0..PACKETS)
        .map(|n| {
            let now = Time::from_nanos(n);
            assert!(link.offer(now, Numbered(n, 1000)).is_ok());
            matches!(link.poll(now), Some(Exit::Lost(..)))
        })
        .collect()
}

fn rate(fates: &[bool]) -> f64 {
    fates.iter().filter(|&&lost| lost).count() as f64 / fates.len() as f64
}

fn assert_near(measured: f64, theory: f64, deviation: f64) {
    let off = (measured - theory).abs();
    assert!(off <= 4.0 * deviation, "{measured} instead of {theory} +- 4 * {deviation}");
}

#[test]
fn independent_losses_have_the_right_rate_and_are_independent() {
    for theory in [1e-4, 1e-2, 0.05, 0.5] {
        let fates = fates(Loss::Bernoulli(p(theory)));
        // The count is binomial.
        let deviation = (theory * (1.0 - theory) / PACKETS as f64).sqrt();
        assert_near(rate(&fates), theory, deviation);
        // So is the number of neighbours that are both lost, except that pairs sharing a packet are
        // correlated: this adds 2 p^3 (1 - p) to the variance p^2 (1 - p^2) of a pair.
        let pairs: Vec<bool> = fates.windows(2).map(|w| w[0] && w[1]).collect();
        let pair = theory * theory;
        let variance = pair * (1.0 - pair) + 2.0 * pair * theory * (1.0 - theory);
        assert_near(rate(&pairs), pair, (variance / PACKETS as f64).sqrt());
    }
}

#[test]
fn loss_probabilities_of_0_and_1_are_exact() {
    assert!(fates(Loss::Bernoulli(Probability::ONE)).iter().all(|&lost| lost));
    assert!(!fates(Loss::Bernoulli(Probability::ZERO)).contains(&true));
    assert!(!fates(Loss::None).contains(&true));
}

#[test]
fn gilbert_losses_have_the_theoretical_rate_and_burst_length() {
    let (to_bad, to_good) = (0.01, 0.2);
    let fates = fates(Loss::GilbertElliott {
        to_bad: p(to_bad),
        to_good: p(to_good),
        loss_good: Probability::ZERO,
        loss_bad: Probability::ONE,
    });
    // Stationary probability of the bad state. The chain's autocorrelation at lag k is r^k with r =
    // 1 - to_bad - to_good, which increases the variance of a mean by the factor (1 + r) / (1 - r).
    let theory = to_bad / (to_bad + to_good);
    let r = 1.0 - to_bad - to_good;
    let variance = theory * (1.0 - theory) * (1.0 + r) / (1.0 - r);
    assert_near(rate(&fates), theory, (variance / PACKETS as f64).sqrt());

    // Bursts are geometric with mean 1 / to_good and variance (1 - to_good) / to_good^2.
    let bursts: Vec<usize> =
        fates.chunk_by(|a, b| a == b).filter(|run| run[0]).map(<[bool]>::len).collect();
    let mean = bursts.iter().sum::<usize>() as f64 / bursts.len() as f64;
    let deviation = ((1.0 - to_good) / (to_good * to_good) / bursts.len() as f64).sqrt();
    assert_near(mean, 1.0 / to_good, deviation);
}

#[test]
fn each_gilbert_elliott_state_has_its_own_loss_probability() {
    let (to_bad, to_good, good, bad) = (0.02, 0.1, 0.01, 0.4);
    let fates = fates(Loss::GilbertElliott {
        to_bad: p(to_bad),
        to_good: p(to_good),
        loss_good: p(good),
        loss_bad: p(bad),
    });
    let share = to_bad / (to_bad + to_good);
    let theory = share * bad + (1.0 - share) * good;
    // The covariance at lag k >= 1 is (bad - good)^2 share (1 - share) r^k; its sum has the factor
    // r / (1 - r).
    let r = 1.0 - to_bad - to_good;
    let between = (bad - good) * (bad - good) * share * (1.0 - share);
    let variance = theory * (1.0 - theory) + 2.0 * between * r / (1.0 - r);
    assert_near(rate(&fates), theory, (variance / PACKETS as f64).sqrt());
}

#[test]
fn a_report_covers_exactly_its_window() {
    let mut initial = network(EIGHT, 25);
    initial.service = Service::Unlimited;
    initial.loss = Loss::Bernoulli(Probability::ONE);
    let mut lossless = initial.clone();
    lossless.loss = Loss::None;
    let mut config = config(initial);
    config.schedule = vec![atl_link::Change { at: Time::from_millis(1000), to: lossless }];
    config.report_window = Span::from_millis(320);
    let mut link = link(config);
    assert_eq!(link.report(Time::ZERO).loss, Probability::ZERO, "nothing has been sent yet");
    let mut reports = Vec::new();
    for n in 0..2000 {
        let now = Time::from_millis(n);
        while link.poll(now).is_some() {}
        assert!(link.offer(now, Numbered(n, 1000)).is_ok());
        reports.push(link.report(now));
    }
    // One packet per millisecond, with its fate known 25 ms later: the first success counts from
    // 1025 ms on, the last loss leaves the window between 15/16 of 320 ms and 320 ms after it was
    // reported.
    assert!(reports[26..1025].iter().all(|r| r.loss == Probability::ONE));
    assert!(reports[1026..1024 + 300].iter().all(|r| (0.0..1.0).contains(&r.loss.get())));
    assert!(reports[1024 + 300 - 1].loss.get() > 0.0);
    assert!(reports[1024 + 321..].iter().all(|r| r.loss == Probability::ZERO));
    assert!(reports.iter().all(|r| r.delay == Span::from_millis(25)));
    // Halfway through the window half is lost, within one bucket.
    assert!((reports[1025 + 155].loss.get() - 0.5).abs() < 1.5 / 16.0);
    // A silence as long as the window empties it.
    assert_eq!(link.report(Time::from_secs_f64(9.0)).loss, Probability::ZERO);
}
