//! Adaptation layers in a scenario file.

use std::path::Path;

use atl_aal::aalt::payload::{LengthRule, PayloadLength};
use atl_aal::aalt::s_arq::{ReceiverConfig, RoundTripCount, SenderConfig};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::adaptation::{AalT, Adaptation, Fault, Faults, Layer, Quench};
use atl_engine::setup::Setup;
use atl_scenario::{Errors, Overrides, no_files, parse};

fn read(link: &str, flow: &str) -> Result<Setup, Errors> {
    let text = format!(
        "title = \"t\"\nduration = \"60s\"\n[[link]]\nname = \"air\"\nfrom = \"a\"\nto = \"b\"\n\
         rate = \"4.24Mb/s\"\ndelay = \"40ms\"\n{link}\n[[link]]\nname = \"wire\"\nfrom = \"b\"\nto = \"c\"\n\
         rate = \"100Mb/s\"\ndelay = \"10ms\"\n[[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"c\"\n\
         {flow}\n"
    );
    let has_protocol = text.contains("protocol");
    let text = if has_protocol { text } else { text + "protocol = \"sack\"\n" };
    let scenario = parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default())?;
    Ok(scenario.points[0].setup.clone())
}

fn of_flow(line: &str) -> Option<Adaptation> {
    let setup = read("", line).unwrap_or_else(|errors| panic!("{errors}"));
    setup.flows[0].adaptation.clone()
}

fn aal_t(adaptation: Option<Adaptation>) -> AalT {
    match adaptation.map(|a| a.layer) {
        Some(Layer::AalT(aal_t)) => aal_t,
        other => panic!("{other:?} is not AAL-T"),
    }
}

#[test]
fn a_name_is_enough_and_false_switches_it_off() {
    assert_eq!(of_flow(""), None);
    assert_eq!(of_flow("adaptation = false"), None);
    let aal5 = Adaptation { layer: Layer::Aal5, queue: 50, quench: None };
    assert_eq!(of_flow("adaptation = \"aal5\""), Some(aal5.clone()));
    assert_eq!(
        of_flow("adaptation = { name = \"aal5\", queue = 9 }"),
        Some(Adaptation { queue: 9, ..aal5 })
    );
    let by_name = of_flow("adaptation = \"aal-t\"").expect("it has one");
    assert_eq!((by_name.queue, by_name.quench), (50, Some(Quench::default())));
    assert_eq!(of_flow("adaptation = { name = \"aal-t\" }"), Some(by_name));
}

/// A cell takes 100 us on the slowest link; the round trip is 100 ms.
#[test]
fn open_parameters_follow_from_the_path() {
    let open = aal_t(of_flow("adaptation = \"aal-t\""));
    assert_eq!(open.receiver.status_interval, Span::from_micros(3200));
    assert_eq!(open.receiver.longest_status_interval, Span::from_millis(16));
    // The initial m is 8 plus two for each interval of 3.2 ms in 100 ms.
    assert_eq!(open.sender.round_trip, RoundTripCount::Measured { initial: 8 + 62 });
    let own = "adaptation = { name = \"aal-t\", status-interval = \"10ms\" }";
    let own = aal_t(of_flow(own));
    assert_eq!(own.receiver.status_interval, Span::from_millis(10));
    assert_eq!(own.receiver.longest_status_interval, Span::from_millis(50));
    assert_eq!(own.sender.round_trip, RoundTripCount::Measured { initial: 28 });
    // A tunnel depends on its own link only: 80 ms and 100 us.
    let setup = read("adaptation = \"aal-t\"", "").unwrap_or_else(|errors| panic!("{errors}"));
    let [there, back] = [0, 1].map(|l: usize| setup.links[l].adaptation.clone());
    assert_eq!(there, back);
    assert_eq!(there.as_ref().and_then(|a| a.quench), None);
    assert_eq!(aal_t(there).sender.round_trip, RoundTripCount::Measured { initial: 8 + 50 });
    assert!(setup.links[2].adaptation.is_none());
}

