//! Careful Resume: a sender that meets a path again starts from half of what it carried, and makes
//! sure.
//!
//! Source: RFC 9959 (2026), sec. 3 and 4. [`Resume`] wraps any controller. Without a saved state it
//! only observes: a sender [saves](Store) what [`observed`](WindowController::observed) returns
//! when it leaves the path.
//!
//! 1. **Reconnaissance**: the wrapped controller, from the initial window, until the initial data
//!    is acknowledged and the window limits the sender. A loss, or a round-trip time of at most
//!    half or above ten times the saved one, ends it all.
//! 2. **Unvalidated**, one round trip at most: the window is half of what was saved, and packets
//!    are paced over an RTT. It ends when the window is full, or its first packet is acknowledged.
//!    A sender that has not used the window keeps what was validated (the *pipe*: the flight
//!    before, and what was acknowledged since), and is done.
//! 3. **Validating**: the wrapped controller, from what is in flight, until the last unvalidated
//!    packet is acknowledged.
//! 4. **Safe Retreat**, after a loss in 2 or 3: half of the pipe, until the last unvalidated packet
//!    or a later one is acknowledged; then ssthresh is half of what the pipe has become.
//!
//! At the end of a phase that sets a window the wrapped controller is built anew, with that window
//! as its initial one and what it has to take for ssthresh: so any controller can be wrapped, and
//! what else it has measured it measures again. One that takes no ssthresh (BBR, which the RFC
//! treats in its Appendix C) is bound by the window alone.
//!
//! Left open by the source, and chosen:
//! - where slow start ends after the leap: at saved_cwnd, which is all that the path is known to
//!   hold. Endless slow start, which the RFC allows, begins so high that it overshoots by more than
//!   it would from the initial window, and loses more than the leap has won
//!   ([`Config::ends_slow_start`]);
//! - the jump is bounded by the receive window as well. A jump that would not open the window is
//!   not made;
//! - saved_cwnd is the most that one of the last eight round trips delivered while the window
//!   limited the sender, and nothing below four initial windows (sec. 3.1 allows that);
//! - an acknowledgment of the flight before the jump does not make the pipe longer: it holds that
//!   flight already. Sec. 3.3 can be read to count it twice; the examples of Appendix B do not;
//! - Beta is 0.5, the RFC's default, for CUBIC too;
//! - a round-trip time that no longer fits, a source quench and a handoff retreat like a loss;
//! - a window of less than two packets is two, for TCP as for QUIC. The RFC's example of a loss
//!   (Appendix B.4 of its last draft) does not go below the initial window; sec. 3.5 says half of
//!   the pipe, which is followed.

mod controller;
mod observe;
mod phase;
mod saved;

pub use controller::{Config, Resume};
pub use phase::Stage;
pub use saved::{PathToken, Saved, Store};

#[cfg(doc)]
use super::WindowController;
