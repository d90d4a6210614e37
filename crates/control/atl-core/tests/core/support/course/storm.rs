//! Storms: a path that becomes another one now and then, and a transport that tells things which
//! are rare, or wrong.
//!
//! All rates and delays are such that packets come at multiples of half a millisecond. Two that
//! a controller compares are often equal then; elsewhere only by chance.

use atl_core::path::{End, Handoff};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::{
    Ack, Detection, Loss, Marked, Probe, ProbeAck, Quench, Start, Timeout, WindowController,
};

use super::{Course, Losses, report};
use crate::support::draws::Draws;

/// All times are multiples of this, in nanoseconds.
pub(super) const GRAIN: u64 = 500_000;

/// Rates at which a packet takes 10 to 0.5 ms, and round trips.
const RATES: [&[(u64, u64)]; 5] =
    [&[(0, 800)], &[(0, 2000)], &[(0, 4000)], &[(0, 8000)], &[(0, 16_000)]];
const RTTS: [&[(u64, u64)]; 6] = [
    &[(0, 5000)],
    &[(0, 20_000)],
    &[(0, 50_000)],
    &[(0, 50_000)],
    &[(0, 100_000)],
    &[(0, 400_000)],
];
const QUEUES: [u32; 5] = [3, 10, 30, 30, 100];
const ACKS: [usize; 6] = [1, 1, 1, 2, 2, 9];
/// Delays and shares that links tell of, in milliseconds and millionths.
const DELAYS: [u64; 5] = [0, 1, 5, 20, 60];
const SHARES: [u64; 6] = [0, 1, 1000, 10_000, 50_000, 400_000];

fn pick<T: Copy>(draws: &mut Draws, from: &[T]) -> T {
    from[draws.below(from.len() as u64) as usize]
}

/// Another start than that of the other paths.
pub(super) fn start(draws: &mut Draws, start: Start) -> Start {
    let rtt = pick(draws, &[None, None, Some(Span::ZERO), Some(Span::from_millis(50))]);
    let access = pick(draws, &[None, None, Some(Rate::from_bps(6e6))]);
    start
        .packet_bytes(pick(draws, &[1000, 1000, 1, 40_000, 0]))
        .initial_window(pick(draws, &[10.0, 10.0, 1.0, 2.5, 60.0]))
        .receive_window(pick(draws, &[5000, 5000, 40, 1]))
        .access_rate(access)
        .rtt(rtt)
        .seed(draws.next())
}

/// The path from now on: some of its properties change.
pub(super) fn next(draws: &mut Draws, course: &Course) -> Course {
    let mut next = *course;
    for _ in 0..1 + draws.below(3) {
        match draws.below(9) {
            0 => next.rates = pick(draws, &RATES),
            1 => next.rtts = pick(draws, &RTTS),
            2 => next.queue = pick(draws, &QUEUES),
            3 => {
                next.losses = match draws.below(5) {
                    0 => Losses::Each(2000),
                    1 => Losses::Each(30_000),
                    2 => Losses::Runs(5000, 300_000),
                    _ => Losses::None,
                };
            }
            4 => {
                next.mac_tells = draws.chance();
                next.mark_at = pick(draws, &[None, None, None, Some(1), Some(5), Some(20)]);
            }
            5 => next.ack_every = pick(draws, &ACKS),
            6 => next.late = pick(draws, &[None, None, Some((200, 30_000)), Some((30, 9000))]),
            7 => {
                let idle = Some((30, 1500, 60_000));
                next.app = pick(
                    draws,
                    &[None, None, None, idle, Some((1, 1000, 7)), Some((400, 300, 20))],
                );
            }
            _ => next.twice = pick(draws, &[0, 0, 0, 50]),
        }
    }
    next
}

/// An ACK of a transport that knows little, or says too much.
fn ack(draws: &mut Draws, now: Time) -> Ack {
    let delivered = pick(draws, &[0, 0, 1, 2]);
    let any = draws.below(5000);
    let newest = pick(draws, &[None, Some(any), Some(0), Some(1 << 40)]);
    let rtts = [Span::ZERO, Span::from_millis(50), Span::from_millis(200)];
    let rtt = pick(draws, &[None, Some(rtts[0]), Some(rtts[1]), Some(rtts[2])]);
    Ack::new(now)
        .delivered(delivered)
        .cumulative(pick(draws, &[0, delivered]))
        .duplicate(draws.chance())
        .newest(newest.map(|tx| (tx, now)))
        .rtt(rtt)
        .srtt(pick(draws, &rtts))
        .rtt_min(pick(draws, &rtts))
        .in_flight(pick(draws, &[0, 1, 9, 100]))
        .in_recovery(draws.chance())
        .window_limited(draws.chance())
}

/// Events that are rare on any path, that only some transports tell, or that none should.
pub(super) fn tell(draws: &mut Draws, now: Time, controller: &mut dyn WindowController) {
    let ms = Span::from_millis;
    let told = report(pick(draws, &SHARES), pick(draws, &DELAYS));
    let (old, new) = (ms(pick(draws, &DELAYS)), ms(pick(draws, &DELAYS)));
    match draws.below(40) {
        0 | 1 => controller.on_link_report(now, &told),
        2 | 3 => controller.on_peer_report(now, &told),
        4 => controller.on_handoff(&Handoff::new(now, End::Own, old, new)),
        5 => controller.on_handoff(&Handoff::new(now, End::Peer, old, new)),
        6 => controller.on_quench(&Quench::new(now, draws.below(9) as u32)),
        7 => {
            controller.on_spurious(now);
        }
        8 => controller.on_recovered(now),
        9 => controller.on_tick(now),
        10 => controller.on_peer_rate(now, pick(draws, &[0.0, 1.0, 100.0, 2000.0])),
        11 => controller.on_timeout(&Timeout::new(now, 0).consecutive(draws.below(3) as u32)),
        12 => controller.on_ack(&Ack::new(now)),
        13 | 14 | 22 | 23 => controller.on_ack(&ack(draws, now)),
        15 => controller.on_loss(&Loss::new(now, draws.below(50), 0, 0).packets(0)),
        16 => controller.on_loss(&Loss::new(now, draws.below(50), 1000, 1).link_failures(1)),
        17 => {
            let loss = Loss::new(now, draws.below(5000), 3000, 3).packets(3);
            controller.on_loss(&loss.detection(Detection::Timeout).link_failures(2));
        }
        18 => controller.on_marked(&Marked::new(now, draws.below(5000), 0).packets(3)),
        19 => controller.on_probe_ack(&ProbeAck::new(now, draws.below(99), ms(50))),
        20 => {
            if let Some(Probe::Dummy) = controller.poll_probe(now) {
                controller.on_probe_ack(&ProbeAck::new(now, 0, ms(50)));
            }
        }
        21 => {
            for _ in 0..3 {
                controller.on_spurious(now);
                controller.on_loss(&Loss::new(now, draws.below(5000), 1000, 9));
            }
            controller.on_spurious(now);
        }
        _ => {}
    }
}
