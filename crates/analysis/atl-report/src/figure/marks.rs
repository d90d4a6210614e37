//! Handoffs and blackouts, of wireless links and of mobiles, as marks on figures over time.

use atl_engine::setup::{LinkSetup, MobileSetup};
use atl_scenario::scenario::Point;

use super::chart::Mark;
use crate::stays::{overlaps, stays};

/// The handoffs and blackouts of the first wireless link on a flow's path that has any.
fn of_link(point: &Point, flow: Option<usize>) -> Vec<Mark> {
    let setup = &point.setup;
    let flows = setup.flows.iter().enumerate().filter(|(i, _)| flow.is_none_or(|f| f == *i));
    let changing = |link: &&LinkSetup| {
        link.wireless && !(link.config.schedule.is_empty() && link.config.blackouts.is_empty())
    };
    let mut links = flows
        .flat_map(|(_, f)| f.paths.iter().flat_map(|p| p.forward.iter().chain(&p.back)))
        .filter_map(|&i| setup.links.get(i));
    let Some(link) = links.find(changing) else {
        return Vec::new();
    };
    let mut marks = Vec::new();
    if !link.config.schedule.is_empty() {
        marks.push(Mark {
            x: 0.0,
            to: None,
            text: link.config.initial.name.to_string(),
            curve: None,
        });
    }
    for change in &link.config.schedule {
        marks.push(Mark {
            x: change.at.secs(),
            to: None,
            text: change.to.name.to_string(),
            curve: None,
        });
    }
    for blackout in &link.config.blackouts {
        let from = blackout.at.secs();
        let text = "blackout".to_owned();
        marks.push(Mark { x: from, to: Some(from + blackout.lasts.secs()), text, curve: None });
    }
    marks
}

/// The first mobile's cells, the overlaps between them and the times without coverage.
fn of_mobile(point: &Point, flow: Option<usize>) -> Option<Vec<Mark>> {
    let setup = &point.setup;
    let flows = setup.flows.iter().enumerate().filter(|(i, _)| flow.is_none_or(|f| f == *i));
    let mobile = flows.filter_map(|(_, f)| f.mobile).next()?;
    Some(of_steps(setup.mobiles.get(mobile.mobile)?, setup.duration.secs()))
}

fn of_steps(mobile: &MobileSetup, end_s: f64) -> Vec<Mark> {
    let mut marks: Vec<Mark> = stays(mobile)
        .iter()
        .map(|stay| {
            let x = stay.from.secs();
            match stay.cell {
                Some(cell) => Mark { x, to: None, text: cell.to_owned(), curve: None },
                None => {
                    let to = stay.to.map_or(end_s, |to| to.secs());
                    Mark { x, to: Some(to), text: "no cell".to_owned(), curve: None }
                }
            }
        })
        .collect();
    marks.extend(overlaps(mobile).into_iter().map(|(from, to)| {
        let to = to.map_or(end_s, |to| to.secs());
        Mark { x: from.secs(), to: Some(to), text: "overlap".to_owned(), curve: None }
    }));
    marks
}

/// Marks of one curve.
fn of_curve(point: &Point, flow: Option<usize>) -> Vec<Mark> {
    of_mobile(point, flow).unwrap_or_else(|| of_link(point, flow))
}

/// Marks of a figure: once if all curves share them, otherwise for each curve.
pub(super) fn of(curves: &[(&Point, Option<usize>)]) -> Vec<Mark> {
    let each: Vec<Vec<Mark>> = curves.iter().map(|&(point, flow)| of_curve(point, flow)).collect();
    // A wired flow has no marks, but the others may still share theirs.
    let mut distinct = each.iter().filter(|m| !m.is_empty());
    match distinct.next() {
        None => Vec::new(),
        Some(first) if distinct.all(|m| m == first) => first.clone(),
        Some(_) => each
            .into_iter()
            .enumerate()
            .flat_map(|(i, marks)| marks.into_iter().map(move |m| Mark { curve: Some(i), ..m }))
            .collect(),
    }
}
