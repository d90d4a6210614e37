//! Keys of networks and links.

use super::adaptation::LAYERS;
use super::bounds::Words;
use super::declaration::{Key, Section, Shape, key};
use super::jitter::{jitter, reconfiguration, reorder};
use super::loss::LOSSES;
use super::queue::{QUEUES, SHAPER};
use super::radio::{blockage, grants, wifi};
use super::rule::{Condition, Is, Rule};
use super::ways::{duplicate, ingress_loss};
use super::words;

const RATE: Shape =
    Shape::AnyOf(&[Shape::Rate, Shape::Table(&RAMP), Shape::word(|| vec!["unlimited"])]);
/// Something reported over what it should be.
const FACTOR: Shape = Shape::number(0.0, 1000.0);
const AGENTS: Shape = Shape::AnyOf(&[
    Shape::Word(Words { what: "", list: || words::of(words::AGENTS) }),
    Shape::Table(&AGENT),
    Shape::Off,
]);

/// Keys of a rate that rises or falls.
pub static RAMP: Section = Section::new(
    "rate",
    "A rate that changes evenly, and then stays.",
    &[
        key(
            "from",
            Shape::Rate,
            "Rate at the beginning: of the run, or of the roam that brings it.",
        )
        .required(),
        key("to", Shape::Rate, "Rate at the end and from then on.").required(),
        key("over", Shape::POSITIVE_TIME, "Time that the change takes.").required(),
    ],
);

/// The keys shared by networks, links, roams and reverse directions.
pub(super) const fn rate(inherited: &'static str) -> Key {
    key(
        "rate",
        RATE,
        "Rate at which packets are transmitted, or a table with one that rises or falls. At `\"unlimited\"` nothing ever queues.",
    )
    .otherwise(inherited)
}
pub(super) const fn trace(inherited: &'static str) -> Key {
    key(
        "trace",
        Shape::Text,
        "Recorded link instead of a `rate`: a file in mahimahi's format, with a line for each opportunity to send 1500 \
         bytes, in ms; it repeats. The path is relative to the scenario file; on the command line, to the working directory.",
    )
    .otherwise(inherited)
}
pub(super) const fn delay(inherited: &'static str) -> Key {
    key("delay", Shape::TIME, "One-way delay after transmission.").otherwise(inherited)
}
pub(super) const fn delay_trace(inherited: &'static str) -> Key {
    key(
        "delay-trace",
        Shape::Text,
        "Recorded delays instead of a `delay`: a file with a delay in ms on each line, one for each 10 ms.",
    )
    .otherwise(inherited)
}
pub(super) const fn loss(inherited: &'static str) -> Key {
    key("loss", LOSSES, "Probability that a packet is lost after transmission, or a loss process.")
        .otherwise(inherited)
}

/// The keys of a section that has some of its own, those of conditions, which replace what is
/// inherited, and others of its own.
macro_rules! with_conditions {
    ([$($before:expr),* $(,)?], $inherited:literal, [$($after:expr),* $(,)?]) => {
        &[
            $($before,)*
            super::network::rate($inherited),
            super::network::trace($inherited),
            super::radio::wifi($inherited),
            super::radio::blockage($inherited),
            super::network::delay($inherited),
            super::network::delay_trace($inherited),
            super::jitter::jitter($inherited),
            super::jitter::reorder($inherited),
            super::jitter::reconfiguration($inherited),
            super::radio::grants($inherited),
            super::network::loss($inherited),
            super::ways::ingress_loss($inherited),
            super::ways::duplicate($inherited),
            $($after,)*
        ]
    };
}
pub(super) use with_conditions;

pub(super) const ONE_RATE: Rule = Rule::apart(&[&["rate"], &["trace"], &["wifi"]]);
pub(super) const ONE_DELAY: Rule = Rule::apart(&[&["delay"], &["delay-trace"]]);

/// Networks by name, each a table of its own.
pub static NETWORKS: Section =
    Section::new("network", "Named conditions that links refer to.", &[])
        .others("Conditions under this name.", Shape::Table(&NETWORK));

