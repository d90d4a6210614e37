//! Every key that a scenario file may hold, section by section: what the reader knows, what an unknown
//! key is compared with, and what `docs/scenarios.md` must describe.

/// A table of the file.
#[derive(Debug)]
pub struct Section {
    /// Its heading in the file, and in the documentation.
    pub name: &'static str,
    /// The keys that it may hold.
    pub keys: &'static [&'static str],
    /// It also holds keys of the user's own, or of a protocol.
    pub open: bool,
}

const fn section(name: &'static str, keys: &'static [&'static str]) -> Section {
    Section { name, keys, open: false }
}

const fn open(name: &'static str, keys: &'static [&'static str]) -> Section {
    Section { name, keys, open: true }
}

/// The file itself.
pub static TOP: Section = section(
    "the file",
    &[
        "title", "about", "source", "duration", "warmup", "seeds", "quick", "vars", "sweep",
        "network", "link", "flow", "tcp", "pacing", "record", "figure", "quote",
    ],
);
/// What `--quick` changes.
pub static QUICK: Section = section("quick", &["seeds", "duration", "warmup", "sweep"]);
/// The lists of `--quick`.
pub static QUICK_SWEEP: Section = open("quick.sweep", &[]);
/// Defaults of variables.
pub static VARS: Section = open("vars", &[]);
/// A value that has a label.
pub static LABELLED: Section = section("vars.NAME", &["label", "value"]);
/// Swept variables.
pub static SWEEP: Section = open("sweep", &["also"]);
/// Points beside the sweep.
pub static ALSO: Section = open("sweep.also", &[]);
/// Named conditions, each a table of its own.
pub static NETWORKS: Section = open("network", &[]);
/// One network.
pub static NETWORK: Section =
    section("network.NAME", &["rate", "trace", "delay", "delay-trace", "loss", "reverse"]);
/// What differs on a network's way back.
pub static NETWORK_REVERSE: Section =
    section("network.NAME.reverse", &["rate", "trace", "delay", "delay-trace", "loss"]);
/// A link.
pub static LINK: Section = section(
    "link",
    &[
        "name",
        "from",
        "to",
        "wireless",
        "network",
        "rate",
        "trace",
        "delay",
        "delay-trace",
        "loss",
        "queue",
        "agent",
        "adaptation",
        "roam",
        "blackout",
        "at-change",
        "one-way",
        "reverse",
        "report-window",
    ],
);
/// What differs on a link's way back.
pub static REVERSE: Section =
    section("link.reverse", &["rate", "trace", "delay", "delay-trace", "loss", "queue"]);
/// A change of network.
pub static ROAM: Section =
    section("link.roam", &["at", "network", "rate", "trace", "delay", "delay-trace", "loss"]);
/// A time in which a link is dead.
pub static BLACKOUT: Section = section("link.blackout", &["at", "lasts", "every", "times", "hold"]);
/// A queue with more to say than its length.
pub static QUEUE: Section = section("link.queue", &["packets", "bytes", "priority", "mark"]);
/// An agent with parameters.
pub static AGENT: Section = section("link.agent", &["name", "window", "min-timeout", "delay"]);
/// An ATM adaptation layer with parameters.
pub static ADAPTATION: Section = section(
    "adaptation",
    &[
        "name",
        "queue",
        "window",
        "round-trip",
        "smoothing",
        "payload",
        "longest",
        "statistics",
        "status-interval",
        "quench",
        "faults",
    ],
);
/// What follows congestion that cells met.
pub static QUENCH: Section = section("adaptation.quench", &["every", "scatter"]);
/// Faults forced upon PDUs.
pub static FAULTS: Section = section("adaptation.faults", &["scenario", "share"]);
/// Bursty loss, or a whole path's, or bit errors.
pub static LOSS: Section = section(
    "loss",
    &[
        "good-to-bad",
        "bad-to-good",
        "loss-good",
        "loss-bad",
        "wireless",
        "congestion",
        "bit-errors",
        "cell-errors",
        "fading",
    ],
);
/// A fading channel.
pub static FADING: Section =
    section("loss.fading", &["doppler", "modulation", "snr", "cell-errors", "model"]);
/// One of the two chains of a path.
pub static LOSS_CHAIN: Section =
    section("loss.wireless, loss.congestion", &["good-to-bad", "bad-to-good"]);
/// A flow.
pub static FLOW: Section = section(
    "flow",
    &[
        "name",
        "from",
        "to",
        "protocol",
        "count",
        "group",
        "start",
        "start-jitter",
        "overhead",
        "source",
        "tcp",
        "pacing",
        "receiver",
        "adaptation",
    ],
);
/// A protocol with options; the others are its controller's.
pub static PROTOCOL: Section = open("flow.protocol", &["name", "label", "recovery", "freeze"]);
/// What a receiver claims.
pub static RECEIVER: Section = section("flow.receiver", &["loss", "delay"]);
/// What the application sends.
pub static SOURCE: Section = section(
    "flow.source",
    &[
        "bytes",
        "every",
        "on",
        "off",
        "rate",
        "distribution",
        "frames",
        "min",
        "max",
        "reaction",
        "playout",
    ],
);
/// TCP's parameters.
pub static TCP: Section = section(
    "flow.tcp",
    &[
        "segment",
        "header",
        "ack",
        "initial-window",
        "receive-window",
        "min-rto",
        "max-rto",
        "delayed-ack",
        "handshake",
        "access-rate",
    ],
);
/// A paced flow's parameters.
pub static PACING: Section = section("flow.pacing", &["target", "minimum", "feedback"]);
/// What is recorded.
pub static RECORD: Section = section("record", &["every"]);
/// A figure of the report.
pub static FIGURE: Section = section(
    "figure",
    &["title", "caption", "kind", "x", "x-log", "y", "series", "at", "during", "of", "over"],
);
/// Where a figure looks.
pub static AT: Section = open("figure.at", &[]);
/// A claim of a document.
pub static QUOTE: Section = section(
    "quote",
    &["id", "text", "source", "note", "metric", "during", "value", "ratio", "order", "above"],
);
/// A claim about a value.
pub static VALUE: Section = section("quote.value", &["of", "expect", "within"]);
/// A claim about a ratio.
pub static RATIO: Section = section("quote.ratio", &["of", "over", "expect", "within"]);
/// A claim along a variable.
pub static ABOVE: Section = section("quote.above", &["of", "over", "along", "from", "to"]);
/// Which runs and flows a claim is about.
pub static SELECTION: Section = open("selection", &["flow"]);

/// All sections.
pub static ALL: &[&Section] = &[
    &TOP,
    &QUICK,
    &QUICK_SWEEP,
    &VARS,
    &LABELLED,
    &SWEEP,
    &ALSO,
    &NETWORKS,
    &NETWORK,
    &NETWORK_REVERSE,
    &LINK,
    &REVERSE,
    &ROAM,
    &BLACKOUT,
    &QUEUE,
    &AGENT,
    &ADAPTATION,
    &QUENCH,
    &FAULTS,
    &LOSS,
    &FADING,
    &LOSS_CHAIN,
    &FLOW,
    &PROTOCOL,
    &RECEIVER,
    &SOURCE,
    &TCP,
    &PACING,
    &RECORD,
    &FIGURE,
    &AT,
    &QUOTE,
    &VALUE,
    &RATIO,
    &ABOVE,
    &SELECTION,
];
