//! A TCP sender behind a receiver, and a host, that say anything.

use std::collections::BTreeSet;

use atl_core::path::{LinkReport, PathId, PathSignal};
use atl_core::roaming::{NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::{ControllerConfig, Start, WindowController as _};
use atl_endpoint::Endpoint as _;
use atl_endpoint::app::{App, Source};
use atl_endpoint::options::{SackBlock, SackBlocks};
use atl_endpoint::tcp::{AckInfo, EcnMode, FrozenBy, Nagle, Outgoing, Recovery, Sender, Tcp};
use atl_engine::protocol::Transport;
use atl_link::random::Stream;
use atl_scenario::protocol::{catalogue, named};
use atl_wire::PeerLinkReport;

use crate::bytes::Bytes;

const SEGMENT: u32 = 1000;
const HEADER: u32 = 40;
/// Segments that the application has.
const SEGMENTS: u64 = 300;
/// Segments that the receiver has room for.
const ROOM: u32 = 64;
/// Timers within one event, and packets at one time, at most.
const STEPS: usize = 2_000;
/// Round trips after the last event, within which everything must be acknowledged.
const CLEAN: usize = 1_500;
/// The other path of a sender that has two.
const OTHER: PathId = PathId::new(1);

/// All window controllers of the catalogue.
pub(crate) fn laws() -> Vec<ControllerConfig> {
    let protocols = catalogue().iter().filter_map(|listed| named(listed.name));
    protocols
        .filter_map(|protocol| match protocol.transport {
            Transport::Tcp(tcp) => Some(tcp.controller),
            Transport::Paced(_) | Transport::Quic(_) => None,
        })
        .collect()
}

/// A sender, and all that a network may know of it.
struct Host {
    sender: Sender,
    recovery: Recovery,
    now: Time,
    /// The first segment that was never sent.
    next: u64,
    /// Segments whose arrival an ACK has shown, and that are not acknowledged otherwise.
    selected: BTreeSet<u64>,
    /// When each transmission left, and its segment.
    sent: Vec<(Time, u64)>,
    probes: u64,
    /// The receiver announces its room.
    announces: bool,
}

/// The first bytes choose the law, the recovery and the options; the others are events. Segments
/// are sent in order, once each until they count as lost; one that has been acknowledged, or
/// selectively so, is never sent again; no more than the receiver has room for is outstanding; the
/// sender never spins. Whatever was said, acknowledgments of everything then complete the transfer.
pub fn acks(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (Some(law), Some(how), Some(options)) = (bytes.byte(), bytes.byte(), bytes.byte()) else {
        return;
    };
    let laws = laws();
    let mut host = Host::new(
        &laws[usize::from(law) % laws.len()],
        Recovery::ALL[usize::from(how) % Recovery::ALL.len()],
        (how >> 4, options),
    );
    host.drain();
    while let Some(code) = bytes.byte() {
        host.event(code, &mut bytes);
        host.drain();
    }
    host.complete();
}

impl Host {
    fn new(law: &ControllerConfig, recovery: Recovery, (roams, options): (u8, u8)) -> Host {
        let has = |bit: u8| options & 1 << bit != 0;
        let tcp = Tcp {
            segment: SEGMENT,
            header: HEADER,
            receive_window: ROOM,
            handshake: has(0),
            timestamps: !has(1),
            delayed_ack: has(2).then(|| Span::from_millis(40)),
            nagle: if has(3) { Nagle::Rfc896 } else { Nagle::Minshall },
            ecn: has(4).then_some(EcnMode::Accurate),
            ..Tcp::default()
        };
        let start = Start::default()
            .packet_bytes(SEGMENT + HEADER)
            .initial_window(10.0)
            .receive_window(ROOM)
            .seed(1);
        let source = Source::Fixed { bytes: SEGMENTS * u64::from(SEGMENT) };
        let app = App::new(&source, SEGMENT, Time::ZERO, Stream::new(1, "app"));
        let mut sender = Sender::new(recovery, law.build(&start), &tcp, app);
        // Several paths and an announced window exclude each other.
        let announces = has(5) && roams & 1 == 0;
        if announces {
            sender = sender.with_announced_windows();
        } else if roams & 1 != 0 {
            let how = match roams >> 1 & 3 {
                0 => NewPath::Keep,
                1 => NewPath::Reset,
                2 => NewPath::Probe(Probe { validate: true, ..Probe::default() }),
                _ => NewPath::Probe(Probe::default()),
            };
            sender = sender.with_new_path(how, law.clone(), start);
        }
        Host {
            sender,
            recovery,
            now: Time::ZERO,
            next: 0,
            selected: BTreeSet::new(),
            sent: Vec::new(),
            probes: 0,
            announces,
        }
    }

    /// Rule 2 of the contract of endpoints, and all that must hold of what is sent.
    fn drain(&mut self) {
        let now = self.now;
        for _ in 0..STEPS {
            let una = self.sender.una();
            self.selected = self.selected.split_off(&una);
            let Some(out) = self.sender.poll_output(now) else {
                assert_eq!(self.sender.poll_output(now), None, "drained, and more to send");
                return self.look();
            };
            match out {
                Outgoing::Data { seq, tx, bytes, .. } => {
                    assert_eq!(tx, self.sent.len() as u64, "transmissions count up");
                    assert!(bytes > HEADER && bytes <= SEGMENT + HEADER, "{bytes} bytes");
                    if seq == self.next {
                        self.next += 1;
                        let held = self.next - una;
                        assert!(held <= ROOM.into() || self.announces, "{held} outstanding");
                    } else {
                        assert!((una..self.next).contains(&seq), "{seq} of {una}..{}", self.next);
                        assert!(self.recovery.repairs(), "{seq} is sent again");
                        assert!(!self.selected.contains(&seq), "{seq} has arrived");
                    }
                    self.sent.push((now, seq));
                }
                Outgoing::Probe { number, segment, bytes, .. } => {
                    self.probes = self.probes.max(number.saturating_add(1));
                    assert!(segment.is_none_or(|seq| seq == una) && bytes <= SEGMENT + HEADER);
                }
                Outgoing::Syn { .. } => assert!(self.sent.is_empty(), "a request after data"),
                Outgoing::WindowProbe | Outgoing::Challenge { .. } => {}
            }
        }
        panic!("{STEPS} packets at {now:?}: {}", self.words());
    }

    /// Its state in short, for messages.
    fn words(&mut self) -> String {
        let timer = self.sender.next_timer(self.now);
        let controller = self.sender.controller();
        format!(
            "{:?} at {:?}, {}..{}, {} in flight, timer {timer:?}, srtt {:?}, cwnd {}, release {:?}, \
             tick {:?}, frozen {}, {:?}, {:?}",
            self.recovery,
            self.now,
            self.sender.una(),
            self.next,
            self.sender.in_flight(),
            self.sender.srtt(),
            controller.window(),
            controller.release_at(),
            controller.next_timeout(),
            self.sender.is_frozen(),
            self.sender.counts(),
            controller.inner(),
        )
    }

    fn look(&self) {
        let sender = &self.sender;
        let outstanding = self.next - sender.una();
        let flight = u64::from(sender.in_flight()) + u64::from(sender.in_flight_elsewhere());
        assert!(flight <= outstanding, "{flight} in flight of {outstanding}");
        let window = sender.controller().window();
        assert!(window.is_finite() && window >= 1.0, "cwnd is {window}");
        let counts = sender.counts();
        assert_eq!(counts.sent, self.sent.len() as u64);
        assert!(counts.retransmissions == counts.sent - self.next);
    }

    /// Rule 3 of the contract of endpoints: timers expire as they are due, until this time or until
    /// [`STEPS`] of them have.
    fn wait(&mut self, until: Time) {
        for _ in 0..STEPS {
            let due = self.sender.next_timer(self.now);
            if due > until {
                self.now = until;
                return;
            }
            self.now = self.now.max(due);
            self.sender.on_timer(self.now);
            self.drain();
            let next = self.sender.next_timer(self.now);
            assert!(next > self.now, "a host must not spin: {}", self.words());
        }
    }

    /// An ACK of anything.
    fn wild(bytes: &mut Bytes<'_>) -> AckInfo {
        let mut sack = SackBlocks::default();
        let code = bytes.byte().unwrap_or(0);
        let ack = bytes.u64() >> (code & 63);
        for block in &mut sack[..usize::from(code >> 6)] {
            *block = SackBlock { offset: bytes.u32(), len: bytes.u32() };
        }
        AckInfo {
            ack,
            echo_tx: bytes.u32(),
            echo_sent_at: Time::from_nanos(bytes.u64()),
            ecn_flags: code,
            sack,
        }
    }

    /// An ACK as a receiver may send it: of outstanding segments, with blocks above them, and the
    /// echo of a transmission that was made.
    fn likely(&self, bytes: &mut Bytes<'_>) -> AckInfo {
        let [ahead, echo, blocks, flags] = bytes.number();
        let una = self.sender.una();
        let ack = una + u64::from(ahead >> 3) % (self.next - una + 1);
        let mut sack = SackBlocks::default();
        for block in &mut sack[..usize::from(blocks & 3)] {
            let [offset, len] = bytes.number().map(|n: u8| u32::from(n % 64));
            *block = SackBlock { offset: offset.wrapping_sub(u32::from(blocks >> 7)), len };
        }
        let tx = self.sent.len().saturating_sub(1 + usize::from(echo));
        let sent_at = self.sent.get(tx).map_or(Time::MAX, |(at, _)| *at);
        AckInfo { ack, echo_tx: tx as u32, echo_sent_at: sent_at, ecn_flags: flags & 7, sack }
    }

    /// Notes the arrivals that an ACK shows, if it is one of data that was sent.
    fn note(&mut self, info: &AckInfo, connected: bool) {
        let una = self.sender.una();
        let selective = self.recovery.receiver().sack && info.sack[0].len != 0;
        if !connected || !selective || info.ack > self.next || info.ack < una {
            return;
        }
        for block in info.sack {
            let from = info.ack + u64::from(block.offset);
            let to = (from + u64::from(block.len)).min(self.next);
            self.selected.extend(from.max(una)..to);
        }
    }

    fn acknowledge(&mut self, info: &AckInfo) {
        let (una, connected) = (self.sender.una(), !self.sent.is_empty());
        self.sender.on_ack(self.now, info);
        let valid = connected && (una..=self.next).contains(&info.ack);
        let expected = if valid { info.ack } else { una };
        assert_eq!(self.sender.una(), expected, "{info:?} from {una}, {} sent", self.next);
        if valid {
            self.note(info, connected);
        }
    }

    fn event(&mut self, code: u8, bytes: &mut Bytes<'_>) {
        let now = self.now;
        match code & 15 {
            0 => self.wait(now.saturating_add(Span::from_millis(u64::from(code >> 4)))),
            1 => self.wait(now.saturating_add(Span::from_micros(u64::from(bytes.u32() >> 6)))),
            2..=6 => {
                let info = self.likely(bytes);
                self.acknowledge(&info);
            }
            7 => {
                let info = Self::wild(bytes);
                self.acknowledge(&info);
            }
            8 => {
                let info = AckInfo { echo_sent_at: Time::MAX, ..self.likely(bytes) };
                let connected = !self.sent.is_empty();
                self.sender.on_repeated_ack(now, &info);
                self.note(&info, connected);
            }
            9 => {
                let info = if code & 16 == 0 { self.likely(bytes) } else { Self::wild(bytes) };
                let low = if code & 32 == 0 { u64::from(info.echo_tx) } else { self.probes };
                let info = AckInfo { echo_tx: low as u32, ..info };
                let connected = !self.sent.is_empty();
                self.sender.on_probe_ack(now, &info);
                self.note(&info, connected);
            }
            10 => {
                let loss = Probability::clamped(bytes.f64());
                let link = LinkReport { loss, delay: Span::from_nanos(bytes.u64()) };
                match code >> 4 & 3 {
                    0 => self.sender.on_link_report(now, &link),
                    _ => {
                        let report = PeerLinkReport { epoch: bytes.u32(), link };
                        self.sender.on_peer_link_report(now, &report);
                    }
                }
            }
            11 if code & 16 == 0 => self.sender.on_peer_rate(now, bytes.f64()),
            11 => self.sender.on_ecn_option(bytes.u32()),
            12 => {
                let by = if code & 16 == 0 { FrozenBy::Peer } else { FrozenBy::Host };
                match code & 32 {
                    0 => self.sender.freeze(now, by),
                    _ => self.sender.thaw(now, by),
                }
            }
            13 => match code >> 4 & 3 {
                0 => self.sender.on_quench(now),
                1 => self.sender.on_window(bytes.u64() >> (code >> 2), bytes.u32()),
                _ => self.sender.on_link_failure(bytes.u16().into(), bytes.u32()),
            },
            14 => {
                let path = PathId::new(code >> 4 & 3);
                let signal = match bytes.byte().unwrap_or(0) % 3 {
                    0 => PathSignal::Imminent(path),
                    1 => PathSignal::Done(path),
                    _ => PathSignal::Gone(path),
                };
                self.sender.on_path_signal(now, signal);
            }
            _ => {
                self.sender.on_syn_ack(now, Time::from_nanos(bytes.u64()), code >> 4);
                // Too early, it changes nothing.
                self.sender.on_timer(now);
            }
        }
    }

    /// From here on the receiver is honest, has everything that was sent, and the host stays where
    /// it is.
    fn complete(&mut self) {
        for by in [FrozenBy::Peer, FrozenBy::Host] {
            self.sender.thaw(self.now, by);
        }
        self.sender.on_path_signal(self.now, PathSignal::Imminent(OTHER));
        self.drain();
        self.sender.on_path_signal(self.now, PathSignal::Done(OTHER));
        self.drain();
        for _ in 0..CLEAN {
            if self.sender.finished().is_some() {
                assert_eq!((self.sender.una(), self.next), (SEGMENTS, SEGMENTS));
                return assert_eq!(self.sender.in_flight(), 0);
            }
            let arrives = self.now.saturating_add(Span::from_millis(50));
            let due = self.sender.next_timer(self.now);
            let (now, una) = (self.now, self.sender.una());
            if self.sent.is_empty() {
                self.sender.on_syn_ack(now, now, 0);
            } else if una < self.next {
                let tx = self.sent.len() - 1;
                let (echo_sent_at, echo_tx) = (self.sent[tx].0, tx as u32);
                self.now = arrives.min(due.max(now));
                let sack = SackBlocks::default();
                let ack = self.next;
                self.acknowledge(&AckInfo { ack, echo_tx, echo_sent_at, ecn_flags: 0, sack });
                if self.announces {
                    self.sender.on_window(ack, ROOM);
                }
            } else {
                assert!(due < Time::MAX, "nothing would ever happen again: {}", self.words());
                self.now = due.max(now);
                if self.announces {
                    self.sender.on_window(una, ROOM);
                }
            }
            self.drain();
            self.sender.on_timer(self.now);
            self.drain();
        }
        panic!("{} of {SEGMENTS} are acknowledged: {}", self.sender.una(), self.words());
    }
}
