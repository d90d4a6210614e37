//! Queues.

use super::bounds::{Range, Words};
use super::declaration::{Key, Section, Shape, key};
use super::rule::{Condition, Is, Rule};
use crate::queue::names;

const PACKETS: Shape = Shape::up_to(10_000_000);
/// A queue: its length, also as a time at the link's rate, the name of a discipline, or a table.
pub(super) const QUEUES: Shape =
    Shape::AnyOf(&[PACKETS, Shape::SIZE, Shape::POSITIVE_TIME, WORD, Shape::Table(&QUEUE)]);
/// An average length: a number of packets, or a size.
const AVERAGE: Shape = Shape::AnyOf(&[Shape::number(0.0, 1e7), Shape::SIZE]);
const WEIGHT: Shape = Shape::Number(Range::new(0.0, 1.0).above());

const WORD: Shape = Shape::Word(Words { what: "", list: names });
/// Label below a queue without a length.
pub(crate) const NO_LENGTH: &str = "has neither `packets` nor `bytes`";
const IS_TABLE: &[Condition] = &[Condition { key: "discipline", is: Is::Table }];

/// Keys of RED and WRED alone.
const EARLY: &[&str] = &["min", "max", "drop", "weight", "mean-packet", "gentle"];
const NOT_EARLY: &str = "only `discipline = \"red\"` or `\"wred\"` drops early";

/// The thresholds and the probability of a drop curve.
const fn min(otherwise: &'static str) -> Key {
    key("min", AVERAGE, "Average length up to which nothing is dropped early: packets, or a size where the queue has `bytes`.")
        .otherwise(otherwise)
}
const fn max(otherwise: &'static str) -> Key {
    key("max", AVERAGE, "Average length at which `drop` is reached, above `min` and at most the queue's length. What comes from there on is dropped, unless `gentle`.")
        .otherwise(otherwise)
}
const fn drop(otherwise: &'static str) -> Key {
    key("drop", Shape::PROBABILITY, "Drop probability as the average approaches `max`. Drops are spread evenly, which makes the share dropped about twice the probability.")
        .otherwise(otherwise)
}

/// A token bucket that delays.
pub static SHAPER: Section = Section::new(
    "link.shaper",
    "A token bucket between the queue and the transmitter.",
    &[
        key("rate", Shape::Rate, "Tokens, each for a byte, come at this rate.").required(),
        key(
            "burst",
            Shape::Size(1),
            "Tokens that are kept: so many bytes pass at the link's own rate after a pause.",
        )
        .required(),
    ],
);

