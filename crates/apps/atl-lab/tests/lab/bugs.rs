//! Mistakes planted in a sound controller, each of which must be found by the rule that it breaks.

use atl_lab::{SuiteReport, suite};

use crate::reno::{Bug, RenoConfig};

/// The rule that finds a mistake, or the case whose expectation is not met.
fn found_by(bug: Bug) -> &'static str {
    match bug {
        Bug::NoReactionToLoss => "no-reaction",
        Bug::ReductionPerPacket => "repeated-reduction",
        Bug::GrowthWhileAppLimited | Bug::IdleGrowthPutOff => "app-limited-growth",
        Bug::WindowBelowMinimum | Bug::LargerDatagramsIgnored | Bug::ZeroAfterLosses => {
            "minimum-window"
        }
        Bug::NoPersistentCongestion => "persistent-congestion",
        Bug::PersistentOutsideRecoveryOnly => "persistent-in-recovery",
        Bug::GrowthInRecovery => "growth-in-recovery",
        Bug::SlowStartForever => "slow-start-after-loss",
        Bug::PauseCountsAsTime => "leap-after-pause",
        Bug::EcnIgnored => "ecn-ignored",
        Bug::StateSharedByFactory => "shared-state",
        Bug::GrowthOnSending => "growth-without-ack",
        Bug::HugeInitialWindow => "initial-window",
        Bug::TwiceTheGrowth => "growth-per-ack",
        // Slow growth after a reduction shows in this case.
        Bug::BytesTakenForPackets | Bug::CollapseAtEachLoss => "rfc9002/told-of-ecn",
        Bug::UndoneTwice => "undone-too-much",
        Bug::DivisionByZero => "panic",
    }
}

/// A short case that shows the mistake: the suite takes seconds for each of them.
fn shown_by(bug: Bug) -> &'static str {
    match bug {
        Bug::GrowthWhileAppLimited | Bug::IdleGrowthPutOff => "app-limited",
        Bug::WindowBelowMinimum | Bug::NoPersistentCongestion => "told-of-persistent-congestion",
        Bug::PersistentOutsideRecoveryOnly => "told-of-persistent-congestion-in-recovery",
        Bug::LargerDatagramsIgnored => "told-of-larger-datagrams",
        Bug::PauseCountsAsTime => "after-a-pause",
        Bug::UndoneTwice => "told-of-a-spurious-loss",
        _ => "told-of-ecn",
    }
}

fn finds(report: &SuiteReport, what: &str) -> bool {
    report.cases.iter().any(|case| {
        let unmet = case.case == what && case.measured.iter().any(|measured| !measured.met);
        unmet || case.broken.iter().any(|broken| broken.finding.rule.name() == what)
    })
}

#[test]
fn each_mistake_is_found() {
    for bug in Bug::ALL {
        let short = suite("rfc9002").only(shown_by(bug));
        let report = short.with(RenoConfig::with(bug)).check().expect("it runs");
        assert!(!report.passed(), "{bug:?} passes");
        let what = found_by(bug);
        assert!(finds(&report, what), "{bug:?} is not found by {what}:\n{report}");
    }
}

/// Without a mistake there is no finding, not even one that a declaration would accept.
#[test]
fn a_sound_controller_passes_everything() {
    for name in ["rfc9002", "rfc9743"] {
        let report = suite(name).with(RenoConfig::default()).run();
        assert!(report.cases.iter().all(|case| case.broken.is_empty()), "{report}");
    }
}
