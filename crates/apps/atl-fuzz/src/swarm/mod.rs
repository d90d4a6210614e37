//! The swarm: random scenarios before judges that share no code with what they judge.
//!
//! - [`draw`]: a seed makes a valid scenario file;
//! - [`examine`] runs it on the engines in virtual time and asks all [`JUDGES`];
//! - a [`Find`] says which judge found what. The seed is the whole report of it;
//! - [`shrunk`] makes the case as small as it can be;
//! - [`digest`] tells if two builds of the program give it the same results.

mod bench;
mod differential;
mod digest;
mod draw;
mod engines;
mod file;
mod judges;
mod laws;
mod log;
mod relations;
mod scaled;
mod shrink;

pub use digest::digest;
pub use draw::{draw, refusal};
pub use file::{read, text};
pub use judges::{Find, JUDGES, Judge, examine};
pub(crate) use laws::conserves;
pub use shrink::shrunk;
