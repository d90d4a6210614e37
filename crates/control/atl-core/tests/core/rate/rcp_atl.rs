//! RCP-ATL's decisions step by step: the ATL paper's Fig. 4 with eq. 7 and 13, and the rules that
//! it leaves open.

use crate::support::paced::{Path, Run, START};
use atl_core::model::{AtlInput, RateForm, rcp_atl as parameters};
use atl_core::path::{LinkReport, SplitRules};
use atl_core::rate::rcp_atl::{Config, RcpAtl};
use atl_core::rate::{
    Counting, Feedback, FeedbackMode, Lost, RateConfig, RateController, Report, Sent,
};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::{Aimd, End, Handoff};

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn report(loss: f64, delay_ms: u64) -> LinkReport {
    LinkReport { loss: Probability::clamped(loss), delay: ms(delay_ms) }
}

#[track_caller]
fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-9), "{a} is not {b}");
}

/// A sender whose packets are acknowledged one by one, 4 ms apart.
struct Sender {
    controller: RcpAtl,
    now: Time,
    seq: u64,
    rtt: Span,
}

impl Sender {
    fn new(config: Config, rtt_ms: u64) -> Self {
        let controller = RcpAtl::new(&config, &START);
        Sender { controller, now: Time::ZERO, seq: 0, rtt: ms(rtt_ms) }
    }

    fn feedback<'a>(&self, losses: &'a [Lost], delivered: u32) -> Feedback<'a> {
        Feedback::new(self.now)
            .delivered(delivered)
            .losses(losses)
            .newest(self.seq.checked_sub(1).map(|seq| (seq, self.now - self.rtt)))
            .rtt(Some(self.rtt))
            .srtt(self.rtt)
            .rtt_min(self.rtt)
    }

    fn send(&mut self) {
        let sent = Sent::new(self.now, self.seq, 1040);
        self.seq += 1;
        self.controller.on_sent(&sent);
    }

    /// Delivers packets, and serves timers when they are due.
    fn deliver(&mut self, packets: u32) {
        for _ in 0..packets {
            self.send();
            self.now += ms(4);
            self.controller.on_feedback(&self.feedback(&[], 1));
            while self.controller.next_timeout().is_some_and(|at| at <= self.now) {
                self.controller.on_tick(self.now);
            }
        }
    }

    /// Loses packets sent now, some of them on the air; one feedback reports all of them.
    fn lose(&mut self, packets: u64, marked: u64) {
        let lost = |i| Lost::new(self.seq + i, self.now).link_failure(i < marked);
        let losses: Vec<Lost> = (0..packets).map(lost).collect();
        for _ in 0..packets {
            self.send();
        }
        self.now += ms(1);
        self.controller.on_feedback(&self.feedback(&losses, 0));
    }

    fn report(&mut self, loss: f64, delay_ms: u64) {
        self.controller.on_link_report(self.now, &report(loss, delay_ms));
    }

    fn aimd(&self) -> Aimd {
        self.controller.aimd().expect("an RTT is known")
    }
}

#[test]
fn a_packet_per_rtt_each_rtt_until_the_first_loss_and_without_a_wireless_link() {
    let mut sender = Sender::new(Config::default(), 100);
    assert_eq!((sender.controller.rate(), sender.controller.aimd()), (1.0, None));
    sender.report(0.01, 150);
    sender.deliver(1);
    near(sender.controller.rate(), 10.0);
    near(sender.aimd().alpha, 10.0);
    near(sender.aimd().beta, 0.5);
    // Rounds of 100 ms, the first of which begins with the first feedback.
    sender.deliver(25);
    near(sender.controller.rate(), 20.0);
    sender.deliver(50);
    near(sender.controller.rate(), 40.0);
    let mut wired = Sender::new(Config::default(), 100);
    wired.deliver(76);
    wired.lose(5, 0);
    near(wired.controller.rate(), 20.0);
    near(wired.aimd().alpha, 10.0);
    wired.report(0.0, 0);
    wired.lose(1, 0);
    near(wired.aimd().beta, 0.5);
}

