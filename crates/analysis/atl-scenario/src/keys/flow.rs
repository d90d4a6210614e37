//! Keys of flows, their protocols and sources.

use atl_core::time::Span;

use super::adaptation::LAYERS;
use super::bounds::Words;
use super::declaration::{Key, Section, Shape, key};
use super::new_path::NEW_PATH_SHAPE;
use super::notices::NOTICES;
use super::rule::{Rule, word};
use super::words;
use crate::application;

const PROTOCOLS: Shape = Shape::Word(Words { what: "a protocol", list: words::protocols });
const APPLICATIONS: Shape = Shape::Word(Words { what: "", list: application::names });
/// Limit on the flows of one run.
pub(crate) const MAX_FLOWS: u64 = 100_000;
/// Limit on a packet in bytes: IP's length field has 16 bits.
pub(crate) const MAX_PACKET: u64 = 65_535;
const BYTES: Shape = Shape::up_to(MAX_PACKET);
/// Time of media that an end system buffers.
const MEDIA_TIME: Shape = Shape::Time { from: Span::ZERO, to: Span::from_secs(60) };

/// Keys of a flow.
pub static FLOW: Section = Section::new(
    "flow",
    "A flow from one node to another.",
    &[
        key("name", Shape::Name, "Name of the flow in figures and quotes.").required(),
        key("from", Shape::Text, "Node that sends.").required(),
        key("to", Shape::Text, "Node that receives.").required(),
        key("protocol", Shape::AnyOf(&[PROTOCOLS, Shape::Table(&PROTOCOL)]), "Protocol, or a table with its options.")
            .required(),
        key(
            "count",
            Shape::Whole { from: 0, to: MAX_FLOWS },
            "Number of copies, called `name-1`, `name-2`, ...; figures and quotes see them as the one flow `name`. With 0 it is left out.",
        )
        .default("1"),
        key(
            "arrivals",
            Shape::PERIOD,
            "The copies do not start together but one after the other, at random (a Poisson process), with this mean time \
             between two. The times are the same for all seeds.",
        )
        .otherwise("together"),
        key(
            "flows",
            Shape::Text,
            "File of flows instead of `count` and `source`: a line such as `1.25,40000` for each, with its start in seconds after \
             `start` and its size in bytes. The path is relative to the scenario file; on the command line, to the working directory.",
        ),
        key("group", Shape::Name, "Flows of one group are one flow in figures and quotes, under this name.")
            .otherwise("its `name`"),
        key("start", Shape::TIME, "When it starts; before the run ends.").default("\"0s\""),
        key(
            "stop",
            Shape::POSITIVE_TIME,
            "Time from which on its application writes nothing, after the start. What it has written before is still delivered, \
             and the flow's own time then ends.",
        )
        .otherwise("the end of the run"),
        key("start-jitter", Shape::TIME, "The start is delayed at random, by up to this time.").default("\"0s\""),
        key(
            "overhead",
            Shape::AnyOf(&[Shape::TIME, Shape::word(|| vec!["auto"])]),
            "Random delay up to this before each packet leaves the sender, in order; breaks up phase effects. `\"auto\"`: \
             the time of one packet on the slowest link of the path (on a trace, at its mean rate). Flows whose round trips differ by a fraction of that \
             may need several times as much: half a millisecond can favour one of four SACK flows at a DropTail queue by a factor of 3.",
        )
        .otherwise("`\"auto\"` for a flow that paces and shares a link with another flow's data; else `\"0s\"`"),
        key(
            "source",
            Shape::AnyOf(&[Shape::word(|| vec!["greedy"]), Shape::Table(&SOURCE)]),
            "Data of the application: `\"greedy\"` always has data to send.",
        )
        .default("\"greedy\""),
        key("tcp", Shape::Table(&TCP), "TCP parameters. A paced flow takes its packet sizes and access rate from here.")
            .otherwise("as in `[tcp]`"),
        key("pacing", Shape::Table(&PACING), "Parameters of a paced flow.").otherwise("as in `[pacing]`"),
        key(
            "receiver",
            Shape::AnyOf(&[
                Shape::Word(Words { what: "", list: || words::of(words::RECEIVERS) }),
                Shape::Table(&RECEIVER),
            ]),
            "Reports of the receiver to a sender that listens: p_w, d_w and handoffs of its own wireless link \
             (`\"aware\"`), nothing (`\"unaware\"`), or fixed claims (a table).",
        )
        .default("\"aware\""),
        key(
            "notices",
            Shape::Table(&NOTICES),
            "Notices by which a receiving mobile tells the sender of its paths, and an attacker's forgeries.",
        )
        .otherwise("signed, and none forged"),
        key(
            "pep",
            Shape::AnyOf(&[Shape::Table(&PEP), Shape::Off]),
            "A performance-enhancing proxy on the way, which splits the connection.",
        )
        .default("false"),
        key(
            "adaptation",
            LAYERS,
            "Packets of this flow travel in cells from end to end, with an adaptation layer at both hosts.",
        )
        .default("false"),
    ],
)
.rules(&[Rule::Apart {
    groups: &[&["flows"], &["count", "source", "arrivals"]],
    label: "a file of flows says how many there are, when they start and what they send",
}]);