/// Keys of a network.
pub static NETWORK: Section = Section::new(
    "network.NAME",
    "The conditions of a network.",
    &[
        rate("this, `trace` or `wifi`"),
        trace("this, `rate` or `wifi`"),
        wifi("this, `rate` or `trace`"),
        blockage("none"),
        delay("").default("\"0s\""),
        delay_trace(""),
        jitter("none"),
        reorder("none"),
        reconfiguration("none"),
        grants("none"),
        loss("").default("0"),
        ingress_loss("none"),
        duplicate("none"),
        key(
            "queue",
            QUEUES,
            "Queue ahead of the transmitter in this network, as in a link: a time is one at this network's rate. A queue of the link stands in its place \
             only where the link starts with this network, and one of a roam in that roam.",
        )
        .otherwise("what the link or a roam stated last"),
        key(
            "reverse",
            Shape::Table(&NETWORK_REVERSE),
            "Conditions that differ in the reverse direction.",
        )
        .otherwise("nothing"),
    ],
)
.rules(&[
    ONE_RATE,
    ONE_DELAY,
    Rule::some(
        &["rate", "trace", "wifi"],
        "has no rate",
        "give `rate`, `trace` or `wifi`; `rate = \"unlimited\"` will do",
    ),
]);

/// Keys that differ in a network's reverse direction.
pub static NETWORK_REVERSE: Section = Section::new(
    "network.NAME.reverse",
    "Conditions that differ in the reverse direction of a network.",
    with_conditions!(
        [],
        "the network's",
        [key(
            "queue",
            QUEUES,
            "Queue in the reverse direction, also where the link or a roam states one for both.",
        )
        .otherwise("the forward direction's"),]
    ),
)
.rules(&[ONE_RATE, ONE_DELAY]);

/// Keys of a link.
pub static LINK: Section = Section::new(
    "link",
    "A link between two nodes.",
    with_conditions!(
        [
        key("name", Shape::Name, "Name of the link. The reverse direction of `air` is called `air.back`.").required(),
        key("from", Shape::Name, "Node at which the link starts.").required(),
        key("to", Shape::Name, "Node at which the link ends.").required(),
        key("wireless", Shape::Bool, "The link reports its loss and delay (p_w, d_w) to the host at its end.").default("false"),
        key("network", Shape::Text, "Network whose conditions the link starts with: a table of the file, or a named one, such as `\"starlink\"`.").otherwise("none"),
        ],
        "the network's",
        [
        key("queue", QUEUES, "Queue ahead of the transmitter: its length in packets, in bytes or in time at the link's rate (DropTail), the name of a discipline that has a usual length, such as `\"codel\"`, or a table. Left out, the network's, if that has one.")
            .default("50"),
        key("shaper", Shape::Table(&SHAPER), "Token bucket that delays what exceeds a rate below the link's own, as a throttled plan does. The same in both directions, each with a bucket of its own.")
            .otherwise("none"),
        key(
            "ecn",
            Shape::Word(Words { what: "", list: || words::of(words::ECN_RULES) }),
            "Treatment of the ECN field of all packets, in both directions: `\"keep\"` it; clear it (`\"bleach\"`), as \
             broken networks do; set it in every capable packet (`\"mark\"`).",
        )
        .default("\"keep\""),
        key("agent", AGENTS, "Agent at the access point of a two-way wireless link.").default("false"),
        key("adaptation", LAYERS, "Packets cross this link in cells, with an adaptation layer at both ends.")
            .default("false"),
        key(
            "roam",
            Shape::AnyOf(&[Shape::list(&Shape::Table(&ROAM)), Shape::Table(&TOUR)]),
            "Changes of network: a list in order of time, or a table with networks that take turns.",
        )
        .otherwise("none"),
        key("blackout", Shape::list(&Shape::Table(&BLACKOUT)), "Times at which the link is dead.").otherwise("none"),
        key(
            "at-change",
            Shape::Word(Words { what: "", list: || words::of(words::AT_CHANGES) }),
            "Packets on the wire at a change of network: the link delivers or loses them.",
        )
        .default("\"deliver\""),
        key("one-way", Shape::Bool, "The link has no reverse direction.").default("false"),
        key(
            "trace-offset",
            Shape::AnyOf(&[Shape::TIME, Shape::word(|| vec!["random"])]),
            "Place in its traces at which the link begins a run, the same in both directions. `\"random\"`: another for \
             each seed, drawn evenly from the longest; data files have it as `trace_offset_s`.",
        )
        .default("\"random\""),
        key("reverse", Shape::Table(&REVERSE), "Conditions that differ in the reverse direction.").otherwise("nothing"),
        key(
            "report-window",
            Shape::POSITIVE_TIME,
            "Time over which a wireless link measures the loss that it reports.",
        )
        .default("\"1s\""),
        key(
            "report-error",
            Shape::Table(&REPORT_ERROR),
            "Errors of what a wireless link reports, in both directions.",
        )
        .otherwise("none"),
        ]
    ),
)
.rules(&[
    ONE_RATE,
    ONE_DELAY,
    Rule::some(
        &["rate", "trace", "wifi", "network", "roam"],
        "has no rate",
        "give `rate`, `trace`, `wifi` or `network`; `rate = \"unlimited\"` will do",
    ),
    Rule::never(
        &[Condition { key: "one-way", is: Is::True }],
        &["reverse"],
        "a one-way link has no reverse direction",
    ),
]);

