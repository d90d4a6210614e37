//! Statistics of the fading signal against theory, over many runs. A margin is four standard
//! deviations of the mean over the runs, estimated from their spread, plus known approximation
//! errors.

use atl_core::model::fading::{Modulation, Rayleigh, Snr};

use super::envelope::{Envelope, WAVES};
use super::*;

const DOPPLER: f64 = 10.0;

fn signals(n: u64) -> impl Iterator<Item = Envelope> {
    (0..n).map(|seed| Envelope::new(DOPPLER, &mut Stream::new(seed, "envelope")))
}

/// Compares the mean over the runs with theory.
fn assert_mean(what: &str, runs: &[f64], theory: f64, inexact: f64) {
    let n = runs.len() as f64;
    let mean = runs.iter().sum::<f64>() / n;
    let variance = runs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let margin = 4.0 * (variance / n).sqrt() + inexact;
    let off = (mean - theory).abs();
    assert!(
        margin < 0.1 * theory.abs().max(0.5),
        "{what}: the margin is too wide to test anything: {mean} +- {margin}"
    );
    assert!(off <= margin, "{what}: {mean} instead of {theory} +- {margin}");
}

#[test]
fn the_power_is_exponential() {
    let times: Vec<f64> = (0..2000).map(|n| f64::from(n) * 0.37 / DOPPLER).collect();
    let powers: Vec<Vec<f64>> =
        signals(100).map(|s| times.iter().map(|&t| s.power(t)).collect()).collect();
    let over_time = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
        powers.iter().map(|p| p.iter().map(|&x| f(x)).sum::<f64>() / p.len() as f64).collect()
    };
    assert_mean("mean", &over_time(&|x| x), 1.0, 0.0);
    // The mean square of a sum of N equal waves is 2 - 1/N.
    assert_mean("mean square", &over_time(&|x| x * x), 2.0 - 1.0 / WAVES as f64, 0.0);
    for threshold in [0.01, 0.03, 0.1, 0.3, 1.0, 3.0] {
        let below = over_time(&|x| f64::from(u8::from(x < threshold)));
        // The second term of the expansion: exp(-x) L_2(x) / 2N in the density, (x - x^2/2) exp(-x)
        // / 2N in the distribution function.
        let theory = -libm::expm1(-threshold);
        let second = (threshold - threshold * threshold / 2.0) * libm::exp(-threshold);
        let expected = theory - second / (2.0 * WAVES as f64);
        assert_mean(&format!("below {threshold}"), &below, expected, 1e-4 * theory);
    }
}

#[test]
fn the_autocorrelation_is_clarkes() {
    let theory = Rayleigh { mean_snr: Snr::from_ratio(1.0), doppler: DOPPLER };
    let (step, points) = (0.05 / DOPPLER, 1500);
    let runs: Vec<Vec<[f64; 2]>> =
        signals(150).map(|s| (0..points).map(|n| s.at(n as f64 * step)).collect()).collect();
    for steps in [1, 4, 8, 12, 20, 40, 100] {
        // Real and imaginary part of the conjugate of the first times the second.
        let products = |part: usize| -> Vec<f64> {
            let product =
                |([a, b], [c, d]): (&[f64; 2], &[f64; 2])| [a * c + b * d, a * d - b * c][part];
            let mean = |run: &Vec<[f64; 2]>| {
                run.iter().zip(&run[steps..]).map(product).sum::<f64>() / (points - steps) as f64
            };
            runs.iter().map(mean).collect()
        };
        let expected = theory.autocorrelation(steps as f64 * step);
        assert_mean(&format!("in phase, {steps}"), &products(0), expected, 0.0);
        assert_mean(&format!("across, {steps}"), &products(1), 0.0, 0.0);
    }
}

#[test]
fn the_rate_and_the_duration_of_fades_are_rices() {
    let theory = Rayleigh { mean_snr: Snr::from_ratio(1.0), doppler: DOPPLER };
    let (periods, fine) = (100_u32, 128_u32);
    let runs: Vec<Vec<f64>> = signals(40)
        .map(|signal| {
            let step = 1.0 / (DOPPLER * f64::from(fine));
            (0..periods * fine).map(|n| signal.power(f64::from(n) * step)).collect()
        })
        .collect();
    for threshold in [0.05, 0.1, 0.5, 1.0] {
        let at = Snr::from_ratio(threshold);
        let crossings = |run: &Vec<f64>| {
            run.windows(2).filter(|w| w[0] >= threshold && w[1] < threshold).count() as f64
        };
        let seconds = f64::from(periods) / DOPPLER;
        let rate: Vec<f64> =
            runs.iter().map(|run| crossings(run) / seconds / theory.crossings(at)).collect();
        // A fade shorter than the grid interval may be missed: at most the share of fades that are
        // shorter, estimated from their mean duration.
        let missed = 0.5 * (1.0 / (DOPPLER * f64::from(fine)) / theory.fade(at)).powi(2);
        let bias = missed + 1.0 / WAVES as f64;
        assert_mean(&format!("crossings of {threshold}"), &rate, 1.0, bias);
        // Time below the threshold over crossings: the mean duration over all fades of all runs.
        let below: usize = runs.iter().map(|r| r.iter().filter(|&&x| x < threshold).count()).sum();
        let all: f64 = runs.iter().map(crossings).sum();
        let fade = below as f64 / (DOPPLER * f64::from(fine)) / all;
        let off = fade / theory.fade(at) - 1.0;
        assert!(off.abs() < 4.0 / all.sqrt() + bias, "fades of {threshold}: off by {off}");
    }
}

