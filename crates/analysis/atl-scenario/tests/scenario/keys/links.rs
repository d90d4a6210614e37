//! Links: what they lose, delay, hold back and drop, and their blackouts and agents.

use super::{file, read, setup};
use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_core::model::{Gilbert, PathChain};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::setup::{Agent, LinkSetup, Snoop};
use atl_link::{
    Blockage, Channel, DropCurve, Grants, Jitter, JitterShape, Limit, Loss, QueueAverage,
    QueueConfig, Ramp, Reconfiguration, Red, Reorder, Service, Wifi, WifiStandard, Wred,
};

#[test]
fn ways_into_and_out_of_a_link_lose_and_copy() {
    let initial = |line: &str| setup(line, "").links[0].config.initial.clone();
    let plain = initial("");
    assert_eq!((plain.ingress, plain.duplicate), (Loss::None, Probability::ZERO));
    let share = Probability::clamped;
    let both = initial("duplicate = \"1%\"\ningress-loss = 0.02");
    assert_eq!((both.ingress, both.duplicate), (Loss::Bernoulli(share(0.02)), share(0.01)));
    let bursts = initial("ingress-loss = { good-for = \"5s\", bad-for = \"100ms\" }").ingress;
    assert!(matches!(bursts, Loss::Bursts { .. }), "{bursts:?}");
    for (line, why) in [
        ("duplicate = 1.5", "0 to 1"),
        ("ingress-loss = \"2s\"", "ingress-loss"),
        ("ingress-loss = { bit-errors = 1e-5 }", "nothing is transmitted ahead of the queue"),
    ] {
        let told = read(&file("", line, "protocol = \"sack\""), &[]).expect_err(line).to_string();
        assert!(told.contains(why) && told.contains("test.toml"), "{line}: {told}");
    }
}

#[test]
fn stations_grants_and_blockages_are_read_and_what_does_not_go_together_is_named() {
    let initial = |line: &str| setup(line, "").links[0].config.initial.clone();
    let Service::Wifi(wifi) = initial("wifi = { rate = \"143.4Mb/s\" }").service else {
        panic!("a station")
    };
    assert_eq!(wifi, Wifi::new(Rate::from_mbps(143.4), WifiStandard::Ax));
    let line = "wifi = { rate = \"65Mb/s\", standard = \"n\", stations = 5, errors = \"10%\", aggregate = 8, octets = \"8kB\", retries = 3 }";
    let expected = Wifi {
        stations: 5,
        errors: Probability::clamped(0.1),
        aggregate: 8,
        octets: 8000,
        retries: 3,
        ..Wifi::new(Rate::from_mbps(65.0), WifiStandard::N)
    };
    assert_eq!(initial(line).service, Service::Wifi(expected));
    // A queue in time is as long as the station's share lets it be.
    let queue = setup(&format!("{line}\nqueue = \"1s\""), "").links[0].config.queue.clone();
    let bytes = (expected.mean_rate().bps() / 8.0).round() as u64;
    assert_eq!(queue, QueueConfig::DropTailBytes { bytes });
    let every = Span::from_millis(10);
    assert_eq!(initial("grants = \"10ms\"").grants, Some(Grants { every }));
    assert_eq!(initial("grants = \"0s\"").grants, None);
    let blockage = "blockage = { rate = \"1Mb/s\", clear-for = \"5s\", blocked-for = \"300ms\" }";
    let expected = Blockage {
        clear: Rate::from_mbps(2.0),
        blocked: Rate::from_mbps(1.0),
        clear_for: Span::from_secs(5),
        blocked_for: Span::from_millis(300),
    };
    assert_eq!(initial(blockage).service, Service::Blocked(expected));
    for (line, why) in [
        ("wifi = {}".to_owned(), "`rate` is missing"),
        ("wifi = { rate = \"65Mb/s\", stations = 0 }".to_owned(), "1 to 256"),
        (
            "wifi = { rate = \"65Mb/s\", standard = \"be\" }".to_owned(),
            "expected one of `n`, `ac`, `ax`",
        ),
        ("wifi = { rate = \"65Mb/s\" }\nrate = \"5Mb/s\"".to_owned(), "wifi"),
        ("blockage = { rate = \"1Mb/s\" }".to_owned(), "`clear-for` is missing"),
        ("grants = 5".to_owned(), "is not a time"),
        ("grants = \"-1s\"".to_owned(), "grants"),
    ] {
        let told = read(&file("", &line, "protocol = \"sack\""), &[]).expect_err(&line).to_string();
        assert!(told.contains(why) && told.contains("test.toml"), "{line}: {told}");
    }
}

