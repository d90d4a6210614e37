//! The engine names every part of a setup that it cannot carry out.

use atl_engine::Engine as _;
use atl_sockets::quic::Quic;

use crate::lane;
use crate::support::setup;

/// The subject of each gap.
fn gaps(text: &str) -> Vec<String> {
    Quic.gaps(&setup(text)).into_iter().map(|gap| gap.what).collect()
}

#[test]
fn what_it_cannot_do_is_a_gap() {
    let head = "title = \"t\"\nduration = \"3s\"\n";
    let of = |lane: &str| gaps(&(head.to_owned() + lane));
    for noq in ["noq-cubic", "noq-bbr3", "noq-newreno", "tcp-atl", "cubic", "bbr3"] {
        assert_eq!(of(&lane(noq, 0.0, false)), [""; 0], "{noq}");
    }
    // The gaps of QUIC in virtual time are gaps here too.
    assert_eq!(of(&lane("wtcp", 0.0, false)), ["a controller with a half at the receiver"]);
    assert_eq!(of(&lane("freeze-tcp", 0.0, false)), ["a TCP whose hosts freeze it"]);
    assert_eq!(of(&lane("peach", 0.0, false)), ["a controller that sends probes"]);
    let paced = lane("rcp-atl", 0.0, true) + "pacing = { target = \"2Mb/s\" }\n";
    assert_eq!(of(&paced), ["a protocol that paces"]);
    let more = |end: &str| of(&(lane("tcp-atl", 0.0, false) + end));
    assert_eq!(more("adaptation = \"aal5\"\n"), ["packets in ATM cells"]);
    assert_eq!(more("overhead = \"2ms\"\n"), [""; 0]);
    assert_eq!(more("tcp = { segment = 1000, header = 40 }\n"), ["packets of 1040 bytes"]);
    assert_eq!(more("tcp = { segment = 65495, header = 40 }\n"), ["packets of 65535 bytes"]);
    let snoop = lane("reno", 0.0, true).replace("queue = 40", "queue = 40\nagent = \"snoop\"");
    assert_eq!(of(&snoop), ["an agent at the access point"; 2]);
    // The scenario that newcomers copy, with every protocol of its sweep.
    let roaming = atl_scenario::open("showcase/roaming", &atl_scenario::Overrides::default());
    let roaming = roaming.unwrap_or_else(|errors| panic!("{errors}"));
    for point in &roaming.points {
        assert_eq!(Quic.gaps(&point.setup), [], "{:?}", point.vars);
    }
    let many = lane("reno", 0.0, false) + "count = 201\n";
    assert_eq!(of(&many), ["201 flows"]);
}
