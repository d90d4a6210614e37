//! Queue disciplines on a link whose rate follows a recording.

use std::io;
use std::path::Path;

use atl_engine::result::FlowResult;
use atl_sim::Simulation;

use crate::support::parse_with;

/// Opportunities to send 1500 bytes, in ms: a second of 12 Mb/s, then two of 2 Mb/s.
fn recording() -> String {
    let fast = 1..=1000;
    let slow = (1..=333).map(|n| 1000 + 6 * n);
    fast.chain(slow).chain([3000]).map(|ms| format!("{ms}\n")).collect()
}

/// CUBIC over it, 40 ms, for 60 s.
fn cubic(queue: &str, ecn: &str) -> FlowResult {
    let text = format!(
        "title = \"a varying link\"\nduration = \"60s\"\nwarmup = \"6s\"\n[[link]]\n\
         name = \"air\"\nfrom = \"phone\"\nto = \"server\"\ntrace = \"recorded.up\"\n\
         delay = \"20ms\"\nqueue = {queue}\nreverse = {{ rate = \"20Mb/s\" }}\n[[flow]]\n\
         name = \"up\"\nfrom = \"phone\"\nto = \"server\"\nprotocol = \"cubic\"\n\
         tcp = {{ segment = 1448, header = 52, ecn = {ecn:?} }}\n"
    );
    let read = |path: &Path| match path.ends_with("recorded.up") {
        true => Ok(recording()),
        false => Err(io::ErrorKind::NotFound.into()),
    };
    Simulation::new(&parse_with(&text, &read), 1).run().flows.remove(0)
}

/// On a link that is at a sixth of its rate for two seconds of three each discipline keeps packets
/// from waiting for long and the link in use, with marks and with drops; in a plain queue that
/// never runs dry they wait for a second and more.
#[test]
fn each_discipline_works_on_a_varying_link() {
    let plain = cubic("1000", "off");
    let wait = |flow: &FlowResult| flow.queueing_p95_s().expect("samples");
    assert!(wait(&plain) > 1.0, "{}", wait(&plain));
    for discipline in ["codel", "fq-codel", "cake", "pie", "dualpi2"] {
        for ecn in ["off", "classic"] {
            let flow = cubic(&format!("{discipline:?}"), ecn);
            let share = flow.goodput_bps / plain.goodput_bps;
            let said = format!("{discipline}, {ecn}: {:.3} s, {share:.2}", wait(&flow));
            assert!(wait(&flow) < 0.5 * wait(&plain) && share > 0.4, "{said}");
            let signals = if ecn == "off" { flow.dropped } else { flow.marked };
            assert!(signals.is_some_and(|signals| signals > 5), "{said}: {signals:?}");
        }
    }
}

/// Packets that the queue towards the server drops of 4 Mb/s, over a link with these keys. Its
/// networks have 8 Mb/s and 1 Mb/s: in the slow one three packets in four are too many.
fn drops(queue: &str, link: &str) -> u64 {
    let text = format!(
        "title = \"networks with queues\"\nduration = \"6s\"\n[network.fast]\nrate = \"8Mb/s\"\n\
         [network.slow]\nrate = \"1Mb/s\"\n{queue}\n[[link]]\nname = \"air\"\nfrom = \"phone\"\n\
         to = \"server\"\nreverse = {{ rate = \"8Mb/s\" }}\n{link}\n[[flow]]\nname = \"up\"\n\
         from = \"phone\"\nto = \"server\"\nprotocol = \"aimd-rate\"\n\
         pacing = {{ target = \"4Mb/s\", minimum = \"4Mb/s\" }}\n"
    );
    Simulation::new(&parse_with(&text, &atl_scenario::no_files), 1).run().links[0].dropped
}

/// In two seconds 1 Mb/s carries 250 kB of 1 MB: of 667 packets of 1500 bytes 500 find no room,
/// but for the ten that still wait. A long queue drops nothing.
#[test]
fn the_queue_of_a_network_decides_what_is_dropped_in_it() {
    let roam = "network = \"fast\"\nqueue = 4000\nroam = [{ at = \"2s\", network = \"slow\" }, \
                { at = \"4s\", network = \"fast\" }]";
    let (long, short) = (drops("", roam), drops("queue = 10", roam));
    assert_eq!(long, 0);
    assert!((480..=500).contains(&short), "{short}");
    // Stated in the roam it drops the same: in the fast network nothing waits for long.
    let stated = roam.replace("network = \"slow\"", "network = \"slow\", queue = 10");
    assert_eq!(drops("", &stated), short);
    // The roam's own goes before the network's.
    assert_eq!(drops("queue = 10", &stated.replace("queue = 10", "queue = 4000")), 0);
    // Networks that take turns come to the same.
    let turns = "queue = 4000\nroam = { every = \"2s\", networks = [\"fast\", \"slow\"] }";
    assert_eq!(drops("", turns), 0);
    assert_eq!(drops("queue = 10", turns), short);
    // A link that is in it all along, with and without a queue of its own.
    let all = drops("queue = 10", "network = \"slow\"");
    assert!((1480..=1500).contains(&all), "{all}");
    assert_eq!(drops("queue = 10", "network = \"slow\"\nqueue = 4000"), 0);
}
