//! Flows: their receivers, windows, sources and groups.

use super::{file, read, setup};
use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_core::window::{ControllerConfig, fixed};
use atl_engine::protocol::Recovery;
use atl_engine::setup::{EncoderRates, Media, ReceiverAwareness, Source};

#[test]
fn a_receiver_reports_claims_as_configured() {
    let claims = LinkReport { loss: Probability::ONE, delay: Span::from_secs(10) };
    for (line, receiver) in [
        ("", ReceiverAwareness::Aware),
        ("receiver = \"aware\"", ReceiverAwareness::Aware),
        ("receiver = \"unaware\"", ReceiverAwareness::Unaware),
        ("receiver = { loss = 1.0, delay = \"10s\" }", ReceiverAwareness::Claims(claims.into())),
    ] {
        assert_eq!(setup("", line).flows[0].receiver, receiver, "{line}");
    }
}

#[test]
fn a_fixed_window_is_an_option_and_go_back_n_its_recovery() {
    let tcp = |line: &str| setup("", line).flows[0].protocol.tcp().cloned().expect("a TCP");
    let window = |window| ControllerConfig::from(fixed::Config { window });
    let ten = tcp("protocol = \"fixed-window\"");
    assert_eq!((ten.recovery, ten.controller), (Recovery::GoBackN, window(10)));
    let more = tcp("protocol = { name = \"fixed-window\", window = 64, recovery = \"sack\" }");
    assert_eq!((more.recovery, more.controller), (Recovery::Sack, window(64)));
    let other = tcp("protocol = { name = \"reno\", recovery = \"go-back-n\" }");
    assert_eq!(other.recovery, Recovery::GoBackN);
    let none = "protocol = { name = \"fixed-window\", window = 0 }";
    let errors = read(&file("", "", none), &[]).expect_err("no window");
    assert!(errors.to_string().contains("window must be from 1 to 1000000000 packets"), "{errors}");
}

#[test]
fn freezing_is_freeze_tcps_and_any_protocols_that_asks_for_it() {
    let ms = |n| Some(Span::from_millis(n));
    for (line, freeze) in [
        ("protocol = \"newreno\"", None),
        ("protocol = \"freeze-tcp\"", ms(200)),
        ("protocol = { name = \"freeze-tcp\", freeze = \"1s\" }", ms(1000)),
        ("protocol = { name = \"freeze-tcp\", freeze = false }", None),
        ("protocol = { name = \"tcp-atl\", freeze = \"50ms\" }", ms(50)),
    ] {
        let tcp = setup("", line).flows[0].protocol.tcp().cloned().expect("a TCP");
        assert_eq!(tcp.freeze, freeze, "{line}");
    }
    let tcp =
        |name| atl_scenario::protocol::named(name).expect("listed").tcp().cloned().expect("a TCP");
    let (freeze, newreno) = (tcp("freeze-tcp"), tcp("newreno"));
    assert_eq!((freeze.recovery, freeze.controller), (Recovery::NewReno, newreno.controller));
}

#[test]
fn a_source_is_greedy_a_size_a_pattern_or_live_media() {
    let kbps = |kbps: f64| Rate::from_bps(kbps * 1e3);
    let media = |frames_per_second, rates, (reaction, playout)| {
        let (reaction, playout) = (Span::from_millis(reaction), Span::from_millis(playout));
        Source::Media(Media { frames_per_second, rates, reaction, playout })
    };
    let ladder = |steps: &[f64]| EncoderRates::Ladder(steps.iter().map(|s| kbps(*s)).collect());
    let range = EncoderRates::Range { min: kbps(100.0), max: kbps(2000.0) };
    let pattern = |exponential| Source::OnOff {
        on: Span::from_secs(1),
        off: Span::from_secs(2),
        rate: kbps(1000.0),
        exponential,
    };
    let every = Span::from_secs(10);
    let files = |exponential| Source::Files { bytes: 1_000_000, every, exponential };
    for (line, source) in [
        ("", Source::Greedy),
        ("\"greedy\"", Source::Greedy),
        ("{ bytes = \"10MB\" }", Source::Fixed { bytes: 10_000_000 }),
        ("{ bytes = \"1MB\", every = \"10s\" }", files(false)),
        ("{ bytes = \"1MB\", every = \"10s\", distribution = \"constant\" }", files(false)),
        ("{ bytes = \"1MB\", every = \"10s\", distribution = \"exponential\" }", files(true)),
        ("{ rate = \"1Mb/s\" }", Source::Steady { rate: kbps(1000.0) }),
        ("{ on = \"1s\", off = \"2s\", rate = \"1Mb/s\" }", pattern(false)),
        (
            "{ on = \"1s\", off = \"2s\", rate = \"1Mb/s\", distribution = \"exponential\" }",
            pattern(true),
        ),
        (
            "{ frames = 30, min = \"100kb/s\", max = \"2Mb/s\" }",
            media(30.0, range.clone(), (500, 200)),
        ),
        (
            "{ frames = 29.97, min = \"100kb/s\", max = \"2Mb/s\", reaction = \"0s\", playout = \"1s\" }",
            media(29.97, range, (0, 1000)),
        ),
        (
            "{ frames = 25, rate = [\"300kb/s\", \"1Mb/s\"], playout = \"60s\" }",
            media(25.0, ladder(&[300.0, 1000.0]), (500, 60_000)),
        ),
        ("{ frames = 0.1, rate = \"300kb/s\" }", media(0.1, ladder(&[300.0]), (500, 200))),
    ] {
        let line = if line.is_empty() { String::new() } else { format!("source = {line}") };
        let flow = format!("protocol = \"aimd-rate\"\n{line}");
        assert_eq!(setup("", &flow).flows[0].source, source, "{line}");
    }
}

