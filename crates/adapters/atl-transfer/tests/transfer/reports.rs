//! The times at which link reports are sent, and the reports that count.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use atl_core::path::Reports;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_device::{DelayEstimate, LinkInfo, LinkSource, LossEstimate, SourceError};
use atl_transfer::LinkWatch;
use atl_transfer::observer::Silent;
use atl_transfer::receiver;
use atl_transfer::report::{MAX_DATAGRAM, ReportCounts, ReportReader, ReportWriter};
use atl_transfer::sender::{self, Load, Work};
use proptest::prelude::*;

use crate::support::{Receiving, Sending, options, sending};

fn info(loss: f64, epoch: u32) -> LinkInfo {
    let value = Probability::clamped(loss);
    LinkInfo {
        loss: Some(LossEstimate { value, low: value, high: value, packets: None }),
        delay: Some(DelayEstimate::exact(Span::from_millis(20))),
        epoch,
        ..LinkInfo::UNKNOWN
    }
}

fn at(millis: u64) -> Time {
    Time::ZERO + Span::from_millis(millis)
}

#[test]
fn reports_are_repeated_each_second_and_changes_are_told_sooner() {
    let mut writer = ReportWriter::default();
    let mut sent = |millis, loss| writer.due(at(millis), &info(loss, 0)).is_some();
    let told: Vec<u64> = (0..3000).step_by(10).filter(|ms| sent(*ms, 0.01)).collect();
    assert_eq!(told, [0, 1000, 2000]);
    assert!(!sent(2050, 0.02), "not within 100 ms of the last");
    assert!(sent(2100, 0.02) || sent(2200, 0.02));
    let mut writer = ReportWriter::default();
    assert!(writer.due(at(0), &LinkInfo::UNKNOWN).is_none(), "what is not known is not told");
}

#[test]
fn replays_and_forgeries_are_counted_and_do_nothing() {
    let mut writer = ReportWriter::default();
    let first = writer.due(at(0), &info(0.01, 0)).expect("due");
    let second = writer.due(at(500), &info(0.02, 0)).expect("due");
    let moved = writer.due(at(510), &info(0.3, 1)).expect("a handoff is told at once");
    assert!(moved.len() <= MAX_DATAGRAM);

    let mut reader = ReportReader::default();
    assert!(reader.accept(at(40), &second).is_some());
    assert!(reader.accept(at(41), &second).is_none(), "a replay");
    assert!(reader.accept(at(42), &first).is_none(), "overtaken");
    let handoff = reader.accept(at(43), &moved).expect("newer").handoff;
    assert!(handoff.is_some_and(|handoff| handoff.new_delay == Span::from_millis(20)));
    for cut in 0..first.len() {
        assert!(reader.accept(at(44), &first[..cut]).is_none());
    }
    let mut other = moved.clone();
    other[0] = 2;
    assert!(reader.accept(at(45), &other).is_none(), "another version");
    let malformed = first.len() as u64 + 1;
    assert_eq!(reader.counts(), ReportCounts { accepted: 2, malformed, outdated: 2 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_datagram_is_read_without_a_panic(datagrams in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
        let mut reader = ReportReader::default();
        for mut datagram in datagrams {
            if let Some(first) = datagram.first_mut() {
                *first = 1;
            }
            if let Some(accepted) = reader.accept(at(0), &datagram) {
                prop_assert!((0.0..=1.0).contains(&accepted.report.loss.get()));
            }
        }
    }
}

#[derive(Debug)]
struct Radio;

impl LinkSource for Radio {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        Ok(info(0.125, 0))
    }
}

#[test]
fn reports_of_both_ends_reach_the_controllers() {
    let dir = tempfile::tempdir().expect("a folder");
    let radio = || Some(LinkWatch::start(Box::new(Radio), Arc::new(Silent)));
    let receiving =
        Receiving::start(dir.path(), false, receiver::Options { link: radio(), ..options() });
    let to = receiving.ticket.addresses[0];
    let reports = Reports::default();
    let mut reader = reports.reader();
    let options =
        sender::Options { reports: Some(reports), link: radio(), ..sending(&receiving.ticket, to) };
    let load = Work::Load(Load::For(Duration::from_millis(800)));
    let sending = Sending::work(load, options, Arc::default());
    let (mut own, mut peer) = (None, None);
    let begun = Instant::now();
    while (own.is_none() || peer.is_none()) && begun.elapsed() < Duration::from_secs(30) {
        if let Some(news) = reader.news() {
            (own, peer) = (news.own.or(own), news.peer.or(peer));
        }
        thread::sleep(Duration::from_millis(5));
    }
    for report in [own, peer] {
        let report = report.expect("it came");
        assert!((report.loss.get() - 0.125).abs() < 1e-9, "{report:?}");
        assert_eq!(report.delay, Span::from_millis(20));
    }
    let sent = sending.summary();
    assert!(sent.traffic.reports.accepted > 0 && sent.traffic.reports.malformed == 0, "{sent:?}");
    assert!(receiving.summary().reports > 0);
}

#[test]
fn a_sender_that_does_not_ask_gets_no_reports() {
    let dir = tempfile::tempdir().expect("a folder");
    let link = Some(LinkWatch::start(Box::new(Radio), Arc::new(Silent)));
    let receiving = Receiving::start(dir.path(), false, receiver::Options { link, ..options() });
    let to = receiving.ticket.addresses[0];
    let load = Work::Load(Load::For(Duration::from_millis(400)));
    let sent = Sending::work(load, sending(&receiving.ticket, to), Arc::default()).summary();
    assert!(sent.is_complete());
    assert_eq!((sent.traffic.reports, receiving.summary().reports), (ReportCounts::default(), 0));
}
