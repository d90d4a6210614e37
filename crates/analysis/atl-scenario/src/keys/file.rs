//! Top-level keys: the run, variables and recording.

use atl_core::time::Span;

use super::declaration::{Section, Shape, key};
use super::figure::{FIGURE, QUOTE};
use super::flow::{FLOW, PACING, TCP};
use super::mobility::{CELL, MOBILE};
use super::network::{LINK, NETWORKS};

const SEEDS: Shape = Shape::AnyOf(&[
    Shape::up_to(10_000),
    Shape::List { of: &Shape::Whole { from: 0, to: u64::MAX }, from: 1, to: 10_000 },
]);
const DURATION: Shape = Shape::Time { from: Span::from_nanos(1), to: Span::from_secs(1_000_000) };
const VALUES: Shape = Shape::List { of: &Shape::Value, from: 1, to: usize::MAX };

/// Keys at the top level of the file.
pub static TOP: Section = Section::new(
    "the file",
    "A scenario: a network, the flows on it, what is varied, what is measured and what is claimed.",
    &[
        key("title", Shape::Text, "The question that the scenario asks, in one line.").required(),
        key("about", Shape::Text, "Setup, assumptions and what to expect, in Markdown paragraphs."),
        key("source", Shape::Text, "Document and section that the scenario comes from."),
        key("duration", DURATION, "Simulated time of each run.").required().variables(),
        key(
            "warmup",
            Shape::TIME,
            "Time at the start that measurements leave out; shorter than `duration`.",
        )
        .default("\"0s\"")
        .variables(),
        key("seeds", SEEDS, "Number of seeds (`5`: seeds 1 to 5), or a list of seeds.")
            .default("10"),
        key("quick", Shape::Table(&QUICK), "Changes made by `--quick`."),
        key("vars", Shape::Table(&VARS), "Variables and their values."),
        key("sweep", Shape::Table(&SWEEP), "Swept variables."),
        key("labels", Shape::Table(&LABELS), "Display names of variables in reports.")
            .otherwise("made from their names"),
        key("network", Shape::Table(&NETWORKS), "Named conditions that links refer to.")
            .variables(),
        key(
            "link",
            Shape::List { of: &Shape::Table(&LINK), from: 1, to: usize::MAX },
            "The links, `[[link]]` each.",
        )
        .required()
        .variables(),
        key("cell", Shape::list(&Shape::Table(&CELL)), "Radio cells, `[[cell]]` each.")
            .otherwise("none")
            .variables(),
        key(
            "mobile",
            Shape::list(&Shape::Table(&MOBILE)),
            "Hosts that move between cells, `[[mobile]]` each.",
        )
        .otherwise("none")
        .variables(),
        key(
            "flow",
            Shape::List { of: &Shape::Table(&FLOW), from: 1, to: usize::MAX },
            "The flows, `[[flow]]` each.",
        )
        .required()
        .variables(),
        key("tcp", Shape::Table(&TCP), "TCP parameters of all flows.").variables(),
        key("pacing", Shape::Table(&PACING), "Parameters of all paced flows.").variables(),
        key("record", Shape::Table(&RECORD), "Samples to record over time.")
            .otherwise("nothing")
            .variables(),
        key(
            "figure",
            Shape::list(&Shape::Table(&FIGURE)),
            "The report's figures, `[[figure]]` each.",
        ),
        key(
            "quote",
            Shape::list(&Shape::Table(&QUOTE)),
            "The claims that the scenario is checked against, `[[quote]]` each.",
        ),
    ],
);

/// Changes made by `--quick`.
pub static QUICK: Section = Section::new(
    "quick",
    "Changes made by `--quick`, for a first look.",
    &[
        key("seeds", SEEDS, "Replaces `seeds`.").otherwise("the file's"),
        key("duration", DURATION, "Replaces `duration`.").otherwise("the file's"),
        key("warmup", Shape::TIME, "Replaces `warmup`.").otherwise("the file's"),
        key("sweep", Shape::Table(&QUICK_SWEEP), "Shorter lists for swept variables.")
            .otherwise("the file's"),
    ],
);

/// Shorter lists of values for `--quick`.
pub static QUICK_SWEEP: Section =
    Section::new("quick.sweep", "Lists that replace those of swept variables.", &[])
        .others("The values of this variable under `--quick`.", VALUES);

/// Variables with a single value.
pub static VARS: Section = Section::new("vars", "Variables and their values.", &[])
    .others("The value of this variable; write `\"$name\"` where it belongs.", Shape::Value);

/// Display names of variables.
pub static LABELS: Section = Section::new("labels", "Display names of variables in reports.", &[])
    .others(
        "Display name of this variable, with its unit: `snr_db = \"SNR (dB)\"`.",
        Shape::ShortText(64),
    );

/// Keys of a value with a label.
pub static LABELLED: Section = Section::new(
    "vars.NAME",
    "A value with a label, which reports show in its place.",
    &[
        key(
            "label",
            Shape::ShortText(64),
            "Label of the value; unique among the variable's values.",
        )
        .required(),
        key("value", Shape::Anything, "The value: a list, a table, a text or a number.").required(),
    ],
);

/// Variables with a list of values.
pub static SWEEP: Section = Section::new(
    "sweep",
    "Swept variables: every combination of their values is run.",
    &[key("also", Shape::list(&Shape::Table(&ALSO)), "Further points beside the combinations.")],
)
.others("The values of this variable.", VALUES);

/// Keys of points outside the sweep.
pub static ALSO: Section = Section::new(
    "sweep.also",
    "Further points: a value, or a list of values, for each variable.",
    &[],
)
.others("A value of this variable, or several.", Shape::AnyOf(&[Shape::Value, VALUES]));

/// Keys for the samples to record.
pub static RECORD: Section = Section::new(
    "record",
    "Samples to record over time.",
    &[key(
        "every",
        Shape::POSITIVE_TIME,
        "Time between samples of each flow. Figures over time, parts of a run (`during`) and some metrics need samples.",
    )
    .required()],
);
