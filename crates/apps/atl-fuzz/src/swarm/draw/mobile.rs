//! Cells, and a mobile that goes through them.

use atl_scenario::keys;
use toml::{Table, Value};

use super::dice::{Dice, put, table};
use super::link::{Scale, conditions};

/// Cells in a row, each reaching into the next.
pub(super) fn cells(dice: &mut Dice, behind: &str, scale: Scale) -> Vec<Table> {
    let cells = 2 + dice.below(2);
    (0..cells)
        .map(|at| {
            let mut cell = conditions(dice, scale);
            put(&mut cell, "name", format!("cell-{at}"));
            put(&mut cell, "at", point(700.0 * at as f64));
            put(&mut cell, "radius", dice.pick(&[400.0, 500.0]));
            put(&mut cell, "behind", behind);
            put(&mut cell, "queue", dice.whole(2, 200));
            cell
        })
        .collect()
}

/// A mobile that crosses all of the cells while the run lasts, and perhaps comes back.
pub(super) fn mobile(dice: &mut Dice, cells: usize, scale: Scale) -> Table {
    let end = 700.0 * (cells - 1) as f64;
    let mut path = vec![point(0.0), point(end)];
    if dice.chance(0.3) {
        path.push(point(0.0));
    }
    let length = end * (path.len() - 1) as f64;
    let speed = (length / (scale.ms / 1e3) * dice.number(0.7, 3.0)).clamp(1.0, 9_000.0);
    let mut out = table([
        ("name", "mobile".into()),
        ("path", Value::Array(path)),
        ("speed", Value::String(format!("{}m/s", speed.round()))),
    ]);
    if dice.chance(0.6) {
        let mut handoff = table([("at", dice.word(&keys::HANDOFF, "at").into())]);
        if dice.chance(0.5) {
            put(&mut handoff, "binding", dice.time(1.0, 500.0));
        }
        if dice.chance(0.3) {
            put(&mut handoff, "break-before-make", dice.time(1.0, 500.0));
        }
        put(&mut out, "handoff", handoff);
    }
    out
}

fn point(east: f64) -> Value {
    Value::Array(vec![east.into(), 0.0.into()])
}
