//! A complete stack in some 200 lines: a TCP flow and a paced flow share two links of `atl-link`,
//! without a simulator. It obeys the contract of `Endpoint`, and checks the endpoints' promises.
//! in return.

use std::sync::Arc;

use atl_core::rate::{Arrived, RateConfig, RateStart, rcp_atl};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{ControllerConfig, Start, WindowController, atl, reno};
use atl_endpoint::Endpoint;
use atl_endpoint::app::{App, Source};
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};
use atl_endpoint::options::PeerInfo;
use atl_endpoint::paced::{self, Answer, PacedReceiver, PacedSender, Queue};
use atl_endpoint::tcp::{self, AckInfo, Arrival, Recovery, Tcp};
use atl_link::random::Stream;
use atl_link::{Cause, Config, Exit, Link, Packet};

const SEGMENT: u32 = 1000;
const HEADER: u32 = 40;
const FILE: u64 = 2_000_000;
const END: Time = Time::from_millis(30_000);

/// The contents of packets. ACKs of TCP carry the receiver's reports in their wire form.
enum Body {
    Segment { seq: u64, tx: u64 },
    Ack { info: AckInfo, reports: Vec<u8> },
    Media { seq: u64 },
    MediaAck { seq: u64, mask: u32 },
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
}

struct Host {
    now: Time,
    forward: Link<Datagram>,
    reverse: Link<Datagram>,
    tcp: tcp::Sender,
    tcp_receiver: tcp::Receiver,
    feedback: ReceiverFeedback,
    paced: PacedSender,
    paced_receiver: PacedReceiver,
    /// Segments handed to the application, as the receiver saw them arrive.
    arrived: Vec<u64>,
    media_arrived: u64,
    /// p_w as TCP's receiver reported it.
    reported: Vec<f64>,
    lost: u64,
    dropped: u64,
    /// Calls timers and polls endpoints more often than the contract asks for.
    eager: bool,
}

impl Host {
    fn new(controller: &ControllerConfig, recovery: Recovery, loss: f64, eager: bool) -> Self {
        let params = Tcp { segment: SEGMENT, header: HEADER, ..Tcp::default() };
        let start = Start::default().packet_bytes(SEGMENT + HEADER).seed(1);
        let app = |source: &Source| App::new(source, SEGMENT, Time::ZERO, Stream::new(1, "app"));
        let tcp = controller.build(&start);
        let rate = RateConfig::from(rcp_atl::Config::default());
        let target = Rate::from_mbps(2.0).packets_per_sec(SEGMENT + HEADER);
        let rate_start = RateStart::default().packet_bytes(SEGMENT + HEADER).target(target).seed(2);
        let queue = Queue::segments(app(&Source::Greedy), SEGMENT);
        let (rate_half, parts) = (rate.build_receiver(rate.feedback()), (SEGMENT, HEADER));
        let link = |name: &str, loss: f64| {
            let config = Config::constant(Rate::from_mbps(4.0), Span::from_millis(40), 50);
            let config = config.with_loss(Probability::clamped(loss));
            Link::new(Arc::new(config), Stream::new(7, name))
        };
        Host {
            now: Time::ZERO,
            forward: link("forward", loss),
            reverse: link("reverse", 0.0),
            tcp: tcp::Sender::new(recovery, tcp, &params, app(&Source::Fixed { bytes: FILE })),
            tcp_receiver: tcp::Receiver::of(recovery, &params),
            feedback: ReceiverFeedback::new(
                controller.build_receiver(&start),
                PeerReportSource::Link,
                SEGMENT + HEADER,
            ),
            paced: PacedSender::new(rate.build(&rate_start), queue, parts, Time::ZERO),
            paced_receiver: PacedReceiver::new(rate_half),
            arrived: Vec::new(),
            media_arrived: 0,
            reported: Vec::new(),
            lost: 0,
            dropped: 0,
            eager,
        }
    }

    fn send(&mut self, forward: bool, body: Body, sent_at: Time, bytes: u32) {
        let link = if forward { &mut self.forward } else { &mut self.reverse };
        self.dropped += u64::from(link.offer(self.now, Datagram { body, sent_at, bytes }).is_err());
    }

