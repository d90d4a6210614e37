//! Datagrams that leave as one message.

use std::net::SocketAddr;

use crate::ecn::Stamp;

/// Most datagrams in a message, of any kernel that knows such messages.
const MOST: usize = 64;
/// Most bytes of a message: those of the longest datagram over IPv4.
const MOST_BYTES: usize = 65_507;

/// A datagram that is to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Departure {
    /// Its destination, unless its socket has one.
    pub(super) address: Option<SocketAddr>,
    /// Its traffic class.
    pub(super) stamp: Stamp,
    /// Its length.
    pub(super) bytes: usize,
}

/// Number of these, from the first on, that can leave as one message: to one destination, in one
/// class, of one length up to `longest`, except for the last, which may be shorter. It is at least
/// 1, or 0 without departures. An empty datagram leaves alone: in a message it would vanish.
pub(super) fn joined(departures: &[Departure], longest: usize) -> usize {
    let Some(first) = departures.first() else { return 0 };
    if first.bytes == 0 || first.bytes > longest {
        return 1;
    }
    let (mut count, mut bytes) = (1, first.bytes);
    for next in &departures[1..] {
        let alike = next.address == first.address && next.stamp == first.stamp;
        let fits = next.bytes <= first.bytes && bytes + next.bytes <= MOST_BYTES && count < MOST;
        if !alike || !fits || next.bytes == 0 {
            break;
        }
        (count, bytes) = (count + 1, bytes + next.bytes);
        if next.bytes < first.bytes {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: usize = usize::MAX;

    fn departures(bytes: &[usize]) -> Vec<Departure> {
        let to = SocketAddr::from(([127, 0, 0, 1], 1));
        let stamp = Stamp::new(0, to);
        bytes.iter().map(|&bytes| Departure { address: Some(to), stamp, bytes }).collect()
    }

    fn count(bytes: &[usize]) -> usize {
        joined(&departures(bytes), ANY)
    }

    #[test]
    fn equal_lengths_leave_together_and_the_last_may_be_shorter() {
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[7, 7, 7]), 3);
        assert_eq!(count(&[7, 7, 3, 7]), 3, "none after a shorter one");
        assert_eq!(count(&[7, 8]), 1, "none that is longer");
        assert_eq!(count(&[7, 0]), 1);
        assert_eq!(count(&[0, 0]), 1, "a datagram without bytes leaves alone");
        assert_eq!(joined(&departures(&[7, 7]), 6), 1, "too long for the way");
    }

    #[test]
    fn a_message_is_bounded() {
        assert_eq!(count(&[1; 100]), MOST);
        assert_eq!(count(&[1200; 100]), 54);
        assert_eq!(count(&[40_000, 25_507]), 2);
        assert_eq!(count(&[40_000, 25_508]), 1);
    }

    #[test]
    fn destinations_and_classes_are_kept_apart() {
        let mut mixed = departures(&[7, 7, 7]);
        let other = SocketAddr::from(([127, 0, 0, 1], 2));
        mixed[2].address = Some(other);
        assert_eq!(joined(&mixed, ANY), 2);
        mixed[1].stamp = Stamp::new(1, other);
        assert_eq!(joined(&mixed, ANY), 1);
    }
}
