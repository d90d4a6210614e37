//! Flows that come one after the other, with sizes of a distribution or of a file.

use std::io;
use std::path::Path;

use atl_core::time::Time;
use atl_engine::setup::{FlowSetup, Source};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides, parse};

/// A scenario of 10 s with this in its only flow, and this file beside it.
fn scenario(flow: &str, list: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    let text = format!(
        "title = \"t\"\nduration = \"10s\"\nseeds = 2\n\
         [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\nrate = \"10Mb/s\"\n\
         [[flow]]\nname = \"web\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"reno\"\n{flow}\n"
    );
    let read = |path: &Path| match path.file_name().and_then(|name| name.to_str()) {
        Some("flows.csv") => Ok(list.to_owned()),
        _ => Err(io::Error::other("none")),
    };
    parse("mine", &text, Path::new("mine.toml"), &read, overrides)
}

fn read(flow: &str, list: &str) -> Vec<FlowSetup> {
    let read = scenario(flow, list, &Overrides::default());
    read.unwrap_or_else(|errors| panic!("{errors}")).points[0].setup.flows.clone()
}

fn bytes(flow: &FlowSetup) -> u64 {
    match flow.source {
        Source::Fixed { bytes } => bytes,
        _ => panic!("{:?} has no size", flow.source),
    }
}

fn told(flow: &str, list: &str) -> String {
    scenario(flow, list, &Overrides::default()).expect_err("it is wrong").to_string()
}

#[test]
fn copies_arrive_at_random_in_order() {
    let source = "count = 400\narrivals = \"20ms\"\nsource = { bytes = \"10kB\" }";
    let flows = read(source, "");
    assert_eq!(flows.len(), 400);
    let starts: Vec<Time> = flows.iter().map(|flow| flow.start).collect();
    assert_eq!(starts[0], Time::ZERO);
    assert!(starts.is_sorted() && flows.iter().all(|flow| bytes(flow) == 10_000));
    // 399 exponential times of mean 20 ms: 8 s, four deviations are 1.6.
    let last = starts[399].secs();
    assert!((last - 7.98).abs() < 1.6, "{last}");
    let gaps: Vec<f64> = starts.windows(2).map(|w| w[1].secs() - w[0].secs()).collect();
    let short = gaps.iter().filter(|gap| **gap < 0.02).count() as f64 / 399.0;
    assert!((short - 0.632).abs() < 0.1, "{short}");
    assert_eq!(flows.iter().map(|flow| flow.start).collect::<Vec<_>>(), starts);
    assert_eq!((&*flows[1].name, &*flows[1].group), ("web-2", "web"));
}

#[test]
fn sizes_have_the_mean_of_the_file_and_the_tail_of_their_distribution() {
    let sizes = |rest: &str| {
        let flows = read(&format!("count = 1000\nsource = {{ bytes = \"50kB\", {rest} }}"), "");
        let sizes: Vec<u64> = flows.iter().map(bytes).collect();
        assert!(!sizes.is_sorted(), "they come in random order");
        let mut sorted = sizes;
        sorted.sort_unstable();
        sorted
    };
    let lognormal = sizes("sizes = \"lognormal\", sigma = 1.0");
    let mean = lognormal.iter().sum::<u64>() as f64 / 1000.0;
    assert!((mean / 50_000.0 - 1.0).abs() < 0.01, "{mean}");
    assert!(lognormal[500].abs_diff(30_327) < 100, "the median is the mean / sqrt(e)");
    let pareto = sizes("sizes = \"pareto\", tail = 1.5");
    assert!(pareto[0].abs_diff(16_667) < 30, "a third of the mean");
    let share = pareto[900..].iter().sum::<u64>() as f64 / pareto.iter().sum::<u64>() as f64;
    assert!(share > 0.4, "a tenth of the flows has {share} of the bytes");
    assert_eq!(read("source = { bytes = \"50kB\", sizes = \"lognormal\" }", "").len(), 1);
}

