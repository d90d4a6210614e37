//! Parameters of NADA, by RFC 8698's names.

/// Parameters of [`Nada`](super::Nada), by the names of RFC 8698, Fig. 3. Times are in
/// milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// PRIO: weight of the flow's priority, positive.
    pub prio: f64,
    /// RMIN: least rate in kb/s, headers included, where the flow's own least rate is lower; not
    /// negative.
    pub rmin: f64,
    /// XREF: reference congestion level in ms, positive.
    pub xref: f64,
    /// KAPPA: scales the gradual update; positive.
    pub kappa: f64,
    /// ETA: scales the reaction to changes; not negative.
    pub eta: f64,
    /// TAU: upper bound of the RTT in the gradual update, in ms; positive.
    pub tau: f64,
    /// DELTA: time between two updates in ms, from 1 to 1000.
    pub delta: f64,
    /// LOGWIN: window of the observation in ms, from 10 to 60 000.
    pub logwin: f64,
    /// QEPS: queueing delay that shows that a queue builds up, in ms; not negative.
    pub qeps: f64,
    /// DFILT: bound on the filter's delay in ms; not negative.
    pub dfilt: f64,
    /// `GAMMA_MAX`: largest growth of one ramp-up step; positive.
    pub gamma_max: f64,
    /// QBOUND: most queueing delay that a ramp-up may cause, in ms; positive.
    pub qbound: f64,
    /// MULTILOSS: average loss intervals after which a loss expires; not negative.
    pub multiloss: f64,
    /// QTH: queueing delay from which on it is warped, in ms; positive.
    pub qth: f64,
    /// LAMBDA: exponent of the warping; not negative.
    pub lambda: f64,
    /// PLRREF: reference share of lost packets, positive.
    pub plrref: f64,
    /// PMRREF: reference share of marked packets, positive.
    pub pmrref: f64,
    /// DMARK: delay that a share of PMRREF of marked packets counts as, in ms; not negative.
    pub dmark: f64,
    /// DLOSS: delay that a loss of PLRREF counts as, in ms; not negative.
    pub dloss: f64,
    /// ALPHA: gain of the smoothed loss, above 0 and at most 1.
    pub alpha: f64,
    /// XMAX: largest congestion signal in ms, positive.
    pub xmax: f64,
    /// Seconds over which the least delay is that of an empty queue, positive.
    pub base_window: f64,
    /// Rate at the start in packets per second, greater than zero; `None`: RMIN.
    pub initial: Option<f64>,
}

impl Default for Config {
    /// The values of RFC 8698, Fig. 3.
    fn default() -> Self {
        Config {
            prio: 1.0,
            rmin: 150.0,
            xref: 10.0,
            kappa: 0.5,
            eta: 2.0,
            tau: 500.0,
            delta: 100.0,
            logwin: 500.0,
            qeps: 10.0,
            dfilt: 120.0,
            gamma_max: 0.5,
            qbound: 50.0,
            multiloss: 7.0,
            qth: 50.0,
            lambda: 0.5,
            plrref: 0.01,
            pmrref: 0.01,
            dmark: 2.0,
            dloss: 10.0,
            alpha: 0.1,
            xmax: 500.0,
            base_window: 600.0,
            initial: None,
        }
    }
}