#[test]
fn a_queue_is_a_number_a_size_or_a_table() {
    let packets = |packets| QueueConfig::DropTail { packets };
    let bytes = |bytes| QueueConfig::DropTailBytes { bytes };
    for (line, queue) in [
        ("", packets(50)),
        ("queue = 7", packets(7)),
        ("queue = \"64kB\"", bytes(64_000)),
        // A time at the 2 Mb/s of this link, and one packet at least.
        ("queue = \"200ms\"", bytes(50_000)),
        ("queue = \"0.2 s\"", bytes(50_000)),
        ("queue = \"1ms\"", bytes(1500)),
        ("queue = { packets = 7 }", packets(7)),
        ("queue = { bytes = \"64kB\", priority = false }", bytes(64_000)),
        ("queue = { packets = 7, discipline = \"drop-tail\" }", packets(7)),
        ("queue = { packets = 7, priority = true }", QueueConfig::Priority { packets: 7 }),
        (
            "queue = { packets = 7, discipline = \"priority\" }",
            QueueConfig::Priority { packets: 7 },
        ),
        (
            "queue = { bytes = \"1kB\", priority = true }",
            QueueConfig::PriorityBytes { bytes: 1000 },
        ),
    ] {
        let links = setup(line, "").links;
        assert_eq!((&links[0].config.queue, &links[1].config.queue), (&queue, &queue), "{line}");
    }
    let links = setup("reverse = { queue = { packets = 9, priority = true } }", "").links;
    assert_eq!(links[0].config.queue, packets(50));
    assert_eq!(links[1].config.queue, QueueConfig::Priority { packets: 9 });
}

#[test]
fn a_queue_of_a_time_follows_the_rate_of_its_direction() {
    let bytes = |line: &str| {
        let limit = |link: &LinkSetup| link.config.queue.limit();
        setup(line, "").links.iter().map(limit).collect::<Vec<_>>()
    };
    let of = |there, back| [Limit::Bytes(there), Limit::Bytes(back)];
    assert_eq!(bytes("queue = \"200ms\"\nreverse = { rate = \"1Mb/s\" }"), of(50_000, 25_000));
    let shaper = "shaper = { rate = \"800kb/s\", burst = \"3kB\" }";
    assert_eq!(bytes(&format!("queue = \"200ms\"\n{shaper}")), of(20_000, 20_000));
}

