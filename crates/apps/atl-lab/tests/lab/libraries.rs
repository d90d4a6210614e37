//! noq's own controllers pass, apart from the findings declared here.

use atl_lab::suite;
use noq_proto::congestion::{CubicConfig, NewRenoConfig};

/// Both controllers return early for a packet of a recovery period, before they look at persistent
/// congestion.
const EARLY: &str =
    "noq 1.4 returns before it looks at persistent congestion within a recovery period";

/// In noq 1.4 and in quinn 0.11 the time since the last loss goes on while the application is idle.
const EPOCH: &str = "idle time counts as time to grow";

#[test]
fn newreno_and_cubic_of_noq_pass_but_for_what_is_known() {
    let newreno = suite("rfc9002").with(NewRenoConfig::default());
    newreno.known("persistent-in-recovery", EARLY).run();
    suite("rfc9743").with(NewRenoConfig::default()).run();
    let cubic = suite("rfc9002").with(CubicConfig::default());
    cubic.known("persistent-in-recovery", EARLY).known("leap-after-pause", EPOCH).run();
    suite("rfc9743").with(CubicConfig::default()).run();
}

#[test]
fn what_is_known_has_to_occur() {
    let reno = suite("rfc9002").with(crate::reno::RenoConfig::default());
    let report = reno.known("persistent-in-recovery", EARLY).check().expect("it runs");
    assert_eq!(report.outdated, ["persistent-in-recovery"]);
    assert!(!report.passed() && report.to_string().contains("take it back"), "{report}");
}

/// quinn's controllers have the same code here.
#[cfg(feature = "quinn")]
#[test]
fn newreno_and_cubic_of_quinn_pass_but_for_the_same() {
    use quinn_proto::congestion::{CubicConfig, NewRenoConfig};
    const EARLY: &str =
        "quinn 0.11 returns before it looks at persistent congestion within a recovery period";
    let newreno = suite("rfc9002").with_quinn(NewRenoConfig::default());
    newreno.known("persistent-in-recovery", EARLY).run();
    // Each sample of quinn's estimator takes four packets, so only some cases are run.
    let rfc9743 =
        || suite("rfc9743").only("5.1.5-short-flows").only("6.4-wireless").only("7.9-path-changes");
    let report = rfc9743().with_quinn(NewRenoConfig::default()).run();
    assert!(report.cases.iter().all(|case| case.library == "quinn"));
    let cubic = suite("rfc9002").with_quinn(CubicConfig::default());
    cubic.known("persistent-in-recovery", EARLY).known("leap-after-pause", EPOCH).run();
    rfc9743().with_quinn(CubicConfig::default()).run();
}

/// A controller written for both traits gets the same out of a path behind either.
#[cfg(feature = "quinn")]
#[test]
fn the_trait_makes_no_difference() {
    let goodput = || {
        atl_lab::scenario_text("path", crate::cases::PATH)
            .set("seeds", 1)
            .on("new")
            .expect(atl_lab::metric("goodput").at_least("1Mb/s"))
    };
    let values = |report: atl_lab::Report| -> Vec<f64> {
        report.measured.iter().filter_map(|measured| measured.value).collect()
    };
    let quinn =
        values(goodput().with_quinn(quinn_proto::congestion::NewRenoConfig::default()).run());
    let noq = values(goodput().with(NewRenoConfig::default()).run());
    assert_eq!(quinn.len(), 2);
    for (quinn, noq) in quinn.iter().zip(&noq) {
        assert!((quinn / noq - 1.0).abs() < 0.02, "{quinn} and {noq}");
    }
}