/// Bit and block error ratio of each run; blocks are sent one by one, far apart.
fn measured(channel: Channel, runs: u64, blocks: u32, bits: u32) -> [Vec<f64>; 2] {
    let run = |seed| {
        let mut stream = Stream::new(seed, "blocks");
        let mut channel = Bits::new(&channel, &mut stream);
        let (mut wrong, mut failed) = (0, 0_u32);
        for n in 0..blocks {
            let from = Time::from_secs_f64(f64::from(n) * 0.37 / DOPPLER);
            let until = Time::from_nanos(from.nanos() + 10_000);
            if channel.strikes(from, until, f64::from(bits), &mut stream) {
                failed += 1;
                wrong += channel.damage().wrong_bits(bits).count();
            }
        }
        let blocks = f64::from(blocks);
        [wrong as f64 / blocks / f64::from(bits), f64::from(failed) / blocks]
    };
    let all: Vec<[f64; 2]> = (0..runs).map(run).collect();
    [0, 1].map(|i| all.iter().map(|run| run[i]).collect())
}

#[test]
fn error_ratios_over_fading_are_those_of_theory() {
    let bits = 424;
    for modulation in Modulation::ALL {
        let fading = Rayleigh { mean_snr: Snr::from_db(15.0), doppler: DOPPLER };
        let channel = Channel::Fading { fading, modulation };
        let [bit_errors, block_errors] = measured(channel, 80, 2000, bits);
        // N waves fade too rarely by this fraction.
        let inexact = 0.5 / WAVES as f64;
        for (what, measured, theory) in [
            ("bits", bit_errors, modulation.mean_bit_errors(fading.mean_snr)),
            ("blocks", block_errors, fading.block_errors(modulation, bits)),
        ] {
            let theory = theory.get();
            let share: Vec<f64> = measured.iter().map(|x| x / theory).collect();
            assert_mean(&format!("{what} {modulation:?}"), &share, 1.0, inexact);
        }
    }
}

#[test]
fn error_ratios_of_two_states_are_those_of_theory() {
    let bits = 424;
    let fading = Rayleigh { mean_snr: Snr::from_db(15.0), doppler: DOPPLER };
    let modulation = Modulation::Dpsk;
    let threshold = TwoState::threshold(&fading, modulation, bits);
    let states = TwoState::new(&fading, modulation, threshold).expect("two states");
    let [bit_errors, failed] = measured(Channel::TwoState(states), 80, 2000, bits);
    let share = |measured: Vec<f64>, theory: f64| -> Vec<f64> {
        measured.iter().map(|x| x / theory).collect()
    };
    let theory = modulation.mean_bit_errors(fading.mean_snr).get();
    assert_mean("bits", &share(bit_errors, theory), 1.0, 0.0);
    let bad = states.bad_share().get();
    let errors = |p| atl_core::model::fading::block_errors(p, bits).get();
    let theory = (1.0 - bad) * errors(states.good.bit_errors) + bad * errors(states.bad.bit_errors);
    assert_mean("blocks", &share(failed, theory), 1.0, 0.0);
}

