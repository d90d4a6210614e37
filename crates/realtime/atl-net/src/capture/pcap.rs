//! The pcap file format with nanoseconds (IETF draft-ietf-opsawg-pcap, sec. 4 and 5).

use atl_core::time::Time;

/// Octets of a packet's header in the file.
pub const RECORD_HEADER: usize = 16;
/// Magic number of a file with times in nanoseconds, in the byte order of the other fields.
const MAGIC_NANOSECONDS: u32 = 0xa1b2_3c4d;
/// Link type of packets that begin with an IPv4 or IPv6 header.
const LINKTYPE_RAW: u32 = 101;
/// Longest packet: nothing is cut off.
const SNAP_LENGTH: u32 = 262_144;

/// The header of a file.
pub fn file_header() -> Vec<u8> {
    let mut header = Vec::with_capacity(24);
    header.extend_from_slice(&MAGIC_NANOSECONDS.to_le_bytes());
    // Version 2.4 of the format.
    header.extend_from_slice(&2_u16.to_le_bytes());
    header.extend_from_slice(&4_u16.to_le_bytes());
    // Two reserved words.
    header.extend_from_slice(&[0; 8]);
    header.extend_from_slice(&SNAP_LENGTH.to_le_bytes());
    header.extend_from_slice(&LINKTYPE_RAW.to_le_bytes());
    header
}

/// The header of a packet of `length` bytes at `date`, counted from 1970, of which the file has the
/// first `captured`.
pub fn record_header(date: Time, captured: u32, length: u32) -> [u8; RECORD_HEADER] {
    let mut header = [0; RECORD_HEADER];
    let words = [
        // Unsigned seconds last until 2106.
        (date.nanos() / 1_000_000_000) as u32,
        (date.nanos() % 1_000_000_000) as u32,
        captured,
        length,
    ];
    for (place, word) in header.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    header
}
