//! Linux: batches of datagrams, `SCHED_FIFO`, sockets for messages.

pub(crate) mod link_socket;
pub(crate) mod priority;
pub(crate) mod sockets;
