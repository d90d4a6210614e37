//! The declared defaults of keys agree with the library's own `Default`.

use std::path::Path;

use atl_aal::aalt::s_arq::{ReceiverConfig, RoundTripCount, SenderConfig};
use atl_core::time::Span;
use atl_engine::adaptation::{Layer, Quench};
use atl_engine::protocol::Recovery;
use atl_engine::setup::{Agent, Pacing, ReceiverAwareness, Setup, Snoop, Source, Tcp};
use atl_scenario::{Overrides, no_files, parse};

/// One flow over one link without a rate of its own, with the given lines in their tables.
fn setup(link: &str, flow: &str) -> Setup {
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\nwireless = true\n\
         rate = \"unlimited\"\n{link}\n[[flow]]\nname = \"up\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"sack\"\n{flow}\n"
    );
    let read = parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default());
    read.unwrap_or_else(|errors| panic!("{errors}")).points[0].setup.clone()
}

#[test]
fn of_a_flow() {
    for lines in ["", "[flow.tcp]", "[tcp]", "[pacing]"] {
        let flow = &setup("", lines).flows[0];
        // Except for the interface's rate, which follows from the network.
        assert_eq!(flow.tcp, Tcp::default(), "{lines}");
        assert_eq!(flow.pacing, Pacing::default(), "{lines}");
        assert_eq!(flow.receiver, ReceiverAwareness::default());
        assert_eq!((&flow.source, flow.overhead), (&Source::Greedy, Span::ZERO));
    }
}

#[test]
fn of_snoop() {
    for line in ["agent = \"snoop\"", "agent = { name = \"snoop\" }"] {
        let agent = &setup(line, "").links[0].agent;
        assert_eq!(*agent, Some(Agent::Snoop(Snoop::default())), "{line}");
    }
}

#[test]
fn of_aal_t() {
    for line in ["adaptation = \"aal-t\"", "adaptation = { name = \"aal-t\" }"] {
        let adaptation = setup("", line).flows[0].adaptation.clone().expect("a layer");
        let Layer::AalT(layer) = adaptation.layer else { panic!("AAL-T") };
        // Without rate and delay nothing can follow from the path.
        assert_eq!(layer.sender, SenderConfig::default(), "{line}");
        assert_eq!(layer.receiver, ReceiverConfig::default(), "{line}");
        assert!(matches!(layer.sender.round_trip, RoundTripCount::Measured { .. }));
        assert_eq!((adaptation.quench, layer.faults), (Some(Quench::default()), None));
    }
}

/// Defaults are those of current stacks: Ethernet packets with timestamps, RFC 6928, and RACK-TLP.
/// Protocols defined by a paper keep that paper's recovery.
#[test]
fn are_todays() {
    let tcp = Tcp::default();
    assert_eq!((tcp.segment + tcp.header, tcp.ack, tcp.initial_window), (1500, 52, 10.0));
    for (name, recovery) in [
        ("cubic", Recovery::Rack),
        ("bbr3", Recovery::Rack),
        ("tcp-atl-robust", Recovery::Rack),
        ("residual", Recovery::Rack),
        ("tcp-atl", Recovery::Sack),
        ("sack", Recovery::Sack),
        ("westwood", Recovery::Reno),
        ("newreno", Recovery::NewReno),
    ] {
        let protocol = atl_scenario::protocol::named(name).expect(name);
        assert_eq!(protocol.tcp().expect("a TCP").recovery, recovery, "{name}");
    }
}

/// Flows that pace meet a queue in the same phase for ever, so a file that does not say it has
/// them delayed at random where their data meets on a link.
#[test]
fn flows_that_pace_and_meet_have_hosts_that_take_random_times() {
    let overheads = |first: &str, flows: &[(&str, &str, &str)]| {
        let link = |name: &str, from: &str, to: &str| {
            format!(
                "[[link]]\nname = \"{name}\"\nfrom = \"{from}\"\nto = \"{to}\"\nrate = \"3Mb/s\"\n"
            )
        };
        let mut text = "title = \"t\"\nduration = \"60s\"\n".to_owned();
        text += &(link("l", "a", "b") + &link("m", "b", "c"));
        for (index, (from, to, protocol)) in flows.iter().enumerate() {
            let own = if index == 0 { first } else { "" };
            text += &format!(
                "[[flow]]\nname = \"f{index}\"\nfrom = \"{from}\"\nto = \"{to}\"\nprotocol = \"{protocol}\"\n{own}\n"
            );
        }
        let read = parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default());
        let read = read.unwrap_or_else(|errors| panic!("{errors}"));
        let flows = read.points[0].setup.flows.clone();
        flows.iter().map(|flow| flow.overhead.nanos() / 1000).collect::<Vec<_>>()
    };
    // 1500 bytes at 3 Mb/s.
    let pair = [("a", "b", "tfrc"), ("a", "b", "nada")];
    assert_eq!(overheads("", &pair), [4000, 4000]);
    assert_eq!(overheads("overhead = \"0s\"", &pair), [0, 4000]);
    assert_eq!(overheads("overhead = \"1ms\"", &pair), [1000, 4000]);
    assert_eq!(overheads("count = 2", &pair[..1]), [4000, 4000]);
    assert_eq!(overheads("", &pair[..1]), [0], "alone");
    assert_eq!(overheads("", &[("a", "b", "tfrc"), ("b", "c", "nada")]), [0, 0], "no link shared");
    assert_eq!(overheads("", &[("a", "b", "tfrc"), ("b", "a", "nada")]), [0, 0], "only ACKs meet");
    assert_eq!(overheads("", &[("a", "c", "tfrc"), ("a", "b", "sack")]), [4000, 0], "a window");
}
