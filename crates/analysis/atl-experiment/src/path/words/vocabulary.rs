//! The words that have a meaning beside numbers and names.

pub(super) const THEN: &[&str] = &["then", "afterwards", "later", "followed", "next"];
/// Words for going from one network to another.
pub(super) const MOVES: &[&str] = &[
    "roam",
    "roams",
    "roaming",
    "switch",
    "switches",
    "switching",
    "switched",
    "move",
    "moves",
    "moving",
    "handoff",
    "handover",
    "handovers",
    "hands",
    "change",
    "changes",
    "changing",
    "goes",
    "leave",
    "leaves",
    "leaving",
];
/// Words for getting worse or better.
pub(super) const FALLS: &[&str] = &[
    "drop", "drops", "dropping", "dropped", "fall", "falls", "falling", "fell", "degrades",
    "fades", "rises", "rising", "improves", "recovers", "slows",
];
/// Words for what happens to a connection in an outage.
pub(super) const LOSES: &[&str] =
    &["drop", "drops", "dropped", "dropping", "lose", "loses", "losing", "lost", "cuts"];
pub(super) const TO: &[&str] = &["to", "into", "onto", "till", "until"];
pub(super) const AT: &[&str] = &["at", "after"];
pub(super) const FOR: &[&str] = &["for", "lasting", "during", "duration", "lasts"];
pub(super) const LOSS: &[&str] = &[
    "loss",
    "losses",
    "lost",
    "lose",
    "loses",
    "losing",
    "drop",
    "drops",
    "plr",
    "dropped",
    "packetloss",
];
pub(super) const NO: &[&str] = &["no", "without", "zero"];
pub(super) const ROUND_TRIP: &[&str] =
    &["rtt", "ping", "latency", "lag", "round-trip", "roundtrip", "round", "trip", "pings"];
/// Those that cannot be about one way.
pub(super) const BOTH_WAYS: &[&str] =
    &["rtt", "ping", "pings", "round-trip", "roundtrip", "round", "trip"];
pub(super) const ONE_WAY: &[&str] = &["one-way", "oneway", "owd"];
pub(super) const DELAY: &[&str] = &["delay", "delays", "delayed"];
pub(super) const QUEUE: &[&str] =
    &["queue", "buffer", "queues", "buffers", "qlen", "bufferbloat", "queuing", "queueing"];
pub(super) const JITTER: &[&str] = &["jitter", "jittery", "jitters", "pdv", "ipdv"];
/// Flows in the same queue, whose number is said.
pub(super) const NEIGHBOURS: &[&str] = &[
    "neighbour",
    "neighbours",
    "neighbor",
    "neighbors",
    "flow",
    "flows",
    "competitor",
    "competitors",
];
/// Words between the number of neighbours and their name.
pub(super) const OTHER: &[&str] = &[
    "other",
    "others",
    "competing",
    "cross",
    "background",
    "parallel",
    "concurrent",
    "more",
    "cubic",
    "tcp",
    "bulk",
    "busy",
    "active",
    "contending",
];
pub(super) const STATIONS: &[&str] = &["station", "stations", "stas"];
/// Words that add nothing to a queue's length, or to how many share it.
pub(super) const SIZES: &[&str] =
    &["deep", "shallow", "big", "large", "small", "short", "long", "bloated", "huge", "tiny"];
/// Numbers as words.
pub(super) const NUMBERS: &[(&str, f64)] = &[
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("eight", 8.0),
    ("ten", 10.0),
    ("twelve", 12.0),
    ("twenty", 20.0),
    ("fifty", 50.0),
    ("hundred", 100.0),
    ("thousand", 1e3),
    ("million", 1e6),
];
pub(super) const DOWN: &[&str] =
    &["down", "downlink", "downstream", "download", "dl", "downloading", "downloads"];
pub(super) const UP: &[&str] =
    &["up", "uplink", "upstream", "upload", "ul", "uploading", "uploads"];
/// Those that may also say which way data goes.
pub(super) const TASKS: &[&str] =
    &["download", "upload", "downloading", "uploading", "downloads", "uploads"];