/// Keys of a proxy that splits a connection.
pub static PEP: Section = Section::new(
    "flow.pep",
    "A proxy that acknowledges what arrives and sends it on over a connection of its own.",
    &[
        key("at", Shape::Text, "Node at which it is, on the way there and back.").required(),
        key(
            "protocol",
            Shape::AnyOf(&[PROTOCOLS, Shape::Table(&PROTOCOL)]),
            "TCP protocol with which it sends, in both directions of an application.",
        )
        .otherwise("the flow's"),
        key(
            "buffer",
            Shape::SIZE,
            "Data that it keeps at most: arrived, and not acknowledged by the other side. At least two segments.",
        )
        .default("\"4MB\""),
    ],
);

/// Keys of a protocol with options.
pub static PROTOCOL: Section = Section::new(
    "flow.protocol",
    "A protocol with options.",
    &[
        key("name", PROTOCOLS, "Protocol.").required(),
        key("label", Shape::Text, "Display name in reports.").otherwise("the protocol's label"),
        key(
            "recovery",
            Shape::Word(Words { what: "", list: words::recoveries }),
            "TCP's repair of losses. `\"rack\"` is what current stacks use, `\"quic\"` what QUIC does; `\"none\"` repairs \
             nothing, for a flow whose `adaptation` is AAL-T.",
        )
        .otherwise("the protocol's"),
        key(
            "freeze",
            Shape::AnyOf(&[Shape::TIME, Shape::Off]),
            "Freeze-TCP: a host freezes the sender this long before it loses its link, and thaws it when the link is back.",
        )
        .otherwise("`\"200ms\"` for `freeze-tcp`, else `false`"),
        key(
            "new-path",
            NEW_PATH_SHAPE,
            "Behaviour of the sender when a mobile brings it to a path that is new to it: go on as if nothing had changed \
             (`\"keep\"`), start again with its initial window or rate (`\"reset\"`), probe the path with low-priority dummies \
             before it moves (`\"probe\"`), resume on a path that it knows from half of what that carried (`\"resume\"`, TCP), or \
             fill with dummies what the application leaves of its window (`\"pad\"`, TCP); or a table.",
        )
        .default("\"keep\""),
    ],
)
.others("An option of the protocol's congestion controller.", Shape::Option);

/// Keys of the link information that a receiver claims.
pub static RECEIVER: Section = Section::new(
    "flow.receiver",
    "Link information that the receiver claims, whatever its link is like.",
    &[
        key("loss", Shape::PROBABILITY, "The p_w that it claims.").required(),
        key("delay", Shape::TIME, "The d_w that it claims.").required(),
        key("flap", Shape::POSITIVE_TIME, "It claims them for this long, then no loss and no delay for as long, by turns.")
            .otherwise("it always claims them"),
        key("handoffs", Shape::POSITIVE_TIME, "It claims a handoff at multiples of this time.").otherwise("none"),
        key(
            "hold",
            Shape::POSITIVE_TIME,
            "Its ACKs leave together, at multiples of this time: that blurs the sender's round-trip times.",
        )
        .otherwise("they leave at once"),
        key(
            "level",
            Shape::POSITIVE_TIME,
            "Each ACK leaves this long after the packet that it answers was sent: that hides shorter queues from the sender. \
             Instead of `hold`.",
        )
        .otherwise("they leave at once"),
        key(
            "late",
            Shape::POSITIVE_TIME,
            "Each ACK leaves this long after there is something to acknowledge: the path looks longer. Instead of `hold`.",
        )
        .otherwise("they leave at once"),
        key(
            "thin",
            Shape::Whole { from: 2, to: 1000 },
            "Only every n-th ACK leaves, at once: one for many packets. Instead of `hold`.",
        )
        .otherwise("all leave"),
        key(
            "ahead",
            Shape::Whole { from: 0, to: 1000 },
            "Segments beyond those that have arrived which its ACKs cover; TCP, simulator.",
        )
        .default("0"),
    ],
)
.rules(&[Rule::Apart {
    groups: &[&["hold"], &["level"], &["late"], &["thin"]],
    label: "its ACKs leave in one way",
}]);