#[test]
fn without_motion_the_ratio_is_constant() {
    // One period is an hour: within a second the ratio is constant and errors are independent.
    let fading = Rayleigh { mean_snr: Snr::from_db(5.0), doppler: 1.0 / 3600.0 };
    let modulation = Modulation::Fsk;
    let mut ratios = Vec::new();
    for seed in 0..20 {
        let mut stream = Stream::new(seed, "still");
        let mut channel = Bits::new(&Channel::Fading { fading, modulation }, &mut stream);
        let envelope = Envelope::new(fading.doppler, &mut Stream::new(seed, "still"));
        // The middle of the first step.
        let power = envelope.power(0.5 / (64.0 * fading.doppler));
        let snr = Snr::from_ratio(fading.mean_snr.ratio() * power);
        let p = modulation.bit_errors(snr).get();
        ratios.push(p);
        let (blocks, bits) = (2000_u32, 424_u32);
        let counts: Vec<f64> = (0..blocks)
            .map(|n| {
                let from = Time::from_nanos(u64::from(n) * 500_000);
                let until = Time::from_nanos(from.nanos() + 10_000);
                let struck = channel.strikes(from, until, f64::from(bits), &mut stream);
                if struck { channel.damage().wrong_bits(bits).count() as f64 } else { 0.0 }
            })
            .collect();
        let (n, bits) = (f64::from(blocks), f64::from(bits));
        let mean = counts.iter().sum::<f64>() / n;
        let variance = bits * p * (1.0 - p);
        let margin = 4.0 * (variance / n).sqrt();
        assert!((mean - bits * p).abs() <= margin, "{mean} instead of {} +- {margin}", bits * p);
        let spread = counts.iter().map(|c| (c - bits * p).powi(2)).sum::<f64>() / n;
        let fourth = 3.0 * variance * variance + variance * (1.0 - 6.0 * p * (1.0 - p));
        let margin = 4.0 * ((fourth - variance * variance) / n).sqrt();
        assert!((spread - variance).abs() <= margin, "{spread} instead of {variance} +- {margin}");
    }
    let (least, most) = ratios.iter().fold((1.0, 0.0_f64), |(a, b), &p| (p.min(a), p.max(b)));
    assert!(least < 0.1 && most > 0.2, "runs differ: {least} to {most}");
}

#[test]
fn a_long_packet_adds_up_the_hazards_of_its_steps() {
    let fading = Rayleigh { mean_snr: Snr::from_db(5.0), doppler: DOPPLER };
    let mut whole = Fading::new(&fading, Modulation::Dpsk, &mut Stream::new(1, "long"));
    let mut parts = whole.clone();
    let at = |us: u64| Time::from_nanos(us * 1000);
    for (from, until) in [(0, 100_000), (123, 124), (1562, 1563), (1, 7_000_001)] {
        let whole = whole.hazard(at(from), at(until), 1000.0);
        let each = 1000.0 / (until - from) as f64;
        let sum: f64 = (from..until).map(|us| parts.hazard(at(us), at(us + 1), each)).sum();
        // Beyond 4096 steps they are sampled: nearly all of 4481.
        let within = if until > 6_400_000 { 0.02 } else { 1e-3 };
        assert!((sum / whole - 1.0).abs() < within, "{from}..{until}: {sum} and {whole}");
    }
    // A packet of zero duration sees the ratio at its time.
    assert!((whole.hazard(at(5), at(5), 1.0) - parts.hazard(at(5), at(6), 1.0)).abs() < 1e-15);
}

#[test]
fn two_states_last_their_mean_durations_however_often_they_are_evaluated() {
    let state = |bit_errors, mean| atl_core::model::fading::State {
        bit_errors: Probability::clamped(bit_errors),
        mean,
    };
    let model = TwoState { good: state(0.0, 0.04), bad: state(0.1, 0.01) };
    let hazard = per_bit(0.1);
    let ms = Time::from_millis;
    // Evaluated every millisecond, or over back-to-back packets that span several states.
    for length in [0, 1, 50] {
        let mut stream = Stream::new(3, "states");
        let mut states = States::new(model, &mut stream);
        let spacing = length.max(1);
        let n = 400_000 / spacing;
        let shares: Vec<f64> = (0..n)
            .map(|i| states.hazard(ms(i * spacing), ms(i * spacing + length), 1.0, &mut stream))
            .map(|h| h / hazard)
            .collect();
        assert!(shares.iter().all(|s| (0.0..=1.0 + 1e-12).contains(s)));
        // The variance of a time average over T of two states: 2 b (1-b) tau / T, tau = 8 ms.
        let deviation = (2.0 * 0.2 * 0.8 * 0.008 / 400.0_f64).sqrt();
        let mean = shares.iter().sum::<f64>() / n as f64;
        assert!((mean - 0.2).abs() <= 4.0 * deviation, "{length}: {mean} +- 4 * {deviation}");
        if length == 0 {
            let [bad, left] = shares.windows(2).fold([0.0, 0.0], |[bad, left], w| {
                if w[0] > 0.5 { [bad + 1.0, left + 1.0 - w[1]] } else { [bad, left] }
            });
            let theory = model.chain(1e-3).to_good.get();
            let deviation = (theory * (1.0 - theory) / bad).sqrt();
            assert!((left / bad - theory).abs() <= 4.0 * deviation, "{} {theory}", left / bad);
        }
    }
}
