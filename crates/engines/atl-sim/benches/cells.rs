//! The end-to-end cost of a cell: a TCP over AAL5 or AAL-T, seven OC-3 links in a row with queues
//! of 1000 cells, bit errors on the last one, real octets, header checks, reassembly, ACKs in cells
//! on the reverse path. Prints cells per second and nanoseconds per cell and hop, cells of both
//! directions (docs/performance.md).
//!
//! `cargo bench -p atl-sim --bench cells`

#![expect(clippy::print_stdout, reason = "a benchmark's output is its result")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::path::Path;
use std::time::Instant;

use atl_core::time::Time;
use atl_engine::setup::Setup;
use atl_scenario::{Overrides, no_files, parse};
use atl_sim::{Options, Simulation};

/// Links in a row.
const HOPS: usize = 7;
/// Seconds unmeasured, and measured.
const WARM: f64 = 2.0;
const SECS: f64 = 10.0;

fn setup(layer: &str, cell_errors: f64) -> Setup {
    let mut text = String::from("title = \"bench\"\nduration = \"60s\"\n");
    for hop in 0..HOPS {
        let loss = if hop + 1 == HOPS { cell_errors } else { 0.0 };
        text += &format!(
            "[[link]]\nname = \"l{hop}\"\nfrom = \"n{hop}\"\nto = \"n{}\"\nrate = \"149.76Mb/s\"\n\
             delay = \"100us\"\nqueue = 1000\nloss = {{ cell-errors = {loss:e} }}\n",
            hop + 1
        );
    }
    text += &format!(
        "[[flow]]\nname = \"f\"\nfrom = \"n0\"\nto = \"n{HOPS}\"\nprotocol = \"sack\"\nadaptation = \"{layer}\"\n\
         tcp = {{ segment = 1448, header = 52, receive-window = 40 }}\n"
    );
    let scenario = parse("bench", &text, Path::new("bench.toml"), &no_files, &Overrides::default());
    scenario.unwrap_or_else(|errors| panic!("{errors}")).points.swap_remove(0).setup
}

fn main() {
    for (layer, cell_errors) in [("aal5", 0.0), ("aal5", 1e-5), ("aal-t", 0.0), ("aal-t", 1e-3)] {
        let setup = setup(layer, cell_errors);
        let mut times: Vec<(f64, u64)> = (0..5)
            .map(|_| {
                let options = Options { rtt: false, jitter: false };
                let mut simulation = Simulation::with_options(&setup, 1, options);
                simulation.advance_to(Time::from_secs_f64(WARM));
                let before = simulation.cells();
                let begin = Instant::now();
                simulation.advance_to(Time::from_secs_f64(WARM + SECS));
                (begin.elapsed().as_secs_f64(), simulation.cells() - before)
            })
            .collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, cells) = times[times.len() / 2];
        println!(
            "{layer:>6}, cell errors {cell_errors:e}: {:.2} M cells/s over {HOPS} hops, {:.1} ns a cell and hop ({cells} cells)",
            cells as f64 / seconds / 1e6,
            seconds * 1e9 / (cells as f64 * HOPS as f64),
        );
    }
}
