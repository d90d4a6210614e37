//! Warnings about values that have no effect or are probably not meant.

use std::path::Path;

use atl_scenario::{Overrides, builtin, no_files, open, parse};

/// Warnings on a phone's transfer over air and wire in either direction.
fn warnings(sweep: &str, air: &str, flow: &str, sends: bool) -> Vec<(String, Option<usize>)> {
    let (from, to) = if sends { ("phone", "server") } else { ("server", "phone") };
    let rate = if air.starts_with("rate") { "" } else { "rate = \"2Mb/s\"\n" };
    let protocol = if flow.contains("protocol") { "" } else { "protocol = \"tcp-atl\"\n" };
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n{sweep}\n[[link]]\nname = \"air\"\nfrom = \"phone\"\nto = \"ap\"\nwireless = true\n\
         {rate}{air}\n[[link]]\nname = \"wire\"\nfrom = \"ap\"\nto = \"server\"\nrate = \"2Mb/s\"\n\
         [[flow]]\nname = \"f\"\nfrom = \"{from}\"\nto = \"{to}\"\n{protocol}{flow}\n"
    );
    let read = parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default());
    let found = read.unwrap_or_else(|errors| panic!("{errors}")).warnings;
    assert!(!found.render(false).contains("error"), "{}", found.render(false));
    found.reports().into_iter().map(|report| (report.message, report.line)).collect()
}

#[test]
fn each_has_its_place() {
    assert_eq!(warnings("", "", "", true), []);
    let of = |air: &str, flow: &str, sends, wanted: &str, line| {
        let found = warnings("", air, flow, sends);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0.contains(wanted), "{found:?}");
        assert_eq!(found[0].1, Some(line), "{found:?}");
    };
    of("", "receiver = \"unaware\"", true, "`flow.f.receiver` has no effect", 21);
    assert_eq!(warnings("", "", "receiver = \"unaware\"", false), []);
    of("loss = 1", "", true, "every packet is lost: 1 is 100 %", 10);
    assert_eq!(warnings("", "loss = \"100%\"", "", true), []);
    of("trace-offset = \"1s\"", "", true, "the link has no trace", 10);
    of("at-change = \"lose\"", "", true, "never changes its network", 10);
}

/// Parameters of a family without flows, a network without links, claims that no protocol uses, a
/// queue that never fills.
#[test]
fn what_nothing_uses_is_said() {
    let of = |top: &str, air: &str, flow: &str, sends, wanted: &[&str]| {
        let found = warnings(top, air, flow, sends);
        let found: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        assert!(found.iter().zip(wanted).all(|(f, w)| f.contains(w)), "{found:?}");
    };
    let paced = "protocol = { name = \"rcp-atl\" }\npacing = { target = \"1Mb/s\" }";
    let tcp = "[tcp]\nsegment = 1000\nmin-rto = \"1s\"\n";
    let pacing = "[pacing]\ntarget = \"1Mb/s\"\n";
    of(tcp, "", "", true, &[]);
    of(pacing, "", "", true, &["`pacing` has no effect: no flow paces"]);
    of(pacing, "", paced, true, &[]);
    of(tcp, "", paced, true, &["`tcp.min-rto` has no effect: no flow has a window"]);

    let network = "[network.lte]\nrate = \"1Mb/s\"\n";
    of(network, "", "", true, &["`network.lte` has no effect: no link and no cell"]);
    of(network, "roam = [{ at = \"5s\", network = \"lte\" }]", "", true, &[]);

    let claims = "receiver = { loss = 0.1, delay = \"5ms\" }";
    of("", "", claims, true, &[]);
    let deaf = format!("{claims}\nprotocol = \"sack\"");
    of("", "", &deaf, true, &["`flow.f.receiver` has no effect: this protocol listens to no"]);
    // One point with a protocol that uses the claims is enough.
    let sweep = "[sweep]\nprotocol = [\"sack\", \"tcp-atl\"]\n";
    of(sweep, "", &format!("{claims}\nprotocol = \"$protocol\""), true, &[]);

    let unlimited = "rate = \"unlimited\"\nqueue = 10\n";
    let blackout =
        format!("{unlimited}blackout = [{{ at = \"20s\", lasts = \"1s\", hold = true }}]");
    of("", unlimited, "", true, &["`link.air.queue` has no effect: nothing waits"]);
    of("", &blackout, "", true, &[]);
    let back = "rate = \"unlimited\"\nreverse = { rate = \"1Mb/s\" }\nqueue = 10";
    of("", back, "", true, &[]);
    let own = "reverse = { rate = \"unlimited\", queue = 10 }\nqueue = 10";
    of("", own, "", true, &["`link.air.reverse.queue` has no effect: nothing waits"]);
}

/// A value with an effect at one point of a sweep is no mistake at the others.
#[test]
fn one_effect_is_enough() {
    let sweep = "[sweep]\nroam = [{ label = \"a\", value = [] }, { label = \"b\", value = [{ at = \"5s\", rate = \"1Mb/s\" }] }]";
    assert_eq!(warnings(sweep, "roam = \"$roam\"\nat-change = \"lose\"", "", true), []);
}

/// The classic: the wire begins at the phone, so that everything bypasses the radio.
#[test]
fn a_link_that_no_flow_crosses_is_told() {
    let of = |wire_from: &str, from: &str, to: &str| {
        let sweep = "[sweep]\nend = [\"server\", \"ap\"]\n";
        let sweep = if to == "$end" { sweep } else { "" };
        let text = format!(
            "title = \"t\"\nduration = \"60s\"\n\
             [[link]]\nname = \"air\"\nfrom = \"phone\"\nto = \"ap\"\nrate = \"2Mb/s\"\n\
             [[link]]\nname = \"wire\"\nfrom = \"{wire_from}\"\nto = \"server\"\nrate = \"2Mb/s\"\n\
             [[flow]]\nname = \"f\"\nfrom = \"{from}\"\nto = \"{to}\"\nprotocol = \"cubic\"\n{sweep}"
        );
        let read = parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default());
        let found = read.unwrap_or_else(|errors| panic!("{errors}")).warnings.reports();
        found.into_iter().map(|report| (report.message, report.line)).collect::<Vec<_>>()
    };
    for (from, to) in [("phone", "server"), ("server", "phone")] {
        assert_eq!(of("ap", from, to), []);
        let found = of("phone", from, to);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0.contains("no flow crosses the link `air`"), "{found:?}");
        assert_eq!(found[0].1, Some(4), "{found:?}");
    }
    assert_eq!(of("phone", "phone", "$end"), [], "one point is enough");
}

#[test]
fn nothing_that_is_built_in_gives_one() {
    for scenario in builtin() {
        let overrides = Overrides { quick: true, ..Overrides::default() };
        let read = open(scenario.name, &overrides).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(read.warnings.render(false), "", "{}", scenario.name);
    }
}
