//! The result of a transport in a network.

use atl_report::stats::Estimate;
use serde::Serialize;

/// A transport's result in a network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Label of the protocol.
    pub protocol: String,
    /// Goodput in bits per second.
    pub goodput_bps: Estimate,
    /// 95th percentile of the RTT above its least in this network, in seconds; absent without an
    /// RTT sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queueing_p95_s: Option<Estimate>,
    /// That, all of it in the direction of the data, behind half of the network's RTT, in seconds:
    /// a bound on the delay of a call. Over the whole time that of the worst network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_way_p95_s: Option<f64>,
}

/// Values by seed; `None` for a run without one.
pub(crate) type Values = Vec<Option<f64>>;

/// A place with its values by seed.
pub(crate) struct Shown {
    pub(crate) place: Place,
    pub(crate) goodput: Values,
    pub(crate) queueing: Values,
}

impl Shown {
    pub(crate) fn name(&self) -> String {
        self.place.protocol.clone()
    }

    pub(crate) fn goodput(&self) -> f64 {
        self.place.goodput_bps.mean
    }
}
