//! Paths from their description to their answer.

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::{Cancel, Options, run_plans};
use atl_experiment::path::Words;
use atl_experiment::path::{Answer, Direction, Network, Path, Queue, Stage, Stay, networks};
use atl_link::{Conditions, Config, Delay, Jitter, JitterShape, Loss, QueueConfig, Service};
use atl_report::Outcome;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, no_files};
use atl_sim::Sim;
use proptest::prelude::*;

/// Points of a path's scenario with the default transports.
const POINTS: usize = 5 + 4 + 5 + 1;

fn path(stages: &[(u64, &str)], seconds: u64) -> Path {
    let stage = |&(millis, name): &(u64, &str)| Stage {
        from: Time::from_millis(millis),
        network: atl_experiment::path::named(name).expect("a name"),
    };
    Path {
        send: Direction::Down,
        stages: stages.iter().map(stage).collect(),
        queue: None,
        neighbours: 1,
        duration: Span::from_secs(seconds),
        seeds: 5,
        protocols: Vec::new(),
    }
}

/// 4G whose delay does not vary from packet to packet.
fn clean() -> Path {
    let mut own = path(&[(0, "4g")], 20);
    own.stages[0].network = Words::network("4g no jitter").expect("one network");
    own
}

fn read(path: &Path) -> Scenario {
    path.check().expect("a path");
    let scenario = crate::parsed("path", &path.file());
    assert!(scenario.warnings.reports().is_empty(), "{:?}", scenario.warnings.reports());
    scenario
}

fn answer(path: &Path) -> Answer {
    let scenario = read(path);
    let options = Options { jobs: None, cancel: &Cancel::default(), progress: &|_| {} };
    let results = run_plans(&Sim, &[&scenario], options).expect("it runs").remove(0);
    let outcome = Outcome {
        scenario: scenario.into(),
        results: results.into(),
        engine: atl_engine::Engine::id(&Sim),
        version: String::new(),
        command: String::new(),
    };
    Answer::of(path, &outcome)
}

/// The link of a path's file, in the direction of the data and back, and the delay of the wires
/// behind it.
fn air(path: &Path) -> ([Conditions; 2], Span) {
    let setup = &read(path).points[0].setup;
    let of = |link: usize| setup.links[link].config.initial.clone();
    let Delay::Constant(wires) = of(2).delay else { panic!("no trace") };
    ([of(0), of(1)], wires)
}

/// Conditions with this much more delay, under another name.
fn farther(conditions: &Conditions, by: Span, name: &str) -> Conditions {
    let Delay::Constant(delay) = conditions.delay else { panic!("no trace") };
    let delay = Delay::Constant(delay + by);
    Conditions { name: name.into(), delay, ..conditions.clone() }
}

#[test]
fn every_named_network_is_the_link_that_a_scenario_has_under_this_name_both_ways() {
    for (known, _) in networks() {
        let [down, up] = known.conditions().expect("readable");
        for name in known.names() {
            for send in [Direction::Down, Direction::Up] {
                let one = Path { send, ..path(&[(0, name)], 20) };
                let (link, wires) = air(&one);
                let expected = match send {
                    Direction::Down => [&down, &up],
                    Direction::Up => [&up, &down],
                };
                for (own, wanted) in link.iter().zip(expected) {
                    assert_eq!(&farther(own, wires, known.name), wanted, "{name} {send:?}");
                }
                // Five transports, one of them told less on four rungs, and all of them and the
                // lowest rung beside a neighbour.
                assert_eq!(read(&one).points.len(), POINTS);
            }
        }
    }
}

