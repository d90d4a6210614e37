//! Equations 2 to 9 against values worked by hand, and the bit error estimates against the true
//! ratios.

use atl_aal::aalt::SequenceNumber;
use atl_aal::aalt::bit_errors::{Comparison, Outcomes};
use atl_aal::aalt::payload::{LengthRule, PayloadLength, optimal_bits};
use atl_aal::aalt::{Connection, cp_arq};
use atl_aal::model::*;
use atl_core::units::Probability;
use proptest::prelude::*;

fn p(value: f64) -> Probability {
    Probability::new(value).unwrap()
}

fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance, "{left} is not {right} within {tolerance}");
}

#[test]
fn go_back_n_by_hand() {
    // (.9 + .1 * 10) / .9, and 1 / that times 1200 / 1248.
    close(go_back_n_attempts(p(0.9), 10.0), 19.0 / 9.0, 1e-12);
    close(go_back_n_efficiency(p(0.9), 10.0, 1200.0, 48.0), 9.0 / 19.0 / 1.04, 1e-12);
    // A window of one is selective repeat.
    close(go_back_n_efficiency(p(0.9), 1.0, 1200.0, 48.0), 0.9 / 1.04, 1e-12);
    close(selective_repeat_efficiency(p(0.9), 1200.0, 48.0), 0.9 / 1.04, 1e-12);
    assert!(go_back_n_attempts(p(0.0), 10.0).is_infinite());
}

/// The sum in eq. 3, term by term.
#[test]
fn the_closed_form_of_eq_3_equals_its_sum() {
    for (success, window) in [(0.9_f64, 10.0), (0.5, 5.0), (0.2, 50.0)] {
        let sum: f64 = (1..2000)
            .map(|i| (window * f64::from(i - 1) + 1.0) * (1.0 - success).powi(i - 1) * success)
            .sum();
        close(go_back_n_attempts(p(success), window), sum, 1e-9 * sum);
    }
}

#[test]
fn cells_by_hand() {
    close(packet_success(p(0.999), 26).get(), 0.974_322, 1e-6);
    // P0 = .999^40 = .960771, P1 = 40 * .001 * .999^39 = .038469.
    let (p0, p1) = (0.960_770_2, 0.038_469_3);
    close(cell_loss_ratio(p(1e-3)), 1.0 - p0 - p0 * p1, 1e-6);
    close(cell_success(p(1e-3)).get(), (p0 + p0 * p1) * 0.999_f64.powi(384), 1e-6);
    close(cell_success_from_errors(p(1e-3)).get(), 0.999, 1e-15);
    close(cell_success(p(0.0)).get(), 1.0, 0.0);
    close(cell_success(p(1.0)).get(), 0.0, 0.0);
    close(cell_loss_ratio(p(1.0)), 1.0, 0.0);
}

/// Paper, section 4: 1200 octets, 48 of overhead, 26 cells, CER 1e-3 give 0.94. The advantage of
/// "about 20 %" over TCP with a window of 10 is 23 %, or 17.6 percentage points.
#[test]
fn the_papers_figures_at_a_cell_error_ratio_of_1e_3() {
    let packet = packet_success(cell_success_from_errors(p(1e-3)), 26);
    let aal_t = selective_repeat_efficiency(packet, 1200.0, 48.0);
    let tcp = go_back_n_efficiency(packet, 10.0, 1200.0, 48.0);
    close(aal_t, 0.94, 0.005);
    close(tcp, 0.7610, 5e-4);
    close(aal_t / tcp - 1.0, 0.231, 5e-4);
}

#[test]
fn table_1_in_nine_rows_by_both_rules() {
    let rows: [(&[f64], u16, usize); 9] = [
        (&[2e-4, 3e-4, 1e-3, 1e-2, 0.5, 1.0], 1, 44),
        (&[4e-5, 5e-5, 7e-5, 9e-5, 1e-4], 2, 92),
        (&[2e-5, 3e-5], 3, 140),
        (&[8e-6, 9e-6, 1e-5], 5, 236),
        (&[6e-6, 7e-6], 6, 284),
        (&[4e-6, 5e-6], 7, 332),
        (&[3e-6], 9, 428),
        (&[2e-6], 10, 476),
        (&[1e-6], 15, 716),
    ];
    for (ratios, cells, octets) in rows {
        for ratio in ratios {
            for rule in [LengthRule::Optimum, LengthRule::Table1] {
                let length = rule.length(p(*ratio), PayloadLength::LONGEST);
                assert_eq!((length.cells(), length.octets()), (cells, octets), "{rule:?}, {ratio}");
            }
        }
    }
}

