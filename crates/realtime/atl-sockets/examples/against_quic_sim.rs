//! The distance between the engines `quic` and `quic-sim`: a table in docs/engines.md. Wants an
//! otherwise idle machine, for 9 minutes.
//!
//! ```sh
//! make engines                                                                    # writes the table into docs/engines.md
//! cargo run --release -p atl-sockets --example against_quic_sim                # shows it: 5 seeds of 40 s
//! cargo run --release -p atl-sockets --example against_quic_sim -- 1 10        # 1 seed of 10 s, for a first look
//! ```
//!
//! One flow of each protocol on a link of its own, all at once; the links of one loss after those
//! of the other. Both engines run the same setup with the same seeds.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use atl_engine::result::{FlowResult, Lateness, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Stopped, Watch};
use atl_quic::{Crypto, QuicSim};
use atl_sockets::quic::Quic;

const PROTOCOLS: [&str; 4] = ["tcp-atl", "tcp-atl-robust", "noq-cubic", "noq-bbr3"];
const LOSSES: [&str; 3] = ["0%", "0.1%", "1%"];
/// Not measured.
const WARM_UP: u32 = 5;
const BEGIN: &str = "<!-- against_quic_sim: begin, written by `make engines` -->\n";
const END: &str = "<!-- against_quic_sim: end -->\n";

/// Both engines' results of one seed.
struct Pair {
    virtual_time: RunResult,
    real_time: RunResult,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let page = arguments.iter().position(|argument| argument == "--write").map(|at| {
        let page = arguments.get(at + 1).cloned().unwrap_or_else(|| "docs/engines.md".to_owned());
        arguments.truncate(at);
        page
    });
    let number = |at: usize, other| arguments.get(at).map_or(Ok(other), |text| text.parse::<u32>());
    let (seeds, seconds) = (number(0, 5)?, number(1, 40)?);
    if seeds == 0 || seconds <= WARM_UP {
        return Err(format!("give at least 1 seed and more than {WARM_UP} s").into());
    }
    let measured = seconds - WARM_UP;
    let (mut goodput, mut rtt, mut lateness) = (heading()?, heading()?, String::new());
    for loss in LOSSES {
        let setup = setup(loss, seconds)?;
        let mut pairs = Vec::new();
        for seed in 1..=u64::from(seeds) {
            eprintln!("loss {loss}, seed {seed} of {seeds}");
            let run = |result: Result<_, Stopped>| result.map_err(|e| format!("{e:?}"));
            let simulator = QuicSim::new(Crypto::Null);
            let virtual_time = run(simulator.run(&setup, seed, &Watch::unwatched()))?;
            let real_time = run(Quic.run(&setup, seed, &Watch::unwatched()))?;
            pairs.push(Pair { virtual_time, real_time });
        }
        let loss = loss.replace('%', " %");
        for table in [&mut goodput, &mut rtt] {
            write!(table, "| {loss} |")?;
        }
        row(&pairs, (&mut goodput, &mut rtt))?;
        late(&mut lateness, &loss, &pairs)?;
    }
    let text = format!(
        "A link of 20 Mb/s and 50 ms each way for each flow, with a queue of 170 packets; four flows at once; {seconds} s, of which \
         {measured} are measured; {seeds} seeds. Goodput of `quic` over that of `quic-sim`, means over the seeds, with the range of the \
         ratio at each seed:\n\n{goodput}\n\
         By how much the median RTT of `quic` is longer:\n\n{rtt}\n{lateness}"
    );
    print!("{text}");
    match page {
        Some(page) => insert(Path::new(&page), &text),
        None => Ok(()),
    }
}