#[test]
fn a_source_that_does_not_fit_is_one_error_that_says_what_is_allowed() {
    let mut wrong = String::new();
    for (source, message) in [
        ("\"gredy\"", "a table is { bytes = \"10MB\" }, { bytes ="),
        ("{ bytes = \"0B\" }", "at least 1 B"),
        ("{ bytes = \"1MB\", on = \"1s\" }", "`bytes` and `on` exclude each other"),
        ("{ bytes = \"1MB\", rate = \"1Mb/s\" }", "`bytes` and `rate` exclude each other"),
        ("{ every = \"1s\" }", "`bytes` is missing"),
        ("{ bytes = \"1MB\", every = \"999us\" }", "it must be at least 1ms"),
        (
            "{ bytes = \"1MB\", every = \"1s\", rate = \"1Mb/s\" }",
            "`bytes` and `rate` exclude each other",
        ),
        ("{ bytes = \"1MB\", every = \"1s\", distribution = \"x\" }", "`exponential`"),
        (
            "{ bytes = \"1MB\", distribution = \"exponential\" }",
            "it applies to the times of `on` and `off`, or of `every`",
        ),
        (
            "{ rate = \"1Mb/s\", distribution = \"exponential\" }",
            "it applies to the times of `on` and `off`, or of `every`",
        ),
        (
            "{ frames = 30, rate = \"1Mb/s\", distribution = \"constant\" }",
            "it applies to the times of",
        ),
        ("{ rate = 5 }", "write \"5Mb/s\""),
        ("{ on = \"1s\", off = \"0s\", rate = \"1Mb/s\" }", "at least 1ms"),
        ("{ on = \"1s\", off = \"1s\" }", "`rate` is missing"),
        ("{ on = \"1s\", off = \"1s\", rate = [\"1Mb/s\"] }", "is not a rate"),
        ("{ on = \"1s\", frames = 30, rate = \"1Mb/s\" }", "`on` and `frames` exclude each other"),
        ("{ bytes = \"1MB\", playout = \"1s\" }", "`bytes` and `playout` exclude each other"),
        ("{ min = \"1Mb/s\", max = \"2Mb/s\" }", "`frames` is missing"),
        ("{ frames = 0, rate = \"1Mb/s\" }", "from 0.1 to 1000"),
        ("{ frames = \"30\", rate = \"1Mb/s\" }", "is not a number"),
        ("{ frames = 30 }", "an encoder needs `rate`, or a range"),
        ("{ frames = 30, min = \"1Mb/s\" }", "`max` is missing"),
        ("{ frames = 30, rate = \"1Mb/s\", max = \"2Mb/s\" }", "has both"),
        ("{ frames = 30, min = \"2Mb/s\", max = \"1Mb/s\" }", "`max` must not be below `min`"),
        ("{ frames = 30, min = 100, max = \"1Mb/s\" }", "write \"100Mb/s\" or \"100kb/s\""),
        ("{ frames = 30, rate = [] }", "from 1 to 64 items"),
        ("{ frames = 30, rate = [\"1Mb/s\", \"1000kb/s\"] }", "`flow.up.source.rate.1` cannot be"),
        ("{ frames = 30, rate = [\"2Mb/s\", \"1Mb/s\"] }", "higher than the one before it"),
        ("{ frames = 30, rate = \"1Mb/s\", reaction = \"61s\" }", "at most 60s"),
        ("{ frames = 30, rate = \"1Mb/s\", playout = \"2min\" }", "at most 60s"),
        ("{ frames = 30, rate = \"1Mb/s\", delay = \"1s\" }", "unknown key `delay`"),
        ("{ frames = 1, rate = \"81Mb/s\" }", "frames of more than 10 MB"),
    ] {
        let flow = format!("protocol = \"aimd-rate\"\nsource = {source}");
        let errors = read(&file("", "", &flow), &[]).expect_err(source);
        if errors.len() != 1 || !errors.to_string().contains(message) {
            wrong.push_str(&format!("{source}: wanted {message:?}, got\n{errors}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let tcp = "protocol = \"sack\"\nsource = { frames = 30, rate = \"1Mb/s\" }";
    let errors = read(&file("", "", tcp), &[]).expect_err("TCP does not pace").to_string();
    assert!(errors.contains("frames need a protocol that paces"), "{errors}");
}

#[test]
fn flows_of_one_group_are_one_flow_of_figures_and_quotes() {
    let flow = |name: &str, more: &str| {
        format!(
            "[[flow]]\nname = \"{name}\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"sack\"\n{more}\n"
        )
    };
    let quote = "[[quote]]\nid = \"q\"\ntext = \"t\"\nsource = \"s\"\nmetric = \"goodput\"\n\
                 order = [{ flow = \"all\" }, { flow = \"up\" }]\n";
    let text = file("", "", "protocol = \"reno\"");
    let text =
        text + &flow("one", "group = \"all\"") + &flow("two", "group = \"all\"\ncount = 2") + quote;
    let scenario = read(&text, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let flows = &scenario.points[0].setup.flows;
    let named: Vec<_> = flows.iter().map(|f| (f.name.as_str(), f.group.as_str())).collect();
    assert_eq!(named, [("up", "up"), ("one", "all"), ("two-1", "all"), ("two-2", "all")]);
    let errors = read(&(text + &flow("up", "group = \"all\"\ncount = 2")), &[]);
    let errors = errors.expect_err("two flows of one name").to_string();
    assert!(errors.contains("two flows called"), "{errors}");
}
