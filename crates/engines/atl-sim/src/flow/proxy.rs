//! The parts of a flow that a proxy splits.

use atl_engine::setup::{FlowSetup, Setup};

/// A flow's part in a connection that a proxy splits.
#[derive(Debug)]
pub(crate) enum Proxied {
    /// It ends there.
    Ends(Box<Relay>),
    /// It begins there: the flow that brings its data.
    Begins(u32),
}

/// A proxy's state of a flow that ends there.
#[derive(Debug)]
pub(crate) struct Relay {
    /// The flow over which it sends on.
    pub onward: u32,
    /// Bytes that it keeps at most.
    pub buffer: u64,
    /// Bytes of a full segment, and the most segments that it announces room for.
    pub segment: u32,
    pub most: u32,
    /// One past the last segment for which it has announced room.
    pub edge: u64,
    /// Bytes that the other flow was told of, and whether these are all.
    pub told: (u64, bool),
}

impl Proxied {
    /// Those of a setup's flows.
    pub(crate) fn all(setup: &Setup) -> impl Iterator<Item = (usize, Proxied)> + '_ {
        let both = |(index, plan): (usize, &FlowSetup)| {
            let onward = plan.onward?;
            let most = plan.tcp.receive_window;
            let relay = Relay {
                onward: onward.flow as u32,
                buffer: onward.buffer,
                segment: plan.tcp.segment.max(1),
                most,
                edge: u64::from(most),
                told: (0, false),
            };
            let ends = Proxied::Ends(Box::new(relay));
            Some([(index, ends), (onward.flow, Proxied::Begins(index as u32))])
        };
        setup.flows.iter().enumerate().filter_map(both).flatten()
    }
}
