//! Our own laws beside a real neighbour on a wire, with nothing told. docs/protocols/residual.md
//! has the whole table.

use crate::support::wire;
use atl_sim::Simulation;

/// Goodputs of a flow of this law and of its neighbours, over two seeds, in Mb/s.
fn goodputs(law: &str, (kbps, rtt_ms, queue): (f64, u64, u32), others: &[&str]) -> (f64, f64) {
    let setup = wire(law, kbps, rtt_ms, queue, others);
    let (mut ours, mut theirs) = (0.0, 0.0);
    for seed in [1, 2] {
        let run = Simulation::new(&setup, seed).run();
        ours += run.flows[0].goodput_bps / 2e6;
        theirs += run.flows[1..].iter().map(|flow| flow.goodput_bps / 2e6).sum::<f64>();
    }
    (ours, theirs)
}

/// A queue of five packets, of a fifth of the path's content, of half of it, of twice, of ten
/// times.
const PATHS: [(f64, u64, u32); 7] = [
    (8_000.0, 6, 5),
    (20_000.0, 20, 10),
    (2_000.0, 6, 10),
    (3_000.0, 40, 5),
    (10_000.0, 100, 20),
    (12_000.0, 60, 30),
    (6_000.0, 12, 60),
];

/// The share is of what all get, times their number; what neighbours keep is over what they get
/// beside their own kind. Of 112 points at random 104 are within these bounds.
#[test]
fn beside_wired_neighbours_residual_takes_its_share_and_leaves_theirs() {
    for path in PATHS {
        for others in [&["sack"][..], &["cubic"], &["sack", "sack", "sack"]] {
            let (ours, theirs) = goodputs("residual", path, others);
            let n = others.len() as f64;
            let share = ours * (n + 1.0) / (ours + theirs);
            let (_, alike) = goodputs(others[0], path, others);
            let kept = theirs / alike;
            assert!((0.5..=2.0).contains(&share), "{path:?} {others:?}: a share of {share}");
            assert!(kept >= 0.5, "{path:?} {others:?}: they keep {kept}");
        }
    }
}

/// Losses far from the longest queue are the link's, whatever fills the queue; so are they alone.
#[test]
fn what_a_lossy_link_gives_it_stays_where_the_queue_is_short_but_visible() {
    let mut setup = wire("residual", 8_000.0, 20, 10, &[]);
    let shared = std::sync::Arc::make_mut(&mut setup.links[2].config);
    *shared = crate::support::lossy(shared.clone(), 0.03);
    let run = Simulation::new(&setup, 1).run();
    assert!(run.flows[0].goodput_bps > 0.85 * 8e6, "{} b/s", run.flows[0].goodput_bps);
}
