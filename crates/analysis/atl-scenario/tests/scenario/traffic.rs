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
