//! Signals of mobiles in text form, for checking a map before running it.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;
use atl_engine::setup::MobileSetup;
use atl_scenario::scenario::{Point, Scenario};
use serde_json::{Value, json};

use crate::format::counted;

/// Limit on the signals listed per mobile.
const MOST: usize = 20;

/// Signals of all mobiles at the first point, one line for each.
pub(crate) fn lines(scenario: &Scenario) -> String {
    let Some(first) = scenario.points.first() else {
        return String::new();
    };
    let same = |point: &Point| point.setup.mobiles == first.setup.mobiles;
    let place = match scenario.points.iter().all(same) {
        true => String::new(),
        false => {
            let value = |name| Some(format!("{name} = {}", first.vars.get(name)?.text));
            let at: Vec<String> = scenario.swept.iter().filter_map(value).collect();
            format!(" at {}", at.join(", "))
        }
    };
    first
        .setup
        .mobiles
        .iter()
        .map(|mobile| format!("  {}{place}: {}\n", mobile.name, way(mobile)))
        .collect()
}

/// Such as `in wlan; 14 s umts imminent; 17 s in umts; 20 s wlan gone`.
fn way(mobile: &MobileSetup) -> String {
    let cell = |path: usize| mobile.cells.get(path).map_or("", String::as_str);
    // A mobile that starts outside all cells loses path 0 at once.
    let outside = mobile.steps.first().is_some_and(|step| {
        step.at == Time::ZERO && step.signal == PathSignal::Gone(PathId::FIRST)
    });
    let mut parts = vec![if outside { "in no cell".to_owned() } else { format!("in {}", cell(0)) }];
    let steps = &mobile.steps[usize::from(outside)..];
    parts.extend(steps.iter().take(MOST).map(|step| {
        let at = (step.at.secs() * 1e3).round() / 1e3;
        let cell = cell(step.signal.path().index());
        match step.signal {
            PathSignal::Imminent(_) => format!("{at} s {cell} imminent"),
            PathSignal::Done(_) => format!("{at} s in {cell}"),
            PathSignal::Gone(_) => format!("{at} s {cell} gone"),
        }
    }));
    if steps.len() > MOST {
        parts.push(format!("and {}", counted(steps.len() - MOST, "further signal")));
    }
    parts.join("; ")
}

/// The signals as data, without the limit.
pub(crate) fn json(scenario: &Scenario) -> Vec<Value> {
    let mobiles = scenario.points.first().map_or(&[][..], |point| &point.setup.mobiles);
    let step = |mobile: &MobileSetup| -> Vec<Value> {
        let steps = mobile.steps.iter().map(|step| {
            let signal = match step.signal {
                PathSignal::Imminent(_) => "imminent",
                PathSignal::Done(_) => "done",
                PathSignal::Gone(_) => "gone",
            };
            json!({ "at_s": step.at.secs(), "signal": signal, "cell": mobile.cells.get(step.signal.path().index()) })
        });
        steps.collect()
    };
    mobiles
        .iter()
        .map(|mobile| json!({ "name": mobile.name, "cells": mobile.cells, "steps": step(mobile) }))
        .collect()
}
