//! Headers of IPv4 (RFC 791), TCP (RFC 9293) and UDP (RFC 768) for packets that have none.

use atl_core::time::Time;
use atl_engine::witness::{Fields, Role, Seen};

use super::flow::Numbers;

/// Two ends of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    /// Addresses and ports of the sender of the data, and of its receiver.
    pub(super) sender: ([u8; 4], u16),
    pub(super) receiver: ([u8; 4], u16),
    /// The flow is a TCP, with this many bytes of headers, and timestamps if so.
    pub(super) tcp: Option<(u32, bool)>,
}

const IP: usize = 20;
const UDP: u8 = 17;
const TCP: u8 = 6;
/// The sender's first sequence number is that of its SYN.
const FIRST: u64 = 1;

const CWR: u8 = 0x80;
const ECE: u8 = 0x40;
const ACK: u8 = 0x10;
const SYN: u8 = 0x02;
/// AE of RFC 9768, beside the offset of the data.
const AE: u8 = 0x01;

/// The headers of a UDP datagram with this payload length.
pub(super) fn datagram(ends: &Ends, seen: &Seen<'_>, payload: usize) -> Vec<u8> {
    let mut out = ip(ends, seen, UDP, IP + 8 + payload);
    let (from, to) = ports(ends, seen.forward);
    out.extend([from, to].map(u16::to_be_bytes).concat());
    out.extend(u16::try_from(8 + payload).unwrap_or(u16::MAX).to_be_bytes());
    // No checksum (RFC 768).
    out.extend([0, 0]);
    out
}

/// The headers of a packet that has only fields: a segment of TCP, or a datagram whose payload is
/// its kind in words.
pub(super) fn of_fields(
    ends: &Ends,
    seen: &Seen<'_>,
    fields: &Fields,
    numbers: &Numbers,
) -> Vec<u8> {
    let length = seen.bytes as usize;
    let Some((header, timestamps)) = ends.tcp.filter(|_| fields.role != Role::Other) else {
        let mut out = datagram(ends, seen, length.saturating_sub(IP + 8));
        out.extend(fields.kind.bytes().take(length.saturating_sub(out.len())));
        return out;
    };
    let sends = fields.role == Role::Data;
    // Whole words, of which the options are the rest.
    let header = if sends { header as usize } else { length };
    let words = (header.saturating_sub(IP) / 4).clamp(5, 15);
    let mut out = ip(ends, seen, TCP, length.max(IP + 4 * words));
    let (from, to) = ports(ends, seen.forward);
    out.extend([from, to].map(u16::to_be_bytes).concat());
    let (seq, ack) = match fields.role {
        Role::Data => (FIRST + numbers.offset(fields.number), FIRST),
        Role::Ack => (FIRST, FIRST + numbers.offset(fields.number)),
        _ => (0, if seen.forward { 0 } else { FIRST }),
    };
    // Sequence numbers count modulo 2^32.
    out.extend((seq as u32).to_be_bytes());
    out.extend((ack as u32).to_be_bytes());
    let [ae, cwr, ece] = [4, 2, 1].map(|bit| fields.flags & bit != 0);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    let flags = match fields.role {
        Role::Data => ACK | flag(ece, CWR),
        Role::Ack => ACK | flag(cwr, CWR) | flag(ece, ECE),
        _ => SYN | flag(!seen.forward, ACK) | flag(cwr, CWR) | flag(ece, ECE),
    };
    let ae = flag(ae && !sends, AE);
    out.extend([(words as u8) << 4 | ae, flags, 0xff, 0xff, 0, 0, 0, 0]);
    let mut options = 4 * (words - 5);
    if timestamps && options >= 12 {
        let (value, echo) =
            if sends { (fields.sent_at, Time::ZERO) } else { (seen.at, fields.sent_at) };
        out.extend([1, 1, 8, 10]);
        out.extend(milliseconds(value).to_be_bytes());
        out.extend(milliseconds(echo).to_be_bytes());
        options -= 12;
    }
    // No operation.
    out.extend(std::iter::repeat_n(1, options));
    // The pseudo header: both addresses, the protocol, the length. Data counts as zeros.
    let segment = length.max(out.len()) - IP;
    let sum = sum(&out[12..IP]) + u32::from(TCP) + segment as u32 + sum(&out[IP..]);
    out[IP + 16..IP + 18].copy_from_slice(&folded(sum).to_be_bytes());
    out
}

/// The sum of RFC 1071 over octets of an even number.
fn sum(octets: &[u8]) -> u32 {
    octets.chunks_exact(2).map(|word| u32::from(u16::from_be_bytes([word[0], word[1]]))).sum()
}

/// The checksum of RFC 1071.
fn folded(mut sum: u32) -> u16 {
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

fn milliseconds(time: Time) -> u32 {
    // Timestamps count modulo 2^32 (RFC 7323).
    (time.nanos() / 1_000_000) as u32
}

fn ports(ends: &Ends, forward: bool) -> (u16, u16) {
    let (sender, receiver) = (ends.sender.1, ends.receiver.1);
    if forward { (sender, receiver) } else { (receiver, sender) }
}

fn ip(ends: &Ends, seen: &Seen<'_>, protocol: u8, length: usize) -> Vec<u8> {
    let (from, to) = (ends.sender.0, ends.receiver.0);
    let (from, to) = if seen.forward { (from, to) } else { (to, from) };
    let mut out = vec![0x45, seen.ecn as u8];
    out.extend(u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes());
    // "Don't fragment", and a usual limit of hops.
    out.extend([0, 0, 0x40, 0, 64, protocol, 0, 0]);
    out.extend(from);
    out.extend(to);
    let checksum = folded(sum(&out));
    out[10..12].copy_from_slice(&checksum.to_be_bytes());
    out
}
