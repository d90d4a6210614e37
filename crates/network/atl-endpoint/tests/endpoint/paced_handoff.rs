//! Paced flows whose receiver moves between two networks, without a simulator: links of `atl-link`
//! with two bands, so that dummies give way to data.

use std::collections::BTreeMap;
use std::sync::Arc;

use atl_core::path::{PathId, PathSignal};
use atl_core::rate::{
    Arrived, FeedbackMode, RateConfig, RateStart, Report, aimd, arc, lda, nada, rap, rcp_atl, rcs,
    tfrc,
};
use atl_core::roaming::{NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::Endpoint;
use atl_endpoint::app::{App, Source};
use atl_endpoint::handoff::{HandoffReport, Key, Notice, Notifier};
use atl_endpoint::paced::{Answer, MOST_DUMMIES, Outgoing, PacedReceiver, PacedSender, Queue};
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, Packet, QueueConfig};
use proptest::prelude::*;

const A: PathId = PathId::FIRST;
const B: PathId = PathId::new(1);
const HEADER: u32 = 40;
const SEGMENT: u32 = 460;
const PACKET: u32 = SEGMENT + HEADER;
const NOTICE: u32 = 64;

enum Body {
    Media { seq: u64, rtt: Span },
    Dummy { number: u64 },
    Ack { seq: u64, mask: u32 },
    DummyAck { number: u64 },
    Report(Report),
    Notice(Notice),
    Handoff(HandoffReport),
}

struct Datagram {
    body: Body,
    sent_at: Time,
    bytes: u32,
    path: PathId,
}

impl Packet for Datagram {
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }

    fn low_priority(&self) -> bool {
        matches!(self.body, Body::Dummy { .. } | Body::DummyAck { .. })
    }
}

/// A network: its rate and one-way delay.
#[derive(Clone, Copy, Debug)]
struct Net {
    mbps: f64,
    delay: Span,
}

const fn net(mbps: f64, ms: u64) -> Net {
    Net { mbps, delay: Span::from_millis(ms) }
}

struct Case {
    nets: [Net; 2],
    config: RateConfig,
    how: NewPath,
    /// The stream's largest rate.
    target: f64,
    feedback: Option<FeedbackMode>,
    signals: Vec<(Time, PathSignal)>,
    end: Time,
    key: Option<Key>,
    /// Handoff Reports that do not arrive.
    reports_lost: u32,
}

impl Case {
    /// From one network to the other, with an overlap of 2 s and the move in its middle, at 21 s.
    fn new(config: impl Into<RateConfig>, how: NewPath, nets: [Net; 2]) -> Self {
        let at = |ms, signal| (Time::from_millis(ms), signal);
        let overlap = [
            at(20_000, PathSignal::Imminent(B)),
            at(21_000, PathSignal::Done(B)),
            at(22_000, PathSignal::Gone(A)),
        ];
        Case {
            nets,
            config: config.into(),
            how,
            target: 10.0,
            feedback: None,
            signals: overlap.to_vec(),
            end: Time::from_millis(30_000),
            key: None,
            reports_lost: 0,
        }
    }
}

#[derive(Default)]
struct Seen {
    /// When each packet was sent, by path.
    sent: Vec<(Time, u64, PathId)>,
    /// Media packets as the application got them, in order.
    got: Vec<u64>,
    arrived: BTreeMap<u64, u32>,
    dummies: BTreeMap<PathId, (u64, u64)>,
    challenges: u64,
    dropped: u64,
    /// Media packets that came from a network that the host had left.
    stranded: u64,
    /// Media packets that a full queue dropped, by path.
    lost: BTreeMap<PathId, u64>,
    bytes: BTreeMap<PathId, u64>,
    handoff_reports: Vec<(Time, HandoffReport)>,
    /// Receiver reports, with the path of the newest packet.
    reports: Vec<(Time, Report, PathId)>,
    rates: Vec<(Time, f64)>,
}

