//! An adaptation layer at one end of a virtual channel, sending and receiving.

use atl_aal::aal5;
use atl_aal::aalt::s_arq::{Receiver, Sender};
use atl_aal::aalt::{Connection, control, cp_arq};
use atl_core::time::Time;
use atl_engine::adaptation::{self, AalT as AalTConfig};

/// Octets of the checks after a control packet's ETag.
const BEHIND_ETAG: usize = 2;

/// An adaptation layer.
#[derive(Debug)]
pub(crate) enum Layer {
    Aal5(Aal5),
    AalT(Box<AalT>),
}

/// AAL5: one PDU for each packet, and nothing else.
#[derive(Debug, Default)]
pub(crate) struct Aal5 {
    /// PDUs that wait to be sent.
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

/// The content of a PDU as its sender knows it, to find errors that no check has noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Data, or unknown.
    Data,
    /// A status of the other end.
    Control,
}

impl Layer {
    /// One end; its outgoing data carries the number `out`, incoming data `back`.
    pub(super) fn new(config: &adaptation::Layer, out: u16, back: u16) -> Self {
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

    /// Octets of the longest PDU that may arrive.
    pub(super) fn longest_pdu(&self) -> usize {
        match self {
            Layer::Aal5(_) => aal5::MAX_PDU_OCTETS,
            Layer::AalT(_) => cp_arq::MAX_PDU_OCTETS.max(control::MAX_PDU_OCTETS),
        }
    }

    /// True if it would accept a packet of this many octets now: nothing before it waits.
    pub(super) fn takes(&self, octets: usize) -> bool {
        match self {
            Layer::Aal5(layer) => layer.sdu.is_none(),
            Layer::AalT(layer) => !layer.sender.has_unsent() && layer.sender.can_submit(octets),
        }
    }

    /// Accepts a packet; ask [`takes`](Self::takes) first.
    pub(super) fn submit(&mut self, sdu: &[u8]) {
        match self {
            Layer::Aal5(layer) => layer.sdu = Some(sdu.to_vec()),
            // The caller has asked.
            Layer::AalT(layer) => layer.sender.submit(sdu).unwrap_or_default(),
        }
    }

    /// Writes the next data PDU into `pdu`; false if there is none now.
    pub(super) fn poll_send(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        match self {
            Layer::Aal5(layer) => {
                let Some(sdu) = layer.sdu.take() else { return false };
                layer.sent += 1;
                // An IP packet has at most 65 535 octets, as does an SDU.
                aal5::encode(&sdu, 0, pdu).is_ok()
            }
            Layer::AalT(layer) => layer.sender.poll_send(now, pdu).is_some(),
        }
    }

    /// Writes the control packet that is due into `pdu`.
    pub(super) fn poll_status(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        match self {
            Layer::Aal5(_) => false,
            Layer::AalT(layer) => layer.receiver.poll_status(now, pdu),
        }
    }

    /// When the next control packet is due.
    pub(super) fn next_status(&self) -> Time {
        match self {
            Layer::Aal5(_) => Time::MAX,
            Layer::AalT(layer) => layer.receiver.next_status(),
        }
    }

    /// Receives a PDU; packets that it completes go to `delivered`.
    pub(super) fn on_pdu(
        &mut self,
        now: Time,
        pdu: &[u8],
        delivered: &mut Vec<Vec<u8>>,
    ) -> Content {
        match self {
            Layer::Aal5(layer) => {
                match aal5::decode(pdu) {
                    Ok(read) => delivered.push(read.sdu.to_vec()),
                    Err(_) => layer.wrong += 1,
                }
                Content::Data
            }
            Layer::AalT(layer) => {
                // A control packet begins and ends with the same octet, so most PDUs need no second
                // look.
                let etag = pdu.len().checked_sub(BEHIND_ETAG + 1).map(|at| pdu[at]);
                if etag == pdu.first().copied() && layer.sender.on_control(now, pdu).is_ok() {
                    return Content::Control;
                }
                // The receiver counts what is wrong with a PDU.
                let _ = layer.receiver.on_pdu(now, pdu);
                delivered.extend(core::iter::from_fn(|| layer.receiver.poll_delivered()));
                Content::Data
            }
        }
    }

    /// The connection number that its data carries (AAL-T only).
    pub(super) fn connection(&self) -> Option<Connection> {
        match self {
            Layer::Aal5(_) => None,
            Layer::AalT(layer) => Some(layer.connection),
        }
    }

    /// Data PDUs sent, and how many of them were retransmissions.
    pub(super) fn sent(&self) -> (u64, u64) {
        match self {
            Layer::Aal5(layer) => (layer.sent, 0),
            Layer::AalT(layer) => {
                let statistics = layer.sender.statistics();
                (statistics.sent, statistics.retransmitted)
            }
        }
    }

    /// PDUs dropped because a check failed, packets refused for their length or tags, statuses
    /// sent.
    pub(super) fn received(&self) -> (u64, u64, u64) {
        match self {
            Layer::Aal5(layer) => (layer.wrong, 0, 0),
            Layer::AalT(layer) => {
                let statistics = layer.receiver.statistics();
                (statistics.wrong, statistics.refused, statistics.statuses)
            }
        }
    }
}
