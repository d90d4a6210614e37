//! Bit errors: their number, their positions, and the fate of damaged packets. Margins are four
//! standard deviations, as in `loss.rs`.

use std::sync::Arc;

use crate::support::{EIGHT, Numbered, config, drain, link, losses, network, offer_at_start, us};
use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{
    AtChange, Blackout, Cause, Change, Channel, Config, Damage, Exit, Link, Loss, Packet,
    QueueConfig, Service,
};
use proptest::prelude::*;

/// A packet that can carry bit errors, like a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    number: u64,
    bytes: u32,
    damage: Option<Damage>,
    marked: bool,
}

impl Cell {
    fn new(number: u64, bytes: u32) -> Self {
        Cell { number, bytes, damage: None, marked: false }
    }

    fn wrong_bits(&self) -> Vec<u32> {
        self.damage.into_iter().flat_map(|damage| damage.wrong_bits(8 * self.bytes)).collect()
    }
}

impl Packet for Cell {
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }

    fn damage(&mut self, damage: Damage) -> bool {
        assert_eq!(self.damage.replace(damage), None, "damaged twice");
        true
    }

    fn takes_mark(&self) -> bool {
        true
    }

    fn mark(&mut self) {
        assert!(!self.marked, "marked twice");
        self.marked = true;
    }
}

fn p(value: f64) -> Probability {
    Probability::new(value).expect("a probability")
}

fn independent(bit_errors: f64) -> Loss {
    Loss::Bits(Channel::Independent(p(bit_errors)))
}

fn unlimited(loss: Loss) -> Config {
    let mut initial = network(EIGHT, 0);
    initial.service = Service::Unlimited;
    initial.loss = loss;
    config(initial)
}

/// The wrong bits of each of `cells` cells, sent one by one.
fn sent(bit_errors: f64, cells: u64, bytes: u32) -> Vec<Vec<u32>> {
    let config = unlimited(independent(bit_errors));
    let mut link = Link::new(Arc::new(config), Stream::new(7, "test"));
    (0..cells)
        .map(|n| {
            let now = Time::from_nanos(n);
            assert!(link.offer(now, Cell::new(n, bytes)).is_ok());
            let Some(Exit::Delivered(cell)) = link.poll(now) else { panic!("a cell is lost") };
            let wrong = cell.wrong_bits();
            assert!(wrong.is_sorted_by(|a, b| a < b) && wrong.iter().all(|&bit| bit < 8 * bytes));
            assert_eq!(cell.damage.is_some(), !wrong.is_empty());
            wrong
        })
        .collect()
}

fn assert_near(what: &str, measured: f64, theory: f64, deviation: f64) {
    let off = (measured - theory).abs();
    assert!(off <= 4.0 * deviation, "{what}: {measured} instead of {theory} +- 4 * {deviation}");
}

#[test]
fn each_bit_is_wrong_with_the_bit_error_ratio_independently_of_the_others() {
    // Toggling a bit at each hit would turn 0.1 into 0.095 and 1/2 into 0.375, which is 600 and
    // 2000 deviations away.
    for (ratio, cells, bytes) in [(1e-4, 200_000, 53), (0.1, 200_000, 8), (0.5, 100_000, 8)] {
        let wrong = sent(ratio, cells, bytes);
        let (n, bits) = (cells as f64, f64::from(8 * bytes));
        let variance = ratio * (1.0 - ratio);
        let counts: Vec<f64> = wrong.iter().map(|w| w.len() as f64).collect();
        let mean = counts.iter().sum::<f64>() / n;
        assert_near("mean", mean, bits * ratio, (bits * variance / n).sqrt());

        // Bits are independent, so the number per cell is binomial, and its variance too. The
        // fourth central moment of a binomial number is 3 v^2 + v (1 - 6 q) with v = n p (1 - p), q
        // = p (1 - p).
        let theory = bits * variance;
        let measured = counts.iter().map(|c| (c - bits * ratio).powi(2)).sum::<f64>() / n;
        let fourth = 3.0 * theory * theory + theory * (1.0 - 6.0 * variance);
        assert_near("variance", measured, theory, ((fourth - theory * theory) / n).sqrt());

        // Cells without errors.
        let none = (bits * libm::log1p(-ratio)).exp();
        let clean = counts.iter().filter(|&&c| c == 0.0).count() as f64 / n;
        assert_near("intact", clean, none, (none * (1.0 - none) / n).sqrt() + 1e-12);

        // All positions are equally likely: the sum over positions of (count - mean)^2 / variance
        // is chi-squared with one degree of freedom per bit and a variance of twice that number.
        let mut at = vec![0.0; bits as usize];
        wrong.iter().flatten().for_each(|&bit| at[bit as usize] += 1.0);
        let chi: f64 = at.iter().map(|c: &f64| (c - n * ratio).powi(2) / (n * variance)).sum();
        assert_near("positions", chi, bits, (2.0 * bits).sqrt());

        // Neighbouring bits of a cell, and the same bit of successive cells, are both wrong only by
        // chance; the variance of such a pair is as in `loss.rs`.
        let pair = ratio * ratio;
        let spread = pair * (1.0 - pair) + 2.0 * pair * ratio * (1.0 - ratio);
        let pairs = n * (bits - 1.0);
        let within = wrong.iter().map(|w| w.windows(2).filter(|w| w[0] + 1 == w[1]).count());
        let within = within.sum::<usize>() as f64 / pairs;
        assert_near("neighbours", within, pair, (spread / pairs).sqrt());
        let pairs = (n - 1.0) * bits;
        let between = wrong.windows(2).map(|w| w[0].iter().filter(|b| w[1].contains(b)).count());
        let between = between.sum::<usize>() as f64 / pairs;
        assert_near("successive cells", between, pair, (spread / pairs).sqrt());
    }
}

