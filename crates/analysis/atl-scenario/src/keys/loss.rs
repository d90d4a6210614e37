//! Keys of a link's loss process.

use super::bounds::{Range, Words};
use super::declaration::{Section, Shape, key};
use super::rule::Rule;
use super::words;

const CHAIN: Shape = Shape::AnyOf(&[Shape::PROBABILITY, Shape::Table(&LOSS_CHAIN)]);

/// Range of the mean signal-to-noise ratio of a fading channel, in dB.
pub(crate) const MEAN_SNR: Range = Range::new(-20.0, 100.0);

/// Label below a state's loss without states.
const NO_BURSTS: &str = "only bursts have states: give `good-to-bad` or `good-for` with it";

/// Groups of keys, each of which describes a loss process.
const GROUPS: &[&[&str]] = &[
    &["good-to-bad", "bad-to-good", "good-for", "bad-for", "loss-good", "loss-bad"],
    &["wireless", "congestion"],
    &["bit-errors"],
    &["cell-errors"],
    &["fading"],
];

/// A probability, or a process.
pub(super) const LOSSES: Shape = Shape::AnyOf(&[Shape::PROBABILITY, Shape::Table(&LOSS)]);

/// Keys of losses in bursts, on a whole path, or by bit errors.
pub static LOSS: Section = Section::new(
    "loss",
    "A loss process: bursts, a whole path, bit errors, or fading.",
    &[
        key("good-to-bad", Shape::PROBABILITY, "Probability of a transition from good to bad, before each packet.")
            .otherwise("required for bursts"),
        key("bad-to-good", Shape::PROBABILITY, "Probability of a transition from bad to good.")
            .otherwise("required for bursts"),
        key(
            "good-for",
            Shape::PERIOD,
            "Bursts in time: mean time without them, exponentially distributed; instead of the transitions.",
        )
        .otherwise("required for bursts in time"),
        key(
            "bad-for",
            Shape::PERIOD,
            "Mean length of a burst, exponentially distributed. All that is sent meanwhile meets it.",
        )
        .otherwise("required for bursts in time"),
        key("loss-good", Shape::PROBABILITY, "Loss in the good state.").default("0"),
        key("loss-bad", Shape::PROBABILITY, "Loss in the bad state.").default("1"),
        key("wireless", CHAIN, "ARC's model of a path: the chain of its wireless part; instead of the keys above.")
            .otherwise("no loss there"),
        key("congestion", CHAIN, "ARC's model of a path: the chain of its wired part.").otherwise("no loss there"),
        key(
            "bit-errors",
            Shape::Probability(Range::new(0.0, 0.5)),
            "Single bits flip independently with this probability; instead of all keys above. A receiver that guesses gets half of the bits right.",
        ),
        key(
            "cell-errors",
            Shape::BELOW_ONE,
            "The same, at the bit error ratio at which this share of ATM cells is lost or arrives with a wrong payload \
             (AAL-T paper, eq. 8: one wrong bit of the header is corrected).",
        ),
        key("fading", Shape::Table(&FADING), "Single bits flip as on a fading channel; instead of all keys above."),
    ],
)
.rules(&[
    Rule::Apart { groups: GROUPS, label: "these belong to different loss processes" },
    Rule::Apart {
        groups: &[&["good-to-bad", "bad-to-good"], &["good-for", "bad-for"]],
        label: "bursts are per packet or in time",
    },
    Rule::with("good-to-bad", &["bad-to-good"]),
    Rule::with("bad-to-good", &["good-to-bad"]),
    Rule::with("good-for", &["bad-for"]),
    Rule::with("bad-for", &["good-for"]),
    Rule::WithAny { key: "loss-good", needs: &["good-to-bad", "good-for"], label: NO_BURSTS },
    Rule::WithAny { key: "loss-bad", needs: &["good-to-bad", "good-for"], label: NO_BURSTS },
    Rule::some(
        &["good-to-bad", "bad-to-good", "good-for", "bad-for", "loss-good", "loss-bad", "wireless", "congestion", "bit-errors", "cell-errors", "fading"],
        "has no loss process",
        "give `good-to-bad` and `bad-to-good`, `good-for` and `bad-for`, or `wireless` and `congestion`, `bit-errors`, `cell-errors` or `fading`",
    ),
]);

/// Keys of a fading channel.
pub static FADING: Section = Section::new(
    "loss.fading",
    "A channel with Rayleigh fading and white Gaussian noise.",
    &[
        key(
            "doppler",
            Shape::Frequency(Range::new(1e-3, 1e5)),
            "Maximum Doppler shift: speed times carrier frequency over the speed of light.",
        )
        .required(),
        key(
            "modulation",
            Shape::Word(Words { what: "", list: || words::of(&words::modulations()) }),
            "`\"bpsk\"` and `\"qpsk\"` are coherent, `\"dpsk\"` is differential, `\"fsk\"` non-coherent.",
        )
        .required(),
        key("snr", Shape::Decibels(MEAN_SNR), "Mean signal-to-noise ratio per bit, E_b/N_0.")
            .otherwise("this or `cell-errors`"),
        key(
            "cell-errors",
            Shape::PROBABILITY,
            "Sets the mean ratio at which this share of ATM cells is lost or arrives with a wrong payload, averaged over \
             fading that is slow against a cell.",
        )
        .otherwise("this or `snr`"),
        key(
            "model",
            Shape::Word(Words { what: "", list: || words::of(words::FADING_MODELS) }),
            "`\"two-state\"` is the two-state approximation of the same channel, made for blocks of one cell.",
        )
        .default("\"rayleigh\""),
    ],
)
.rules(&[
    Rule::apart(&[&["snr"], &["cell-errors"]]),
    Rule::some(&["snr", "cell-errors"], "has no mean signal-to-noise ratio", "has neither `snr` nor `cell-errors`"),
]);

/// Keys of one of the two chains of a path.
pub static LOSS_CHAIN: Section = Section::new(
    "loss.wireless, loss.congestion",
    "One part of a path, good or bad, with a transition before each packet.",
    &[
        key("good-to-bad", Shape::PROBABILITY, "Probability of a transition from good to bad: p of the wireless part, q of the wired part.").required(),
        key("bad-to-good", Shape::PROBABILITY, "Probability of a transition from bad to good: r of the wireless part, s of the wired part.").required(),
    ],
);