#[test]
fn delays_vary_and_packets_come_late_as_written() {
    let ms = Span::from_millis;
    let initial = |line: &str| {
        let far = format!("delay = \"20ms\"\n{line}");
        setup(&far, "").links[0].config.initial.clone()
    };
    let jitter = |spread, shape, in_order| Some(Jitter { spread, shape, in_order });
    for (line, expected) in [
        ("", None),
        ("jitter = \"0s\"", None),
        ("jitter = \"5ms\"", jitter(ms(5), JitterShape::Uniform, true)),
        (
            "jitter = { spread = \"5ms\", order = \"lost\", shape = \"normal\" }",
            jitter(ms(5), JitterShape::Normal, false),
        ),
    ] {
        assert_eq!(initial(line).jitter, expected, "{line}");
    }
    assert_eq!(initial("reorder = { share = 0, by = \"5ms\" }").reorder, None);
    let reorder = Reorder { share: Probability::clamped(0.01), by: ms(5) };
    assert_eq!(initial("reorder = { share = \"1%\", by = \"5ms\" }").reorder, Some(reorder));
    let nothing =
        "reconfiguration = { every = \"15s\", step = \"0s\", outage = \"60ms\", loss = 0 }";
    assert_eq!(initial(nothing).reconfiguration, None);
    let line = "reconfiguration = { every = \"15s\", step = \"8ms\", outage = \"60ms\" }";
    let expected =
        Reconfiguration { every: ms(15_000), step: ms(8), outage: ms(60), loss: Probability::ONE };
    assert_eq!(initial(line).reconfiguration, Some(expected));
    let (from, to) = (Rate::from_mbps(20.0), Rate::from_mbps(2.0));
    let line = "rate = { from = \"20Mb/s\", to = \"2Mb/s\", over = \"30s\" }";
    let ramp = Service::Ramp(Ramp { from, to, over: ms(30_000) });
    assert_eq!(initial(line).service, ramp);
    // A queue in time is as long as the rate half-way lets it be.
    let queue = setup(&format!("{line}\nqueue = \"1s\""), "").links[0].config.queue.clone();
    assert_eq!(queue, QueueConfig::DropTailBytes { bytes: 1_375_000 });
    // The reverse direction has the same, unless it says otherwise.
    let links = setup("delay = \"5ms\"\njitter = \"5ms\"\nreverse = { jitter = \"0s\" }", "").links;
    assert_eq!(
        links.iter().map(|l| l.config.initial.jitter.is_some()).collect::<Vec<_>>(),
        [true, false]
    );
    let refused =
        |line: &str| read(&file("", line, "protocol = \"sack\""), &[]).expect_err(line).to_string();
    for (line, why) in [
        ("jitter = 5", "is not a time"),
        ("jitter = { shape = \"normal\" }", "`spread` is missing"),
        ("jitter = { spread = \"5ms\", order = \"mixed\" }", "expected one of `kept`, `lost`"),
        ("reorder = { share = 1.5, by = \"5ms\" }", "0 to 1"),
        ("reorder = { share = 0.5 }", "`by` is missing"),
        ("rate = { from = \"1Mb/s\", to = \"2Mb/s\" }", "`over` is missing"),
        ("rate = { from = \"1Mb/s\", to = \"0b/s\", over = \"1s\" }", "at least"),
        ("reconfiguration = { every = \"15s\" }", "`step` is missing"),
        (
            "reconfiguration = { every = \"1s\", step = \"8ms\", outage = \"1s\" }",
            "`outage` must be shorter than `every`",
        ),
        ("reorder = { share = 0.5, by = \"0s\" }", "greater than zero"),
        ("loss = { good-for = \"5s\" }", "`bad-for` is missing"),
        ("loss = { good-for = \"5s\", bad-for = \"0s\" }", "at least"),
        (
            "loss = { good-for = \"5s\", bad-for = \"1s\", good-to-bad = 0.1, bad-to-good = 0.1 }",
            "exclude each other",
        ),
        ("loss = { loss-bad = 0.5 }", "only bursts have states"),
    ] {
        let text = refused(line);
        assert!(text.contains(why), "{line}: {text}");
    }
}

