//! Questions to emulated links over their socket.

mod answers;
mod forged;
mod lifetime;
mod losses;
mod support;
