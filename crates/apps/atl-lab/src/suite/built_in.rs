//! The suites that come with the crate.

use crate::monitor::Trial;

/// A suite that comes with the crate.
pub(super) struct Shipped {
    pub(super) name: &'static str,
    pub(super) cases: &'static [ShippedCase],
    pub(super) left_out: &'static [(&'static str, &'static str)],
}

/// A case of a built-in suite.
pub(super) struct ShippedCase {
    pub(super) name: &'static str,
    pub(super) scenario: &'static str,
    pub(super) expected: &'static str,
    pub(super) trial: Option<Trial>,
}

/// The case in a folder below `suites/`.
macro_rules! case {
    ($suite:literal, $folder:literal) => {
        case!($suite, $folder, $folder, None)
    };
    ($suite:literal, $folder:literal, $name:literal, $trial:expr) => {
        ShippedCase {
            name: $name,
            scenario: include_str!(concat!(
                "../../suites/",
                $suite,
                "/",
                $folder,
                "/scenario.toml"
            )),
            expected: include_str!(concat!("../../suites/", $suite, "/", $folder, "/expect.toml")),
            trial: $trial,
        }
    };
}

/// All suites that come with the crate.
pub(super) const SUITES: &[Shipped] = &[
    Shipped { name: "rfc9743", cases: RFC9743, left_out: NOT_COMPUTED },
    Shipped { name: "rfc9002", cases: RFC9002, left_out: &[] },
    Shipped { name: "bbr", cases: BBR, left_out: STATE_NEEDED },
];

const RFC9743: &[ShippedCase] = &[
    case!("rfc9743", "5.1.1-congestion-collapse"),
    case!("rfc9743", "5.1.2-bufferbloat"),
    case!("rfc9743", "5.1.3-high-loss"),
    case!("rfc9743", "5.1.4-self-fairness"),
    case!("rfc9743", "5.1.5-short-flows"),
    case!("rfc9743", "5.2.1-beside-cubic"),
    case!("rfc9743", "5.2.3-beside-short-flows"),
    case!("rfc9743", "6.1-tail-drop"),
    case!("rfc9743", "6.3-wired"),
    case!("rfc9743", "6.4-wireless"),
    case!("rfc9743", "7.1-aqm"),
    case!("rfc9743", "7.3-varying-delay"),
    case!("rfc9743", "7.4-constrained"),
    case!("rfc9743", "7.5-high-delay"),
    case!("rfc9743", "7.8-transients"),
    case!("rfc9743", "7.9-path-changes"),
    case!("rfc9743", "7.9-handover"),
    case!("rfc9743", "7.9-unseen-handover"),
    case!("rfc9743", "7.11-data-centre"),
];

const RFC9002: &[ShippedCase] = &[
    case!("rfc9002", "clean"),
    case!("rfc9002", "app-limited"),
    case!("rfc9002", "heavy-loss"),
    case!("rfc9002", "hidden-queue"),
    case!("rfc9002", "outage"),
    case!("rfc9002", "after-a-pause"),
    case!("rfc9002", "clean", "told-of-persistent-congestion", Some(Trial::Persistent)),
    case!(
        "rfc9002",
        "clean",
        "told-of-persistent-congestion-in-recovery",
        Some(Trial::PersistentInRecovery)
    ),
    case!("rfc9002", "clean", "told-of-ecn", Some(Trial::Ecn)),
    case!("rfc9002", "clean", "told-of-a-spurious-loss", Some(Trial::Undone)),
    case!("rfc9002", "clean", "told-of-larger-datagrams", Some(Trial::Resized)),
];

/// The test cases of draft-ietf-ccwg-bbr (appendix "BBR Example Test Cases") as paths, in the
/// draft's order.
const BBR: &[ShippedCase] = &[
    case!("bbr", "startup-plateau"),
    case!("bbr", "drain-inflight"),
    case!("bbr", "drain-time"),
    case!("bbr", "probe-up-plateau"),
    case!("bbr", "probe-down-inflight"),
    case!("bbr", "probe-down-time"),
    case!("bbr", "probe-rtt"),
    case!("bbr", "probe-rtt-idle"),
    case!("bbr", "startup-aggregation"),
    case!("bbr", "cruise-aggregation"),
    case!("bbr", "sub-packet"),
    case!("bbr", "rate-up"),
    case!("bbr", "rate-down"),
    case!("bbr", "policer"),
    case!("bbr", "reordering"),
    case!("bbr", "delay-spike"),
    case!("bbr", "short-queue"),
    case!("bbr", "refill-app-limited"),
];

/// Test cases of that draft that only the sender's state decides.
const STATE_NEEDED: &[(&str, &str)] = &[
    (
        "Exiting STARTUP on Loss When Application-Limited",
        "a sender that its application limits sends the same before and after",
    ),
    ("Exiting PROBE_UP on Loss When Application-Limited", "the same"),
    (
        "Never Exiting PROBE_UP (or STARTUP) When Application-Limited With No Loss",
        "the same; which state it is in shows only once the application sends more",
    ),
    (
        "Entering and Exiting PROBE_RTT During STARTUP",
        "a start of more than five seconds needs an application that limits it, with the same effect",
    ),
];

/// Sections of RFC 9743 with questions that no run answers here, each with the reason.
const NOT_COMPUTED: &[(&str, &str)] = &[
    (
        "5.2.2, real-time congestion control",
        "flows that pace by themselves are not carried in QUIC",
    ),
    ("5.3, other evaluation criteria", "questions for people: principles, deployment"),
    ("6.2, tunnels", "a tunnel is a link here; what it does to ECN is not modelled"),
    ("7.2, circuit breakers", "they act over minutes, on aggregates"),
    ("7.6, misbehaving nodes", "receivers are sound here"),
    ("7.7, extreme reordering", "links keep the order of packets"),
    ("7.10, multipath", "a connection has one path here"),
];
