//! The packets that a datagram holds (RFC 9000, sec. 12.2), as far as anyone can see who has no
//! keys.

/// Version 2 of QUIC (RFC 9369), which numbers its packet types differently.
const VERSION_2: u32 = 0x6b33_43cf;

/// The sizes in bytes of a datagram's packets, in order. A header that makes no sense counts as
/// that of a packet which fills the rest.
pub(super) fn packet_sizes(datagram: &[u8]) -> impl Iterator<Item = usize> {
    let mut rest = datagram;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let size = long_packet(rest).filter(|&size| size <= rest.len()).unwrap_or(rest.len());
        rest = &rest[size..];
        Some(size)
    })
}

/// The size of a packet with a long header that tells its length (RFC 9000, sec. 17.2); `None` of
/// every other.
fn long_packet(bytes: &[u8]) -> Option<usize> {
    let mut reader = Reader { bytes, at: 0 };
    let first = reader.take(1)?[0];
    if first & 0x80 == 0 {
        return None;
    }
    let version = u32::from_be_bytes(reader.take(4)?.try_into().ok()?);
    // Initial, 0-RTT, Handshake, Retry; in version 2 Retry, Initial, 0-RTT, Handshake.
    let kind = (first >> 4) & 3;
    let kind = if version == VERSION_2 { kind.wrapping_sub(1) & 3 } else { kind };
    if version == 0 || kind == 3 {
        return None;
    }
    for _connection_id in 0..2 {
        let length = reader.take(1)?[0];
        reader.take(length.into())?;
    }
    if kind == 0 {
        let token = reader.variable()?;
        reader.take(usize::try_from(token).ok()?)?;
    }
    let length = usize::try_from(reader.variable()?).ok()?;
    reader.at.checked_add(length).filter(|&size| size > 0)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// A variable-length integer (RFC 9000, sec. 16).
    fn variable(&mut self) -> Option<u64> {
        let first = self.take(1)?[0];
        let more = (1_usize << (first >> 6)) - 1;
        let rest = self.take(more)?;
        Some(rest.iter().fold(u64::from(first & 0x3f), |value, &byte| value << 8 | u64::from(byte)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A long header: first byte, version, connection IDs of 2 bytes and 1, then what follows.
    fn long(first: u8, version: u32, then: &[u8]) -> Vec<u8> {
        let mut packet = vec![first];
        packet.extend(version.to_be_bytes());
        packet.extend([2, 7, 7, 1, 8]);
        packet.extend(then);
        packet
    }

    #[test]
    fn coalesced_packets_are_told_apart() {
        // Initial: token of 3 bytes, length 5. Handshake: length 0x4006 is 6. Then a short header.
        let initial = long(0xc0, 1, &[3, 9, 9, 9, 5, 1, 2, 3, 4, 5]);
        let handshake = long(0xe0, 1, &[0x40, 6, 1, 2, 3, 4, 5, 6]);
        let short = vec![0x40; 30];
        let datagram = [initial.clone(), handshake.clone(), short].concat();
        let sizes: Vec<usize> = packet_sizes(&datagram).collect();
        assert_eq!(sizes, [initial.len(), handshake.len(), 30]);
        // Version 2: type 1 is Initial, type 0 Retry.
        let initial = long(0xd0, VERSION_2, &[1, 9, 2, 1, 2]);
        let datagram = [initial.clone(), vec![0x40; 3]].concat();
        assert_eq!(packet_sizes(&datagram).collect::<Vec<_>>(), [initial.len(), 3]);
        let retry = long(0xc0, VERSION_2, &[0; 20]);
        assert_eq!(packet_sizes(&retry).collect::<Vec<_>>(), [retry.len()]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_divided_completely(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(packet_sizes(&bytes).sum::<usize>(), bytes.len());
            prop_assert!(packet_sizes(&bytes).all(|size| size > 0));
        }
    }
}
