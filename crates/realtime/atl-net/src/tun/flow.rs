//! The flow of an IP packet.

/// TCP, UDP, DCCP, SCTP and UDP-Lite: their headers begin with two ports.
const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];

/// A hash of the packet's addresses, protocol and ports (RFC 8290, section 4.1); without ports for
/// a fragment (in an IPv6 packet: any extension header), 0 for what is no IP packet. FNV-1a.
pub(super) fn hash(packet: &[u8]) -> u64 {
    let fields = fields(packet).unwrap_or_default();
    if fields.iter().all(|field| field.is_empty()) {
        return 0;
    }
    fields.into_iter().flatten().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Addresses, protocol and ports.
fn fields(packet: &[u8]) -> Option<[&[u8]; 3]> {
    let (addresses, protocol, rest) = match packet.first()? >> 4 {
        4 => {
            let header = packet.get(..20)?;
            let length = 4 * usize::from(header[0] & 0x0f);
            let is_fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3fff != 0;
            let rest = packet.get(length..).filter(|_| !is_fragment).unwrap_or_default();
            (&header[12..20], &header[9..10], rest)
        }
        6 => {
            let header = packet.get(..40)?;
            (&header[8..40], &header[6..7], &packet[40..])
        }
        _ => return None,
    };
    let ports = if WITH_PORTS.contains(&protocol[0]) { rest.get(..4) } else { None };
    Some([addresses, protocol, ports.unwrap_or_default()])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An IPv4 packet with the first bytes of UDP.
    fn ipv4(change: impl Fn(&mut [u8])) -> u64 {
        let mut packet = vec![0; 28];
        packet[0] = 0x45;
        packet[9] = 17;
        packet[12..20].copy_from_slice(&[198, 19, 0, 1, 198, 19, 0, 2]);
        packet[20..24].copy_from_slice(&[0x12, 0x34, 0, 53]);
        change(&mut packet);
        hash(&packet)
    }

    #[test]
    fn a_flow_is_addresses_protocol_and_ports() {
        let same = ipv4(|_| {});
        for (place, matters) in [
            (1, false),
            (4, false),
            (8, false),
            (9, true),
            (15, true),
            (19, true),
            (21, true),
            (23, true),
            (25, false),
        ] {
            assert_eq!(ipv4(|packet| packet[place] ^= 1) != same, matters, "{place}");
        }
        // Fragments have no ports: those of a datagram belong together.
        let fragment = ipv4(|packet| packet[6] = 0x20);
        assert_eq!(fragment, ipv4(|packet| (packet[6], packet[20]) = (0x20, 0x99)));
        assert_ne!(fragment, same);
    }

    #[test]
    fn ipv6_has_flows_too() {
        let mut packet = vec![0; 48];
        (packet[0], packet[6]) = (0x60, 6);
        let first = hash(&packet);
        packet[41] = 1;
        assert_ne!(hash(&packet), first);
        packet[6] = 58;
        let icmp = hash(&packet);
        packet[41] = 2;
        assert_eq!(hash(&packet), icmp);
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_flow(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            hash(&bytes);
        }
    }
}
