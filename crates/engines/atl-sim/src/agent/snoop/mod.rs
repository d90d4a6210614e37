//! Snoop: an agent at the access point hides a wireless link's losses from TCP.
//!
//! Sources: Balakrishnan, Seshan, Amir, Katz, "Improving TCP/IP performance over wireless networks"
//! (MobiCom 1995); Balakrishnan, Padmanabhan, Seshan, Katz, "A comparison of mechanisms for
//! improving TCP performance over wireless links" (IEEE/ACM Transactions on Networking 5(6), 1997).
//! The window of 100 packets, the least timeout of 100 ms, ten copies at most, and that what a full
//! queue drops is not repaired are those of ns-2's agent.
//!
//! *To a wireless receiver* ([`Repairer`]), as described: data that passes is kept until it is
//! acknowledged; a duplicate ACK sets off a local copy and goes no further; so does the agent's own
//! timer. Chosen, where the sources leave it open or are of their time:
//! - What is lost follows from the order of the link (`cache`), not from a count of expected
//!   duplicates.
//! - A duplicate ACK for a packet that the agent does not keep, or that the sender itself has sent
//!   again, passes. An ACK that has more to say than SACK blocks passes too.
//! - With a SACK sender, an ACK that passes shows no block above the first hole that is being
//!   repaired.
//! - The timer guards the first packet that is not acknowledged.
//!
//! *From a wireless source* ([`Watcher`], [`Mobile`]): **reconstructed**. The sources say that the
//! access point notices the gaps and sends negative acknowledgments (as SACK blocks) to the mobile,
//! whose TCP then repairs; ns-2 marks duplicate ACKs instead. Assumed here:
//! - The repair is the mobile's link layer's, which keeps what it sent (the same window) and, as
//!   the one that knows what it is repairing, suppresses the duplicate ACKs and hides SACK blocks
//!   as above.
//! - A request lists all that is missing and what came last; one goes out with each packet that
//!   comes while something is missing, and after a timeout of silence. It has the length of an ACK
//!   and can be lost.
//! - A gap that the mobile's own queue made is no loss of the link: the mobile does not keep what
//!   its queue drops.
//! - A sender's own retransmission that is lost on the link is seen only if the original was lost
//!   there too; and when the last packets before a silence are lost there is no gap: both are left
//!   to TCP.
//!
//! Copies join the queue of the link as any packet, and what it drops is left to TCP: congestion
//! control goes on.

mod cache;
mod mobile;
mod repairer;
mod timer;
mod verdict;
mod watcher;

pub use mobile::Mobile;
pub use repairer::Repairer;
pub use verdict::Verdict;
pub use watcher::{Request, Watcher};
