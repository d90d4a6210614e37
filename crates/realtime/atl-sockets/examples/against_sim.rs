//! The distance between the engine `udp` and the simulator: the table in docs/engines.md. Wants an
//! otherwise idle machine, for 3.5 minutes.
//!
//! ```sh
//! make engines                                                             # writes the table into docs/engines.md
//! cargo run --release -p atl-sockets --example against_sim                   # shows it: 5 seeds of 20 s
//! cargo run --release -p atl-sockets --example against_sim -- 1 8            # 1 seed of 8 s, for a first look
//! ```
//!
//! Each of four rate controls has a link of its own for each loss, all at once; the links of one
//! rate after those of the other. Both engines run the same setup with the same seeds.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use atl_engine::result::{FlowResult, Lateness, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;
use atl_sockets::udp::Udp;

const PROTOCOLS: [(&str, &str); 4] =
    [("arc", "ARC"), ("rcp-atl", "RCP-ATL"), ("tfrc", "TFRC"), ("nada", "NADA")];
const RATES: [u32; 2] = [2, 8];
const LOSSES: [&str; 2] = ["0.1%", "2%"];
/// Not measured.
const WARM_UP: u32 = 4;
const BEGIN: &str = "<!-- against_sim: begin, written by `make engines` -->\n";
const END: &str = "<!-- against_sim: end -->\n";

/// Both engines' results of one seed.
struct Pair {
    sim: RunResult,
    udp: RunResult,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let page = arguments.iter().position(|argument| argument == "--write").map(|at| {
        let page = arguments.get(at + 1).cloned().unwrap_or_else(|| "docs/engines.md".to_owned());
        arguments.truncate(at);
        page
    });
    let number = |at: usize, other| arguments.get(at).map_or(Ok(other), |text| text.parse::<u32>());
    let (seeds, seconds) = (number(0, 5)?, number(1, 20)?);
    if seeds == 0 || seconds <= WARM_UP {
        return Err(format!("give at least 1 seed and more than {WARM_UP} s").into());
    }
    let measured = seconds - WARM_UP;
    let (mut goodput, mut rtt, mut lateness) = (heading()?, heading()?, String::new());
    for rate in RATES {
        let setup = setup(rate, seconds)?;
        let mut pairs = Vec::new();
        for seed in 1..=u64::from(seeds) {
            eprintln!("{rate} Mb/s, seed {seed} of {seeds}");
            let run = |result: Result<_, atl_engine::Stopped>| result.map_err(|e| format!("{e:?}"));
            let sim = run(Sim.run(&setup, seed, &Watch::unwatched()))?;
            let udp = run(Udp.run(&setup, seed, &Watch::unwatched()))?;
            pairs.push(Pair { sim, udp });
        }
        for (loss, place) in LOSSES.iter().zip(0..) {
            for table in [&mut goodput, &mut rtt] {
                write!(table, "| {rate} Mb/s, loss {} |", loss.replace('%', " %"))?;
            }
            rows(place, &pairs, (&mut goodput, &mut rtt))?;
            goodput.push('\n');
            rtt.push('\n');
        }
        late(&mut lateness, rate, &pairs)?;
    }
    let text = format!(
        "One link of 25 ms each way with a queue of 50 for each flow; eight flows at once; {seconds} s, of which {measured} are measured; \
         {seeds} seeds. Goodput of `udp` over that of `sim` with the same seed, the mean and the range over the seeds:\n\n{goodput}\n\
         By how much the median RTT of `udp` is longer:\n\n{rtt}\n{lateness}"
    );
    print!("{text}");
    match page {
        Some(page) => write(Path::new(&page), &text),
        None => Ok(()),
    }
}

/// The setup of one rate: for each loss and protocol a link with a flow.
fn setup(rate: u32, seconds: u32) -> Result<Setup, Box<dyn Error>> {
    let mut text = format!(
        "title = \"udp against sim\"\nduration = \"{seconds}s\"\nwarmup = \"{WARM_UP}s\"\n"
    );
    for (index, loss) in LOSSES.iter().enumerate() {
        for (protocol, _) in PROTOCOLS {
            write!(
                text,
                r#"
[[link]]
name = "{protocol}-{index}"
from = "phone-{protocol}-{index}"
to = "server-{protocol}-{index}"
rate = "{rate}Mb/s"
delay = "25ms"
queue = {{ packets = 50, priority = true }}
loss = "{loss}"
reverse = {{ loss = 0 }}
wireless = true
[[flow]]
name = "{protocol}-{index}"
from = "phone-{protocol}-{index}"
to = "server-{protocol}-{index}"
protocol = "{protocol}"
start-jitter = "50ms"
"#
            )?;
        }
    }
    let none = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let overrides = atl_scenario::Overrides::default();
    let scenario =
        atl_scenario::parse("against_sim", &text, Path::new("against_sim"), &none, &overrides);
    let mut scenario = scenario.map_err(|errors| errors.to_string())?;
    Ok(scenario.points.remove(0).setup)
}

fn heading() -> Result<String, std::fmt::Error> {
    let mut text = "| link |".to_owned();
    PROTOCOLS.iter().try_for_each(|(_, name)| write!(text, " {name} |"))?;
    writeln!(text, "\n| --- |{}", " --- |".repeat(PROTOCOLS.len()))?;
    Ok(text)
}

/// A row of each table: what is said of goodput, and of the RTT.
fn rows(
    place: usize,
    pairs: &[Pair],
    (goodput, rtt): (&mut String, &mut String),
) -> Result<(), Box<dyn Error>> {
    for protocol in 0..PROTOCOLS.len() {
        let flow = place * PROTOCOLS.len() + protocol;
        let flows = || pairs.iter().map(|pair| (&pair.udp.flows[flow], &pair.sim.flows[flow]));
        let ratio = |(udp, sim): (&FlowResult, &FlowResult)| udp.goodput_bps / sim.goodput_bps;
        let ratios: Vec<f64> = flows().map(ratio).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        write!(goodput, " {:.3} ({least:.3} to {most:.3}) |", mean(&ratios))?;
        let longer = flows().map(|(udp, sim)| Some(udp.rtt_median_s? - sim.rtt_median_s?));
        let longer: Vec<f64> = longer.collect::<Option<_>>().ok_or("a flow has no RTT")?;
        write!(rtt, " {:+.2} ms |", 1e3 * mean(&longer))?;
    }
    Ok(())
}

fn late(text: &mut String, rate: u32, pairs: &[Pair]) -> Result<(), Box<dyn Error>> {
    let all = pairs.iter().map(|pair| pair.udp.lateness);
    let all: Vec<Lateness> = all.collect::<Option<_>>().ok_or("a run has no lateness")?;
    let of = |value: fn(&Lateness) -> f64| mean(&all.iter().map(value).collect::<Vec<_>>());
    let missing = pairs.iter().filter_map(|pair| pair.udp.datagrams).map(|d| d.missing);
    writeln!(
        text,
        "At {rate} Mb/s packets left {:.0}, {:.0} and {:.0} µs late (median, 90th and 99th percentile), {:.2} % of them by more than a \
         packet time; the system threw {} datagrams away, and {} of {} runs are to be trusted.",
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
fn write(page: &Path, table: &str) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(page)?;
    let places = text.find(BEGIN).zip(text.find(END)).filter(|(begin, end)| begin < end);
    let (begin, end) = places.ok_or("the page has no place for the table")?;
    let new = format!("{}\n{}\n\n{}", &text[..begin + BEGIN.len()], table.trim_end(), &text[end..]);
    Ok(fs::write(page, new)?)
}
