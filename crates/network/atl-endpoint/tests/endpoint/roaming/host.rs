//! A host with several paths: a TCP flow whose one end moves between networks. It obeys the
//! contract of `Endpoint` and checks what endpoints promise in return.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::NewPath;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, Start, WindowController, reno};
use atl_endpoint::Endpoint;
use atl_endpoint::app::{App, Source};
use atl_endpoint::handoff::{Key, Notice, Notifier};
use atl_endpoint::tcp::{AckInfo, Arrival, Outgoing, Receiver, Recovery, Sender, Tcp};
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, Packet, QueueConfig};

pub(crate) const SEGMENT: u32 = 1000;
pub(crate) const HEADER: u32 = 40;
/// Bytes of a notice on the wire.
pub(crate) const NOTICE: u32 = 52;

enum Body {
    Segment { seq: u64, tx: u64 },
    Dummy { number: u64 },
    Ack(AckInfo),
    DummyAck(AckInfo),
    Notice(Notice),
}

struct Datagram {
    body: Body,
    sent_at: Time,
    bytes: u32,
}

impl Packet for Datagram {
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }

    fn low_priority(&self) -> bool {
        matches!(self.body, Body::Dummy { .. } | Body::DummyAck(_))
    }
}

/// The conditions on a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions {
    /// Mb/s towards the receiver.
    pub(crate) mbps: f64,
    /// One-way delay in ms.
    pub(crate) delay_ms: u64,
    /// Queue in packets.
    pub(crate) queue: u32,
}

/// A transfer and the mobile host's signals.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) paths: Vec<Conditions>,
    pub(crate) signals: Vec<(u64, PathSignal)>,
    /// The sender moves; otherwise the receiver.
    pub(crate) sender_moves: bool,
    pub(crate) how: NewPath,
    pub(crate) recovery: Recovery,
    pub(crate) controller: ControllerConfig,
    pub(crate) segments: u64,
    /// The application, if it is not that of these segments.
    pub(crate) source: Option<Source>,
    pub(crate) receive_window: u32,
    pub(crate) delayed_ack: bool,
    pub(crate) key: Option<Key>,
    pub(crate) until_ms: u64,
}

impl Plan {
    pub(crate) fn new(
        paths: Vec<Conditions>,
        signals: Vec<(u64, PathSignal)>,
        how: NewPath,
    ) -> Self {
        Plan {
            paths,
            signals,
            sender_moves: false,
            how,
            recovery: Recovery::NewReno,
            controller: ControllerConfig::from(reno::Config::default()),
            segments: u64::MAX / u64::from(SEGMENT) / 2,
            source: None,
            receive_window: 100,
            delayed_ack: false,
            key: None,
            until_ms: 20_000,
        }
    }
}

pub(crate) struct Host {
    pub(crate) now: Time,
    plan: Plan,
    signals: VecDeque<(Time, PathSignal)>,
    forward: Vec<Link<Datagram>>,
    reverse: Vec<Link<Datagram>>,
    gone: Vec<bool>,
    pub(crate) sender: Sender,
    pub(crate) receiver: Receiver,
    notifier: Notifier,
    pub(crate) delivered: Vec<u64>,
    /// When data packets arrived, in whatever order.
    pub(crate) arrivals: Vec<Time>,
    /// When the window changed, and to what, with the path.
    pub(crate) windows: Vec<(Time, f64, PathId)>,
    /// Time, path and segment of each data packet.
    pub(crate) data: Vec<(Time, PathId, u64)>,
    /// Time, path and bytes of each probe.
    pub(crate) probes: Vec<(Time, PathId, u32)>,
    /// Time of each window probe.
    pub(crate) asked: Vec<Time>,
    /// The next data packet over this path is lost.
    pub(crate) drop_next: Option<PathId>,
    /// Nothing comes back over this path.
    pub(crate) mute: Option<PathId>,
    /// Data packets that a queue dropped.
    pub(crate) dropped: u64,
    /// Data packets that came out of a network that the host had left.
    pub(crate) lost: u64,
    /// The path of the latest data packet, for delayed ACKs.
    ack_path: PathId,
    /// Bytes that came from each path, and went there, until something sent there was answered.
    received: Vec<u64>,
    sent: Vec<u64>,
    answered: Vec<bool>,
    /// Copies of every notice that arrived, to be replayed.
    pub(crate) heard: Vec<(Notice, PathId)>,
    /// When somebody else's notices arrive, and over which path as it seems.
    forged: VecDeque<(Time, PathId, Notice)>,
    /// Called at each event.
    pub(crate) mischief: Option<fn(&mut Host)>,
}

