//! Probes in captured packets: pcap files of IP packets (IETF draft-ietf-opsawg-pcap), as `atl link
//! --pcap` writes them.

use std::fmt;

/// Magic numbers of files with times in nanoseconds and in microseconds.
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MICROSECONDS: u32 = 0xa1b2_c3d4;
/// Link type of packets that begin with an IP header.
const LINKTYPE_RAW: u32 = 101;
const FILE_HEADER: usize = 24;
const RECORD_HEADER: usize = 16;
/// Protocol number of UDP.
const UDP: u8 = 17;

/// A probe of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Wall-clock time at which it passed, in nanoseconds since 1970.
    pub date: u64,
    /// Its number, counted from 0.
    pub number: u32,
    /// Time of sending, in nanoseconds by the sender's clock.
    pub sent: u64,
    /// Its length, headers included, in bytes.
    pub bytes: u32,
}

/// A defect of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadCapture {
    /// It does not begin as a pcap file.
    NoPcap,
    /// Its packets do not begin with an IP header: the link type.
    LinkType(u32),
    /// The file ends within a record, which begins at this byte.
    CutOff(usize),
}

impl fmt::Display for BadCapture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadCapture::NoPcap => f.write_str("not a pcap file"),
            BadCapture::LinkType(other) => {
                write!(f, "a pcap file of link type {other}; IP packets are {LINKTYPE_RAW}")
            }
            BadCapture::CutOff(at) => write!(f, "the packet at byte {at} is cut off"),
        }
    }
}

impl std::error::Error for BadCapture {}

/// The number and the time of sending that a datagram's payload carries; `None` if it is too short.
pub(crate) fn stamp(payload: &[u8]) -> Option<(u32, u64)> {
    let (number, rest) = payload.split_first_chunk::<4>()?;
    let sent = rest.first_chunk::<8>()?;
    Some((u32::from_be_bytes(*number), u64::from_be_bytes(*sent)))
}

/// All UDP datagrams of a capture that are long enough for a probe, in the order of the file. Other
/// packets are passed over.
///
/// # Errors
/// If the file is not a whole capture of IP packets.
pub fn read(file: &[u8]) -> Result<Vec<Captured>, BadCapture> {
    let word = |bytes: &[u8], at: usize, big: bool| -> Option<u32> {
        let word = *bytes.get(at..)?.first_chunk::<4>()?;
        Some(if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
    };
    let scale = |big| match word(file, 0, big) {
        Some(NANOSECONDS) => Some((big, 1)),
        Some(MICROSECONDS) => Some((big, 1000)),
        _ => None,
    };
    let (big, nanos) = scale(false).or_else(|| scale(true)).ok_or(BadCapture::NoPcap)?;
    // The upper four bits give the length of a frame check sequence.
    let linktype = word(file, 20, big).ok_or(BadCapture::NoPcap)? & 0x0fff_ffff;
    if linktype != LINKTYPE_RAW {
        return Err(BadCapture::LinkType(linktype));
    }
    let mut probes = Vec::new();
    let mut at = FILE_HEADER;
    while at < file.len() {
        let rest = &file[at..];
        let field = |place| word(rest, place, big).ok_or(BadCapture::CutOff(at));
        let (seconds, fraction) = (field(0)?, field(4)?);
        let (length, original) = (field(8)?, field(12)?);
        let packet = rest.get(RECORD_HEADER..).and_then(|rest| rest.get(..length as usize));
        let packet = packet.ok_or(BadCapture::CutOff(at))?;
        let date = u64::from(seconds) * 1_000_000_000 + u64::from(fraction) * nanos;
        if let Some((number, sent)) = payload(packet).and_then(stamp) {
            probes.push(Captured { date, number, sent, bytes: original });
        }
        at += RECORD_HEADER + packet.len();
    }
    Ok(probes)
}

/// The payload of UDP in an IPv4 or IPv6 packet without extension headers.
fn payload(packet: &[u8]) -> Option<&[u8]> {
    let first = *packet.first()?;
    let (protocol, headers) = match first >> 4 {
        4 => (*packet.get(9)?, 4 * usize::from(first & 15)),
        6 => (*packet.get(6)?, 40),
        _ => return None,
    };
    if protocol != UDP {
        return None;
    }
    packet.get(headers..)?.get(8..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(packets: &[(u32, u32, Vec<u8>)]) -> Vec<u8> {
        let mut file = NANOSECONDS.to_le_bytes().to_vec();
        file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]);
        file.extend(LINKTYPE_RAW.to_le_bytes());
        for (seconds, nanos, packet) in packets {
            for word in [*seconds, *nanos, packet.len() as u32, packet.len() as u32] {
                file.extend(word.to_le_bytes());
            }
            file.extend(packet);
        }
        file
    }

    fn probe(number: u32, sent: u64) -> Vec<u8> {
        let mut packet = vec![0; 28];
        packet[0] = 0x45;
        packet[9] = UDP;
        packet.extend(number.to_be_bytes());
        packet.extend(sent.to_be_bytes());
        packet
    }

    #[test]
    fn probes_are_read_and_others_passed_over() {
        let mut tcp = probe(9, 9);
        tcp[9] = 6;
        let file = file(&[(2, 5, probe(7, 123)), (3, 0, tcp), (3, 1, vec![0x45, 0])]);
        let probes = read(&file).expect("a capture");
        assert_eq!(probes, [Captured { date: 2_000_000_005, number: 7, sent: 123, bytes: 40 }]);
        assert_eq!(read(&file[..file.len() - 1]), Err(BadCapture::CutOff(24 + 2 * 56)));
        assert_eq!(read(b"text"), Err(BadCapture::NoPcap));
        let mut ethernet = file;
        ethernet[20] = 1;
        assert_eq!(read(&ethernet), Err(BadCapture::LinkType(1)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..300), whole in any::<bool>()) {
            if whole {
                let mut head = file(&[(1, 2, probe(3, 4))]);
                head.append(&mut bytes);
                bytes = head;
            }
            if let Ok(probes) = read(&bytes) {
                prop_assert!(probes.len() * (RECORD_HEADER + 12) <= bytes.len());
            }
        }
    }
}
