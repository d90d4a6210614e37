//! The fading channel's equations against hand-worked values, against each other, and against
//! integrals taken in another way.

use atl_core::model::fading::{
    Modulation, Rayleigh, Snr, TwoState, average, block_errors, mean_snr_for,
};
use atl_core::units::Probability;

fn close(measured: f64, expected: f64, within: f64) {
    let off = (measured / expected - 1.0).abs();
    assert!(off <= within, "{measured} instead of {expected}: off by {off:e}");
}

/// Simpson's rule over the envelope, in panels whose ends double: another method than the
/// library's.
fn simpson(mean: f64, f: impl Fn(f64) -> f64) -> f64 {
    let g = |r: f64| f(r * r) * 2.0 * r / mean * (-r * r / mean).exp();
    let panel = |a: f64, b: f64| {
        let n = 200;
        let h = (b - a) / f64::from(n);
        let inner: f64 =
            (1..n).map(|i| if i % 2 == 1 { 4.0 } else { 2.0 } * g(a + f64::from(i) * h)).sum();
        (g(a) + inner + g(b)) * h / 3.0
    };
    let end = (40.0 * mean).sqrt();
    let edge = |k: i32| if k == 60 { 0.0 } else { end * 0.5_f64.powi(k) };
    (0..60).map(|k| panel(edge(k + 1), edge(k))).sum()
}

#[test]
fn without_fading_the_error_ratios_are_the_textbooks() {
    let at = |m: Modulation, snr: f64| m.bit_errors(Snr::from_ratio(snr)).get();
    // erfc(1) / 2; and the well-known 1e-5 at 9.6 dB.
    close(at(Modulation::Bpsk, 1.0), 0.078_649_603_525_142_57, 1e-14);
    close(Modulation::Qpsk.bit_errors(Snr::from_db(9.6)).get(), 9.7e-6, 0.01);
    // exp(-ln 500) / 2.
    close(at(Modulation::Dpsk, 500_f64.ln()), 1e-3, 1e-12);
    close(at(Modulation::Fsk, 2.0 * 500_f64.ln()), 1e-3, 1e-12);
    for m in Modulation::ALL {
        let guess = Probability::clamped(0.5);
        assert_eq!([m.bit_errors(Snr::ZERO), m.mean_bit_errors(Snr::ZERO)], [guess; 2]);
        assert_eq!(m.bit_errors(Snr::from_db(60.0)), Probability::ZERO, "below any number");
    }
}

#[test]
fn over_fading_the_closed_forms_are_the_integrals() {
    let mean = |m: Modulation, snr: f64| m.mean_bit_errors(Snr::from_ratio(snr)).get();
    // (1 - sqrt(1/2)) / 2, 1/4, 1/3.
    close(mean(Modulation::Bpsk, 1.0), 0.146_446_609_406_726_2, 1e-14);
    close(mean(Modulation::Dpsk, 1.0), 0.25, 1e-14);
    close(mean(Modulation::Fsk, 1.0), 1.0 / 3.0, 1e-14);
    // At a high ratio 1 / 4g, 1 / 2g, 1 / g.
    for (m, factor) in [(Modulation::Qpsk, 4.0), (Modulation::Dpsk, 2.0), (Modulation::Fsk, 1.0)] {
        close(mean(m, 1e9) * 1e9 * factor, 1.0, 1e-8);
    }
    for m in Modulation::ALL {
        for db in [-20.0, 0.0, 10.0, 30.0, 60.0] {
            let g = Snr::from_db(db);
            let closed = m.mean_bit_errors(g).get();
            close(average(g, |snr| m.bit_errors(snr).get()), closed, 1e-11);
            let other = simpson(g.ratio(), |x| m.bit_errors(Snr::from_ratio(x)).get());
            close(other, closed, 1e-9);
        }
    }
}

