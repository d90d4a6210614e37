//! A sender whose packets may take one path or another: what it does when a host moves. What it
//! knows is in `tcp::paths`.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III and IV-B,
//! for probing; RFC 9000, sec. 8 and 9, for what a transport owes a path that is new to it.
//! [`NewPath`](atl_core::roaming::NewPath) names the choices.
//!
//! - [`signals`]: what becomes of paths, from the host or in notices;
//! - [`surveying`] probes a path that the host may move to, and releases data there;
//! - [`moving`] begins on another path, with a controller and an RTT of its own, and leaves the one
//!   before;
//! - [`returning`] goes back to a path that has answered, from one that does not;
//! - [`beside`] sends over both paths until the host moves;
//! - [`acks`] reads ACKs while packets are in flight over two paths.
//!
//! Left open by the sources, and chosen:
//! - What data does between a survey and the host's move is
//!   [`Meanwhile`](atl_core::roaming::Meanwhile): both paths, by default. With the new one alone,
//!   the sender goes back if the host leaves the new network before it has moved there.
//! - A survey that got no answer at all moves nothing: the sender waits for the host, and then
//!   begins with two packets.
//! - A sender that returns to a path before what it left there has drained goes on with the window
//!   and RTT of then, unless a whole survey says otherwise.
//! - A path's RTT is remembered for ten seconds: a survey within that time needs no challenge.
//! - With [`NewPath::Keep`](atl_core::roaming::NewPath::Keep) the path changes beneath a sender
//!   that knows nothing of it.

mod acks;
mod beside;
mod moving;
mod returning;
mod signals;
mod surveying;
#[cfg(test)]
mod tests;
