//! Queues that networks bring: examples worked by hand.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::random::Stream;
use atl_link::{
    AtChange, Buffer, Change, CoDel, Conditions, Config, Exit, Limit, Link, Packet, QueueConfig,
    Wifi, WifiStandard,
};

use crate::departure::stale;
use crate::support::{
    EIGHT, LOW, Numbered, arrivals, config, drain, link, losses, ms, network, offer_at_start, us,
};

fn drop_tail(packets: u32) -> QueueConfig {
    QueueConfig::DropTail { packets }
}

fn buffer(queue: QueueConfig) -> Option<Buffer> {
    Some(Buffer { queue, mark_at: None })
}

/// 8 Mb/s without delay all along, and from 2.5 ms on this queue.
fn changing(from: QueueConfig, to: QueueConfig) -> Config {
    let to = Conditions { queue: buffer(to), ..network(EIGHT, 0) };
    let schedule = vec![Change { at: us(2500), to }];
    Config { queue: from, schedule, ..config(network(EIGHT, 0)) }
}

/// Number and time of each packet dropped.
fn drops(exits: &[(Time, Exit<Numbered>)]) -> Vec<(Time, u64)> {
    let dropped = |exit: &(Time, Exit<Numbered>)| match exit.1 {
        Exit::Dropped(packet, at) => Some((at, packet.0)),
        _ => None,
    };
    exits.iter().filter_map(dropped).collect()
}

#[test]
fn what_waits_moves_and_what_finds_no_room_is_dropped_at_the_change() {
    let mut link = link(changing(drop_tail(10), drop_tail(2)));
    offer_at_start(&mut link, 7);
    assert_eq!(link.queue_config(), &drop_tail(10));
    let exits = drain(&mut link);
    // 3 is in transmission; 4 and 5 move.
    assert_eq!(drops(&exits), [(us(2500), 6), (us(2500), 7)]);
    assert_eq!(arrivals(&exits), [(ms(1), 1), (ms(2), 2), (ms(3), 3), (ms(4), 4), (ms(5), 5)]);
    let change = exits.iter().position(|(_, exit)| matches!(exit, Exit::Changed(_)));
    assert_eq!(change, Some(4), "the drops come first, at their time: {exits:?}");
    assert_eq!(link.queue_config(), &drop_tail(2));
    let counters = link.counters();
    assert_eq!((counters.offered, counters.delivered, counters.dropped), (7, 5, 2));
}

#[test]
fn a_longer_queue_takes_all_and_more() {
    let mut link = link(changing(drop_tail(3), drop_tail(5)));
    offer_at_start(&mut link, 4);
    assert_eq!(link.offer(ms(0), Numbered(5, 1000)), Err(Numbered(5, 1000)), "full");
    assert_eq!(link.poll(us(2499)), Some(Exit::Delivered(Numbered(1, 1000))));
    // The longer queue has come meanwhile, and one of its five places is taken.
    for number in 6..=9 {
        assert_eq!(link.offer(us(2500), Numbered(number, 1000)), Ok(()));
    }
    assert_eq!(link.offer(us(2500), Numbered(10, 1000)), Err(Numbered(10, 1000)));
    let numbers: Vec<u64> = arrivals(&drain(&mut link)).iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, [2, 3, 4, 6, 7, 8, 9]);
}

#[test]
fn a_queue_in_bytes_is_cut_by_bytes() {
    let mut link = link(changing(drop_tail(10), QueueConfig::DropTailBytes { bytes: 2500 }));
    offer_at_start(&mut link, 5);
    assert!(link.offer(ms(0), Numbered(6, 500)).is_ok());
    let exits = drain(&mut link);
    // 4 and 5 leave 500 bytes, which the last one takes.
    assert_eq!(drops(&exits), []);
    assert_eq!(arrivals(&exits).last(), Some(&(us(5500), 6)));
}

