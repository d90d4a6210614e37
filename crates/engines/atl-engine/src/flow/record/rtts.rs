//! RTT samples of a flow, apart for each network of its path.
//!
//! A percentile over packets of different paths says most of how many of them took which: a sender
//! that hardly uses the satellite would seem to have short delays. So a flow whose path changes has
//! a set of samples for each network, and none over all.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};
use atl_endpoint::meters::Rtts;

use crate::result::NetworkDelay;
use crate::setup::{LinkSetup, MobileSetup, Setup};

/// RTT samples of a flow.
#[derive(Debug)]
pub struct NetworkRtts {
    /// Samples of a flow that stays in one network.
    all: Rtts,
    apart: Option<Box<Apart>>,
}

/// Samples of a flow whose path changes.
#[derive(Debug)]
struct Apart {
    stays: Vec<Stay>,
    /// The networks, in the order of first visits, each with its samples.
    networks: Vec<(u32, Rtts)>,
}

/// An interval that begins with a change of the flow's paths and lasts until the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stay {
    from: Time,
    /// The current network, as in samples; `None` without one.
    network: Option<u32>,
    /// True if there is no other path.
    alone: bool,
}

impl NetworkRtts {
    /// A meter of a flow that stays in one network; it ignores samples unless `kept`.
    pub fn of_one(kept: bool) -> Self {
        NetworkRtts { all: Rtts::new(kept), apart: None }
    }

    /// A meter of this flow of the setup; it ignores samples unless `kept`.
    ///
    /// # Panics
    /// Panics if there is no such flow.
    pub fn of(setup: &Setup, flow: usize, kept: bool) -> Self {
        let stays = stays(setup, flow);
        let mut networks: Vec<(u32, Rtts)> = Vec::new();
        for network in stays.iter().filter_map(|stay| stay.network) {
            if networks.iter().all(|(known, _)| *known != network) {
                networks.push((network, Rtts::new(kept)));
            }
        }
        let apart = (kept && networks.len() > 1).then(|| Box::new(Apart { stays, networks }));
        NetworkRtts { all: Rtts::new(kept), apart }
    }

    /// Records a sample that ends now. A flow whose path changes has it in the network in which it
    /// has been for the whole round trip, with no other path beside it; one that crosses a change
    /// belongs to no network and is left out.
    #[inline]
    pub fn note(&mut self, now: Time, rtt: Span) {
        match &mut self.apart {
            None => self.all.note(rtt),
            Some(apart) => apart.note(now, rtt),
        }
    }

    /// Records a sample of a mobile's path that is known to have gone over this path both ways.
    pub fn note_on(&mut self, path: PathId, rtt: Span) {
        match &mut self.apart {
            None => self.all.note(rtt),
            Some(apart) => apart.note_in(path.index() as u32, rtt),
        }
    }

    /// Forgets all samples, as at the start of the measurement.
    pub fn reset(&mut self) {
        self.all.reset();
        for (_, rtts) in self.apart.iter_mut().flat_map(|apart| &mut apart.networks) {
            rtts.reset();
        }
    }

    /// Median, 95th percentile and minimum in seconds; `None` without a sample, and the percentiles
    /// also for a flow whose path changes.
    pub fn whole(&self) -> [Option<f64>; 3] {
        let apart = self.apart.iter().flat_map(|apart| &apart.networks);
        let least = apart.filter_map(|(_, rtts)| rtts.min()).reduce(f64::min);
        [self.all.quantile(0.5), self.all.quantile(0.95), self.all.min().or(least)]
    }

    /// The delays in each network, with the time spent there from `from` to `until`; empty for a
    /// flow that stays in one.
    pub fn delays(&self, from: Time, until: Time) -> Vec<NetworkDelay> {
        let Some(apart) = &self.apart else { return Vec::new() };
        let ends = apart.stays.iter().skip(1).map(|stay| stay.from).chain([Time::MAX]);
        let stays: Vec<(Stay, Time)> = apart.stays.iter().copied().zip(ends).collect();
        let time_in = |network: u32| {
            let here = stays.iter().filter(|(stay, _)| stay.network == Some(network));
            here.map(|(stay, end)| (*end).min(until).since(stay.from.max(from)).secs()).sum()
        };
        let delay = |(network, rtts): &(u32, Rtts)| NetworkDelay {
            network: *network,
            time_s: time_in(*network),
            rtt_median_s: rtts.quantile(0.5),
            rtt_p95_s: rtts.quantile(0.95),
            rtt_min_s: rtts.min(),
        };
        apart.networks.iter().map(delay).collect()
    }
}

impl Apart {
    fn note(&mut self, now: Time, rtt: Span) {
        let after = self.stays.partition_point(|stay| stay.from <= now);
        let Some(stay) = after.checked_sub(1).and_then(|at| self.stays.get(at)) else { return };
        // It began after the change.
        if stay.alone
            && now.since(stay.from) >= rtt
            && let Some(network) = stay.network
        {
            self.note_in(network, rtt);
        }
    }

    fn note_in(&mut self, network: u32, rtt: Span) {
        if let Some((_, rtts)) = self.networks.iter_mut().find(|(known, _)| *known == network) {
            rtts.note(rtt);
        }
    }
}