#[test]
fn fades_are_as_frequent_and_as_long_as_rice_says() {
    let fading = Rayleigh { mean_snr: Snr::from_ratio(10.0), doppler: 50.0 };
    // Most crossings 3 dB below the mean: sqrt(pi / e) f_D. A fade to the mean lasts (e - 1) /
    // (sqrt(2 pi) f_D).
    close(fading.crossings(Snr::from_ratio(5.0)), 50.0 * 1.075_047_603_499_920_3, 1e-14);
    close(fading.fade(Snr::from_ratio(10.0)), 0.685_495_271_017_794_8 / 50.0, 1e-13);
    for ratio in [1e-6, 0.1, 1.0, 5.0, 20.0, 60.0] {
        let threshold = Snr::from_ratio(ratio);
        let (rate, fade) = (fading.crossings(threshold), fading.fade(threshold));
        close(rate * fade, fading.below(threshold).get(), 1e-13);
        close(rate * (fade + fading.clear(threshold)), 1.0, 1e-13);
        assert!(rate <= fading.crossings(Snr::from_ratio(5.0)));
    }
    assert!(fading.fade(Snr::ZERO) <= 0.0);
    assert_eq!(fading.below(Snr::ZERO), Probability::ZERO);
    // J_0(1) and its first zero.
    close(fading.autocorrelation(1.0 / (100.0 * core::f64::consts::PI)), 0.765_197_686_6, 1e-9);
    assert!(
        fading.autocorrelation(2.404_825_557_695_773 / (100.0 * core::f64::consts::PI)).abs()
            < 1e-12
    );
}

/// Scenario files give error ratios, and results must stay the same bytes: each answer is that of
/// plain bisection to the last bit, with fewer means.
#[test]
fn the_mean_ratio_is_that_of_bisection() {
    let bisected = |wanted: Probability, f: &dyn Fn(Snr) -> f64| {
        let (mut low, mut high) = (-30.0, 60.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            let above = average(Snr::from_ratio(libm::exp(middle)), f) > wanted.get();
            if above { low = middle } else { high = middle }
        }
        libm::exp(0.5 * (low + high))
    };
    for m in Modulation::ALL {
        for (wanted, bits) in [(1e-9, 424), (1e-6, 424), (2e-3, 424), (0.3, 1), (0.999, 12_000)] {
            let wanted = Probability::clamped(wanted);
            let asked = core::cell::Cell::new(0);
            let f = |snr: Snr| block_errors(m.bit_errors(snr), bits).get();
            let counted = |snr: Snr| {
                asked.set(asked.get() + 1);
                f(snr)
            };
            let found = mean_snr_for(wanted, counted).expect("in range").ratio();
            assert_eq!(found.to_bits(), bisected(wanted, &f).to_bits(), "{m:?}, {wanted:?}");
            assert!(asked.get() < 30 * 4_000, "{m:?}, {wanted:?}: {} evaluations", asked.get());
        }
    }
}

#[test]
fn block_errors_are_those_of_bits_of_long_blocks_and_invert() {
    for m in Modulation::ALL {
        for (db, bits) in [(5.0, 424), (20.0, 424), (35.0, 12_000), (50.0, 100_000), (20.0, 1)] {
            let fading = Rayleigh { mean_snr: Snr::from_db(db), doppler: 1.0 };
            let errors = fading.block_errors(m, bits);
            let other = simpson(fading.mean_snr.ratio(), |x| {
                block_errors(m.bit_errors(Snr::from_ratio(x)), bits).get()
            });
            close(errors.get(), other, 1e-8);
            let single = m.mean_bit_errors(fading.mean_snr).get();
            // A block of one bit fails like the bit. A longer one fails more often, at most as
            // often as if no two errors fell into one block.
            if bits == 1 {
                close(errors.get(), single, 1e-11);
            }
            assert!(errors.get() >= single * (1.0 - 1e-9));
            assert!(errors.get() <= f64::from(bits) * single * (1.0 + 1e-9));
            let at = |snr| block_errors(m.bit_errors(snr), bits).get();
            close(
                mean_snr_for(errors, at).expect("in range").ratio(),
                fading.mean_snr.ratio(),
                1e-9,
            );
        }
    }
    let bits = |snr| Modulation::Dpsk.bit_errors(snr).get();
    assert_eq!(mean_snr_for(Probability::ONE, bits), None, "a guess is right half of the time");
    assert_eq!(mean_snr_for(Probability::ZERO, bits), None, "a fade comes sooner or later");
    // 1 / (2 (1 + g)) = 1e-3.
    close(mean_snr_for(Probability::clamped(1e-3), bits).expect("in range").ratio(), 499.0, 1e-10);
}