/// A value that would be cut at zero, or taken for something else, is refused at its place.
#[test]
fn a_variation_that_its_delay_or_its_model_has_no_room_for_is_refused() {
    let told = |line: &str| match read(&file("", line, "protocol = \"sack\""), &[]) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    };
    let wifi = |spread: &str| format!("jitter = {{ spread = \"{spread}\", shape = \"wifi\" }}");
    for fine in ["0s", "1ms", "85ms"] {
        assert_eq!(told(&wifi(fine)), "", "{fine}");
    }
    for wrong in ["999us", "86ms"] {
        let told = told(&wifi(wrong));
        assert!(
            told.contains(&format!("`link.air.jitter.spread` cannot be \"{wrong}\"")),
            "{told}"
        );
        assert!(told.contains("from 1ms to 85ms"), "{told}");
    }
    for fine in [
        "jitter = \"20ms\"",
        "jitter = { spread = \"90ms\", shape = \"exponential\" }",
        "jitter = { spread = \"90ms\", shape = \"harq\" }",
        "jitter = \"12ms\"\nreconfiguration = { every = \"15s\", step = \"8ms\" }",
    ] {
        assert_eq!(told(&format!("delay = \"20ms\"\n{fine}")), "", "{fine}");
    }
    for (wrong, place, takes) in [
        ("jitter = \"20.5ms\"", "link.air.jitter", "20.5 ms from a delay of 20 ms"),
        (
            "jitter = { spread = \"30ms\", order = \"lost\", shape = \"normal\" }",
            "link.air.jitter",
            "30 ms from a delay of 20 ms",
        ),
        (
            "reverse = { jitter = \"30ms\" }",
            "link.air.reverse.jitter",
            "30 ms from a delay of 20 ms",
        ),
        (
            "jitter = \"15ms\"\nreconfiguration = { every = \"15s\", step = \"8ms\" }",
            "link.air.jitter",
            "23 ms from a delay of 20 ms",
        ),
        (
            "reconfiguration = { every = \"15s\", step = \"21ms\" }",
            "link.air.reconfiguration",
            "21 ms from a delay of 20 ms",
        ),
    ] {
        let told = told(&format!("delay = \"20ms\"\n{wrong}"));
        assert!(told.contains(&format!("`{place}` cannot be")), "{wrong}: {told}");
        assert!(told.contains(takes), "{wrong}: {told}");
    }
    // A network that a link comes to, and the delay that is not there.
    let later = "roam = [{ at = \"9s\", network = \"wlan\", delay = \"1ms\", jitter = \"5ms\" }]";
    assert!(told(later).contains("5 ms from a delay of 1 ms"), "{}", told(later));
    assert!(told("jitter = \"5ms\"").contains("5 ms from a delay of 0 ms"));
}

#[test]
fn a_blocked_line_of_sight_is_not_faster_than_a_clear_one() {
    let told = |line: &str| match read(&file("", line, "protocol = \"sack\""), &[]) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    };
    let blockage = |rate: &str| {
        format!("blockage = {{ rate = \"{rate}\", clear-for = \"5s\", blocked-for = \"300ms\" }}")
    };
    assert_eq!(told(&blockage("2Mb/s")), "");
    let wrong = told(&blockage("2.5Mb/s"));
    assert!(wrong.contains("`link.air.blockage.rate` cannot be \"2.5Mb/s\""), "{wrong}");
    assert!(wrong.contains("2.5 Mb/s while blocked are more than 2 Mb/s while clear"), "{wrong}");
    // The way back has the same, at a rate of its own.
    let back = told(&format!("{}\nreverse = {{ rate = \"1Mb/s\" }}", blockage("1.5Mb/s")));
    assert!(back.contains("1.5 Mb/s while blocked are more than 1 Mb/s while clear"), "{back}");
}

#[test]
fn keys_that_exclude_each_other_are_told_at_the_second() {
    let text = file("", "rate = \"5Mb/s\"\nwifi = { rate = \"65Mb/s\" }", "protocol = \"sack\"");
    let line = 1 + text.lines().position(|line| line.starts_with("wifi")).expect("a line");
    let told = read(&text, &[]).expect_err("two rates").to_string();
    assert!(told.contains("`rate` and `wifi` exclude each other"), "{told}");
    assert!(told.contains(&format!("test.toml:{line}:1")), "{told}");
}