/// Where the bands of the table, rounded to one digit, deviate from the optimum.
#[test]
fn the_rules_differ_between_and_beyond_the_bands_of_the_table() {
    for (ratio, optimum, table) in [
        (1.45e-4, 1, 2),
        (3.55e-5, 3, 2),
        (1.2e-5, 4, 5),
        (3.45e-6, 8, 9),
        (1.3e-6, 13, 15),
        (1e-7, 47, 15),
        (1e-9, 466, 15),
        (0.0, 1366, 15),
    ] {
        let cells = |rule: LengthRule| rule.length(p(ratio), PayloadLength::LONGEST).cells();
        assert_eq!(cells(LengthRule::Optimum), optimum, "eq. 2 at {ratio}");
        assert_eq!(cells(LengthRule::Table1), table, "Table 1 at {ratio}");
    }
    let cap = PayloadLength::from_cells(10).unwrap();
    assert_eq!(LengthRule::Optimum.length(p(1e-9), cap), cap);
    assert!(PayloadLength::from_cells(0).is_none() && PayloadLength::from_cells(1367).is_none());
}

#[test]
fn eq_2_by_hand_and_as_printed() {
    // a = 1.00005e-4, root = sqrt(.0128006 + .0000102): 64 / (.113185 + .003200) = 549.9 bits.
    close(optimal_bits(p(1e-4), 32.0), 549.9, 0.1);
    assert!(optimal_bits(p(0.0), 32.0).is_infinite());
    for ratio in [1e-6_f64, 1e-4, 1e-2, 0.3] {
        let (h, l) = (32.0_f64, (1.0 - ratio).ln());
        let printed = (-h * l - (-4.0 * h * l + h * h * l * l).sqrt()) / (2.0 * l);
        close(optimal_bits(p(ratio), h), printed, 1e-5 * printed);
    }
    // Section 5.3: 22 and 70 kbytes at 1e-9 and 1e-10.
    close(optimal_bits(p(1e-9), 32.0) / 8.0, 22_361.0, 5.0);
    close(optimal_bits(p(1e-10), 32.0) / 8.0, 70_711.0, 10.0);
}

/// A PDU with three wrong bits, then the correct one: the estimate is exact.
#[test]
fn comparison_counts_wrong_bits() {
    let mut comparison = Comparison::new(1000);
    assert!(comparison.bit_errors().is_none());
    let mut pdu = Vec::new();
    cp_arq::encode(SequenceNumber(9), &[0x55; 700], Connection(0), &mut pdu);
    let mut wrong = pdu.clone();
    for bit in [20, 777, 3000] {
        wrong[bit / 8] ^= 0x80 >> (bit % 8);
    }
    comparison.on_wrong(&wrong);
    comparison.on_right(SequenceNumber(9), &pdu);
    assert_eq!((comparison.errors(), comparison.bits()), (3, 2 * 8 * pdu.len() as u64));
    close(comparison.bit_errors().unwrap().get(), 3.0 / comparison.bits() as f64, 1e-15);
    // The errors of another number do not count.
    comparison.on_wrong(&wrong);
    comparison.on_right(SequenceNumber(10), &pdu);
    assert_eq!(comparison.errors(), 3);
}

#[test]
fn old_pdus_leave_the_window_of_the_comparison() {
    let mut comparison = Comparison::new(4);
    let mut wrong = [0; 48];
    wrong[20] = 1;
    comparison.on_wrong(&wrong);
    for _ in 0..4 {
        assert!(comparison.errors() <= 1);
        comparison.on_right(SequenceNumber(0), &[0; 48]);
    }
    assert_eq!((comparison.errors(), comparison.bits()), (0, 4 * 384));
}

#[test]
fn outcomes_of_one_size_give_their_success_ratio() {
    let mut outcomes = Outcomes::new(1000);
    assert!(outcomes.bit_errors().is_none());
    for i in 0..1000 {
        outcomes.record(3, i % 10 != 0);
    }
    close(outcomes.cell_success().unwrap().get(), 0.9_f64.cbrt(), 1e-9);
    // A whole window later nothing of that is left.
    for _ in 0..1000 {
        outcomes.record(1, true);
    }
    assert_eq!(outcomes.len(), 1000);
    close(outcomes.cell_success().unwrap().get(), 1000.0 / 1001.0, 1e-9);
    for _ in 0..1000 {
        outcomes.record(1, false);
    }
    close(outcomes.cell_success().unwrap().get(), 0.0, 0.0);
}