/// An application with options of its own.
pub static APPLICATION: Section = Section::new(
    "flow.source.application",
    "An application that talks in both directions, with its options.",
    &[key("name", APPLICATIONS, "Its name.").required()],
)
.others("An option of the application.", Shape::Option);

/// Keys of the application's data.
pub static SOURCE: Section = Section::new(
    "flow.source",
    "Data of the application: a size, files, a constant rate, on and off periods, live media, or what an application writes in answer to the other end.",
    &[
        key("bytes", Shape::SIZE, "Sends this much data, then stops: `{ bytes = \"10MB\" }`."),
        key(
            "sizes",
            Shape::Word(Words { what: "", list: || words::of(words::SIZES) }),
            "The copies of the flow have sizes of this distribution, with `bytes` as its mean: its quantiles in random order, the \
             same for all seeds. `\"pareto\"`: few flows have most of the bytes. `\"lognormal\"`: the logarithm is normal. `\"file\"`: \
             sizes or their distribution from `file`, without `bytes`.",
        ),
        key(
            "file",
            Shape::Text,
            "File of sizes for `sizes = \"file\"`: a line such as `40000` for each size in bytes, or such as `40000,0.9` for each point of \
             their distribution: nine tenths of the flows are no longer than that. The path is relative to the scenario file; on the \
             command line, to the working directory.",
        ),
        key("tail", Shape::number(1.01, 10.0), "Pareto: the share of flows above a size falls as this power of it; 2 and less have an infinite variance.")
            .default("1.5"),
        key("sigma", Shape::number(0.0, 5.0), "Lognormal: standard deviation of the natural logarithm.").default("1.5"),
        key(
            "every",
            Shape::PERIOD,
            "Submits a file of `bytes` again and again, the first at the start: `{ bytes = \"1MB\", every = \"10s\" }`. \
             Earlier files may still be under way.",
        ),
        key(
            "rate",
            Shape::AnyOf(&[Shape::Rate, Shape::List { of: &Shape::Rate, from: 1, to: 64 }]),
            "Alone a constant bit rate, delivered or not: `{ rate = \"1Mb/s\" }`. With `on`, the rate while on. With \
             `frames`, the encoder's only rate, or a rising list of its steps.",
        ),
        key(
            "on",
            Shape::PERIOD,
            "Mean on period of a source that pauses: `{ on = \"1s\", off = \"2s\", rate = \"1Mb/s\" }`.",
        )
        .otherwise("required with `off`"),
        key("off", Shape::PERIOD, "Mean off period.").otherwise("required with `on`"),
        key(
            "distribution",
            Shape::Word(Words { what: "", list: || words::of(words::DISTRIBUTIONS) }),
            "Distribution of `on` and `off`, or of `every`.",
        )
        .default("\"constant\""),
        key("frames", Shape::number(0.1, 1000.0), "Frames per second of live media."),
        key("min", Shape::Rate, "Minimum rate of an encoder with a continuous range, headers excluded.")
            .otherwise("this and `max`, or `rate`"),
        key("max", Shape::Rate, "Maximum rate of such an encoder; at least `min`.").otherwise("this and `min`, or `rate`"),
        key(
            "reaction",
            MEDIA_TIME,
            "Time from a change of the flow's rate until the encoder produces frames of the new rate.",
        )
        .default("\"500ms\""),
        key("playout", MEDIA_TIME, "Time from a frame's capture until it is due to be shown.").default("\"200ms\""),
        key(
            "application",
            Shape::AnyOf(&[APPLICATIONS, Shape::Table(&APPLICATION)]),
            "An application whose two ends answer each other, over a protocol that delivers every byte: its name, or a table with its options. A second flow, `NAME.back`, carries the answers.",
        ),
    ],
)
.rules(&[
    Rule::Apart {
        groups: &[
            &["bytes", "every", "sizes", "tail", "sigma", "file"],
            &["on", "off"],
            &["frames", "min", "max", "reaction", "playout"],
            &["application"],
        ],
        label: "a source has a size, a pattern, live media, or an application",
    },
    Rule::Apart { groups: &[&["application"], &["rate", "distribution"]], label: "an application has options of its own" },
    Rule::Apart { groups: &[&["bytes", "every", "sizes", "tail", "sigma", "file"], &["rate"]], label: "the bytes of a file are available at once" },
    Rule::Apart { groups: &[&["rate"], &["min", "max"]], label: "has both" },
    Rule::with("every", &["bytes"]),
    Rule::When {
        when: &[word("sizes", &["pareto", "lognormal"])],
        needs: &["bytes"],
        never: &["file"],
        label: "its sizes are those of a formula",
    },
    Rule::When {
        when: &[word("sizes", &["file"])],
        needs: &["file"],
        never: &["bytes", "tail", "sigma"],
        label: "what there is to know about its sizes is in their file",
    },
    Rule::with("file", &["sizes"]),
    Rule::with("tail", &["sizes"]),
    Rule::with("sigma", &["sizes"]),
    Rule::Apart { groups: &[&["every"], &["sizes", "tail", "sigma", "file"]], label: "the files of one flow are equally long" },
    Rule::Apart { groups: &[&["tail"], &["sigma"]], label: "a distribution has one of them" },
    Rule::with("on", &["off", "rate"]),
    Rule::with("off", &["on", "rate"]),
    Rule::with("min", &["frames", "max"]),
    Rule::with("max", &["frames", "min"]),
    Rule::with("reaction", &["frames"]),
    Rule::with("playout", &["frames"]),
    Rule::WithAny {
        key: "frames",
        needs: &["rate", "min", "max"],
        label: "an encoder needs `rate`, or a range from `min` to `max`",
    },
    Rule::WithAny {
        key: "distribution",
        needs: &["on", "off", "every"],
        label: "it applies to the times of `on` and `off`, or of `every`",
    },
    Rule::some(
        &["bytes", "sizes", "file", "every", "rate", "on", "off", "distribution", "frames", "min", "max", "reaction", "playout", "application"],
        "sends nothing",
        "give `bytes`, `sizes` with a `file`, `rate`, `on` and `off`, `frames`, or `application`",
    ),
]);