#[test]
fn a_queue_that_drops_early_has_the_defaults_of_its_papers() {
    let curve = |min, max, drop| DropCurve { min, max, drop: Probability::clamped(drop) };
    let average =
        |weight, mean_packet| QueueAverage { weight: Probability::clamped(weight), mean_packet };
    let limit = Limit::Packets(50);
    let floyd = Red {
        limit,
        average: average(0.002, 1000),
        curve: curve(5.0, 15.0, 0.1),
        gentle: true,
        adaptive: false,
    };
    let high = curve(30.0, 40.0, 0.1);
    let cisco = Wred {
        limit,
        average: average(1.0 / 512.0, 1000),
        high,
        low: curve(20.0, 40.0, 0.1),
        gentle: false,
    };
    let bytes = Limit::Bytes(50_000);
    for (keys, queue) in [
        ("discipline = \"red\", packets = 50", QueueConfig::Red(floyd)),
        ("discipline = \"red\", packets = 50, max = 15", QueueConfig::Red(floyd)),
        (
            "discipline = \"red\", packets = 50, min = 20",
            QueueConfig::Red(Red { curve: curve(20.0, 50.0, 0.1), ..floyd }),
        ),
        (
            "discipline = \"red\", packets = 50, min = 2, max = 9.5, drop = \"5%\", weight = 0.01, mean-packet = \"500B\", \
             gentle = false, adaptive = true",
            QueueConfig::Red(Red {
                limit,
                average: average(0.01, 500),
                curve: curve(2.0, 9.5, 0.05),
                gentle: false,
                adaptive: true,
            }),
        ),
        (
            "discipline = \"red\", bytes = \"50kB\", max = \"30kB\"",
            QueueConfig::Red(Red { limit: bytes, curve: curve(10_000.0, 30_000.0, 0.1), ..floyd }),
        ),
        ("discipline = \"wred\", packets = 50", QueueConfig::Wred(cisco)),
        (
            "discipline = \"wred\", packets = 50, max = 20, drop = 0.2",
            QueueConfig::Wred(Wred {
                high: curve(15.0, 20.0, 0.2),
                low: curve(10.0, 20.0, 0.2),
                ..cisco
            }),
        ),
        (
            "discipline = \"wred\", packets = 50, low = { min = 2, max = 10, drop = 0.5 }, gentle = true",
            QueueConfig::Wred(Wred { low: curve(2.0, 10.0, 0.5), gentle: true, ..cisco }),
        ),
    ] {
        let links = setup(&format!("queue = {{ {keys} }}"), "").links;
        assert_eq!(links[0].config.queue, queue, "{keys}");
    }
}

#[test]
fn a_queue_marks_from_a_length_on() {
    let marks =
        |line: &str| setup(line, "").links.iter().map(|l| l.config.mark_at).collect::<Vec<_>>();
    assert_eq!(marks(""), [None, None]);
    assert_eq!(marks("queue = { packets = 1000, mark = 200 }"), [Some(200), Some(200)]);
    assert_eq!(marks("queue = { bytes = \"53kB\", mark = 200 }"), [Some(200), Some(200)]);
    // A separate queue for the reverse direction marks only if it says so itself.
    let line = "queue = { packets = 1000, mark = 200 }\nreverse = { queue = 10 }";
    assert_eq!(marks(line), [Some(200), None]);
}

