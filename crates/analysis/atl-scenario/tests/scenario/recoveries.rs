//! Comparisons of control laws name the loss recovery of each, and correctly.

use atl_engine::protocol::Recovery;
use atl_scenario::protocol::{Listed, catalogue};
use atl_scenario::{Overrides, builtin, open};

/// Matches a variable's value `SACK` with `Sack`, `Reno-ns2` with `RenoNs2`, and so on.
fn same(named: &str, recovery: impl std::fmt::Debug) -> bool {
    format!("{recovery:?}").eq_ignore_ascii_case(&named.replace('-', ""))
}

/// rfc9331 4.3: A scalable sender detects losses by time and not by a count of packets, so that
/// links may reorder: on RACK-TLP, unless a scenario says otherwise.
/// rfc9331 4.3: A classic law can take its place: the flow's protocol is an option of its scenario.
#[test]
fn an_l4s_law_judges_losses_by_time_and_can_be_replaced() {
    let recovery = |name: &str| {
        let listed = catalogue().iter().find(|listed| listed.name == name);
        listed.and_then(Listed::recovery)
    };
    assert_eq!([recovery("prague"), recovery("cubic")], [Some(Recovery::Rack); 2]);
}

#[test]
fn a_curves_recovery_is_the_one_that_its_flows_run_on() {
    let mut compared = 0;
    for scenario in builtin() {
        let read = open(scenario.name, &Overrides::default()).expect(scenario.name);
        for point in &read.points {
            let Some(named) = point.vars.get("recovery") else { continue };
            // In other scenarios a variable of this name may hold whole protocols.
            for flow in point.setup.flows.iter().filter(|flow| flow.group == named.text) {
                let tcp = flow.protocol.tcp().expect("a TCP");
                let (name, label) = (scenario.name, &flow.protocol.label);
                assert!(
                    same(&named.text, tcp.recovery),
                    "{name}: {label} is not on {}",
                    named.text
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn atl_and_its_rivals_share_a_recovery_where_a_quote_of_the_paper_compares_them() {
    for name in ["atl/fig06", "atl/fig07", "atl/fig08", "atl/fig09", "atl/gain"] {
        let read = open(name, &Overrides::default()).expect(name);
        for point in &read.points {
            let on = point.vars.get("recovery").map_or("SACK", |v| v.text.as_str());
            for flow in &point.setup.flows {
                let recovery = flow.protocol.tcp().expect("a TCP").recovery;
                let label = &flow.protocol.label;
                let robust = label.contains("robust");
                // A reading of its own, under a name that says so.
                let on = if label.ends_with("on ns-2's Reno") { "Reno-ns2" } else { on };
                assert!(same(on, recovery) || robust, "{name}: {label} on {recovery:?}");
            }
        }
    }
}
