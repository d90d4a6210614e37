//! The built-in scenarios: set-ups, variables, quotes.

use atl_core::rate::FeedbackMode;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::atl;
use atl_engine::protocol::Transport;
use atl_engine::setup::FlowSetup;
use atl_link::{Delay, Loss, Service};
use atl_scenario::quote::Claim;
use atl_scenario::scenario::{FigureKind, Scenario};
use atl_scenario::{Overrides, builtin, open, outline, outlines};

fn read(name: &str, overrides: &Overrides) -> Scenario {
    open(name, overrides).unwrap_or_else(|errors| panic!("{name}\n{errors}"))
}

fn set(pairs: &[(&str, &str)]) -> Overrides {
    let set = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Overrides { set, ..Overrides::default() }
}

#[test]
fn every_built_in_scenario_is_valid_in_full_and_quick() {
    for scenario in builtin() {
        let full = read(scenario.name, &Overrides::default());
        let quick = read(scenario.name, &Overrides { quick: true, ..Overrides::default() });
        assert_eq!(full.name, scenario.name);
        assert!(!full.points.is_empty() && !full.figures.is_empty());
        assert!(quick.simulated() <= full.simulated() / 3, "{} is not quick", full.name);
        assert_ne!(quick.hash, full.hash);
        assert_eq!(quick.quotes.len(), full.quotes.len(), "{}", full.name);
        // The outline agrees with the scenario, though networks and flows are not read for it.
        let outline = outline(scenario).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!((&outline.name, &outline.title), (&full.name, &full.title));
        assert_eq!((&outline.about, &outline.source), (&full.about, &full.source));
        assert_eq!((outline.quotes, &outline.swept), (full.quotes.len(), &full.swept));
        for (size, read) in [(outline.full, &full), (outline.quick, &quick)] {
            assert_eq!((size.points, size.seeds), (read.points.len(), read.seeds.len()));
            assert_eq!((size.runs(), size.simulated()), (read.runs(), read.simulated()));
        }
    }
}

#[test]
fn outlines_are_in_the_order_of_the_scenarios() {
    let names: Vec<&str> = builtin().iter().map(|scenario| scenario.name).collect();
    let listed: Vec<&str> = outlines().iter().map(|outline| outline.name.as_str()).collect();
    assert_eq!(listed, names);
}

#[test]
fn table_one_has_the_papers_network() {
    let scenario = read("atl/table1", &Overrides::default());
    assert_eq!(scenario.swept, ["queue", "path_delay"]);
    assert_eq!(scenario.points.len(), 8);
    for (point, delay) in scenario.points.iter().zip(["10ms", "100ms"].into_iter().cycle()) {
        // The paper leaves this open, so it is a variable: the bottleneck's delay, the same for
        // every source.
        assert_eq!(point.vars["path_delay"].text, delay);
        for flow in &point.setup.flows {
            let shared = &point.setup.links[flow.first_path().forward[1]].config.initial;
            assert_eq!(format!("{:?}", shared.delay), format!("Constant({delay})"));
            assert_eq!(shared.service, Service::Constant(Rate::from_mbps(2.5)));
        }
    }
    let setup = &scenario.points[0].setup;
    assert_eq!(setup.duration, Span::from_secs(600));
    let facts: Vec<_> = setup
        .flows
        .iter()
        .map(|flow| {
            let access = &setup.links[flow.first_path().forward[0]];
            let conditions = &access.config.initial;
            let loss = match conditions.loss {
                Loss::Bernoulli(p) => p.get(),
                _ => 0.0,
            };
            assert_eq!(conditions.service, Service::Constant(Rate::from_mbps(1.0)));
            assert_eq!(setup.links[flow.first_path().back[1]].config.initial.loss, Loss::None);
            assert_eq!(flow.tcp.access_rate, Some(Rate::from_mbps(1.0)));
            // One packet of 1040 bytes at 1 Mb/s.
            assert_eq!(flow.overhead, Span::from_micros(8320));
            (flow.name.as_str(), access.wireless, format!("{:?}", conditions.delay), loss)
        })
        .collect();
    let expected = [
        ("wired", false, "Constant(10ms)".to_owned(), 0.0),
        ("wlan", true, "Constant(10ms)".to_owned(), 1e-4),
        ("3g", true, "Constant(50ms)".to_owned(), 1e-3),
        ("satellite", true, "Constant(150ms)".to_owned(), 1e-2),
    ];
    assert_eq!(facts, expected);
    let Claim::Value { expect, tolerance, .. } = &scenario.quotes[0].claim else {
        panic!("the first quote is a value");
    };
    assert!((expect - 728_600.0).abs() < 1e-6 && (tolerance - 0.1).abs() < 1e-12);
}

