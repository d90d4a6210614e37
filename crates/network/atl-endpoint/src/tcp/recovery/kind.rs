//! The loss recovery schemes by name, and their demands on the receiver.

/// A scheme by which a TCP sender repairs losses.
///
/// To add a scheme: add a variant here, for which the compiler then asks in every `match` below and
/// in `Strategy`, and a file beside this one that implements `LossRecovery`. All its methods are
/// required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit, and a fast recovery that ends at the first new ACK (RFC 5681).
    Reno,
    /// Like Reno, but partial ACKs continue the recovery (RFC 6582).
    NewReno,
    /// Selective acknowledgments (RFC 2018, RFC 6675).
    Sack,
    /// Selective acknowledgments with time-based loss detection, which finds lost retransmissions
    /// and lost tails without the retransmission timer (RACK-TLP, RFC 8985).
    Rack,
    /// QUIC's recovery: packet and time thresholds for each transmission, probe timeouts, recovery
    /// periods by the time of sending (RFC 9002).
    Quic,
    /// Fast retransmit without fast recovery: slow start after each loss (Jacobson 1988).
    Tahoe,
    /// Tahoe as in ns-2: RTTs are timed as Karn and Partridge say (see [`Recovery::times_one`]).
    TahoeNs2,
    /// Reno as in ns-2 with its defaults: one fast retransmit for the losses of one window
    /// (`bugFix_`), and RTTs timed as Karn and Partridge say.
    RenoNs2,
    /// NewReno as in ns-2 with its defaults, likewise.
    NewRenoNs2,
    /// Go-back-N ARQ (AAL-T paper, eq. 3 and 4): the receiver discards segments that arrive out of
    /// order, and at the first sign of a loss the sender resends everything from the hole on.
    GoBackN,
    /// No error control (AAL-T paper, sec. 5.1: an infinite retransmission timer): nothing is ever
    /// resent. For TCP above a layer that repairs every loss.
    None,
}

/// A loss recovery's demands on the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverDuties {
    /// The receiver sends SACK blocks (RFC 2018).
    pub sack: bool,
    /// The receiver reports duplicates (D-SACK, RFC 2883).
    pub dsack: bool,
    /// The receiver discards segments that arrive out of order. It acknowledges them either way.
    pub discards: bool,
}

impl Recovery {
    /// All schemes, in the order of the documentation.
    pub const ALL: [Recovery; 11] = [
        Recovery::Reno,
        Recovery::NewReno,
        Recovery::Sack,
        Recovery::Rack,
        Recovery::Quic,
        Recovery::Tahoe,
        Recovery::TahoeNs2,
        Recovery::RenoNs2,
        Recovery::NewRenoNs2,
        Recovery::GoBackN,
        Recovery::None,
    ];

    /// Its name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Recovery::Reno => "reno",
            Recovery::NewReno => "newreno",
            Recovery::Sack => "sack",
            Recovery::Rack => "rack",
            Recovery::Quic => "quic",
            Recovery::Tahoe => "tahoe",
            Recovery::TahoeNs2 => "tahoe-ns2",
            Recovery::RenoNs2 => "reno-ns2",
            Recovery::NewRenoNs2 => "newreno-ns2",
            Recovery::GoBackN => "go-back-n",
            Recovery::None => "none",
        }
    }

    /// The scheme's demands on the receiver.
    pub const fn receiver(self) -> ReceiverDuties {
        let cumulative = ReceiverDuties { sack: false, dsack: false, discards: false };
        match self {
            Recovery::Reno
            | Recovery::NewReno
            | Recovery::Tahoe
            | Recovery::TahoeNs2
            | Recovery::RenoNs2
            | Recovery::NewRenoNs2
            | Recovery::None => cumulative,
            Recovery::Sack | Recovery::Quic => ReceiverDuties { sack: true, ..cumulative },
            // RACK widens its reordering window when duplicates are reported.
            Recovery::Rack => ReceiverDuties { sack: true, dsack: true, ..cumulative },
            Recovery::GoBackN => ReceiverDuties { discards: true, ..cumulative },
        }
    }

    /// False if the scheme never retransmits.
    pub const fn repairs(self) -> bool {
        match self {
            Recovery::Reno
            | Recovery::NewReno
            | Recovery::Sack
            | Recovery::Rack
            | Recovery::Quic
            | Recovery::Tahoe
            | Recovery::TahoeNs2
            | Recovery::RenoNs2
            | Recovery::NewRenoNs2
            | Recovery::GoBackN => true,
            Recovery::None => false,
        }
    }

    /// True if the scheme has no timestamps, whatever [`Tcp::timestamps`](crate::tcp::Tcp) says: it
    /// times one segment at a time, and none that was resent.
    pub const fn times_one(self) -> bool {
        matches!(self, Recovery::TahoeNs2 | Recovery::RenoNs2 | Recovery::NewRenoNs2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_has_a_name_of_its_own() {
        for (i, recovery) in Recovery::ALL.into_iter().enumerate() {
            assert!(Recovery::ALL[i + 1..].iter().all(|other| other.name() != recovery.name()));
        }
    }
}
