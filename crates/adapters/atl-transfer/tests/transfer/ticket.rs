//! The text form of tickets and fingerprints.

use std::net::SocketAddr;

use atl_transfer::ticket::{Fingerprint, Ticket, TicketError};
use proptest::prelude::*;

fn ticket() -> impl Strategy<Value = Ticket> {
    let addresses = prop::collection::vec(any::<SocketAddr>(), 1..=16);
    (addresses, any::<[u8; 32]>(), any::<[u8; 16]>()).prop_map(|(addresses, hash, secret)| {
        // Tickets carry neither scope nor flow label, which have no meaning on another machine.
        let plain = |address: SocketAddr| SocketAddr::new(address.ip(), address.port());
        let addresses = addresses.into_iter().map(plain).collect();
        Ticket { addresses, fingerprint: Fingerprint(hash), secret }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_ticket_is_read_as_it_was_written(ticket in ticket()) {
        let text = ticket.to_string();
        prop_assert_eq!(text.parse::<Ticket>(), Ok(ticket.clone()));
        prop_assert_eq!(text.to_uppercase().parse::<Ticket>(), Ok(ticket));
    }

    #[test]
    fn a_wrong_letter_is_noticed(ticket in ticket(), place in any::<prop::sample::Index>(), letter in "[a-z2-7]") {
        let text = ticket.to_string();
        let place = 3 + place.index(text.len() - 3);
        let wrong = format!("{}{letter}{}", &text[..place], &text[place + 1..]);
        if wrong != text {
            prop_assert!(wrong.parse::<Ticket>().is_err(), "{wrong}");
        }
        prop_assert!(text[..place].parse::<Ticket>().is_err());
    }

    #[test]
    fn any_word_is_read_without_a_panic(text in "(atl)?\\PC{0,300}") {
        let _ = text.parse::<Ticket>();
        let _ = text.parse::<Fingerprint>();
    }
}

#[test]
fn fingerprints_are_hexadecimal() {
    let digits = "ab".repeat(32);
    let read: Fingerprint = digits.parse().expect("64 digits");
    assert_eq!((read.0, read.to_string()), ([0xab; 32], digits.clone()));
    let colons = vec!["AB"; 32].join(":");
    assert_eq!(colons.parse(), Ok(read));
    for wrong in ["", "ab", &digits[1..], &format!("{digits}ab"), &"xy".repeat(32)] {
        assert_eq!(wrong.parse::<Fingerprint>(), Err(TicketError::Fingerprint), "{wrong}");
    }
}
