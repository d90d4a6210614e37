//! A flow that answers nothing and says that it is L4S's, beside classic ones, through DualPI2.

use atl_engine::result::FlowResult;
use atl_sim::Simulation;

use crate::support::parse;

/// 20 Mb/s and 20 ms.
const LINK: &str = "title = \"an unresponsive flow\"\nduration = \"60s\"\nwarmup = \"20s\"\n\
    [[link]]\nname = \"link\"\nfrom = \"server\"\nto = \"home\"\nrate = \"20Mb/s\"\n\
    delay = \"10ms\"\nqueue = { discipline = { name = \"dualpi2\", protection = PROTECTION } }\n";
/// Of 1500 bytes of a packet 1448 are payload.
const GOODPUT: f64 = 1448.0 / 1500.0;

/// UDP at a constant rate, headers included.
fn udp(name: &str, mbps: f64, field: &str) -> String {
    format!(
        "[[flow]]\nname = \"{name}\"\nfrom = \"server\"\nto = \"home\"\nprotocol = \"aimd-rate\"\n\
         pacing = {{ target = \"{mbps}Mb/s\", minimum = \"{mbps}Mb/s\", ecn = {field} }}\n"
    )
}

/// CUBIC with this ECN.
fn cubic(ecn: &str) -> String {
    format!(
        "[[flow]]\nname = \"cubic\"\nfrom = \"server\"\nto = \"home\"\nprotocol = \"cubic\"\n\
         tcp = {{ segment = 1448, header = 52, ecn = {ecn:?} }}\n"
    )
}

fn run(link: &str, flows: &[String]) -> Vec<FlowResult> {
    let text = link.to_owned() + &flows.concat();
    Simulation::new(&parse(&text), 1).run().flows
}

fn through(protection: &str, flows: &[String]) -> Vec<FlowResult> {
    run(&LINK.replace("PROTECTION", protection), flows)
}

fn mbps(flow: &FlowResult) -> f64 {
    flow.goodput_bps / 1e6
}

fn lost(flow: &FlowResult) -> f64 {
    flow.dropped.expect("counted") as f64 / flow.sent as f64
}

/// 95th percentile of the time in queues, in ms.
fn wait(flow: &FlowResult) -> f64 {
    1e3 * flow.queueing_p95_s().unwrap_or(0.0)
}

/// rfc9332 4.2.1: L4S traffic that answers nothing and fits in the link leaves the rest to classic
/// flows: CUBIC has all of it, and waits no longer than beside others.
#[test]
fn below_overload_cubic_has_what_an_unresponsive_l4s_flow_leaves() {
    for rate in [5.0, 10.0, 16.0, 18.0, 19.0] {
        let flows = through("0.1", &[udp("udp", rate, "\"ect1\""), cubic("classic")]);
        let said = format!("{rate}: {:.2} and {:.2} Mb/s", mbps(&flows[0]), mbps(&flows[1]));
        assert!(mbps(&flows[1]) > 0.98 * GOODPUT * (20.0 - rate), "{said}");
        assert_eq!((flows[0].dropped, flows[1].dropped), (Some(0), Some(0)), "{said}");
        assert!(wait(&flows[0]) < 2.5 && wait(&flows[1]) < 25.0, "{said}");
    }
}

/// rfc9332 4.2.3: On overload packets of both queues are dropped alike, and classic ones wait no
/// longer than without it. CUBIC then gets what any path with such losses leaves it; from 1.5 times
/// the link's rate on that is more than it gets beside the same flow without ECN.
#[test]
fn on_overload_cubic_suffers_from_the_losses_that_all_have_and_not_from_the_l4s_queue() {
    for rate in [20.0, 22.0, 30.0, 40.0] {
        let flows = through("0.1", &[udp("udp", rate, "\"ect1\""), cubic("classic")]);
        let (share, goodput) = (lost(&flows[0]), mbps(&flows[1]));
        // All that exceeds the link is lost.
        let said = format!("{rate}: {share:.3} and {:.3} lost, {goodput:.2} Mb/s", lost(&flows[1]));
        assert!((share - (1.0 - 20.0 / rate).max(0.0)).abs() < 0.06, "{said}");
        assert!(wait(&flows[0]) < 20.0 && wait(&flows[1]) < 20.0, "{said}");
        // Marking ends at k p' = 1: beyond that CUBIC's only signals are drops.
        let signals = (lost(&flows[1]) + flows[1].marked_share().unwrap_or(0.0)).max(share);
        let plain = LINK.split("queue").next().expect("a link");
        let lossy = format!("{plain}queue = 100\nloss = {signals}\nreverse = {{ loss = 0 }}\n");
        let alone = mbps(&run(&lossy, &[cubic("off")])[0]);
        assert!(goodput > 0.8 * alone, "{said}: {alone:.2} alone with as many losses");
        if rate >= 30.0 {
            let without = through("0.1", &[udp("udp", rate, "false"), cubic("classic")]);
            assert!(goodput > 2.0 * mbps(&without[1]), "{said}: {:.2}", mbps(&without[1]));
        }
    }
}

/// rfc9332 4.2.2: Classic packets have their turns, whatever L4S sends: a classic flow that answers
/// nothing keeps its share of the link on overload, as much as without ECN, and hardly waits.
#[test]
fn on_overload_classic_traffic_keeps_its_protection() {
    for rate in [19.0, 20.0, 30.0, 40.0] {
        let both = |field| through("0.1", &[udp("l4s", rate, field), udp("classic", 4.0, "false")]);
        let (beside, plain) = (both("\"ect1\""), both("false"));
        let [there, here] = [&plain, &beside].map(|flows| mbps(&flows[1]));
        let said = format!("{rate}: {here:.2} Mb/s, without ECN {there:.2}");
        // All that is offered is cut alike; near the link's rate the coupling strikes classic
        // packets with p'^2 = 1/4 before any of L4S.
        let fair = GOODPUT * 4.0 * 20.0 / (rate + 4.0);
        assert!(here > 0.85 * fair && here > 0.7 * there, "{said}");
        assert!(wait(&beside[1]) < 25.0, "{said}: {:.1} ms", wait(&beside[1]));
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[ignore = "a table: cargo test -p atl-sim --test sim table_of_floods -- --ignored --nocapture"]
fn table_of_floods() {
    for protection in ["0", "0.1", "0.3"] {
        for rate in [10.0, 16.0, 18.0, 19.0, 20.0, 22.0, 30.0, 40.0, 100.0] {
            for field in ["\"ect1\"", "\"ect0\"", "false"] {
                let others = [
                    ("CUBIC", cubic("classic")),
                    ("2 Mb/s", udp("classic", 2.0, "false")),
                    ("4 Mb/s", udp("classic", 4.0, "false")),
                ];
                for (name, other) in others {
                    let flows = through(protection, &[udp("udp", rate, field), other]);
                    println!(
                        "protection {protection}, {rate:>3} Mb/s of {field:<7} beside {name:<6} {:>5.2} Mb/s, {:.3} \
                         lost, {:.3} marked, {:.1} ms; {:>5.2} Mb/s, {:.3} lost, {:.3} marked, {:.1} ms",
                        mbps(&flows[0]),
                        lost(&flows[0]),
                        flows[0].marked_share().unwrap_or(0.0),
                        wait(&flows[0]),
                        mbps(&flows[1]),
                        lost(&flows[1]),
                        flows[1].marked_share().unwrap_or(0.0),
                        wait(&flows[1]),
                    );
                }
            }
        }
    }
}
