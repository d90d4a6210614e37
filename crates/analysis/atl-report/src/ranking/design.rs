//! Swept variables that change a design, and the flows concerned.

use std::collections::{BTreeMap, BTreeSet};

use atl_engine::protocol::Transport;
use atl_engine::setup::{FlowSetup, LinkSetup, Setup};
use atl_scenario::scenario::{Point, Scenario};

/// A part of a setup that has a design of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// An aspect of the flow group with this name.
    Group(String, Aspect),
    /// A link's agent and tunnel, by name of the link.
    Link(String),
    /// A mobile by name: its handoff trigger, number of radios, prediction of the next cell.
    Mobile(String),
}

/// An aspect of a flow group that a sweep may vary by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aspect {
    /// Congestion control with its parameters.
    Control,
    /// Loss recovery algorithm of TCP.
    Recovery,
    /// Adaptation layer of flows that travel in ATM cells.
    Adaptation,
    /// Reports of the receiver, and the signing of its notices.
    Reports,
}

/// Designs of the parts at one point, as texts that are equal where the designs are.
type Design = BTreeMap<Part, String>;

fn of_flow(flow: &FlowSetup) -> [(Aspect, String); 4] {
    let protocol = &flow.protocol;
    let (control, recovery) = match &protocol.transport {
        Transport::Tcp(tcp) => {
            (format!("{:?} {:?}", tcp.controller, tcp.freeze), format!("{:?}", tcp.recovery))
        }
        Transport::Quic(controller) => (format!("{controller:?}"), String::new()),
        Transport::Paced(rate) => (format!("{rate:?}"), String::new()),
    };
    [
        (
            Aspect::Control,
            format!("{} {} {control} {:?}", protocol.name, protocol.label, protocol.new_path),
        ),
        (Aspect::Recovery, recovery),
        (Aspect::Adaptation, format!("{:?}", flow.adaptation)),
        (Aspect::Reports, format!("{:?} {}", flow.receiver, flow.notices.signed)),
    ]
}

fn of_link(link: &LinkSetup) -> String {
    format!("{:?} {:?}", link.agent, link.adaptation)
}

fn design(point: &Point) -> Design {
    let mut design = Design::new();
    for flow in &point.setup.flows {
        for (aspect, text) in of_flow(flow) {
            design.entry(Part::Group(flow.group.clone(), aspect)).or_insert(text);
        }
    }
    for link in &point.setup.links {
        design.insert(Part::Link(link.name.clone()), of_link(link));
    }
    for mobile in &point.setup.mobiles {
        design.insert(Part::Mobile(mobile.name.clone()), format!("{:?}", mobile.handoff));
    }
    design
}

/// Designs of a scenario's sweep.
pub(super) struct Designs {
    /// Swept variables that tell contenders apart, in the scenario's order.
    pub(super) variables: Vec<String>,
    /// Those of the variables that names need: the others follow from the ones before.
    pub(super) names: Vec<String>,
    /// Groups whose design changes. If that of no group does, the groups that cross a link, or have
    /// a mobile at an end, whose design changes.
    pub(super) groups: BTreeSet<String>,
}

/// A variable's value at a point, as written.
fn text<'a>(point: &'a Point, variable: &str) -> &'a str {
    point.vars.get(variable).map_or("", |value| value.text.as_str())
}

