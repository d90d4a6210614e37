//! Parts of a setup that an engine cannot carry out.

use crate::setup::{FlowSetup, LinkSetup};

/// Part of a [`Setup`](crate::setup::Setup) that an engine cannot carry out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gap {
    /// Its place, such as ``flow `upload` `` or `this machine`.
    pub place: String,
    /// Path of the key in the scenario file (`link.air.agent`), where there is one.
    pub key: Option<String>,
    /// The missing feature, such as `the agent Snoop`.
    pub what: String,
    /// The reason, and what to do instead.
    pub why: String,
}

impl Gap {
    /// A gap at any place, such as the whole setup or the machine.
    pub fn new(place: impl Into<String>, what: impl Into<String>, why: impl Into<String>) -> Gap {
        Gap { place: place.into(), key: None, what: what.into(), why: why.into() }
    }

    /// A gap of a flow, at a key of its table (`source`, `pacing.feedback`).
    pub fn flow(
        flow: &FlowSetup,
        key: &str,
        what: impl Into<String>,
        why: impl Into<String>,
    ) -> Gap {
        // With `count`, the reader numbers the flows of one table: `call-1`, `call-2`.
        let number = flow.name.strip_prefix(&*flow.group).and_then(|rest| rest.strip_prefix('-'));
        let numbered = number.is_some_and(|n| n.parse::<u32>().is_ok());
        let table = if numbered { &flow.group } else { &flow.name };
        Gap {
            key: Some(format!("flow.{table}.{key}")),
            ..Gap::new(format!("flow `{}`", flow.name), what, why)
        }
    }

    /// A gap of a link, at a key of its table (`agent`, `queue`).
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
