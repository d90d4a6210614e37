//! Tickets: a receiver's addresses, its fingerprint, and the right to send to it, in one word.
//!
//! A ticket is `atl` and base 32 in lower case (RFC 4648, sec. 6, without padding) of: the version
//! (1 octet, today 1), the SHA-256 of the receiver's certificate (32), a secret (16), the number of
//! addresses (1), each address as 4 or 6 (1), the IP address (4 or 16) and the port (2), and the
//! first 4 octets of the SHA-256 of all that.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use data_encoding::{BASE32_NOPAD, HEXLOWER};
use ring::digest::{SHA256, digest};

use crate::wire::Hash;

const PREFIX: &str = "atl";
const VERSION: u8 = 1;
const CHECK_OCTETS: usize = 4;
/// Limit on the addresses of a ticket.
pub const MAX_ADDRESSES: usize = 16;

/// A receiver's addresses, its fingerprint, and the right to send to it.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Where it may be reached, best first; 1 to [`MAX_ADDRESSES`].
    pub addresses: Vec<SocketAddr>,
    /// SHA-256 of its certificate.
    pub fingerprint: Fingerprint,
    /// The secret that gives the right to send.
    pub secret: [u8; 16],
}

impl fmt::Debug for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secret does not belong in a log.
        f.debug_struct("Ticket")
            .field("addresses", &self.addresses)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

/// SHA-256 of a certificate in DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub Hash);

impl Fingerprint {
    /// The fingerprint of a certificate in DER.
    pub fn of(certificate: &[u8]) -> Self {
        Fingerprint(sha256(certificate))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl FromStr for Fingerprint {
    type Err = TicketError;

    /// Reads 64 hexadecimal digits, with or without colons between them.
    fn from_str(text: &str) -> Result<Self, TicketError> {
        let digits = text.replace(':', "").to_ascii_lowercase();
        let octets = HEXLOWER.decode(digits.as_bytes()).map_err(|_| TicketError::Fingerprint)?;
        octets.try_into().map(Fingerprint).map_err(|_| TicketError::Fingerprint)
    }
}

/// The reason why a word is no ticket or fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TicketError {
    /// It does not begin like a ticket.
    Form,
    /// A letter is missing or wrong: the checksum differs.
    Check,
    /// It is a ticket of another version.
    Version {
        /// The version in the ticket.
        found: u8,
    },
    /// It has no address, or too many.
    Addresses,
    /// It is not a fingerprint.
    Fingerprint,
}

impl fmt::Display for TicketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TicketError::Form => f.write_str("not a ticket, which begins with `atl`"),
            TicketError::Check => {
                f.write_str("a letter of the ticket is missing or wrong: copy it again, all of it")
            }
            TicketError::Version { found } => {
                write!(f, "a ticket of version {found}; this program reads version {VERSION}")
            }
            TicketError::Addresses => {
                write!(f, "a ticket must have 1 to {MAX_ADDRESSES} addresses")
            }
            TicketError::Fingerprint => {
                f.write_str("a fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits")
            }
        }
    }
}

impl std::error::Error for TicketError {}

fn sha256(octets: &[u8]) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(digest(&SHA256, octets).as_ref());
    hash
}

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut octets = vec![VERSION];
        octets.extend_from_slice(&self.fingerprint.0);
        octets.extend_from_slice(&self.secret);
        let addresses = &self.addresses[..self.addresses.len().min(MAX_ADDRESSES)];
        octets.push(addresses.len() as u8);
        for address in addresses {
            match address.ip() {
                IpAddr::V4(ip) => {
                    octets.push(4);
                    octets.extend_from_slice(&ip.octets());
                }
                IpAddr::V6(ip) => {
                    octets.push(6);
                    octets.extend_from_slice(&ip.octets());
                }
            }
            octets.extend_from_slice(&address.port().to_be_bytes());
        }
        let check = sha256(&octets);
        octets.extend_from_slice(&check[..CHECK_OCTETS]);
        write!(f, "{PREFIX}{}", BASE32_NOPAD.encode(&octets).to_ascii_lowercase())
    }
}

impl FromStr for Ticket {
    type Err = TicketError;

    fn from_str(text: &str) -> Result<Self, TicketError> {
        let word = text.trim().to_ascii_lowercase();
        let word = word.strip_prefix(PREFIX).ok_or(TicketError::Form)?;
        if word.len() > 2 * (64 + MAX_ADDRESSES * 19) {
            return Err(TicketError::Form);
        }
        let octets = BASE32_NOPAD.decode(word.to_ascii_uppercase().as_bytes());
        let octets = octets.map_err(|_| TicketError::Check)?;
        let (body, check) = octets.split_last_chunk::<CHECK_OCTETS>().ok_or(TicketError::Check)?;
        if sha256(body)[..CHECK_OCTETS] != check[..] {
            return Err(TicketError::Check);
        }
        let ([version], body) = body.split_first_chunk().ok_or(TicketError::Form)?;
        if *version != VERSION {
            return Err(TicketError::Version { found: *version });
        }
        fields(body)
    }
}

fn fields(body: &[u8]) -> Result<Ticket, TicketError> {
    let (fingerprint, body) = body.split_first_chunk().ok_or(TicketError::Form)?;
    let (secret, body) = body.split_first_chunk().ok_or(TicketError::Form)?;
    let ([count], mut rest) = body.split_first_chunk().ok_or(TicketError::Form)?;
    if !(1..=MAX_ADDRESSES).contains(&usize::from(*count)) {
        return Err(TicketError::Addresses);
    }
    let mut addresses = Vec::new();
    for _ in 0..*count {
        let ([family], after) = rest.split_first_chunk().ok_or(TicketError::Form)?;
        let (ip, after): (IpAddr, _) = match family {
            4 => {
                let (ip, after) = after.split_first_chunk::<4>().ok_or(TicketError::Form)?;
                (Ipv4Addr::from(*ip).into(), after)
            }
            6 => {
                let (ip, after) = after.split_first_chunk::<16>().ok_or(TicketError::Form)?;
                (Ipv6Addr::from(*ip).into(), after)
            }
            _ => return Err(TicketError::Form),
        };
        let (port, after) = after.split_first_chunk().ok_or(TicketError::Form)?;
        addresses.push(SocketAddr::new(ip, u16::from_be_bytes(*port)));
        rest = after;
    }
    if !rest.is_empty() {
        return Err(TicketError::Form);
    }
    Ok(Ticket { addresses, fingerprint: Fingerprint(*fingerprint), secret: *secret })
}
