//! Rates that rise or fall.

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::{Blackout, Change, Conditions, Config, Loss, QueueConfig, Ramp, Service};

use crate::support::{EIGHT, Numbered, arrivals, config, drain, link, ms, network};

const PACKETS: u64 = 8000;

/// From 8 to 16 Mb/s in 2 s, without delay: a packet of 1000 bytes takes 1 to .5 ms.
fn ramped() -> Conditions {
    let ramp = Ramp { from: EIGHT, to: Rate::from_mbps(16.0), over: Span::from_secs(2) };
    Conditions { service: Service::Ramp(ramp), ..network(EIGHT, 0) }
}

/// Packets that have arrived by these times, of many that are there at the start.
fn arrived<const N: usize>(
    initial: Conditions,
    change: impl Fn(&mut Config),
    at: [u64; N],
) -> [usize; N] {
    let queue = QueueConfig::DropTail { packets: 10_000 };
    let mut config = Config { queue, ..config(initial) };
    change(&mut config);
    let mut link = link(config);
    for n in 0..PACKETS {
        assert!(link.offer(Time::ZERO, Numbered(n, 1000)).is_ok());
    }
    let out = arrivals(&drain(&mut link));
    assert!(out.is_sorted());
    // Times are rounded to nanoseconds: a microsecond of grace.
    let grace = Span::from_micros(1);
    at.map(|at| out.iter().filter(|(arrival, _)| *arrival <= ms(at) + grace).count())
}

/// x + x^2 / 4 MB after x seconds, then 2 MB a second.
#[test]
fn a_ramp_carries_what_its_integral_says_and_then_stays() {
    let counts = arrived(ramped(), |_| {}, [500, 1000, 2000, 3000]);
    assert_eq!(counts, [562, 1250, 3000, 5000]);
}

#[test]
fn a_ramp_begins_with_its_network() {
    let later = |config: &mut Config| config.schedule = vec![Change { at: ms(1000), to: ramped() }];
    let counts = arrived(network(EIGHT, 0), later, [1000, 2000, 3000, 4000]);
    assert_eq!(counts, [1000, 2250, 4000, 6000]);
}

#[test]
fn a_ramp_goes_on_over_a_change_that_leaves_it_as_it_is() {
    let lossy = Conditions { loss: Loss::Bernoulli(Probability::ZERO), ..ramped() };
    let later = |config: &mut Config| {
        config.schedule = vec![Change { at: ms(1000), to: lossy.clone() }];
    };
    let counts = arrived(ramped(), later, [1000, 2000, 3000]);
    assert_eq!(counts, [1250, 3000, 5000]);
}

/// The rate goes on rising while the link holds its packets.
#[test]
fn a_blackout_holds_packets_but_not_the_ramp() {
    let held = |config: &mut Config| {
        config.blackouts =
            vec![Blackout { at: ms(500), lasts: Span::from_millis(500), hold: true }];
    };
    // The bytes that the second half of the first second would have carried are missing.
    let counts = arrived(ramped(), held, [500, 999, 2000, 3000]);
    assert_eq!(counts, [562, 562, 3000 - 1250 + 562, 5000 - 1250 + 562]);
}
