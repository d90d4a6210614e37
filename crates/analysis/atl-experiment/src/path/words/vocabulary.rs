//! The words that have a meaning beside numbers and names.

pub(super) const THEN: &[&str] = &["then", "afterwards", "later", "followed", "next"];
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
pub(super) const ONE_WAY: &[&str] = &["one-way", "oneway", "owd", "one"];
pub(super) const DELAY: &[&str] = &["delay", "delays", "delayed"];
pub(super) const QUEUE: &[&str] = &["queue", "buffer", "queues", "buffers", "qlen"];
pub(super) const DOWN: &[&str] =
    &["down", "downlink", "downstream", "download", "dl", "downloading", "downloads"];
pub(super) const UP: &[&str] =
    &["up", "uplink", "upstream", "upload", "ul", "uploading", "uploads"];
/// Those that may also say which way data goes.
pub(super) const TASKS: &[&str] =
    &["download", "upload", "downloading", "uploading", "downloads", "uploads"];
pub(super) const JOINED: &[&str] = &["and", "or", "vs", "versus", "plus", "with", "against"];
pub(super) const EACH: &[&str] = &["each", "both"];
pub(super) const WAY: &[&str] = &["way", "ways", "direction", "directions"];
/// Words that add nothing to a path.
pub(super) const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "with",
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
    "roam",
    "roaming",
    "switch",
    "move",
    "moves",
    "handoff",
    "handover",
    "change",
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
];
/// Words for properties of links that a path's words cannot say, with the way to say them.
pub(super) const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &["jitter", "jittery"],
        "a network brings its own, which `no jitter` takes away: for another, `--save FILE` writes the scenario, whose link takes `jitter` as a key (docs/scenarios.md)",
    ),
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
            "gilbert",
            "gilbert-elliott",
        ],
        "is not said in words: `--save FILE` writes the scenario, whose link takes it as a key (docs/scenarios.md lists them)",
    ),
    (
        &["ecn", "codel", "fq_codel", "red", "pie", "bufferbloat", "shallow", "deep"],
        "is a matter of the queue: say its length, as in `100 packets queue`, or `--save FILE` and change the scenario's queue",
    ),
    (
        &["neighbour", "neighbours", "neighbor", "neighbors", "cross", "traffic", "users", "flows"],
        "needs no words: each transport is also run beside a CUBIC flow in the same queue",
    ),
    (&["seed", "seeds"], "is an option: `--seeds 5`"),
    (
        &["bbr", "bbrv1", "bbr1", "bbrv2", "bbr2"],
        "of BBR there is version 3, `bbr3` (`atl list` shows all transports)",
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