#[test]
fn a_file_says_when_flows_start_and_what_they_send() {
    let list = "start_s,bytes\n0,1500\n0.25,40000\n9.5,1\n";
    let flows = read("flows = \"flows.csv\"", list);
    let all: Vec<(f64, u64)> = flows.iter().map(|f| (f.start.secs(), bytes(f))).collect();
    assert_eq!(all, [(0.0, 1500), (0.25, 40_000), (9.5, 1)]);
    let later = read("flows = \"flows.csv\"\nstart = \"250ms\"", list);
    assert!((later[1].start.secs() - 0.5).abs() < 1e-9);
    // The content of the file is part of the scenario, its path is not.
    let hash = |list: &str| {
        let read = scenario("flows = \"flows.csv\"", list, &Overrides::default());
        read.expect("it is right").hash
    };
    assert_eq!(hash(list), hash(list));
    assert_ne!(hash(list), hash("0,1500\n0.25,40000\n9.5,2\n"));
}

#[test]
fn sizes_come_from_a_file() {
    let source = "source = { sizes = \"file\", file = \"flows.csv\" }";
    let sizes = |count: u32, list: &str| {
        let flows = read(&format!("count = {count}\n{source}"), list);
        flows.iter().map(bytes).collect::<Vec<u64>>()
    };
    let drawn = sizes(16, "bytes\n40\n10\n30\n20\n");
    assert!(!drawn.is_sorted(), "they come in random order: {drawn:?}");
    let sorted = |mut sizes: Vec<u64>| {
        sizes.sort_unstable();
        sizes
    };
    let each = [[10; 4], [20; 4], [30; 4], [40; 4]].concat();
    assert_eq!(sorted(drawn), each, "each of the file as often");
    assert_eq!(sorted(sizes(8, "40\n10\n")), [[10; 4], [40; 4]].concat());
    // Points of the distribution, joined by straight lines: the middles of four quarters.
    assert_eq!(sorted(sizes(4, "100,0\n900,1\n")), [200, 400, 600, 800]);
    // Flows at random times take them too, and the file's content is part of the scenario.
    let random = format!("count = 4\narrivals = \"10ms\"\n{source}");
    assert_eq!(sorted(read(&random, "7\n").iter().map(bytes).collect()), [7; 4]);
    let hash = |list: &str| {
        scenario(source, list, &Overrides::default()).unwrap_or_else(|e| panic!("{e}")).hash
    };
    assert_ne!(hash("7\n"), hash("8\n"));
}

#[test]
fn a_flow_stops_after_it_has_started() {
    let flows = read("start = \"1s\"\nstop = \"4s\"\ncount = 2", "");
    assert!(flows.iter().all(|flow| flow.stop == Some(Time::from_millis(4000))), "{flows:?}");
    assert_eq!(read("", "")[0].stop, None);
    let pair = read("stop = \"4s\"\nsource = { application = \"dash\" }", "");
    assert_eq!((pair.len(), pair[0].stop), (2, Some(Time::from_millis(4000))));
    for (flow, wanted) in [
        ("start = \"4s\"\nstop = \"4s\"", "it must be later than its start at 4 s"),
        ("start-jitter = \"5s\"\nstop = \"4s\"", "it may start as late as 5 s"),
        ("count = 40\narrivals = \"100ms\"\nstop = \"1s\"", "of its 40 flows may start later"),
        ("stop = 4", "\"4s\""),
    ] {
        let text = told(flow, "");
        assert!(text.contains(wanted), "{text}");
    }
    let warned = |flow: &str| {
        let read = scenario(flow, "", &Overrides::default()).expect("it is right");
        read.warnings.render(false)
    };
    assert!(warned("stop = \"11s\"").contains("the run has ended by then"));
    let file = "source = { bytes = \"1MB\" }\nstop = \"4s\"";
    assert!(warned(file).contains("all of its bytes are written at its start"));
    assert_eq!(warned("stop = \"4s\""), "");
}

