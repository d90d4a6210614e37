//! The proof of a ticket in a connection's first packet.
//!
//! A client chooses the connection ID to which it sends its first packets (RFC 9000, sec. 7.2). A
//! sender with a ticket takes 8 octets at random, and after them the first 12 of their HMAC-SHA-256
//! under a key that comes from the ticket's secret. So the receiver knows before the handshake who
//! may send, and a crowd of strangers keeps no sender out. Whoever sees the packet can copy the ID:
//! it counts once, it gives a place to wait in and no more, and the secret is asked for in any
//! case.

use noq::ConnectionId;
use ring::hmac;

use crate::hash;
use crate::identity::{self, IdentityError};

/// The part of a proof that is drawn at random, and never comes twice.
pub(crate) type Nonce = [u8; 8];

const TAG_OCTETS: usize = 12;

fn tag(secret: &[u8; 16], nonce: &Nonce) -> [u8; TAG_OCTETS] {
    let secret = hmac::Key::new(hmac::HMAC_SHA256, secret);
    let derived = hmac::sign(&secret, b"atl-transfer first packet");
    let key = hmac::Key::new(hmac::HMAC_SHA256, derived.as_ref());
    let mut tag = [0; TAG_OCTETS];
    tag.copy_from_slice(&hmac::sign(&key, nonce).as_ref()[..TAG_OCTETS]);
    tag
}

/// Draws a connection ID that proves this secret.
///
/// # Errors
/// If the system gives no random numbers.
pub(crate) fn draw(secret: &[u8; 16]) -> Result<ConnectionId, IdentityError> {
    let nonce: Nonce = identity::random()?;
    Ok(ConnectionId::new(&[&nonce[..], &tag(secret, &nonce)].concat()))
}

/// The random part of a connection ID that proves this secret; `None` for any other ID.
pub(crate) fn check(secret: &[u8; 16], id: &[u8]) -> Option<Nonce> {
    let (nonce, found) = id.split_first_chunk()?;
    // Hashes are compared, so that the time taken reveals nothing about the tag.
    (hash::of(&tag(secret, nonce)) == hash::of(found)).then_some(*nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_makes_an_id_that_holds_and_no_two_are_the_same() {
        let secret = [7; 16];
        let ids = [draw(&secret), draw(&secret)].map(|id| id.expect("random numbers"));
        let nonces = ids.map(|id| check(&secret, &id).expect("it holds"));
        assert_ne!(nonces[0], nonces[1]);
        let id = ids[0].to_vec();
        assert_eq!(check(&[8; 16], &id), None);
        for place in 0..id.len() {
            assert_eq!(check(&secret, &id[..place]), None);
            let mut other = id.clone();
            other[place] ^= 1;
            assert_eq!(check(&secret, &other), None, "octet {place}");
        }
    }
}
