//! Samples over time.

use crate::result::Sample;
use atl_core::time::{Span, Time};

use crate::flow::counts::State;

/// Totals of a flow, to be compared with those at the previous sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of data packets that left the source's own interface.
    pub wire_bytes: u64,
    /// Bytes delivered to the receiver's application.
    pub delivered_bytes: u64,
    /// Data packets dropped or lost, copies included.
    pub gone: u64,
    /// Application bytes over cells that were not the mobile's current one; `None` if not known.
    pub elsewhere_bytes: Option<u64>,
}

/// State of a flow at the time of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Index of the first wireless link's network, or of a mobile's current cell.
    pub network: u32,
    /// State of the flow's ends.
    pub state: State,
    /// Jitter since the previous sample, in seconds.
    pub jitter_s: Option<f64>,
    /// Totals since the flow started.
    pub tally: Tally,
}

/// Converts the states of all flows into samples. Each time has one sample per flow.
#[derive(Debug)]
pub struct Recorder {
    every: Option<Span>,
    /// Totals of each flow at the previous sample.
    before: Vec<Tally>,
    samples: Vec<Sample>,
}

impl Recorder {
    /// A recorder for this many flows, with a sample at each multiple of `every`; none if that is
    /// `None` or zero.
    pub fn new(every: Option<Span>, flows: usize) -> Self {
        let every = every.filter(|every| !every.is_zero());
        Recorder { every, before: vec![Tally::default(); flows], samples: Vec::new() }
    }

    /// Sampling interval; `None` without samples.
    pub fn every(&self) -> Option<Span> {
        self.every
    }

    /// Adds a sample of a flow, given by index. Calls follow the setup's order of flows and the
    /// order of times. Rates are over the time since the previous sample. Does nothing if samples
    /// are off.
    ///
    /// # Panics
    /// Panics if there is no such flow.
    pub fn add(&mut self, at: Time, flow: u32, moment: &Moment) {
        let Some(every) = self.every else { return };
        let Moment { network, state, jitter_s, tally } = *moment;
        let before = std::mem::replace(&mut self.before[flow as usize], tally);
        let rate = |bytes: u64| bytes as f64 * 8.0 / every.secs();
        self.samples.push(Sample {
            time_s: at.secs(),
            flow,
            network,
            cwnd: state.cwnd,
            cwnd_beside: state.cwnd_beside,
            ssthresh: state.ssthresh,
            rate_bps: state.rate_bps,
            encoder_bps: state.encoder_bps,
            jitter_s,
            in_flight: state.in_flight,
            srtt_s: state.srtt.map(Span::secs),
            throughput_bps: rate(tally.wire_bytes - before.wire_bytes),
            goodput_bps: rate(tally.delivered_bytes - before.delivered_bytes),
            wire_bytes: tally.wire_bytes,
            delivered_bytes: tally.delivered_bytes,
            elsewhere_bytes: tally.elsewhere_bytes,
            losses_per_s: Some((tally.gone - before.gone) as f64 / every.secs()),
            alpha: state.aimd.map(|a| a.alpha),
            beta: state.aimd.map(|a| a.beta),
        });
    }

    /// All samples, by time and then by flow.
    pub fn into_samples(self) -> Vec<Sample> {
        self.samples
    }
}
