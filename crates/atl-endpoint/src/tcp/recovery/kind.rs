//! The loss recoveries by name, and what each asks of the receiver.

/// How a TCP sender repairs losses.
///
/// To add one: a variant here, which the compiler then asks for in every `match` below and in
/// [`Strategy`](super::Strategy), and a file beside this one that implements
/// [`LossRecovery`](super::strategy::LossRecovery), all of whose methods are required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit and fast recovery (RFC 5681), which ends at the first new ACK.
    Reno,
    /// NewReno (RFC 6582): partial ACKs keep recovery going.
    NewReno,
    /// Selective acknowledgments (RFC 2018, RFC 6675).
    Sack,
    /// Selective acknowledgments, with losses judged by time: finds lost retransmissions and lost tails without the
    /// retransmission timer (RACK-TLP, RFC 8985).
    Rack,
    /// Fast retransmit without fast recovery: slow start after each loss (Jacobson 1988).
    Tahoe,
    /// Go-back-N ARQ (AAL-T paper, eq. 3 and 4): the receiver keeps nothing that arrives out of order, and at the first
    /// sign of a loss the sender sends everything again from the hole on.
    GoBackN,
    /// No error control (AAL-T paper, sec. 5.1: an infinite retransmission timer): nothing is ever sent again. For a
    /// TCP above a layer that repairs every loss.
    None,
}

/// What a receiver does for its sender's loss recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiverDuties {
    /// It sends SACK blocks (RFC 2018).
    pub sack: bool,
    /// It reports duplicates (D-SACK, RFC 2883).
    pub dsack: bool,
    /// It discards segments that arrive out of order. It acknowledges them either way.
    pub discards: bool,
}

impl Recovery {
    /// All of them, in the order in which documents list them.
    pub const ALL: [Recovery; 7] = [
        Recovery::Reno,
        Recovery::NewReno,
        Recovery::Sack,
        Recovery::Rack,
        Recovery::Tahoe,
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
            Recovery::Tahoe => "tahoe",
            Recovery::GoBackN => "go-back-n",
            Recovery::None => "none",
        }
    }

    /// What it asks of the receiver.
    pub const fn receiver(self) -> ReceiverDuties {
        let cumulative = ReceiverDuties { sack: false, dsack: false, discards: false };
        match self {
            Recovery::Reno | Recovery::NewReno | Recovery::Tahoe | Recovery::None => cumulative,
            Recovery::Sack => ReceiverDuties { sack: true, ..cumulative },
            // RACK widens its reordering window by reported duplicates.
            Recovery::Rack => ReceiverDuties { sack: true, dsack: true, ..cumulative },
            Recovery::GoBackN => ReceiverDuties { discards: true, ..cumulative },
        }
    }

    /// Whether it sends lost data again at all.
    pub const fn repairs(self) -> bool {
        match self {
            Recovery::Reno
            | Recovery::NewReno
            | Recovery::Sack
            | Recovery::Rack
            | Recovery::Tahoe
            | Recovery::GoBackN => true,
            Recovery::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recovery_is_listed_once_under_its_own_name() {
        for (i, recovery) in Recovery::ALL.into_iter().enumerate() {
            assert!(Recovery::ALL[i + 1..].iter().all(|other| other.name() != recovery.name()));
        }
    }
}