impl Host {
    pub(crate) fn new(plan: Plan) -> Self {
        let tcp = Tcp {
            segment: SEGMENT,
            header: HEADER,
            receive_window: plan.receive_window,
            delayed_ack: plan.delayed_ack.then(|| Span::from_millis(40)),
            ..Tcp::default()
        };
        let start =
            Start::default().packet_bytes(SEGMENT + HEADER).receive_window(plan.receive_window);
        let bytes = plan.segments.saturating_mul(u64::from(SEGMENT));
        let source = plan.source.clone().unwrap_or(Source::Fixed { bytes });
        let app = App::new(&source, SEGMENT, Time::ZERO, Stream::new(1, "app"));
        let mut sender = Sender::new(plan.recovery, plan.controller.build(&start), &tcp, app)
            .with_new_path(plan.how, plan.controller.clone(), start);
        if let Some(key) = &plan.key {
            sender = sender.with_key(key.clone());
        }
        let link = |conditions: &Conditions, name: &str, mbps: f64| {
            let delay = Span::from_millis(conditions.delay_ms);
            let mut config = Config::constant(Rate::from_mbps(mbps), delay, conditions.queue);
            config.queue = QueueConfig::Priority { packets: conditions.queue };
            Link::new(Arc::new(config), Stream::new(7, name))
        };
        let count = plan.paths.len();
        Host {
            now: Time::ZERO,
            signals: plan
                .signals
                .iter()
                .map(|(ms, signal)| (Time::from_millis(*ms), *signal))
                .collect(),
            forward: plan.paths.iter().map(|path| link(path, "forward", path.mbps)).collect(),
            reverse: plan.paths.iter().map(|path| link(path, "reverse", 100.0)).collect(),
            gone: vec![false; count],
            sender,
            receiver: Receiver::of(plan.recovery, &tcp).counting_order(),
            notifier: Notifier::new(plan.key.clone()),
            delivered: Vec::new(),
            arrivals: Vec::new(),
            windows: Vec::new(),
            data: Vec::new(),
            probes: Vec::new(),
            asked: Vec::new(),
            drop_next: None,
            mute: None,
            dropped: 0,
            lost: 0,
            ack_path: PathId::FIRST,
            received: vec![0; count],
            sent: vec![0; count],
            answered: (0..count).map(|path| path == 0).collect(),
            heard: Vec::new(),
            forged: VecDeque::new(),
            mischief: None,
            plan,
        }
    }

    /// Somebody else writes notices in the name of the mobile host, at these times in ms and in
    /// this order.
    pub(crate) fn forge(&mut self, signals: &[(u64, PathSignal)]) {
        for (number, (at, signal)) in (1 << 31..).zip(signals) {
            let notice = Notice { sequence: number, signal: *signal, tag: 0 };
            self.forged.push_back((Time::from_millis(*at), signal.path(), notice));
        }
    }

    /// The path's link towards the receiver is another one. Call it before anything else.
    pub(crate) fn replace_link(&mut self, path: PathId, config: Config) {
        self.forward[path.index()] = Link::new(Arc::new(config), Stream::new(7, "forward"));
    }

    fn offer(&mut self, forward: bool, path: PathId, body: Body, sent_at: Time, bytes: u32) {
        let links = if forward { &mut self.forward } else { &mut self.reverse };
        if let Err(dropped) = links[path.index()].offer(self.now, Datagram { body, sent_at, bytes })
        {
            self.dropped += u64::from(matches!(dropped.body, Body::Segment { .. }));
        }
    }