impl Seen {
    fn lose(&mut self, path: PathId, media: bool) {
        if media {
            *self.lost.entry(path).or_default() += 1;
        }
    }
}

struct Host {
    now: Time,
    forward: Vec<Link<Datagram>>,
    back: Vec<Link<Datagram>>,
    sender: PacedSender,
    receiver: PacedReceiver,
    notifier: Notifier,
    gone: Vec<PathId>,
    seen: Seen,
    reports_lost: u32,
}

impl Host {
    fn new(case: &Case) -> Self {
        let app = App::new(&Source::Greedy, SEGMENT, Time::ZERO, Stream::new(1, "app"));
        let target = Rate::from_mbps(case.target).packets_per_sec(PACKET);
        let start = RateStart::default().packet_bytes(PACKET).target(target).seed(3);
        let mode = case.feedback.unwrap_or(case.config.feedback());
        let sender = PacedSender::new(
            case.config.build(&start),
            Queue::segments(app, SEGMENT),
            (SEGMENT, HEADER),
            Time::ZERO,
        )
        .with_new_path(case.how, case.config.clone(), start);
        let receiver = PacedReceiver::new(case.config.build_receiver(mode)).with_new_path(
            case.how,
            case.config.clone(),
            mode,
        );
        let (sender, receiver) = match &case.key {
            Some(key) => (sender.with_key(key.clone()), receiver.with_key(key.clone())),
            None => (sender, receiver),
        };
        let link = |net: &Net, name: &str| {
            let mut config = Config::constant(Rate::from_mbps(net.mbps), net.delay, 50);
            config.queue = QueueConfig::Priority { packets: 50 };
            Link::new(Arc::new(config), Stream::new(7, name))
        };
        Host {
            now: Time::ZERO,
            forward: case.nets.iter().map(|net| link(net, "forward")).collect(),
            back: case.nets.iter().map(|net| link(net, "back")).collect(),
            sender,
            receiver,
            notifier: Notifier::new(case.key.clone()),
            gone: Vec::new(),
            seen: Seen::default(),
            reports_lost: case.reports_lost,
        }
    }

    fn send(&mut self, forward: bool, path: PathId, body: Body, sent_at: Time, bytes: u32) {
        let links = if forward { &mut self.forward } else { &mut self.back };
        let datagram = Datagram { body, sent_at, bytes, path };
        // Not always this one: a data packet may push out a dummy.
        if let Err(dropped) = links[path.index()].offer(self.now, datagram) {
            self.seen.dropped += 1;
            self.seen.lose(path, matches!(dropped.body, Body::Media { .. }));
        }
    }

    fn drain(&mut self) {
        let now = self.now;
        while let Some(out) = self.sender.poll_output(now) {
            match out {
                Outgoing::Data { seq, payload, path, .. } => {
                    self.seen.sent.push((now, seq, path));
                    let rtt = self.sender.ledger().rtt().srtt().unwrap_or_default();
                    self.send(true, path, Body::Media { seq, rtt }, now, payload + HEADER);
                }
                Outgoing::Probe { number, bytes, path }
                | Outgoing::Challenge { number, bytes, path } => {
                    let sent = self.seen.dummies.entry(path).or_default();
                    if bytes < PACKET {
                        self.seen.challenges += 1;
                    } else {
                        *sent = (sent.0 + 1, sent.1 + u64::from(bytes));
                    }
                    self.send(true, path, Body::Dummy { number }, now, bytes);
                }
            }
        }
        assert_eq!(self.sender.poll_output(now), None, "a drained sender has nothing more to send");
        while let Some((path, notice)) = self.notifier.poll(now) {
            self.send(false, path, Body::Notice(notice), now, NOTICE);
        }
        while let Some((path, report)) = self.receiver.poll_handoff_report(now) {
            self.seen.handoff_reports.push((now, report));
            if self.reports_lost > 0 {
                self.reports_lost -= 1;
            } else {
                self.send(false, path, Body::Handoff(report), now, 64);
            }
        }
        while let Some(seq) = self.receiver.poll_delivery() {
            self.seen.got.push(seq);
        }
    }