#[test]
fn a_ratio_above_one_half_counts_as_one_half_and_zero_means_no_errors() {
    assert_eq!(sent(1.0, 1000, 53), sent(0.5, 1000, 53));
    assert!(sent(0.0, 1000, 53).iter().all(Vec::is_empty));
    assert!(sent(0.5, 1000, 0).iter().all(Vec::is_empty), "no bits, no errors");
}

#[test]
fn a_packet_that_cannot_carry_errors_is_lost_and_only_lost_packets_count_in_the_report() {
    let ratio = 1e-4;
    let mut initial = network(EIGHT, 0);
    initial.loss = independent(ratio);
    let mut config = config(initial);
    config.report_window = Span::ZERO;
    let config = Arc::new(config);

    let mut frames = Link::new(Arc::clone(&config), Stream::new(7, "test"));
    let mut cells = Link::new(config, Stream::new(7, "test"));
    let mut now = Time::ZERO;
    let mut struck = 0_u64;
    let n = 20_000;
    for number in 0..n {
        assert!(frames.offer(now, Numbered(number, 1000)).is_ok());
        assert!(cells.offer(now, Cell::new(number, 1000)).is_ok());
        now = frames.next_event();
        let Some(Exit::Delivered(cell)) = cells.poll(now) else { panic!("a cell is lost") };
        let frame = frames.poll(now);
        // Both links have the same errors.
        let lost =
            matches!(frame, Some(Exit::Lost(Numbered(m, 1000), Cause::Error)) if m == number);
        assert_eq!(lost, cell.damage.is_some(), "{frame:?}");
        struck += u64::from(lost);
    }
    let theory = 1.0 - (8000.0 * libm::log1p(-ratio)).exp();
    let deviation = (theory * (1.0 - theory) / n as f64).sqrt();
    assert_near("packet error ratio", struck as f64 / n as f64, theory, deviation);
    assert_eq!(frames.report(now).loss, Probability::share(struck, n));
    assert_eq!(cells.report(now).loss, Probability::ZERO);
    assert_eq!((frames.counters().lost, frames.counters().damaged), (struck, 0));
    assert_eq!((cells.counters().lost, cells.counters().damaged), (0, struck));
    assert_eq!(cells.counters().delivered, n);
}

#[test]
fn a_packet_lost_in_a_blackout_is_not_damaged_as_well() {
    let mut initial = network(EIGHT, 0);
    initial.loss = independent(0.5);
    let mut config = config(initial);
    let (at, lasts) = (Time::from_millis(2), Span::from_millis(2));
    config.blackouts = vec![Blackout { at, lasts, hold: false }];
    let mut link = link(config);
    offer_at_start(&mut link, 5);
    let causes: Vec<Cause> = losses(&drain(&mut link)).iter().map(|lost| lost.2).collect();
    let (error, blackout) = (Cause::Error, Cause::Blackout);
    assert_eq!(causes, [error, blackout, blackout, error, error]);
}

#[test]
fn a_packet_that_finds_a_long_queue_is_marked() {
    let mut config = config(network(EIGHT, 0));
    config.mark_at = Some(3);
    config.queue = QueueConfig::DropTail { packets: 5 };
    let mut link = Link::new(Arc::new(config), Stream::new(7, "test"));
    // The first goes straight into transmission, the second finds none waiting, the fifth three;
    // the seventh and eighth are dropped.
    for n in 1..=8 {
        assert_eq!(link.offer(Time::ZERO, Cell::new(n, 1000)).is_ok(), n < 7, "{n}");
    }
    assert_eq!(link.counters().marked, 4);
    let mut marked = Vec::new();
    while link.next_event() < Time::MAX {
        let Some(Exit::Delivered(cell)) = link.poll(link.next_event()) else { panic!("no loss") };
        marked.push(cell.marked);
    }
    assert_eq!(marked, [false, false, false, false, true, true]);
}