#[test]
fn what_is_stated_is_in_the_link() {
    let said = |text: &str, send: Direction| {
        let network = Words::network(text).expect("one network");
        let mut one = Path { send, ..path(&[(0, "wifi")], 20) };
        one.stages[0].network = network;
        let ([there, back], wires) = air(&one);
        [farther(&there, wires, "air"), farther(&back, wires, "air")]
    };
    let own = |name: &str| {
        let known = networks().find(|(known, _)| known.name == name).expect("a name").0;
        known.conditions().expect("readable").map(|way| farther(&way, Span::ZERO, "air"))
    };
    let rate = |mbps| Service::Constant(Rate::from_mbps(mbps));
    for send in [Direction::Down, Direction::Up] {
        let ways = |conditions: [Conditions; 2]| match send {
            Direction::Down => conditions,
            Direction::Up => {
                let [there, back] = conditions;
                [back, there]
            }
        };
        // A loss instead of bursts; jitter stays.
        let loss = Loss::Bernoulli(Probability::clamped(0.02));
        let wanted = own("hotel-wifi").map(|way| Conditions { loss, ..way });
        assert_eq!(ways(said("hotel wifi 2% loss", send)), wanted);
        // A rate instead of airtime, on one way only.
        let [there, back] = own("wifi-6");
        let wanted = [Conditions { service: rate(30.0), ..there }, back];
        assert_eq!(ways(said("wifi 6 30mbit down", send)), wanted);
        // A rate that is blocked as much as before.
        let [there, back] = ways(said("mmwave 400mbit down", send)).map(|way| way.service);
        let Service::Blocked(sight) = there else { panic!("{there:?}") };
        assert!((sight.clear.mbps() - 400.0).abs() < 1e-9);
        assert!((sight.blocked.mbps() - 20.0).abs() < 1e-9);
        assert_eq!(back, own("mmwave")[1].service);
        // A round trip, half of it each way, and no jitter.
        let delay = Delay::Constant(Span::from_millis(15));
        let wanted = own("starlink").map(|way| Conditions { delay: delay.clone(), ..way });
        assert_eq!(ways(said("starlink 30ms", send)), wanted);
        let wanted = own("cable").map(|way| Conditions { jitter: None, ..way });
        assert_eq!(ways(said("cable no jitter", send)), wanted);
        // A size of the jitter: of the network's kind, or even; each way.
        let spread = Span::from_millis(5);
        let sized = |shape| Some(Jitter { spread, shape, in_order: true });
        for (words, name, shape) in [
            ("lte 5ms jitter", "lte", JitterShape::Harq),
            ("wifi jitter 5ms", "wlan", JitterShape::Wifi),
            ("cable 5ms jitter", "cable", JitterShape::Uniform),
            ("dsl 5ms jitter", "dsl", JitterShape::Uniform),
        ] {
            let wanted = own(name).map(|way| Conditions { jitter: sized(shape), ..way });
            assert_eq!(ways(said(words, send)), wanted, "{words}");
        }
        // Stations that share the airtime, the access point counted on the way up.
        let stations =
            ways(said("crowded wifi with 7 stations", send)).map(|way| match way.service {
                Service::Wifi(wifi) => wifi.stations,
                other => panic!("{other:?}"),
            });
        assert_eq!(stations, [7, 8]);
    }
}

#[test]
fn a_network_that_comes_again_has_a_key_of_its_own() {
    let mut names: Vec<(u64, &str)> = (0..7).map(|i| (5_000 * i, "wifi")).collect();
    names.push((35_000, "wifi-6"));
    let file = path(&names, 40).file();
    for key in ["wifi", "wifi-2", "wifi-5", "wifi-6", "wifi-7", "wifi-8"] {
        assert_eq!(file.matches(&format!("[network.{key}]\n")).count(), 1, "{key}");
    }
    assert_eq!(read(&path(&names, 40)).points.len(), POINTS);
}

/// The queue that a path has in each of its networks, towards the phone and back.
fn queues(path: &Path) -> [Vec<QueueConfig>; 2] {
    queues_of(&read(path))
}

fn queues_of(scenario: &Scenario) -> [Vec<QueueConfig>; 2] {
    let setup = &scenario.points[0].setup;
    [0, 1].map(|way| {
        let Config { queue, schedule, .. } = &*setup.links[way].config;
        let mut all = vec![queue.clone()];
        for change in schedule {
            let own = change.to.queue.as_ref().map(|buffer| buffer.queue.clone());
            all.push(own.unwrap_or_else(|| all[all.len() - 1].clone()));
        }
        all
    })
}

#[test]
fn each_network_has_the_queue_that_it_has_alone() {
    let names = ["wifi", "geo", "3g", "wifi"];
    let stages: Vec<(u64, &str)> = (0..).step_by(5_000).zip(names).collect();
    for send in [Direction::Down, Direction::Up] {
        let roaming = Path { send, ..path(&stages, 20) };
        let alone: Vec<QueueConfig> = names
            .map(|name| {
                let alone = Path { send, ..path(&[(0, name)], 20) };
                let [there, back] = queues(&alone);
                assert_eq!((there.len(), &there), (1, &back), "{name}");
                there[0].clone()
            })
            .to_vec();
        assert_eq!(queues(&roaming), [alone.clone(), alone], "{send:?}");
        // One that is stated is that of all, as many bytes as it is in the first.
        let stated = Path { queue: Some(Queue::Time(Span::from_millis(200))), ..roaming };
        let first = |way: &[QueueConfig]| way.iter().all(|queue| *queue == way[0]);
        assert!(queues(&stated).iter().all(|way| way.len() == 4 && first(way)), "{send:?}");
    }
}

