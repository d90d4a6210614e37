//! Encoding of RTCP packets.

use atl_core::path::PathSignal;

use super::Packet;
use super::form::{
    BYE, BYE_LENGTH, DONE, GONE, HANDOFF_NOTIFICATION, HANDOFF_REPORT, IMMINENT, MAX_LEN,
    MOST_DUMMY, MOST_PROBE, NOTICE_LENGTH, REPORT_LENGTH, RTP_VERSION, VERSION,
};
use crate::message::{HandoffReport, Notice, micros};
use crate::octets::Octets;

/// Encodes a packet. Times are rounded down to whole microseconds. A report that no measurement
/// gives (more dummies than numbers, a probe above 63) is brought into range.
pub fn encode(packet: &Packet) -> Octets<MAX_LEN> {
    let mut octets = Octets::new();
    let mut header = |count: u8, kind: u8, length: u16, ssrc: u32| {
        octets.push(&[RTP_VERSION << 6 | count, kind]);
        octets.push(&length.to_be_bytes());
        octets.push(&ssrc.to_be_bytes());
    };
    match *packet {
        Packet::Notice { ssrc, notice } => {
            header(VERSION, HANDOFF_NOTIFICATION, NOTICE_LENGTH, ssrc);
            push_notice(&mut octets, &notice);
        }
        Packet::Report { ssrc, stream, report } => {
            header(VERSION, HANDOFF_REPORT, REPORT_LENGTH, ssrc);
            octets.push(&stream.to_be_bytes());
            push_report(&mut octets, &report);
        }
        Packet::Bye { ssrc } => header(1, BYE, BYE_LENGTH, ssrc),
    }
    octets
}

fn push_notice(octets: &mut Octets<MAX_LEN>, notice: &Notice) {
    let signal = match notice.signal {
        PathSignal::Imminent(_) => IMMINENT,
        PathSignal::Done(_) => DONE,
        PathSignal::Gone(_) => GONE,
    };
    octets.push(&notice.sequence.to_be_bytes());
    octets.push(&[signal, notice.signal.path().index() as u8, 0, 0]);
    octets.push(&notice.tag.to_be_bytes());
}

fn push_report(octets: &mut Octets<MAX_LEN>, report: &HandoffReport) {
    let highest = report.highest.min(MOST_DUMMY);
    let lost = (highest + 1).saturating_sub(report.received).min(MOST_DUMMY);
    let [_, a, b, c] = lost.to_be_bytes();
    octets.push(&[report.probe.min(MOST_PROBE), a, b, c]);
    octets.push(&highest.to_be_bytes());
    octets.push(&micros(report.jitter).to_be_bytes());
    octets.push(&micros(report.span.min(report.window)).to_be_bytes());
    octets.push(&micros(report.window).to_be_bytes());
    octets.push(&[report.path.index() as u8, 0, 0, 0]);
    octets.push(&report.bytes.to_be_bytes());
    octets.push(&report.tag.to_be_bytes());
}