#[test]
fn the_sweeps_of_figures_6_to_8_begin_with_the_paper_as_printed() {
    for (name, points) in [("atl/fig06", 158), ("atl/fig07", 174), ("atl/fig08", 165)] {
        let scenario = read(name, &Overrides::default());
        assert_eq!(scenario.points.len(), points, "{name}");
        let first = &scenario.points[0];
        assert_eq!(first.vars["protocol"].text, "TCP-ATL on SACK");
        assert_eq!(first.vars["p_w"].number, Some(1e-6));
        assert_eq!(first.vars["queue"].number, Some(50.0));
        let flow = &first.setup.flows[0];
        let tcp = flow.protocol.tcp().expect("a TCP");
        let config = tcp.controller.get::<atl::Config>().expect("TCP-ATL");
        // T_hat as printed, and the minimum RTO of ns-2 at that time.
        assert!(!config.cap_at_access_rate);
        assert_eq!(flow.tcp.min_rto, Span::from_secs(1));
        assert_eq!((flow.tcp.segment, flow.tcp.header), (1000, 40));
    }
    let scenario = read("atl/fig07", &Overrides::default());
    // A quote that does not mention d_w refers to the figure's own.
    let Claim::Ratio { of, .. } = &scenario.quotes[0].claim else { panic!("a ratio") };
    assert_eq!(of.at["d_w"].number, Some(0.05));
}

#[test]
fn the_rate_figures_have_the_papers_networks() {
    let delays = |name: &str| {
        let scenario = read(name, &Overrides::default());
        let air = &scenario.points[0].setup.links[0];
        assert!(
            air.wireless && air.config.initial.service == Service::Constant(Rate::from_mbps(2.0))
        );
        (scenario.points.len(), format!("{:?}", air.config.initial.delay))
    };
    assert_eq!(delays("atl/fig12"), (34, "Constant(10ms)".to_owned()));
    assert_eq!(delays("atl/fig13"), (39, "Constant(50ms)".to_owned()));
    assert_eq!(delays("atl/fig14"), (50, "Constant(150ms)".to_owned()));
    assert_eq!(delays("atl/fig17"), (8, "Constant(10ms)".to_owned()));
    for (name, flows, paced) in
        [("atl/fig15", 6, 6), ("atl/fig16", 10, 5), ("atl/table1-rate", 4, 4)]
    {
        let scenario = read(name, &Overrides::default());
        let setup = &scenario.points[0].setup;
        let pacing = |flow: &&FlowSetup| matches!(flow.protocol.transport, Transport::Paced(_));
        assert_eq!(setup.flows.len(), flows, "{name}");
        assert_eq!(setup.flows.iter().filter(pacing).count(), paced, "{name}");
    }
    // Gput and Tput are measured on the same network.
    let links = |name| {
        let scenario = read(name, &Overrides::default());
        let printed = scenario.points.iter().find(|point| {
            point.vars["queue"].number == Some(50.0) && point.vars["path_delay"].text == "10ms"
        });
        format!("{:?}", printed.expect("the network as printed").setup.links)
    };
    assert_eq!(links("atl/table1-rate"), links("atl/table1"));
    // Reports reach the sender only where the curve says so.
    for point in &read("atl/fig13", &Overrides::default()).points {
        let told = point.vars["protocol"].text.contains("a report");
        let feedback = point.setup.flows[0].pacing.feedback;
        assert_eq!(matches!(feedback, Some(FeedbackMode::Reports { .. })), told, "{feedback:?}");
    }
}