/// A variable for all would change the first network alone.
#[test]
fn each_networks_queue_is_set_by_its_own_variable() {
    let path = path(&[(0, "wifi"), (5_000, "geo"), (10_000, "wifi")], 15);
    let set = |path: &Path, key: &str| {
        let set = vec![(key.to_owned(), "7".to_owned())];
        let overrides = Overrides { set, ..Overrides::default() };
        atl_scenario::parse("path", &path.file(), "path".as_ref(), &no_files, &overrides)
    };
    let usual = queues(&path);
    for (i, key) in ["queue-wifi", "queue-geo", "queue-wifi-2"].into_iter().enumerate() {
        let changed = set(&path, key).unwrap_or_else(|errors| panic!("{errors}"));
        let mut expected = usual.clone();
        expected.iter_mut().for_each(|way| way[i] = QueueConfig::DropTail { packets: 7 });
        assert_eq!(queues_of(&changed), expected, "{key}");
    }
    let told = set(&path, "queue").map(|_| ()).expect_err("no variable").to_string();
    assert!(told.contains("no variable or key `queue`") && told.contains("`queue-geo`"), "{told}");
    // A stated one has one variable, and so has a path of one network.
    let stated = Path { queue: Some(Queue::Packets(100)), ..path };
    for path in [stated, clean()] {
        let changed = set(&path, "queue").unwrap_or_else(|errors| panic!("{errors}"));
        let mut all = queues_of(&changed).into_iter().flatten();
        assert!(all.all(|queue| queue == QueueConfig::DropTail { packets: 7 }));
    }
}

#[test]
fn each_network_is_told_apart() {
    let found = answer(&path(&[(0, "3g"), (10_000, "4g")], 20));
    assert_eq!(found.title, "A download over 3g, then 4g");
    let [slow, fast] = &found.stays[..] else { panic!("{found:?}") };
    assert_eq!((slow.network.as_str(), slow.from_s, slow.to_s), ("3g", 0.0, 10.0));
    assert_eq!((fast.network.as_str(), fast.from_s, fast.to_s), ("4g", 10.0, 20.0));
    for stay in [slow, fast, &found.all] {
        assert_eq!(stay.places.len(), 5);
        for place in &stay.places {
            let goodput = place.goodput_bps.mean;
            // Headers keep goodput below the rate, even where packets queued in the slow network
            // arrive in the fast one.
            assert!(goodput > 0.0 && goodput < stay.rate_bps, "{}: {goodput}", place.protocol);
        }
        let sorted = stay.places.is_sorted_by(|a, b| a.goodput_bps.mean >= b.goodput_bps.mean);
        assert!(sorted);
    }
    assert!(fast.places[0].goodput_bps.mean > 3.0 * slow.places[0].goodput_bps.mean);
    let mean = (slow.rate_bps + fast.rate_bps) / 2.0;
    assert!((found.all.rate_bps - mean).abs() < 1.0);
}

/// A flow starts up to 100 ms into its first network, and bits are divided by what is left of it.
#[test]
fn the_time_before_a_flow_starts_counts_in_no_network() {
    let mut own = path(&[(0, "3g"), (1_000, "4g")], 2);
    own.seeds = 1;
    let found = answer(&own);
    let [slow, fast] = &found.stays[..] else { panic!("{found:?}") };
    for place in &found.all.places {
        let of = |stay: &Stay| {
            let own = stay.places.iter().find(|other| other.protocol == place.protocol);
            own.expect("the same transport").goodput_bps.mean
        };
        // With the start at s: slow (1 - s) + fast = all (2 - s).
        let (slow, fast, all) = (of(slow), of(fast), place.goodput_bps.mean);
        let start = (2.0 * all - slow - fast) / (all - slow);
        assert!((0.0..0.1).contains(&start) && start > 1e-6, "{}: {start}", place.protocol);
    }
}

/// Losses without a queue say what the link loses, alone and beside a flow that the same losses
/// keep from filling the queue: reports add nothing there. `showcase/knowledge` has a network where
/// they do.
#[test]
fn knowledge_is_taken_apart_and_inference_makes_it_needless_on_an_access_link() {
    let mut own = clean();
    for loss in [0.0, 0.02] {
        own.stages[0].network.loss = Probability::new(loss).expect("a probability");
        let found = answer(&own).knowledge.expect("measured");
        let inputs: Vec<&str> = found.inputs.iter().map(|gain| gain.input.as_str()).collect();
        assert_eq!(inputs, ["p_w", "d_w", "which packets its MAC lost", "the link's rate"]);
        let beside = found.beside.expect("measured");
        for gain in found.inputs.iter().chain([&found.all, &beside]) {
            assert!((gain.ratio.mean - 1.0).abs() < 0.08, "{loss}: {gain:?}");
        }
    }
}