#[test]
fn parameters_follow_figure_4() {
    let mut sender = Sender::new(Config::default(), 360);
    sender.report(0.5, 150);
    sender.deliver(392);
    let rate = sender.controller.rate();
    sender.lose(8, 4);
    // n = 400, p = 8/400; p_w = 4/400 by the MAC's marks, not the report's 0.5.
    let rules = SplitRules { packets: Some(399), ..SplitRules::default() };
    let p = Probability::share(8, 400);
    let link = report(0.01, 150);
    let expected = parameters(p, ms(360), link, rules, &AtlInput::default(), RateForm::Published)
        .expect("in range");
    near(sender.aimd().alpha, expected.aimd.alpha);
    near(sender.aimd().beta, 0.85);
    near(sender.controller.rate(), 0.85 * rate);
    let found = sender.controller.adaptation().expect("adapted");
    near(found.target, expected.target);
    near(found.split.congestion_loss.get(), 0.01 / 0.99);
    assert_eq!((found.split.rtt, found.split.congestion_rtt), (ms(360), ms(60)));
}

/// p_c = 1/99 and R_c = 60 ms. The ATL paper's eq. 7: R_c sqrt(2 p_c / 3) = 4.92366 ms; T_0c 3
/// sqrt(3 p_c / 8) p_c (1 + 32 p_c^2) = 240 ms * 0.184637 * 0.0101010 * 1.003265 = 0.449068 ms;
/// T_hat = 186.125 packets/s. Eq. 13 with p = 0.02, R = 360 ms: q = 1/(pR) = 138.889; share =
/// T/(T + q) = 0.572669; x = 8 * 0.15 * 0.327949 / 3.4225 = 0.114986; alpha = 0.925 * 325.014 *
/// (sqrt(1.114986) - 1) = 16.8144 packets/s per RTT.
#[test]
fn parameters_worked_by_hand() {
    let mut sender = Sender::new(Config::default(), 360);
    sender.report(0.01, 150);
    sender.deliver(392);
    sender.lose(8, 4);
    let target = sender.controller.adaptation().expect("adapted").target;
    assert!((target - 186.125).abs() < 0.01, "{target}");
    let alpha = sender.aimd().alpha;
    assert!((alpha - 16.8144).abs() < 0.01, "{alpha}");
}

#[test]
fn where_every_loss_is_the_links_p_c_has_a_floor() {
    let mut sender = Sender::new(Config::default(), 120);
    sender.report(0.02, 10);
    sender.deliver(98);
    sender.lose(2, 2);
    let split = sender.controller.adaptation().expect("adapted").split;
    near(split.congestion_loss.get(), 0.01);
    near(split.loss.get(), 1.0 - 0.98 * 0.99);
    // A window of three packets counts as one of 20: 1/n with n near 1 would keep the rate at its
    // minimum.
    let mut few = Sender::new(Config::default(), 120);
    few.report(0.02, 10);
    few.deliver(2);
    few.lose(1, 1);
    let split = few.controller.adaptation().expect("adapted").split;
    near(split.congestion_loss.get(), 0.05);
}

#[test]
fn p_may_count_loss_events_instead_of_packets() {
    let congestion_loss = |count| {
        let mut sender = Sender::new(Config { count, ..Config::default() }, 120);
        sender.report(0.0, 50);
        sender.deliver(92);
        // A queue overflows: three packets of one round trip are missed at once, and another a
        // little later.
        sender.lose(3, 0);
        let late = [Lost::new(sender.seq - 4, sender.now - ms(50))];
        sender.now += ms(30);
        sender.controller.on_feedback(&sender.feedback(&late, 0));
        sender.deliver(60);
        assert_eq!(sender.controller.decreases(), 1);
        sender.controller.adaptation().expect("adapted").split.congestion_loss.get()
    };
    let events = congestion_loss(Counting::Events);
    near(congestion_loss(Counting::Packets), 4.0 * events);
    assert!((0.005..0.012).contains(&events), "{events}");
}

#[test]
fn an_event_that_the_link_began_is_the_links() {
    let config = Config { count: Counting::Events, ..Config::default() };
    let mut sender = Sender::new(config, 120);
    sender.report(0.5, 50);
    sender.deliver(190);
    // The first two of ten losses are the link's. All ten are one event, which its first packet
    // makes the link's.
    sender.lose(10, 2);
    let split = sender.controller.adaptation().expect("adapted").split;
    near(split.wireless.loss.get(), 1.0 / 200.0);
    near(split.congestion_loss.get(), 1.0 / 200.0);
}

