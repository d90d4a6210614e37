//! Hosts that take exactly no time, or a random one.

use atl_core::time::Span;
use atl_engine::setup::{FlowSetup, Setup};

use super::super::form::{Form, Impairment};

const HOSTS: Impairment = Impairment { name: "hosts", with: "with hosts like these" };

/// Random delays of hosts that have none: of the start, and before each packet (the values of most
/// built-in scenarios).
const START: Span = Span::from_millis(100);
const OVERHEAD: Span = Span::from_micros(100);

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "hosts-exact",
        of: &HOSTS,
        words: "with hosts that take no time",
        about: "Flows start together, and packets leave at once. Flows may then fall into step with each other (Floyd and Jacobson 1992).",
        is_off: false,
        rewrite: |setup| {
            each(setup, |flow| (flow.start_jitter, flow.overhead) = (Span::ZERO, Span::ZERO))
        },
    },
    Form {
        name: "hosts-random",
        of: &HOSTS,
        words: "with hosts that take random times",
        about: "Flows start up to 100 ms late, and each packet leaves up to .1 ms late, in order, where the scenario has no such delays.",
        is_off: false,
        rewrite: |setup| each(setup, late),
    },
];

fn late(flow: &mut FlowSetup) {
    if flow.start_jitter == Span::ZERO {
        flow.start_jitter = START;
    }
    if flow.overhead == Span::ZERO {
        flow.overhead = OVERHEAD;
    }
}

fn each(setup: &mut Setup, change: fn(&mut FlowSetup)) -> bool {
    let mut changed = false;
    for flow in &mut setup.flows {
        let before = (flow.start_jitter, flow.overhead);
        change(flow);
        changed |= before != (flow.start_jitter, flow.overhead);
    }
    changed
}
