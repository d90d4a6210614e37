//! An emulated MAC's information for endpoints: a client behind an emulated link asks for its p_w
//! and d_w, and for the datagrams that it lost.
//!
//! The emulator's thread publishes its [snapshots](crate::snapshot) and its record of lost
//! datagrams ([`Losses`]) on a [`Board`], which never makes it wait. A thread of [`LinkSocket`]
//! answers from the board, in the form of [`atl_wire::link_query`]. The client's side is
//! in `atl-device`.
//!
//! The socket is a Unix socket for messages (`SOCK_SEQPACKET`). Its path is reachable from any
//! network namespace. Only the two ends of a connection can write to it, so that nothing can be
//! forged or replayed by others. It notices when a client is gone, however it ended, and clients
//! need no address that could be left behind. Where it cannot be opened, the board is still kept.

mod board;
pub(crate) mod counts;
mod losses;
mod ring;

pub use crate::system::link_socket::LinkSocket;
pub use board::Board;
pub use counts::SocketCounts;
pub use losses::Losses;
pub use ring::CAPACITY;
