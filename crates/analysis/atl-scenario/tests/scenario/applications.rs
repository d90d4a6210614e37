//! Sources whose two ends answer each other.

use std::path::Path;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::{FlowSetup, Source};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, no_files, parse};

/// A phone behind a link of 2 Mb/s up and 8 Mb/s down, and a flow with these lines.
fn read(flow: &str) -> Result<Scenario, String> {
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"phone\"\nto = \"server\"\n\
         rate = \"2Mb/s\"\ndelay = \"10ms\"\nqueue = 50\nreverse = {{ rate = \"8Mb/s\" }}\n[[flow]]\nname = \"web\"\n\
         from = \"phone\"\nto = \"server\"\n{flow}\n"
    );
    parse("test", &text, Path::new("test.toml"), &no_files, &Overrides::default())
        .map_err(|errors| errors.to_string())
}

fn flows(flow: &str) -> Vec<FlowSetup> {
    read(flow).unwrap_or_else(|errors| panic!("{errors}")).points.remove(0).setup.flows
}

#[test]
fn a_second_flow_carries_the_answers() {
    let source = "protocol = \"sack\"\ncount = 2\nstart = \"1s\"\nstart-jitter = \"1s\"\noverhead = \"auto\"\n\
                  tcp = { handshake = true, segment = 960, header = 40 }\n\
                  source = { application = \"request-response\" }";
    let flows = flows(source);
    let names: Vec<&str> = flows.iter().map(|flow| &*flow.name).collect();
    assert_eq!(names, ["web-1", "web-1.back", "web-2", "web-2.back"]);
    let groups: Vec<&str> = flows.iter().map(|flow| &*flow.group).collect();
    assert_eq!(groups, ["web", "web.back", "web", "web.back"]);
    let answers: Vec<Option<usize>> = flows.iter().map(|flow| flow.answers).collect();
    assert_eq!(answers, [Some(1), None, Some(3), None]);
    for pair in flows.chunks(2) {
        let [there, back] = pair else { panic!("pairs") };
        assert!(matches!(there.source, Source::Application(_)));
        assert_eq!(there.source, back.source);
        let (way, home) = (there.first_path(), back.first_path());
        assert_eq!((&way.forward, &way.back), (&home.back, &home.forward));
        // Each host knows the rate of its own interface, and its overhead is that of its own link.
        let rates = [there, back].map(|flow| flow.tcp.access_rate);
        assert_eq!(rates, [2.0, 8.0].map(|mbps| Some(Rate::from_mbps(mbps))));
        assert_eq!([there, back].map(|flow| flow.overhead), [4, 1].map(Span::from_millis));
        assert_eq!((there.start, there.start_jitter), (back.start, Span::from_secs(1)));
        assert!(there.tcp.handshake && !back.tcp.handshake);
    }
}

#[test]
fn each_connection_has_a_pair_of_flows() {
    let source = "protocol = \"sack\"\ncount = 2\nstart-jitter = \"1s\"\n\
                  source = { application = { name = \"web-page\", connections = 3 } }";
    let flows = flows(source);
    let names: Vec<&str> = flows.iter().map(|flow| &*flow.name).collect();
    let of_one = ["web-1", "web-1.back", "web-1.2", "web-1.2.back", "web-1.3", "web-1.3.back"];
    assert_eq!((&names[..6], names.len()), (&of_one[..], 12));
    assert!(flows.iter().step_by(2).all(|flow| flow.group == "web"));
    assert!(flows.iter().skip(1).step_by(2).all(|flow| flow.group == "web.back"));
    let connections: Vec<&[usize]> = flows.iter().map(|flow| &flow.connections[..]).collect();
    assert_eq!((connections[0], connections[6]), (&[2, 4][..], &[8, 10][..]));
    assert!([1, 2, 3, 4, 5].iter().all(|flow| connections[*flow].is_empty()));
    let answers: Vec<Option<usize>> = flows.iter().map(|flow| flow.answers).collect();
    assert_eq!(answers[..6], [Some(1), None, Some(3), None, Some(5), None]);
    assert_eq!((flows[8].answers, flows[0].start_jitter), (Some(9), Span::from_secs(1)));
    let wrong = source.replace("connections = 3", "connections = 0");
    assert!(read(&wrong).expect_err("none").contains("connections must be from 1 to 100"));
    let wrong = source.replace(
        "name = \"web-page\", connections = 3",
        "name = \"dash\", ladder = [\"2Mb/s\", \"1Mb/s\"]",
    );
    assert!(read(&wrong).expect_err("falls").contains("each rate of the ladder must be higher"));
}

