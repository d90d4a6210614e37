//! The scenario as seen by figures and quotes.

use std::collections::BTreeMap;

use atl_core::time::{Span, Time};

use crate::sweep::{Vars, values_of};
use crate::table::Cx;
use crate::tree::{Kind, Node};
use crate::value::Value;
use atl_engine::setup::{FlowSetup, Setup, Source};

/// Variables, groups and measurable quantities that figures and quotes can name.
pub(crate) struct World<'a> {
    pub(super) cx: Cx<'a>,
    pub(super) vars: &'a Vars,
    /// Points of the sweep as in the file, so that quotes remain valid when the command line
    /// narrows it.
    pub(super) points: Vec<BTreeMap<String, Value>>,
    /// Names of the flow groups.
    pub(super) groups: Vec<String>,
    /// Features that decide which metrics are available.
    pub(super) measurable: Measurable,
}

impl<'a> World<'a> {
    /// `tree` and `vars` are the file's, before the command line's changes; `setups` are the points
    /// to run, if they have no errors; `moved` is true if the command line changed the end of the
    /// runs.
    pub(crate) fn new(
        cx: Cx<'a>,
        tree: &Node,
        vars: &'a Vars,
        setups: Option<&[Setup]>,
        moved: bool,
    ) -> Self {
        let points = vars.points(cx, tree.at);
        let flows = tree.get("flow").map_or(&[][..], Node::items);
        let name = |flow: &Node| match &flow.get("group").or_else(|| flow.get("name"))?.kind {
            Kind::Str(name) => Some(name.clone()),
            _ => None,
        };
        // The flow that carries the answers of an application has a name of its own.
        let talks = |flow: &&Node| {
            flow.get("source")
                .is_some_and(|s| s.get("application").is_some() || s.variable().is_some())
        };
        // And so do those to a proxy.
        let splits = |flow: &&Node| flow.get("pep").is_some();
        let split = flows.iter().filter(splits).filter_map(name);
        let split = split.flat_map(|name| [format!("{name}.pep"), format!("{name}.back.pep")]);
        let back = flows.iter().filter(talks).filter_map(name).map(|name| format!("{name}.back"));
        World {
            cx,
            vars,
            points: points.iter().map(|p| values_of(cx.sources, &p)).collect(),
            groups: flows.iter().filter_map(name).chain(back).chain(split).collect(),
            measurable: Measurable::new(tree, setups, moved),
        }
    }
}

/// Features of the runs that metrics need.
pub(crate) struct Measurable {
    /// True if samples are recorded.
    pub records: bool,
    /// True if some flow ends by itself.
    pub ends: bool,
    /// True if some flow has a live encoder.
    pub media: bool,
    /// True if some flow is that of an application.
    pub talks: bool,
    /// True if some flow is that of an application that plays a video.
    pub plays: bool,
    /// True if some link has a blackout or changes its network, or some mobile moves.
    pub disturbed: bool,
    /// The same within the end set by the command line, which may come before the disturbance.
    pub still_disturbed: bool,
    /// True if some flow has AIMD parameters that never change.
    pub fixed: bool,
    /// Sampling intervals of all points.
    pub every: Vec<Span>,
    /// End of the shortest run.
    pub end: Option<Time>,
    /// True if the command line changed the end.
    pub moved: bool,
}

impl Measurable {
    /// `tree` is the file's, before the command line's changes; `setups` are the points to run, if
    /// they have no errors.
    pub(super) fn new(tree: &Node, setups: Option<&[Setup]>, moved: bool) -> Self {
        let any = |table: &str, is: &dyn Fn(&Node) -> bool| {
            tree.get(table).is_some_and(|t| t.items().iter().any(is))
        };
        let source = |key: &str| {
            any("flow", &|flow| {
                flow.get("source").is_some_and(|s| s.get(key).is_some() || s.variable().is_some())
            })
        };
        let setups = setups.unwrap_or_default();
        let mut every: Vec<Span> = setups.iter().filter_map(|s| s.sample_every).collect();
        every.dedup();
        let links = || setups.iter().flat_map(|s| &s.links);
        let fixed = |flow: &FlowSetup| flow.protocol.fixed_aimd(Span::from_secs(1)).is_some();
        let plays = |setup: &Setup| {
            let flow =
                |flow: &FlowSetup| matches!(&flow.source, Source::Application(of) if of.plays());
            setup.flows.iter().any(flow)
        };
        Measurable {
            records: tree.get("record").is_some(),
            ends: source("bytes"),
            media: source("frames"),
            talks: source("application"),
            plays: source("application") && (setups.is_empty() || setups.iter().any(plays)),
            disturbed: any("link", &|link| {
                link.get("blackout").is_some() || link.get("roam").is_some()
            }) || any("mobile", &|_| true),
            still_disturbed: setups.is_empty()
                || links().any(|l| !l.config.blackouts.is_empty() || !l.config.schedule.is_empty())
                || setups.iter().flat_map(|s| &s.mobiles).any(|m| !m.steps.is_empty()),
            fixed: setups.is_empty() || setups.iter().flat_map(|s| &s.flows).any(fixed),
            every,
            end: setups.iter().map(|s| Time::ZERO + s.duration).min(),
            moved,
        }
    }
}
