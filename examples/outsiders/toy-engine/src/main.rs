//! An engine without packets, and the program `atl` with it:
//! `cargo run --release -- run parking-lot.toml --quick --on sim,max-min`.
//!
//! Each flow gets its max-min fair share of the links' rates (Bertsekas, Gallager, "Data Networks",
//! section 6.5.2): all rates grow alike, and a flow stops where the first of its links is full. It
//! is what others can be compared with: no round-trip time, no queue, no ACKs, no loss but the
//! links'.

use std::{env, process::ExitCode};

use atl::{App, Engine};
use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::{LinkSetup, Setup, Source};
use atl_engine::{Clock, Gap, Stopped, Watch};
use atl_link::{Loss, Service};

#[derive(Debug)]
struct MaxMin;

fn rate(link: &LinkSetup) -> Option<f64> {
    match &link.config.initial.service {
        Service::Constant(rate) if link.config.schedule.is_empty() => Some(rate.bps()),
        _ => None,
    }
}

fn loss(link: &LinkSetup) -> Option<f64> {
    match link.config.initial.loss {
        Loss::None => Some(0.0),
        Loss::Bernoulli(p) => Some(p.get()),
        _ => None,
    }
}

/// The share of each flow in bits per second, given the links of its path.
fn shares(rates: &[f64], paths: &[&[usize]]) -> Vec<f64> {
    let mut shares: Vec<Option<f64>> = vec![None; paths.len()];
    while shares.contains(&None) {
        // The rest of each link, for each of the flows that still grow on it.
        let left = rates.iter().enumerate().filter_map(|(link, rate)| {
            let on_link = || (0..paths.len()).filter(move |flow| paths[*flow].contains(&link));
            let used: f64 = on_link().filter_map(|flow| shares[flow]).sum();
            let growing = on_link().filter(|flow| shares[*flow].is_none()).count();
            (growing > 0).then(|| (link, (rate - used) / growing as f64))
        });
        let full = left.min_by(|(_, one), (_, other)| one.total_cmp(other));
        let Some((full, rate)) = full else { break };
        for (share, path) in shares.iter_mut().zip(paths) {
            if path.contains(&full) {
                share.get_or_insert(rate);
            }
        }
    }
    shares.into_iter().map(Option::unwrap_or_default).collect()
}

impl Engine for MaxMin {
    fn name(&self) -> &str {
        "max-min"
    }
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }
    fn about(&self) -> &str {
        "no packets: each flow's max-min fair share"
    }
    fn clock(&self) -> Clock {
        Clock::Virtual
    }
    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        let why = "a share is one number for the whole run";
        let mut gaps = Vec::new();
        for link in &setup.links {
            gaps.extend(
                rate(link).is_none().then(|| Gap::link(link, "rate", "a varying rate", why)),
            );
            gaps.extend(
                loss(link).is_none().then(|| Gap::link(link, "loss", "losses in bursts", why)),
            );
        }
        for flow in &setup.flows {
            let pauses = flow.source != Source::Greedy;
            gaps.extend(pauses.then(|| Gap::flow(flow, "source", "a source that pauses", why)));
            gaps.extend(flow.mobile.map(|_| Gap::flow(flow, "from", "a mobile", why)));
        }
        gaps
    }
    fn run(&self, setup: &Setup, _: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let rates: Vec<f64> = setup.links.iter().map(|link| rate(link).unwrap_or(0.0)).collect();
        let paths: Vec<&[usize]> =
            setup.flows.iter().map(|flow| &flow.first_path().forward[..]).collect();
        let flows = setup.flows.iter().zip(shares(&rates, &paths)).zip(&paths);
        let flows = flows.map(|((flow, throughput_bps), path)| {
            let arrives = |link: &usize| 1.0 - loss(&setup.links[*link]).unwrap_or(0.0);
            let payload =
                f64::from(flow.tcp.segment) / f64::from(flow.tcp.segment + flow.tcp.header);
            FlowResult {
                active_s: (setup.duration - setup.warmup).secs(),
                throughput_bps,
                goodput_bps: throughput_bps * payload * path.iter().map(arrives).product::<f64>(),
                // Nothing is known of packets that are never sent: the rest stays `None`.
                ..FlowResult::default()
            }
        });
        let flows = flows.collect();
        watch.reached(setup.duration)?;
        Ok(RunResult { flows, ..RunResult::default() })
    }
}

fn main() -> ExitCode {
    App::new().engine(&MaxMin).run(env::args_os()).into()
}

#[cfg(test)]
mod tests {
    use atl_scenario::scenario::Scenario;
    use atl_scenario::{Overrides, load};
    use atl_sim::Sim;

    use super::*;

    fn parking_lot() -> Scenario {
        load("parking-lot.toml".as_ref(), &Overrides::default()).expect("it is right")
    }

    #[test]
    fn it_keeps_the_contract() {
        atl_engine::conformance::engine(&MaxMin, &parking_lot());
    }

    /// The long flow and the near one share 10 Mb/s; what is left of 20 is the far one's.
    #[test]
    fn a_flow_gets_what_the_others_on_its_links_cannot_use() {
        assert_eq!(shares(&[10.0, 20.0], &[&[0, 1], &[0], &[1]]), [5.0, 5.0, 15.0]);
        assert_eq!(shares(&[9.0], &[&[0], &[0], &[0]]), [3.0; 3]);
    }

    /// TCPs fill both links, but the long one, whose round trip is twice as long, is left behind.
    #[test]
    fn tcp_fills_the_links_and_is_less_fair() {
        let setup = &parking_lot().points[0].setup;
        let on =
            |engine: &dyn Engine| engine.run(setup, 1, &Watch::unwatched()).expect("runs").flows;
        let (fair, tcp) = (on(&MaxMin), on(&Sim));
        let first = |flows: &[FlowResult]| flows[0].throughput_bps + flows[1].throughput_bps;
        assert!(first(&tcp) > 0.95 * first(&fair) && first(&tcp) <= 1.001 * first(&fair));
        assert!(tcp[0].goodput_bps < 0.8 * fair[0].goodput_bps);
    }
}