    fn run(&mut self, case: &Case) {
        let mut signals = case.signals.iter().peekable();
        self.drain();
        while self.now < case.end {
            let mut next = self.sender.next_timer(self.now);
            next = next.min(self.receiver.next_timer()).min(self.notifier.next_timer());
            next = next.min(signals.peek().map_or(Time::MAX, |(at, _)| *at));
            for link in self.forward.iter().chain(&self.back) {
                next = next.min(link.next_event());
            }
            self.now = next.max(self.now);
            let now = self.now;
            while let Some((_, signal)) = signals.next_if(|(at, _)| *at <= now) {
                if let PathSignal::Gone(path) = *signal {
                    self.gone.push(path);
                } else {
                    self.gone.retain(|path| *path != signal.path());
                }
                self.notifier.signal(now, *signal);
                self.receiver.on_path_signal(now, *signal);
                self.drain();
            }
            for i in 0..2 {
                while let Some(exit) = self.forward[i].poll(now) {
                    if let Exit::Delivered(packet) = exit {
                        self.arrives(packet);
                        self.drain();
                    }
                }
                while let Some(Exit::Delivered(packet)) = self.back[i].poll(now) {
                    self.returns(packet);
                    self.drain();
                }
            }
            if self.receiver.next_timer() <= now && self.receiver.on_timer(now) {
                self.report();
            }
            if self.sender.next_timer(now) <= now {
                self.sender.on_timer(now);
            }
            self.drain();
            assert!(self.sender.next_timer(now) > now, "a host must not spin");
            assert!(self.receiver.next_timer() > now, "a host must not spin");
            let rate = self.sender.controller().rate();
            if self.seen.rates.last().is_none_or(|(_, last)| last.to_bits() != rate.to_bits()) {
                self.seen.rates.push((now, rate));
            }
        }
    }

    fn report(&mut self) {
        let Some(report) = self.receiver.report(self.now) else { return };
        let path = self.receiver_path();
        self.seen.reports.push((self.now, report, path));
        self.send(false, path, Body::Report(report), self.now, 80);
    }

    /// Where the receiver sends: the path of the newest packet.
    fn receiver_path(&self) -> PathId {
        let newest = self.seen.arrived.keys().next_back();
        let sent = newest.map(|seq| self.seen.sent[*seq as usize].2);
        sent.unwrap_or_default()
    }

    fn arrives(&mut self, packet: Datagram) {
        let Datagram { body, sent_at, bytes, path } = packet;
        if self.gone.contains(&path) {
            self.seen.stranded += u64::from(matches!(body, Body::Media { .. }));
            return;
        }
        let now = self.now;
        match body {
            Body::Media { seq, rtt } => {
                *self.seen.arrived.entry(seq).or_default() += 1;
                *self.seen.bytes.entry(path).or_default() += u64::from(bytes);
                let arrived = Arrived::new(now, seq, sent_at, bytes).rtt(rtt).path(path);
                match self.receiver.on_data(&arrived, bytes - HEADER) {
                    Answer::Ack { mask, .. } => {
                        self.send(false, path, Body::Ack { seq, mask }, sent_at, HEADER);
                    }
                    Answer::Report => self.report(),
                    Answer::Nothing => {}
                }
            }
            Body::Dummy { number } => {
                let arrived = Arrived::new(now, number, sent_at, bytes).path(path);
                if let Answer::Ack { .. } = self.receiver.on_dummy(&arrived) {
                    self.send(false, path, Body::DummyAck { number }, sent_at, HEADER);
                }
            }
            _ => panic!("reports take the other link"),
        }
    }