#[test]
fn t_hat_may_be_held_to_the_rate_that_is_wanted() {
    for (cap_at_target, capped) in [(true, true), (false, false)] {
        let mut sender = Sender::new(Config { cap_at_target, ..Config::default() }, 40);
        sender.report(0.01, 10);
        sender.deliver(999);
        sender.lose(1, 1);
        let target = sender.controller.adaptation().expect("adapted").target;
        assert_eq!(target <= 240.0, capped, "{target}");
        assert!(sender.aimd().alpha > 0.0);
    }
}

#[test]
fn one_back_off_a_cluster() {
    let mut sender = Sender::new(Config::default(), 100);
    sender.report(0.01, 50);
    sender.deliver(100);
    let rate = sender.controller.rate();
    sender.lose(5, 5);
    near(sender.controller.rate(), 0.8 * rate);
    // Sent before the answer, so part of the same event.
    let late = [Lost::new(60, sender.now - ms(50))];
    sender.now += ms(30);
    sender.controller.on_feedback(&sender.feedback(&late, 1));
    near(sender.controller.rate(), 0.8 * rate);
    sender.lose(1, 0);
    near(sender.controller.rate(), 0.64 * rate);
    assert_eq!(sender.controller.decreases(), 2);
}

#[test]
fn a_step_does_not_outrun_slow_start() {
    // A window of losses makes alpha large; the rate at most doubles.
    let mut sender = Sender::new(Config::default(), 360);
    sender.report(0.9, 150);
    sender.deliver(100);
    sender.lose(800, 800);
    for _ in 0..60 {
        sender.lose(1, 1);
    }
    let rate = sender.controller.rate();
    assert!(sender.aimd().alpha > 2.0 * rate, "{:?} at {rate}", sender.aimd());
    let mut before = rate;
    for _ in 0..180 {
        sender.deliver(1);
        let rate = sender.controller.rate();
        assert!(rate <= before + before.max(1.0 / 0.36) + 1e-9, "{before} to {rate}");
        before = rate;
    }
    assert!(before > rate);
}

fn change(sender: &Sender, end: End, old: u64, new: u64) -> Handoff {
    Handoff::new(sender.now, end, ms(old), ms(new))
}

#[test]
fn a_handoff_moves_the_rtt_and_keeps_what_is_known_of_the_wired_path() {
    let mut sender = Sender::new(Config::default(), 360);
    sender.report(0.01, 150);
    sender.deliver(392);
    sender.lose(8, 4);
    sender.controller.on_handoff(&change(&sender, End::Own, 150, 10));
    sender.report(0.001, 10);
    let found = sender.controller.adaptation().expect("adapted");
    assert_eq!((found.split.rtt, found.split.congestion_rtt), (ms(80), ms(60)));
    near(found.split.congestion_loss.get(), 0.01 / 0.99);
    near(found.split.wireless.loss.get(), 0.001);
    near(sender.aimd().beta, 0.75);
    // Feedback about the old path does not count.
    let before = sender.aimd();
    let old = [Lost::new(100, Time::ZERO); 30];
    sender.controller.on_feedback(&sender.feedback(&old, 30));
    sender.now += ms(80);
    sender.controller.on_tick(sender.now);
    assert_eq!(sender.controller.srtt(), Some(ms(80)));
    near(sender.aimd().alpha, before.alpha);
    // Feedback about the new path does.
    sender.rtt = ms(90);
    sender.deliver(600);
    let split = sender.controller.adaptation().expect("adapted").split;
    assert!(split.rtt > ms(85) && split.rtt <= ms(90), "{split:?}");
    assert!(split.congestion_loss.get() < 0.005, "{split:?}");
}

