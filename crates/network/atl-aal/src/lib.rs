//! ATM adaptation layers: cells, AAL5 and AAL-T, as codecs and state machines.
//!
//! - [`cell`]: the 53 octets of a cell, its UNI header, and the receiver of the header error check
//!   (HEC) with its two modes.
//! - [`sar`]: segmentation of PDUs into cells and reassembly, delimited by the AAU bit alone.
//! - [`aal5`]: the CPCS of AAL5 with trailer and padding.
//! - [`aalt`]: AAL-T, the layer with retransmission: CPCS, CP-ARQ, control packet, payload length,
//!   and both ends of S-ARQ.
//! - [`model`]: the efficiency of AAL5 and AAL-T by the equations of AAL-T's paper.
//!
//! This crate never holds a clock, randomness, I/O or a simulator: the caller passes the time and
//! carries the cells. No decoder panics on any input.
//!
//! # Example: a packet through AAL-T and back
//!
//! ```
//! use atl_aal::aalt::s_arq::{Receiver, ReceiverConfig, Sender, SenderConfig};
//! use atl_aal::cell::{Cell, HecReceiver};
//! use atl_aal::sar::{Reassembled, Reassembler, segment};
//! use atl_core::time::Time;
//!
//! // One direction of a line: PDUs in cells on VPI 1, VCI 100, with the header check at the
//! // far end.
//! let (mut hec, mut reassembler) = (HecReceiver::new(), Reassembler::new(10_000));
//! let mut carry = |pdu: &[u8], damaged: bool| -> Option<Vec<u8>> {
//!     let mut cells: Vec<Cell> = segment(1, 100, pdu)?.collect();
//!     if damaged {
//!         cells[0].flip(200); // A bit error in the payload.
//!     }
//!     for mut cell in cells {
//!         if hec.receive_in_place(&mut cell)
//!             && let Reassembled::Pdu { pdu, .. } = reassembler.push(&cell)
//!         {
//!             return Some(pdu.to_vec());
//!         }
//!     }
//!     None
//! };
//!
//! let mut sender = Sender::new(SenderConfig::default())?;
//! let mut receiver = Receiver::new(ReceiverConfig::default(), Time::ZERO)?;
//! let packet = b"an IP packet, in three CP-ARQ PDUs of one cell each, because nothing is known of the path yet";
//! sender.submit(packet)?;
//!
//! // The second PDU meets a bit error. Its CRC is wrong, and the receiver drops it.
//! let (mut pdu, mut sent) = (Vec::new(), 0);
//! while sender.poll_send(Time::ZERO, &mut pdu).is_some() {
//!     sent += 1;
//!     let received = carry(&pdu, sent == 2).expect("the cells arrive");
//!     assert_eq!(receiver.on_pdu(Time::ZERO, &received).is_err(), sent == 2);
//! }
//! assert_eq!((sent, receiver.poll_delivered()), (3, None));
//!
//! // Control packets return on a line of their own, here without cells. They report the gap
//! // until the sender fills it.
//! while !sender.is_done() {
//!     let now = receiver.next_status();
//!     if receiver.poll_status(now, &mut pdu) {
//!         sender.on_control(now, &pdu)?;
//!     }
//!     while sender.poll_send(now, &mut pdu).is_some() {
//!         let received = carry(&pdu, false).expect("the cells arrive");
//!         receiver.on_pdu(now, &received)?;
//!     }
//! }
//! assert_eq!(receiver.poll_delivered().as_deref(), Some(&packet[..]));
//! assert_eq!(sender.statistics().retransmitted, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod aal5;
pub mod aalt;
pub mod cell;
mod check;
pub mod model;
pub mod sar;