#[test]
fn packets_move_in_the_order_in_which_they_would_have_been_sent() {
    let mut link = link(changing(QueueConfig::Priority { packets: 10 }, drop_tail(2)));
    offer_at_start(&mut link, 3);
    for number in [LOW, LOW + 1, 4, 5] {
        assert!(link.offer(us(2400), Numbered(number, 1000)).is_ok());
    }
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(us(2500), LOW), (us(2500), LOW + 1)]);
    assert_eq!(arrivals(&exits)[2..], [(ms(3), 3), (ms(4), 4), (ms(5), 5)]);
}

/// Nothing may wait longer than 3 ms.
#[test]
fn packets_come_to_the_new_queue_at_the_change() {
    let impatient = || stale(Limit::Packets(10), Span::from_millis(3));
    let mut alone = link(Config { queue: impatient(), ..config(network(EIGHT, 0)) });
    offer_at_start(&mut alone, 7);
    let numbers = |exits: &[_]| drops(exits).iter().map(|(_, number)| *number).collect::<Vec<_>>();
    assert_eq!(numbers(&drain(&mut alone)), [5, 6, 7], "4 leaves after 3 ms");
    // 4 to 7 have waited for none of these 2.5 ms.
    let mut moved = link(changing(drop_tail(10), impatient()));
    offer_at_start(&mut moved, 7);
    let exits = drain(&mut moved);
    assert_eq!(numbers(&exits), [7], "6 leaves 2.5 ms after the change");
    assert_eq!(arrivals(&exits).last(), Some(&(ms(6), 6)));
}

#[test]
fn the_queue_before_judges_what_leaves_it() {
    let impatient = stale(Limit::Packets(10), Span::from_millis(2));
    let mut link = link(changing(impatient, drop_tail(10)));
    offer_at_start(&mut link, 4);
    assert!(link.offer(us(1000), Numbered(5, 1000)).is_ok());
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(us(2500), 4)], "it has waited for 2.5 ms");
    assert_eq!(arrivals(&exits)[2..], [(ms(3), 3), (ms(4), 5)]);
}

#[test]
fn a_queue_that_drops_all_that_waits_leaves_the_link_idle_after_its_transmission() {
    let mut link = link(changing(drop_tail(10), QueueConfig::DropTailBytes { bytes: 999 }));
    offer_at_start(&mut link, 5);
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(us(2500), 4), (us(2500), 5)]);
    assert_eq!(arrivals(&exits).last(), Some(&(ms(3), 3)));
    assert_eq!((link.held(), link.queue_len()), (0, 0));
    assert!(link.offer(ms(9), Numbered(6, 1000)).is_ok());
    assert_eq!(arrivals(&drain(&mut link)), [(ms(10), 6)]);
}

/// A queue with a state: where another began at the change, CoDel would forget since when packets
/// have waited for too long.
#[test]
fn a_queue_of_the_same_configuration_goes_on() {
    let codel = CoDel { interval: Span::from_millis(20), ..CoDel::default() };
    let queue = QueueConfig::Custom { limit: Limit::Packets(100), discipline: codel.into() };
    let run = |own: Option<Buffer>| {
        let to = Conditions { queue: own, ..network(EIGHT, 0) };
        let schedule = vec![Change { at: ms(15), to }];
        let queue = queue.clone();
        let mut link = link(Config { queue, schedule, ..config(network(EIGHT, 0)) });
        offer_at_start(&mut link, 60);
        drain(&mut link)
    };
    let kept = run(None);
    assert!(!drops(&kept).is_empty());
    assert_eq!(run(buffer(queue.clone())), kept);
    let other = QueueConfig::Custom { limit: Limit::Packets(101), discipline: codel.into() };
    assert_ne!(run(buffer(other)), kept);
}

#[test]
fn a_change_without_a_queue_keeps_that_of_the_change_before() {
    let mut config = changing(drop_tail(10), drop_tail(2));
    config.schedule.push(Change { at: us(2700), to: network(Rate::from_mbps(1.0), 0) });
    let mut link = link(config);
    offer_at_start(&mut link, 7);
    let exits = drain(&mut link);
    assert_eq!(drops(&exits).len(), 2);
    assert_eq!(link.queue_config(), &drop_tail(2));
}