const fn tcp(name: &'static str, shape: Shape, about: &'static str, default: &'static str) -> Key {
    key(name, shape, about).default(default)
}

/// Keys of TCP's parameters.
pub static TCP: Section = Section::new(
    "flow.tcp",
    "TCP parameters; a flow's own come before those of `[tcp]`.",
    &[
        tcp(
            "segment",
            BYTES,
            "Most data bytes of a segment; with `header`, at most 65 535.",
            "1448",
        ),
        tcp(
            "header",
            Shape::Whole { from: 0, to: MAX_PACKET },
            "Header bytes of a data segment on the wire: 40 of IPv4 and TCP, 12 of timestamps.",
            "52",
        ),
        tcp("ack", BYTES, "Bytes of an ACK on the wire.", "52"),
        tcp(
            "initial-window",
            Shape::number(1.0, 10_000.0),
            "Initial window in packets (RFC 6928).",
            "10",
        ),
        tcp(
            "receive-window",
            Shape::up_to(10_000_000),
            "The receiver's window in packets, however long they are.",
            "10000",
        ),
        tcp(
            "min-rto",
            Shape::PERIOD,
            "Minimum retransmission timeout (RFC 6298: 1 s; common stacks: 0.2 s above SRTT). The timeout is also kept \
             0.2 s above SRTT, or this much if it is less.",
            "\"200ms\"",
        ),
        tcp(
            "max-rto",
            Shape::PERIOD,
            "Maximum retransmission timeout; at least `min-rto`.",
            "\"60s\"",
        ),
        tcp(
            "delayed-ack",
            Shape::AnyOf(&[Shape::TIME, Shape::Off]),
            "One ACK for every second packet, or after this time; `false`: one ACK for each packet.",
            "false",
        ),
        tcp(
            "nagle",
            Shape::AnyOf(&[Shape::word(|| vec!["minshall", "rfc896"]), Shape::Off]),
            "A segment that is not full waits while another such is unacknowledged (`\"minshall\"`, as in Linux), while \
             anything is (`\"rfc896\"`), or never (`false`, the socket option TCP_NODELAY). The end of a transfer never waits.",
            "\"minshall\"",
        ),
        tcp(
            "timestamps",
            Shape::Bool,
            "ACKs echo timestamps (RFC 7323), so that each gives an RTT sample. `false`: one segment at a time is timed, none \
             that was resent, and the timer stays backed off until then (Karn and Partridge 1987), as in ns-2. The recoveries \
             `*-ns2` never have timestamps.",
            "true",
        ),
        key(
            "ecn",
            Shape::Word(Words { what: "", list: || words::of(words::ECN_MODES) }),
            "Explicit congestion notification: queues that mark spare the packets of this flow, and its receiver tells of marks \
             once a round trip (`\"classic\"`, RFC 3168) or counts them in each ACK (`\"accurate\"`, RFC 9768). `\"off\"`: \
             queues can only drop.",
        )
        .otherwise("`\"accurate\"` for a protocol that counts marks (Prague, DCTCP), else `\"off\"`"),
        key(
            "peer-ecn",
            Shape::Word(Words { what: "", list: || words::of(words::ECN_MODES) }),
            "Feedback on marks that the receiving end of a TCP flow supports. The ends use the lesser of both: with `handshake` by the \
             flags of the SYN and its answer (RFC 9768, sec. 3.1), without one from the start. A protocol that counts marks then takes \
             each for a loss (`\"classic\"`).",
        )
        .otherwise("what `ecn` is"),
        tcp(
            "ecn-option",
            Shape::Bool,
            "Each ACK of a TCP flow with accurate feedback also has the AccECN option, which counts marked bytes (RFC 9768, sec. 3.2.3): \
             the sender then knows the marks of more than seven packets whose ACKs are lost. Its bytes are part of `ack`.",
            "false",
        ),
        tcp("handshake", Shape::Bool, "Starts with a three-way handshake.", "false"),
        tcp(
            "access-rate",
            Shape::AnyOf(&[Shape::Rate, Shape::word(|| vec!["auto", "unknown"])]),
            "Rate of its interface that the sending host knows. `\"auto\"`: the rate of the first link, if it never changes.",
            "\"auto\"",
        ),
    ],
);

