//! A check of the yardstick itself: the same probes through the whole simulator, as a flow that
//! ignores its acknowledgments.
//!
//! A fixed window without error control and a source with a constant bit rate make a TCP flow of
//! evenly spaced packets that nothing holds back. The simulator's event loop and the link on its
//! own must treat them alike, packet for packet.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_engine::protocol::Recovery;
use atl_engine::{Engine as _, Stopped, Watch};
use atl_sim::Sim;
use serde::Serialize;

use crate::battery::Case;
use crate::observation::{Fate, Observation, Probe};
use crate::pattern::{BEGIN, Pattern};
use crate::simulated::replay_until;

/// Octets of a segment's headers.
const HEADERS: u32 = 40;
/// Length of a run, in seconds: no packet is due at its very end.
const SECONDS: f64 = 3.999_95;

/// Counts of a link's packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Packets that were offered to it.
    pub offered: u64,
    /// Packets that left it.
    pub delivered: u64,
    /// Packets that its loss process took.
    pub lost: u64,
    /// Packets that its queue dropped.
    pub dropped: u64,
}

/// A case in the whole simulator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Whole {
    /// Name of the case.
    pub case: &'static str,
    /// The counts of the link in the simulator.
    pub simulator: Counts,
    /// The counts of the link on its own.
    pub link: Counts,
}

impl Whole {
    /// True if both have the same counts.
    pub fn same(&self) -> bool {
        self.simulator == self.link
    }
}

/// Runs a case in the whole simulator and on its link alone; `None` if its probes are not evenly
/// spaced and alike.
///
/// # Errors
/// If `watch` cancels it, or the case's link is not one.
pub fn check(case: &'static Case, seed: u64, watch: &Watch<'_>) -> Result<Option<Whole>, Stopped> {
    let (Pattern::Constant { per_second }, None) = (case.pattern, case.low_every) else {
        return Ok(None);
    };
    let segment = case.bytes - HEADERS;
    let rate = per_second * 8.0 * f64::from(segment);
    let flow = format!(
        "protocol = {{ name = \"fixed-window\", window = 1000000 }}\n\
         source = {{ rate = \"{rate}b/s\" }}\nstart = \"{}ms\"\n\
         [flow.tcp]\nsegment = {segment}\nheader = {HEADERS}\nreceive-window = 1000000\n",
        BEGIN.nanos() / 1_000_000
    );
    let mut setup = case.scenario(&flow)?;
    // A scenario file offers no TCP without error control, except over cells that repair
    // everything.
    for tcp in setup.flows.iter_mut().filter_map(|flow| flow.protocol.tcp_mut()) {
        tcp.recovery = Recovery::None;
    }
    setup.duration = BEGIN.saturating_add(Span::from_secs_f64(SECONDS)).since(Time::ZERO);
    let go_on = || watch.cancelled();
    let result = Sim.run(&setup, seed, &Watch::new(&go_on, &|_| {}))?;
    let Some(simulated) = result.links.first() else { return Ok(None) };
    let simulator = Counts {
        offered: simulated.offered,
        delivered: simulated.delivered,
        lost: simulated.lost,
        dropped: simulated.dropped,
    };
    let entered = |at: Time| Probe { sent: at, entered: at, low: false, fate: Fate::Missing };
    let end = Time::ZERO + setup.duration;
    // The simulator's source writes its first packet after one gap, rounded to whole nanoseconds.
    let gap = Rate::from_bps(rate).time_for(u64::from(segment));
    let times = (1..).map(|i| BEGIN.saturating_add(Span::from_nanos(i * gap.nanos())));
    let probes = times.take_while(|at| *at < end).map(entered).collect();
    let entries = Observation { bytes: case.bytes, probes };
    let alone = replay_until(&setup.links[0], seed, &entries, end);
    let link = Counts {
        offered: alone.probes.len() as u64,
        delivered: alone.count(|fate| matches!(fate, Fate::Arrived(_))),
        lost: alone.count(|fate| *fate == Fate::Lost),
        dropped: alone.count(|fate| *fate == Fate::Dropped),
    };
    Ok(Some(Whole { case: case.name, simulator, link }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::CASES;

    #[test]
    fn the_whole_simulator_does_what_its_links_do() {
        let mut checked = 0;
        for case in CASES {
            if let Some(whole) = check(case, 1, &Watch::unwatched()).expect("runs") {
                assert!(whole.same(), "{whole:?}");
                assert!(whole.link.delivered > 500, "{whole:?}");
                checked += 1;
            }
        }
        assert!(checked >= 15, "{checked}");
    }
}
