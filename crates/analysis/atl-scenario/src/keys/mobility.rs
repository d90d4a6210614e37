//! Keys of cells and mobiles.

use super::bounds::{Range, Words};
use super::declaration::{Key, Section, Shape, key};
use super::network::{LINK, ONE_DELAY, ONE_RATE, REVERSE, with_conditions};
use super::queue::QUEUES;
use super::rule::Rule;
use super::words;

/// Limit on the cells of a run.
pub(crate) const MAX_CELLS: usize = 256;
/// Limit on the mobiles of a run.
pub(crate) const MAX_MOBILES: usize = 1000;

const FARTHEST: f64 = 1e7;
const PLACE: Shape =
    Shape::List { of: &Shape::Length(Range::new(-FARTHEST, FARTHEST)), from: 2, to: 2 };
const RADIUS: Shape = Shape::Length(Range::new(0.0, FARTHEST).above());
const SPEED: Shape = Shape::Speed(Range::new(0.0, 10_000.0).above());
const TRIGGERS: Shape = Shape::Word(Words { what: "", list: || words::of(words::TRIGGERS) });

/// Declaration of a link's key, which a cell shares.
const fn of_links(name: &str) -> Key {
    let mut i = 0;
    while i < LINK.keys.len() {
        if same(LINK.keys[i].name, name) {
            return LINK.keys[i];
        }
        i += 1;
    }
    panic!("links have no such key")
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut i = 0;
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Keys of a cell.
pub static CELL: Section = Section::new(
    "cell",
    "A radio cell: a node, and the wireless link between it and the node that it is behind.",
    with_conditions!(
        [
        key(
            "name",
            Shape::Name,
            "Name of the cell, of its node, and of its downlink; the uplink of `wlan` is called `wlan.back`. A flow to or \
             from this node is that of a user who stays in the cell.",
        )
        .required(),
        key("at", PLACE, "Where its access point is: to the east and to the north, in metres.").required(),
        key("radius", RADIUS, "Distance from its middle at which it still reaches.").required(),
        key("behind", Shape::Text, "Node of the fixed network that the access point is attached to.").required(),
        key("network", Shape::Text, "Network whose conditions the cell has: a table of the file, or a named one, such as `\"starlink\"`.").otherwise("none"),
        ],
        "the network's",
        [
        key("queue", QUEUES, "Queue of the access point, as in a link; shared by everyone in the cell.").default("50"),
        of_links("trace-offset"),
        key("reverse", Shape::Table(&REVERSE), "Conditions that differ in the uplink.").otherwise("nothing"),
        of_links("report-window"),
        of_links("report-error"),
        ]
    ),
)
.rules(&[
    ONE_RATE,
    ONE_DELAY,
    Rule::some(
        &["rate", "trace", "wifi", "network"],
        "has no rate",
        "give `rate`, `trace`, `wifi` or `network`; `rate = \"unlimited\"` will do",
    ),
]);

/// Keys of a mobile.
pub static MOBILE: Section = Section::new(
    "mobile",
    "A host that moves between cells; flows name it as their source or receiver.",
    &[
        key("name", Shape::Name, "Name of the host, and of its node.").required(),
        key(
            "path",
            Shape::List {
                of: &Shape::AnyOf(&[PLACE, Shape::Table(&WAY_POINT)]),
                from: 2,
                to: 10_000,
            },
            "Way points, in order: places as of a cell, or tables. It stays at the last one.",
        )
        .required(),
        key("speed", SPEED, "Its speed.").required(),
        key("start", Shape::TIME, "When it leaves the first way point.").default("\"0s\""),
        key(
            "handoff",
            Shape::AnyOf(&[TRIGGERS, Shape::Table(&HANDOFF)]),
            "Its changes of cell: where (`at`), or a table.",
        )
        .default("\"middle\""),
        key("card", Shape::Table(&CARD), "Currents of its radio, for the metric `probe-charge`.")
            .otherwise("unknown"),
    ],
);

/// Keys of a radio's currents and battery.
pub static CARD: Section = Section::new(
    "mobile.card",
    "Currents and battery of a radio. Only the metric `probe-charge` depends on them.",
    &[
        key("receiving", Shape::Current, "Current while it receives.").required(),
        key("transmitting", Shape::Current, "Current while it transmits.").required(),
        key("rate", Shape::Rate, "Rate at which packets are in the air.").required(),
    ],
);

/// Keys of a way point.
pub static WAY_POINT: Section = Section::new(
    "mobile.path",
    "A way point with more than its place.",
    &[
        key("at", PLACE, "Where it is.").required(),
        key("speed", SPEED, "Speed from here to the next way point.")
            .otherwise("the host's `speed`"),
        key("wait", Shape::TIME, "Time that the host stays here.").default("\"0s\""),
    ],
);

/// Keys of a mobile's handoffs.
pub static HANDOFF: Section = Section::new(
    "mobile.handoff",
    "Changes of cell.",
    &[
        key(
            "at",
            TRIGGERS,
            "Where it changes, while both cells cover it: on the line through the corners of the overlap (`\"middle\"`), when it \
             enters the next cell (`\"entry\"`), when it leaves its own (`\"exit\"`), or where the next signal exceeds its own by \
             `hysteresis` (`\"strongest\"`).",
        )
        .default("\"middle\""),
        key(
            "hysteresis",
            Shape::Decibels(Range::new(0.0, 60.0)),
            "By how much the next signal must exceed its own, with `\"strongest\"`.",
        )
        .default("\"3dB\""),
        key(
            "exponent",
            Shape::number(1.0, 8.0),
            "Exponent of the path loss, with `\"strongest\"`: the signal is 10 n log10(radius / distance) dB above that at the \
             cell's edge.",
        )
        .default("3"),
        key("binding", Shape::TIME, "Time that its address in a cell takes to set up, from when it enters the cell.")
            .default("\"0s\""),
        key(
            "break-before-make",
            Shape::AnyOf(&[Shape::TIME, Shape::Off]),
            "A hard handoff: the host can be in one cell at a time, and is in none for this long before it has the next. What is \
             under way in the cell that it leaves is lost.",
        )
        .default("false"),
        key(
            "predict",
            Shape::Word(Words { what: "", list: || words::of(words::PREDICTORS) }),
            "Which cell it expects next where several cover it: the one with the best signal (`\"nearest\"`), the one that it \
             would change to if it kept its course (`\"heading\"`), or the one that it most often went to before \
             (`\"history\"`).",
        )
        .default("\"heading\""),
        key(
            "history",
            Shape::list(&Shape::List { of: &Shape::Text, from: 2, to: 10_000 }),
            "Earlier journeys, each the names of its cells in order, with `\"history\"`.",
        )
        .otherwise("none"),
    ],
);
