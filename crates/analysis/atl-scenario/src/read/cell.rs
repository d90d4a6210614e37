//! Cells: each is a node with a wireless link to the node behind it.

use atl_mobility::geometry::Point;

use super::Traces;
use super::link::{Directions, node, trace_offset, trace_start};
use super::names::duplicate;
use super::network::Networks;
use super::roam::Phase;
use crate::keys::MAX_CELLS;
use crate::table::{Field, Table};
use atl_engine::setup::{Cell, CellPlace, LinkSetup};

/// Cells of a file.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) places: Vec<CellPlace>,
    /// True if all were read without errors.
    pub(super) complete: bool,
}

/// Reads all cells and adds their nodes and links.
pub(super) fn read(
    tables: &[Table<'_>],
    networks: &Networks,
    traces: &Traces<'_>,
    nodes: &mut Vec<String>,
    links: &mut Vec<LinkSetup>,
) -> Cells {
    let mut cells = Cells { places: Vec::new(), complete: true };
    if let Some(table) = tables.get(MAX_CELLS) {
        table.report(format!("there are more than {MAX_CELLS} cells"), "too many with this one");
        return Cells { complete: false, ..cells };
    }
    // A cell must be attached to the fixed network rather than to another cell.
    let fixed = nodes.len();
    for table in tables {
        match one(table, networks, traces, nodes, fixed, links) {
            Some(place) => cells.places.push(place),
            None => cells.complete = false,
        }
    }
    cells
}

fn one(
    table: &Table<'_>,
    networks: &Networks,
    traces: &Traces<'_>,
    nodes: &mut Vec<String>,
    fixed: usize,
    links: &mut Vec<LinkSetup>,
) -> Option<CellPlace> {
    let name = table.read("name", Field::name);
    let at = table.read("at", place);
    let radius = table.read("radius", Field::length);
    let behind = table.read("behind", |f| {
        let name = f.text()?;
        let found = nodes[..fixed].iter().position(|n| n == name);
        if found.is_none() {
            let problem = f.problem(format!("there is no node `{name}`"), "no link has this end");
            f.report(problem.nearest(name, nodes[..fixed].iter().map(String::as_str)));
        }
        found
    });
    let first = Phase::first(table, name.unwrap_or("cell"), networks, traces);
    let both = Some(Directions::usual());
    let directions = Directions::read(table, traces, vec![first], both);
    let offset = trace_offset(table);

    let (name, behind) = (name?, behind?);
    if nodes.iter().any(|n| n == name) {
        // The name is that of another cell or node.
        duplicate(table, "node", name);
        return None;
    }
    if links.iter().any(|l| l.name == name) {
        duplicate(table, "link", name);
        return None;
    }
    let directions = directions?;
    let [down, up] = directions.configs()?;
    directions.check(table);
    let cell = Cell::new(at?, radius?)?;
    let trace_start = trace_start(offset?, name, &[&down, &up]);
    if let Some(field) = table.get("trace-offset") {
        field.effect(trace_start.is_some(), "the cell has no trace");
    }
    let node = node(nodes, name);
    let downlink = LinkSetup {
        name: name.to_owned(),
        from: behind,
        to: node,
        wireless: true,
        config: down,
        agent: None,
        adaptation: None,
        trace_start,
    };
    let (from, to, name) = (node, behind, format!("{name}.back"));
    let uplink = LinkSetup { name, from, to, config: up, ..downlink.clone() };
    let place = CellPlace { name: downlink.name.clone(), cell, downlink: links.len() };
    links.extend([downlink, uplink]);
    Some(place)
}

/// Reads a position: two coordinates.
pub(super) fn place(field: &Field<'_>) -> Option<Point> {
    let items = field.items()?;
    let coordinates: Vec<f64> = items.iter().filter_map(Field::length).collect();
    match coordinates[..] {
        [x, y] => Some(Point::new(x, y)),
        _ => None,
    }
}
