//! Equations 3 to 9 against counts of real cells. Seeds are fixed; margins are 4.5 standard
//! deviations of the counts.

use atl_aal::model::*;
use atl_core::units::Probability;

use crate::random::Random;

fn p(value: f64) -> Probability {
    Probability::new(value).unwrap()
}

fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut random = Random(seed);
    move || random.uniform()
}

/// Compares a relative frequency in `trials` trials with its probability.
fn binomial(what: &str, seen: f64, probability: f64, trials: u64) {
    let margin = 4.5 * (probability * (1.0 - probability) / trials as f64).sqrt();
    assert!((seen - probability).abs() <= margin, "{what}: {seen}, not {probability} ± {margin}");
}

/// The distribution of the syndrome under independent bit errors, built up bit by bit.
fn syndromes(ratio: f64) -> [f64; 256] {
    let mut of = [0.0; 256];
    of[0] = 1.0;
    let mut power = 1_u8;
    for _ in 0..40 {
        let before = of;
        for (syndrome, share) in of.iter_mut().enumerate() {
            *share =
                (1.0 - ratio) * before[syndrome] + ratio * before[syndrome ^ usize::from(power)];
        }
        power = power << 1 ^ if power & 0x80 != 0 { 0x07 } else { 0 };
    }
    of
}

/// The exact fraction of headers that pass with changed bits, which eq. 7 ignores.
fn miscorrected(ratio: f64) -> f64 {
    let of = syndromes(ratio);
    let intact = (1.0 - ratio).powi(40);
    let single = 40.0 * ratio * (1.0 - ratio).powi(39);
    let mut power = 1_u8;
    let mut correctable = 0.0;
    for _ in 0..40 {
        correctable += of[usize::from(power)];
        power = power << 1 ^ if power & 0x80 != 0 { 0x07 } else { 0 };
    }
    // The receiver is in correction mode after a cell with an intact header.
    of[0] * (correctable - single) + (of[0] - intact)
}

#[test]
fn eq_7_and_8_hold_for_the_receiver_of_i_432() {
    for (i, ratio) in [1e-4, 1e-3, 5e-3, 1e-2, 3e-2].into_iter().enumerate() {
        let cells = 1_500_000;
        let mut channel = CellChannel::new(CellErrors::Bits(p(ratio)), uniform(i as u64));
        let counts = count_cells(&mut channel, cells);
        binomial("CLR", counts.loss_ratio(), cell_loss_ratio(p(ratio)), cells);
        binomial("Pc", counts.success(), cell_success(p(ratio)).get(), cells);
        let elsewhere = counts.miscorrected as f64 / cells as f64;
        binomial("miscorrected", elsewhere, miscorrected(ratio), cells);
    }
}

/// The part of eq. 7 that a real receiver passes: one hundredth at 1e-2, one ten-thousandth at
/// 1e-4.
#[test]
fn eq_7_counts_miscorrected_headers_as_drops() {
    for (ratio, least, most) in [(1e-4, 5e-5, 2e-4), (1e-3, 5e-4, 2e-3), (1e-2, 5e-3, 2e-2)] {
        let share = miscorrected(ratio) / cell_loss_ratio(p(ratio));
        assert!((least..most).contains(&share), "{share} at {ratio}");
    }
}

#[test]
fn eq_6_holds_for_packets_with_bit_errors() {
    for (i, (ratio, cells)) in
        [(1e-5, 26), (1e-4, 5), (1e-4, 15), (1e-3, 2)].into_iter().enumerate()
    {
        let errors = CellErrors::Bits(p(ratio));
        let mut channel = CellChannel::new(errors, uniform(10 + i as u64));
        let counts = go_back_n(&mut channel, cells, 1, 40_000);
        let expected = packet_success(cell_success(p(ratio)), u32::from(cells)).get();
        binomial("Ps", counts.success(), expected, counts.transmissions);
    }
}

