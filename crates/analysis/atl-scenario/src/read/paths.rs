//! Paths of a flow: one between fixed nodes, or one for each cell of a mobile.

use crate::errors::{Problem, list};
use crate::table::{Field, Table};
use atl_engine::route::{Ends, reachable, route};
use atl_engine::setup::{CellPlace, FlowMobile, LinkSetup, MobileSetup, Path};

/// The network that flows use.
pub(super) struct Net<'a> {
    pub(super) nodes: &'a [String],
    pub(super) links: &'a [LinkSetup],
    pub(super) places: &'a [CellPlace],
    pub(super) mobiles: &'a [MobileSetup],
    /// True if it was read without errors. Otherwise errors about missing parts would only repeat
    /// those.
    pub(super) whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Index of a node.
    Node(usize),
    /// Index of a mobile.
    Mobile(usize),
}

impl Net<'_> {
    /// The node or mobile with the name in this field.
    pub(super) fn end(&self, field: &Field<'_>) -> Option<End> {
        let name = field.text()?;
        let node = self.nodes.iter().position(|n| n == name).map(End::Node);
        let mobile = || self.mobiles.iter().position(|m| m.name == name).map(End::Mobile);
        let end = node.or_else(mobile);
        if end.is_none() && self.whole {
            let names = self.nodes.iter().chain(self.mobiles.iter().map(|m| &m.name));
            let problem =
                field.problem(format!("there is no node `{name}`"), "no link has this end");
            field.report(problem.nearest(name, names.map(String::as_str)));
        }
        end
    }

    /// The node with the name in this field.
    pub(super) fn node(&self, field: &Field<'_>) -> Option<usize> {
        match self.end(field)? {
            End::Node(node) => Some(node),
            End::Mobile(_) => field.bad("it stands at a node that stays where it is"),
        }
    }

    /// Paths between two ends, and the mobile among them.
    pub(super) fn paths(
        &self,
        table: &Table<'_>,
        from: End,
        to: End,
    ) -> Option<(Vec<Path>, Option<FlowMobile>)> {
        let to_field = table.get("to")?;
        if from == to {
            return to_field.bad("a flow runs between two different nodes");
        }
        let ends: Vec<Ends> = self.links.iter().map(|l| (l.from, l.to)).collect();
        let (mobile, sends, fixed) = match (from, to) {
            (End::Node(a), End::Node(b)) => {
                return Some((vec![self.path(table, &ends, a, b)?], None));
            }
            (End::Mobile(mobile), End::Node(b)) => (mobile, true, b),
            (End::Node(a), End::Mobile(mobile)) => (mobile, false, a),
            (End::Mobile(_), End::Mobile(_)) => {
                return to_field.bad("only one end of a flow can be a mobile");
            }
        };
        let mut paths = Vec::new();
        for cell in &self.mobiles[mobile].cells {
            let place = self.places.iter().find(|place| place.name == *cell)?;
            let node = self.links[place.downlink].to;
            if node == fixed {
                let mobile = &self.mobiles[mobile].name;
                return to_field.bad(format!(
                    "`{mobile}` visits the cell `{cell}`, in which the other end of the flow stays"
                ));
            }
            let (a, b) = if sends { (node, fixed) } else { (fixed, node) };
            paths.push(self.path(table, &ends, a, b)?);
        }
        Some((paths, Some(FlowMobile { mobile, sends, card: self.mobiles[mobile].card })))
    }

    fn path(&self, table: &Table<'_>, ends: &[Ends], from: usize, to: usize) -> Option<Path> {
        let forward = self.way(table, ends, from, to);
        let back = self.way(table, ends, to, from);
        Some(Path { forward: forward?, back: back? })
    }

    fn way(&self, table: &Table<'_>, ends: &[Ends], from: usize, to: usize) -> Option<Vec<usize>> {
        let nodes = self.nodes;
        let way = route(nodes.len(), ends, from, to);
        if way.is_none() && self.whole {
            let mut problem =
                Problem::new(format!("no path leads from `{}` to `{}`", nodes[from], nodes[to]))
                    .at(table.at)
                    .key(&*table.path)
                    .label("this flow needs a path");
            let near = reachable(nodes.len(), ends, from);
            let near: Vec<&str> = near.iter().map(|n| nodes[*n].as_str()).collect();
            problem = problem.help(if near.is_empty() {
                format!("no link leads from `{}`", nodes[from])
            } else {
                format!("the links lead from `{}` to {}", nodes[from], list(&near))
            });
            table.cx.sink.report(problem);
        }
        way
    }
}
