//! Rate controllers behind their ledger, with events from the bytes.

use atl_core::path::LinkReport;
use atl_core::rate::{Ledger, RateConfig, RateStart, Report, Sent};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::{End, Handoff, ProbeAck};
use atl_engine::protocol::Transport;
use atl_scenario::protocol::catalogue;

use crate::bytes::Bytes;

/// Limit on the probes that one event may trigger.
const BURST: usize = 64;

/// All rate protocols in the catalogue.
pub(crate) fn configs() -> Vec<RateConfig> {
    let protocols =
        catalogue().iter().filter_map(|listed| atl_scenario::protocol::named(listed.name));
    protocols
        .filter_map(|protocol| match protocol.transport {
            Transport::Paced(config) => Some(config),
            Transport::Tcp(_) | Transport::Quic(_) => None,
        })
        .collect()
}

/// The first byte selects the controller; the others are events.
pub fn paced(data: &[u8]) {
    let mut bytes = Bytes(data);
    let configs = configs();
    let Some(chosen) = bytes.byte() else { return };
    let start = RateStart::default().packet_bytes(1040).target(1000.0).seed(1);
    let (least, most) = start.bounds();
    let mut controller = configs[usize::from(chosen) % configs.len()].build(&start);
    let mut ledger = Ledger::new();
    let mut now = Time::ZERO;
    let (mut probes, mut together) = (0, 0);
    while let Some(code) = bytes.byte() {
        match code & 15 {
            0..=3 => now = now.saturating_add(Span::from_micros(u64::from(bytes.u32()))),
            4 | 5 => {
                for _ in 0..=usize::from(code >> 4) {
                    let app_limited = code & 16 != 0;
                    let seq = ledger.on_sent(now, app_limited);
                    controller.on_sent(&Sent::new(now, seq, 1040).app_limited(app_limited));
                    // Pairs are sent at once; a gap that stays zero would send without an end.
                    together = if controller.gap().is_zero() { together + 1 } else { 0 };
                    assert!(together < 2, "packets without a gap");
                }
            }
            6..=8 => {
                let (seq, sent) = (u64::from(bytes.u16()), u64::from(bytes.u32()));
                let (sent_at, mask) = (Time::from_nanos(sent * 1000), bytes.u32());
                let rtt = ledger.on_ack(now, seq, sent_at, mask);
                controller.on_feedback(&ledger.feedback(now, Some((seq, sent_at)), rtt, None));
                ledger.clear_feedback();
            }
            9 | 10 => {
                let report = Report::default()
                    .highest(bytes.u64() >> ((code >> 4) * 4))
                    .received(bytes.u64() >> ((code >> 4) * 4))
                    .cumulative_lost(bytes.u64().cast_signed())
                    .fraction_lost(bytes.f64())
                    .jitter(Span::from_nanos(bytes.u64()))
                    .echo(Time::from_nanos(bytes.u64()))
                    .held(Span::from_nanos(bytes.u64()))
                    .receive_rate((code & 16 != 0).then(|| bytes.f64()))
                    .loss_event_rate((code & 32 != 0).then(|| bytes.f64()));
                let rtt = ledger.on_report(now, &report);
                let newest = Some((report.highest, report.echo));
                controller.on_feedback(&ledger.feedback(now, newest, rtt, Some(&report)));
                ledger.clear_feedback();
            }
            11 => ledger.on_link_failure(u64::from(bytes.u16())),
            12 => {
                let loss = Probability::clamped(f64::from(bytes.byte().unwrap_or(0)) / 250.0);
                let link = LinkReport { loss, delay: Span::from_micros(u64::from(bytes.u32())) };
                match code >> 4 & 1 {
                    0 => controller.on_link_report(now, &link),
                    _ => controller.on_peer_report(now, &link),
                }
            }
            13 => controller.on_handoff(&Handoff::new(
                now,
                if code & 16 == 0 { End::Own } else { End::Peer },
                Span::from_micros(u64::from(bytes.u32())),
                Span::from_micros(u64::from(bytes.u32())),
            )),
            14 => {
                let mut burst = 0;
                while controller.poll_probe(now) {
                    (burst, probes) = (burst + 1, probes + 1);
                    assert!(burst <= BURST, "endless probes");
                }
            }
            _ => {
                let number = u64::from(bytes.u16());
                let rtt = Span::from_micros(u64::from(bytes.u32()));
                if number < probes {
                    controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
                }
            }
        }
        let mut ticks = 0;
        while controller.next_timeout().is_some_and(|at| at <= now) {
            controller.on_tick(now);
            while controller.poll_probe(now) {
                probes += 1;
                ticks += 1;
            }
            ticks += 1;
            assert!(ticks < 10_000, "a timer that never moves on");
        }
        let rate = controller.rate();
        assert!(rate >= least && rate <= most, "{rate}");
    }
}