#[test]
fn outcomes_of_several_sizes_recover_the_true_ratio() {
    for ratio in [1e-3, 1e-4, 1e-5] {
        let mut outcomes = Outcomes::new(300_000);
        for cells in [1_u16, 5, 15] {
            let arrive = packet_success(cell_success(p(ratio)), u32::from(cells)).get();
            let intact = (100_000.0 * arrive).round() as u32;
            (0..100_000).for_each(|i| outcomes.record(cells, i < intact));
        }
        close(outcomes.bit_errors().unwrap().get(), ratio, 0.01 * ratio);
    }
}

#[test]
fn the_inverse_of_eq_8_holds_at_the_ends_of_its_range() {
    close(bit_errors_from_cell_success(p(1.0)).get(), 0.0, 0.0);
    close(bit_errors_from_cell_success(p(0.0)).get(), 1.0, 0.0);
    for success in [5e-324, 1e-300, 1e-100, 1e-10, 1e-3, 0.5, 1.0 - 1e-15] {
        let found = bit_errors_from_cell_success(p(success));
        close(cell_success(found).get(), success, 1e-9 * success + 5e-324);
    }
}

proptest! {
    /// At the maximum of the likelihood its derivative is 0.
    #[test]
    fn outcomes_give_the_maximum_likelihood_cell_success(
        tally in prop::collection::btree_map(1_u16..30, (0_u64..400, 0_u64..400), 1..6)
    ) {
        let mut outcomes = Outcomes::new(10_000);
        for (cells, (intact, lost)) in &tally {
            (0..*intact).for_each(|_| outcomes.record(*cells, true));
            (0..*lost).for_each(|_| outcomes.record(*cells, false));
        }
        let arrived: f64 = tally.iter().map(|(s, (n, _))| f64::from(*s) * *n as f64).sum();
        let all: u64 = tally.values().map(|(_, n)| n).sum();
        prop_assume!(arrived > 0.0 && all > 0);
        let q = outcomes.cell_success().unwrap().get();
        let of = |(s, (_, n)): (&u16, &(u64, u64))| {
            let through = q.powi(i32::from(*s));
            *n as f64 * f64::from(*s) * through / (1.0 - through)
        };
        let lost: f64 = tally.iter().map(of).sum();
        close(lost / arrived, 1.0, 1e-9);
    }

    #[test]
    fn eq_7_equals_its_closed_form(exponent in -9.0_f64..-0.01) {
        let ratio = p(10_f64.powf(exponent));
        let (b, c) = (ratio.get(), 1.0 - ratio.get());
        let (p0, p1) = (c.powi(40), 40.0 * b * c.powi(39));
        close(cell_loss_ratio(ratio), 1.0 - p0 - p0 * p1, 1e-12);
        close(cell_success(ratio).get(), (1.0 - cell_loss_ratio(ratio)) * c.powi(384), 1e-12);
    }

    #[test]
    fn the_inverse_of_eq_8_inverts_it(exponent in -9.0_f64..-1.5) {
        let ratio = 10_f64.powf(exponent);
        let found = bit_errors_from_cell_success(cell_success(p(ratio))).get();
        // A success this close to 1 is known to 1e-16.
        close(found, ratio, 1e-6 * ratio + 1e-15);
    }

    /// No other length is more efficient than that of eq. 2.
    #[test]
    fn eq_2_is_the_optimum(exponent in -8.0_f64..-2.0, other in 0.1_f64..10.0) {
        let ratio = 10_f64.powf(exponent);
        let efficiency = |l: f64| (1.0 - ratio).powf(l + 32.0) * l / (l + 32.0);
        let best = optimal_bits(p(ratio), 32.0);
        prop_assert!(efficiency(best) >= efficiency(best * other) - 1e-12);
    }

    #[test]
    fn lengths_decrease_with_the_bit_error_ratio(a in -10.0_f64..0.0, b in -10.0_f64..0.0) {
        let (low, high) = (p(10_f64.powf(a.min(b))), p(10_f64.powf(a.max(b))));
        for rule in [LengthRule::Optimum, LengthRule::Table1] {
            let longest = PayloadLength::LONGEST;
            prop_assert!(rule.length(low, longest) >= rule.length(high, longest));
        }
    }
}