/// On a clean link all fill it, and delay tells them apart.
#[test]
fn the_advice_is_about_goodput_and_delay() {
    let found = answer(&clean());
    let advice = found.all.advice.expect("five seeds");
    let delay = |name: &str| {
        let place = found.all.places.iter().find(|place| place.protocol == name).expect("a place");
        place.queueing_p95_s.expect("samples").mean
    };
    let least = |name: &String| 2.0 * delay(name) < delay("CUBIC");
    assert!(!advice.both.is_empty() && advice.both.iter().all(least), "{advice:?}");
    assert!(!advice.calls.is_empty() && advice.calls.iter().all(least), "{advice:?}");
    let lead = advice.lead.expect("not all are level");
    assert!(!advice.bulk.contains(&lead.over) && lead.ratio.excludes(1.0), "{lead:?}");
    let usual = found.beside.iter().find(|one| one.protocol == "CUBIC").expect("itself");
    assert_eq!(usual.keeps, None);
    let both = usual.goodput_bps.mean + usual.neighbour_bps.mean;
    assert!(both < found.all.rate_bps && both > 0.8 * found.all.rate_bps, "{usual:?}");
    assert!(found.beside.iter().filter(|one| one.keeps.is_some()).count() == 4);
}

#[test]
fn too_few_seeds_advise_nothing() {
    let mut one = path(&[(0, "3g")], 5);
    one.seeds = 2;
    assert_eq!(answer(&one).all.advice, None);
}

#[test]
fn protocols_may_be_chosen() {
    let mut own = path(&[(0, "wifi")], 10);
    own.protocols = vec!["vegas".to_owned(), "cubic".to_owned()];
    // The two named and the one that link reports are taken from, its rungs, and those four beside
    // a neighbour.
    assert_eq!(read(&own).points.len(), 3 + 4 + 3 + 1);
    own.protocols = vec!["residual".to_owned(), "cubic".to_owned()];
    assert_eq!(read(&own).points.len(), 2 + 4 + 2 + 1);
}

#[test]
fn times_that_cannot_be_are_refused() {
    for (stages, seconds, word) in [
        (&[(10_000, "wifi")][..], 20, "begins at 0s"),
        (
            &[(0, "wifi"), (20_000, "leo"), (20_000, "geo")],
            40,
            "`geo` begins at 20 s, not after `leo`",
        ),
        (&[(0, "wifi"), (300, "leo")], 40, "a multiple of 0.5 s"),
        (
            &[(0, "wifi"), (20_000, "leo")],
            20,
            "ends after 20 s, before its last network begins at 20 s",
        ),
        (&[(0, "wifi")], 100_000, "at most 86400 s"),
        (&[], 10, "begins at 0s"),
    ] {
        let error = path(stages, seconds).check().unwrap_err();
        assert!(error.contains(word), "{word}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_path_that_is_checked_makes_a_scenario(
        networks in prop::collection::vec((1_u64..2000, 1_u64..500, 1_u64..800_000, 0.0..0.5_f64), 1..6),
        up in any::<bool>(),
        queue in prop::option::of(prop_oneof![
            (1_u32..5000).prop_map(Queue::Packets),
            (1_u64..5000).prop_map(|ms| Queue::Time(Span::from_millis(ms))),
            (1500_u64..5_000_000).prop_map(Queue::Bytes),
        ]),
        neighbours in 0_u32..5,
    ) {
        let stage = |(i, (down, up, rtt_us, loss)): (usize, &(u64, u64, u64, f64))| Stage {
            from: Time::from_millis(5_000 * i as u64),
            network: Network {
                name: ["wlan", "hotel-wifi"][i % 2].into(),
                down: Rate::from_mbps(*down as f64 / 3.0),
                up: Rate::from_mbps(*up as f64 / 7.0),
                rtt: Span::from_micros(*rtt_us),
                loss: Probability::new(*loss).expect("a probability"),
                effects: atl_experiment::path::named("5g").expect("a name").effects,
            },
        };
        let path = Path {
            send: if up { Direction::Up } else { Direction::Down },
            duration: Span::from_secs(5 * networks.len() as u64),
            stages: networks.iter().enumerate().map(stage).collect(),
            queue,
            neighbours,
            seeds: 5,
            protocols: Vec::new(),
        };
        let alone = 5 + 4;
        let points = if neighbours == 0 { alone } else { POINTS };
        prop_assert_eq!(read(&path).points.len(), points);
    }
}
