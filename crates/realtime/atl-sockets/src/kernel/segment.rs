//! TCP segments in IPv4 packets, as far as counting needs them.

/// Number of TCP as an IP protocol (RFC 9293).
const TCP: u8 = 6;
/// Kinds of options (RFC 9293, sec. 3.1; RFC 2018, sec. 3).
const END: u8 = 0;
const NOTHING: u8 = 1;
const SACK: u8 = 5;

/// A TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub from_port: u16,
    pub to_port: u16,
    /// Number of its first byte.
    pub seq: u32,
    /// Bytes of data.
    pub bytes: u32,
    /// The byte that is expected next in the other direction.
    pub ack: u32,
    /// The end of the first block of a SACK option: what has just arrived.
    pub sacked: Option<u32>,
}

impl Segment {
    /// Number of the byte after its last.
    pub(super) fn end(&self) -> u32 {
        self.seq.wrapping_add(self.bytes)
    }

    /// Reads an IPv4 packet (RFC 791); `None` for anything but a whole TCP segment.
    pub(super) fn read(packet: &[u8]) -> Option<Segment> {
        let header: &[u8; 20] = packet.first_chunk()?;
        let length = usize::from(header[0] & 0x0f) * 4;
        let is_fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3fff != 0;
        if header[0] >> 4 != 4 || header[9] != TCP || is_fragment || length < header.len() {
            return None;
        }
        let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
        let segment = packet.get(length..total)?;
        let tcp: &[u8; 20] = segment.first_chunk()?;
        let data = usize::from(tcp[12] >> 4) * 4;
        let options = segment.get(tcp.len()..data)?;
        let half = |at: usize| u16::from_be_bytes([tcp[at], tcp[at + 1]]);
        let word = |at: usize| u32::from(half(at)) << 16 | u32::from(half(at + 2));
        Some(Segment {
            from_port: half(0),
            to_port: half(2),
            seq: word(4),
            // A packet has at most 65 535 octets.
            bytes: (segment.len() - data) as u32,
            ack: word(8),
            sacked: sacked(options),
        })
    }
}

/// The end of the first block of a SACK option.
fn sacked(mut options: &[u8]) -> Option<u32> {
    loop {
        let (&kind, rest) = options.split_first()?;
        options = match kind {
            END => return None,
            NOTHING => rest,
            _ => {
                let length = usize::from(*rest.first()?);
                let option = options.get(..length.max(2))?;
                if kind == SACK {
                    return option.get(6..10)?.try_into().ok().map(u32::from_be_bytes);
                }
                &options[option.len()..]
            }
        };
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A packet with these numbers, options and octets of data.
    pub(crate) fn packet(seq: u32, ack: u32, options: &[u8], data: usize) -> Vec<u8> {
        let header = 20 + options.len();
        let mut packet = vec![0; 20 + header + data];
        let total = packet.len() as u16;
        packet[0] = 0x45;
        packet[2..4].copy_from_slice(&total.to_be_bytes());
        packet[9] = TCP;
        packet[20..24].copy_from_slice(&[0x27, 0x10, 0x27, 0x11]);
        packet[24..28].copy_from_slice(&seq.to_be_bytes());
        packet[28..32].copy_from_slice(&ack.to_be_bytes());
        packet[32] = (header as u8 / 4) << 4;
        packet[40..20 + header].copy_from_slice(options);
        packet
    }

    #[test]
    fn numbers_and_bytes() {
        let read = Segment::read(&packet(0xffff_fffe, 7, &[], 10)).expect("a segment");
        let Segment { from_port, to_port, seq, bytes, ack, sacked } = read;
        assert_eq!((from_port, to_port, seq, bytes, ack), (10_000, 10_001, 0xffff_fffe, 10, 7));
        assert_eq!((sacked, read.end()), (None, 8));
    }

    #[test]
    fn the_first_block_of_sack_behind_other_options() {
        // Timestamps after two fillers, as Linux has them; then two fillers and a block.
        let mut options = vec![1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1, 5, 10];
        options.extend([0, 0, 0, 5, 0, 0, 0, 9]);
        assert_eq!(Segment::read(&packet(1, 1, &options, 0)).and_then(|s| s.sacked), Some(9));
        options[12] = 0;
        assert_eq!(Segment::read(&packet(1, 1, &options, 0)).and_then(|s| s.sacked), None);
    }

    #[test]
    fn what_is_cut_off_or_no_segment_is_none() {
        let whole = packet(1, 1, &[1, 1, 1, 1], 3);
        for length in 0..whole.len() {
            assert_eq!(Segment::read(&whole[..length]), None, "{length}");
        }
        for (at, value) in [(0, 0x65), (0, 0x44), (6, 0x20), (9, 17), (32, 0x40), (32, 0xf0)] {
            let mut bad = whole.clone();
            bad[at] = value;
            assert_eq!(Segment::read(&bad), None, "octet {at} is {value}");
        }
    }

    proptest! {
        #[test]
        fn any_octets_are_read_without_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..120),
            tcp in any::<bool>(),
        ) {
            if tcp && bytes.len() > 32 {
                let total = bytes.len() as u16;
                bytes[0] = 0x45;
                bytes[2..4].copy_from_slice(&total.to_be_bytes());
                (bytes[6], bytes[7], bytes[9]) = (0, 0, TCP);
            }
            if let Some(segment) = Segment::read(&bytes) {
                prop_assert!((segment.bytes as usize) < bytes.len());
            }
        }
    }
}
