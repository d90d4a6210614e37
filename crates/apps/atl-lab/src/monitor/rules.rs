//! Rules that a congestion controller must keep on every path.

use std::fmt;
use std::time::Duration;

/// A rule that every controller is held to while it runs.
///
/// A rule looks at the library's calls to the controller and at its window before and after. It
/// reports only behaviour that no sound controller has: where the standards leave room, so does the
/// rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The window is at least two datagrams.
    MinimumWindow,
    /// The window begins with ten datagrams at most.
    InitialWindow,
    /// The window grows by acknowledgments alone.
    GrowthWithoutAck,
    /// An acknowledgment adds about what it acknowledges, at most.
    GrowthPerAck,
    /// The window does not grow while the application fills less than half of it.
    AppLimitedGrowth,
    /// The window does not grow by acknowledgments of packets that were sent before a loss was
    /// noticed.
    GrowthInRecovery,
    /// Heavy loss makes the window smaller.
    NoReaction,
    /// The packets of one round trip cost one reduction.
    RepeatedReduction,
    /// After a loss the window does not double in each round trip, as at the start.
    SlowStartAfterLoss,
    /// After a pause the window is no wider than the path was seen to carry.
    LeapAfterPause,
    /// Persistent congestion reduces the window to its minimum.
    PersistentCongestion,
    /// The same during a recovery period.
    PersistentInRecovery,
    /// A mark of ECN counts like a loss.
    EcnIgnored,
    /// An undone reduction gives back what it took, and no more.
    UndoneTooMuch,
    /// A connection's window does not depend on the connections before it.
    SharedState,
    /// The window never exceeds 256 MiB.
    Runaway,
    /// The connection lives to the end of the run.
    ConnectionLost,
    /// No call to the controller panics.
    Panic,
}

impl Rule {
    /// All rules, in the order of reports.
    pub const ALL: [Rule; 18] = [
        Rule::MinimumWindow,
        Rule::InitialWindow,
        Rule::GrowthWithoutAck,
        Rule::GrowthPerAck,
        Rule::AppLimitedGrowth,
        Rule::GrowthInRecovery,
        Rule::NoReaction,
        Rule::RepeatedReduction,
        Rule::SlowStartAfterLoss,
        Rule::LeapAfterPause,
        Rule::PersistentCongestion,
        Rule::PersistentInRecovery,
        Rule::EcnIgnored,
        Rule::UndoneTooMuch,
        Rule::SharedState,
        Rule::Runaway,
        Rule::ConnectionLost,
        Rule::Panic,
    ];

    /// The name by which a known finding is declared.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::MinimumWindow => "minimum-window",
            Rule::InitialWindow => "initial-window",
            Rule::GrowthWithoutAck => "growth-without-ack",
            Rule::GrowthPerAck => "growth-per-ack",
            Rule::AppLimitedGrowth => "app-limited-growth",
            Rule::GrowthInRecovery => "growth-in-recovery",
            Rule::NoReaction => "no-reaction",
            Rule::RepeatedReduction => "repeated-reduction",
            Rule::SlowStartAfterLoss => "slow-start-after-loss",
            Rule::LeapAfterPause => "leap-after-pause",
            Rule::PersistentCongestion => "persistent-congestion",
            Rule::PersistentInRecovery => "persistent-in-recovery",
            Rule::EcnIgnored => "ecn-ignored",
            Rule::UndoneTooMuch => "undone-too-much",
            Rule::SharedState => "shared-state",
            Rule::Runaway => "runaway",
            Rule::ConnectionLost => "connection-lost",
            Rule::Panic => "panic",
        }
    }

    /// The rule in words, with its source.
    pub const fn says(self) -> &'static str {
        match self {
            Rule::MinimumWindow => "the window is at least two datagrams (RFC 9002, sec. 7.2)",
            Rule::InitialWindow => {
                "the window begins with ten datagrams or 14720 bytes at most (RFC 9002, sec. 7.2)"
            }
            Rule::GrowthWithoutAck => {
                "only an acknowledgment makes the window larger (RFC 9002, sec. 7.3)"
            }
            Rule::GrowthPerAck => {
                "an acknowledgment adds what it acknowledges at most (RFC 9002, sec. 7.3.1); counted from the fiftieth that adds more than twice that"
            }
            Rule::AppLimitedGrowth => {
                "a window of which the application fills less than half does not grow (RFC 9002, sec. 7.8)"
            }
            Rule::GrowthInRecovery => {
                "packets sent before a loss was noticed do not make the window larger (RFC 9002, sec. 7.3.2)"
            }
            Rule::NoReaction => {
                "eight losses in a row, each of more than a tenth of what was sent, leave a smaller window (RFC 9743, sec. 5.1.1)"
            }
            Rule::RepeatedReduction => {
                "the losses of one round trip cost one reduction (RFC 9002, sec. 7.3.2)"
            }
            Rule::SlowStartAfterLoss => {
                "the window does not double within a round trip after a loss, as at the start (RFC 9002, sec. 7.3.3)"
            }
            Rule::LeapAfterPause => {
                "within four round trips after a pause the window does not exceed that of the last loss by half (RFC 9438, sec. 5.8: idle time does not count as time to grow)"
            }
            Rule::PersistentCongestion => {
                "persistent congestion reduces the window to two datagrams (RFC 9002, sec. 7.6.2)"
            }
            Rule::PersistentInRecovery => {
                "persistent congestion does so within a recovery period, too (RFC 9002, app. B.8)"
            }
            Rule::EcnIgnored => {
                "a mark of ECN reduces the window as a loss does (RFC 9002, sec. 7.1)"
            }
            Rule::UndoneTooMuch => "an undone reduction restores the window of before at most",
            Rule::SharedState => {
                "a controller built after a run begins like the first (RFC 9000, sec. 9.4: a new path has a new controller)"
            }
            Rule::Runaway => {
                "no window exceeds 256 MiB, many times what any path of a scenario holds"
            }
            Rule::ConnectionLost => "the connection lives to the end of the run",
            Rule::Panic => "no call makes it panic",
        }
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A rule that was broken in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that was broken.
    pub rule: Rule,
    /// Time of the first occurrence since the controller was built.
    pub at: Duration,
    /// The circumstances of the first occurrence, with values in bytes.
    pub detail: String,
    /// Occurrences in the run.
    pub count: u64,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { rule, at, detail, count } = self;
        write!(f, "{rule}: {detail}, at {:.3} s", at.as_secs_f64())?;
        if *count > 1 {
            write!(f, " and {} times more", count - 1)?;
        }
        write!(f, "; but {}", rule.says())
    }
}
