//! The residual sender's decisions, on a bottleneck and step by step.

use crate::support::bottleneck::Bottleneck;
use crate::support::sender::{Sender, near, report};
use atl_core::conformance;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::residual::Config;
use atl_core::window::{
    BuildController, ControllerConfig, Detection, End, Handoff, Loss, Marked, Start,
    WindowController,
};

/// 20 Mb/s in packets of 1000 bytes, 50 ms: 125 packets.
const PATH: Bottleneck = Bottleneck {
    rate: 2500.0,
    rtt: Span::from_millis(50),
    queue: 250,
    loss: 0.0,
    blackout: (Time::ZERO, Time::ZERO),
    seed: 1,
};

fn run(path: Bottleneck, config: Config, secs: u64) -> crate::support::bottleneck::Outcome {
    let mut controller = config.build(&Start::default().packet_bytes(1000));
    path.run(&mut *controller, secs)
}

#[test]
fn it_keeps_what_a_window_controller_promises() {
    conformance::window(Config::default());
    conformance::window(Config { infer: false, use_loss: false, ..Config::default() });
}

#[test]
fn alone_it_keeps_alpha_packets_queued() {
    let outcome = run(PATH, Config::default(), 20);
    assert!(outcome.utilisation > 0.95, "{outcome:?}");
    // alpha = 0.2 sqrt(2500) = 10 packets, 4 ms; the path has one packet time more.
    let queued = outcome.rtt.secs() - 0.050;
    assert!((0.0..0.006).contains(&queued), "{queued} s queued");
    assert_eq!(outcome.lost, 0);
}

#[test]
fn losses_without_a_queue_do_not_slow_it() {
    for loss in [0.01, 0.05, 0.1] {
        let outcome = run(Bottleneck { loss, ..PATH }, Config::default(), 20);
        assert!(outcome.utilisation > 0.93 * (1.0 - loss), "{loss}: {}", outcome.utilisation);
    }
}

#[test]
fn what_a_queue_too_short_to_see_drops_ends_the_growth() {
    let outcome = run(Bottleneck { queue: 3, ..PATH }, Config::default(), 30);
    assert!(outcome.utilisation > 0.75, "{}", outcome.utilisation);
    let sent = outcome.delivered.iter().sum::<u64>() + outcome.lost;
    let lost = outcome.lost as f64 / sent as f64;
    assert!(lost < 0.05, "{lost} of the packets lost");
}

#[test]
fn the_access_links_rate_ends_the_search() {
    let rate = Rate::from_bps(2500.0 * 8000.0);
    let start = Start::default().packet_bytes(1000).access_rate(Some(rate));
    let mut controller = Config::default().build(&start);
    let outcome = PATH.run(&mut *controller, 5);
    assert!(outcome.windows.iter().all(|window| *window <= 125.0 + 20.0 + 5.0), "{outcome:?}");
    assert_eq!(outcome.lost, 0);
}

#[test]
fn a_blackout_is_forgotten() {
    let blackout = (Time::from_millis(5000), Time::from_millis(7000));
    let outcome = run(Bottleneck { blackout, ..PATH }, Config::default(), 20);
    assert!(outcome.delivered[15] > 2300, "{:?}", outcome.delivered);
}

/// A sender in steps of 4 ms, with round trips of 100 ms, whose start is over.
fn sender() -> Sender {
    let mut sender = Sender::new(&ControllerConfig::from(Config::default()), 10.0, 100);
    sender.in_flight = 2;
    sender.deliver(100);
    sender.rtt = Span::from_millis(120);
    sender.deliver(40);
    sender.rtt = Span::from_millis(100);
    sender.deliver(100);
    sender
}

/// A queue of 9 ms that stays until the sender dips: the 250 packets a second make 27 in flight,
/// whatever its window is, and 25 without the queue.
fn dipping() -> Sender {
    let mut sender = sender();
    sender.rtt = Span::from_millis(109);
    let dips = (0..600).any(|_| {
        let before = sender.cwnd();
        sender.deliver(1);
        sender.cwnd() < before - 2.0
    });
    assert!(dips, "in 2.4 s");
    sender
}

#[test]
fn a_dip_goes_by_what_is_in_flight_where_that_is_less_than_the_window() {
    let sender = dipping();
    assert!(sender.cwnd() < 25.0, "{}", sender.cwnd());
}

