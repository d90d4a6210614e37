//! Which swept variables change a design, and on which flows.

use std::collections::{BTreeMap, BTreeSet};

use atl_engine::protocol::Transport;
use atl_engine::setup::{FlowSetup, LinkSetup, Setup};
use atl_scenario::scenario::{Point, Scenario};

/// A part of a setup that has a design of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// An aspect of a flow group.
    Group(String, Aspect),
    /// A link: agent, tunnel.
    Link(String),
    /// A mobile: where it changes cells, with how many radios, how it predicts the next one.
    Mobile(String),
}

/// What a sweep may vary of a flow group by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aspect {
    /// Congestion control: who it is, with its parameters.
    Control,
    /// Loss recovery.
    Recovery,
    /// Adaptation layer.
    Adaptation,
    /// What the receiver reports, and whether its notices are signed.
    Reports,
}

/// The design of each part at one point, as text that is equal where the designs are.
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

/// The designs of a scenario's sweep.
pub(super) struct Designs {
    /// The swept variables that tell the contenders apart, in the scenario's order.
    pub(super) variables: Vec<String>,
    /// Those among them that are needed for it: the others follow from the ones before.
    pub(super) names: Vec<String>,
    /// The groups whose design changes; if no group's does, all of those that cross a link, or have a mobile at an end,
    /// whose design does.
    pub(super) groups: BTreeSet<String>,
}

/// The value of a variable at a point, as written.
fn text<'a>(point: &'a Point, variable: &str) -> &'a str {
    point.vars.get(variable).map_or("", |value| value.text.as_str())
}

impl Designs {
    /// The designs of a sweep; `None` if it changes none.
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
        // A number that changes a protocol (its beta) is a condition beside words that do (its name).
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

/// Whether two points that differ in this variable alone have different designs.
fn changes_alone(scenario: &Scenario, points: &[(&Point, &Design)], variable: &str) -> bool {
    let mut seen: BTreeMap<Vec<&str>, &Design> = BTreeMap::new();
    points.iter().any(|(point, design)| {
        let others = scenario.swept.iter().filter(|v| *v != variable);
        let key: Vec<&str> = others.map(|v| text(point, v)).collect();
        **seen.entry(key).or_insert(design) != **design
    })
}

/// Whether the design of a part, which varies, follows from this variable.
fn decides(points: &[(&Point, &Design)], variable: &str, part: &Part) -> bool {
    let mut seen: BTreeMap<&str, Option<&String>> = BTreeMap::new();
    points.iter().all(|(point, design)| {
        let own = design.get(part);
        *seen.entry(text(point, variable)).or_insert(own) == own
    })
}

/// The variables that do not follow from those before them.
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

/// Whether a flow crosses a link, or has a mobile at an end, whose design varies.
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