#[test]
fn figures_and_quotes_name_both_flows() {
    let figure = |of: &str| {
        format!(
            "protocol = \"sack\"\nsource = {{ application = \"request-response\" }}\n[record]\nevery = \"1s\"\n\
             [[figure]]\nkind = \"time\"\ntitle = \"t\"\ny = \"throughput\"\nseries = \"flow\"\nof = \"{of}\"\n"
        )
    };
    for of in ["web", "web.back"] {
        assert!(read(&figure(of)).is_ok(), "{:?}", read(&figure(of)));
    }
    let errors = read(&figure("web.beck")).expect_err("there is no such flow");
    assert!(errors.contains("did you mean `web.back`"), "{errors}");
    let greedy = figure("web.back").replace("source =", "# source =");
    assert!(read(&greedy).is_err(), "a flow that gets no answers");
}

#[test]
fn options_change_the_application_and_wrong_ones_are_reported_at_their_places() {
    let with = |options: &str| {
        format!("protocol = \"sack\"\nsource = {{ application = {{ {options} }} }}")
    };
    let source = |options: &str| flows(&with(options)).remove(0).source;
    let usual = source("name = \"request-response\"");
    assert_eq!(
        usual,
        flows("protocol = \"sack\"\nsource = { application = \"request-response\" }")[0].source
    );
    assert_eq!(usual, source("name = \"request-response\", response = \"100kB\", pause = \"0s\""));
    assert_ne!(usual, source("name = \"request-response\", response = \"101kB\""));
    assert_ne!(usual, source("name = \"request-response\", distribution = \"exponential\""));
    for (options, message) in [
        ("name = \"request-responce\"", "did you mean `request-response`"),
        ("response = \"1kB\"", "`name` is missing"),
        ("name = \"request-response\", respons = \"1kB\"", "did you mean `response`"),
        ("name = \"request-response\", response = 100", "application.response` cannot be"),
        ("name = \"request-response\", response = \"1kb\"", "application.response` cannot be"),
        ("name = \"request-response\", exchanges = 0", "exchanges must be at least 1"),
    ] {
        let errors = read(&with(options)).expect_err(options);
        assert!(errors.contains(message), "{options}: {errors}");
    }
}

#[test]
fn it_excludes_other_sources_and_protocols_that_do_not_deliver_everything() {
    for (flow, message) in [
        (
            "protocol = \"sack\"\nsource = { application = \"request-response\", bytes = \"1MB\" }",
            "exclude each other",
        ),
        (
            "protocol = \"sack\"\nsource = { application = \"request-response\", rate = \"1Mb/s\" }",
            "exclude each other",
        ),
        (
            "protocol = \"rcp-atl\"\nsource = { application = \"request-response\" }",
            "it needs every byte, in order",
        ),
    ] {
        let errors = read(flow).expect_err(flow);
        assert!(errors.contains(message), "{flow}: {errors}");
    }
}

#[test]
fn the_times_of_exchanges_need_an_application() {
    let quote = |source: &str| {
        format!(
            "protocol = \"sack\"\nsource = {source}\n[[quote]]\nid = \"q\"\ntext = \"t\"\nsource = \"s\"\n\
             metric = \"exchange-p95\"\nvalue = {{ of = {{ flow = \"web\" }}, at-most = \"1s\" }}\n"
        )
    };
    assert!(read(&quote("{ application = \"request-response\" }")).is_ok());
    let errors = read(&quote("{ bytes = \"1MB\" }")).expect_err("nothing is exchanged");
    assert!(errors.contains("no flow has an application"), "{errors}");
}