#[test]
fn a_dip_ends_with_the_queue() {
    let (mut gone, mut stands) = (dipping(), dipping());
    let dip = gone.cwnd();
    gone.rtt = Span::from_millis(100);
    gone.deliver(1);
    stands.deliver(1);
    assert!(gone.cwnd() > dip, "{} after {dip}", gone.cwnd());
    near(stands.cwnd(), dip);
}

/// The window after rounds that lose half of their packets, of which the MAC marked `marked`:
/// more than is taken for a link's without a word.
fn after_losses(marked: u32) -> f64 {
    let mut sender = sender();
    for _ in 0..200 {
        sender.deliver(1);
        sender.lose(1, marked, Detection::Acks);
    }
    sender.cwnd()
}

#[test]
fn what_the_own_link_marked_is_no_loss() {
    let (marked, unmarked) = (after_losses(1), after_losses(0));
    assert!(marked > 1.2 * unmarked, "{marked} marked, {unmarked} not");
}

/// A sender before its first packet.
fn starting() -> Sender {
    let mut sender = Sender::new(&ControllerConfig::from(Config::default()), 10.0, 100);
    sender.step = Span::from_micros(100);
    sender
}

/// A round of `many` packets, of which those were lost that `lost` tells, counted from the first.
fn round(sender: &mut Sender, many: u64, lost: impl Fn(u64) -> bool) {
    let first = sender.send();
    (1..many).for_each(|_| _ = sender.send());
    sender.now += sender.rtt;
    for tx in first..first + many {
        sender.now += sender.step;
        if lost(tx - first) {
            sender.controller.on_loss(&Loss::new(sender.now, tx, 1000, many as u32));
        } else {
            let ack = sender.ack().newest(Some((tx, sender.now - sender.rtt)));
            sender.controller.on_ack(&ack);
        }
    }
}

/// The window of a start after its first 40 packets, of which `lost` were.
fn starting_with(lost: impl Fn(u64) -> bool) -> f64 {
    let mut sender = starting();
    round(&mut sender, 40, lost);
    sender.cwnd()
}

#[test]
fn losses_in_a_row_do_not_end_the_start_and_scattered_ones_do() {
    near(starting_with(|_| false), 10.0 + 40.0);
    near(starting_with(|packet| (10..30).contains(&packet)), 10.0 + 20.0);
    // The twelfth of them ends it: no more than the twelve that had arrived opened the window.
    assert!(starting_with(|packet| packet % 2 == 1) <= 10.0 + 12.0);
}

/// The window of a start after four rounds, each of which loses a share of its packets in a row.
fn starting_over_runs(share: f64) -> f64 {
    let mut sender = starting();
    for _ in 0..4 {
        let many = sender.cwnd() as u64;
        let run = 2..2 + (share * many as f64) as u64;
        round(&mut sender, many, |packet| run.contains(&packet));
    }
    sender.cwnd()
}

#[test]
fn a_third_of_two_rounds_lost_ends_the_start_though_it_is_in_a_row() {
    // 10, 18, 33, 60 and 108 packets where each round loses a fifth of them, rounded down.
    near(starting_over_runs(0.2), 108.0);
    // With .4 it would be 10, 16, 26, 42 and 68.
    assert!(starting_over_runs(0.4) < 26.0, "{}", starting_over_runs(0.4));
}

#[test]
fn a_mark_of_a_router_takes_15_percent_once_a_round() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    let tx = sender.send();
    sender.controller.on_marked(&Marked::new(sender.now, tx, 10));
    near(sender.cwnd(), 0.85 * cwnd);
    sender.controller.on_marked(&Marked::new(sender.now, tx, 10));
    near(sender.cwnd(), 0.85 * cwnd);
}

#[test]
fn a_timeout_leaves_a_packet_and_the_window_returns() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    sender.lose(8, 0, Detection::Timeout);
    sender.expire(1);
    near(sender.cwnd(), 1.0);
    sender.deliver(3);
    near(sender.cwnd(), 4.0);
    sender.deliver(200);
    assert!(sender.cwnd() >= 0.8 * cwnd, "{cwnd} -> {}", sender.cwnd());
}

/// Windows after rounds at a standing queue of 30 ms, with losses: the mode beside others.
fn beside(peer: bool, p_w: f64, rounds: u32) -> f64 {
    let mut sender = sender();
    (sender.step, sender.in_flight) = (Span::from_micros(500), 100);
    for round in 0..rounds {
        if peer {
            let claim = report(p_w, 10);
            sender.controller.on_peer_report(sender.now, &claim);
        } else {
            sender.report(p_w, 10);
        }
        // The queue swings, and never empties.
        sender.rtt = Span::from_millis(130 + u64::from(round % 40));
        sender.deliver(97);
        sender.lose(1, 0, Detection::Acks);
    }
    sender.cwnd()
}