#[test]
fn a_handoff_of_the_receiver_has_the_rtt_measured_anew() {
    let mut sender = Sender::new(Config::default(), 360);
    sender.controller.on_peer_report(sender.now, &report(0.005, 150));
    sender.deliver(392);
    sender.lose(8, 0);
    sender.controller.on_handoff(&change(&sender, End::Peer, 150, 10));
    assert_eq!(sender.controller.srtt(), None);
    assert!(sender.controller.next_timeout().is_some_and(|at| at > sender.now));
    sender.rtt = ms(80);
    sender.deliver(300);
    sender.controller.on_peer_report(sender.now, &report(0.0, 10));
    sender.deliver(100);
    let split = sender.controller.adaptation().expect("adapted").split;
    assert_eq!((split.rtt, split.wireless.delay, split.congestion_rtt), (ms(80), ms(10), ms(60)));
}

#[test]
fn links_at_either_end_or_both_are_split_off() {
    // (own, peer) and the remaining congestion loss of p = 8/400 and R = 360 ms: ATL paper, eq. 5,
    // 6 and 16, 17.
    let both = 1.0 - 0.98 / (0.995 * 0.995);
    for (own, peer, p_c, r_c) in [
        (None, None, None, None),
        (Some((0.005, 50)), None, Some(0.015 / 0.995), Some(260)),
        (None, Some((0.005, 50)), Some(0.015 / 0.995), Some(260)),
        (Some((0.005, 50)), Some((0.005, 20)), Some(both), Some(220)),
    ] {
        let mut sender = Sender::new(Config::default(), 360);
        if let Some((loss, delay)) = peer {
            sender.controller.on_peer_report(sender.now, &report(loss, delay));
        }
        if let Some((loss, delay)) = own {
            sender.report(loss, delay);
        }
        sender.deliver(392);
        sender.lose(8, 0);
        let split = sender.controller.adaptation().map(|a| a.split);
        assert_eq!(split.map(|s| s.congestion_rtt), r_c.map(ms));
        match (split, p_c) {
            (Some(split), Some(p_c)) => near(split.congestion_loss.get(), p_c),
            (split, p_c) => assert_eq!((split, p_c), (None, None)),
        }
    }
}

#[test]
fn a_claim_is_bounded_by_what_was_seen() {
    let mut sender = Sender::new(Config::default(), 100);
    sender.controller.on_peer_report(sender.now, &report(0.9, 10_000));
    sender.deliver(196);
    sender.lose(4, 0);
    let split = sender.controller.adaptation().expect("adapted").split;
    assert!(split.wireless.loss.get() < 0.02 + 1e-9, "{split:?}");
    assert_eq!(split.wireless.delay, ms(50));
    // The most that a claim can gain.
    let gained = sender.aimd();
    let mut honest = Sender::new(Config { beta: Some(gained.beta), ..Config::default() }, 100);
    honest.controller.on_peer_report(honest.now, &report(0.0, 1));
    honest.deliver(196);
    honest.lose(4, 0);
    let most = 16.5 * honest.aimd().alpha;
    assert!(gained.alpha <= most, "{gained:?} {:?}", honest.aimd());
    // The claim expires.
    sender.deliver(3000);
    assert_eq!(sender.controller.adaptation(), None);
}

#[test]
fn no_feedback_halves_the_rate_whatever_beta_is() {
    let mut sender = Sender::new(Config::default(), 100);
    sender.report(0.01, 150);
    sender.deliver(300);
    sender.lose(1, 1);
    let rate = sender.controller.rate();
    sender.send();
    let mut expiries = 0;
    let end = sender.now + Span::from_secs(10);
    while let Some(at) = sender.controller.next_timeout().filter(|&at| at <= end) {
        sender.controller.on_tick(at);
        let halvings = sender.controller.decreases() - 1;
        near(sender.controller.rate(), rate * 0.5f64.powi(halvings as i32));
        expiries = halvings;
    }
    assert!((3..=8).contains(&expiries), "{expiries}");
}

/// A source on its own lossy link, the slowest one of its path: the paper's Fig. 12 to 14.
fn on_a_link(config: Config, loss: f64, delay_ms: u64, feedback: FeedbackMode) -> Run {
    let path = Path {
        rate: 250.0,
        queue: 50,
        delay: ms(10 + delay_ms),
        loss,
        marked: true,
        link: Some(report(loss, delay_ms)),
        ..Path::default()
    };
    let config = RateConfig::from(config);
    let mut run = Run::new(&config, &START, path);
    run.receiver = config.build_receiver(feedback);
    run
}

