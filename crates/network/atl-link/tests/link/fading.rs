//! Cells over a fading link: the loss rate, the length of loss runs, and the error of the two-state
//! approximation.

use std::sync::Arc;

use atl_core::model::fading::{Modulation, Rayleigh, Snr, State, TwoState, block_errors};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::random::Stream;
use atl_link::{Channel, Config, Exit, Link, Loss, Packet};

const BITS: u32 = 424;

struct Cell;

impl Packet for Cell {
    fn wire_bytes(&self) -> u32 {
        BITS / 8
    }
}

/// The number of cells lost and the number of loss runs among `cells` cells sent back to back at 2
/// Mb/s.
fn struck(channel: Channel, seed: u64, cells: u64) -> [f64; 2] {
    let mut config = Config::constant(Rate::from_mbps(2.0), Span::from_millis(1), 50);
    config.initial.loss = Loss::Bits(channel);
    let mut link = Link::new(Arc::new(config), Stream::new(seed, "cells"));
    for _ in 0..20 {
        assert!(link.offer(Time::ZERO, Cell).is_ok());
    }
    let (mut lost, mut runs, mut last) = (0_u64, 0_u64, false);
    for _ in 0..cells {
        let now = link.next_event();
        let here = match link.poll(now) {
            Some(Exit::Lost(..)) => true,
            Some(Exit::Delivered(_)) => false,
            _ => panic!("a cell comes out"),
        };
        lost += u64::from(here);
        runs += u64::from(here && !last);
        last = here;
        assert!(link.offer(now, Cell).is_ok());
    }
    [lost as f64, runs as f64]
}

/// Over many seeds: the cell loss ratio and the mean length of a loss run, each with its standard
/// deviation.
fn measure(channel: Channel) -> [(f64, f64); 2] {
    let cells = 120_000;
    let runs: Vec<[f64; 2]> = (0..40).map(|seed| struck(channel, seed, cells)).collect();
    let n = runs.len() as f64;
    let sum = |f: &dyn Fn(&[f64; 2]) -> f64| runs.iter().map(f).sum::<f64>();
    let (lost, bursts) = (sum(&|r| r[0]), sum(&|r| r[1]));
    let of_loss = sum(&|r| (r[0] - lost / n).powi(2)) / (n - 1.0);
    // A ratio of sums: the variance of the residuals.
    let of_burst = sum(&|r| (r[0] - r[1] * lost / bursts).powi(2)) / (n - 1.0);
    let all = n * cells as f64;
    [(lost / all, (of_loss * n).sqrt() / all), (lost / bursts, (of_burst * n).sqrt() / bursts)]
}

const MODULATION: Modulation = Modulation::Dpsk;

/// A channel at 20 dB, its two-state approximation for cells, and the theoretical cell error ratio
/// of the latter.
fn channels(doppler: f64) -> (Rayleigh, TwoState, f64) {
    let fading = Rayleigh { mean_snr: Snr::from_db(20.0), doppler };
    let threshold = TwoState::threshold(&fading, MODULATION, BITS);
    let states = TwoState::new(&fading, MODULATION, threshold).expect("two states");
    let bad = states.bad_share().get();
    let errors = |state: State| block_errors(state.bit_errors, BITS).get();
    (fading, states, (1.0 - bad) * errors(states.good) + bad * errors(states.bad))
}

fn assert_within(what: &str, value: f64, from: f64, to: f64) {
    assert!((from..=to).contains(&value), "{what}: {value}, not from {from} to {to}");
}

/// At 10 Hz a fade lasts as long as 47 cells at 2 Mb/s: slow fading, as the theory assumes.
#[test]
fn slow_fading_loses_cells_as_theory_says_and_two_states_lose_a_tenth_more_in_longer_runs() {
    let (fading, states, of_states) = channels(10.0);
    let theory = fading.block_errors(MODULATION, BITS).get();
    let [(loss, deviation), (run, of_run)] =
        measure(Channel::Fading { fading, modulation: MODULATION });
    let margin = 4.0 * deviation + 0.01 * theory;
    assert!(margin < 0.1 * theory, "the margin is too wide to test anything: {margin}");
    assert_within("cells", loss, theory - margin, theory + margin);

    let [(two_loss, deviation), (two_run, of_two_run)] = measure(Channel::TwoState(states));
    // Cells during which the state changes are mostly lost, which the theory ignores: at most one
    // per change.
    let changes = 2.0 / (states.good.mean + states.bad.mean) * f64::from(BITS) / 2e6;
    let margin = 4.0 * deviation;
    assert_within(
        "cells of two states",
        two_loss,
        of_states - margin,
        of_states + changes + margin,
    );
    // The error of the approximation.
    assert_within("theories", of_states / theory, 1.08, 1.10);
    let margin = 4.0 * (of_run / run + of_two_run / two_run);
    assert!(margin < 0.13, "the margin is too wide to test anything: {margin}");
    assert_within("runs", two_run / run, 1.2 * (1.0 - margin), 1.2 * (1.0 + margin));
}

/// At 100 Hz a fade lasts as long as 5 cells: fading is no longer slow, and more cells meet a fade.
#[test]
fn fast_fading_loses_more_and_two_states_a_fifth_more_than_that_in_runs_of_equal_length() {
    let (fading, states, of_states) = channels(100.0);
    let theory = fading.block_errors(MODULATION, BITS).get();
    let [(loss, _), (run, _)] = measure(Channel::Fading { fading, modulation: MODULATION });
    let [(two_loss, _), (two_run, _)] = measure(Channel::TwoState(states));
    assert_within("cells", loss / theory, 1.04, 1.10);
    assert_within("cells of two states", two_loss / of_states, 1.15, 1.21);
    assert_within("two states by one channel", two_loss / loss, 1.17, 1.24);
    assert_within("runs", two_run / run, 0.95, 1.03);
}
