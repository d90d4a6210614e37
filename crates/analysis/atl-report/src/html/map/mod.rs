//! The map with cells, and the tracks of mobiles through them.
//!
//! A plain SVG without scripts, so that it prints. It shares the colours of the charts.

mod canvas;
mod draw;
mod labels;
mod rates;

use atl_engine::setup::Setup;
use maud::{Markup, html};

use super::page::heading;
use crate::outcome::Outcome;
use rates::{plain, rates};

/// Figure of a section; empty for scenarios without cells.
pub(super) fn figure(outcome: &Outcome, level: u8) -> Markup {
    let points = &outcome.scenario.points;
    let Some((first, map)) = points.iter().find_map(|p| Some((p, p.setup.map.as_deref()?))) else {
        return html! {};
    };
    let same =
        |other: &Setup| other.map.as_deref() == Some(map) && other.mobiles == first.setup.mobiles;
    let others = points.iter().filter(|p| !same(&p.setup)).count();
    let at: Vec<String> = outcome
        .scenario
        .swept
        .iter()
        .filter_map(|name| Some(format!("{name} = {}", outcome.label_of(first.vars.get(name)?))))
        .collect();
    html! {
        figure.map {
            (heading(level, "Map"))
            (draw::svg(&first.setup, map))
            figcaption {
                "Circles are cells, with their rates down and up. "
                @if !map.tracks.is_empty() {
                    "A mobile's track has the colour of the cell that it is in, and is dotted outside all cells. "
                    "A ring is where a path is announced, a diamond where the handoff is, a cross where a path is lost. "
                }
                @if others > 0 {
                    span.note {
                        "Drawn for " (at.join(", ")) "; at " (others) " of " (points.len())
                        " points cells, tracks or times differ."
                    }
                }
            }
        }
    }
}
