//! Captured packets in pcap files.

use atl_equivalence::capture::read;

/// Length of the shortest record of a probe: its header, headers of IPv4 and UDP, a number and a
/// time.
const SHORTEST: usize = 16 + 28 + 12;

/// A pcap file. Every error has a message; there are no more probes than have room in it.
pub fn captures(data: &[u8]) {
    match read(data) {
        // An IPv4 header may claim to be shorter than it can be, by up to its 20 bytes.
        Ok(probes) => assert!(probes.len() * (SHORTEST - 20) <= data.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