#[test]
fn a_lossy_link_costs_little_where_tcps_own_parameters_lose_most() {
    for (delay, loss, least) in [
        (10, 1e-3, 230.0),
        (10, 1e-2, 220.0),
        (50, 1e-3, 235.0),
        (150, 1e-3, 220.0),
        (150, 1e-2, 195.0),
    ] {
        let mut run = on_a_link(Config::default(), loss, delay, FeedbackMode::Acks);
        run.stretch(60.0);
        let adaptive = run.stretch(300.0).goodput();
        assert!(adaptive > least, "{adaptive} at {loss}, {delay} ms");
        run = on_a_link(Config::default(), loss, delay, FeedbackMode::Acks);
        run.path.link = None;
        run.stretch(60.0);
        let blind = run.stretch(300.0).goodput();
        assert!(blind < adaptive, "{blind} {adaptive}");
        if delay == 150 && loss > 5e-3 {
            assert!(blind < 0.3 * adaptive, "{blind} {adaptive}");
        }
    }
}

#[test]
fn reports_do_in_place_of_acks() {
    // Rare reports slow the answer to losses down, but hardly lower the rate.
    for (every, least) in [(20, 0.97), (200, 0.9), (1000, 0.7)] {
        let mode = FeedbackMode::Reports { every: ms(every) };
        let goodput = |mode| {
            let mut run = on_a_link(Config::default(), 3e-3, 50, mode);
            run.stretch(120.0);
            run.stretch(600.0).goodput()
        };
        let (acks, reports) = (goodput(FeedbackMode::Acks), goodput(mode));
        assert!(reports > least * acks, "{reports} of {acks} with a report in {every} ms");
    }
}

#[test]
fn a_missing_report_is_no_silence() {
    let mode = FeedbackMode::Reports { every: ms(1000) };
    let mut run = on_a_link(Config::default(), 0.0, 50, mode);
    run.stretch(120.0);
    run.path.loss_back = 0.3;
    let outcome = run.stretch(60.0);
    assert!(outcome.decreases <= 3, "{outcome:?}");
    run.path.loss_back = 1.0;
    let outcome = run.stretch(60.0);
    assert!((3..=12).contains(&outcome.decreases), "{outcome:?}");
}

/// Packets per second, and number of reductions, in each ten seconds, on a link that goes from WLAN
/// to satellite at 60 s.
#[test]
fn the_trajectory_over_a_handoff() {
    let mut run = on_a_link(Config::default(), 1e-3, 10, FeedbackMode::Acks);
    let mut rows = Vec::new();
    for tens in 0..12 {
        if tens == 6 {
            run.path.link = Some(report(1e-2, 150));
            run.path.loss = 1e-2;
            let handoff = Handoff::new(run.now, End::Own, ms(10), ms(150));
            run.handoff(ms(160), &handoff);
        }
        let outcome = run.stretch(10.0);
        let beta = run.sender.aimd().expect("an RTT is known").beta;
        rows.push(format!("{:.0} {} {beta}", outcome.goodput(), outcome.decreases));
    }
    assert_eq!(rows, TRAJECTORY, "{rows:#?}");
}

const TRAJECTORY: [&str; 12] = [
    "232 3 0.75",
    "239 1 0.75",
    "239 1 0.75",
    "240 1 0.75",
    "238 3 0.75",
    "239 2 0.75",
    "210 13 0.85",
    "217 12 0.85",
    "220 10 0.85",
    "213 13 0.85",
    "216 10 0.85",
    "217 11 0.85",
];

/// A nonsensical report changes neither the rate's bounds nor the counts.
#[test]
fn a_report_of_nothing_new_moves_nothing() {
    let mut sender = Sender::new(Config::default(), 100);
    sender.report(0.01, 50);
    sender.deliver(100);
    let rate = sender.controller.rate();
    let nothing = Report::default().fraction_lost(1.0).cumulative_lost(1000);
    let feedback = sender.feedback(&[], 0).report(Some(&nothing));
    sender.controller.on_feedback(&feedback);
    near(sender.controller.rate(), rate);
}
