//! Figures and quotes.

use super::bounds::{Range, Words};
use super::declaration::{Section, Shape, key};
use super::rule::{Condition, Is, Rule, word};
use super::words;

const METRIC: Shape = Shape::Word(Words { what: "a metric", list: words::metrics });
const DURING: Shape = Shape::List { of: &Shape::TIME, from: 2, to: 2 };
const FLOWS: Shape =
    Shape::AnyOf(&[Shape::Text, Shape::List { of: &Shape::Text, from: 1, to: usize::MAX }]);
const SELECTED: Shape = Shape::Table(&SELECTION);
/// Nothing that is measured is exact.
const WITHIN: Shape = Shape::Probability(Range::new(0.0, 1.0).above());
const POINT: &str = "Only points at which this variable has this value.";

const SWEEP: Condition = word("kind", &["sweep"]);
const TIME: Condition = word("kind", &["time"]);
const SCATTER: Condition = word("kind", &["scatter"]);

/// A figure of the report.
pub static FIGURE: Section = Section::new(
    "figure",
    "A figure of the report.",
    &[
        key("title", Shape::Text, "Title.").required(),
        key("caption", Shape::Text, "A sentence below it.").otherwise("none"),
        key(
            "kind",
            Shape::Word(Words { what: "", list: || words::of(words::FIGURES) }),
            "A metric against a variable (`\"sweep\"`), something over time, or a metric against another (`\"scatter\"`).",
        )
        .required(),
        key("x", Shape::Text, "The variable of a sweep, or the metric of a scatter.")
            .otherwise("required there"),
        key("x-log", Shape::Bool, "Logarithmic x axis of a sweep.").default("false"),
        key(
            "y",
            Shape::AnyOf(&[
                Shape::Word(Words { what: "a metric", list: words::drawn }),
                Shape::List { of: &METRIC, from: 1, to: usize::MAX },
            ]),
            "The metric, or what is drawn over time. In a sweep also a list of metrics of one unit, each a curve.",
        )
        .required(),
        key("series", Shape::Text, "The variable whose values are the curves, or `\"flow\"`.")
            .otherwise("required; none beside a list of metrics; optional with `ratio` and `jain` over time"),
        key("at", Shape::Table(&AT), "Values at which swept variables are pinned.").otherwise("all points"),
        key("during", DURING, "Part of the run over which the metric is taken: `[\"301s\", \"311s\"]`.")
            .otherwise("the run after its warm-up"),
        key(
            "of",
            FLOWS,
            "Over time: only these flows. With `y = \"ratio\"`: the flows whose delivered bytes are compared.",
        )
        .otherwise("all flows; required for a ratio"),
        key("over", FLOWS, "With `y = \"ratio\"`: the flows that they are compared with.")
            .otherwise("required for a ratio"),
    ],
)
.rules(&[
    Rule::needs(&[SWEEP], &["x"]),
    Rule::needs(&[SCATTER], &["x", "series"]),
    Rule::needs(&[SWEEP, Condition { key: "y", is: Is::OtherWord(&[]) }], &["series"]),
    Rule::never(
        &[SWEEP, Condition { key: "y", is: Is::List }],
        &["series"],
        "a list of metrics makes the curves: leave `series` out",
    ),
    Rule::never(
        &[TIME, Condition { key: "y", is: Is::List }],
        &["y"],
        "only a figure of kind \"sweep\" takes a list",
    ),
    Rule::never(
        &[SCATTER, Condition { key: "y", is: Is::List }],
        &["y"],
        "only a figure of kind \"sweep\" takes a list",
    ),
    Rule::never(&[SWEEP], &["of", "over"], "only a figure of kind \"time\" takes it"),
    Rule::never(&[SCATTER], &["of", "over"], "only a figure of kind \"time\" takes it"),
    Rule::never(&[SCATTER], &["x-log"], "only a figure of kind \"sweep\" takes it"),
    Rule::never(&[TIME], &["x", "x-log"], "only a figure of kind \"sweep\" takes it"),
    Rule::never(&[TIME], &["during"], "only a figure of kind \"sweep\" or \"scatter\" takes it"),
    Rule::needs(&[TIME, word("y", &["ratio"])], &["of", "over"]),
    Rule::never(
        &[TIME, Condition { key: "y", is: Is::OtherWord(&["ratio"]) }],
        &["over"],
        "only a figure of kind \"time\" with y = \"ratio\" takes it",
    ),
    Rule::needs(
        &[TIME, Condition { key: "y", is: Is::OtherWord(&["ratio", "jain"]) }],
        &["series"],
    ),
]);