#[test]
fn each_stay_in_a_network_begins_with_what_the_one_before_left() {
    let mut config = changing(drop_tail(10), drop_tail(2));
    let back = Conditions { queue: buffer(drop_tail(10)), ..network(EIGHT, 0) };
    config.schedule.push(Change { at: us(2700), to: back });
    let mut link = link(config);
    offer_at_start(&mut link, 7);
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(us(2500), 6), (us(2500), 7)], "they do not come back");
    assert_eq!(arrivals(&exits).last(), Some(&(ms(5), 5)));
}

#[test]
fn what_waits_is_no_part_of_a_hard_change() {
    let mut config = changing(drop_tail(10), drop_tail(1));
    config.at_change = AtChange::Lose;
    config.initial = network(EIGHT, 5);
    let mut link = link(config);
    offer_at_start(&mut link, 5);
    let exits = drain(&mut link);
    let lost: Vec<u64> = losses(&exits).iter().map(|(_, number, _)| *number).collect();
    assert_eq!((lost, drops(&exits)), (vec![1, 2], vec![(us(2500), 5)]));
    assert_eq!(arrivals(&exits), [(ms(3), 3), (ms(4), 4)]);
}

#[test]
fn a_station_takes_what_has_moved() {
    let wifi = Wifi::new(Rate::from_mbps(65.0), WifiStandard::N);
    let mut config = changing(drop_tail(10), drop_tail(2));
    config.schedule[0].to.service = atl_link::Service::Wifi(wifi);
    let mut link = link(config);
    offer_at_start(&mut link, 7);
    // A station's turns are events without an exit.
    let exits: Vec<_> =
        core::iter::from_fn(|| link.poll(ms(100))).map(|exit| (ms(100), exit)).collect();
    assert_eq!(drops(&exits), [(us(2500), 6), (us(2500), 7)]);
    let numbers: Vec<u64> = arrivals(&exits).iter().map(|(_, number)| *number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

/// A packet that knows whether it was marked.
struct Marked(bool);

impl Packet for Marked {
    fn wire_bytes(&self) -> u32 {
        1000
    }

    fn mark(&mut self) {
        self.0 = true;
    }
}

#[test]
fn each_network_marks_at_a_length_of_its_own() {
    let own = Buffer { queue: drop_tail(10), mark_at: Some(1) };
    let to = Conditions { queue: Some(own), ..network(EIGHT, 0) };
    let schedule = vec![Change { at: ms(10), to }];
    let config =
        Config { queue: drop_tail(10), mark_at: Some(3), schedule, ..config(network(EIGHT, 0)) };
    let mut link = Link::new(Arc::new(config), Stream::new(7, "test"));
    let mut marks = Vec::new();
    for at in [ms(0), ms(20)] {
        for _ in 0..5 {
            assert!(link.offer(at, Marked(false)).is_ok());
        }
        let exits = core::iter::from_fn(|| link.poll(at + Span::from_millis(9)));
        marks.extend(exits.filter_map(|exit| match exit {
            Exit::Delivered(packet) => Some(packet.0),
            _ => None,
        }));
    }
    assert_eq!(marks[..5], [false, false, false, false, true]);
    assert_eq!(marks[5..], [false, false, true, true, true]);
}

#[test]
fn the_network_of_the_start_may_have_one_too() {
    let own = Conditions { queue: buffer(drop_tail(1)), ..network(EIGHT, 0) };
    let mut link = link(config(own));
    offer_at_start(&mut link, 2);
    assert_eq!(link.queue_config(), &drop_tail(1));
    assert!(link.offer(ms(0), Numbered(3, 1000)).is_err());
    assert_eq!(arrivals(&drain(&mut link)), [(ms(1), 1), (ms(2), 2)]);
}
