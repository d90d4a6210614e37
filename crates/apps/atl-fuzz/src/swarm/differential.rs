//! The simulator's TCP beside QUIC in virtual time, over paths with one flow: the two share no code
//! for packets, and get about the same goodput where law and recovery are the same.

use atl_engine::result::RunResult;
use atl_engine::{Engine as _, Watch};
use atl_link::random::Stream;
use atl_quic::{Crypto, QuicSim};
use atl_scenario::protocol::catalogue;
use atl_sim::Sim;
use toml::Table;

use super::bench::Bench;
use super::file::read;
use super::laws::hold;

/// Ratio of goodputs, or of completion times, that counts as the same.
const WITHIN: std::ops::RangeInclusive<f64> = 0.7..=1.4;
/// Seeds whose mean is compared: losses fall on other packets in the two engines.
const SEEDS: u64 = 3;

/// Laws that the two engines cannot agree on, each with its reason; docs/testing.md.
const APART: &[&str] = &[
    // Their windows do not follow the recovery's ACKs: go-back-N's window is fixed, WTCP's rate and
    // the probes of TCP-Peach are gaps of QUIC's engine.
    "fixed-window",
    "wtcp",
    "peach",
    "peach-plus",
    "freeze-tcp",
];

/// A path beside the bench's case, from the same seed.
///
/// # Errors
/// Means that are too far apart.
pub(super) fn differential(bench: &Bench<'_>) -> Result<(), String> {
    if bench.engine.name() != "sim" {
        return Ok(());
    }
    let mut stream = Stream::new(bench.setup().duration.nanos(), "swarm/differential");
    let (tree, transfer) = path(&mut stream);
    let scenario = read(&tree)?;
    let setup = &scenario.points[0].setup;
    let quic = QuicSim::new(Crypto::Null);
    if !quic.gaps(setup).is_empty() {
        return Ok(());
    }
    let mut means = [0.0; 2];
    for seed in 1..=SEEDS {
        let run = |engine: &dyn atl_engine::Engine| {
            engine.run(setup, seed, &Watch::unwatched()).map_err(|stopped| format!("{stopped:?}"))
        };
        let value = |result: &RunResult| {
            let flow = &result.flows[0];
            match transfer {
                true => flow.completion_s.unwrap_or(setup.duration.secs()),
                false => flow.goodput_bps,
            }
        };
        for (mean, engine) in means.iter_mut().zip([&Sim as &dyn atl_engine::Engine, &quic]) {
            *mean += value(&run(engine)?) / SEEDS as f64;
        }
    }
    let [sim, quic] = means;
    hold(WITHIN.contains(&(sim / quic)), || {
        format!("{sim:.3} on sim and {quic:.3} on quic-sim:\n{}", super::file::text(&tree))
    })
}

/// A path with one flow, and whether that is a transfer.
fn path(stream: &mut Stream) -> (Table, bool) {
    let laws: Vec<&str> = catalogue()
        .iter()
        .filter(|listed| listed.recovery().is_some() && !APART.contains(&listed.name))
        .map(|listed| listed.name)
        .collect();
    let mut pick = |values: &[f64]| values[stream.below(values.len() as u64) as usize];
    let law = laws[pick(&(0..laws.len()).map(|at| at as f64).collect::<Vec<_>>()) as usize];
    let mbps = pick(&[0.5, 1.0, 2.0, 5.0, 10.0]);
    let rtt = pick(&[10.0, 20.0, 50.0, 100.0, 200.0]);
    let loss = pick(&[0.0, 0.0, 0.001, 0.005, 0.01, 0.02]);
    let queue = ((mbps * rtt / 12.0) as u32).max(20);
    let transfer = pick(&[0.0, 1.0]) > 0.0;
    let bytes = pick(&[100e3, 300e3, 1e6]);
    let (seconds, source) = match transfer {
        true => (60, format!("source = {{ bytes = \"{bytes}B\" }}\n")),
        false => (10, String::new()),
    };
    let text = format!(
        "title = \"A path\"\nduration = \"{seconds}s\"\n\n[[link]]\nname = \"air\"\nfrom = \"phone\"\nto = \"server\"\n\
         rate = \"{mbps}Mb/s\"\ndelay = \"{}ms\"\nloss = {loss:?}\nqueue = {queue}\nreverse = {{ loss = 0 }}\n\n[[flow]]\n\
         name = \"up\"\nfrom = \"phone\"\nto = \"server\"\nprotocol = {{ name = \"{law}\", recovery = \"quic\" }}\n\
         tcp = {{ handshake = true }}\n{source}",
        rtt / 2.0
    );
    (text.parse().expect("TOML"), transfer)
}
