//! Changes of network that bring a queue of their own.

use atl_engine::setup::LinkSetup;
use atl_link::{Buffer, CoDel, Limit, QueueConfig};

use super::{file, read, setup};

pub(super) fn packets(packets: u32) -> QueueConfig {
    QueueConfig::DropTail { packets }
}

pub(super) fn bytes(bytes: u64) -> QueueConfig {
    QueueConfig::DropTailBytes { bytes }
}

/// The queue at the start and those that the changes bring.
pub(super) fn queues(link: &LinkSetup) -> (QueueConfig, Vec<Option<QueueConfig>>) {
    let own = |buffer: &Option<Buffer>| buffer.as_ref().map(|buffer| buffer.queue.clone());
    assert_eq!(link.config.initial.queue, None, "there is one place for that of the start");
    let later = link.config.schedule.iter().map(|change| own(&change.to.queue));
    (link.config.queue.clone(), later.collect())
}

/// Both directions' of a link with one change at 20 s, which has these keys.
fn roaming(link: &str, keys: &str) -> [(QueueConfig, Vec<Option<QueueConfig>>); 2] {
    let line = format!("{link}\nroam = [{{ at = \"20s\", {keys} }}]");
    let links = setup(&line, "").links;
    [queues(&links[0]), queues(&links[1])]
}

/// Queues that cannot be, and a part of what each is told.
pub(super) const WRONG: [(&str, &str); 10] = [
    ("0", "1 to 10000000"),
    ("-5", "1 to 10000000"),
    ("2.5", "whole number"),
    ("true", "queue"),
    ("\"0s\"", "greater than zero"),
    ("\"12 parsecs\"", "12 parsecs"),
    ("\"codle\"", "codel"),
    ("{ discipline = \"red\" }", "has no length"),
    ("{ packets = 7, mark = 9 }", "smaller than `packets`"),
    ("{ packet = 7 }", "packets"),
];

#[test]
fn a_change_brings_the_queue_that_it_states_in_both_directions() {
    let codel =
        QueueConfig::Custom { limit: Limit::Packets(1000), discipline: CoDel::default().into() };
    for (keys, queue) in [
        ("network = \"3g\"", None),
        ("network = \"3g\", queue = 7", Some(packets(7))),
        ("queue = 7", Some(packets(7))),
        ("network = \"3g\", queue = \"64kB\"", Some(bytes(64_000))),
        ("network = \"3g\", queue = \"codel\"", Some(codel)),
        (
            "network = \"3g\", queue = { packets = 7, priority = true }",
            Some(QueueConfig::Priority { packets: 7 }),
        ),
    ] {
        let expected = (packets(12), vec![queue]);
        let found = roaming("queue = 12", keys);
        assert_eq!(found, [expected.clone(), expected], "{keys}");
    }
}

#[test]
fn a_time_is_one_at_the_rate_of_the_network_that_it_is_stated_for() {
    // 2 Mb/s at first.
    let brings = |keys: &str| {
        let [there, back] = roaming("queue = \"200ms\"\nreverse = { rate = \"1Mb/s\" }", keys);
        assert_eq!((there.0, back.0), (bytes(50_000), bytes(25_000)), "{keys}");
        [there.1[0].clone(), back.1[0].clone()]
    };
    // `reverse` of the link replaces the rate in every network.
    let both = [Some(bytes(200_000)), Some(bytes(25_000))];
    assert_eq!(brings("rate = \"8Mb/s\", queue = \"200ms\""), both);
    assert_eq!(brings("rate = \"8Mb/s\""), [None, None], "the buffer stays as it is");
    assert_eq!(brings("network = \"3g\", queue = \"1s\"")[0], Some(bytes(250_000)));
    assert_eq!(brings("network = \"3g\", queue = \"1us\"")[0], Some(bytes(1500)));
    let shaper = "shaper = { rate = \"800kb/s\", burst = \"3kB\" }\nqueue = 12";
    assert_eq!(
        roaming(shaper, "rate = \"8Mb/s\", queue = \"1s\"")[0].1,
        [Some(bytes(100_000))],
        "the plan's rate is the lower one"
    );
}

