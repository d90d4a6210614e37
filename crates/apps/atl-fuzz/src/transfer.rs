//! Messages between the ends of a file transfer.

use atl_core::time::Time;
use atl_transfer::name::{self, Limits};
use atl_transfer::report::ReportReader;
use atl_transfer::ticket::Ticket;
use atl_transfer::wire::{LENGTH_OCTETS, MAX_MESSAGE, Message, decode, encode, length};

/// Decodes the bytes as messages one after the other, as a ticket, and as a datagram with a link
/// report. What is accepted has one form, fits its bounds, and names nothing outside a folder.
pub fn transfer(data: &[u8]) {
    let mut rest = data;
    while let Some((head, after)) = rest.split_first_chunk::<LENGTH_OCTETS>() {
        let Ok(octets) = length(*head, MAX_MESSAGE) else { break };
        assert!((1..=MAX_MESSAGE).contains(&octets));
        let Some((body, after)) = after.split_at_checked(octets) else { break };
        if let Ok(message) = decode(body) {
            assert_eq!(encode(&message)[LENGTH_OCTETS..], *body);
            let path = match &message {
                Message::Offer(offer) => offer.path.as_slice(),
                Message::Folder { path } => path,
                _ => &[],
            };
            for limits in [Limits::NONE, Limits::WINDOWS] {
                if name::check(path, limits).is_ok() {
                    let harmless = |name: &Vec<u8>| {
                        !name.contains(&b'/')
                            && !name.contains(&0)
                            && !matches!(&name[..], b"" | b"." | b"..")
                    };
                    assert!(path.iter().all(harmless));
                }
            }
            assert!(!name::shown(path).contains(char::is_control));
        }
        rest = after;
    }
    if let Ok(ticket) = String::from_utf8_lossy(data).parse::<Ticket>() {
        assert_eq!(ticket.to_string().parse(), Ok(ticket));
    }
    let mut reader = ReportReader::default();
    if let Some(accepted) = reader.accept(Time::ZERO, data) {
        assert!((0.0..=1.0).contains(&accepted.report.loss.get()));
        assert!(reader.accept(Time::ZERO, data).is_none(), "a replay counts once");
    }
}