    fn returns(&mut self, packet: Datagram) {
        let Datagram { body, sent_at, bytes, path } = packet;
        if self.gone.contains(&path) {
            return;
        }
        let now = self.now;
        match body {
            Body::Ack { seq, mask } => {
                self.sender.on_ack(now, seq, sent_at, mask);
            }
            Body::DummyAck { number } => self.sender.on_probe_ack(now, number, sent_at),
            Body::Report(report) => {
                self.sender.on_report(now, &report);
            }
            Body::Notice(notice) => {
                self.sender.on_notice(now, &notice, path, bytes);
            }
            Body::Handoff(report) => self.sender.on_handoff_report(now, &report),
            Body::Media { .. } | Body::Dummy { .. } => panic!("data takes the other link"),
        }
    }
}

fn run(case: &Case) -> Host {
    let mut host = Host::new(case);
    host.run(case);
    host
}

fn probe() -> NewPath {
    NewPath::Probe(Probe::default())
}

impl Host {
    /// The controller's rate at a time, in Mb/s.
    fn mbps(&self, ms: u64) -> f64 {
        let at = Time::from_millis(ms);
        let rate = self.seen.rates.iter().rev().find(|(when, _)| *when <= at);
        rate.map_or(0.0, |(_, rate)| rate * f64::from(PACKET) * 8.0 / 1e6)
    }

    /// When the first packet left on the new path.
    fn moved(&self) -> Option<Time> {
        self.seen.sent.iter().find(|(_, _, path)| *path == B).map(|(at, ..)| *at)
    }
}

/// RTP as in the paper: LDA+ over reports, 6 to 1 and 6 to 11 Mb/s, wired delays of some 20 ms.
#[test]
fn the_streaming_rate_is_right_before_the_host_has_moved() {
    for (new, expected) in [(1.0, 1.0), (11.0, 10.0)] {
        let nets = [net(6.0, 20), net(new, 20)];
        let host = run(&Case::new(lda::Config::default(), probe(), nets));
        let moved = host.moved().expect("moved").secs();
        // Notice and challenge and its answer and the first dummy: 5 one-way delays and their
        // transmission; then 500 ms, and the report's way back.
        assert!((20.58..20.70).contains(&moved), "{moved}");
        let rate = host.mbps(21_000);
        assert!((rate / expected - 1.0).abs() < 0.03, "{rate} Mb/s");
        assert_eq!((host.sender.moves(), host.seen.lost.get(&B)), (1, None), "{new}");
        assert_eq!(host.seen.dummies[&B].0, 1250);
        assert_eq!(host.seen.got.len(), host.seen.arrived.len());
    }
}

/// Every law begins where the probe ends, over ACKs or over reports of its own.
#[test]
fn every_controller_begins_at_the_rate_that_was_measured() {
    let configs: [(&str, RateConfig); 8] = [
        ("aimd", aimd::Config::default().into()),
        ("arc", arc::Config::default().into()),
        ("lda", lda::Config::default().into()),
        ("nada", nada::Config::default().into()),
        ("rap", rap::Config::default().into()),
        ("rcp-atl", rcp_atl::Config::default().into()),
        ("rcs", rcs::Config::default().into()),
        ("tfrc", tfrc::Config::default().into()),
    ];
    for (name, config) in configs {
        for (old, new, expected) in [(6.0, 1.0, 1.0), (2.0, 8.0, 8.0)] {
            let host = run(&Case::new(config.clone(), probe(), [net(old, 20), net(new, 20)]));
            let moved = host.moved().expect("moved");
            assert!(moved < Time::from_millis(20_700), "{name}: {moved:?}");
            // A round trip later, when the first answers are there.
            let at = host.mbps((moved.secs() * 1e3) as u64 + 60);
            assert!((at / expected - 1.0).abs() < 0.15, "{name}, {new} Mb/s: {at}");
            assert_eq!(host.seen.got.len(), host.seen.arrived.len(), "{name}");
        }
    }
}

