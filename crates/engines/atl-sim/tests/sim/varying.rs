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