pub(super) const JOINED: &[&str] = &["and", "or", "vs", "versus", "plus", "with", "against"];
pub(super) const EACH: &[&str] = &["each", "both", "either", "per", "every"];
pub(super) const WAY: &[&str] = &["way", "ways", "direction", "directions"];
/// Words that add nothing to a path.
pub(super) const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "with",
    "w",
    "on",
    "over",
    "in",
    "of",
    "my",
    "our",
    "your",
    "is",
    "has",
    "have",
    "and",
    "to",
    "from",
    "by",
    "via",
    "per",
    "about",
    "around",
    "roughly",
    "circa",
    "using",
    "use",
    "link",
    "network",
    "networks",
    "connection",
    "line",
    "path",
    "net",
    "home",
    "office",
    "cafe",
    "café",
    "coffee",
    "shop",
    "school",
    "campus",
    "university",
    "library",
    "internet",
    "packet",
    "packets",
    "bandwidth",
    "bw",
    "rate",
    "speed",
    "throughput",
    "capacity",
    "data",
    "time",
    "way",
    "ways",
    "each",
    "both",
    "direction",
    "directions",
    "symmetric",
    "typical",
    "normal",
    "plain",
    "standard",
    "wireless",
    "what",
    "which",
    "best",
    "for",
    "i",
    "it",
    "that",
    "was",
    "are",
    "random",
    "please",
    "show",
    "test",
    "try",
    "me",
    "send",
    "sending",
    "some",
    "only",
    "just",
    "but",
    "vs",
    "versus",
    "against",
    "compare",
    "at",
    "radio",
    "access",
    "mean",
    "average",
    "avg",
    "total",
    "orbit",
    "low",
    "as",
    "like",
    "seconds",
    "beside",
    "free",
    "video",
    "file",
    "files",
    "dish",
    "alongside",
    "shared",
    "sharing",
    "share",
    "same",
    "size",
    "length",
    "symmetrical",
    "one",
    "through",
    "holds",
    "holding",
];
/// Words for properties of links that a path's words cannot say, with the way to say them.
pub(super) const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &[
            "reorder",
            "reordering",
            "duplicate",
            "duplication",
            "corrupt",
            "corruption",
            "burst",
            "bursty",
            "bursts",
            "blackout",
            "blackouts",
            "outage",
            "outages",
            "dropout",
            "dropouts",
            "tunnel",
            "tunnels",
            "elevator",
            "offline",
            "disconnect",
            "disconnects",
            "disconnected",
            "suspension",
            "gilbert",
            "gilbert-elliott",
        ],
        "is not said in words: `--save FILE` writes the scenario, whose link takes it as a key (docs/scenarios.md lists them)",
    ),
    (
        &["ecn", "codel", "fq_codel", "fq-codel", "red", "pie", "cake", "aqm", "l4s", "policer"],
        "is a matter of the queue: say its length, as in `100 packets queue` or `200ms queue`, or `--save FILE` and change the scenario's queue (docs/queues.md)",
    ),
    (
        &[
            "user",
            "users",
            "guest",
            "guests",
            "people",
            "device",
            "devices",
            "client",
            "clients",
            "customers",
            "laptops",
            "phones",
            "passengers",
            "players",
            "viewers",
        ],
        "has two readings: `5 neighbours` (CUBIC flows in the same queue) or `wifi 6 with 5 stations` (which share the airtime of a Wi-Fi)",
    ),
    (
        &["cross", "traffic", "competing", "competition", "others", "background", "contention"],
        "has no number: each transport is also run beside a CUBIC flow in the same queue; `5 neighbours` are more of them",
    ),
    (
        &["km", "kmh", "kph", "mph", "walking", "driving", "pedestrian"],
        "is no unit of a path, whose user has no speed: take a network, such as `train`, or a channel that fades, a key of a scenario's link (docs/wireless-channel.md)",
    ),
    (
        &["parallel", "together", "simultaneously", "multipath", "bonded", "bonding", "mptcp"],
        "is not said in words: a path uses one network at a time, and one after the other is `wifi then 4g` (why not MPTCP: docs/protocols/handoffs.md)",
    ),
    (
        &["ghz", "mhz", "channel", "band"],
        "says nothing about a path's numbers: give its rate, as in `wifi 20Mb/s`, or take `wifi 6`, whose channel has 20 MHz",
    ),
    (
        &[
            "signal",
            "rssi",
            "dbm",
            "snr",
            "fading",
            "distance",
            "walls",
            "bar",
            "bars",
            "reception",
            "coverage",
        ],
        "is not said in words, but what it does to rate and loss is, as in `wifi then 2Mb/s 5% loss at 10s`",
    ),
    (
        &["bdp"],
        "is what the queue holds by default, where that is more than 50 packets: leave it out, or say `100 packets queue` or `200ms queue`",
    ),
    (&["seed", "seeds"], "is an option: `--seeds 5`"),
    (
        &["bbr", "bbrv1", "bbr1", "bbrv2", "bbr2"],
        "is not here: of BBR there is version 3, `bbr3` (`atl list` shows all transports)",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_hide_no_label() {
        for list in [THEN, LOSS, ROUND_TRIP, DELAY, QUEUE, DOWN, UP, NO] {
            assert!(list.iter().all(|word| !FILLERS.contains(word)), "{list:?}");
        }
    }
}
