//! Protocols of the catalogue as controllers under test.

use atl_lab::{Failure, Own, metric, scenario_text};

fn goodput(own: Own) -> f64 {
    let text = crate::cases::PATH.replace("[0, 1e-2]", "[5e-2]");
    let case = scenario_text("path", &text).set("seeds", 1).on("new").in_library(own);
    // With alpha of the paper's eq. 9 its window may double in a round trip.
    let case = case.known("slow-start-after-loss", "by design");
    let report = case.expect(metric("goodput").of("new").at_least("1kb/s")).check();
    report.unwrap_or_else(|failure| panic!("{failure}")).measured[0].value.expect("a goodput")
}

/// 5 % of the packets are lost by the link: TCP-ATL has several times as much if the link says so.
/// Measured: more than four times.
#[test]
fn a_told_protocol_hears_of_its_link() {
    let own = || Own::named("tcp-atl").expect("in the catalogue");
    assert!(own().listens());
    let (told, alone) = (goodput(own().told()), goodput(own()));
    assert!(told > 2.0 * alone, "{told} told, {alone} without");
    // Nothing is told to one that does not listen, and the link's losses stay the same.
    let reno = || Own::named("reno").expect("in the catalogue");
    assert!(!reno().listens());
    assert!((goodput(reno().told()) - goodput(reno())).abs() < 1.0);
}

#[test]
fn what_has_no_window_is_refused() {
    for (name, parts) in [("renno", "there is no protocol `renno`"), ("tfrc", "`tfrc` paces")] {
        match Own::named(name) {
            Err(Failure::Wrong(problem)) => assert!(problem.contains(parts), "{problem}"),
            other => panic!("{other:?}"),
        }
    }
}
