//! Addresses for the hosts of a lab.
//!
//! They are from the ranges for benchmarks of network devices: 198.18.0.0/15 (RFC 2544, appendix
//! C.2.2; RFC 6890) and 2001:2::/48 (RFC 5180). Nobody routes them, and unlike 100.64.0.0/10
//! (RFC 6598) neither mobile carriers nor overlay networks hand them out, so that they are free
//! on a machine whose uplink is one of those. Of the first range it is the upper half: some proxies
//! use the lower one for addresses of their own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The number of hosts that a block has addresses for.
pub const MAX_HOSTS: usize = 254;

/// Addresses for the hosts of one lab: 198.19.B.0/24 and 2001:2:0:B::/64. Host 0 has the first
/// address of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block(u8);

impl Block {
    /// All blocks, in order.
    pub fn all() -> impl Iterator<Item = Block> {
        (0..=u8::MAX).map(Block)
    }

    /// The IPv4 address of a host below [`MAX_HOSTS`].
    pub fn v4(self, host: usize) -> Ipv4Addr {
        Ipv4Addr::new(198, 19, self.0, last(host))
    }

    /// The IPv6 address of a host below [`MAX_HOSTS`].
    pub fn v6(self, host: usize) -> Ipv6Addr {
        Ipv6Addr::new(0x2001, 2, 0, u16::from(self.0), 0, 0, 0, u16::from(last(host)))
    }

    /// Both networks: address and length of the prefix.
    pub(super) fn networks(self) -> [(IpAddr, u8); 2] {
        [
            (Ipv4Addr::new(198, 19, self.0, 0).into(), 24),
            (Ipv6Addr::new(0x2001, 2, 0, u16::from(self.0), 0, 0, 0, 0).into(), 64),
        ]
    }

    /// The host with this address.
    pub fn host(self, address: IpAddr) -> Option<usize> {
        let last = match address {
            IpAddr::V4(v4) => v4.octets()[3],
            IpAddr::V6(v6) => v6.octets()[15],
        };
        let host = usize::from(last).checked_sub(1)?;
        let known = match address {
            IpAddr::V4(v4) => host < MAX_HOSTS && v4 == self.v4(host),
            IpAddr::V6(v6) => host < MAX_HOSTS && v6 == self.v6(host),
        };
        known.then_some(host)
    }
}

/// The last octet of a host's addresses, 1 to 254.
fn last(host: usize) -> u8 {
    debug_assert!(host < MAX_HOSTS);
    host as u8 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_hosts_are_inverse() {
        for block in [Block(0), Block(7), Block(255)] {
            for host in 0..MAX_HOSTS {
                assert_eq!(block.host(block.v4(host).into()), Some(host));
                assert_eq!(block.host(block.v6(host).into()), Some(host));
            }
        }
        assert_eq!(Block(3).v4(0), Ipv4Addr::new(198, 19, 3, 1));
        assert_eq!(Block(3).v6(9).to_string(), "2001:2:0:3::a");
    }

    #[test]
    fn other_addresses_are_nobody_s() {
        let block = Block(3);
        for other in
            ["198.19.3.0", "198.19.3.255", "198.19.4.1", "2001:2:0:3::", "2001:2:0:4::1", "ff02::1"]
        {
            assert_eq!(block.host(other.parse().unwrap()), None, "{other}");
        }
        assert_eq!(block.host("2001:2:0:3:1::1".parse().unwrap()), None);
    }
}