/// E\[N\], and with it both efficiencies, for windows of 1 to 50. The failures before a given
/// number of successes are negative binomial.
#[test]
fn eq_3_to_5_hold_for_arqs_over_cells() {
    let packets = 10_000_u64;
    for (i, (ratio, window)) in
        [(1e-5, 1), (1e-5, 5), (1e-5, 10), (1e-5, 50), (1e-4, 1), (1e-4, 5), (1e-4, 20)]
            .into_iter()
            .enumerate()
    {
        let errors = CellErrors::Bits(p(ratio));
        let mut channel = CellChannel::new(errors, uniform(30 + i as u64));
        let counts = go_back_n(&mut channel, 26, window, packets);
        let success = packet_success(cell_success(p(ratio)), 26);
        let expected = go_back_n_attempts(success, f64::from(window));
        let deviation = ((1.0 - success.get()) / packets as f64).sqrt() / success.get();
        let margin = 4.5 * f64::from(window) * deviation;
        let seen = counts.attempts();
        assert!(
            (seen - expected).abs() <= margin,
            "{ratio}, {window}: {seen}, not {expected} ± {margin}"
        );
        let efficiency = transmission_efficiency(1200.0, 48.0) / seen;
        let by_eq = if window == 1 {
            selective_repeat_efficiency(success, 1200.0, 48.0)
        } else {
            go_back_n_efficiency(success, f64::from(window), 1200.0, 48.0)
        };
        assert!(
            (efficiency / by_eq - 1.0).abs() <= margin / (expected - margin),
            "{efficiency}, {by_eq}"
        );
    }
}

/// Eq. 9 with lost cells: a packet also needs the last cell of its predecessor, so its success
/// probability is that of a cell to the power of m + 1, not m. Eq. 6 is too high by CER, 4 % of the
/// packets that fail according to eq. 6.
#[test]
fn eq_6_ignores_the_last_cell_of_the_previous_packet() {
    let (cer, cells, packets) = (1e-3, 26_u16, 150_000);
    let mut channel = CellChannel::new(CellErrors::Losses(p(cer)), uniform(50));
    let counts = go_back_n(&mut channel, cells, 1, packets);
    let merged = packet_success(cell_success_from_errors(p(cer)), u32::from(cells) + 1).get();
    binomial("Ps with merging", counts.success(), merged, counts.transmissions);
    // One standard deviation is 4e-4 and CER 1e-3; at a higher CER eq. 6 itself is refuted.
    let mut channel = CellChannel::new(CellErrors::Losses(p(0.02)), uniform(51));
    let counts = go_back_n(&mut channel, 5, 1, packets);
    binomial("Ps with merging", counts.success(), 0.98_f64.powi(6), counts.transmissions);
    let eq_6 = packet_success(cell_success_from_errors(p(0.02)), 5).get();
    assert!(eq_6 - counts.success() > 0.015, "{eq_6} against {}", counts.success());
}

#[test]
fn the_extreme_error_ratios() {
    let mut clean = CellChannel::new(CellErrors::Bits(p(0.0)), uniform(1));
    assert_eq!(count_cells(&mut clean, 100).intact, 100);
    let counts = go_back_n(&mut clean, 0, 10, 20);
    assert_eq!((counts.transmissions, counts.intact), (20, 20));
    let counts = go_back_n(&mut clean, u16::MAX, 10, 2);
    assert_eq!((counts.transmissions, counts.intact), (2, 2));
    // All bits inverted: the check of an inverted header may or may not match, but the payload is
    // never intact.
    let mut worst = CellChannel::new(CellErrors::Bits(p(1.0)), uniform(1));
    assert_eq!(count_cells(&mut worst, 100).intact, 0);
    let mut shut = CellChannel::new(CellErrors::Losses(p(1.0)), uniform(1));
    assert_eq!(count_cells(&mut shut, 100).dropped, 100);
    assert_eq!(shut.hec().statistics().intact, 0);
}
