//! Keys of figures and quotes.

use super::bounds::{Range, Words};
use super::declaration::{Section, Shape, key};
use super::rule::{Condition, Is, Rule, word};
use super::words;

const METRIC: Shape = Shape::Word(Words { what: "a metric", list: words::metrics });
const DURING: Shape = Shape::List { of: &Shape::TIME, from: 2, to: 2 };
const FLOWS: Shape =
    Shape::AnyOf(&[Shape::Text, Shape::List { of: &Shape::Text, from: 1, to: usize::MAX }]);
const SELECTED: Shape = Shape::Table(&SELECTION);
/// Tolerance of a quote; above 0, since no measurement is exact.
const A_RATIO: Shape = Shape::Number(Range::new(0.0, 1e15).above());
const WITHIN: Shape = Shape::Probability(Range::new(0.0, 1.0).above());
const POINT: &str = "Only points at which this variable has this value.";

const SWEEP: Condition = word("kind", &["sweep"]);
const TIME: Condition = word("kind", &["time"]);
const SCATTER: Condition = word("kind", &["scatter"]);
const NETWORKS: Condition = word("kind", &["networks"]);
const DISTRIBUTION: Condition = word("kind", &["distribution"]);
const NOT_OVER_TIME: &str = "only a figure of kind \"time\" takes it";
const ONE_METRIC: &str = "only a figure of kind \"sweep\" takes a list";
const ONLY_SWEEP: &str = "only a figure of kind \"sweep\" takes it";

