//! Marks in the headers of real packets.

use atl_link::Ecn;

/// Writes the ECN field of an IPv4 or IPv6 packet; anything else stays as it is.
///
/// The checksum of an IPv4 header follows by RFC 1624, eqn. 3, from the 16 bits that change alone:
/// a header that was wrong stays wrong. IPv6 has none, and no transport's checksum covers the
/// field.
pub(super) fn write(packet: &mut [u8], ecn: Ecn) {
    match packet.first().map(|first| first >> 4) {
        Some(4) if packet.len() >= 20 => {
            let before = u16::from_be_bytes([packet[0], packet[1]]);
            packet[1] = packet[1] & !0b11 | ecn as u8;
            let after = u16::from_be_bytes([packet[0], packet[1]]);
            if before != after {
                let sum = u16::from_be_bytes([packet[10], packet[11]]);
                packet[10..12].copy_from_slice(&updated(sum, before, after).to_be_bytes());
            }
        }
        Some(6) if packet.len() >= 40 => packet[1] = packet[1] & !0b11_0000 | (ecn as u8) << 4,
        _ => {}
    }
}

/// A checksum after 16 bits of what it covers have changed: HC' = ~(~HC + ~m + m').
fn updated(sum: u16, before: u16, after: u16) -> u16 {
    let total = u32::from(!sum) + u32::from(!before) + u32::from(after);
    // The sum of three has at most two bits above the 16.
    let folded = (total & 0xffff) + (total >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::header::Header;
    use super::*;

    const ALL: [Ecn; 4] = [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce];

    /// The checksum of RFC 791 over a whole header whose own field is clear.
    fn checksum(header: &[u8]) -> u16 {
        let words = header.chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])));
        let mut sum: u32 = words.sum();
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }

    fn v4() -> impl Strategy<Value = Vec<u8>> {
        (any::<[u8; 60]>(), 5..=15_u8, prop::collection::vec(any::<u8>(), 0..40)).prop_map(
            |(octets, words, payload)| {
                let mut packet = octets[..4 * usize::from(words)].to_vec();
                packet[0] = 0x40 | words;
                packet[10..12].fill(0);
                let sum = checksum(&packet).to_be_bytes();
                packet[10..12].copy_from_slice(&sum);
                packet.extend(payload);
                packet
            },
        )
    }

    /// The example of RFC 1624, section 4: a field goes from 0x5555 to 0x3285 where the sum is
    /// 0xdd2f, and the sum becomes 0, not its other form 0xffff.
    #[test]
    fn the_example_of_the_rfc() {
        assert_eq!(updated(0xdd2f, 0x5555, 0x3285), 0);
    }

    proptest! {
        /// rfc3168 5: A router sets CE in the two bits of the IP header and changes nothing else
        /// but the header's checksum, which stays right.
        #[test]
        fn ipv4_headers_stay_right(packet in v4(), which in 0..4_usize) {
            let ecn = ALL[which];
            let mut marked = packet.clone();
            write(&mut marked, ecn);
            let (before, after) = (Header::read(&packet).unwrap(), Header::read(&marked).unwrap());
            prop_assert_eq!(after, Header { ecn, ..before });
            let header = &mut marked[..4 * usize::from(packet[0] & 0xf)].to_vec();
            let sum = u16::from_be_bytes([header[10], header[11]]);
            header[10..12].fill(0);
            // Zero has two forms.
            let right = checksum(header);
            prop_assert!(sum == right || sum == !right && [0, 0xffff].contains(&sum), "{sum:x}");
            for (i, (was, is)) in packet.iter().zip(&marked).enumerate() {
                prop_assert!(was == is || [1, 10, 11].contains(&i), "octet {}", i);
            }
            // A router further on clears what this one has set, and the packet is the old one.
            write(&mut marked, before.ecn);
            prop_assert_eq!(&marked[..10], &packet[..10]);
            prop_assert_eq!(&marked[12..], &packet[12..]);
        }

        #[test]
        fn ipv6_headers_change_in_two_bits(
            mut packet in prop::collection::vec(any::<u8>(), 40..90), which in 0..4_usize
        ) {
            packet[0] = 0x60 | packet[0] & 0xf;
            let ecn = ALL[which];
            let mut marked = packet.clone();
            write(&mut marked, ecn);
            let (before, after) = (Header::read(&packet).unwrap(), Header::read(&marked).unwrap());
            prop_assert_eq!(after, Header { ecn, ..before });
            packet[1] = packet[1] & !0b11_0000 | (ecn as u8) << 4;
            prop_assert_eq!(packet, marked);
        }

        #[test]
        fn any_bytes_are_written_without_panic(
            mut bytes in prop::collection::vec(any::<u8>(), 0..80), which in 0..4_usize
        ) {
            let before = bytes.clone();
            write(&mut bytes, ALL[which]);
            if Header::read(&before).is_none() {
                prop_assert_eq!(bytes, before);
            }
        }
    }
}
