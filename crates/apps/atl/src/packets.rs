//! `--qlog` and `--pcap` of `atl run`: the packets of one run as files.

use std::path::PathBuf;

use atl_engine::Watch;
use atl_experiment::packets::{Folders, record};

use crate::args::Run;
use crate::experiment::Plan;
use crate::failure::Failure;
use crate::format::counted;
use crate::interrupt;
use crate::output::Look;

/// Writes the files that the arguments ask for; returns their paths.
///
/// # Errors
/// If there is more than one run, the engine cannot tell of its packets, or a file cannot be
/// written.
pub(crate) fn written(args: &Run, plan: &Plan) -> Result<Vec<PathBuf>, Failure> {
    let folders = Folders { qlog: args.qlog.clone(), pcap: args.pcap.clone() };
    if folders == Folders::default() {
        return Ok(Vec::new());
    }
    let ([scenario], [engine]) = (plan.scenarios(), plan.engines()) else {
        return Err(Failure::Usage(
            "--qlog and --pcap write one run: choose one engine".to_owned(),
        ));
    };
    let ([point], [seed]) = (&scenario.points[..], &scenario.seeds[..]) else {
        return Err(Failure::Usage(format!(
            "--qlog and --pcap write one run, and these are {} with {} each: choose one with \
             `--seeds 1` and a `--set` for each variable",
            counted(scenario.points.len(), "point"),
            counted(scenario.seeds.len(), "seed")
        )));
    };
    if folders.qlog.is_some() && engine.name().starts_with("quic") && !cfg!(feature = "qlog") {
        return Err(Failure::Usage(crate::transfer::WITHOUT_QLOG.to_owned()));
    }
    let files = interrupt::completed(|cancel| {
        let stop = || cancel.is_cancelled();
        record(*engine, &point.setup, *seed, &folders, &Watch::new(&stop, &|_| {}))
    });
    files.map_err(Failure::from)
}

/// The line that names the files; empty without any.
pub(crate) fn shown(files: &[PathBuf], look: Look) -> String {
    if files.is_empty() {
        return String::new();
    }
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    look.paragraph("Packets ", &names.join(", "))
}