    /// At most three times what came from a path goes there before it has answered.
    fn account(&mut self, path: PathId, bytes: u32) {
        self.sent[path.index()] += u64::from(bytes);
        let validates = matches!(self.plan.how, NewPath::Probe(probe) if probe.validate);
        if validates && !self.plan.sender_moves && !self.answered[path.index()] {
            let (sent, received) = (self.sent[path.index()], self.received[path.index()]);
            assert!(sent <= 3 * received, "{sent} bytes to a path from which {received} came");
        }
    }

    pub(crate) fn drain(&mut self) {
        let now = self.now;
        while let Some(out) = self.sender.poll_output(now) {
            match out {
                Outgoing::Data { seq, tx, bytes, path, .. } => {
                    self.data.push((now, path, seq));
                    self.account(path, bytes);
                    self.offer(true, path, Body::Segment { seq, tx }, now, bytes);
                }
                Outgoing::Probe { number, path, bytes, segment: None }
                | Outgoing::Challenge { number, path, bytes } => {
                    self.probes.push((now, path, bytes));
                    self.account(path, bytes);
                    self.offer(true, path, Body::Dummy { number }, now, bytes);
                }
                // They ask a receiver that has frozen the sender, and nobody answers.
                Outgoing::WindowProbe => self.asked.push(now),
                other => panic!("only data and dummies: {other:?}"),
            }
        }
        assert_eq!(self.sender.poll_output(now), None, "a drained sender has nothing more to send");
        let window = (now, self.sender.controller().window(), self.sender.path());
        if self.windows.last().is_none_or(|last| (last.1, last.2) != (window.1, window.2)) {
            self.windows.push(window);
        }
    }

    /// Runs to the end.
    pub(crate) fn run(mut self) -> Self {
        let end = Time::from_millis(self.plan.until_ms);
        self.run_until(end);
        self
    }

    /// Runs up to this time.
    pub(crate) fn run_until(&mut self, end: Time) {
        self.drain();
        loop {
            let now = self.now;
            let links = self.forward.iter().chain(&self.reverse).map(|link| link.next_event());
            let links = links.min().unwrap_or(Time::MAX);
            let signal = self.signals.front().map_or(Time::MAX, |signal| signal.0);
            let timers = self.sender.next_timer(now).min(self.notifier.next_timer());
            let ack = self.receiver.ack_due().unwrap_or(Time::MAX);
            let forged = self.forged.front().map_or(Time::MAX, |forged| forged.0);
            let next = links.min(signal).min(timers).min(ack).min(forged);
            if next > end || next == Time::MAX {
                return;
            }
            // A timer that another event has set may be due already.
            self.now = now.max(next);
            self.step(signal);
            if let Some(mischief) = self.mischief {
                mischief(self);
                self.drain();
            }
        }
    }