impl Designs {
    /// Designs of a sweep; `None` if it varies none.
    pub(super) fn of(scenario: &Scenario) -> Option<Designs> {
        let designs: Vec<Design> = scenario.points.iter().map(design).collect();
        let parts: BTreeSet<&Part> = designs.iter().flat_map(BTreeMap::keys).collect();
        let at = |i: usize, part: &Part| designs[i].get(part);
        let all = 0..designs.len();
        let varied: Vec<&Part> = parts
            .into_iter()
            .filter(|part| all.clone().any(|i| at(i, part) != at(0, part)))
            .collect();
        if varied.is_empty() {
            return None;
        }
        let changing: Vec<&String> = scenario
            .swept
            .iter()
            .filter(|variable| {
                let points: Vec<(&Point, &Design)> = scenario.points.iter().zip(&designs).collect();
                changes_alone(scenario, &points, variable)
                    || varied.iter().any(|part| decides(&points, variable, part))
            })
            .collect();
        // Where words (a protocol's name) make the designs, a number that also changes a protocol
        // (its beta) counts as a condition.
        let is_word = |variable: &&&String| {
            scenario
                .points
                .iter()
                .any(|p| p.vars.get(**variable).is_some_and(|v| v.number.is_none()))
        };
        let words: Vec<&String> = changing.iter().filter(is_word).copied().collect();
        let variables: Vec<String> =
            if words.is_empty() { changing } else { words }.into_iter().cloned().collect();
        if variables.is_empty() {
            return None;
        }
        let names = needed(scenario, &variables);
        let groups = groups(scenario, &varied);
        Some(Designs { variables, names, groups })
    }
}

/// True if any two points that differ in this variable alone have different designs.
fn changes_alone(scenario: &Scenario, points: &[(&Point, &Design)], variable: &str) -> bool {
    let mut seen: BTreeMap<Vec<&str>, &Design> = BTreeMap::new();
    points.iter().any(|(point, design)| {
        let others = scenario.swept.iter().filter(|v| *v != variable);
        let key: Vec<&str> = others.map(|v| text(point, v)).collect();
        **seen.entry(key).or_insert(design) != **design
    })
}

/// True if this variable determines the part's design.
fn decides(points: &[(&Point, &Design)], variable: &str, part: &Part) -> bool {
    let mut seen: BTreeMap<&str, Option<&String>> = BTreeMap::new();
    points.iter().all(|(point, design)| {
        let own = design.get(part);
        *seen.entry(text(point, variable)).or_insert(own) == own
    })
}

/// Variables that do not follow from those before them.
fn needed(scenario: &Scenario, variables: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for variable in variables {
        let mut seen: BTreeMap<Vec<&str>, &str> = BTreeMap::new();
        let follows = !names.is_empty()
            && scenario.points.iter().all(|point| {
                let before: Vec<&str> = names.iter().map(|name| text(point, name)).collect();
                let own = text(point, variable);
                *seen.entry(before).or_insert(own) == own
            });
        if !follows {
            names.push(variable.clone());
        }
    }
    names
}

fn groups(scenario: &Scenario, varied: &[&Part]) -> BTreeSet<String> {
    let own: BTreeSet<String> = varied
        .iter()
        .filter_map(|part| match part {
            Part::Group(name, _) => Some(name.clone()),
            Part::Link(_) | Part::Mobile(_) => None,
        })
        .collect();
    if !own.is_empty() {
        return own;
    }
    let setups = scenario.points.iter().map(|point| &point.setup);
    let concerned = setups.flat_map(|setup| {
        let flows = setup.flows.iter().filter(|flow| concerns(setup, flow, varied));
        flows.map(|flow| flow.group.clone()).collect::<Vec<_>>()
    });
    concerned.collect()
}

/// True if a flow crosses a link, or has a mobile at an end, whose design varies.
fn concerns(setup: &Setup, flow: &FlowSetup, varied: &[&Part]) -> bool {
    let link = |link: &usize| {
        let name = setup.links.get(*link).map(|link| &link.name);
        name.is_some_and(|name| {
            varied.iter().any(|part| matches!(part, Part::Link(own) if own == name))
        })
    };
    let mobile = flow.mobile.and_then(|end| setup.mobiles.get(end.mobile));
    let moves = mobile.is_some_and(|mobile| {
        varied.iter().any(|part| matches!(part, Part::Mobile(own) if *own == mobile.name))
    });
    moves || flow.paths.iter().any(|path| path.forward.iter().chain(&path.back).any(link))
}
