//! Summary of a run in words.

use std::fmt::Write as _;

use atl_core::time::Span;
use atl_net::emulator::Summary;
use atl_net::lateness::{Lateness, TRUSTED_SHARE};
use atl_net::priority::{self, Scheduling};
use atl_net::proxy::Counts;

use super::network::Network;
use super::record::rate_bps;
use super::trust::{Level, Trust};
use crate::args::LinkRunning;
use crate::format::duration;

/// Links and lateness, with a warning if the run was too late.
pub(super) fn text(
    network: &Network,
    run: &Summary,
    lasted: Span,
    trust: Trust,
    options: &LinkRunning,
) -> String {
    let mut out = format!(
        "{} from {} to {} and back\n",
        duration(lasted.secs()),
        network.hosts[0],
        network.hosts[1]
    );
    let width = network.links.iter().map(|link| link.name.len()).max().unwrap_or(0).max(4);
    let _ = writeln!(
        out,
        "{:width$} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10}",
        "link", "entered", "delivered", "lost", "dropped", "inside", "Mb/s"
    );
    for (link, state) in network.links.iter().zip(&run.last.links) {
        let c = &state.counters;
        let _ = writeln!(
            out,
            "{:width$} {:>10} {:>10} {:>9} {:>9} {:>9} {:>10.3}",
            link.name,
            c.offered,
            c.delivered,
            c.lost,
            c.dropped,
            c.held(),
            rate_bps(state, None, lasted) / 1e6,
        );
    }
    let lateness = &run.last.lateness;
    let _ = writeln!(out, "{}", late(lateness));
    out.push_str(scheduling(run.scheduling, options));
    if lateness.frames() > 0 {
        out.push_str(&verdict(trust, run.scheduling, options));
    }
    out
}

/// Lateness of packets in one line.
pub(super) fn late(lateness: &Lateness) -> String {
    if lateness.frames() == 0 {
        return "no packet left".to_owned();
    }
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| micros(lateness.quantile(share)));
    format!(
        "packets left late by {p50} (median), {p90} (p90), {p99} (p99), {} at worst; {:.2} % by more than a packet time",
        micros(lateness.worst()),
        100.0 * lateness.late_share(),
    )
}

fn scheduling(scheduling: Scheduling, options: &LinkRunning) -> &'static str {
    match scheduling {
        Scheduling::RealTime => "scheduled in real time (SCHED_FIFO)\n",
        Scheduling::Ordinary if options.no_fifo => "scheduled as any program (--no-fifo)\n",
        Scheduling::Ordinary if !priority::REAL_TIME => "scheduled as any program\n",
        Scheduling::Ordinary => {
            "scheduled as any program: the system refused SCHED_FIFO. Run it as root, or allow it once with\n  \
             sudo setcap cap_sys_nice+ep \"$(command -v atl)\"\n"
        }
    }
}

/// Says whether a program measured the links, with advice.
fn verdict(trust: Trust, scheduling: Scheduling, options: &LinkRunning) -> String {
    let mut out = match trust.level {
        Level::Fine => return format!("{}\n", trust.words()),
        Level::Note => {
            let mut out = format!("note: {}", trust.words());
            if trust.late_share > TRUSTED_SHARE {
                let _ = write!(
                    out,
                    "; {:.1} % of the packets left late by more than a packet time, so that distances between packets say \
                     little",
                    100.0 * trust.late_share
                );
            }
            return out + "\n";
        }
        Level::Distrust => format!(
            "NOT TO BE TRUSTED: {} (at most {} % is accepted, --max-error).\n\
             What a program measured over these links is partly this machine's doing.\n",
            trust.words(),
            100.0 * options.max_error.get(),
        ),
    };
    if scheduling == Scheduling::Ordinary && priority::REAL_TIME {
        out.push_str("  - let it have SCHED_FIFO\n");
    }
    if options.spin.is_zero() {
        out.push_str("  - add --spin 100us, which costs processor time\n");
    }
    out.push_str("  - end other programs, or run them on other processors\n  - lower the rate, or send longer packets\n");
    out
}

/// Counts of datagrams lost outside the links; empty if there are none.
pub(super) fn proxy(counts: &Counts) -> String {
    let lines = [
        (counts.refused, "times a host answered that the port is closed"),
        (counts.no_room, "datagrams found no room in the system's buffers when they left"),
        (counts.unsendable, "datagrams could not be sent: too long, or no route"),
        (counts.stray, "datagrams left when their client had been forgotten"),
        (
            counts.overflowed,
            "datagrams came faster than this machine took them in, and never entered a link",
        ),
        (counts.refused_clients, "datagrams came from more clients than --clients allows"),
    ];
    told(&lines)
}

/// Number of packets missing from captures; empty if none is.
pub(super) fn left_out(packets: u64) -> String {
    told(&[(packets, "packets are missing in the pcap files, which were written too slowly")])
}

/// The lines whose count is not 0.
pub(super) fn told(lines: &[(u64, &str)]) -> String {
    let told = lines.iter().filter(|(count, _)| *count > 0);
    told.map(|(count, what)| format!("{count} {what}\n")).collect()
}

/// A short time for display.
fn micros(span: Span) -> String {
    match span.nanos() {
        ns if ns < 10_000_000 => format!("{:.0} us", ns as f64 / 1e3),
        ns => format!("{:.0} ms", ns as f64 / 1e6),
    }
}
