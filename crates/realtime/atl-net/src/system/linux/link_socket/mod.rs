//! The socket of the emulated MAC, for messages (`SOCK_SEQPACKET`), and the thread behind it.

mod client;
mod server;
mod wake;

pub use server::LinkSocket;
pub(crate) use wake::Wake;
