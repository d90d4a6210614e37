//! Samples over time.

use crate::result::Sample;
use atl_core::time::{Span, Time};

use crate::flow::counts::State;

/// Totals of a flow that a sample compares with those of the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of data packets that have left the source's own interface.
    pub wire_bytes: u64,
    /// Bytes that the receiver's application got.
    pub delivered_bytes: u64,
    /// Data packets dropped or lost.
    pub gone: u64,
}

/// A flow at the time of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Network of its first wireless link; of a mobile's flow the cell that the mobile is in.
    pub network: u32,
    /// The state of its ends.
    pub state: State,
    /// Jitter since the sample before, in seconds.
    pub jitter_s: Option<f64>,
    /// Totals since the flow started.
    pub tally: Tally,
}

/// Turns the moments of all flows into samples. Each time has one sample per flow.
#[derive(Debug)]
pub struct Recorder {
    every: Option<Span>,
    /// For each flow, its totals at the sample before.
    before: Vec<Tally>,
    samples: Vec<Sample>,
}

impl Recorder {
    /// For so many flows, with a sample at each multiple of `every`; `None` or zero: no samples.
    pub fn new(every: Option<Span>, flows: usize) -> Self {
        let every = every.filter(|every| !every.is_zero());
        Recorder { every, before: vec![Tally::default(); flows], samples: Vec::new() }
    }

    /// Time between samples; `None` without any.
    pub fn every(&self) -> Option<Span> {
        self.every
    }

    /// Adds the sample of a flow, given by index. Flows come in the setup's order, times in theirs. Rates are over the time
    /// since the sample before. Does nothing without samples.
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
            losses_per_s: Some((tally.gone - before.gone) as f64 / every.secs()),
            alpha: state.aimd.map(|a| a.alpha),
            beta: state.aimd.map(|a| a.beta),
        });
    }

    /// All samples.
    pub fn into_samples(self) -> Vec<Sample> {
        self.samples
    }
}