#[test]
fn a_queue_of_the_reverse_direction_stays_in_every_network() {
    let [there, back] = roaming("queue = 12\nreverse = { queue = 9 }", "queue = 7");
    assert_eq!(there, (packets(12), vec![Some(packets(7))]));
    assert_eq!(back, (packets(9), vec![None]));
}

#[test]
fn a_mark_goes_with_its_queue() {
    let line = "queue = { packets = 12, mark = 3 }\nroam = [{ at = \"9s\", queue = { packets = 7, mark = 2 } }, { at = \"19s\", queue = 5 }]";
    let config = setup(line, "").links[0].config.clone();
    let marks =
        config.schedule.iter().map(|change| change.to.queue.as_ref().map(|own| own.mark_at));
    let marks: Vec<_> = marks.collect();
    assert_eq!((config.mark_at, marks), (Some(3), vec![Some(Some(2)), Some(None)]));
}

#[test]
fn a_change_at_the_start_brings_the_queue_of_the_start() {
    let line =
        r#"roam = [{ at = "0s", network = "3g", queue = 7 }, { at = "9s", network = "wlan" }]"#;
    for link in &setup(line, "").links {
        assert_eq!(queues(link), (packets(7), vec![None]));
    }
}

#[test]
fn what_waits_nowhere_or_is_replaced_at_the_start_is_told() {
    let told = |link: &str| -> Vec<String> {
        let scenario = read(&file("", link, "protocol = \"sack\""), &[]);
        let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
        let all = scenario.warnings.reports().into_iter().map(|report| report.message);
        all.filter(|message| message.contains("queue")).collect()
    };
    let none: [String; 0] = [];
    assert_eq!(told("queue = 12\nroam = [{ at = \"9s\", queue = 7 }]"), none);
    assert_eq!(
        told("rate = \"unlimited\"\nroam = [{ at = \"9s\", rate = \"1Mb/s\", queue = 7 }]"),
        none
    );
    let wrong = told("queue = 12\nroam = [{ at = \"0s\", queue = 7 }]");
    let brought = "the first of `roam` brings another at the start";
    assert_eq!(wrong, [format!("`link.air.queue` has no effect: {brought}")]);
    let wrong = told("rate = \"unlimited\"\nroam = [{ at = \"9s\", delay = \"1ms\", queue = 7 }]");
    let nothing = "nothing waits on a link of unlimited rate";
    assert_eq!(wrong, [format!("`link.air.roam.0.queue` has no effect: {nothing}")]);
    // Networks that take turns say nothing of a queue.
    let turns = "roam = { every = \"9s\", networks = [\"wlan\", \"3g\"] }";
    assert_eq!(told(&format!("queue = 12\n{turns}")), none);
}

#[test]
fn a_queue_that_cannot_be_is_refused_with_its_place_and_what_is_allowed() {
    for (queue, allowed) in WRONG {
        let line =
            format!("roam = [\n  {{ at = \"9s\" }},\n  {{ at = \"19s\", queue = {queue} }},\n]");
        let text = file("", &line, "protocol = \"sack\"");
        let place = 1 + text.lines().position(|line| line.contains("19s")).expect("a line");
        let told = read(&text, &[]).map(|_| ()).expect_err(queue).to_string();
        assert!(told.contains(&format!("test.toml:{place}:")), "{queue}: {told}");
        assert!(told.contains("`link.air.roam.1.queue"), "{queue}: {told}");
        assert!(told.contains(allowed), "{queue}: {told}");
    }
    let turns = "roam = { every = \"9s\", networks = [\"wlan\", \"3g\"], queue = 7 }";
    let told = read(&file("", turns, "protocol = \"sack\""), &[]).map(|_| ()).expect_err(turns);
    assert!(told.to_string().contains("unknown key"), "{told}");
}

/// The value is one as any other: a variable decides it.
#[test]
fn a_queue_may_be_swept() {
    let text = file(
        "[sweep]\nlong = [5, \"100ms\", \"codel\"]",
        "roam = [{ at = \"9s\", queue = \"$long\" }]",
        "protocol = \"sack\"",
    );
    let scenario = read(&text, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let limits: Vec<_> = scenario
        .points
        .iter()
        .filter_map(|point| queues(&point.setup.links[0]).1[0].as_ref().map(QueueConfig::limit))
        .collect();
    assert_eq!(limits, [Limit::Packets(5), Limit::Bytes(25_000), Limit::Packets(1000)]);
}
