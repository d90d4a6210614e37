//! The worst lies that searches have found, each as the file that the search wrote: they pay as
//! much as docs/protocols/lies.md says. A law that is mended will be told here.

use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;

/// Mean goodput of the first flow and of its neighbours over all seeds, at one of the two points:
/// honest, or lying.
fn goodput(text: &str, lying: bool) -> (f64, f64) {
    let scenario = crate::parsed("lie", text);
    let setup = &scenario.points[usize::from(lying)].setup;
    let (mut own, mut others) = (0.0, 0.0);
    for seed in &scenario.seeds {
        let run = Sim.run(setup, *seed, &Watch::unwatched()).expect("a run");
        let (liar, neighbours) = run.flows.split_first().expect("a liar");
        own += liar.goodput_bps;
        others +=
            neighbours.iter().map(|flow| flow.goodput_bps).sum::<f64>() / neighbours.len() as f64;
    }
    let seeds = scenario.seeds.len() as f64;
    (own / seeds, others / seeds)
}

#[test]
fn lies_on_a_wire_pay_what_the_page_says() {
    for (name, text, over_neighbour, over_honest) in [
        ("tcp-atl-robust", include_str!("lies/tcp-atl-robust-wire.toml"), 16.6, 2.1),
        ("residual", include_str!("lies/residual-wire.toml"), 54.6, 0.99),
        ("rcp-atl", include_str!("lies/rcp-atl-wire.toml"), 49.8, 1.7),
    ] {
        let ((liar, neighbour), (honest, _)) = (goodput(text, true), goodput(text, false));
        for (found, pays) in [(liar / neighbour, over_neighbour), (liar / honest, over_honest)] {
            assert!((0.9..1.1).contains(&(found / pays)), "{name}: {found} times, not {pays}");
        }
    }
}

/// They paid 22 times, as long as a queue of 60 packets on a path of 150 ms counted as none.
#[test]
fn claimed_handoffs_pay_little_where_the_queue_is_short() {
    let text = include_str!("lies/residual-wireless.toml");
    let (lying, honest) = (goodput(text, true).0, goodput(text, false).0);
    assert!(lying < 1.5 * honest, "{lying} b/s, honest {honest} b/s");
}
