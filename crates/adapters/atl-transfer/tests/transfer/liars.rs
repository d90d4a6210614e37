//! Receivers whose link reports are missing or false.

use std::sync::Arc;
use std::time::Duration;

use atl_core::path::Reports;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_device::{DelayEstimate, LinkInfo, LossEstimate};
use atl_transfer::name::Limits;
use atl_transfer::report::{ReportCounts, ReportWriter};
use atl_transfer::sender::{self, Load, Work};
use atl_transfer::wire::{
    ALPN, FEATURE_LINK_REPORTS, LENGTH_OCTETS, MAX_MESSAGE, Message, Welcome, decode, encode,
    length,
};
use noq::{Connection, Endpoint, RecvStream};

use crate::support::{LOOPBACK, Receiving, Sending, noise, options, quic_server, runtime, sending};

fn info(loss: f64, epoch: u32) -> LinkInfo {
    let value = Probability::clamped(loss);
    LinkInfo {
        loss: Some(LossEstimate { value, low: value, high: value, packets: None }),
        delay: Some(DelayEstimate::exact(Span::from_millis(20))),
        epoch,
        ..LinkInfo::UNKNOWN
    }
}

/// A receiver without link information: plain QUIC.
#[test]
fn a_receiver_without_a_link_gets_plain_quic() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = Receiving::start(dir.path(), false, options());
    let reports = Reports::default();
    let mut reader = reports.reader();
    let to = receiving.ticket.addresses[0];
    let options = sender::Options { reports: Some(reports), ..sending(&receiving.ticket, to) };
    let load = Work::Load(Load::For(Duration::from_millis(300)));
    let sent = Sending::work(load, options, Arc::default()).summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert_eq!(sent.traffic.reports, ReportCounts::default());
    assert!(reader.news().is_none());
    assert_eq!(receiving.summary().reports, 0);
}

async fn hear(back: &mut RecvStream) -> Message {
    let mut head = [0; LENGTH_OCTETS];
    back.read_exact(&mut head).await.expect("a length");
    let mut octets = vec![0; length(head, MAX_MESSAGE).expect("a length")];
    back.read_exact(&mut octets).await.expect("a message");
    decode(&octets).expect("a message")
}

/// Receives a load correctly, and sends `datagrams` meanwhile, in this order.
async fn lie(connection: Connection, datagrams: Vec<Vec<u8>>) {
    let (mut out, mut back) = connection.accept_bi().await.expect("a stream");
    assert!(matches!(hear(&mut back).await, Message::Hello(_)));
    let welcome = Welcome { instance: 1, features: FEATURE_LINK_REPORTS, limits: Limits::NONE };
    out.write_all(&encode(&Message::Welcome(welcome))).await.expect("written");
    let (mut answer, mut load) = connection.accept_bi().await.expect("a load");
    for datagram in datagrams {
        connection.send_datagram(datagram.into()).expect("sent");
        // With a pause after each, so that QUIC drops none from its queue.
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let mut bytes = 0;
    while let Ok(Some(chunk)) = load.read_chunk(1 << 20).await {
        bytes += chunk.len() as u64;
    }
    answer.write_all(&encode(&Message::Loaded { bytes, nanos: 1 })).await.expect("written");
    answer.finish().expect("once");
    assert!(matches!(hear(&mut back).await, Message::Bye));
    connection.close(0_u32.into(), b"");
}

/// Malformed, cut-off, replayed and overtaken reports, and those of another version, over a
/// connection that works.
#[test]
fn what_a_receiver_makes_up_is_counted_and_changes_nothing() {
    let at = |ms| Time::ZERO + Span::from_millis(ms);
    let mut writer = ReportWriter::default();
    let old = writer.due(at(0), &info(0.9, 0)).expect("due");
    let good = writer.due(at(500), &info(0.25, 0)).expect("due");
    let mut other = good.clone();
    other[0] = 2;
    let mut datagrams = vec![good.clone(), good.clone(), old, other, Vec::new()];
    datagrams.extend((1..good.len()).map(|cut| good[..cut].to_vec()));
    datagrams.extend((1..60).map(|n| [vec![77], noise(n, n as u64)].concat()));
    let malformed = datagrams.len() as u64 - 3;

    let runtime = runtime();
    let endpoint = runtime
        .block_on(async { Endpoint::server(quic_server(ALPN), LOOPBACK) })
        .expect("loopback");
    let to = endpoint.local_addr().expect("bound");
    let lying = runtime.spawn(async move {
        let incoming = endpoint.accept().await.expect("a sender");
        lie(incoming.await.expect("a handshake"), datagrams).await;
    });
    let dir = tempfile::tempdir().expect("a folder");
    let ticket = Receiving::start(dir.path(), false, options()).ticket;
    let reports = Reports::default();
    let mut reader = reports.reader();
    let options = sender::Options {
        reports: Some(reports),
        fingerprint: None,
        secret: None,
        ..sending(&ticket, to)
    };
    let load = Work::Load(Load::For(Duration::from_millis(600)));
    let sent = Sending::work(load, options, Arc::default()).summary();
    runtime.block_on(lying).expect("no panic");
    assert!(sent.is_complete(), "{sent:?}");
    let counts = sent.traffic.reports;
    assert_eq!(counts, ReportCounts { accepted: 1, malformed, outdated: 2 });
    let told = reader.news().and_then(|news| news.peer).expect("one came");
    assert!((told.loss.get() - 0.25).abs() < 1e-9, "{told:?}");
}

/// A sender that sends datagrams to a receiver, which expects none.
#[test]
fn datagrams_that_nobody_asked_for_are_not_read() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = Receiving::start(&dir.path().join("in"), false, options());
    let to = receiving.ticket.addresses[0];
    let source = crate::support::file(dir.path(), "f", 3_000_000, 1);
    let sent = Sending::start(&[source], sending(&receiving.ticket, to));
    let socket = std::net::UdpSocket::bind(LOOPBACK).expect("loopback");
    for n in 0..500_usize {
        // With the first octet of a short header, and of a long one of an unknown version.
        for first in [0x40, 0xc0] {
            let garbage = [vec![first], noise(20 + n, n as u64)].concat();
            let _ = socket.send_to(&garbage, to);
        }
    }
    assert!(sent.summary().is_complete());
    receiving.summary();
}