#[test]
fn two_states_keep_the_mean_and_the_crossings() {
    for m in Modulation::ALL {
        for (db, bits) in [(10.0, 424), (20.0, 424), (30.0, 12_000)] {
            let fading = Rayleigh { mean_snr: Snr::from_db(db), doppler: 10.0 };
            let threshold = TwoState::threshold(&fading, m, bits);
            let states = TwoState::new(&fading, m, threshold).expect("two states");
            close(states.bad_share().get(), fading.block_errors(m, bits).get(), 1e-9);
            close(states.mean_bit_errors().get(), m.mean_bit_errors(fading.mean_snr).get(), 1e-9);
            close(1.0 / (states.good.mean + states.bad.mean), fading.crossings(threshold), 1e-12);
            // The part below the threshold, by numerical integration over its quantiles.
            let share = states.bad_share().get();
            let steps = 200_000;
            let below: f64 = (0..steps)
                .map(|i| (f64::from(i) + 0.5) / f64::from(steps) * share)
                .map(|u| {
                    m.bit_errors(Snr::from_ratio(-fading.mean_snr.ratio() * (-u).ln_1p())).get()
                })
                .sum();
            close(states.bad.bit_errors.get(), below / f64::from(steps), 1e-5);
            assert!(states.good.bit_errors < states.bad.bit_errors);
        }
    }
}

#[test]
fn a_chain_of_two_states_forgets() {
    let fading = Rayleigh { mean_snr: Snr::from_ratio(100.0), doppler: 10.0 };
    let m = Modulation::Dpsk;
    // rho^2 = 0.1: fades of 13.3 ms, and 126 ms between.
    let states = TwoState::new(&fading, m, Snr::from_ratio(10.0)).expect("two states");
    close(states.bad.mean, 0.013_267_9, 1e-5);
    close(states.good.mean, 0.126_156_6, 1e-5);
    // At short intervals it leaves a state by its rate; at long ones the first state is forgotten.
    let often = states.chain(1e-6);
    close(often.to_bad.get(), 1e-6 / 0.126_156_6, 1e-4);
    close(often.to_good.get(), 1e-6 / 0.013_267_9, 1e-4);
    let seldom = states.chain(100.0);
    close(seldom.to_bad.get(), states.bad_share().get(), 1e-12);
    for interval in [1e-6, 1e-3, 1e-2, 1.0] {
        close(states.chain(interval).bad().get(), states.bad_share().get(), 1e-12);
        // Two steps of half the length equal one.
        let half = states.chain(interval / 2.0).matrix();
        let twice = half[0][0] * half[0][1] + half[0][1] * half[1][1];
        close(states.chain(interval).to_bad.get(), twice, 1e-10);
    }
    assert_eq!(TwoState::new(&fading, m, Snr::ZERO), None);
    assert_eq!(TwoState::new(&fading, m, Snr::from_ratio(1e9)), None);
}

/// By bisection alone each of the 50 steps would need a mean, and each mean thousands of values.
#[test]
fn a_mean_is_found_after_few_others() {
    for wanted in [1e-6, 1e-3] {
        let asked = std::cell::Cell::new(0);
        let last = std::cell::Cell::new(f64::INFINITY);
        let bits = |snr: Snr| {
            // Each mean goes through the ratios from below.
            if snr.ratio() < last.get() {
                asked.set(asked.get() + 1);
            }
            last.set(snr.ratio());
            Modulation::Dpsk.bit_errors(snr).get()
        };
        mean_snr_for(Probability::clamped(wanted), bits).expect("in range");
        assert!(asked.get() <= 22, "{} means for {wanted}", asked.get());
    }
}