/// Keys of a paced flow's parameters.
pub static PACING: Section = Section::new(
    "flow.pacing",
    "Parameters of a paced flow; a flow's own come before those of `[pacing]`.",
    &[
        key("target", Shape::Rate, "Rate on the wire that the application wants; never exceeded.")
            .otherwise("the access rate (`flow.tcp`); required where that is not known"),
        key("minimum", Shape::Rate, "Minimum rate on the wire; at most `target`.")
            .otherwise("a packet in 64 s (RFC 5348)"),
        key(
            "feedback",
            Shape::AnyOf(&[Shape::PERIOD, Shape::word(|| vec!["acks"])]),
            "`\"acks\"`: each packet is acknowledged; a time: the receiver reports at this interval, as RTCP does.",
        )
        .otherwise("the protocol's own, see the list of protocols"),
        key(
            "ecn",
            Shape::AnyOf(&[
                Shape::Bool,
                Shape::Word(Words { what: "", list: || words::of(words::PACED_ECN) }),
            ]),
            "Explicit congestion notification: queues that mark spare the packets of this flow, and its receiver tells of \
             marks, in ACKs (RFC 8888) or in reports (RFC 6679). A mark counts as a loss, but for NADA, which has a rule of its own. \
             `true` is `\"ect0\"`. `\"ect1\"` marks the packets as those of L4S (RFC 9331), although no paced law responds as L4S asks: it \
             shows what a queue does with a flow that takes marks for losses, or that does not respond.",
        )
        .default("false"),
    ],
);
