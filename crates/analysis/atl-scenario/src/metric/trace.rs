//! Declarations of the quantities that can be drawn over time. A new one needs an entry here and
//! nothing else.
//!
//! The comment above an entry becomes its line in `docs/scenarios.md`.

use super::unit::Scale;
use atl_engine::result::Sample;
use atl_engine::setup::FlowSetup;

/// Declaration of a trace.
#[derive(Clone, Copy, Debug)]
pub struct TraceDescriptor {
    /// Name in scenario files.
    pub name: &'static str,
    /// Name in labels and legends.
    pub label: &'static str,
    /// Name of the column of samples that it is drawn from, or mostly drawn from; includes the base
    /// unit.
    pub key: &'static str,
    /// Base unit of its values.
    pub unit: &'static str,
    /// Unit in which it is displayed.
    pub scale: Scale,
    /// True if several flows together have the sum of their values; otherwise they have the mean.
    pub adds_up: bool,
    /// Value in a flow's sample; `None` where there is none.
    pub value: fn(&FlowSetup, &Sample) -> Option<f64>,
    /// Documentation in one line of Markdown.
    pub doc: &'static str,
}

macro_rules! traces {
    ($(
        $(#[doc = $doc:literal])+
        $trace:ident {
            name: $name:expr,
            $($field:ident: $setting:expr,)*
        }
    )+) => {
        /// A quantity that can be drawn over time; see [`Trace::descriptor`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Trace {
            $($(#[doc = $doc])+ $trace,)+
        }

        impl Trace {
            /// Names, unit, documentation and computation of the trace.
            pub const fn descriptor(self) -> &'static TraceDescriptor {
                match self {
                    $(Trace::$trace => const {
                        &TraceDescriptor {
                            name: $name,
                            doc: concat!($($doc),+),
                            $($field: $setting,)*
                        }
                    })+
                }
            }
        }

        /// All traces with their names in scenario files.
        pub const TRACES: &[(&str, Trace)] = &[$(($name, Trace::$trace)),+];
    };
}

traces! {
    /// Goodput since the previous sample.
    Goodput {
        name: "goodput",
        label: "goodput",
        key: "goodput_bps",
        unit: "bits/s",
        scale: Scale::MEGABITS,
        adds_up: true,
        value: |_, sample| Some(sample.goodput_bps),
    }
    /// Throughput since the previous sample.
    Throughput {
        name: "throughput",
        label: "throughput",
        key: "throughput_bps",
        unit: "bits/s",
        scale: Scale::MEGABITS,
        adds_up: true,
        value: |_, sample| Some(sample.throughput_bps),
    }
    /// Data packets that queues dropped or links lost, since the previous sample.
    Losses {
        name: "losses",
        label: "losses",
        key: "losses_per_s",
        unit: "1/s",
        scale: Scale { unit: "packets/s", factor: 1.0 },
        adds_up: true,
        value: |_, sample| sample.losses_per_s,
    }
    /// Congestion window.
    Cwnd {
        name: "cwnd",
        label: "cwnd",
        key: "cwnd",
        unit: "packets",
        scale: Scale::PACKETS,
        adds_up: false,
        value: |_, sample| sample.cwnd,
    }
    /// Congestion window of the path that a mobile's flow uses beside the current one.
    CwndBeside {
        name: "cwnd-beside",
        label: "cwnd beside",
        key: "cwnd_beside",
        unit: "packets",
        scale: Scale::PACKETS,
        adds_up: false,
        value: |_, sample| sample.cwnd_beside,
    }
    /// Smoothed RTT.
    Srtt {
        name: "srtt",
        label: "SRTT",
        key: "srtt_s",
        unit: "s",
        scale: Scale::MILLISECONDS,
        adds_up: false,
        value: |_, sample| sample.srtt_s,
    }
    /// alpha of an AIMD controller.
    Alpha {
        name: "alpha",
        label: "alpha",
        key: "alpha",
        unit: "packets per RTT; of a paced flow packets/s per RTT",
        scale: Scale { unit: "packets per RTT", factor: 1.0 },
        adds_up: false,
        value: |_, sample| sample.alpha,
    }
    /// Application bytes received in order since the start.
    Delivered {
        name: "delivered",
        label: "delivered",
        key: "delivered_bytes",
        unit: "bytes",
        scale: Scale { unit: "MB", factor: 1e-6 },
        adds_up: true,
        value: |_, sample| Some(sample.delivered_bytes as f64),
    }
    /// Rate at which a flow may send, headers included: its pace, or cwnd / SRTT of a flow with a
    /// window.
    Rate {
        name: "rate",
        label: "sending rate",
        key: "rate_bps",
        unit: "bits/s",
        scale: Scale::MEGABITS,
        adds_up: true,
        value: sending_rate_bps,
    }
    /// Mean jitter since the previous sample.
    Jitter {
        name: "jitter",
        label: "jitter",
        key: "jitter_s",
        unit: "s",
        scale: Scale::MILLISECONDS,
        adds_up: false,
        value: |_, sample| sample.jitter_s,
    }
    /// Rate of the live encoder.
    Encoder {
        name: "encoder",
        label: "encoder's rate",
        key: "encoder_bps",
        unit: "bits/s",
        scale: Scale::MEGABITS,
        adds_up: true,
        value: |_, sample| sample.encoder_bps,
    }
}

impl Trace {
    /// Name in scenario files.
    pub const fn name(self) -> &'static str {
        self.descriptor().name
    }
}

/// Rate at which a flow may send, headers included, in bits per second: its pacing rate, or its
/// window per smoothed RTT. `None` for a flow with a window before its first RTT sample.
pub fn sending_rate_bps(flow: &FlowSetup, sample: &Sample) -> Option<f64> {
    sample.rate_bps.or_else(|| {
        let bits = f64::from(flow.tcp.segment + flow.tcp.header) * 8.0;
        let srtt = sample.srtt_s.filter(|srtt| *srtt > 0.0)?;
        Some(sample.cwnd? * bits / srtt)
    })
}
