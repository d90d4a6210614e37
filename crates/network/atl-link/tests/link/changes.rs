//! Changes of conditions and blackouts: examples worked by hand.

use crate::support::{
    EIGHT, Numbered, arrivals, config, drain, drain_until, link, losses, ms, network,
    offer_at_start, us,
};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::{AtChange, Blackout, Cause, Change, ChangeEvent, Config, Exit, Loss, Service};

const FOUR: Rate = Rate::from_mbps(4.0);

/// 8 Mb/s and 10 ms, from `at` on 4 Mb/s and 1 ms.
fn changing(at: Time, at_change: AtChange) -> Config {
    let schedule = vec![Change { at, to: network(FOUR, 1) }];
    Config { schedule, at_change, ..config(network(EIGHT, 10)) }
}

fn with_blackout(config: Config, at: Time, lasts_us: u64, hold: bool) -> Config {
    let blackouts = vec![Blackout { at, lasts: Span::from_micros(lasts_us), hold }];
    Config { blackouts, ..config }
}

#[test]
fn the_packet_in_transmission_continues_at_the_new_rate_with_the_new_delay() {
    let mut link = link(changing(us(250), AtChange::Deliver));
    offer_at_start(&mut link, 2);
    let exits = drain(&mut link);
    // 250 bytes have been sent; 750 take 1.5 ms, then 1 ms of delay; the next packet takes 2 ms.
    assert_eq!(arrivals(&exits), [(us(2750), 1), (us(4750), 2)]);
    let event =
        ChangeEvent { index: 0, old_delay: Span::from_millis(10), new_delay: Span::from_millis(1) };
    assert_eq!(exits[0], (us(250), Exit::Changed(event)));
    assert_eq!(link.conditions(), &network(FOUR, 1));
}

#[test]
fn packets_on_the_wire_arrive_over_the_old_network_and_are_not_overtaken() {
    let mut link = link(changing(us(1250), AtChange::Deliver));
    offer_at_start(&mut link, 3);
    // 1 leaves the transmitter at 1 ms, 2 at 1.25 + 1.5 ms and 3 at 4.75 ms; both would overtake
    // it.
    assert_eq!(arrivals(&drain(&mut link)), [(ms(11), 1), (ms(11), 2), (ms(11), 3)]);
}

#[test]
fn a_hard_change_loses_packets_on_the_wire_but_not_the_one_in_transmission() {
    let mut link = link(changing(us(1250), AtChange::Lose));
    offer_at_start(&mut link, 3);
    let exits = drain(&mut link);
    assert_eq!(losses(&exits), [(us(1250), 1, Cause::Change)]);
    assert!(matches!(exits[0].1, Exit::Changed(_)), "the change precedes the losses it causes");
    assert_eq!(arrivals(&exits), [(us(3750), 2), (us(5750), 3)]);
}

#[test]
fn a_packet_that_arrives_exactly_at_a_hard_change_is_not_lost() {
    let mut link = link(changing(ms(11), AtChange::Lose));
    offer_at_start(&mut link, 2);
    let exits = drain(&mut link);
    assert_eq!(arrivals(&exits), [(ms(11), 1)]);
    assert_eq!(losses(&exits), [(ms(11), 2, Cause::Change)]);
}

#[test]
fn a_transmission_that_starts_at_the_change_belongs_to_the_new_network() {
    let mut link = link(changing(ms(1), AtChange::Deliver));
    offer_at_start(&mut link, 2);
    // 1 ends at the change: the old delay. 2 takes 2 ms from 1 ms on.
    assert_eq!(arrivals(&drain(&mut link)), [(ms(11), 1), (ms(11), 2)]);
    assert_eq!(link.counters().transmitted, 2);
}

#[test]
fn a_change_from_rate_zero_transmits_the_whole_packet() {
    let schedule = vec![Change { at: ms(5), to: network(EIGHT, 0) }];
    let mut link = link(Config { schedule, ..config(network(Rate::ZERO, 0)) });
    offer_at_start(&mut link, 2);
    assert_eq!(arrivals(&drain(&mut link)), [(ms(6), 1), (ms(7), 2)]);
}

#[test]
fn changes_that_were_not_polled_come_out_in_order() {
    let change = |at, delay| Change { at: ms(at), to: network(EIGHT, delay) };
    let schedule = vec![change(1, 20), change(2, 30), change(2, 40)];
    let mut link = link(Config { schedule, ..config(network(EIGHT, 10)) });
    assert!(link.offer(ms(9), Numbered(1, 1000)).is_ok());
    let exits = drain(&mut link);
    let delays: Vec<_> = exits
        .iter()
        .filter_map(|(at, exit)| match exit {
            Exit::Changed(event) => Some((*at, event.index, event.new_delay.millis())),
            _ => None,
        })
        .collect();
    assert_eq!(delays, [(ms(1), 0, 20.0), (ms(2), 1, 30.0), (ms(2), 2, 40.0)]);
    assert_eq!(arrivals(&exits), [(ms(50), 1)]);
}

