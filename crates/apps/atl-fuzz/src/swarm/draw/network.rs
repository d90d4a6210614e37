//! Whole scenarios: a chain of nodes with branches, cells at its end, flows in all directions.

use toml::{Table, Value};

use super::dice::{Dice, millis, put, table};
use super::flow::{Place, flow};
use super::link::{Scale, link, network};
use super::mobile::{cells, mobile};

/// Packets of full size that the fastest link may carry in a run, about: a case takes a fraction of
/// a second.
const PACKETS: f64 = 3_000.0;

/// A scenario, valid or not: the reader of scenario files decides.
pub(super) fn scenario(dice: &mut Dice) -> Table {
    let quic = dice.chance(0.3);
    let kbps = dice.number(200.0, 40_000.0);
    let ms = (PACKETS * 12_000.0 / kbps).clamp(600.0, 20_000.0).round();
    let scale = Scale { ms, kbps, quic };
    let mut top = table([
        ("title", "A case of the swarm".into()),
        ("duration", millis(ms)),
        ("seeds", Value::Array(vec![(1 + dice.below(1000) as i64).into()])),
        ("record", table([("every", millis((ms / 50.0).round()))]).into()),
    ]);
    if dice.chance(0.4) {
        put(&mut top, "warmup", millis(dice.moment(ms, 0.0, 0.4)));
    }
    let networks = ["first", "second"].map(|name| (name, network(dice, scale).into()));
    put(&mut top, "network", table(networks));

    let mut nodes = vec!["n0".to_owned()];
    let mut links = Vec::new();
    for at in 1..=1 + dice.below(3) {
        nodes.push(format!("n{at}"));
        links.push(link(dice, &format!("hop-{at}"), [&nodes[at - 1], &nodes[at]], scale));
    }
    if dice.chance(0.3) {
        let trunk = dice.pick(&nodes);
        links.push(link(dice, "branch", [&trunk, "leaf"], scale));
        nodes.push("leaf".to_owned());
    }
    let mut places = nodes.clone();
    if dice.chance(0.2) {
        let cells = cells(dice, &nodes[nodes.len() - 1], scale);
        put(&mut top, "mobile", Value::Array(vec![mobile(dice, cells.len(), scale).into()]));
        places.extend(["mobile".to_owned(), "mobile".to_owned(), "cell-0".to_owned()]);
        put(&mut top, "cell", array(cells));
    }
    put(&mut top, "link", array(links));
    let flows = (0..=dice.below(3)).map(|at| {
        let from = dice.pick(&places);
        let to = loop {
            let to = dice.pick(&places);
            if to != from {
                break to;
            }
        };
        let mobile = match (from == "mobile", to == "mobile") {
            (false, false) => None,
            (sends, _) => Some(sends),
        };
        let place = Place { from: &from, to: &to, nodes: &nodes, mobile };
        flow(dice, &format!("flow-{at}"), place, scale)
    });
    put(&mut top, "flow", array(flows.collect()));
    top
}

fn array(tables: Vec<Table>) -> Value {
    Value::Array(tables.into_iter().map(Value::Table).collect())
}
