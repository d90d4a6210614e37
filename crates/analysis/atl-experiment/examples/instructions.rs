//! Runs one workload once, so that a tool can count the instructions of `counted`, and prints the
//! number of data packets that reached an application (of QUIC: that were sent): `.ci/instructions`
//! divides the one by the other. Without a name it lists the workloads.
//!
//! `valgrind --tool=callgrind --toggle-collect=instructions::counted target/debug/examples/instructions window`

#![expect(clippy::print_stdout, reason = "the number of packets is its result")]

use std::error::Error;
use std::path::Path;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Engine, Stopped, Watch};
use atl_experiment::engines;
use atl_scenario::{Overrides, no_files, open, parse};

/// A setup, and the engine that runs it.
struct Workload {
    name: &'static str,
    engine: &'static str,
    text: fn() -> String,
}

const WORKLOADS: &[Workload] = &[
    Workload { name: "window", engine: "sim", text: || dumbbell("sack") },
    Workload { name: "rate", engine: "sim", text: || dumbbell("aimd-rate") },
    Workload { name: "mobiles", engine: "sim", text: String::new },
    Workload { name: "cells", engine: "sim", text: cells },
    Workload { name: "quic-sim", engine: "quic-sim", text: quic },
];

/// Ten flows, each on an access link of its own, share a bottleneck.
fn dumbbell(protocol: &str) -> String {
    let mut text = "title = \"ten flows\"\nduration = \"5s\"\n".to_owned();
    text += "[[link]]\nname = \"shared\"\nfrom = \"router\"\nto = \"sink\"\nrate = \"50Mb/s\"\n\
             delay = \"20ms\"\nqueue = 95\n";
    for i in 0..10 {
        text += &format!(
            "[[link]]\nname = \"access-{i}\"\nfrom = \"host-{i}\"\nto = \"router\"\n\
             rate = \"20Mb/s\"\ndelay = \"5ms\"\nqueue = 100\n\
             [[flow]]\nname = \"flow-{i}\"\nfrom = \"host-{i}\"\nto = \"sink\"\n\
             protocol = \"{protocol}\"\noverhead = \"0s\"\n"
        );
    }
    text
}

/// A TCP over AAL-T, and one over AAL5, both over seven links with errors on the last.
fn cells() -> String {
    let mut text = "title = \"cells\"\nduration = \"400ms\"\n".to_owned();
    for hop in 0..7 {
        let errors = if hop == 6 { 1e-4 } else { 0.0 };
        text += &format!(
            "[[link]]\nname = \"link-{hop}\"\nfrom = \"node-{hop}\"\nto = \"node-{}\"\n\
             rate = \"30Mb/s\"\ndelay = \"100us\"\nqueue = 1000\n\
             loss = {{ cell-errors = {errors:e} }}\n",
            hop + 1
        );
    }
    for layer in ["aal5", "aal-t"] {
        text += &format!(
            "[[flow]]\nname = \"{layer}\"\nfrom = \"node-0\"\nto = \"node-7\"\n\
             protocol = \"sack\"\nadaptation = \"{layer}\"\n\
             tcp = {{ segment = 1448, header = 52, receive-window = 40 }}\n"
        );
    }
    text
}

/// A QUIC connection that knows its lossy wireless link.
fn quic() -> String {
    "title = \"a path\"\nduration = \"3s\"\n[[link]]\nname = \"air\"\nfrom = \"phone\"\n\
     to = \"server\"\nwireless = true\nrate = \"20Mb/s\"\ndelay = \"20ms\"\nloss = 1e-3\n\
     queue = 70\nreverse = { loss = 0 }\n[[flow]]\nname = \"up\"\nfrom = \"phone\"\n\
     to = \"server\"\nprotocol = \"tcp-atl\"\ntcp = { delayed-ack = \"25ms\" }\n"
        .to_owned()
}

/// All that is counted.
#[inline(never)]
fn counted(engine: &dyn Engine, setup: &Setup) -> Result<RunResult, Stopped> {
    engine.run(setup, 1, &Watch::unwatched())
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(name) = std::env::args().nth(1) else {
        for workload in WORKLOADS {
            println!("{}", workload.name);
        }
        return Ok(());
    };
    let found = WORKLOADS.iter().find(|workload| workload.name == name);
    let workload = found.ok_or_else(|| format!("there is no workload `{name}`"))?;
    let scenario = match (workload.text)() {
        // A phone between cells: the built-in one.
        text if text.is_empty() => {
            let overrides = Overrides { duration: Some("40s".to_owned()), ..Overrides::default() };
            open("showcase/roaming", &overrides)?
        }
        text => parse(&name, &text, Path::new(&name), &no_files, &Overrides::default())?,
    };
    let engine = engines::choose(&[workload.engine.to_owned()]).map_err(|e| format!("{e:?}"))?[0];
    let run = counted(engine, &scenario.points[0].setup).map_err(|e| format!("{e:?}"))?;
    // An engine that does not see packets arrive at the application knows how many were sent.
    println!("{}", run.flows.iter().map(|flow| flow.delivered.unwrap_or(flow.sent)).sum::<u64>());
    Ok(())
}
