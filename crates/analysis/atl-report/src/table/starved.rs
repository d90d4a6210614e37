//! Flows that a queue starves while it spares their neighbours.

use std::collections::BTreeMap;

use atl_engine::result::FlowResult;
use atl_engine::setup::Setup;

use crate::outcome::Outcome;
use crate::quantity::number;

/// A flow that loses more of its packets than this in queues has hardly any.
const STARVED: f64 = 0.5;
/// A neighbour that loses less than this loses none to speak of.
const SPARED: f64 = 0.01;
/// Packets below which a share says nothing.
const FEWEST: u64 = 50;

/// A starved flow, and the neighbour on one of its links.
struct Pair {
    starved: (usize, f64),
    spared: (usize, f64),
}

/// Sentence on the runs in which a flow lost most of its packets and a neighbour none; `None`
/// where there is no such run.
pub(super) fn starved(outcome: &Outcome) -> Option<String> {
    let (mut runs, mut all, mut example) = (0, 0, None);
    for (point, read) in outcome.points().filter(|(point, _)| point.setup.flows.len() > 1) {
        for run in read.get().iter() {
            all += 1;
            if let Some(pair) = pair(&point.setup, &run.flows) {
                runs += 1;
                example.get_or_insert((point, pair));
            }
        }
    }
    let (point, pair) = example?;
    let flow = |(flow, share): (usize, f64)| {
        format!("`{}` {} %", point.setup.flows[flow].name, number(share * 100.0))
    };
    let mut words = format!(
        "STARVED: in {runs} of {all} runs of several flows, queues dropped most packets of one and hardly any of its \
         neighbour on the same link: {} beside {}, for example.",
        flow(pair.starved),
        flow(pair.spared)
    );
    // In real time packets come at times of their own.
    if !outcome.results.present().lateness {
        words.push_str(
            " If it is a phase effect, packets that always meet a full queue, a random delay in the hosts ends it: \
             give these flows `overhead = \"auto\"`, or several times what they have.",
        );
    }
    Some(words)
}

/// The worst such pair of a run.
fn pair(setup: &Setup, flows: &[FlowResult]) -> Option<Pair> {
    let share = |flow: &FlowResult| {
        let dropped = flow.dropped.filter(|_| flow.sent >= FEWEST)?;
        Some(dropped as f64 / flow.sent as f64)
    };
    // Of each link, the flow that loses most and the one that loses least.
    let mut links: BTreeMap<usize, Pair> = BTreeMap::new();
    for (index, (plan, result)) in setup.flows.iter().zip(flows).enumerate() {
        let Some(share) = share(result) else { continue };
        for &link in plan.paths.iter().flat_map(|path| &path.forward) {
            let of = (index, share);
            let pair = links.entry(link).or_insert(Pair { starved: of, spared: of });
            if share > pair.starved.1 {
                pair.starved = of;
            }
            if share < pair.spared.1 {
                pair.spared = of;
            }
        }
    }
    links
        .into_values()
        .filter(|pair| pair.starved.1 > STARVED && pair.spared.1 < SPARED)
        .max_by(|a, b| a.starved.1.total_cmp(&b.starved.1))
}
