//! A station of Wi-Fi: goodput, order, what is sent again and what is lost.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{AtChange, Cause, Change, Config, Exit, Link, Loss, Service, Wifi, WifiStandard};

use crate::support::{EIGHT, Numbered, arrivals, config, losses, ms, network};

const PACKET: u32 = 1500;

/// 802.11n, MCS 7, 20 MHz.
pub(crate) fn station(stations: u32) -> Wifi {
    Wifi { stations, ..Wifi::new(Rate::from_mbps(65.0), WifiStandard::N) }
}

pub(crate) fn cell(wifi: Wifi) -> Config {
    let mut config = config(network(EIGHT, 0));
    config.initial.service = Service::Wifi(wifi);
    config
}

/// Exits of a link that always has packets to send, until `end`.
pub(crate) fn saturated(config: Config, end: Time, seed: u64) -> Vec<(Time, Exit<Numbered>)> {
    let mut link = Link::new(Arc::new(config), Stream::new(seed, "wifi"));
    let (mut exits, mut now, mut next) = (Vec::new(), Time::ZERO, 0);
    while now <= end {
        while link.queue_len() < 200 {
            assert_eq!(link.offer(now, Numbered(next, PACKET)), Ok(()), "there is room");
            next += 1;
        }
        now = link.next_event();
        while let Some(exit) = link.poll(now) {
            exits.push((now, exit));
        }
        let counted = link.counters().held();
        assert_eq!(counted, link.held() as u64);
        assert_eq!(counted, link.packets().count() as u64);
    }
    exits
}

/// Goodput in Mb/s after the first tenth of the time.
pub(crate) fn goodput(wifi: Wifi, seconds: u64, seed: u64) -> f64 {
    let (end, from) = (Time::from_millis(1000 * seconds), Time::from_millis(100 * seconds));
    let mut link = Link::new(Arc::new(cell(wifi)), Stream::new(seed, "wifi"));
    let (mut now, mut counted) = (Time::ZERO, 0_u64);
    while now <= end {
        while link.queue_len() < 100 {
            assert_eq!(link.offer(now, Numbered(0, PACKET)), Ok(()), "there is room");
        }
        now = link.next_event();
        while let Some(exit) = link.poll(now) {
            counted += u64::from(now > from && matches!(exit, Exit::Delivered(_)));
        }
    }
    counted as f64 * f64::from(PACKET) * 8.0 / (0.9 * seconds as f64) / 1e6
}

/// A lone packet: AIFS (43 us), 36 us of preamble, 12 374 bits at 260 in 4 us: 48 symbols.
#[test]
fn a_lone_packet_takes_its_access_and_its_frame() {
    let mut link = Link::new(Arc::new(cell(station(1))), Stream::new(1, "wifi"));
    assert_eq!(link.offer(Time::ZERO, Numbered(1, PACKET)), Ok(()));
    assert!(link.may_lead());
    let turn = link.next_event();
    assert_eq!(turn, Time::from_nanos(43_000));
    // It is told to look there, and finds the arrival.
    assert_eq!(link.poll(turn), None);
    assert_eq!(link.next_event(), Time::from_nanos(43_000 + 36_000 + 192_000));
    assert_eq!(link.poll(link.next_event()), Some(Exit::Delivered(Numbered(1, PACKET))));
    assert_eq!((link.next_event(), link.held()), (Time::MAX, 0));
}

#[test]
fn what_fails_goes_again_and_packets_stay_in_order() {
    let wifi = Wifi { errors: Probability::clamped(0.3), ..station(2) };
    let exits = saturated(cell(wifi), ms(3000), 2);
    let numbers: Vec<u64> = arrivals(&exits).iter().map(|(_, number)| *number).collect();
    assert!(numbers.is_sorted() && numbers.len() > 4000, "{}", numbers.len());
    // .3^8 of all are lost, one in 15 000, and of those with collisions more.
    let lost = losses(&exits);
    assert!(lost.len() < numbers.len() / 500, "{}", lost.len());
    // Several arrive at the same instant: they came in one aggregate, or waited for one of it.
    let instants = numbers.len() as f64 / {
        let mut times: Vec<Time> = arrivals(&exits).iter().map(|(at, _)| *at).collect();
        times.dedup();
        times.len() as f64
    };
    assert!(instants > 10.0, "{instants}");
}

#[test]
fn what_fails_too_often_is_lost() {
    let wifi = Wifi { errors: Probability::clamped(0.9), retries: 1, ..station(1) };
    let exits = saturated(cell(wifi), ms(2000), 3);
    let (arrived, lost) = (arrivals(&exits).len() as f64, losses(&exits));
    assert!(lost.iter().all(|(_, _, cause)| *cause == Cause::Error));
    let share = lost.len() as f64 / (arrived + lost.len() as f64);
    // .9^2, within four standard deviations of some thousand.
    assert!((share - 0.81).abs() < 0.03, "{share}");
}

#[test]
fn a_change_of_network_delivers_or_loses_what_the_station_has() {
    for at_change in [AtChange::Deliver, AtChange::Lose] {
        let mut config = cell(Wifi { errors: Probability::clamped(0.5), ..station(1) });
        config.schedule = vec![
            Change { at: ms(100), to: network(EIGHT, 5) },
            Change { at: ms(200), to: config.initial.clone() },
        ];
        config.at_change = at_change;
        let exits = saturated(config, ms(300), 4);
        let changed = losses(&exits).iter().filter(|(_, _, cause)| *cause == Cause::Change).count();
        assert_eq!(changed > 0, at_change == AtChange::Lose, "{changed}");
        let numbers: Vec<u64> = arrivals(&exits).iter().map(|(_, number)| *number).collect();
        assert!(numbers.is_sorted(), "{at_change:?}");
        let between = arrivals(&exits)
            .iter()
            .filter(|(at, _)| (105..200).contains(&(at.nanos() / 1_000_000)))
            .count();
        // 8 Mb/s: a packet of 1500 bytes every 1.5 ms.
        assert!((60..70).contains(&between), "{between}");
        assert!(arrivals(&exits).iter().filter(|(at, _)| *at > ms(210)).count() > 100);
    }
}

#[test]
fn losses_and_blackouts_hold_for_stations_too() {
    let mut config = cell(station(1));
    config.initial.loss = Loss::Bernoulli(Probability::clamped(0.2));
    config.blackouts = vec![
        atl_link::Blackout { at: ms(100), lasts: Span::from_millis(100), hold: true },
        atl_link::Blackout { at: ms(300), lasts: Span::from_millis(100), hold: false },
    ];
    let exits = saturated(config, ms(1000), 5);
    // One aggregate may be under way as the blackout begins.
    let held = arrivals(&exits)
        .iter()
        .filter(|(at, _)| (106..200).contains(&(at.nanos() / 1_000_000)))
        .count();
    assert_eq!(held, 0);
    let dark = losses(&exits);
    let dark = dark.iter().filter(|(_, _, cause)| *cause == Cause::Blackout).count();
    assert!(dark > 300, "{dark}");
    let errors = losses(&exits).iter().filter(|(_, _, cause)| *cause == Cause::Error).count();
    let share = errors as f64 / (errors + arrivals(&exits).len()) as f64;
    assert!((share - 0.2).abs() < 0.04, "{share}");
}
