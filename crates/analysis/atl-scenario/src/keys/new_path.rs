//! Keys for a sender's start on a path that is new to it.

use super::bounds::Words;
use super::declaration::{Section, Shape, key};
use super::rule::{Condition, Is, Rule};
use super::words;

const MEANWHILES: Shape = Shape::Word(Words { what: "", list: || words::of(words::MEANWHILES) });
const FROM_REPORT: Shape = Shape::Word(Words { what: "", list: || words::of(words::FROM_REPORTS) });
const NEW_PATHS: Shape = Shape::Word(Words { what: "", list: || words::of(words::NEW_PATHS) });
/// A method by name, or a table with its parameters.
pub(super) const NEW_PATH_SHAPE: Shape = Shape::AnyOf(&[NEW_PATHS, Shape::Table(&NEW_PATH)]);

/// Keys of the method's parameters.
pub static NEW_PATH: Section = Section::new(
    "flow.protocol.new-path",
    "The start of a sender on a path that is new to it.",
    &[
        key("how", NEW_PATHS, "Method of the start.").required(),
        key(
            "dummies",
            Shape::up_to(100_000),
            "Limit on the dummies of a probe, with TCP.",
        )
        .otherwise("as many as the receive window holds, at most 1000"),
        key("over", Shape::POSITIVE_TIME, "Time that a probe's dummies are spread over.")
            .otherwise("with TCP one round trip, with a paced protocol `\"500ms\"`"),
        key(
            "validate",
            Shape::Bool,
            "The sender sends at most three times what came from a new path before that path has answered it (RFC 9000, section \
             8). `false`, as in the paper: any path that is named is believed.",
        )
        .default("true"),
        key(
            "meanwhile",
            MEANWHILES,
            "Path of the data after a probe until the mobile has moved, with TCP: the new one at once (`\"new\"`), the old one (`\"old\"`: the window \
             found waits for the handoff), or both, each with a window of its own (`\"both\"`).",
        )
        .default("\"both\""),
        key(
            "from-report",
            FROM_REPORT,
            "Rate that a paced sender takes from the report of a probe: that at which dummies arrived, or, as the handoff paper words it, \
             the dummies' rate times LDA+'s 1 - sqrt(loss) (`\"lda-plus\"`).",
        )
        .default("\"arrived\""),
        key(
            "lifetime",
            Shape::POSITIVE_TIME,
            "To resume: time after leaving a path for which its state is still used.",
        )
        .default("\"5min\""),
        key("most", Shape::up_to(1_000_000), "To resume: limit on the window of the leap, in packets.")
            .otherwise("half of what the path has carried"),
        key(
            "target",
            Shape::up_to(10_000),
            "To pad: window in packets up to which padding makes it grow.",
        )
        .default("64"),
        key(
            "budget",
            Shape::Whole { from: 0, to: 1_000_000 },
            "To pad: limit on the dummies on a path between two moves.",
        )
        .default("256"),
    ],
)
.rules(&[
    Rule::never(
        &[Condition { key: "how", is: Is::OtherWord(&["probe"]) }],
        &["dummies", "over", "validate", "meanwhile", "from-report"],
        "the key belongs to `how = \"probe\"`",
    ),
    Rule::never(
        &[Condition { key: "how", is: Is::OtherWord(&["resume"]) }],
        &["lifetime", "most"],
        "the key belongs to `how = \"resume\"`",
    ),
    Rule::never(
        &[Condition { key: "how", is: Is::OtherWord(&["pad"]) }],
        &["target", "budget"],
        "the key belongs to `how = \"pad\"`",
    ),
]);