/// The points that a figure shows.
pub static AT: Section =
    Section::new("figure.at", "Pins swept variables.", &[]).others(POINT, Shape::PointValue);

/// A claim of a document.
pub static QUOTE: Section = Section::new(
    "quote",
    "A claim of a document, which the report judges.",
    &[
        key("id", Shape::Name, "Short name, unique in the file.").required(),
        key("text", Shape::Text, "What is claimed.").required(),
        key("source", Shape::Text, "Where it is claimed.").otherwise("the file's `source`"),
        key(
            "fitted",
            Shape::ShortText(500),
            "What was chosen, and to what, where the set-up is not the paper's as printed.",
        )
        .otherwise("as printed"),
        key(
            "claim",
            Shape::Name,
            "The `id` of the quote that this is another reading of: the claim counts once.",
        )
        .otherwise("a claim of its own"),
        key("own", Shape::Bool, "A check or a finding of ours, not a claim of a paper.")
            .default("false"),
        key("note", Shape::Text, "Why it holds, or why it cannot.").otherwise("none"),
        key("metric", METRIC, "What is measured.").required(),
        key("during", DURING, "Part of the run over which it is measured: `[\"301s\", \"311s\"]`.")
            .otherwise("the run after its warm-up"),
        key("value", Shape::Table(&VALUE), "The metric has a value.")
            .otherwise("one claim is required"),
        key("ratio", Shape::Table(&RATIO), "The metric is a multiple of that elsewhere."),
        key(
            "order",
            Shape::List { of: &SELECTED, from: 2, to: usize::MAX },
            "The metric falls from each selection to the next.",
        ),
        key("above", Shape::Table(&ABOVE), "The metric is above that elsewhere, along a variable."),
    ],
)
.rules(&[
    Rule::Apart {
        groups: &[&["value"], &["ratio"], &["order"], &["above"]],
        label: "a quote makes one claim",
    },
    Rule::some(
        &["value", "ratio", "order", "above"],
        "makes no claim",
        "a quote makes one claim: `value`, `ratio`, `order` or `above`",
    ),
    Rule::never(
        &[Condition { key: "own", is: Is::True }],
        &["fitted", "claim"],
        "only a claim of a paper takes it, and `own = true` marks a check of our own",
    ),
]);

/// A claim about a value.
pub static VALUE: Section = Section::new(
    "quote.value",
    "The metric has a value.",
    &[
        key("of", SELECTED, "Which runs and flows.").required(),
        key("expect", Shape::Expected, "The value in the metric's unit: a rate, a time, a share or a number.").required(),
        key("within", WITHIN, "Relative distance that still counts as met; for an error such as `eq10-mended`, the distance itself.").required(),
    ],
);

/// A claim about a ratio.
pub static RATIO: Section = Section::new(
    "quote.ratio",
    "The metric is a multiple of that elsewhere.",
    &[
        key("of", SELECTED, "The numerator.").required(),
        key("over", SELECTED, "The denominator.").required(),
        key("expect", Shape::Number(Range::new(0.0, 1e15).above()), "The ratio.").required(),
        key("within", WITHIN, "Relative distance that still counts as met.").required(),
    ],
);

/// A claim along a variable.
pub static ABOVE: Section = Section::new(
    "quote.above",
    "The metric is above that elsewhere, at every value of a variable.",
    &[
        key("of", SELECTED, "The selection with the higher metric.").required(),
        key("over", SELECTED, "The selection with the lower metric.").required(),
        key("along", Shape::Text, "The variable at each of whose values this holds.").required(),
        key("from", Shape::Quantity, "Lowest value of the variable.").otherwise("the lowest"),
        key("to", Shape::Quantity, "Highest value of the variable.").otherwise("the highest"),
        key("within", WITHIN, "Relative distance by which it may be below and still count.")
            .otherwise("none"),
    ],
);

/// Which runs and flows a claim is about.
pub static SELECTION: Section = Section::new(
    "selection",
    "Runs, by the values of their variables, and flows.",
    &[key("flow", FLOWS, "Only the flow of this name, or the mean over these flows.")
        .otherwise("all flows: their total for rates, else their mean")],
)
.others(POINT, Shape::PointValue);