/// The stays of a flow in its networks; empty if its path does not change.
fn stays(setup: &Setup, flow: usize) -> Vec<Stay> {
    let plan = &setup.flows[flow];
    if let Some(mobile) = plan.mobile.and_then(|end| setup.mobiles.get(end.mobile)) {
        return of_cells(mobile);
    }
    let links = plan.paths.iter().flat_map(|path| path.forward.iter().chain(&path.back));
    let changing = |link: &&LinkSetup| link.wireless && !link.config.schedule.is_empty();
    let link = links.filter_map(|&link| setup.links.get(link)).find(changing);
    link.map(|link| of_schedule(link, Time::ZERO + setup.duration)).unwrap_or_default()
}

/// The networks of a link. One that comes again is the same if it has the same name.
fn of_schedule(link: &LinkSetup, end: Time) -> Vec<Stay> {
    let config = &link.config;
    let changes = config.schedule.iter().map(|change| (change.at, &change.to));
    let all: Vec<_> = std::iter::once((Time::ZERO, &config.initial))
        .chain(changes)
        .filter(|(from, _)| *from < end)
        .collect();
    let first = |index: usize| {
        let name = &all[index].1.name;
        let same = |(_, other): &(Time, &atl_link::Conditions)| other.name == *name;
        if name.is_empty() { index } else { all.iter().position(same).unwrap_or(index) }
    };
    let stay =
        |index: usize| Stay { from: all[index].0, network: Some(first(index) as u32), alone: true };
    (0..all.len()).map(stay).collect()
}

/// The cells of a mobile, by its signals.
fn of_cells(mobile: &MobileSetup) -> Vec<Stay> {
    let mut there = vec![0];
    let mut current = Some(0);
    let mut stays = vec![Stay { from: Time::ZERO, network: current, alone: true }];
    for step in &mobile.steps {
        let path = step.signal.path().index() as u32;
        there.retain(|known| *known != path);
        match step.signal {
            PathSignal::Imminent(_) => there.push(path),
            PathSignal::Done(_) => {
                there.push(path);
                current = Some(path);
            }
            PathSignal::Gone(_) => current = current.filter(|current| *current != path),
        }
        let stay = Stay { from: step.at, network: current, alone: there.len() < 2 };
        if stays.last().is_some_and(|last| last.from == step.at) {
            stays.pop();
        }
        stays.push(stay);
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: u64) -> Time {
        Time::ZERO + Span::from_secs(secs)
    }

    /// A flow in network 0 until 10 s, in network 1 until 20 s, then in 0 again.
    fn roaming() -> NetworkRtts {
        let stay = |(from, network)| Stay { from: at(from), network: Some(network), alone: true };
        let networks = [0, 1].map(|network| (network, Rtts::new(true))).into();
        let stays = [(0, 0), (10, 1), (20, 0)].map(stay).into();
        NetworkRtts { all: Rtts::new(true), apart: Some(Box::new(Apart { stays, networks })) }
    }

    #[test]
    fn a_sample_counts_for_the_network_of_its_whole_round_trip() {
        let mut rtts = roaming();
        let ms = Span::from_millis;
        rtts.note(at(5), ms(20));
        rtts.note(at(15), ms(600));
        // Sent before the change, acknowledged after it.
        rtts.note(at(10) + ms(50), ms(51));
        rtts.note(at(10) + ms(50), ms(50));
        rtts.note(at(25), ms(40));
        let delays = rtts.delays(at(1), at(30));
        assert_eq!(
            delays.iter().map(|d| (d.network, d.time_s)).collect::<Vec<_>>(),
            [(0, 19.0), (1, 10.0)]
        );
        assert_eq!((delays[0].rtt_min_s, delays[1].rtt_min_s), (Some(0.02), Some(0.05)));
        assert_eq!(delays[1].rtt_p95_s.map(|s| (s * 1e3).round()), Some(600.0));
        assert_eq!(rtts.whole(), [None, None, Some(0.02)], "none over both");
        rtts.reset();
        assert_eq!(rtts.whole(), [None; 3]);
    }

    #[test]
    fn a_mobile_beside_two_cells_is_in_neither_unless_the_path_is_known() {
        let step = |secs, signal| crate::setup::MobileStep { at: at(secs), signal };
        let [first, second] = [0, 1].map(PathId::new);
        let mobile = MobileSetup {
            name: "bus".into(),
            cells: vec!["a".into(), "b".into()],
            steps: vec![
                step(10, PathSignal::Imminent(second)),
                step(12, PathSignal::Done(second)),
                step(14, PathSignal::Gone(first)),
            ],
            handoff: crate::setup::Handoff::default(),
            card: None,
        };
        let found: Vec<_> = of_cells(&mobile).iter().map(|s| (s.network, s.alone)).collect();
        assert_eq!(found, [(Some(0), true), (Some(0), false), (Some(1), false), (Some(1), true)]);
        let networks = [0, 1].map(|network| (network, Rtts::new(true))).into();
        let apart = Some(Box::new(Apart { stays: of_cells(&mobile), networks }));
        let mut rtts = NetworkRtts { all: Rtts::new(true), apart };
        rtts.note(at(11), Span::from_millis(30));
        assert_eq!(rtts.whole()[2], None);
        rtts.note_on(second, Span::from_millis(30));
        assert_eq!(rtts.delays(at(0), at(20))[1].rtt_min_s, Some(0.03));
    }
}
