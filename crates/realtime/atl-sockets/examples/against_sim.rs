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

mod against;

use std::error::Error;
use std::fmt::Write as _;

use against::{Arguments, heading, late, longer_ms, ratios, setup};
use atl_sim::Sim;
use atl_sockets::udp::Udp;

const PROTOCOLS: [(&str, &str); 4] =
    [("arc", "ARC"), ("rcp-atl", "RCP-ATL"), ("tfrc", "TFRC"), ("nada", "NADA")];
const RATES: [u32; 2] = [2, 8];
const LOSSES: [&str; 2] = ["0.1%", "2%"];
/// Not measured.
const WARM_UP: u32 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read(20, WARM_UP)?;
    let (seeds, seconds) = (arguments.seeds, arguments.seconds);
    let measured = seconds - WARM_UP;
    let heading = || heading("link", PROTOCOLS.iter().map(|(_, name)| *name));
    let (mut goodput, mut rtt, mut lateness) = (heading(), heading(), String::new());
    for rate in RATES {
        let setup = setup(&scenario(rate, seconds)?)?;
        let pairs = arguments.pairs(&format!("{rate} Mb/s"), &setup, [&Sim, &Udp])?;
        for (loss, place) in LOSSES.iter().zip(0..) {
            for table in [&mut goodput, &mut rtt] {
                write!(table, "| {rate} Mb/s, loss {} |", loss.replace('%', " %"))?;
            }
            for protocol in 0..PROTOCOLS.len() {
                let flow = place * PROTOCOLS.len() + protocol;
                let (mean, least, most) = ratios(&pairs, flow);
                write!(goodput, " {mean:.3} ({least:.3} to {most:.3}) |")?;
                write!(rtt, " {:+.2} ms |", longer_ms(&pairs, flow)?)?;
            }
            goodput.push('\n');
            rtt.push('\n');
        }
        late(&mut lateness, [&format!("{rate} Mb/s"), "packets left"], &pairs)?;
    }
    let text = format!(
        "One link of 25 ms each way with a queue of 50 for each flow; eight flows at once; {seconds} s, of which {measured} are measured; \
         {seeds} seeds. Goodput of `udp` over that of `sim` with the same seed, the mean and the range over the seeds:\n\n{goodput}\n\
         By how much the median RTT of `udp` is longer:\n\n{rtt}\n{lateness}"
    );
    arguments.show(&text, "against_sim")
}

/// The scenario of one rate: for each loss and protocol a link with a flow.
fn scenario(rate: u32, seconds: u32) -> Result<String, std::fmt::Error> {
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
    Ok(text)
}