#[test]
fn networks_take_turns() {
    let text = |link: &str| {
        format!(
            "title = \"t\"\nduration = \"70s\"\n[network.slow]\nrate = \"1Mb/s\"\n\
             [[link]]\nname = \"l\"\nfrom = \"a\"\nto = \"b\"\n{link}\n\
             [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"reno\"\n"
        )
    };
    let none = |_: &Path| Err(io::Error::other("none"));
    let parsed = |link: &str| {
        parse("mine", &text(link), Path::new("mine.toml"), &none, &Overrides::default())
    };
    let turns = "roam = { every = \"30s\", networks = [\"slow\", \"lte\"] }";
    let setup = parsed(turns).unwrap_or_else(|errors| panic!("{errors}")).points[0].setup.clone();
    for link in &setup.links {
        let config = &link.config;
        let names: Vec<(f64, &str)> = std::iter::once((0.0, &*config.initial.name))
            .chain(config.schedule.iter().map(|change| (change.at.secs(), &*change.to.name)))
            .collect();
        assert_eq!(names, [(0.0, "slow"), (30.0, "lte"), (60.0, "slow")], "{}", link.name);
    }
    for (link, wanted) in [
        ("roam = { every = \"30s\", networks = [\"slow\"] }", "2"),
        ("roam = { every = \"30s\", networks = [\"slow\", \"fast\"] }", "no network `fast`"),
        ("roam = { every = \"0s\", networks = [\"slow\", \"lte\"] }", "1ms"),
        ("roam = { networks = [\"slow\", \"lte\"] }", "every"),
    ] {
        let told = parsed(link).expect_err("it is wrong").to_string();
        assert!(told.contains(wanted), "{link}: {told}");
        assert!(!told.contains("no rate at the start"), "{told}");
    }
    for own in ["network = \"lte\"", "rate = \"5Mb/s\"", "loss = 0.1"] {
        let read = parsed(&format!("{turns}\n{own}")).unwrap_or_else(|errors| panic!("{errors}"));
        let told = read.warnings.render(false);
        assert!(told.contains("the networks of `roam` say it from the start on"), "{told}");
        assert_eq!(read.points[0].setup.links[0].config, setup.links[0].config);
    }
}

/// A shorter run has the flows that start within it; as written, that is a mistake.
#[test]
fn flows_after_the_end_are_a_mistake_unless_the_command_line_moved_it() {
    let many = "count = 1000\narrivals = \"20ms\"\nsource = { bytes = \"10kB\" }";
    let text = told(many, "");
    assert!(text.contains("of 1000 flows have started when the run ends at 10 s"), "{text}");
    let text = told("flows = \"flows.csv\"", "0,5\n11,5\n12,5");
    assert!(text.contains("2 of its flows start after the run has ended at 10 s"), "{text}");
    let short = Overrides { duration: Some("5s".to_owned()), ..Overrides::default() };
    let fewer = scenario(many, "", &short).expect("a look at its beginning");
    let count = fewer.points[0].setup.flows.len();
    assert!((150..350).contains(&count), "{count}");
}

#[test]
fn what_contradicts_itself_is_told() {
    let cases = [
        ("flows = \"flows.csv\"\ncount = 2", "a file of flows says how many there are"),
        ("flows = \"flows.csv\"\nsource = { bytes = \"1kB\" }", "exclude each other"),
        ("flows = \"other.csv\"", "cannot read the list of flows"),
        ("flows = \"flows.csv\"", "is not a list of flows"),
        ("source = { sizes = \"pareto\" }", "bytes"),
        ("source = { bytes = \"1kB\", tail = 1.5 }", "sizes"),
        ("source = { bytes = \"1kB\", sizes = \"pareto\", sigma = 1.0, tail = 2 }", "one of them"),
        ("source = { bytes = \"1kB\", sizes = \"pareto\", every = \"1s\" }", "equally long"),
        ("source = { bytes = \"1kB\", sizes = \"pareto\", tail = 1.0 }", "1.01"),
        ("source = { bytes = \"1kB\", sizes = \"paretto\" }", "did you mean `pareto`"),
        ("source = { sizes = \"file\" }", "file"),
        ("source = { file = \"flows.csv\" }", "sizes"),
        ("source = { sizes = \"file\", file = \"flows.csv\" }", "on line 1, is not whole bytes"),
        ("source = { sizes = \"file\", file = \"flows.csv\" }", "flows.csv is not a list of sizes"),
        ("source = { sizes = \"file\", file = \"no.csv\" }", "cannot read the list of sizes"),
        ("source = { bytes = \"1kB\", sizes = \"file\", file = \"flows.csv\" }", "in their file"),
        ("source = { sizes = \"file\", file = \"flows.csv\", tail = 1.5 }", "in their file"),
        ("source = { bytes = \"1kB\", sizes = \"pareto\", file = \"flows.csv\" }", "of a formula"),
        ("count = 3\narrivals = \"0s\"", "1ms"),
    ];
    for (flow, expected) in cases {
        let text = told(flow, "1,x");
        assert!(text.contains(expected), "{flow}: {text}");
    }
}