#[test]
fn behind_others_queue_an_own_links_report_spares_losses() {
    let told = beside(false, 0.02, 300);
    let untold = beside(false, 0.0, 300);
    assert!(told > 2.0 * untold, "{told} told, {untold} untold");
}

#[test]
fn a_peers_claim_counts_up_to_its_bound_only() {
    // Losses of 1 %: a claim of everything is worth what one of the bound is.
    let all = beside(true, 1.0, 300);
    let bound = beside(true, 0.1, 300);
    near(all, bound);
}

#[test]
fn a_handoff_of_ones_own_voids_the_model_and_a_claimed_one_seldom() {
    let (old, new) = (Span::from_millis(5), Span::from_millis(20));
    let mut sender = sender();
    sender.controller.on_handoff(&Handoff::new(sender.now, End::Own, old, new));
    let before = sender.cwnd();
    sender.rtt = Span::from_millis(300);
    sender.deliver(50);
    assert!(sender.cwnd() > before, "it starts anew: {before} -> {}", sender.cwnd());
    let mut claimed = self::sender();
    let claim = |sender: &mut Sender| {
        let handoff = Handoff::new(sender.now, End::Peer, old, new);
        sender.controller.on_handoff(&handoff);
    };
    claim(&mut claimed);
    claimed.deliver(10);
    let (mut again, once) = (claimed.controller.clone(), claimed.controller.clone());
    again.on_handoff(&Handoff::new(claimed.now, End::Peer, old, new));
    assert_eq!(format!("{again:?}"), format!("{once:?}"));
}

#[test]
fn parameters_out_of_range_are_refused() {
    let wrong = [
        Config { backlog: -1.0, ..Config::default() },
        Config { least_backlog: 0.0, ..Config::default() },
        Config { cubic: 0.0, ..Config::default() },
        Config { beta: 1.0, ..Config::default() },
        Config { loss_threshold: 1.5, ..Config::default() },
        Config { sigmas: f64::NAN, ..Config::default() },
        Config { drain_every: 0.0, ..Config::default() },
        Config { claim_factor: 0.5, ..Config::default() },
        Config { claim_margin: 2.0, ..Config::default() },
        Config { claim_limit: -0.1, ..Config::default() },
    ];
    for config in wrong {
        assert!(config.check().is_err(), "{config:?}");
    }
    assert!(Config::default().check().is_ok());
}

/// A sender behind an access link of 2500 packets a second, in round trips of 50 ms.
fn behind_access_link(packet_bytes: u32) -> Sender {
    let rate = Rate::from_bps(2500.0 * 8.0 * f64::from(packet_bytes));
    let start = Start::default().packet_bytes(packet_bytes).access_rate(Some(rate));
    Sender {
        controller: ControllerConfig::from(Config::default()).build(&start),
        now: Time::ZERO,
        step: Span::from_micros(400),
        rtt: Span::from_millis(50),
        tx: 0,
        in_flight: 10,
    }
}

#[test]
fn before_the_first_round_trip_the_access_link_spreads_packets_of_any_size() {
    for bytes in [1, 1000] {
        let mut sender = behind_access_link(bytes);
        sender.send();
        let gap = sender.controller.release_at().expect("it paces").since(sender.now);
        assert_eq!(gap, Span::from_micros(400), "{bytes} bytes");
    }
}

#[test]
fn the_search_goes_on_with_no_more_than_the_access_link_holds() {
    let mut sender = behind_access_link(1000);
    sender.report(0.0, 1);
    sender.send();
    // ACKs of one round trip, so that nothing else ends the search.
    let deliver = |sender: &mut Sender, packets: u32| {
        for _ in 0..packets {
            sender.now += sender.step;
            let ack = sender.ack().newest(Some((0, Time::ZERO)));
            sender.controller.on_ack(&ack);
        }
    };
    // 2500 packets/s times 50 ms, and twice the 0.2 sqrt(2500) that it keeps queued.
    for (packets, window) in [(134, 144.0), (1, 145.0), (40, 145.0)] {
        deliver(&mut sender, packets);
        near(sender.cwnd(), window);
        let rate = sender.controller.pacing_rate().expect("it paces").bps();
        near(rate, 2.0 * window * 8000.0 / 0.05);
    }
}
