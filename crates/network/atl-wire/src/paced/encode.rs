//! Encoding of a paced flow's packets.

use atl_core::time::Time;

use super::Packet;
use super::form::{
    ACK, CLEAR, CLEARED, DATA, LINK, LOSS_EVENTS, MARKED, MARKS, MAX_LEN, PAIR_RATE, PROBE,
    PROBE_ACK, RECEIVE_RATE, REPORT, VERSION,
};
use crate::message::ReportPacket;
use crate::message::{PeerInfo, PeerLinkReport};
use crate::octets::Octets;
use crate::peer_info;

/// Encodes a packet; payload or padding is the caller's to append. A share is brought into its
/// range, a rate that is not finite or is negative is left out: no receiver reports one.
pub fn encode(packet: &Packet) -> Octets<MAX_LEN> {
    let mut octets = Octets::new();
    match *packet {
        Packet::Data { size, seq, rtt_micros, sent_at } => {
            short(&mut octets, (DATA, 0, size), (seq, rtt_micros), sent_at);
        }
        Packet::Probe { size, number, sent_at } => {
            short(&mut octets, (PROBE, 0, size), (number, 0), sent_at);
        }
        Packet::Ack { size, seq, mask, marks, clear, echo, link_report } => {
            let flag = |is: bool, flag: u8| if is { flag } else { 0 };
            let flags = link_flag(&link_report) | flag(marks != 0, MARKS) | flag(clear, CLEAR);
            short(&mut octets, (ACK, flags, size), (seq, mask), echo);
            if marks != 0 {
                octets.push(&marks.to_be_bytes());
            }
            link(&mut octets, link_report);
        }
        Packet::ProbeAck { size, number, echo } => {
            short(&mut octets, (PROBE_ACK, 0, size), (number, 0), echo);
        }
        Packet::Report { size, report } => push_report(&mut octets, size, &report),
    }
    octets
}

fn header(octets: &mut Octets<MAX_LEN>, (kind, flags, size): (u8, u8, u16)) {
    octets.push(&[VERSION << 4 | kind, flags]);
    octets.push(&size.to_be_bytes());
}

fn short(
    octets: &mut Octets<MAX_LEN>,
    first: (u8, u8, u16),
    (number, second): (u32, u32),
    at: Time,
) {
    header(octets, first);
    octets.push(&number.to_be_bytes());
    octets.push(&second.to_be_bytes());
    octets.push(&at.nanos().to_be_bytes());
}

fn push_report(octets: &mut Octets<MAX_LEN>, size: u16, packet: &ReportPacket) {
    let report = &packet.report;
    let share = |share: f64| if share > 0.0 { share.min(1.0) } else { 0.0 };
    // -0.0 becomes 0, because each value has one form.
    let rate = |rate: &f64| (rate.is_finite() && *rate >= 0.0).then_some(rate + 0.0);
    let optional = [
        (RECEIVE_RATE, report.receive_rate.as_ref().and_then(rate)),
        (LOSS_EVENTS, report.loss_event_rate.map(share)),
        (PAIR_RATE, report.pair_rate.as_ref().and_then(rate)),
    ];
    let flags: u8 =
        optional.iter().filter(|(_, value)| value.is_some()).map(|(flag, _)| flag).sum();
    let counts = [(MARKED, report.marked), (CLEARED, report.clear)];
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let flags = flags | counts.clone().map(|(flag, _)| flag).sum::<u8>();
    header(octets, (REPORT, link_flag(&packet.link_report) | flags, size));
    for number in [report.highest, report.received, report.cumulative_lost.cast_unsigned()] {
        octets.push(&number.to_be_bytes());
    }
    octets.push(&share(report.fraction_lost).to_be_bytes());
    for nanos in [report.jitter.nanos(), report.echo.nanos(), report.held.nanos()] {
        octets.push(&nanos.to_be_bytes());
    }
    for value in optional.iter().filter_map(|(_, value)| *value) {
        octets.push(&value.to_be_bytes());
    }
    for (_, count) in counts {
        octets.push(&count.to_be_bytes());
    }
    link(octets, packet.link_report);
}

fn link_flag(report: &Option<PeerLinkReport>) -> u8 {
    if report.is_some() { LINK } else { 0 }
}

fn link(octets: &mut Octets<MAX_LEN>, link_report: Option<PeerLinkReport>) {
    if link_report.is_some() {
        octets.push(peer_info::encode(&PeerInfo { link_report, ..PeerInfo::NONE }).as_ref());
    }
}
