//! Before anything runs: what the chosen hosts cannot do of the scenarios.

use std::fmt;

use atl_scenario::scenario::{Point, Scenario};
use serde::Serialize;

use crate::gap::Gap;
use crate::host::Host;

/// Places that a message names one by one; numbered flows can have thousands.
const MAX_PLACES: usize = 3;

/// Everything that hosts cannot do of scenarios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    reports: Vec<GapReport>,
}

/// One gap, at all places and points that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapReport {
    /// The host.
    pub host: String,
    /// Name of the scenario.
    pub scenario: String,
    /// The places, as [`Gap::place`].
    pub places: Vec<String>,
    /// Path of the key in the scenario file.
    pub key: Option<String>,
    /// What cannot be done.
    pub what: String,
    /// Why not.
    pub why: String,
    /// The points of the sweep that have the gap, by their variables; empty if all have it.
    pub points: Vec<String>,
}

/// Asks each host about each point of each scenario.
///
/// # Errors
/// All gaps, by host, then by scenario, then in order of the points.
pub fn check(hosts: &[&dyn Host], scenarios: &[&Scenario]) -> Result<(), Gaps> {
    let mut reports = Vec::new();
    for host in hosts {
        for scenario in scenarios {
            collect(*host, scenario, &mut reports);
        }
    }
    if reports.is_empty() { Ok(()) } else { Err(Gaps { reports }) }
}

fn collect(host: &dyn Host, scenario: &Scenario, reports: &mut Vec<GapReport>) {
    let mut found: Vec<(GapReport, Vec<usize>)> = Vec::new();
    for (index, point) in scenario.points.iter().enumerate() {
        for Gap { place, key, what, why } in host.gaps(&point.setup) {
            // Without a key nothing but the place tells two gaps apart.
            let same = |r: &GapReport| {
                (&r.key, &r.what, &r.why) == (&key, &what, &why)
                    && (key.is_some() || r.places.contains(&place))
            };
            match found.iter_mut().find(|(report, _)| same(report)) {
                Some((report, points)) => {
                    if !report.places.contains(&place) {
                        report.places.push(place);
                    }
                    if points.last() != Some(&index) {
                        points.push(index);
                    }
                }
                None => {
                    let report = GapReport {
                        host: host.name().to_owned(),
                        scenario: scenario.name.clone(),
                        places: vec![place],
                        key,
                        what,
                        why,
                        points: Vec::new(),
                    };
                    found.push((report, vec![index]));
                }
            }
        }
    }
    reports.extend(found.into_iter().map(|(mut report, points)| {
        if points.len() < scenario.points.len() {
            let names = points.iter().map(|&i| describe(scenario, &scenario.points[i]));
            report.points = names.collect();
        }
        report
    }));
}

/// A point by its swept variables: `p_w = 1e-2, protocol = reno`.
pub(crate) fn describe(scenario: &Scenario, point: &Point) -> String {
    let value = |name: &String| point.vars.get(name).map(|v| format!("{name} = {}", v.text));
    scenario.swept.iter().filter_map(value).collect::<Vec<_>>().join(", ")
}

impl Gaps {
    /// The gaps one by one; there is at least one.
    pub fn reports(&self) -> &[GapReport] {
        &self.reports
    }
}

impl fmt::Display for GapReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.places[..] {
            places if places.len() > MAX_PLACES => {
                write!(f, "{} and {} more", places[0], places.len() - 1)?;
            }
            places => f.write_str(&places.join(", "))?,
        }
        if let Some(key) = &self.key {
            write!(f, " ({key})")?;
        }
        write!(f, ": {}: {}", self.what, self.why)?;
        match &self.points[..] {
            [] => Ok(()),
            [one] => write!(f, " [at {one}]"),
            [first, _] => write!(f, " [at {first} and 1 more point]"),
            [first, rest @ ..] => write!(f, " [at {first} and {} more points]", rest.len()),
        }
    }
}

impl fmt::Display for Gaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        for report in &self.reports {
            let group = (&report.host, &report.scenario);
            if last != Some(group) {
                let line = if last.is_some() { "\n" } else { "" };
                write!(f, "{line}host `{}` cannot run `{}`:", report.host, report.scenario)?;
                last = Some(group);
            }
            write!(f, "\n  - {report}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Gaps {}
