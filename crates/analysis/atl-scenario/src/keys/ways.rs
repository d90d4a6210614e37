//! Keys of the two ends of a link: losses ahead of the queue, copies behind the wire.

use super::declaration::{Key, Shape, key};
use super::loss::LOSSES;

pub(super) const fn ingress_loss(inherited: &'static str) -> Key {
    key(
        "ingress-loss",
        LOSSES,
        "Loss ahead of the queue, as a probability or in bursts: what is lost takes no room and no time at the transmitter. It counts as dropped.",
    )
    .otherwise(inherited)
}
pub(super) const fn duplicate(inherited: &'static str) -> Key {
    key(
        "duplicate",
        Shape::PROBABILITY,
        "Share of the packets that arrive which arrive twice, each by itself.",
    )
    .otherwise(inherited)
}
