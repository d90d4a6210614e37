//! Keys of delays that vary from packet to packet.

use super::bounds::Words;
use super::declaration::{Key, Section, Shape, key};
use super::words;

const JITTERS: Shape = Shape::AnyOf(&[Shape::TIME, Shape::Table(&JITTER)]);
const SHARE: Shape = Shape::PROBABILITY;

pub(super) const fn jitter(inherited: &'static str) -> Key {
    key(
        "jitter",
        JITTERS,
        "Random part of the delay, drawn for each packet: as much below the delay as above it, in order; or a table.",
    )
    .otherwise(inherited)
}
pub(super) const fn reorder(inherited: &'static str) -> Key {
    key("reorder", Shape::Table(&REORDER), "Packets that come late, so that others overtake them.")
        .otherwise(inherited)
}

pub(super) const fn reconfiguration(inherited: &'static str) -> Key {
    key(
        "reconfiguration",
        Shape::Table(&RECONFIGURATION),
        "Times at which the network assigns paths anew: the delay steps, and packets are lost for a moment.",
    )
    .otherwise(inherited)
}

/// Keys of a jitter.
pub static JITTER: Section = Section::new(
    "jitter",
    "A random part of the delay.",
    &[
        key("spread", Shape::TIME, "Size of the variation.").required(),
        key(
            "shape",
            Shape::Word(Words { what: "", list: || words::of(words::JITTER_SHAPES) }),
            "`\"uniform\"`: evenly from `spread` below the delay to `spread` above it. `\"normal\"`: about the delay, with a \
             standard deviation of `spread`. `\"exponential\"`: on top of the delay, with a mean of `spread`. `\"wifi\"`: on top of the delay, \
             contention and bad moments of a busy channel (picoquic's model); `spread` is from 1 ms, calm, to 85 ms. `\"harq\"`: on top of the delay, retransmissions of a cellular link; `spread` is the time of one. No delay gets below zero: the `spread` of the first two is at most the delay (with the step of a `reconfiguration`, if there is one).",
        )
        .default("\"uniform\""),
        key(
            "order",
            Shape::Word(Words { what: "", list: || words::of(words::ORDERS) }),
            "`\"kept\"`: a packet waits for those ahead of it, as behind any queue or radio link. `\"lost\"`: each \
             comes when its own delay is over and overtakes others, as in Linux's netem without a rate.",
        )
        .default("\"kept\""),
    ],
);

/// Keys of a reconfiguration.
pub static RECONFIGURATION: Section = Section::new(
    "reconfiguration",
    "Paths that a network assigns anew at fixed intervals.",
    &[
        key("every", Shape::PERIOD, "Time from one to the next; the first comes after it.").required(),
        key(
            "step",
            Shape::TIME,
            "Each interval has a delay of its own, drawn evenly from this much below the link's to this much above it.",
        )
        .required(),
        key("outage", Shape::TIME, "Packets are lost for this long afterwards; shorter than `every`.").default("\"0s\""),
        key("loss", SHARE, "Probability that a packet is lost then.").default("1"),
    ],
);

/// Keys of a reordering.
pub static REORDER: Section = Section::new(
    "reorder",
    "Deliberate reordering.",
    &[
        key("share", SHARE, "Share of packets that come late, each by itself.").required(),
        key(
            "by",
            Shape::POSITIVE_TIME,
            "Time by which they come late. Those sent within it overtake: 10 at 12 Mb/s, packets of 1500 bytes and \
             `\"10ms\"`.",
        )
        .required(),
    ],
);