/// A channel that fades several times during a packet.
const FADING: Rayleigh = Rayleigh { mean_snr: Snr::from_ratio(3.0), doppler: 200.0 };

fn two_states() -> TwoState {
    let threshold = TwoState::threshold(&FADING, Modulation::Dpsk, 53);
    TwoState::new(&FADING, Modulation::Dpsk, threshold).expect("two states")
}

/// Links with heavy, light or no loss, fast or slow, and changes between them.
fn journey() -> impl Strategy<Value = Config> {
    let conditions = |(loss, slow, delay): (u8, bool, u64)| {
        let rate = Rate::from_mbps(if slow { 1.0 } else { 8.0 });
        let mut conditions = network(rate, delay);
        conditions.loss = match loss {
            0 => Loss::None,
            1 => independent(1e-4),
            2 => Loss::Bernoulli(Probability::clamped(0.5)),
            3 => independent(0.5),
            4 => Loss::Bits(Channel::Fading { fading: FADING, modulation: Modulation::Dpsk }),
            _ => Loss::Bits(Channel::TwoState(two_states())),
        };
        conditions
    };
    let conditions = (0..6_u8, any::<bool>(), 0..20_u64).prop_map(conditions);
    let change =
        (0..60_u64, conditions.clone()).prop_map(|(at, to)| Change { at: us(at * 1000), to });
    let blackout = (0..60_u64, 0..10_u64, any::<bool>()).prop_map(|(at, lasts, hold)| Blackout {
        at: us(at * 1000),
        lasts: Span::from_millis(lasts),
        hold,
    });
    let (changes, blackouts) =
        (prop::collection::vec(change, 0..4), prop::collection::vec(blackout, 0..3));
    (conditions, changes, blackouts, any::<bool>()).prop_map(
        |(initial, mut schedule, blackouts, lose)| {
            schedule.sort_by_key(|change| change.at);
            let at_change = if lose { AtChange::Lose } else { AtChange::Deliver };
            Config { schedule, blackouts, at_change, mark_at: Some(4), ..config(initial) }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Bit errors stay with their packet whatever happens on the wire, and do not depend on when it
    /// is polled.
    #[test]
    fn damage_belongs_to_its_packet(
        config in journey(),
        packets in prop::collection::vec((0..2000_u64, 0..3_u32), 1..60),
        late in prop::collection::vec(any::<bool>(), 60),
    ) {
        let config = Arc::new(config);
        let new = || Link::<Cell>::new(Arc::clone(&config), Stream::new(3, "late"));
        let (mut exact, mut lazy) = (new(), new());
        let (mut seen_exact, mut seen_lazy) = (Vec::new(), Vec::new());
        let mut now = Time::ZERO;
        for (n, (&(later, length), &late)) in packets.iter().zip(&late).enumerate() {
            now += Span::from_micros(later);
            while exact.next_event() < now {
                seen_exact.push(exact.poll(exact.next_event()).expect("announced"));
            }
            if !late {
                seen_lazy.extend(core::iter::from_fn(|| lazy.poll(now)));
            }
            // Empty, a cell, a packet.
            let cell = Cell::new(n as u64, [0, 53, 1000][length as usize]);
            prop_assert_eq!(exact.offer(now, cell), lazy.offer(now, cell));
        }
        seen_exact.extend(core::iter::from_fn(|| exact.poll(Time::MAX)));
        seen_lazy.extend(core::iter::from_fn(|| lazy.poll(Time::MAX)));
        prop_assert_eq!(&seen_exact, &seen_lazy);
        prop_assert_eq!(exact.counters(), lazy.counters());

        let conditions = || config.schedule.iter().map(|change| &change.to).chain([&config.initial]);
        let fades = |loss: &Loss| {
            matches!(loss, Loss::Bits(Channel::Fading { .. } | Channel::TwoState(_)))
        };
        let fading = conditions().any(|conditions| fades(&conditions.loss));
        let mut damaged = 0;
        for exit in &seen_exact {
            if let Exit::Lost(cell, _) = exit {
                prop_assert_eq!(cell.damage, None, "a lost packet is not damaged");
            }
            let Exit::Delivered(cell) = exit else { continue };
            let Some(Damage { hits, .. }) = cell.damage else { continue };
            damaged += 1;
            // The number that a packet of this length has at 1e-4, or at 1/2 (ln 2 per bit), and
            // hardly ever between.
            let hits = f64::from(hits);
            let (few, many) = (8.0 * f64::from(cell.bytes) * 1e-4, 8.0 * f64::from(cell.bytes) * 0.693);
            let fits = |mean: f64| (hits - mean).abs() <= 6.0 * mean.sqrt() + 4.0;
            prop_assert!(cell.bytes > 0 && (fading || fits(few) || fits(many)), "{hits} in {}", cell.bytes);
        }
        prop_assert_eq!(exact.counters().damaged, damaged);
    }
}