/// Standard RTP: from 6 to 1 Mb/s it overruns the new cell until a report tells; from 6 to 11 it
/// creeps.
#[test]
fn kept_control_state_overruns_a_slower_network_and_leaves_a_faster_one_idle() {
    let config = lda::Config { initial: Some(1500.0), ..lda::Config::default() };
    let run_to = |new, how| run(&Case::new(config, how, [net(6.0, 20), net(new, 20)]));
    let (kept, probed) = (run_to(1.0, NewPath::Keep), run_to(1.0, probe()));
    let (lost, without) = (kept.seen.lost.get(&B), probed.seen.lost.get(&B));
    assert!(lost.is_some_and(|lost| *lost > 1000) && without.is_none(), "{lost:?} {without:?}");
    let (kept, probed) = (run_to(11.0, NewPath::Keep), run_to(11.0, probe()));
    assert!(kept.mbps(23_000) < 7.0 && probed.mbps(21_000) > 9.7);
    let bytes = |host: &Host| host.seen.bytes.values().sum::<u64>();
    assert!(bytes(&probed) > bytes(&kept));
    assert_eq!((kept.sender.moves(), kept.seen.dummies.len()), (1, 0));
}

/// The paper's objection to standard RTP: the first report after the handoff covers the old network
/// too, and comes up to 5 s later (RFC 3550, sec. 6.2; here at even intervals).
#[test]
fn without_a_move_of_the_counts_the_first_report_mixes_two_networks() {
    let config = lda::Config { initial: Some(1450.0), ..lda::Config::default() };
    let nets = [net(6.0, 20), net(1.0, 20)];
    let first = |how| {
        let host = run(&Case::new(config, how, nets));
        let moved = host.moved().expect("moved");
        let report = *host
            .seen
            .reports
            .iter()
            .find(|(at, _, path)| *path == B && *at > moved)
            .expect("a report");
        (host, moved, report)
    };
    let (kept, moved, (at, report, _)) = first(NewPath::Keep);
    let late = at.since(moved).secs();
    assert!((3.9..4.1).contains(&late), "{late}");
    // Nothing is known before, and 5.8 Mb/s go to a network of 1.
    let rates = &kept.seen.rates;
    assert!(
        rates.iter().all(|(when, _)| *when <= moved || *when >= at),
        "no rate changes in between"
    );
    // The new network carries 250 packets a second, so that more than four fifths are lost there;
    // the report also counts a second of the old one.
    let sent = kept.seen.sent.iter().filter(|(when, _, path)| *path == B && *when < at).count();
    let lost = 1.0 - 250.0 * late / sent as f64;
    let counted = report.fraction_lost;
    assert!(lost > 0.8 && (0.6..0.7).contains(&counted), "{lost} {counted}");
    // A receiver that counts afresh reports at once, and of the new network alone.
    let (_, moved, (at, report, _)) = first(probe());
    assert!(at.since(moved) < Span::from_millis(50));
    assert_eq!((report.received, report.cumulative_lost), (1, 0));
}

#[test]
fn a_reset_begins_like_a_new_flow_when_the_host_has_moved() {
    let case = Case::new(rcp_atl::Config::default(), NewPath::Reset, [net(4.0, 20), net(4.0, 20)]);
    let host = run(&case);
    let moved = host.moved().expect("moved").secs();
    assert!((21.02..21.03).contains(&moved), "{moved}");
    assert!(host.mbps(21_050) < 0.05, "one packet a second until the first RTT is known");
    assert_eq!((host.seen.dummies.len(), host.sender.moves()), (0, 1));
}

#[test]
fn a_lost_report_is_repeated_and_without_any_the_move_is_a_reset() {
    let nets = [net(6.0, 20), net(11.0, 20)];
    let case = Case::new(lda::Config::default(), probe(), nets);
    let once = run(&Case { reports_lost: 1, ..case });
    let moved = once.moved().expect("moved").secs();
    assert!((20.68..20.80).contains(&moved), "{moved}");
    assert!(once.mbps(21_000) > 9.7);
    let never = run(&Case { reports_lost: 99, ..Case::new(lda::Config::default(), probe(), nets) });
    let moved = never.moved().expect("moved").secs();
    assert!((21.02..21.03).contains(&moved), "{moved}");
    assert!(never.mbps(21_030) < 0.05);
    // Five times, and then no more.
    assert!(never.seen.handoff_reports.len() <= 5);
}

