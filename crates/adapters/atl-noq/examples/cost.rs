//! Cost of our controllers beside noq's CUBIC, at zero loss over plain loopback. Transfers run in
//! pairs, so that other load on the machine meets both.
//!
//! `cargo run --release -p atl-noq --example cost -- [PAIRS] [MB]`: throughput, 30 pairs of 256 MB
//! by default.
//!
//! `cargo run --release -p atl-noq --example cost -- once CONTROLLER MB`: one transfer, to be
//! counted in instructions.

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;

use atl_core::window::{ControllerConfig, atl, reno};
use atl_noq::Factory;
use noq::congestion::{Bbr3Config, CubicConfig, NewRenoConfig};
use noq::{Endpoint, TransportConfig};

#[path = "noq.rs"]
#[allow(dead_code)]
mod example;

/// The first three are noq's own. BBRv3 and TCP-ATL robust set a pacing rate, so that noq sends
/// smaller batches.
const CONTROLLERS: [&str; 6] = ["cubic", "new-reno", "bbr3", "tcp-atl", "tcp-atl-robust", "reno"];

fn transport(controller: &str) -> Result<TransportConfig, String> {
    let mut transport = TransportConfig::default();
    let config: ControllerConfig = match controller {
        "cubic" => {
            transport.congestion_controller_factory(Arc::new(CubicConfig::default()));
            return Ok(transport);
        }
        "new-reno" => {
            transport.congestion_controller_factory(Arc::new(NewRenoConfig::default()));
            return Ok(transport);
        }
        "bbr3" => {
            transport.congestion_controller_factory(Arc::new(Bbr3Config::default()));
            return Ok(transport);
        }
        "tcp-atl" => atl::Config::default().into(),
        "tcp-atl-robust" => atl::robust::Config::default().into(),
        "reno" => reno::Config::default().into(),
        other => return Err(format!("controller {other:?}: allowed are {CONTROLLERS:?}")),
    };
    transport.congestion_controller_factory(Arc::new(Factory::new(config)));
    Ok(transport)
}

/// Seconds that a transfer of so many bytes took.
fn seconds(controller: &str, bytes: usize) -> Result<f64, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let transport = transport(controller)?;
    let done = runtime.block_on(async {
        let client = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into())?;
        example::transfer(client, transport, bytes).await
    })?;
    Ok(done.took.as_secs_f64())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [once, controller, mb] = &arguments[..]
        && once == "once"
    {
        seconds(controller, mb.parse::<usize>()? << 20)?;
        return Ok(());
    }
    let number = |at: usize, default: usize| arguments.get(at).map_or(Ok(default), |n| n.parse());
    let (pairs, bytes) = (number(0, 30)?, number(1, 256)? << 20);
    for controller in &CONTROLLERS[1..] {
        // Ratios of neighbours in time; which of them goes first changes.
        let mut ratios = Vec::new();
        for pair in 0..pairs {
            let order = if pair % 2 == 0 { ["cubic", controller] } else { [controller, "cubic"] };
            let took = [seconds(order[0], bytes)?, seconds(order[1], bytes)?];
            ratios.push(if pair % 2 == 0 { took[0] / took[1] } else { took[1] / took[0] });
        }
        let count = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / count;
        let variance =
            ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / (count - 1.0);
        ratios.sort_by(f64::total_cmp);
        println!(
            "{controller:15} throughput of CUBIC's: median {:.3}, mean {mean:.3} +- {:.3} (95 %)",
            ratios[ratios.len() / 2],
            1.96 * (variance / count).sqrt()
        );
    }
    Ok(())
}
