//! The margins: the greatest differences that still count as equivalent.

use atl_core::time::Span;
use atl_link::{Conditions, Config, Delay, Loss, Service};
use serde::Serialize;

/// Family-wise level: the chance that any one of a battery's intervals misses, or any one of its
/// tests rejects, although nothing differs.
pub const LEVEL: f64 = 0.05;

/// Margins of a case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Margins {
    /// Of the rate delivered, relative to the expected one.
    pub rate: f64,
    /// Of delays, in seconds.
    pub delay_s: f64,
    /// Of the distance between two distributions of delays, each shifted by up to the margin of
    /// delays.
    pub distance: f64,
    /// Of shares of packets (lost, dropped) and of the mean length of runs, relative.
    pub relative: f64,
    /// Lower bound on the margin of a share of packets.
    pub share: f64,
    /// Of the packets that arrive in a twentieth of the run, as a share of those sent in it.
    pub course: f64,
}

impl Margins {
    /// The margins of every case, before its link is looked at; half a millisecond for delays.
    pub const ALL: Margins = Margins {
        rate: 0.01,
        delay_s: 0.000_5,
        distance: 0.1,
        relative: 0.15,
        share: 0.002,
        course: 0.02,
    };

    /// The margins of a link that carries packets of `bytes` bytes: one packet more or less in a
    /// queue is within them.
    pub fn of(config: &Config, bytes: u32) -> Margins {
        let changes = config.schedule.iter().map(|change| &change.to);
        let times =
            std::iter::once(&config.initial).chain(changes).map(|to| packet_time(to, bytes));
        let slowest = times.max().unwrap_or(Span::ZERO);
        Margins { delay_s: Margins::ALL.delay_s.max(slowest.secs()), ..Margins::ALL }
    }
}

fn packet_time(conditions: &Conditions, bytes: u32) -> Span {
    match &conditions.service {
        Service::Constant(rate) => rate.time_for(u64::from(bytes)),
        Service::Ramp(ramp) => ramp.lowest().time_for(u64::from(bytes)),
        Service::Blocked(sight) => sight.blocked.time_for(u64::from(bytes)),
        Service::Wifi(wifi) => wifi.mean_rate().time_for(u64::from(bytes)),
        Service::Unlimited => Span::ZERO,
        Service::Trace(trace) => trace.mean_rate().time_for(u64::from(bytes)),
    }
}

/// True if the link changes over time by itself: by a schedule, a blackout or a trace.
pub(crate) fn changes(config: &Config) -> bool {
    let traced = |to: &Conditions| {
        matches!(to.service, Service::Trace(_) | Service::Ramp(_) | Service::Blocked(_))
            || matches!(to.delay, Delay::Trace(_))
    };
    !config.schedule.is_empty() || !config.blackouts.is_empty() || traced(&config.initial)
}

/// True if the link draws which packets it loses.
pub(crate) fn loses(config: &Config) -> bool {
    config.initial.loss != Loss::None && config.blackouts.is_empty()
}