    fn step(&mut self, signal: Time) {
        let now = self.now;
        if signal == now
            && let Some((_, signal)) = self.signals.pop_front()
        {
            if let PathSignal::Gone(path) = signal {
                self.gone[path.index()] = true;
            } else {
                self.gone[signal.path().index()] = false;
            }
            if self.plan.sender_moves {
                self.sender.on_path_signal(now, signal);
                self.drain();
            } else {
                self.notifier.signal(now, signal);
            }
        }
        while let Some((_, path, notice)) = self.forged.pop_front_if(|forged| forged.0 <= now) {
            self.received[path.index()] += u64::from(NOTICE);
            self.sender.on_notice(now, &notice, path, NOTICE);
            self.drain();
        }
        while let Some((path, notice)) = self.notifier.poll(now) {
            self.offer(false, path, Body::Notice(notice), now, NOTICE);
        }
        for index in 0..self.forward.len() {
            let path = PathId::new(index as u8);
            while let Some(exit) = self.forward[index].poll(now) {
                match exit {
                    Exit::Delivered(packet) if self.gone[index] => {
                        self.lost += u64::from(matches!(packet.body, Body::Segment { .. }));
                    }
                    Exit::Delivered(packet) if self.is_to_be_dropped(path, &packet) => {
                        self.lost += 1;
                    }
                    Exit::Delivered(packet) => self.arrives(path, packet),
                    Exit::Changed(_) => {}
                    Exit::Lost(..) | Exit::Dropped(..) | Exit::DeliveredTwice(_) => {
                        panic!("these links lose nothing")
                    }
                }
            }
            while self.reverse[index].front().is_some()
                && let Some(Exit::Delivered(packet)) = self.reverse[index].poll(now)
            {
                if self.mute != Some(path) {
                    self.returns(path, packet);
                    self.drain();
                }
            }
        }
        if let Some(info) = self.receiver.on_timer(now) {
            let path = self.ack_path;
            self.offer(false, path, Body::Ack(info), info.echo_sent_at, HEADER);
        }
        if self.sender.next_timer(now) <= now {
            self.sender.on_timer(now);
        }
        self.drain();
        assert!(self.sender.next_timer(now) > now, "a host must not spin: {now:?}");
    }

    fn is_to_be_dropped(&mut self, path: PathId, packet: &Datagram) -> bool {
        let is_data = matches!(packet.body, Body::Segment { .. });
        is_data && self.drop_next.take_if(|drop| *drop == path).is_some()
    }

    /// The path passes nothing more to the receiver, and nobody says so.
    pub(crate) fn silence(&mut self, path: PathId) {
        self.gone[path.index()] = true;
    }

    /// The path passes packets again.
    pub(crate) fn revive(&mut self, path: PathId) {
        self.gone[path.index()] = false;
    }

    /// A packet reaches the receiver, which answers over the same path.
    fn arrives(&mut self, path: PathId, packet: Datagram) {
        let (now, sent_at) = (self.now, packet.sent_at);
        match packet.body {
            Body::Segment { seq, tx } => {
                self.ack_path = path;
                self.notifier.on_data(path);
                let before = self.receiver.next();
                let payload = packet.bytes - HEADER;
                let arrival = Arrival { seq, tx: tx as u32, sent_at, payload };
                let info = self.receiver.on_segment(now, arrival);
                self.delivered.extend(before..self.receiver.next());
                self.arrivals.push(now);
                if let Some(info) = info {
                    self.offer(false, path, Body::Ack(info), info.echo_sent_at, HEADER);
                }
            }
            Body::Dummy { number } => {
                self.notifier.on_packet(path);
                let probe = Arrival { seq: 0, tx: number as u32, sent_at, payload: 0 };
                let info = self.receiver.on_probe(false, probe);
                self.offer(false, path, Body::DummyAck(info), sent_at, HEADER);
            }
            _ => panic!("ACKs take the other link"),
        }
    }

    fn returns(&mut self, path: PathId, packet: Datagram) {
        let now = self.now;
        self.received[path.index()] += u64::from(packet.bytes);
        match packet.body {
            Body::Ack(info) => {
                self.answered[path.index()] = true;
                self.sender.on_ack(now, &info);
            }
            Body::DummyAck(info) => {
                self.answered[path.index()] = true;
                self.sender.on_probe_ack(now, &info);
            }
            Body::Notice(notice) => {
                self.heard.push((notice, path));
                self.sender.on_notice(now, &notice, path, packet.bytes);
            }
            _ => panic!("data takes the other link"),
        }
    }

    /// Data packets that are in a link, by what went in and came out.
    pub(crate) fn under_way(&self) -> i64 {
        let out = self.receiver.arrived() + self.lost + self.dropped;
        self.data.len() as i64 - out as i64
    }

    /// Data packets that were sent over a path from this time on.
    pub(crate) fn sent_over(&self, path: PathId) -> usize {
        self.data.iter().filter(|data| data.1 == path).count()
    }
}
