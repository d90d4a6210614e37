//! Decoding of a paced flow's packets. Octets come from the network: any of them may be anything.

use atl_core::rate::Report;
use atl_core::time::{Span, Time};

use super::Packet;
use super::error::PacedError;
use super::form::{
    ACK, CLEAR, CLEARED, DATA, LINK, LINK_LEN, LOSS_EVENTS, MARKED, MARKS, PAIR_RATE, PROBE,
    PROBE_ACK, RECEIVE_RATE, REPORT, VERSION,
};
use crate::message::ReportPacket;
use crate::message::{PeerInfo, PeerLinkReport};
use crate::octets::Rest;
use crate::peer_info;

/// Decodes a packet. The octets after it are payload or padding.
///
/// # Errors
/// If the octets do not begin with a packet of this version.
pub fn decode(octets: &[u8]) -> Result<(Packet, &[u8]), PacedError> {
    let mut rest = Rest(octets);
    let [first, flags, high, low] = rest.take().ok_or(PacedError::Truncated)?;
    if first >> 4 != VERSION {
        return Err(PacedError::Version { found: first >> 4 });
    }
    let kind = first & 0xf;
    let allowed = match kind {
        DATA | PROBE | PROBE_ACK => 0,
        ACK => LINK | MARKS | CLEAR,
        REPORT => LINK | RECEIVE_RATE | LOSS_EVENTS | PAIR_RATE | MARKED | CLEARED,
        found => return Err(PacedError::Kind { found }),
    };
    if flags & !allowed != 0 {
        return Err(PacedError::Flags { found: flags });
    }
    let size = u16::from_be_bytes([high, low]);
    let packet = match kind {
        REPORT => Packet::Report { size, report: report(&mut rest, flags)? },
        _ => short(&mut rest, (kind, flags, size))?,
    };
    Ok((packet, rest.0))
}

fn short(rest: &mut Rest<'_>, (kind, flags, size): (u8, u8, u16)) -> Result<Packet, PacedError> {
    let mut numbers = || Some((rest.u32()?, rest.u32()?, Time::from_nanos(rest.u64()?)));
    let (number, second, at) = numbers().ok_or(PacedError::Truncated)?;
    if second != 0 && matches!(kind, PROBE | PROBE_ACK) {
        return Err(PacedError::Reserved);
    }
    Ok(match kind {
        DATA => Packet::Data { size, seq: number, rtt_micros: second, sent_at: at },
        PROBE => Packet::Probe { size, number, sent_at: at },
        PROBE_ACK => Packet::ProbeAck { size, number, echo: at },
        _ => {
            let marks = (flags & MARKS != 0).then(|| rest.u32().ok_or(PacedError::Truncated));
            let marks = marks.transpose()?;
            if marks == Some(0) {
                return Err(PacedError::Value);
            }
            let (marks, clear) = (marks.unwrap_or(0), flags & CLEAR != 0);
            let link_report = link(rest, flags)?;
            Packet::Ack { size, seq: number, mask: second, marks, clear, echo: at, link_report }
        }
    })
}

fn report(rest: &mut Rest<'_>, flags: u8) -> Result<ReportPacket, PacedError> {
    let mut numbers = || {
        let counts = (rest.u64()?, rest.u64()?, rest.u64()?.cast_signed());
        let fraction = f64::from_bits(rest.u64()?);
        Some((counts, fraction, rest.u64()?, rest.u64()?, rest.u64()?))
    };
    let ((highest, received, lost), fraction, jitter, echo, held) =
        numbers().ok_or(PacedError::Truncated)?;
    let mut optional = |flag: u8, most: f64| {
        (flags & flag != 0).then(|| value(f64::from_bits(octets(rest)?), most)).transpose()
    };
    let report = Report::default()
        .highest(highest)
        .received(received)
        .cumulative_lost(lost)
        .fraction_lost(value(fraction, 1.0)?)
        .jitter(Span::from_nanos(jitter))
        .echo(Time::from_nanos(echo))
        .held(Span::from_nanos(held))
        .receive_rate(optional(RECEIVE_RATE, f64::MAX)?)
        .loss_event_rate(optional(LOSS_EVENTS, 1.0)?)
        .pair_rate(optional(PAIR_RATE, f64::MAX)?)
        .marked(count(rest, flags & MARKED != 0)?)
        .clear(count(rest, flags & CLEARED != 0)?);
    Ok(ReportPacket { report, link_report: link(rest, flags)? })
}

fn octets(rest: &mut Rest<'_>) -> Result<u64, PacedError> {
    rest.u64().ok_or(PacedError::Truncated)
}

/// A count, which is there if it is not zero.
fn count(rest: &mut Rest<'_>, is_there: bool) -> Result<u64, PacedError> {
    match is_there.then(|| octets(rest)).transpose()? {
        Some(0) => Err(PacedError::Value),
        count => Ok(count.unwrap_or(0)),
    }
}

/// A share or a rate; an error if it is out of range or -0.0.
fn value(value: f64, most: f64) -> Result<f64, PacedError> {
    let fits = value.is_sign_positive() && value <= most;
    if fits { Ok(value) } else { Err(PacedError::Value) }
}

fn link(rest: &mut Rest<'_>, flags: u8) -> Result<Option<PeerLinkReport>, PacedError> {
    if flags & LINK == 0 {
        return Ok(None);
    }
    let octets: [u8; LINK_LEN] = rest.take().ok_or(PacedError::Truncated)?;
    match peer_info::decode(&octets) {
        Ok(PeerInfo { link_report: Some(report), rate: None, window_open: None }) => {
            Ok(Some(report))
        }
        _ => Err(PacedError::LinkReport),
    }
}