#[test]
fn a_fading_channel_has_a_mean_snr_or_the_cell_errors_that_it_follows_from() {
    let loss = |inner: &str| {
        let line = format!("loss = {{ fading = {{ {inner} }} }}");
        setup(&line, "").links[0].config.initial.loss
    };
    let channel = |inner: &str| {
        let Loss::Bits(channel) = loss(inner) else { panic!("bit errors") };
        channel
    };
    let given = Rayleigh { mean_snr: Snr::from_db(20.0), doppler: 10.0 };
    let dpsk = Channel::Fading { fading: given, modulation: Modulation::Dpsk };
    assert_eq!(channel("doppler = \"10Hz\", modulation = \"dpsk\", snr = \"20dB\""), dpsk);
    assert_eq!(
        channel("doppler = 10, modulation = \"dpsk\", snr = 20, model = \"rayleigh\""),
        dpsk
    );

    for (name, modulation) in Modulation::ALL.map(|m| (m.name(), m)) {
        for wanted in [1e-5, 1e-3, 0.3] {
            let inner = format!("doppler = 10, modulation = \"{name}\", cell-errors = {wanted}");
            let Channel::Fading { fading, modulation: read } = channel(&inner) else {
                panic!("fading")
            };
            assert_eq!(read, modulation);
            // Eq. 8 averaged over the fading, by quantiles.
            let quantiles = 1_000_000;
            let sum: f64 = (0..quantiles)
                .map(|i| -f64::ln_1p(-(f64::from(i) + 0.5) / f64::from(quantiles)))
                .map(|x| modulation.bit_errors(Snr::from_ratio(x * fading.mean_snr.ratio())))
                .map(|p| 1.0 - atl_aal::model::cell_success(p).get())
                .sum();
            let mean = sum / f64::from(quantiles);
            assert!((mean / wanted - 1.0).abs() < 1e-2, "{name} {wanted}: {mean}");
        }
    }

    let inner = "doppler = 10, modulation = \"fsk\", cell-errors = 0.01";
    let Channel::Fading { fading, modulation } = channel(inner) else { panic!("fading") };
    let threshold = TwoState::threshold(&fading, modulation, 424);
    let states = TwoState::new(&fading, modulation, threshold).expect("two states");
    let two = channel(&format!("{inner}, model = \"two-state\""));
    assert_eq!(two, Channel::TwoState(states));
}

#[test]
fn an_agent_serves_both_directions() {
    let other =
        Snoop { window: 9, min_timeout: Span::from_millis(50), delay: Span::from_millis(3) };
    for (line, agent) in [
        ("", None),
        ("agent = false", None),
        ("agent = \"snoop\"", Some(Snoop::default())),
        ("agent = { name = \"snoop\" }", Some(Snoop::default())),
        (
            "agent = { name = \"snoop\", window = 9, min-timeout = \"50ms\", delay = \"3ms\" }",
            Some(other),
        ),
    ] {
        let links = setup(line, "").links;
        let agent = agent.map(Agent::Snoop);
        assert_eq!((&links[0].agent, &links[1].agent), (&agent, &agent), "{line}");
    }
}

fn blackouts(line: &str) -> Vec<(u64, f64, bool)> {
    let links = setup(&format!("blackout = [{line}]"), "").links;
    assert_eq!(links[0].config.blackouts, links[1].config.blackouts);
    let millis = |at: Time| at.nanos() / 1_000_000;
    links[0].config.blackouts.iter().map(|b| (millis(b.at), b.lasts.millis(), b.hold)).collect()
}

#[test]
fn a_blackout_repeats_to_the_end_or_a_number_of_times() {
    assert_eq!(blackouts("{ at = \"5s\", lasts = \"4s\" }"), [(5000, 4000.0, false)]);
    // A blackout at 60 s would begin after the end of the run.
    assert_eq!(
        blackouts("{ at = \"20s\", lasts = \"4s\", every = \"20s\", hold = true }"),
        [(20_000, 4000.0, true), (40_000, 4000.0, true)]
    );
    let times = blackouts("{ at = \"0s\", lasts = \"1s\", every = \"1.5s\", times = 3 }");
    assert_eq!(times, [(0, 1000.0, false), (1500, 1000.0, false), (3000, 1000.0, false)]);
    let mixed = blackouts(
        "{ at = \"10s\", lasts = \"1s\", every = \"10s\", times = 2 }, { at = \"11s\", lasts = \"9s\" }",
    );
    assert_eq!(mixed, [(10_000, 1000.0, false), (11_000, 9000.0, false), (20_000, 1000.0, false)]);
}