/// Variables that only `also` changes need no value where they follow from the curve, and are fixed
/// where they do not.
#[test]
fn a_curve_comes_with_its_own_conditions() {
    let pinned = |name: &str, variable: &str| -> Vec<bool> {
        let figures = read(name, &Overrides::default()).figures;
        let at = figures.iter().map(|figure| match &figure.kind {
            FigureKind::Sweep { at, .. } => at.contains_key(variable),
            _ => panic!("Fig. 6 and 7 are sweeps"),
        });
        at.collect()
    };
    // Only Snoop's curves have an agent.
    let snoop = [true, true, false, false, false, false, false, true, true];
    assert_eq!(pinned("atl/fig06", "agent"), snoop.map(|snoop| !snoop));
    // TCP-ATL, Westwood and TCP have points at two delays.
    assert!(pinned("atl/fig07", "d_w").iter().all(|&p| p));
    let scenario = read("atl/fig06", &Overrides::default());
    for point in &scenario.points {
        let snoop = point.vars["protocol"].text.starts_with("Snoop");
        assert_eq!(point.setup.links[0].agent.is_some(), snoop, "{:?}", point.vars);
        assert!(point.setup.links[2].agent.is_none());
    }
    let of_snoop = scenario.quotes.iter().filter(|q| q.id.contains("snoop"));
    assert_eq!(of_snoop.count(), 10);
}

#[test]
fn the_links_of_eq_10_are_what_their_label_says() {
    let scenario = read("atl/eq10", &Overrides::default());
    assert_eq!(scenario.points.len(), 2 * 3 * 7);
    for point in &scenario.points {
        let setup = &point.setup;
        let conditions = |link: usize| &setup.links[link].config.initial;
        let delay = |link| match conditions(link).delay {
            Delay::Constant(delay) => delay,
            _ => panic!("a constant delay"),
        };
        let rtt = delay(0) + delay(1);
        let Loss::Bernoulli(p) = conditions(0).loss else { panic!("random losses") };
        assert_eq!(conditions(1).loss, Loss::None);
        let aimd = setup.flows[0].protocol.fixed_aimd(rtt).expect("fixed parameters");
        let label = point.vars["alpha_R_p"].number.expect("a number");
        let is = aimd.alpha * rtt.secs() * p.get();
        assert!((is / label - 1.0).abs() < 1e-9, "{is}, not {label}");
        assert_eq!(point.vars["beta"].number, Some(aimd.beta));
    }
    // Each quote selects a single point, so that it is measured.
    for quote in &scenario.quotes {
        let Claim::Value { of, .. } = &quote.claim else { panic!("a value: {}", quote.id) };
        assert_eq!(of.at.len(), 3, "{}", quote.id);
    }
}

#[test]
fn the_phone_roams_in_both_directions_of_its_link() {
    let scenario = read("showcase/roaming", &Overrides::default());
    let setup = &scenario.points[0].setup;
    for (link, lossy) in [(&setup.links[0], true), (&setup.links[1], false)] {
        let changes = &link.config.schedule;
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[0].at, Time::from_millis(40_000));
        assert_eq!(&*changes[1].to.name, "satellite");
        assert_eq!(changes[1].to.loss != Loss::None, lossy);
    }
    assert_eq!(setup.flows[0].tcp.access_rate, None, "the rate of the interface changes");
}

#[test]
fn a_shorter_run_leaves_out_the_changes_after_its_end() {
    let shorter = Overrides { duration: Some("60s".to_owned()), ..Overrides::default() };
    let scenario = read("showcase/roaming", &shorter);
    assert_eq!(scenario.points[0].setup.links[0].config.schedule.len(), 1);
}