/// Keys that differ in a link's reverse direction.
pub static REVERSE: Section = Section::new(
    "link.reverse",
    "Conditions that differ in the reverse direction, in every network that the link roams to.",
    with_conditions!(
        [],
        "the forward direction's",
        [key("queue", QUEUES, "Queue ahead of the transmitter, as in the link.")
            .otherwise("the forward direction's"),]
    ),
)
.rules(&[ONE_RATE, ONE_DELAY]);

/// Keys of a change of network.
pub static ROAM: Section = Section::new(
    "link.roam",
    "A change of network.",
    with_conditions!(
        [
        key("at", Shape::TIME, "When; later than the change before. Only the first may be at `\"0s\"`: the link starts with it.").required(),
        key("network", Shape::Text, "The network from then on: a table of the file, or a named one, such as `\"starlink\"`.").otherwise("the one before, unchanged"),
        ],
        "the network's",
        [
        key("queue", QUEUES, "Queue ahead of the transmitter from then on, as in the link: a time is one at this network's rate. Packets that wait move there, in the order in which they would have been sent; what finds no room is dropped. In both directions, unless a `reverse` has a queue.")
            .otherwise("the network's, or what the link or a roam stated last; without `network`, the one before"),
        ]
    ),
)
.rules(&[ONE_RATE, ONE_DELAY]);

/// Keys of networks that take turns.
pub static TOUR: Section = Section::new(
    "roam",
    "Networks that take turns.",
    &[
        key("every", Shape::PERIOD, "Time in each network.").required(),
        key(
            "networks",
            Shape::List { of: &Shape::Text, from: 2, to: 1000 },
            "Networks in order, from the start of the run and again and again: tables of the file, or named ones.",
        )
        .required(),
    ],
);

/// Keys of a blackout, in which a link carries nothing.
pub static BLACKOUT: Section = Section::new(
    "link.blackout",
    "A time at which the link is dead.",
    &[
        key("at", Shape::TIME, "When it begins.").required(),
        key("lasts", Shape::POSITIVE_TIME, "Its duration. Blackouts do not overlap.").required(),
        key(
            "every",
            Shape::PERIOD,
            "Repeats the blackout: time from one beginning to the next, above `lasts`.",
        )
        .otherwise("no repetition"),
        key(
            "times",
            Shape::up_to(100_000),
            "Number of blackouts, the first included; with `every`.",
        )
        .otherwise("until the run ends"),
        key(
            "hold",
            Shape::Bool,
            "Packets wait in the queue instead of being transmitted and lost.",
        )
        .default("false"),
    ],
)
.rules(&[Rule::with("times", &["every"])]);

/// Keys of errors of link reports.
pub static REPORT_ERROR: Section = Section::new(
    "link.report-error",
    "Errors of what a link reports.",
    &[
        key(
            "loss",
            FACTOR,
            "The loss reported over the loss measured; never more than 1 is reported.",
        )
        .default("1"),
        key("delay", FACTOR, "The delay reported over the delay.").default("1"),
        key(
            "age",
            Shape::TIME,
            "Age of what is reported; until the run has lasted as long, the first measurement.",
        )
        .default("\"0s\""),
    ],
);

/// Keys of an agent at the access point.
pub static AGENT: Section = Section::new(
    "link.agent",
    "An agent with parameters. One agent serves both directions of the link.",
    &[
        key(
            "name",
            Shape::Word(Words { what: "", list: || words::of(words::AGENTS) }),
            "`\"snoop\"` repairs what the wireless link loses, for flows whose source or receiver is at that link.",
        )
        .required(),
        key("window", Shape::up_to(1_000_000), "Packets of a flow that it keeps.").default("100"),
        key("min-timeout", Shape::PERIOD, "Minimum timeout of its own retransmission timer.").default("\"100ms\""),
        key("delay", Shape::TIME, "Time that it takes to process a packet.").default("\"0s\""),
    ],
);
