use atl_core::time::{Span, Time};

use super::{DataPacket, Moment, NetworkCounts, Recorder, Tally};
use crate::flow::counts::{Fate, State};

const IDLE: State = State {
    cwnd: None,
    cwnd_beside: None,
    ssthresh: None,
    rate_bps: None,
    encoder_bps: None,
    in_flight: 3,
    srtt: None,
    aimd: None,
};

fn ms(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

fn moment(wire_bytes: u64, delivered_bytes: u64, gone: u64) -> Moment {
    let tally = Tally { wire_bytes, delivered_bytes, gone, elsewhere_bytes: None };
    Moment { network: 1, state: IDLE, jitter_s: Some(0.25), tally }
}

#[test]
fn a_sample_has_the_rates_since_the_one_before_of_its_own_flow() {
    let mut recorder = Recorder::new(Some(Span::from_millis(500)), 2);
    recorder.add(ms(500), 0, &moment(1000, 500, 1));
    recorder.add(ms(500), 1, &moment(8000, 0, 0));
    recorder.add(ms(1000), 0, &moment(3000, 2000, 3));
    recorder.add(ms(1000), 1, &moment(8000, 4000, 0));
    let samples = recorder.into_samples();
    let rows: Vec<_> = samples
        .iter()
        .map(|s| (s.time_s, s.flow, s.throughput_bps, s.goodput_bps, s.losses_per_s))
        .collect();
    assert_eq!(rows[0], (0.5, 0, 16_000.0, 8_000.0, Some(2.0)));
    assert_eq!(rows[1], (0.5, 1, 128_000.0, 0.0, Some(0.0)));
    assert_eq!(rows[2], (1.0, 0, 32_000.0, 24_000.0, Some(4.0)));
    assert_eq!(rows[3], (1.0, 1, 0.0, 64_000.0, Some(0.0)));
    assert_eq!((samples[2].wire_bytes, samples[2].delivered_bytes), (3000, 2000));
    assert_eq!((samples[2].network, samples[2].jitter_s, samples[2].in_flight), (1, Some(0.25), 3));
}

#[test]
fn without_an_interval_nothing_is_recorded() {
    for every in [None, Some(Span::ZERO)] {
        let mut recorder = Recorder::new(every, 1);
        recorder.add(ms(500), 0, &moment(1000, 500, 1));
        assert_eq!((recorder.every(), recorder.into_samples().len()), (None, 0));
    }
}

#[test]
fn bytes_count_once_their_packet_has_left_its_first_link_and_fates_by_the_time_they_were_due() {
    let packet = |bytes, hop| DataPacket { flow: 1, bytes, hop };
    let mut counts = NetworkCounts::new(2, ms(100), ms(900));
    counts.on_arrived(packet(1, 2));
    counts.on_lost(packet(20, 0), ms(99));
    counts.on_dropped(packet(300, 0), ms(99));
    // Reported before measurement began, but due at that instant.
    counts.on_dropped(packet(4000, 1), ms(100));
    let on_links = [packet(50_000, 0), packet(600_000, 1)];
    counts.begin(on_links.into_iter());
    let before = counts.before(1);
    assert_eq!(before.fate, Fate { dropped: 1, lost: 1, copies: 0 });
    assert_eq!(before.wire_bytes, 604_021, "not what its own interface dropped or still holds");
    counts.on_arrived(packet(600_000, 2));
    counts.on_lost(packet(50_000, 0), ms(900));
    let after = counts.look([].into_iter())[1];
    assert_eq!(after.wire_bytes, 654_021);
    assert_eq!(after.fate, Fate { dropped: 2, lost: 2, copies: 0 });
    let tally =
        Tally { wire_bytes: 654_021, delivered_bytes: 7, gone: 4, elsewhere_bytes: Some(3) };
    assert_eq!(after.tally(7, Some(3)), tally);
    counts.on_lost(packet(1, 1), ms(901));
    counts.on_under_way(1);
    assert_eq!((counts.under_way(1), counts.look([].into_iter())[1].fate), (2, after.fate));
    assert_eq!((counts.under_way(0), counts.before(0)), (0, super::OnLinks::default()));
}
