//! Causes of failures, where they are known.

use atl_lab::monitor::Rule;

use super::Column;
use super::laws::Law;

/// Stands in the page for a cause that is not in [`CAUSES`].
pub(super) const UNKNOWN: &str = "not known";

/// The reason why laws break a rule, or do not meet a case's expectations.
#[derive(Debug)]
pub(super) struct Cause {
    /// Names of the laws, told or not.
    laws: &'static [&'static str],
    /// The rule or the case.
    pub(super) what: &'static str,
    pub(super) why: &'static str,
}

impl Cause {
    pub(super) fn concerns(&self, law: &Law) -> bool {
        self.laws.contains(&law.name.as_str())
    }

    /// The rule, or the case's unmet expectation, in this suite; `None` if the case is of another.
    fn occurs(&self, column: &Column) -> Option<bool> {
        let cases = &column.report.cases;
        if Rule::named(self.what).is_some() {
            let broken = |case: &atl_lab::Report| {
                case.broken.iter().any(|broken| broken.finding.rule.name() == self.what)
            };
            // A rule may be broken in one suite alone.
            return cases.iter().any(broken).then_some(true);
        }
        let case = cases.iter().find(|case| case.case.ends_with(&format!("/{}", self.what)))?;
        Some(case.measured.iter().any(|measured| !measured.met))
    }
}

/// Cases whose expectations are met, though a failure of the law in them is explained.
pub(super) fn without_effect(columns: &[Column]) -> Vec<(&'static str, &'static str)> {
    let mut idle = Vec::new();
    for cause in CAUSES {
        for law in cause.laws {
            let of_law = columns.iter().filter(|column| column.law.name == *law);
            let found: Vec<bool> = of_law.filter_map(|column| cause.occurs(column)).collect();
            if !found.is_empty() && !found.contains(&true) {
                idle.push((*law, cause.what));
            }
        }
    }
    idle
}

const INSTANT: &str = "a packet that leaves in the very instant in which a loss is noticed counts as sent after it, by its number; RFC 9002 (app. B.6) compares times, and counts it as sent before";
const PARTLY: &str = "partly a packet that leaves in the very instant in which a loss is noticed, as with the other laws; the rest, among it all in `7.3-varying-delay`, is not known";
const LINK_LOSS: &str =
    "by design: a loss that no queue explains is taken for the link's, and begins no recovery";
const MODEL: &str = "by design: BBR's window follows its model of the path, and knows no recovery period of RFC 9002";
const LONGER: &str = "without a report a longer path looks like a standing queue, until the least round-trip time is measured anew";
const OTHER_WAY: &str = "the first ACKs of a new path come back over the old one: its least round-trip time is taken for 60 ms where it is 80, so that the path looks like a queue";

/// The causes that are known.
pub(super) const CAUSES: &[Cause] = &[
    Cause {
        laws: &["tcp-atl", "reno", "westwood", "vegas", "cubic", "prague", "dctcp"],
        what: "repeated-reduction",
        why: INSTANT,
    },
    Cause { laws: &["tcp-atl-robust", "residual"], what: "repeated-reduction", why: PARTLY },
    Cause {
        laws: &["tcp-atl-robust"],
        what: "ecn-ignored",
        why: "a mark on what left before the law's last own reduction, here one for its queue, counts as answered by that",
    },
    Cause {
        laws: &["tcp-atl-robust"],
        what: "growth-in-recovery",
        why: "by design: losses that its own MAC marked change nothing, so that they begin no recovery",
    },
    Cause { laws: &["residual"], what: "growth-in-recovery", why: LINK_LOSS },
    Cause { laws: &["bbr3"], what: "growth-in-recovery", why: MODEL },
    Cause { laws: &["bbr3"], what: "slow-start-after-loss", why: MODEL },
    Cause {
        laws: &["bbr3"],
        what: "probe-up-plateau",
        why: "by the draft: a probe at 1.25 times the rate ends after three rounds without growth, which leave three quarters of a bandwidth-delay product in the queue",
    },
    Cause {
        laws: &["bbr3"],
        what: "probe-down-time",
        why: "by the draft: the largest bandwidth of two probing cycles counts, six to eight seconds here, for which a queue that loses nothing holds a second bandwidth-delay product",
    },
    Cause {
        laws: &["bbr3"],
        what: "sub-packet",
        why: "by the draft: the least window of four packets keeps a queue of its own, so that after ten seconds no sample shows the empty path; the least round trip grows, and with it the window",
    },
    Cause {
        laws: &["bbr3", "s2n-quic, BBRv2", "noq, BBRv3"],
        what: "policer",
        why: "a probe ends only once a round trip has lost more than 2 %, which bounds no mean over many probes: our bound asks for more than the draft does",
    },
    Cause {
        laws: &["tcp-atl"],
        what: "slow-start-after-loss",
        why: "by design: alpha of the ATL paper's eq. 9 grows with the reported loss and delay, here to a window's worth in a round trip",
    },
    Cause { laws: &["tcp-atl-robust", "vegas"], what: "7.3-varying-delay", why: LONGER },
    Cause { laws: &["vegas"], what: "7.9-unseen-handover", why: LONGER },
    Cause { laws: &["tcp-atl-robust", "vegas"], what: "7.9-handover", why: OTHER_WAY },
    Cause {
        laws: &["vegas"],
        what: "5.2.1-beside-cubic",
        why: "it keeps a few packets in the queue that CUBIC fills, and gives way to the delay",
    },
];
