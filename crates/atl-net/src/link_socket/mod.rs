//! What an emulated MAC knows, for endpoints: a client behind an emulated link asks what its p_w
//! and d_w are, and which datagrams it lost.
//!
//! The emulator's thread publishes its [snapshots](crate::snapshot) on a [`Board`], which never
//! makes it wait, and so does what it takes down of each lost datagram ([`Losses`]). A thread of
//! [`LinkSocket`] answers from the board, in the form of [`atl_endpoint::wire::link_query`]. The
//! client's side is in `atl-device`.
//!
//! The socket is a Unix socket for messages (`SOCK_SEQPACKET`). A path reaches it from any network
//! namespace. Only the two ends of a connection can write to it, so nobody else can forge or replay
//! what it carries. It knows when a client has gone, however it went, and the client needs no
//! address that could be left behind.

mod board;
mod client;
mod counts;
mod losses;
mod ring;
mod server;

pub use board::Board;
pub use counts::SocketCounts;
pub use losses::Losses;
pub use ring::CAPACITY;
pub use server::LinkSocket;
