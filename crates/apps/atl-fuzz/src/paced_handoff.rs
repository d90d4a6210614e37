//! The ends of a paced flow with several paths, with signals, notices, dummies and reports from the
//! bytes.

use atl_core::path::{PathId, PathSignal};
use atl_core::rate::{Arrived, RateStart};
use atl_core::roaming::{NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_endpoint::app::{App, Source};
use atl_endpoint::handoff::{HandoffReport, Notice};
use atl_endpoint::paced::{MOST_DUMMIES, Outgoing, PacedReceiver, PacedSender, Queue};
use atl_link::random::Stream;

use crate::bytes::Bytes;
use crate::paced::configs;

const PACKET: u32 = 540;
const HEADER: u32 = 40;
/// Time steps within one event.
const STEPS: usize = 5000;

fn signal(code: u8, path: u8) -> PathSignal {
    let path = PathId::new(path % 4);
    match code % 3 {
        0 => PathSignal::Imminent(path),
        1 => PathSignal::Done(path),
        _ => PathSignal::Gone(path),
    }
}

/// The first bytes choose the controller and the behaviour on a new path; the others are events.
pub fn paced_handoff(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (Some(law), Some(how)) = (bytes.byte(), bytes.byte()) else { return };
    let configs = configs();
    let config = &configs[usize::from(law) % configs.len()];
    let probe = Probe {
        over: (how & 8 != 0).then(|| Span::from_millis(u64::from(how))),
        validate: how & 4 != 0,
        ..Probe::default()
    };
    let how = match how & 3 {
        0 => NewPath::Keep,
        1 => NewPath::Reset,
        _ => NewPath::Probe(probe),
    };
    let start = RateStart::default().packet_bytes(PACKET).target(200.0).seed(1);
    let app = App::new(&Source::Greedy, PACKET - HEADER, Time::ZERO, Stream::new(1, "app"));
    let queue = Queue::segments(app, PACKET - HEADER);
    let parts = (PACKET - HEADER, HEADER);
    let mut sender = PacedSender::new(config.build(&start), queue, parts, Time::ZERO)
        .with_new_path(how, config.clone(), start);
    let mode = config.feedback();
    let mut receiver =
        PacedReceiver::new(config.build_receiver(mode)).with_new_path(how, config.clone(), mode);
    let (least, most) = start.bounds();
    let mut now = Time::ZERO;
    let mut delivered = None;
    let mut dummies = 0_u64;
    while let Some(code) = bytes.byte() {
        let path = PathId::new(code >> 4 & 3);
        match code & 15 {
            0..=3 => {
                // Time passes in the steps that the contract of the ends asks for.
                let until = now.saturating_add(Span::from_millis(u64::from(bytes.u16())));
                for _ in 0..STEPS {
                    let next = sender.next_timer(now).min(receiver.next_timer());
                    if next > until {
                        break;
                    }
                    now = next.max(now);
                    if receiver.next_timer() <= now {
                        receiver.on_timer(now);
                    }
                    sender.on_timer(now);
                    dummies += drain(&mut sender, now);
                    while receiver.poll_handoff_report(now).is_some() {}
                    assert!(sender.next_timer(now) > now && receiver.next_timer() > now);
                }
            }
            4 => sender.on_path_signal(now, signal(bytes.byte().unwrap_or(0), code >> 4)),
            5 => receiver.on_path_signal(now, signal(bytes.byte().unwrap_or(0), code >> 4)),
            6 | 7 => {
                let kind = bytes.byte().unwrap_or(0);
                let sequence = if kind & 128 != 0 { bytes.u32() } else { u32::from(kind >> 2) };
                let signal = signal(kind, code >> 4);
                let notice = Notice { sequence, signal, tag: bytes.u64() };
                sender.on_notice(now, &notice, path, u32::from(bytes.u16()));
            }
            8 => {
                let report = HandoffReport {
                    path,
                    probe: bytes.byte().unwrap_or(0),
                    highest: bytes.u32() >> (code >> 4),
                    received: bytes.u32() >> (code >> 4),
                    bytes: bytes.u64() >> (code >> 4),
                    span: Span::from_nanos(bytes.u64()),
                    window: Span::from_nanos(bytes.u64()),
                    ..HandoffReport::default()
                };
                sender.on_handoff_report(now, &report);
            }
            9 => sender.on_probe_ack(now, u64::from(bytes.u32()), Time::from_nanos(bytes.u64())),
            10 | 11 => {
                let seq = u64::from(bytes.u16());
                let sent_at = Time::from_nanos(bytes.u64() >> 20);
                sender.on_ack(now, seq, sent_at, bytes.u32());
            }
            12 | 13 => {
                let seq = bytes.u64() >> (48 + (code >> 4) % 8);
                let sent_at = Time::from_nanos(bytes.u64() >> 20);
                receiver.on_data(&Arrived::new(now, seq, sent_at, PACKET).path(path), PACKET);
            }
            14 => {
                let number = u64::from(bytes.u32());
                receiver.on_dummy(&Arrived::new(now, number, now, PACKET).path(path));
            }
            _ => {
                if let Some(report) = receiver.report(now) {
                    sender.on_report(now, &report);
                }
            }
        }
        dummies += drain(&mut sender, now);
        while receiver.poll_handoff_report(now).is_some() {}
        while let Some(seq) = receiver.poll_delivery() {
            assert!(delivered.is_none_or(|last| seq > last), "{seq} after {delivered:?}");
            delivered = Some(seq);
        }
        let rate = sender.controller().rate();
        assert!(rate >= least && rate <= most, "{rate}");
    }
    // A probe begins at most once a second.
    let probes = now.secs() as u64 + 2;
    assert!(dummies <= probes * u64::from(MOST_DUMMIES));
}

/// Sends the packets that are due. Returns how many of them were low-priority.
fn drain(sender: &mut PacedSender, now: Time) -> u64 {
    let mut low = 0;
    for sent in 0.. {
        match sender.poll_send(now) {
            None => break,
            Some(Outgoing::Data { .. }) => {}
            Some(Outgoing::Probe { .. } | Outgoing::Challenge { .. }) => low += 1,
        }
        assert!(sent < 200, "a burst without an end");
    }
    low
}