#[test]
fn the_command_line_reaches_everything() {
    let overrides = set(&[
        ("protocol", "tcp-atl,bbr3"),
        ("link.air.delay", "20ms"),
        ("network.wifi.rate", "5Mb/s"),
        ("flow.upload.count", "4"),
        ("flow.upload.tcp.min-rto", "1s"),
        ("first", "10s"),
    ]);
    let overrides = Overrides { seeds: Some("3,5".to_owned()), ..overrides };
    let scenario = read("showcase/roaming", &overrides);
    assert_eq!(scenario.seeds, [3, 5]);
    assert_eq!(scenario.points.len(), 2);
    let setup = &scenario.points[1].setup;
    assert_eq!(setup.flows.len(), 4);
    assert_eq!(
        (setup.flows[3].name.as_str(), setup.flows[3].group.as_str()),
        ("upload-4", "upload")
    );
    assert_eq!(setup.flows[0].tcp.min_rto, Span::from_secs(1));
    assert_eq!(setup.flows[0].protocol.label, "BBRv3");
    let air = &setup.links[0].config;
    assert_eq!(format!("{:?}", air.initial.delay), "Constant(20ms)");
    assert_eq!(air.initial.service, Service::Constant(Rate::from_mbps(5.0)));
    assert_eq!(air.schedule[0].at, Time::from_millis(10_000));
}

#[test]
fn a_protocols_option_can_be_set_where_the_protocol_is_only_named() {
    let overrides = set(&[("protocol", "tcp-atl"), ("flow.upload.protocol.beta", "0.9")]);
    let scenario = read("showcase/roaming", &overrides);
    let tcp = scenario.points[0].setup.flows[0].protocol.tcp().expect("a TCP");
    let Some(config) = tcp.controller.get::<atl::Config>() else {
        panic!("TCP-ATL");
    };
    assert_eq!(config.beta, Some(0.9));
}

#[test]
fn the_hash_follows_what_decides_results() {
    let plain = read("showcase/roaming", &Overrides::default());
    let again = read("showcase/roaming", &Overrides::default());
    let same = read("showcase/roaming", &set(&[("title", "Another title")]));
    assert_eq!(plain.hash, again.hash);
    assert_eq!(plain.hash, same.hash);
    assert_eq!(plain.hash.len(), 64);
    for change in [("queue", "20"), ("duration", "121s"), ("seeds", "9"), ("network.3g.loss", "0")]
    {
        assert_ne!(plain.hash, read("showcase/roaming", &set(&[change])).hash, "{change:?}");
    }
}

#[test]
fn a_trace_is_found_beside_its_scenario() {
    let scenario = read("showcase/recorded-trace", &Overrides::default());
    let Service::Trace(trace) = &scenario.points[0].setup.links[0].config.initial.service else {
        panic!("a trace");
    };
    assert_eq!(trace.duration(), Span::from_secs(24));
    let error = open("showcase/recorded-trace", &set(&[("network.lte.trace", "no/such.up")]));
    let text = error.expect_err("no such trace").to_string();
    assert!(text.contains("no/such.up") && text.contains("command line"), "{text}");
}

/// Rate and trace exclude each other, as do delay and its trace: setting one on the command line
/// replaces the other.
#[test]
fn what_is_set_replaces_its_alternative() {
    let scenario = read("showcase/recorded-trace", &set(&[("network.lte.rate", "3Mb/s")]));
    let air = &scenario.points[0].setup.links[0].config;
    assert_eq!(air.initial.service, Service::Constant(Rate::from_mbps(3.0)));
}

#[test]
fn figure_9_looks_at_the_seconds_after_its_blackouts() {
    let scenario = read("atl/fig09", &Overrides::default());
    for point in &scenario.points {
        let ways = point.setup.links.iter().filter(|l| l.wireless);
        for link in ways {
            let [blackout] = link.config.blackouts.as_slice() else { panic!("one blackout") };
            assert_eq!(blackout.at, Time::from_millis(300_000));
            let lasts = point.vars["lasts"].number.expect("a time");
            assert!((blackout.lasts.secs() - lasts).abs() < 1e-12);
        }
    }
    let parts = scenario.quotes.iter().filter_map(|q| q.claim.measure().during);
    assert!(parts.clone().count() > 0);
    for during in parts {
        // Starts after the blackout of one second, or when all blackouts begin.
        assert!(
            during.from == Time::from_millis(300_000) || during.from == Time::from_millis(301_000)
        );
    }
}
