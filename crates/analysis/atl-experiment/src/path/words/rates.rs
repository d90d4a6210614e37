//! The rates of one network, and which way each is meant.

use atl_core::units::Rate;

use super::said::{Said, Stage};
use super::token::{Token, shown};
use crate::path::direction::Direction;

/// A measure or a label in the order of the words.
pub(super) enum Mark {
    Rate(f64),
    Way(Direction, bool),
}

/// Rates with the directions beside them.
pub(super) fn rates(
    marks: &[(usize, Mark)],
    pair: Option<(f64, f64)>,
    tokens: &[Token],
    stage: &mut Stage,
    all: &mut Said,
) -> Result<(), String> {
    let mut given: Vec<(usize, f64)> = Vec::new();
    let mut ways: Vec<(usize, Direction, bool)> = Vec::new();
    for (i, mark) in marks {
        match mark {
            Mark::Rate(bps) => given.push((*i, *bps)),
            Mark::Way(way, task) => ways.push((*i, *way, *task)),
        }
    }
    let text = || shown(tokens);
    let several = || {
        Err(format!(
            "`{}` has several rates: say which is which, as in `50Mb/s down 10Mb/s up` or `50/10Mb/s`",
            text()
        ))
    };
    let rate = |bps: f64| {
        let fits = (1.0..=1e15).contains(&bps);
        let wrong = || format!("`{}`: a rate is from 1b/s to 1000Tb/s", text());
        fits.then(|| Rate::from_bps(bps)).ok_or_else(wrong)
    };
    let mut task = |way: Direction| match all.send.replace(way) {
        Some(other) if other != way => Err(format!(
            "`{}` sends both ways: data goes `down` or `up`; rates are `50Mb/s down 10Mb/s up`",
            text()
        )),
        _ => Ok(()),
    };
    if let Some((first, second)) = pair {
        if !given.is_empty() {
            return several();
        }
        let (down, up) = match ways[..] {
            [(_, Direction::Up, false), (_, Direction::Down, _)] => (second, first),
            _ => (first, second),
        };
        if let [(_, way, _)] = ways[..] {
            task(way)?;
        }
        (stage.stated.down, stage.stated.up) = (Some(rate(down)?), Some(rate(up)?));
        return Ok(());
    }
    match (&given[..], &ways[..]) {
        ([], ways) => {
            for (_, way, _) in ways {
                task(*way)?;
            }
        }
        ([(_, bps)], []) => {
            (stage.stated.down, stage.stated.up) = (Some(rate(*bps)?), Some(rate(*bps)?));
        }
        ([(at, bps)], [(there, way, is_task)]) if *is_task && at.abs_diff(*there) > 1 => {
            task(*way)?;
            (stage.stated.down, stage.stated.up) = (Some(rate(*bps)?), Some(rate(*bps)?));
        }
        ([(_, bps)], [(_, Direction::Down, _)]) => stage.stated.down = Some(rate(*bps)?),
        ([(_, bps)], [(_, Direction::Up, _)]) => stage.stated.up = Some(rate(*bps)?),
        // `10Mb/s up and down`.
        ([(_, bps)], [(_, a, _), (_, b, _)]) if a != b => {
            (stage.stated.down, stage.stated.up) = (Some(rate(*bps)?), Some(rate(*bps)?));
        }
        ([(a, first), (b, second)], [(x, one, _), (y, other, _)]) if one != other => {
            // Labels all precede their rates, or all follow them.
            let apart = (x < a && a < y && y < b) || (a < x && x < b && b < y);
            if !apart {
                return several();
            }
            let (down, up) = match one {
                Direction::Down => (first, second),
                Direction::Up => (second, first),
            };
            (stage.stated.down, stage.stated.up) = (Some(rate(*down)?), Some(rate(*up)?));
        }
        _ => return several(),
    }
    Ok(())
}