/// A queue in full.
pub static QUEUE: Section = Section::new(
    "link.queue",
    "A queue in full.",
    &[
        key("packets", PACKETS, "Length in packets (under an adaptation layer, in cells).").otherwise("this or `bytes`, or the usual length of the discipline"),
        key("bytes", Shape::SIZE, "Length in bytes.").otherwise("this or `packets`"),
        key("mark", PACKETS, "Marks a packet (a cell: EFCI) that finds at least this many waiting; smaller than `packets`.")
            .otherwise("never"),
        key(
            "priority",
            Shape::Bool,
            "Serves probe packets after all others. Where the queue is full, others push them out, the last one first. Short for \
             `discipline = \"priority\"`.",
        )
        .default("false"),
        key(
            "discipline",
            Shape::AnyOf(&[WORD, Shape::Table(&DISCIPLINE)]),
            "Which packets are dropped, and which go first. `\"drop-tail\"`: first in, first out. `\"priority\"`: two bands, as \
             `priority`. `\"red\"`: first in, first out, and drops at random before the queue is full (Floyd and Jacobson \
             1993). `\"wred\"`: RED with two precedences and one average; probe packets are dropped by the table `low`. `\"codel\"`: CoDel (RFC 8289). `\"cake\"`: CAKE, without its classes, hosts and shaper (LANMAN 2018). `\"fq-codel\"`: \
             FQ-CoDel (RFC 8290). `\"pie\"`: PIE (RFC 8033). `\"dualpi2\"`: DualPI2, for L4S (RFC 9332). `\"policer\"`: a token bucket that drops. `\"ack-filter\"`: of the acknowledgments of a flow that wait, only the newest go on (RFC 3449). \
             A table names a discipline with its options.",
        )
        .default("\"drop-tail\""),
        min("RED: a tenth of the length (Floyd's 5 of 50); WRED: three quarters of `max`"),
        max("RED: three times `min`, or the length; WRED: four fifths of the length (Cisco's 40 of 50)"),
        drop("0.1"),
        key(
            "weight",
            WEIGHT,
            "Weight of the newest length in the average, updated at each arrival.",
        )
        .otherwise("RED: 0.002; WRED: 1/512 (Cisco's)"),
        key(
            "mean-packet",
            Shape::Size(1),
            "Packet length by which the average decays while the link is idle.",
        )
        .otherwise("\"1000B\""),
        key(
            "gentle",
            Shape::Bool,
            "Beyond `max` the probability grows from `drop` to 1 at twice `max`, instead of jumping to 1 (Floyd 2000).",
        )
        .otherwise("RED: `true`; WRED: `false`"),
        key(
            "adaptive",
            Shape::Bool,
            "Every 0.5 s RED moves `drop`, to keep the average in the middle fifth between `min` and `max` (Floyd, Gummadi, \
             Shenker 2001).",
        )
        .otherwise("`false`"),
        key("low", Shape::Table(&QUEUE_LOW), "Thresholds for probe packets under WRED.").otherwise("the defaults below"),
    ],
)
.rules(&[
    Rule::apart(&[&["packets"], &["bytes"]]),
    // With a discipline the reader asks, since some have a usual length.
    Rule::some(&["packets", "bytes", "discipline"], "has no length", NO_LENGTH),
    Rule::apart(&[&["priority"], &["discipline"]]),
    Rule::never(&[Condition { key: "discipline", is: Is::OtherWord(&["red", "wred"]) }], EARLY, NOT_EARLY),
    Rule::WithAny { key: "min", needs: &["discipline"], label: NOT_EARLY },
    Rule::WithAny { key: "max", needs: &["discipline"], label: NOT_EARLY },
    Rule::WithAny { key: "drop", needs: &["discipline"], label: NOT_EARLY },
    Rule::WithAny { key: "weight", needs: &["discipline"], label: NOT_EARLY },
    Rule::WithAny { key: "mean-packet", needs: &["discipline"], label: NOT_EARLY },
    Rule::WithAny { key: "gentle", needs: &["discipline"], label: NOT_EARLY },
    Rule::never(&[Condition { key: "discipline", is: Is::OtherWord(&["red"]) }], &["adaptive"], "only `discipline = \"red\"` adapts"),
    Rule::WithAny { key: "adaptive", needs: &["discipline"], label: "only `discipline = \"red\"` adapts" },
    Rule::never(
        &[Condition { key: "discipline", is: Is::OtherWord(&["wred"]) }],
        &["low"],
        "only `discipline = \"wred\"` has two precedences",
    ),
    Rule::never(IS_TABLE, EARLY, NOT_EARLY),
    Rule::never(IS_TABLE, &["adaptive"], "only `discipline = \"red\"` adapts"),
    Rule::never(IS_TABLE, &["low"], "only `discipline = \"wred\"` has two precedences"),
    Rule::WithAny { key: "low", needs: &["discipline"], label: "only `discipline = \"wred\"` has two precedences" },
]);

/// A discipline with options of its own.
pub static DISCIPLINE: Section = Section::new(
    "link.queue.discipline",
    "A queue discipline with its options.",
    &[key("name", WORD, "Its name.").required()],
)
.others("An option of the discipline.", Shape::Option);

/// Thresholds for probe packets.
pub static QUEUE_LOW: Section = Section::new(
    "link.queue.low",
    "Treatment of probe packets, those of low priority, by WRED.",
    &[
        min("half of `max` (Cisco's 20 of 40)"),
        max("the queue's `max`"),
        drop("the queue's `drop`"),
    ],
);