    /// Rule 2: drains both senders, and checks that drained endpoints stay silent until their timer
    /// is due.
    fn drain(&mut self) {
        let now = self.now;
        while let Some(out) = self.tcp.poll_output(now) {
            let tcp::Outgoing::Data { seq, tx, bytes, .. } = out else {
                panic!("only data: {out:?}")
            };
            self.send(true, Body::Segment { seq, tx }, now, bytes);
        }
        while let Some(out) = self.paced.poll_output(now) {
            let paced::Outgoing::Data { seq, payload, .. } = out else { panic!("only data") };
            self.send(true, Body::Media { seq }, now, payload + HEADER);
        }
        if self.eager {
            self.tcp.on_timer(now);
            self.paced.on_timer(now);
        }
        assert_eq!(self.tcp.poll_output(now), None, "a drained sender has nothing more to send");
        assert_eq!(self.paced.poll_output(now), None, "a drained sender has nothing more to send");
    }

    /// Rule 1: what comes out of the links, and timers, in the order of time.
    fn run(&mut self) {
        self.drain();
        while self.now < END {
            let timers = self.tcp.next_timer(self.now).min(self.paced.next_timer(self.now));
            let links = self.forward.next_event().min(self.reverse.next_event());
            self.now = timers.min(links);
            let now = self.now;
            while let Some(exit) = self.forward.poll(now) {
                match exit {
                    Exit::Delivered(packet) => self.arrives(packet),
                    Exit::Lost(packet, Cause::Error) => self.lost(packet),
                    other => panic!("not on this link: {:?}", std::mem::discriminant(&other)),
                }
            }
            while let Some(Exit::Delivered(packet)) = self.reverse.poll(now) {
                self.returns(packet);
                self.drain();
            }
            // Rule 3.
            if self.tcp.next_timer(now) <= now {
                self.tcp.on_timer(now);
            }
            if self.paced.next_timer(now) <= now {
                self.paced.on_timer(now);
            }
            self.drain();
            let timer = self.tcp.next_timer(now);
            assert!(timer > now, "a host must not spin: {:?} at {now:?}", self.tcp.recovery());
            assert!(self.paced.next_timer(now) > now, "a host must not spin: at {now:?}");
        }
    }

    /// The MAC of the sending host gave a packet up, and tells the paced sender. (TCP learns from
    /// its receiver.)
    fn lost(&mut self, packet: Datagram) {
        self.lost += 1;
        if let Body::Media { seq } = packet.body {
            self.paced.on_link_failure(seq);
        }
    }

    /// A packet reaches the receiving host, which answers on the spot.
    fn arrives(&mut self, packet: Datagram) {
        let (now, sent_at) = (self.now, packet.sent_at);
        match packet.body {
            Body::Segment { seq, tx } => {
                let before = self.tcp_receiver.next();
                self.feedback.on_data(now, tx as u32, sent_at);
                let payload = packet.bytes - HEADER;
                let arrival = Arrival { seq, tx: tx as u32, sent_at, payload };
                let info = self.tcp_receiver.on_segment(now, arrival).expect("no delayed ACKs");
                self.arrived.extend(before..self.tcp_receiver.next());
                let wants = self.feedback.wants_reading(now);
                let reading = wants.then(|| self.forward.report(now));
                let reports =
                    atl_wire::encode(&self.feedback.peer_info(now, reading)).as_ref().to_vec();
                let bytes = HEADER + reports.len() as u32;
                self.send(false, Body::Ack { info, reports }, sent_at, bytes);
            }
            Body::Media { seq } => {
                self.media_arrived += 1;
                let arrived = Arrived::new(now, seq, sent_at, packet.bytes);
                match self.paced_receiver.on_data(&arrived, packet.bytes - HEADER) {
                    Answer::Ack { mask, .. } => {
                        self.send(false, Body::MediaAck { seq, mask }, sent_at, HEADER);
                    }
                    other => panic!("RCP-ATL's receiver acknowledges each packet: {other:?}"),
                }
            }
            Body::Ack { .. } | Body::MediaAck { .. } => panic!("ACKs take the other link"),
        }
    }