#[test]
fn a_shortened_run_has_the_blackouts_that_still_happen() {
    let line = "blackout = [{ at = \"5s\", lasts = \"1s\", every = \"10s\", times = 6 }]";
    let text = file("", line, "protocol = \"sack\"");
    let scenario = read(&text, &[("duration", "20s")]).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.points[0].setup.links[0].config.blackouts.len(), 2);
}

#[test]
fn a_journey_may_begin_at_zero() {
    let roam = r#"roam = [{ at = "0s", network = "3g" }, { at = "20s", network = "wlan" }]"#;
    let config = &setup(roam, "").links[0].config;
    assert_eq!((&*config.initial.name, config.schedule.len()), ("3g", 1));
    assert_eq!(config.initial.delay, atl_link::Delay::Constant(Span::from_millis(50)));
    assert_eq!(
        (&*config.schedule[0].to.name, config.schedule[0].at),
        ("wlan", Time::from_millis(20_000))
    );
}

#[test]
fn a_loss_is_a_probability_a_chain_or_the_two_chains_of_a_path() {
    let p = Probability::clamped;
    let gilbert = |a, b| Gilbert { to_bad: p(a), to_good: p(b) };
    let none = Gilbert::independent(Probability::ZERO);
    for (line, loss) in [
        ("", Loss::None),
        ("loss = 0.01", Loss::Bernoulli(p(0.01))),
        (
            "loss = { good-to-bad = 0.001, bad-to-good = 0.1, loss-bad = 0.8 }",
            Loss::GilbertElliott {
                to_bad: p(0.001),
                to_good: p(0.1),
                loss_good: p(0.0),
                loss_bad: p(0.8),
            },
        ),
        (
            "loss = { good-for = \"30s\", bad-for = \"500ms\" }",
            Loss::Bursts {
                good: Span::from_secs(30),
                bad: Span::from_millis(500),
                loss_good: Probability::ZERO,
                loss_bad: Probability::ONE,
            },
        ),
        (
            "loss = { wireless = { good-to-bad = 0.0025, bad-to-good = 0.25 }, congestion = 0.001 }",
            Loss::Path(PathChain {
                wireless: gilbert(0.0025, 0.25),
                congestion: gilbert(0.001, 0.999),
            }),
        ),
        (
            "loss = { congestion = { good-to-bad = 0.01, bad-to-good = 0.5 } }",
            Loss::Path(PathChain { wireless: none, congestion: gilbert(0.01, 0.5) }),
        ),
        ("loss = { bit-errors = 1e-6 }", Loss::Bits(Channel::Independent(p(1e-6)))),
        ("loss = { bit-errors = 0 }", Loss::None),
        ("loss = { cell-errors = 0 }", Loss::None),
    ] {
        assert_eq!(setup(line, "").links[0].config.initial.loss, loss, "{line}");
    }
    // 1e-3 of the cells. As one wrong bit of the header is corrected, that is slightly more than
    // 1e-3 / 384 of the bits.
    let bits = setup("loss = { cell-errors = 1e-3 }", "").links[0].config.initial.loss;
    let Loss::Bits(Channel::Independent(bits)) = bits else { panic!("bit errors") };
    assert!((bits.get() * 384.0 / 1e-3 - 1.0).abs() < 1e-3, "{bits}");
    let refused = |line: &str| {
        let errors = read(&file("", line, "protocol = \"sack\""), &[]).expect_err(line);
        errors.to_string()
    };
    assert!(refused("loss = { wireless = 0.01, loss-bad = 0.5 }").contains("exclude each other"));
    assert!(refused("loss = { wireless = 1.5 }").contains("0 to 1"));
    let text = refused("loss = { congestion = { good-to-bad = 0.01 } }");
    assert!(text.contains("bad-to-good"), "{text}");
    let text =
        refused("loss = { congestion = { good-to-bad = 0.01, bad-to-good = 0.5, loss-bad = 1 } }");
    assert!(text.contains("loss-bad"), "{text}");
}
