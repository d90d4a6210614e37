//! An adaptation layer at one end of a virtual channel, sending and receiving.

use atl_aal::aal5;
use atl_aal::aalt::s_arq::{Receiver, Sender};
use atl_aal::aalt::{Connection, control, cp_arq};
use atl_core::time::Time;
use atl_scenario::adaptation::{self, AalT as AalTConfig};

/// Octets of the checks behind a control packet's ETag.
const BEHIND_ETAG: usize = 2;

/// A layer.
#[derive(Debug)]
pub(crate) enum Layer {
    Aal5(Aal5),
    AalT(Box<AalT>),
}

/// AAL5: a PDU for each packet, and nothing else.
#[derive(Debug, Default)]
pub(crate) struct Aal5 {
    /// What waits to be sent.
    sdu: Option<Vec<u8>>,
    sent: u64,
    wrong: u64,
}

/// AAL-T: S-ARQ in both directions.
#[derive(Debug)]
pub(crate) struct AalT {
    pub sender: Sender,
    pub receiver: Receiver,
    connection: Connection,
}

/// What a PDU was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Data, or nothing that can be told.
    Data,
    /// A status of the other end.
    Control,
}

impl Layer {
    /// One end; data leaves it with the number `out`, and comes with `back`.
    pub fn new(config: &adaptation::Layer, out: u16, back: u16) -> Self {
        match config {
            adaptation::Layer::Aal5 => Layer::Aal5(Aal5::default()),
            adaptation::Layer::AalT(AalTConfig { sender, receiver, .. }) => {
                let (mut sender, mut receiver) = (*sender, *receiver);
                (sender.connection, receiver.connection) = (Connection(out), Connection(back));
                Layer::AalT(Box::new(AalT {
                    connection: sender.connection,
                    sender: Sender::new(sender).expect("checked when it was read"),
                    receiver: Receiver::new(receiver, Time::ZERO)
                        .expect("checked when it was read"),
                }))
            }
        }
    }

    /// Octets of the longest PDU that may come.
    pub fn longest_pdu(&self) -> usize {
        match self {
            Layer::Aal5(_) => aal5::MAX_PDU_OCTETS,
            Layer::AalT(_) => cp_arq::MAX_PDU_OCTETS.max(control::MAX_PDU_OCTETS),
        }
    }

    /// Whether it would take a packet of so many octets now: nothing of those before waits.
    pub fn takes(&self, octets: usize) -> bool {
        match self {
            Layer::Aal5(layer) => layer.sdu.is_none(),
            Layer::AalT(layer) => !layer.sender.has_unsent() && layer.sender.can_submit(octets),
        }
    }

    /// Takes a packet, to be asked for before.
    pub fn submit(&mut self, sdu: &[u8]) {
        match self {
            Layer::Aal5(layer) => layer.sdu = Some(sdu.to_vec()),
            // It was asked for.
            Layer::AalT(layer) => layer.sender.submit(sdu).unwrap_or_default(),
        }
    }

    /// Writes the next PDU of data into `pdu`; false if there is none now.
    pub fn poll_send(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        match self {
            Layer::Aal5(layer) => {
                let Some(sdu) = layer.sdu.take() else { return false };
                layer.sent += 1;
                // An IP packet has at most 65 535 octets, as an SDU has.
                aal5::encode(&sdu, 0, pdu).is_ok()
            }
            Layer::AalT(layer) => layer.sender.poll_send(now, pdu).is_some(),
        }
    }

    /// Writes the control packet that is due into `pdu`.
    pub fn poll_status(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        match self {
            Layer::Aal5(_) => false,
            Layer::AalT(layer) => layer.receiver.poll_status(now, pdu),
        }
    }

    /// When the next control packet is due.
    pub fn next_status(&self) -> Time {
        match self {
            Layer::Aal5(_) => Time::MAX,
            Layer::AalT(layer) => layer.receiver.next_status(),
        }
    }

    /// Takes a PDU; what it completes goes to `delivered`.
    pub fn on_pdu(&mut self, now: Time, pdu: &[u8], delivered: &mut Vec<Vec<u8>>) -> Content {
        match self {
            Layer::Aal5(layer) => {
                match aal5::decode(pdu) {
                    Ok(read) => delivered.push(read.sdu.to_vec()),
                    Err(_) => layer.wrong += 1,
                }
                Content::Data
            }
            Layer::AalT(layer) => {
                // A control packet begins and ends with the same octet: most PDUs are not looked at twice.
                let etag = pdu.len().checked_sub(BEHIND_ETAG + 1).map(|at| pdu[at]);
                if etag == pdu.first().copied() && layer.sender.on_control(now, pdu).is_ok() {
                    return Content::Control;
                }
                // What is wrong with a PDU the receiver counts.
                let _ = layer.receiver.on_pdu(now, pdu);
                delivered.extend(core::iter::from_fn(|| layer.receiver.poll_delivered()));
                Content::Data
            }
        }
    }

    /// The number that its data carries, of AAL-T.
    pub fn connection(&self) -> Option<Connection> {
        match self {
            Layer::Aal5(_) => None,
            Layer::AalT(layer) => Some(layer.connection),
        }
    }

    /// PDUs of data sent, and those of them that were sent again.
    pub fn sent(&self) -> (u64, u64) {
        match self {
            Layer::Aal5(layer) => (layer.sent, 0),
            Layer::AalT(layer) => {
                let statistics = layer.sender.statistics();
                (statistics.sent, statistics.retransmitted)
            }
        }
    }

    /// PDUs that came and were dropped for their check, packets refused for their length or tags, statuses sent.
    pub fn received(&self) -> (u64, u64, u64) {
        match self {
            Layer::Aal5(layer) => (layer.wrong, 0, 0),
            Layer::AalT(layer) => {
                let statistics = layer.receiver.statistics();
                (statistics.wrong, statistics.refused, statistics.statuses)
            }
        }
    }
}
