//! Decoding of RTCP packets. Octets come from the network: any of them may be anything.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Span;

use super::Packet;
use super::error::RtcpError;
use super::form::{
    BYE, COUNT, DONE, GONE, HANDOFF_NOTIFICATION, HANDOFF_REPORT, IMMINENT, MOST_DUMMY, MOST_PROBE,
    NOTICE_LENGTH, PADDING, REPORT_LENGTH, RTP_VERSION, VERSION,
};
use crate::message::{HandoffReport, Notice};
use crate::octets::Rest;

/// Splits a compound packet (RFC 3550, sec. 6.1) into the octets of its RTCP packets, by their
/// lengths. A rest that is no whole packet comes last, unchanged.
pub fn packets(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Rest(octets);
    core::iter::from_fn(move || {
        if rest.0.is_empty() {
            return None;
        }
        let whole = Header::read(&mut rest.clone()).and_then(|header| rest.split(header.octets));
        let (packet, more) = whole.unwrap_or((rest, Rest(&[])));
        rest = more;
        Some(packet.0)
    })
}

/// Decodes a single packet.
///
/// # Errors
/// If the octets are not exactly one packet of a known type and version.
pub fn decode(octets: &[u8]) -> Result<Packet, RtcpError> {
    let mut rest = Rest(octets);
    let header = Header::read(&mut rest).ok_or(RtcpError::Truncated)?;
    let Header { first, kind, length, .. } = header;
    if first >> 6 != RTP_VERSION {
        return Err(RtcpError::RtpVersion { found: first >> 6 });
    }
    if octets.len() < header.octets {
        return Err(RtcpError::Truncated);
    }
    if octets.len() > header.octets {
        return Err(RtcpError::Trailing { octets: octets.len() - header.octets });
    }
    if first & PADDING != 0 {
        return Err(RtcpError::Padding);
    }
    let expected = match kind {
        HANDOFF_NOTIFICATION => NOTICE_LENGTH,
        HANDOFF_REPORT => REPORT_LENGTH,
        BYE => return bye(first & COUNT, rest),
        found => return Err(RtcpError::PacketType { found }),
    };
    if first & COUNT != VERSION {
        return Err(RtcpError::Version { found: first & COUNT });
    }
    if length != expected {
        return Err(RtcpError::Length { found: length, expected });
    }
    let ssrc = rest.u32().ok_or(RtcpError::Truncated)?;
    if kind == HANDOFF_NOTIFICATION {
        return Ok(Packet::Notice { ssrc, notice: notice(rest)? });
    }
    let stream = rest.u32().ok_or(RtcpError::Truncated)?;
    Ok(Packet::Report { ssrc, stream, report: report(rest)? })
}

/// The first word of a packet.
struct Header {
    first: u8,
    kind: u8,
    length: u16,
    /// Octets of the whole packet.
    octets: usize,
}

impl Header {
    fn read(rest: &mut Rest<'_>) -> Option<Self> {
        let [first, kind, high, low] = rest.take()?;
        let length = u16::from_be_bytes([high, low]);
        Some(Header { first, kind, length, octets: 4 * (usize::from(length) + 1) })
    }
}

/// BYE of one source. A reason is checked and skipped (RFC 3550, sec. 6.6).
fn bye(sources: u8, mut rest: Rest<'_>) -> Result<Packet, RtcpError> {
    if sources != 1 {
        return Err(RtcpError::Sources { found: sources });
    }
    let ssrc = rest.u32().ok_or(RtcpError::Truncated)?;
    if let Some((&length, reason)) = rest.0.split_first() {
        // The text is filled up with zeros to a whole word.
        let text = usize::from(length);
        let filled = (text + 1).next_multiple_of(4);
        if reason.len() + 1 != filled || reason[text..].iter().any(|octet| *octet != 0) {
            return Err(RtcpError::Reason);
        }
    }
    Ok(Packet::Bye { ssrc })
}

fn notice(mut rest: Rest<'_>) -> Result<Notice, RtcpError> {
    let mut read = || {
        let sequence = rest.u32()?;
        let [signal, path, zero, too] = rest.take()?;
        Some((sequence, signal, PathId::new(path), [zero, too], rest.u64()?))
    };
    let (sequence, signal, path, zeros, tag) = read().ok_or(RtcpError::Truncated)?;
    let signal = match signal {
        IMMINENT => PathSignal::Imminent(path),
        DONE => PathSignal::Done(path),
        GONE => PathSignal::Gone(path),
        found => return Err(RtcpError::Signal { found }),
    };
    if zeros != [0; 2] {
        return Err(RtcpError::Reserved);
    }
    Ok(Notice { sequence, signal, tag })
}

fn report(mut rest: Rest<'_>) -> Result<HandoffReport, RtcpError> {
    let mut read = || {
        let [probe, a, b, c] = rest.take()?;
        let numbers = (u32::from_be_bytes([0, a, b, c]), rest.u32()?);
        let times = [rest.u32()?, rest.u32()?, rest.u32()?];
        let [path, x, y, z] = rest.take()?;
        Some((probe, numbers, times, (path, [x, y, z]), rest.u64()?, rest.u64()?))
    };
    let (probe, (lost, highest), times, (path, zeros), bytes, tag) =
        read().ok_or(RtcpError::Truncated)?;
    let [jitter, span, window] = times.map(|micros| Span::from_micros(u64::from(micros)));
    if probe > MOST_PROBE {
        return Err(RtcpError::Probe { found: probe });
    }
    if highest > MOST_DUMMY {
        return Err(RtcpError::Highest { found: highest });
    }
    let received = (highest + 1).checked_sub(lost).ok_or(RtcpError::Lost { lost, highest })?;
    if span > window {
        return Err(RtcpError::Window);
    }
    if zeros != [0; 3] {
        return Err(RtcpError::Reserved);
    }
    let path = PathId::new(path);
    Ok(HandoffReport { path, probe, highest, received, bytes, span, window, jitter, tag })
}
