//! The joint between the proxy and the system's sockets.
//!
//! [`Native`] has the best sockets that there are for this system. On Linux it reads and sends in
//! batches, joins and cuts datagrams ([segmentation offload](crate::proxy)), keeps the whole
//! traffic class, and wakes to the nanosecond. Elsewhere it is [`Portable`], which is built on
//! Linux too, where tests run it. It is slower, and lacks this:
//!
//! - Of the traffic class it carries the ECN field alone: the code point is 0 when a datagram
//!   leaves. It carries no field where the system has no such messages, as Windows before 10.
//! - A datagram longer than a packet on its way is not sent in fragments but counted as one that
//!   [could not be sent](crate::proxy::Counts::unsendable).
//! - ICMP errors are not told, and datagrams that the system lost before they were read not
//!   counted.
//! - [`Portable::wait`](Sockets::wait) says how punctual it is.

pub(crate) mod joint;
mod portable;

pub use crate::system::sockets::{Buffers as NativeBuffers, Native};
pub use joint::{Side, Sockets, Take, To};
pub use portable::{Buffers as PortableBuffers, Portable, Socket as PortableSocket};
