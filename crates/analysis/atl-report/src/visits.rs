//! Times that a flow spends in each network, from the schedule of its first wireless link that
//! changes, or from its mobile's stays in cells.

use atl_engine::setup::{LinkSetup, Setup};
use atl_link::{Conditions, Service};

use crate::stays::{Stay, stays};

/// Interval that a flow spends in one network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Visit<'a> {
    /// Start in seconds since the run began.
    pub(crate) from_s: f64,
    /// End in seconds since the run began.
    pub(crate) to_s: f64,
    /// Name of the network or cell.
    pub(crate) network: &'a str,
    /// Rate of the wireless link in bits per second, if constant and known.
    pub(crate) rate_bps: Option<f64>,
}

/// Visits of a flow, in order. Empty if it never changes its network; times without any network are
/// left out.
pub(crate) fn visits(setup: &Setup, flow: usize) -> Vec<Visit<'_>> {
    let Some(flow) = setup.flows.get(flow) else { return Vec::new() };
    if let Some(mobile) = flow.mobile.and_then(|m| setup.mobiles.get(m.mobile)) {
        return of_cells(&stays(mobile), setup.duration.secs());
    }
    let links = flow.paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
    let changing = |link: &&LinkSetup| link.wireless && !link.config.schedule.is_empty();
    match links.filter_map(|&i| setup.links.get(i)).find(changing) {
        Some(link) => of_schedule(link, setup.duration.secs()),
        None => Vec::new(),
    }
}

fn of_cells<'a>(stays: &[Stay<'a>], end_s: f64) -> Vec<Visit<'a>> {
    let visit = |stay: &Stay<'a>| {
        Some(Visit {
            from_s: stay.from.secs(),
            to_s: stay.to.map_or(end_s, |to| to.secs()).min(end_s),
            network: stay.cell?,
            rate_bps: None,
        })
    };
    let all: Vec<Visit<'a>> =
        stays.iter().filter_map(visit).filter(|v| v.to_s > v.from_s).collect();
    let several = all.iter().any(|v| v.network != all[0].network);
    if several { all } else { Vec::new() }
}

fn of_schedule(link: &LinkSetup, end_s: f64) -> Vec<Visit<'_>> {
    let first = std::iter::once((0.0, &link.config.initial));
    let changes = link.config.schedule.iter().map(|change| (change.at.secs(), &change.to));
    let mut all: Vec<(f64, &Conditions)> = first.chain(changes).collect();
    all.retain(|(from_s, _)| *from_s < end_s);
    let ends: Vec<f64> = all.iter().skip(1).map(|(from_s, _)| *from_s).chain([end_s]).collect();
    let rate = |to: &Conditions| match &to.service {
        Service::Constant(rate) => Some(rate.bps()),
        Service::Unlimited
        | Service::Trace(_)
        | Service::Ramp(_)
        | Service::Blocked(_)
        | Service::Wifi(_) => None,
    };
    let visits = all.into_iter().zip(ends);
    visits
        .map(|((from_s, to), to_s)| Visit { from_s, to_s, network: &to.name, rate_bps: rate(to) })
        .collect()
}

/// Name of a sample's network: for a mobile's flow the cell, otherwise the network of its first
/// wireless link. `None` where neither has a name.
pub(crate) fn network_name(setup: &Setup, flow: usize, network: u32) -> Option<&str> {
    let flow = setup.flows.get(flow)?;
    let index = network as usize;
    if let Some(mobile) = flow.mobile.and_then(|m| setup.mobiles.get(m.mobile)) {
        return mobile.cells.get(index).map(String::as_str);
    }
    let links = flow.paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
    let config = &links.filter_map(|&i| setup.links.get(i)).find(|link| link.wireless)?.config;
    let conditions = match index.checked_sub(1) {
        None => &config.initial,
        Some(change) => &config.schedule.get(change)?.to,
    };
    Some(&*conditions.name).filter(|name| !name.is_empty())
}
