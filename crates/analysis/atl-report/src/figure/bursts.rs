//! Note on peaks of goodput above the link's rate: bytes count once they are in order, so that a
//! repaired loss releases many at once.

use atl_engine::setup::FlowSetup;
use atl_link::{Config, Service};

use super::timeline::Timeline;

/// The note under the figure.
pub(super) const NOTE: &str = " Peaks above the link’s rate: bytes count when they are in order, so a repaired loss \
                               brings all that arrived behind it at once. In each network they average out.";

/// Tolerance as a share of the link's rate: sampling may count a packet more.
const ABOVE: f64 = 1.05;

/// Highest rate of a link in bits per second; infinite if unknown.
fn most(config: &Config) -> f64 {
    let all = std::iter::once(&config.initial).chain(config.schedule.iter().map(|c| &c.to));
    let rates = all.map(|conditions| match &conditions.service {
        Service::Constant(rate) => rate.bps(),
        Service::Ramp(ramp) => ramp.highest().bps(),
        Service::Blocked(sight) => sight.clear.bps().max(sight.blocked.bps()),
        Service::Wifi(wifi) => wifi.rate.bps(),
        Service::Unlimited | Service::Trace(_) => f64::INFINITY,
    });
    rates.fold(0.0, f64::max)
}

/// Sum of the highest rates of the curve's flows.
fn limit(curve: &Timeline<'_>) -> f64 {
    let setup = &curve.point.setup;
    let of_flow = |flow: &FlowSetup| {
        let of_path = |links: &Vec<usize>| {
            let rates = links.iter().filter_map(|&i| setup.links.get(i)).map(|l| most(&l.config));
            rates.fold(f64::INFINITY, f64::min)
        };
        flow.paths.iter().map(|path| of_path(&path.forward)).fold(0.0, f64::max)
    };
    let flows = setup.flows.iter().enumerate();
    flows.filter(|(i, _)| curve.flow.is_none_or(|f| f == *i)).map(|(_, flow)| of_flow(flow)).sum()
}

/// True if a curve has such a peak. `factor` converts bits per second to the unit of its values.
pub(super) fn any(curves: &[Timeline<'_>], factor: f64) -> bool {
    curves.iter().any(|curve| {
        let limit = ABOVE * limit(curve) * factor;
        curve.runs.iter().flatten().any(|(_, value)| *value > limit)
    })
}