    /// A packet is back at the sending host.
    fn returns(&mut self, packet: Datagram) {
        let now = self.now;
        match packet.body {
            Body::Ack { info, reports } => {
                let PeerInfo { link_report, .. } =
                    atl_wire::decode(&reports).expect("an encoded message");
                if let Some(report) = link_report {
                    self.reported.push(report.link.loss.get());
                    self.tcp.on_peer_link_report(now, &report);
                }
                self.tcp.on_ack(now, &info);
            }
            Body::MediaAck { seq, mask } => {
                let report = self.forward.report(now);
                self.paced.on_link_report(now, &report);
                self.paced.on_ack(now, seq, packet.sent_at, mask);
            }
            Body::Segment { .. } | Body::Media { .. } => panic!("data takes the other link"),
        }
    }
}

fn run(controller: &ControllerConfig, recovery: Recovery, loss: f64, eager: bool) -> Host {
    let mut host = Host::new(controller, recovery, loss, eager);
    host.run();
    host
}

fn tcp_atl() -> ControllerConfig {
    ControllerConfig::from(atl::Config::default())
}

/// Everything that the run showed.
fn trace(host: &Host) -> (Option<Time>, tcp::SenderCounts, u64, u64, u64, u64) {
    let media = (host.paced.sent(), host.media_arrived);
    (host.tcp.finished(), host.tcp.counts(), media.0, media.1, host.lost, host.dropped)
}

#[test]
fn a_tcp_and_a_paced_flow_share_links_without_a_simulator() {
    let host = run(&tcp_atl(), Recovery::Sack, 0.01, false);
    // Every byte once and in order.
    assert_eq!(host.arrived, (0..FILE / u64::from(SEGMENT)).collect::<Vec<_>>());
    // 2 MB at the 2 Mb/s that the media leaves would take 8 s; losses must not cost much more than
    // that again.
    let finished = host.tcp.finished().expect("the file arrives");
    assert!(finished < Time::from_millis(16_000), "{finished:?}");
    // RCP-ATL holds most of its 2 Mb/s through losses of 1 % that are not congestion.
    let goodput = host.paced_receiver.payload_bytes() as f64 * 8.0 / END.secs();
    assert!(goodput > 1.2e6 && goodput < 2.0e6, "{goodput}");
    // Packets are conserved.
    let sent = host.tcp.counts().sent + host.paced.sent();
    let under_way = host.forward.held() as u64;
    let arrived = host.tcp_receiver.arrived() + host.media_arrived;
    assert_eq!(sent, arrived + host.lost + host.dropped + under_way);
    // The receiver's reports arrived in their wire form, and TCP-ATL used them.
    let mean = host.reported.iter().sum::<f64>() / host.reported.len() as f64;
    assert!((0.004..0.02).contains(&mean), "{mean}");
    let split = host.tcp.controller().adaptation().expect("TCP-ATL has adapted").split;
    assert_eq!(split.wireless.delay, Span::from_millis(40));
}

/// Reno takes each loss for congestion: what link reports buy shows without a simulator too.
#[test]
fn without_reports_the_same_transfer_takes_longer() {
    let finished = |controller: &ControllerConfig| {
        run(controller, Recovery::Sack, 0.01, false)
            .tcp
            .finished()
            .map_or(f64::INFINITY, Time::secs)
    };
    let reno = ControllerConfig::from(reno::Config::default());
    assert!(finished(&reno) > 1.5 * finished(&tcp_atl()));
}

/// The contract's promises: timers that are called too early, and endpoints polled too often,
/// change nothing.
#[test]
fn a_host_may_call_more_often_than_the_contract_asks() {
    for recovery in Recovery::ALL.into_iter().filter(|recovery| recovery.repairs()) {
        for loss in [0.0, 0.02] {
            let (plain, eager) = (false, true);
            let once = trace(&run(&tcp_atl(), recovery, loss, plain));
            assert_eq!(once, trace(&run(&tcp_atl(), recovery, loss, eager)), "{recovery:?}");
        }
    }
}
