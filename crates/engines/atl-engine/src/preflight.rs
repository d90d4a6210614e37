//! The check before any run: features of the scenarios that the chosen engines lack.

use std::fmt;

use serde::Serialize;

use crate::engine::Engine;
use crate::gap::Gap;
use crate::plan::Plan;

/// Limit on the places that a message names; numbered flows can have thousands.
const MAX_PLACES: usize = 3;

/// All features of scenarios that engines lack; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    reports: Vec<GapReport>,
}

/// A gap with all places and points that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GapReport {
    /// Name of the engine.
    pub engine: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Places, each as in [`Gap::place`].
    pub places: Vec<String>,
    /// Path of the key in the scenario file, where there is one.
    pub key: Option<String>,
    /// The missing feature.
    pub what: String,
    /// The reason, and what to do instead.
    pub why: String,
    /// Points of the sweep that have the gap, by their variables; empty if all have it.
    pub points: Vec<String>,
}

/// Asks each engine about each point of each scenario.
///
/// # Errors
/// All gaps, by engine, then by scenario, then in the order of the points.
pub fn check<P: Plan>(engines: &[&dyn Engine], plans: &[&P]) -> Result<(), Gaps> {
    let mut reports = Vec::new();
    for engine in engines {
        for plan in plans {
            collect(*engine, *plan, &mut reports);
        }
    }
    if reports.is_empty() { Ok(()) } else { Err(Gaps { reports }) }
}

fn collect(engine: &dyn Engine, plan: &dyn Plan, reports: &mut Vec<GapReport>) {
    let mut found: Vec<(GapReport, Vec<usize>)> = Vec::new();
    for index in 0..plan.points() {
        for Gap { place, key, what, why } in engine.gaps(plan.setup(index)) {
            // Without a key, only the place distinguishes gaps.
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
                        engine: engine.name().to_owned(),
                        scenario: plan.name().to_owned(),
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
        if points.len() < plan.points() {
            report.points = points.iter().map(|&point| plan.describe(point)).collect();
        }
        report
    }));
}

impl Gaps {
    /// The gaps; at least one.
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
            let group = (&report.engine, &report.scenario);
            if last != Some(group) {
                let line = if last.is_some() { "\n" } else { "" };
                write!(f, "{line}engine `{}` cannot run `{}`:", report.engine, report.scenario)?;
                last = Some(group);
            }
            write!(f, "\n  - {report}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Gaps {}
