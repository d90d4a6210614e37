//! Keys of a mobile's notices about its paths, and of forged ones.

use super::bounds::Words;
use super::declaration::{Section, Shape, key};
use super::rule::{Condition, Is, Rule};
use super::words;

/// Keys of the notices of a flow's mobile.
pub static NOTICES: Section = Section::new(
    "flow.notices",
    "Notices by which a receiving mobile tells the sender of its paths, and an attacker's forgeries.",
    &[
        key(
            "signed",
            Shape::Bool,
            "Notices carry a tag made with the session's key, and the sender ignores all others. `false`: any notice is believed if it is new and seems to come over the path that it is about.",
        )
        .default("true"),
        key("forged", Shape::AnyOf(&[Shape::Table(&FORGED), Shape::Off]), "Notices of an attacker.").default("false"),
    ],
);

/// Keys of an attacker's notices.
pub static FORGED: Section = Section::new(
    "flow.notices.forged",
    "Notices that an attacker sends in the name of the mobile. They reach the sender as if they came over the path that they are about, \
     each as long as a data packet, and take no room on any link.",
    &[
        key(
            "says",
            Shape::Word(Words { what: "", list: || words::of(words::FORGERIES) }),
            "Their content: the mobile is about to enter the cell (`\"imminent\"`), has moved there (`\"moved\"`), has left it \
             (`\"gone\"`), each under a number above all of the mobile's own; or what the mobile has said before, word for word \
             (`\"replay\"`).",
        )
        .required(),
        key("cell", Shape::Text, "The cell that they are about; one that the mobile uses at some time.")
            .otherwise("the first that it uses"),
        key("every", Shape::POSITIVE_TIME, "Time from one to the next.").required(),
        key("start", Shape::TIME, "When the first one arrives.").default("\"0s\""),
    ],
)
.rules(&[Rule::never(
    &[Condition { key: "says", is: Is::Word(&["replay"]) }],
    &["cell"],
    "a replay is about the cell that the mobile named",
)]);
