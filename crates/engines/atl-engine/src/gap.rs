//! What a host cannot do.

use crate::setup::{FlowSetup, LinkSetup};

/// Part of a [`Setup`](crate::setup::Setup) that a host cannot carry out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// Where it is: ``flow `upload` ``, `this machine`.
    pub place: String,
    /// Path of the key in the scenario file (`link.air.agent`), where the file has one.
    pub key: Option<String>,
    /// What cannot be done: `the agent Snoop`.
    pub what: String,
    /// Why not, and what to do instead.
    pub why: String,
}

impl Gap {
    /// A gap of a whole setup or of the machine, at any place.
    pub fn new(place: impl Into<String>, what: impl Into<String>, why: impl Into<String>) -> Gap {
        Gap { place: place.into(), key: None, what: what.into(), why: why.into() }
    }

    /// A gap of a flow, at `key` of its table (`source`, `pacing.feedback`).
    pub fn flow(
        flow: &FlowSetup,
        key: &str,
        what: impl Into<String>,
        why: impl Into<String>,
    ) -> Gap {
        // With `count` the reader numbers the flows of one table: `call-1`, `call-2`.
        let number = flow.name.strip_prefix(&*flow.group).and_then(|rest| rest.strip_prefix('-'));
        let numbered = number.is_some_and(|n| n.parse::<u32>().is_ok());
        let table = if numbered { &flow.group } else { &flow.name };
        Gap {
            key: Some(format!("flow.{table}.{key}")),
            ..Gap::new(format!("flow `{}`", flow.name), what, why)
        }
    }

    /// A gap of a link, at `key` of its table (`agent`, `queue`).
    pub fn link(
        link: &LinkSetup,
        key: &str,
        what: impl Into<String>,
        why: impl Into<String>,
    ) -> Gap {
        // Both directions of a two-way link come from one table.
        let table = link.name.strip_suffix(".back").unwrap_or(&link.name);
        Gap {
            key: Some(format!("link.{table}.{key}")),
            ..Gap::new(format!("link `{}`", link.name), what, why)
        }
    }
}
