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

mod against;

use std::error::Error;
use std::fmt::Write as _;

use against::{Arguments, Pair, heading, late, longer_ms, mean, ratios, setup};
use atl_quic::{Crypto, QuicSim};
use atl_sockets::quic::Quic;

const PROTOCOLS: [&str; 4] = ["tcp-atl", "tcp-atl-robust", "noq-cubic", "noq-bbr3"];
const LOSSES: [&str; 3] = ["0%", "0.1%", "1%"];
/// Not measured.
const WARM_UP: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read(40, WARM_UP)?;
    let (seeds, seconds) = (arguments.seeds, arguments.seconds);
    let measured = seconds - WARM_UP;
    let names = PROTOCOLS.map(|name| format!("`{name}`"));
    let heading = || heading("loss", names.iter().map(String::as_str));
    let (mut goodput, mut rtt, mut lateness) = (heading(), heading(), String::new());
    for loss in LOSSES {
        let setup = setup(&scenario(loss, seconds)?)?;
        let engines = QuicSim::new(Crypto::Null);
        let pairs = arguments.pairs(&format!("loss {loss}"), &setup, [&engines, &Quic])?;
        let loss = loss.replace('%', " %");
        for table in [&mut goodput, &mut rtt] {
            write!(table, "| {loss} |")?;
        }
        for flow in 0..PROTOCOLS.len() {
            let (_, least, most) = ratios(&pairs, flow);
            let mbps = |of: fn(&Pair) -> &atl_engine::result::RunResult| {
                let goodput = |pair| of(pair).flows[flow].goodput_bps / 1e6;
                mean(&pairs.iter().map(goodput).collect::<Vec<f64>>())
            };
            let (real, simulated) = (mbps(|pair| &pair.real), mbps(|pair| &pair.simulated));
            let ratio = real / simulated;
            write!(
                goodput,
                " {ratio:.3} ({least:.3} to {most:.3}): {real:.2} and {simulated:.2} Mb/s |"
            )?;
            write!(rtt, " {:+.1} ms |", longer_ms(&pairs, flow)?)?;
        }
        goodput.push('\n');
        rtt.push('\n');
        late(&mut lateness, [&format!("a loss of {loss}"), "packets and timers were"], &pairs)?;
    }
    let text = format!(
        "A link of 20 Mb/s and 50 ms each way for each flow, with a queue of 170 packets; four flows at once; {seconds} s, of which \
         {measured} are measured; {seeds} seeds. Goodput of `quic` over that of `quic-sim`, means over the seeds, with the range of the \
         ratio at each seed:\n\n{goodput}\n\
         By how much the median RTT of `quic` is longer:\n\n{rtt}\n{lateness}"
    );
    arguments.show(&text, "against_quic_sim")
}

/// The scenario of one loss: for each protocol a link with a flow.
fn scenario(loss: &str, seconds: u32) -> Result<String, std::fmt::Error> {
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
    Ok(text)
}