/// The setup of one loss: for each protocol a link with a flow.
fn setup(loss: &str, seconds: u32) -> Result<Setup, Box<dyn Error>> {
    let mut text = format!(
        "title = \"quic against quic-sim\"\nduration = \"{seconds}s\"\nwarmup = \"{WARM_UP}s\"\n"
    );
    for protocol in PROTOCOLS {
        write!(
            text,
            r#"
[[link]]
name = "{protocol}"
from = "phone-{protocol}"
to = "server-{protocol}"
rate = "20Mb/s"
delay = "50ms"
queue = 170
loss = "{loss}"
reverse = {{ loss = 0 }}
wireless = true
[[flow]]
name = "{protocol}"
from = "phone-{protocol}"
to = "server-{protocol}"
protocol = "{protocol}"
"#
        )?;
    }
    let none = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let overrides = atl_scenario::Overrides::default();
    let origin = Path::new("against_quic_sim");
    let scenario = atl_scenario::parse("against_quic_sim", &text, origin, &none, &overrides);
    let mut scenario = scenario.map_err(|errors| errors.to_string())?;
    Ok(scenario.points.remove(0).setup)
}

fn heading() -> Result<String, std::fmt::Error> {
    let mut text = "| loss |".to_owned();
    PROTOCOLS.iter().try_for_each(|name| write!(text, " `{name}` |"))?;
    writeln!(text, "\n| --- |{}", " --- |".repeat(PROTOCOLS.len()))?;
    Ok(text)
}

/// A row of each table: what is said of goodput, and of the RTT.
fn row(pairs: &[Pair], (goodput, rtt): (&mut String, &mut String)) -> Result<(), Box<dyn Error>> {
    for flow in 0..PROTOCOLS.len() {
        let flows = || {
            pairs.iter().map(|pair| (&pair.real_time.flows[flow], &pair.virtual_time.flows[flow]))
        };
        let mbps = |flow: &FlowResult| flow.goodput_bps / 1e6;
        let of = |pick: fn((f64, f64)) -> f64| -> Vec<f64> {
            flows().map(|(real, simulated)| pick((mbps(real), mbps(simulated)))).collect()
        };
        let (real, simulated) =
            (mean(&of(|(real, _)| real)), mean(&of(|(_, simulated)| simulated)));
        let ratios = of(|(real, simulated)| real / simulated);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        write!(
            goodput,
            " {:.3} ({least:.3} to {most:.3}): {real:.2} and {simulated:.2} Mb/s |",
            real / simulated
        )?;
        let longer =
            flows().map(|(real, simulated)| Some(real.rtt_median_s? - simulated.rtt_median_s?));
        let longer: Vec<f64> = longer.collect::<Option<_>>().ok_or("a flow has no RTT")?;
        write!(rtt, " {:+.1} ms |", 1e3 * mean(&longer))?;
    }
    goodput.push('\n');
    rtt.push('\n');
    Ok(())
}

fn late(text: &mut String, loss: &str, pairs: &[Pair]) -> Result<(), Box<dyn Error>> {
    let all = pairs.iter().map(|pair| pair.real_time.lateness);
    let all: Vec<Lateness> = all.collect::<Option<_>>().ok_or("a run has no lateness")?;
    let of = |value: fn(&Lateness) -> f64| mean(&all.iter().map(value).collect::<Vec<_>>());
    let missing = pairs.iter().filter_map(|pair| pair.real_time.datagrams).map(|d| d.missing);
    writeln!(
        text,
        "At a loss of {loss} packets and timers were {:.0}, {:.0} and {:.0} µs late (median, 90th and 99th percentile), {:.2} % of them by \
         more than a packet time; the system threw {} datagrams away, and {} of {} runs are to be trusted.",
        1e6 * of(|l| l.p50_s),
        1e6 * of(|l| l.p90_s),
        1e6 * of(|l| l.p99_s),
        100.0 * of(|l| l.late_share),
        missing.sum::<u64>(),
        all.iter().filter(|l| l.is_trustworthy()).count(),
        all.len(),
    )?;
    Ok(())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Puts the table between its marks.
fn insert(page: &Path, table: &str) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(page)?;
    let places = text.find(BEGIN).zip(text.find(END)).filter(|(begin, end)| begin < end);
    let (begin, end) = places.ok_or("the page has no place for the table")?;
    let new = format!("{}\n{}\n\n{}", &text[..begin + BEGIN.len()], table.trim_end(), &text[end..]);
    Ok(fs::write(page, new)?)
}
