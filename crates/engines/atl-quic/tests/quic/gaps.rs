//! The host names every part of a setup that it cannot carry out.

use atl_engine::Engine as _;
use atl_quic::{Crypto, QuicSim};
use atl_sim::Sim;

use crate::support::{parse, path, text};

/// The subject of each gap.
fn gaps(text: &str) -> Vec<String> {
    QuicSim::new(Crypto::Null).gaps(&parse(text)).into_iter().map(|gap| gap.what).collect()
}

#[test]
fn each_thing_that_it_cannot_do_is_a_gap() {
    let protocol = |name: &str| gaps(&text(&format!("{name:?}"), 0.0, 5));
    assert_eq!(protocol("peach"), ["a controller that sends probes"]);
    assert_eq!(protocol("peach-plus"), ["a controller that sends probes"]);
    assert_eq!(protocol("wtcp"), ["a controller with a half at the receiver"]);
    assert_eq!(protocol("freeze-tcp"), ["a TCP whose hosts freeze it"]);
    assert_eq!(
        protocol("fixed-window"),
        ["a sender without loss recovery, or one that goes back N"]
    );
    let more = |end: &str| gaps(&(text("\"tcp-atl\"", 0.0, 5) + end));
    assert_eq!(more("tcp = { segment = 1000, header = 40 }\n"), ["packets of 1040 bytes"]);
    assert_eq!(more("adaptation = \"aal5\"\n"), ["packets in ATM cells"]);
    let target = text("\"rcp-atl\"", 0.0, 5) + "pacing = { target = \"2Mb/s\" }\n";
    assert_eq!(gaps(&target), ["a protocol that paces"]);
    let snoop = text("\"reno\"", 0.0, 5).replace("queue = 170", "queue = 170\nagent = \"snoop\"");
    assert!(gaps(&snoop).iter().any(|what| what == "an agent at the access point"));
    assert_eq!(gaps(&text("{ name = \"tcp-atl\", recovery = \"sack\" }", 0.0, 5)), [""; 0]);
}

#[test]
fn every_other_window_protocol_runs() {
    for protocol in
        ["tcp-atl", "tcp-atl-robust", "reno", "westwood", "tahoe", "vegas", "cubic", "bbr3"]
    {
        let result = crate::support::run(&path(&format!("{protocol:?}"), 1e-3, 6), 1);
        let rate = result.flows[0].goodput_bps / 1e6;
        assert!(rate > 0.5, "{protocol}: {rate} Mb/s");
    }
}

#[test]
fn the_simulator_says_that_controllers_of_noq_need_quic() {
    for protocol in ["noq-cubic", "noq-bbr3", "noq-newreno"] {
        let setup = path(&format!("{protocol:?}"), 0.0, 5);
        let gaps = Sim.gaps(&setup);
        assert_eq!(gaps.len(), 1, "{protocol}");
        assert!(gaps[0].why.contains("quic-sim"), "{}", gaps[0].why);
    }
}

/// Each round trip carries a receive window. Without a delay a round takes no time, and nothing
/// would ever end.
#[test]
fn a_flow_that_nothing_limits_is_a_gap_in_virtual_time() {
    let setup = |link: &str, flow: &str| {
        parse(&format!(
            "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n\
             rate = \"unlimited\"\n{link}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\nto = \"b\"\n\
             protocol = \"sack\"\n{flow}\n"
        ))
    };
    let window = "tcp = { receive-window = 10 }";
    for (link, flow, by_sim, by_quic) in [
        ("", "", true, true),
        ("delay = \"1us\"", "", true, true),
        ("delay = \"1ms\"", "", false, true),
        ("delay = \"10ms\"", "", false, false),
        ("delay = \"1us\"", window, false, true),
        ("delay = \"1us\"\nloss = 0.01", "", false, false),
        ("", "source = { bytes = \"1000B\" }", false, false),
    ] {
        let setup = setup(link, flow);
        for (gaps, refused) in
            [(Sim.gaps(&setup), by_sim), (QuicSim::new(Crypto::Null).gaps(&setup), by_quic)]
        {
            assert_eq!(gaps.len(), usize::from(refused), "{link} {flow}: {gaps:?}");
            let told = "packets over links of unlimited rate";
            assert!(gaps.iter().all(|gap| gap.what.ends_with(told)), "{gaps:?}");
            assert!(gaps.iter().all(|gap| gap.why.contains("give a link of its route a `rate`")));
        }
    }
}
