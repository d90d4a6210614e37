//! Closed loops on paths that are written down as a few numbers: what a path does to packets is
//! computed from integers and [`Draws`](super::draws::Draws) alone, so that a trajectory is the
//! same on every machine, and changes with the controller only.

mod flow;
mod pipe;
mod print;
mod rival;
mod run;
mod storm;

use atl_core::path::{End, LinkReport};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;

pub(crate) use run::trajectory;

/// Bytes of a packet on the wire.
const PACKET: u32 = 1000;

/// A path, what happens on it, and what the sender is told of it.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    pub name: &'static str,
    pub lasts_ms: u64,
    /// When the sender begins.
    pub begins_ms: u64,
    /// The bottleneck's rate in kb/s, each from a time in milliseconds on.
    pub rates: &'static [(u64, u64)],
    /// Round-trip time of the empty path in microseconds, likewise.
    pub rtts: &'static [(u64, u64)],
    /// Limit on the packets that wait.
    pub queue: u32,
    pub losses: Losses,
    /// Packets are lost from the first to the second time, in milliseconds.
    pub dead: (u64, u64),
    /// Microseconds by which the delay rises and falls, and the period in milliseconds.
    pub sway: (u64, u64),
    /// Largest extra delay of a packet, in microseconds.
    pub jitter_us: u64,
    /// N and microseconds: one packet in N comes so much later that others overtake it.
    pub late: Option<(u64, u64)>,
    /// N: one packet in N arrives twice; zero for none.
    pub twice: u64,
    /// Packets in the queue from which on it marks those that arrive.
    pub mark_at: Option<u32>,
    /// The sender's own MAC tells which packets it gave up.
    pub mac_tells: bool,
    /// Packets for each ACK; the last ones wait for 40 ms.
    pub ack_every: usize,
    /// The application sends all it can for the first time, then a packet each third time for the
    /// second, and so on; in milliseconds.
    pub app: Option<(u64, u64, u64)>,
    /// A CUBIC sender shares the path from the first to the second time, in milliseconds.
    pub rival: Option<(u64, u64)>,
    /// That sender is of the controller's own kind instead.
    pub kin: bool,
    /// Rate of the access link in kb/s, if it is known.
    pub access: Option<u64>,
    /// The path was probed: window and slow start threshold in packets.
    pub probed: Option<(u32, u32)>,
    /// Each at a time in milliseconds, in their order.
    pub events: &'static [(u64, News)],
    /// The seed of a `storm`, and the longest time in milliseconds until it strikes again.
    pub storm: Option<(u64, u64)>,
}

/// Losses of the sender's own link, which a rival does not share, in millionths of its packets.
#[derive(Clone, Copy)]
pub(crate) enum Losses {
    None,
    Each(u64),
    /// The first begins a run of losses, and the second ends it.
    Runs(u64, u64),
}

/// Words to a sender, with losses in millionths and delays in milliseconds.
#[derive(Clone, Copy)]
pub(crate) enum News {
    Own(u64, u64),
    Peer(u64, u64),
    /// The delays of an end's link before and after it moves.
    Moves(End, u64, u64),
    Quench,
}

impl Course {
    /// 4 Mb/s, 60 ms, a queue of one bandwidth-delay product, for ten seconds.
    pub(crate) const PLAIN: Course = Course {
        name: "plain",
        lasts_ms: 10_000,
        begins_ms: 0,
        rates: &[(0, 4000)],
        rtts: &[(0, 60_000)],
        queue: 30,
        losses: Losses::None,
        dead: (0, 0),
        sway: (1000, 0),
        jitter_us: 0,
        late: None,
        twice: 0,
        mark_at: None,
        mac_tells: false,
        ack_every: 1,
        app: None,
        rival: None,
        kin: false,
        access: None,
        probed: None,
        events: &[],
        storm: None,
    };

    fn kbps(&self, now: u64) -> u64 {
        at(self.rates, now)
    }

    /// Nanoseconds from the transmitter to the sender's ACK.
    fn delay(&self, now: u64) -> u64 {
        let (period, most) = (self.sway.0 * 1_000_000, self.sway.1 * 1000);
        let phase = now % period;
        let risen = phase.min(period - phase) as u128 * 2 * u128::from(most) / u128::from(period);
        at(self.rtts, now) * 1000 + risen as u64
    }
}

/// The value in force at `now`, in nanoseconds.
fn at(steps: &[(u64, u64)], now: u64) -> u64 {
    let begun = steps.iter().take_while(|(from, _)| from * 1_000_000 <= now);
    begun.last().expect("a value from the start on").1
}

fn report(ppm: u64, ms: u64) -> LinkReport {
    LinkReport { loss: Probability::clamped(ppm as f64 / 1e6), delay: Span::from_millis(ms) }
}

const fn time(nanos: u64) -> Time {
    Time::from_nanos(nanos)
}
