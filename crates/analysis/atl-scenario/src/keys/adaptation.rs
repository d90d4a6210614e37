//! Keys of ATM adaptation layers.

use atl_aal::aalt::payload::PayloadLength;
use atl_core::time::Span;

use super::bounds::{Range, Words};
use super::declaration::{Section, Shape, key};
use super::rule::{Rule, word};
use super::words;

const LAYER: Shape = Shape::Word(Words { what: "", list: || words::of(words::LAYERS) });
/// A layer by name, as a table, or none.
pub(super) const LAYERS: Shape = Shape::AnyOf(&[LAYER, Shape::Table(&ADAPTATION), Shape::Off]);
/// Interval between control packets; at least three cells of the fastest links.
const STATUS: Shape = Shape::Time { from: Span::from_micros(10), to: Span::MAX };
/// Number of cells in a PDU.
const CELLS: Shape = Shape::Whole { from: 1, to: PayloadLength::LONGEST.cells() as u64 };

/// Keys of an ATM adaptation layer.
pub static ADAPTATION: Section = Section::new(
    "adaptation",
    "An ATM adaptation layer with parameters, the same in both directions.",
    &[
        key(
            "name",
            LAYER,
            "`\"aal5\"` loses a packet of which a cell is wrong or missing; `\"aal-t\"` retransmits until everything has arrived, once and in order.",
        )
        .required(),
        key("queue", Shape::up_to(1_000_000), "IP packets that may wait at either end for the layer; further ones are dropped.")
            .otherwise("`50`, or the receive window of a TCP without error control"),
        key("window", Shape::up_to(4096), "AAL-T's window in PDUs.").default("1024"),
        key(
            "round-trip",
            Shape::AnyOf(&[
                Shape::Word(Words { what: "", list: || words::of(words::MEASURED) }),
                Shape::up_to(255),
            ]),
            "m: the control packets of a round trip, after which a missing PDU is retransmitted.",
        )
        .default("\"measured\""),
        key("smoothing", Shape::Number(Range::new(0.0, 1.0).below()), "alpha of the AAL-T paper's eq. 1.").default("0.9"),
        key(
            "payload",
            Shape::AnyOf(&[Shape::Word(Words { what: "", list: || words::of(words::PAYLOADS) }), CELLS]),
            "Rule for the payload of a PDU, or a fixed number of cells.",
        )
        .default("\"eq2\""),
        key("longest", CELLS, "Cells of the longest PDU.").default("15"),
        key("statistics", Shape::up_to(10_000_000), "Transmissions over which the bit error ratio is estimated.")
            .default("2000"),
        key(
            "status-interval",
            Shape::AnyOf(&[
                STATUS,
                Shape::List { of: &STATUS, from: 2, to: 2 },
            ]),
            "Time between control packets while PDUs have one cell. It grows with their cells, up to 50 ms or to the \
             second of two times: `[\"1ms\", \"5ms\"]`.",
        )
        .otherwise("the time of 32 cells on the slowest link of the path, from 0.1 to 10 ms; up to 5 times that"),
        key(
            "quench",
            Shape::AnyOf(&[Shape::Table(&QUENCH), Shape::Off]),
            "Reaction of the receiving host to cells that met congestion (`mark` of a queue), for a layer of the flow's own.",
        )
        .otherwise("a table with the defaults below"),
        key("faults", Shape::AnyOf(&[Shape::Table(&FAULTS), Shape::Off]), "Faults that are forced upon PDUs.")
            .default("false"),
    ],
)
.rules(&[Rule::never(
    &[word("name", &["aal5"])],
    &["window", "round-trip", "smoothing", "payload", "longest", "statistics", "status-interval", "quench", "faults"],
    "AAL5 retransmits nothing: this key belongs to AAL-T",
)]);

/// Keys for the reaction to congestion experienced by cells.
pub static QUENCH: Section = Section::new(
    "adaptation.quench",
    "Source quenches to the source of the data (AAL-T paper, section 3).",
    &[
        key("every", Shape::PERIOD, "Minimum time between two quenches to one flow.")
            .default("\"100ms\""),
        key(
            "scatter",
            Shape::TIME,
            "Each is delayed at random, by up to this time (window scattering).",
        )
        .default("\"50ms\""),
    ],
);

/// Keys of faults injected into PDUs.
pub static FAULTS: Section = Section::new(
    "adaptation.faults",
    "Faults that are forced upon PDUs.",
    &[
        key(
            "scenario",
            Shape::AnyOf(&[
                Shape::up_to(7),
                Shape::Word(Words { what: "", list: || words::of(words::ANY_FAULT) }),
            ]),
            "Which of the seven scenarios of section 3.4 of the AAL-T paper; `\"any\"` draws one at random.",
        )
        .required(),
        key("share", Shape::BELOW_ONE, "Share of the PDUs that it happens to.").required(),
    ],
);