#[test]
fn a_move_in_the_middle_of_a_probe_uses_what_is_known_of_it() {
    let at = |ms, signal| (Time::from_millis(ms), signal);
    let mut case = Case::new(lda::Config::default(), probe(), [net(6.0, 20), net(3.0, 20)]);
    case.signals = vec![
        at(20_000, PathSignal::Imminent(B)),
        at(20_300, PathSignal::Done(B)),
        at(21_500, PathSignal::Gone(A)),
    ];
    let host = run(&case);
    let moved = host.moved().expect("moved").secs();
    assert!((20.32..20.34).contains(&moved), "{moved}");
    let report = &host.seen.handoff_reports[0].1;
    assert!(report.window < Span::from_millis(300) && report.received > 50, "{report:?}");
    let rate = host.mbps(20_400);
    assert!((rate / 3.0 - 1.0).abs() < 0.05, "{rate}");
}

/// A host that comes near a cell and turns back: the sender, which had moved ahead of it, goes back
/// to what it had.
#[test]
fn a_sender_that_moved_ahead_of_its_host_comes_back() {
    let at = |ms, signal| (Time::from_millis(ms), signal);
    let config = lda::Config { initial: Some(1000.0), ..lda::Config::default() };
    let mut case = Case::new(config, probe(), [net(6.0, 20), net(1.0, 20)]);
    case.signals = vec![at(20_000, PathSignal::Imminent(B)), at(23_000, PathSignal::Gone(B))];
    let host = run(&case);
    let before = host.mbps(19_999);
    assert!(host.mbps(22_000) < 1.1 && before > 4.0, "{before}");
    assert_eq!((host.sender.path(), host.sender.moves()), (A, 2));
    let after = host.mbps(23_100);
    assert!((after / before - 1.0).abs() < 0.05, "{before} {after}");
    // Only what was on the way through the new cell is lost.
    assert!((1..60).contains(&host.seen.stranded), "{}", host.seen.stranded);
    assert!(host.seen.got.is_sorted_by(|a, b| a < b));
}

