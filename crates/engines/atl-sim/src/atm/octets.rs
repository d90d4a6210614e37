//! The contents of packets: octets that show whether a packet arrived unchanged.

use atl_link::random::Stream;

/// Octets of the longest IP packet.
const LONGEST: usize = 1 << 16;
/// Packets differ in where in the block they begin.
const BEGINNINGS: usize = 4096;

/// Content of a packet. Octets are made only where a layer needs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// Random octets after the packet's number.
    Numbered(u32),
    /// This octet, repeated.
    Same(u8),
}

/// Random octets that packets are made of.
#[derive(Clone, Debug)]
pub(crate) struct Octets(Vec<u8>);

impl Octets {
    /// Draws them from a stream of their own.
    pub(crate) fn new(mut stream: Stream) -> Self {
        let words = (LONGEST + BEGINNINGS) / 8;
        Octets((0..words).flat_map(|_| stream.next_u64().to_le_bytes()).collect())
    }

    /// Writes the octets of a packet of this length.
    pub(crate) fn fill(&self, filling: Filling, length: usize, sdu: &mut Vec<u8>) {
        sdu.clear();
        match filling {
            Filling::Numbered(number) => {
                sdu.extend_from_slice(self.behind(number, length));
                for (octet, of_number) in sdu.iter_mut().zip(number.to_be_bytes()) {
                    *octet = of_number;
                }
            }
            Filling::Same(octet) => sdu.resize(length, octet),
        }
    }

    /// True if these are the octets of that packet.
    pub(crate) fn are(&self, filling: Filling, length: usize, sdu: &[u8]) -> bool {
        if sdu.len() != length {
            return false;
        }
        match filling {
            Filling::Numbered(number) => {
                let front = length.min(size_of::<u32>());
                sdu[..front] == number.to_be_bytes()[..front]
                    && sdu[front..] == self.behind(number, length)[front..]
            }
            Filling::Same(octet) => sdu.iter().all(|o| *o == octet),
        }
    }

    fn behind(&self, number: u32, length: usize) -> &[u8] {
        let begin = number as usize % BEGINNINGS;
        &self.0[begin..begin + length.min(LONGEST)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_told_from_any_other_and_from_a_damaged_one() {
        let octets = Octets::new(Stream::new(1, "octets"));
        let fillings = [
            Filling::Numbered(0),
            Filling::Numbered(1),
            Filling::Numbered(BEGINNINGS as u32),
            Filling::Same(7),
        ];
        let mut sdu = Vec::new();
        for length in [1, 3, 40, 1500, 65_535] {
            for filling in fillings {
                octets.fill(filling, length, &mut sdu);
                assert_eq!(sdu.len(), length);
                for other in fillings {
                    // The number's first octets are 0 in all of them.
                    if length > 4 {
                        assert_eq!(octets.are(other, length, &sdu), other == filling);
                    }
                }
                assert!(!octets.are(filling, length + 1, &sdu));
                sdu[length - 1] ^= 1;
                assert!(!octets.are(filling, length, &sdu));
            }
        }
    }
}