/// Keys of a figure of the report.
pub static FIGURE: Section = Section::new(
    "figure",
    "A figure of the report.",
    &[
        key("title", Shape::Text, "Title.").required(),
        key("caption", Shape::Text, "A sentence below it.").otherwise("none"),
        key(
            "kind",
            Shape::Word(Words { what: "", list: || words::of(words::FIGURES) }),
            "A metric against a variable (`\"sweep\"`), something over time, a metric against another (`\"scatter\"`), the mean in each network of a roaming flow (`\"networks\"`), or the share of the flows below each value of a metric (`\"distribution\"`).",
        )
        .required(),
        key("x", Shape::Text, "The variable of a sweep, or the metric of a scatter or a distribution.")
            .otherwise("required there"),
        key("x-log", Shape::Bool, "Logarithmic x axis of a sweep or a distribution.").default("false"),
        key(
            "y",
            Shape::AnyOf(&[
                Shape::Word(Words { what: "a metric", list: words::drawn }),
                Shape::List { of: &METRIC, from: 1, to: usize::MAX },
            ]),
            "The metric, or what is drawn over time or in each network. In a sweep also a list of metrics of one unit, each a curve.",
        )
        .otherwise("required; none in a distribution"),
        key("series", Shape::Text, "The variable whose values are the curves, or `\"flow\"`.")
            .otherwise("required; none beside a list of metrics; optional with `ratio` and `jain` over time"),
        key("at", Shape::Table(&AT), "Values at which swept variables are pinned.").otherwise("all points"),
        key("during", DURING, "Part of the run over which the metric is taken: `[\"301s\", \"311s\"]`.")
            .otherwise("the run after its warm-up"),
        key(
            "of",
            FLOWS,
            "Over time, or in a sweep of one metric: only these flows. With `y = \"ratio\"`: the flows whose delivered bytes are compared.",
        )
        .otherwise("all flows; required for a ratio"),
        key("over", FLOWS, "With `y = \"ratio\"`: the flows that they are compared with.")
            .otherwise("required for a ratio"),
    ],
)
.rules(&[
    Rule::needs(&[SWEEP], &["x"]),
    Rule::needs(&[SCATTER], &["x", "series"]),
    Rule::needs(&[DISTRIBUTION], &["x", "series"]),
    Rule::needs(&[NETWORKS], &["series"]),
    Rule::needs(&[SWEEP], &["y"]),
    Rule::needs(&[TIME], &["y"]),
    Rule::needs(&[SCATTER], &["y"]),
    Rule::needs(&[NETWORKS], &["y"]),
    Rule::never(
        &[DISTRIBUTION],
        &["y", "of", "over", "during"],
        "a distribution draws the share of the flows whose `x` is at most that",
    ),
    Rule::never(&[NETWORKS, Condition { key: "y", is: Is::List }], &["y"], ONE_METRIC),
    Rule::never(&[NETWORKS], &["x", "x-log"], ONLY_SWEEP),
    Rule::never(&[NETWORKS], &["of", "over"], NOT_OVER_TIME),
    Rule::never(
        &[NETWORKS],
        &["during"],
        "only a figure of kind \"sweep\" or \"scatter\" takes it",
    ),
    Rule::needs(&[SWEEP, Condition { key: "y", is: Is::OtherWord(&[]) }], &["series"]),
    Rule::never(
        &[SWEEP, Condition { key: "y", is: Is::List }],
        &["series"],
        "a list of metrics makes the curves: leave `series` out",
    ),
    Rule::never(
        &[TIME, Condition { key: "y", is: Is::List }],
        &["y"],
        ONE_METRIC,
    ),
    Rule::never(
        &[SCATTER, Condition { key: "y", is: Is::List }],
        &["y"],
        ONE_METRIC,
    ),
    Rule::never(&[SWEEP], &["over"], NOT_OVER_TIME),
    Rule::never(
        &[SWEEP, Condition { key: "y", is: Is::List }],
        &["of"],
        "a list of metrics is over all flows",
    ),
    Rule::never(&[SCATTER], &["of", "over"], NOT_OVER_TIME),
    Rule::never(&[SCATTER], &["x-log"], ONLY_SWEEP),
    Rule::never(&[TIME], &["x", "x-log"], ONLY_SWEEP),
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

/// Keys that select the points of a figure.
pub static AT: Section =
    Section::new("figure.at", "Pins swept variables.", &[]).others(POINT, Shape::PointValue);

/// Keys of a quote: a claim of a document.
pub static QUOTE: Section = Section::new(
    "quote",
    "A claim of a document, which the report judges.",
    &[
        key("id", Shape::Name, "Short name, unique in the file.").required(),
        key("text", Shape::Text, "The claim in words.").required(),
        key("source", Shape::Text, "Where it is claimed.").otherwise("the file's `source`"),
        key(
            "fitted",
            Shape::ShortText(500),
            "The parameters fitted and their values, where the set-up differs from the paper's as printed.",
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
        key("note", Shape::Text, "Known reasons why the claim holds or cannot hold.").otherwise("none"),
        key("metric", METRIC, "The metric of the claim.").required(),
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

/// Keys of a claim about a value.
pub static VALUE: Section = Section::new(
    "quote.value",
    "The metric has a value.",
    &[
        key("of", SELECTED, "Which runs and flows.").required(),
        key("expect", Shape::Expected, "The value in the metric's unit: a rate, a time, a share or a number.").otherwise("a bound is required"),
        key("at-most", Shape::Expected, "An upper bound instead of a value, in the metric's unit."),
        key("at-least", Shape::Expected, "A lower bound instead of a value, in the metric's unit."),
        key("within", WITHIN, "Relative distance that still counts as met, for a bound that beyond it; for an error such as `eq10-mended`, the distance itself.").otherwise("required with `expect`, else none"),
    ],
)
.rules(STATED);

/// Constraints on the number that a claim states.
const STATED: &[Rule] = &[
    Rule::Apart {
        groups: &[&["expect"], &["at-most"], &["at-least"]],
        label: "a claim states one number",
    },
    Rule::some(
        &["expect", "at-most", "at-least"],
        "states no number",
        "`expect` states a value, `at-most` and `at-least` state bounds",
    ),
    Rule::with("expect", &["within"]),
];

/// Keys of a claim about a ratio.
pub static RATIO: Section = Section::new(
    "quote.ratio",
    "The metric is a multiple of that elsewhere.",
    &[
        key("of", SELECTED, "The numerator.").required(),
        key("over", SELECTED, "The denominator.").required(),
        key("expect", A_RATIO, "The ratio.").otherwise("a bound is required"),
        key("at-most", A_RATIO, "An upper bound instead of a ratio."),
        key("at-least", A_RATIO, "A lower bound instead of a ratio."),
        key(
            "within",
            WITHIN,
            "Relative distance that still counts as met, for a bound that beyond it.",
        )
        .otherwise("required with `expect`, else none"),
    ],
)
.rules(STATED);

/// Keys of a claim along a swept variable.
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

/// Keys that select the runs and flows of a claim.
pub static SELECTION: Section = Section::new(
    "selection",
    "Runs, by the values of their variables, and flows.",
    &[key("flow", FLOWS, "Only the flow of this name, or the mean over these flows.")
        .otherwise("all flows: their total for rates, else their mean")],
)
.others(POINT, Shape::PointValue);
