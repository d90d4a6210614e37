//! The form of messages: one for each, and an error for everything else.

use atl_transfer::name::Limits;
use atl_transfer::wire::{
    Hello, LENGTH_OCTETS, MAX_HELLO, MAX_MESSAGE, MAX_OFFER, MAX_PIECES, MAX_REFUSAL, Message,
    Modified, Name, Offer, Pieces, Reason, Welcome, WireError, decode, encode, length,
};
use proptest::prelude::*;

fn path() -> impl Strategy<Value = Vec<Name>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..=64)
}

fn pieces() -> impl Strategy<Value = Pieces> {
    (16..=20_u8, 0..2_000_000_u64).prop_map(|(bits, length)| {
        let hashes = (0..length.div_ceil(1 << bits)).map(|n| [n as u8; 32]).collect();
        Pieces::new(length, bits, hashes).expect("a hash for each")
    })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        any::<([u8; 16], [u8; 16], u32, u64)>().prop_map(|(session, secret, features, bytes)| {
            Message::Hello(Hello { session, secret, features, bytes })
        }),
        any::<(u64, u32, u8)>().prop_map(|(instance, features, limits)| {
            let limits = Limits::from_bits(limits);
            Message::Welcome(Welcome { instance, features, limits })
        }),
        (prop::sample::select(&Reason::ALL[..]), "\\PC{0,60}")
            .prop_map(|(reason, text)| Message::Refused { reason, text }),
        (any::<u64>(), 0..=0o777_u16, any::<i64>(), 0..1_000_000_000_u32, path()).prop_map(
            |(size, mode, seconds, nanos, path)| {
                Message::Offer(Offer { size, mode, modified: Modified { seconds, nanos }, path })
            }
        ),
        pieces().prop_map(Message::Have),
        any::<u64>().prop_map(Message::From),
        any::<[u8; 32]>().prop_map(Message::Digest),
        Just(Message::Done),
        any::<Option<std::num::NonZeroU64>>()
            .prop_map(|bytes| Message::Load { bytes: bytes.map(Into::into) }),
        any::<(u64, u64)>().prop_map(|(bytes, nanos)| Message::Loaded { bytes, nanos }),
        any::<u64>().prop_map(Message::Progress),
        Just(Message::Bye),
        path().prop_map(|path| Message::Folder { path }),
    ]
}

fn split(octets: &[u8]) -> (usize, &[u8]) {
    let (head, body) = octets.split_first_chunk::<LENGTH_OCTETS>().expect("a length");
    (length(*head, MAX_MESSAGE).expect("short enough"), body)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(message in message()) {
        let octets = encode(&message);
        let (length, body) = split(&octets);
        prop_assert_eq!(length, body.len());
        prop_assert_eq!(decode(body), Ok(message));
    }

    #[test]
    fn a_message_that_is_cut_or_longer_is_an_error(message in message(), cut in any::<prop::sample::Index>()) {
        let octets = encode(&message);
        let (_, body) = split(&octets);
        prop_assert!(decode(&body[..cut.index(body.len())]).is_err());
        let mut longer = body.to_vec();
        longer.push(0);
        prop_assert!(decode(&longer).is_err());
    }

    #[test]
    fn anything_is_read_without_a_panic_and_has_one_form(octets in prop::collection::vec(any::<u8>(), 0..200), kind in 0..16_u8) {
        let mut octets = octets;
        if let Some(first) = octets.first_mut() {
            *first = kind;
        }
        if let Ok(message) = decode(&octets) {
            prop_assert_eq!(&encode(&message)[LENGTH_OCTETS..], &octets[..]);
        }
    }
}

#[test]
fn a_file_on_offer_looks_like_this() {
    let modified = Modified { seconds: -2, nanos: 515 };
    let path = vec![b"\xff".to_vec(), b"bc".to_vec()];
    let offer = Offer { size: 258, mode: 0o755, modified, path };
    let octets = encode(&Message::Offer(offer));
    let head = [0, 0, 0, 32, 4, 0, 0, 0, 0, 0, 0, 1, 2, 1, 0o355];
    let modified = [255, 255, 255, 255, 255, 255, 255, 254, 0, 0, 2, 3, 0, 2];
    assert_eq!(octets, [&head[..], &modified, &[0, 1, 0xff, 0, 2, b'b', b'c']].concat());
}

#[test]
fn lengths_are_refused_before_room_is_made() {
    assert_eq!(length([0, 0, 0, 45], MAX_HELLO), Ok(45));
    for octets in [[0, 0, 0, 46], [255; 4], [0; 4]] {
        assert!(matches!(length(octets, MAX_HELLO), Err(WireError::Length { .. })), "{octets:?}");
    }
}

#[test]
fn the_longest_messages_are_as_long_as_it_is_said() {
    let of = |message: &Message| encode(message).len() - LENGTH_OCTETS;
    let path = vec![vec![b'x'; 255]; 64];
    assert_eq!(
        of(&Message::Offer(Offer { size: 0, mode: 0o644, modified: Modified::default(), path })),
        MAX_OFFER
    );
    let pieces = Pieces::new((MAX_PIECES as u64) << 16, 16, vec![[0; 32]; MAX_PIECES]);
    assert_eq!(of(&Message::Have(pieces.expect("as many as allowed"))), MAX_MESSAGE);
    let hello = Hello { session: [0; 16], secret: [0; 16], features: 0, bytes: 0 };
    assert_eq!(of(&Message::Hello(hello)), MAX_HELLO);
    // A text is cut between characters: 254 octets of 255.
    let refused = Message::Refused { reason: Reason::Name, text: "ü".repeat(200) };
    assert_eq!(of(&refused), MAX_REFUSAL - 1);
}