#[test]
fn every_key_is_read() {
    let line = "adaptation = { name = \"aal-t\", queue = 7, window = 64, round-trip = 3, smoothing = 0.5, \
                payload = \"table1\", longest = 9, statistics = 100, status-interval = [\"2ms\", \"4ms\"], \
                quench = { every = \"1s\", scatter = \"20ms\" }, faults = { scenario = 4, share = 0.1 } }";
    let share = Probability::new(0.1).expect("it is one");
    let expected = Adaptation {
        layer: Layer::AalT(AalT {
            sender: SenderConfig {
                window: 64,
                round_trip: RoundTripCount::Fixed(3),
                smoothing: 0.5,
                length_rule: LengthRule::Table1,
                longest: PayloadLength::from_cells(9).expect("it is one"),
                statistics_window: 100,
                ..SenderConfig::default()
            },
            receiver: ReceiverConfig {
                window: 64,
                status_interval: Span::from_millis(2),
                longest_status_interval: Span::from_millis(4),
                statistics_window: 100,
                ..ReceiverConfig::default()
            },
            faults: Some(Faults { fault: Fault::FirstAndLastCellLost, share }),
        }),
        queue: 7,
        quench: Some(Quench { every: Span::from_secs(1), scatter: Span::from_millis(20) }),
    };
    assert_eq!(of_flow(line), Some(expected));
    let fixed = aal_t(of_flow("adaptation = { name = \"aal-t\", payload = 20, quench = false }"));
    let twenty = PayloadLength::from_cells(20).expect("it is one");
    assert_eq!(
        (fixed.sender.length_rule, fixed.sender.longest),
        (LengthRule::Fixed(twenty), twenty)
    );
    let any = "adaptation = { name = \"aal-t\", faults = { scenario = \"any\", share = \"1%\" } }";
    assert_eq!(aal_t(of_flow(any)).faults.map(|f| f.fault), Some(Fault::Any));
}

#[test]
fn each_mistake_says_what_is_allowed() {
    let table = |keys: &str| format!("adaptation = {{ name = \"aal-t\", {keys} }}");
    let cases = [
        ("adaptation = \"aal3\"".to_owned(), "expected one of `aal5`, `aal-t`"),
        ("adaptation = { window = 3 }".to_owned(), "`name` is missing"),
        ("adaptation = { name = \"aal5\", window = 3 }".to_owned(), "AAL5 retransmits nothing"),
        (table("windw = 3"), "did you mean `window`?"),
        (table("queue = 0"), "from 1 to"),
        (table("window = 4097"), "from 1 to 4096"),
        (table("round-trip = 0"), "from 1 to 255"),
        (table("round-trip = \"mesured\""), "did you mean `measured`?"),
        (table("smoothing = 1"), "below 1"),
        (table("payload = \"eq3\""), "`eq2`, `table1`"),
        (table("payload = 1367"), "from 1 to 1366"),
        (table("longest = 0"), "from 1 to 1366"),
        (table("status-interval = \"0s\""), "at least 10us"),
        (table("status-interval = [\"2ms\", \"1ms\"]"), "must not be shorter"),
        (table("status-interval = [\"2ms\"]"), "must have 2 items"),
        (table("quench = { evry = \"1s\" }"), "did you mean `every`?"),
        (table("faults = { scenario = 8, share = 0.1 }"), "from 1 to 7"),
        (table("faults = { scenario = \"all\", share = 0.1 }"), "expected one of `any`"),
        (table("faults = { scenario = 1, share = 1 }"), "below 1"),
        (table("faults = { scenario = 1 }"), "`share` is missing"),
        (
            "protocol = { name = \"tahoe\", recovery = \"none\" }".to_owned(),
            "needs a layer that repairs everything",
        ),
        (
            "protocol = { name = \"tahoe\", recovery = \"none\" }\nadaptation = { name = \"aal-t\", queue = 50 }"
                .to_owned(),
            "must fit into the layer's queue",
        ),
    ];
    for (line, expected) in cases {
        let errors = read("", &line).expect_err(&line).to_string();
        assert!(errors.contains(expected), "{line}: {errors}");
    }
    let links = [
        ("adaptation = \"aal-t\"\none-way = true", "cannot be one-way"),
        ("wireless = true\nagent = \"snoop\"\nadaptation = \"aal-t\"", "cannot see into cells"),
        ("adaptation = { name = \"aal-t\", quench = { every = \"1s\" } }", "between the hosts"),
    ];
    for (line, expected) in links {
        let errors = read(line, "").expect_err(line).to_string();
        assert!(errors.contains(expected), "{line}: {errors}");
    }
    for (link, expected) in [
        ("adaptation = \"aal5\"", "is a tunnel with its own adaptation layer"),
        ("wireless = true\nagent = \"snoop\"", "has an agent"),
    ] {
        let errors = read(link, "adaptation = \"aal-t\"").expect_err(link).to_string();
        assert!(errors.contains(expected), "{link}: {errors}");
    }
}