/// A sender with nobody behind the notices.
fn lone_sender(key: Option<Key>) -> PacedSender {
    let start = RateStart::default().packet_bytes(PACKET).target(2500.0).seed(3);
    let config = RateConfig::from(aimd::Config::default());
    let app = App::new(&Source::Greedy, SEGMENT, Time::ZERO, Stream::new(1, "app"));
    let queue = Queue::segments(app, SEGMENT);
    let sender = PacedSender::new(config.build(&start), queue, (SEGMENT, HEADER), Time::ZERO)
        .with_new_path(probe(), config, start);
    match key {
        Some(key) => sender.with_key(key),
        None => sender,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Notices from somebody who is not there draw at most three times their bytes to the path, and
    /// no dummies at full size; with a key nothing at all. Data never goes there.
    #[test]
    fn a_forged_notice_buys_nothing(
        notices in prop::collection::vec((0_u32..40, 0_u8..3, 1_u8..4, 40_u32..200, 0_u64..500), 1..60),
        keyed in any::<bool>(),
    ) {
        let mut sender = lone_sender(keyed.then(|| Key::new([1; 32])));
        let mut now = Time::ZERO;
        let mut paid = [0_u64; 4];
        let mut drawn = [0_u64; 4];
        for (sequence, kind, path, bytes, ms) in notices {
            let end = now + Span::from_millis(ms);
            let path = PathId::new(path);
            let signal = match kind {
                0 => PathSignal::Imminent(path),
                1 => PathSignal::Done(path),
                _ => PathSignal::Gone(path),
            };
            sender.on_notice(now, &Notice { sequence, signal, tag: 0 }, path, bytes);
            paid[path.index()] += u64::from(bytes);
            loop {
                while let Some(out) = sender.poll_output(now) {
                    match out {
                        Outgoing::Data { path, .. } => prop_assert_eq!(path, A),
                        Outgoing::Probe { bytes, path, .. }
                        | Outgoing::Challenge { bytes, path, .. } => {
                            prop_assert!(!keyed && bytes < PACKET);
                            drawn[path.index()] += u64::from(bytes);
                        }
                    }
                }
                let next = sender.next_timer(now);
                prop_assert!(next > now);
                if next > end {
                    break;
                }
                now = next;
                sender.on_timer(now);
            }
            now = end;
            // An answer that was guessed.
            sender.on_probe_ack(now, 0xc000_0000 | u64::from(sequence), now);
            sender.on_handoff_report(now, &HandoffReport {
                path, received: 10, highest: 9, bytes: 5000, window: Span::from_millis(1), ..HandoffReport::default()
            });
            for (drawn, paid) in drawn.iter().zip(&paid) {
                prop_assert!(*drawn <= 3 * *paid, "{} for {}", drawn, paid);
            }
        }
    }

    /// Any two networks, handoffs there and back: the application gets each packet once and in
    /// order; nothing but a full queue loses any while the cells overlap; rates stay within their
    /// bounds; dummies are capped.
    #[test]
    fn an_overlap_loses_nothing_and_hands_over_nothing_twice_or_out_of_order(
        nets in prop::array::uniform2((0.2_f64..20.0, 1_u64..150)),
        gaps in prop::collection::vec((0_u64..1500, 2500_u64..4000, 2000_u64..6000), 1..4),
        law in 0_usize..4,
        kind in 0_usize..2,
    ) {
        let nets = nets.map(|(mbps, ms)| net(mbps, ms));
        let how = [probe(), NewPath::Reset][kind];
        let config = match law {
            0 => RateConfig::from(lda::Config { interval: 0.5, ..lda::Config::default() }),
            1 => aimd::Config::default().into(),
            2 => rcp_atl::Config::default().into(),
            _ => tfrc::Config::default().into(),
        };
        let mut case = Case::new(config, how, nets);
        case.signals.clear();
        let mut at = Time::from_millis(2000);
        let (mut from, mut to) = (A, B);
        for (before, overlap, after) in &gaps {
            case.signals.push((at, PathSignal::Imminent(to)));
            at += Span::from_millis(*before);
            case.signals.push((at, PathSignal::Done(to)));
            // Longer than 50 packets at the slowest rate, twice the longest delay and the copies of
            // a notice.
            at += Span::from_millis(*overlap);
            case.signals.push((at, PathSignal::Gone(from)));
            at += Span::from_millis(*after);
            (from, to) = (to, from);
        }
        case.end = at + Span::from_secs(2);
        let host = run(&case);
        let Seen { sent, got, arrived, stranded, lost, dummies, .. } = &host.seen;
        prop_assert!(got.is_sorted_by(|a, b| a < b), "in order, once");
        prop_assert!(arrived.values().all(|copies| *copies == 1));
        prop_assert_eq!(*stranded, 0, "the overlap was long enough");
        let lost_media: u64 = lost.values().sum();
        let under_way = sent.len() as u64 - arrived.len() as u64 - lost_media;
        prop_assert!(under_way < 600, "{under_way}");
        // Nothing that arrived is withheld: the longest wait was enough, but for what waits at the
        // end.
        let waiting = arrived.len() - got.len() - host.receiver.sequenced().discarded as usize;
        prop_assert!(waiting < 1500, "{waiting}");
        let most = Rate::from_mbps(case.target).packets_per_sec(PACKET);
        prop_assert!(host.seen.rates.iter().all(|(_, rate)| *rate <= most * 1.000_001 && *rate >= 1.0 / 64.0));
        for (packets, bytes) in dummies.values() {
            prop_assert!(*packets <= gaps.len() as u64 * 1250 && *bytes == packets * u64::from(PACKET));
            prop_assert!(*packets <= u64::from(MOST_DUMMIES) * gaps.len() as u64);
        }
    }
}
