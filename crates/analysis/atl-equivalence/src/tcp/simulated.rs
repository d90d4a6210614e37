//! TCP in the simulator.

use atl_engine::{Engine as _, Stopped, Watch};
use atl_sim::Sim;

use crate::battery::TcpCase;

/// Goodputs of a protocol over a path, one for each seed, in bits per second.
pub(super) fn goodputs(
    case: &TcpCase,
    protocol: &str,
    seeds: &[u64],
    watch: &Watch<'_>,
) -> Result<Vec<f64>, Stopped> {
    let setup = case.setup(protocol)?;
    let go_on = || watch.cancelled();
    let mut goodputs = Vec::new();
    for seed in seeds {
        let result = Sim.run(&setup, *seed, &Watch::new(&go_on, &|_| {}))?;
        goodputs.extend(result.flows.first().map(|flow| flow.goodput_bps));
    }
    Ok(goodputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::{Kernel, TCP_CASES};

    #[test]
    fn every_counterpart_runs_over_every_path() {
        for case in TCP_CASES {
            for protocol in Kernel::ALL.iter().flat_map(|kernel| kernel.counterparts()) {
                let goodputs = goodputs(case, protocol, &[1], &Watch::unwatched()).expect("runs");
                assert!(goodputs[0] > 1e6 && goodputs[0] < 20e6, "{protocol}: {goodputs:?}");
            }
        }
    }
}
