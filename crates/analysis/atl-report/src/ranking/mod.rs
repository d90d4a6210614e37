//! Ranking of the designs that a scenario compares.
//!
//! A *design* is a choice: the protocols of the flows, their adaptation layers, the receivers'
//! reports, the agents and tunnels on links, and a mobile's handoffs (its radios, trigger,
//! prediction). A *condition* is everything else that a sweep changes: losses, delays, queues. The
//! contenders are the designs of a sweep. Each is measured on the flows whose design changes, so
//! that cross traffic and other roles neither count nor compete. A sweep that changes no design
//! compares the flows with each other.
//!
//! Where flows end by themselves, a contender that leaves more of them unfinished is worse, and
//! goodput orders only those that finish the same share.

mod contenders;
mod design;
mod duel;
mod order;
mod words;

pub use contenders::Finished;
pub use duel::{Duel, Duels, Relation, compares};
pub use order::{Place, Ranking, Standing, ranking};
pub use words::{comparison, headline};