#[test]
fn the_new_network_decides_the_fate_of_the_packet_in_transmission() {
    let mut lossy = network(EIGHT, 1);
    lossy.loss = Loss::Bernoulli(Probability::ONE);
    let schedule = vec![Change { at: us(1500), to: lossy }];
    let mut link = link(Config { schedule, ..config(network(EIGHT, 1)) });
    offer_at_start(&mut link, 2);
    let exits = drain(&mut link);
    assert_eq!(arrivals(&exits), [(ms(2), 1)]);
    assert_eq!(losses(&exits), [(ms(3), 2, Cause::Error)]);
}

#[test]
fn a_blackout_loses_packets_that_end_within_it_and_keeps_serving_the_queue() {
    let mut link = link(with_blackout(config(network(EIGHT, 10)), ms(2), 2000, false));
    offer_at_start(&mut link, 5);
    let exits = drain(&mut link);
    assert_eq!(losses(&exits), [(ms(12), 2, Cause::Blackout), (ms(13), 3, Cause::Blackout)]);
    assert_eq!(arrivals(&exits), [(ms(11), 1), (ms(14), 4), (ms(15), 5)]);
}

#[test]
fn a_change_that_speeds_up_a_packet_can_move_its_end_into_a_blackout() {
    // At 8 kb/s the first packet would end at 1 s, long after the blackout from 19 to 29 ms.
    let schedule = vec![Change { at: ms(10), to: network(Rate::from_bps(800_000.0), 0) }];
    let slow = Config { schedule, ..config(network(Rate::from_bps(8000.0), 0)) };
    let mut link = link(with_blackout(slow, ms(19), 10_000, false));
    offer_at_start(&mut link, 3);
    let exits = drain(&mut link);
    // 990 of 1000 bytes are left at 10 ms and take 9.9 ms; then 10 ms each.
    assert_eq!(losses(&exits), [(us(19_900), 1, Cause::Blackout)]);
    assert_eq!(arrivals(&exits), [(us(29_900), 2), (us(39_900), 3)]);
}

#[test]
fn a_holding_blackout_suspends_the_transmission() {
    let mut link = link(with_blackout(config(network(EIGHT, 0)), us(400), 5000, true));
    offer_at_start(&mut link, 1);
    // 0.6 ms are left at 5.4 ms.
    assert!(link.offer(ms(2), Numbered(2, 1000)).is_ok());
    assert_eq!(link.queue_len(), 1);
    assert_eq!(arrivals(&drain(&mut link)), [(ms(6), 1), (ms(7), 2)]);
}

#[test]
fn a_packet_offered_in_a_holding_blackout_starts_at_its_end() {
    for (service, end) in [(Service::Constant(EIGHT), ms(6)), (Service::Unlimited, ms(5))] {
        let mut initial = network(EIGHT, 0);
        initial.service = service;
        let mut link = link(with_blackout(config(initial), ms(1), 4000, true));
        assert!(link.offer(ms(1), Numbered(1, 1000)).is_ok());
        assert_eq!(arrivals(&drain(&mut link)), [(end, 1)]);
    }
}

#[test]
fn a_transmission_that_ends_as_a_holding_blackout_begins_is_complete() {
    let mut link = link(with_blackout(config(network(EIGHT, 0)), ms(1), 4000, true));
    offer_at_start(&mut link, 2);
    assert_eq!(arrivals(&drain(&mut link)), [(ms(1), 1), (ms(6), 2)]);
}

#[test]
fn a_change_during_a_holding_blackout_continues_with_what_was_left_before_it() {
    let mut link = link(with_blackout(changing(ms(2), AtChange::Deliver), us(400), 5000, true));
    offer_at_start(&mut link, 1);
    // 600 bytes are left, from 5.4 ms on at 4 Mb/s: 1.2 ms, then 1 ms of delay.
    let exits = drain_until(&mut link, ms(7));
    assert!(arrivals(&exits).is_empty());
    assert_eq!(arrivals(&drain(&mut link)), [(us(7600), 1)]);
}

#[test]
fn a_change_after_a_holding_blackout_counts_what_was_sent_before_and_after_it() {
    let mut link = link(with_blackout(changing(us(5600), AtChange::Deliver), us(400), 5000, true));
    offer_at_start(&mut link, 1);
    // 400 bytes before, 200 after; 400 are left at 5.6 ms: 0.8 ms, then 1 ms of delay.
    assert_eq!(arrivals(&drain(&mut link)), [(us(7400), 1)]);
}