#[test]
fn a_web_page_has_options() {
    let flows = read(
        "source = { application = { name = \"web-page\", objects = 20, median = \"8kB\", pause = \"2s\" } }",
        "",
    );
    assert_eq!(flows.len(), 2, "one in each direction");
    let text = told("source = { application = { name = \"web-page\", levels = 0 } }", "");
    assert!(text.contains("levels must be from 1 to 20"), "{text}");
}

#[test]
fn a_proxy_splits_a_flow_in_two() {
    let text = |flow: &str| {
        format!(
            "title = \"t\"\nduration = \"10s\"\n\
             [[link]]\nname = \"lan\"\nfrom = \"a\"\nto = \"b\"\nrate = \"100Mb/s\"\n\
             [[link]]\nname = \"sky\"\nfrom = \"b\"\nto = \"c\"\nrate = \"10Mb/s\"\n\
             [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"c\"\n{flow}\n"
        )
    };
    let none = |_: &Path| Err(io::Error::other("none"));
    let parsed = |flow: &str| {
        parse("mine", &text(flow), Path::new("mine.toml"), &none, &Overrides::default())
    };
    let flows = |flow: &str| {
        let read = parsed(flow).unwrap_or_else(|errors| panic!("{errors}"));
        read.points[0].setup.flows.clone()
    };
    let pep = "pep = { at = \"b\", protocol = \"cubic\", buffer = \"100kB\" }";
    let split = flows(&format!("protocol = \"sack\"\nstop = \"5s\"\ncount = 2\n{pep}"));
    let names: Vec<&str> = split.iter().map(|flow| &*flow.name).collect();
    assert_eq!(names, ["f-1", "f-1.pep", "f-2", "f-2.pep"]);
    let [second, first, ..] = &split[..] else { panic!("{split:?}") };
    assert_eq!((&*second.group, &*first.group), ("f", "f.pep"));
    assert_eq!((&*second.protocol.name, &*first.protocol.name), ("cubic", "sack"));
    assert_eq!(
        (&second.first_path().forward[..], &second.first_path().back[..]),
        (&[2][..], &[3][..])
    );
    assert_eq!(
        (&first.first_path().forward[..], &first.first_path().back[..]),
        (&[0][..], &[1][..])
    );
    assert_eq!(second.source, Source::Relayed(Box::new(Source::Greedy)));
    assert_eq!(
        (&first.source, first.stop, second.stop),
        (&Source::Greedy, Some(Time::from_millis(5000)), None)
    );
    let onward = split.iter().map(|flow| flow.onward.map(|onward| (onward.flow, onward.buffer)));
    assert_eq!(onward.collect::<Vec<_>>(), [None, Some((0, 100_000)), None, Some((2, 100_000))]);
    assert_eq!((first.tcp.receive_window, second.tcp.receive_window), (69, 10_000));
    let rates = [first, second].map(|flow| flow.tcp.access_rate.map(|rate| rate.bps()));
    assert_eq!(rates, [Some(100e6), Some(10e6)], "each host knows its own link");
    let talk = flows(&format!("protocol = \"sack\"\nsource = {{ application = \"dash\" }}\n{pep}"));
    let names: Vec<&str> = talk.iter().map(|flow| &*flow.name).collect();
    assert_eq!(names, ["f", "f.pep", "f.back", "f.back.pep"]);
    let answers: Vec<Option<usize>> = talk.iter().map(|flow| flow.answers).collect();
    assert_eq!(answers, [None, Some(3), None, None]);
    assert_eq!((talk[2].first_path().forward[0], talk[3].first_path().forward[0]), (1, 3));
    for (flow, wanted) in [
        ("protocol = \"sack\"\npep = { at = \"c\" }", "no end of the flow"),
        ("protocol = \"sack\"\npep = { at = \"d\" }", "no node `d`"),
        ("protocol = \"sack\"\npep = { at = \"b\", buffer = \"2kB\" }", "at least two segments"),
        ("protocol = \"tfrc\"\npep = { at = \"b\" }", "it splits TCP"),
        ("protocol = { name = \"cubic\", recovery = \"quic\" }\npep = { at = \"b\" }", "encrypted"),
        ("protocol = \"sack\"\npep = { buffer = \"1MB\" }", "at"),
    ] {
        let told = parsed(flow).expect_err("it is wrong").to_string();
        assert!(told.contains(wanted), "{flow}: {told}");
    }
}
